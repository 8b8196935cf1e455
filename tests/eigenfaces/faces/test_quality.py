"""What needs attention: each kind provoked, and nothing said of a good photograph."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, encoded
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFilter
from scipy.ndimage import laplace

from eigenfaces.faces import network
from eigenfaces.faces.detect import CERTAIN, LIKELY_SCORE, FoundFace
from eigenfaces.faces.face_choice import FaceChoice
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import (
    BLURRED,
    SOFT_SHARPNESS,
    Concern,
    concerns,
    placement_facts,
    sharpness,
    sharpness_words,
)
from eigenfaces.faces.read import Picture, read_face
from eigenfaces.photographs.find import Photo
from eigenfaces.photographs.placement import WHOLE_PHOTO, Eyes, Placement

HEAD = PICTURE.crop(FACE)
HEAD_EYES = Eyes.at(EYES.middle - complex(*FACE[:2]), EYES.across)


def about(
    picture: Image.Image, eyes: Eyes | None = None, *, cropped: bool = False
) -> tuple[Concern, ...]:
    preparation = Preparation(already_cropped=cropped)
    photo = Photo(Path("photo"), placement=Placement(eyes, "by hand") if eyes else None)
    return concerns(read_face(photo, preparation, Picture(encoded(picture, "PNG"))), preparation)


def kinds(picture: Image.Image, eyes: Eyes | None = None, *, cropped: bool = False) -> list[str]:
    return [concern.kind for concern in about(picture, eyes, cropped=cropped)]


def blurred(radius: float) -> Image.Image:
    return HEAD.filter(ImageFilter.GaussianBlur(radius))


def test_each_kind_and_nothing_about_a_good_photograph() -> None:
    assert about(HEAD) == about(HEAD, HEAD_EYES) == ()
    assert about(HEAD.resize((92, 112)), cropped=True) == ()
    assert kinds(Image.new("L", (200, 200), 128)) == ["no face"]
    wall = Image.new("L", (400, 200), 128)
    wall.paste(HEAD, (0, 0))
    wall.paste(HEAD, (200, 0))
    assert kinds(wall) == ["several faces"]
    small = HEAD.resize((60, 71), Image.Resampling.LANCZOS)
    assert "tiny" in kinds(small, HEAD_EYES.scaled(60 / 160))
    assert kinds(blurred(0.4), HEAD_EYES) == []
    assert kinds(blurred(4), HEAD_EYES) == ["blurred"]
    dim = HEAD.point(lambda level: level // 5)
    assert kinds(dim, HEAD_EYES) == kinds(dim, cropped=True) == ["dark"]
    content = encoded(PICTURE, "JPEG", quality=95)[:-3]
    reading = read_face(Photo(Path("photo")), Preparation(), Picture(content))
    assert [concern.kind for concern in concerns(reading, Preparation())] == ["cut short"]
    deep = Image.fromarray(np.asarray(HEAD, np.uint16) * 16 + 15)
    assert kinds(deep, cropped=True) == ["scaled"]


@pytest.mark.parametrize(
    ("source", "score", "kinds"),
    [
        ("found", LIKELY_SCORE, ["doubtful"]),
        ("found", CERTAIN, ["not a face"]),
        ("found", CERTAIN + 0.1, []),  # it is only lit unusually, or half hidden
        ("by hand", CERTAIN, []),
    ],
)
def test_what_is_unlike_a_face_unless_a_person_says_so(
    source: str, score: float, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no network says whether it is one."""
    monkeypatch.setattr(network, "is_installed", lambda: False)
    striped = np.tile(np.arange(200) // 6 % 2 * 200, (200, 1)).astype(np.uint8)
    eyes, picture = Eyes((80, 80), (120, 80)), Picture(encoded(Image.fromarray(striped), "PNG"))
    photo = Photo(Path("photo"), placement=Placement(eyes, source))  # type: ignore[arg-type]
    reading = read_face(photo, Preparation(), picture)
    reading = replace(reading, faces=(FoundFace(eyes, score, eyes.box),))
    found = [concern.kind for concern in concerns(reading, Preparation())]
    assert [kind for kind in found if kind in ("doubtful", "not a face")] == kinds


def test_a_face_whose_eyes_were_not_found_waits_unless_it_is_seen_again() -> None:
    picture = Picture(encoded(PICTURE, "PNG"))
    reading = read_face(Photo(Path("photo"), "Ada"), Preparation(), picture)
    (face,) = reading.faces
    for placed, cause, kinds in (
        (True, "alone", []),
        (False, "alone", ["doubtful"]),
        (False, "recurs", []),
    ):
        choice = FaceChoice(0, "sure", cause)  # type: ignore[arg-type]
        one = replace(reading, faces=(replace(face, placed=placed),), choice=choice)
        assert [concern.kind for concern in concerns(one, Preparation())] == kinds
    shown = replace(one, photo=replace(one.photo, placement=Placement(face.eyes, "by hand")))
    assert not concerns(replace(shown, choice=None), Preparation())


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_cut_off(side: str) -> None:
    """A crop is 96/40 eye distances wide and 112/40 high, 42/40 of that above the eyes."""
    left, top = 70 * (side == "left"), 75 * (side == "top")
    right, bottom = (100 if side == "right" else 160), (110 if side == "bottom" else 190)
    eyes = Eyes.at(HEAD_EYES.middle - complex(left, top), HEAD_EYES.across)
    every = about(HEAD.crop((left, top, right, bottom)), eyes)
    (concern,) = (one for one in every if one.kind == "cut off")
    x, y, unit = eyes.middle.real, eyes.middle.imag, eyes.distance / 40
    across = min(x, 48 * unit) + min(right - left - x, 48 * unit)
    down = min(y, 42 * unit) + min(bottom - top - y, 70 * unit)
    share = 1 - across * down / (96 * unit * 112 * unit)
    assert int(concern.reason.split("%")[0]) == pytest.approx(100 * share, abs=5)


@given(st.floats(0.05, 20), st.floats(-1, 1), st.integers(0, 99))
def test_sharpness_by_its_definition(gain: float, offset: float, seed: int) -> None:
    crop = np.random.default_rng(seed).random((40, 30))
    expected = laplace(crop)[1:-1, 1:-1].std() / crop.std()
    assert sharpness((gain * crop + offset).astype(np.float32)) == pytest.approx(expected, rel=1e-2)


def test_the_softer_the_less_sharp() -> None:
    assert sharpness(np.full((20, 20), 0.5, np.float32)) == 0
    values = [sharpness(np.asarray(blurred(r), np.float32) / np.float32(255)) for r in (0, 1, 2, 4)]
    assert values == sorted(values, reverse=True)
    words = [
        sharpness_words(value)[5:]
        for value in (BLURRED * 0.9, BLURRED, SOFT_SHARPNESS * 0.99, SOFT_SHARPNESS)
    ]
    assert words == ["(blurred)", "(soft)", "(soft)", "(sharp)"]


def test_where_a_face_lies_and_who_said_so() -> None:
    assert placement_facts(WHOLE_PHOTO) == [("Face", "the whole photo")]
    assert placement_facts(Placement(None, "by hand"))[0][1] == "the whole photo, marked by hand"
    placement = Placement(Eyes((0, 0), (30, 30)), "from a file")
    assert placement_facts(placement) == [("Face", "read from a file"), ("Eyes apart", "42 px")]
