"""Report of an evaluation: a self-contained HTML page, its JSON, and other files.

The page has no scripts and loads nothing. It does not reveal the folders of this computer. The JSON
file records the folder of the photographs as the user gave it, so that ``repeat`` finds them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.metrics import RESAMPLES, MetricKind
from eigenfaces.evaluation.protocols import EXPLANATIONS
from eigenfaces.evaluation.records import Evaluation, EvaluationRecord, EvaluationSource, to_json
from eigenfaces.evaluation.result_words import (
    left_out_words,
    middle_words,
    remarks,
    strangers_words,
    truncation_words,
)
from eigenfaces.files import atomic_write, atomic_writes, check_empty
from eigenfaces.manual.sections import glossary
from eigenfaces.recognition.recipe import components_words
from eigenfaces.report import tables
from eigenfaces.report.figure import OMITTED_METADATA, render
from eigenfaces.report.plots import plots_of
from eigenfaces.text import capital, count

if TYPE_CHECKING:
    from markupsafe import Markup

_LONGEST = 28  # letters in a row before a name may break

TERMS = (
    "probe",
    "mated, non-mated comparison",
    "closed set, open set",
    "rank-1, rank-5",
    "CMC",
    "balanced accuracy",
    "FMR",
    "FNMR",
    "FAR, TAR",
    "EER",
    "HTER",
    "FPIR",
    "DIR, FNIR",
    "ROC",
    "DET",
    "95 % interval",
)
"""Glossary terms that a report explains, as in ISO/IEC 19795-1."""


def to_html(record: EvaluationRecord, tick: Tick = no_tick) -> str:
    """Return a record's report as one HTML page. The same record always gives the same page.

    ``tick`` is called before each figure is drawn.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("eigenfaces.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"capital": capital, "breakable": _breakable}
    record = with_relative_paths(record)
    evaluation = record.evaluation
    figures = []
    plots = plots_of(evaluation)
    for done, plot in enumerate(plots):
        tick(done, len(plots))
        svg = render(plot, "svg")[0].decode()
        svg = re.sub(r' width="[^"]*" height="[^"]*"', "", svg[svg.index("<svg") :], count=1)
        figures.append({"plot": plot, "wide": plot.size[0] > 5, "svg": Markup(svg)})  # inches
    notes = remarks(evaluation)
    protocol = evaluation.setting.protocol
    explanation = EXPLANATIONS[protocol.kind].format(**vars(protocol))
    words = strangers_words(evaluation), middle_words(evaluation), truncation_words(evaluation)
    return environment.get_template("page.html").render(
        title=f"Evaluation of {evaluation.setting.recipe.name} on {_source(record.source)[0]}",
        result=result_sentence_parts(evaluation),
        evaluation=evaluation,
        tables=tables,
        controls=tables.controls_table(notes),
        warnings=[f"{note.title}: {note.sentence}" for note in notes if note.warns],
        left_out=left_out_words(evaluation),
        figures=figures,
        protocol=" ".join(filter(None, (explanation, *words))),
        resamples=RESAMPLES,
        settings=settings(record).items(),
        versions=record.versions,
        glossary=[(term, glossary()[term]) for term in TERMS],
    )


def _breakable(name: str) -> Markup:
    """Return a name that may be wrapped after slashes and within very long words."""
    from markupsafe import Markup

    return Markup("<wbr>").join(re.findall(rf"[^/]{{1,{_LONGEST - 1}}}/?|/", name))


def _source(source: EvaluationSource) -> tuple[str, str]:
    """Describe the origin of the photographs for a title and for a list, without parent folders."""
    name = Path(source.place).name or source.place
    return {
        "sample": ("the AT&T faces", "sample of the program: the AT&T faces"),
        "folder": (f"the photos in “{name}”", f"folder “{name}”"),
        "project": (f"the project “{name}”", f"project “{name}”"),
    }[source.kind]


def result_sentence_parts(evaluation: Evaluation) -> tuple[str, str, str]:
    """Return the result sentence in three parts: text before the number, the number, the rest.

    The sentence states the interval, recipe, protocol and seeds.
    """
    setting = evaluation.setting
    recipe, protocol, seed = setting.recipe, setting.protocol, setting.seed
    own = getattr(protocol, "seed", seed)
    seeds = f"seed {seed}" if own == seed else f"seed {own} of the protocol, {seed} of resampling"
    compared = f"{recipe.matcher.distance}, {components_words(recipe.matcher)}"
    how = f"{recipe.name} ({compared}), protocol “{protocol.words()}”, {seeds}"
    figure = next(iter(evaluation.metrics), None)
    if figure is None:
        return f"There is no figure, because nobody searched for is enrolled: {how}.", "", ""
    answers: dict[MetricKind, str] = {
        "rank-1": "The right person came first in",
        "pair accuracy": "Whether two photos show one person was decided correctly in",
    }
    what = f" of {figure.note}" if figure.kind in answers else f", {figure.note}"
    after = f"{what}: {how}; in brackets the 95 % interval, {figure.by}."
    return f"{answers.get(figure.kind, figure.kind)} ", figure.words(), after


def settings(record: EvaluationRecord) -> dict[str, str]:
    """Return all settings of a run as text, by name."""
    source, preparation, evaluation = record.source, record.preparation, record.evaluation
    setting, thresholds = evaluation.setting, evaluation.thresholds
    protocol = setting.protocol
    recipe = setting.recipe
    matcher = setting.recipe.matcher
    search = "found thoroughly" if source.thorough else "found"
    cut = "the photos are cropped faces" if preparation.already_cropped else f"{search} and aligned"
    lines = {
        "photos": f"{len(evaluation.photos)}, of {len(evaluation.people)} people",
        "source": _source(source)[1],
        "faces": f"{preparation.width} × {preparation.height} pixels (width × height), {cut}",
    }
    if source.pattern:
        lines["person from file name"] = source.pattern
    if source.eyes:
        lines["eyes"] = f"from “{Path(source.eyes).name}”"
    lines |= {"recipe": recipe.name, "compared": components_words(matcher)}
    others = recipe.settings.keys() - {"components", "dropped"}
    lines |= {name: str(value) for name, value in recipe.settings.items() if name in others}
    finite = thresholds[np.isfinite(thresholds)]
    ends = f"{finite.min():.4g} to {finite.max():.4g}" if len(finite) else "–"
    leaks = f"yes; {count(len(evaluation.leaks), 'leak')} found"
    return lines | {
        "protocol": f"{protocol.words()} ({protocol.kind}, {count(len(thresholds), 'fold')})",
        "seed of the protocol": str(getattr(protocol, "seed", "none: nothing is drawn at random")),
        "seed of resampling": str(setting.seed),
        "thresholds chosen": ends,
        "leaks allowed": leaks if setting.allow_leaks else "no",
    }


def with_relative_paths(record: EvaluationRecord) -> EvaluationRecord:
    """Return the record with photograph paths relative to the folder that they came from.

    If some photographs are elsewhere, paths are relative to the innermost folder that has them all.
    Paths that are already relative, or on different drives, are kept. So is
    `EvaluationRecord.source`, which records where the photographs are.
    """
    evaluation, source = record.evaluation, record.source
    paths = [photo.path for photo in evaluation.photos]
    if not paths or not all(path.is_absolute() for path in paths):
        return record
    folder = Path(source.place).absolute()
    known = source.kind == "folder" and source.place
    if not known or not all(path.is_relative_to(folder) for path in paths):
        try:
            folder = Path(os.path.commonpath([path.parent for path in paths]))
        except ValueError:
            return record

    def below(path: Path) -> Path:
        return path.relative_to(folder) if path.is_relative_to(folder) else Path(path.name)

    photos = tuple(
        replace(face, photograph=replace(face.photograph, path=below(face.path)))
        for face in evaluation.photos
    )
    unused = tuple(replace(photo, path=below(photo.path)) for photo in evaluation.unused)
    return replace(record, evaluation=replace(evaluation, photos=photos, unused=unused))


def write_report(
    record: EvaluationRecord, target: Path | str, tick: Tick = no_tick
) -> tuple[Path, ...]:
    """Write a report to files, replacing any files with the same names.

    The paths of photographs are relative. Only the JSON file records their folder, as the user gave
    it, so that ``repeat`` can find them.

    Parameters
    ----------
    record
        The evaluation, with the preparation and origin of its faces.
    target
        ``….html`` for the page, with ``….json`` and ``…-scores.txt`` beside it, or ``….json`` for
        only the latter two files.
    tick
        Called with the number of figures drawn and the total number of figures.

    Returns
    -------
    tuple of Path
        The files that were written, the target first.

    Raises
    ------
    EigenfacesError
        The target has another suffix, or a file cannot be written. Nothing is changed then, unless
        a file could not be moved into place, in which case the message says which files are new.
    Cancelled
        Raised by ``tick``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from eigenfaces import EvaluationSetting, EvaluationSource, evaluate
    >>> from eigenfaces import FaceSet, KFold, Preparation, Recipe
    >>> rng = np.random.default_rng(0)
    >>> images = np.repeat(0.7 * rng.random((2, 16, 16)), 3, axis=0) + 0.3 * rng.random((6, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada"] * 3 + ["Grace"] * 3)
    >>> result = evaluate(faces, EvaluationSetting(Recipe(), KFold(3), curves=False))
    >>> source = EvaluationSource("folder", "people/")
    >>> record = EvaluationRecord(result, Preparation(16, 16), source)
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in write_report(record, f"{folder}/report.json")]
    ['report.json', 'report-scores.txt']
    """
    paths = report_files(Path(target))
    contents = [to_json(with_relative_paths(record)), "".join(score_lines(record))]
    if len(paths) > len(contents):
        contents.insert(0, to_html(record, tick))
    for path in paths:
        if path.is_dir():
            raise EigenfacesError(f"“{path}” is a folder. Choose another name for the report.")
    with atomic_writes(paths) as parts:
        for part, content in zip(parts, contents, strict=True):
            # Bytes of a file name that are not valid text are escaped as in JSON.
            part.write_text(content, "utf-8", errors="backslashreplace", newline="")
    return paths


def report_files(target: Path) -> tuple[Path, ...]:
    """Return the files that `write_report` writes; raise `EigenfacesError` for other suffixes."""
    scores = target.with_name(f"{target.stem}-scores.txt")
    suffix = target.suffix.lower()
    if suffix == ".json":
        return target, scores
    if suffix == ".html":
        return target, target.with_suffix(".json"), scores
    raise EigenfacesError(
        f"“{target.name}” is not the name of a report: it must end in .html or .json. For a PDF, "
        "open the page in a browser and print it there."
    )


def write_figures(record: EvaluationRecord, folder: Path, tick: Tick = no_tick) -> tuple[Path, ...]:
    """Write every figure as SVG, PNG and PDF into a new or empty folder, and return the files."""
    check_empty(folder)
    plots = plots_of(record.evaluation)
    names = []
    with atomic_write(folder) as part:
        part.mkdir()
        for done, plot in enumerate(plots):
            tick(done, len(plots))
            for suffix, content in zip(
                OMITTED_METADATA, render(plot, *OMITTED_METADATA), strict=True
            ):
                names.append(f"{plot.stem}.{suffix}")
                (part / names[-1]).write_bytes(content)
    return tuple(folder / name for name in names)


def score_lines(record: EvaluationRecord) -> Iterator[str]:
    """Yield a line ``claimed_id real_id probe_label score`` for every comparison.

    The format is Bob's (``bob.bio.base.score.load.four_column``). The score is the negated
    distance, the claimed identity is an enrolled person, and the real identity is the person in the
    probe. The label is the probe's file, preceded by the fold if the probe is in several folds. For
    a pair, the label consists of both files.
    """
    evaluation = with_relative_paths(record).evaluation
    searches, pairs = evaluation.searches, evaluation.pairs
    people = _words(evaluation.people)
    files = _words(photo.path.as_posix() for photo in evaluation.photos)
    if searches is not None:
        folds = np.bincount(np.unique([searches.fold, searches.probes], axis=1)[1])
        for row, probe in enumerate(searches.probes.tolist()):
            fold = f"fold{searches.fold[row] + 1}/" if folds[probe] > 1 else ""
            real = people[searches.people[row]]
            scores = -searches.distances[row]
            for person in np.flatnonzero(searches.is_comparison[row]).tolist():
                yield f"{people[person]} {real} {fold}{files[probe]} {float(scores[person])!r}\n"
    if pairs is not None:
        places = {name: place for place, name in enumerate(evaluation.people)}
        names = [people[places[photo.person or ""]] for photo in evaluation.photos]
        for (first, second), far in zip(pairs.pairs.tolist(), pairs.distances, strict=True):
            yield f"{names[second]} {names[first]} {files[first]},{files[second]} {-float(far)!r}\n"


def _words(names: Iterable[str]) -> list[str]:
    """Return names without spaces or a leading ``#`` (comment sign), numbered if any coincide."""
    names = list(names)
    words = [re.sub("^#", "_", "_".join(name.split()) or "_") for name in names]
    if len({*words}) == len({*names}):
        return words
    return [f"{word}~{1 + names.index(name)}" for word, name in zip(words, names, strict=True)]
