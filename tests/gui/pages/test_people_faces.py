"""What the People page says of each face: where it lies, who said so, how sharp it is."""

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from scipy.ndimage import gaussian_filter

from eigenfaces import FaceSet, Gallery, Preparation
from eigenfaces.faces.quality import BLURRED, sharpness
from eigenfaces.photographs.placement import WHOLE, Eyes, Placement
from gui.pages.people.inspector import (
    SOFT,
    PhotoInspector,
    placement_facts,
    sharpness_words,
    tilt_words,
)
from gui.pages.people.overview import Checked, check, overview

EYES = Eyes((40.0, 50.0), (100.0, 50.0))


def no_tick(done: int, total: int) -> None:
    del done, total


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (WHOLE, {"Face": "the whole photo"}),
        (Placement(None, "by hand"), {"Face": "the whole photo, marked by hand"}),
        (Placement(EYES), {"Face": "found automatically", "Eyes apart": "60 px", "Tilt": "level"}),
        (
            Placement(Eyes((0, 0), (30, 30)), "by hand", 3),
            {
                "Face": "set by hand",
                "Eyes apart": "42 px",
                "Tilt": "45° clockwise",
                "Photo turned": "270° clockwise",
            },
        ),
        (
            Placement(Eyes((0, 10), (100, 1.3)), "from a file"),
            {"Face": "read from a file", "Eyes apart": "100 px", "Tilt": "5° anticlockwise"},
        ),
    ],
)
def test_where_a_face_lies_and_who_said_so(where: Placement, said: dict[str, str]) -> None:
    assert dict(placement_facts(where)) == said


def test_the_tilt_has_a_direction() -> None:
    words = [tilt_words(degrees) for degrees in (-12.4, -0.4, 0.0, 0.4, 0.6, 90)]
    assert words == ["12° anticlockwise", *["level"] * 3, "1° clockwise", "90° clockwise"]


def test_sharpness_has_a_word() -> None:
    steps = (BLURRED * 0.9, BLURRED, SOFT * 0.99, SOFT, 1.0)
    words = [sharpness_words(step).split(" ")[1] for step in steps]
    assert words == ["(blurred)", "(soft)", "(soft)", "(sharp)", "(sharp)"]


def test_the_inspector_shows_them(qtbot: QtBot, small_gallery: Gallery) -> None:
    photo = replace(small_gallery.faces.photos[0], placement=Placement(EYES, "by hand"))
    faces = small_gallery.faces.with_photos({photo.key: photo})
    inspector = PhotoInspector()
    qtbot.addWidget(inspector)
    inspector.show_photo(replace(small_gallery, faces=faces), 0, "Photo 1", None, 1)
    values = inspector.facts.values()
    assert values["Face"] == "set by hand"
    assert values["Eyes apart"] == "60 px"
    assert values["Sharpness"] == sharpness_words(sharpness(faces.image(0)))
    inspector.show_photo(replace(small_gallery, faces=faces), 1, "Photo 2", None, 1)
    assert inspector.facts.values()["Face"] == "the whole photo"
    assert "Tilt" not in inspector.facts.values()


@pytest.fixture
def poor() -> tuple[FaceSet, Preparation]:
    """Two people: sharp and blurred, dark, tiny in its photograph, and cut off by its border."""
    noise = np.random.default_rng(0).random((5, 28, 24))
    images = np.clip(0.5 + (noise - 0.5) * 0.8, 0, 1)
    images[1] = np.clip(gaussian_filter(noise[1], 4) * 3 - 1, 0, 1)
    images[2] *= 0.2
    faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Ada", "Bob", "Bob"])
    tiny = replace(faces.photos[3], placement=Placement(Eyes((5, 5), (9, 5))), size=(30, 30))
    off = replace(faces.photos[4], placement=Placement(Eyes((-4, 9), (9, 9))), size=(40, 40))
    return faces.with_photos({tiny.key: tiny, off.key: off}), Preparation(28, 24)


@pytest.fixture
def files_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui.pages.people.overview.is_there", lambda _: True)


def test_poor_faces_need_attention(
    poor: tuple[FaceSet, Preparation], files_are_there: None
) -> None:
    faces, preparation = poor
    found = check(faces, preparation, Checked(), no_tick)
    kinds = [found.concerns[p.key].kind if p.key in found.concerns else "" for p in faces.photos]
    assert kinds == ["", "blurred", "dark", "tiny", "cut off"]
    for concern in found.concerns.values():
        assert concern.title == concern.kind.capitalize()
        assert concern.sentence.endswith(".")
    gallery = Gallery.new(preparation).enrol(faces)
    seen = overview(gallery, found.concerns)
    assert seen.concerned == [1, 2, 3, 4]


def test_excluded_ones_have_been_seen_to(
    poor: tuple[FaceSet, Preparation], files_are_there: None
) -> None:
    faces, preparation = poor
    gallery = Gallery.new(preparation).enrol(faces).exclude([faces.photos[1].key])
    found = check(gallery.faces, preparation, Checked(), no_tick)
    assert faces.photos[1].key not in found.concerns
    assert faces.photos[2].key in found.concerns


def test_a_face_is_looked_at_once(
    poor: tuple[FaceSet, Preparation], files_are_there: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it lies elsewhere in its photograph, or is cut anew."""
    faces, preparation = poor
    first = check(faces, preparation, Checked(), no_tick)
    looked: list[str] = []

    def look(photo, _crop, _preparation):
        looked.append(photo.key)

    monkeypatch.setattr("gui.pages.people.overview._poor", look)
    again = check(faces, preparation, first, no_tick)
    assert not looked
    assert again.concerns == first.concerns
    moved = replace(faces.photos[3], placement=Placement(EYES))
    check(faces.with_photos({moved.key: moved}), preparation, first, no_tick)
    assert looked == [moved.key]
    check(faces, Preparation(28, 24, "fit"), first, no_tick)
    assert len(looked) == 6


def test_what_is_gone_or_stands_out_is_said_first(small_gallery: Gallery) -> None:
    """One reason for each photograph: the one that matters most."""
    faces, preparation = small_gallery.faces, small_gallery.preparation
    found = check(faces, preparation, Checked(), no_tick)
    assert {concern.kind for concern in found.concerns.values()} == {"gone"}
    wrong = faces.photos[20].key
    moved = small_gallery.move([wrong], "Ada")
    blurred = replace(found.concerns[wrong], kind="blurred")
    assert overview(moved, {wrong: blurred}).concerns[wrong].kind == "outlier"
    assert overview(moved, found.concerns).concerns[wrong].kind == "gone"
    alone = small_gallery.move([wrong], "Eve")
    assert overview(alone, {}).concerns[wrong].kind == "single"
    assert overview(alone, {wrong: blurred}).concerns[wrong].kind == "blurred"
