"""Maps of a gallery: places, the nearest in truth, what a view keeps of them, and looking at it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn.manifold import trustworthiness as theirs

from eigenfaces import Gallery, Recipe, identify
from eigenfaces.laboratory.maps import (
    MapView,
    Viewpoint,
    map_by_tsne,
    map_of_components,
    neighbour,
    trustworthiness,
    with_room,
)
from eigenfaces.recognition.probes import Probe
from tests.synthetic import gallery, small_gallery

WHITENED = Recipe.of(components=6, distance="Mahalanobis L2")
WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
points_of_a_plane = st.integers(1, 12).flatmap(
    lambda n: arrays(np.float64, (n, 2), elements=st.integers(-4, 4).map(float))
)


@pytest.fixture(scope="module")
def small() -> Gallery:
    return small_gallery()


def test_places_are_scores_in_standard_deviations(small):
    found, training = map_of_components(small), small.trained
    view = found.view([2, 0])
    deviations = np.sqrt(training.space.variances[[2, 0]])
    assert np.allclose(view * deviations, training.coordinates[:, [2, 0]])
    assert np.allclose(view.std(axis=0, ddof=1), 1, atol=1e-4)


def test_faces_of_the_gallery_lie_where_they_are_found_anew(small):
    found = map_of_components(small)
    again = found.locate(small.faces.pixels[:])
    assert np.allclose(again.coordinates, found.coordinates, atol=1e-4)
    assert np.allclose(again.compared, found.compared, atol=1e-4)


def test_the_energy_seen_adds_up(small):
    made = small.with_recipe(Recipe()).train()
    found, space = map_of_components(made), made.trained.space
    located = found.locate(made.faces.pixels[:])
    assert np.allclose(
        located.seen(range(4)), space.energy_kept(made.faces.pixels[:])[:, 4], atol=1e-5
    )
    assert np.allclose(located.seen(range(len(space))), 1, atol=1e-5)
    assert np.allclose(located.seen([0, 5]), located.seen([0]) + located.seen([5]))
    assert found.locate(space.mean[None]).seen([0, 1]).tolist() == [1.0]


@pytest.mark.parametrize("changes", [{}, {"distance": "cosine"}, {"distance": "Mahalanobis L1"}])
def test_the_nearest_in_truth_are_those_of_a_verdict(small, changes):
    made = small.with_recipe(small.recipe.changed(**changes))
    found = map_of_components(made)
    probe = np.random.default_rng(0).random(made.faces.shape, dtype=np.float32)
    rows, far = found.nearest(found.locate(probe.reshape(1, -1)).compared[0])
    verdict = identify(made, probe)
    assert rows.tolist() == verdict.rows[:5].tolist()
    assert np.allclose(far, verdict.distances[:5], rtol=1e-4)


def test_a_view_along_all_that_is_compared_deceives_nobody(rng):
    made = gallery(rng, count=5, photos=4, recipe=WHITENED)
    found, axes = map_of_components(made), range(made.k)
    trust, _ = found.trust(axes)
    assert trust == 1.0
    for row in range(20):
        near, _ = found.nearest(found.compared[row], row)
        assert found.near_in_view(axes, row).tolist() == near.tolist()
        assert row not in near
    said = found.deceiving(axes, row, near, made.index)
    assert said.startswith("Here the flat view says the same")


def test_how_a_view_deceives_is_counted_by_person(small):
    found = map_of_components(small)
    names = [photo.person for photo in small.index.photos]
    here = sum(names[row] == "Ada" for row in found.near_in_view([7, 8], 0))
    near, _ = found.nearest(found.compared[0], 0)
    assert sum(names[row] == "Ada" for row in near) == 3 != here
    said = found.deceiving([7, 8], 0, near, small.index)
    assert said.endswith(" Ada; in all 10 components, 3.")
    assert f"on this map, {here or 'none'} " in said
    unnamed = small.move([photo.key for photo in small.index.photos], None)
    nobody = found.deceiving([7, 8], 0, near, unnamed.index)
    assert nobody.endswith("among the 5 nearest in all 10 components.")


def test_tsne_of_a_gallery_says_what_it_was_given(small):
    found = map_by_tsne(small)
    assert found.coordinates.shape == (24, 2)
    assert (found.shares, found.locate) == (None, None)
    assert (found.named, found.axis(0)) == ("in the 23 components", "t-SNE 1")
    names = [photo.person for photo in small.index.photos]
    alike = sum(names[found.near_in_view([0, 1], row)[0]] == names[row] for row in range(24))
    assert alike >= 20


@pytest.mark.parametrize(("n", "k"), [(12, 1), (40, 5), (150, 20)])
def test_trustworthiness_is_scikit_learns(rng, n, k):
    points = rng.standard_normal((n, 8))
    for on_map in (points[:, :2], rng.standard_normal((n, 2))):
        ours = trustworthiness(cdist(points, points), cdist(on_map, on_map), k)
        assert ours == pytest.approx(theirs(points, on_map, n_neighbors=k), abs=1e-12)


class TestView:
    @pytest.mark.parametrize(
        ("file", "faces", "name"),
        [("new.png", 1, "new"), ("s27/9.png", 1, "s27/9"), ("party.png", 3, "party, face 1")],
    )
    def test_a_probe_lies_on_its_face_and_is_called_by_its_file(self, small, file, faces, name):
        photo = replace(small.index.photos[5], path=Path(file), key="probe")
        for probe in (photo, small.index.photos[5]):
            found = Probe(probe, small.faces.image(5), 1, faces)
            view = MapView.of(map_of_components(small), [0, 1], small, [found])
            assert np.allclose(view.places[24], view.places[5], atol=1e-4)
            assert view.number_of(probe.key) == (24 if probe is photo else 5)
            assert view.number_of("nobody") is None
            assert probe is not photo or view.names[24] == name

    def test_names_count_the_photos_of_each_person(self, small):
        named = small.move([small.index.photos[1].key], None)
        view = MapView.of(map_of_components(named), [0, 1], named, [])
        assert view.names[:3] == ["Ada, photo 1", "Nobody named, photo 1", "Ada, photo 2"]
        assert view.groups[:3].tolist() == [0, -1, 0]


def test_fitted_a_viewpoint_sees_everything(rng):
    for places in (5 * rng.standard_normal((50, 2)) + 3, np.zeros((3, 2))):
        at = Viewpoint()
        at.fit(places)
        for equal in (True, False):
            low, high = at.ranges(800, 500, equal)
            assert ((places > low) & (places < high)).all()


def test_zooming_keeps_what_lies_under_the_pointer(rng):
    at, under = Viewpoint(), np.array([0.3, -0.4])
    at.fit(rng.standard_normal((20, 2)))

    def share():
        low, high = at.ranges(1, 1, False)
        return (under - low) / (high - low)

    before = share()
    at.zoom_by(3.0, under)
    assert np.allclose(share(), before)
    at.zoom_by(1e9, under)
    assert at.zoom == 400


@pytest.mark.parametrize(("places", "at_each"), [(2, 1), (300, 1), (6, 3)])
def test_the_arrow_keys_reach_every_point(rng, places, at_each):
    points = np.repeat(rng.standard_normal((places, 2)), at_each, axis=0)
    found, open_ = {0}, [0]
    while open_:
        row = open_.pop()
        steps = {neighbour(points, row, way) for way in WAYS} - {None} - found
        found |= steps
        open_ += steps
    assert found == set(range(len(points)))


@given(points_of_a_plane, st.sampled_from([0.5, 1.0, 3.0]))
def test_one_point_of_each_cell_has_room_and_it_is_the_last(points, side):
    cells = [tuple(cell) for cell in np.floor(points / side).astype(int)]
    last = {cell: row for row, cell in enumerate(cells)}
    assert np.flatnonzero(with_room(points, side, side)).tolist() == sorted(last.values())
