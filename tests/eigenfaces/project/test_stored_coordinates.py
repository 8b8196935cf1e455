"""Coordinates of a large file: read when wanted, checked then, and there for undo."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from project_states import digest
from synthetic import gallery as trained_gallery
from synthetic import people

from eigenfaces import Gallery, Project
from eigenfaces.errors import Cancelled, ProjectError
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import Projected, Training


@pytest.fixture(autouse=True)
def _every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eigenfaces.project.tables._FEW_PAGES", 0)


def refused(shown: Projected, why: str) -> None:
    """Expect that neither all coordinates nor some can be had."""
    for read in (lambda: shown.coordinates, lambda: shown.of([1])):
        with pytest.raises(ProjectError, match=why):
            read()


def spaces(training: Training) -> list[Projected]:
    return [training.shown, *([training.other] if training.other else [])]


@pytest.mark.parametrize("recipe", ["Eigenfaces", "Discriminant"])
def test_opening_leaves_them_in_the_file(gallery: Gallery, tmp_path: Path, recipe: str) -> None:
    gallery = gallery.enrol(people(np.random.default_rng(0), 8, 2))
    trained = gallery.train(recipe=Recipe.of(recipe))
    path = tmp_path / "a.eigenfaces"
    Project.create(path, trained).close()
    with contextlib.closing(Project.open(path)) as project:
        found = project.gallery.trained
        assert not found.is_read
        some = [7, 3, 3, len(gallery.faces) - 1]
        for stored, known in zip(spaces(found), spaces(trained.trained), strict=True):
            np.testing.assert_array_equal(stored.of(some), known.coordinates[some])
            assert stored.held is None
            assert len(stored.rows) == len(gallery.faces)
        with ThreadPoolExecutor(4) as threads:
            read = [*threads.map(lambda _: found.compared, range(8))]
        assert all(each is read[0] for each in read)
        assert not read[0].flags.writeable
        found.read()
        assert found.is_read
        assert digest(project.gallery) == digest(trained)


def test_a_small_file_is_read_whole(
    project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.close()
    monkeypatch.undo()
    with contextlib.closing(Project.open(path)) as opened:
        assert opened.gallery.trained.is_read


def test_undo_returns_to_what_was_unread_when_the_gallery_was_trained_anew(
    project: Project, gallery: Gallery, path: Path
) -> None:
    project.close()
    with contextlib.closing(Project.open(path)) as opened:
        before = opened.gallery
        opened.save(before.train(recipe=Recipe.of(components=3, lighting="equalised")))
        assert digest(before) == digest(gallery)
        opened.save(before)
    with contextlib.closing(Project.open(path)) as opened:
        assert digest(opened.gallery) == digest(gallery)


def test_people_who_come_and_go_before_they_are_read(
    project: Project, gallery: Gallery, path: Path, rng: np.random.Generator
) -> None:
    project.close()
    with contextlib.closing(Project.open(path)) as opened:
        more, gone = people(rng, count=2), [gallery.index.photos[2].key]
        opened.save(opened.gallery.enrol(more).remove(gone))
        assert digest(opened.gallery) == digest(gallery.enrol(more).remove(gone))


def test_what_was_read_is_there_without_the_file(
    project: Project, gallery: Gallery, path: Path
) -> None:
    """As after Save as, which goes on with the same values."""
    project.close()
    with contextlib.closing(Project.open(path)) as opened:
        shown = opened.gallery.trained.shown
        known = shown.coordinates
    np.testing.assert_array_equal(shown.of([3, 1]), known[[3, 1]])


def test_a_copy_is_whole(project: Project, gallery: Gallery, path: Path) -> None:
    project.close()
    with contextlib.closing(Project.open(path)) as opened:
        copy = path.with_name("copy.eigenfaces")
        with contextlib.closing(Project.create(copy, opened.gallery, opened)) as made:
            opened.close()
            assert digest(made.gallery) == digest(gallery)


def test_what_is_damaged_is_refused_when_it_is_read(project: Project, path: Path) -> None:
    with project._file.transaction() as connection:
        connection.execute("UPDATE coordinate SET seal = seal + 1")
    project.close()
    with contextlib.closing(Project.open(path)) as opened:
        shown = opened.gallery.trained.shown
        refused(shown, r"damaged \(its content does not fit its")


def test_those_of_another_file_put_over_it_are_not_taken(
    project: Project, gallery: Gallery, path: Path, rng: np.random.Generator
) -> None:
    other = path.with_name("other.eigenfaces")
    Project.create(other, trained_gallery(rng)).close()
    project.close()
    backup = path.read_bytes()
    with contextlib.closing(Project.open(path)) as opened:
        path.write_bytes(other.read_bytes())
        shown = opened.gallery.trained.shown
        refused(shown, "Another program has written into")
        path.write_bytes(backup)
        assert digest(opened.gallery) == digest(gallery)


def test_of_a_closed_file_there_are_none(project: Project, path: Path) -> None:
    project.close()
    with contextlib.closing(Project.open(path)) as opened:
        shown = opened.gallery.trained.shown
    refused(shown, r"it is closed\. Open it again\.")


def test_others_use_the_file_while_all_are_read_and_it_can_be_stopped(
    project: Project, gallery: Gallery, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the window does while a job reads: some at a time."""
    monkeypatch.setattr("eigenfaces.project.stored_coordinates._NUMBERS_AT_ONCE", 1)
    project.close()
    with contextlib.closing(Project.open(path)) as opened, ThreadPoolExecutor(1) as window:
        shown, known, seen = opened.gallery.trained.shown, gallery.trained.coordinates, []

        def tick(done: int, total: int) -> None:
            assert total == len(known)
            seen.append(window.submit(shown.of, [4]).result(10)[0])
            if done == 3:
                raise Cancelled

        with pytest.raises(Cancelled):
            opened.gallery.trained.read(tick)
        assert shown.held is None
        for row in seen:
            np.testing.assert_array_equal(row, known[4])
        np.testing.assert_array_equal(shown.coordinates, known)


def test_who_waits_for_another_that_reads_can_be_stopped_too(
    project: Project, gallery: Gallery, path: Path
) -> None:
    project.close()
    reads, goes_on = Event(), Event()

    def slow(_done: int, _total: int) -> None:
        reads.set()
        assert goes_on.wait(10)

    def stopped(_done: int, _total: int) -> None:
        raise Cancelled

    with contextlib.closing(Project.open(path)) as opened, ThreadPoolExecutor(1) as other:
        trained = opened.gallery.trained
        first = other.submit(trained.read, slow)
        assert reads.wait(10)
        with pytest.raises(Cancelled):
            trained.read(stopped)
        assert not first.done()
        goes_on.set()
        first.result(10)
        trained.read(stopped)  # they are read: there is nothing to stop
        np.testing.assert_array_equal(trained.coordinates, gallery.trained.coordinates)


def test_names_change_without_the_coordinates(project: Project, path: Path) -> None:
    """Not even where they are damaged."""
    with project._file.transaction() as connection:
        connection.execute("UPDATE coordinate SET seal = seal + 1")
    project.close()
    with contextlib.closing(Project.open(path)) as opened:
        opened.save(opened.gallery.rename("Person 1", "Ada"))
        assert not opened.gallery.trained.is_read
    with contextlib.closing(Project.open(path)) as opened:
        assert "Ada" in opened.gallery.people
        with pytest.raises(ProjectError, match="damaged"):
            opened.save(opened.gallery.remove([opened.gallery.index.photos[0].key]))
