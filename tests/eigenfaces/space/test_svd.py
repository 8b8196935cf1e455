"""Three routes of the textbook, one answer; and how far the fourth follows."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from synthetic import exact_faces, principal_angles, truth

from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.svd import LEADING, decompose

Arrays = tuple[NDArray[np.float64], NDArray[np.float64]]


def crops(pixels: NDArray[np.floating]) -> Crops:
    return Crops(np.asarray(pixels, np.float32))


def centred(faces: Crops) -> NDArray[np.float64]:
    pixels = faces[:].astype(np.float64)
    return pixels - pixels.mean(axis=0)


def svd(
    pixels: NDArray[np.floating] | Crops, **how: Any
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return the singular values and the components."""
    made = decompose(pixels if isinstance(pixels, Crops) else crops(pixels), **how)
    return made.singular_values, made.components


def by_svd(matrix: NDArray[np.float64]) -> Arrays:
    _, values, vectors = np.linalg.svd(matrix, full_matrices=False)
    return values, vectors


def by_covariance_eigenvectors(matrix: NDArray[np.float64]) -> Arrays:
    squares, vectors = np.linalg.eigh(matrix.T @ matrix)
    return np.sqrt(np.maximum(squares[::-1], 0)), vectors[:, ::-1].T


def by_gram_trick(matrix: NDArray[np.float64]) -> Arrays:
    squares, left = np.linalg.eigh(matrix @ matrix.T)
    values = np.sqrt(np.maximum(squares[::-1], 0))
    keep = values > 1e-6 * values[0]
    return values[keep], (left[:, ::-1][:, keep] / values[keep]).T @ matrix


def natural_faces(rng: np.random.Generator, n: int, d: int) -> NDArray[np.float32]:
    """Faces with the spectrum of real ones: σᵢ ∝ i^−¾ (AT&T, varied: −0.65 … −0.83)."""
    k = min(n, d)
    scores = (
        rng.standard_normal((n, k), np.float32) * np.arange(1, k + 1, dtype=np.float32) ** -0.75
    )
    basis = np.linalg.qr(rng.standard_normal((d, k)))[0].astype(np.float32)
    return np.float32(0.5) + scores @ basis.T


@pytest.mark.parametrize(("n", "d"), [(12, 80), (80, 12), (30, 30), (2, 50), (50, 2)])
def test_the_three_routes_of_the_textbook_agree(rng: np.random.Generator, n: int, d: int) -> None:
    matrix = crops(rng.random((n, d)))
    dense = centred(matrix)
    values, components = svd(matrix)
    assert len(values) == min(n - 1, d)
    for route in (by_svd, by_covariance_eigenvectors, by_gram_trick):
        theirs, directions = route(dense)
        k = len(values)
        # H. Weyl: rounding the pixels to single precision moves no value further than this.
        rounding = np.finfo(np.float32).eps / 2 * theirs[0]
        np.testing.assert_allclose(values, theirs[:k], rtol=1e-6, atol=rounding)
        same = np.abs((components * directions[:k]).sum(axis=1))
        np.testing.assert_allclose(same, 1, atol=2e-6)  # the components are float32


@given(st.integers(2, 20), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_values_and_components_of_any_shape(n: int, d: int, seed: int) -> None:
    matrix = crops(np.random.default_rng(seed).random((n, d)))
    values, components = svd(matrix)
    exact = by_svd(centred(matrix))[0]
    k = len(values)
    assert k <= min(n - 1, d)
    np.testing.assert_allclose(values, exact[:k], rtol=1e-5, atol=1e-6)
    assert (exact[k:] <= 2e-6 * exact[0]).all()
    assert components.shape == (k, d)
    assert components.dtype == np.float32
    np.testing.assert_allclose(components @ components.T, np.eye(k), atol=1e-5)
    assert (np.diff(values) <= 0).all()


def test_known_components_are_recovered(rng: np.random.Generator) -> None:
    of = truth(rng, (16, 16), 6)
    values, components = svd(exact_faces(rng, of, 40))
    np.testing.assert_allclose(values[:6] ** 2 / 39, of.variances, rtol=1e-5)
    assert principal_angles(of.components, components[:6]).max() < 1e-5


def test_equal_faces_are_refused() -> None:
    for faces in (np.full((5, 9), 0.3), np.full((20, 9), 0.3)):
        with pytest.raises(EigenfacesError, match="All faces are the same"):
            svd(faces)
    with pytest.raises(EigenfacesError, match="All faces are the same"):
        svd(np.full((20, 19), 0.3), largest_exact=5)


def test_repeated_faces_add_no_rank(rng: np.random.Generator) -> None:
    faces = rng.random((4, 60), np.float32)
    assert len(svd(np.repeat(faces, 5, axis=0))[0]) == 3
    assert len(svd(np.repeat(faces, 30, axis=0))[0]) == 3  # the other route


def test_the_null_direction_is_cut(rng: np.random.Generator) -> None:
    """Trap 4: n centred faces span n − 1 directions, and whitening the n-th is ruin."""
    for n, d in ((20, 300), (300, 20)):
        values, _ = svd(rng.random((n, d)))
        assert len(values) == min(n - 1, d)
        assert values[-1] > 1e-3 * values[0]


@pytest.mark.parametrize(("n", "d"), [(12, 90), (90, 12)])
def test_signs_do_not_depend_on_the_route(rng: np.random.Generator, n: int, d: int) -> None:
    faces = rng.random((n, d), np.float32)
    _, components = svd(faces)
    largest = np.abs(components).argmax(axis=1)
    assert (components[np.arange(len(components)), largest] > 0).all()
    _, reordered = svd(faces[rng.permutation(n)])
    np.testing.assert_allclose(components, reordered, atol=1e-5)


Routes = list[tuple[NDArray[np.float64], NDArray[np.float32]]]


@pytest.fixture(scope="module")
def routes() -> Routes:
    """The exact route and the Krylov route on the same 1400 faces of 1500 pixels."""
    matrix = crops(natural_faces(np.random.default_rng(4), 1400, 1500))
    return [svd(matrix), svd(matrix, largest_exact=100)]


class TestKrylov:
    """On a spectrum like that of faces it follows the exact route to single precision."""

    def test_it_agrees_with_the_exact_route(self, routes: Routes) -> None:
        (exact, _), (values, _) = routes
        assert len(values) == LEADING
        np.testing.assert_allclose(values, exact[:LEADING], rtol=2e-6)  # measured: 1e-7

    def test_it_finds_the_same_leading_space(self, routes: Routes) -> None:
        (_, exact), (_, components) = routes
        assert principal_angles(exact[:100], components[:100]).max() < 1e-3
        assert principal_angles(exact[:300], components[:300]).max() < 2e-4  # measured: 7e-6
        assert principal_angles(exact[:LEADING], components).max() < 5e-4  # measured: 2e-5

    def test_signs_are_those_of_the_exact_route(self, routes: Routes) -> None:
        (_, exact), (_, components) = routes
        assert ((exact[:50] * components[:50]).sum(axis=1) > 0.999).all()

    def test_components_are_orthonormal(self, routes: Routes) -> None:
        components = routes[1][1]
        np.testing.assert_allclose(components @ components.T, np.eye(LEADING), atol=2e-5)

    def test_two_runs_agree_bit_for_bit(self) -> None:
        matrix = crops(natural_faces(np.random.default_rng(4), 400, 1600))
        first, second = (svd(matrix, largest_exact=100) for _ in range(2))
        assert np.array_equal(first[0], second[0])
        assert np.array_equal(first[1], second[1])

    def test_low_rank_stays_low(self, rng: np.random.Generator) -> None:
        """Directions that are rounding only are no components, in single precision too."""
        of = truth(rng, (40, 40), 5)
        values, components = svd((exact_faces(rng, of, 1500)), largest_exact=100)
        np.testing.assert_allclose(values**2 / 1499, of.variances, rtol=1e-4)
        assert principal_angles(of.components, components).max() < 1e-5


@pytest.mark.parametrize(("n", "d", "exact"), [(9, 50, 3000), (50, 9, 3000), (300, 400, 100)])
def test_the_work_is_told_and_can_be_stopped(
    rng: np.random.Generator, n: int, d: int, exact: int
) -> None:
    matrix = crops(rng.random((n, d)))
    seen: list[tuple[int, int]] = []
    svd(matrix, tick=lambda done, total: seen.append((done, total)), largest_exact=exact)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1]

    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        svd(matrix, tick=stop, largest_exact=exact)
