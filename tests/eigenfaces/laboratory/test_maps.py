"""Maps of a gallery: places, the nearest in truth, what a view keeps of them, and looking at it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn import manifold
from synthetic import on_file

from eigenfaces import Gallery, Recipe, identify
from eigenfaces.faces.identity import FaceId
from eigenfaces.laboratory.maps import (
    FaceMap,
    MapView,
    Viewpoint,
    labels_of,
    map_by_tsne,
    map_of_components,
    neighbour_in_direction,
    one_per_cell,
    trustworthiness,
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


@pytest.fixture(scope="module")
def face_map(small: Gallery) -> FaceMap:
    return map_of_components(small)


def test_places_are_scores_in_standard_deviations_where_faces_are_located_anew(small, face_map):
    view, training = face_map.view_coordinates([2, 0]), small.trained
    deviations = np.sqrt(training.space.variances[[2, 0]])
    assert np.allclose(view * deviations, training.coordinates[:, [2, 0]])
    assert np.allclose(view.std(axis=0, ddof=1), 1, atol=1e-4)
    again = face_map.project(small.faces.pixels[:])
    assert np.allclose(again.coordinates, face_map.coordinates, atol=1e-4)
    assert np.allclose(again.points, face_map.points, atol=1e-4)


def test_the_energy_seen_adds_up(small, face_map):
    space, pixels = small.trained.space, small.faces.pixels[:]
    located = face_map.project(pixels)
    assert np.allclose(located.energy_shares(range(4)), space.energy_kept(pixels)[:, 4], atol=1e-5)
    assert np.allclose(located.energy_shares(range(len(space))), 1, atol=1e-5)
    assert np.allclose(
        located.energy_shares([0, 5]), located.energy_shares([0]) + located.energy_shares([5])
    )
    assert face_map.project(space.mean[None]).energy_shares([0, 1]).tolist() == [1.0]


@pytest.mark.parametrize("changes", [{}, {"distance": "cosine"}, {"distance": "Mahalanobis L1"}])
def test_the_nearest_in_truth_are_those_of_a_verdict(small, changes):
    made = small.with_recipe(small.recipe.changed(**changes))
    face_map = map_of_components(made)
    probe = np.random.default_rng(0).random(made.faces.shape, dtype=np.float32)
    rows, far = face_map.nearest(face_map.project(probe.reshape(1, -1)).points[0])
    verdict = identify(made, probe)
    assert rows.tolist() == verdict.rows[:5].tolist()
    assert np.allclose(far, verdict.distances[:5], rtol=1e-4)


def test_a_view_along_all_that_is_compared_deceives_nobody(rng):
    made = gallery(rng, count=5, photos=4, recipe=WHITENED)
    face_map, axes = map_of_components(made), range(made.k)
    assert face_map.trustworthiness(axes)[0] == 1.0
    for row in range(20):
        near, _ = face_map.nearest(face_map.points[row], row)
        assert face_map.nearest_in_view(axes, row).tolist() == near.tolist()
        assert row not in near
    words = face_map.neighbour_report(axes, row, near, made.index)
    assert words.startswith("Here the flat view agrees")


@pytest.mark.parametrize(("n", "k"), [(3, 1), (40, 5), (40, 19), (200, 12)])
def test_trustworthiness_is_that_of_scikit_learn(rng, n, k):
    points, places = rng.normal(size=(n, 6)), rng.normal(size=(n, 2))
    places += points[:, :2]
    truth = cdist(points, points)
    known = manifold.trustworthiness(points, places, n_neighbors=k)
    assert trustworthiness(truth, places, k) == pytest.approx(known, abs=1e-12)


def test_of_equally_distant_points_none_is_beyond_another():
    """Copies of a photo are at one place: a map that shows one of them first deceives nobody."""
    truth = 1.0 - np.eye(9)
    assert trustworthiness(truth, np.arange(9.0)[:, None], 2) == 1.0


def test_how_a_view_deceives_is_counted_by_person(small, face_map):
    names = [photo.person for photo in small.index.photos]
    here = sum(names[row] == "Ada" for row in face_map.nearest_in_view([7, 8], 0))
    near, _ = face_map.nearest(face_map.points[0], 0)
    assert sum(names[row] == "Ada" for row in near) == 3 != here
    words = face_map.neighbour_report([7, 8], 0, near, small.index)
    assert words.endswith(" Ada; in all 10 components, 3.")
    assert f"on this map, {here or 'none'} " in words
    unnamed = small.move([photo.id for photo in small.index.photos], None)
    words = face_map.neighbour_report([7, 8], 0, near, unnamed.index)
    assert words.endswith("among the 5 nearest in all 10 components.")


def test_tsne_of_a_gallery_says_what_it_was_given(small):
    face_map = map_by_tsne(small)
    assert face_map.coordinates.shape == (24, 2)
    assert (face_map.shares, face_map.project) == (None, None)
    assert (face_map.space_words, face_map.axis(0)) == ("in the 23 components", "t-SNE 1")


def test_a_view_has_people_by_number_and_probes_by_their_files(small, face_map):
    named, photo = small.move([small.index.photos[1].id], None), small.index.photos[5]
    probes = [
        Probe(on_file(photo, Path(file), file), small.faces.image(5), 1, faces)
        for file, faces in (("new.png", 1), ("s27/9.png", 1), ("party.png", 3))
    ]
    probes.append(Probe(photo, small.faces.image(5), 1, 1))  # it is in the gallery, too
    view = MapView.of(face_map, [0, 1], named, probes)
    assert view.names[:3] == ["Ada, photo 1", "Unnamed, photo 1", "Ada, photo 2"]
    assert view.groups[:3].tolist() == [0, -1, 0]
    assert view.names[24:27] == ["new", "s27/9", "party, face 1"]
    assert np.allclose(view.places[24:], view.places[5], atol=1e-4)
    faces = FaceId("s27/9.png"), photo.id, FaceId("nobody")
    assert [view.point_of(face) for face in faces] == [25, 5, None]


def in_folders(small: Gallery, *folders: str) -> Gallery:
    photos = {
        photo.id: on_file(photo, Path("/photos", folders[row % len(folders)], f"{row}.jpg"))
        for row, photo in enumerate(small.index.photos)
    }
    return replace(small, faces=small.faces.with_photos(photos))


def test_faces_can_be_coloured_by_what_divides_them_otherwise_than_people(small, face_map):
    assert list(labels_of(small.index.photos)) == ["person"]
    made = in_folders(small, "Winter", "Fair", "Fair")
    assert list(labels_of(made.index.photos)) == ["person", "folder"]
    view = MapView.of(face_map, [0, 1], made, (), "folder")
    assert (view.labels, view.groups[:4].tolist()) == (["Fair", "Winter"], [1, 0, 0, 1])
    assert view.names[:2] == ["Ada, photo 1 · Winter", "Ada, photo 2 · Fair"]
    some = made.exclude([made.index.photos[0].id])
    view = MapView.of(face_map, [0, 1], some, (), "use")
    assert [view.labels[group] for group in view.groups[:2]] == ["left out", "in training"]
    people = [replace(photo, person=photo.path.parent.name) for photo in made.index.photos]
    assert list(labels_of(people)) == ["person"], "folders of people divide them alike"


def test_a_search_finds_people_folders_and_files(small, face_map):
    made = in_folders(small, "Winter", "Fair")
    view = MapView.of(face_map, [0, 1], made, [Probe(made.index.photos[1], small.faces.image(1))])
    assert view.found("ada").tolist() == [0, 1, 2, 3, 24], "the probe is of her, too"
    assert view.found("winter").tolist() == list(range(0, 24, 2))
    assert view.found("23.jpg").tolist() == [23]
    assert view.found(" ").tolist() == view.found("nobody").tolist() == []


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
    reached, rest = {0}, [0]
    while rest:
        row = rest.pop()
        steps = {neighbour_in_direction(points, row, way) for way in WAYS} - {None} - reached
        reached |= steps
        rest += steps
    assert reached == set(range(len(points)))


@given(points_of_a_plane, st.sampled_from([0.5, 1.0, 3.0]))
def test_one_point_of_each_cell_has_room_and_it_is_the_last(points, side):
    cells = [tuple(cell) for cell in np.floor(points / side).astype(int)]
    last = {cell: row for row, cell in enumerate(cells)}
    assert np.flatnonzero(one_per_cell(points, side, side)).tolist() == sorted(last.values())
