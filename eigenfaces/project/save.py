"""What a project holds, written: a change writes only the documents, crops and arrays that differ.

Photographs of imports that are not in the gallery are kept with it: those that need a choice wait
for it in the project, and what was found in them is kept, so that no photograph is searched twice.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import zlib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, is_dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.faces.face_set import FacePhoto, PhotoIndex, as_levels, crop_hash
from eigenfaces.faces.network import DESCRIPTIONS
from eigenfaces.faces.read import DETECTION_CACHE, DetectionKey, detector_version
from eigenfaces.photographs.decode import content_hash, read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.project.load import (
    KINDS,
    ROWS_AT_ONCE,
    AskedDocument,
    Content,
    CropStore,
    SettingsDocument,
    stored_fields,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Floats
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.text import count

_PART = 1 << 24  # bytes of a blob: an array may be larger than what SQLite takes in one place

Unused = tuple[Skipped, ...]
Detections = Mapping[DetectionKey, str]
NOBODY = PhotoIndex()  # an empty gallery


def held_in(crops: CropStore | None, gallery: Gallery) -> tuple[Gallery, CropStore]:
    """Return a gallery whose crops lie, by their SHA-256, in a store: this one if it fits."""
    pixels, photos = gallery.faces.pixels, gallery.index.photos
    if crops is None or crops.size != pixels.shape[1]:
        crops = CropStore(pixels.shape[1], len(photos))
    new = [row for row, photo in enumerate(photos) if photo.crop not in crops]
    if not new:
        return gallery, crops
    named: dict[str, FacePhoto] = {}
    for start in range(0, len(new), ROWS_AT_ONCE):
        some = new[start : start + ROWS_AT_ONCE]
        for row, name in zip(some, crops.add(as_levels(pixels[some])), strict=True):
            if photos[row].crop != name:
                named[photos[row].key] = replace(photos[row], crop=name)
    faces = gallery.faces.with_photos(named) if named else gallery.faces
    names = (photo.crop for photo in faces.index.photos)
    return replace(gallery, faces=replace(faces, pixels=crops.crops(names))), crops


def documents_of(content: Content) -> dict[str, bytes]:
    """Return the documents that state what is in a project, but for its numbers: JSON."""
    gallery, training = content.gallery, content.gallery.training
    settings = SettingsDocument(
        preparation=asdict(gallery.preparation),
        recipe=gallery.recipe.record,
        share=gallery.share,
        trained=None if training is None else training.recipe.record,
        fitted=[] if training is None else sorted(training.fitted),
        automatic=gallery.automatic,
    )
    probes = [
        (replace(p.photo, crop=crop_hash(p.image)), p.number, p.faces, p.concerns, p.cut)
        for p in content.asked.probes
    ]
    # Bytes of a file name in a sentence that are no text are written as “\\udcff”.
    unused = [
        replace(each, reason=each.reason.encode("utf-8", "backslashreplace").decode("utf-8"))
        for each in content.unused
    ]
    documents = {
        "settings": settings,
        "photos": gallery.index.photos,
        "answers": gallery.answers,
        "unused": unused,
        "asked": AskedDocument(probes, content.asked.without_face),
    }
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    return {name: encoder.encode(value) for name, value in documents.items()}


def _plain(value: Any) -> object:
    """Return a path as its bytes, each a letter of Latin-1, and a number of NumPy's as Python's."""
    return os.fsencode(value).decode("latin-1") if isinstance(value, Path) else value.item()


def write_content(
    connection: sqlite3.Connection, old: Content | None, new: Content, crops: CropStore
) -> None:
    """Change the tables from one content, or none, to another, in the caller's transaction."""
    known = {} if old is None else documents_of(old)
    for name, text in documents_of(new).items():
        if known.get(name) != text:
            connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", (name, text))
    _write_faces(connection, old, new, crops)
    described, gone = descriptions(connection, new)
    connection.executemany("DELETE FROM network WHERE crop = ?", [(crop,) for crop in gone])
    rows = [(crop, numbers.astype("<f4").tobytes()) for crop, numbers in described.items()]
    connection.executemany("INSERT INTO network VALUES (?, ?)", rows)
    was, now = {} if old is None else _values(old.gallery), _values(new.gallery)
    for name, value in now.items():
        if old is not None and was[name] is value:
            continue
        within = (name, f"{name}.", f"{name}/")
        connection.execute("DELETE FROM array WHERE name = ? OR name BETWEEN ? AND ?", within)
        for part_name, array in ({} if value is None else parts_of(value, name)).items():
            content = np.ascontiguousarray(array.reshape(-1)).view(np.uint8)
            for part, start in enumerate(range(0, max(1, len(content)), _PART)):
                chunk = content[start : start + _PART].tobytes()
                row = part_name, part, json.dumps(array.shape), chunk, zlib.crc32(chunk)
                connection.execute("INSERT INTO array VALUES (?, ?, ?, ?, ?)", row)


def _write_faces(
    connection: sqlite3.Connection, old: Content | None, new: Content, crops: CropStore
) -> None:
    asked = {crop_hash(probe.image): as_levels(probe.image) for probe in new.asked.probes}
    before = set() if old is None else _names(old)
    gone = [(crop,) for crop in before - _names(new)]
    connection.executemany("DELETE FROM face WHERE crop = ?", gone)
    for crop in sorted(_names(new) - before):
        levels = crops.crops([crop]).held if crop in crops else asked[crop]
        connection.execute("INSERT INTO face VALUES (?, ?)", (crop, levels.tobytes()))


def _names(content: Content) -> set[str]:
    probes = {crop_hash(probe.image) for probe in content.asked.probes}
    return {photo.crop for photo in content.gallery.index.photos} | probes


def _values(gallery: Gallery) -> dict[str, object | None]:
    training, names = gallery.training, ("space", "coordinates", "discriminant", "compared")
    values: dict[str, object | None] = dict.fromkeys(names)
    if training is not None:
        values |= {"space": training.space, "coordinates": training.coordinates}
        if not training.in_face_space:
            other = training.representation
            if not isinstance(other, DiscriminantSpace):
                raise EigenfacesError("A project file does not hold what this recipe compares.")
            values |= {"discriminant": other, "compared": training.compared}
    return values | {"calibration": gallery.calibration}


def parts_of(value: object, name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a value by name; those of a value in it as “name.field”."""
    if isinstance(value, np.ndarray):
        return {name: value}
    parts: dict[str, NDArray[Any]] = {}
    for field, hint, _ in stored_fields(type(value)):
        held = getattr(value, field)
        if is_dataclass(hint):
            parts |= parts_of(held, f"{name}.{field}")
        elif held is not None:
            numbers = np.frombuffer(held.encode(), np.uint8) if hint is str else held
            parts[f"{name}.{field}"] = np.asarray(numbers, KINDS[hint], order="C")
    return parts


def write_detections(
    connection: sqlite3.Connection, texts: Detections, held: PhotoIndex | None = None
) -> None:
    """Write what was found in photographs; forget it of those that are not ``held``, if given."""
    found = ((key, turned, detector_version(), text) for (key, turned), text in texts.items())
    connection.executemany("INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?)", found)
    if held is not None:
        known = connection.execute("SELECT DISTINCT photo FROM finding").fetchall()
        gone = [(key,) for (key,) in known if held.row_of(key) is None]
        connection.executemany("DELETE FROM finding WHERE photo = ?", gone)


def descriptions(
    connection: sqlite3.Connection, content: Content
) -> tuple[dict[str, Floats], set[str]]:
    """Return what describes faces and is not in a file yet, and the crops that are gone."""
    held = {crop for (crop,) in connection.execute("SELECT crop FROM network")}
    met = {content_hash(each.crop) for each in content.gallery.answers.values() if each.crop}
    there = _names(content) | met
    return DESCRIPTIONS.known(there - held), held - there


def read_at(skipped: Unused, time: str) -> Unused:
    """Return what an import skipped with the time (ISO 8601) at which it was read."""
    return tuple(replace(file, read=time) for file in skipped)


def after_import(before: Unused, tried: Collection[Path], skipped: Unused) -> Unused:
    """Return what is not used after an import: what it skipped, and what it did not try."""
    return without(before, tuple(file for file in before if file.path in tried), skipped)


def without(files: Unused, gone: Unused, come: Unused) -> Unused:
    """Return the files without those that are gone, and with those that have come."""
    paths = {file.path for file in (*gone, *come)}
    return (*(file for file in files if file.path not in paths), *come)


@dataclass(frozen=True)
class Waiting(FoundPhotos):
    """Photographs that wait for a person: a face has to be chosen, or (the last) confirmed."""

    guesses: int = 0  # to be confirmed
    read: tuple[str, ...] = ()  # when the first and the last that need a choice were, if known

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
    """Return what waits, each file once: for the choice of a face, or a guess to be confirmed."""
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


def detections_of(keys: Collection[str], unused: Unused) -> Detections:
    """Return what was found in files with these keys, and in the photographs that wait."""
    wanted = {*keys}
    for photo in waiting(unused).photos:
        with contextlib.suppress(PhotoError):
            wanted.add(content_hash(read_bytes(photo.path)))
    found = ((key, turned) for key in wanted for turned in range(4))
    return {each: DETECTION_CACHE[each] for each in found if each in DETECTION_CACHE}
