"""Mean, components and variances: as scikit-learn has them, with few points and with many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.lessons.decomposed import decomposed


@given(st.integers(2, 20), st.integers(1, 20), st.integers(0, 10**6))
def test_as_scikit_learn(n: int, d: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=(n, d)) + 5
    found, theirs = decomposed(x), PCA().fit(x)
    r = min(n - 1, d)
    assert found.components.shape == (r, d)
    np.testing.assert_allclose(
        found.variances * n / (n - 1), theirs.explained_variance_[:r], rtol=1e-6, atol=1e-12
    )
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(r), atol=1e-6)
    back = found.coordinates(x) @ found.components + found.mean
    np.testing.assert_allclose(back, x, atol=1e-6)


@pytest.mark.parametrize(("n", "d"), [(3, 5), (5, 3)])
def test_all_the_same_is_a_sentence(n: int, d: int) -> None:
    for value in (0.0, 0.1, 1 / 3):
        with pytest.raises(EigenfacesError, match="the same"):
            decomposed(np.full((n, d), value))
