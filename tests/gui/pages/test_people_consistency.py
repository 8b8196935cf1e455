"""The card that says how consistent a person's photographs are, in its rarer states."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from eigenfaces.errors import no_tick
from eigenfaces.recognition.gallery_quality import PhotoChecks, check_photos
from gui.pages.people.consistency import ConsistencyCard
from gui.plots.marks import Bars
from gui.style.images import grey_image, rgb_array
from tests.gui import seen


@pytest.fixture
def card(qtbot: QtBot) -> ConsistencyCard:
    return seen.show(qtbot, ConsistencyCard(), (700, 300))


def found(gallery: Gallery) -> PhotoChecks:
    return check_photos(gallery, PhotoChecks(), no_tick)


def keys_of(gallery: Gallery, *people: str) -> list[str]:
    return [photo.key for photo in gallery.index.photos if photo.person in people]


def test_the_only_photo_gets_a_sentence_instead_of_an_empty_plot(
    qtbot: QtBot, card: ConsistencyCard, small_gallery: Gallery
) -> None:
    gallery = small_gallery.remove(keys_of(small_gallery, "Ada")[1:])
    card.show_person(gallery, "Ada", found(gallery))
    qtbot.waitUntil(lambda: card.caption.text().startswith("With three or more"))
    assert card.chart.isHidden()
    card.show_person(gallery, "Hedy", found(gallery))
    qtbot.waitUntil(card.chart.isVisible)
    assert not card.caption.text().startswith("With three or more")


def test_a_bar_is_of_the_photo_that_was_drawn_whatever_the_gallery_is_by_then(
    qtbot: QtBot, card: ConsistencyCard, small_gallery: Gallery
) -> None:
    card.show_person(small_gallery, small_gallery.people[-1], found(small_gallery))
    qtbot.waitUntil(lambda: bool(card.chart.of(Bars)))
    last = keys_of(small_gallery, small_gallery.people[-1])[-1]
    card.show_person(small_gallery.remove([last]), small_gallery.people[0], PhotoChecks())
    with qtbot.waitSignal(card.chosen) as chosen:  # before it is drawn anew
        card.chart.picked.emit(0, len(keys_of(small_gallery, small_gallery.people[-1])) - 1)
    assert chosen.args == [last]


def test_rounding_is_not_drawn_as_somebodys_own_traits(
    qtbot: QtBot, card: ConsistencyCard, small_gallery: Gallery
) -> None:
    others = [person for person in small_gallery.people if person != "Ada"]
    gallery = small_gallery.remove(keys_of(small_gallery, *others)).train()
    card.show_person(gallery, "Ada", found(gallery))
    qtbot.waitUntil(lambda: card.scale.accessibleName().endswith("+1 brighter"))
    image = card.traits.image
    assert image is not None
    assert (rgb_array(image) >= 253).all(), "the mean of all is the mean of the only person"


def test_of_very_many_lit_photos_some_are_averaged_and_it_says_so(
    qtbot: QtBot, card: ConsistencyCard
) -> None:
    images = np.random.default_rng(0).random((101, 24, 20))
    faces = FaceSet.from_arrays(images, ["Ada"] * 100 + ["Bob"])
    for lighting, note in (("none", "of 100 photos"), ("mean and variance", "of 34 of 100 photos")):
        recipe = Recipe.of(lighting=lighting)  # type: ignore[arg-type]
        gallery = Gallery(faces, Preparation(24, 20), recipe).train()
        card.show_person(gallery, "Ada", found(gallery))
        qtbot.waitUntil(lambda note=note: card.mean.accessibleName() == f"Their mean, {note}")
        shown = range(100) if lighting == "none" else range(0, 100, 3)
        mean = gallery.trained.features(faces.pixels[list(shown)]).mean(axis=0)
        assert card.mean.image is not None
        expected = rgb_array(grey_image(mean.reshape(24, 20))).astype(int)
        assert (abs(rgb_array(card.mean.image) - expected) <= 1).all()
