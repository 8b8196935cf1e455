"""Curves of an evaluation, as arrays with no more points than the eye can tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenfaces.evaluation.metrics import (
    ErrorRates,
    confusion,
    cumulative_match,
    detection_curve,
    error_rates,
)
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.recognition.statistics import Histogram
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components

MOST_DRAWN = 400  # the most points drawn per curve, as more cannot be told apart


@dataclass(frozen=True, eq=False)
class Curve:
    """The points of a curve, with its 95 % band if there is one."""

    x: Doubles
    y: Doubles
    low: Doubles | None = None
    high: Doubles | None = None


@dataclass(frozen=True, eq=False)
class Curves:
    """The curves of an evaluation, with its confusion matrix and its histogram of distances."""

    people: tuple[str, ...]
    accuracy: Mapping[str, Curve] = field(default_factory=dict)  # by distance, the chosen one first
    variance_kept: Curve | None = None
    cumulative_match: Curve | None = None
    error_rates: Curve | None = None  # FNMR against FMR
    stranger_rates: Curve | None = None  # 1 − DIR against FPIR, if there are strangers
    confusion: Numbers | None = None  # (p, p)
    distances: Histogram | None = None  # of mated and non-mated comparisons

    def component_count(self, components: int | float) -> int | None:
        """Return the number of components (estimated if given as a share of variance), or None."""
        if isinstance(components, int):
            return components
        if self.variance_kept is None:
            return None
        return int(self.variance_kept.x[fewest_components(self.variance_kept.y, components) - 1])


def curves_of(evaluation: Evaluation) -> Curves:
    """Return the curves of an evaluation. This can be slow, so call it in a background job."""
    searches = evaluation.searches
    by = evaluation.by_components
    count = len(evaluation.people)
    comparisons = evaluation.comparisons()
    curves = dict[str, Any]()
    failures = evaluation.failed
    if searches is not None:
        curves["confusion"] = confusion(searches, count)
    if searches is not None and searches.mated.any():
        match = cumulative_match(searches, count, failures)
        share, low, high = (band[:MOST_DRAWN] for band in match)
        curves["cumulative_match"] = Curve(np.arange(1.0, 1 + len(share)), share, low, high)
        if not searches.mated.all():
            curves["stranger_rates"] = thinned_rates(detection_curve(searches, len(failures)))
    if all(comparisons.counts):
        distances, mated = comparisons.distances, comparisons.mated
        rates = error_rates(distances, mated, len(failures.mated_people))
        edges = np.histogram_bin_edges(distances, 50)
        histogram = Histogram.of(edges, distances[mated], distances[~mated], rates.eer[1])
        curves |= {"distances": histogram, "error_rates": thinned_rates(rates)}
    if by is not None:
        every = np.arange(1.0, 1 + len(by))
        at = np.arange(len(by))
        if len(by) > 120:  # all of the first points, then growing gaps
            at = np.unique(np.rint(np.geomspace(1, len(by), 120)).astype(np.intp)) - 1
        curves["accuracy"] = {
            name: Curve(every[at], line[at], by.low[name][at], by.high[name][at])
            for name, line in by.accuracy.items()
        }
        curves["variance_kept"] = Curve(every, by.variance_kept)
    return Curves(evaluation.people, **curves)


def thinned_rates(rates: ErrorRates) -> Curve:
    """Return the points of an error curve that can be told apart on linear and logarithmic axes."""
    x, y = rates.fmr, rates.fnmr
    places = np.arange(len(x))
    if len(places) > MOST_DRAWN:  # evenly spaced along the curve, on both kinds of axes
        logs = (np.log10(np.maximum(axis, axis[axis > 0].min(initial=1.0))) for axis in (x, y))
        steps = sum(
            np.abs(np.diff(axis)) / max(float(np.ptp(axis)), 1e-9) for axis in (x, y, *logs)
        )
        along = np.concatenate([[0.0], np.cumsum(steps)])
        even = np.linspace(0, along[-1], MOST_DRAWN)
        places = np.unique(np.searchsorted(along, even).clip(0, len(places) - 1))
    return Curve(x[places], y[places])
