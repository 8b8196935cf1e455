"""One page of HTML with everything on it: no scripts, nothing fetched from anywhere."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.metrics import RESAMPLES, Figure, FigureKind
from eigenfaces.evaluation.protocols import KFold, NShot, OpenSet
from eigenfaces.evaluation.records import Evaluation, Record, Source
from eigenfaces.evaluation.result_words import remarks
from eigenfaces.manual.sections import glossary
from eigenfaces.recognition.recipe import Recipe, components_words, smoothing_words
from eigenfaces.report import tables
from eigenfaces.report.figure import WIDE, inline, rendered
from eigenfaces.report.plots import plots_of
from eigenfaces.report.tables import Columns, Table
from eigenfaces.text import capital, count, limits, percent

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


_LONGEST = 28  # letters of a name without a break


def to_html(record: Record, tick: Tick = no_tick, other: Record | None = None) -> str:
    """Return the report of a record as one page; the same record gives the same page.

    Parameters
    ----------
    record
        The evaluation and what it came from.
    tick
        Called after each figure.
    other
        A second record, to be compared with it.
    """
    record = with_relative_paths(record)
    evaluation = record.evaluation
    found = remarks(evaluation)
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=heading(record),
            result=result_parts(evaluation),
            evaluation=evaluation,
            tables=tables,
            two_runs=None if other is None else two_runs(record, with_relative_paths(other)),
            controls=tables.controls_table(found),
            warnings=tables.warnings(found),
            left_out=left_out_words(evaluation),
            plots=list(_plots(evaluation, tick)),
            protocol=protocol_sentences(record),
            intervals=INTERVALS,
            thresholds=thresholds_sentences(record),
            settings=settings(record),
            versions=record.versions,
            glossary=GLOSSARY,
            sample=record.source.kind == "sample",
            count=count(len(evaluation.photos)),
            digest=_digest(evaluation),
        )
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("eigenfaces.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {"capital": capital, "breakable": _breakable}
    return found


def _plots(evaluation: Evaluation, tick: Tick) -> Iterator[dict[str, str | bool]]:
    from markupsafe import Markup

    some = plots_of(evaluation)
    for done, plot in enumerate(some):
        tick(done, len(some))
        yield {
            "title": plot.title,
            "caption": plot.caption,
            "wide": plot.size[0] > WIDE,
            "svg": Markup(inline(*rendered(plot, "svg"))),
        }


def _digest(evaluation: Evaluation) -> str:
    """Return the SHA-256 of the list of photographs, as ``sha256sum`` writes it."""
    lines = [f"{photo.key}  {photo.path.as_posix()}\n" for photo in evaluation.photos]
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _breakable(name: str) -> Markup:
    """Return a name that may break after a slash, and in words longer than a column."""
    from markupsafe import Markup

    pieces = (
        part[start : start + _LONGEST]
        for part in re.split(r"(?<=/)", name)
        for start in range(0, len(part), _LONGEST)
    )
    return Markup("<wbr>").join(pieces)


_TERMS = (
    *("probe", "mated, non-mated comparison", "closed set, open set", "rank-1, rank-5", "CMC"),
    *("balanced accuracy", "FMR", "FNMR", "FAR, TAR", "EER", "HTER", "FPIR", "DIR, FNIR"),
    *("ROC", "DET", "95 % interval"),
)
"""Words of the glossary that a report explains."""


def terms() -> tuple[tuple[str, str], ...]:
    """Return the words that a report explains, with what they mean."""
    return tuple((term, glossary()[term]) for term in _TERMS)


def source_text(source: Source) -> str:
    """Return the source of the photographs, without the folders of this machine."""
    if source.kind == "sample":
        return "the AT&T faces"
    name = Path(source.place).name or source.place
    return f"the photos in “{name}”" if source.kind == "folder" else f"the project “{name}”"


def heading(record: Record) -> str:
    """Return what the report is about."""
    return f"Evaluation of {record.evaluation.setting.recipe.name} on {source_text(record.source)}"


def recipe_in_short(recipe: Recipe) -> str:
    """Return the name of a recipe, and what most decides its figures."""
    return f"{recipe.name} ({recipe.matcher.distance}, {components_words(recipe.matcher)})"


def protocol_in_short(evaluation: Evaluation) -> str:
    """Return the protocol and the seeds."""
    protocol, seed = evaluation.setting.protocol, evaluation.setting.seed
    own = getattr(protocol, "seed", seed)
    seeds = f"seed {seed}" if own == seed else f"seed {own} of the protocol, {seed} of resampling"
    return f"“{protocol.words()}”, {seeds}"


_BEFORE: dict[FigureKind, str] = {
    "rank-1": "The right person came first in",
    "pair accuracy": "Whether two photos show one person was said rightly in",
}
"""What stands before the number of searches or pairs that were answered rightly."""


def result_sentence(evaluation: Evaluation) -> str:
    """Return the result with interval, recipe, protocol and seed."""
    return "".join(result_parts(evaluation))


def result_parts(evaluation: Evaluation) -> tuple[str, str, str]:
    """Return `result_sentence` before its number, the number, and what comes after it."""
    by = f"{recipe_in_short(evaluation.setting.recipe)}, protocol {protocol_in_short(evaluation)}"
    figure = next(iter(evaluation.figures), None)
    if figure is None:
        return f"No figure could be had, as nobody enrolled was searched for: {by}.", "", ""
    before = _BEFORE.get(figure.kind, figure.kind)
    what = f" of {figure.note}" if figure.kind in _BEFORE else f", {figure.note}"
    after = f"{what}: {by}; in brackets the 95 % interval, {figure.by}."
    return f"{before} ", figure.words(), after


def left_out_words(evaluation: Evaluation) -> str:
    """Return how many people had too few photos, and what was done with them; no names."""
    many = len(evaluation.left_out)
    if not many:
        return "Nobody was left out for having too few photos"
    who, was = count(many, "person"), "was" if many == 1 else "were"
    kind = evaluation.setting.protocol.kind
    if kind == "open set":
        strangers = "a stranger" if many == 1 else "strangers"
        return f"{who} had too few photos to be members, and {was} searched for as {strangers}"
    if kind in ("n-shot", "first photos"):
        return f"{who} had too few photos for this protocol, and took no part"
    return f"{who} had too few photos to be searched for, and {was} only enrolled"


def threshold_words(evaluation: Evaluation) -> str:
    """Return the thresholds of the folds, “6.21” or “6.10 to 6.52”; without any, a dash."""
    known = evaluation.thresholds[np.isfinite(evaluation.thresholds)]
    if not len(known):
        return "–"
    low, high = f"{known.min():.4g}", f"{known.max():.4g}"
    return low if low == high else f"{low} to {high}"


Pair = tuple[str, str]

PROTOCOLS = {
    "leave-one-out": "Each photo is the probe once, and all others are enrolled. Somebody with a "
    "single photo is enrolled and not searched for.",
    "k-fold": "The photos of each person are dealt at random into {parts} parts. Each part is "
    "searched for with all others enrolled. Somebody with a single photo is always enrolled.",
    "n-shot": "Of each person {enrolled} photos are drawn at random and enrolled, and the others "
    "are searched for; that is repeated {repetitions} times. People with too few photos are left "
    "out.",
    "first photos": "The first {enrolled} photos of each person, in the order of their names, are "
    "enrolled, and the others are searched for. Nothing is drawn at random.",
    "open set": "At random {strangers:.0%} of the people are made strangers. Of each of the others "
    "{enrolled} photos are enrolled; their other photos and all those of strangers are searched "
    "for. That is repeated {repetitions} times.",
    "idiap": "The AT&T protocol of Idiap: the face space is fitted to 20 people. Of the 20 others, "
    "photos 2, 4, 5, 7 and 9 are enrolled, and 1, 3, 6, 8 and 10 are searched for.",
    "lists": "Lists name the photos that are enrolled and those that are searched for; where none "
    "names photos to fit to, the enrolled ones are fitted to. Nothing is drawn at random.",
    "pairs": "Two photos are compared and found to show one person if their distance is at most a "
    "threshold. Face space and threshold come from other pairs than those that are decided.",
}
"""What each kind of protocol does; the fields of the protocol are filled in."""

FITTED_INSIDE = (
    "Everything that is fitted (mean, face space, whitening, the number of components for a share "
    "of the variance, thresholds) is fitted in each fold to that fold’s own training photos."
)

INTERVALS = (
    "Photos of one person are alike, so intervals count people, not photos. Every share has "
    "Wilson’s interval with the number of independent searches that the spread between people "
    "leaves. For EER, TAR, HTER and DIR that spread is found by drawing people with replacement, "
    f"{RESAMPLES} times, who bring along all searches of them and all claims of being them. Where "
    "all is right, or all wrong, people are counted. The accuracy of pairs has a t interval over "
    "the folds."
)

THRESHOLDS = (
    "EER and least HTER take their threshold from the very comparisons they are counted on. HTER "
    "takes one that was chosen before, in each fold, without its probes: a fifth of each person’s "
    "enrolled photos is held out, searched for in the rest, and the threshold is where the two "
    "errors are equal; of pairs it is where most of the other pairs are decided rightly."
)

LIMITS = (
    "Of strangers at most {share:g} % may be named: that was asked. The limit of each fold comes "
    "from its own gallery alone: each enrolled person is left out in turn, of space and gallery, "
    "and is then a stranger. FPIR and DIR reached are what that limit did to strangers and members "
    "whom it had never seen; the threshold of DIR at an FPIR comes from these very searches."
)

GLOSSARY: tuple[Pair, ...] = terms()
"""Terms as ISO/IEC 19795-1 uses them."""


def protocol_sentences(record: Record) -> str:
    """Return what the protocol does."""
    protocol = record.evaluation.setting.protocol
    return f"{PROTOCOLS[protocol.kind].format(**vars(protocol))} {FITTED_INSIDE}"


def thresholds_sentences(record: Record) -> str:
    """Return where thresholds come from, with the limits for strangers where there are some."""
    strangers = record.evaluation.strangers
    if strangers is None:
        return THRESHOLDS
    return f"{THRESHOLDS} {LIMITS.format(share=100 * strangers.share)}"


def settings(record: Record) -> list[Pair]:
    """Return every setting by its name."""
    return [*_of_photos(record), *_of_recipe(record), *_of_protocol(record)]


def _of_photos(record: Record) -> list[Pair]:
    source, how = record.source, record.preparation
    taken = f"{len(record.evaluation.photos)}, of {len(record.evaluation.people)} people"
    lines = [("photos", taken), ("source", _source(record))]
    if source.pattern:
        lines.append(("person from file name", source.pattern))
    if source.eyes:
        lines.append(("eyes", f"from “{Path(source.eyes).name}”"))
    size = f"{how.width} × {how.height} pixels (width × height)"
    found = "the photos are faces already" if how.already_cropped else "faces found and aligned"
    return [*lines, ("faces", f"{size}, {found}"), ("other shapes of photo", how.fit)]


def _source(record: Record) -> str:
    name = Path(record.source.place).name or record.source.place
    if record.source.kind == "sample":
        return "sample of the program: the AT&T faces"
    return f"folder “{name}”" if record.source.kind == "folder" else f"project “{name}”"


def _of_recipe(record: Record) -> list[Pair]:
    recipe = record.evaluation.setting.recipe
    matcher, said = recipe.matcher, recipe.settings
    if matcher.whitening != "none":
        said["whitening"] = f"{matcher.whitening}, {smoothing_words(matcher)}"
    if matcher.rule == "nearest" and matcher.neighbours > 1:
        said["rule"] = f"{matcher.neighbours} nearest vote"
    said["components"] = components_words(matcher)
    for told in ("dropped", "smoothing", "neighbours"):
        del said[told]
    return [("recipe", recipe.name)] + [
        ("compared" if name == "components" else name, str(value)) for name, value in said.items()
    ]


def _of_protocol(record: Record) -> list[Pair]:
    setting = record.evaluation.setting
    protocol = setting.protocol
    folds = count(len(record.evaluation.thresholds), "fold")
    lines = [("protocol", f"{protocol.words()} ({protocol.kind}, {folds})")]
    if isinstance(protocol, KFold | NShot | OpenSet):
        lines.append(("seed of the protocol", str(protocol.seed)))
    else:
        lines.append(("seed of the protocol", "none: it draws nothing at random"))
    return [
        *lines,
        ("seed of resampling", str(setting.seed)),
        ("thresholds chosen", threshold_words(record.evaluation)),
        ("leaks allowed", _allowed(record.evaluation)),
    ]


def _allowed(evaluation: Evaluation) -> str:
    if not evaluation.setting.allow_leaks:
        return "no"
    return f"yes; {count(len(evaluation.leaks), 'was', 'were')} found"


@dataclass(frozen=True)
class TwoRuns:
    """The comparison with a second run: two sentences, and two tables."""

    sentences: tuple[str, str]
    figures: Table
    settings: Table | None


def two_runs(first: Record, second: Record) -> TwoRuns:
    """Return how two records compare; without a table of settings where none differs."""
    ours, theirs = first.evaluation, second.evaluation
    return TwoRuns(
        (difference(ours, theirs).sentence, f"The other run. {result_sentence(theirs)}"),
        _figures(ours, theirs),
        _settings(dict(settings(first)), dict(settings(second))),
    )


def _figures(ours: Evaluation, theirs: Evaluation) -> Table:
    kinds = dict.fromkeys(each.kind for each in (*ours.all_figures, *theirs.all_figures))
    rows = []
    for kind in kinds:
        first, second = ours.figure(kind), theirs.figure(kind)
        points = "–"
        if first is not None and second is not None:
            points = f"{100 * (first.value - second.value):+.2f}".replace("-", "−")
        rows.append((capital(kind), *_cells(first), *_cells(second), points))
    return Table(
        caption="Figures of both runs with their 95 % intervals, and the first minus the second",
        columns=(
            *(("figure", "text"), ("first run", "number"), ("95 % interval", "number")),
            *(("other run", "number"), ("95 % interval", "number"), ("points", "number")),
        ),
        rows=tuple(rows),
    )


def _cells(figure: Figure | None) -> Pair:
    if figure is None:
        return "–", "–"
    return percent(figure.value, 2), limits(figure.low, figure.high)


def _settings(ours: dict[str, str], theirs: dict[str, str]) -> Table | None:
    rows = tuple(
        (capital(name), ours.get(name, "–"), theirs.get(name, "–"))
        for name in dict.fromkeys([*ours, *theirs])
        if ours.get(name) != theirs.get(name)
    )
    columns: Columns = (("setting", "text"), ("first run", "text"), ("other run", "text"))
    return Table("What the two runs differ in", columns, rows) if rows else None


def with_relative_paths(record: Record) -> Record:
    """Return a record whose photographs are named by their paths below the folder they came from.

    That is the folder of photographs, if they came from one; else, or where some lie elsewhere,
    the folder that all of them lie in. Paths that are relative already stay as they are, and so do
    those that have no folder in common (on two drives). Where the photographs are to be found
    again, `Record.source`, is kept as it was said.
    """
    photos = record.evaluation.photos
    paths = [photo.path for photo in photos]
    if not paths or not all(path.is_absolute() for path in paths):
        return record
    folder = _folder_of(paths, record)
    if folder is None:
        return record
    short = tuple(replace(each, path=each.path.relative_to(folder)) for each in photos)
    unused = tuple(
        replace(each, path=_below(folder, each.path)) for each in record.evaluation.unused
    )
    return replace(record, evaluation=replace(record.evaluation, photos=short, unused=unused))


def _below(folder: Path, path: Path) -> Path:
    """Return a path as it is below a folder; of one that is elsewhere, the name alone."""
    return path.relative_to(folder) if path.is_relative_to(folder) else Path(path.name)


def _folder_of(paths: Sequence[Path], record: Record) -> Path | None:
    if record.source.kind == "folder" and record.source.place:
        said = Path(record.source.place).absolute()
        if all(path.is_relative_to(said) for path in paths):
            return said
    try:
        return Path(os.path.commonpath([path.parent for path in paths]))
    except ValueError:
        return None
