"""What a project holds as rows of its tables: a change writes only the rows that differ."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, PhotoError, ProjectError
from eigenfaces.faces.face_set import FacePhoto, PhotoIndex, as_levels
from eigenfaces.faces.read import FOUND, Finding, version
from eigenfaces.photographs.decode import content_hash, read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.project.arrays import ROWS_AT_ONCE, CropStore, write_value
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import NOTHING_ASKED, Asked
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.text import count

MOST_TEXT = 64_000_000
"""Bytes of the record of an evaluation: a few megabytes could be unpacked to gigabytes."""

Unused = tuple[Skipped, ...]
Texts = Mapping[Finding, str]
NOBODY = PhotoIndex()
"""An empty gallery."""

Row = tuple[str | bytes | int | float | None, ...]
Places = Mapping[str, int]


@dataclass(frozen=True, eq=False)
class State:
    """What is in a project file, but for evaluations and findings.

    ``places``, ``probe_places``: where each photograph and each probe, by its key, stands in the
    order of all. The numbers rise, and some may be free: so that few change when one comes or goes.
    """

    gallery: Gallery
    unused: Unused = ()
    asked: Asked = NOTHING_ASKED
    places: Places = field(default_factory=dict)
    probe_places: Places = field(default_factory=dict)


def held_in(crops: CropStore, gallery: Gallery) -> Gallery:
    """Return a gallery whose crops lie in a store, to which they are added.

    Each photograph has the SHA-256 of its crop's levels in it.
    """
    pixels, photos = gallery.faces.pixels, gallery.index.photos
    new = [row for row, photo in enumerate(photos) if photo.crop not in crops]
    if not new:
        return gallery
    named: dict[str, FacePhoto] = {}
    for start in range(0, len(new), ROWS_AT_ONCE):
        some = new[start : start + ROWS_AT_ONCE]
        levels = as_levels(pixels[some])
        for row, name in zip(some, crops.add(levels), strict=True):
            if photos[row].crop != name:
                named[photos[row].key] = replace(photos[row], crop=name)
    faces = gallery.faces.with_photos(named) if named else gallery.faces
    names = (photo.crop for photo in faces.index.photos)
    return replace(gallery, faces=replace(faces, pixels=crops.crops(names)))


def write_state(
    connection: sqlite3.Connection, old: State | None, new: State, crops: CropStore
) -> State:
    """Change the tables from one state, or from nothing, to another, in the caller's transaction.

    ``crops`` holds the crops of the new one. Returns the new state, with the places that its
    photographs and probes were given.
    """
    before = old or State(Gallery.new(new.gallery.preparation, new.gallery.recipe))
    photos, probes = new.gallery.index.photos, new.asked.probes
    new = replace(
        new,
        places=_places([photo.key for photo in photos], before.places),
        probe_places=_places([probe.photo.key for probe in probes], before.probe_places),
    )
    for table, key, source, rows in _TABLES:
        if old is None or source(old) is not source(new):
            _change(connection, table, key, {} if old is None else rows(old), rows(new))
    _write_faces(connection, before.gallery, new.gallery, crops)
    was, now = _values(before.gallery), _values(new.gallery)
    for name, value in now.items():
        if was[name] is not value:
            write_value(connection, name, value)
    return new


def _change(
    connection: sqlite3.Connection,
    table: str,
    key: str,
    old: Mapping[Row, Row],
    new: Mapping[Row, Row],
) -> None:
    """Change the rows of a table, from the columns of its key to the others."""
    marks = ", ".join("?" * (1 + key.count(",")))
    gone = [*(old.keys() - new.keys())]
    connection.executemany(f"DELETE FROM {table} WHERE ({key}) = ({marks})", gone)
    changed = [(*each, *row) for each, row in new.items() if old.get(each) != row]
    if changed:
        marks = ", ".join("?" * len(changed[0]))
        connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", changed)


def _places(keys: Sequence[str], before: Places) -> Places:
    """Return a place for each key: the one that it had; all anew where these do not rise.

    >>> _places(["a", "new", "c"], {"a": 0, "b": 1, "c": 2})
    {'a': 0, 'new': 1, 'c': 2}
    >>> _places(["c", "a"], {"a": 0, "b": 1, "c": 2})
    {'c': 0, 'a': 1}
    """
    places: dict[str, int] = {}
    last = -1
    for key in keys:
        places[key] = place = before.get(key, last + 1)
        if place <= last:
            return {each: number for number, each in enumerate(keys)}
        last = place
    return places


def _settings(state: State) -> dict[Row, Row]:
    gallery, training = state.gallery, state.gallery.training
    settings = {
        "preparation": asdict(gallery.preparation),
        "recipe": gallery.recipe.record,
        "share": gallery.share,
        "trained": None if training is None else training.recipe.record,
    }
    # Numbers may be some of NumPy's.
    text = {name: json.dumps(each, default=lambda n: n.item()) for name, each in settings.items()}
    return {(name,): (value,) for name, value in text.items()}


def _photos(state: State) -> dict[Row, Row]:
    return {
        (photo.key,): (place, *_described(photo), int(photo.excluded), photo.crop)
        for photo, place in zip(state.gallery.index.photos, state.places.values(), strict=True)
    }


def _described(photo: FacePhoto) -> Row:
    """Return what the tables of photographs and of probes have in common."""
    where = photo.placement
    eyes = (None,) * 4 if where.eyes is None else (*where.eyes.left, *where.eyes.right)
    return storable(photo.path), photo.person, *photo.size, where.turned, where.source, *eyes


def storable(path: Path) -> str | bytes:
    """Return a path as text, or as bytes where its name is no valid text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return str(path)


def _write_faces(
    connection: sqlite3.Connection, old: Gallery, new: Gallery, crops: CropStore
) -> None:
    before, now = ({photo.crop for photo in each.index.photos} for each in (old, new))
    gone = [(crop,) for crop in before - now]
    connection.executemany("DELETE FROM face WHERE crop = ?", gone)
    came = sorted(now - before)
    for start in range(0, len(came), ROWS_AT_ONCE):
        some = came[start : start + ROWS_AT_ONCE]
        levels = map(bytes, crops.crops(some).held)
        connection.executemany("INSERT INTO face VALUES (?, ?)", zip(some, levels, strict=True))


def _values(gallery: Gallery) -> dict[str, object | None]:
    """Return what is written as a whole: the face space, what is compared, the calibration."""
    training = gallery.training
    other = None if training is None or training.in_face_space else training.representation
    if not (other is None or isinstance(other, DiscriminantSpace)):
        raise EigenfacesError("A project file does not hold what this recipe compares.")
    space = None if training is None else training.space
    return {"space": space, "discriminant": other, "calibration": gallery.calibration}


def _fitted(state: State) -> dict[Row, Row]:
    training = state.gallery.training
    return {} if training is None else dict.fromkeys(training.fitted, ())


def _coordinates(state: State) -> dict[Row, Row]:
    training = state.gallery.training
    if training is None:
        return {}
    each = [training.coordinates]
    each += [] if training.in_face_space else [training.compared]
    spaces = [map(bytes, np.ascontiguousarray(numbers, "<f4")) for numbers in each]
    contents = zip(*spaces, strict=True)
    return {
        (photo.key,): (*([*content, None][:2]), zlib.crc32(b"".join(content)))
        for photo, content in zip(state.gallery.index.photos, contents, strict=True)
    }


def _answers(state: State) -> dict[Row, Row]:
    return {
        (key,): (
            *(each.said, each.person, json.dumps(sorted(each.never))),
            *(each.crop, int(each.held), each.before),
        )
        for key, each in state.gallery.answers.items()
    }


def _probes(state: State) -> dict[Row, Row]:
    rows: dict[Row, Row] = {}
    for probe, place in zip(state.asked.probes, state.probe_places.values(), strict=True):
        concerns = json.dumps([asdict(each) for each in probe.concerns])
        said = (probe.number, probe.faces, concerns, probe.cut)
        crop = as_levels(probe.image).tobytes()
        rows[(probe.photo.key,)] = (place, *_described(probe.photo), crop, *said)
    return rows


def _faceless(state: State) -> dict[Row, Row]:
    return {(storable(path),): () for path in state.asked.faceless}


def _unused(state: State) -> dict[Row, Row]:
    rows: dict[Row, Row] = {}
    for place, each in enumerate(state.unused):
        # Bytes of a file name in a sentence that are no text are written as “\udcff”.
        reason = each.reason.encode("utf-8", "backslashreplace").decode("utf-8")
        said = (each.person, each.kind, reason, each.turned, each.read)
        rows[(place,)] = (storable(each.path), *said)
    return rows


_TABLES: tuple[tuple[str, str, Callable[[State], object], Callable[[State], dict[Row, Row]]], ...]
_TABLES = (
    ("setting", "name", attrgetter("gallery"), _settings),
    ("photo", "key", attrgetter("gallery.index"), _photos),
    ("fitted", "photo, crop", attrgetter("gallery.training"), _fitted),
    ("coordinate", "photo", attrgetter("gallery.training"), _coordinates),
    ("answer", "probe", attrgetter("gallery.answers"), _answers),
    ("probe", "key", attrgetter("asked"), _probes),
    ("faceless", "path", attrgetter("asked"), _faceless),
    ("unused", "position", attrgetter("unused"), _unused),
)
"""Each table with the columns of its key, what its rows are made of, and these."""


def write_findings(connection: sqlite3.Connection, texts: Texts, *, only_held: bool) -> None:
    """Write what was found in photographs; ``only_held``: forget it of those not in the gallery."""
    found = ((key, turned, version(), text) for (key, turned), text in texts.items())
    connection.executemany("INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?)", found)
    if only_held:
        connection.execute("DELETE FROM finding WHERE photo NOT IN (SELECT key FROM photo)")


def packed(record: str) -> bytes:
    """Return the record of an evaluation, JSON, as it is kept; refuse one too large."""
    text = record.encode()
    if len(text) > MOST_TEXT:
        raise ProjectError(
            "This evaluation has too many scores to be kept in a project. Write a report of it: "
            "its JSON file holds them all."
        )
    return zlib.compress(text)


def read_at(skipped: Unused, time: str) -> Unused:
    """Return what an import skipped with the time (ISO 8601) at which it was read."""
    return tuple(replace(file, read=time) for file in skipped)


def after_import(before: Unused, tried: Collection[Path], skipped: Unused) -> Unused:
    """Return what is not used after an import: what it skipped, and what it did not try."""
    again = {*tried, *(file.path for file in skipped)}
    return (*(file for file in before if file.path not in again), *skipped)


def without(files: Unused, gone: Unused, come: Unused) -> Unused:
    """Return the files without those that are gone, and with those that have come."""
    paths = {file.path for file in (*gone, *come)}
    return (*(file for file in files if file.path not in paths), *come)


@dataclass(frozen=True)
class Waiting(FoundPhotos):
    """Photographs that wait for a person: a face has to be chosen, or (the last) confirmed.

    ``read``: when the first of those that need a choice was read, and when the last; nothing where
    that is not known, as after a build on the command line.
    """

    guesses: int = 0
    read: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How many there are, a line for each kind; "" where nothing waits."""
        chosen, lines = len(self.photos) - self.guesses, []
        if chosen:
            lines.append(f"{count(chosen)} {'waits' if chosen == 1 else 'wait'}")
        if self.guesses:
            lines.append(f"{count(self.guesses, 'guess', 'guesses')} to confirm")
        return "\n".join(lines)


def waiting(unused: Unused, held: PhotoIndex = NOBODY) -> Waiting:
    """Return what waits, each file once: for the choice of a face, or for a guess to be confirmed.

    ``held``: the photographs of the gallery; guesses of nobody named are none any more.
    """
    chosen = {
        each.path: Photo(each.path, each.person, turned=each.turned)
        for each in unused
        if each.needs_choice
    }
    guessed = {
        photo.path: Photo(photo.path, photo.person, turned=photo.placement.turned)
        for photo in held.guesses
        if photo.path not in chosen
    }
    times = sorted(each.read for each in unused if each.needs_choice and each.read)
    read = (times[0], times[-1]) if times else ()
    return Waiting((*chosen.values(), *guessed.values()), guesses=len(guessed), read=read)


def texts_of(keys: Collection[str], unused: Unused) -> Texts:
    """Return what was found in files with these keys, and in the photographs that wait."""
    wanted = {*keys}
    for photo in waiting(unused).photos:
        with contextlib.suppress(PhotoError):
            wanted.add(content_hash(read_bytes(photo.path)))
    found = ((key, turned) for key in wanted for turned in range(4))
    return {each: FOUND[each] for each in found if each in FOUND}
