"""All recipes on a gallery's own photographs, and which is proposed."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.arrays import Doubles
from eigenfaces.errors import Cancelled
from eigenfaces.evaluation import proposal as module
from eigenfaces.evaluation.baselines import between_pixels
from eigenfaces.evaluation.in_pixels import city_block
from eigenfaces.evaluation.proposal import NO_SPACE, Proposal, propose
from eigenfaces.faces.crops import Crops
from eigenfaces.recognition import features as features_module
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.samples import PREPARATION, load_sample


def gallery_of(people: int, photos: int, recipe: Recipe | None = None) -> Gallery:
    rows = [row for row in range(10 * people) if row % 10 < photos]
    faces = load_sample().select(rows)
    return Gallery(faces, PREPARATION, recipe or RECIPES["Eigenfaces"]).train()


def lit_from_the_side(gallery: Gallery) -> Gallery:
    """Return the gallery with every other photograph much darker at one side."""
    pixels = gallery.faces.pixels[:].reshape(-1, *gallery.faces.shape)
    shade = np.linspace(1, 0.1, pixels.shape[2], dtype=np.float32)
    pixels[::2] *= shade
    pixels[1::2] *= shade[::-1]
    crops = Crops(np.rint(255 * pixels.reshape(len(pixels), -1)).astype(np.uint8))
    return replace(gallery, faces=replace(gallery.faces, pixels=crops), training=None).train()


@pytest.fixture(scope="module")
def lit() -> Gallery:
    return lit_from_the_side(gallery_of(12, 4, Recipe.of(components=3)))


@pytest.fixture(scope="module")
def proposal(lit: Gallery) -> Proposal:
    return propose(lit)


def test_the_best_is_proposed_with_its_figures(proposal: Proposal) -> None:
    best, use = proposal.measured[0], proposal.in_use
    assert proposal.proposed is best
    assert best.name in ("Discriminant", "Texture")
    assert use.name == "Eigenfaces"
    assert proposal.p < 0.05
    said = f"On your photographs {best.name} names {100 * best.share:.0f} %, "
    assert proposal.sentence() == said + f"Eigenfaces {100 * use.share:.0f} %."
    assert "48 photos of 12 people, each left out" in proposal.measured_on()
    assert any(f"{best.name} has no pictures" in each for each in proposal.changes())
    assert f"p = {proposal.p:.3f}" in proposal.how()
    assert [each.name for each in proposal.measured[-1:]] == [NO_SPACE]
    assert {each.name for each in proposal.measured} == {*RECIPES, NO_SPACE}
    for each in proposal.measured:
        assert each.limits[0] <= each.share <= each.limits[1]
        assert each.named == round(48 * each.share)


def test_photo_by_photo(proposal: Proposal, lit: Gallery) -> None:
    best, use = proposal.measured[0], proposal.in_use
    both = proposal.photo_by_photo(best, use, most=5)
    assert both.both + both.only_first == best.named
    assert both.both + both.only_second == use.named
    assert both.both + both.only_first + both.only_second + both.neither == 48
    assert len(both.examples) == 5
    assert len({each.person for each in both.examples}) == 5
    people = {photo.key: photo.person for photo in lit.index.photos}
    for each in both.examples:
        assert people[each.key] == each.person != each.taken_for
        assert each.taken_for in lit.people


def test_raw_pixels_are_those_of_the_published_figures(proposal: Proposal, lit: Gallery) -> None:
    distances: Doubles = between_pixels(lit.faces, "L1")
    rows = np.array([3, 17, 40])
    assert np.array_equal(city_block(lit.faces.pixels, rows), distances[rows])
    np.fill_diagonal(distances, np.inf)
    raw = proposal.measured[-1]
    assert np.array_equal(raw.answers, distances.argmin(axis=1) // 4)


def test_what_is_in_use_and_no_worse_stays() -> None:
    in_use = RECIPES["Texture"]
    proposal = propose(gallery_of(6, 3, in_use))
    assert proposal.in_use.recipe == in_use
    assert proposal.proposed is None
    assert proposal.changes() == ()
    assert proposal.sentence().startswith("On your photographs Texture, which is in use, names")
    assert "no other recipe is better beyond chance" in proposal.sentence()


def test_a_recipe_in_use_keeps_its_own_settings() -> None:
    own = Recipe.of("Mine", components=2, distance="L1")
    proposal = propose(gallery_of(5, 3, own))
    assert proposal.in_use.recipe == own
    assert {each.name for each in proposal.measured} == {
        "Mine",
        "Discriminant",
        "Texture",
        NO_SPACE,
    }
    with_two = propose(gallery_of(5, 3, Recipe.of(components=2)))
    with_all = propose(gallery_of(5, 3))
    assert with_two.in_use.named < with_all.in_use.named


def test_only_photographs_with_another_of_the_person_are_asked() -> None:
    gallery = gallery_of(5, 3)
    keys = [photo.key for photo in gallery.index.photos]
    gallery = gallery.move([keys[0]], "Alone").move([keys[14]], None)
    proposal = propose(gallery)
    assert set(proposal.keys) == set(keys[1:14])
    assert len(proposal.in_use.people) == 13


@pytest.mark.parametrize(
    ("people", "photos", "why"), [(4, 1, "two photographs"), (1, 4, "two people")]
)
def test_why_nothing_can_be_measured(people: int, photos: int, why: str) -> None:
    proposal = propose(gallery_of(people, photos))
    assert why in proposal.reason
    assert proposal.sentence() == proposal.reason
    assert proposal.proposed is None
    assert np.isnan(proposal.in_use.share)


def test_features_that_training_kept_are_freed(lit: Gallery) -> None:
    again = lit.with_recipe(RECIPES["Texture"]).train()
    assert features_module._kept
    propose(again)
    assert not features_module._kept


def test_of_many_some_are_drawn_and_are_the_gallery(
    lit: Gallery, proposal: Proposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not proposal.drawn
    assert " are drawn" not in proposal.how()
    monkeypatch.setattr(module, "MOST_PHOTOS", 20)
    found, again = propose(lit), propose(lit)
    assert [len(each.answers) for each in found.measured] == 4 * [20]
    assert len(found.names) == 5, "up to five photographs of each, of whom there are four"
    assert found.sentence().startswith("On 20 of your photographs Eigenfaces, which is ")
    assert "20 of 48 photos, of 5 people drawn by chance, each left out" in found.measured_on()
    assert " Of so many photographs 20 are drawn, a few of each of many people, " in found.how()
    assert found.keys == again.keys
    alone = lit.remove([photo.key for photo in lit.index.photos if photo.key not in found.keys])
    whole = propose(alone.train())
    for drawn, each in zip(found.measured, whole.measured, strict=True):
        assert np.array_equal(drawn.answers, each.answers)


def test_of_many_those_who_are_nobody_are_not_drawn(
    lit: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_PHOTOS", 20)
    keys = [photo.key for photo in lit.index.photos]
    found = propose(lit.move(keys[24:], None).exclude(keys[:8]))
    assert set(found.keys) == set(keys[8:24])
    assert not found.drawn


def test_it_is_told_of_and_can_be_stopped(lit: Gallery) -> None:
    told: list[int] = []
    propose(lit, lambda done, total: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 100

    def stop(done: int, total: int) -> None:
        if done > 50:
            raise Cancelled

    with pytest.raises(Cancelled):
        propose(lit, stop)
