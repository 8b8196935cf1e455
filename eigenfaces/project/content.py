"""What a project file holds: written, and read back; everything is checked before it is believed.

Photographs, answers and settings are JSON, one document for each, which msgspec reads into typed
values; crops are levels by their SHA-256; a frozen value of numbers and arrays (a face space, a
calibration) is named arrays, to the bit, each part with its CRC-32, whatever its fields are: a
number, a text, an array of one type, or another such value. A change writes only the documents,
crops and arrays that differ.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Collection
from dataclasses import asdict, dataclass, is_dataclass, replace
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import Crops, FaceSet, PhotoIndex, crop_hash
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Skipped
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Answer, Gallery, restrict_answers
from eigenfaces.recognition.probes import NO_PROBES, Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Floats, Numbers, ShortNumbers
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import as_grey, as_levels
from eigenfaces.space.principal import MatchingSpace, Space

MOST_DOCUMENT = 64_000_000  # bytes of a document, and of an evaluation, unpacked
_PART = 1 << 24  # bytes of a blob: an array may be larger than what SQLite takes in one place

T = TypeVar("T")

ARRAY_TYPES: dict[Any, str] = {
    float: "<f8",
    int: "<i8",
    bool: "|b1",
    str: "|u1",
    tuple[int, ...]: "<i8",
    Floats: "<f4",
    Doubles: "<f8",
    Numbers: "<i8",
    ShortNumbers: "<i4",
    Flags: "|b1",
    Bytes: "|u1",
}
"""The numbers of a field as they are written."""


@dataclass(frozen=True, eq=False)
class Content:
    """What is in a project file, but for evaluations."""

    gallery: Gallery
    unused: tuple[Skipped, ...] = ()
    probe_list: ProbeList = NO_PROBES

    @cached_property
    def probe_crops(self) -> list[str]:
        """The name of the crop of each face to recognise."""
        return [crop_hash(probe.image) for probe in self.probe_list.probes]

    @property
    def crop_names(self) -> set[str]:
        """The names of the crops of all enrolled faces and of those to recognise."""
        return {photo.crop for photo in self.gallery.index.photos}.union(self.probe_crops)


class _Settings(msgspec.Struct):
    """The document of a gallery's settings; ``trained`` is the recipe of the last training."""

    preparation: dict[str, Any]
    recipe: dict[str, Any]
    share: float
    trained: dict[str, Any] | None
    fitted: list[tuple[FaceId, str]]
    automatic: RecipeChoice | None
    settled: list[tuple[str, str]]


class _ProbeDocument(msgspec.Struct):
    """The document of the faces to recognise; the crop of each has the name in its photograph."""

    probes: list[tuple[FacePhoto, int, int, tuple[Concern, ...]]]
    without_face: frozenset[Path]


# Writing


def write_content(connection: sqlite3.Connection, old: Content | None, new: Content) -> None:
    """Change the tables from one content, or none, to another, in the caller's transaction."""
    before = {} if old is None else _documents(old)
    for name, text in _documents(new).items():
        if before.get(name) != text:
            connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", (name, text))
    _write_faces(connection, set() if old is None else old.crop_names, new)
    described, gone = descriptor_changes(connection, new)
    connection.executemany("DELETE FROM network WHERE crop = ?", [(crop,) for crop in gone])
    rows = [(crop, numbers.astype("<f4").tobytes()) for crop, numbers in described.items()]
    connection.executemany("INSERT INTO network VALUES (?, ?)", rows)
    values = {} if old is None else _values(old.gallery)
    for name, value in _values(new.gallery).items():
        if old is not None and values[name] is value:
            continue
        within = (name, f"{name}.", f"{name}/")
        connection.execute("DELETE FROM array WHERE name = ? OR name BETWEEN ? AND ?", within)
        for part_name, array in ({} if value is None else arrays_of(value, name)).items():
            content = np.ascontiguousarray(array.reshape(-1)).view(np.uint8)
            for part, start in enumerate(range(0, max(1, len(content)), _PART)):
                chunk = content[start : start + _PART].tobytes()
                row = part_name, part, json.dumps(array.shape), chunk, zlib.crc32(chunk)
                connection.execute("INSERT INTO array VALUES (?, ?, ?, ?, ?)", row)


def _documents(content: Content) -> dict[str, bytes]:
    """Return the documents that state what is in a project, but for its numbers: JSON."""
    gallery = content.gallery
    training = content.gallery.training
    settings = _Settings(
        preparation=asdict(gallery.preparation),
        recipe=gallery.recipe.record,
        share=gallery.share,
        trained=None if training is None else training.recipe.record,
        fitted=[] if training is None else sorted(training.fitted),
        automatic=gallery.automatic,
        settled=sorted(gallery.settled),
    )
    probes = [
        (replace(p.photo, crop=crop), p.number, p.faces, p.concerns)
        for p, crop in zip(content.probe_list.probes, content.probe_crops, strict=True)
    ]
    # Bytes of a file name in a sentence that are no text are written as “\\udcff”.
    unused = [
        replace(file, reason=file.reason.encode("utf-8", "backslashreplace").decode("utf-8"))
        for file in content.unused
    ]
    documents = {
        "settings": settings,
        "photos": gallery.index.photos,
        "answers": [*gallery.answers.items()],
        "unused": unused,
        "asked": _ProbeDocument(probes, content.probe_list.without_face),
    }
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    return {name: encoder.encode(value) for name, value in documents.items()}


def _plain(value: Any) -> object:
    """Return a path as its bytes, each a letter of Latin-1, and a number of NumPy's as Python's."""
    return os.fsencode(value).decode("latin-1") if isinstance(value, Path) else value.item()


def with_crop_hashes(gallery: Gallery, known: Collection[str]) -> Gallery:
    """Return a gallery in which each photograph has the hash of its crop, unless that is known."""
    faces = gallery.faces
    renamed = dict[FaceId, FacePhoto]()
    for row, photo in enumerate(faces.index.photos):
        if photo.crop not in known and photo.crop != (crop := crop_hash(faces.pixels[row])):
            renamed[photo.id] = replace(photo, crop=crop)
    return replace(gallery, faces=faces.with_photos(renamed)) if renamed else gallery


def _write_faces(connection: sqlite3.Connection, before: set[str], content: Content) -> None:
    faces = content.gallery.faces
    after = content.crop_names
    connection.executemany("DELETE FROM face WHERE crop = ?", [(c,) for c in before - after])
    rows = {photo.crop: row for row, photo in enumerate(faces.index.photos)}
    probes = dict(zip(content.probe_crops, content.probe_list.probes, strict=True))
    for crop in sorted(after - before):
        levels = as_levels(faces.pixels[rows[crop]] if crop in rows else probes[crop].image)
        connection.execute("INSERT INTO face VALUES (?, ?)", (crop, levels.tobytes()))


def _values(gallery: Gallery) -> dict[str, object | None]:
    """Return what was computed for a gallery, by the names of its arrays; None: there is none."""
    training = gallery.training
    names = (
        "space",
        "coordinates",
        "matching_space",
        "matching_coordinates",
    )
    values: dict[str, object | None] = dict.fromkeys(names)
    if training is not None:
        values |= {"space": training.space, "coordinates": training.coordinates}
        if not training.in_face_space:
            values |= {
                "matching_space": training.matching_space,
                "matching_coordinates": training.matching_coordinates,
            }
    return values | {"calibration": gallery.calibration}


def arrays_of(value: object, name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a value by name; those of a value in it as “name.field”."""
    if isinstance(value, np.ndarray):
        return {name: value}
    parts: dict[str, NDArray[Any]] = {}
    for field, hint in get_type_hints(type(value)).items():
        part = getattr(value, field)
        if is_dataclass(hint):
            parts |= arrays_of(part, f"{name}.{field}")
        else:
            numbers = np.frombuffer(part.encode(), np.uint8) if hint is str else part
            parts[f"{name}.{field}"] = np.asarray(numbers, ARRAY_TYPES[hint], order="C")
    return parts


def descriptor_changes(
    connection: sqlite3.Connection, content: Content
) -> tuple[dict[str, Floats], set[str]]:
    """Return what describes faces and is not in a file yet, and the crops that are gone."""
    stored = {crop for (crop,) in connection.execute("SELECT crop FROM network")}
    crops = content.crop_names
    return DESCRIPTORS.known(crops - stored), stored - crops


# Reading


def require(fits: bool, problem: str) -> None:
    """Raise `ValueError`, which says what is wrong, unless it fits."""
    if not fits:
        raise ValueError(problem)


def load_content(connection: sqlite3.Connection, tick: Tick = no_tick) -> Content:
    """Read what is in a file; raise `ValueError` and the like for what cannot be."""
    query = "SELECT name, value FROM document WHERE length(value) <= ?"
    documents = dict(connection.execute(query, (MOST_DOCUMENT,)))

    def read(name: str, kind: type[T]) -> T:
        return msgspec.json.decode(documents[name], type=kind, dec_hook=_path)

    settings, listed = read("settings", _Settings), read("asked", _ProbeDocument)
    preparation = Preparation(**settings.preparation)
    photos, unused = read("photos", tuple[FacePhoto, ...]), read("unused", tuple[Skipped, ...])
    probe_photos = [probe[0] for probe in listed.probes]
    for group in (photos, probe_photos):
        require(len({photo.id for photo in group}) == len(group), "a face is there twice")
    photographs = [photo.photograph for photo in (*photos, *probe_photos)]
    turns = [photograph.turned for photograph in photographs]
    turns += [file.turned for file in unused]
    require(all(0 <= turned < 4 for turned in turns), "a photograph cannot be like that")
    require(all(min(p.size) > 0 for p in photographs), "a photograph has no such size")
    levels, rows = _read_crops(connection, preparation, tick)
    named = {photo.crop for photo in (*photos, *probe_photos)}
    require(named == rows.keys(), "it has not a face for each photograph")
    crops = Crops(levels, np.array([rows[photo.crop] for photo in photos], np.intp))
    index = PhotoIndex(photos)
    faces = FaceSet(crops, preparation.shape, index)
    recipe = Recipe.of(**settings.recipe)
    choice = settings.automatic
    if choice is not None:
        require({choice.recipe, *choice.shares} <= RECIPES.keys(), "there is no such recipe")
    answers = dict(read("answers", list[tuple[FaceId, Answer]]))
    answers = dict(restrict_answers(answers, index.people))
    training = _read_training(connection, preparation, settings)
    gallery = Gallery(faces, preparation, recipe, training, answers=answers, automatic=choice)
    gallery = gallery.with_share(settings.share)
    for one, other in settings.settled:
        gallery = gallery.settle(one, other)
    # A calibration that was made from another state is not taken.
    query = "SELECT value FROM array WHERE name = 'calibration.state_key'"
    basis = connection.execute(query).fetchone()
    if training and basis and basis[0] == gallery.calibration_key.encode():
        gallery = gallery.with_calibration(_read_value(connection, "calibration", Calibration))
    probes = []
    for photo, number, total, concerns in listed.probes:
        require(1 <= number <= total, "a face to recognise has no such number")
        image = as_grey(levels[rows[photo.crop]]).reshape(preparation.shape)
        image.setflags(write=False)
        probes.append(Probe(photo, image, number, total, concerns))
    return Content(gallery, unused, ProbeList(tuple(probes), listed.without_face))


def _path(kind: type, value: object) -> Path:
    """Return a path from its bytes, each a letter of Latin-1: its name may be no valid text."""
    require(kind is Path and isinstance(value, str), "a path is none")
    return Path(os.fsdecode(str(value).encode("latin-1")))


def _read_crops(
    connection: sqlite3.Connection, preparation: Preparation, tick: Tick
) -> tuple[Bytes, dict[str, int]]:
    """Return all crops (m, d), each of which is what its name says, and the row of each name."""
    (count,) = connection.execute("SELECT count(*) FROM face").fetchone()
    size = preparation.height * preparation.width
    query = "SELECT count(*) FROM face WHERE length(levels) = ?"
    require(connection.execute(query, (size,)).fetchone() == (count,), "a face is of another size")
    crops = np.empty((count, size), np.uint8)
    rows = dict[str, int]()
    for crop, levels in connection.execute("SELECT crop, levels FROM face"):
        tick(len(rows), count)
        require(content_hash(levels) == crop, "a face in it is not what it was")
        crops[len(rows)] = np.frombuffer(levels, np.uint8)
        rows[crop] = len(rows)
    return crops, rows


def _read_training(
    connection: sqlite3.Connection, preparation: Preparation, settings: _Settings
) -> Training | None:
    if settings.trained is None:
        return None
    recipe = Recipe.of(**settings.trained)
    fitted = frozenset(settings.fitted)
    space = _read_value(connection, "space", FaceSpace)
    coordinates = read_array(connection, "coordinates", ARRAY_TYPES[Floats])
    matching: tuple[Space, Floats] = space, coordinates
    if recipe.features != recipe.pixels:
        other = _read_value(connection, "matching_space", MatchingSpace)
        matching = other, read_array(connection, "matching_coordinates", ARRAY_TYPES[Floats])
    return Training(space, coordinates, preparation, recipe, fitted, *matching)


def _read_value(connection: sqlite3.Connection, name: str, kind: type[T]) -> T:
    """Return the value of a name; raise `ValueError` if a part of it is missing."""
    values: dict[str, Any] = {}
    for field, hint in get_type_hints(kind).items():
        if is_dataclass(hint):
            values[field] = _read_value(connection, f"{name}.{field}", cast(type, hint))
            continue
        array = read_array(connection, f"{name}.{field}", ARRAY_TYPES[hint])
        if hint is str:
            values[field] = array.tobytes().decode()
        elif hint == tuple[int, ...]:
            values[field] = tuple(array.reshape(-1).tolist())
        else:
            values[field] = array.item() if isinstance(hint, type) else array
    return kind(**values)


def read_array(connection: sqlite3.Connection, name: str, kind: str) -> NDArray[Any]:
    """Return an array, not larger than what the file holds; raise `ValueError` without it."""
    query = "SELECT min(shape), max(shape), sum(length(value)) FROM array WHERE name = ?"
    first, last, size = connection.execute(query, (name,)).fetchone()
    require(first is not None, "a part of what was computed is missing")
    shape = json.loads(first)
    require(first == last and isinstance(shape, list), "an array has no size")
    require(all(type(side) is int and side >= 0 for side in shape), "an array has no such size")
    require(size == prod(shape) * np.dtype(kind).itemsize, "a part of an array is missing")
    array = np.empty(shape, kind)
    content = array.reshape(-1).view(np.uint8)
    start = 0
    query = "SELECT value, crc FROM array WHERE name = ? ORDER BY part"
    for part, crc in connection.execute(query, (name,)):
        require(zlib.crc32(part) == crc, "a number in it is not what it was")
        content[start : start + len(part)] = np.frombuffer(part, np.uint8)
        start += len(part)
    return array


def load_descriptions(connection: sqlite3.Connection) -> dict[str, Floats]:
    """Return what describes faces, by the hash of their crops."""
    rows = connection.execute("SELECT crop, numbers FROM network")
    return {crop: np.frombuffer(numbers, "<f4") for crop, numbers in rows}
