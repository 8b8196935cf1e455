"""Light evened out: by the formulas, by what must not matter, and the windows."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter
from scipy.stats import rankdata
from skimage.exposure import equalize_adapthist

from eigenfaces import FaceSet
from eigenfaces.faces.lighting import Lighting, Window, even_light, through_window, window_weights

WAYS = get_args(Lighting)
WINDOWS = get_args(Window)
SHAPE = (40, 32)


def crops(seed: int = 0, count: int = 3) -> NDArray[np.float32]:
    """Return smooth random crops, all their grey values different."""
    noise = np.random.default_rng(seed).random((count, *SHAPE))
    smooth = gaussian_filter(noise, (0, 2, 2))
    low, high = smooth.min(), smooth.max()
    return (0.05 + 0.9 * (smooth - low) / (high - low)).astype(np.float32)


class TestFormulas:
    def test_mean_and_variance(self) -> None:
        faces = crops().astype(float)
        for face, centred, even in zip(
            faces,
            even_light(crops(), "photo mean"),
            even_light(crops(), "mean and variance"),
            strict=True,
        ):
            np.testing.assert_allclose(centred, face - np.average(face) + 0.5, atol=1e-6)
            np.testing.assert_allclose((even.mean(), even.std()), (0.5, 0.2), atol=1e-5)
            assert np.corrcoef(face.ravel(), even.ravel())[0, 1] == pytest.approx(1)

    def test_equalised_is_about_the_share_of_darker_pixels(self) -> None:
        for face, even in zip(crops(), even_light(crops(), "equalised"), strict=True):
            ranks = rankdata(face).reshape(SHAPE) / face.size
            np.testing.assert_allclose(even, ranks, atol=0.02)

    def test_clahe_is_that_of_scikit_image_over_quarters(self, att: FaceSet) -> None:
        faces = att.pixels[::150].reshape(-1, *att.shape)
        for face, even in zip(faces, even_light(faces, "CLAHE"), strict=True):
            wanted = equalize_adapthist(face, (28, 23), clip_limit=0.01)
            np.testing.assert_allclose(even, wanted, atol=1e-6)

    def test_tan_triggs_step_by_step(self) -> None:
        """The steps of section II of Tan and Triggs, written out; tanh((x)/10) shown in 0…1.

        Black is raised a little first: the slope of x^0.2 is infinite there.
        """
        for face, even in zip(crops(), even_light(crops(), "Tan–Triggs"), strict=True):
            x = (face.astype(float) + 0.001) ** 0.2
            x = gaussian_filter(x, 1, mode="nearest") - gaussian_filter(x, 2, mode="nearest")
            x /= (np.abs(x) ** 0.1).mean() ** 10
            x /= (np.minimum(10, np.abs(x)) ** 0.1).mean() ** 10
            np.testing.assert_allclose(even, 0.5 + 10 * np.tanh(x / 10) / 20, atol=1e-5)


class TestWhatMustNotMatter:
    @pytest.mark.parametrize("way", WAYS)
    def test_each_crop_is_lit_on_its_own(self, way: Lighting) -> None:
        faces = crops(count=4)
        alone = np.concatenate([even_light(face[None], way) for face in faces[::-1]])[::-1]
        assert np.array_equal(even_light(faces, way), alone)
        assert even_light(faces, way).dtype == np.float32
        assert even_light(faces[:0], way).shape == (0, *SHAPE)

    @given(st.floats(0.2, 1), st.floats(0, 1), st.integers(0, 50))
    def test_brightness_and_contrast(self, gain: float, offset: float, seed: int) -> None:
        faces = crops(seed)
        dim = gain * faces + offset * (1 - gain)
        for way, tolerance in (("mean and variance", 1e-4), ("equalised", 0.01)):
            np.testing.assert_allclose(even_light(dim, way), even_light(faces, way), atol=tolerance)

    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize("grey", [0, 0.5, 1])
    def test_a_flat_crop_stays_flat(self, way: Lighting, grey: float) -> None:
        even = even_light(np.full((1, *SHAPE), grey, np.float32), way)
        assert np.isfinite(even).all()
        assert np.ptp(even) < 1e-5


class TestWindows:
    @pytest.mark.parametrize("window", WINDOWS)
    def test_what_they_hide_is_grey(self, window: Window) -> None:
        faces, weights = crops(), window_weights(SHAPE, window)
        assert weights.min() >= 0
        assert weights.max() <= 1
        seen = through_window(faces, window)
        assert seen.dtype == np.float32
        np.testing.assert_allclose(seen, weights * faces + (1 - weights) * 0.5, atol=1e-6)

    def test_the_gaussian_is_half_at_a_third_of_the_height(self) -> None:
        weights = window_weights((300, 240), "Gaussian")
        middle = np.unravel_index(weights.argmax(), weights.shape)
        assert middle[0] == pytest.approx(0.52 * 300, abs=1)
        assert middle[1] == pytest.approx(120, abs=1)
        assert weights.max() == pytest.approx(1, abs=1e-3)
        for row, column in ((100, 0), (-100, 0), (0, 100), (0, -100)):
            assert weights[middle[0] + row, middle[1] + column] == pytest.approx(0.5, abs=0.02)

    def test_the_oval_keeps_the_face_and_cuts_the_corners(self) -> None:
        weights = window_weights((112, 92), "oval")
        for row, column in ((42, 27), (42, 65), (58, 46), (95, 46)):  # eyes, nose, chin
            assert weights[row, column] == 1
        for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
            assert weights[corner] == 0
