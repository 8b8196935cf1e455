"""The people of a gallery, and which of its photographs need attention, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.faces.face_set import FacePhoto, PhotoIndex, as_levels
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Kind as Poor
from eigenfaces.faces.quality import concerns
from eigenfaces.faces.read import FaceReading
from eigenfaces.photographs.decode import is_there
from eigenfaces.photographs.photos import Photo, Placement
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import consistency
from eigenfaces.space.arrays import Doubles, Floats

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
    """The photographs of a gallery, and what needs attention by key: perhaps before an edit."""

    index: PhotoIndex
    concerns: Mapping[str, Attention] = field(default_factory=dict)

    @cached_property
    def need_attention(self) -> list[int]:
        """Rows that need attention: missing files, then outliers, poor faces, single photos.

        Guesses are not among them: these wait to be confirmed.
        """
        order, places = {"gone": 0, "outlier": 1, "single": 3}, self.index.places
        known = [key for key, each in self.concerns.items() if each.kind != "guess"]
        ranked = sorted(known, key=lambda key: order.get(self.concerns[key].kind, 2))
        return [places[key] for key in ranked if key in places]

    def of_rows(self, rows: Iterable[int]) -> list[Attention]:
        """Return what needs attention in some rows."""
        keys = (self.index.photos[row].key for row in rows)
        return [self.concerns[key] for key in keys if key in self.concerns]


def outliers(distances: Doubles) -> set[int]:
    """Return the indices of distances larger than 1.5 times their median."""
    if len(distances) < _TOO_FEW:
        return set()
    return set(np.flatnonzero(distances > STANDS_OUT * np.median(distances)).tolist())


@dataclass(frozen=True, eq=False)
class PhotoChecks:
    """What `check_photos` found: what needs attention, by key.

    ``faces`` is what was thought of each face, as it lies in its photograph and was cut.
    """

    concerns: Mapping[str, Attention] = field(default_factory=dict)
    faces: Mapping[str, tuple[Placement, Preparation, Attention | None]] = field(
        default_factory=dict
    )


def check_photos(gallery: Gallery, before: PhotoChecks, tick: Tick) -> PhotoChecks:
    """Return what needs attention: of each photograph what matters most.

    A face that was looked at before is not looked at again.
    """
    photos, rows_of, cut = gallery.index.photos, gallery.index.rows_by_person, gallery.preparation
    times: dict[int, float] = {}  # how many times as far as the middle one outliers are, by row
    for person in gallery.people if gallery.training is not None else ():
        rows, distances = consistency(gallery, person)
        middle = np.median(distances)
        times |= {rows[place]: float(distances[place] / middle) for place in outliers(distances)}
    found, faces = dict[str, Attention](), {}
    for row, photo in enumerate(photos):
        tick(row, len(photos))
        looked = before.faces.get(photo.key)
        if looked is None or looked[:2] != (photo.placement, cut):
            looked = photo.placement, cut, _poor(photo, gallery.faces.image(row), cut)
        faces[photo.key] = looked
        attention, owner = None if photo.excluded else looked[2], photo.person
        if not is_there(photo.path):
            attention = Attention(
                "gone",
                "Gone from disk",
                f"“{photo.path.name}” is no longer in its folder. Its face is kept in the "
                "gallery; put the file back to be able to cut it anew.",
            )
        elif row in times and not photo.excluded:
            far = f"It is {times[row]:.1f} times as far from the mean of {owner} as the middle one"
            said = f"{far} of their photos. Is it somebody else?"
            attention = Attention("outlier", "Stands out", said)
        elif attention is None and owner is not None and len(rows_of[owner]) == 1:
            said = f"It is the only photo of {owner}: a second one shows whether the two agree."
            attention = Attention("single", "The only photo", said)
        if attention is not None:
            found[photo.key] = attention
    return PhotoChecks(found, faces)


def _poor(photo: FacePhoto, crop: Floats, preparation: Preparation) -> Attention | None:
    """Return the most serious problem of a face, with the same words as for a new one."""
    placed = Photo(photo.path, photo.person, photo.placement)
    reading = FaceReading(placed, photo.key, photo.size, levels=as_levels(crop))
    for first in concerns(reading, preparation):
        return Attention(first.kind, first.kind.capitalize(), f"{first.reason} {first.remedy}")
    return None
