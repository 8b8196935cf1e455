"""A gallery as rows of the `tables` of a project file, and back."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from eigenfaces.faces.crops import Crops, as_levels
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.photographs.placement import WHOLE, Placement
from eigenfaces.project.calibration_table import load_calibration, write_calibration
from eigenfaces.project.discriminant_tables import (
    load_compared,
    write_compared,
    write_discriminant,
)
from eigenfaces.project.probe_tables import load_answers, write_answers
from eigenfaces.project.stored_arrays import (
    array,
    blob,
    expect,
    expect_blobs,
    load_arrays,
    of_this_program,
)
from eigenfaces.project.stored_places import number, placed, placement_of, storable
from eigenfaces.project.tables import (
    VERSION,
    Value,
    create_tables,
    rows,
    sealed,
    sealed_keys,
    upgrade_tables,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.space.facespace import FaceSpace

_FIRST_WITH_VERDICTS = 6


def write_new(connection: sqlite3.Connection, gallery: Gallery) -> None:
    """Write a gallery into an empty database, in the transaction of the caller."""
    create_tables(connection)
    empty = Gallery.new(gallery.preparation, gallery.recipe)
    _write_settings(connection, empty)
    write_changes(connection, empty, gallery)


def upgrade(connection: sqlite3.Connection, version: int, gallery: Gallery) -> None:
    """Change tables of an older version to this one, in the transaction of the caller."""
    upgrade_tables(connection, version)
    _write_settings(connection, gallery)
    if gallery.training is not None:
        _write_fitted(connection, gallery.training)


def _write_settings(connection: sqlite3.Connection, gallery: Gallery) -> None:
    settings = {
        "preparation": asdict(gallery.preparation),
        "recipe": gallery.recipe.record,
        "share": gallery.share,
    }
    for name, value in settings.items():
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", sealed(name, _json(value))
        )


def write_changes(connection: sqlite3.Connection, old: Gallery, new: Gallery) -> None:
    """Change the tables from one gallery to another, in the transaction of the caller."""
    if (old.preparation, old.recipe, old.share) != (new.preparation, new.recipe, new.share):
        _write_settings(connection, new)
    fresh = old if old.preparation == new.preparation else Gallery.new(new.preparation, new.recipe)
    if fresh is not old:
        connection.execute("DELETE FROM photo")
    _write_photos(connection, fresh.index, new.faces)
    _write_training(connection, old.training, new.training)
    if new.training is not None:
        _write_coordinates(connection, fresh, new)
    if old.calibration is not new.calibration:
        write_calibration(connection, new.calibration)
    write_answers(connection, old.answers, new.answers)


def _write_photos(connection: sqlite3.Connection, old: PhotoIndex, new: FaceSet) -> None:
    held = {photo.key: (row, photo) for row, photo in enumerate(old.photos)}
    kept = {photo.key for photo in new.index.photos}
    gone = [(key,) for key in held if key not in kept]
    connection.executemany("DELETE FROM photo WHERE key = ?", gone)
    ids = _write_people(connection, new.index.people)
    for row, photo in enumerate(new.index.photos):
        at, before = held.get(photo.key, (None, None))
        if (at, before) != (row, photo):
            person = None if photo.person is None else ids[photo.person]
            path, excluded = storable(photo.path), int(photo.excluded)
            values = sealed(photo.key, row, path, person, excluded, *photo.size)
            _write_photo(connection, values, is_new=before is None)
        if before is None or before.crop != photo.crop:
            connection.execute(
                "INSERT OR REPLACE INTO face VALUES (?, ?, ?)",
                sealed(photo.key, as_levels(new.pixels[row]).tobytes()),
            )
        if before is None or before.placement != photo.placement:
            _write_placement(connection, photo)
    connection.execute(
        "DELETE FROM person WHERE id NOT IN (SELECT person FROM photo WHERE person NOT NULL)"
    )


def _write_photo(
    connection: sqlite3.Connection, values: tuple[Value, ...], *, is_new: bool
) -> None:
    """Write the row of a photograph, without touching the rows that belong to it."""
    if is_new:
        connection.execute("INSERT INTO photo VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        return
    connection.execute(
        "UPDATE photo SET key = ?, position = ?, path = ?, person = ?, excluded = ?, "
        "height = ?, width = ?, seal = ? WHERE key = ?",
        (*values, values[0]),
    )


def _write_placement(connection: sqlite3.Connection, photo: FacePhoto) -> None:
    connection.execute("DELETE FROM placement WHERE photo = ?", (photo.key,))
    where = photo.placement
    if where == WHOLE:
        return
    connection.execute(
        "INSERT INTO placement VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        sealed(photo.key, *placed(where)),
    )


def _write_people(connection: sqlite3.Connection, people: tuple[str, ...]) -> dict[str, int]:
    """Add the people who are not in the file yet; return everybody's id."""
    ids: dict[str, int] = dict(connection.execute("SELECT name, id FROM person"))
    unused = itertools.count(max(ids.values(), default=0) + 1)
    for name in people:
        if name not in ids:
            ids[name] = next(unused)
            connection.execute("INSERT INTO person VALUES (?, ?, ?)", sealed(ids[name], name))
    return ids


def _write_training(
    connection: sqlite3.Connection, old: Training | None, new: Training | None
) -> None:
    if old is not None and new is not None and old.space is new.space:
        return
    write_discriminant(connection, new)
    for table in ("space", "component", "fitted", "coordinate"):
        connection.execute(f"DELETE FROM {table}")
    if new is None:
        return
    space = new.space
    connection.execute(
        "INSERT INTO space VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        sealed(
            1,
            _json(new.recipe.record),
            *space.shape,
            space.count,
            space.total_variance,
            blob(space.mean),
            None if space.scale is None else blob(space.scale),
            np.ascontiguousarray(space.singular_values, "<f8").tobytes(),
        ),
    )
    connection.executemany(
        "INSERT INTO component VALUES (?, ?, ?)",
        (sealed(number, blob(component)) for number, component in enumerate(space.components)),
    )
    _write_fitted(connection, new)


def _write_fitted(connection: sqlite3.Connection, training: Training) -> None:
    connection.executemany(
        "INSERT INTO fitted VALUES (?, ?, ?)",
        [sealed(key, crop) for key, crop in sorted(training.fitted)],
    )


def _write_coordinates(connection: sqlite3.Connection, old: Gallery, new: Gallery) -> None:
    training = new.trained
    held: set[tuple[str, str]] = set()
    if old.training is not None and old.training.space is training.space:
        held = {(photo.key, photo.crop) for photo in old.faces.index.photos}
    connection.executemany(
        "INSERT OR REPLACE INTO coordinate VALUES (?, ?, ?)",
        (
            sealed(photo.key, blob(training.coordinates[row]))
            for row, photo in enumerate(new.faces.index.photos)
            if (photo.key, photo.crop) not in held
        ),
    )
    write_compared(connection, new, held)


def _json(value: object) -> str:
    return json.dumps(value, default=lambda number: number.item())  # one of NumPy's


def load_gallery(connection: sqlite3.Connection, version: int = VERSION) -> Gallery:
    """Read the whole gallery; types, sizes and numbers are checked before they become values.

    Raises
    ------
    ValueError
        Something in it is not what this program writes; the text says what.
    """
    with of_this_program():
        settings = {name: json.loads(value) for name, value in rows(connection, "setting")}
        if version == 1:
            settings["preparation"]["already_cropped"] = True
        preparation = Preparation(**settings["preparation"])
        recipe = _recipe(settings["recipe"])
        placements = _load_placements(connection) if version > 1 else {}
        faces = _load_faces(connection, preparation, placements)
        training = _load_training(connection, faces, preparation, version)
        gallery = Gallery(faces, preparation, recipe, training)
        if version < _FIRST_WITH_VERDICTS:
            return gallery
        gallery = gallery.with_share(settings["share"])
        gallery = replace(gallery, answers=load_answers(connection, gallery.people))
        return replace(gallery, calibration=load_calibration(connection, gallery))


def _recipe(values: dict[str, Any]) -> Recipe:
    """Return the stored recipe; version 1 knew one way of evening out the light."""
    if values.pop("remove_photo_mean", False):
        values["lighting"] = "photo mean"
    return Recipe.of(**values)


def _load_placements(connection: sqlite3.Connection) -> dict[str, Placement]:
    return {key: placement_of(*values) for key, *values in rows(connection, "placement")}


def _load_faces(
    connection: sqlite3.Connection, preparation: Preparation, placements: Mapping[str, Placement]
) -> FaceSet:
    people: dict[int | None, str | None] = {None: None}
    people.update((number, name) for number, name in rows(connection, "person"))
    listed = list(rows(connection, "photo", "position"))
    size = preparation.height * preparation.width
    expect_blobs(connection, "face", "crop", len(listed) * size)
    places = {key: place for place, (key, *_) in enumerate(listed)}
    crops = np.empty((len(listed), size), np.uint8)
    for key, crop in rows(connection, "face"):
        crops[places.pop(key)] = array(crop, "u1", size)
    photos = []
    for place, (key, position, path, person, excluded, *shown) in enumerate(listed):
        expect(position == place, "its photographs are not in order")
        expect(excluded in (0, 1) and min(shown) > 0, "a photograph has no size")
        height, width = shown
        photos.append(
            FacePhoto(
                Path(os.fsdecode(path)),
                people[person],
                key,
                (height, width),
                bool(excluded),
                placements.get(key, WHOLE),
                content_hash(crops[place].tobytes()),
            )
        )
    return FaceSet(Crops(crops), preparation.shape, PhotoIndex(tuple(photos)))


def _load_training(
    connection: sqlite3.Connection, faces: FaceSet, preparation: Preparation, version: int
) -> Training | None:
    found = list(rows(connection, "space"))
    if not found:
        return None
    _, recipe, height, width, count, total, mean, scale, values = found[0]
    expect((height, width) == preparation.shape, "its face space is of another size")
    d, k = height * width, len(values) // 8
    expect(count >= 2 and 1 <= k <= min(count - 1, d), "its face space has no such components")
    expect(number(total) > 0, "its faces have no variance")
    singular_values = array(values, "<f8", k)
    expect(bool((singular_values > 0).all()), "its variances are not positive")
    mean_face = array(mean, "<f4", d)
    if json.loads(recipe).get("remove_photo_mean"):  # version 1 left such faces around 0
        mean_face = mean_face + np.float32(0.5)
    scales = None if scale is None else array(scale, "<f4", d)
    expect(scales is None or bool((scales > 0).all()), "its scales are not positive")
    space = FaceSpace(
        mean=mean_face,
        components=load_arrays(connection, "component", range(k), d),
        singular_values=singular_values,
        total_variance=total,
        count=count,
        shape=(height, width),
        scale=scales,
    )
    keys = [photo.key for photo in faces.index.photos]
    coordinates = load_arrays(connection, "coordinate", keys, k)
    fitted = _load_fitted(connection, faces, version)
    expect(len(fitted) == count, "a part of the face space is missing")
    by = _recipe(json.loads(recipe))
    other = None
    if version >= 5:
        other = load_compared(connection, by.features, preparation.shape, keys)
    return Training(space, preparation, by, fitted, coordinates, other)


def _load_fitted(
    connection: sqlite3.Connection, faces: FaceSet, version: int
) -> frozenset[tuple[str, str]]:
    """Read what the face space was fitted to: before version 4, to the crops as they are now."""
    if version >= 4:
        return frozenset((key, crop) for key, crop in rows(connection, "fitted"))
    crops = {photo.key: photo.crop for photo in faces.index.photos}
    return frozenset((key, crops.get(key, "")) for key in sealed_keys(connection))
