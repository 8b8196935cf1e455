"""Recipes: values that can only be sensible."""

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from eigenfaces import EigenfacesError, Recipe


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
        {"distance": "l2"},
        {"scaling": "corelation"},
        {"whitening": "PCA"},
        {"rule": "class means"},
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


def test_each_photo_loses_its_own_mean() -> None:
    crops = np.random.default_rng(0).random((3, 50), np.float32)
    features = Recipe(lighting="photo mean").features(crops)
    assert features.dtype == np.float32
    np.testing.assert_allclose(features.mean(axis=1), 0, atol=1e-7)
    np.testing.assert_allclose(
        features, Recipe(lighting="photo mean").features(crops + np.float32(0.2)), atol=1e-6
    )
    assert Recipe().features(crops) is crops


def test_what_lies_around_zero_is_shown_around_mid_grey() -> None:
    crops = np.random.default_rng(0).random((3, 50), np.float32)
    recipe = Recipe(lighting="photo mean")
    np.testing.assert_allclose(recipe.picture(recipe.features(crops)).mean(axis=1), 0.5, atol=1e-6)
    assert Recipe().picture(crops) is crops


def test_only_what_changes_the_face_space_refits() -> None:
    recipe = Recipe()
    for change in ({"lighting": "CLAHE"}, {"window": "oval"}, {"scaling": "correlation"}):
        assert recipe.refits(replace(recipe, **change))
    for change in ({"components": 3}, {"whitening": "zca"}, {"distance": "L1"}, {"name": "x"}):
        assert not recipe.refits(replace(recipe, **change))


def test_it_is_a_value() -> None:
    assert Recipe(**asdict(Recipe(components=7))) == Recipe(components=7)
    assert len({Recipe(), Recipe(), Recipe(name="other")}) == 2
