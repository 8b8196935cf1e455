"""The tables of a report as values: what is on the page, in whatever form."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eigenfaces.evaluation.metrics import confusion, named_by
from eigenfaces.evaluation.protocols import NShot, OpenSet
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import Remark
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.space.arrays import Numbers
from eigenfaces.text import capital, limits, percent, with_limits

ColumnKind = Literal["text", "name", "number", "code"]
Columns = tuple[tuple[str, ColumnKind], ...]
Row = tuple[str, ...]

SEVERAL = (NShot, OpenSet)
"""Protocols whose folds are repetitions."""

FOLDS_SHOWN = 20
"""Folds up to which each has its line; more only where they have names."""

MISTAKES_SHOWN = 300


@dataclass(frozen=True)
class Table:
    """A caption, columns with their kinds, rows of cells, and a row that sums up (or none)."""

    caption: str
    columns: Columns
    rows: tuple[Row, ...]
    foot: Row = ()


def figures_table(evaluation: Evaluation) -> Table:
    """Return every figure with its interval and what it was counted on."""
    return Table(
        caption="Figures with their 95 % intervals",
        columns=(
            *(("figure", "text"), ("value", "number")),
            *(("95 % interval", "number"), ("counted on", "text")),
        ),
        rows=tuple(
            (capital(each.kind), percent(each.value, 2), limits(each.low, each.high), each.note)
            for each in evaluation.all_figures
        ),
    )


def unused_table(evaluation: Evaluation) -> Table | None:
    """Return the photographs that could not be used, with the reasons; None where all could."""
    if not evaluation.unused:
        return None
    return Table(
        caption=f"Photos that could not be used: {len(evaluation.unused)}",
        columns=(("photo", "name"), ("reason", "text")),
        rows=tuple((each.path.as_posix(), each.reason) for each in evaluation.unused),
    )


def folds_table(evaluation: Evaluation) -> Table | None:
    """Return the result of each fold, mean and standard deviation; None of one or of too many."""
    count = len(evaluation.thresholds)
    if not 2 <= count <= FOLDS_SHOWN:
        return None
    each = "repetition" if isinstance(evaluation.setting.protocol, SEVERAL) else "fold"
    strangers = evaluation.searches is not None and not evaluation.searches.mated.all()
    limited = _limited(evaluation)
    folds = [_of_fold(evaluation, fold) for fold in range(count)]
    rows = tuple(
        (
            *(str(number), str(fold.asked), str(fold.right), percent(fold.share, 2)),
            *([str(fold.strangers)] if strangers else []),
            f"{threshold:.4g}" if np.isfinite(threshold) else "–",
            *at_limit,
        )
        for number, (fold, threshold, at_limit) in enumerate(
            zip(folds, evaluation.thresholds, limited, strict=True), start=1
        )
    )
    blank = [""] * ((2 if strangers else 1) + len(limited[0]))
    asked = "pairs" if evaluation.searches is None else "mated searches"
    return Table(
        caption=f"Result of each {each}; below, mean ± standard deviation over the {each}s",
        columns=(
            *((each, "name"), (asked, "number"), ("right", "number"), ("share", "number")),
            *((("strangers’ searches", "number"),) if strangers else ()),
            ("threshold", "number"),
            *((("limit", "number"), ("strangers named", "number")) if limited[0] else ()),
        ),
        rows=rows,
        foot=("mean ± s.d.", "", "", _mean_words([fold.share for fold in folds]), *blank),
    )


def _limited(evaluation: Evaluation) -> list[Row]:
    """Return the limit for strangers of each fold and how many it named; nothing without any."""
    searches, strangers = evaluation.searches, evaluation.strangers
    if searches is None or strangers is None:
        return [()] * len(evaluation.thresholds)
    named = searches.fold[named_by(searches, strangers.limits) & ~searches.mated]
    counts = np.bincount(named, minlength=len(evaluation.thresholds))
    return [
        (f"{limit:.4g}", str(some)) if np.isfinite(limit) else ("–", "–")
        for limit, some in zip(strangers.limits, counts, strict=True)
    ]


@dataclass(frozen=True)
class _OfFold:
    """What was asked in a fold, how often it was answered rightly, and the strangers’ searches."""

    asked: int
    right: int
    strangers: int = 0

    @property
    def share(self) -> float:
        return self.right / self.asked if self.asked else math.nan


def _of_fold(evaluation: Evaluation, fold: int) -> _OfFold:
    searches, pairs = evaluation.searches, evaluation.pairs
    if searches is not None:
        of = searches.some(searches.fold == fold)
        return _OfFold(int(of.mated.sum()), int(of.right.sum()), int((~of.mated).sum()))
    assert pairs is not None
    if not np.isfinite(evaluation.thresholds[fold]):
        return _OfFold(0, 0)
    right = pairs.right(evaluation.thresholds)[pairs.fold == fold]
    return _OfFold(len(right), int(right.sum()))


def _mean_words(shares: list[float]) -> str:
    known = np.array([share for share in shares if math.isfinite(share)])
    if len(known) < 2:
        return "–"
    return f"{100 * known.mean():.2f} ± {100 * known.std(ddof=1):.2f} %"


def people_table(evaluation: Evaluation) -> Table | None:
    """Return how often each person was searched for, named, and taken for whom; None of pairs."""
    searches, people = evaluation.searches, evaluation.people
    if searches is None:
        return None
    photos = Counter(photo.person for photo in evaluation.photos)
    counts = confusion(searches, len(people)) if searches.mated.any() else None
    rows = []
    for number, name in enumerate(people):
        line = np.zeros(len(people), np.intp) if counts is None else counts[number].copy()
        asked, right = int(line.sum()), int(line[number])
        line[number] = 0
        rows.append(
            (
                *(str(number + 1), name, str(photos[name]), str(asked), str(right)),
                percent(right / asked, 2) if asked else "–",
                *_most_often(line, people),
            )
        )
    return Table(
        caption="Every person: mated searches, and who else came first most often",
        columns=(
            *(("No.", "number"), ("person", "name"), ("photos", "number")),
            *(("searched for", "number"), ("right", "number"), ("share", "number")),
            *(("most often taken for", "name"), ("times", "number")),
        ),
        rows=tuple(rows),
    )


def _most_often(others: Numbers, people: Row) -> Row:
    if not others.any():
        return "–", ""
    most = int(others.argmax())
    return people[most], str(others[most])


def mistakes_table(evaluation: Evaluation) -> Table | None:
    """Return the mated searches (or pairs) answered wrongly; None where there are none."""
    if evaluation.searches is not None:
        rows = list(_wrong_searches(evaluation, evaluation.searches))
        names = ("probe", "who it is", "taken for", "nearest photo")
        columns: list[tuple[str, ColumnKind]] = [(name, "name") for name in names]
        columns += [(name, "number") for name in ("distance", "to the right one", "right at rank")]
    else:
        assert evaluation.pairs is not None
        rows = list(_wrong_pairs(evaluation, evaluation.pairs))
        columns = [("first photo", "name"), ("second photo", "name"), ("they show", "text")]
        columns += [("distance", "number"), ("threshold", "number")]
    if not rows:
        return None
    if len(evaluation.thresholds) > 1 and len({row[1] for row in rows}) < len(rows):
        columns = [("fold", "number"), *columns]
    else:
        rows = [row[1:] for row in rows]
    shown = f", the first {MISTAKES_SHOWN}; the JSON file has all" * (len(rows) > MISTAKES_SHOWN)
    return Table(f"Mistakes: {len(rows)}{shown}", tuple(columns), tuple(rows[:MISTAKES_SHOWN]))


def _wrong_searches(evaluation: Evaluation, searches: Searches) -> Iterator[Row]:
    files = [photo.path.as_posix() for photo in evaluation.photos]
    wrong = np.flatnonzero(searches.mated & ~searches.right)
    order = np.lexsort([searches.fold[wrong], searches.probes[wrong]])
    far = searches.answer_distances, searches.to(searches.people)
    for place in wrong[order].tolist():
        own, answer = int(searches.people[place]), int(searches.answers[place])
        yield (
            str(searches.fold[place] + 1),
            files[searches.probes[place]],
            *(evaluation.people[own], evaluation.people[answer]),
            files[searches.taken[place]],
            *(f"{each[place]:.4g}" for each in far),
            str(searches.ranks[place]),
        )


def _wrong_pairs(evaluation: Evaluation, pairs: PairScores) -> Iterator[Row]:
    files = [photo.path.as_posix() for photo in evaluation.photos]
    if not np.isfinite(evaluation.thresholds[np.unique(pairs.fold)]).all():
        return
    for place in np.flatnonzero(~pairs.right(evaluation.thresholds)).tolist():
        first, second = pairs.pairs[place].tolist()
        yield (
            str(pairs.fold[place] + 1),
            *(files[first], files[second]),
            "one person" if pairs.mated[place] else "two people",
            f"{pairs.distances[place]:.4g}",
            f"{evaluation.thresholds[pairs.fold[place]]:.4g}",
        )


def duplicates_table(evaluation: Evaluation) -> Table | None:
    """Return the photographs that are nearly the same; None where there are none."""
    photos = evaluation.photos
    if not evaluation.duplicates:
        return None
    return Table(
        caption="Photos that are nearly the same picture",
        columns=(
            *(("photo", "name"), ("person", "name"), ("nearly the same", "name")),
            *(("person", "name"), ("correlation", "number")),
        ),
        rows=tuple(
            (
                *(photos[each.first].path.as_posix(), photos[each.first].person or ""),
                *(photos[each.second].path.as_posix(), photos[each.second].person or ""),
                f"{each.likeness:.5f}",
            )
            for each in evaluation.duplicates
        ),
    )


def photos_table(evaluation: Evaluation) -> Table:
    """Return every photograph with the SHA-256 of its file."""
    return Table(
        caption="Every photo that took part",
        columns=(("photo", "name"), ("person", "name"), ("SHA-256", "code")),
        rows=tuple(
            (each.path.as_posix(), each.person or "", each.key) for each in evaluation.photos
        ),
    )


def warnings(found: Sequence[Remark]) -> list[str]:
    """Return the warnings among some remarks."""
    return [f"{remark.title}: {remark.sentence}" for remark in found if remark.warns]


def controls_table(found: Sequence[Remark]) -> Table | None:
    """Return the controls and what each says, to stand below the warnings; None of none."""
    if not found:
        return None
    return Table(
        caption="Controls in the same folds, with 95 % intervals where they are measured",
        columns=(
            *(("control", "text"), ("value", "number")),
            *(("what it is", "text"), ("what it says", "text")),
        ),
        rows=tuple(map(_of_remark, found)),
    )


def _of_remark(remark: Remark) -> Row:
    control = remark.control
    value = with_limits(control.value, control.low, control.high)
    says = "See the warning above." if remark.warns else remark.sentence
    return remark.title, value, control.note, says
