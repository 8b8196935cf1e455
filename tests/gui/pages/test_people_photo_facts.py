"""The facts of a face on the People page: its place, how it was placed, its sharpness."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.faces.quality import (
    BLURRED,
    SOFT,
    placement_facts,
    sharpness,
    sharpness_words,
    tilt_words,
)
from eigenfaces.photographs.photos import WHOLE, Eyes, Placement
from gui.pages.people.photo_inspector import PhotoInspector

EYES = Eyes((40.0, 50.0), (100.0, 50.0))


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
    photo = replace(small_gallery.index.photos[0], placement=Placement(EYES, "by hand"))
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
