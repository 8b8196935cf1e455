"""Reading a photograph: sideways, reduced, told where the face is, or with several of them."""

import io
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, encoded, off, small_face, two_faces
from PIL import Image
from skimage import data

from eigenfaces.errors import PhotoError
from eigenfaces.faces import network, read
from eigenfaces.faces.detect import CERTAIN, CONVOLUTIONAL, FoundFace
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import concerns, sharpness
from eigenfaces.faces.read import (
    FaceReading,
    Picture,
    read_every_face,
    read_face,
)
from eigenfaces.photographs.decode import content_hash, decode
from eigenfaces.photographs.find import Photo
from eigenfaces.photographs.placement import WHOLE_PHOTO, Eyes, Placement
from eigenfaces.space.arrays import Floats

PREPARATION = Preparation()
HEAD = PICTURE.crop(FACE)
UPRIGHT = encoded(PICTURE, "PNG")


def reading_of(
    content: bytes, placement: Placement | None = None, *, turned: int = 0, cropped: bool = False
) -> FaceReading:
    photo = Photo(Path("photo"), "Ada", placement, turned=turned)
    preparation = Preparation(already_cropped=cropped)
    return read_face(photo, preparation, Picture.of(photo, content))


CAMERA = encoded(Image.fromarray(data.camera()), "PNG")
"""A man who looks through a camera, from the side."""

needs_the_files = pytest.mark.skipif(not network.is_installed(), reason=network.HOW_TO_GET_IT)


def every_face(content: bytes, *, cropped: bool = False) -> list[FaceReading]:
    preparation = Preparation(already_cropped=cropped)
    return read_every_face(Photo(Path("photo")), preparation, Picture(content))


def eyes_of(reading: FaceReading) -> Eyes:
    assert reading.eyes is not None
    return reading.eyes


def differ(first: Floats, second: Floats) -> float:
    return float(np.abs(first - second).mean())


class TestOneFace:
    def test_it_is_found_and_cut(self) -> None:
        reading = reading_of(UPRIGHT)
        assert off(eyes_of(reading)) < 0.1
        assert reading.photo == Photo(Path("photo"), "Ada", Placement(eyes_of(reading)))
        assert (reading.size, reading.sha) == ((512, 512), content_hash(UPRIGHT))
        assert not reading.doubtful
        crop = PREPARATION.crop(decode(UPRIGHT).grey, eyes_of(reading))
        assert np.array_equal(reading.face, crop)

    @pytest.mark.parametrize(("orientation", "quarters"), [(6, 1), (3, 2), (8, 3)])
    def test_a_sideways_phone_photograph(self, orientation: int, quarters: int) -> None:
        """The file says how it is to be turned, a person, or a face that lies on its side in it."""
        exif = Image.Exif()
        exif[0x0112] = orientation
        tall = PICTURE.crop((60, 0, 360, 400))
        lying, upright = tall.rotate(90 * quarters, expand=True), reading_of(encoded(tall, "PNG"))
        by_file = reading_of(encoded(lying, "PNG", exif=exif))
        by_hand = reading_of(encoded(lying, "PNG"), turned=quarters)
        found = quarters != 2 or network.is_installed()
        by_itself = reading_of(encoded(lying, "PNG")) if found else by_hand
        place = by_hand.photo.placement
        again = reading_of(encoded(lying, "PNG"), place, turned=quarters)
        assert by_hand.photo.placement == by_itself.photo.placement == again.photo.placement
        assert by_hand.turned == quarters
        for reading in (by_file, by_hand, by_itself, again):
            assert reading.size == upright.size == (400, 300)
            assert np.array_equal(reading.face, upright.face)
            assert eyes_of(reading) == eyes_of(upright)

    def test_reduced_decoding_gives_about_the_same(self) -> None:
        """A JPEG is decoded at a part of its size, a PNG never is."""
        large = PICTURE.resize((2048, 2048), Image.Resampling.BICUBIC)
        reduced, whole = (reading_of(encoded(large, kind)) for kind in ("JPEG", "PNG"))
        assert reduced.size == whole.size == (2048, 2048)
        assert off(eyes_of(reduced), eyes_of(whole)) < 0.04
        assert off(eyes_of(reduced), EYES.scaled(4)) < 0.1
        assert differ(reduced.face, whole.face) < 0.02

    def test_a_small_face_in_a_large_photograph_is_cut_from_all_its_pixels(self) -> None:
        """What is searched is reduced; what is cut out is as fine as the photograph shows it."""
        wall = Image.new("L", (4000, 3000), 120)
        large = HEAD.resize((400, 475), Image.Resampling.BICUBIC)
        wall.paste(large, (1500, 900))
        content, head = encoded(wall, "JPEG", quality=95), reading_of(encoded(large, "PNG"))
        shifted = Eyes.at(eyes_of(head).middle + 1500 + 900j, eyes_of(head).across)
        assert off(eyes_of(reading_of(content)), shifted) < 0.1
        crop = reading_of(content, Placement(shifted)).face
        assert differ(crop, head.face) < 0.02
        assert sharpness(crop) > 0.8 * sharpness(head.face)

    def test_eyes_lost_in_aligning_are_no_face(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lost = FoundFace(Eyes((-90.0, 20.0), (-50.0, 20.0)), 0.2, (0.0, 0.0, 80.0))
        monkeypatch.setattr(read, "find_faces", lambda _: (lost,))
        monkeypatch.setattr(read, "find_hidden_faces", lambda *_: (lost,))
        with pytest.raises(PhotoError, match="No face was found"):
            _ = reading_of(UPRIGHT).face


class TestSecondDetector:
    @needs_the_files
    def test_a_face_from_the_side_is_found_and_waits_for_a_person(self) -> None:
        picture = Picture(CAMERA)
        assert picture.faces() == ()
        (face,) = picture.upright_faces()
        assert picture.turned == 0
        assert face.score > CERTAIN
        left, top, size = face.box
        assert left < 220 < left + size  # his eye
        assert top < 140 < top + size
        first, *_ = concerns(reading_of(CAMERA), PREPARATION)
        assert first.kind == "doubtful"

    def test_without_its_files_nothing_has_changed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(network, "is_installed", lambda: False)
        monkeypatch.setattr(read, "find_hidden_faces", None)
        assert Picture(CAMERA).upright_faces() == ()
        assert Picture(CAMERA).upright_faces(thorough=True)[0].detector != CONVOLUTIONAL

    @pytest.mark.parametrize("turned", [None, 0])
    def test_it_looks_where_the_first_finds_nothing_certain(
        self, turned: int | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If nothing is likely, at the other turns, too, unless a person has turned it."""
        seen = list[tuple[int, ...]]()

        def look(grey: Floats, _: object, sides: tuple[int, ...]) -> tuple[FoundFace, ...]:
            seen.append((*grey.shape, *sides))
            return ()

        eyes = Eyes((20, 20), (50, 20))
        monkeypatch.setattr(network, "is_installed", lambda: True)
        monkeypatch.setattr(read, "find_hidden_faces", look)
        sizes = [(60, 90, 336, 640, 1000), (60, 90, 640), (90, 60, 640), (90, 60, 640)]
        for score, looks in ((0.6, 0), (0.1, 1), (-0.1, 4 if turned is None else 1)):
            seen.clear()
            guess = FoundFace(eyes, score, eyes.box)
            monkeypatch.setattr(read, "find_faces", lambda _, face=guess: (face,))
            picture = Picture(encoded(Image.new("L", (90, 60)), "PNG"), turned)
            assert picture.upright_faces() == (guess,)
            assert picture.turned == 0
            assert seen == sizes[:looks]

    @needs_the_files
    def test_a_thorough_search_finds_smaller_faces_and_each_once(self) -> None:
        wall = small_face()
        assert Picture(encoded(wall, "PNG")).upright_faces() == ()
        wall.paste(HEAD.resize((128, 152), Image.Resampling.LANCZOS), (20, 20))
        content = encoded(wall, "PNG")
        assert len(Picture(content).upright_faces()) == 1
        assert len(Picture(content).upright_faces(thorough=True)) == 2


class TestPlacements:
    @pytest.mark.parametrize("cropped", [False, True])
    @pytest.mark.parametrize("source", ["by hand", "from a file"])
    def test_they_are_followed_and_nothing_is_searched_for(
        self, source: str, cropped: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(read, "find_faces", None)
        placement = Placement(EYES, source)  # type: ignore[arg-type]
        reading = reading_of(UPRIGHT, placement, cropped=cropped)
        assert (reading.photo.placement, reading.faces) == (placement, ())
        assert np.array_equal(reading.face, PREPARATION.crop(decode(UPRIGHT).grey, EYES))

    def test_the_whole_photograph(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(read, "find_faces", None)
        head, lying = (encoded(HEAD.rotate(angle, expand=True), "PNG") for angle in (0, 90))
        crop = Preparation(already_cropped=True).crop(decode(head).grey)
        assert np.array_equal(reading_of(head, WHOLE_PHOTO).face, crop)
        assert np.array_equal(reading_of(lying, turned=1, cropped=True).face, crop)
        reading = reading_of(head, cropped=True)
        assert np.array_equal(reading.face, crop)
        assert reading.photo.placement == WHOLE_PHOTO

    @pytest.mark.parametrize(
        "eyes",
        [
            Eyes((-300, 100), (-250, 100)),
            Eyes((100, 100), (103, 100)),
            Eyes((-900, 100), (1200, 100)),
            Eyes((float("nan"), 100), (140, 100)),
        ],
    )
    def test_eyes_where_none_can_be_are_refused(self, eyes: Eyes) -> None:
        with pytest.raises(PhotoError, match=r"512 × 512 pixels.*find the face\.$"):
            reading_of(UPRIGHT, Placement(eyes, "by hand"))


def test_a_box_is_drawn_around_a_face() -> None:
    """It stays as drawn if the face in it seems tilted or elsewhere."""
    left, top, size = box = EYES.box
    for other in (box, (left + 8, top - 6, size * 1.1)):
        assert off(Picture(UPRIGHT).eyes_in_box(other)) < 0.08
    lying = encoded(PICTURE.rotate(90), "PNG")
    assert off(Picture(lying, 1).eyes_in_box(box)) < 0.08
    large = Picture(encoded(PICTURE.resize((3072, 3072)), "JPEG"))
    assert off(large.eyes_in_box((left * 6, top * 6, size * 6)), EYES.scaled(6)) < 0.08
    centre = (EYES.middle.real, EYES.middle.imag)
    tilted = Picture(encoded(PICTURE.rotate(25, center=centre), "PNG"))
    assert tilted.eyes_in_box(box) == Eyes.in_box(*box)
    away = (left + 0.3 * size, top + 0.3 * size, size)
    assert Picture(UPRIGHT).eyes_in_box(away) == Eyes.in_box(*away)


class TestSeveral:
    def test_the_only_large_one_is_meant_and_none_is_guessed(self) -> None:
        reading = reading_of(two_faces())
        assert len(reading.faces) == 2
        assert (reading.levels, reading.photo.placement, reading.doubtful) == (None, None, False)
        with pytest.raises(PhotoError, match="It shows 2 faces"):
            _ = reading.face
        larger = reading_of(two_faces(2.6))
        assert len(larger.faces) == 2
        assert eyes_of(larger).middle.real > 450

    def test_each_for_itself_from_left_to_right(self) -> None:
        content = two_faces()
        mirrored = Image.open(io.BytesIO(content)).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        for group in (content, encoded(mirrored, "PNG")):  # whichever is more certain
            readings = every_face(group)
            assert [eyes_of(one).middle.real > 400 for one in readings] == [False, True]
            assert {one.sha for one in readings} == {content_hash(group)}
            assert {eyes_of(one) for one in readings} == {face.eyes for face in readings[0].faces}
        left, right = every_face(content)
        assert differ(left.face, right.face) < 0.03
        (whole,) = every_face(encoded(HEAD, "PNG"), cropped=True)
        assert whole.photo.placement == WHOLE_PHOTO
        with pytest.raises(PhotoError, match="No face was found"):
            every_face(encoded(Image.new("L", (90, 90), 9), "PNG"))
