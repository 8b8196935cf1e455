"""What distances mean in a gallery, as rows of a project file, and back."""

from __future__ import annotations

import json
import sqlite3

import numpy as np

from eigenfaces.faces.general_faces import general_faces
from eigenfaces.project.stored_arrays import expect
from eigenfaces.project.stored_values import names_of, parts_of, read_part, value_of
from eigenfaces.project.tables import insert, rows
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.comparison import Nearest
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.people_features import numbered


def write_calibration(connection: sqlite3.Connection, calibration: Calibration | None) -> None:
    """Replace the calibration."""
    connection.execute("DELETE FROM calibration")
    if calibration is None:
        return
    parts = (
        (name, json.dumps(part.shape), np.ascontiguousarray(part).tobytes())
        for name, part in parts_of(calibration).items()
    )
    insert(connection, "calibration", parts)


def load_calibration(connection: sqlite3.Connection, gallery: Gallery) -> Calibration | None:
    """Read the calibration of a gallery; None where it was made from another state of it.

    Raises `ValueError` where it does not fit the gallery that it was made from.
    """
    stored = {name: (shape, value) for name, shape, value in rows(connection, "calibration")}
    basis = stored.get("basis", ("", b""))[1]
    if gallery.training is None or not basis or basis != gallery.basis.encode():
        return None
    expect(stored.keys() == names_of(Calibration), "a part of its calibration is missing")
    calibration = value_of(
        Calibration,
        {
            name: read_part(Calibration, name, json.loads(shape), value)
            for name, (shape, value) in stored.items()
        },
    )
    _check(calibration, gallery)
    return calibration


def _check(calibration: Calibration, gallery: Gallery) -> None:
    """Raise `ValueError` where a calibration holds what none of this gallery can."""
    held, wrong = calibration.held, "its calibration does not fit its faces"
    people = numbered([gallery.index.photos[row].person for row in gallery.enrolled])
    # It holds in any order of the photographs: some may have been taken out and added again since.
    named, each = np.unique(held.people, return_counts=True)
    expect(np.array_equal(named, np.unique(people)), wrong)
    expect(np.array_equal(np.sort(each), np.sort(np.bincount(people))), wrong)
    for nearest in (held.member, held.stranger):
        expect(_fits(nearest, len(people), int(people.max(initial=-1))), wrong)
    left = calibration.left_over
    expect(left.shape == people.shape and bool(np.isfinite(left).all()), wrong)
    likeness, face = calibration.likeness, np.ones((1, 2, len(general_faces().mean)), np.float32)
    expect(bool(np.isfinite([likeness.limit, *likeness.residuals(face)]).all()), wrong)


def _fits(nearest: Nearest, photos: int, last: int) -> bool:
    """Return whether these are nearest people of so many photographs; of some there are none."""
    person, distance, runner_up = nearest.person, nearest.distance, nearest.runner_up
    if not person.shape == distance.shape == runner_up.shape == (photos,):
        return False
    known = person >= 0
    return bool(
        ((person >= -1) & (person <= last)).all()
        and np.isfinite(distance[known]).all()
        and not np.isfinite(distance[~known]).any()
        and not np.isnan(runner_up[known]).any()
    )
