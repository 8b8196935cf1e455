"""A look at a photograph: sideways, reduced, told where the face is, or with several of them."""

import io
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, encoded, off, two_faces
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eigenfaces.errors import PhotoError
from eigenfaces.faces import read
from eigenfaces.faces.detect import FoundFace
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import sharpness
from eigenfaces.faces.read import (
    DETECTION_CACHE,
    FaceReading,
    Picture,
    as_faces,
    as_text,
    read_every_face,
    read_face,
)
from eigenfaces.photographs.decode import content_hash, decode
from eigenfaces.photographs.photos import WHOLE, Eyes, Photo, Placement
from eigenfaces.space.arrays import Floats

PREPARATION = Preparation()
PHOTO = Photo(Path("photo"))
HEAD = PICTURE.crop(FACE)
UPRIGHT = encoded(PICTURE, "PNG")


def look(
    content: bytes, placement: Placement | None = None, *, turned: int = 0, cropped: bool = False
) -> FaceReading:
    """Look at a photograph whose file holds this."""
    photo = Photo(Path("photo"), "Ada", placement, turned=turned)
    preparation = Preparation(already_cropped=cropped)
    return read_face(photo, preparation, Picture.of(photo, content))


def eyes_of(reading: FaceReading) -> Eyes:
    assert reading.photo.placement is not None
    assert reading.photo.placement.eyes is not None
    return reading.photo.placement.eyes


def differ(first: Floats, second: Floats) -> float:
    return float(np.abs(first - second).mean())


class TestOneFace:
    def test_it_is_found_and_cut(self) -> None:
        seen = look(UPRIGHT)
        assert off(eyes_of(seen)) < 0.1
        assert seen.photo.placement is not None
        assert seen.photo.placement.source == "found"
        assert (seen.photo.path, seen.photo.person) == (Path("photo"), "Ada")
        assert (seen.size, seen.key) == ((512, 512), content_hash(UPRIGHT))
        assert not seen.doubtful
        assert seen.face.shape == (112, 92)
        given = PREPARATION.crop(decode(UPRIGHT).grey, eyes_of(seen))
        assert np.array_equal(seen.face, given)

    @pytest.mark.parametrize(("orientation", "quarters"), [(6, 1), (3, 2), (8, 3)])
    def test_a_sideways_phone_photograph(self, orientation: int, quarters: int) -> None:
        """Pixels lie on their side; the file says how they are to be turned, or a person does."""
        exif = Image.Exif()
        exif[0x0112] = orientation
        tall = PICTURE.crop((60, 0, 360, 400))
        lying, wanted = tall.rotate(90 * quarters, expand=True), look(encoded(tall, "PNG"))
        seen = look(encoded(lying, "PNG", exif=exif))
        said = look(encoded(lying, "PNG"), turned=quarters)
        assert said.photo.placement is not None
        assert said.photo.placement.turned == quarters
        again = look(encoded(lying, "PNG"), said.photo.placement)
        for each in (seen, said, again):
            assert each.size == wanted.size == (400, 300)
            assert np.array_equal(each.face, wanted.face)
            assert eyes_of(each) == eyes_of(wanted)
        unsaid = look(encoded(lying, "PNG"))
        assert unsaid.lying == (0 if quarters == 2 else quarters)
        way = {1: "by 90° clockwise", 2: "", 3: "by 90° anticlockwise"}[quarters]
        assert quarters == 2 or way in str(unsaid.refusal)

    def test_reduced_decoding_gives_about_the_same(self) -> None:
        """A JPEG is decoded at a part of its size, a PNG never is."""
        large = PICTURE.resize((3072, 3072), Image.Resampling.BICUBIC)
        reduced, whole = look(encoded(large, "JPEG", quality=95)), look(encoded(large, "PNG"))
        assert reduced.size == whole.size == (3072, 3072)
        assert off(eyes_of(reduced), eyes_of(whole)) < 0.03
        assert off(eyes_of(reduced), EYES.scaled(6)) < 0.1
        assert differ(reduced.face, whole.face) < 0.02

    def test_a_small_face_in_a_large_photograph_is_cut_from_all_its_pixels(self) -> None:
        """What is searched is reduced; what is cut out is as fine as the photograph shows it."""
        wall = Image.new("L", (4000, 3000), 120)
        large = HEAD.resize((400, 475), Image.Resampling.BICUBIC)
        wall.paste(large, (1500, 900))
        seen = look(encoded(wall, "JPEG", quality=95))
        head = look(encoded(large, "PNG"))
        moved = Eyes.at(eyes_of(head).middle + 1500 + 900j, eyes_of(head).across)
        assert off(eyes_of(seen), moved) < 0.1
        crop = look(encoded(wall, "JPEG", quality=95), Placement(moved)).face
        assert differ(crop, head.face) < 0.02
        assert sharpness(crop) > 0.8 * sharpness(head.face)


class TestPlacements:
    def test_it_is_followed_and_nothing_is_searched_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("eigenfaces.faces.read.find_faces", None)
        for source in ("by hand", "from a file"):
            placement = Placement(EYES, source)
            for cropped in (False, True):
                seen = look(UPRIGHT, placement, cropped=cropped)
                assert (seen.photo.placement, seen.faces) == (placement, ())
                assert np.array_equal(seen.face, PREPARATION.crop(decode(UPRIGHT).grey, EYES))

    def test_the_whole_photograph(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("eigenfaces.faces.read.find_faces", None)
        head = encoded(HEAD, "PNG")
        wanted = Preparation(already_cropped=True).crop(decode(head).grey)
        assert np.array_equal(look(head, WHOLE).face, wanted)
        cropped = look(head, cropped=True)
        assert np.array_equal(cropped.face, wanted)
        assert cropped.photo.placement == WHOLE
        lying = encoded(HEAD.rotate(90, expand=True), "PNG")
        assert np.array_equal(look(lying, turned=1, cropped=True).face, wanted)

    @pytest.mark.parametrize(
        "eyes",
        [
            Eyes((-300, 100), (-250, 100)),
            Eyes((100, 600), (150, 600)),
            Eyes((100, 100), (103, 100)),
            Eyes((100, 100), (100, 100)),
            Eyes((-900, 100), (1200, 100)),
            Eyes((float("nan"), 100), (140, 100)),
            Eyes((float("inf"), 100), (140, 100)),
        ],
    )
    def test_eyes_where_none_can_be_are_refused(self, eyes: Eyes) -> None:
        with pytest.raises(PhotoError, match=r"512 × 512 pixels.*find the face\.$"):
            look(UPRIGHT, Placement(eyes, "by hand"))

    def test_a_box_is_drawn_around_a_face(self) -> None:
        left, top, size = EYES.box
        for box in ((left, top, size), (left + 8, top - 6, size * 1.1)):
            eyes = Picture(UPRIGHT).eyes_in_box(box)
            assert off(eyes) < 0.08
        lying = encoded(PICTURE.rotate(90), "PNG")
        assert off(Picture(lying, 1).eyes_in_box(EYES.box)) < 0.08
        large = encoded(PICTURE.resize((3072, 3072)), "JPEG")
        box = (left * 6, top * 6, size * 6)
        assert off(Picture(large).eyes_in_box(box), EYES.scaled(6)) < 0.08

    def test_a_box_stays_as_drawn_where_the_face_in_it_seems_tilted_or_elsewhere(self) -> None:
        left, top, size = box = EYES.box
        tilted = Picture(
            encoded(PICTURE.rotate(25, center=(EYES.middle.real, EYES.middle.imag)), "PNG")
        )
        assert tilted.eyes_in_box(box) == Eyes.in_box(*box)
        away = (left + 0.3 * size, top + 0.3 * size, size)
        assert Picture(UPRIGHT).eyes_in_box(away) == Eyes.in_box(*away)

    def test_eyes_that_nobody_stated_are_never_said_to_be(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lost = FoundFace(Eyes((-90.0, 20.0), (-50.0, 20.0)), 0.2, (0.0, 0.0, 80.0))
        monkeypatch.setattr("eigenfaces.faces.read.find_faces", lambda _: (lost,))
        refusal = look(UPRIGHT).refusal
        assert refusal is not None
        assert refusal.kind == "no face"


class TestSeveral:
    def test_none_is_guessed(self) -> None:
        seen = look(two_faces())
        assert len(seen.faces) == 2
        assert (seen.levels, seen.photo.placement, seen.doubtful) == (None, None, False)
        with pytest.raises(PhotoError, match="There are 2 faces in it that may be meant"):
            _ = seen.face

    def test_the_only_large_one_is_meant(self) -> None:
        seen = look(two_faces(2.6))
        assert len(seen.faces) == 2
        assert eyes_of(seen).middle.real > 450

    def test_each_for_itself(self) -> None:
        content = two_faces()  # both ways round, whichever is more certain
        mirrored = Image.open(io.BytesIO(content)).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        again = read_every_face(PHOTO, PREPARATION, Picture(encoded(mirrored, "PNG")))
        assert [eyes_of(each).middle.real > 400 for each in again] == [False, True]
        seen = read_every_face(PHOTO, PREPARATION, Picture(content))
        assert len(seen) == 2
        assert [eyes_of(each).middle.real > 400 for each in seen] == [False, True]
        assert differ(seen[0].face, seen[1].face) < 0.03
        assert all(each.key == content_hash(content) for each in seen)
        assert {eyes_of(each) for each in seen} == {face.eyes for face in seen[0].faces}

    def test_each_of_one_or_none(self) -> None:
        head = encoded(HEAD, "PNG")
        (only,) = read_every_face(PHOTO, PREPARATION, Picture(head))
        assert np.array_equal(only.face, look(head).face)
        (whole,) = read_every_face(PHOTO, Preparation(already_cropped=True), Picture(head))
        assert whole.photo.placement == WHOLE
        (told,) = read_every_face(
            Photo(Path(), None, Placement(EYES)), PREPARATION, Picture(UPRIGHT)
        )
        assert eyes_of(told) == EYES
        blank = Picture(encoded(Image.new("L", (90, 90), 9), "PNG"))
        with pytest.raises(PhotoError, match="No face was found"):
            read_every_face(PHOTO, PREPARATION, blank)


numbers = st.floats(allow_nan=False, allow_infinity=False)
FACES = tuple(
    FoundFace(Eyes((1.5 + n, 0.1), (9, 0.3)), n / 7, (0.1, 2.0, 3.0), 1) for n in range(3)
)


@given(numbers, numbers)
def test_faces_become_text_and_back_to_the_last_bit(x: float, score: float) -> None:
    faces = (FoundFace(Eyes((x, 2.0), (3.0, x)), score, (x, 0.5, 1.0), 4),)
    assert as_faces(as_text(faces)) == faces
    assert as_faces(as_text(())) == ()


@pytest.mark.parametrize(
    "text",
    ["", "7", "[7]", "[{}]", "[null]", "{", "[" * 100_000]
    + [as_text(FACES[:1]).replace(old, new) for old, new in (("1.5", "NaN"), ("1.5", '"a"'))]
    + [as_text(FACES[:1]).replace("1.5,", ""), as_text(FACES[:1]).replace('"score"', '"other"')],
    ids=range(11),
)
def test_a_photograph_is_searched_once_for_each_turn_and_where_no_finding_is(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[np.ndarray] = []
    monkeypatch.setattr(read, "find_faces", lambda grey: searched.append(grey) or FACES)
    picture = Picture(UPRIGHT)
    DETECTION_CACHE[picture.key, 0] = text  # from a project file
    found = picture.faces()
    assert [face.score for face in found] == [face.score for face in FACES]
    assert picture.faces() == Picture(UPRIGHT, 4).faces() == found
    assert len(searched) == 1
    assert len(Picture(UPRIGHT, 1).faces()) == 3
    assert len(searched) == 2
    assert set(DETECTION_CACHE) == {(picture.key, 0), (picture.key, 1)}
