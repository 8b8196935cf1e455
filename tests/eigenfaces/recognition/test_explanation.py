"""Everything that an explanation shows adds up to what it explains, by every recipe."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.recognition.explanation import MOST_BARS, explain
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import identify
from eigenfaces.samples import PREPARATION, load_sample
from eigenfaces.space.distances import DISTANCES

FACES = load_sample()
PEOPLE = 8
PROBES = (6, 27, 155)  # two of enrolled people, and a stranger


def made(recipe: Recipe, people: int = PEOPLE) -> Gallery:
    rows = [row for row in range(10 * people) if row % 10 < 5]
    return Gallery(FACES.select(rows), PREPARATION, recipe).train()


@pytest.fixture(scope="module")
def galleries() -> dict[str, Gallery]:
    return {name: made(recipe) for name, recipe in RECIPES.items()}


PIXELS = [
    {"distance": distance, "whitening": whitening, "dropped": dropped}
    for distance in DISTANCES
    for whitening in ("none", "pca")
    for dropped in (0, 3)
    if whitening == "none" or not DISTANCES[distance].whitens
]


@pytest.mark.parametrize("settings", PIXELS, ids=str)
def test_of_pixels_bars_and_map_add_up_to_the_same(
    galleries: dict[str, Gallery], settings: dict[str, object]
) -> None:
    gallery = galleries["Eigenfaces"].with_recipe(Recipe.of(**settings))
    distance = DISTANCES[gallery.recipe.matcher.distance]
    for probe in PROBES:
        verdict = identify(gallery, FACES.image(probe))
        found = explain(gallery, FACES.image(probe), verdict)
        assert found.pictures
        for split, match in zip(found.splits, verdict.ranking[:2], strict=True):
            assert split.match == match
            assert split.distance == pytest.approx(match.distance, rel=1e-4)
            assert split.squares[: gallery.recipe.matcher.dropped].sum() == 0
            bars = found.bars(split)
            assert len(bars) <= MOST_BARS
            assert bars.sum() == pytest.approx(split.total)
            assert split.over is not None
            assert split.over.shape == FACES.shape
            assert split.over.min() >= 0
            assert split.over.sum() == pytest.approx(split.total, rel=1e-5)
            if distance.sums_squares:
                assert split.total == pytest.approx(match.distance**2, rel=1e-4)
            elif distance.is_angle:
                assert split.total == pytest.approx(2 * match.distance, rel=1e-4)


@pytest.mark.parametrize("recipe", ["Discriminant", "Texture"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"whitening": "pca", "smoothing": "10%"},
        {"distance": "Mahalanobis cosine"},
        {"dropped": 2},
    ],
    ids=str,
)
def test_an_angle_splits_over_axes_and_its_cosine_over_the_face(
    galleries: dict[str, Gallery], recipe: str, settings: dict[str, object]
) -> None:
    gallery = galleries[recipe].with_recipe(RECIPES[recipe].changed(**settings))
    for probe in PROBES:
        verdict = identify(gallery, FACES.image(probe))
        found = explain(gallery, FACES.image(probe), verdict)
        assert not found.pictures
        for split, match in zip(found.splits, verdict.ranking[:2], strict=True):
            assert found.bars(split).sum() == pytest.approx(2 * match.distance, abs=1e-5)
            assert split.distance == pytest.approx(match.distance, abs=1e-5)
            assert sum(each.total for each in split.maps) == pytest.approx(
                1 - match.distance, abs=1e-5
            )
            assert all(each.over.shape == FACES.shape for each in split.maps)
        names = [each.name for each in found.closest.maps]
        assert names == (
            ["pixels"] if recipe == "Discriminant" else ["grey patterns", "lit patterns", "waves"]
        )


def test_what_is_no_angle_has_no_map_of_what_is_no_picture(galleries: dict[str, Gallery]) -> None:
    gallery = galleries["Texture"].with_recipe(RECIPES["Texture"].changed(distance="L2"))
    verdict = identify(gallery, FACES.image(6))
    found = explain(gallery, FACES.image(6), verdict)
    assert found.closest.over is None
    assert found.closest.total == pytest.approx(verdict.closest.distance**2, rel=1e-4)


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("rule", ["nearest", "class mean", "mean distance"])
def test_it_explains_what_the_rule_measured_to(
    galleries: dict[str, Gallery], recipe: str, rule: str
) -> None:
    gallery = galleries[recipe].with_recipe(RECIPES[recipe].changed(rule=rule))
    verdict = identify(gallery, FACES.image(27))
    split = explain(gallery, FACES.image(27), verdict).closest
    nearest = min(
        distance
        for row, distance in zip(verdict.rows, verdict.distances, strict=True)
        if gallery.index.photos[row].person == verdict.closest.person
    )
    measured = nearest if rule == "mean distance" else verdict.closest.distance
    assert split.distance == pytest.approx(measured, rel=1e-4)


def test_the_maps_of_a_mirror_image_are_mirrored(galleries: dict[str, Gallery]) -> None:
    gallery = galleries["Texture"]
    itself, turned = FACES.image(6), np.ascontiguousarray(FACES.image(6)[:, ::-1])
    ways = [explain(gallery, face, identify(gallery, face)) for face in (itself, turned)]
    for one, other in zip(*(way.closest.maps for way in ways), strict=True):
        np.testing.assert_allclose(one.over, other.over[:, ::-1], atol=1e-9)
        assert np.abs(one.over - one.over[:, ::-1]).max() > 0.1 * np.abs(one.over).max()


def test_nobody_else_is_no_second_split(galleries: dict[str, Gallery]) -> None:
    gallery = galleries["Eigenfaces"]
    verdict = identify(gallery, FACES.image(6))
    alone = replace(verdict, first=verdict.first[:1])
    found = explain(gallery, FACES.image(6), alone)
    assert found.runner_up is None
    assert len(found.splits) == 1


@pytest.mark.parametrize(("k", "wide", "bars"), [(1, 1, 1), (18, 1, 18), (19, 2, 10), (36, 2, 18)])
def test_bars_hold_equally_many_components(
    galleries: dict[str, Gallery], k: int, wide: int, bars: int
) -> None:
    gallery = galleries["Eigenfaces"].with_recipe(Recipe.of(components=k))
    found = explain(gallery, FACES.image(6), identify(gallery, FACES.image(6)))
    assert len(found.groups) == bars
    assert len(found.groups[0]) == wide
    assert [place for group in found.groups for place in group] == list(range(k))


def test_other_light_and_scale_add_up_too() -> None:
    for settings in (
        {"lighting": "tan-triggs"},
        {"scaling": "correlation", "window": "oval", "distance": "cosine"},
    ):
        gallery = made(Recipe.of(**settings), people=3)
        split = explain(gallery, FACES.image(6), identify(gallery, FACES.image(6))).closest
        assert split.over is not None
        assert split.over.sum() == pytest.approx(split.total, rel=1e-5)
