"""Projects whose recipe compares in no face space: saved and opened, changed, damaged."""

import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, reopened
from synthetic import people

from eigenfaces import FaceSet, Gallery, Preparation, Project
from eigenfaces.errors import ProjectError
from eigenfaces.project.tables import sealed
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify_all

NAMES = ("Discriminant", "Texture")
SHAPE = (24, 20)


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(0), 8, 4, shape=SHAPE)


def trained(faces: FaceSet, name: str) -> Gallery:
    return Gallery(faces, Preparation(*SHAPE, already_cropped=True), RECIPES[name]).train()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_opened_is_what_was_saved(path: Path, faces: FaceSet, name: str) -> None:
    gallery = trained(faces, name)
    Project.create(path, gallery).close()
    back = reopened(path)
    assert digest(back) == digest(gallery)
    assert back.recipe == RECIPES[name]
    for ours, theirs in zip(
        *(identify_all(each, faces.pixels[:6]) for each in (back, gallery)), strict=True
    ):
        assert np.array_equal(ours.distances, theirs.distances)


@pytest.mark.parametrize("name", NAMES)
def test_a_gallery_may_be_emptied(path: Path, faces: FaceSet, name: str) -> None:
    gallery = trained(faces, name)
    Project.create(path, gallery).close()
    emptied = gallery.remove([photo.key for photo in faces.index.photos])
    with contextlib.closing(Project.open(path)) as project:
        project.save(emptied)
    assert digest(reopened(path)) == digest(emptied)


@pytest.mark.parametrize("name", NAMES)
def test_every_change_is_saved(path: Path, faces: FaceSet, name: str) -> None:
    gallery = trained(faces.select(range(28)), name)
    Project.create(path, gallery).close()
    keys = [photo.key for photo in gallery.index.photos]
    for changed in (
        gallery := gallery.enrol(faces.select(range(28, 32))),
        gallery := gallery.remove(keys[3:6]),
        gallery := gallery.rename("Person 2", "Zoë"),
        gallery := gallery.train(),
        gallery := gallery.with_recipe(RECIPES["Eigenfaces"]),
        gallery.train(),
        gallery.with_recipe(RECIPES["Texture"]).train(),
    ):
        with contextlib.closing(Project.open(path)) as project:
            project.save(changed)
        assert digest(reopened(path)) == digest(changed)


def test_a_face_space_leaves_nothing_of_another_behind(path: Path, faces: FaceSet) -> None:
    gallery = trained(faces, "Texture")
    with contextlib.closing(Project.create(path, gallery)) as project:
        project.save(gallery.with_recipe(RECIPES["Eigenfaces"]).train())
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table in ("discriminant", "axis", "compared"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def nulled(column: str, size: int) -> str:
    return f"UPDATE discriminant SET {column} = zeroblob({size})"


DAMAGE = {
    "nothing to compare in": "DELETE FROM discriminant",
    "an axis is missing": "DELETE FROM axis WHERE number = 1",
    "an axis is too many": "UPDATE axis SET number = 99 WHERE number = 1",
    "coordinates are missing": "DELETE FROM compared",
    "a mean without a seal": nulled("mean", 4),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", NAMES)
def test_damage_is_refused(path: Path, faces: FaceSet, name: str, damage: str) -> None:
    Project.create(path, trained(faces, name)).close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(DAMAGE[damage])
    with pytest.raises(ProjectError):
        Project.open(path)


@pytest.mark.parametrize(
    ("column", "array"),
    [
        ("mean", np.zeros(3, "<f4")),
        ("scale", np.zeros(480, "<f4")),
        ("mean", np.full(480, np.nan, "<f4")),
        ("variances", -np.ones(5, "<f8")),
        ("variances", np.ones(6, "<f8")),
    ],
)
def test_numbers_that_cannot_be_are_refused(
    path: Path, faces: FaceSet, column: str, array: np.ndarray
) -> None:
    Project.create(path, trained(faces, "Discriminant")).close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        names = ("id", "mean", "scale", "variances")
        row = dict(zip(names, connection.execute("SELECT * FROM discriminant").fetchone()))  # noqa: B905
        row[column] = array.tobytes()
        connection.execute("DELETE FROM discriminant")
        connection.execute("INSERT INTO discriminant VALUES (?, ?, ?, ?, ?)", sealed(*row.values()))
    with pytest.raises(ProjectError):
        Project.open(path)


def test_a_recipe_that_compares_something_else_is_refused(path: Path, faces: FaceSet) -> None:
    """The space was trained by another recipe than the file says."""
    gallery = trained(faces, "Texture")
    other = replace(gallery.trained, recipe=RECIPES["Eigenfaces"])
    Project.create(path, replace(gallery, training=other)).close()
    with pytest.raises(ProjectError, match="more than its recipe compares"):
        Project.open(path)
