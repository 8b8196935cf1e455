"""A gallery as rows of the `tables` of a project file, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.preparation import Preparation
from eigenfaces.project.calibration_table import load_calibration, write_calibration
from eigenfaces.project.photo_tables import Change, load_photos, write_photos
from eigenfaces.project.probe_tables import load_answers, write_answers
from eigenfaces.project.stored_arrays import expect, of_this_program
from eigenfaces.project.stored_coordinates import StoredCoordinates
from eigenfaces.project.stored_faces import FaceStore, StoredCrops, unstored, write_faces
from eigenfaces.project.tables import create_tables, insert, rows
from eigenfaces.project.training_tables import (
    as_json,
    load_training,
    write_training,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Numbers
from eigenfaces.space.arrays.crops import Crops


@dataclass(frozen=True, eq=False)
class Stored:
    """A gallery as it is in a file, and the position there of each of its photographs (n,)."""

    gallery: Gallery
    positions: Numbers

    @classmethod
    def nothing(cls, like: Gallery) -> Stored:
        """Return an empty gallery, its faces cut and compared as those of another."""
        return cls(Gallery.new(like.preparation, like.recipe), np.empty(0, np.int64))

    def read(self, tick: Tick = no_tick) -> None:
        """Read the coordinates that are still unread."""
        if self.gallery.training is not None:
            self.gallery.training.read(tick)

    def to(self, gallery: Gallery) -> Change:
        """Return what changes among the photographs."""
        return Change(self.gallery.index, self.positions, gallery.index)


def write_new(connection: sqlite3.Connection, gallery: Gallery) -> Stored:
    """Write a gallery into an empty database, in the transaction of the caller."""
    create_tables(connection)
    gallery = with_faces(connection, gallery, range(len(gallery.faces)))
    _write_settings(connection, gallery)
    return write_changes(connection, Stored.nothing(gallery), gallery)


def _write_settings(connection: sqlite3.Connection, gallery: Gallery) -> None:
    settings = {
        "preparation": asdict(gallery.preparation),
        "recipe": gallery.recipe.record,
        "share": gallery.share,
        "photos": len(gallery.index),
    }
    told = ((name, as_json(value)) for name, value in settings.items())
    insert(connection, "setting", told, instead=True)


def with_faces(connection: sqlite3.Connection, gallery: Gallery, of: Sequence[int]) -> Gallery:
    """Write the crops of some rows, as far as the file has none such.

    Return the gallery, with each of them called by the SHA-256 that it is found by.
    """
    photos = gallery.index.photos
    wanted = unstored(connection, {photos[row].crop for row in of})
    new = [row for row in of if photos[row].crop in wanted]
    names = dict(zip(new, write_faces(connection, gallery.faces.pixels, new), strict=True))
    called = {
        photos[row].key: replace(photos[row], crop=name)
        for row, name in names.items()
        if photos[row].crop != name
    }
    return replace(gallery, faces=gallery.faces.with_photos(called)) if called else gallery


def write_changes(connection: sqlite3.Connection, stored: Stored, new: Gallery) -> Stored:
    """Change the tables to another gallery, whose crops are there, and return what they hold."""
    old = stored.gallery
    if _settings_of(old) != _settings_of(new):
        _write_settings(connection, new)
    if old.preparation != new.preparation:
        stored = Stored.nothing(new)
        connection.execute("DELETE FROM photo")
    change = stored.to(new)
    write_photos(connection, change)
    write_training(connection, stored.gallery.training, new.training, change)
    if old.calibration is not new.calibration:
        write_calibration(connection, new.calibration)
    write_answers(connection, old.answers, new.answers)
    return Stored(new, change.placed)


def _settings_of(gallery: Gallery) -> tuple[Preparation, Recipe, float, int]:
    return gallery.preparation, gallery.recipe, gallery.share, len(gallery.index)


def load_gallery(connection: sqlite3.Connection, store: FaceStore) -> Stored:
    """Read a gallery, but for its crops, which are read and checked in ``store`` when wanted.

    Types, sizes and numbers are checked before they become values.

    Raises
    ------
    ValueError
        Something in it is not what this program writes; the text says what.
    """
    with of_this_program():
        settings = {name: json.loads(value) for name, value in rows(connection, "setting")}
        preparation = Preparation(**settings["preparation"])
        recipe = Recipe.of(**settings["recipe"])
        (held,) = connection.execute("SELECT count(*) FROM photo").fetchone()
        expect(held == settings["photos"], "some of its photos are missing")
        index, positions = load_photos(connection)
        crops = tuple(photo.crop for photo in index.photos)
        size = preparation.height * preparation.width
        faces = FaceSet(Crops(StoredCrops(store, crops, size)), preparation.shape, index)
        training = load_training(
            connection,
            preparation,
            lambda table, k: StoredCoordinates(store.file, table, positions, k),
        )
        gallery = Gallery(faces, preparation, recipe, training).with_share(settings["share"])
        gallery = replace(gallery, answers=load_answers(connection, gallery.people))
        gallery = replace(gallery, calibration=load_calibration(connection, gallery))
        return Stored(gallery, positions)
