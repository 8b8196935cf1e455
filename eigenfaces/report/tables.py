"""The tables of a report as values: what is on the page, in whatever form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.metrics import named_by
from eigenfaces.evaluation.protocols import NShot, OpenSet
from eigenfaces.evaluation.records import YEARS, Evaluation, RecipesCompared
from eigenfaces.evaluation.result_words import Remark, mistakes, results_by_person, single_searches
from eigenfaces.text import capital, limits, percent, with_limits

Columns = tuple[tuple[str, str], ...]
Row = tuple[str, ...]

FOLDS_SHOWN = 20
"""Folds up to which each has its line."""

MISTAKES_SHOWN = 300


@dataclass(frozen=True)
class Table:
    """A caption, columns with their kinds, rows of cells, and a row that sums up (or none)."""

    caption: str
    columns: Columns
    rows: tuple[Row, ...]
    foot: Row = ()


def columns(kinds: str, names: str) -> Columns:
    """Return columns with their kinds, a letter each: text, name, code, or figures.

    >>> columns("nf", "person | photos")
    (('person', 'name'), ('photos', 'number'))
    """
    of = {"t": "text", "n": "name", "c": "code", "f": "number"}
    return tuple((name, of[kind]) for name, kind in zip(names.split(" | "), kinds, strict=True))


def figures_table(evaluation: Evaluation) -> Table:
    """Return every figure with its interval and what it was counted on."""
    return Table(
        "Figures with their 95 % intervals",
        columns("tfft", "figure | value | 95 % interval | counted on"),
        tuple(
            (capital(each.kind), percent(each.value, 2), limits(each.low, each.high), each.note)
            for each in evaluation.all_figures
        ),
    )


def recipes_table(compared: RecipesCompared) -> Table:
    """Return how often each recipe is right, or why that is not known."""
    rows = []
    for each in compared.results:
        figure, cells = each.figure, ("–", "–", each.reason)
        if figure is not None:
            cells = percent(figure.value, 2), limits(figure.low, figure.high), figure.note
        rows.append((each.recipe, str(YEARS[each.recipe]), *cells))
    heads = columns("tffft", "recipe | year | right | 95 % interval | counted on")
    return Table("The recipes beside each other, in the same folds", heads, tuple(rows))


def unused_table(evaluation: Evaluation) -> Table | None:
    """Return the photographs that could not be used, with the reasons; None where all could."""
    rows = tuple((each.path.as_posix(), each.reason) for each in evaluation.unused)
    caption = f"Photos that could not be used: {len(rows)}"
    return Table(caption, columns("nt", "photo | reason"), rows) if rows else None


def folds_table(evaluation: Evaluation) -> Table | None:
    """Return the result of each fold, mean and standard deviation; None of one or of too many."""
    searches, pairs, thresholds = evaluation.searches, evaluation.pairs, evaluation.thresholds
    if not 2 <= len(thresholds) <= FOLDS_SHOWN:
        return None
    each = "fold"
    if isinstance(evaluation.setting.protocol, NShot | OpenSet):
        each = "repetition"
    if searches is not None:
        fold, mated, right = searches.fold, searches.mated, searches.right & searches.mated
    else:
        assert pairs is not None
        fold, mated = pairs.fold, np.isfinite(thresholds[pairs.fold])
        right = pairs.right(thresholds) & mated
    asked, rightly, strangers = (
        np.bincount(fold[of], minlength=len(thresholds)) for of in (mated, right, ~mated)
    )
    shares = rightly / np.where(asked, asked, np.nan)
    parts: list[tuple[str, Iterable[object]]] = [
        (each, range(1, len(thresholds) + 1)),
        ("pairs" if searches is None else "mated searches", asked),
        ("right", rightly),
        ("share", [percent(share, 2) for share in shares]),
    ]
    if searches is not None and strangers.any():
        parts.append(("strangers’ searches", strangers))
    parts.append(("threshold", map(_in_short, thresholds)))
    if searches is not None and evaluation.strangers is not None:
        at = evaluation.strangers.limits
        named = searches.fold[named_by(searches, at) & ~mated]
        counts = np.bincount(named, minlength=len(at))
        parts.append(("limit", map(_in_short, at)))
        parts.append(("strangers named", np.where(np.isfinite(at), counts.astype(str), "–")))
    names, cells = zip(*parts, strict=True)
    known = 100 * shares[np.isfinite(shares)]
    mean = f"{known.mean():.2f} ± {known.std(ddof=1):.2f} %" if len(known) > 1 else "–"
    return Table(
        f"Result of each {each}; below, mean ± standard deviation over the {each}s",
        columns("n".ljust(len(names), "f"), " | ".join(names)),
        tuple(tuple(map(str, row)) for row in zip(*cells, strict=True)),
        ("mean ± s.d.", "", "", mean, *[""] * (len(names) - 4)),
    )


def _in_short(value: float) -> str:
    return f"{value:.4g}" if np.isfinite(value) else "–"


def people_table(evaluation: Evaluation) -> Table | None:
    """Return how often each person was searched for, named, and taken for whom; None of pairs."""
    if evaluation.searches is None:
        return None
    photos, rows = Counter(photo.person for photo in evaluation.photos), []
    for each in results_by_person(evaluation):
        counts = photos[each.person], each.searches, each.right
        share = percent(each.right / each.searches, 2) if each.searches else "–"
        taken_for = (each.taken_for, each.times) if each.times else ("–", "")
        rows.append(tuple(map(str, (each.who + 1, each.person, *counts, share, *taken_for))))
    return Table(
        "Every person: mated searches, and who else came first most often",
        columns(
            "fnffffnf",
            "No. | person | photos | searched for | right | share | most often taken for | times",
        ),
        tuple(rows),
    )


def mistakes_table(evaluation: Evaluation) -> Table | None:
    """Return the mated searches (or pairs) answered wrongly; None where there are none."""
    searches, pairs, thresholds = evaluation.searches, evaluation.pairs, evaluation.thresholds
    wrong, rows = mistakes(evaluation), list[Row]()
    if searches is not None:
        names = "fold | probe | who it is | taken for | nearest photo | distance | "
        heads = columns("fnnnnfff", f"{names}to the right one | right at rank")
        wrong = wrong[np.lexsort([searches.fold[wrong], searches.probes[wrong]])]
        for each in single_searches(evaluation, wrong):
            probe, taken, fold = each.probe, each.taken, str(searches.fold[each.number] + 1)
            who = probe.path.as_posix(), probe.person, taken.person, taken.path.as_posix()
            own = searches.distances[each.number, searches.people[each.number]]
            far = f"{taken.distance:.4g}", f"{own:.4g}"
            rows.append((fold, *who, *far, str(searches.ranks[each.number])))
    else:
        assert pairs is not None
        names = "fold | first photo | second photo | they show | distance | threshold"
        heads = columns("fnntff", names)
        for each in single_searches(evaluation, wrong):
            place, show = pairs.fold[each.number], "two people"
            show = "one person" if pairs.mated[each.number] else show
            files = each.probe.path.as_posix(), each.taken.path.as_posix()
            far = _in_short(pairs.distances[each.number]), _in_short(thresholds[place])
            rows.append((str(place + 1), *files, show, *far))
    if not rows:
        return None
    if len(thresholds) == 1 or len({row[1] for row in rows}) == len(rows):
        heads, rows = heads[1:], [row[1:] for row in rows]
    shown = f", the first {MISTAKES_SHOWN}; the JSON file has all" * (len(rows) > MISTAKES_SHOWN)
    return Table(f"Mistakes: {len(rows)}{shown}", heads, tuple(rows[:MISTAKES_SHOWN]))


def duplicates_table(evaluation: Evaluation) -> Table | None:
    """Return the photographs that are nearly the same; None where there are none."""
    rows = []
    for each in evaluation.duplicates:
        both = (evaluation.photos[row] for row in (each.first, each.second))
        names = (words for photo in both for words in (photo.path.as_posix(), photo.person or ""))
        rows.append((*names, f"{each.likeness:.5f}"))
    heads = columns("nnnnf", "photo | person | nearly the same | person | correlation")
    return Table("Photos that are nearly the same picture", heads, tuple(rows)) if rows else None


def photos_table(evaluation: Evaluation) -> Table:
    """Return every photograph with the SHA-256 of its file."""
    return Table(
        "Every photo that took part",
        columns("nnc", "photo | person | SHA-256"),
        tuple((each.path.as_posix(), each.person or "", each.key) for each in evaluation.photos),
    )


def controls_table(found: Sequence[Remark]) -> Table | None:
    """Return the controls and what each says, to stand below the warnings; None of none."""
    rows = []
    for each in found:
        value = with_limits(each.control.value, each.control.low, each.control.high)
        says = "See the warning above." if each.warns else each.sentence
        rows.append((each.title, value, each.control.note, says))
    caption = "Controls in the same folds, with 95 % intervals where they are measured"
    heads = columns("tftt", "control | value | what it is | what it says")
    return Table(caption, heads, tuple(rows)) if rows else None


def figures_of_both(ours: Evaluation, theirs: Evaluation) -> Table:
    """Return the figures of two runs, and their differences in points."""
    rows = []
    for kind in dict.fromkeys(each.kind for each in (*ours.all_figures, *theirs.all_figures)):
        both = ours.figure(kind), theirs.figure(kind)
        cells = [
            ("–", "–") if each is None else (percent(each.value, 2), limits(each.low, each.high))
            for each in both
        ]
        points = "–"
        if both[0] is not None and both[1] is not None:
            points = f"{100 * (both[0].value - both[1].value):+.2f}".replace("-", "−")
        rows.append((capital(kind), *cells[0], *cells[1], points))
    interval = "95 % interval"
    return Table(
        "Figures of both runs with their 95 % intervals, and the first minus the second",
        columns("tfffff", f"figure | first run | {interval} | other run | {interval} | points"),
        tuple(rows),
    )


def settings_of_both(ours: dict[str, str], theirs: dict[str, str]) -> Table | None:
    """Return the settings that two runs differ in; None where none differs."""
    rows = tuple(
        (capital(name), ours.get(name, "–"), theirs.get(name, "–"))
        for name in dict.fromkeys([*ours, *theirs])
        if ours.get(name) != theirs.get(name)
    )
    heads = columns("ttt", "setting | first run | other run")
    return Table("What the two runs differ in", heads, rows) if rows else None
