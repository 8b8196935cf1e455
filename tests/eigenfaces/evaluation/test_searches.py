"""Spaces and searches of a fold, beside a face space and a gallery fitted in the usual way."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import FaceSet, FaceSpace, Recipe
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.run import fit_fold, principal_of
from eigenfaces.evaluation.searches import (
    FoldPoints,
    PairScores,
    Searches,
    compare_pairs,
    search,
)
from eigenfaces.faces.lighting import Lighting, Window
from eigenfaces.recognition.recipe import RECIPES, Rule
from eigenfaces.space.arrays import Numbers
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.principal import fit
from evaluation.drawn import faces_of, numbers_of, verdicts

ALL = Recipe.of(components=1.0)
seeds = st.integers(0, 2**32 - 1)
rules = st.sampled_from(get_args(Rule))


recipes = st.builds(
    Recipe.of,
    lighting=st.sampled_from(get_args(Lighting)),
    window=st.sampled_from(get_args(Window)),
    components=st.sampled_from([1, 3, 8, 0.6, 0.9]),
    distance=st.sampled_from(list(DISTANCES)),
    rule=rules,
)


def search_fold(faces: FaceSet, fold: Fold, recipe: Recipe) -> Searches:
    return search(points_of(faces, fold.train, recipe), fold, 7, numbers_of(faces))


def points_of(faces: FaceSet, train: Numbers, recipe: Recipe) -> FoldPoints:
    principal = principal_of(faces, recipe.features)
    fitted = fit_fold(principal, train, numbers_of(faces), recipe)
    return FoldPoints.of(principal, fitted, recipe)


@given(seeds, recipes, st.booleans())
def test_it_answers_as_a_gallery_does(seed: int, recipe: Recipe, wide: bool) -> None:
    """Distances, order, nearest photographs: for every distance and rule."""
    rng = np.random.default_rng(seed)
    faces = faces_of(rng, [5, 3, 4, 6, 4], (8, 8) if wide else (4, 3), block=2 if wide else 6)
    order = rng.permutation(len(faces))
    fold = Fold(np.sort(order[:15]), np.sort(order[3:16]), np.sort(order[16:]))
    searches, expected = search_fold(faces, fold, recipe), verdicts(faces, fold, recipe)
    assert (searches.fold == 7).all()
    assert (searches.probes == fold.probes).all()
    scale = max(abs(match.distance) for one in expected for match in one.ranking) + 1e-9
    for number, verdict in enumerate(expected):
        own = faces.index.photos[fold.probes[number]].person
        names = [match.person for match in verdict.ranking]
        line = searches.distances[number]
        assert np.isfinite(line).sum() == len(names)
        for match in verdict.ranking:
            there = line[faces.index.people.index(match.person)]
            assert there == pytest.approx(match.distance, abs=2e-4 * scale, rel=1e-3)
        assert (searches.ranks[number] > 0) == (own in names)
        near_ties = np.diff(sorted(match.distance for match in verdict.ranking)) < 1e-3 * scale
        if near_ties.any():
            continue  # single precision may decide these otherwise
        assert faces.index.people[searches.answers[number]] == names[0]
        rows = {match.person: fold.gallery[match.row] for match in verdict.ranking}
        assert searches.ranks[number] == (names.index(own) + 1 if own in names else 0)
        assert faces.index.photos[searches.taken[number]].person == names[0]
        if not (np.diff(verdict.distances) < 1e-3 * scale).any():
            assert searches.taken[number] == rows[names[0]]
            assert searches.should[number] == rows.get(own, -1)


def test_who_is_enrolled_untrained_is_found_too(att: FaceSet) -> None:
    faces = att.select([row for row in range(80) if row % 10 < 6])
    rows = np.arange(len(faces))
    known = rows[rows % 6 < 4]
    fold = Fold(known[known < 42], known, np.setdiff1d(rows, known))
    searches = search_fold(faces, fold, RECIPES["Fisherfaces"])
    for number, verdict in enumerate(verdicts(faces, fold, RECIPES["Fisherfaces"])):
        there = searches.distances[number]
        told = [there[faces.index.people.index(match.person)] for match in verdict.ranking]
        np.testing.assert_allclose(told, [m.distance for m in verdict.ranking], atol=2e-4)


@given(seeds, rules)
def test_a_probe_is_never_its_own_neighbour(seed: int, rule: Rule) -> None:
    """Enrolled and searched for at once, it is found as if it had not been enrolled."""
    rng = np.random.default_rng(seed)
    faces = faces_of(rng, [3, 2, 4])
    everybody = np.arange(len(faces))
    recipe = Recipe.of(components=1.0, rule=rule)
    together = search_fold(faces, Fold(everybody, everybody, everybody), recipe)
    assert len(together) == len(faces)
    for row in everybody:
        others = np.delete(everybody, row)
        alone = search_fold(faces, Fold(everybody, others, np.array([row])), recipe)
        for name in ("ranks", "answers", "taken", "should", "probes", "people"):
            assert getattr(alone, name)[0] == getattr(together, name)[row]
        np.testing.assert_allclose(alone.distances[0], together.distances[row])
        assert together.taken[row] != row
        assert together.should[row] != row


@pytest.mark.parametrize("rule", get_args(Rule))
def test_faces_fitted_to_that_are_all_the_same_are_all_ties(rule: Rule) -> None:
    """The first of those enrolled comes first; whoever is not enrolled, never."""
    pictures = np.full((9, 4, 4), 0.5)
    pictures[8] = np.linspace(0, 1, 16).reshape(4, 4)
    faces = FaceSet.from_arrays(pictures, list("aabbccdde"))
    recipe = Recipe.of(rule=rule)
    gallery = np.array([2, 4, 5, 6])
    searches = search_fold(faces, Fold(gallery, gallery, np.array([0, 3, 7])), recipe)
    assert np.isinf(searches.distances[:, [0, 4]]).all()
    assert (searches.distances[:, 1:4] == 0).all()
    assert searches.answers.tolist() == [1, 1, 1]
    assert searches.ranks.tolist() == [0, 1, 3]


@given(seeds)
def test_pairs_are_compared_like_searches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    faces = faces_of(rng, [3, 3, 3])
    of = numbers_of(faces)
    pairs = rng.integers(0, 9, (int(rng.integers(1, 600)), 2))
    recipe = Recipe.of(distance=str(rng.choice(list(DISTANCES))))
    compared = points_of(faces, np.arange(7), recipe)
    scores = compare_pairs(compared, pairs, 3, of)
    assert len(scores) == len(pairs)
    assert (scores.fold == 3).all()
    assert (scores.mated == (of[pairs[:, 0]] == of[pairs[:, 1]])).all()
    everything = compared.distances(compared.points, compared.points)
    np.testing.assert_allclose(
        scores.distances, everything[pairs[:, 0], pairs[:, 1]], rtol=1e-9, atol=1e-12
    )


def test_what_is_left_out_is_what_reconstruction_loses(rng: np.random.Generator) -> None:
    faces = faces_of(rng, [6] * 5)
    train, tested = np.arange(20), np.arange(20, 30)
    principal = principal_of(faces, ALL.features)
    ours = fit(principal, train)
    plain = FaceSpace.fit(faces.pixels[train], faces.shape)
    np.testing.assert_allclose(ours.variances, plain.variances, rtol=1e-3)
    np.testing.assert_allclose(ours.variance_kept, np.cumsum(plain.variance_ratio), atol=1e-5)
    lost, whole = (
        ours.squares_lost(principal, tested),
        ((faces.pixels[tested] - plain.mean) ** 2).sum(axis=1),
    )
    assert lost.shape == (19,)
    for k in (1, 7, 19):
        back = plain.first(k).reconstruct(plain.first(k).project(faces.pixels[tested]))
        error = ((faces.pixels[tested] - back) ** 2).sum(axis=1)
        assert lost[k - 1] == pytest.approx((error / whole).mean(), rel=1e-4)
    np.testing.assert_allclose(ours.squares_lost(principal, train)[-1], 0, atol=1e-9)


def test_a_pair_at_the_threshold_of_its_fold_is_of_one_person() -> None:
    distances = np.array([1, np.nextafter(1, 2), 1, 2])
    fold = np.array([0, 0, 1, 1])
    of_one = PairScores(fold, np.zeros((4, 2), np.intp), distances, np.ones(4, bool))
    assert of_one.right(np.array([1.0, 1.5])).tolist() == [True, False, True, False]
    of_two = replace(of_one, mated=np.zeros(4, bool))
    assert of_two.right(np.array([1.0, 1.5])).tolist() == [False, True, False, True]
