"""Maps of a gallery: places, energy seen, the nearest in truth, and what is said of them."""

import csv
import io

import numpy as np
import pytest

from eigenfaces import EigenfacesError, Gallery, Recipe, identify
from eigenfaces.laboratory.maps import (
    Viewpoint,
    deceiving,
    map_by_tsne,
    map_of_components,
    map_of_directions,
    map_table,
    seen,
    view_of,
)
from eigenfaces.laboratory.tsne import TsneSettings
from eigenfaces.report.plots import map_words
from tests.synthetic import gallery, joined, small_gallery

WHITENED = Recipe.of(components=6, whitening="pca", smoothing=0.0)


@pytest.fixture(scope="module")
def small() -> Gallery:
    return small_gallery()


@pytest.fixture(scope="module")
def seven() -> Gallery:
    return joined(small_gallery()).train()


def pixels(of: Gallery) -> np.ndarray:
    return of.faces.pixels[:]


def test_places_are_scores_in_standard_deviations(small):
    found = map_of_components(small)
    training = small.trained
    view = found.view([2, 0])
    assert np.allclose(
        view * np.sqrt(training.space.variances[[2, 0]]), training.coordinates[:, [2, 0]]
    )
    assert np.allclose(view.std(axis=0, ddof=1), 1, atol=1e-4)
    assert np.array_equal(found.view([0, 2]), view[:, ::-1])


def test_faces_of_the_gallery_lie_where_they_are_found_anew(seven):
    for found in (map_of_components(seven), map_of_directions(seven)):
        again = found.locate(pixels(seven))
        assert np.allclose(again.coordinates, found.coordinates, atol=1e-4)
        assert np.allclose(again.compared, found.compared, atol=1e-4)


@pytest.mark.parametrize("scaling", ["covariance", "correlation"])
def test_the_energy_seen_adds_up(small, scaling):
    made = small.with_recipe(Recipe.of(scaling=scaling)).train()
    found, space = map_of_components(made), made.trained.space
    located = found.locate(pixels(made))
    shares = space.energy_kept(pixels(made))
    assert np.allclose(seen(located, range(4)), shares[:, 4], atol=1e-5)
    assert np.allclose(seen(located, range(len(space))), 1, atol=1e-5)
    one, other = seen(located, [0]), seen(located, [5])
    assert np.allclose(seen(located, [0, 5]), one + other)


def test_the_mean_itself_is_seen_whole(small):
    found = map_of_components(small)
    mean = found.locate(small.trained.space.mean[None])
    assert seen(mean, [0, 1]).tolist() == [1.0]


@pytest.mark.parametrize("changes", [{}, {"distance": "cosine"}, {"whitening": "pca"}])
def test_the_nearest_in_truth_are_those_of_a_verdict(small, changes):
    made = small.with_recipe(small.recipe.changed(**changes))
    found = map_of_components(made)
    probe = np.random.default_rng(0).random(made.faces.shape, dtype=np.float32)
    rows, far = found.nearest(found.locate(probe.reshape(1, -1)).compared[0])
    verdict = identify(made, probe)
    assert rows.tolist() == verdict.rows[:5].tolist()
    assert np.allclose(far, verdict.distances[:5], rtol=1e-4)


def test_a_face_is_not_its_own_neighbour(small):
    found = map_of_components(small)
    rows, far = found.nearest(found.compared[7], 7)
    assert 7 not in rows
    assert (np.diff(far) >= 0).all()
    assert 7 not in found.near_in_view([0, 1], 7)


def test_neighbours_of_very_many_faces_are_measured_among_some(small, monkeypatch):
    monkeypatch.setattr("eigenfaces.laboratory.maps.MOST_DRAWN", 15)
    found = map_of_components(small)
    kept = found.faithfulness([0, 1])
    assert (kept.faces, kept.among) == (15, 15)


def test_a_view_along_all_that_is_compared_deceives_nobody(rng):
    made = gallery(rng, count=5, photos=4, recipe=WHITENED)
    found = map_of_components(made)
    axes = range(made.k)
    kept = found.faithfulness(list(axes))
    assert (kept.trustworthiness, kept.continuity) == (1.0, 1.0)
    for row in range(20):
        assert (
            found.near_in_view(axes, row).tolist()
            == found.nearest(found.compared[row], row)[0].tolist()
        )
    near, _ = found.nearest(found.compared[3], 3)
    assert deceiving(found, axes, 3, near, made.index).startswith(
        "Here the flat view says the same"
    )


def test_a_recipe_without_pictures_has_the_map_of_the_classic_space(seven):
    texture = seven.with_recipe(Recipe.of("Discriminant")).train()
    found = map_of_components(texture)
    assert found.coordinates is texture.trained.coordinates
    assert found.comparison.distance.name == "L2"
    assert found.named == f"in all {texture.shown_k} components"


def test_the_discriminant_directions_are_those_of_its_recipe(seven):
    fitted = seven.with_recipe(Recipe.of("Discriminant")).train()
    theirs, ours = map_of_directions(fitted), map_of_directions(seven)
    assert theirs.coordinates.base is fitted.trained.compared or (
        theirs.coordinates is fitted.trained.compared
    )
    assert np.allclose(ours.coordinates, theirs.coordinates, atol=1e-3)
    assert ours.comparison.distance.name == "cosine"
    rows, _ = ours.nearest(ours.compared[0], 0)
    assert {seven.index.photos[row].person for row in rows[:3]} == {seven.index.photos[0].person}


def test_excluded_faces_have_a_place_but_fit_nothing(seven):
    keys = [seven.index.photos[row].key for row in (0, 1)]
    without = seven.exclude(keys)
    some, all_ = map_of_directions(without), map_of_directions(seven)
    assert len(some) == len(all_) == 28
    assert not np.allclose(some.coordinates, all_.coordinates, atol=1e-3)


def test_six_people_are_too_few_for_directions():
    with pytest.raises(EigenfacesError, match="from 7 people or more, and there are 6"):
        map_of_directions(small_gallery())


def test_axes_and_shares_are_named(seven):
    found = map_of_components(seven)
    share = seven.trained.space.variance_ratio[0]
    assert found.axis(0) == f"component 1 ({100 * share:.0f} % of the variance)"
    assert map_of_directions(seven).axis(1).startswith("direction 2 (")


def test_tsne_of_a_gallery_says_what_it_was_given(small):
    found = map_by_tsne(small, TsneSettings.usual(24, 23))
    assert found.coordinates.shape == (24, 2)
    assert found.shares is None
    assert found.locate is None
    assert found.named == "in the 23 components"
    assert found.axis(0) == "t-SNE 1"
    names = [photo.person for photo in small.index.photos]
    alike = sum(names[found.near_in_view([0, 1], row)[0]] == names[row] for row in range(24))
    assert alike >= 20


@pytest.fixture
def some(small, monkeypatch):
    """A map by t-SNE of 15 faces that are drawn, and what it was given."""
    given = []

    def places(points, settings, tick):
        given.append(points)
        return np.random.default_rng(settings.seed).standard_normal((len(points), 2))

    monkeypatch.setattr("eigenfaces.laboratory.maps.MOST_DRAWN", 15)
    monkeypatch.setattr("eigenfaces.laboratory.maps.tsne", places)
    return map_by_tsne(small, TsneSettings(10, 4)), given[0]


def test_tsne_of_very_many_faces_is_of_some_that_are_drawn(small, some):
    found, given = some
    rows = found.rows
    assert len(set(rows.tolist())) == 15
    assert np.array_equal(given, small.trained.coordinates[rows, :10])
    assert np.array_equal(np.isfinite(found.coordinates).all(axis=1), np.isin(range(24), rows))
    assert found.faces_words == "15 faces drawn of 24"
    assert map_words(found, [0, 1], None).startswith("15 faces drawn of 24 along t-SNE 1")
    again = map_by_tsne(small, TsneSettings(10, 4))
    assert np.array_equal(again.coordinates, found.coordinates, equal_nan=True)
    other = map_by_tsne(small, TsneSettings(10, 4, seed=1)).rows
    assert not np.array_equal(other, rows)


def test_what_is_said_of_drawn_faces_is_said_among_them(small, some):
    found, given = some
    rows = found.rows
    near, far = found.nearest(found.compared[rows[3]], rows[3])
    away = np.linalg.norm(given - given[3], axis=1)
    assert near.tolist() == rows[np.argsort(away)[1:6]].tolist()
    assert np.allclose(far, np.sort(away)[1:6], rtol=1e-5)
    assert np.isin(found.near_in_view([0, 1], rows[3]), rows).all()
    kept = found.faithfulness([0, 1])
    assert (kept.faces, kept.among) == (15, 15)
    lines = list(csv.reader(io.StringIO(map_table(found, [0, 1], small))))
    assert [line[0] for line in lines[1:]] == [
        f"{small.index.photos[row].path}" for row in rows.tolist()
    ]
    view = view_of(found, [0, 1], small, [])
    for row, photo in enumerate(small.index.photos):
        assert view.number_of(photo.key) == (row if row in rows else None)
    at = Viewpoint()
    at.fit(view.places)
    low, high = at.ranges(800, 500, True)
    assert ((view.places[rows] > low) & (view.places[rows] < high)).all()


def test_directions_of_very_many_faces_are_those_of_training(seven, monkeypatch):
    for module in ("people_features", "features"):
        monkeypatch.setattr(f"eigenfaces.recognition.{module}.LARGEST_EXACT", 16)
    fitted = seven.with_recipe(Recipe.of("Discriminant")).train()
    theirs, ours = map_of_directions(fitted), map_of_directions(seven)
    assert np.allclose(ours.coordinates, theirs.coordinates, atol=1e-3)


def test_how_a_view_deceives_is_counted_by_person(small):
    found = map_of_components(small)
    names = [photo.person for photo in small.index.photos]
    here = sum(names[row] == "Ada" for row in found.near_in_view([7, 8], 0))
    near, _ = found.nearest(found.compared[0], 0)
    there = sum(names[row] == "Ada" for row in near)
    said = deceiving(found, [7, 8], 0, near, small.index)
    assert there == 3 != here
    assert said.endswith(" Ada; in all 10 components, 3.")
    assert f"on this map, {here or 'none'} " in said
    unnamed = small.move([photo.key for photo in small.index.photos], None)
    nobody = deceiving(found, [7, 8], 0, near, unnamed.index)
    assert nobody.endswith("among the 5 nearest in all 10 components.")


def test_the_table_has_a_line_for_each_face(small):
    found = map_of_components(small)
    lines = list(csv.reader(io.StringIO(map_table(found, [0, 3], small))))
    assert lines[0] == ["photo", "person", "component_1", "component_4"]
    assert len(lines) == 25
    assert np.allclose(
        [[float(x) for x in line[2:]] for line in lines[1:]], found.view([0, 3]), rtol=1e-4
    )
