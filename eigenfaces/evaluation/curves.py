"""The curves of a finished or running evaluation: arrays with as many points as can be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from eigenfaces.evaluation.metrics import (
    ErrorRates,
    confusion,
    cumulative_match,
    detection_curve,
    error_rates,
)
from eigenfaces.evaluation.records import Evaluation, Partial
from eigenfaces.recognition.calibration import Histogram
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components

MOST_POINTS = 400  # points of a curve that are drawn: more cannot be told apart


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve, with its 95 % band if it has one."""

    x: Doubles
    y: Doubles
    low: Doubles | None = None
    high: Doubles | None = None


@dataclass(frozen=True, eq=False)
class Curves:
    """The curves of a finished or running evaluation, with confusion matrix and histogram."""

    people: tuple[str, ...]
    accuracy: Mapping[str, Curve] = field(default_factory=dict)  # by distance, its own first
    left_out: Curve | None = None
    kept: Curve | None = None
    match: Curve | None = None
    rates: Curve | None = None  # FMR over FNMR
    detection: Curve | None = None  # FPIR over 1 − DIR, if there are strangers
    confusion: Numbers | None = None  # (p, p)
    distances: Histogram | None = None  # of mated and non-mated comparisons

    def components(self, wanted: int | float) -> int | None:
        """Return the number of components; about how many, if a share is wanted."""
        if isinstance(wanted, int):
            return wanted
        if self.kept is None:
            return None
        return int(self.kept.x[fewest_components(self.kept.y, wanted) - 1])


def curves_of(evaluation: Evaluation | Partial) -> Curves:
    """Return the curves of an evaluation; slow for large ones that are done: call it in a job."""
    searches, by, count = evaluation.searches, evaluation.by_components, len(evaluation.people)
    match = detection = rates = distances = left_out = kept = matrix = None
    accuracy: dict[str, Curve] = {}
    if searches is not None:
        matrix = confusion(searches, count)
    if searches is not None and searches.mated.any():
        share, low, high = (each[:MOST_POINTS] for each in cumulative_match(searches, count))
        match = Curve(np.arange(1.0, 1 + len(share)), share, low, high)
        if not searches.mated.all():
            detection = thinned_rates(detection_curve(searches))
    comparisons = evaluation.comparisons()
    if all(comparisons.counts):
        found = error_rates(comparisons.distances, comparisons.mated)
        values, mated = comparisons.distances, comparisons.mated
        edges = np.histogram_bin_edges(values, 50)
        distances = Histogram.of(edges, values[mated], values[~mated], found.equal[1])
        rates = thinned_rates(found)
    if by is not None:
        at, every = spread(len(by)), np.arange(1.0, 1 + len(by))
        ks = every[at]
        for name, line in by.accuracy.items():
            accuracy[name] = Curve(ks, line[at], by.low[name][at], by.high[name][at])
        left_out, kept = Curve(ks, by.left_out[at]), Curve(every, by.kept)
    lines = left_out, kept, match, rates, detection
    return Curves(evaluation.people, accuracy, *lines, matrix, distances)


def spread(length: int) -> Numbers:
    """Return indices 0 … length − 1: all of the first, then with growing gaps."""
    if length <= 120:
        return np.arange(length)
    return np.unique(np.rint(np.geomspace(1, length, 120)).astype(np.intp)) - 1


def thinned_rates(rates: ErrorRates) -> Curve:
    """Return the points of an error curve that are distinct on both kinds of axes."""
    x, y = rates.fmr, rates.fnmr
    places = np.arange(len(x))
    if len(places) > MOST_POINTS:  # evenly spaced along it, on linear and on logarithmic axes
        logs = (np.log10(np.maximum(each, each[each > 0].min(initial=1.0))) for each in (x, y))
        steps = sum(
            np.abs(np.diff(each)) / max(float(np.ptp(each)), 1e-9) for each in (x, y, *logs)
        )
        along = np.concatenate([[0.0], np.cumsum(steps)])
        wanted = np.linspace(0, along[-1], MOST_POINTS)
        places = np.unique(np.searchsorted(along, wanted).clip(0, len(places) - 1))
    return Curve(x[places], y[places])
