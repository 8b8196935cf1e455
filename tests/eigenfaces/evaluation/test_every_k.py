"""Who comes first for every number of components: by bounds the same as by all the distances."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import Recipe
from eigenfaces.evaluation import every_k
from eigenfaces.evaluation.dimensions import FIVE, of_fold
from eigenfaces.evaluation.every_k import right_firsts
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.spaces import Spaces
from eigenfaces.space.distances import DISTANCES
from evaluation.drawn import faces_of, numbers_of

BOUNDED = ["L2", "L1", "cosine", "Mahalanobis cosine"]


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(BOUNDED),
    st.sampled_from(["whole numbers", "falling", "equal", "tiny differences"]),
    st.sampled_from([1, 8, 40]),
    st.sampled_from([1, 500_000]),
    st.sampled_from([20, 4_000_000]),
)
def test_the_same_as_all_distances(
    seed: int, distance: str, kind: str, exact: int, at_once: int, terms: int
) -> None:
    """Even where people are equally near, or only rounding lies between them."""
    rng = np.random.default_rng(seed)
    n, m, k = 12, 6, 40
    both = rng.standard_normal((n + m, k))
    if kind == "whole numbers":  # many ties, and faces at the mean itself
        both = rng.integers(-1, 2, (n + m, k)) * (rng.random((n + m, 1)) < 0.8).astype(float)
    elif kind == "falling":
        both = both / np.arange(1, k + 1)
    else:
        both = both[rng.integers(0, 3, n + m)]
        both += (kind == "tiny differences") * 1e-15 * rng.standard_normal(both.shape)
    probes, photos = both[:m], both[m:]
    asked, people = rng.integers(0, 5, m), rng.integers(0, 5, n)
    by = DISTANCES[distance].over_components(probes, photos, np.ones(k))
    nearest = by.min(axis=2, keepdims=True) == by
    first = np.where(nearest, people, 99).min(axis=2)
    limits = {"_EXACT": exact, "_NUMBERS_AT_ONCE": at_once, "_MOST_TERMS": terms}
    with patch.multiple(every_k, **limits):
        found = right_firsts(DISTANCES[distance], (probes, asked), (photos, people))
    assert (found == (first == asked)).all()


@pytest.mark.parametrize("rule", ["nearest", "class mean"])
@pytest.mark.parametrize("name", ["Eigenfaces", "Discriminant", "Texture"])
def test_of_a_fold(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch, name: str, rule: str
) -> None:
    """With the means of people, too."""
    faces = faces_of(rng, [8] * 9, (46, 40), spread=0.5)
    of, recipe = numbers_of(faces), Recipe.of(name, rule=rule, dropped=2)
    fold = KFold(4).folds(faces)[0]
    space = Spaces.of(faces, recipe).fit(fold.train)
    asked = space, fold, of, recipe.matcher, FIVE
    whole = of_fold(*asked)
    monkeypatch.setattr("eigenfaces.evaluation.dimensions._FEW", 0)
    bounded = of_fold(*asked)
    for distance in FIVE:
        assert 0 < whole.right[distance].sum() < len(space) * whole.asked.sum()
        assert (bounded.right[distance] == whole.right[distance]).all()
