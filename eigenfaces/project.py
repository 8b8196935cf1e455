"""The project file: one SQLite database that holds a gallery, changed one transaction at a time.

`storage` says what its tables are. A killed process leaves the state before or after a change,
never one between (SQLite's journal). While a project is open it is locked: a second window is told
so.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import RLock

from eigenfaces.errors import ProjectError
from eigenfaces.evaluation.records import Record, from_json, to_json
from eigenfaces.gallery import Gallery
from eigenfaces.storage import (
    APPLICATION_ID,
    VERSION,
    Run,
    copy_runs,
    create_tables,
    list_runs,
    load_gallery,
    read_run,
    upgrade,
    write_changes,
    write_run,
)

SUFFIX = ".eigenfaces"

_SMALLEST = 512  # bytes of the smallest page of a database


class Project:
    """An open project file and the gallery it holds. Use `create`, `open`, `save` and `close`."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, gallery: Gallery, *, read_only: bool
    ) -> None:
        self.path = path
        self.read_only = read_only
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        self._no_runs = version < VERSION  # an older file that cannot be written
        self._connection = connection
        self._lock = RLock()
        self._gallery = gallery

    @property
    def gallery(self) -> Gallery:
        """The gallery as it stands in the file."""
        return self._gallery

    @classmethod
    def create(
        cls, path: Path, gallery: Gallery | None = None, runs_of: Project | None = None
    ) -> Project:
        """Write a new project beside its place, put it there whole, and open it.

        The evaluations kept in ``runs_of`` are copied into it.
        """
        gallery = gallery or Gallery.new()
        part = path.with_name(f".{path.name[:40]}.{os.getpid()}.part")
        try:
            with _sentences(path):
                if not path.parent.is_dir():
                    raise ProjectError(f"There is no folder “{path.parent}”. Make it first.")
                part.unlink(missing_ok=True)
                with (
                    contextlib.closing(_connect(part, read_only=False)) as connection,
                    _transaction(connection),
                ):
                    create_tables(connection, gallery)
                    if runs_of is not None and runs_of.runs():
                        runs_of.copy_runs(connection)
                _make_way(path)
                part.replace(path)
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        return cls._open(path, gallery)

    @classmethod
    def open(cls, path: Path) -> Project:
        """Open a project file; raise `ProjectError`, a sentence, where that cannot be done."""
        return cls._open(path)

    @classmethod
    def _open(cls, path: Path, written: Gallery | None = None) -> Project:
        """Open a project file, and load its gallery where it has not just been written."""
        with _sentences(path):
            if not path.is_file():
                raise ProjectError(f"There is no project file “{path}”.")
            if path.stat().st_size < _SMALLEST:  # SQLite would begin a new database in it
                raise ProjectError(f"“{path}” is not a project file of this program.")
            # Never open the file but through SQLite: closing it again would let go of the locks
            # that another project object of this process holds on it (POSIX).
            read_only = not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
            connection = _connect(path, read_only)
            try:
                version = _check(connection, path, read_only)
                gallery = load_gallery(connection, version) if written is None else written
                if version < VERSION and not read_only:
                    with _transaction(connection):
                        upgrade(connection, version)
                return cls(path, connection, gallery, read_only=read_only)
            except BaseException:
                connection.close()
                raise

    def save(self, gallery: Gallery) -> None:
        """Bring the file to this gallery, in one transaction or not at all."""
        with self._writing() as connection:
            write_changes(connection, self._gallery, gallery)
        self._gallery = gallery

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _sentences(self.path):
            if self.read_only:
                raise ProjectError(
                    f"“{self.path.name}” is read-only, so nothing was changed. "
                    "Save a copy elsewhere and work on that."
                )
            with _transaction(self._connection):
                yield self._connection

    def runs(self) -> list[Run]:
        """Return id, time and name of every evaluation that is kept, the oldest first."""
        if self._no_runs:
            return []
        with self._lock, _sentences(self.path):
            return list_runs(self._connection)

    def run(self, number: int) -> Record:
        """Return an evaluation that is kept."""
        with self._lock, _sentences(self.path):
            text = read_run(self._connection, number)
        return from_json(text)

    def keep_run(self, made: str, name: str, record: Record) -> int:
        """Keep an evaluation, with the time it was made (ISO 8601); return its id."""
        text = to_json(record)
        with self._writing() as connection:
            return write_run(connection, made, name, text)

    def forget_run(self, number: int) -> None:
        """Throw an evaluation away."""
        with self._writing() as connection:
            connection.execute("DELETE FROM run WHERE id = ?", (number,))

    def copy_runs(self, target: sqlite3.Connection) -> None:
        """Copy every evaluation into the tables of another project."""
        with self._lock:
            copy_runs(self._connection, target)

    def close(self) -> None:
        """Let go of the file. Everything is already in it."""
        with self._lock:
            self._connection.close()


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(
        address, uri=True, timeout=0.2, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA foreign_keys = ON")
    if not read_only:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return connection


def _make_way(path: Path) -> None:
    """Refuse to replace a project that is open, and take away what a killed process left of one.

    A journal that stayed behind would be played back into the new file.
    """
    if path.is_file():
        try:
            with contextlib.closing(_connect(path, read_only=False)) as connection:
                connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise
    path.with_name(f"{path.name}-journal").unlink(missing_ok=True)


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into a sentence with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise ProjectError(_sentence(path.name, str(error))) from error
    except UnicodeDecodeError as error:  # from the words of SQLite, which quote the file
        raise _damaged(path, "its text") from error
    except MemoryError as error:
        raise ProjectError(f"There is not enough memory for “{path.name}”.") from error
    except OSError as error:
        raise ProjectError(f"“{path}” cannot be used: {error.strerror}.") from error


def _sentence(name: str, said: str) -> str:
    if "locked" in said:
        return f"“{name}” is open in another window. Close it there, then try again."
    if "full" in said:
        return f"The disk is full, so nothing was changed in “{name}”. Make room and try again."
    if "readonly" in said:
        return f"“{name}” cannot be written, so nothing was changed. Save a copy elsewhere."
    if "not a database" in said:
        return f"“{name}” is not a project file of this program."
    if "unable to open" in said:
        return f"“{name}” cannot be opened or made there: choose a shorter path, or another folder."
    if "malformed" in said:
        return f"“{name}” is damaged and cannot be opened. Use a backup copy of it."
    return f"“{name}” could not be read or written ({said}). Nothing was changed."


def _damaged(path: Path, what: str) -> ProjectError:
    return ProjectError(f"“{path.name}” is damaged ({what}). Use a backup copy of it.")


def _check(connection: sqlite3.Connection, path: Path, read_only: bool) -> int:
    """Refuse what is no sound project file; return the version of its tables."""
    if not read_only:  # take the lock now, and keep it: see locking_mode
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ProjectError(f"“{path}” is not a project file of this program.")
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise ProjectError(
            f"“{path.name}” was made by a newer version of this program. Update the program."
        )
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise _damaged(path, "its pages do not fit together")
    return version
