"""Crops by independent geometry, whole photographs by a visible policy, and what is refused."""

import cmath

import numpy as np
import pytest
from astronaut import EYES, grey
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from eigenfaces import Preparation
from eigenfaces.faces.prepare import crop_at, crop_pixel_positions, standard_eyes
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats

HEIGHT, WIDTH = 220, 260
shapes = st.tuples(st.integers(28, 200), st.integers(24, 200))
tilts = st.floats(-180, 180)
sides = st.integers(16, 512)


def eyes_at(x: float, y: float, distance: float, degrees: float = 0.0) -> Eyes:
    return Eyes.at(complex(x, y), cmath.rect(distance, np.radians(degrees)))


def middles(height: int, width: int) -> NDArray[np.float64]:
    """Return x and y of the middles of all pixels, (2, h, w)."""
    return np.mgrid[:height, :width][::-1] + 0.5


def waves(x: NDArray[np.float64], y: NDArray[np.float64]) -> Floats:
    return (0.5 + 0.25 * np.sin(x / 15) + 0.2 * np.cos(y / 21 + x / 40)).astype(np.float32)


def whole(size: tuple[int, int]) -> Preparation:
    return Preparation(*size, already_cropped=True)


class TestCrop:
    @given(shapes, st.floats(-40, WIDTH + 40), st.floats(-40, HEIGHT + 40), st.floats(8, 90), tilts)
    def test_a_smooth_photograph_is_sampled_where_it_should_be(
        self, shape: tuple[int, int], x: float, y: float, distance: float, tilt: float
    ) -> None:
        """The eyes at 28/96 and 68/96 of the width, and 42/112 of the height of a crop.

        Outside the photograph, at the nearest point of its border.
        """
        eyes, (height, width) = eyes_at(x, y, distance, tilt), shape
        crop = crop_at(waves(*middles(HEIGHT, WIDTH)), eyes, shape)
        columns, rows = middles(*shape)
        right = (columns / width - 0.5) * 96 / 40
        down = (rows / height - 0.375) * height / width * 96 / 40
        points = complex(x, y) + cmath.rect(distance, np.radians(tilt)) * (right + 1j * down)
        at = np.clip(points.real, 0.5, WIDTH - 0.5), np.clip(points.imag, 0.5, HEIGHT - 0.5)
        step = distance * 96 / 40 / width
        np.testing.assert_allclose(crop, waves(*at), atol=0.02 + 0.03 * step)
        np.testing.assert_allclose(crop_pixel_positions(eyes, shape), points, atol=1e-6)

    @given(shapes)
    def test_a_crop_cut_at_its_own_eyes_is_the_same(self, shape: tuple[int, int]) -> None:
        crop = waves(*middles(*shape))
        np.testing.assert_allclose(crop_at(crop, standard_eyes(shape), shape), crop, atol=1e-4)


@given(st.floats(-500, 500), st.floats(-500, 500), st.floats(1, 500), st.floats(-179, 179))
def test_eyes_by_their_middle_distance_and_tilt(
    x: float, y: float, distance: float, tilt: float
) -> None:
    eyes = eyes_at(x, y, distance, tilt)
    assert (eyes.distance, eyes.angle) == pytest.approx((distance, tilt), abs=1e-6)
    assert eyes.middle == pytest.approx(complex(x, y), abs=1e-6)
    assert eyes.scaled(2).left == pytest.approx((2 * eyes.left[0], 2 * eyes.left[1]))
    assert Eyes((0, 0), (10, 10)).angle == pytest.approx(45), "clockwise is positive"
    in_box = Eyes.in_box(x, y, distance)
    assert in_box.box == pytest.approx((x, y, distance), abs=1e-6)
    assert x < in_box.left[0] < in_box.right[0] < x + distance
    assert in_box.angle == pytest.approx(0, abs=1e-9)
    assert y < in_box.left[1] < y + distance / 2


class TestPreparation:
    @given(sides, sides)
    def test_a_crop_is_the_aligned_one_in_whole_grey_levels(self, height: int, width: int) -> None:
        preparation = Preparation(height, width)
        assert preparation.eye_distance == pytest.approx(width * 40 / 96)
        crop, exact = preparation.crop(grey(), EYES), crop_at(grey(), EYES, (height, width))
        assert (crop.shape, crop.dtype) == ((height, width), np.float32)
        assert np.abs(crop - exact.clip(0, 1)).max() <= 0.5001 / 255
        assert np.array_equal(crop, (np.rint(crop * 255) / 255).astype(np.float32))

    def test_a_photograph_of_the_size_is_still_cut_where_its_eyes_are(self) -> None:
        photo = grey()[:112, 150:242]
        eyes = EYES.at(EYES.middle - 150, EYES.across)
        assert not np.array_equal(Preparation().crop(photo, eyes), photo)
        assert np.array_equal(whole((112, 92)).crop(photo), photo)

    @example(16, 20_000, (32, 24))
    @example(20_000, 16, (32, 24))
    @given(sides, sides, st.tuples(sides, sides))
    def test_any_size_becomes_the_size(
        self, height: int, width: int, size: tuple[int, int]
    ) -> None:
        crop = whole(size).crop(np.full((height, width), 0.5, np.float32))
        assert (crop.shape, crop.dtype) == (size, np.float32)
        np.testing.assert_allclose(crop, 0.5, atol=1 / 255)

    def test_what_sticks_out_is_cut_off(self) -> None:
        photo = np.full((32, 96), 0.5, np.float32)
        photo[:, :30], photo[:, -30:] = 0, 1
        assert (whole((32, 32)).crop(photo)[:, 4:-4] == np.float32(128 / 255)).all()
