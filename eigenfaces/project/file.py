"""SQLite file that is changed one transaction at a time, and checked when opened and while open.

If the process is killed, the file is left as it was before or after a change, because the SQLite
journal beside the file undoes an unfinished change. A copy of the file may serve as a backup, which
a journal left by a killed process must not change. Therefore every change increases a number (the
upper bits of ``user_version``, above the table version; it starts at random) and draws a random
mark, which is stored with the mark of the previous state (in ``schema_version``). As a result,
copies that have diverged differ, even after the same number of changes. The first page in a journal
contains the old values. If a journal belongs to a different state from the file beside it, the file
is refused and neither is touched, because only the user can know which is right.

An open file is locked; several processes may open it only for reading. Before each change, the file
is compared with the file that was opened. Nothing is written if it has been moved or replaced.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from eigenfaces.errors import MovedAwayError, ProjectError, reason_of

_SMALLEST = 512  # bytes of the smallest page of a database
_HEADER = 100  # bytes before the first page: SQLite's *Database File Format*, 1.3 and 3

_HOT = bytes.fromhex("d9d505f920a163d7")  # a journal with a change to undo begins with these bytes

_COUNTS = 1 << 23
_MARKS = 1 << 15
_LONGEST = 256_000_000  # the largest value that is read or written, in bytes

FILE_VERSION = 1
"""Version of the tables. Every later release can open files of this version.

A format change that an older program would misread, or lose when writing, increases this number and
adds code that reads the old version; see `tests/eigenfaces/project/test_frozen.py`. Version 0 has
the same tables. The first change to a file of version 0 turns it into version 1.
"""

APPLICATION_ID = 0x45464143

_ROW = "place INTEGER PRIMARY KEY, value BLOB NOT NULL"

TABLES = {
    # Settings, and the names of the arrays of the training and the calibration: JSON.
    "document": "name TEXT PRIMARY KEY, value BLOB NOT NULL",
    # The faces of the gallery, the files of photographs, the faces to recognise, the unused
    # photographs, and the saved evaluations: JSON, one row per item, ordered by place.
    "photo": _ROW,
    "file": _ROW,
    "probe": _ROW,
    "unused": _ROW,
    "run": _ROW,
    # The answer about a face: JSON.
    "answer": "sha TEXT NOT NULL, number INTEGER NOT NULL, value BLOB NOT NULL, "
    "PRIMARY KEY (sha, number)",
    # A crop: the SHA-256 of its levels, and the levels: h · w bytes, 8-bit grey.
    "face": "crop TEXT PRIMARY KEY, levels BLOB NOT NULL",
    # The numbers of an array, little-endian, or the record of an evaluation (JSON, zlib), in parts
    # of at most a megabyte, under the SHA-256 of the whole.
    "large": "hash TEXT NOT NULL, part INTEGER NOT NULL, value BLOB NOT NULL, "
    "PRIMARY KEY (hash, part)",
    # The coordinates of a face in the face space, followed by those in the matching space if that
    # differs: float32, little-endian, with their CRC-32. Training: the SHA-256 of the spaces.
    "coordinate": "training TEXT NOT NULL, sha TEXT NOT NULL, number INTEGER NOT NULL, "
    "crop TEXT NOT NULL, value BLOB NOT NULL, crc INTEGER NOT NULL, "
    "PRIMARY KEY (training, sha, number, crop)",
    # The descriptor of a face: the SHA-256 of its crop, and 128 float32, little-endian.
    "network": "crop TEXT PRIMARY KEY, numbers BLOB NOT NULL CHECK (length(numbers) = 512)",
    # The portrait of a face: the SHA-256 of its crop, and a small JPEG.
    "portrait": "crop TEXT PRIMARY KEY, picture BLOB NOT NULL CHECK (length(picture) <= 65536)",
}
"""Tables of a project file with their columns, whose types SQLite checks."""

STATEMENTS = {name: f"CREATE TABLE {name} ({rows}) STRICT" for name, rows in TABLES.items()}
"""Statements that create the tables."""


class _State(NamedTuple):
    """State of one copy of a file. If two states are equal, nothing has changed in between."""

    changes: int  # the number of changes, starting from a random number
    version: int  # the version of the tables
    before: int  # the mark of the previous state …
    mark: int  # … and the mark of this state, drawn at random

    @classmethod
    def new(cls) -> _State:
        """Return the state of a new file."""
        return cls(secrets.randbelow(_COUNTS), FILE_VERSION, 0, secrets.randbelow(_MARKS))

    @classmethod
    def of_numbers(cls, user: int, schema: int) -> _State:
        """Return the state encoded in ``user_version`` and ``schema_version``."""
        return cls(
            user >> 8 & _COUNTS - 1, user & 0xFF, schema >> 15 & _MARKS - 1, schema & _MARKS - 1
        )

    @classmethod
    def in_header(cls, header: bytes) -> _State:
        """Return the state stored in the header of a file."""
        return cls.of_numbers(int.from_bytes(header[60:64]), int.from_bytes(header[40:44]))

    @classmethod
    def in_file(cls, connection: sqlite3.Connection) -> _State:
        """Return the state of an open file."""
        (user,) = connection.execute("PRAGMA user_version").fetchone()
        (schema,) = connection.execute("PRAGMA schema_version").fetchone()
        return cls.of_numbers(int(user), int(schema))

    def next(self) -> _State:
        """Return the state after one more change."""
        changes = (self.changes + 1) % _COUNTS
        return _State(changes, FILE_VERSION, self.mark, secrets.randbelow(_MARKS))

    def follows(self, other: _State) -> bool:
        """Return whether this state comes directly after another state in the same copy."""
        return self.changes == (other.changes + 1) % _COUNTS and self.before == other.mark

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the state into the header."""
        connection.execute(f"PRAGMA user_version = {self.changes << 8 | self.version}")
        connection.execute(f"PRAGMA schema_version = {self.before << 15 | self.mark}")


class SqliteFile:
    """Open project file. It can be read at any time, and is changed with `transaction`."""

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        """Open an existing file, or raise `ProjectError` with the reason.

        If ``shared``, open it read-only, so that other processes can read it too.
        """
        self.path, self.shared = path, shared
        self._lock = RLock()
        self.is_closed = False
        with as_project_errors(path):
            if path.is_dir():
                raise ProjectError(f"“{path}” is a folder. Choose the project file itself.")
            if not path.is_file():
                raise ProjectError(f"There is no project file “{path}”.")
            if not os.access(path, os.R_OK):
                raise ProjectError(f"You have no permission to read “{path}”.")
            if path.stat().st_size < _SMALLEST:  # SQLite would start a new database in it
                raise ProjectError(f"“{path}” is not a project file of this program.")
            self.read_only = not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
            if not self.read_only:
                _refuse_foreign_journal(path)
            self.connection = _connect(path, "ro" if self.read_only else "rw")
        try:
            with self.reading():
                # Take the lock now, and keep it; see locking_mode. Reading takes a shared lock.
                if not (self.read_only or shared):
                    self.connection.execute("BEGIN EXCLUSIVE")
                    self.connection.execute("COMMIT")
                if not self.read_only:
                    self.connection.execute("PRAGMA journal_mode = DELETE")  # if it was another
                self._state = _State.in_file(self.connection)
                # Only now: closing a file releases all locks that this process has on it (POSIX),
                # and another object may hold one. So the file stays open until `close`.
                self._file = path.open("rb", buffering=0)
        except BaseException:
            self.connection.close()
            raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for reading."""
        with self._lock, as_project_errors(self.path):
            self._refuse_closed()
            yield self.connection

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for a single change, which is made completely or not at all.

        Raises `MovedAwayError` if the file is no longer the one that was opened, and
        `ProjectError` if it cannot be written to.
        """
        with self._lock, as_project_errors(self.path):
            if self.read_only:
                raise ProjectError(
                    f"“{self.path.name}” is read-only, so nothing was changed. "
                    "Save a copy elsewhere and work on that copy."
                )
            unchanged = self.is_unchanged()
            if not (unchanged and self.is_in_place()):
                done = "moved, deleted or replaced" if unchanged else "written into"
                lost = "" if unchanged else ", except the evaluations saved in it"
                raise MovedAwayError(
                    f"Another program has {done} “{self.path.name}” since it was opened, so the "
                    "change was not made. Save the project elsewhere. Everything up to this "
                    f"change is still here{lost}."
                )
            # Cached pages may come from another file that was here for a while.
            self.connection.execute("PRAGMA shrink_memory")
            state = self._state.next()
            with numbered_transaction(self.connection, state):
                yield self.connection
            self._state = state

    def rewrite(self) -> None:
        """Rewrite the whole file, so that no deleted data is left in it."""
        with self._lock, as_project_errors(self.path):
            self.connection.execute("VACUUM")
            self._state = _State.in_file(self.connection)

    def is_in_place(self) -> bool:
        """Return whether the opened file is still at its path and unchanged by other programs."""
        with self._lock:
            with contextlib.suppress(OSError):
                unchanged = self.is_unchanged()
                file = self._file.fileno()
                return unchanged and os.path.samestat(self.path.stat(), os.fstat(file))
            return False

    def is_unchanged(self) -> bool:
        """Return whether no other program has written to the opened file, even if it was moved."""
        with self._lock:
            self._refuse_closed()
            self._file.seek(0)
            return _State.in_header(self._file.read(_HEADER)) == self._state

    def _refuse_closed(self) -> None:
        if self.is_closed:
            raise ProjectError(
                f"“{self.path.name}” could not be used because it is closed. Open it again."
            )

    def close(self) -> None:
        """Close the file. Everything has already been saved."""
        with self._lock:
            self.is_closed = True
            self.connection.close()
            self._file.close()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(
        address, uri=True, timeout=0.2, isolation_level=None, check_same_thread=False
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    for pragma in (
        "trusted_schema = OFF",
        "cell_size_check = ON",
        "secure_delete = ON",  # deleted data is overwritten
    ):
        connection.execute(f"PRAGMA {pragma}")
    if mode != "ro":
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_size_limit = 0")  # leave no old data in the journal
    return connection


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[sqlite3.Connection]:
    """Create a file that only its owner can read, and yield a connection for filling it."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with (
        contextlib.closing(_connect(path, "rw")) as connection,
        numbered_transaction(connection, _State.new()),
    ):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for statement in STATEMENTS.values():
            connection.execute(statement)
        yield connection


@contextlib.contextmanager
def numbered_transaction(connection: sqlite3.Connection, state: _State) -> Iterator[None]:
    """Make one change. The new state is written first, so that the journal begins with page 1."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        state.write(connection)
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def lock_for_replacement(path: Path) -> Iterator[None]:
    """Keep other processes from opening a project while it is being replaced.

    Any change left unfinished by a killed process is undone. Raises an error if the project is
    open, or if a journal left beside it would be mistaken for that of the new project.
    """
    with contextlib.ExitStack() as stack:
        if path.is_file():
            _refuse_foreign_journal(path)
            connection = stack.enter_context(contextlib.closing(_connect(path, "rw")))
            try:
                connection.execute("PRAGMA locking_mode = NORMAL")  # keeps the journal on closing
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.DatabaseError as error:
                if _code(error) == sqlite3.SQLITE_BUSY:
                    raise  # anything else is not a project, and may be replaced
            if os.name == "nt":  # Windows cannot replace an open file
                stack.close()
        if _state_in_journal(path) is not None:
            raise _another_state(path)
        yield


def check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `ProjectError` if a file is not a project, and `ValueError` if its tables are invalid.

    Views and triggers are refused, because they would run when the file is read. After that, all
    pages and rows are checked.
    """
    (program,) = connection.execute("PRAGMA application_id").fetchone()
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    if program != APPLICATION_ID:
        raise ProjectError(f"“{path}” is not a project file of this program.")
    version = number & 0xFF
    listed = connection.execute(
        "SELECT sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) LIMIT ?",
        (len(STATEMENTS) + 1,),
    )
    is_sound = {sql for (sql,) in listed} == {*STATEMENTS.values()}
    if version > FILE_VERSION or (version == 0 and not is_sound):  # 0 had several kinds of tables
        raise ProjectError(
            f"“{path.name}” was made by another version of this program. Open it with that "
            "version, or update this one."
        )
    if not is_sound:
        raise ValueError("its tables are not those of a project")
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise ValueError("its content is not that of a project")


def _journal(path: Path) -> Path:
    real = path.resolve()  # as SQLite does
    return real.with_name(f"{real.name}-journal")


def _refuse_foreign_journal(path: Path) -> None:
    """Raise `ProjectError` if the journal beside a file belongs to another state.

    Otherwise SQLite would apply the journal to the file.
    """
    before = _state_in_journal(path)
    if before is None or before == _UNKNOWN:
        return
    # Not by `Path.open`: closing that releases all locks this process has on the file (POSIX).
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
        # Otherwise a header that counts pages not written yet would be treated as damage.
        connection.execute("PRAGMA writable_schema = ON")
        now = _State.in_file(connection)
    if now != before and not now.follows(before):
        raise _another_state(path)


def _another_state(path: Path) -> ProjectError:
    return ProjectError(
        f"Beside “{path.name}” there is “{_journal(path).name}”, left by a killed process. "
        "This journal belongs to another state of the project. Move it elsewhere, and try again."
    )


_UNKNOWN = _State(0, 0, 0, 0)


def _state_in_journal(path: Path) -> _State | None:
    """Return the state that a journal would restore (`_UNKNOWN` if it lacks page 1), or None."""
    with contextlib.suppress(FileNotFoundError), _journal(path).open("rb") as file:
        heading = file.read(28)
        if heading.startswith(_HOT):
            file.seek(int.from_bytes(heading[20:24]))  # a sector
            page = int.from_bytes(file.read(4))
            first = file.read(_HEADER)
            return _State.in_header(first) if page == 1 else _UNKNOWN
    return None


@contextlib.contextmanager
def as_project_errors(path: Path) -> Iterator[None]:
    """Turn errors from SQLite and the system into a `ProjectError` that suggests a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        no_text = str(error).startswith("Could not decode")  # Python's own error has no code
        known = _SENTENCES.get(sqlite3.SQLITE_CORRUPT if no_text else _code(error) or 0)
        other = f"“{path.name}” could not be read or written ({error}). Nothing was changed."
        raise ProjectError(known.format(f"“{path.name}”") if known else other) from error
    except UnicodeDecodeError as error:  # from a message of SQLite that quotes the file
        raise damaged_file_error(path, "its text") from error
    except MemoryError as error:
        raise ProjectError(f"There is not enough memory for “{path.name}”.") from error
    except OSError as error:
        raise ProjectError(f"“{path}” cannot be used: {reason_of(error)}.") from error


def _code(error: sqlite3.Error) -> int | None:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


_SENTENCES = {
    sqlite3.SQLITE_BUSY: (
        "{} is open in another window, or in use by another command. Close it there, or wait for "
        "the command to end, and try again."
    ),
    sqlite3.SQLITE_FULL: "The disk is full, so {} was not changed. Free some space and try again.",
    sqlite3.SQLITE_READONLY: "{} is read-only, so nothing was changed. Save a copy elsewhere.",
    sqlite3.SQLITE_NOTADB: "{} is not a project file of this program.",
    sqlite3.SQLITE_CANTOPEN: (
        "{} cannot be opened or created there. Choose a shorter path, or another folder."
    ),
    sqlite3.SQLITE_CORRUPT: "{} is damaged and cannot be opened. Use a backup copy.",
}


def damaged_file_error(path: Path, what: str) -> ProjectError:
    """Return the error for a damaged file, in which ``what`` describes the damage."""
    return ProjectError(f"“{path.name}” is damaged ({what}). Use a backup copy.")
