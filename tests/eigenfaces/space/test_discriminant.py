"""The axes in which people differ: as defined, what they leave out, parts that add up."""

import numpy as np
import pytest
from scipy.linalg import solve

from eigenfaces import DISTANCES
from eigenfaces.errors import EigenfacesError
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.discriminant import Scatter
from eigenfaces.space.principal import MatchingSpace, Principal, fit

PEOPLE = np.repeat(np.arange(8), 4)


def drawn(features: int = 30, seed: int = 0, people: Numbers = PEOPLE) -> Floats:
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(100).standard_normal((people.max() + 1, features))
    faces = centres[people] + 0.5 * rng.standard_normal((len(people), features))
    return faces.astype(np.float32)


def fitted(faces: Floats, people: Numbers, scatter: Scatter) -> MatchingSpace:
    principal = Principal.of(faces)
    return MatchingSpace.of(principal, fit(principal, np.arange(len(faces)), people, scatter))[0]


def cosines(space: MatchingSpace, probes: Floats, faces: Floats) -> Doubles:
    return 1 - DISTANCES["cosine"](space.project(probes), space.project(faces), space.variances)


def by_definition(
    probes: Floats, faces: Floats, people: Numbers, scatter: Scatter, ridge: float = 1 / 9
) -> Doubles:
    """Return cosines of ⟨x, y⟩ = xᵀ P y, where P = G M (Mᵀ G M)⁺ Mᵀ G and G = (S + cI)⁻¹.

    So faces are whitened, and projected onto the span of the people's whitened means M.
    """
    centred = faces.astype(float) - faces.mean(axis=0, dtype=float)
    who = np.unique(people[people >= 0])
    means = np.stack([centred[people == person].mean(axis=0) for person in who])
    away = centred
    if scatter == "within people":
        away = np.concatenate(
            [centred[people == person] - mean for person, mean in zip(who, means, strict=True)]
        )
    squares = away.T @ away
    squares += ridge * np.trace(squares) / (len(faces) - 1) * np.eye(len(squares))
    means = (means - means.mean(axis=0)).T
    solved = solve(squares, means, assume_a="pos")
    inner = solved @ np.linalg.pinv(means.T @ solved, rcond=1e-9, hermitian=True) @ solved.T
    a, b = (x.astype(float) - faces.mean(axis=0, dtype=float) for x in (probes, faces))
    lengths = [np.sqrt(np.einsum("ij,jk,ik->i", x, inner, x)) for x in (a, b)]
    return a @ inner @ b.T / np.multiply.outer(*lengths)


@pytest.mark.parametrize("scatter", ["within people", "total"])
@pytest.mark.parametrize("features", [30, 12, 6])
@pytest.mark.parametrize("nobody", [0, 5])
def test_as_defined(scatter: Scatter, features: int, nobody: int) -> None:
    """Of more features than faces and fewer, fewer than people; faces of nobody have no mean."""
    people = np.concatenate([PEOPLE, np.full(nobody, 8)])
    faces, probes = drawn(features, people=people), drawn(features, seed=1)
    people = np.where(people == 8, -1, people)
    space = fitted(faces, people, scatter)
    assert len(space) == min(7, features)
    wanted = by_definition(probes, faces, people, scatter)
    np.testing.assert_allclose(cosines(space, probes, faces), wanted, atol=1e-4)
    np.testing.assert_allclose(space.project(faces).var(axis=0, ddof=1), space.variances, rtol=1e-4)
    assert space.variance_kept[-1] == pytest.approx(1)


def test_nobody_who_differs_from_themselves(rng: np.random.Generator) -> None:
    """Of one photograph each, and of the same one again, all that differs is whitened."""
    faces = rng.random((9, 30), np.float32)
    for times in (1, 3):
        every, people = np.repeat(faces, times, axis=0), np.repeat(np.arange(9), times)
        spaces = [fitted(every, people, scatter) for scatter in ("within people", "total")]
        np.testing.assert_array_equal(spaces[0].axes, spaces[1].axes)


def test_what_the_axes_leave_out() -> None:
    faces = drawn()
    space = fitted(faces, PEOPLE, "within people")
    inside = space.mean + np.float32(0.1) * space.axes[:3].sum(axis=0)
    for k, far in ((5, False), (3, False), (2, True)):
        along, outside = space.project_with_residual(inside[None], k)
        np.testing.assert_allclose(along, space.project(inside[None])[:, :k], rtol=1e-4)
        assert (outside[0] > 1e-3) == far
    _, all_of_it = space.project_with_residual(faces, 0)
    np.testing.assert_allclose(all_of_it, np.linalg.norm(faces - space.mean, axis=1), rtol=1e-5)


def test_the_parts_of_features_add_up() -> None:
    faces = drawn()
    space = fitted(faces, PEOPLE, "total")
    weights = np.linspace(-1, 2, len(space))
    result = space.contributions(faces, weights)
    assert result.shape == faces.shape
    np.testing.assert_allclose(result.sum(axis=1), space.project(faces) @ weights, atol=1e-5)


def test_the_size_of_features_must_fit() -> None:
    with pytest.raises(EigenfacesError, match="30: prepare the photos"):
        fitted(drawn(), PEOPLE, "total").project(drawn()[:, 1:])
