"""The project file: what is saved is what is opened; every failure a sentence, nothing lost."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, opened_elsewhere, reopened, states
from synthetic import gallery as trained_gallery

from eigenfaces import Gallery, Project, Recipe
from eigenfaces.errors import ProjectError
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.project import content, file
from eigenfaces.recognition.features import PixelFeatures
from eigenfaces.recognition.recipe import Matcher


@pytest.mark.parametrize("closing", [False, True])
def test_every_state_comes_back(path: Path, closing: bool) -> None:
    """Undo and redo included, and any after any other: the rows are those of the value."""
    project, galleries = Project.create(path), list(states(2, 16))
    anywhere = np.random.default_rng(0).integers(len(galleries), size=0 if closing else 40)
    for number in [*range(len(galleries)), *anywhere]:
        gallery = galleries[number]
        project.save(gallery)
        assert digest(project.gallery) == digest(gallery), number
        if closing:
            project.close()
            project = Project.open(path)
        assert digest(project.gallery if closing else reopened_copy(project)) == digest(gallery)
    project.close()


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe("Ünïcode “name”", PixelFeatures("CLAHE", "oval"), Matcher(7, 2, "L∞", "class mean")),
        Recipe.of(components=np.int64(5)),  # type: ignore[arg-type]  # as in ``np.arange``
    ],
)
def test_recipes_names_and_paths_of_any_kind(
    tmp_path: Path, gallery: Gallery, recipe: Recipe
) -> None:
    names = ["with space", "ünï", "a?b#c%20d", os.fsdecode(b"caf\xe9.png"), "q'\"\n"]
    photos = list(gallery.index.photos)
    for row, name in enumerate(names):
        photos[row] = replace(photos[row], path=tmp_path / name, person="Zoë 李 'x'")
    faces = replace(gallery.faces, index=PhotoIndex(tuple(photos)))
    odd = replace(gallery, faces=faces).with_recipe(recipe).train()
    path = tmp_path / "ü 50%20?#é.eigenfaces"
    Project.create(path, odd).close()
    back = reopened(path)
    assert (back.recipe, back.trained.recipe, back.changes) == (recipe, recipe, 0)
    assert digest(back) == digest(odd)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def reopened_copy(project: Project) -> Gallery:
    copy = project.path.with_name("copy")
    shutil.copy(project.path, copy)
    gallery = reopened(copy)
    copy.unlink()
    return gallery


def refused(path: Path, words: str, *ways: Callable[[Path], object]) -> None:
    """Assert that a project is not opened, nor done with in other ways, with a sentence."""
    for way in (Project.open, *ways):
        with pytest.raises(ProjectError, match=words) as caught:
            way(path)
        assert (str(caught.value)[0] in "“TA", str(caught.value)[-1]) == (True, ".")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    refused(tmp_path / "no.eigenfaces", "There is no project file")
    refused(tmp_path / "no folder" / "no.eigenfaces", "There is no project file")
    refused(tmp_path, "is a folder: choose the project file itself")


@pytest.mark.parametrize("content", [b"", b"hello\n" * 900])
def test_a_file_that_is_no_project(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, "not a project file of this program")
    assert path.read_bytes() == content


@pytest.mark.parametrize("version", [0, file.VERSION + 1, 11])
def test_a_project_of_another_version(project: Project, path: Path, version: int) -> None:
    project.close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("CREATE TABLE something_new (x)")
    content = path.read_bytes()
    refused(path, "made by another version of this program. Open it with that version, or")
    assert path.read_bytes() == content


def test_a_project_in_no_folder(tmp_path: Path, gallery: Gallery) -> None:
    (tmp_path / "file.txt").touch()
    for place in (tmp_path / "nowhere", tmp_path / "file.txt"):
        with pytest.raises(ProjectError, match="There is no folder"):
            Project.create(place / "a.eigenfaces", gallery)
    with pytest.raises(ProjectError, match=r"directory\."):
        Project.create(tmp_path, gallery)
    assert list(tmp_path.parent.glob(".*part*")) == []


def test_a_full_disk(project: Project, path: Path, rng: np.random.Generator) -> None:
    before = project.gallery
    bigger = before.enrol(trained_gallery(rng, count=40).faces)
    pages = project._file.connection.execute("PRAGMA page_count").fetchone()[0]
    project._file.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(ProjectError, match="disk is full, so nothing was changed"):
        project.save(bigger)
    assert project.gallery is before
    assert digest(reopened_copy(project)) == digest(before)
    project._file.connection.execute("PRAGMA max_page_count = 1000000")
    project.save(bigger)
    expected = digest(bigger)
    project.close()
    assert digest(reopened(path)) == expected


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError, ValueError])
def test_a_change_interrupted_in_the_middle(
    project: Project, gallery: Gallery, monkeypatch: pytest.MonkeyPatch, stop: type
) -> None:
    def interrupt(*_: object) -> None:
        raise stop

    monkeypatch.setattr(content, "_write_faces", interrupt)
    with pytest.raises((stop, ProjectError)):
        project.save(gallery.remove_person("Person 1"))
    assert digest(reopened_copy(project)) == digest(gallery) == digest(project.gallery)
    with pytest.raises((stop, ProjectError)):
        Project.create(project.path.with_name("b.eigenfaces"), gallery)
    names = {file.name for file in project.path.parent.iterdir()}
    assert names <= {project.path.name, f"{project.path.name}-journal"}


HOLD = """
import sys
from eigenfaces import Project
project = Project.open(sys.argv[1], shared=True)
print("open", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def read_elsewhere(path: Path) -> Iterator[None]:
    """Hold a project open for reading in another process, which is killed in the end."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        yield
        holder.kill()


def test_several_may_read_it_and_nobody_change_it_meanwhile(
    project: Project, path: Path, gallery: Gallery
) -> None:
    project.close()
    with read_elsewhere(path):
        also = Project.open(path, shared=True)
        assert digest(also.gallery) == digest(gallery)
        with pytest.raises(ProjectError, match="used by another command"):
            also.save(gallery.rename("Person 1", "Ada"))
        also.close()
        refused(path, "used by another command", Project.create)
    window = Project.open(path)
    with pytest.raises(ProjectError, match="open in another window"):
        Project.open(path, shared=True)
    assert digest(window.gallery) == digest(gallery)
    window.close()


def test_it_is_locked_by_this_process_and_still_for_others(project: Project, path: Path) -> None:
    """Looking at the open file must not let go of its lock (POSIX)."""
    # A new one would be pulled from under its feet.
    refused(path, "open in another window", Project.create)
    assert "open in another window" in opened_elsewhere(path)
    project.save(project.gallery.rename("Person 1", "Ada"))
