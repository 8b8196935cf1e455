"""Light evened out: by the formulas, by what must not matter, and the windows."""

from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter
from scipy.stats import rankdata
from skimage.exposure import equalize_adapthist

from eigenfaces.faces.lighting import Lighting, Window, even_light, through_window, window_weights

WAYS = get_args(Lighting)
SHAPE = (40, 32)


def crops(seed: int = 0) -> NDArray[np.float32]:
    """Return smooth random crops, all their grey values different."""
    smooth = gaussian_filter(np.random.default_rng(seed).random((3, *SHAPE)), (0, 2, 2))
    return (0.05 + 0.9 * (smooth - smooth.min()) / np.ptp(smooth)).astype(np.float32)


def test_the_formulas() -> None:
    """Tan and Triggs step by step: section II; black is raised a little, shown as ½ + x / 20."""
    faces = crops()
    even = {way: even_light(faces, way) for way in WAYS}
    for row, face in enumerate(faces.astype(float)):
        np.testing.assert_array_equal(even["none"][row], faces[row])
        np.testing.assert_allclose(even["photo mean"][row], face - face.mean() + 0.5, atol=1e-6)
        normal = 0.2 * (face - face.mean()) / face.std() + 0.5
        np.testing.assert_allclose(even["mean and variance"][row], normal, atol=1e-5)
        ranks = rankdata(face).reshape(SHAPE) / face.size  # about the share of darker pixels
        np.testing.assert_allclose(even["equalised"][row], ranks, atol=0.02)
        quarters = equalize_adapthist(faces[row], (10, 8), clip_limit=0.01)
        np.testing.assert_allclose(even["CLAHE"][row], quarters, atol=1e-6)
        x = (face + 0.001) ** 0.2
        x = gaussian_filter(x, 1, mode="nearest") - gaussian_filter(x, 2, mode="nearest")
        x /= (np.abs(x) ** 0.1).mean() ** 10
        x /= (np.minimum(10, np.abs(x)) ** 0.1).mean() ** 10
        expected = 0.5 + 10 * np.tanh(x / 10) / 20
        np.testing.assert_allclose(even["Tan–Triggs"][row], expected, atol=1e-5)


@pytest.mark.parametrize("way", WAYS)
def test_each_crop_is_lit_on_its_own_and_a_flat_one_stays_flat(way: Lighting) -> None:
    faces = crops()
    alone = np.concatenate([even_light(face[None], way) for face in faces])
    assert np.array_equal(even_light(faces, way), alone)
    assert alone.dtype == np.float32
    assert even_light(faces[:0], way).shape == (0, *SHAPE)
    for level in (0, 0.5, 1):
        even = even_light(np.full((1, *SHAPE), level, np.float32), way)
        assert np.isfinite(even).all()
        assert np.ptp(even) < 1e-5


@pytest.mark.parametrize("window", get_args(Window))
def test_what_a_window_hides_is_grey(window: Window) -> None:
    faces, weights = crops(), window_weights(SHAPE, window)
    assert 0 <= weights.min() <= weights.max() <= 1
    expected = weights * faces + (1 - weights) * 0.5
    np.testing.assert_allclose(through_window(faces, window), expected, atol=1e-6)


def test_the_gaussian_is_half_at_a_third_of_the_height_and_the_oval_keeps_the_face() -> None:
    weights = window_weights((300, 240), "Gaussian")
    assert np.unravel_index(weights.argmax(), weights.shape) == pytest.approx((156, 120), abs=1)
    assert weights.max() == pytest.approx(1, abs=1e-3)
    for row, column in ((256, 120), (56, 120), (156, 220), (156, 20)):
        assert weights[row, column] == pytest.approx(0.5, abs=0.02)
    weights = window_weights((112, 92), "oval")
    assert all(weights[at] == 1 for at in ((42, 27), (42, 65), (58, 46), (95, 46)))  # eyes … chin
    assert not weights[[0, 0, -1, -1], [0, -1, 0, -1]].any()
