"""Readings: the results of an import so far, kept in the project until the import ends.

If the process is killed during an import, no reading is lost; see `Project.readings`. Readings are
not part of the content that the user sees, and undo does not affect them. They are stored a few
photographs at a time, each batch as one large value, and a document lists these values. Crops are
stored with all other crops. The change that ends the import therefore drops all readings at once,
and unused values are deleted as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Self

import msgspec

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces import network
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import FaceReading
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Photo
from eigenfaces.project.content import MOST_TEXT, Reader, as_path, require


@dataclass(frozen=True, eq=False)
class KeptReading:
    """Readings of a photograph, kept before any decision is based on them."""

    photo: Photo  # the photograph as it was found
    preparation: Preparation  # how the faces are cropped
    readings: tuple[FaceReading, ...]
    crops: tuple[tuple[str, ...], ...]  # the hashes of the crops of each reading
    file: tuple[int, int] | None  # see `_state_of`

    @classmethod
    def of(cls, photo: Photo, preparation: Preparation, read: Sequence[FaceReading]) -> Self:
        """Return the readings of a photograph that has just been read."""
        names = [tuple(content_hash(levels.tobytes()) for levels in one.crops) for one in read]
        return cls(photo, preparation, tuple(read), tuple(names), _state_of(photo.path))

    @property
    def crop_names(self) -> set[str]:
        """The hashes of all crops in the readings."""
        return {name for names in self.crops for name in names}

    @property
    def is_current(self) -> bool:
        """Whether the file is missing, or would give the same result if it were read again."""
        described = {*DESCRIPTORS.known(self.crop_names)}
        faces = any(one.faces for one in self.readings)
        if faces and network.is_installed() and described != self.crop_names:
            return False
        return _state_of(self.photo.path) in (self.file, None)

    @property
    def is_sound(self) -> bool:
        """Whether the parts of the readings are consistent with one another."""
        return len(self.readings) == len(self.crops) > 0 and all(
            one.photo.path == self.photo.path
            and len(names) == (len(one.faces) or min(1, len(names)))
            and (one.main is None) == (one.photo.placement is None)
            and (one.main is None or 0 <= one.main < len(names))
            and 0 <= one.turned < 4
            and min(one.size) > 0
            for one, names in zip(self.readings, self.crops, strict=True)
        )

    def as_stored(self) -> KeptReading:
        """Return the readings in the form in which they are stored, without the crop pixels."""
        names = [field.name for field in fields(FaceReading) if field.name != "crops"]
        plain = [
            FaceReading(**{name: getattr(one, name) for name in names}) for one in self.readings
        ]
        return replace(self, readings=tuple(plain))


_STORED = msgspec.json.Decoder(list[KeptReading], dec_hook=as_path)


def _state_of(path: Path) -> tuple[int, int] | None:
    """Return a file's modification time in nanoseconds and its size, or None if it is missing."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def load_readings(
    reader: Reader, names: Sequence[str], tick: Tick = no_tick
) -> tuple[KeptReading, ...]:
    """Load the readings stored in the values with these names, in the same order."""
    require(len({*names}) == len(names), "a reading is listed twice")
    crop = cache(reader.crop)  # otherwise many faces with one crop could fill the memory
    loaded = []
    for done, piece in enumerate(names):
        tick(done, len(names))
        for one in _STORED.decode(reader.large(piece, MOST_TEXT)):
            require(one.is_sound, "the parts of a reading do not match")
            shape = one.preparation.shape
            readings = (
                replace(reading, crops=tuple(crop(name, shape) for name in crops))
                for reading, crops in zip(one.readings, one.crops, strict=True)
            )
            loaded.append(replace(one, readings=tuple(readings)))
    return tuple(loaded)
