"""Points in a plane: neighbours by direction, cells with room, turning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eigenfaces.laboratory.maps import nearest, neighbour, turned, with_room

WAYS = {"right": (1, 0), "left": (-1, 0), "up": (0, 1), "down": (0, -1)}
small = st.integers(-4, 4).map(float)
clouds = st.integers(1, 12).flatmap(lambda n: arrays(np.float64, (n, 2), elements=small))


@given(clouds, st.sampled_from(sorted(WAYS)))
def test_a_neighbour_is_the_nearest_in_its_quarter(points, way):
    along = (points - points[0]) @ np.array(WAYS[way], float)
    beside = np.abs(points - points[0]).sum(axis=1) - np.abs(along)
    there = np.flatnonzero((along > 0) & (beside <= along))
    found = neighbour(points, 0, way)
    if found is None:
        assert not there.size
    elif (points[found] == points[0]).all():
        assert found != 0
    else:
        far = np.linalg.norm(points - points[0], axis=1)
        assert found in there
        assert far[found] == far[there].min()


def reached(points: np.ndarray) -> set[int]:
    """All that the arrow keys come to from the first point."""
    found, open_ = {0}, [0]
    while open_:
        row = open_.pop()
        steps = {neighbour(points, row, way) for way in WAYS} - {None} - found
        found |= steps
        open_ += steps
    return found


@pytest.mark.parametrize("n", [2, 30, 300])
def test_the_arrow_keys_reach_every_point(rng, n):
    points = rng.standard_normal((n, 2))
    assert reached(points) == set(range(n))


def test_points_at_one_place_are_reached_too(rng):
    points = np.repeat(rng.standard_normal((6, 2)), 3, axis=0)
    assert reached(points) == set(range(18))
    assert neighbour(points, 0, "right") == 1
    assert neighbour(points, 1, "left") == 0


@given(clouds, st.sampled_from([0.5, 1.0, 3.0]))
def test_one_point_of_each_cell_has_room_and_it_is_the_last(points, side):
    shown = with_room(points, side, side)
    cells = [tuple(cell) for cell in np.floor(points / side).astype(int)]
    assert sorted({cells[row] for row in np.flatnonzero(shown)}) == sorted(set(cells))
    assert shown.sum() == len(set(cells))
    for row in np.flatnonzero(shown):
        assert cells[row] not in cells[row + 1 :]


def test_turning_keeps_all_lengths_and_angles(rng):
    points = rng.standard_normal((20, 3))
    seen = turned(points, 0.7, -0.4)
    assert np.allclose(seen @ seen.T, points @ points.T)
    assert np.allclose(turned(points, 0, 0), points)


def test_the_nearest_are_sorted_and_without_oneself():
    assert nearest(np.array([3.0, 0.0, 2.0, 1.0]), 2, 1).tolist() == [3, 2]
    assert nearest(np.array([1.0, 1.0, 0.0]), 5).tolist() == [2, 0, 1]
