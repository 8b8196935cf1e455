"""From distances to photographs to an order of people, beside the rules written out plainly."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier

from eigenfaces import FaceSpace, Recipe
from eigenfaces.recognition.neighbours import Comparison, Enrolled, Matching, order_of_people
from eigenfaces.recognition.recipe import Rule

seeds = st.integers(0, 2**32 - 1)
INF = np.inf


def drawn(seed: int, ties: bool = False) -> tuple[Enrolled, NDArray[np.float64]]:
    """Return some of 6 people, enrolled in mixed order, and distances of 4 probes to them."""
    rng = np.random.default_rng(seed)
    people = rng.choice(rng.permutation(6)[:4], int(rng.integers(1, 15)))
    distances = rng.uniform(0, 5, (4, len(people)))
    return Enrolled(people, 6), np.round(distances) if ties else distances


@given(seeds, st.booleans())
def test_distances_to_people(seed: int, ties: bool) -> None:
    enrolled, to_photos = drawn(seed, ties)
    nearest = enrolled.distances(to_photos, "nearest")
    mean = enrolled.distances(to_photos, "mean distance")
    photos = enrolled.nearest_photos(to_photos)
    for probe, person in np.ndindex(4, 6):
        own = np.flatnonzero(enrolled.people == person)
        if not len(own):
            assert nearest[probe, person] == mean[probe, person] == INF
            assert photos[probe, person] == -1
            continue
        line = to_photos[probe, own]
        assert nearest[probe, person] == line.min()
        assert mean[probe, person] == pytest.approx(line.mean())
        assert photos[probe, person] == own[line.argmin()]  # the first of those equally near


@given(seeds)
def test_means(seed: int) -> None:
    enrolled, _ = drawn(seed)
    coordinates = np.random.default_rng(seed).standard_normal((len(enrolled.people), 3))
    means = enrolled.means(coordinates)
    assert means.shape == (6, 3)
    for person in range(6):
        own = coordinates[enrolled.people == person]
        if len(own):
            np.testing.assert_allclose(means[person], own.mean(axis=0))
        else:
            assert np.isnan(means[person]).all()


@given(seeds, st.booleans(), st.integers(1, 20))
def test_votes(seed: int, ties: bool, neighbours: int) -> None:
    enrolled, to_photos = drawn(seed, ties)
    votes, summed = enrolled.votes(to_photos, neighbours)
    assert (votes.sum(axis=1) == min(neighbours, len(enrolled.people))).all()
    for probe in range(4):
        first = sorted(range(len(enrolled.people)), key=lambda at: to_photos[probe, at])
        for person in range(6):
            own = [at for at in first[:neighbours] if enrolled.people[at] == person]
            assert votes[probe, person] == len(own)
            assert summed[probe, person] == pytest.approx(sum(to_photos[probe, own]))


def test_votes_by_hand() -> None:
    """Three neighbours: B has two of them though A is nearest; then a tie of one each."""
    enrolled = Enrolled(np.array([0, 1, 1, 2]), 3)
    to_photos = np.array([[1.0, 2, 3, 9], [3.0, 1, 9, 2]])
    votes, summed = enrolled.votes(to_photos, 3)
    assert votes.tolist() == [[1, 2, 0], [1, 1, 1]]
    assert summed.tolist() == [[1, 5, 0], [3, 1, 2]]
    to_people = enrolled.distances(to_photos, "nearest")
    assert order_of_people(to_people, votes, summed).tolist() == [[1, 0, 2], [1, 2, 0]]
    assert order_of_people(to_people).tolist() == [[0, 1, 2], [1, 2, 0]]


@given(seeds, st.sampled_from([1, 3, 5]))
def test_against_scikit_learn(seed: int, neighbours: int) -> None:
    """Where one person has most votes, both name the same."""
    rng = np.random.default_rng(seed)
    points, probes = rng.standard_normal((20, 3)), rng.standard_normal((6, 3))
    people = rng.integers(0, 4, 20)
    to_photos = np.linalg.norm(probes[:, None] - points, axis=2)
    enrolled = Enrolled(people, 4)
    votes, _ = enrolled.votes(to_photos, neighbours)
    matching = Matching(Recipe.of(neighbours=neighbours).matcher, enrolled, cdist, probes, points)
    theirs = KNeighborsClassifier(neighbours).fit(points, people).predict(probes)
    clear = np.sort(votes, axis=1)[:, -1] > np.sort(votes, axis=1)[:, -2]
    assert (matching.order[clear, 0] == theirs[clear]).all()


@given(seeds, st.booleans(), st.integers(1, 5))
def test_the_order(seed: int, ties: bool, neighbours: int) -> None:
    """Votes, then their sum, then distance, then who was enrolled first; all of them once."""
    enrolled, to_photos = drawn(seed, ties)
    to_people = enrolled.distances(to_photos, "nearest")
    votes, summed = enrolled.votes(to_photos, neighbours)
    plain, voted = order_of_people(to_people), order_of_people(to_people, votes, summed)
    for probe in range(4):
        assert plain[probe].tolist() == sorted(range(6), key=lambda i: (to_people[probe, i], i))
        assert voted[probe].tolist() == sorted(
            range(6),
            key=lambda i: (-votes[probe, i], summed[probe, i], to_people[probe, i], i),
        )
        present = len(np.unique(enrolled.people))
        assert set(plain[probe][:present]) == set(enrolled.people)  # who is not enrolled is last
        assert set(voted[probe][:present]) == set(enrolled.people)


@given(seeds, st.sampled_from(get_args(Rule)), st.sampled_from([1, 3]))
def test_matching(seed: int, rule: Rule, neighbours: int) -> None:
    """Votes count where the nearest of several photographs name somebody, and only there."""
    rng = np.random.default_rng(seed)
    probes, photos = rng.standard_normal((4, 3)), rng.standard_normal((12, 3))
    enrolled = Enrolled(np.repeat([0, 2, 3], 4), 5)
    recipe = Recipe.of(rule=rule, neighbours=neighbours)
    matching = Matching(recipe.matcher, enrolled, cdist, probes, photos)
    means = np.stack([photos[4 * i : 4 * i + 4].mean(axis=0) for i in range(3)])
    if rule == "class mean":
        np.testing.assert_allclose(matching.to_people[:, [0, 2, 3]], cdist(probes, means))
    else:
        expected = enrolled.distances(cdist(probes, photos), rule)
        assert (matching.to_people == expected).all()
    assert np.isinf(matching.to_people[:, [1, 4]]).all()
    voted = rule == "nearest" and neighbours > 1
    votes = enrolled.votes(matching.to_photos, neighbours) if voted else ()
    assert (matching.order == order_of_people(matching.to_people, *votes)).all()


def test_what_is_compared_is_divided_by_its_deviation() -> None:
    rng = np.random.default_rng(3)
    pixels = rng.random((9, 20), dtype=np.float32)
    space = FaceSpace.fit(pixels, (5, 4))
    recipe = Recipe.of(components=6, dropped=2, whitening="pca", smoothing="5%")
    comparison = Comparison.of(recipe.matcher, space)
    assert comparison.which == slice(2, 6)
    variances = space.variances[:6]
    white = space.project(pixels)[:, :6] / np.sqrt(variances + 0.05 * variances.mean())
    np.testing.assert_allclose(comparison.compared(space.project(pixels)), white[:, 2:], rtol=1e-5)


@given(seeds, st.sampled_from(get_args(Rule)[::2]))
def test_the_order_of_photos_is_nothing(seed: int, rule: Rule) -> None:
    enrolled, to_photos = drawn(seed)
    order = np.random.default_rng(seed).permutation(len(enrolled.people))
    other = Enrolled(enrolled.people[order], 6)
    np.testing.assert_allclose(
        enrolled.distances(to_photos, rule), other.distances(to_photos[:, order], rule)
    )
    nearest = other.nearest_photos(to_photos[:, order])
    expected = enrolled.nearest_photos(to_photos)
    assert (np.where(nearest < 0, -1, order[nearest]) == expected).all()


def test_no_probes() -> None:
    enrolled = Enrolled(np.array([0, 1, 1]), 2)
    none = np.empty((0, 3))
    assert enrolled.distances(none, "nearest").shape == (0, 2)
    assert enrolled.nearest_photos(none).shape == (0, 2)
    assert order_of_people(enrolled.distances(none, "mean distance")).shape == (0, 2)
