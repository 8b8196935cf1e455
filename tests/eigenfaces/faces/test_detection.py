"""Finding faces: where they are, how many, and what is none."""

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, grey, off
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from skimage import data

from eigenfaces import FaceSet
from eigenfaces.faces import detect
from eigenfaces.faces.detect import (
    DOUBTFUL,
    STARTS,
    FoundFace,
    _run,
    _same,
    detect_faces,
    find_faces,
    start,
)
from eigenfaces.photographs.photos import Box, Eyes

HEAD = PICTURE.crop(FACE)
boxes = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 20))


def tilted(degrees: float) -> tuple[Image.Image, Eyes]:
    """Turn the astronaut until her eyes, tilted by 3° as it is, are tilted so much."""
    centre, degrees = complex(204, 101), degrees - EYES.angle
    turned = PICTURE.rotate(-degrees, Image.Resampling.BICUBIC, center=(204, 101))
    turn = np.exp(1j * np.radians(degrees))
    return turned, Eyes.at(centre + (EYES.middle - centre) * turn, EYES.across * turn)


def first(photo: Image.Image) -> FoundFace:
    return find_faces(grey(photo))[0]


class TestTheAstronaut:
    @pytest.mark.parametrize("factor", [0.3, 0.5, 1, 2.5])
    def test_at_any_size(self, factor: float) -> None:
        size = round(512 * factor)
        face = first(PICTURE.resize((size, size), Image.Resampling.LANCZOS))
        assert off(face.eyes, EYES.scaled(size / 512)) < 0.1
        assert not face.doubtful

    @pytest.mark.parametrize("degrees", [-40, -25, -10, 10, 25, 40])
    def test_tilted(self, degrees: int) -> None:
        picture, eyes = tilted(degrees)
        assert off(first(picture).eyes, eyes) < 0.12

    @pytest.mark.parametrize(("left", "top"), [(185, 40), (120, 77), (160, 70)])
    def test_at_the_border(self, left: int, top: int) -> None:
        """Her ear, or her brow, lies at the edge of the photograph."""
        face = first(PICTURE.crop((left, top, left + 200, top + 200)))
        eyes = Eyes.at(EYES.middle - complex(left, top), EYES.across)
        assert off(face.eyes, eyes) < 0.1

    def test_darker_flatter_mirrored(self) -> None:
        head = grey(HEAD)
        (found, *_) = find_faces(head)
        (dark, *_) = find_faces(0.3 * head + 0.1)
        assert off(dark.eyes, found.eyes) < 0.03
        (mirror, *_) = find_faces(head[:, ::-1])
        (x, y), (u, v) = mirror.eyes.left, mirror.eyes.right
        width = head.shape[1]
        assert off(Eyes((width - u, v), (width - x, y)), found.eyes) < 0.08

    @pytest.mark.parametrize("share", [0, 0.05, 0.1])
    def test_she_fills_the_photograph(self, share: float) -> None:
        """Nothing is left of her above the brows and below the chin."""
        left, top, size = EYES.box
        place = complex(left + share * size, top + share * size)
        side = size * (1 - 2 * share)
        corners = (place.real, place.imag, place.real + side, place.imag + side)
        near = PICTURE.resize((200, 200), Image.Resampling.BICUBIC, corners)
        (face,) = find_faces(grey(near))
        scale = 200 / side
        assert off(face.eyes, Eyes.at((EYES.middle - place) * scale, EYES.across * scale)) < 0.12

    def test_upside_down_there_is_none(self) -> None:
        assert find_faces(grey(HEAD.rotate(180))) == ()


class TestNoFace:
    @pytest.mark.parametrize("shape", [(200, 200), (17, 400), (400, 17), (1, 400), (16, 16)])
    def test_noise_and_nothing(self, shape: tuple[int, int], rng: np.random.Generator) -> None:
        assert find_faces(rng.random(shape, np.float32)) == ()
        assert find_faces(np.full(shape, 0.5, np.float32)) == ()
        assert find_faces(np.zeros(shape, np.float32)) == ()

    @pytest.mark.parametrize("name", ["brick", "cat", "clock", "coins", "gravel", "page"])
    def test_pictures_of_other_things(self, name: str) -> None:
        assert find_faces(grey(Image.fromarray(getattr(data, name)()).convert("L"))) == ()


class TestSeveral:
    def test_every_face_of_a_group(self, att: FaceSet) -> None:
        """Six of the sample on a grey wall: one face in each place, and none elsewhere."""
        wall = np.full((2 * 130, 3 * 120), 0.5, np.float32)
        for number in range(6):
            row, column = divmod(number, 3)
            tile = att.image(60 * number)
            wall[130 * row + 9 :, 120 * column + 14 :][:112, :92] = tile
        found = find_faces(wall)
        middles = [face.eyes.middle for face in found]
        assert {(int(m.imag // 130), int(m.real // 120)) for m in middles} == {
            (row, column) for row in range(2) for column in range(3)
        }
        assert len(found) == 6
        assert [face.score for face in found] == sorted(
            (face.score for face in found), reverse=True
        )
        assert not any(face.doubtful for face in found)

    @pytest.mark.parametrize("times", [2, 4, 6])
    def test_far_smaller_ones_too(self, times: int) -> None:
        wall = Image.new("L", (700, 480), 128)
        wall.paste(HEAD.resize((320, 380), Image.Resampling.LANCZOS), (20, 50))
        small = HEAD.resize((320 // times, 380 // times), Image.Resampling.LANCZOS)
        wall.paste(small, (450, 100))
        middles = sorted(face.eyes.middle.real for face in find_faces(grey(wall)))
        assert [middle > 340 for middle in middles] == [False, True]


class TestDoubtful:
    def test_half_a_face_in_the_dark_is_a_guess_at_most(self, att: FaceSet) -> None:
        """A guess is offered alone."""
        guesses = []
        for row in range(0, 400, 10):
            light = np.linspace(-0.5, 1, 92, dtype=np.float32).clip(0.02)
            found = find_faces(att.image(row) * light)
            guesses += [face.score for face in found if face.doubtful]
            if any(face.doubtful for face in found):
                assert len(found) == 1
        assert guesses
        assert all(DOUBTFUL < score <= 0 for score in guesses)


class TestOnce:
    """Both searches together: the better of two boxes that overlap is the face."""

    @given(st.lists(boxes, max_size=25))
    def test_kept_are_apart_and_the_best_of_all_that_they_cover(self, found: list[Box]) -> None:
        faces = [FoundFace(start(box, 0), 99 - rank, box) for rank, box in enumerate(found)]
        with patch.object(detect, "_searched", side_effect=[faces[::-1], []]):
            kept = list(detect_faces(np.zeros((9, 9), np.float32)))
        assert kept == [face for face in faces if face in kept]
        for face in faces:
            better = [each for each in kept if each.score > face.score]
            assert (face in kept) != any(_same(face.box, each.box) for each in better)

    @given(boxes, boxes)
    def test_overlap_by_counting_pixels(self, first: Box, second: Box) -> None:
        covered = []
        for left, top, size in (first, second):
            plane = np.zeros((40, 40), bool)
            plane[top : top + size, left : left + size] = True  # type: ignore[misc]
            covered.append(plane)
        common = (covered[0] & covered[1]).sum()
        union, smaller = (covered[0] | covered[1]).sum(), min(each.sum() for each in covered)
        assert _same(first, second) == (common >= 0.3 * union or common >= 0.6 * smaller)
        assert _same(first, second) == _same(second, first)


class TestStart:
    @pytest.mark.parametrize("detector", range(5))
    @given(box=boxes)
    def test_the_mirrored_pose_starts_mirrored(self, box: Box, detector: int) -> None:
        left, top, size = box
        one = start((left, top, size), detector)
        other = start((-left - size, top, size), (0, 2, 1, 4, 3)[detector])
        assert other.left == pytest.approx((-one.right[0], one.right[1]))
        assert other.right == pytest.approx((-one.left[0], one.left[1]))

    @pytest.mark.parametrize("degrees", [-30, 0, 30])
    def test_it_lies_near_the_eyes(self, degrees: int) -> None:
        picture, eyes = tilted(degrees)
        face, *_ = detect_faces(grey(picture))
        assert off(face.eyes, eyes) < 0.25
        assert STARTS[face.detector].tilt == pytest.approx(degrees, abs=6)

    @pytest.mark.parametrize("factor", [0.5, 3])
    def test_a_face_in_another_size(self, factor: float) -> None:
        box = (20.0, 10.0, 50.0)
        face = FoundFace(start(box, 3), 1, box, 3).scaled(factor)
        assert face.box == tuple(factor * each for each in box)
        assert off(face.eyes, start(face.box, 3)) < 1e-9


def test_searches_at_the_same_time_do_not_disturb_each_other() -> None:
    photos = [grey(), grey()[:, ::-1], grey(HEAD), grey(tilted(25)[0])] * 3
    alone = [find_faces(photo) for photo in photos]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(find_faces, photos)) == alone


def test_every_detector_finds_what_the_one_of_dlib_finds() -> None:
    import dlib

    levels = np.round(255 * grey(HEAD)).astype(np.uint8)
    expected = dlib.get_frontal_face_detector().run(levels, 0, DOUBTFUL)
    assert len(expected[0]) > 0
    for _ in range(2):
        assert [list(each) for each in _run(levels)] == [list(each) for each in expected]
