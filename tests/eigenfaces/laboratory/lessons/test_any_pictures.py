"""Any pictures: the components of scikit-learn, in grey and in colour, and what each view shows."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from eigenfaces.errors import EigenfacesError, no_tick
from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Dots,
    Panel,
    PicturesPanel,
    PlanePanel,
    TablePanel,
)
from eigenfaces.laboratory.image_set import ImageSet, LabelAccuracy
from eigenfaces.laboratory.lessons.any_pictures import (
    ANY_PICTURES,
    DecomposedPictures,
    PicturesSettings,
    picture,
    prepare,
)
from eigenfaces.laboratory.lessons.lesson import Slide
from eigenfaces.laboratory.lessons.subjects import SUBJECTS
from eigenfaces.text import percent


def noise(n: int, shape: tuple[int, ...], labels: tuple[str, ...] | None = None) -> ImageSet:
    pixels = np.random.default_rng(0).random((n, int(np.prod(shape))), np.float32)
    return ImageSet(title="Noise", pixels=pixels, shape=shape, labels=labels)


@pytest.fixture(scope="module")
def digits() -> DecomposedPictures:
    return prepare(SUBJECTS["digits"].make(0), no_tick)


@pytest.fixture(scope="module")
def coloured() -> DecomposedPictures:
    return prepare(noise(30, (5, 4, 3)), no_tick)


def panels(ready: DecomposedPictures, **settings: object) -> list[Panel]:
    made = picture(ready, PicturesSettings(**settings))  # type: ignore[arg-type]
    drawings = (made.upper, made.lower)
    return [panel for each in drawings if each for row in each.rows for panel in row]


def of(kind: type, found: list[Panel]) -> list:
    return [panel for panel in found if isinstance(panel, kind)]


@pytest.mark.parametrize("which", ["digits", "coloured"])
def test_it_is_the_decomposition_of_scikit_learn(
    which: str, request: pytest.FixtureRequest
) -> None:
    ready = request.getfixturevalue(which)
    x, k = ready.images.values, 12
    oracle = PCA(svd_solver="full").fit(x)
    rank = len(ready.space)
    np.testing.assert_allclose(ready.space.variances, oracle.explained_variance_[:rank], rtol=1e-6)
    along = np.abs(np.sum(ready.space.components[:k] * oracle.components_[:k], axis=1))
    np.testing.assert_allclose(along, 1, atol=1e-6)
    (_, rebuilt, missing, curves) = panels(ready, view="Reconstruction", k=k, which=4)
    scores = oracle.transform(x[3:4])[:, :k]
    expected = oracle.mean_ + scores @ oracle.components_[:k]
    shown = np.clip(expected, 0, 1).reshape(1, *ready.images.shape)
    np.testing.assert_allclose(rebuilt.pictures, shown, atol=1e-6)
    error = float(np.sqrt(np.mean((x[3] - expected) ** 2)))
    made = picture(ready, PicturesSettings(k=k, which=4))
    assert made.numbers["error"] == pytest.approx(error, rel=1e-6)
    assert made.numbers["kept"] == pytest.approx(oracle.explained_variance_ratio_[:k].sum())
    assert missing.caption == f"error {error:.4f}"
    own, everyone = curves.curves
    assert own.y[k - 1] == pytest.approx(error, rel=1e-4)
    whole = oracle.transform(x)[:, :k] @ oracle.components_[:k] + oracle.mean_
    assert everyone.y[k - 1] == pytest.approx(np.sqrt(np.mean((x - whole) ** 2)), rel=1e-5)


def test_components_are_signed_pictures_in_grey(digits: DecomposedPictures) -> None:
    mean, parts, kept = panels(digits, k=5)
    assert parts.signed
    np.testing.assert_array_equal(
        parts.pictures, digits.space.components[:5].reshape(-1, 8, 8).astype(float)
    )
    assert parts.words[0] == f"1: {percent(digits.space.variance_ratio[0])}"
    np.testing.assert_array_equal(mean.pictures[0].ravel(), digits.space.mean)
    np.testing.assert_allclose(kept.curves[0].y, digits.space.kept)
    assert kept.mark[0] == 5
    assert "the first 12 of 61" in of(PicturesPanel, panels(digits, k=40))[1].title.lower()


def test_one_component_keeps_and_several_keep(digits: DecomposedPictures) -> None:
    one, several = (
        ANY_PICTURES.see[-1].format_map(picture(digits, PicturesSettings(k=k)).words)
        for k in (1, 2)
    )
    assert one.startswith("The first of 61 components keeps ")
    assert several.startswith("The first 2 of 61 components keep ")


def test_how_the_pictures_were_read_is_said() -> None:
    made = replace(noise(9, (3, 3)), notes=("A sample.", "All in colour."))
    curves = of(CurvesPanel, panels(prepare(made, no_tick)))
    assert curves[0].caption == "A sample. All in colour."


def test_in_colour_zero_is_grey(coloured: DecomposedPictures) -> None:
    parts = of(PicturesPanel, panels(coloured, k=3))[1]
    assert parts.pictures.shape == (3, 5, 4, 3)
    assert not parts.diverging  # colours cannot be: grey is zero
    signs = np.sign(coloured.space.components[:3].reshape(parts.pictures.shape))
    np.testing.assert_array_equal(np.sign(parts.shown - 0.5), signs)
    np.testing.assert_allclose(np.abs(parts.shown - 0.5).max(axis=(1, 2, 3)), 0.5)


def test_the_map_has_every_picture_at_its_scores_with_its_label(digits: DecomposedPictures) -> None:
    (plane,) = of(PlanePanel, panels(digits, view="Map", which=11))
    everyone, chosen = of(Dots, plane.layers)
    scores = digits.space.first(2).project(digits.images.pixels)
    np.testing.assert_allclose(everyone.at, scores, atol=1e-6)
    assert everyone.names == tuple("0123456789")
    assert tuple(everyone.names[group] for group in everyone.labels) == digits.images.labels
    np.testing.assert_allclose(chosen.at[0], scores[10], atol=1e-6)


def test_of_very_many_pictures_a_sample_is_on_the_map() -> None:
    ready = prepare(noise(2100, (2, 3)), no_tick)
    made = picture(ready, PicturesSettings(view="Map"))
    assert made.upper.note == "2,000 of 2,100 pictures, by chance"
    (plane,) = of(PlanePanel, panels(ready, view="Map"))
    assert len(plane.layers[0].at) == 2000


def test_accuracy_is_a_curve_with_its_interval_and_what_to_hold_beside_it(
    digits: DecomposedPictures,
) -> None:
    found = digits.accuracy
    assert isinstance(found, LabelAccuracy)
    curves, table = panels(digits, view="Accuracy", k=9)
    assert isinstance(curves, CurvesPanel)
    assert isinstance(table, TablePanel)
    (curve,) = curves.curves
    np.testing.assert_array_equal(curve.y, found.right)
    np.testing.assert_array_equal(curve.low, found.low)
    assert table.rows[0][:2] == ("k = 9", percent(float(found.right[8])))
    assert table.rows[1][0] == f"k = {found.best}, the best here"
    assert table.rows[2][1] == percent(found.most_frequent)


def test_without_labels_an_accuracy_is_a_sentence_and_a_map_is_grey(
    coloured: DecomposedPictures,
) -> None:
    with pytest.raises(EigenfacesError, match="no labels, so no answer is right"):
        picture(coloured, PicturesSettings(view="Accuracy"))
    (plane,) = of(PlanePanel, panels(coloured, view="Map"))
    assert plane.layers[0].labels is None


def test_controls_go_to_the_last_component_and_picture(digits: DecomposedPictures) -> None:
    _, k, which = ANY_PICTURES.controls_for(digits)
    assert isinstance(k, Slide)
    assert isinstance(which, Slide)
    assert (k.most, which.most) == (61, 1797)
    last = picture(digits, PicturesSettings(k=1000, which=10_000))
    assert last.numbers["kept"] == pytest.approx(1)
    assert last.numbers["error"] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 3)])
@pytest.mark.parametrize("view", ["Components", "Reconstruction", "Map"])
def test_two_pictures_are_enough(view: str, shape: tuple[int, ...]) -> None:
    ready = prepare(noise(2, shape), no_tick)
    made = picture(ready, PicturesSettings(view=view, k=16, which=2))
    assert made.numbers["kept"] == pytest.approx(1)
    assert made.lower is not None


def test_only_pictures_are_decomposed_here() -> None:
    with pytest.raises(EigenfacesError, match="about pictures"):
        prepare(SUBJECTS["cloud"].make(0), no_tick)


def test_the_listing_gives_the_numbers_of_pictures_in_colour(coloured: DecomposedPictures) -> None:
    pictures = replace(
        coloured.images, code="x = np.random.default_rng(0).random((30, 60), np.float32)"
    )
    settings = PicturesSettings(k=9, which=30)
    found: dict = {}
    exec(ANY_PICTURES.code(pictures, settings), found)
    for name, shown in picture(coloured, settings).numbers.items():
        np.testing.assert_allclose(found[name], shown, rtol=1e-4, atol=1e-6, err_msg=name)
