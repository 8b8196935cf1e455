"""Gabor magnitudes: against plain convolution, and what each filter answers to."""

import math

import numpy as np
import pytest
from scipy.signal import convolve2d

from eigenfaces import FaceSet
from eigenfaces.faces import texture as gabor_filters
from eigenfaces.faces.texture import (
    DIRECTIONS,
    EVERY,
    GABOR_LENGTH,
    PLACES,
    SCALES,
    SIZE,
    gabor,
    resized,
)
from eigenfaces.space.arrays import Floats


@pytest.fixture(scope="module")
def faces(att: FaceSet) -> Floats:
    return att.pixels[::40].reshape(-1, *att.shape)


def waves(scale: int, direction: int) -> Floats:
    """Return a picture of the wave of a filter, (1, h, w)."""
    down, across = np.mgrid[: SIZE[0], : SIZE[1]]
    angle = direction * math.pi / DIRECTIONS
    along = across * math.cos(angle) + down * math.sin(angle)
    return np.cos(math.pi / 2 / math.sqrt(2) ** scale * along)[None].astype(np.float32)


def wavelet(scale: int, mu: int) -> np.ndarray:
    """Return a filter by its formula: k² / σ² · exp(−k² z² / 2σ²) · (exp(i k·z) − its mean)."""
    down, across = np.mgrid[-15:16, -15:16]
    k, sigma, angle = math.pi / 2 / math.sqrt(2) ** scale, 2 * math.pi, mu * math.pi / 8
    hill = k**2 / sigma**2 * np.exp(-(k**2) * (down**2 + across**2) / (2 * sigma**2))
    wave = np.exp(1j * k * (across * math.cos(angle) + down * math.sin(angle)))
    return hill * (wave - (hill * wave).sum() / hill.sum())


def by_filter(pictures: Floats) -> Floats:
    return np.abs(gabor_filters._answers(pictures)).reshape(len(pictures), SCALES, DIRECTIONS, -1)


def test_the_folded_transform_is_a_convolution_at_every_fourth_place(faces: Floats) -> None:
    picture = resized(faces[:1], SIZE)
    bordered = np.pad(picture[0].astype(float), 15, mode="edge")
    filters = [wavelet(scale, mu) for scale in range(SCALES) for mu in range(DIRECTIONS)]
    wanted = [convolve2d(bordered, each, mode="valid")[::EVERY, ::EVERY] for each in filters]
    answers = gabor_filters._answers(picture)[0]
    assert answers.shape == (SCALES * DIRECTIONS, *PLACES)
    assert np.abs(answers - wanted).max() < 1e-6 * np.abs(wanted).max()


@pytest.mark.parametrize("scale", range(SCALES))
@pytest.mark.parametrize("direction", range(DIRECTIONS))
def test_a_filter_answers_most_to_its_own_wave(scale: int, direction: int) -> None:
    """Of its own length; by direction the filters are told apart at every length."""
    answers = by_filter(waves(scale, direction))[0].mean(axis=2)
    assert answers[scale].argmax() == direction
    others = [by_filter(waves(other, direction))[0, scale, direction].mean() for other in range(5)]
    assert np.argmax(others) == scale


def test_plain_grey_is_not_answered_and_light_does_not_matter(faces: Floats) -> None:
    plain = np.full((1, *SIZE), 0.7, np.float32)
    assert by_filter(plain).max() < 1e-5 < by_filter(resized(faces, SIZE)).max()
    assert np.isfinite(gabor(plain)).all()
    np.testing.assert_allclose(gabor(faces), gabor(0.3 * faces + 0.2), atol=1e-5)


def test_faces_are_described_each_for_itself(faces: Floats) -> None:
    together = gabor(faces)
    assert together.shape == (len(faces), GABOR_LENGTH)
    assert together.dtype == np.float32
    np.testing.assert_allclose(together[3:4], gabor(faces[3:4]), atol=1e-7)
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(faces)), abs=1e-5)
    filters = together.reshape(len(faces), SCALES * DIRECTIONS, -1)
    assert np.abs(filters.mean(axis=2)).max() < 1e-6
    deviations = filters.std(axis=2)
    assert deviations == pytest.approx(np.full(deviations.shape, GABOR_LENGTH**-0.5), rel=1e-3)
    assert gabor(faces[:0]).shape == (0, GABOR_LENGTH)


class TestResized:
    def test_half_the_size_is_the_mean_of_four_pixels(self, faces: Floats) -> None:
        wanted = faces.reshape(-1, 56, 2, 46, 2).mean(axis=(2, 4))
        np.testing.assert_allclose(resized(faces, (56, 46)), wanted, atol=1e-6)

    def test_the_same_size_is_the_same_picture(self, faces: Floats) -> None:
        assert np.array_equal(resized(faces, (112, 92)), faces)

    @pytest.mark.parametrize("size", [(9, 7), (150, 200)])
    def test_the_mean_stays(self, faces: Floats, size: tuple[int, int]) -> None:
        means = resized(faces, size).mean(axis=(1, 2))
        np.testing.assert_allclose(means, faces.mean(axis=(1, 2)), atol=1e-6)
