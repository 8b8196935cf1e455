"""The estimators: scikit-learn's own checks, PCA beside, and what the program answers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from eigenfaces import EigenfaceClassifier, Eigenfaces, FaceSet, identify_all
from eigenfaces.space import pca


@parametrize_with_checks([Eigenfaces(), Eigenfaces(0.9, whiten=True), EigenfaceClassifier()])
def test_scikit_learn_finds_nothing(estimator, check):
    check(estimator)


@pytest.mark.parametrize("shape", [(30, 80), (80, 30)])
@pytest.mark.parametrize(("n_components", "whiten"), [(None, False), (7, True), (0.8, False)])
def test_it_is_pca(rng, shape, n_components, whiten):
    pictures = rng.normal(size=shape) * np.linspace(3, 1, shape[1])
    ours = Eigenfaces(n_components, whiten=whiten).fit(pictures)
    theirs = PCA(ours.n_components_, svd_solver="full", whiten=whiten).fit(pictures)
    if isinstance(n_components, float):
        by_share = PCA(n_components, svd_solver="full").fit(pictures)
        assert ours.n_components_ == by_share.n_components_
    for name in ("mean_", "singular_values_", "explained_variance_", "explained_variance_ratio_"):
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-6, atol=1e-9)
    signs = np.sign((ours.components_ * theirs.components_).sum(axis=1))
    assert_allclose(ours.components_, signs[:, None] * theirs.components_, atol=1e-6)
    coordinates = ours.transform(pictures)
    assert_allclose(coordinates, signs * theirs.transform(pictures), atol=1e-6)
    back = theirs.inverse_transform(theirs.transform(pictures))
    assert_allclose(ours.inverse_transform(coordinates), back, atol=1e-6)


@pytest.mark.parametrize("wanted", [3, 25, 39, 0.3, 0.9, 0.999, 1.0, None])
def test_of_very_many_rows_as_many_components_are_found_as_are_wanted(rng, monkeypatch, wanted):
    pictures = rng.normal(size=(60, 40))
    exact = Eigenfaces(wanted).fit(pictures)
    monkeypatch.setattr(pca, "LARGEST_EXACT", 20)
    monkeypatch.setattr(pca, "LEADING", 5)
    many = Eigenfaces(wanted).fit(pictures)
    assert many.n_components_ == exact.n_components_
    ours, theirs = many.explained_variance_ratio_, exact.explained_variance_ratio_
    assert_allclose(ours.sum(), theirs.sum(), atol=0.02)
    if isinstance(wanted, float):
        assert ours.sum() >= wanted - 1e-9


def test_names_are_those_of_the_program(att: FaceSet):
    train, probes = np.arange(200) % 10 < 5, np.arange(200) % 10 >= 5
    pictures, y = att.pixels[:200], np.array([p.person for p in att.index.photos[:200]])
    model = EigenfaceClassifier("texture", image_shape=att.shape).fit(pictures[train], y[train])
    assert model.score(pictures[probes], y[probes]) > 0.97
    verdicts = identify_all(model.gallery_, pictures[probes])
    closest = [model.classes_[int(verdict.closest.person)] for verdict in verdicts]
    assert [*model.predict(pictures[probes])] == closest
    certain = [verdict.decision.probability or 0 for verdict in verdicts]
    highest = model.predict_proba(pictures[probes]).max(axis=1)
    assert_allclose(highest, np.maximum(certain, 1 / 20), atol=1e-9)


def test_strangers_are_unknown(att: FaceSet):
    pictures, y = att.pixels[:200], np.array([p.person for p in att.index.photos[:200]])
    known = np.arange(200) < 150
    model = EigenfaceClassifier("texture", image_shape=att.shape, unknown_label="nobody")
    strangers = model.fit(pictures[known], y[known]).predict(pictures[~known])
    assert np.mean(strangers == "nobody") > 0.95
    assert set(model.predict(pictures[known][:20])) == {"Person 01", "Person 02"}


@pytest.mark.parametrize(("names", "unknown"), [(range(10), -1), ("abcdefghij", "nobody")])
def test_strangers_are_scored_by_cross_validation(att: FaceSet, names, unknown):
    pictures, y = att.pixels[:100], np.repeat([*names], 10)
    model = EigenfaceClassifier(unknown_label=unknown)
    assert np.min(cross_val_score(model, pictures, y, cv=3)) > 0.5
    grid = GridSearchCV(model, {"n_components": [5, 0.9]}, scoring="accuracy", cv=3)
    assert np.isfinite(grid.fit(pictures, y).cv_results_["mean_test_score"]).all()
    model.fit(pictures[:70], y[:70])
    answers = model.predict(pictures)
    assert unknown in answers[70:]
    assert answers.dtype.kind == y.dtype.kind


@pytest.mark.parametrize("middle", [0.5, 0.0, -3e4])
def test_features_that_differ_by_little_are_not_rounded(rng, middle):
    """Beside one that differs by much."""
    y = np.arange(60) % 3
    features = np.column_stack([rng.random(60) < 0.5, 1e-3 * y + 1e-5 * rng.random(60)])
    features[:, 0] *= 0.01
    features += middle
    features[0, 0] = middle + 0.3  # the range of all
    model = EigenfaceClassifier(n_components=1.0, distance="mahalanobis-l2")
    assert model.fit(features[:30], y[:30]).score(features[30:], y[30:]) == 1.0


def test_in_a_pipeline_and_a_grid(rng):
    pictures, y = make_blobs(120, 20, centers=5, cluster_std=6, random_state=0)
    pipe = make_pipeline(Eigenfaces(whiten=True), KNeighborsClassifier(1))
    grid = GridSearchCV(pipe, {"eigenfaces__n_components": [1, 5, 0.9]}, cv=3).fit(pictures, y)
    assert grid.best_score_ > 0.9
    own = GridSearchCV(EigenfaceClassifier(), {"n_components": [1, 5]}, cv=3).fit(pictures, y)
    assert own.best_params_ == {"n_components": 5}
    frame = Eigenfaces(3).set_output(transform="default").fit(pictures).get_feature_names_out()
    assert [*frame] == ["eigenfaces0", "eigenfaces1", "eigenfaces2"]


def test_single_precision_stays_single(rng):
    """And what is computed from it is as exact as single precision can be."""
    pictures = rng.random((30, 40)).astype(np.float32)
    model = Eigenfaces(7, whiten=True).fit(pictures)
    coordinates = model.transform(pictures)
    made = (coordinates, model.inverse_transform(coordinates), model.mean_, model.components_)
    assert {value.dtype for value in made} == {np.dtype(np.float32)}
    double = Eigenfaces(7, whiten=True).fit(pictures.astype(np.float64))
    assert double.transform(pictures.astype(np.float64)).dtype == np.float64
    assert_allclose(coordinates, double.transform(pictures), atol=1e-5)


RANGE = r"an int in the range \[1, inf\), a float in the range \(0(\.0)?, 1(\.0)?\] or None. Got "


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (EigenfaceClassifier("texture"), "needs an image_shape"),
        (EigenfaceClassifier(image_shape=(16, 30)), "16 × 30 pixels"),
        (EigenfaceClassifier(distance="hamming"), "'distance' .* among {'L2', .* Got 'hamming'"),
        (EigenfaceClassifier("eigenfeces"), "'recipe' .* among {'Eigenfaces', .* Got 'eigenfeces'"),
        (EigenfaceClassifier(recipe=1), "'recipe' .* must be an instance of 'str'. Got 1 instead"),
        (EigenfaceClassifier(strangers=3), "'strangers' .* must be a float in the range .* Got 3"),
        (EigenfaceClassifier(image_shape=(16, 20, 1)), r"must be \(h, w\) or None"),
        (EigenfaceClassifier(n_components=-1), RANGE),
        (EigenfaceClassifier(n_components=200_000), "a count of 1 to 100,000"),
        (
            Eigenfaces(whiten="yes"),
            "'whiten' parameter of Eigenfaces must be an instance of 'bool'",
        ),
        (EigenfaceClassifier(unknown_label="nobody"), "of the same type as the labels"),
        (EigenfaceClassifier(unknown_label=(1, 2)), "of the same type as the labels"),
        (EigenfaceClassifier("fisherfaces", image_shape=(16, 20)), "7 people or more"),
        *((Eigenfaces(wanted), RANGE) for wanted in (0, 2.5, "many")),
    ],
)
def test_what_cannot_be_is_said(rng, estimator, words):
    with pytest.raises(ValueError, match=words):
        estimator.fit(rng.random((12, 320)), np.arange(12) % 3)
    with pytest.raises(ValueError, match="All faces are the same"):
        Eigenfaces().fit(np.ones((4, 9)))
