"""Files and folders written whole or not at all; what a killed process has left is cleared."""

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
from eigenfaces.photographs.decoding import resolved

_HOST = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())[:20]

_PART = re.compile(
    r"\..*\.(?P<host>[A-Za-z0-9-]*)\.(?P<process>[0-9]+)-[0-9]+\.eigenfaces-part(-journal)?"
)
"""The name of what is not finished says whose it is: other computers may share the folder."""

_numbers = itertools.count()
_being_written: set[Path] = set()


@contextlib.contextmanager
def beside(target: Path) -> Iterator[Path]:
    """Give out a free place beside ``target``, hidden; what is left there at the end is removed.

    Whatever processes that are no more have left in this folder goes first.
    """
    clear_unfinished(target.parent)
    whose = f"{_HOST}.{os.getpid()}-{next(_numbers)}"
    part = target.with_name(f".{target.name[:40]}.{whose}.eigenfaces-part")
    _being_written.add(part)
    try:
        yield part
    finally:
        _remove(part)
        _remove(part.with_name(f"{part.name}-journal"))
        _being_written.discard(part)


@contextlib.contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """Give out a place beside ``target`` for a file or folder; move it there when all is well.

    Whatever interrupts the work, ``target`` is as it was. An existing folder must be empty.
    """
    target = resolved(target)
    with beside(target) as part:
        try:
            yield part
            if part.is_dir() and target.is_dir():
                for file in sorted(part.iterdir()):
                    file.replace(target / file.name)
            else:
                part.replace(target)
        except OSError as error:
            # NumPy does not say why it could not write: then it is that, in all likelihood.
            reason = error.strerror or os.strerror(errno.ENOSPC)
            raise EigenfacesError(f"“{target}” cannot be written: {reason}.") from error


def clear_unfinished(folder: Path) -> None:
    """Remove what processes of this computer began to write in a folder before they were killed."""
    with contextlib.suppress(OSError):
        for path in list(folder.iterdir()):
            if (found := _PART.fullmatch(path.name)) and found["host"] == _HOST:
                owner = path.with_name(path.name.removesuffix("-journal"))
                if not _is_alive(int(found["process"]), owner):
                    _remove(path)


def _is_alive(process: int, part: Path) -> bool:
    """Say whether somebody may be at work on a part; dead processes leave their numbers free."""
    if process == os.getpid():
        return part in _being_written
    import psutil

    return psutil.pid_exists(process)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
