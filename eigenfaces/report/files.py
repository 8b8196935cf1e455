"""Write reports, figures and scores to files, without the folders of this machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.records import Record, to_json
from eigenfaces.project.exports import check_empty
from eigenfaces.project.file import atomic_write
from eigenfaces.report.figure import OMITTED_METADATA, rendered
from eigenfaces.report.page import to_html, with_relative_paths
from eigenfaces.report.plots import plots_of


def write_report(record: Record, target: Path, tick: Tick = no_tick) -> tuple[Path, ...]:
    """Write a report; return the files, first the target. Those of these names are replaced.

    ``target``: ``….html`` is the page, with ``….json`` and ``…-scores.txt`` beside it; ``….json``
    is these two. Photographs are named without the folders of this machine. ``tick``: called after
    each figure.

    Raises `EigenfacesError` for another suffix, or where files cannot be written: then nothing is
    changed.
    """
    paths = report_files(target)
    contents = [to_json(with_relative_paths(record)), "".join(four_columns(record))]
    if len(paths) > len(contents):
        contents.insert(0, to_html(record, tick))
    for path in paths:
        if path.is_dir():
            raise EigenfacesError(f"“{path}” is a folder. Choose another name for the report.")
    with ExitStack() as stack:
        for path, content in zip(paths, contents, strict=True):
            part = stack.enter_context(atomic_write(path))
            # Bytes of a file name that are not text are escaped as in JSON.
            part.write_text(content, "utf-8", errors="backslashreplace", newline="")
    return paths


def report_files(target: Path) -> tuple[Path, ...]:
    """Return the files of `write_report`; `EigenfacesError` if the target has another suffix."""
    scores, suffix = target.with_name(f"{target.stem}-scores.txt"), target.suffix.lower()
    if suffix == ".json":
        return target, scores
    if suffix == ".html":
        return target, target.with_suffix(".json"), scores
    raise EigenfacesError(
        f"“{target.name}” is not the name of a report: let it end in .html or .json. For a PDF, "
        "open the page in a browser, and print it there."
    )


def write_figures(record: Record, folder: Path, tick: Tick = no_tick) -> tuple[Path, ...]:
    """Write every figure as SVG, PNG and PDF into a new or empty folder; return the files."""
    check_empty(folder)
    plots = plots_of(record.evaluation)
    names = []
    with atomic_write(folder) as part:
        part.mkdir()
        for done, plot in enumerate(plots):
            tick(done, len(plots))
            for suffix, content in zip(
                OMITTED_METADATA, rendered(plot, *OMITTED_METADATA), strict=True
            ):
                names.append(f"{plot.stem}.{suffix}")
                (part / names[-1]).write_bytes(content)
    return tuple(folder / name for name in names)


def four_columns(record: Record) -> Iterator[str]:
    """Yield every comparison as ``claimed_id real_id probe_label score``, one a line.

    The format is Bob's (``bob.bio.base.score.load.four_column``): the score is minus the distance,
    the claimed identity an enrolled person, the real one whoever is on the probe, and the label the
    file of the probe, after the number of the fold if there are several; of a pair, both files.
    """
    evaluation = with_relative_paths(record).evaluation
    searches, pairs = evaluation.searches, evaluation.pairs
    people = _words(evaluation.people)
    files = _words(photo.path.as_posix() for photo in evaluation.photos)
    if searches is not None:
        folds = np.bincount(np.unique([searches.fold, searches.probes], axis=1)[1])
        for row, probe in enumerate(searches.probes.tolist()):
            fold = f"fold{searches.fold[row] + 1}/" if folds[probe] > 1 else ""
            real, scores = people[searches.people[row]], -searches.distances[row]
            for person in np.flatnonzero(searches.compared[row]).tolist():
                yield f"{people[person]} {real} {fold}{files[probe]} {float(scores[person])!r}\n"
    if pairs is not None:
        places = {name: place for place, name in enumerate(evaluation.people)}
        names = [people[places[photo.person or ""]] for photo in evaluation.photos]
        for (first, second), far in zip(pairs.pairs.tolist(), pairs.distances, strict=True):
            yield f"{names[second]} {names[first]} {files[first]},{files[second]} {-float(far)!r}\n"


def _words(names: Iterable[str]) -> list[str]:
    """Return names without blanks, numbered where two would be the same; ``#`` begins a comment."""
    names = list(names)
    words = [re.sub("^#", "_", "_".join(name.split()) or "_") for name in names]
    if len({*words}) == len({*names}):
        return words
    return [f"{word}~{1 + names.index(name)}" for word, name in zip(words, names, strict=True)]
