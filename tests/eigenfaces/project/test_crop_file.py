"""Crops: each in a project once, and there for undo."""

import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
from project_states import digest, reopened

from eigenfaces import Gallery, Project
from eigenfaces.faces.face_set import PhotoIndex


def keys(gallery: Gallery, *rows: int) -> list[str]:
    return [gallery.index.photos[row].key for row in rows]


def crops_in(project: Project) -> int:
    return int(project._file.connection.execute("SELECT count(*) FROM face").fetchone()[0])


def changed_by(project: Project, gallery: Gallery) -> int:
    before = project._file.connection.total_changes
    project.save(gallery)
    return project._file.connection.total_changes - before


class TestReading:
    def test_they_stay_when_the_project_is_closed(self, project: Project, gallery: Gallery) -> None:
        trained = digest(gallery.train().calibrate())
        project.close()
        assert digest(project.gallery.train().calibrate()) == trained


class TestSaving:
    def test_little_is_written_of_a_little_change(self, project: Project) -> None:
        gallery = project.gallery
        assert changed_by(project, gallery) == 0
        removed = gallery.remove(keys(gallery, 4))
        assert changed_by(project, gallery.exclude(keys(gallery, 4))) == 1
        assert changed_by(project, removed) == 4  # the photographs, a face, the coordinates
        assert changed_by(project, gallery) == 4
        assert changed_by(project, gallery.rename("Person 2", "Ada")) == 1

    def test_the_same_picture_twice_is_stored_once(self, project: Project) -> None:
        first = project.gallery.faces.select([0])
        same = replace(first.index.photos[0], key="another file")
        project.save(project.gallery.enrol(replace(first, index=PhotoIndex((same,)))))
        assert crops_in(project) == len(project.gallery.faces) - 1
        project.save(project.gallery.remove(keys(project.gallery, 0)))
        assert crops_in(project) == len(project.gallery.faces)
        np.testing.assert_array_equal(project.gallery.faces.pixels[-1:], first.pixels[:])


class TestUndo:
    def test_what_was_removed_comes_back(self, project: Project) -> None:
        before = project.gallery
        expected = digest(before)
        project.save(before.remove(keys(before, 2, 3, 11)))
        assert crops_in(project) == len(before.faces) - 3
        project.save(before)
        assert digest(project.gallery) == expected
        project.close()
        assert digest(reopened(project.path)) == expected

    def test_another_project_takes_over(self, project: Project, tmp_path: Path) -> None:
        """Saved elsewhere, undo still works, and what began to read goes on reading."""
        before, expected = project.gallery, digest(project.gallery)
        project.save(before.remove(keys(before, 2, 3)))
        new = Project.create(tmp_path / "new.eigenfaces", project.gallery, project)
        project.close()
        with contextlib.closing(new):
            assert digest(before) == expected
            new.save(before)
            assert digest(new.gallery) == expected
        assert digest(reopened(new.path)) == expected
