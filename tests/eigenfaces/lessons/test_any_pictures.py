"""Any pictures: the components of scikit-learn, in grey and in colour, and what each view shows."""

import numpy as np
import pytest
from made_subjects import noise, panels
from sklearn.decomposition import PCA

from eigenfaces.errors import no_tick
from eigenfaces.lessons import any_pictures
from eigenfaces.lessons.any_pictures import LESSON, DecomposedPictures, prepare
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.text import percent

SKLEARN = PCA(svd_solver="full").fit(SUBJECTS["digits"].make(0).values)


@pytest.fixture(scope="module")
def digits() -> DecomposedPictures:
    return prepare(SUBJECTS["digits"].make(0), no_tick)


def shown(ready: DecomposedPictures, **settings: object) -> list:
    return panels(LESSON.draw(ready, **settings))


def test_components_are_signed_pictures_in_grey_and_about_grey_in_colour(digits) -> None:
    mean, parts, kept = shown(digits, k=5)
    cosines = (parts.pictures.reshape(5, 64) * SKLEARN.components_[:5]).sum(axis=1)
    np.testing.assert_allclose(np.abs(cosines), 1)
    assert parts.signed
    assert parts.words[0] == f"1: {percent(SKLEARN.explained_variance_ratio_[0])}"
    np.testing.assert_allclose(mean.pictures[0].ravel(), SKLEARN.mean_)
    np.testing.assert_allclose(kept.curves[0].y, np.cumsum(SKLEARN.explained_variance_ratio_)[:61])
    assert kept.mark[0] == 5
    assert shown(digits, k=40)[1].title == "The first 12 of 61"
    coloured = shown(prepare(noise(30, 5, 4, 3), no_tick), k=3)[1]
    assert coloured.pictures.shape == (3, 5, 4, 3)
    assert not coloured.diverging  # colours cannot be: grey is zero
    np.testing.assert_array_equal(np.sign(coloured.visible - 0.5), np.sign(coloured.pictures))
    np.testing.assert_allclose(np.abs(coloured.visible - 0.5).max(axis=(1, 2, 3)), 0.5)


def test_the_map_has_every_picture_at_its_scores_with_its_label(digits) -> None:
    (dots,) = shown(digits, view="Map")[0].layers
    scores = SKLEARN.transform(digits.images.values)[:, :2]
    np.testing.assert_allclose(np.abs(dots.at), np.abs(scores), atol=1e-9)
    assert dots.names == tuple("0123456789")
    assert tuple(dots.names[group] for group in dots.labels) == digits.images.labels


def test_controls_go_to_the_last_component_and_picture(digits) -> None:
    _, k, which, *_ = LESSON.controls_for(digits)
    assert (k.most, which.most) == (61, 1797)
    numbers = LESSON.draw(digits, k=1000, which=10_000).numbers
    assert (numbers["kept"], numbers["error"]) == pytest.approx((1, 0), abs=1e-5)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 3)])
@pytest.mark.parametrize("view", ["Components", "Reconstruction", "Map"])
def test_two_pictures_are_enough(view: str, shape: tuple[int, ...]) -> None:
    made = LESSON.draw(prepare(noise(2, *shape), no_tick), view=view, k=16, which=2)
    assert made.numbers["kept"] == pytest.approx(1)
    assert (made.lower is None) == (view == "Map")


def test_scaled_columns_are_those_of_standardised_pixels() -> None:
    images = SUBJECTS["digits"].make(0)
    ready = prepare(images, no_tick, scaled=True)
    spread = images.values.std(axis=0)
    oracle = PCA(svd_solver="full").fit(images.values / np.where(spread > 0, spread, 1))
    mean, parts, _ = shown(ready, k=2)
    cosines = (parts.pictures.reshape(2, 64) * oracle.components_[:2]).sum(axis=1)
    np.testing.assert_allclose(np.abs(cosines), 1, atol=1e-5)
    np.testing.assert_allclose(mean.pictures[0].ravel(), images.values.mean(axis=0), atol=1e-6)
    every = len(ready.fitted.components)
    original, rebuilt, *_ = shown(ready, view="Reconstruction", k=every, which=3)
    np.testing.assert_allclose(original.pictures[0].ravel(), images.values[2], atol=1e-6)
    np.testing.assert_allclose(rebuilt.pictures[0].ravel(), images.values[2], atol=1e-5)
    for k in (2, None):
        space = images.fit_space(k=k, scaled=True)
        cosines = (space.components[:2] * oracle.components_[:2]).sum(axis=1)
        np.testing.assert_allclose(np.abs(cosines), 1, atol=1e-4)
        np.testing.assert_allclose(space.mean, images.values.mean(axis=0), atol=1e-5)


def test_t_sne_of_25_scores_is_beside_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a sample, whose points have the labels of their pictures."""
    monkeypatch.setattr(any_pictures, "_MAPPED", 300)
    ready = prepare(SUBJECTS["digits"].make(0), no_tick, by_tsne=True)
    plane, beside = shown(ready, view="Map")
    assert len(plane.layers[0].at) == 1797
    (dots,) = beside.layers
    assert dots.at.shape == (300, 2)
    assert beside.title == "t-SNE of 25 scores"
    assert dots.tips == tuple(ready.images.labels[row] for row in ready.mapped)
    apart = np.linalg.norm(dots.at[:, None] - dots.at, axis=2)
    np.fill_diagonal(apart, np.inf)
    nearest = dots.labels[apart.argmin(axis=1)]
    assert (nearest == dots.labels).mean() > 0.85
