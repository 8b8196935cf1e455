"""Finding faces: where they are, how many, and what is none; and where their eyes are."""

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
    _ORDER,
    DOUBTFUL,
    FEATURES,
    LOOK,
    STARTS,
    FoundFace,
    _same,
    _state,
    align,
    detect_faces,
    features,
    find_faces,
    lit_from_the_side,
    look_at,
    main_face,
    moved,
    start,
)
from eigenfaces.faces.general_model import general_faces
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


class TestNoFace:
    @pytest.mark.parametrize("shape", [(200, 200), (17, 400), (400, 17), (1, 400), (16, 16)])
    def test_noise_and_nothing(self, shape: tuple[int, int], rng: np.random.Generator) -> None:
        assert find_faces(rng.random(shape, np.float32)) == ()
        assert find_faces(np.full(shape, 0.5, np.float32)) == ()
        assert find_faces(np.zeros(shape, np.float32)) == ()

    @pytest.mark.parametrize("name", ["brick", "cat", "clock", "coins", "gravel", "page"])
    def test_pictures_of_other_things(self, name: str) -> None:
        assert find_faces(grey(Image.fromarray(getattr(data, name)()).convert("L"))) == ()
        assert find_faces(grey(HEAD.rotate(180))) == (), "upside down"


class TestSeveral:
    def test_every_face_of_a_group(self, att: FaceSet) -> None:
        """Six of the sample on a grey wall: one face in each place, and none elsewhere."""
        wall = np.full((2 * 130, 3 * 120), 0.5, np.float32)
        for number in range(6):
            row, column = divmod(number, 3)
            wall[130 * row + 9 :, 120 * column + 14 :][:112, :92] = att.image(60 * number)
        found = find_faces(wall)
        places = [(face.eyes.middle.imag // 130, face.eyes.middle.real // 120) for face in found]
        assert sorted(places) == [(row, column) for row in range(2) for column in range(3)]
        scores = [face.score for face in found]
        assert scores == sorted(scores, reverse=True)
        assert not any(face.doubtful for face in found)


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
    @pytest.mark.parametrize("degrees", [-30, 0, 30])
    def test_it_lies_near_the_eyes(self, degrees: int) -> None:
        picture, eyes = tilted(degrees)
        face, *_ = detect_faces(grey(picture))
        assert off(face.eyes, eyes) < 0.25
        assert STARTS[face.detector].tilt == pytest.approx(degrees, abs=6)


def test_searches_at_the_same_time_do_not_disturb_each_other() -> None:
    photos = [grey(), grey()[:, ::-1], grey(HEAD), grey(tilted(25)[0])] * 3
    alone = [find_faces(photo) for photo in photos]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(find_faces, photos)) == alone


def test_the_detector_is_the_one_that_dlib_states() -> None:
    """Else another version of dlib finds other faces: ``assets/faces.md`` says what to do."""
    import dlib

    assert dlib.get_frontal_face_detector().__getstate__() == (_state(),)


def test_a_dlib_that_cannot_read_the_detector_uses_its_own() -> None:
    expected = detect_faces(grey(HEAD))
    assert expected
    with patch.object(detect, "_state", return_value=_state()[:-1]), ThreadPoolExecutor(1) as pool:
        assert pool.submit(detect_faces, grey(HEAD)).result() == expected  # a thread's first search


def found(eyes: Eyes, score: float) -> FoundFace:
    return FoundFace(eyes, score, eyes.box)


class TestMainFace:
    @given(st.lists(st.floats(5, 100), max_size=5))
    def test_the_largest_is_meant_if_no_other_is_half_its_size(self, sizes: list[float]) -> None:
        faces = [found(Eyes((0, 0), (size, 0)), 1) for size in sizes]
        largest = max(faces, key=lambda face: face.eyes.distance, default=None)
        rivals = [face for face in faces if face is not largest]
        alone = largest and all(each.eyes.distance * 2 <= max(sizes) for each in rivals)
        assert main_face(faces) is (largest if alone else None)

    def test_a_large_one_that_is_hardly_a_face_is_not_meant_in_silence(self) -> None:
        real, sleeve = found(Eyes((0, 0), (20, 0)), 1.5), found(Eyes((0, 0), (60, 0)), 0.1)
        assert main_face([real, sleeve]) is None
        assert main_face([real, found(Eyes((0, 0), (9, 0)), 0.1)]) is real
        assert main_face([sleeve, found(Eyes((0, 0), (9, 0)), 0.05)]) is sleeve

    @given(st.floats(0.01, 0.3), st.floats(0.3, 0.99), st.floats(0.31, 3))
    def test_a_weak_smaller_one_is_no_rival_of_a_certain_face(
        self, score: float, size: float, certain: float
    ) -> None:
        """As a badge scores 0.03 and is half as large; of real faces hardly one is so weak."""
        face = found(Eyes((0, 0), (100, 0)), certain)
        other = found(Eyes((200, 0), (200 + 100 * size, 0)), score)
        alone = size <= 0.5 or (score <= 0.1 and size <= 0.75 and certain > 0.5)
        assert main_face([face, other]) is (face if alone else None)


class TestFeatures:
    def test_a_slope_has_one_direction(self) -> None:
        rows, columns = np.mgrid[: LOOK[0], : LOOK[1]].astype(np.float32)
        for slope, direction in (
            (columns, 0),
            (columns + rows, 1),
            (rows, 2),
            (-columns, 4),
            (-rows, 6),
        ):
            described = features(slope / 100)
            assert described.shape == (FEATURES,)
            assert described[-1] == 1
            histograms = described[:-1].reshape(-1, 8)
            assert (histograms[:, direction] > 0.5).all()
            assert np.delete(histograms, direction, axis=1).max() < 0.05 or direction == 1
        diagonal = features(2 * columns + rows)[:-1].reshape(14, 12, 8)[1:-1, 1:-1]
        share = np.degrees(np.arctan2(1, 2)) / 45  # of the next direction
        np.testing.assert_allclose(diagonal[..., 1] / diagonal[..., 0], share / (1 - share), 1e-3)

    def test_a_gradient_counts_in_the_nearest_cells(self) -> None:
        """A step between two columns; cells are 6 pixels wide, their middles at 3, 9, 15 …"""
        for place in range(4, 69):
            crop = np.broadcast_to(np.arange(LOOK[1]) >= place, LOOK).astype(np.float32)
            seen = features(crop)[:-1].reshape(14, 12, 8)
            strongest = seen[5, :, 0].argmax()
            assert abs(place - (3 + 6 * strongest)) <= 3
            away = np.abs(place - (3 + 6 * np.arange(12))) > 7
            assert not seen[:, away].any()

    @given(st.floats(0.05, 20), st.floats(-1, 1), st.integers(0, 99))
    def test_neither_brightness_nor_contrast_counts(
        self, gain: float, offset: float, seed: int
    ) -> None:
        crop = np.random.default_rng(seed).random(LOOK, np.float32)
        np.testing.assert_allclose(features(gain * crop + offset), features(crop), atol=2e-3)
        assert not features(0 * crop + np.float32(0.5))[:-1].any(), "nothing to see"


class TestAlign:
    def test_from_astray_to_the_eyes_of_a_face(self, rng: np.random.Generator) -> None:
        photo, known = grey(), general_faces().regressors
        before, after = [], []
        for step in rng.uniform(-1, 1, (40, 4)) * (0.25, 0.25, 0.2, 0.35):
            start = moved(EYES, step)
            before.append(off(start))
            after.append(off(align(photo, start, known)))
        assert np.median(before) > 0.15
        assert np.median(after) < 0.04
        assert max(after) < 0.1

    @pytest.mark.parametrize("darker", [slice(0), slice(50), slice(50, None)])
    def test_what_is_learnt_is_applied_in_its_order(
        self, darker: slice, rng: np.random.Generator
    ) -> None:
        """By the definition; of a face lit from the side the last step sees the features' roots."""
        photo, start = rng.random((100, 100), np.float32), Eyes.at(50 + 45j, 22 + 3j)
        photo[:, darker] *= 0.3
        regressors = (rng.standard_normal((4, FEATURES, 4)) * 1e-3).astype(np.float32)
        a, b = start.middle, start.across
        for stage in _ORDER:
            seen = features(look_at(photo, Eyes.at(a, b)))
            if stage == 2 and photo[:, darker].size:
                stage, seen = 3, np.sqrt(seen)
            right, down, growth, turn = (float(each) for each in seen @ regressors[stage])
            a += b * (right + 1j * down)
            b *= np.exp(growth) * (np.cos(turn) + 1j * np.sin(turn))
        eyes = align(photo, start, regressors)
        assert eyes.middle == pytest.approx(a, abs=1e-3)
        assert eyes.across == pytest.approx(b, abs=1e-3)

    @pytest.mark.parametrize("ratio", [0.2, 0.6, 0.7, 1.0, 1.4, 1.6, 5.0])
    def test_light_from_the_side(self, ratio: float) -> None:
        """From a ratio of 1.5, whatever surrounds the face; of a black picture, no light."""
        crop = np.full(LOOK, 0.4, np.float32)
        crop[:, 36:] *= ratio
        crop[:, :18], crop[:, 54:] = 0.9, 0.1
        assert lit_from_the_side(crop) == (max(ratio, 1 / ratio) > 1.5)
        assert not lit_from_the_side(np.zeros(LOOK, np.float32))
