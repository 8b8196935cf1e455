"""Reading photographs into faces, one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from eigenfaces.faces.face_reading import FaceReading, read_face
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.decoding import content_hash, read_bytes
from eigenfaces.photographs.photos import Photo
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.arrays.crops import as_levels, crop_hash

Loaded = tuple[FacePhoto, Floats]
"""A photograph and its face (h, w)."""

Look = Callable[[FaceReading], object]
Read = tuple[FacePhoto, Bytes, object] | FaceReading
"""A photograph, its face (h, w) in grey levels 0…255 and what ``look`` has returned of it; or one
with several faces to choose from."""


def face_of(reading: FaceReading) -> Loaded:
    """Return the face that a photograph is of; raise `PhotoError` where there is none."""
    crop, photo = reading.face, reading.photo
    assert photo.placement is not None  # there is a crop
    described = FacePhoto(
        photo.path,
        photo.person,
        reading.key,
        reading.size,
        placement=photo.placement,
        crop=crop_hash(crop),
    )
    return described, crop


def load_face(path: Path | str, preparation: Preparation) -> Loaded:
    """Read one photograph and cut its face; raise `PhotoError` with the reason."""
    return face_of(read_face(Photo(Path(path)), preparation))


@dataclass(frozen=True, eq=False)
class FaceReader:
    """How photographs are read into faces: see `eigenfaces.importing.intake.load_faces`."""

    preparation: Preparation
    enrolled: FaceSet
    already: Callable[[Photo], Loaded | None] | None
    look: Look | None
    guess: bool

    def __call__(self, photo: Photo) -> Read:
        """Return what a photograph shows; raise `PhotoError` if it cannot be used."""
        if self.already is not None and (loaded := self.already(photo)) is not None:
            described, crop = loaded
            return described, as_levels(crop), None
        return self.reading(photo, read_bytes(photo.path))

    def reading(self, photo: Photo, content: bytes) -> Read:
        """Return the same of a photograph whose file has been read."""
        row = self.enrolled.index.row_of(content_hash(content)) if len(self.enrolled) else None
        if row is not None:
            described = replace(self.enrolled.index.photos[row], person=photo.person)
            return described, as_levels(self.enrolled.image(row)), None
        reading = read_face(photo, self.preparation, content)
        return reading if self.guess and reading.can_recur else self.taking(reading)

    def taking(self, reading: FaceReading) -> Read:
        """Return the face of a reading; raise `PhotoError` where there is none."""
        described, crop = face_of(reading)
        return described, as_levels(crop), None if self.look is None else self.look(reading)
