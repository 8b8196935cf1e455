"""The curves of a finished or running evaluation: arrays with as many points as can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from eigenfaces.evaluation.by_components import ByComponents, FoldByComponents
from eigenfaces.evaluation.comparisons import counts_of
from eigenfaces.evaluation.error_rates import ErrorRates, MatedOrNot, error_rates
from eigenfaces.evaluation.figures import confusion, cumulative_match, detection_curve
from eigenfaces.evaluation.results import Evaluation, Partial
from eigenfaces.evaluation.searches import Searches
from eigenfaces.recognition.histogram import Histogram
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.facespace import fewest_components

MOST_POINTS = 400
"""Points of a curve that are drawn: more cannot be told apart."""

_COMPARED_WHILE_GROWING = 40_000
"""Comparisons put in order for a curve that grows: more would hold up the window …"""

_LOOKED_THROUGH = 1_000_000
"""… and those that they are taken from."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve, with its 95 % band if it has one."""

    x: Doubles
    y: Doubles
    low: Doubles | None = None
    high: Doubles | None = None


@dataclass(frozen=True, eq=False)
class Curves:
    """The curves of a finished or running evaluation, with confusion matrix and histogram.

    ``accuracy`` is by distance, the recipe's own first; ``rates`` holds FMR over FNMR,
    ``detection`` FPIR over 1 − DIR if there are strangers; ``distances`` is the histogram of mated
    and non-mated comparisons; ``confusion`` is (p, p).
    """

    people: tuple[str, ...]
    accuracy: Mapping[str, Curve] = field(default_factory=dict)
    left_out: Curve | None = None
    kept: Curve | None = None
    match: Curve | None = None
    rates: Curve | None = None
    detection: Curve | None = None
    confusion: Numbers | None = None
    distances: ErrorHistogram | None = None

    def components(self, wanted: int | float) -> int | None:
        """Return the number of components; ``wanted`` may be a share of the variance."""
        if isinstance(wanted, int):
            return wanted
        if self.kept is None:
            return None
        return int(self.kept.x[fewest_components(self.kept.y, wanted) - 1])


def curves_of(evaluation: Evaluation) -> Curves:
    """Return the curves of a finished evaluation; slow for large ones, so call it in a job."""
    searches, by = evaluation.searches, evaluation.by_components
    count = len(evaluation.people)
    found = evaluation.comparisons()
    rates, distances = _errors(found) if all(evaluation.compared) else (None, None)
    return Curves(
        people=evaluation.people,
        accuracy=_accuracy(by) if by is not None else {},
        left_out=None if by is None else _over_components(by.left_out),
        kept=None if by is None else _over_components(by.kept, every=True),
        match=None if searches is None or not searches.mated.any() else _match(searches, count),
        rates=rates,
        detection=None if searches is None else _detection(searches),
        confusion=None if searches is None else confusion(searches, count),
        distances=distances,
    )


def components_in_use(evaluation: Evaluation) -> int | None:
    """Return the number of components that were compared; about how many if it was a share."""
    wanted, by = evaluation.setting.recipe.matcher.components, evaluation.by_components
    if isinstance(wanted, int):
        return wanted
    return None if by is None else fewest_components(by.kept, wanted)


def _accuracy(by: ByComponents) -> dict[str, Curve]:
    return {
        name: _over_components(by.accuracy[name], by.low[name], by.high[name])
        for name in by.accuracy
    }


def _over_components(
    y: Doubles, low: Doubles | None = None, high: Doubles | None = None, *, every: bool = False
) -> Curve:
    """Return the values at numbers of components that are evenly spaced on a logarithmic axis."""
    at = np.arange(len(y)) if every else spread(len(y))
    limits = (None if each is None else each[at] for each in (low, high))
    return Curve(at.astype(np.float64) + 1, y[at], *limits)


def spread(length: int, most: int = 120) -> Numbers:
    """Return indices 0 … length − 1: all of the first, then with growing gaps."""
    if length <= most:
        return np.arange(length)
    return np.unique(np.rint(np.geomspace(1, length, most)).astype(np.intp)) - 1


def _match(searches: Searches, count: int) -> Curve:
    share, low, high = cumulative_match(searches, count)
    ranks = np.arange(1.0, 1 + min(len(share), MOST_POINTS), dtype=np.float64)
    most = len(ranks)
    return Curve(ranks, share[:most], low[:most], high[:most])


def _errors(comparisons: Iterable[MatedOrNot]) -> tuple[Curve, ErrorHistogram]:
    """Return FMR over FNMR, and the histogram of distances, of mated comparisons and others."""
    rates = error_rates(comparisons)
    return thinned_rates(rates), histogram(comparisons, rates.equal[1])


def thinned_rates(rates: ErrorRates) -> Curve:
    """Return the points of an error curve that are distinct on both kinds of axes."""
    x, y = rates.fmr, rates.fnmr
    still_x, still_y = np.diff(x) == 0, np.diff(y) == 0
    corner = np.ones(len(x), bool)
    corner[1:-1] = (still_x[:-1] != still_x[1:]) | (still_y[:-1] != still_y[1:])
    places = np.flatnonzero(corner)
    if len(places) > MOST_POINTS:
        # Evenly spaced along the curve, on linear and on logarithmic axes.
        steps = sum(
            np.abs(np.diff(each)) / max(float(np.ptp(each)), 1e-9)
            for each in (x[places], y[places], _log(x[places]), _log(y[places]))
        )
        along = np.concatenate([[0.0], np.cumsum(steps)])
        wanted = np.linspace(0, along[-1], MOST_POINTS)
        places = places[np.unique(np.searchsorted(along, wanted).clip(0, len(places) - 1))]
    return Curve(x[places], y[places])


def _log(values: Doubles) -> Doubles:
    least = values[values > 0].min(initial=1.0)
    return np.log10(np.maximum(values, least))


def _detection(searches: Searches) -> Curve | None:
    mated = searches.mated
    if not mated.any() or mated.all():
        return None
    return thinned_rates(detection_curve(searches))


class GrowingCurves:
    """The curves of a running evaluation; each fold is added only once, which is fast."""

    def __init__(self) -> None:
        self._seen = 0
        self._right: dict[str, Doubles] = {}
        self._searched = 0
        self._kept: list[Doubles] = []
        self._left_out: list[Doubles] = []

    def add(self, partial: Partial) -> Curves:
        """Add the new folds, and return the curves so far."""
        for fold in partial.folds[self._seen :]:
            self._add_fold(fold)
        self._seen = len(partial.folds)
        searches = partial.joined
        count = len(partial.people)
        none = searches is None or not searches.mated.any()
        compared = None if searches is None else _compared_so_far(searches)
        rates, distances = (None, None) if compared is None else _errors(compared)
        return Curves(
            people=partial.people,
            accuracy=self._accuracy(),
            left_out=self._mean(self._left_out),
            kept=self._mean(self._kept, every=True),
            match=None if searches is None or none else _match_so_far(searches),
            rates=rates,
            detection=None if searches is None else _detection(searches),
            confusion=None if searches is None else confusion(searches, count),
            distances=distances,
        )

    def _add_fold(self, fold: FoldByComponents) -> None:
        for name, right in fold.right.items():
            new = right.sum(axis=1).astype(np.float64)
            held = self._right.get(name)
            if held is not None:
                most = min(len(held), len(new))
                new = held[:most] + new[:most]
            self._right[name] = new
        self._searched += int(fold.asked.sum())
        self._kept.append(fold.kept)
        self._left_out.append(fold.left_out)

    def _accuracy(self) -> dict[str, Curve]:
        searched = max(1, self._searched)
        return {name: _over_components(right / searched) for name, right in self._right.items()}

    def _mean(self, curves: list[Doubles], *, every: bool = False) -> Curve | None:
        if not curves:
            return None
        most = min(map(len, curves))
        step = max(1, len(curves) // 50)  # of very many folds, some are enough
        mean = np.mean([curve[:most] for curve in curves[::step]], axis=0)
        return _over_components(mean, every=every)


def _match_so_far(searches: Searches) -> Curve:
    ranks = searches.ranks[searches.mated]
    most = int(np.isfinite(searches.distances.row(len(searches) - 1)).sum())
    counts = np.bincount(ranks, minlength=most + 1)[1:]
    share = np.cumsum(counts) / max(1, len(ranks))
    return Curve(np.arange(1.0, len(share) + 1), share)


def _compared_so_far(searches: Searches) -> list[MatedOrNot] | None:
    """Return some comparisons; None if there is only one kind so far."""
    blocks = searches.distances
    every, found = 1 + blocks.size // _LOOKED_THROUGH, []
    step = 1 + min(blocks.size, _LOOKED_THROUGH) // _COMPARED_WHILE_GROWING
    for those, block in blocks:
        some = slice(-those.start % every, None, every)
        distances, own = block.distances[some], searches.people[those][some]
        there, mated = np.isfinite(distances), own[:, None] == block.people
        which = there & mated
        which.reshape(-1)[np.flatnonzero(there)[::step]] = True
        found.append(MatedOrNot(distances[which], mated[which]))
    return found if all(counts_of(found)) else None


BINS = 50


@dataclass(frozen=True, eq=False)
class ErrorHistogram(Histogram):
    """Histograms of mated and non-mated comparisons.

    ``equal`` is the distance at which the two errors are equal.
    """

    equal: float


def histogram(comparisons: Iterable[MatedOrNot], equal: float) -> ErrorHistogram:
    """Return the histograms of comparisons, with mated and others among them.

    ``equal``: the distance at which their two errors are equal.
    """
    ends = [(each.distances.min(), each.distances.max()) for each in comparisons if each.mated.size]
    edges = np.histogram_bin_edges(np.array(ends), BINS)
    counts = np.zeros((2, BINS), np.intp)
    for each in comparisons:
        for kind, those in zip(counts, (each.mated, ~each.mated), strict=True):
            kind += np.histogram(each.distances[those], edges)[0]
    both = Histogram.of(edges, *counts)
    return ErrorHistogram(edges, both.mated, both.non_mated, both.counts, equal)
