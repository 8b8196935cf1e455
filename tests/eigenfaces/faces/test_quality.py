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

from eigenfaces.faces.detect import CERTAIN, LIKELY, FoundFace
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import (
    BLURRED,
    SOFT,
    Concern,
    concerns,
    placement_facts,
    sharpness,
    sharpness_words,
)
from eigenfaces.faces.read import Picture, read_face
from eigenfaces.photographs.photos import WHOLE, Eyes, Photo, Placement

HEAD = PICTURE.crop(FACE)
HEAD_EYES = Eyes.at(EYES.middle - complex(*FACE[:2]), EYES.across)


def about(
    picture: Image.Image, eyes: Eyes | None = None, *, cropped: bool = False
) -> tuple[Concern, ...]:
    preparation = Preparation(already_cropped=cropped)
    photo = Photo(Path("photo"), placement=Placement(eyes, "by hand") if eyes else None)
    picture_of = Picture(encoded(picture, "PNG"))
    return concerns(read_face(photo, preparation, picture_of), preparation)


def kinds(picture: Image.Image, eyes: Eyes | None = None, *, cropped: bool = False) -> list[str]:
    return [each.kind for each in about(picture, eyes, cropped=cropped)]


def test_nothing_about_a_good_photograph() -> None:
    assert about(HEAD) == ()
    assert about(HEAD, HEAD_EYES) == ()
    assert about(HEAD.resize((92, 112)), cropped=True) == ()


def test_no_face_and_several() -> None:
    assert kinds(Image.new("L", (200, 200), 128)) == ["no face"]
    wall = Image.new("L", (400, 200), 128)
    wall.paste(HEAD, (0, 0))
    wall.paste(HEAD, (200, 0))
    assert kinds(wall) == ["several faces"]


@pytest.mark.parametrize(("score", "said"), [(LIKELY, ["doubtful"]), (LIKELY + 0.1, [])])
def test_a_doubtful_one(score: float, said: list[str]) -> None:
    seen = read_face(Photo(Path("photo")), Preparation(), Picture(encoded(HEAD, "PNG")))
    guess = replace(seen, faces=(replace(seen.faces[0], score=score),))
    assert [each.kind for each in concerns(guess, Preparation())] == said


def test_what_is_unlike_a_face_unless_a_person_says_so() -> None:
    striped = np.tile(np.arange(200) // 6 % 2 * 200, (200, 1)).astype(np.uint8)
    eyes = Eyes((80, 80), (120, 80))
    picture = Picture(encoded(Image.fromarray(striped), "PNG"))
    for source, score, said in (
        ("found", CERTAIN, ["not a face"]),
        ("found", CERTAIN + 0.1, []),  # it is only lit unusually, or half hidden
        ("by hand", CERTAIN, []),
    ):
        photo = Photo(Path("photo"), placement=Placement(eyes, source))
        reading = read_face(photo, Preparation(), picture)
        reading = replace(reading, faces=(FoundFace(eyes, score, eyes.box),))
        kinds = [each.kind for each in concerns(reading, Preparation())]
        assert [kind for kind in kinds if kind == "not a face"] == said


def test_tiny_blurred_or_dark() -> None:
    small = HEAD.resize((60, 71), Image.Resampling.LANCZOS)
    assert "tiny" in kinds(small, HEAD_EYES.scaled(60 / 160))
    for radius, blurred in ((0.4, False), (4, True)):
        soft = HEAD.filter(ImageFilter.GaussianBlur(radius))
        assert ("blurred" in kinds(soft, HEAD_EYES)) == blurred
    dim = HEAD.point(lambda grey: grey // 5)
    assert kinds(dim, HEAD_EYES) == kinds(dim, cropped=True) == ["dark"]


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_cut_off(side: str) -> None:
    """A crop is 96/40 eye distances wide and 112/40 high, 42/40 of that above the eyes."""
    left, top = 70 * (side == "left"), 75 * (side == "top")
    right, bottom = (100 if side == "right" else 160), (110 if side == "bottom" else 190)
    eyes = Eyes.at(HEAD_EYES.middle - complex(left, top), HEAD_EYES.across)
    found = about(HEAD.crop((left, top, right, bottom)), eyes)
    (said,) = [each for each in found if each.kind == "cut off"]
    x, y, unit = eyes.middle.real, eyes.middle.imag, eyes.distance / 40
    across = min(x, 48 * unit) + min(right - left - x, 48 * unit)
    down = min(y, 42 * unit) + min(bottom - top - y, 70 * unit)
    share = 1 - across * down / (96 * unit * 112 * unit)
    assert int(said.reason.split("%")[0]) == pytest.approx(100 * share, abs=5)


def test_each_has_a_reason_and_a_remedy() -> None:
    worst = HEAD.resize((40, 48)).filter(ImageFilter.GaussianBlur(3)).point(lambda grey: grey // 9)
    said = [*about(worst, HEAD_EYES.scaled(0.25)), *about(Image.new("L", (99, 99)))]
    assert len(said) >= 3
    for each in said:
        for sentence in (each.reason, each.remedy):
            assert sentence[0].isupper()
            assert sentence.endswith(".")


@given(st.floats(0.05, 20), st.floats(-1, 1), st.integers(0, 99))
def test_sharpness_by_its_definition(gain: float, offset: float, seed: int) -> None:
    crop = np.random.default_rng(seed).random((40, 30))
    wanted = laplace(crop)[1:-1, 1:-1].std() / crop.std()
    moved = (gain * crop + offset).astype(np.float32)
    assert sharpness(moved) == pytest.approx(wanted, rel=1e-2)


def test_the_softer_the_less_sharp() -> None:
    assert sharpness(np.full((20, 20), 0.5, np.float32)) == 0
    soft = [HEAD.filter(ImageFilter.GaussianBlur(radius)) for radius in (0, 1, 2, 4)]
    said = [sharpness(np.asarray(each, np.float32) / np.float32(255)) for each in soft]
    assert said == sorted(said, reverse=True)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (WHOLE, ["the whole photo"]),
        (Placement(None, "by hand"), ["the whole photo, marked by hand"]),
        (Placement(Eyes((40, 50), (100, 50))), ["found automatically", "60 px", "level"]),
        (
            Placement(Eyes((0, 0), (30, 30)), "by hand", 3),
            ["set by hand", "42 px", "45° clockwise", "270° clockwise"],
        ),
        (
            Placement(Eyes((0, 10), (100, 1.3)), "from a file"),
            ["read from a file", "100 px", "5° anticlockwise"],
        ),
    ],
)
def test_where_a_face_lies_and_who_said_so(where: Placement, said: list[str]) -> None:
    names = ("Face", "Eyes apart", "Tilt", "Photo turned")
    assert placement_facts(where) == list(zip(names, said, strict=False))


def test_sharpness_has_a_word() -> None:
    words = [sharpness_words(step)[5:] for step in (BLURRED * 0.9, BLURRED, SOFT * 0.99, SOFT)]
    assert words == ["(blurred)", "(soft)", "(soft)", "(sharp)"]
