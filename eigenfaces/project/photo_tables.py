"""The photographs of a gallery and their people as rows of a project file, and back.

A photograph keeps its position while others come and go, so that a change writes only what it
changes: the order of the positions is that of the gallery, and some of them may be free.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import is_not
from pathlib import Path

import numpy as np

from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex
from eigenfaces.project.stored_arrays import expect
from eigenfaces.project.stored_places import Paths, packed, storable, unpacked
from eigenfaces.project.tables import insert, rows, sealed
from eigenfaces.space.arrays import Numbers

_LAST_POSITION = 1 << 40


@dataclass(frozen=True, eq=False)
class Change:
    """From the photographs of a file, each at a position, to others.

    Parameters
    ----------
    old, positions
        The photographs in the file, and where each stands: rising numbers (n,).
    new
        What shall be in it.
    """

    old: PhotoIndex
    positions: Numbers
    new: PhotoIndex

    @cached_property
    def other(self) -> list[int]:
        """Rows that do not hold the same photograph as before."""
        old, new = self.old.photos, self.new.photos
        if old is new:
            return []
        differing = compress(range(len(new)), map(is_not, old, new))
        return [*differing, *range(len(old), len(new))]

    @cached_property
    def is_in_place(self) -> bool:
        """Whether none has come, gone or moved."""
        old, new = self.old.photos, self.new.photos
        return len(old) == len(new) and all(old[row].key == new[row].key for row in self.other)

    @cached_property
    def before(self) -> Numbers:
        """(n,) for each photograph the row that it had, -1 for one that is new."""
        if self.is_in_place:
            return np.arange(len(self.new))
        found = map(self.old.row_of, [photo.key for photo in self.new.photos])
        return np.array([-1 if row is None else row for row in found], np.intp)

    @cached_property
    def kept(self) -> Numbers:
        """(n,) the position that each had, -1 for one that is new."""
        at = np.full(len(self.new), -1)
        at[self.before >= 0] = self.positions[self.before[self.before >= 0]]
        return at

    @cached_property
    def placed(self) -> Numbers:
        """(n,) the positions: those that they had, and new ones in between, or all anew."""
        if self.is_in_place:
            return self.positions
        rows = np.arange(len(self.new))
        last = np.maximum.accumulate(np.where(self.kept >= 0, rows, -1)) if len(rows) else rows
        at = np.where(last >= 0, self.kept[last], -1) + rows - last
        return at if _is_rising(at) else rows

    @cached_property
    def gone(self) -> Numbers:
        """Rows of the photographs that are no longer there."""
        there = np.zeros(len(self.old), bool)
        there[self.before[self.before >= 0]] = True
        return np.flatnonzero(~there)

    @cached_property
    def moved(self) -> Numbers:
        """Rows of photographs that are new, or have another position."""
        return np.flatnonzero(self.kept != self.placed)

    @cached_property
    def recut(self) -> list[int]:
        """Rows of photographs that have another crop than before, or are new."""
        return [row for row in self.other if self._was(row).crop != self.new.photos[row].crop]

    @cached_property
    def described(self) -> list[int]:
        """Rows of photographs of which anything is to be written."""
        changed = (row for row in self.other if self._was(row) != self.new.photos[row])
        return sorted({*changed, *self.moved.tolist()})

    @cached_property
    def stale(self) -> Numbers:
        """Positions, of before and of now, where another face stands, or the same one cut anew."""
        before = self.before[self.moved]
        left = self.positions[[*self.gone, *before[before >= 0]]]
        return np.concatenate([left, self.placed[[*self.moved, *self.recut]]])

    @property
    def _described_before(self) -> Iterator[FacePhoto]:
        """What the photographs were that are gone or described anew."""
        yield from (self.old.photos[row] for row in self.gone)
        yield from (self._was(row) for row in self.described if self.before[row] >= 0)

    @property
    def left(self) -> set[str]:
        """The crops that are no longer the face of the photographs whose they were."""
        now = {self.new.photos[row].crop for row in self.described}
        return {photo.crop for photo in self._described_before} - now

    @property
    def nameless(self) -> set[str]:
        """The people who have no photograph any more."""
        lost = {photo.person for photo in self._described_before if photo.person is not None}
        return lost.difference(self.new.people) if lost else lost

    def _was(self, row: int) -> FacePhoto:
        """Return what a photograph was; of a new one, nothing."""
        before = int(self.before[row])
        return self.old.photos[before] if before >= 0 else _NONE


_NONE = FacePhoto(Path(), None, "", (0, 0), crop="\0")


def _is_rising(numbers: Numbers) -> bool:
    return bool((np.diff(numbers) > 0).all())


def write_photos(connection: sqlite3.Connection, change: Change) -> None:
    """Change the tables of photographs and people."""
    old, new = change.old.photos, change.new.photos
    gone = [(old[row].key,) for row in change.gone]
    connection.executemany("DELETE FROM photo WHERE key = ?", gone)
    ids = _write_people(connection, [new[row].person for row in change.described])
    for row in change.described:
        photo = new[row]
        person = None if photo.person is None else ids[photo.person]
        place = int(change.placed[row]), storable(photo.path), person, int(photo.excluded)
        face = photo.crop, *packed(photo.placement)
        values = photo.key, *place, *photo.size, *face
        if change.before[row] < 0:
            insert(connection, "photo", [values])
        else:  # where it lies, so that those in the file stay in their order
            connection.execute(_UPDATE, (*sealed(*values), photo.key))
    delete_people(connection, change.nameless)


_UPDATE = (
    "UPDATE photo SET key = ?, position = ?, path = ?, person = ?, excluded = ?, "
    "height = ?, width = ?, crop = ?, turned = ?, source = ?, eyes = ?, seal = ? WHERE key = ?"
)


def _write_people(connection: sqlite3.Connection, people: Iterable[str | None]) -> dict[str, int]:
    """Add the people who are not in the file yet; return the ids of these."""
    ids: dict[str, int] = {}
    for name in dict.fromkeys(people):
        if name is None:
            continue
        found = connection.execute("SELECT id FROM person WHERE name = ?", (name,)).fetchone()
        if found is None:
            (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM person").fetchone()
            insert(connection, "person", [(last + 1, name)])
        ids[name] = found[0] if found else last + 1
    return ids


def delete_people(connection: sqlite3.Connection, names: Collection[str]) -> None:
    """Delete people who have no photograph any more.

    SQLite makes sure of that by looking through all photographs, once for each: of 5000 people and
    100 000 photographs for a minute. So for many there is an index meanwhile.
    """
    indexed = len(names) > _FEW_PEOPLE
    if indexed:
        connection.execute("CREATE INDEX photo_of_person ON photo (person)")
    connection.executemany("DELETE FROM person WHERE name = ?", [(name,) for name in names])
    if indexed:
        connection.execute("DROP INDEX photo_of_person")


_FEW_PEOPLE = 10


def load_photos(connection: sqlite3.Connection) -> tuple[PhotoIndex, Numbers]:
    """Return the photographs, and the position of each; raise `ValueError` where one is none."""
    people: dict[int | None, str | None] = {None: None}
    people.update((number, name) for number, name in rows(connection, "person"))
    photos, positions, paths = [], [], Paths()
    for row in rows(connection, "photo", "rowid"):  # as they lie in the file: mostly in order
        key, position, path, person, excluded, height, width, crop, *where = row
        if excluded not in (0, 1) or height < 1 or width < 1:
            raise ValueError("a photograph has no size")
        size, face = (height, width), unpacked(*where)
        photo = FacePhoto(paths.of(path), people[person], key, size, excluded == 1, face, crop)
        photos.append(photo)
        positions.append(position)
    found = np.array(positions, np.int64)
    if not _is_rising(found):
        order = np.argsort(found)
        photos, found = [photos[row] for row in order], found[order]
    in_order = _is_rising(found) and not (found < 0).any() and not (found > _LAST_POSITION).any()
    expect(in_order, "its photographs are not in order")
    return PhotoIndex(tuple(photos)), found
