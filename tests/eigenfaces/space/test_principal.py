"""Principal coordinates: what they leave out, and fits, taken back to features."""

import numpy as np
import pytest

from eigenfaces.space import principal
from eigenfaces.space.arrays import Floats
from eigenfaces.space.principal import MatchingSpace, Principal, draw_rows, fit


@pytest.fixture
def faces(rng: np.random.Generator) -> Floats:
    return rng.random((24, 60), np.float32)


def test_the_space_of_a_fit_projects_faces_to_their_coordinates(faces: Floats) -> None:
    """Those fitted to, whose mean is not that of all, and the others."""
    every = Principal.of(faces)
    fitted = fit(every, np.arange(5, 17))
    space, coordinates = MatchingSpace.of(every, fitted)
    assert len(space) == 11
    np.testing.assert_allclose(space.mean, faces[5:17].mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(coordinates, space.project(faces), atol=1e-5)
    spread = space.project(faces[5:17]).var(axis=0, ddof=1)
    np.testing.assert_allclose(space.variances, spread, rtol=1e-4)


def test_what_coordinates_leave_out_is_counted(
    faces: Floats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(principal, "MOST_COORDINATES", 6)
    cut = Principal.of(faces)
    assert cut.is_truncated
    assert cut.coordinates.shape == (24, 6)
    squares = ((faces - faces.mean(axis=0)) ** 2).sum(axis=1)
    inside = (cut.coordinates**2).sum(axis=1)
    np.testing.assert_allclose(inside + cut.squares_outside, squares, rtol=1e-4)
    assert (cut.squares_outside > 0.1 * squares).all()
    whole = fit(cut, np.arange(24))
    total = faces.var(axis=0, ddof=1).sum()
    np.testing.assert_allclose(whole.variance_kept[-1], whole.variances.sum() / total, rtol=1e-4)
    assert whole.variance_kept[-1] < 0.7
    rows = np.array([20, 3, 11])
    selected = cut.select(rows)
    assert len(selected) == 3
    lost = whole.squares_lost(cut, rows)
    np.testing.assert_allclose(lost[-1], (cut.squares_outside / squares)[rows].mean(), rtol=1e-4)
    np.testing.assert_array_equal(whole.squares_lost(selected, np.arange(3)), lost)


def test_rounding_beside_the_variance_of_all_is_no_axis(faces: Floats) -> None:
    faces[:8] = faces[0] + 1e-7 * faces[:8]
    assert len(fit(Principal.of(faces), np.arange(8))) == 0
    assert len(fit(Principal.of(faces), np.arange(7, 12))) == 4


@pytest.mark.parametrize("count", [9, 10, 11, 500])
def test_of_many_rows_some_are_drawn_each_once_and_in_order(count: int) -> None:
    rows = 3 * np.arange(count)
    drawn = draw_rows(rows, 10)
    assert len(drawn) == min(count, 10)
    assert (np.diff(drawn) > 0).all()
    assert np.isin(drawn, rows).all()
    np.testing.assert_array_equal(drawn, draw_rows(rows, 10))


@pytest.mark.parametrize(("count", "features"), [(30, 60), (61, 40), (203, 300), (301, 100)])
def test_faces_that_are_the_same_have_the_same_coordinates(
    rng: np.random.Generator, count: int, features: int
) -> None:
    """To the last digit, wherever they are among the others, so that they are exact ties."""
    faces = rng.random((count, features), np.float32)
    same = [1, count // 2, count // 2 + 3, count - 1]
    faces[same] = faces[1]
    coordinates = Principal.of(faces).coordinates
    np.testing.assert_array_equal(coordinates[same], coordinates[[1, 1, 1, 1]])
    assert (coordinates[2] != coordinates[1]).any()
