"""Principal components: exact ones against scikit-learn, and how far the others follow."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from synthetic import exact_faces, principal_angles, truth

from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.space import pca
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.pca import LEADING, RESOLVED, TOLERANCE, Decomposition, decompose


def by_random_start(faces: Floats, n_components: int | None = None) -> Decomposition:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pca, "LARGEST_EXACT", 100)
        return decompose(faces, n_components=n_components)


def singular_values(matrix: np.ndarray) -> Doubles:
    return np.linalg.svd(matrix - matrix.mean(axis=0), compute_uv=False)


def natural_faces(n: int, d: int) -> Floats:
    """Faces with the spectrum of real ones: σᵢ ∝ i^−¾ (AT&T, varied: −0.65 … −0.83)."""
    rng, k = np.random.default_rng(4), min(n, d)
    scores = rng.standard_normal((n, k)) * np.arange(1, k + 1) ** -0.75
    basis = np.linalg.qr(rng.standard_normal((d, k)))[0]
    return (0.5 + scores @ basis.T).astype(np.float32)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(st.integers(2, 20), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_values_and_components_of_any_shape(
    dtype: type[np.floating], n: int, d: int, seed: int
) -> None:
    """Single precision promises directions down to `RESOLVED` of the largest, double all."""
    faces = np.random.default_rng(seed).random((n, d)).astype(dtype)
    assume(np.ptp(faces, axis=0).max() > 1e-3)
    single = dtype is np.float32
    result, exact = decompose(faces), singular_values(faces.astype(float))
    largest, k = exact[0], len(result.singular_values)
    assert k <= min(n - 1, d)
    assert (exact[k:] < largest * (RESOLVED if single else 2 * TOLERANCE)).all()
    rounding = 2.0**-23 if single else 1e-13
    np.testing.assert_allclose(result.mean, faces.mean(axis=0, dtype=float), atol=1e-7)
    variance = faces.var(axis=0, ddof=1, dtype=float).sum()
    assert result.total_variance == pytest.approx(variance, rel=1e-6)
    values = result.singular_values
    np.testing.assert_allclose(values, exact[:k], rtol=0, atol=4 * rounding * largest)
    assert (np.diff(values) <= 0).all()
    assert result.components.shape == (k, d)
    assert result.components.dtype == result.coordinates.dtype == dtype
    # Errors of squares, taken back to the smallest value that is told from rounding.
    near = rounding / (RESOLVED if single else TOLERANCE)
    along = (faces - result.mean) @ result.components.T
    np.testing.assert_allclose(along, result.coordinates, rtol=0, atol=near * largest)
    squares = result.components @ result.components.T
    np.testing.assert_allclose(squares, np.eye(k), rtol=0, atol=near)


def test_what_cannot_be_decomposed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for faces, why in (
        (np.full((5, 9), 0.3), "All faces are the same"),
        (np.full((20, 9), 0.3), "All faces are the same"),
        (np.full((1, 9), 0.3), "at least two"),
        (np.where(np.eye(5, 9) > 0, np.nan, 0.3), "not numbers"),
        (np.where(np.eye(5, 9) > 0, np.inf, 0.3), "not numbers"),
    ):
        for most in (3000, 3):
            monkeypatch.setattr(pca, "LARGEST_EXACT", most)
            with pytest.raises(EigenfacesError, match=why):
                decompose(faces.astype(np.float32))


def test_a_random_start_follows_the_exact_route_on_the_spectrum_of_faces() -> None:
    faces = natural_faces(900, 1000)
    exact, result = decompose(faces), by_random_start(faces)
    assert len(result.singular_values) == LEADING
    ratio = result.singular_values / exact.singular_values[:LEADING]
    np.testing.assert_allclose(ratio[:300], 1, atol=2e-5)
    np.testing.assert_allclose(ratio, 1, atol=0.02)
    assert principal_angles(result.components, exact.components[:300]).max() < 0.02
    assert result.total_variance == pytest.approx(exact.total_variance, rel=1e-5)
    assert ((exact.components[:50] * result.components[:50]).sum(axis=1) > 0.999).all()
    squares = result.components @ result.components.T
    np.testing.assert_allclose(squares, np.eye(LEADING), atol=2e-5)
    along = (faces[:20] - result.mean) @ result.components.T
    np.testing.assert_allclose(along, result.coordinates[:20], atol=1e-4)


@pytest.mark.parametrize("times", [1, 2])
def test_low_rank_stays_low(rng: np.random.Generator, times: int) -> None:
    """Directions that are rounding only are no components, in single precision too."""
    of = truth(rng, (40, 40), 5)
    faces = np.repeat(exact_faces(rng, of, 600 // times), times, axis=0)
    result = by_random_start(faces.astype(np.float32))
    exact = singular_values(faces.astype(float))[:5]
    np.testing.assert_allclose(result.singular_values, exact, rtol=1e-4)
    assert principal_angles(of.components, result.components).max() < 1e-5


@pytest.mark.parametrize(("n", "d", "exact"), [(9, 50, 3000), (50, 9, 3000), (300, 400, 100)])
def test_the_work_is_told_and_can_be_stopped(
    rng: np.random.Generator, n: int, d: int, exact: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pca, "_NUMBERS_AT_ONCE", 16 * d)
    monkeypatch.setattr(pca, "LARGEST_EXACT", exact)
    matrix = rng.random((n, d), np.float32)
    seen: list[float] = []
    decompose(matrix, tick=lambda done, total: seen.append(done / total))
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == 1

    def stop(done: int, total: int) -> None:
        if done > 0.6 * total:
            raise Cancelled

    with pytest.raises(Cancelled):
        decompose(matrix, tick=stop)
