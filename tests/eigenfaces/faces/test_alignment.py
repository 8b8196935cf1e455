"""Eyes, crops and boxes by independent geometry; alignment on a real face."""

import cmath

import numpy as np
import pytest
from astronaut import EYES, grey, off
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from eigenfaces.faces.detect import (
    _ORDER,
    FEATURES,
    LOOK,
    align,
    features,
    lit_from_the_side,
    look_at,
    moved,
    rooted,
)
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.prepare import crop_at, standard_eyes, standard_points
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.arrays import Floats

HEIGHT, WIDTH = 220, 260
shapes = st.tuples(st.integers(28, 200), st.integers(24, 200))
tilts = st.floats(-60, 60)


def eyes_at(x: float, y: float, distance: float, degrees: float = 0.0) -> Eyes:
    return Eyes.at(complex(x, y), cmath.rect(distance, np.radians(degrees)))


def middles(height: int, width: int) -> NDArray[np.float64]:
    """Return x and y of the middles of all pixels, (2, h, w)."""
    return np.mgrid[:height, :width][::-1] + 0.5


def dot(point: tuple[float, float], size: float) -> NDArray[np.float64]:
    """Return a photograph with a bright round dot."""
    x, y = middles(HEIGHT, WIDTH)
    return np.exp(-((x - point[0]) ** 2 + (y - point[1]) ** 2) / (2 * size**2))


def waves(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 + 0.25 * np.sin(x / 15) + 0.2 * np.cos(y / 21 + x / 40)


def middle_of(image: Floats) -> complex:
    weights = np.clip(image - 0.02, 0, None)
    x, y = middles(*image.shape)
    return complex((weights * x).sum(), (weights * y).sum()) / weights.sum()


class TestCrop:
    @given(shapes, st.floats(30, WIDTH - 30), st.floats(30, HEIGHT - 30), st.floats(12, 90), tilts)
    def test_the_eyes_come_to_their_places(
        self, shape: tuple[int, int], x: float, y: float, distance: float, tilt: float
    ) -> None:
        """At 28/96 and 68/96 of the width and 42/112 of the height, whatever the size and tilt."""
        eyes = eyes_at(x, y, distance, tilt)
        height, width = shape
        for eye, column in ((eyes.left, 28 / 96), (eyes.right, 68 / 96)):
            size = max(1.5, distance / 15)
            margin = 3 * size  # all of the dot lies in the photograph, and in the crop
            assume(margin < eye[0] < WIDTH - margin)
            assume(margin < eye[1] < HEIGHT - margin)
            wanted = complex(column * width, 42 / 112 * height)
            assume(margin * 40 / 96 * width / distance < min(28 / 96 * width, wanted.imag))
            crop = crop_at(dot(eye, size).astype(np.float32), eyes, shape)
            assert crop.shape == shape
            assert abs(middle_of(crop) - wanted) < 0.3

    @given(shapes, st.floats(-40, WIDTH + 40), st.floats(-40, HEIGHT + 40), st.floats(8, 90), tilts)
    def test_a_smooth_photograph_is_sampled_where_it_should_be(
        self, shape: tuple[int, int], x: float, y: float, distance: float, tilt: float
    ) -> None:
        """Outside the photograph, at the nearest point of its border."""
        eyes = eyes_at(x, y, distance, tilt)
        crop = crop_at(waves(*middles(HEIGHT, WIDTH)).astype(np.float32), eyes, shape)
        columns, rows = middles(*shape)
        width, height = shape[1], shape[0]
        right = (columns / width - 0.5) * 96 / 40
        down = (rows / height - 0.375) * height / width * 96 / 40
        points = complex(x, y) + cmath.rect(distance, np.radians(tilt)) * (right + 1j * down)
        at = np.clip(points.real, 0.5, WIDTH - 0.5), np.clip(points.imag, 0.5, HEIGHT - 0.5)
        step = distance * 96 / 40 / width
        np.testing.assert_allclose(crop, waves(*at), atol=0.02 + 0.03 * step)
        np.testing.assert_allclose(standard_points(eyes, shape), points, atol=1e-6)

    @given(st.integers(-5, 5), st.integers(0, 10**6))
    def test_a_photograph_turned_by_quarters_gives_the_same_crop(
        self, quarters: int, seed: int
    ) -> None:
        rng = np.random.default_rng(seed)
        photo = rng.random((HEIGHT, WIDTH), np.float32)
        x, y, distance, tilt = rng.uniform((30, 30, 10, -30), (230, 190, 60, 30)).tolist()
        eyes = eyes_at(x, y, distance, tilt)
        turned, (down, across) = eyes, (HEIGHT, WIDTH)
        for _ in range(quarters % 4):
            (x, y), (u, v) = turned.left, turned.right
            turned = Eyes((down - y, x), (down - v, u))
            down, across = across, down
        crop = crop_at(np.rot90(photo, -quarters), turned, (56, 48))
        np.testing.assert_allclose(crop, crop_at(photo, eyes, (56, 48)), atol=2e-3)

    @given(shapes)
    def test_a_crop_cut_at_its_own_eyes_is_the_same(self, shape: tuple[int, int]) -> None:
        crop = waves(*middles(*shape)).astype(np.float32)
        np.testing.assert_allclose(crop_at(crop, standard_eyes(shape), shape), crop, atol=1e-4)

    def test_a_photograph_at_half_the_size_gives_about_the_same_crop(self) -> None:
        photo = waves(*middles(HEIGHT, WIDTH)).astype(np.float32)
        half = photo.reshape(HEIGHT // 2, 2, WIDTH // 2, 2).mean(axis=(1, 3))
        eyes = eyes_at(120, 90, 40, 12)
        crops = crop_at(photo, eyes, (56, 48)), crop_at(half, eyes.scaled(0.5), (56, 48))
        np.testing.assert_allclose(*crops, atol=0.02)


class TestEyes:
    @given(st.floats(-50, 50), st.floats(-50, 50), st.floats(1, 500))
    def test_a_box_is_where_its_eyes_are(self, left: float, top: float, size: float) -> None:
        eyes = Eyes.in_box(left, top, size)
        assert eyes.angle == pytest.approx(0, abs=1e-9)
        assert eyes.box == pytest.approx((left, top, size), abs=1e-6)
        assert left < eyes.left[0] < eyes.right[0] < left + size
        assert top < eyes.left[1] < top + size / 2

    @given(st.floats(-500, 500), st.floats(-500, 500), st.floats(1, 500), st.floats(-179, 179))
    def test_distance_tilt_and_size(self, x: float, y: float, distance: float, tilt: float) -> None:
        eyes = eyes_at(x, y, distance, tilt)
        assert eyes.distance == pytest.approx(distance)
        assert eyes.angle == pytest.approx(tilt, abs=1e-6)
        assert eyes.middle == pytest.approx(complex(x, y), abs=1e-6)
        twice = eyes.scaled(2)
        assert twice.left == pytest.approx((2 * eyes.left[0], 2 * eyes.left[1]))
        assert twice.right == pytest.approx((2 * eyes.right[0], 2 * eyes.right[1]))
        assert twice.angle == pytest.approx(eyes.angle)

    def test_clockwise_is_positive(self) -> None:
        assert Eyes((0, 0), (10, 10)).angle == pytest.approx(45)


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

    def test_nothing_to_see(self) -> None:
        assert not features(np.full(LOOK, 0.5, np.float32))[:-1].any()


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

    def test_what_is_learnt_is_applied_in_its_order(self, rng: np.random.Generator) -> None:
        """By the definition: at each step, move by what the regressor of the stage says."""
        photo = rng.random((100, 100), np.float32)
        regressors = (rng.standard_normal((4, FEATURES, 4)) * 1e-3).astype(np.float32)
        a, b = complex(50, 45), complex(22, 3)
        for stage in _ORDER:
            seen = features(look_at(photo, Eyes.at(a, b)))
            right, down, growth, turn = (float(each) for each in seen @ regressors[stage])
            a += b * (right + 1j * down)
            b *= np.exp(growth) * (np.cos(turn) + 1j * np.sin(turn))
        eyes = align(photo, Eyes.at(50 + 45j, 22 + 3j), regressors)
        assert eyes.middle == pytest.approx(a, abs=1e-3)
        assert eyes.across == pytest.approx(b, abs=1e-3)

    @pytest.mark.parametrize("darker", [slice(50), slice(50, None)])
    def test_a_face_lit_from_the_side_is_placed_by_the_fourth(
        self, darker: slice, rng: np.random.Generator
    ) -> None:
        """It sees the roots of the features; the first two regressors are those of all faces."""
        photo = rng.random((100, 100), np.float32)
        photo[:, darker] *= 0.3
        start = Eyes.at(50 + 45j, 22 + 0j)
        regressors = np.zeros((4, FEATURES, 4), np.float32)
        regressors[2] = 1  # it would send the eyes far away
        regressors[3] = rng.standard_normal((FEATURES, 4)) * 1e-3
        expected = start
        for _ in range(_ORDER.count(2)):
            expected = moved(expected, np.sqrt(features(look_at(photo, expected))) @ regressors[3])
        eyes = align(photo, start, regressors)
        assert eyes.left == pytest.approx(expected.left, abs=1e-3)
        assert eyes.right == pytest.approx(expected.right, abs=1e-3)

    @pytest.mark.parametrize("ratio", [0.2, 0.6, 0.7, 1.0, 1.4, 1.6, 5.0])
    def test_light_from_the_side(self, ratio: float) -> None:
        """From a ratio of 1.5, whatever surrounds the face; of a black picture, no light."""
        crop = np.full(LOOK, 0.4, np.float32)
        crop[:, 36:] *= ratio
        crop[:, :18], crop[:, 54:] = 0.9, 0.1
        assert lit_from_the_side(crop) == (max(ratio, 1 / ratio) > 1.5)
        assert not lit_from_the_side(np.zeros(LOOK, np.float32))

    def test_roots_count_what_is_weak_for_more(self) -> None:
        seen = np.array([0, 0.01, 0.25, -1e-9, 1], np.float32)
        np.testing.assert_allclose(rooted(seen), [0, 0.1, 0.5, 0, 1], atol=1e-6)

    def test_where_there_is_nothing_to_learn_from(self) -> None:
        start = Eyes((10, 10), (30, 10))
        still = np.zeros((4, FEATURES, 4), np.float32)
        eyes = align(np.zeros((50, 50), np.float32), start, still)
        assert eyes.left == pytest.approx(start.left)
        assert eyes.right == pytest.approx(start.right)
