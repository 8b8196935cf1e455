"""The errors, with sentences for people; their log; and the tick: progress and cancellation."""

import logging
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Literal

Tick = Callable[[int, int], None]  # ``tick(done, total)``; it may raise `Cancelled`

STOPPED = "Stopped. Nothing is left half-written."  # what a command says that Ctrl-C ended …
INTERRUPTED = 130  # … and its exit code


class EigenfacesError(Exception):
    """Raised where something fails that can be expected: every error for people is one.

    Its text is a full sentence: what happened and what to do.
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
"""Why a photograph is not used: of what kind the reason is."""


def reason_of(error: OSError) -> str:
    """Return why the system did not do something, for the end of a sentence, without its stop.

    Libraries raise such errors, too, often without the number by which the system has words.

    >>> reason_of(PermissionError(13, "Permission denied", "a.png"))
    'Permission denied'
    >>> reason_of(OSError("12 requested and 0 written"))
    '12 requested and 0 written'
    """
    return (error.strerror or str(error) or "no reason is given").rstrip(".")


class PhotoError(EigenfacesError):
    """One photograph cannot be used; the text is the reason."""

    def __init__(self, reason: str, kind: Fault = "unreadable") -> None:
        super().__init__(reason)
        self.kind = kind


class ProjectError(EigenfacesError):
    """A project file cannot be opened or written."""


class MovedAwayError(ProjectError):
    """The file of an open project was moved, deleted or replaced by another program."""


class NotPossibleError(EigenfacesError):
    """A recipe cannot be used on these faces; on others it might be."""


class NotTrainedError(EigenfacesError):
    """Something needs a face space and there is none yet."""


class Cancelled(Exception):  # noqa: N818 - not an error: the person asked for it
    """Raised by a tick when the person asked to stop: it is no error. Nothing was changed."""


def no_tick(done: int, total: int) -> None:
    """Do nothing: the default tick, without progress or cancellation."""


def part_of(tick: Tick, number: int, parts: int) -> Tick:
    """Return the tick of one of several parts of equal length, counted from 0."""
    return lambda done, total: tick(number * total + done, parts * total)


PER_CENT = 100  # the total of work in stages, whatever is counted inside each: per cent


def in_stages(
    parts: Mapping[str, float], tick: Tick, enter: Callable[[str], object]
) -> Callable[[str], Tick]:
    """Return what begins a stage: it calls ``enter`` with its name, and returns its tick.

    ``parts``: the names of the stages in order, and about how much of the whole each is; one that
    does not happen is skipped by the next. ``tick`` gets the percentage done, out of `PER_CENT`.
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
    """Let the logger “eigenfaces” write to the platform's log folder; return the file.

    It begins anew where it has a megabyte. Only its owner may read it, as it names photographs.
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
