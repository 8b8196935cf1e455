"""Every number of components at once, beside one search for each."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation import by_components
from eigenfaces.evaluation.by_components import CURVE_DISTANCES, fold_curves, pooled_curves
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.run import principal_of
from eigenfaces.evaluation.searches import FoldPoints, search
from eigenfaces.recognition.recipe import Rule
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.principal import fit
from evaluation.drawn import faces_of, numbers_of

seeds = st.integers(0, 2**32 - 1)


@given(
    seeds,
    st.sampled_from(list(DISTANCES)),
    st.sampled_from(get_args(Rule)),
    st.sampled_from([0, 2]),
    st.sampled_from([1, 100, 1 << 15]),
    st.sampled_from([0.0, 1.0]),
)
@example(0, "L2", "class mean", 0, 100, 1.0)
@example(1, "L2", "class mean", 2, 1, 1.0)
def test_every_number_of_components_is_a_search(
    seed: int, distance: str, rule: Rule, dropped: int, at_once: int, scatter: float
) -> None:
    """Not everybody is enrolled, and some of those asked about are strangers."""
    rng = np.random.default_rng(seed)
    faces = faces_of(rng, [4, 3, 5, 4, 2], (3, 4), spread=0.3)
    of = numbers_of(faces)
    order = rng.permutation(len(faces))
    gallery = np.sort(order[:9][of[order[:9]] != rng.integers(5)])
    fold = Fold(np.sort(order[:11]), gallery, np.sort(order[11:]))
    recipe = Recipe.of(rule=rule, dropped=dropped, components=1.0, distance=distance)
    principal = principal_of(faces, recipe.features)
    fitted = fit(principal, fold.train)
    mated = np.isin(of[fold.probes], of[gallery])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_components, "_NUMBERS_AT_ONCE", at_once)
        patch.setattr(type(recipe.features), "PERSON_SCATTER", scatter)
        by = fold_curves(principal, fitted, fold, of, recipe, (distance,))
        for k in range(dropped + 1, len(fitted) + 1):
            one = recipe.changed(components=k)
            searches = search(FoldPoints.of(principal, fitted, one), fold, 0, of)
            assert (by.right[distance][k - 1] == searches.right[mated]).all(), k
    assert by.people.tolist() == of[fold.probes[mated]].tolist()
    assert by.right[distance].shape == (len(fitted), mated.sum())
    np.testing.assert_allclose(by.variance_kept, fitted.variance_kept)


def test_of_people_with_the_same_faces_the_first_comes_first(rng: np.random.Generator) -> None:
    """For every k, in whatever order the photographs are enrolled."""
    faces = faces_of(rng, [1] * 9, spread=0.4)
    levels = np.tile(faces.levels.reshape(9, *faces.shape) / 255, (4, 1, 1))
    people = np.append(np.repeat([0, 1, 2], 9), [0] * 5 + [1] * 4)
    copies = FaceSet.from_arrays(levels, [f"Person {who}" for who in people])
    principal = principal_of(copies, Recipe().features)
    fitted = fit(principal, np.arange(9))
    fold = Fold(np.arange(9), rng.permutation(27), np.arange(27, 36))
    by = fold_curves(principal, fitted, fold, people, Recipe(), CURVE_DISTANCES)
    for right in by.right.values():
        assert (right == [True] * 5 + [False] * 4).all()


def test_a_fold_without_mated_searches_counts_for_nothing(rng: np.random.Generator) -> None:
    faces = faces_of(rng, [3, 3, 3])
    of = numbers_of(faces)
    strangers, members = np.flatnonzero(of == 2), np.flatnonzero(of != 2)
    principal = principal_of(faces, Recipe().features)
    fitted = fit(principal, members)
    by, other = (
        fold_curves(principal, fitted, Fold(members, members, probes), of, Recipe(), ("L2",))
        for probes in (strangers, members)
    )
    assert by.right["L2"].shape == (5, 0)
    alone = pooled_curves([by], 3)
    assert np.isnan(alone.accuracy["L2"]).all()
    assert ((alone.low["L2"] == 0) & (alone.high["L2"] == 1)).all()
    both, one = pooled_curves([by, other], 3), pooled_curves([other], 3)
    assert (both.accuracy["L2"] == one.accuracy["L2"]).all()
    np.testing.assert_allclose(both.squares_lost, one.squares_lost)
