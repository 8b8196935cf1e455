"""Crops that stay in the file: read when wanted, there for undo, gone when the file is closed."""

import contextlib
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, reopened, whole
from synthetic import gallery as trained_gallery
from synthetic import people

from eigenfaces import Gallery, Project
from eigenfaces.errors import ProjectError
from eigenfaces.project import project as project_module
from eigenfaces.project.sqlite_file import SqliteFile
from eigenfaces.space.arrays.crops import Crops


def keys(gallery: Gallery, *rows: int) -> list[str]:
    return [gallery.index.photos[row].key for row in rows]


def crops_in(project: Project) -> int:
    return int(project._file.connection.execute("SELECT count(*) FROM face").fetchone()[0])


def changed_by(project: Project, gallery: Gallery) -> int:
    before = project._file.connection.total_changes
    project.save(gallery)
    return project._file.connection.total_changes - before


class TestReading:
    def test_every_piece_is_what_it_would_be_in_memory(
        self, project: Project, gallery: Gallery
    ) -> None:
        stored, held = project.gallery.faces.pixels, gallery.faces.pixels
        assert stored.in_memory == ()
        assert stored.shape == held.shape
        rows = np.array([7, 3, 3, 11])
        mask = np.arange(len(held)) % 3 == 0
        for which in (4, -1, slice(2, 9), slice(None, None, -2), [5, 1], rows, mask, slice(0)):
            np.testing.assert_array_equal(stored[which], held[which])
            np.testing.assert_array_equal(stored[which, 3:20], held[which, 3:20])
        chosen = stored.select(rows)
        np.testing.assert_array_equal(chosen[:], held[rows])
        np.testing.assert_array_equal(chosen.select([2, 0])[:], held[[3, 7]])
        np.testing.assert_array_equal(stored.held, held.held)
        np.testing.assert_array_equal(stored.levels, held.levels)
        np.testing.assert_array_equal(np.concatenate([*stored.blocks()]), held[:])
        for crops in (stored, chosen):
            assert crops.are_finite()
            assert not crops.held.flags.writeable

    def test_beyond_the_last_there_is_none(self, project: Project) -> None:
        with pytest.raises(IndexError):
            project.gallery.faces.pixels[len(project.gallery.faces)]

    def test_training_and_calibration_are_those_of_memory(
        self, project: Project, gallery: Gallery
    ) -> None:
        assert digest(project.gallery.train().calibrate()) == digest(gallery.train().calibrate())

    def test_opening_reads_no_crop(
        self, project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.close()
        said: list[str] = []
        make = SqliteFile.__init__

        def watched(file: SqliteFile, *given: object, **named: object) -> None:
            make(file, *given, **named)
            file.connection.set_trace_callback(said.append)

        monkeypatch.setattr(SqliteFile, "__init__", watched)
        with contextlib.closing(Project.open(path)) as opened:
            assert said
            assert not any("levels" in statement for statement in said)
            opened.gallery.faces.image(3)
            assert sum("levels" in statement for statement in said) == 1

    def test_while_another_thread_changes_the_file(self, project: Project) -> None:
        """A face is shown at once, however long the change takes."""
        crops = project.gallery.faces.pixels
        expected = crops[3]
        with ThreadPoolExecutor(1) as pool:
            with project._file.transaction() as connection:
                connection.execute("UPDATE person SET name = 'x' WHERE id = 1")
                np.testing.assert_array_equal(pool.submit(lambda: crops[3]).result(30), expected)
                connection.execute("UPDATE person SET name = 'Person 1' WHERE id = 1")
            with contextlib.suppress(ZeroDivisionError), project._file.transaction():
                np.testing.assert_array_equal(pool.submit(lambda: crops[3]).result(30), expected)
                raise ZeroDivisionError
        np.testing.assert_array_equal(crops[3], expected)

    def test_of_a_closed_project_there_is_a_sentence(self, project: Project) -> None:
        crops = project.gallery.faces.pixels
        project.close()
        for read in (
            lambda: crops[0],
            lambda: crops[:],
            lambda: crops.held,
            lambda: crops[[1], 3:],
        ):
            with pytest.raises(ProjectError, match=r"it is closed\. Open it again\."):
                read()

    def test_a_file_that_was_moved_is_read_on(self, project: Project, tmp_path: Path) -> None:
        expected = project.gallery.faces.pixels[:]
        project.path.rename(tmp_path / "elsewhere")
        np.testing.assert_array_equal(project.gallery.faces.pixels[:], expected)

    def test_a_backup_put_over_it_is_read_and_written_as_if_nothing_had_been(
        self, project: Project, gallery: Gallery, path: Path, rng: np.random.Generator
    ) -> None:
        """No page of what was there meanwhile is taken for one of the project."""
        other = path.with_name("other.eigenfaces")
        Project.create(other, trained_gallery(rng, count=3)).close()
        backup, crops = path.read_bytes(), project.gallery.faces.pixels
        path.write_bytes(other.read_bytes())
        with pytest.raises(ProjectError, match="Another program has written into"):
            _ = crops[:]
        with project._file.reading() as connection:  # as whoever looks without a check
            for (table,) in connection.execute("SELECT name FROM sqlite_master").fetchall():
                with contextlib.suppress(sqlite3.DatabaseError):
                    connection.execute(f"SELECT * FROM {table}").fetchall()
        path.write_bytes(backup)
        np.testing.assert_array_equal(crops[:], gallery.faces.pixels[:])
        project.save(project.gallery.rename("Person 1", "Someone"))
        project.close()
        with contextlib.closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert digest(reopened(path)) == digest(gallery.rename("Person 1", "Someone"))


class TestSaving:
    def test_what_was_in_memory_is_read_from_the_file_then(
        self, project: Project, rng: np.random.Generator
    ) -> None:
        more = project.gallery.enrol(people(rng, 3, 4))
        assert more.faces.pixels.in_memory
        expected = digest(more)
        project.save(more)
        assert project.gallery.faces.pixels.in_memory == ()
        assert digest(project.gallery) == expected

    def test_little_is_written_of_a_little_change(self, project: Project) -> None:
        gallery = project.gallery
        assert changed_by(project, gallery) == 0
        removed = gallery.remove(keys(gallery, 4))
        assert changed_by(project, gallery.exclude(keys(gallery, 4))) == 1
        assert changed_by(project, removed) < 8
        assert changed_by(project, gallery) < 8
        assert changed_by(project, gallery.rename("Person 2", "Ada")) < 10

    def test_removed_and_added_in_any_order(
        self, project: Project, rng: np.random.Generator
    ) -> None:
        """Positions are reused, filled in between, and made anew where there is no room."""
        gallery = project.gallery
        others = people(rng, 6, 5)
        for _ in range(30):
            now = project.gallery
            kept = rng.permutation(len(now.faces))[: rng.integers(1, len(now.faces) + 1)]
            changed = now.remove(keys(now, *set(range(len(now.faces))) - {*kept.tolist()}))
            if rng.random() < 0.7:
                changed = changed.enrol(others.select(rng.permutation(30)[:5]))
            project.save(gallery if rng.random() < 0.3 else changed)
            shutil.copy(project.path, project.path.with_name("copy"))
            assert digest(reopened(project.path.with_name("copy"))) == digest(project.gallery)

    def test_the_same_picture_twice_is_stored_once(
        self, project: Project, gallery: Gallery
    ) -> None:
        same = Crops(np.repeat(gallery.faces.pixels.held[:1], 2, axis=0))
        photos = gallery.faces.select([0, 1]).index.photos
        twice = [photo.__class__(photo.path, None, f"key {n}", photo.size, crop=photos[0].crop)
                 for n, photo in enumerate(photos)]  # fmt: skip
        index = gallery.index.__class__(tuple(twice))
        faces = gallery.faces.__class__(same, gallery.faces.shape, index)
        project.save(project.gallery.enrol(faces))
        assert crops_in(project) == len(gallery.faces)
        project.save(project.gallery.remove(["key 0", gallery.index.photos[0].key]))
        np.testing.assert_array_equal(
            project.gallery.faces.pixels[-1], gallery.faces.pixels[0]
        )  # fmt: skip


class TestUndo:
    def test_what_was_removed_comes_back_unread(self, project: Project) -> None:
        before = project.gallery
        expected = digest(before)
        project.save(before.remove(keys(before, 2, 3, 11)))
        np.testing.assert_array_equal(before.faces.pixels[2], whole(before).faces.pixels[2])
        project.save(before)
        assert digest(project.gallery) == expected
        project.close()
        assert digest(reopened(project.path)) == expected

    def test_after_a_crash_it_leaves_the_file_when_that_is_opened_next(
        self, project: Project, gallery: Gallery, path: Path, tmp_path: Path
    ) -> None:
        """Also faces of an import that was killed before its end."""
        crop = gallery.faces.pixels.held[4].tobytes()
        project.save(project.gallery.remove(keys(gallery, 4)))
        copy = tmp_path / "copy.eigenfaces"
        shutil.copy(path, copy)
        with contextlib.closing(Project.open(copy)) as opened:
            assert crops_in(opened) == len(gallery.faces) - 1
            assert crop not in copy.read_bytes()
            assert digest(opened.gallery) == digest(project.gallery)

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

    def test_what_is_written_in_pieces_is_there_wholly_or_not_at_all(
        self, project: Project, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(project_module, "_FACES_AT_ONCE", 5)
        before, expected = project.gallery, digest(project.gallery)
        more = before.enrol(people(rng, 3, 4))

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(project_module, "write_changes", stop)
            with pytest.raises(KeyboardInterrupt):
                project.save(more)
        assert project.gallery is before
        assert crops_in(project) == len(more.faces)
        copy = project.path.with_name("copy")
        shutil.copy(project.path, copy)
        assert digest(reopened(copy)) == expected
        project.save(more)
        assert digest(project.gallery) == digest(more)
        project.close()
        assert digest(reopened(project.path)) != expected
