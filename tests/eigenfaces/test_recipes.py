"""Recipes: values that can only be sensible."""

from dataclasses import asdict, replace
from typing import Any, get_args

import numpy as np
import pytest

from eigenfaces import EigenfacesError, Recipe
from eigenfaces.lighting import Lighting, Window, even_light, through_window


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
        {"distance": "l2"},
        {"scaling": "corelation"},
        {"whitening": "PCA"},
        {"rule": "class means"},
        {"lighting": "clahe"},
        {"window": "round"},
    ],
)
def test_nonsense_is_refused_with_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(EigenfacesError, match=r"^[A-Z].*\.$"):
        Recipe(**wrong)


@pytest.mark.parametrize("components", [1, 400, 0.95, 1.0, 1e-9, np.float64(0.5)])
def test_counts_and_shares(components: float) -> None:
    assert Recipe(components=components).components == components


@pytest.mark.parametrize("distance", ["Mahalanobis L1", "Mahalanobis cosine", "Yambor"])
def test_whitening_twice_is_refused(distance: str) -> None:
    assert Recipe(distance=distance)
    with pytest.raises(EigenfacesError, match="whitens by itself"):
        Recipe(distance=distance, whitening="pca")


CROPS = np.random.default_rng(0).random((3, 20, 16), np.float32).reshape(3, -1)


@pytest.mark.parametrize("window", get_args(Window))
@pytest.mark.parametrize("lighting", get_args(Lighting))
def test_features_are_lit_crops_in_their_shape(lighting: Lighting, window: Window) -> None:
    features = Recipe(lighting=lighting, window=window).features(CROPS, (20, 16))
    assert features.dtype == np.float32
    assert features.shape == CROPS.shape
    lit = even_light(CROPS.reshape(3, 20, 16), lighting)
    np.testing.assert_array_equal(features, through_window(lit, window).reshape(3, -1))
    alone = Recipe(lighting=lighting, window=window).features(CROPS[1:2], (20, 16))
    np.testing.assert_allclose(alone, features[1:2], atol=1e-5)  # no face sees the others


def test_each_photo_loses_its_own_mean() -> None:
    recipe = Recipe(lighting="photo mean")
    features = recipe.features(CROPS, (20, 16))
    np.testing.assert_allclose(features.mean(axis=1), 0.5, atol=1e-6)
    brighter = recipe.features(CROPS + np.float32(0.2), (20, 16))
    np.testing.assert_allclose(features, brighter, atol=1e-6)


def test_without_lighting_nothing_is_copied() -> None:
    assert np.shares_memory(Recipe().features(CROPS, (20, 16)), CROPS)


def test_only_what_changes_the_face_space_refits() -> None:
    recipe = Recipe()
    for change in ({"lighting": "CLAHE"}, {"window": "oval"}, {"scaling": "correlation"}):
        assert recipe.refits(replace(recipe, **change))
    others = ({"components": 3}, {"whitening": "zca"}, {"distance": "L1"}, {"name": "x"})
    for change in (*others, {"dropped": 2}, {"rule": "mean distance"}):
        assert not recipe.refits(replace(recipe, **change))


def test_it_is_a_value() -> None:
    assert Recipe(**asdict(Recipe(components=7))) == Recipe(components=7)
    assert len({Recipe(), Recipe(), Recipe(name="other")}) == 2
