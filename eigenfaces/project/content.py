"""What a project file holds: written, and read back; everything is checked before it is believed.

Photographs, answers and settings are JSON, one document for each, which msgspec reads into typed
values; crops are levels by their SHA-256; a frozen value of numbers and arrays (a face space, a
calibration) is named arrays, to the bit, whatever its fields are: a number, a text, an array of one
type, or another such value. A field that may be None is left out where it is. A change writes only
the documents, crops and arrays that differ.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from math import prod
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.face_set import Crops, FacePhoto, FaceSet, PhotoIndex, as_levels, crop_hash
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.network import DESCRIPTIONS, SIZE
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.features import numbered
from eigenfaces.recognition.gallery import Answered, Gallery, Training, among
from eigenfaces.recognition.probes import NO_PROBES, Probe, ProbeList
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Floats, Numbers, ShortNumbers
from eigenfaces.space.discriminant import DiscriminantSpace, Space
from eigenfaces.space.face_space import FaceSpace

MOST_TEXT = 64_000_000  # bytes of a document, and of an evaluation, unpacked
_BYTES_PER_PHOTO = 4000  # in the document of photographs, at most: hundreds are usual
_PART = 1 << 24  # bytes of a blob: an array may be larger than what SQLite takes in one place
_ROWS_AT_ONCE = 64

T = TypeVar("T")

KINDS: dict[Any, str] = {
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

    @property
    def crop_names(self) -> set[str]:
        """The names of the crops of all enrolled faces and of those to recognise."""
        probes = {crop_hash(probe.image) for probe in self.probe_list.probes}
        return {photo.crop for photo in self.gallery.index.photos} | probes


class _Settings(msgspec.Struct):
    """The document of a gallery's settings; ``trained`` is the recipe of the last training."""

    preparation: dict[str, Any]
    recipe: dict[str, Any]
    share: float
    trained: dict[str, Any] | None
    fitted: list[tuple[str, str]]
    automatic: RecipeChoice | None


class _ProbeDocument(msgspec.Struct):
    """The document of the faces to recognise; the crop of each has the name in its photograph."""

    probes: list[tuple[FacePhoto, int, int, tuple[Concern, ...], str]]
    without_face: frozenset[Path] = msgspec.field(name="faceless")


class CropStore:
    """The crops of an open project, of one size, each once: found by the SHA-256 of its levels.

    It holds all that were in the project since it was opened, for undo, and only grows.
    """

    def __init__(self, size: int, room: int = 0) -> None:
        self.size = size
        self._levels = np.empty((room, size), np.uint8)
        self._rows: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    def add(self, levels: Bytes) -> list[str]:
        """Add crops (m, size) that are not there yet; return the name of each."""
        names = [content_hash(crop.tobytes()) for crop in levels]
        new = {name: row for row, name in enumerate(names) if name not in self}
        before, after = len(self._rows), len(self._rows) + len(new)
        if after > len(self._levels):  # with room for more, so that few are copied
            larger = np.empty((max(after, before * 5 // 4), self.size), np.uint8)
            larger[:before] = self._levels[:before]
            self._levels = larger
        self._levels[before:after] = levels[[*new.values()]]
        self._rows |= {name: before + number for number, name in enumerate(new)}
        return names

    def crops(self, names: Iterable[str]) -> Crops:
        """Return crops that are there."""
        rows = np.array([self._rows[name] for name in names], np.intp)
        levels = self._levels[: len(self._rows)]
        return (
            Crops(levels) if np.array_equal(rows, np.arange(len(levels))) else Crops(levels, rows)
        )


def stored_in(crops: CropStore | None, gallery: Gallery) -> tuple[Gallery, CropStore]:
    """Return a gallery whose crops lie, by their SHA-256, in a store: this one if it fits."""
    pixels, photos = gallery.faces.pixels, gallery.index.photos
    if crops is None or crops.size != pixels.shape[1]:
        crops = CropStore(pixels.shape[1], len(photos))
    new = [row for row, photo in enumerate(photos) if photo.crop not in crops]
    if not new:
        return gallery, crops
    renamed: dict[str, FacePhoto] = {}
    for start in range(0, len(new), _ROWS_AT_ONCE):
        rows = new[start : start + _ROWS_AT_ONCE]
        for row, name in zip(rows, crops.add(as_levels(pixels[rows])), strict=True):
            if photos[row].crop != name:
                renamed[photos[row].key] = replace(photos[row], crop=name)
    faces = gallery.faces.with_photos(renamed) if renamed else gallery.faces
    names = (photo.crop for photo in faces.index.photos)
    return replace(gallery, faces=replace(faces, pixels=crops.crops(names))), crops


# Writing


def write_content(
    connection: sqlite3.Connection, old: Content | None, new: Content, crops: CropStore
) -> None:
    """Change the tables from one content, or none, to another, in the caller's transaction."""
    before = {} if old is None else _documents(old)
    for name, text in _documents(new).items():
        if before.get(name) != text:
            connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", (name, text))
    _write_faces(connection, old, new, crops)
    described, gone = descriptions(connection, new)
    connection.executemany("DELETE FROM network WHERE crop = ?", [(crop,) for crop in gone])
    rows = [(crop, numbers.astype("<f4").tobytes()) for crop, numbers in described.items()]
    connection.executemany("INSERT INTO network VALUES (?, ?)", rows)
    values = {} if old is None else _values(old.gallery)
    for name, value in _values(new.gallery).items():
        if old is not None and values[name] is value:
            continue
        within = (name, f"{name}.", f"{name}/")
        connection.execute("DELETE FROM array WHERE name = ? OR name BETWEEN ? AND ?", within)
        for part_name, array in ({} if value is None else parts_of(value, name)).items():
            content = np.ascontiguousarray(array.reshape(-1)).view(np.uint8)
            for part, start in enumerate(range(0, max(1, len(content)), _PART)):
                chunk = content[start : start + _PART].tobytes()
                row = part_name, part, json.dumps(array.shape), chunk, zlib.crc32(chunk)
                connection.execute("INSERT INTO array VALUES (?, ?, ?, ?, ?)", row)


def _documents(content: Content) -> dict[str, bytes]:
    """Return the documents that state what is in a project, but for its numbers: JSON."""
    gallery, training = content.gallery, content.gallery.training
    settings = _Settings(
        preparation=asdict(gallery.preparation),
        recipe=gallery.recipe.record,
        share=gallery.share,
        trained=None if training is None else training.recipe.record,
        fitted=[] if training is None else sorted(training.fitted),
        automatic=gallery.automatic,
    )
    probes = [
        (replace(p.photo, crop=crop_hash(p.image)), p.number, p.faces, p.concerns, "")
        for p in content.probe_list.probes
    ]
    # Bytes of a file name in a sentence that are no text are written as “\\udcff”.
    unused = [
        replace(file, reason=file.reason.encode("utf-8", "backslashreplace").decode("utf-8"))
        for file in content.unused
    ]
    documents = {
        "settings": settings,
        "photos": gallery.index.photos,
        "answers": gallery.answers,
        "unused": unused,
        "asked": _ProbeDocument(probes, content.probe_list.without_face),
    }
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    return {name: encoder.encode(value) for name, value in documents.items()}


def _plain(value: Any) -> object:
    """Return a path as its bytes, each a letter of Latin-1, and a number of NumPy's as Python's."""
    return os.fsencode(value).decode("latin-1") if isinstance(value, Path) else value.item()


def _write_faces(
    connection: sqlite3.Connection, old: Content | None, new: Content, crops: CropStore
) -> None:
    probes = {crop_hash(probe.image): as_levels(probe.image) for probe in new.probe_list.probes}
    before, after = set() if old is None else old.crop_names, new.crop_names
    gone = [(crop,) for crop in before - after]
    connection.executemany("DELETE FROM face WHERE crop = ?", gone)
    for crop in sorted(after - before):
        levels = crops.crops([crop]).held if crop in crops else probes[crop]
        connection.execute("INSERT INTO face VALUES (?, ?)", (crop, levels.tobytes()))


def _values(gallery: Gallery) -> dict[str, object | None]:
    """Return what was computed for a gallery, by the names of its arrays; None: there is none."""
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
    for field, hint, _ in _stored_fields(type(value)):
        part = getattr(value, field)
        if is_dataclass(hint):
            parts |= parts_of(part, f"{name}.{field}")
        elif part is not None:
            numbers = np.frombuffer(part.encode(), np.uint8) if hint is str else part
            parts[f"{name}.{field}"] = np.asarray(numbers, KINDS[hint], order="C")
    return parts


def _stored_fields(kind: type) -> Iterator[tuple[str, Any, bool]]:
    """Yield the name, the type, and whether it may be None, of each field that is stored."""
    hints = get_type_hints(kind)
    for field in fields(cast(Any, kind)):
        hint = hints[field.name]
        optional = NoneType in get_args(hint)
        if optional:
            hint = next(each for each in get_args(hint) if each is not NoneType)
        if not (optional and is_dataclass(hint)):
            yield field.name, hint, optional


def descriptions(
    connection: sqlite3.Connection, content: Content
) -> tuple[dict[str, Floats], set[str]]:
    """Return what describes faces and is not in a file yet, and the crops that are gone."""
    stored = {crop for (crop,) in connection.execute("SELECT crop FROM network")}
    answers = content.gallery.answers.values()
    crops = content.crop_names | {content_hash(each.crop) for each in answers if each.crop}
    return DESCRIPTIONS.known(crops - stored), stored - crops


# Reading


def expect(fits: bool, problem: str) -> None:
    """Raise `ValueError`, which says what is wrong, unless it fits."""
    if not fits:
        raise ValueError(problem)


def _finite(*arrays: NDArray[Any]) -> None:
    expect(all(bool(np.isfinite(array).all()) for array in arrays), "a number is missing")


def _positive(*arrays: NDArray[Any] | float) -> None:
    expect(all(bool((np.asarray(array) > 0).all()) for array in arrays), "it has no variance")


def load_content(connection: sqlite3.Connection, tick: Tick = no_tick) -> tuple[Content, CropStore]:
    """Read what is in a file, and its crops; raise `ValueError` and the like for what cannot be."""
    query = "SELECT name, value FROM document WHERE length(value) <= ?"
    documents = dict(connection.execute(query, (MOST_TEXT,)))
    (count,) = connection.execute("SELECT count(*) FROM face").fetchone()
    fits = len(documents["photos"]) <= _BYTES_PER_PHOTO * (count + 9)
    expect(fits, "it has not a face for each photograph")

    def read(name: str, kind: type[T]) -> T:
        return msgspec.json.decode(documents[name], type=kind, dec_hook=_path)

    settings, listed = read("settings", _Settings), read("asked", _ProbeDocument)
    settings.preparation.pop("fit", None)  # older projects have it
    preparation = Preparation(**settings.preparation)
    photos = read("photos", tuple[FacePhoto, ...])
    index, probe_photos = PhotoIndex(photos), [probe[0] for probe in listed.probes]
    for group in (photos, probe_photos):
        expect(len({photo.key for photo in group}) == len(group), "a photograph is there twice")
    for photo in (*photos, *probe_photos):
        sound = min(photo.size) > 0 and 0 <= photo.placement.turned < 4
        expect(sound, "a photograph cannot be like that")
    names = {photo.crop for photo in (*photos, *probe_photos)}
    crops = _read_crops(connection, names, preparation, tick)
    faces = FaceSet(crops.crops(photo.crop for photo in photos), preparation.shape, index)
    training = _read_training(connection, preparation, len(photos), settings)
    answers = among(read("answers", dict[str, Answered]), index.people)
    recipe, choice = Recipe.of(**settings.recipe), settings.automatic
    if choice is not None:  # Fisherfaces have another name in older files
        shares = {Recipe.of(name).name: share for name, share in choice.shares.items()}
        choice = replace(choice, recipe=Recipe.of(choice.recipe).name, shares=shares)
        expect(not shares or choice.recipe in shares, "the recipe that was chosen is not measured")
    gallery = Gallery(faces, preparation, recipe, training, answers=answers, automatic=choice)
    gallery = gallery.with_share(settings.share)
    gallery = gallery.recalling(_read_calibration(connection, gallery))
    probes = []
    for photo, number, total, concerns, _ in listed.probes:
        expect(1 <= number <= total, "a face to recognise has no such number")
        image = crops.crops([photo.crop])[0].reshape(preparation.shape)
        image.setflags(write=False)
        probes.append(Probe(photo, image, number, total, concerns))
    unused = read("unused", tuple[Skipped, ...])
    expect(all(0 <= file.turned < 4 for file in unused), "a photograph cannot be like that")
    return Content(gallery, unused, ProbeList(tuple(probes), listed.without_face)), crops


def _path(kind: type, value: object) -> Path:
    """Return a path from its bytes, each a letter of Latin-1: its name may be no valid text."""
    expect(kind is Path and isinstance(value, str), "a path is none")
    return Path(os.fsdecode(str(value).encode("latin-1")))


def _read_crops(
    connection: sqlite3.Connection, names: set[str], preparation: Preparation, tick: Tick
) -> CropStore:
    """Return the crops of these names, each of which is what its name says, and no others."""
    (count,) = connection.execute("SELECT count(*) FROM face").fetchone()
    expect(count == len(names), "it has not a face for each photograph")
    size = preparation.height * preparation.width
    query = "SELECT count(*) FROM face WHERE length(levels) = ?"
    expect(connection.execute(query, (size,)).fetchone() == (count,), "a face is of another size")
    crops, done = CropStore(size, count), 0
    cursor = connection.execute("SELECT crop, levels FROM face")
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        tick(done, count)
        done += len(rows)
        levels = np.frombuffer(b"".join(content for _, content in rows), np.uint8)
        hashes = crops.add(levels.reshape(-1, size))
        expect(hashes == [name for name, _ in rows], "a face in it is not what it was")
    expect(all(name in crops for name in names), "some of its faces are missing")
    return crops


def _read_training(
    connection: sqlite3.Connection, preparation: Preparation, photos: int, settings: _Settings
) -> Training | None:
    if settings.trained is not None and settings.trained.get("scaling") == "correlation":
        return None  # there is no such face space any more: train again
    space = _read_value(connection, "space", FaceSpace)
    if space is None or settings.trained is None:
        expect(space is None and settings.trained is None, "a part of the face space is missing")
        return None
    (k, d), fitted = space.components.shape, frozenset(settings.fitted)
    expect(space.shape == preparation.shape, "its face space is of another size")
    expect(space.count >= 2 and 1 <= k <= min(space.count - 1, d), "it has no such components")
    both = max(len(fitted), 2)  # of a single photograph it was fitted to its mirror image, too
    expect(space.count == both, "a part of the face space is missing")
    _finite(space.mean, space.components, space.singular_values)
    _finite(np.array(space.total_variance))
    _positive(space.total_variance, space.singular_values)
    recipe = Recipe.of(**settings.trained)
    coordinates = _read_coordinates(connection, "coordinates", (photos, k))
    compared: tuple[Space, Floats] = space, coordinates
    if recipe.features != recipe.pixels:
        other = _read_value(connection, "discriminant", DiscriminantSpace)
        expect(other is not None, "what its recipe compares is missing")
        assert other is not None
        j, outside = len(other), recipe.features.LEARNT_OUTSIDE
        black = np.zeros((1, d), np.float32)
        f = SIZE if outside else recipe.features.of(black, preparation.shape).shape[1]
        sizes = other.mean.shape, other.scale.shape, other.axes.shape, other.variances.shape
        expect(sizes == ((f,), (f,), (j, f), (j,)), "its axes are of another size")
        _finite(other.mean, other.axes, other.variances, other.scale)
        _positive(other.variances + outside, other.scale)  # of few faces some axes have none
        compared = other, _read_coordinates(connection, "compared", (photos, j))
    return Training(space, coordinates, preparation, recipe, fitted, *compared)


def _read_coordinates(connection: sqlite3.Connection, name: str, shape: tuple[int, int]) -> Floats:
    array = read_array(connection, name, KINDS[Floats])
    if array is None or array.shape != shape:
        raise ValueError("it has other coordinates")
    _finite(array)
    return array


def _read_calibration(connection: sqlite3.Connection, gallery: Gallery) -> Calibration | None:
    """Return the calibration of a gallery; None where it was made from another state of it."""
    key = read_array(connection, "calibration.basis", "|u1")
    if gallery.training is None or key is None or key.tobytes() != gallery.calibration_key.encode():
        return None
    calibration = _read_value(connection, "calibration", Calibration)
    assert calibration is not None
    scores, wrong = calibration.held, "its calibration does not fit its faces"
    people = numbered([gallery.index.photos[row].person for row in gallery.enrolled])
    # It holds in any order of the photographs: some may have been taken out and added again since.
    numbers, counts = np.unique(scores.people, return_counts=True)
    expect(np.array_equal(numbers, np.unique(people)), wrong)
    expect(np.array_equal(np.sort(counts), np.sort(np.bincount(people))), wrong)
    for nearest in (scores.member, scores.stranger):
        person, distance, runner_up = nearest.person, nearest.distance, nearest.runner_up
        sizes = {person.shape, distance.shape, runner_up.shape}
        expect(sizes == {people.shape}, wrong)
        known = person >= 0  # of some there are none
        expect(bool(((person >= -1) & (person <= people.max(initial=-1))).all()), wrong)
        expect(np.array_equal(np.isfinite(distance), known), wrong)
        expect(not np.isnan(runner_up[known]).any(), wrong)
    residual = calibration.left_over
    expect(residual.shape == people.shape and bool(np.isfinite(residual).all()), wrong)
    likeness, face = calibration.likeness, np.ones((1, 2, len(general_faces().mean)), np.float32)
    expect(bool(np.isfinite([likeness.limit, *likeness.residuals(face)]).all()), wrong)
    return calibration


def _read_value(connection: sqlite3.Connection, name: str, kind: type[T]) -> T | None:
    """Return the value of a name, unchecked; None: there is none. Raises if a part is missing."""
    within = (f"{name}.", f"{name}/")
    first = connection.execute("SELECT 1 FROM array WHERE name BETWEEN ? AND ?", within).fetchone()
    if first is None:
        return None
    values: dict[str, Any] = {}
    for field, hint, optional in _stored_fields(kind):
        if is_dataclass(hint):
            values[field] = _read_value(connection, f"{name}.{field}", cast(type, hint))
            expect(values[field] is not None, "a part of what was computed is missing")
            continue
        array = read_array(connection, f"{name}.{field}", KINDS[hint])
        if array is None:
            expect(optional, "a part of what was computed is missing")
            values[field] = None
        elif hint is str:
            values[field] = array.tobytes().decode()
        elif hint == tuple[int, ...]:
            values[field] = tuple(array.reshape(-1).tolist())
        else:
            values[field] = array.item() if isinstance(hint, type) else array
    return kind(**values)


def read_array(connection: sqlite3.Connection, name: str, kind: str) -> NDArray[Any] | None:
    """Return an array; None where there is none. It is not larger than what the file holds."""
    query = "SELECT min(shape), max(shape), sum(length(value)) FROM array WHERE name = ?"
    first, last, size = connection.execute(query, (name,)).fetchone()
    if first is None:
        return None
    shape = json.loads(first)
    expect(first == last and isinstance(shape, list), "an array has no size")
    expect(all(type(side) is int and side >= 0 for side in shape), "an array has no such size")
    expect(size == prod(shape) * np.dtype(kind).itemsize, "a part of an array is missing")
    array = np.empty(shape, kind)
    content, start = array.reshape(-1).view(np.uint8), 0
    query = "SELECT value, crc FROM array WHERE name = ? ORDER BY part"
    for part, crc in connection.execute(query, (name,)):
        expect(zlib.crc32(part) == crc, "a number in it is not what it was")
        content[start : start + len(part)] = np.frombuffer(part, np.uint8)
        start += len(part)
    return array


def load_descriptions(connection: sqlite3.Connection) -> dict[str, Floats]:
    """Return what describes faces, by the hash of their crops."""
    rows = connection.execute("SELECT crop, numbers FROM network")
    vectors = {crop: np.frombuffer(numbers, "<f4") for crop, numbers in rows}
    _finite(*vectors.values())
    return vectors
