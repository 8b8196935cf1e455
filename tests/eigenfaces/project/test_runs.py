"""Evaluations kept in a project: as they were, through everything that happens to the file."""

import contextlib
import os
import sqlite3
import zlib
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, reopened
from synthetic import gallery as trained_gallery

from eigenfaces import EigenfacesError, Gallery, Project, Recipe
from eigenfaces.errors import ProjectError
from eigenfaces.evaluation.protocols import KFold, LeaveOneOut
from eigenfaces.evaluation.records import Record, Setting, Source, to_json
from eigenfaces.evaluation.run import evaluate
from eigenfaces.project import project as project_module


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    return trained_gallery(np.random.default_rng(1), count=3, photos=3)


@pytest.fixture(scope="module")
def record(gallery: Gallery) -> Record:
    recipe = Recipe.of("Ünïcode “name”", components=3)
    done = evaluate(gallery.faces, Setting(recipe, KFold(3, seed=1)))
    return Record(done, gallery.preparation, Source("project", "people.eigenfaces"))


@pytest.fixture(scope="module")
def other(gallery: Gallery) -> Record:
    done = evaluate(gallery.faces, Setting(Recipe(), LeaveOneOut(), curves=False))
    return Record(done, gallery.preparation, Source("project"))


FIRST, SECOND = "2026-02-03T10:11:12+00:00", "2026-02-04T01:02:03+00:00"


def test_kept_listed_read_and_forgotten(
    project: Project, path: Path, record: Record, other: Record
) -> None:
    assert project.runs() == []
    one = project.add_run(FIRST, "Ten folds “of” it", record)
    two = project.add_run(SECOND, "", other)
    listed = [(one, FIRST, "Ten folds “of” it"), (two, SECOND, "")]
    assert project.runs() == listed
    assert to_json(project.run(one)) == to_json(record)
    assert to_json(project.run(two)) == to_json(other)
    project.close()
    with contextlib.closing(Project.open(path)) as again:
        assert again.runs() == listed
        assert to_json(again.run(two)) == to_json(other)
        again.delete_run(one)
        again.delete_run(one)  # gone already
        assert again.runs() == listed[1:]
        with pytest.raises(ProjectError, match="no longer in the project"):
            again.run(one)
        assert again.add_run(FIRST, "again", record) != two


def test_one_that_is_too_large_is_refused(
    project: Project, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_module, "MOST_TEXT", len(to_json(record).encode()) - 1)
    with pytest.raises(ProjectError, match="too many scores"):
        project.add_run(FIRST, "x", record)
    assert project.runs() == []


def test_into_a_new_project(
    project: Project, tmp_path: Path, record: Record, other: Record
) -> None:
    project.add_run(FIRST, "one", other)
    project.delete_run(project.add_run(FIRST, "gone", other))
    number = project.add_run(SECOND, "two", record)
    copy = Project.create(tmp_path / "copy.eigenfaces", project.gallery, runs_of=project)
    with contextlib.closing(copy):
        assert copy.runs() == project.runs()
        assert to_json(copy.run(number)) == to_json(record)
        copy.delete_run(number)
    assert len(project.runs()) == 2
    plain = Project.create(tmp_path / "plain.eigenfaces", project.gallery)
    with contextlib.closing(plain):
        assert plain.runs() == []


@pytest.mark.parametrize("content", [b"", b"no zlib", zlib.compress(b"\xff"), zlib.compress(b"{}")])
def test_what_is_damaged_is_a_sentence_and_the_gallery_opens(
    project: Project, gallery: Gallery, record: Record, content: bytes
) -> None:
    number = project.add_run(FIRST, "x", record)
    project.close()
    with contextlib.closing(sqlite3.connect(project.path)) as connection, connection:
        connection.execute("UPDATE run SET record = ?", (content,))
    with contextlib.closing(Project.open(project.path)) as again:
        assert digest(again.gallery) == digest(gallery)
        with pytest.raises(EigenfacesError, match="damaged"):
            again.run(number)
        again.delete_run(number)
        assert again.runs() == []


def test_read_only(
    project: Project, path: Path, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = project.add_run(FIRST, "x", record)
    project.close()
    content = project.path.read_bytes()
    monkeypatch.setattr(os, "access", lambda place, mode: mode == os.R_OK)
    with contextlib.closing(Project.open(project.path)) as again:
        assert again.read_only
        before = again.gallery
        with pytest.raises(ProjectError, match="is read-only, so nothing was changed"):
            again.save(before.rename("Person 1", "Ada"))
        assert again.gallery is before
        Project.create(path.with_name("copy.eigenfaces"), before).close()
        assert digest(reopened(path.with_name("copy.eigenfaces"))) == digest(before)
        assert to_json(again.run(number)) == to_json(record)
        with pytest.raises(ProjectError, match="read-only, so this evaluation is not kept"):
            again.add_run(SECOND, "y", record)
        with pytest.raises(ProjectError, match="read-only, so nothing was changed"):
            again.delete_run(number)
    assert project.path.read_bytes() == content
    with pytest.raises(ProjectError, match="could not be read or written"):
        again.runs()
