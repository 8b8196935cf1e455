"""What a change writes: the rows that differ, in the right order; large values only once."""

import contextlib
import shutil
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from project_states import digest, reopened, reopened_copy
from synthetic import people

from eigenfaces import Project
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.project.content import Content
from eigenfaces.project.rows import RowTable


@dataclass(frozen=True, eq=False)
class Thing:
    """Something that has a row: what it is, and what is said of it, which may change."""

    key: int
    said: int


@given(st.lists(st.lists(st.integers(0, 9), unique=True, max_size=8), max_size=8), st.randoms())
def test_any_list_follows_any_other(lists: list[list[int]], random) -> None:
    """Its rows are those of the list, in its order, whatever came before."""
    table, rows, before = RowTable(lambda thing: thing.key), dict[int, Thing](), tuple[Thing, ...]()
    for number, keys in enumerate(lists):
        known = {thing.key: thing for thing in before}
        stay = [random.random() < 0.7 for _ in keys]
        after = tuple(
            known[key] if key in known and same else Thing(key, number)
            for key, same in zip(keys, stay, strict=True)
        )
        gone, coming = table.changes(before, after)
        for place in gone:
            del rows[place]
        rows.update(coming)
        assert [rows[place] for place in sorted(rows)] == [*after]
        unchanged = {*before} & {*after}
        moved = [thing for _, thing in coming if thing in unchanged]
        assert not moved or [*filter(unchanged.__contains__, before)] != [*after]
        before = after


def test_undo_of_a_removal_moves_nothing_else() -> None:
    things = tuple(Thing(key, 0) for key in range(1000))
    table = RowTable(lambda thing: thing.key)
    table.changes((), things)
    without = things[:300] + things[310:]
    gone, coming = table.changes(things, without)
    assert (len(gone), coming) == (10, [])
    gone, coming = table.changes(without, things)
    assert (gone, [thing for _, thing in coming]) == ([], [*things[300:310]])


@pytest.fixture
def statements(project: Project) -> list[str]:
    """What is asked of the file from now on, with the values."""
    asked = list[str]()
    project._file.connection.set_trace_callback(asked.append)
    return asked


def rows_written(statements: list[str]) -> dict[str, int]:
    """Return how many rows were written into each table."""
    words = [text.split() for text in statements if text.startswith(("INSERT", "DELETE"))]
    tables = [text[text.index("INTO") + 1 if "INTO" in text else 2] for text in words]
    return {table: tables.count(table) for table in {*tables}}


def test_a_changed_name_is_its_rows(project: Project, statements: list[str]) -> None:
    person = project.gallery.people[0]
    number = len(project.gallery.index.rows_of(person))
    project.save(project.gallery.rename(person, "Ada"))
    assert rows_written(statements) == {"photo": number}
    assert statements[0].startswith("PRAGMA")
    statements.clear()
    project.save(project.gallery.with_share(0.05))
    assert rows_written(statements) == {"document": 1}


def test_what_was_stored_ahead_is_not_written_again(
    project: Project, statements: list[str]
) -> None:
    new = people(np.random.default_rng(8), 2, 3)
    gallery = project.gallery.enrol(replace(new, index=elsewhere(new.index))).train()
    before = digest(project.gallery)
    project.store_ahead(Content(gallery))
    assert "photo" not in rows_written(statements)
    assert digest(reopened_copy(project)) == before
    statements.clear()
    project.save(gallery)
    assert rows_written(statements) == {"photo": 6, "document": 1}
    assert digest(reopened_copy(project)) == digest(gallery)
    project.save(gallery.with_share(0.05).rename(gallery.people[0], "Eve"))
    assert digest(reopened_copy(project)) == digest(project.gallery)


def test_what_was_stored_for_a_change_that_never_came_is_swept(
    project: Project, path: Path
) -> None:
    """As where the process was killed between the two: the next one that closes it sweeps."""
    new = people(np.random.default_rng(8), 2, 3)
    gallery = project.gallery.enrol(replace(new, index=elsewhere(new.index))).train()
    project.store_ahead(Content(gallery))
    killed = path.with_name("killed")
    shutil.copy(path, killed)
    crop = new.pixels.array[0].tobytes()
    assert crop in killed.read_bytes()
    expected = digest(project.gallery)
    with contextlib.closing(Project.open(killed)) as opened:
        assert digest(opened.gallery) == expected
    assert crop not in killed.read_bytes()
    assert digest(reopened(killed)) == expected


def test_a_part_of_a_large_value_is_completed_later(
    project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process killed between two pieces leaves one: what it is of is not taken for stored."""
    monkeypatch.setattr("eigenfaces.project.rows.PIECE", 1000)
    gallery = project.gallery.calibrate()

    class Killed(BaseException):
        pass

    def kill(_done: int, _total: int) -> None:
        raise Killed

    with contextlib.suppress(Killed):
        project.store_ahead(Content(gallery), kill)
    killed = path.with_name("killed")
    shutil.copy(path, killed)
    with contextlib.closing(Project.open(killed)) as opened:
        opened.save(gallery)
    assert digest(reopened(killed)) == digest(gallery)


def test_a_face_under_the_name_of_another_is_refused(project: Project) -> None:
    new = people(np.random.default_rng(8), 1, 2)
    one, other = elsewhere(new.index).photos
    mixed = replace(new, index=PhotoIndex((one, replace(other, crop=one.crop[::-1]))))
    with pytest.raises(ValueError, match="the hash of a face is not that of its crop"):
        project.save(project.gallery.enrol(mixed))


def elsewhere(index: PhotoIndex) -> PhotoIndex:
    """Return the same faces on other photographs."""
    photos = (
        replace(photo, photograph=replace(photo.photograph, sha=f"new {row}"))
        for row, photo in enumerate(index.photos)
    )
    return PhotoIndex(tuple(photos))


def test_the_tables_hold_nothing_else(project: Project, path: Path) -> None:
    project.save(project.gallery.calibrate())
    project.save(project.gallery.train(recipe=project.gallery.recipe))
    project.save(project.gallery.remove_person(project.gallery.people[0]))
    gallery = project.gallery
    project.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table in ("photo", "face", "coordinate"):
            (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert number == len(gallery.faces), table
