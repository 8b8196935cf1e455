"""A look at every page of a large project file, while it is open and others work with it."""

from __future__ import annotations

import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from eigenfaces.errors import Tick
from eigenfaces.project.sqlite_file import SqliteFile, damaged

_PATIENCE = 0.05
"""Seconds between two looks at whether somebody has cancelled."""


def check_every_page(file: SqliteFile, tick: Tick) -> None:
    """Raise `ProjectError` if the pages of an open file do not fit together.

    They are read without a lock, so a change that is made meanwhile may look like damage. Only
    what is still there when none is under way is believed.
    """
    if not _fit_together(file.path, tick):
        with file.reading():
            if file.is_in_place() and not _fit_together(file.path, tick):
                raise damaged(file.path, "its pages do not fit together")


def _fit_together(path: Path, tick: Tick) -> bool:
    """Return whether the pages of a file fit together, as it is at the moment."""
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"  # it takes no lock, and needs none
    connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    with contextlib.closing(connection), ThreadPoolExecutor(1) as thread:
        answer = thread.submit(_first, connection, "PRAGMA integrity_check(1)")
        try:
            while not wait([answer], _PATIENCE).done:
                tick(0, 0)
            return answer.result() == "ok"
        except sqlite3.DatabaseError:
            return False
        finally:
            while not answer.done():  # cancelled
                connection.interrupt()
                wait([answer], _PATIENCE)


def _first(connection: sqlite3.Connection, ask: str) -> object:
    return connection.execute(ask).fetchone()[0]
