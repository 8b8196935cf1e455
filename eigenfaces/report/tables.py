"""Tables for a report as plain values, independent of how the page shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.metrics import Metric, confusion
from eigenfaces.evaluation.protocols import NShot, OpenSet
from eigenfaces.evaluation.records import YEARS, Evaluation, RecipesCompared
from eigenfaces.evaluation.result_words import Remark, mistakes, single_searches
from eigenfaces.evaluation.searches import Searches
from eigenfaces.text import capital, count, interval_text, percent, with_interval, with_minus

FOLDS_SHOWN = 20  # with more folds than this, the table of folds is left out
MISTAKES_SHOWN = 300
_KINDS = {"t": "text", "n": "name", "f": "number"}


@dataclass(frozen=True)
class Table:
    """A table with a caption, columns and their types, rows of cells, and perhaps a summary row.

    A table without rows is falsy and is not shown.
    """

    caption: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]
    foot: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows)


def table(
    caption: str, heads: str, rows: Iterable[Iterable[object]], foot: tuple[str, ...] = ()
) -> Table:
    """Return a table. In ``heads``, the letter before each column name gives the column's type.

    >>> table("People", "n:person | f:photos", [("Ada", 3)]).columns
    (('person', 'name'), ('photos', 'number'))
    """
    columns = tuple((head[2:], _KINDS[head[0]]) for head in heads.split(" | "))
    return Table(caption, columns, tuple(tuple(map(str, row)) for row in rows), foot)


def figures_table(evaluation: Evaluation) -> Table:
    """Return the table of all figures, with their intervals and what was counted."""
    figures = evaluation.all_metrics
    rows = ((capital(figure.kind), *_value(figure), figure.note) for figure in figures)
    heads = "t:figure | f:value | f:95 % interval | t:counted on"
    return table("Figures with their 95 % intervals", heads, rows)


def _value(figure: Metric | None) -> tuple[str, str]:
    if figure is None:
        return "–", "–"
    return percent(figure.value, 2), interval_text(figure.low, figure.high)


def _number_text(value: float) -> str:
    return f"{value:.4g}" if np.isfinite(value) else "–"


def recipes_table(compared: RecipesCompared) -> Table:
    """Return the table of how often each recipe is right, or why it could not be evaluated."""
    rows = []
    for result in compared.results:
        note = result.figure.note if result.figure else result.reason
        rows.append((result.recipe, YEARS[result.recipe], *_value(result.figure), note))
    heads = "t:recipe | f:year | f:right | f:95 % interval | t:counted on"
    return table("The recipes side by side, on the same folds", heads, rows)


def unused_table(evaluation: Evaluation) -> Table:
    """Return the table of photographs that could not be used, with the reasons."""
    rows = [(photo.path.as_posix(), photo.reason) for photo in evaluation.unused]
    return table(f"Photos that could not be used: {len(rows)}", "n:photo | t:reason", rows)


def folds_table(evaluation: Evaluation) -> Table | None:
    """Return the table of results by fold, or None if there is only one fold or too many."""
    fold = evaluation.scores.fold
    thresholds = evaluation.thresholds
    in_pairs = evaluation.pairs
    folds = len(thresholds)
    (judged, right) = evaluation.judged()
    if not 2 <= folds <= FOLDS_SHOWN:
        return None
    counted = (judged, right & judged, ~judged)
    of, hits, others = (np.bincount(fold[some], minlength=folds) for some in counted)
    shares = hits / np.where(of, of, np.nan)
    unit = "repetition" if isinstance(evaluation.setting.protocol, NShot | OpenSet) else "fold"
    columns: dict[str, Iterable[object]] = {
        unit: range(1, folds + 1),
        "mated searches" if in_pairs is None else "pairs": of,
        "right": hits,
        "share": [percent(share, 2) for share in shares],
    }
    if in_pairs is None and others.any():
        columns["strangers’ searches"] = others
    columns["threshold"] = map(_number_text, thresholds)
    finite = 100 * shares[np.isfinite(shares)]
    mean = f"{finite.mean():.2f} ± {finite.std(ddof=1):.2f} %" if len(finite) > 1 else "–"
    return table(
        f"Result of each {unit}; below, mean ± standard deviation over the {unit}s",
        "n:" + " | f:".join(columns),
        zip(*columns.values(), strict=True),
        ("mean ± s.d.", "", "", mean, *[""] * (len(columns) - 4)),
    )


def people_table(evaluation: Evaluation) -> Table:
    """Return the table of people: how often each was searched for, found, and taken for another."""
    photos = Counter(photo.person for photo in evaluation.photos)
    people = evaluation.people
    searches = evaluation.searches
    rows = list[tuple[object, ...]]()
    for who, answers in enumerate(() if searches is None else confusion(searches, len(people))):
        total = int(answers.sum())
        right = int(answers[who])
        answers[who] = 0
        most = int(answers.argmax())
        share = percent(right / total, 2) if total else "–"
        taken_for = (people[most], answers[most]) if answers[most] else ("–", "")
        rows.append((who + 1, people[who], photos[people[who]], total, right, share, *taken_for))
    heads = "f:No. | n:person | f:photos | f:searched for | f:right | f:share | "
    heads += "n:most often taken for | f:times"
    return table("Every person: mated searches, and who else came first most often", heads, rows)


def mistakes_table(evaluation: Evaluation) -> Table:
    """Return the table of mated searches, or pairs, with wrong answers."""
    scores = evaluation.scores
    thresholds = evaluation.thresholds
    wrong = mistakes(evaluation)
    heads = "f:fold | n:first photo | n:second photo | t:they show | f:distance | f:threshold"
    if isinstance(scores, Searches):
        heads = "f:fold | n:probe | n:who it is | n:taken for | n:nearest photo | f:distance | "
        heads += "f:to the right one | f:right at rank"
        wrong = wrong[np.lexsort([scores.fold[wrong], scores.probes[wrong]])]
    rows = list[tuple[object, ...]]()
    for row, search in zip(wrong.tolist(), single_searches(evaluation, wrong), strict=True):
        files = [photo.path.as_posix() for photo in search.photos]
        fold = scores.fold[row]
        distances = [f"{distance:.4g}" for distance in search.distances]
        if isinstance(scores, Searches):
            names = [photo.person for photo in search.photos[:2]]
            rows.append((fold + 1, files[0], *names, files[1], *distances, scores.ranks[row]))
        else:
            show = "one person" if scores.mated[row] else "two people"
            rows.append((fold + 1, *files, show, *distances, _number_text(thresholds[fold])))
    if len(thresholds) == 1 or len({row[1] for row in rows}) == len(rows):
        heads = heads.partition(" | ")[2]
        rows = [row[1:] for row in rows]
    more = (
        f", the first {MISTAKES_SHOWN}; the JSON file has all" if len(rows) > MISTAKES_SHOWN else ""
    )
    return table(f"Mistakes: {len(rows)}{more}", heads, rows[:MISTAKES_SHOWN])


def duplicates_table(evaluation: Evaluation) -> Table:
    """Return the table of photographs that are nearly the same."""
    photos = [(photo.path.as_posix(), photo.person or "") for photo in evaluation.photos]
    pairs = evaluation.duplicates
    rows = ((*photos[p.first], *photos[p.second], f"{p.likeness:.5f}") for p in pairs)
    heads = "n:photo | n:person | n:nearly the same | n:person | f:correlation"
    return table("Photos that are nearly the same picture", heads, rows)


def photos_table(evaluation: Evaluation) -> Table:
    """Return the table of photographs, with the SHA-256 of each file (or else its pixels)."""
    rows = ((p.path.as_posix(), p.person or "", p.id.sha) for p in evaluation.photos)
    many = count(len(evaluation.photos), "photo")
    return table(f"{many}, with the SHA-256 of each file", "n:photo | n:person | n:SHA-256", rows)


def controls_table(remarks: Sequence[Remark]) -> Table:
    """Return the table of controls and what each of them says, to show below the warnings."""
    rows = []
    for remark in remarks:
        control = remark.control
        value = with_interval(control.value, control.low, control.high)
        says = "See the warning above." if remark.warns else remark.sentence
        rows.append((remark.title, value, control.note, says))
    caption = "Controls on the same folds, with 95 % intervals where they are measured"
    return table(caption, "t:control | f:value | t:what it is | t:what it says", rows)


def comparison_table(ours: Evaluation, theirs: Evaluation) -> Table:
    """Return the table of figures from two runs, with their differences in percentage points."""
    rows = []
    for kind in dict.fromkeys(f.kind for f in (*ours.all_metrics, *theirs.all_metrics)):
        first, second = ours.metric(kind), theirs.metric(kind)
        points = "–"
        if first is not None and second is not None:
            points = with_minus(f"{100 * (first.value - second.value):+.2f}")
        rows.append((capital(kind), *_value(first), *_value(second), points))
    return table(
        "Figures of both runs with their 95 % intervals, and the first run minus the other",
        "t:figure | f:first run | f:95 % interval | f:other run | f:95 % interval | f:points",
        rows,
    )
