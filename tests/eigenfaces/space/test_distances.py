"""Every distance against SciPy, and what SciPy does not say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from eigenfaces.space.distances import DISTANCES

SCIPY = {"L1": "cityblock", "L2": "euclidean", "L∞": "chebyshev", "cosine": "cosine"}
ANGLES = {name for name, distance in DISTANCES.items() if distance.kind == "angle"}


@given(st.integers(0, 2**32 - 1), st.integers(1, 70), st.integers(1, 70), st.integers(1, 9))
def test_against_scipy(seed: int, m: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((m, k)), rng.standard_normal((n, k))
    variances = rng.uniform(0.1, 9, k)
    deviations = np.sqrt(variances)
    for name, distance in DISTANCES.items():
        scale = deviations if name.startswith("Mahalanobis") else 1.0
        theirs = cdist(a / scale, b / scale, SCIPY[name.removeprefix("Mahalanobis ")])
        np.testing.assert_allclose(distance(a, b, variances), theirs, rtol=1e-10, atol=1e-12)
        own = np.diag(distance(a, a, variances))
        np.testing.assert_allclose(own, 0, atol=1e-14 * (name in ANGLES))


@pytest.mark.parametrize("name", DISTANCES)
def test_what_is_no_number_is_at_no_distance(name: str) -> None:
    for bad in (np.nan, np.inf):
        with np.errstate(all="ignore"):
            distances = DISTANCES[name]([[1, bad], [1, 2]], [[1, bad], [1, 3]], np.ones(2))
        assert not np.isfinite(distances[[0, 0, 1], [0, 1, 0]]).any()
        assert np.isfinite(distances[1, 1])


@pytest.mark.parametrize("name", sorted(ANGLES))
def test_angles_of_nothing_and_of_extremes(name: str) -> None:
    compare, one = DISTANCES[name], np.ones(2)
    assert compare([[0, 0]], [[1, 2]], one) == 1
    assert compare([[0, 0]], [[0, 0]], one) == 1
    for size in (1e-200, 1e200, 5e-324):
        assert compare([[size, 0]], [[0, 1], [1, 0]], one).tolist() == [[1, 0]]


def test_equal_whole_numbers_are_exact_ties() -> None:
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 256, (5, 1000)).astype(float)
    shuffled = levels[:, rng.permutation(1000)]
    for name in ("L1", "L2", "L∞"):
        line = DISTANCES[name](np.zeros((1, 1000)), np.concatenate([levels, shuffled]), 1)
        assert np.array_equal(line[0, :5], line[0, 5:])
