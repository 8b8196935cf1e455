"""Who is nearest to a face of the gallery, but its own person."""

from typing import NoReturn

import numpy as np
import pytest
from synthetic import gallery as trained_gallery

from eigenfaces import EigenfacesError, Gallery, identify
from eigenfaces.faces.face_set import Crops
from eigenfaces.recognition.calibration import FaceLikeness
from eigenfaces.recognition.verdict import nearest_other


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    """Four people with five photographs each, trained."""
    return trained_gallery(rng)


def test_it_is_the_first_other_person_of_the_verdict(gallery: Gallery) -> None:
    for row, photo in enumerate(gallery.index.photos):
        verdict = identify(gallery, gallery.faces.pixels[row])
        other = next(match for match in verdict.top(2) if match.person != photo.person)
        found = nearest_other(gallery, row)
        assert found is not None
        assert (found.person, found.row) == (other.person, other.row)
        assert found.distance == pytest.approx(other.distance, rel=1e-6)


def test_no_face_is_read_for_it(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    known = nearest_other(gallery, 3)
    monkeypatch.setattr(Crops, "__getitem__", None)
    assert nearest_other(gallery, 3) == known


def test_there_may_be_nobody_else(gallery: Gallery) -> None:
    keys = [photo.key for photo in gallery.index.photos]
    own = [gallery.index.photos[row].key for row in gallery.index.rows_of("Person 1")]
    alone = gallery.remove([key for key in keys if key not in own])
    assert nearest_other(alone, 0) is None
    with pytest.raises(EigenfacesError, match="Nobody is enrolled"):
        nearest_other(gallery.move(keys, None), 0)


def test_it_does_not_ask_what_is_a_face(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    """That would import SciPy in the window, and hold it for 0.3 s."""

    def measured(*_: object) -> NoReturn:
        raise AssertionError

    calibrated = gallery.calibrate()
    assert calibrated.calibrated is not None
    monkeypatch.setattr(FaceLikeness, "left_over", measured)
    assert nearest_other(calibrated, 0) is not None
    with pytest.raises(AssertionError):
        identify(calibrated, calibrated.faces.pixels[0])
