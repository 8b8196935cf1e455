"""The leading eigenvectors of a large matrix, beside all of them."""

import numpy as np
import pytest

from eigenfaces.space import leading
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.leading import eigenpairs


@pytest.fixture(autouse=True)
def small_ones_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LARGE": 40, "_BLOCK": 4, "_FIRST": 16}.items():
        monkeypatch.setattr(leading, name, value)


def squares(rng: np.random.Generator, spectrum: Doubles) -> Doubles:
    turn = np.linalg.qr(rng.standard_normal((len(spectrum),) * 2))[0]
    return (turn * spectrum) @ turn.T


FALLING = 1 / np.arange(1, 201.0) ** 2


@pytest.mark.parametrize("wanted", [1, 7, 20, 0.8, 0.95])
def test_they_are_the_first_of_all(rng: np.random.Generator, wanted: int | float) -> None:
    square = squares(rng, FALLING)
    values, vectors = eigenpairs(square, wanted)
    every, turned = eigenpairs(square)
    k = wanted if isinstance(wanted, int) else int((np.cumsum(every) < wanted * every.sum()).sum())
    k += isinstance(wanted, float)
    assert vectors.shape == (200, len(values)) == (200, k)
    np.testing.assert_allclose(values, every[:k], rtol=1e-12)
    signs = np.sign((vectors * turned[:, :k]).sum(axis=0))
    np.testing.assert_allclose(vectors * signs, turned[:, :k], atol=1e-6)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-12)


def test_the_same_twice(rng: np.random.Generator) -> None:
    square = squares(rng, FALLING)
    for one, other in zip(eigenpairs(square, 9), eigenpairs(square, 9), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("wanted", [60, 0.9, 1.0])
def test_where_many_are_wanted_all_are_found(rng: np.random.Generator, wanted: int | float) -> None:
    flat = np.linspace(2, 1, 200)
    values, vectors = eigenpairs(squares(rng, flat), wanted)
    np.testing.assert_allclose(values, flat, rtol=1e-12)
    assert vectors.shape == (200, 200)


def test_of_low_rank_there_are_no_more(rng: np.random.Generator) -> None:
    """Also where the values are the same, and where there are none at all."""
    for spectrum in (np.r_[3.0, 2, 2, 2, 2, 2, 1, np.zeros(193)], np.zeros(200)):
        values, vectors = eigenpairs(squares(rng, spectrum), 7)
        np.testing.assert_allclose(values[:7], spectrum[: min(7, len(values))], atol=1e-12)
        assert not spectrum[len(values) :].any()
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-12)
