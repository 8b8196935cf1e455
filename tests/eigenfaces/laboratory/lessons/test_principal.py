"""Components in double precision, with weights: copies are the oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.lessons.principal import Principal, largest_angle
from tests.synthetic import principal_angles


@pytest.mark.parametrize(("n", "d"), [(30, 5), (6, 40)], ids=["many rows", "many columns"])
def test_it_agrees_with_scikit_learn(rng: np.random.Generator, n: int, d: int) -> None:
    x = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    found, pca = Principal.of(x), PCA().fit(x)
    r = len(found.variances)
    assert r == min(n - 1, d)
    np.testing.assert_allclose(found.variances * n / (n - 1), pca.explained_variance_[:r])
    np.testing.assert_allclose(
        np.abs(found.components @ pca.components_[:r].T), np.eye(r), atol=1e-9
    )
    np.testing.assert_allclose(found.mean, x.mean(axis=0))
    np.testing.assert_allclose(found.kept[-1], 1)


@given(
    copies=st.lists(st.integers(0, 5), min_size=8, max_size=8).filter(
        lambda each: sum(one > 0 for one in each) > 1
    ),
    wide=st.booleans(),
)
def test_a_weight_of_m_is_m_copies(copies: list[int], wide: bool) -> None:
    x = np.random.default_rng(3).normal(size=(8, 20 if wide else 3))
    weighted = Principal.of(x, np.array(copies, dtype=float))
    copied = Principal.of(np.repeat(x, copies, axis=0))
    np.testing.assert_allclose(weighted.mean, copied.mean, atol=1e-12)
    np.testing.assert_allclose(weighted.variances, copied.variances, rtol=1e-9)
    np.testing.assert_allclose(weighted.components, copied.components, atol=1e-9)


@pytest.mark.parametrize("weights", [None, np.zeros(3), np.array([1.0, 0.0, 0.0])])
def test_without_a_difference_there_is_no_direction(weights: np.ndarray | None) -> None:
    x = np.full((3, 2), 0.1) if weights is None else np.eye(3)[:, :2]
    with pytest.raises(EigenfacesError, match="no direction"):
        Principal.of(x, weights)


def test_the_largest_angle_is_exact_where_it_is_small() -> None:
    one = np.eye(5)[:2]
    other = one + 1e-10 * np.eye(5)[2:4]
    assert largest_angle(one, other) == pytest.approx(principal_angles(one, other).max(), rel=1e-6)
