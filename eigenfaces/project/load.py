"""What a project file holds, read: everything is checked before it is believed.

Photographs, answers and settings are JSON, one document for each, which msgspec reads into typed
values; crops are levels by their SHA-256; a frozen value of numbers and arrays (a face space, a
calibration) is named arrays, to the bit, whatever its fields are: a number, a text, an array of one
type, or another such value. A field that may be None is left out where it is.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from math import prod
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import Crops, FacePhoto, FaceSet, PhotoIndex
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.network import SIZE
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern
from eigenfaces.faces.read import DetectionKey, detector_version
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

_A_PHOTO = 4000  # bytes that a photograph takes in its document, at most: hundreds are usual

ROWS_AT_ONCE = 64

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
    """What is in a project file, but for evaluations and detections."""

    gallery: Gallery
    unused: tuple[Skipped, ...] = ()
    asked: ProbeList = NO_PROBES


class SettingsDocument(msgspec.Struct):
    """The document of a gallery's settings; ``trained`` is the recipe of the last training."""

    preparation: dict[str, Any]
    recipe: dict[str, Any]
    share: float
    trained: dict[str, Any] | None
    fitted: list[tuple[str, str]]
    automatic: RecipeChoice | None


class AskedDocument(msgspec.Struct):
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

    def __contains__(self, crop: str) -> bool:
        return crop in self._rows

    def add(self, levels: Bytes) -> list[str]:
        """Add crops (m, size) that are not there yet; return the name of each."""
        names = [content_hash(crop.tobytes()) for crop in levels]
        new = {name: row for row, name in enumerate(names) if name not in self}
        held = len(self._rows)
        if held + len(new) > len(self._levels):  # with room for more, so that few are copied
            larger = np.empty((max(held + len(new), held * 5 // 4), self.size), np.uint8)
            larger[:held] = self._levels[:held]
            self._levels = larger
        self._levels[held : held + len(new)] = levels[[*new.values()]]
        self._rows |= {name: held + number for number, name in enumerate(new)}
        return names

    def crops(self, names: Iterable[str]) -> Crops:
        """Return crops that are there."""
        rows = np.array([self._rows[name] for name in names], np.intp)
        held = self._levels[: len(self._rows)]
        return Crops(held) if np.array_equal(rows, np.arange(len(held))) else Crops(held, rows)


def load_content(connection: sqlite3.Connection, tick: Tick = no_tick) -> tuple[Content, CropStore]:
    """Read what is in a file, and its crops; raise `ValueError` and the like for what cannot be."""
    ask = "SELECT name, value FROM document WHERE length(value) <= ?"
    documents = dict(connection.execute(ask, (MOST_TEXT,)))
    (faces,) = connection.execute("SELECT count(*) FROM face").fetchone()
    fits = len(documents["photos"]) <= _A_PHOTO * (faces + 9)
    expect(fits, "it has not a face for each photograph")

    def read(name: str, kind: type[T]) -> T:
        return msgspec.json.decode(documents[name], type=kind, dec_hook=_path)

    settings = read("settings", SettingsDocument)
    preparation = Preparation(**settings.preparation)
    asked = read("asked", AskedDocument)
    photos = read("photos", tuple[FacePhoto, ...])
    index, probes = PhotoIndex(photos), [probe[0] for probe in asked.probes]
    for listed in (photos, probes):
        expect(len({photo.key for photo in listed}) == len(listed), "a photograph is there twice")
    for photo in (*photos, *probes):
        sound = min(photo.size) > 0 and 0 <= photo.placement.turned < 4
        expect(sound, "a photograph cannot be like that")
    crops = _crops(connection, {photo.crop for photo in (*photos, *probes)}, preparation, tick)
    pixels = crops.crops(photo.crop for photo in photos)
    training = _training(connection, preparation, len(photos), settings)
    answers = among(read("answers", dict[str, Answered]), index.people)
    recipe = Recipe.of(**settings.recipe)
    faces, chosen = FaceSet(pixels, preparation.shape, index), settings.automatic
    if chosen is not None:  # Fisherfaces have another name in older files
        shares = {Recipe.of(name).name: share for name, share in chosen.shares.items()}
        chosen = replace(chosen, recipe=Recipe.of(chosen.recipe).name, shares=shares)
        expect(not shares or chosen.recipe in shares, "the recipe that was chosen is not measured")
    gallery = Gallery(faces, preparation, recipe, training, answers=answers, automatic=chosen)
    gallery = gallery.with_share(settings.share)
    gallery = gallery.recalling(_calibration(connection, gallery))
    asked_about = []
    for photo, number, many, concerns, cut in asked.probes:
        expect(1 <= number <= many, "a face to recognise has no such number")
        image = crops.crops([photo.crop])[0].reshape(preparation.shape)
        image.setflags(write=False)
        asked_about.append(Probe(photo, image, number, many, concerns, cut))
    unused = read("unused", tuple[Skipped, ...])
    expect(all(0 <= each.turned < 4 for each in unused), "a photograph cannot be like that")
    return Content(gallery, unused, ProbeList(tuple(asked_about), asked.without_face)), crops


def _path(kind: type, value: object) -> Path:
    """Return a path from its bytes, each a letter of Latin-1: its name may be no valid text."""
    expect(kind is Path and isinstance(value, str), "a path is none")
    return Path(os.fsdecode(str(value).encode("latin-1")))


def expect(fits: bool, what: str) -> None:
    """Raise `ValueError`, which says what is wrong, unless it fits."""
    if not fits:
        raise ValueError(what)


def _crops(
    connection: sqlite3.Connection, wanted: set[str], preparation: Preparation, tick: Tick
) -> CropStore:
    """Return the crops that are wanted, each of which is what its name says, and no others."""
    (count,) = connection.execute("SELECT count(*) FROM face").fetchone()
    expect(count == len(wanted), "it has not a face for each photograph")
    size = preparation.height * preparation.width
    ask = "SELECT count(*) FROM face WHERE length(levels) = ?"
    expect(connection.execute(ask, (size,)).fetchone() == (count,), "a face is of another size")
    crops, done = CropStore(size, count), 0
    listed = connection.execute("SELECT crop, levels FROM face")
    while some := listed.fetchmany(ROWS_AT_ONCE):
        tick(done, count)
        done += len(some)
        levels = np.frombuffer(b"".join(content for _, content in some), np.uint8)
        found = crops.add(levels.reshape(-1, size))
        expect(found == [name for name, _ in some], "a face in it is not what it was")
    expect(all(name in crops for name in wanted), "some of its faces are missing")
    return crops


def _finite(*arrays: NDArray[Any]) -> None:
    expect(all(bool(np.isfinite(array).all()) for array in arrays), "a number is missing")


def _positive(*arrays: NDArray[Any] | float) -> None:
    expect(all(bool((np.asarray(array) > 0).all()) for array in arrays), "it has no variance")


def _training(
    connection: sqlite3.Connection,
    preparation: Preparation,
    photos: int,
    settings: SettingsDocument,
) -> Training | None:
    space = read_value(connection, "space", FaceSpace)
    if space is None or settings.trained is None:
        expect(space is None and settings.trained is None, "a part of the face space is missing")
        return None
    (k, d), fitted = space.components.shape, frozenset(settings.fitted)
    expect(space.shape == preparation.shape, "its face space is of another size")
    expect(space.count >= 2 and 1 <= k <= min(space.count - 1, d), "it has no such components")
    both = max(len(fitted), 2)  # of a single photograph it was fitted to its mirror image, too
    expect(space.count == both, "a part of the face space is missing")
    expect(space.scale is None or space.scale.shape == (d,), "it has other scales")
    scale = np.ones(1) if space.scale is None else space.scale
    _finite(space.mean, space.components, space.singular_values, scale)
    _finite(np.array(space.total_variance))
    _positive(space.total_variance, space.singular_values, scale)
    recipe = Recipe.of(**settings.trained)
    shown = _coordinates(connection, "coordinates", (photos, k))
    compared: tuple[Space, Floats] = space, shown
    if recipe.features != recipe.pixels:
        other = read_value(connection, "discriminant", DiscriminantSpace)
        expect(other is not None, "what its recipe compares is missing")
        assert other is not None
        j, outside = len(other), recipe.features.LEARNT_OUTSIDE
        some = np.zeros((1, d), np.float32)
        f = SIZE if outside else recipe.features.of(some, preparation.shape).shape[1]
        sizes = other.mean.shape, other.scale.shape, other.axes.shape, other.variances.shape
        expect(sizes == ((f,), (f,), (j, f), (j,)), "its axes are of another size")
        _finite(other.mean, other.axes, other.variances, other.scale)
        _positive(other.variances + outside, other.scale)  # of few faces some axes have none
        compared = other, _coordinates(connection, "compared", (photos, j))
    return Training(space, shown, preparation, recipe, fitted, *compared)


def _coordinates(connection: sqlite3.Connection, name: str, shape: tuple[int, int]) -> Floats:
    found = read_array(connection, name, KINDS[Floats])
    if found is None or found.shape != shape:
        raise ValueError("it has other coordinates")
    _finite(found)
    return found


def _calibration(connection: sqlite3.Connection, gallery: Gallery) -> Calibration | None:
    """Return the calibration of a gallery; None where it was made from another state of it."""
    basis = read_array(connection, "calibration.basis", "|u1")
    if (
        gallery.training is None
        or basis is None
        or basis.tobytes() != gallery.calibration_key.encode()
    ):
        return None
    calibration = read_value(connection, "calibration", Calibration)
    assert calibration is not None
    held, wrong = calibration.held, "its calibration does not fit its faces"
    people = numbered([gallery.index.photos[row].person for row in gallery.enrolled])
    # It holds in any order of the photographs: some may have been taken out and added again since.
    named, each = np.unique(held.people, return_counts=True)
    expect(np.array_equal(named, np.unique(people)), wrong)
    expect(np.array_equal(np.sort(each), np.sort(np.bincount(people))), wrong)
    for nearest in (held.member, held.stranger):
        person, distance, runner_up = nearest.person, nearest.distance, nearest.runner_up
        sizes = {person.shape, distance.shape, runner_up.shape}
        expect(sizes == {people.shape}, wrong)
        known = person >= 0  # of some there are none
        expect(bool(((person >= -1) & (person <= people.max(initial=-1))).all()), wrong)
        expect(np.array_equal(np.isfinite(distance), known), wrong)
        expect(not np.isnan(runner_up[known]).any(), wrong)
    left = calibration.left_over
    expect(left.shape == people.shape and bool(np.isfinite(left).all()), wrong)
    likeness, face = calibration.likeness, np.ones((1, 2, len(general_faces().mean)), np.float32)
    expect(bool(np.isfinite([likeness.limit, *likeness.residuals(face)]).all()), wrong)
    return calibration


def stored_fields(kind: type) -> Iterator[tuple[str, Any, bool]]:
    """Yield the name, the type, and whether it may be None, of each field that is stored."""
    hints = get_type_hints(kind)
    for field in fields(cast(Any, kind)):
        hint = hints[field.name]
        optional = NoneType in get_args(hint)
        if optional:
            hint = next(each for each in get_args(hint) if each is not NoneType)
        if not (optional and is_dataclass(hint)):
            yield field.name, hint, optional


def read_value(connection: sqlite3.Connection, name: str, kind: type[T]) -> T | None:
    """Return the value of a name, unchecked; None: there is none. Raises if a part is missing."""
    within = (f"{name}.", f"{name}/")
    known = connection.execute("SELECT 1 FROM array WHERE name BETWEEN ? AND ?", within).fetchone()
    if known is None:
        return None
    held: dict[str, Any] = {}
    for field, hint, optional in stored_fields(kind):
        if is_dataclass(hint):
            held[field] = read_value(connection, f"{name}.{field}", cast(type, hint))
            expect(held[field] is not None, "a part of what was computed is missing")
            continue
        array = read_array(connection, f"{name}.{field}", KINDS[hint])
        if array is None:
            expect(optional, "a part of what was computed is missing")
            held[field] = None
        elif hint is str:
            held[field] = array.tobytes().decode()
        elif hint == tuple[int, ...]:
            held[field] = tuple(array.reshape(-1).tolist())
        else:
            held[field] = array.item() if isinstance(hint, type) else array
    return kind(**held)


def read_array(connection: sqlite3.Connection, name: str, kind: str) -> NDArray[Any] | None:
    """Return an array; None where there is none. It is not larger than what the file holds."""
    ask = "SELECT min(shape), max(shape), sum(length(value)) FROM array WHERE name = ?"
    first, last, held = connection.execute(ask, (name,)).fetchone()
    if first is None:
        return None
    sizes = json.loads(first)
    expect(first == last and isinstance(sizes, list), "an array has no size")
    expect(all(type(size) is int and size >= 0 for size in sizes), "an array has no such size")
    expect(held == prod(sizes) * np.dtype(kind).itemsize, "a part of an array is missing")
    array = np.empty(sizes, kind)
    content, start = array.reshape(-1).view(np.uint8), 0
    ask = "SELECT value, crc FROM array WHERE name = ? ORDER BY part"
    for part, crc in connection.execute(ask, (name,)):
        expect(zlib.crc32(part) == crc, "a number in it is not what it was")
        content[start : start + len(part)] = np.frombuffer(part, np.uint8)
        start += len(part)
    return array


def load_detections(connection: sqlite3.Connection) -> dict[DetectionKey, str]:
    """Return what the present search has found before; not what another one has."""
    ask = "SELECT photo, turned, faces FROM finding WHERE search = ?"
    return {
        (key, turned): text for key, turned, text in connection.execute(ask, (detector_version(),))
    }


def load_descriptions(connection: sqlite3.Connection) -> dict[str, Floats]:
    """Return what describes faces, by the hash of their crops."""
    rows = connection.execute("SELECT crop, numbers FROM network")
    found = {crop: np.frombuffer(numbers, "<f4") for crop, numbers in rows}
    _finite(*found.values())
    return found
