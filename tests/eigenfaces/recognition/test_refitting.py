"""Would training again pay: who came since, and how well the face space expresses them."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.errors import Cancelled
from eigenfaces.faces.crops import Crops
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.refitting import would_refit_pay
from eigenfaces.samples import PREPARATION, load_sample


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    """Twelve people, of whom nine photographs are there."""
    rows = [row for row in range(120) if row % 10 < 9]
    return Gallery(load_sample().select(rows), PREPARATION, RECIPES["Eigenfaces"]).train()


def test_nobody_came(gallery: Gallery) -> None:
    found = would_refit_pay(gallery)
    assert not found.pays
    assert found.sentence() == ""
    fewer = gallery.remove([photo.key for photo in gallery.index.photos[:9]])
    assert not would_refit_pay(fewer).pays


def test_another_photograph_of_everybody_needs_no_training(gallery: Gallery) -> None:
    new = load_sample().select([10 * person + 9 for person in range(12)])
    found = would_refit_pay(gallery.enrol(new))
    assert (found.new_people, found.people, found.new_photos, found.photos) == (0, 12, 12, 120)
    assert not found.grown
    assert not found.pays
    assert "12 of 120 photos were not there" in found.sentence()
    assert "need not be trained again" in found.sentence()


def test_many_new_people_do(gallery: Gallery) -> None:
    found = would_refit_pay(gallery.enrol(load_sample().select(range(120, 150))))
    assert (found.new_people, found.people) == (3, 15)
    assert found.pays == (found.new_photos > 0.2 * found.photos) is True
    assert "3 of 15 people" in found.sentence()
    assert "Until it is trained on them, some people are named less often." in found.sentence()
    assert found.sentence().endswith("Train again: it would pay.")


def test_pictures_of_another_kind_do(gallery: Gallery) -> None:
    """A few, lit as none of the fitted ones."""
    new = load_sample().select([10 * person + 9 for person in range(8)])
    pixels = new.pixels[:].reshape(-1, *new.shape)
    stripes = 0.5 + 0.5 * np.sign(np.sin(np.arange(new.shape[0]) * 1.5))[:, None]
    lit = np.rint(255 * (pixels * stripes).reshape(len(pixels), -1)).astype(np.uint8)
    photos = {
        photo.key: replace(photo, key=f"{place}", crop=f"{place}")
        for place, photo in enumerate(new.index.photos)
    }
    index = replace(new.index, photos=tuple(photos.values()))
    found = would_refit_pay(gallery.enrol(replace(new, pixels=Crops(lit), index=index)))
    assert not found.many
    assert found.grown
    assert found.pays


@pytest.mark.parametrize(("recipe", "pays"), [("Texture", True), ("Discriminant", False)])
def test_one_new_person_of_many(recipe: str, pays: bool) -> None:
    """By Texture, who came is named less often than the others until it was fitted to them."""
    sample = load_sample()
    gallery = Gallery(sample.select(range(210)), PREPARATION, RECIPES[recipe]).train()
    found = would_refit_pay(gallery.enrol(sample.select(range(210, 215))))
    assert (found.many, found.new_people, found.pays) == (False, 1, pays)
    assert "1 of 22 people" in found.sentence()
    assert ("named less often" in found.sentence()) is pays
    assert ("The face space leaves" in found.sentence()) is not pays


def test_another_photograph_is_nobody_new() -> None:
    gallery = Gallery(load_sample().select(range(119)), PREPARATION, RECIPES["Texture"]).train()
    assert not would_refit_pay(gallery.enrol(load_sample().select([119]))).pays


def test_it_is_what_a_space_without_them_leaves(gallery: Gallery) -> None:
    """The share of the squared deviation, in the space of other people, written out."""
    found = would_refit_pay(gallery.enrol(load_sample().select([129])))
    space, k = gallery.trained.space, gallery.shown_k
    face = load_sample().pixels[129].astype(float) - space.mean
    inside = space.components[:k].astype(float) @ face
    assert found.left_over[0] == pytest.approx(1 - (inside**2).sum() / (face**2).sum(), rel=1e-3)
    assert len(found.held_out) == 108
    assert np.median(found.held_out) > 0.05 > 0  # held out, not fitted: 95 % were kept


def test_it_can_be_stopped(gallery: Gallery) -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        would_refit_pay(gallery.enrol(load_sample().select([129])), stop)
