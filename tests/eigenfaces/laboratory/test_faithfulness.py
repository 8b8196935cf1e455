"""Trustworthiness and continuity: our formula against scikit-learn's."""

import pytest
from scipy.spatial.distance import cdist
from sklearn.manifold import trustworthiness as theirs

from eigenfaces.errors import Cancelled
from eigenfaces.laboratory.maps import faithfulness


def between(points):
    return lambda rows: cdist(points[rows], points)


@pytest.mark.parametrize(("n", "k"), [(12, 1), (40, 5), (150, 20)])
def test_it_is_scikit_learns(rng, n, k):
    points = rng.standard_normal((n, 8))
    for on_map in (points[:, :2], rng.standard_normal((n, 2))):
        kept = faithfulness(between(points), between(on_map), n, neighbours=k)
        expected = theirs(points, on_map, n_neighbors=k)
        assert kept.trustworthiness == pytest.approx(expected, abs=1e-12)


def test_continuity_is_trustworthiness_the_other_way_round(rng):
    points = rng.standard_normal((60, 6))
    kept = faithfulness(between(points), between(points[:, :2]), 60)
    assert kept.faces == 60
    assert kept.neighbours == 5
    assert kept.trustworthiness == pytest.approx(theirs(points, points[:, :2]), abs=1e-12)
    assert kept.continuity == pytest.approx(theirs(points[:, :2], points), abs=1e-12)


def test_a_map_that_shows_all_keeps_all(rng):
    points = rng.standard_normal((30, 2))
    kept = faithfulness(between(points), between(3 * points + 1), 30)
    assert (kept.trustworthiness, kept.continuity) == (1.0, 1.0)


def test_of_many_faces_some_are_asked_about(rng):
    points = rng.standard_normal((1500, 5))
    kept = faithfulness(between(points), between(points[:, :2]), 1500)
    assert kept.faces == 1000
    whole = theirs(points, points[:, :2])
    assert kept.trustworthiness == pytest.approx(whole, abs=0.01)
    assert kept == faithfulness(between(points), between(points[:, :2]), 1500)


@pytest.mark.parametrize("n", [1, 2])
def test_with_hardly_any_faces_there_is_nothing_to_measure(rng, n):
    points = rng.standard_normal((n, 2))
    assert faithfulness(between(points), between(points), n) is None


def test_it_can_be_cancelled(rng):
    points = rng.standard_normal((200, 4))

    def stop(done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        faithfulness(between(points), between(points), 200, stop)
