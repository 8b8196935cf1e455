"""The people of a gallery, and which of its photographs need attention, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from eigenfaces.arrays import Doubles
from eigenfaces.errors import Tick
from eigenfaces.faces.face_reading import FaceReading
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.faces.preparation import Preparation
from eigenfaces.faces.quality import Kind as Poor
from eigenfaces.faces.quality import concerns
from eigenfaces.photographs.decoding import is_there
from eigenfaces.photographs.photos import Photo
from eigenfaces.photographs.placement import Placement
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import consistency

STANDS_OUT = 1.5
"""A photograph this many times the person's median distance from their mean stands out."""

_TOO_FEW = 3  # with fewer photographs, no distance can be an outlier

Kind = Literal["gone", "outlier", "single"] | Poor


@dataclass(frozen=True)
class Attention:
    """Why a photograph needs attention: in two or three words, and as a sentence."""

    kind: Kind
    title: str
    sentence: str


@dataclass(frozen=True, eq=False)
class PeopleOverview:
    """The people and photographs of a gallery, sorted.

    ``rows`` has the rows of each person in order of first appearance (None: without a name),
    ``places`` the row of every photograph by key, ``concerns`` what needs attention by key.
    """

    rows: dict[str | None, list[int]]
    places: dict[str, int]
    concerns: dict[str, Attention]

    @property
    def people(self) -> list[str]:
        """All people with a name."""
        return [person for person in self.rows if person is not None]

    @property
    def need_attention(self) -> list[int]:
        """Rows that need attention: missing files, then outliers, poor faces, single photos.

        Guesses are not among them: these wait to be confirmed.
        """
        order = {"gone": 0, "outlier": 1, "single": 3}
        keys = [key for key, concern in self.concerns.items() if concern.kind != "guess"]
        ranked = sorted(keys, key=lambda key: order.get(self.concerns[key].kind, 2))
        return [self.places[key] for key in ranked]


def people_overview(gallery: Gallery, checked: Mapping[str, Attention]) -> PeopleOverview:
    """Return an overview of a gallery; ``checked``: the result of `check_photos`, by key."""
    rows: dict[str | None, list[int]] = {}
    for row, photo in enumerate(gallery.index.photos):
        rows.setdefault(photo.person, []).append(row)
    places = {photo.key: row for row, photo in enumerate(gallery.index.photos)}
    found = _inconsistent(gallery, rows)
    for key, concern in checked.items():
        outlier = key in found and found[key].kind == "outlier"
        if key in places and (concern.kind == "gone" or not outlier):
            found[key] = concern
    return PeopleOverview(rows, places, found)


def outliers(distances: Doubles) -> set[int]:
    """Return the indices of distances larger than 1.5 times their median."""
    if len(distances) < _TOO_FEW:
        return set()
    return set(np.flatnonzero(distances > STANDS_OUT * np.median(distances)).tolist())


def _inconsistent(gallery: Gallery, rows: dict[str | None, list[int]]) -> dict[str, Attention]:
    photos = gallery.index.photos
    found: dict[str, Attention] = {}
    for person, own in rows.items():
        if person is None:
            continue
        if len(own) == 1:
            found[photos[own[0]].key] = Attention(
                "single",
                "The only photo",
                f"It is the only photo of {person}: a second one shows whether the two agree.",
            )
        elif gallery.training is not None and len(own) >= _TOO_FEW:
            _, distances = consistency(gallery, person)
            for place in outliers(distances):
                photo = photos[own[place]]
                if not photo.excluded:
                    found[photo.key] = _outlier(person, distances, place)
    return found


def _outlier(person: str, distances: Doubles, place: int) -> Attention:
    times = distances[place] / np.median(distances)
    return Attention(
        "outlier",
        "Stands out",
        f"It is {times:.1f} times as far from the mean of {person} as the middle one of their "
        "photos. Is it somebody else?",
    )


def _gone_from_disk(photo: FacePhoto) -> Attention:
    return Attention(
        "gone",
        "Gone from disk",
        f"“{photo.path.name}” is no longer in its folder. Its face is kept in the gallery; put "
        "the file back to be able to cut it anew.",
    )


@dataclass(frozen=True, eq=False)
class PhotoChecks:
    """Checks of files and faces: what needs attention, by key; and all checked faces."""

    concerns: dict[str, Attention] = field(default_factory=dict)
    faces: dict[tuple[str, Placement, Preparation], Attention | None] = field(default_factory=dict)


def check_photos(
    faces: FaceSet, preparation: Preparation, before: PhotoChecks, tick: Tick
) -> PhotoChecks:
    """Return checks of every photograph's file, and of every face not checked before."""
    found, looked = {}, dict(before.faces)
    for row, photo in enumerate(faces.index.photos):
        tick(row, len(faces))
        this = photo.key, photo.placement, preparation
        if this not in looked:
            looked[this] = _poor(photo, faces.image(row), preparation)
        poor = looked[this]
        if not is_there(photo.path):
            found[photo.key] = _gone_from_disk(photo)
        elif poor is not None and not photo.excluded:
            found[photo.key] = poor
    return PhotoChecks(found, looked)


def _poor(
    photo: FacePhoto, crop: NDArray[np.float32], preparation: Preparation
) -> Attention | None:
    """Return the most serious problem of a face, with the same words as for a new one."""
    placed = Photo(photo.path, photo.person, photo.placement)
    problems = concerns(FaceReading(placed, photo.key, photo.size, (), crop), preparation)
    if not problems:
        return None
    first = problems[0]
    return Attention(first.kind, first.kind.capitalize(), f"{first.reason} {first.remedy}")
