"""Recipes: values that can only be sensible."""

import math
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest

from eigenfaces import EigenfacesError, Recipe
from eigenfaces.faces.face_set import Crops, as_levels
from eigenfaces.recognition.lighting import Lighting, Window, even_light, through_window
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.distances import epsilon


@pytest.mark.parametrize(
    "wrong",
    [
        {"components": 0},
        {"components": -3},
        {"components": 0.0},
        {"components": 1.01},
        {"components": float("nan")},
        {"smoothing": -0.1},
        {"smoothing": float("inf")},
        {"smoothing": float("nan")},
        {"neighbours": 0},
        {"dropped": -1},
        {"components": 3, "dropped": 3},
        {"distance": "l3"},
        {"scaling": "corelation"},
        {"whitening": "zca"},
        {"rule": "class means"},
        {"lighting": "candle"},
        {"window": "round"},
        {"name": None},
        *(
            {name: wrong}
            for name in ("distance", "lighting", "window", "scaling", "whitening", "rule")
            for wrong in (None, 3, True, [], {}, "", "x" * 10_000)
        ),
        *(
            {name: wrong}
            for name in ("components", "dropped", "smoothing", "neighbours")
            for wrong in (
                *(None, True, False, "5", "", [], {}, 1j, np.bool_(True)),
                *(math.nan, math.inf, -math.inf, -1, 1e300, 10**400, Fraction(10**400)),
            )
        ),
        *({name: 1.5} for name in ("components", "dropped", "neighbours")),
        *({name: 100_001} for name in ("components", "dropped", "neighbours")),
        {"smoothing": 1e6 + 1},
        *({"smoothing": f"{share}%"} for share in ("-1", "nan", "inf", "1e300", "1000.1", "", "x")),
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_nonsense_is_refused_with_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(EigenfacesError, match=r"^[A-Z].*\.$"):
        Recipe.of(**wrong)


@pytest.mark.parametrize("name", ["Eigenfaces", "Discriminant", "Texture"])
def test_a_recipe_is_known_by_its_name_however_it_is_written(name: str) -> None:
    """“texture” was a recipe of pixels, of that name."""
    assert Recipe.of(name.lower()) == Recipe.of(name.upper()) == RECIPES[name]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ({"distance": "l2"}, {"distance": "L2"}),
        ({"distance": "linf"}, {"distance": "L∞"}),
        ({"distance": "mahalanobis-cosine"}, {"distance": "Mahalanobis cosine"}),
        ({"lighting": "tan-triggs"}, {"lighting": "Tan–Triggs"}),
        ({"lighting": "mean-and-variance"}, {"lighting": "mean and variance"}),
        ({"lighting": "clahe", "window": "gaussian"}, {"lighting": "CLAHE", "window": "Gaussian"}),
        ({"whitening": "PCA", "rule": "class-mean"}, {"whitening": "pca", "rule": "class mean"}),
        ({"smoothing": "10.0 %"}, {"smoothing": "10%"}),
    ],
)
def test_names_may_be_written_as_on_the_command_line(
    typed: dict[str, Any], meant: dict[str, Any]
) -> None:
    """And they are the same value: it can be found in a list, and saved and compared."""
    assert Recipe.of(**typed) == Recipe.of(**meant)
    assert Recipe.of(**typed).settings == Recipe.of(**meant).settings == Recipe().settings | meant


def test_whole_numbers_of_numpy_are_numbers() -> None:
    recipe = Recipe.of(components=np.int64(7), dropped=np.int8(2), smoothing=np.float32(0.5))  # type: ignore[arg-type]
    kinds = [
        type(each)
        for each in (recipe.matcher.components, recipe.matcher.dropped, recipe.matcher.smoothing)
    ]
    assert kinds == [int, int, float]
    assert type(Recipe.of(components=np.float64(0.5)).matcher.components) is float


def test_settings_without_effect() -> None:
    """Where something is said that changes nothing, there is a sentence; else there is none."""
    said = {"smoothing": "10%", "neighbours": 3}
    assert set(Recipe.of(rule="class mean", **said).matcher.idle) == set(said)
    assert set(Recipe.of(whitening="pca", rule="mean distance", **said).matcher.idle) == {
        "neighbours"
    }
    assert not Recipe.of(whitening="pca", **said).matcher.idle
    assert not any(recipe.matcher.idle for recipe in RECIPES.values())


def test_a_share_of_the_mean_variance() -> None:
    variances = np.array([6.0, 2.0, 1.0])
    assert epsilon("10%", variances) == pytest.approx(0.3)
    assert epsilon("10%", variances[:2]) == pytest.approx(0.4)
    assert epsilon(0.25, variances) == 0.25
    assert epsilon("10%", variances[:0]) == 0


@pytest.mark.parametrize("components", [1, 400, 0.95, 1.0, 1e-9, np.float64(0.5)])
def test_counts_and_shares(components: float) -> None:
    assert Recipe.of(components=components).matcher.components == components


@pytest.mark.parametrize("distance", ["Mahalanobis L1", "Mahalanobis cosine", "Yambor"])
def test_whitening_twice_is_refused(distance: str) -> None:
    assert Recipe.of(distance=distance)
    with pytest.raises(EigenfacesError, match="whitens by itself"):
        Recipe.of(distance=distance, whitening="pca")


CROPS = np.random.default_rng(0).random((3, 20, 16), np.float32).reshape(3, -1)


@pytest.mark.parametrize("window", get_args(Window))
@pytest.mark.parametrize("lighting", get_args(Lighting))
def test_features_are_lit_crops_in_their_shape(lighting: Lighting, window: Window) -> None:
    features = Recipe.of(lighting=lighting, window=window).pixels.of(CROPS, (20, 16))
    assert features.dtype == np.float32
    assert features.shape == CROPS.shape
    lit = even_light(CROPS.reshape(3, 20, 16), lighting)
    np.testing.assert_array_equal(features, through_window(lit, window).reshape(3, -1))
    alone = Recipe.of(lighting=lighting, window=window).pixels.of(CROPS[1:2], (20, 16))
    np.testing.assert_allclose(alone, features[1:2], atol=1e-5)  # no face sees the others


def test_each_photo_loses_its_own_mean() -> None:
    recipe = Recipe.of(lighting="photo mean")
    features = recipe.pixels.of(CROPS, (20, 16))
    np.testing.assert_allclose(features.mean(axis=1), 0.5, atol=1e-6)
    brighter = recipe.pixels.of(CROPS + np.float32(0.2), (20, 16))
    np.testing.assert_allclose(features, brighter, atol=1e-6)


@pytest.mark.parametrize("window", get_args(Window))
@pytest.mark.parametrize("lighting", get_args(Lighting))
def test_features_made_some_at_a_time_are_the_same_to_the_last_bit(
    lighting: Lighting, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eigenfaces.recognition.features._AT_ONCE", 3)
    crops = Crops(np.random.default_rng(0).integers(0, 256, (8, 320), np.uint8))
    recipe = Recipe.of(lighting=lighting, window=window)
    features = recipe.pixels.of_all(crops, (20, 16))
    np.testing.assert_array_equal(features[:], recipe.pixels.of(crops[:], (20, 16)))


def test_without_lighting_nothing_is_copied() -> None:
    assert np.shares_memory(Recipe().pixels.of(CROPS, (20, 16)), CROPS)
    crops = Crops(as_levels(CROPS))
    assert Recipe().features.of_all(crops, (20, 16)) is crops


def test_only_what_changes_the_face_space_refits() -> None:
    recipe = Recipe()
    for change in ({"lighting": "CLAHE"}, {"window": "oval"}, {"scaling": "correlation"}):
        assert recipe.refits(recipe.changed(**change))
    others = ({"components": 3}, {"whitening": "pca"}, {"distance": "L1"})
    for change in (*others, {"dropped": 2}, {"rule": "mean distance"}):
        assert not recipe.refits(recipe.changed(**change))
    assert not recipe.refits(Recipe("x"))


def test_it_is_a_value() -> None:
    assert Recipe.of(**Recipe.of(components=7).record) == Recipe.of(components=7)
    assert len({Recipe(), Recipe(), Recipe.of(name="other")}) == 2
