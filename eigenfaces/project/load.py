"""What a project file holds, read from its tables: everything is checked before it is believed.

SQLite has checked types and ranges of columns (`schema`); here it is sizes, shapes, finite numbers,
and that what one row says about another is so.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import zlib
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, ProjectError, Tick, no_tick
from eigenfaces.faces.face_set import FacePhoto, FaceSet, PhotoIndex, crop_hash
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern, Kind
from eigenfaces.faces.read import Finding, version
from eigenfaces.photographs.photos import Eyes, Placement, Skipped
from eigenfaces.project.arrays import ROWS_AT_ONCE, CropStore, expect, read_array, read_value
from eigenfaces.project.save import MOST_TEXT, State
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.features import Features, PeopleFeatures, numbered
from eigenfaces.recognition.gallery import Answered, Answers, Gallery, among
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.probes import Asked, Probe
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import as_grey

DAMAGE = (ValueError, TypeError, KeyError, OverflowError, RecursionError, EigenfacesError)
"""What reading damaged content raises. Anything else is a fault of the program."""

_LAST_PLACE = 1 << 40


def load_state(connection: sqlite3.Connection, tick: Tick = no_tick) -> tuple[State, CropStore]:
    """Read what is in a file, and its crops.

    What cannot be is a `ValueError` that says what is wrong, or another error of `DAMAGE`.
    """
    listed = connection.execute("SELECT name, value FROM setting")
    settings = {name: json.loads(value) for name, value in listed}
    preparation = Preparation(**settings["preparation"])
    recipe = Recipe.of(**settings["recipe"])
    ask = "SELECT (SELECT count(DISTINCT crop) FROM photo) = (SELECT count(*) FROM face)"
    expect(connection.execute(ask).fetchone() == (1,), "it has not a face for each photograph")
    index, places = _photos(connection)
    crops = _crops(connection, index, preparation, tick)
    pixels = crops.crops(photo.crop for photo in index.photos)
    faces = FaceSet(pixels, preparation.shape, index)
    training = _training(connection, preparation, index, settings["trained"])
    answers = among(_answers(connection), index.people)
    gallery = Gallery(faces, preparation, recipe, training, answers=answers)
    gallery = gallery.with_share(settings["share"])
    gallery = gallery.recalling(_calibration(connection, gallery))
    asked, probe_places = _asked(connection, preparation.shape)
    return State(gallery, _unused(connection), asked, places, probe_places), crops


def _photos(connection: sqlite3.Connection) -> tuple[PhotoIndex, dict[str, int]]:
    """Return the photographs in their order, and the place of each by its key."""
    photos, places = [], {}
    last = -1
    for key, place, *described, excluded, crop in connection.execute(
        "SELECT * FROM photo ORDER BY position"
    ):
        expect(last < place <= _LAST_PLACE, "its photographs are not in order")
        photos.append(_photo(key, *described, excluded=excluded == 1, crop=crop))
        places[key] = last = place
    expect(len(places) == len(photos), "a photograph is there twice")
    return PhotoIndex(tuple(photos)), places


def _photo(
    key: str,
    path: str | bytes,
    person: str | None,
    height: int,
    width: int,
    turned: int,
    source: Any,
    *eyes: float | None,
    excluded: bool = False,
    crop: str,
) -> FacePhoto:
    """Return the photograph of the columns that those of the gallery and of probes share."""
    known = [place for place in eyes if place is not None]
    expect(len(known) in (0, 4) and all(map(math.isfinite, known)), "a face lies nowhere")
    left_x, left_y, right_x, right_y = known or [0.0] * 4
    there = Eyes((left_x, left_y), (right_x, right_y)) if known else None
    placement, size = Placement(there, source, turned), (height, width)
    return FacePhoto(Path(os.fsdecode(path)), person, key, size, excluded, placement, crop)


def _crops(
    connection: sqlite3.Connection, index: PhotoIndex, preparation: Preparation, tick: Tick
) -> CropStore:
    """Return the crops of all photographs, each of which is what its name says."""
    size, wanted = preparation.height * preparation.width, {*index.by_crop}
    crops, done = CropStore(size, len(wanted)), 0
    listed = connection.execute("SELECT crop, levels FROM face WHERE length(levels) = ?", (size,))
    while some := listed.fetchmany(ROWS_AT_ONCE):
        tick(done, len(wanted))
        done += len(some)
        levels = np.frombuffer(b"".join(content for _, content in some), np.uint8)
        found = crops.add(levels.reshape(-1, size))
        expect(found == [name for name, _ in some], "a face in it is not what it was")
    expect(all(name in crops for name in wanted), "some of its faces are missing")
    return crops


def _finite(*arrays: NDArray[Any]) -> None:
    expect(all(bool(np.isfinite(array).all()) for array in arrays), "a number is missing")


def _training(
    connection: sqlite3.Connection, preparation: Preparation, index: PhotoIndex, recipe: Any
) -> Training | None:
    """Return what was trained; None where nothing was."""
    space = read_value(connection, "space", FaceSpace)
    if space is None or recipe is None:
        expect(space is None and recipe is None, "a part of the face space is missing")
        return None
    k, d = space.components.shape
    expect(space.shape == preparation.shape, "its face space is of another size")
    expect(space.count >= 2 and 1 <= k <= min(space.count - 1, d), "it has no such components")
    _finite(space.mean, space.components, space.singular_values, np.array(space.total_variance))
    expect(space.total_variance > 0, "its faces have no variance")
    expect(bool((space.singular_values > 0).all()), "its variances are not positive")
    if space.scale is not None:
        _check_scale(space.scale, d)
    fitted = frozenset(connection.execute("SELECT photo, crop FROM fitted"))
    expect(len(fitted) == space.count, "a part of the face space is missing")
    trained = Recipe.of(**recipe)
    other = _discriminant(connection, trained.features, preparation.shape)
    shown, compared = _coordinates(connection, index, k, None if other is None else len(other))
    also = (space, shown) if other is None or compared is None else (other, compared)
    return Training(space, shown, preparation, trained, fitted, *also)


def _check_scale(scale: Floats, size: int) -> None:
    _finite(scale)
    expect(scale.shape == (size,) and bool((scale > 0).all()), "its scales are not positive")


def _discriminant(
    connection: sqlite3.Connection, features: Features, shape: tuple[int, int]
) -> DiscriminantSpace | None:
    """Return what features are compared in; None for those that are compared in the face space."""
    space = read_value(connection, "discriminant", DiscriminantSpace)
    needed = isinstance(features, PeopleFeatures)
    expect(needed or space is None, "it holds more than its recipe compares")
    if space is None:
        expect(not needed, "what its recipe compares is missing")
        return None
    f = features.of(np.zeros((1, shape[0] * shape[1]), np.float32), shape).shape[1]
    j = len(space.variances)
    fits = space.mean.shape == (f,) and space.axes.shape == (j, f) and space.variances.shape == (j,)
    expect(fits, "its axes are of another size")
    _finite(space.mean, space.axes, space.variances)
    _check_scale(space.scale, f)
    expect(bool((space.variances > 0).all()), "its variances are not positive")
    return space


def _coordinates(
    connection: sqlite3.Connection, index: PhotoIndex, k: int, j: int | None
) -> tuple[Floats, Floats | None]:
    """Return the coordinates of all photographs (n, k), and (n, j) where there are others."""
    shown = np.empty((len(index), k), np.float32)
    compared = None if j is None else np.empty((len(index), j), np.float32)
    rows = set()
    for key, first, second, crc in connection.execute("SELECT * FROM coordinate"):
        expect(zlib.crc32(second or b"", zlib.crc32(first)) == crc, "it has other coordinates")
        row = index.row_of(key)
        expect(row is not None and (second is None) == (j is None), "it has other coordinates")
        rows.add(row)
        for array, content in ((shown, first), (compared, second)):
            if array is not None:
                array[row] = np.frombuffer(content, "<f4").reshape(array.shape[1])
    expect(len(rows) == len(index), "some of its coordinates are missing")
    _finite(shown, *([] if compared is None else [compared]))
    return shown, compared


def _calibration(connection: sqlite3.Connection, gallery: Gallery) -> Calibration | None:
    """Return the calibration of a gallery; None where it was made from another state of it."""
    basis = read_array(connection, "calibration.basis", "|u1")
    if gallery.training is None or basis is None or basis.tobytes() != gallery.basis.encode():
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
        expect(_fits(nearest, len(people), int(people.max(initial=-1))), wrong)
    left = calibration.left_over
    expect(left.shape == people.shape and bool(np.isfinite(left).all()), wrong)
    likeness, face = calibration.likeness, np.ones((1, 2, len(general_faces().mean)), np.float32)
    expect(bool(np.isfinite([likeness.limit, *likeness.residuals(face)]).all()), wrong)
    return calibration


def _fits(nearest: Nearest, photos: int, last: int) -> bool:
    """Return whether these are nearest people of so many photographs; of some there are none."""
    person, distance, runner_up = nearest.person, nearest.distance, nearest.runner_up
    if not person.shape == distance.shape == runner_up.shape == (photos,):
        return False
    known = person >= 0
    return bool(
        ((person >= -1) & (person <= last)).all()
        and np.isfinite(distance[known]).all()
        and not np.isfinite(distance[~known]).any()
        and not np.isnan(runner_up[known]).any()
    )


def _answers(connection: sqlite3.Connection) -> Answers:
    answers = {}
    for key, said, person, text, crop, held, before in connection.execute("SELECT * FROM answer"):
        never = json.loads(text)
        expect(isinstance(never, list) and all(isinstance(n, str) for n in never), "no name")
        answers[key] = Answered(said, person, frozenset(never), crop, held == 1, before)
    return answers


def _asked(connection: sqlite3.Connection, shape: tuple[int, int]) -> tuple[Asked, dict[str, int]]:
    """Return the faces to recognise, cut to crops (h, w), and the place of each by its key."""
    probes, places, last = [], dict[str, int](), -1
    for key, place, *described, crop, number, faces, concerns, cut in connection.execute(
        "SELECT * FROM probe ORDER BY position"
    ):
        expect(last < place <= _LAST_PLACE, "its faces to recognise are not in order")
        levels: Bytes = np.frombuffer(crop, np.uint8).reshape(shape)
        image = as_grey(levels)
        image.setflags(write=False)
        photo = _photo(key, *described, crop=crop_hash(image))
        listed = tuple(Concern(**each) for each in json.loads(concerns))
        for each in listed:
            expect(each.kind in get_args(Kind), "a face to recognise is of no kind")
            expect(isinstance(each.reason, str) and isinstance(each.remedy, str), "no text")
        probes.append(Probe(photo, image, number, faces, listed, cut))
        places[key] = last = place
    expect(len(places) == len(probes), "a face to recognise is there twice")
    faceless = connection.execute("SELECT path FROM faceless")
    return Asked(tuple(probes), frozenset(Path(os.fsdecode(path)) for (path,) in faceless)), places


def _unused(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    return tuple(
        Skipped(Path(os.fsdecode(path)), reason, person, kind, turned, read)
        for _, path, person, kind, reason, turned, read in connection.execute(
            "SELECT * FROM unused ORDER BY position"
        )
    )


def load_findings(connection: sqlite3.Connection) -> dict[Finding, str]:
    """Return what the present search has found before; not what another one has."""
    ask = "SELECT photo, turned, faces FROM finding WHERE search = ?"
    return {(key, turned): text for key, turned, text in connection.execute(ask, (version(),))}


def unpacked(record: bytes) -> str:
    """Return the record of an evaluation, JSON; raise `ProjectError` if it is damaged."""
    packer = zlib.decompressobj()
    try:
        content = packer.decompress(record, MOST_TEXT)
        if content and packer.eof:
            return content.decode()
    except (zlib.error, UnicodeError):
        pass
    raise ProjectError("This evaluation is damaged in the project file. Run it again.")
