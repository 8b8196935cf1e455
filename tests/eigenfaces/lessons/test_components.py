"""Mean, components and variances: as scikit-learn has them, with few points and with many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from eigenfaces.errors import EigenfacesError
from eigenfaces.lessons.components import pca
from eigenfaces.space.arrays import Doubles


@given(st.integers(2, 20), st.integers(1, 20), st.integers(0, 10**6))
def test_as_scikit_learn(n: int, d: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=(n, d)) + 5
    found, theirs = pca(x), PCA().fit(x)
    r = min(n - 1, d)
    assert found.components.shape == (r, d)
    np.testing.assert_allclose(
        found.variances * n / (n - 1), theirs.explained_variance_[:r], rtol=1e-6, atol=1e-12
    )
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(r), atol=1e-6)
    back = found.project(x) @ found.components + found.mean
    np.testing.assert_allclose(back, x, atol=1e-6)


@pytest.mark.parametrize(("n", "d"), [(3, 5), (5, 3)])
def test_all_the_same_is_a_sentence(n: int, d: int) -> None:
    for value in (0.0, 0.1, 1 / 3):
        with pytest.raises(EigenfacesError, match="the same"):
            pca(np.full((n, d), value))


@given(
    copies=st.lists(st.integers(0, 5), min_size=8, max_size=8).filter(
        lambda each: sum(one > 0 for one in each) > 1
    ),
    d=st.sampled_from([3, 20]),
)
def test_a_weight_of_m_is_m_copies(copies: list[int], d: int) -> None:
    x = np.random.default_rng(3).normal(size=(8, d))
    weighted = pca(x, weights=np.array(copies, dtype=float))
    copied = pca(np.repeat(x, copies, axis=0))
    np.testing.assert_allclose(weighted.mean, copied.mean, atol=1e-12)
    np.testing.assert_allclose(weighted.variances, copied.variances, rtol=1e-9)
    np.testing.assert_allclose(weighted.components, copied.components, atol=1e-7)


@pytest.mark.parametrize("weights", [np.zeros(3), np.array([1.0, 0.0, 0.0])])
def test_a_single_point_that_counts_has_no_direction(weights: Doubles) -> None:
    with pytest.raises(EigenfacesError, match="the same"):
        pca(np.eye(3) / 3, weights=weights)
