"""Projects of every version of the file, a recipe each, as that version wrote them: they open.

`frozen.py` beside this file writes those of the present version. They are never written again.
"""

import contextlib
import json
import sqlite3
import tarfile
from operator import eq
from pathlib import Path

import numpy as np
import pytest
from frozen import plain_faces
from project_states import digest, reopened, reopened_copy

from eigenfaces import Project, identify, identify_all
from eigenfaces.errors import ProjectError
from eigenfaces.project.file import FILE_VERSION, STATEMENTS
from eigenfaces.project.history import History
from eigenfaces.recognition.recipe import RECIPES

VERSIONS = range(1, FILE_VERSION + 1)


def version_of(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number) & 0xFF


def set_version(path: Path, version: int) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {version}")


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each table; JSON as values, without where the project itself lies."""
    rows = {}
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table in STATEMENTS:
            read = connection.execute(f"SELECT * FROM {table}").fetchall()
            plain = [tuple(map(as_value, row)) for row in read if row[0] != "place"]
            rows[table] = sorted(plain, key=repr)
    return rows


def as_value(value: object) -> object:
    is_json = isinstance(value, bytes) and value[:1] in (b"{", b"[")
    return json.loads(value) if is_json else value


@pytest.fixture(scope="module", params=[(v, name) for v in VERSIONS for name in RECIPES], ids=str)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    version, name = request.param
    folder = tmp_path_factory.mktemp(f"version-{version}")
    with tarfile.open(Path(__file__).with_name(f"version-{version}.tar.xz")) as archive:
        archive.extract(f"{name}.eigenfaces", folder, filter="data")
    path = folder / f"{name}.eigenfaces"
    assert version_of(path) == version
    return path


@pytest.fixture
def frozen(written: Path, tmp_path: Path) -> Path:
    """Return a copy of such a project, to be changed."""
    copy = tmp_path / written.name
    copy.write_bytes(written.read_bytes())
    return copy


def test_it_opens_and_nothing_in_it_is_lost(frozen: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.eigenfaces"
    with contextlib.closing(Project.open(frozen)) as project:
        assert project.gallery.recipe == RECIPES[frozen.stem]
        assert project.gallery.people == tuple(f"Person {number}" for number in range(1, 8))
        assert project.record(project.runs[0]).evaluation.metrics
        assert project.readings
        Project.create(copy, project.gallery, project, unused=project.unused).close()
    before, after = rows_of(frozen), rows_of(copy)
    assert all(before.values()), "a table of it is empty"
    assert after == before


def test_it_recognises(frozen: Path) -> None:
    """By the training and the calibration that are in the file."""
    with contextlib.closing(Project.open(frozen)) as project:
        gallery = project.gallery
        assert gallery.changes_since_training == 1  # the excluded face
        assert gallery.calibrated is not None
        (probe,) = project.probe_list.probes
        assert identify(gallery, probe.image).closest.person == "Person 2"
        darker = np.float32(0.9) * plain_faces().pixels[:]
        named = [verdict.closest.person for verdict in identify_all(gallery, darker)]
    people = [photo.person for photo in plain_faces().index.photos]
    assert sum(map(eq, named, people)) >= 18, "of 21"


def test_it_is_changed_and_a_change_undone(frozen: Path) -> None:
    with contextlib.closing(Project.open(frozen)) as project:
        before = project.content
        renamed = before.gallery.rename("Person 1", "Ada")
        after = before.with_gallery(renamed)
        project.write(after)
        assert digest(reopened_copy(project)) == digest(renamed)
        step, _ = History().remember("Rename Person 1", before, after).undo(after)
        project.write(step.undo(after))
        trained = project.gallery.train().calibrate()
        assert trained.people == before.gallery.people
    assert version_of(frozen) == FILE_VERSION
    assert digest(reopened(frozen)) == digest(before.gallery)


def test_a_project_of_version_0_becomes_one_of_version_1(project: Project, path: Path) -> None:
    project.close()
    set_version(path, 0)
    expected = reopened(path)
    assert version_of(path) == 0, "it is read as it is"
    with contextlib.closing(Project.open(path)) as opened:
        opened.save(opened.gallery.rename("Person 1", "Ada"))
    assert version_of(path) == FILE_VERSION
    assert digest(reopened(path)) == digest(expected.rename("Person 1", "Ada"))


def test_version_0_with_other_tables_is_not_called_damaged(project: Project, path: Path) -> None:
    project.close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE portrait")
    set_version(path, 0)
    content = path.read_bytes()
    with pytest.raises(ProjectError, match="made by another version of this program"):
        Project.open(path)
    assert path.read_bytes() == content
