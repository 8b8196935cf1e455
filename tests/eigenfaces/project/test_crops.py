"""Crops: read from the file that an open project has for them, and there for undo."""

import contextlib
import shutil
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, reopened
from synthetic import people

from eigenfaces import Gallery, Project
from eigenfaces.errors import ProjectError
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
        rows = np.array([7, 3, 3, 11])
        mask = np.arange(len(held)) % 3 == 0
        for which in (4, -1, slice(2, 9), slice(None, None, -2), [5, 1], rows, mask, slice(0)):
            np.testing.assert_array_equal(stored[which], held[which])
            np.testing.assert_array_equal(stored[which, 3:20], held[which, 3:20])
        chosen = stored.select(rows)
        np.testing.assert_array_equal(chosen.select([2, 0])[:], held[[3, 7]])
        np.testing.assert_array_equal(stored.held, held.held)
        np.testing.assert_array_equal(np.concatenate([*stored.blocks()]), held[:])
        assert not stored.held.flags.writeable
        with pytest.raises(IndexError):
            stored[len(held)]

    def test_they_stay_when_the_project_is_closed(self, project: Project, gallery: Gallery) -> None:
        trained = digest(gallery.train().calibrate())
        project.close()
        assert digest(project.gallery.train().calibrate()) == trained

    def test_no_room_for_them_is_a_sentence(
        self, project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        project.close()
        monkeypatch.setattr("eigenfaces.project.arrays.RowsFile.append", full)
        with pytest.raises(ProjectError, match=r"No space left on device\. Make room there, and"):
            Project.open(path)


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
        assert changed_by(project, removed) == 3  # the photograph, its face, its coordinates
        assert changed_by(project, gallery) == 3
        assert changed_by(project, gallery.rename("Person 2", "Ada")) == 5

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
