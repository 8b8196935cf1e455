"""Views: what they hold, and from where they are looked at."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.laboratory.maps import Viewpoint, map_of_components, probe_name, view_of
from eigenfaces.recognition.probes import Probe
from tests.synthetic import small_gallery


@pytest.fixture(scope="module")
def small():
    return small_gallery()


def probe_of(small, row, path, key="probe", faces=1):
    photo = replace(small.index.photos[row], path=path, key=key)
    return Probe(photo, small.faces.image(row), 1, faces)


def test_a_probe_that_is_a_face_lies_on_it(small, tmp_path):
    found = map_of_components(small)
    view = view_of(found, [0, 1], small, [probe_of(small, 5, tmp_path / "new.png")])
    assert view.faces == 24
    assert view.places.shape == (25, 2)
    assert np.allclose(view.places[24], view.places[5], atol=1e-4)
    assert view.name_of(24) == "new"
    assert view.number_of("probe") == 24
    assert view.number_of("nobody") is None


def test_a_probe_with_the_key_of_a_face_is_that_face(small, tmp_path):
    key = small.index.photos[5].key
    view = view_of(
        map_of_components(small), [0, 1], small, [probe_of(small, 5, tmp_path / "a.png", key)]
    )
    assert view.number_of(key) == 5


def test_names_count_the_photos_of_each_person(small):
    named = small.move([small.index.photos[1].key], None)
    view = view_of(map_of_components(named), [0, 1], named, [])
    names = [view.name_of(row) for row in range(3)]
    assert names == ["Ada, photo 1", "Nobody named, photo 1", "Ada, photo 2"]
    assert view.groups[:3].tolist() == [0, -1, 0]


def test_a_probe_is_called_by_its_file(small, tmp_path):
    assert probe_name(probe_of(small, 0, tmp_path / "s27" / "9.png")) == "s27/9"
    assert probe_name(probe_of(small, 0, tmp_path / "party.png", faces=3)) == "party, face 1"


@pytest.mark.parametrize("dimensions", [2, 3])
def test_fitted_it_sees_everything(rng, dimensions):
    places, at = 5 * rng.standard_normal((50, dimensions)) + 3, Viewpoint()
    at.fit(places)
    for turn in range(5):
        flat, _ = at.flat(places)
        for equal in (True, False):
            low, high = at.ranges(800, 500, equal)
            assert ((flat > low) & (flat < high)).all()
        at.orbit(0.5 * turn, 0.1)


def test_equal_steps_are_equally_long(rng):
    at = Viewpoint()
    at.fit(rng.standard_normal((20, 2)) * (1, 9))
    low, high = at.ranges(900, 300, True)
    across, up = high - low
    assert across / 900 == pytest.approx(up / 300)


def test_zooming_keeps_what_lies_under_the_pointer(rng):
    at = Viewpoint()
    at.fit(rng.standard_normal((20, 2)))
    under = np.array([0.3, -0.4])

    def share():
        low, high = at.ranges(1, 1, False)
        return (under - low) / (high - low)

    before = share()
    at.zoom_by(3.0, under)
    assert np.allclose(share(), before)
    at.zoom_by(1e9, under)
    assert at.zoom == 400


def test_faces_all_at_one_place_can_be_looked_at():
    at = Viewpoint()
    at.fit(np.zeros((3, 2)))
    low, high = at.ranges(100, 100, False)
    assert (high > low).all()


def test_it_does_not_turn_over_the_top():
    at = Viewpoint()
    at.orbit(0, 9)
    assert at.pitch == pytest.approx(np.pi / 2)
