"""Writing reports, figures and scores to files, without the folders of this machine."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.records import Record, to_json
from eigenfaces.project.exports import check_empty
from eigenfaces.project.file import atomic_write
from eigenfaces.report.figure import Suffix, rendered
from eigenfaces.report.page import to_html, with_relative_paths
from eigenfaces.report.plots import plots_of

_KINDS: tuple[Suffix, ...] = ("svg", "png", "pdf")
_LINES = 1000  # of a file, in some milliseconds


def write_report(
    record: Record, target: Path, tick: Tick = no_tick, other: Record | None = None
) -> tuple[Path, ...]:
    """Write a report; return the files, first the target. Those of these names are replaced.

    ``target``: ``….html`` is the page, beside it ``….json`` and ``…-scores.txt``; ``….json`` is
    these two. Of photographs only the names are written, not their folders. ``other``: a second
    evaluation to be compared with it, on the page. ``tick``: after each figure, and some lines.

    Raises `EigenfacesError` for another suffix, or where files cannot be written: then nothing is
    changed.
    """
    *page, json, scores = report_files(target)
    contents: dict[Path, Iterable[str]] = {path: [to_html(record, tick, other)] for path in page}
    contents[json] = [to_json(with_relative_paths(record))]
    contents[scores] = four_columns(record)
    for path in contents:
        if path.is_dir():
            raise EigenfacesError(f"“{path}” is a folder. Choose another name for the report.")
    with ExitStack() as stack:
        for path, content in contents.items():
            part = stack.enter_context(atomic_write(path))
            # Bytes of a file name that are not text are escaped as in JSON.
            with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
                for number, piece in enumerate(content, start=1):
                    file.write(piece)
                    if number % _LINES == 0:
                        tick(0, 0)
    return tuple(contents)


def report_files(target: Path) -> tuple[Path, ...]:
    """Return what `write_report` writes; `EigenfacesError` if the target has another suffix."""
    scores, suffix = target.with_name(f"{target.stem}-scores.txt"), target.suffix.lower()
    if suffix == ".json":
        return target, scores
    if suffix == ".html":
        return target, target.with_suffix(".json"), scores
    if suffix == ".pdf":
        raise EigenfacesError(
            "A report is a page that prints well: let its name end in .html, open it in a browser, "
            "and print it there into a PDF. Figures are written as PDF on their own."
        )
    raise EigenfacesError(f"“{target.name}” is no name for a report: let it end in .html or .json.")


def figures_folder(parent: Path) -> Path:
    """Return a new folder for figures inside another, so that nothing is mixed or replaced."""
    numbered = (parent / f"figures {number}" for number in itertools.count(2))
    folders = itertools.chain([parent / "figures"], numbered)
    return next(each for each in folders if not each.exists())


def write_figures(record: Record, folder: Path, tick: Tick = no_tick) -> tuple[Path, ...]:
    """Write every figure as SVG, PNG and PDF into a new or empty folder; return the files."""
    check_empty(folder)
    some = plots_of(record.evaluation)
    names = []
    with atomic_write(folder) as part:
        part.mkdir()
        for done, plot in enumerate(some):
            tick(done, len(some))
            for suffix, content in zip(_KINDS, rendered(plot, *_KINDS), strict=True):
                names.append(f"{plot.stem}.{suffix}")
                (part / names[-1]).write_bytes(content)
    return tuple(folder / name for name in names)


def four_columns(record: Record) -> Iterator[str]:
    """Yield every comparison as ``claimed_id real_id probe_label score``, one a line.

    The format is that of Bob (``bob.bio.base.score.load.four_column`` in its manual): columns apart
    by blanks, ``#`` before a comment. The score is minus the distance. The claimed identity is
    somebody enrolled, the real one whoever is on the probe, a stranger, too. The label is the
    probe's file, after the number of the fold if there are several; of a pair, both files.

    Blanks in names become ``_``; where that makes two names the same, the later gets a number.
    """
    evaluation = with_relative_paths(record).evaluation
    searches, pairs = evaluation.searches, evaluation.pairs
    people = _words(evaluation.people)
    files = _words(photo.path.as_posix() for photo in evaluation.photos)
    if searches is not None:
        asked = list(zip(searches.fold.tolist(), searches.probes.tolist(), strict=True))
        times = Counter(probe for _, probe in set(asked))
        for place, (fold, probe) in enumerate(asked):
            real, label = people[searches.people[place]], files[probe]
            label = f"fold{fold + 1}/{label}" if times[probe] > 1 else label
            claimed = np.flatnonzero(searches.compared[place])
            scores = (-searches.distances[place, claimed]).tolist()
            for who, score in zip(claimed.tolist(), scores, strict=True):
                yield f"{people[who]} {real} {label} {score!r}\n"
    if pairs is not None:
        named = dict(zip(evaluation.people, people, strict=True))
        shown = [named[photo.person or ""] for photo in evaluation.photos]
        scores = (-pairs.distances).tolist()
        for (first, second), score in zip(pairs.pairs.tolist(), scores, strict=True):
            yield f"{shown[second]} {shown[first]} {files[first]},{files[second]} {score!r}\n"


def _words(names: Iterable[str]) -> list[str]:
    """Make one word of each name, and of names that differ words that differ."""
    words: dict[str, str] = {}
    used: set[str] = set()
    for name in dict.fromkeys(names):
        word = re.sub("^#", "_", "_".join(name.split()) or "_")
        numbered = (f"{word}~{number}" for number in itertools.count(2))
        words[name] = next(each for each in itertools.chain([word], numbered) if each not in used)
        used.add(words[name])
    return list(words.values())
