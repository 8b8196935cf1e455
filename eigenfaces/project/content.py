"""The content of a project file as one frozen value, and the code that reads it from the file.

Each row holds one gallery face, face to recognise, unused photograph, answer or evaluation as JSON,
which msgspec reads into typed values. Crops are stored as grey levels under their SHA-256. A frozen
value made of numbers and arrays (a face space, a calibration) is stored bit for bit as named
arrays. Its fields may be numbers, strings, homogeneous arrays, or other such values. Each array is
stored under the SHA-256 of its bytes. All data is checked before it is used.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import Crops, FaceSet, PhotoIndex
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.faces.portraits import MOST_BYTES
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import KnownFile, WatchedFolder
from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Answer, Answers, Gallery, restrict_answers
from eigenfaces.recognition.probes import NO_PROBES, Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Floats, Numbers, ShortNumbers
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import as_grey
from eigenfaces.space.principal import MatchingSpace, Space

MOST_TEXT = 64_000_000  # largest size in bytes of all rows of a kind, or of an unpacked evaluation

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
"""NumPy types in which the numbers of fields are stored, by the type of the field."""


@dataclass(frozen=True)
class KeptRun:
    """Saved evaluation, with the time at which it was run (ISO 8601), its name, and its record."""

    made: str
    name: str
    record: str  # the SHA-256 under which the record is stored


@dataclass(frozen=True)
class ForgottenFace:
    """Face that the program should not ask about again, identified by photograph and position.

    ``eyes`` is None if the whole photograph is the face.
    """

    sha: str
    size: tuple[int, int]  # (h, w) of the photograph, as shown
    eyes: Eyes | None


@dataclass(frozen=True, eq=False)
class Content:
    """All data in a project file. Every edit creates a new `Content` that shares unchanged parts.

    Faces to recognise are left out if their size differs from the gallery's, because they cannot be
    compared.
    """

    gallery: Gallery
    unused: tuple[Skipped, ...] = ()
    probe_list: ProbeList = NO_PROBES
    runs: tuple[KeptRun, ...] = ()
    files: tuple[KnownFile, ...] = ()
    folders: tuple[WatchedFolder, ...] = ()
    forgotten: tuple[ForgottenFace, ...] = ()

    def __post_init__(self) -> None:
        probes = self.probe_list.probes
        if not all(probe.fits(self.gallery) for probe in probes):
            fitting = tuple(probe for probe in probes if probe.fits(self.gallery))
            object.__setattr__(self, "probe_list", replace(self.probe_list, probes=fitting))

    def with_gallery(self, gallery: Gallery) -> Content:
        """Return the content with another gallery, dropping probes if their crops no longer fit."""
        fits = gallery.preparation == self.gallery.preparation
        return replace(self, gallery=gallery, probe_list=self.probe_list if fits else NO_PROBES)

    def is_like(self, other: Content) -> bool:
        """Return whether another `Content` has the same gallery object and is otherwise equal."""
        same = self.gallery is other.gallery
        names = [field.name for field in fields(Content) if field.name != "gallery"]
        return same and all(getattr(self, name) == getattr(other, name) for name in names)


class Settings(msgspec.Struct):
    """Stored document with the settings of a gallery."""

    preparation: dict[str, Any]
    recipe: dict[str, Any]
    share: float
    automatic: RecipeChoice | None
    settled: list[tuple[str, str]]

    @classmethod
    def of(cls, gallery: Gallery) -> Settings:
        """Return the settings of a gallery."""
        return cls(
            asdict(gallery.preparation),
            gallery.recipe.record,
            gallery.share,
            gallery.automatic,
            sorted(gallery.settled),
        )


ArrayNames = dict[str, tuple[str, list[int]]]
"""SHA-256 and shape of each array in a value, by the name of the array."""


class TrainingRow(msgspec.Struct):
    """Stored document that describes a training: its recipe and the names of its arrays.

    ``key`` identifies the coordinates of the training; see `file.TABLES`.
    """

    recipe: dict[str, Any]
    arrays: ArrayNames
    fitted: str  # the SHA-256 of a JSON list of the training faces, with their crops
    key: str


class ProbeRow(msgspec.Struct):
    """Stored row for a face to recognise, whose crop is stored under ``photo.crop``."""

    photo: FacePhoto
    number: int
    faces: int
    concerns: tuple[Concern, ...]


FITTED = msgspec.json.Decoder(list[tuple[FaceId, str]])


def as_json(value: object) -> bytes:
    """Return a row or a document as the JSON in which it is stored."""
    return _ENCODER.encode(value)


def _plain(value: Any) -> object:
    """Convert a path to its bytes as Latin-1 text, or a NumPy number to a Python number."""
    return os.fsencode(value).decode("latin-1") if isinstance(value, Path) else value.item()


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def arrays_of(value: object, name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays in a value, named “name.field” or, if nested, “name.field.field”."""
    parts: dict[str, NDArray[Any]] = {}
    for field, hint in get_type_hints(type(value)).items():
        part = getattr(value, field)
        if is_dataclass(hint):
            parts |= arrays_of(part, f"{name}.{field}")
        else:
            numbers = np.frombuffer(part.encode(), np.uint8) if hint is str else part
            parts[f"{name}.{field}"] = np.asarray(numbers, ARRAY_TYPES[hint], order="C")
    return parts


# Reading


def require(fits: bool, problem: str) -> None:
    """Raise `ValueError` with ``problem`` as its message unless ``fits`` is true."""
    if not fits:
        raise ValueError(problem)


class Reader:
    """Reader of the tables in a file. Invalid data raises `ValueError` or a similar exception."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.places: dict[str, list[int]] = {}
        """The values of the column ``place`` in each table, in order."""

    def _one(self, query: str, *values: object) -> Any:
        return self._connection.execute(query, values).fetchone()

    def document(self, name: str, kind: type[T]) -> T | None:
        """Return the document with this name, or None if there is no such document."""
        query = "SELECT value FROM document WHERE name = ? AND length(value) <= ?"
        row = self._one(query, name, MOST_TEXT)
        return None if row is None else _decode(row[0], kind)

    def rows(self, table: str, kind: type[T]) -> tuple[T, ...]:
        """Return the decoded rows of a table in order."""
        (size,) = self._one(f"SELECT sum(length(value)) FROM {table}")
        require((size or 0) <= MOST_TEXT, "it holds too much")
        decoder = msgspec.json.Decoder(kind, dec_hook=as_path)
        query = f"SELECT place, value FROM {table} ORDER BY place"
        rows = [(place, decoder.decode(text)) for place, text in self._connection.execute(query)]
        self.places[table] = [place for place, _ in rows]
        return tuple(value for _, value in rows)

    def answers(self) -> Answers:
        """Return the user's answers about faces, keyed by face."""
        (size,) = self._one("SELECT sum(length(value)) FROM answer")
        require((size or 0) <= MOST_TEXT, "it holds too much")
        rows = self._connection.execute("SELECT sha, number, value FROM answer")
        return {FaceId(sha, number): _decode(text, Answer) for sha, number, text in rows}

    def large(self, name: str, most: int = 1 << 40) -> bytearray:
        """Return the bytes stored under a SHA-256, refusing more than ``most`` bytes."""
        (size,) = self._one("SELECT sum(length(value)) FROM large WHERE hash = ?", name)
        require(size is not None, "a computed value is missing")
        require(size <= most, "a value in it is too large")
        content = bytearray(size)
        start = 0
        query = "SELECT value FROM large WHERE hash = ? ORDER BY part"
        for (part,) in self._connection.execute(query, (name,)):
            content[start : start + len(part)] = part
            start += len(part)
        require(sha256(content).hexdigest() == name, "a number in it has changed")
        return content

    def array(self, names: ArrayNames, name: str, kind: str) -> NDArray[Any]:
        """Return an array after checking that the data stored for it has the right size."""
        require(name in names, "a computed value is missing")
        digest, shape = names[name]
        require(all(side >= 0 for side in shape), "an array has an impossible size")
        size = prod(shape) * np.dtype(kind).itemsize
        content = self.large(digest, size)
        require(len(content) == size, "a part of an array is missing")
        return np.frombuffer(content, kind).reshape(shape)

    def value(self, names: ArrayNames, name: str, kind: type[T]) -> T:
        """Assemble a named value from the arrays whose names begin with that name."""
        values: dict[str, Any] = {}
        for field, hint in get_type_hints(kind).items():
            if is_dataclass(hint):
                values[field] = self.value(names, f"{name}.{field}", cast(type, hint))
                continue
            array = self.array(names, f"{name}.{field}", ARRAY_TYPES[hint])
            if hint is str:
                values[field] = array.tobytes().decode()
            elif hint == tuple[int, ...]:
                values[field] = tuple(array.reshape(-1).tolist())
            else:
                values[field] = array.item() if isinstance(hint, type) else array
        return kind(**values)

    def crops(self, names: set[str], size: int, tick: Tick) -> tuple[Bytes, dict[str, int]]:
        """Check the hashes of crops, and return the crops (m, d) with the row of each hash."""
        # Other crops may be stored for a change that was undone or never made.
        (stored,) = self._one("SELECT count(*) FROM face WHERE length(levels) = ?", size)
        require(len(names) <= stored, "a face is missing")
        crops = np.empty((len(names), size), np.uint8)
        rows = dict[str, int]()
        query = "SELECT crop, levels FROM face WHERE length(levels) = ?"
        for crop, levels in self._connection.execute(query, (size,)):
            if crop in names:
                tick(len(rows), len(names))
                require(content_hash(levels) == crop, "a face in it has changed")
                crops[len(rows)] = np.frombuffer(levels, np.uint8)
                rows[crop] = len(rows)
        require(names == rows.keys(), "a face is missing")
        return crops, rows

    def crop(self, name: str, shape: tuple[int, int]) -> Bytes:
        """Return a crop (h, w) after checking its hash."""
        row = self._one("SELECT levels FROM face WHERE crop = ?", name)
        require(row is not None, "a face is missing")
        require(len(row[0]) == prod(shape), "a face in it has the wrong size")
        require(content_hash(row[0]) == name, "a face in it has changed")
        return np.frombuffer(row[0], np.uint8).reshape(shape)

    def descriptions(self) -> dict[str, Floats]:
        """Return all face descriptors, keyed by the hash of the crop."""
        rows = self._connection.execute("SELECT crop, numbers FROM network")
        return {crop: np.frombuffer(numbers, "<f4") for crop, numbers in rows}

    def portraits(self) -> dict[str, bytes]:
        """Return all face portraits as JPEG data, keyed by the hash of the crop."""
        rows = self._connection.execute("SELECT crop, picture FROM portrait")
        known = {crop: picture for crop, picture in rows if len(picture) <= MOST_BYTES}
        sound = all(isinstance(x, str) and isinstance(y, bytes) for x, y in known.items())
        require(sound, "a colour picture of a face is invalid")
        return known

    def coordinates(
        self, key: str, photos: Sequence[FacePhoto], sizes: tuple[int, int]
    ) -> tuple[Floats, Floats]:
        """Return the coordinates of faces in the face space (n, k) and matching space (n, j)."""
        k, j = sizes
        both = np.empty((len(photos), k + j), "<f4")
        rows = {(*photo.id, photo.crop): row for row, photo in enumerate(photos)}
        query = "SELECT sha, number, crop, value, crc FROM coordinate WHERE training = ?"
        found = set[int]()
        for sha, number, crop, numbers, crc in self._connection.execute(query, (key,)):
            if (row := rows.get((sha, number, crop))) is not None:
                require(len(numbers) == 4 * (k + j), "a part of an array is missing")
                require(zlib.crc32(numbers) == crc, "a number in it has changed")
                both[row] = np.frombuffer(numbers, "<f4")
                found.add(row)
        require(len(found) == len(photos), "a computed value is missing")
        return np.ascontiguousarray(both[:, :k]), np.ascontiguousarray(both[:, k:])


def _decode(text: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(text, type=kind, dec_hook=as_path)


def as_path(kind: type, value: object) -> Path:
    """Convert text to a path. Latin-1 is used because a file name need not be valid Unicode."""
    require(kind is Path and isinstance(value, str), "a path in it is invalid")
    return Path(os.fsdecode(str(value).encode("latin-1")))


def load_content(reader: Reader, tick: Tick = no_tick) -> Content:
    """Return the content of a file. Invalid data raises `ValueError` or a similar exception."""
    settings = reader.document("settings", Settings)
    without_face = reader.document("without face", frozenset[Path])
    require(settings is not None and without_face is not None, "a part of it is missing")
    assert settings is not None
    assert without_face is not None
    preparation = Preparation(**settings.preparation)
    photos = reader.rows("photo", FacePhoto)
    unused = reader.rows("unused", Skipped)
    listed = reader.rows("probe", ProbeRow)
    files = reader.rows("file", KnownFile)
    require(len({file.path for file in files}) == len(files), "a file is listed twice")
    _check_photographs(photos, [row.photo for row in listed], unused)
    named = {photo.crop for photo in (*photos, *(row.photo for row in listed))}
    levels, rows = reader.crops(named, preparation.height * preparation.width, tick)
    crops = Crops(levels, np.array([rows[photo.crop] for photo in photos], np.intp))
    faces = FaceSet(crops, preparation.shape, PhotoIndex(photos))
    choice = settings.automatic
    if choice is not None:
        require({choice.recipe, *choice.shares} <= RECIPES.keys(), "there is no such recipe")
    answers = dict(restrict_answers(reader.answers(), faces.index.people))
    training = _load_training(reader, preparation, photos)
    recipe = Recipe.of(**settings.recipe)
    names = reader.document("calibration", ArrayNames)
    calibration = None if names is None else reader.value(names, "calibration", Calibration)
    gallery = Gallery(
        faces, preparation, recipe, training, calibration, answers=answers, automatic=choice
    )
    gallery = gallery.with_share(settings.share)
    for one, other in settings.settled:
        gallery = gallery.settle(one, other)
    probes = []
    for row in listed:
        require(1 <= row.number <= row.faces, "a face to recognise has an impossible number")
        image = as_grey(levels[rows[row.photo.crop]]).reshape(preparation.shape)
        image.setflags(write=False)
        probes.append(Probe(row.photo, image, row.number, row.faces, row.concerns))
    probe_list = ProbeList(tuple(probes), without_face)
    return Content(
        gallery,
        unused,
        probe_list,
        reader.rows("run", KeptRun),
        files,
        reader.document("folders", tuple[WatchedFolder, ...]) or (),
        reader.document("forgotten", tuple[ForgottenFace, ...]) or (),
    )


def _check_photographs(
    photos: Sequence[FacePhoto], probes: Sequence[FacePhoto], unused: Sequence[Skipped]
) -> None:
    for group in (photos, probes):
        require(len({photo.id for photo in group}) == len(group), "a face is listed twice")
    photographs = [photo.photograph for photo in (*photos, *probes)]
    turns = [photograph.turned for photograph in photographs]
    turns += [file.turned for file in unused]
    require(all(0 <= turned < 4 for turned in turns), "a photograph cannot be turned like that")
    require(all(min(p.size) > 0 for p in photographs), "a photograph has an impossible size")


def _load_training(
    reader: Reader, preparation: Preparation, photos: Sequence[FacePhoto]
) -> Training | None:
    trained = reader.document("training", TrainingRow)
    if trained is None:
        return None
    recipe = Recipe.of(**trained.recipe)
    fitted = frozenset(FITTED.decode(reader.large(trained.fitted, MOST_TEXT)))
    space = reader.value(trained.arrays, "space", FaceSpace)
    matching_space: Space = space
    if recipe.features != recipe.pixels:
        matching_space = reader.value(trained.arrays, "matching_space", MatchingSpace)
    in_face_space = matching_space is space
    sizes = len(space), 0 if in_face_space else len(matching_space)
    coordinates, matching = reader.coordinates(trained.key, photos, sizes)
    if in_face_space:
        matching = coordinates
    return Training(space, coordinates, preparation, recipe, fitted, matching_space, matching)
