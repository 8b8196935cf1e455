"""Which faces are likely to be meant on the photographs under review, and readings with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eigenfaces.faces.crops import Crops
from eigenfaces.faces.detection import FoundFace
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.incoming import IncomingPhoto
from eigenfaces.faces.meant import candidates, choose_faces
from eigenfaces.faces.photo_index import PhotoIndex, file_key
from eigenfaces.faces.recurrence import FaceChoice

Named = tuple[tuple[str, IncomingPhoto], ...]
"""Readings, each with the person on the photograph."""


@dataclass(frozen=True)
class Chosen:
    """The choice for a photograph of a person, and the faces among which it was made."""

    person: str
    faces: tuple[FoundFace, ...]
    choice: FaceChoice


@dataclass(frozen=True, eq=False)
class Undecided:
    """Photographs with several faces, and those that they are compared with.

    Parameters
    ----------
    several
        The photographs on which a face has to be chosen.
    alone
        Those whose face is settled.
    enrolled
        The faces of the gallery.
    """

    several: Named
    alone: Named
    enrolled: FaceSet

    def same_as(self, other: Undecided | None) -> bool:
        """Return whether nothing has changed: not a reading, and not a name."""
        return other is not None and (self.several, self.alone) == (other.several, other.alone)

    def choices(self) -> dict[Path, Chosen]:
        """Return the choice for each photograph: with thousands of them it takes seconds."""
        photos = [
            candidates(who, each.faces, each.textures, each.size) for who, each in self.several
        ]
        held = [self._others_enrolled()]
        if self.alone:
            levels = [each.levels for _, each in self.alone if each.levels is not None]
            crops = Crops(np.stack(levels).reshape(len(levels), -1))
            named = tuple(each.described(who) for who, each in self.alone)
            held.append(FaceSet(crops, levels[0].shape, PhotoIndex(named)))
        made = zip(self.several, choose_faces(photos, held), strict=True)
        return {each.photo.path: Chosen(who, each.faces, choice) for (who, each), choice in made}

    def _others_enrolled(self) -> FaceSet:
        """Return the faces of the gallery without those of the photographs to choose on."""
        again = {each.key for _, each in self.several}
        photos = self.enrolled.index.photos
        rows = [row for row, photo in enumerate(photos) if file_key(photo.key) not in again]
        return self.enrolled if len(rows) == len(photos) else self.enrolled.select(rows)


class Guesses:
    """The last choices, as far as they still hold."""

    def __init__(self) -> None:
        self.choices: Mapping[Path, Chosen] = {}
        self._applied: dict[Path, tuple[IncomingPhoto, Chosen, IncomingPhoto]] = {}  # a cache

    def apply(
        self, reading: IncomingPhoto | None, person: str | None
    ) -> tuple[IncomingPhoto | None, FaceChoice | None]:
        """Return a reading with the face that is likely to be meant, and the choice, if any."""
        if reading is None or person is None or not reading.undecided:
            return reading, None
        path = reading.photo.path
        chosen = self.choices.get(path)
        if chosen is None or (chosen.person, chosen.faces) != (person, reading.faces):
            return reading, None
        before, by, applied = self._applied.get(path, (None, None, reading))
        if before is not reading or by is not chosen:
            applied = reading.taking(chosen.choice, person)
            self._applied[path] = reading, chosen, applied
        return applied, chosen.choice
