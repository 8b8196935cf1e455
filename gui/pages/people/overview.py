"""Who is in the gallery, and which photographs need attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from eigenfaces.decoding import is_there
from eigenfaces.faces import FacePhoto
from eigenfaces.gallery import Gallery
from eigenfaces.recognition import consistency

STANDS_OUT = 1.5
"""A photograph this many times the person's median distance from their mean stands out."""

_SHAKY = 3  # among fewer photographs every distance is as good as the other

Kind = Literal["gone", "outlier", "single"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Concern:
    """Why a photograph needs attention: in two or three words, and as a sentence."""

    kind: Kind
    title: str
    sentence: str


@dataclass(frozen=True, eq=False)
class Overview:
    """A gallery sorted for this page.

    ``rows`` holds the rows of everybody in order of first appearance (None: of nobody named),
    ``places`` the row of every photograph by key, ``concerns`` what needs attention by key.
    """

    rows: dict[str | None, list[int]]
    places: dict[str, int]
    concerns: dict[str, Concern]

    @property
    def people(self) -> list[str]:
        """Everybody with a name."""
        return [person for person in self.rows if person is not None]

    @property
    def concerned(self) -> list[int]:
        """The rows that need attention: files that are gone, then outliers, then single ones."""
        order: list[Kind] = ["gone", "outlier", "single"]
        ranked = sorted(self.concerns, key=lambda key: order.index(self.concerns[key].kind))
        return [self.places[key] for key in ranked]


def overview(gallery: Gallery, gone: frozenset[str]) -> Overview:
    """Sort a gallery; ``gone`` are the keys of photographs whose file is not where it was."""
    rows: dict[str | None, list[int]] = {}
    for row, photo in enumerate(gallery.faces.photos):
        rows.setdefault(photo.person, []).append(row)
    places = {photo.key: row for row, photo in enumerate(gallery.faces.photos)}
    concerns = _inconsistent(gallery, rows)
    concerns |= {
        key: _gone_from_disk(gallery.faces.photos[places[key]]) for key in gone if key in places
    }
    return Overview(rows, places, concerns)


def stands_out(distances: Floats) -> set[int]:
    """Give the places of those more than 1.5 times the median distance away."""
    if len(distances) < _SHAKY:
        return set()
    return set(np.flatnonzero(distances > STANDS_OUT * np.median(distances)).tolist())


def _inconsistent(gallery: Gallery, rows: dict[str | None, list[int]]) -> dict[str, Concern]:
    photos = gallery.faces.photos
    found: dict[str, Concern] = {}
    for person, own in rows.items():
        if person is None:
            continue
        if len(own) == 1:
            found[photos[own[0]].key] = Concern(
                "single",
                "The only photo",
                f"It is the only photo of {person}: a second one shows whether the two agree.",
            )
        elif gallery.training is not None and len(own) >= _SHAKY:
            _, distances = consistency(gallery, person)
            for place in stands_out(distances):
                photo = photos[own[place]]
                if not photo.excluded:
                    found[photo.key] = _outlier(person, distances, place)
    return found


def _outlier(person: str, distances: Floats, place: int) -> Concern:
    times = distances[place] / np.median(distances)
    return Concern(
        "outlier",
        "Stands out",
        f"It is {times:.1f} times as far from the mean of {person} as the middle one of their "
        "photos. Is it somebody else?",
    )


def _gone_from_disk(photo: FacePhoto) -> Concern:
    return Concern(
        "gone",
        "Gone from disk",
        f"“{photo.path.name}” is no longer in its folder. Its face is kept in the gallery; put "
        "the file back to be able to cut it anew.",
    )


def gone_from_disk(photos: Sequence[FacePhoto], tick: Callable[[int, int], None]) -> frozenset[str]:
    """Look for every photograph's file; return the keys of those that are not there."""
    gone = set()
    for done, photo in enumerate(photos):
        tick(done, len(photos))
        if not is_there(photo.path):
            gone.add(photo.key)
    return frozenset(gone)
