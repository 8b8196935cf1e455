"""What is at a path, and how files are written: beside their place, and moved there whole.

Whatever interrupts the writing, what was there stays as it was. What a killed process left
unfinished is removed by the next one.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

from eigenfaces.errors import EigenfacesError


def is_there(path: Path) -> bool:
    """Return whether a file or folder exists."""
    return os.path.exists(path)  # noqa: PTH110


def is_regular(path: Path) -> bool:
    """Return whether this is a regular file, which can be opened without blocking."""
    return os.path.isfile(path)  # noqa: PTH113


def resolved(path: Path) -> Path:
    """Return a path absolute and without links; circular links stay."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path.absolute()


_HOST = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())[:20]

_PART = re.compile(
    r"\..*\.(?P<host>[A-Za-z0-9-]*)\.(?P<process>[0-9]+)-[0-9]+\.eigenfaces-part(-journal)?"
)
"""The name of what is not finished says whose it is: other computers may share the folder."""

_numbers = itertools.count()


@contextlib.contextmanager
def temporary_path(target: Path) -> Iterator[Path]:
    """Yield a hidden path beside ``target``; it, and those of ended processes, are removed."""
    clear_unfinished(target.parent)
    whose = f"{_HOST}.{os.getpid()}-{next(_numbers)}"
    part = target.with_name(f".{target.name[:40]}.{whose}.eigenfaces-part")
    _remove(part)  # of an ended process that had our number: in a container, all have the same
    try:
        yield part
    finally:
        _remove(part)
        _remove(part.with_name(f"{part.name}-journal"))


@contextlib.contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """Yield a path beside ``target`` for a file or folder; on success it is moved to ``target``.

    If anything interrupts the work, ``target`` is unchanged. An existing folder must be empty: the
    new one takes its place, and its permissions. A device or a pipe is refused.
    """
    target = resolved(target)
    refuse_special(target)
    with temporary_path(target) as part:
        try:
            yield part
            if part.is_dir() and target.is_dir():
                shutil.copymode(target, part)
                if os.name == "nt":  # there, a folder does not take the place of another
                    target.rmdir()
            put_in_place(part, target)
        except OSError as error:
            # NumPy does not state why it could not write: most likely this is the reason.
            reason = error.strerror or os.strerror(errno.ENOSPC)
            raise EigenfacesError(f"“{target}” cannot be written: {reason}.") from error


def put_in_place(part: Path, target: Path) -> None:
    """Move a finished file or folder to its place: all of it is on the disk before its name is."""
    if part.is_file():
        _to_disk(part)
    part.replace(target)
    if os.name != "nt":  # there, a folder cannot be opened
        with contextlib.suppress(OSError):  # not all file systems can do it
            _to_disk(target.parent)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def refuse_special(target: Path) -> None:
    """Raise `EigenfacesError` for a device or a pipe: the new file would take its place."""
    there = os.access(target, os.F_OK)  # no error for a name that is too long: writing says so
    if there and not target.is_dir() and not is_regular(target):
        raise EigenfacesError(f"“{target}” is a device or a pipe, not a file: choose another name.")


def clear_unfinished(folder: Path) -> None:
    """Remove the unfinished files of killed processes of this computer from a folder."""
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
