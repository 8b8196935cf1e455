"""Writing reports, figures and scores to files, without the folders of this machine."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.records import Record, to_json
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.project.exports import check_empty
from eigenfaces.project.file import atomic_write
from eigenfaces.report.figure import Suffix, rendered
from eigenfaces.report.page import to_html, with_relative_paths
from eigenfaces.report.plots import plots_of

_KINDS: tuple[Suffix, ...] = ("svg", "png", "pdf")
_TICK_AFTER = 1 << 16  # characters of a file: some milliseconds


def write_report(
    record: Record, target: Path, tick: Tick = no_tick, other: Record | None = None
) -> tuple[Path, ...]:
    """Write a report; existing files of these names are replaced.

    Parameters
    ----------
    record
        The evaluation; only the names of its photographs are written, not their folders.
    target
        ``….html``: the page, and beside it ``….json`` and ``…-scores.txt``. ``….json``: these two.
    tick
        Called after each figure, and now and then while files are written.
    other
        A second evaluation to be compared with it, on the page.

    Returns
    -------
        The files written: first the target, then those beside it.

    Raises
    ------
    EigenfacesError
        Another suffix, or the files cannot be written; then nothing is changed.
    """
    *page, figures, scores = report_files(target)
    written: dict[Path, Iterable[str]] = {path: [to_html(record, tick, other)] for path in page}
    written[figures] = [to_json(with_relative_paths(record))]
    written[scores] = four_columns(record)
    return _written(written, tick)


def report_files(target: Path) -> tuple[Path, ...]:
    """Return what `write_report` writes: the target, and the files beside it."""
    scores = target.with_name(f"{target.stem}-scores.txt")
    if check_name(target).suffix.lower() == ".json":
        return target, scores
    return target, target.with_suffix(".json"), scores


def check_name(target: Path) -> Path:
    """Return the path of a report; raise `EigenfacesError` early if it is not possible."""
    suffix = target.suffix.lower()
    if suffix == ".pdf":
        raise EigenfacesError(
            "A report is a page that prints well: let its name end in .html, open it in a browser, "
            "and print it there into a PDF. Figures are written as PDF on their own."
        )
    if suffix not in (".html", ".json"):
        raise EigenfacesError(
            f"“{target.name}” is no name for a report: let it end in .html or .json."
        )
    return target


def _written(contents: Mapping[Path, Iterable[str]], tick: Tick) -> tuple[Path, ...]:
    """Write all of these files, or none, in UTF-8, one piece of text after another.

    Bytes of a file name that are not text are escaped as in JSON.
    """
    for path in contents:
        if path.is_dir():
            raise EigenfacesError(f"“{path}” is a folder. Choose another name for the report.")
    with ExitStack() as stack:
        for path, content in contents.items():
            part = stack.enter_context(atomic_write(path))
            with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
                since = 0
                for piece in content:
                    since += file.write(piece)
                    if since > _TICK_AFTER:
                        tick(0, 0)
                        since = 0
    return tuple(contents)


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


Score = tuple[str, str, str, float]
"""Claimed identity, real identity, label of the probe, score."""


def four_columns(record: Record) -> Iterator[str]:
    """Yield every comparison as ``claimed_id real_id probe_label score``, one a line.

    The format is that of Bob, documented at ``bob.bio.base.score.load.four_column`` in its manual:
    columns apart by blanks, a line that begins with ``#`` is a comment, and a higher score is more
    alike. The score is minus the distance. The claimed identity is an enrolled person, the real
    one whoever is on the probe, also where that person is a stranger to the gallery. The label is
    the probe's file; a probe searched for in several folds has the number of the fold before it, so
    that no tool takes two searches for one. Of a pair, both files are the label.

    Blanks in names become ``_``; where that makes two names the same, the later gets a number.
    """
    record = with_relative_paths(record)
    evaluation = record.evaluation
    people = _words(evaluation.people)
    files = _words(photo.path.as_posix() for photo in evaluation.photos)
    if evaluation.searches is not None:
        lines = _of_searches(evaluation.searches, people, files)
    else:
        assert evaluation.pairs is not None
        named = dict(zip(evaluation.people, people, strict=True))
        who = [named[photo.person or ""] for photo in evaluation.photos]
        lines = _of_pairs(evaluation.pairs, who, files)
    return (f"{claimed} {real} {label} {score!r}\n" for claimed, real, label, score in lines)


def _of_searches(searches: Searches, people: list[str], files: list[str]) -> Iterator[Score]:
    labels, own = _labels(searches, files), searches.people.tolist()
    for place, compared in enumerate(searches.compared):
        claimed = np.flatnonzero(compared)
        distances = searches.distances[place, claimed].tolist()
        for who, distance in zip(claimed.tolist(), distances, strict=True):
            yield people[who], people[own[place]], labels[place], -distance


def _labels(searches: Searches, files: list[str]) -> list[str]:
    """Return what to call each search: its file, and its fold where the file comes in several."""
    folds = searches.fold.tolist()
    asked = list(zip(folds, searches.probes.tolist(), strict=True))
    times = Counter(probe for _, probe in set(asked))
    return [
        f"fold{fold + 1}/{files[probe]}" if times[probe] > 1 else files[probe]
        for fold, probe in asked
    ]


def _of_pairs(pairs: PairScores, who: list[str], files: list[str]) -> Iterator[Score]:
    for (first, second), distance in zip(
        pairs.pairs.tolist(), pairs.distances.tolist(), strict=True
    ):
        yield who[second], who[first], f"{files[first]},{files[second]}", -distance


def _words(names: Iterable[str]) -> list[str]:
    """Make one word of each name, and of names that differ words that differ."""
    words: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        if name not in words:
            words[name] = _free(_word(name), used)
            used.add(words[name])
    return list(words.values())


def _word(name: str) -> str:
    word = "_".join(name.split()) or "_"
    return f"_{word[1:]}" if word.startswith("#") else word


def _free(word: str, used: Set[str]) -> str:
    numbered = (f"{word}~{number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([word], numbered) if each not in used)
