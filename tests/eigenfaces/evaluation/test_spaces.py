"""The space of a fold from one Gram matrix, beside one fitted to the fold's own features."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import people

from eigenfaces import FaceSet, FaceSpace, Recipe
from eigenfaces.evaluation.searches import Spaces
from eigenfaces.faces.lighting import Lighting, Window
from eigenfaces.space.folds import GramFolds, RefittedFolds
from evaluation.drawn import faces_of

ALL = Recipe.of(components=1.0)
seeds = st.integers(0, 2**32 - 1)


def fitted(faces: FaceSet, recipe: Recipe, train: np.ndarray) -> FaceSpace:
    features = recipe.pixels.of(faces.pixels[:], faces.shape)
    return FaceSpace.fit(features[train], faces.shape)


@given(
    seeds,
    st.sampled_from(get_args(Lighting)),
    st.sampled_from(get_args(Window)),
    st.booleans(),
)
def test_it_is_the_face_space_of_these_faces(
    seed: int, lighting: Lighting, window: Window, wide: bool
) -> None:
    """Variances, and distances between any two faces for any number of components."""
    rng = np.random.default_rng(seed)
    shape = (12, 10) if wide else (5, 4)  # more pixels than faces, and fewer
    faces = faces_of(rng, [5, 4, 6, 5, 4, 5], shape)
    recipe = ALL.changed(lighting=lighting, window=window)
    train = np.sort(rng.permutation(len(faces))[:22])
    ours, plain = Spaces.of(faces, recipe).folds.fit(train), fitted(faces, recipe, train)
    assert len(ours) == len(plain)
    strong = plain.variances > 1e-6 * plain.variances[0]  # the rest is single precision
    np.testing.assert_allclose(ours.variances[strong], plain.variances[strong], rtol=1e-3)
    np.testing.assert_allclose(ours.kept[strong], plain.kept[strong], rtol=1e-3)
    np.testing.assert_allclose(ours.kept, np.cumsum(plain.variance_ratio), atol=1e-5)
    theirs = plain.project(recipe.pixels.of(faces.pixels[:], faces.shape)).astype(float)
    for k in {1, 2, int(strong.sum()) // 2, int(strong.sum())} - {0}:
        one = np.linalg.norm(ours.coordinates[:, None, :k] - ours.coordinates[None, :, :k], axis=2)
        other = np.linalg.norm(theirs[:, None, :k] - theirs[None, :, :k], axis=2)
        np.testing.assert_allclose(one, other, atol=2e-3 * other.max())


def test_what_is_left_out_is_what_reconstruction_loses(rng: np.random.Generator) -> None:
    faces = faces_of(rng, [6] * 5)
    train, held = np.arange(20), np.arange(20, 30)
    ours, plain = Spaces.of(faces, ALL).folds.fit(train), fitted(faces, ALL, train)
    lost, whole = ours.left_out(held), ((faces.pixels[held] - plain.mean) ** 2).sum(axis=1)
    assert lost.shape == (19,)
    for k in (1, 7, 19):
        back = plain.first(k).reconstruct(plain.first(k).project(faces.pixels[held]))
        error = ((faces.pixels[held] - back) ** 2).sum(axis=1)
        assert lost[k - 1] == pytest.approx((error / whole).mean(), rel=1e-4)
    np.testing.assert_allclose(ours.left_out(train)[-1], 0, atol=1e-9)


@pytest.mark.parametrize(
    ("recipe", "wanted"),
    [(ALL, None), (ALL, 0.6), (Recipe.of("Fisherfaces"), None), (Recipe.of("Fisherfaces"), 5)],
)
def test_very_many_faces_are_fitted_by_their_features(
    recipe: Recipe, wanted: int | float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fold anew: of few, from the inner products of all, they are the same."""
    faces, train = people(np.random.default_rng(0), 9, 4), np.arange(4, 34)
    by_gram = Spaces.of(faces, recipe).folds
    monkeypatch.setattr("eigenfaces.recognition.features.LARGEST_EXACT", 35)
    by_features = Spaces.of(faces, recipe).folds
    assert (type(by_gram), type(by_features)) == (GramFolds, RefittedFolds)
    ours, theirs = (folds.fit(train, wanted) for folds in (by_gram, by_features))
    np.testing.assert_allclose(ours.variances, theirs.variances, rtol=1e-4)
    np.testing.assert_allclose(ours.kept, theirs.kept, rtol=1e-4)
    k = theirs.coordinates.shape[1]
    signs = np.sign((ours.coordinates[:, :k] * theirs.coordinates).sum(axis=0))
    np.testing.assert_allclose(ours.coordinates[:, :k] * signs, theirs.coordinates, atol=2e-4)
    if wanted is None:
        np.testing.assert_allclose(ours.left_out(train), theirs.left_out(train), atol=1e-4)
