"""Reading photographs into faces, one by one: here, or on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from eigenfaces.arrays import Bytes, Floats
from eigenfaces.arrays.crops import as_levels, crop_hash
from eigenfaces.cluster.calls import Workers, in_order
from eigenfaces.errors import EigenfacesError, PhotoError, Tick
from eigenfaces.faces.face_reading import FaceReading, read_face
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.findings import FOUND, Finding
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.decoding import content_hash, read_bytes
from eigenfaces.photographs.photos import Photo

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


@dataclass(frozen=True, eq=False)
class _Sent:
    """What comes back: what was read, or why it cannot be used; and what was found in the file."""

    read: Read | PhotoError
    found: dict[Finding, str]
    opened: bool = True


def read_elsewhere(
    reader: FaceReader, photos: Sequence[Photo], workers: Workers, tick: Tick
) -> Iterator[Callable[[], Read]]:
    """Read photographs on workers; yield for each, in order, a function with its result.

    What was found before is sent there, and what they find is remembered here.

    Raises
    ------
    EigenfacesError
        A worker cannot open a file that can be opened here.
    """
    tick(0, len(photos))
    size = max(1, min(_AT_ONCE, len(photos) // (_CALLS * max(1, workers.threads))))
    groups = [tuple(photos[start : start + size]) for start in range(0, len(photos), size)]
    read_there = partial(_read_there, reader, FOUND.texts())
    done, calls = 0, in_order(read_there, groups, workers, each=_CALLS)
    for group, future in zip(groups, calls, strict=True):
        for photo, sent in zip(group, future.result(), strict=True):
            yield partial(_arrived, photo, sent)
            done += 1
            tick(done, len(photos))


_AT_ONCE = 16
"""Photographs that one call reads at most: a call costs the scheduler a few milliseconds …"""

_CALLS = 8
"""… and calls for each thread that are under way: one of them may take long."""


def _read_there(
    reader: FaceReader, known: dict[Finding, str], photos: Sequence[Photo]
) -> list[_Sent]:
    return [_read_one(reader, known, photo) for photo in photos]


def _read_one(reader: FaceReader, known: dict[Finding, str], photo: Photo) -> _Sent:
    try:
        content = read_bytes(photo.path)
    except PhotoError as error:
        return _Sent(error, {}, opened=False)
    key = content_hash(content)
    findings = ((key, turned) for turned in range(4))
    FOUND.remember({each: known[each] for each in findings if each in known})
    try:
        read = reader.reading(photo, content)
    except PhotoError as error:
        return _Sent(error, FOUND.texts([key]))
    return _Sent(read, FOUND.texts([key]))


def _arrived(photo: Photo, sent: _Sent) -> Read:
    if not sent.opened:
        read_bytes(photo.path)  # if it cannot be opened here either, that is the reason
        raise EigenfacesError(
            f"A worker of the cluster cannot open “{photo.path}” ({sent.read}), which can be "
            "opened here. Put the photographs into a folder that all workers see under the same "
            "path."
        )
    FOUND.take(sent.found)
    if isinstance(sent.read, PhotoError):
        raise sent.read
    return sent.read
