"""Any pictures: the components of scikit-learn, in grey and in colour, and what each view shows."""

import numpy as np
import pytest
from made_subjects import noise, panels

from eigenfaces.errors import EigenfacesError, no_tick
from eigenfaces.lessons.any_pictures import LESSON, DecomposedPictures, picture, prepare
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.text import percent


@pytest.fixture(scope="module")
def digits() -> DecomposedPictures:
    return prepare(SUBJECTS["digits"].make(0), no_tick)


@pytest.fixture(scope="module")
def coloured() -> DecomposedPictures:
    return prepare(noise(30, 5, 4, 3), no_tick)


def shown(ready: DecomposedPictures, **settings: object) -> list:
    return panels(picture(ready, **settings))


def test_components_are_signed_pictures_in_grey(digits: DecomposedPictures) -> None:
    mean, parts, kept = shown(digits, k=5)
    assert parts.signed
    np.testing.assert_array_equal(
        parts.pictures, digits.space.components[:5].reshape(-1, 8, 8).astype(float)
    )
    assert parts.words[0] == f"1: {percent(digits.space.variance_ratio[0])}"
    np.testing.assert_array_equal(mean.pictures[0].ravel(), digits.space.mean)
    np.testing.assert_allclose(kept.curves[0].y, digits.space.kept)
    assert kept.mark[0] == 5
    assert shown(digits, k=40)[1].title == "The first 12 of 61"


def test_in_colour_zero_is_grey(coloured: DecomposedPictures) -> None:
    parts = shown(coloured, k=3)[1]
    assert parts.pictures.shape == (3, 5, 4, 3)
    assert not parts.diverging  # colours cannot be: grey is zero
    signs = np.sign(coloured.space.components[:3].reshape(parts.pictures.shape))
    np.testing.assert_array_equal(np.sign(parts.visible - 0.5), signs)
    np.testing.assert_allclose(np.abs(parts.visible - 0.5).max(axis=(1, 2, 3)), 0.5)


def test_the_map_has_every_picture_at_its_scores_with_its_label(digits: DecomposedPictures) -> None:
    (everyone,) = shown(digits, view="Map")[0].layers
    scores = digits.space.first(2).project(digits.images.pixels)
    np.testing.assert_allclose(everyone.at, scores, atol=1e-6)
    assert everyone.names == tuple("0123456789")
    assert tuple(everyone.names[group] for group in everyone.labels) == digits.images.labels


def test_accuracy_is_a_curve_above_what_guessing_reaches(digits: DecomposedPictures) -> None:
    (panel,) = shown(digits, view="Accuracy", k=9)
    accuracy, (curve, chance) = digits.accuracy, panel.curves
    np.testing.assert_array_equal(curve.y, accuracy.right)
    assert (chance.y == accuracy.most_frequent).all()
    assert panel.mark == (9, f"k = 9: {percent(float(accuracy.right[8]))}")


def test_without_labels_an_accuracy_is_a_sentence_and_a_map_is_grey(
    coloured: DecomposedPictures,
) -> None:
    with pytest.raises(EigenfacesError, match="no labels, so no answer is right"):
        picture(coloured, view="Accuracy")
    assert shown(coloured, view="Map")[0].layers[0].labels is None


def test_controls_go_to_the_last_component_and_picture(digits: DecomposedPictures) -> None:
    _, k, which = LESSON.controls_for(digits)
    assert (k.most, which.most) == (61, 1797)
    numbers = picture(digits, k=1000, which=10_000).numbers
    assert (numbers["kept"], numbers["error"]) == pytest.approx((1, 0), abs=1e-5)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 3)])
@pytest.mark.parametrize("view", ["Components", "Reconstruction", "Map"])
def test_two_pictures_are_enough(view: str, shape: tuple[int, ...]) -> None:
    made = picture(prepare(noise(2, *shape), no_tick), view=view, k=16, which=2)
    assert made.numbers["kept"] == pytest.approx(1)
    assert (made.lower is None) == (view == "Map")
