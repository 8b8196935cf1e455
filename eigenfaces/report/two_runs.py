"""A report's run and another one: the figures of both, and their differences."""

from __future__ import annotations

from dataclasses import dataclass

from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.paired import difference
from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.method import Pair, settings
from eigenfaces.report.summary import result_sentence
from eigenfaces.report.tables import Columns, Table
from eigenfaces.text import capital, limits, percent


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
