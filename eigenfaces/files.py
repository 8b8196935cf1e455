"""Path checks and safe writing: files are written beside the target, and then moved into place.

If writing is interrupted, the old file stays as it was. If a process is killed, the next process
deletes its unfinished files. All tables are written here, so that they have the same format.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import socket
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from eigenfaces.errors import EigenfacesError, reason_of
from eigenfaces.text import csv_text


def asset(name: str) -> Path:
    """Return the path of a file supplied with the program, whether installed or in ``assets``."""
    installed = Path(__file__).with_name("assets")
    return (installed if installed.is_dir() else Path(__file__).parents[1] / "assets") / name


def is_there(path: Path) -> bool:
    """Return whether a file or folder exists."""
    return os.path.exists(path)  # noqa: PTH110


def is_regular(path: Path) -> bool:
    """Return whether a path is a regular file, which can be opened without blocking."""
    return os.path.isfile(path)  # noqa: PTH113


def resolved(path: Path) -> Path:
    """Return the absolute path with all links followed, except circular ones."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path.absolute()


_HOST = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())[:20]

_PART = re.compile(
    r"\..*\.(?P<host>[A-Za-z0-9-]*)\.(?P<process>[0-9]+)-[0-9]+\.eigenfaces-part(-journal)?"
)
"""The pattern for names of unfinished files, which include the computer and the process.

Several computers may share a folder.
"""

_numbers = itertools.count()


@contextlib.contextmanager
def temporary_path(target: Path) -> Iterator[Path]:
    """Yield a hidden path beside ``target``, and afterwards delete the file or folder there.

    Unfinished files of processes that have ended are deleted as well.
    """
    clear_unfinished(target.parent)
    whose = f"{_HOST}.{os.getpid()}-{next(_numbers)}"
    part = target.with_name(f".{target.name[:40]}.{whose}.eigenfaces-part")
    _remove(part)  # of an ended process with our number, which all have in a container
    try:
        yield part
    finally:
        _remove(part)
        _remove(part.with_name(f"{part.name}-journal"))


@contextlib.contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """Yield a path beside ``target`` for a file or folder, which is moved to ``target`` on success.

    If the work is interrupted, ``target`` stays unchanged. An existing folder must be empty. The
    new folder replaces it and takes over its permissions. A device or a pipe is refused.
    """
    with atomic_writes([target]) as (part,):
        yield part


@contextlib.contextmanager
def atomic_writes(targets: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield a path for each target, and move the files only once all of them are written.

    Each file is written as in `atomic_write`. Raise `EigenfacesError` if a file cannot be written
    or moved. The message says which files have already been replaced.
    """
    places = [resolved(target) for target in targets]
    for place in places:
        refuse_special(place)
    with contextlib.ExitStack() as stack:
        parts = [stack.enter_context(temporary_path(place)) for place in places]
        moved = 0
        try:
            yield parts
            for part in filter(Path.is_file, parts):
                _to_disk(part)
            for part, place in zip(parts, places, strict=True):
                _take_place(part, place)
                moved += 1
        except OSError as error:
            raise _not_written(error, parts, places, moved) from error


def _take_place(part: Path, place: Path) -> None:
    """Move a file or folder into place, where it may replace a file or an empty folder."""
    if part.is_dir() and place.is_dir():
        shutil.copymode(place, part)
        if os.name == "nt":  # Windows cannot replace a folder
            place.rmdir()
    _move(part, place)


def _not_written(
    error: OSError, parts: Sequence[Path], places: Sequence[Path], moved: int
) -> EigenfacesError:
    """Return an error naming the file that could not be written, and any already replaced."""
    about = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
    wanted = places[moved]
    cause = reason_of(error)
    for part, place in zip(parts, places, strict=True):
        if about is not None and about.is_relative_to(part):
            wanted = place
    its_own = about is None or any(about.is_relative_to(path) for path in (*parts, *places))
    if not its_own:
        cause = f"“{about}” cannot be used: {cause}"
    sentence = f"“{wanted}” cannot be written: {cause}."
    if moved:
        new = ", ".join(f"“{place.name}”" for place in places[:moved])
        old = ", ".join(f"“{place.name}”" for place in places[moved:])
        sentence += f" Already replaced: {new}. Unchanged: {old}. Write all of them again."
    return EigenfacesError(sentence)


def put_in_place(part: Path, target: Path) -> None:
    """Move a finished file into place, once all its content is safely on disk."""
    _to_disk(part)
    _move(part, target)


def _move(part: Path, target: Path) -> None:
    part.replace(target)
    if os.name != "nt":  # Windows cannot open a folder
        with contextlib.suppress(OSError):  # not every file system supports it
            _to_disk(target.parent)


def write_table(path: Path, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table as CSV in UTF-8, with the byte order mark that spreadsheets look for."""
    path.write_text(csv_text(heading, rows), "utf-8-sig", newline="")


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def refuse_special(target: Path) -> None:
    """Raise `EigenfacesError` for a device or a pipe, which the new file would replace."""
    there = os.access(target, os.F_OK)  # no error if the name is too long: writing reports that
    if there and not target.is_dir() and not is_regular(target):
        raise EigenfacesError(f"“{target}” is a device or a pipe, not a file: choose another name.")


def check_empty(folder: Path) -> None:
    """Raise `EigenfacesError`, before any work is done, if a folder is not empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise EigenfacesError(f"“{folder}” is not an empty folder. Choose a new one.")


def clear_unfinished(folder: Path) -> None:
    """Delete unfinished files that processes of this computer left in a folder when they ended."""
    import psutil

    with contextlib.suppress(OSError):
        for path in list(folder.iterdir()):
            part = _PART.fullmatch(path.name)
            if part and part["host"] == _HOST and not psutil.pid_exists(int(part["process"])):
                _remove(path)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
