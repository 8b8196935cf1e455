"""What an import has read so far: a project keeps it until the import has ended.

So a process that is killed in the middle of an import loses none of it: see `Project.readings`. It
belongs to no state that a person sees, and to no undo. What was read of some photographs at a time
is a large value, and a document names these; their crops are stored with all others. So the change
that ends the import forgets it at once, and what is not used any more is swept as all else.
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
    """What was read of a photograph, before anything was decided about it."""

    photo: Photo  # as it was found
    preparation: Preparation  # how its faces are cut
    readings: tuple[FaceReading, ...]
    crops: tuple[tuple[str, ...], ...]  # the names of the crops of each reading
    file: tuple[int, int] | None  # see `_state_of`

    @classmethod
    def of(cls, photo: Photo, preparation: Preparation, read: Sequence[FaceReading]) -> Self:
        """Return what was read of a photograph just now."""
        names = [tuple(content_hash(levels.tobytes()) for levels in one.crops) for one in read]
        return cls(photo, preparation, tuple(read), tuple(names), _state_of(photo.path))

    @property
    def crop_names(self) -> set[str]:
        """The names of all its crops."""
        return {name for names in self.crops for name in names}

    @property
    def is_current(self) -> bool:
        """Whether reading its file again would give the same; also where that is gone."""
        described = {*DESCRIPTORS.known(self.crop_names)}
        faces = any(one.faces for one in self.readings)
        if faces and network.is_installed() and described != self.crop_names:
            return False
        return _state_of(self.photo.path) in (self.file, None)

    @property
    def is_sound(self) -> bool:
        """Whether its parts fit together."""
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
        """Return it as it is stored: without the pixels of its crops."""
        names = [field.name for field in fields(FaceReading) if field.name != "crops"]
        plain = [
            FaceReading(**{name: getattr(one, name) for name in names}) for one in self.readings
        ]
        return replace(self, readings=tuple(plain))


_STORED = msgspec.json.Decoder(list[KeptReading], dec_hook=as_path)


def _state_of(path: Path) -> tuple[int, int] | None:
    """Return when a file was changed last (in ns), and its bytes; None where there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def load_readings(
    reader: Reader, names: Sequence[str], tick: Tick = no_tick
) -> tuple[KeptReading, ...]:
    """Return what was read, from the values of these names, in its order."""
    require(len({*names}) == len(names), "what was read is there twice")
    crop = cache(reader.crop)  # or many faces with one crop would fill any memory
    loaded = []
    for done, piece in enumerate(names):
        tick(done, len(names))
        for one in _STORED.decode(reader.large(piece, MOST_TEXT)):
            require(one.is_sound, "what was read of a photograph does not fit together")
            shape = one.preparation.shape
            readings = (
                replace(reading, crops=tuple(crop(name, shape) for name in crops))
                for reading, crops in zip(one.readings, one.crops, strict=True)
            )
            loaded.append(replace(one, readings=tuple(readings)))
    return tuple(loaded)
