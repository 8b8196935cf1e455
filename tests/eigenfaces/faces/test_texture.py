"""Texture against scikit-image, Gabor magnitudes against plain convolution; what neither sees."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.signal import convolve2d
from skimage.feature import local_binary_pattern

from eigenfaces import FaceSet
from eigenfaces.faces.texture import (
    DIRECTIONS,
    GABOR_LENGTH,
    GABOR_SIZE,
    GABOR_SPACING,
    PATTERN_BINS,
    PATTERN_CELLS,
    RADIUS,
    SCALES,
    TEXTURE_LENGTH,
    gabor,
    gabor_magnitudes,
    mirrored_patterns,
    pattern_histograms,
    uniform_patterns,
)
from eigenfaces.space.arrays import Bytes, Floats


def texture(levels: Bytes) -> Floats:
    return pattern_histograms(uniform_patterns(levels))


@pytest.fixture(scope="module")
def levels(att: FaceSet) -> Bytes:
    return att.pixels.levels[:100].astype(np.uint8).reshape(-1, *att.shape)


class TestTexture:
    def test_each_pattern_is_one_of_an_independent_implementation(self, levels: Bytes) -> None:
        """Up to its number, and where a neighbour lies within rounding of the pixel."""
        theirs = [local_binary_pattern(face, 8, RADIUS, "nri_uniform") for face in levels[:5]]
        inside = np.array(theirs, int)[:, RADIUS:-RADIUS, RADIUS:-RADIUS]
        table = np.zeros((PATTERN_BINS, PATTERN_BINS), int)
        np.add.at(table, (uniform_patterns(levels[:5]), inside), 1)
        assert table.max(axis=1).sum() > 0.995 * table.sum()
        assert len(set(table.argmax(axis=1))) == PATTERN_BINS
        turned = uniform_patterns(np.ascontiguousarray(levels[:5, :, ::-1]))
        assert (mirrored_patterns(uniform_patterns(levels[:5])) == turned).mean() > 0.995

    def test_a_cell_counts_its_own_patterns(self, levels: Bytes) -> None:
        whole, other = (
            texture(levels[:1]).reshape(PATTERN_CELLS, PATTERN_CELLS, PATTERN_BINS),
            levels[:1].copy(),
        )
        other[:, :50] = 128
        changed = texture(other).reshape(PATTERN_CELLS, PATTERN_CELLS, PATTERN_BINS)
        assert np.array_equal(whole[4:], changed[4:])
        assert not np.allclose(whole[:3], changed[:3])
        counts = (whole**2).sum(axis=2)
        assert counts == pytest.approx(
            np.full((PATTERN_CELLS, PATTERN_CELLS), 1 / PATTERN_CELLS**2), rel=0.2
        )

    def test_light_does_not_matter_and_plain_pictures_are_described(self, levels: Bytes) -> None:
        dimmed = texture(levels // 2)
        assert ((dimmed * texture(levels // 2 + 60)).sum(axis=1) > 0.9999).all()
        for size in ((16, 16), (31, 57), (112, 92)):
            assert np.isfinite(texture(np.full((1, *size), 7, np.uint8))).all()


@pytest.mark.parametrize(("describe", "length"), [(texture, TEXTURE_LENGTH), (gabor, GABOR_LENGTH)])
def test_faces_are_described_each_for_itself(
    describe: Callable[[Any], Floats], length: int, levels: Bytes
) -> None:
    pictures = levels if describe is texture else levels.astype(np.float32) / 255
    together = describe(pictures)
    assert (together.shape, together.dtype) == ((len(levels), length), np.float32)
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(levels)), abs=1e-5)
    np.testing.assert_allclose(together[37:38], describe(pictures[37:38]), atol=1e-6)
    assert describe(pictures[:0]).shape == (0, length)


def wavelet(scale: int, mu: int) -> np.ndarray:
    """Return a filter by its formula: k² / σ² · exp(−k² z² / 2σ²) · (exp(i k·z) − its mean)."""
    down, across = np.mgrid[-15:16, -15:16]
    k, sigma, angle = math.pi / 2 / math.sqrt(2) ** scale, 2 * math.pi, mu * math.pi / 8
    hill = k**2 / sigma**2 * np.exp(-(k**2) * (down**2 + across**2) / (2 * sigma**2))
    wave = np.exp(1j * k * (across * math.cos(angle) + down * math.sin(angle)))
    return hill * (wave - (hill * wave).sum() / hill.sum())


def test_gabor_magnitudes_are_of_a_convolution_at_every_fourth_place(levels: Bytes) -> None:
    faces = levels[::40].astype(np.float32) / 255
    picture = faces[:1].reshape(1, 56, 2, 46, 2).mean(axis=(2, 4))
    bordered = np.pad(picture[0].astype(float), 15, mode="edge")
    filters = [wavelet(scale, mu) for scale in range(SCALES) for mu in range(DIRECTIONS)]
    answers = [
        convolve2d(bordered, wave, mode="valid")[::GABOR_SPACING, ::GABOR_SPACING]
        for wave in filters
    ]
    magnitudes, largest = gabor_magnitudes(picture)[0], np.abs(answers).max()
    np.testing.assert_allclose(magnitudes, np.abs(answers), atol=4e-6 * largest)
    # Plain grey is not answered, and the light on all of a face does not matter.
    plain = np.full((1, *GABOR_SIZE), 0.7, np.float32)
    assert gabor_magnitudes(plain).max() < 1e-5 < largest
    assert np.isfinite(gabor(plain)).all()
    np.testing.assert_allclose(gabor(faces), gabor(0.3 * faces + 0.2), atol=1e-5)
    by_filter = gabor(faces).reshape(len(faces), SCALES * DIRECTIONS, -1)
    assert np.abs(by_filter.mean(axis=2)).max() < 1e-6
    np.testing.assert_allclose(by_filter.std(axis=2), GABOR_LENGTH**-0.5, rtol=1e-3)
