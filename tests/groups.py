"""Group photographs of AT&T people, side by side, and a detector that knows their places."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from skimage import data

from eigenfaces import FaceSet
from eigenfaces.faces import network
from eigenfaces.faces.detect import FoundFace, find_faces
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats

PEOPLE = tuple(range(6, 12))
"""Indices of the AT&T people who have albums. The others are strangers beside them."""

SIDE = (112, 92)
"""The size (h, w) of each person's face in a group photograph."""


def write_albums(
    folder: Path, att: FaceSet, people: int, photos: int, *, alone: int = 0, others: int = 2
) -> dict[Path, int]:
    """Write photographs of people among strangers; return {path: index of the person}.

    The index counts from the left. ``alone`` is the number of a person's photographs without
    strangers, and ``others`` the number of strangers in the rest. A stranger rarely appears twice.
    """
    strangers = iter([10 * p + n for n in range(10) for p in range(40) if p not in PEOPLE])
    truth = {}
    for person in range(people):
        home = folder / f"Person {person + 1}"
        home.mkdir(parents=True)
        for number in range(photos):
            rows = [next(strangers) for _ in range(others if number >= alone else 0)]
            at = (person + number) % (len(rows) + 1)
            rows.insert(at, 10 * PEOPLE[person] + number)
            faces = [masked(att.image(row), row) for row in rows]
            faces[at] = masked(att.image(rows[at]), 1000 + person)
            path = home / f"{number}.png"
            truth[path] = at
            levels = np.rint(np.concatenate(faces, axis=1) * 255).astype(np.uint8)
            Image.fromarray(levels).save(path)
    return truth


def masked(image: Floats, who: int) -> Floats:
    """Return a face (h, w) with squares below its eyes, in a pattern that identifies ``who``."""
    squares = np.random.default_rng(who).integers(0, 2, (3, 5))
    masked = image.copy()
    masked[72:108, 11:81] = np.kron(squares, np.ones((12, 14)))
    return masked


@cache
def _astronaut() -> FoundFace:
    return find_faces(data.astronaut()[20:200, 130:310].mean(axis=2, dtype=np.float32) / 255)[0]


def find_standing(grey: Floats) -> tuple[FoundFace, ...]:
    """Return a face for everybody in a group, the most certain first, which is on the right."""
    number = grey.shape[1] // SIDE[1]
    places = [Eyes.at(complex(SIDE[1] * (at + 0.5), 52), 34) for at in range(number)]
    faces = [replace(_astronaut(), eyes=eyes, score=5.0 + at) for at, eyes in enumerate(places)]
    return tuple(reversed(faces))


def know_where_they_stand(patch: pytest.MonkeyPatch) -> None:
    """Replace the detector with `find_standing`, and crop faces exactly at its eye positions."""
    _astronaut()
    chip = network.chip
    patch.setattr("eigenfaces.faces.read.find_faces", find_standing)
    patch.setattr(network, "is_installed", lambda: True)
    patch.setattr(network, "chip", lambda colours, eyes, **_: chip(colours, eyes, exact=True))
