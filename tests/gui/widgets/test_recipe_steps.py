"""The steps of a recipe: which are shown, what each shows, and that nothing is cut off."""

from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from eigenfaces.faces.lighting import Lighting, Window
from eigenfaces.recognition.recipe import Recipe
from gui.style.images import rgb_array
from gui.widgets.recipe_steps import RecipeSteps
from tests.gui import seen

FULL = Recipe.of(lighting="photo mean", window="Gaussian")


pytestmark = pytest.mark.usefixtures("light_again")


@pytest.fixture
def steps(qtbot: QtBot) -> RecipeSteps:
    return seen.show(qtbot, RecipeSteps(), (600, 300))


@pytest.fixture
def crop() -> NDArray[np.float32]:
    rng = np.random.default_rng(3)
    return rng.uniform(0.1, 0.6, (28, 23)).astype(np.float32)


def titles(steps: RecipeSteps) -> list[str]:
    """Return the titles that are seen, from left to right."""
    QApplication.processEvents()
    seen = [words for words in steps.findChildren(QLabel) if words.isVisible()]
    seen = [words for words in seen if words.property("role") == "strong"]
    return [words.text() for words in sorted(seen, key=lambda words: words.x())]


def levels(image: QImage | None) -> NDArray[np.uint8]:
    assert image is not None
    return rgb_array(image)[..., 0]


def test_only_the_steps_of_the_recipe_are_shown(
    steps: RecipeSteps, crop: NDArray[np.float32]
) -> None:
    shown = {
        (): Recipe(),
        ("CLAHE",): Recipe.of(lighting="CLAHE"),
        ("Oval window",): Recipe.of(window="oval"),
        ("Photo mean", "Gaussian window"): FULL,
    }
    for between, recipe in shown.items():
        steps.show_face(crop, recipe)
        assert titles(steps) == ["Aligned crop", *between]
        steps.show_face(crop, recipe, crop)
        assert titles(steps) == ["Aligned crop", *between, "Minus the mean"]


@pytest.mark.parametrize("lighting", get_args(Lighting))
@pytest.mark.parametrize("window", get_args(Window))
def test_the_last_picture_is_what_the_face_space_gets(
    steps: RecipeSteps, crop: NDArray[np.float32], lighting: Lighting, window: Window
) -> None:
    recipe = Recipe.of(lighting=lighting, window=window)
    steps.show_face(crop, recipe)
    expected = recipe.pixels.of(crop.reshape(1, -1), (28, 23)).reshape(28, 23)
    last = [steps.crop, steps.lighting, steps.windowed][
        2 if window != "none" else 1 if lighting != "none" else 0
    ]
    assert np.abs(levels(last.view.image) - np.clip(expected, 0, 1) * 255).max() <= 0.51
    assert last.formula.text()


def test_the_difference_from_the_mean(steps: RecipeSteps, crop: NDArray[np.float32]) -> None:
    features = FULL.pixels.of(crop.reshape(1, -1), (28, 23))[0]
    mean = features.copy()
    mean[0] += 0.25  # there the face is darker …
    mean[-1] -= 0.125  # … and here brighter than the mean, half as much
    steps.show_face(crop, FULL, mean)
    image = steps.difference.view.image
    assert image is not None
    assert steps.scale.accessibleName() == "Colour scale from −64 darker to +64 brighter, of 255"
    colours = rgb_array(image).astype(int)
    assert colours[0, 0, 2] > colours[0, 0, 0] + 50  # blue
    assert colours[-1, -1, 0] > colours[-1, -1, 2] + 50  # red
    assert (colours[1:-1] == 255).all()


def test_a_mean_of_other_faces_is_not_taken_off(
    steps: RecipeSteps, crop: NDArray[np.float32]
) -> None:
    steps.show_face(crop, FULL, np.zeros((30, 30), np.float32))
    assert "Minus the mean" not in titles(steps)
    assert not steps.scale.isVisible()


def test_correlation_says_that_pixels_are_divided(
    steps: RecipeSteps, crop: NDArray[np.float32]
) -> None:
    steps.show_face(crop, Recipe.of(scaling="correlation"), crop)
    assert "deviation" in steps.difference.formula.text()


def test_without_a_face_the_steps_stay(steps: RecipeSteps, crop: NDArray[np.float32]) -> None:
    steps.show_face(crop, FULL, crop)
    before = titles(steps)
    steps.show_face(None, FULL, crop)
    assert titles(steps) == before
    assert steps.lighting.view.image is None
    assert not steps.scale.isVisible()


@pytest.mark.parametrize("width", [240, 320, 480, 900])
def test_no_words_are_cut_off(
    qapp: QApplication, steps: RecipeSteps, crop: NDArray[np.float32], width: int
) -> None:
    steps.show_face(crop, Recipe.of(lighting="Tan–Triggs", window="Gaussian"), crop)
    steps.resize(width, 100)
    for _ in range(5):
        qapp.processEvents()
        steps.resize(width, steps.minimumHeight())
    for step in (steps.crop, steps.lighting, steps.windowed, steps.difference):
        for words in (step.title, step.formula):
            assert words.height() >= words.heightForWidth(words.width()), words.text()
            assert steps.rect().contains(words.geometry())
        assert step.view.height() >= 72
