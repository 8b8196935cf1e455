"""Errors with messages for users, the log, and ticks, which report progress and can cancel work."""

import logging
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Literal

Tick = Callable[[int, int], None]  # ``tick(done, total)``; it may raise `Cancelled`

STOPPED = "Stopped. Nothing is left half-written."  # the message of a command after Ctrl-C
INTERRUPTED = 130  # the exit code of a command after Ctrl-C


class EigenfacesError(Exception):
    """Raised when something fails in an expected way. All errors shown to users are of this type.

    The message is a full sentence that says what happened and what to do.
    """


Fault = Literal[
    "unreadable",
    "no face",
    "several faces",
    "doubtful",
    "not a face",
    "unlike",
    "duplicate",
    "changed",
    "unnamed",
    "left out",
]
"""The kinds of reasons why a photograph is not used."""


def reason_of(error: OSError) -> str:
    """Return the reason for a system error without a full stop, for use in a sentence.

    Libraries also raise such errors, often without an error number and so without a message.

    >>> reason_of(PermissionError(13, "Permission denied", "a.png"))
    'Permission denied'
    >>> reason_of(OSError("12 requested and 0 written"))
    '12 requested and 0 written'
    """
    return (error.strerror or str(error) or "no reason is given").rstrip(".")


class PhotoError(EigenfacesError):
    """Raised when a photograph cannot be used. The message gives the reason."""

    def __init__(self, reason: str, kind: Fault = "unreadable") -> None:
        super().__init__(reason)
        self.kind = kind


class ProjectError(EigenfacesError):
    """Raised when a project file cannot be opened or written."""


class MovedAwayError(ProjectError):
    """Raised when another program has moved, deleted or replaced the file of an open project."""


class NotPossibleError(EigenfacesError):
    """Raised when a recipe cannot be used on the given faces. It may work on others."""


class NotTrainedError(EigenfacesError):
    """Raised when a face space is needed but there is none yet."""


class Cancelled(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised by a tick when the user cancels. It is not an error, and nothing has been changed."""


def no_tick(done: int, total: int) -> None:
    """Do nothing. This is the default tick: it reports no progress and never cancels."""


def part_of(tick: Tick, number: int, parts: int) -> Tick:
    """Return a tick for one of several equal parts of the work. ``number`` counts from 0."""
    return lambda done, total: tick(number * total + done, parts * total)


PER_CENT = 100  # the total that a tick reports for work in stages


def in_stages(
    parts: Mapping[str, float], tick: Tick, enter: Callable[[str], object]
) -> Callable[[str], Tick]:
    """Return a function that begins a stage, calls ``enter`` with its name, and returns its tick.

    ``parts`` gives the names of the stages in order, each with its approximate share of the work. A
    stage may be skipped. ``tick`` is called with the percentage done, out of `PER_CENT`.
    """
    starts = dict(zip(parts, accumulate(parts.values(), initial=0.0), strict=False))
    whole = sum(parts.values())
    most = 0

    def begin(name: str) -> Tick:
        def inside(done: int, total: int) -> None:
            nonlocal most
            share = parts[name] * min(done / total, 1.0) if total else 0.0
            most = max(most, int(PER_CENT * (starts[name] + share) / whole))
            tick(most, PER_CENT)

        enter(name)
        inside(0, 1)
        return inside

    return begin


def log_to_file() -> Path:
    """Send the log of “eigenfaces” to a file in the platform's log folder, and return its path.

    The file is emptied first if it exceeds 1 MB. As it names photographs, only its owner may read
    it.
    """
    from platformdirs import user_log_path

    path = user_log_path("eigenfaces", appauthor=False) / "eigenfaces.log"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        full = path.stat().st_size > 1_000_000
        handler = logging.FileHandler(path, "w" if full else "a", encoding="utf-8")
    except OSError:  # a full disk must not keep anybody from working
        return path
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log = logging.getLogger("eigenfaces")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    return path
