"""Rows that a change writes to the file, and large values that are stored before the change.

Changes are found by identity: a frozen value that is still the same object is not compared.
Changing one name among 10,000 faces therefore writes a single row and takes a millisecond. Large
values (crops, descriptors, the arrays of a training and a calibration, evaluations) are stored
under the SHA-256 of their content. A job can store them in pieces while it runs, so that the change
that uses them only writes rows. Values that no row uses are deleted when the file is closed.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from operator import is_
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Skipped
from eigenfaces.project.content import (
    ArrayNames,
    Content,
    KeptRun,
    ProbeRow,
    Reader,
    Settings,
    TrainingRow,
    arrays_of,
    as_json,
)
from eigenfaces.project.file import SqliteFile
from eigenfaces.project.readings import KeptReading
from eigenfaces.recognition.gallery import Answers, Gallery
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.training import Training
from eigenfaces.space.arrays import Floats
from eigenfaces.space.pca import as_levels

PIECE = 1_000_000  # bytes stored in one transaction, before a change

_REST = 0.001  # seconds between two pieces, so that others can use the file


_SWEPT_AT_ONCE = 100  # rows deleted in one transaction

_KEYS = {
    "face": "crop",
    "network": "crop",
    "portrait": "crop",
    "large": "hash, part",
    "coordinate": "training, sha, number, crop",
}
"""The tables of large values, with the columns that identify a row in each table."""

Changes = tuple[list[int], list[tuple[int, Any]]]
"""The positions of the rows to delete, and the rows to add, each with its position."""


class LargeRow(NamedTuple):
    """Row with a large value, described by its table, its key columns, and its other columns."""

    table: str
    key: tuple[Any, ...]
    values: tuple[Any, ...]

    @property
    def size(self) -> int:
        """The size of the values in bytes."""
        return sum(len(value) for value in self.values if isinstance(value, bytes | bytearray))

    def insert(self, connection: sqlite3.Connection) -> None:
        """Store the row unless it is already in the table."""
        row = (*self.key, *self.values)
        marks = ", ".join("?" * len(row))
        connection.execute(f"INSERT OR IGNORE INTO {self.table} VALUES ({marks})", row)


Statement = tuple[str, Sequence[tuple[Any, ...]]]
"""An SQL statement, with the rows for which it is executed."""


class RowChange(NamedTuple):
    """Data that a change writes: rows, and the large values that the file does not have yet."""

    large: list[LargeRow]
    statements: list[Statement]

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the change in the caller's transaction."""
        for row in self.large:
            row.insert(connection)
        for statement, rows in self.statements:
            connection.executemany(statement, rows)

    def __bool__(self) -> bool:
        return bool(self.large or self.statements)


class RowTable:
    """Positions of the rows in a table that has one row for each object, in order.

    A position is remembered after its row is deleted, so that undo can restore the row without
    moving any other row.
    """

    def __init__(self, key: Callable[[Any], Hashable]) -> None:
        self._key = key
        self._places: dict[Hashable, int] = {}
        self._next = 0

    def take(self, things: Sequence[Any], places: Sequence[int]) -> None:
        """Initialise the positions with those read from a file."""
        self._places = {self._key(one): at for one, at in zip(things, places, strict=True)}
        self._next = max(places, default=-1) + 1

    def changes(self, old: Sequence[Any], new: Sequence[Any]) -> Changes:
        """Return the row changes that turn one sequence of objects into another."""
        if old is new:
            return [], []
        same_start = _same_at_start(old, new)
        same_end = _same_at_start(old[same_start:][::-1], new[same_start:][::-1])
        found = self._changes(old, new, same_start, same_end)
        # If there is no room before the unchanged end, the end is moved after all other rows.
        return found or self._changes(old, new, same_start, 0) or ([], [])

    def _changes(
        self, old: Sequence[Any], new: Sequence[Any], start: int, end: int
    ) -> Changes | None:
        before, after = old[start : len(old) - end], new[start : len(new) - end]
        last = self._places[self._key(new[start - 1])] if start else -1
        limit = self._places[self._key(new[-end])] if end else None
        known = {id(one) for one in before}
        there = {self._places[self._key(one)] for one in before}
        taken = dict[Hashable, int]()
        following, coming = self._next, list[tuple[int, Any]]()
        for one in after:
            key = self._key(one)
            place = self._places.get(key, -1)
            if place <= last:
                place, following = following, following + 1
            if limit is not None and place >= limit:
                return None
            if place not in there or id(one) not in known:
                coming.append((place, one))
            taken[key] = last = place
        self._next = following
        self._places |= taken
        return sorted(there.difference(taken.values())), coming


def _same_at_start(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many objects at the start of two sequences are identical."""
    if other[: len(one)] == one:  # fast if objects were added at the end, as identity comes first
        return len(one)
    same = [*map(is_, one, other), False]
    return same.index(False)


class Rows:
    """State of the tables in an open file, used to work out the rows that a change writes."""

    def __init__(self) -> None:
        self._tables = {
            "photo": RowTable(lambda photo: photo.id),
            "probe": RowTable(lambda probe: probe.photo.id),
            "unused": RowTable(lambda file: file),
            "file": RowTable(lambda file: file.path),
            "run": RowTable(lambda run: run),
        }
        self._stored: dict[str, set[tuple[Any, ...]]] = {table: set() for table in _KEYS}
        """The keys of the large values in each table."""

        self._whole = set[str]()
        """The names of the large values that are stored completely."""

    def take(self, connection: sqlite3.Connection, content: Content, reader: Reader) -> None:
        """Initialise the state from a file that has just been read."""
        for name, things in _listed(content).items():
            self._tables[name].take(things, reader.places[name])
        for table, keys in _KEYS.items():
            self._stored[table] = {*connection.execute(f"SELECT {keys} FROM {table}")}
        self._whole = _arrays_used(content)

    def change(self, old: Content | None, new: Content) -> RowChange:
        """Return the row changes from the old content (None for an empty file) to the new one."""
        before = {} if old is None else _listed(old)
        after = _listed(new)
        changed = {
            name: table.changes(before.get(name, ()), after[name])
            for name, table in self._tables.items()
        }
        statements: list[Statement] = []
        for name, (gone, coming) in changed.items():
            places = [(place,) for place in gone]
            statements.append((f"DELETE FROM {name} WHERE place = ?", places))
            rows = [(place, as_json(_as_row(thing))) for place, thing in coming]
            statements.append((f"INSERT OR REPLACE INTO {name} VALUES (?, ?)", rows))
        answers = {} if old is None else old.gallery.answers
        statements += _changed_answers(answers, new.gallery.answers)
        documents = _changed_documents(old, new)
        texts = [(name, text) for name, text in documents.items() if text is not None]
        gone_documents = [(name,) for name, text in documents.items() if text is None]
        statements.append(("INSERT OR REPLACE INTO document VALUES (?, ?)", texts))
        statements.append(("DELETE FROM document WHERE name = ?", gone_documents))
        large = [*self._lacking_for(old, new, changed)]
        return RowChange(large, [(sql, rows) for sql, rows in statements if rows])

    def note(self, stored: Iterable[LargeRow], *, with_its_change: bool = True) -> None:
        """Record that rows are now stored. Values stored ahead of a change may be incomplete."""
        for row in stored:
            self._stored[row.table].add(row.key)
            if with_its_change and row.table == "large":
                self._whole.add(row.key[0])

    def _lacking_for(
        self, old: Content | None, new: Content, changed: Mapping[str, Changes]
    ) -> Iterator[LargeRow]:
        """Yield the large values that a change needs but the file does not have yet."""
        photos: Sequence[FacePhoto] = [photo for _, photo in changed["photo"][1]]
        probes = [probe for _, probe in changed["probe"][1]]
        yield from self._lacking_crops(new, photos, probes)
        before = None if old is None else old.gallery
        retrained = before is None or _trained(before) != _trained(new.gallery)
        if retrained or (before and before.calibration is not new.gallery.calibration):
            yield from self._lacking_arrays(new.gallery)
        if retrained:
            photos = new.gallery.index.photos
        yield from self._lacking_coordinates(new.gallery, photos)

    def lacking(self, content: Content) -> Iterator[LargeRow]:
        """Yield the large values of a `Content` that are not in the file yet."""
        photos = content.gallery.index.photos
        yield from self._lacking_crops(content, photos, content.probe_list.probes)
        yield from self._lacking_arrays(content.gallery)
        yield from self._lacking_coordinates(content.gallery, photos)

    def _lacking_crops(
        self, content: Content, photos: Sequence[FacePhoto], probes: Sequence[Probe]
    ) -> Iterator[LargeRow]:
        faces = content.gallery.faces
        row_of = content.gallery.index.row_by_id
        stored = self._stored["face"]
        coming = {photo.crop: photo.id for photo in photos if (photo.crop,) not in stored}
        for crop, face in coming.items():
            yield _crop_row(crop, faces.pixels[row_of[face]])
        for probe in probes:
            crop = probe.photo.crop
            if (crop,) not in stored and crop not in coming:
                yield _crop_row(crop, probe.image)
        faces_of = (*photos, *(probe.photo for probe in probes))
        yield from self._lacking_of_faces({photo.crop for photo in faces_of})

    def _lacking_of_faces(self, crops: Collection[str]) -> Iterator[LargeRow]:
        """Yield the descriptors and portraits of faces that are not in the file yet."""
        described = self._stored["network"]
        new = [crop for crop in crops if (crop,) not in described]
        for crop, numbers in DESCRIPTORS.known(new).items():
            yield LargeRow("network", (crop,), (numbers.astype("<f4").tobytes(),))
        pictured = self._stored["portrait"]
        new = [crop for crop in crops if (crop,) not in pictured]
        for crop, picture in PORTRAITS.known(new).items():
            yield LargeRow("portrait", (crop,), (picture,))

    def lacking_for_readings(self, kept: Iterable[KeptReading]) -> Iterator[LargeRow]:
        """Yield the crops and descriptors of readings that are not in the file yet."""
        for one in kept:
            for reading, names in zip(one.readings, one.crops, strict=True):
                for name, levels in zip(names, reading.crops, strict=True):
                    if (name,) not in self._stored["face"]:
                        yield LargeRow("face", (name,), (levels.tobytes(),))
            yield from self._lacking_of_faces(one.crop_names)

    def _lacking_arrays(self, gallery: Gallery) -> Iterator[LargeRow]:
        stored = self._stored["large"]
        for name, value in large_values(gallery).items():
            for row in () if name in self._whole else _large_rows(name, value):
                if row.key not in stored:
                    yield row

    def _lacking_coordinates(
        self, gallery: Gallery, photos: Sequence[FacePhoto]
    ) -> Iterator[LargeRow]:
        training = gallery.training
        if training is None or not photos:
            return
        key, stored = coordinates_key(training), self._stored["coordinate"]
        row_of = gallery.index.row_by_id
        for photo in photos:
            if (key, *photo.id, photo.crop) not in stored:
                row = row_of[photo.id]
                numbers = training.coordinates[row].astype("<f4").tobytes()
                if not training.in_face_space:
                    numbers += training.matching_coordinates[row].astype("<f4").tobytes()
                values = (numbers, zlib.crc32(numbers))
                yield LargeRow("coordinate", (key, *photo.id, photo.crop), values)

    def store_ahead(self, file: SqliteFile, rows: Iterable[LargeRow], tick: Tick) -> None:
        """Store large values in pieces, each in its own transaction."""
        piece = list[LargeRow]()
        size = 0
        for row in rows:
            piece.append(row)
            size += row.size
            if size >= PIECE:
                self._store_piece(file, piece)
                piece, size = [], 0
                tick(0, 0)
                time.sleep(_REST)
        self._store_piece(file, piece)

    def _store_piece(self, file: SqliteFile, piece: Sequence[LargeRow]) -> None:
        if piece:
            with file.transaction() as connection:
                for row in piece:
                    row.insert(connection)
            self.note(piece, with_its_change=False)

    def store_text(self, file: SqliteFile, text: bytes) -> str:
        """Store text, such as the record of an evaluation, and return its SHA-256."""
        name = content_hash(text)
        rows = _large_rows(name, memoryview(text))
        stored = self._stored["large"]
        self.store_ahead(file, (row for row in rows if row.key not in stored), no_tick)
        return name

    def sweep(self, file: SqliteFile, content: Content, used: Collection[str]) -> None:
        """Delete the large values that no row uses, in pieces, and overwrite their data.

        ``used`` holds the names of other values to keep.
        """
        photos = (*content.gallery.index.photos, *(p.photo for p in content.probe_list.probes))
        crops = {(crop,) for crop in (*used, *(photo.crop for photo in photos))}
        arrays = _arrays_used(content).union(used)
        training = content.gallery.training
        key = None if training is None else coordinates_key(training)
        faces = {(key, *photo.id, photo.crop) for photo in content.gallery.index.photos}
        large = {stored for stored in self._stored["large"] if stored[0] in arrays}
        used = {
            "face": crops,
            "network": crops,
            "portrait": crops,
            "large": large,
            "coordinate": faces,
        }
        for table, stored in self._stored.items():
            where = " AND ".join(f"{column} = ?" for column in _KEYS[table].split(", "))
            unused = sorted(stored - used[table])
            for start in range(0, len(unused), _SWEPT_AT_ONCE):
                some = unused[start : start + _SWEPT_AT_ONCE]
                with file.transaction() as connection:
                    connection.executemany(f"DELETE FROM {table} WHERE {where}", some)
                stored.difference_update(some)
        self._whole &= arrays


def _arrays_used(content: Content) -> set[str]:
    """Return the hashes of all large values that a `Content` refers to."""
    return {*large_values(content.gallery), *(run.record for run in content.runs)}


def _listed(content: Content) -> dict[str, Sequence[Any]]:
    """Return the objects in each table that has one row per object, in order."""
    return {
        "photo": content.gallery.index.photos,
        "probe": content.probe_list.probes,
        "unused": content.unused,
        "file": content.files,
        "run": content.runs,
    }


def _as_row(thing: object) -> object:
    """Return the form in which an object is stored."""
    if isinstance(thing, Probe):
        return ProbeRow(thing.photo, thing.number, thing.faces, thing.concerns)
    if isinstance(thing, Skipped):
        # Bytes of a file name that are not valid text are written as “\\udcff” in the reason.
        reason = thing.reason.encode("utf-8", "backslashreplace").decode("utf-8")
        return replace(thing, reason=reason)
    return thing


def _changed_answers(old: Answers, new: Answers) -> list[Statement]:
    if old is new:
        return []
    gone = sorted(old.keys() - new.keys())
    changed = [(face, said) for face, said in new.items() if old.get(face) is not said]
    rows = [(*face, as_json(said)) for face, said in changed]
    return [
        ("DELETE FROM answer WHERE sha = ? AND number = ?", gone),
        ("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", rows),
    ]


def _trained(gallery: Gallery) -> tuple[int, ...]:
    """Return the object identities of the parts of a training, except its coordinates."""
    training = gallery.training
    if training is None:
        return ()
    return id(training.space), id(training.matching_space), id(training.fitted), id(training.recipe)


def _changed_documents(old: Content | None, new: Content) -> dict[str, bytes | None]:
    """Return the documents that a change writes, with None for a document to delete."""
    gallery, before = new.gallery, None if old is None else old.gallery
    documents: dict[str, bytes | None] = {}
    settings = as_json(Settings.of(gallery))
    if before is None or as_json(Settings.of(before)) != settings:
        documents["settings"] = settings
    without_face = new.probe_list.without_face
    if old is None or old.probe_list.without_face != without_face:
        documents["without face"] = as_json(sorted(without_face))
    if old is None or old.folders != new.folders:
        documents["folders"] = as_json(new.folders)
    if old is None or old.forgotten != new.forgotten:
        documents["forgotten"] = as_json(new.forgotten)
    training, calibration = gallery.training, gallery.calibration
    if before is None or _trained(before) != _trained(gallery):
        documents["training"] = None if training is None else as_json(_training_row(training))
    if before is None or before.calibration is not calibration:
        names = None if calibration is None else _array_names(calibration, "calibration")
        documents["calibration"] = None if names is None else as_json(names)
    return documents


def _large_rows(name: str, value: memoryview) -> Iterator[LargeRow]:
    """Yield the rows of a large value: one row for each part, and at least one row."""
    for part, start in enumerate(range(0, max(1, len(value)), PIECE)):
        yield LargeRow("large", (name, part), (bytes(value[start : start + PIECE]),))


def record_rows(connection: sqlite3.Connection, runs: Sequence[KeptRun]) -> Iterator[LargeRow]:
    """Yield the rows in which another file stores the records of evaluations."""
    query = "SELECT hash, part, value FROM large WHERE hash = ?"
    for name in dict.fromkeys(run.record for run in runs):
        for digest, part, value in connection.execute(query, (name,)):
            yield LargeRow("large", (digest, part), (value,))


def _crop_row(crop: str, face: Floats) -> LargeRow:
    """Return the row that stores a crop under its hash, or raise `ValueError` if it is wrong."""
    levels = as_levels(face).tobytes()
    if content_hash(levels) != crop:
        raise ValueError("the hash of a face is not that of its crop")
    return LargeRow("face", (crop,), (levels,))


# The arrays of a training and of a calibration


def large_values(gallery: Gallery) -> dict[str, memoryview]:
    """Return the computed arrays of a gallery, keyed by their SHA-256."""
    values = dict[str, memoryview]()
    for name, value in _values(gallery).items():
        names = _array_names(value, name)
        for part, array in arrays_of(value, name).items():
            values[names[part][0]] = _bytes_of(array)
    if gallery.training is not None:
        name, text = _fitted(gallery.training.fitted)
        values[name] = memoryview(text)
    return values


def _values(gallery: Gallery) -> dict[str, object]:
    """Return the values of a gallery that contain arrays, by name."""
    values = dict[str, object]()
    if (training := gallery.training) is not None:
        values["space"] = training.space
        if not training.in_face_space:
            values["matching_space"] = training.matching_space
    if gallery.calibration is not None:
        values["calibration"] = gallery.calibration
    return values


def _training_row(training: Training) -> TrainingRow:
    arrays = _array_names(training.space, "space")
    if not training.in_face_space:
        arrays = arrays | _array_names(training.matching_space, "matching_space")
    name, _ = _fitted(training.fitted)
    return TrainingRow(training.recipe.record, arrays, name, coordinates_key(training))


def coordinates_key(training: Training) -> str:
    """Return the key under which the coordinates of a training are stored: a hash of its spaces."""
    names = [_array_names(training.space, "space")]
    if not training.in_face_space:
        names.append(_array_names(training.matching_space, "matching_space"))
    return content_hash(as_json(names))


_NAMES: WeakKeyDictionary[object, ArrayNames] = WeakKeyDictionary()


def _array_names(value: object, name: str) -> ArrayNames:
    """Return the SHA-256 and shape of each array in a value, computing them only once."""
    if (known := _NAMES.get(value)) is None:
        known = {
            part: (sha256(_bytes_of(array)).hexdigest(), [*array.shape])
            for part, array in arrays_of(value, name).items()
        }
        _NAMES[value] = known
    return known


def _bytes_of(array: NDArray[Any]) -> memoryview:
    flat: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return memoryview(flat)


@lru_cache(maxsize=4)
def _fitted(fitted: frozenset[tuple[FaceId, str]]) -> tuple[str, bytes]:
    """Return the SHA-256 and the stored form of the faces that a space was fitted to."""
    text = as_json(sorted(fitted))
    return content_hash(text), text
