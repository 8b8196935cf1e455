"""The tables of photographs and people."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest

from eigenfaces.project.photo_tables import delete_people
from eigenfaces.project.tables import check_tables, create_tables, insert, sealed

PEOPLE, EACH = 60, 20


@pytest.fixture
def tables() -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        create_tables(connection)
        insert(connection, "person", [(number, f"{number}") for number in range(PEOPLE)])
        photos = (
            (f"{number}", number, "a.png", None, 0, 2, 2, "c", 0, "whole", None)
            for number in range(PEOPLE * EACH)
        )
        insert(connection, "photo", photos)
        yield connection


@pytest.mark.parametrize("left", [0, 3, PEOPLE - 3])
def test_people_without_photographs_go_in_one_pass_over_these(
    tables: sqlite3.Connection, left: int
) -> None:
    steps = []
    names = [f"{number}" for number in range(left, PEOPLE)]
    tables.set_progress_handler(lambda: steps.append(1) or 0, 1)
    with tables:
        delete_people(tables, names)
    tables.set_progress_handler(None, 0)
    assert len(steps) < 20 * PEOPLE * EACH  # for each of them, it would be 3 * 60 times as many
    assert tables.execute("SELECT count(*) FROM person").fetchone() == (left,)
    check_tables(tables)  # there is no index any more


@pytest.mark.parametrize("count", [1, PEOPLE])
def test_a_person_on_a_photograph_does_not_go(tables: sqlite3.Connection, count: int) -> None:
    held = sealed("5", 5, "a.png", 0, 0, 2, 2, "c", 0, "whole", None)
    tables.execute("UPDATE photo SET person = 0, seal = ? WHERE key = '5'", held[-1:])
    tables.execute("BEGIN")
    with pytest.raises(sqlite3.IntegrityError):
        delete_people(tables, [f"{number}" for number in range(count)])
    tables.rollback()
    assert tables.execute("SELECT count(*) FROM person").fetchone() == (PEOPLE,)
    check_tables(tables)
