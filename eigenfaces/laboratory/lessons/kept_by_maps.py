"""What maps of points keep: neighbours, labels of neighbours, distances between groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.laboratory.maps import Distances, faithfulness
from eigenfaces.space.arrays import Doubles, Flags, Numbers

NEAREST = 12
_ROWS_AT_ONCE = 256
_FEWEST_GROUPS = 4
"""Distances between fewer groups are too few to compare."""


@dataclass(frozen=True)
class KeptByMap:
    """What a map of labelled points keeps.

    Parameters
    ----------
    trust
        Trustworthiness of the `NEAREST` nearest, 0…1.
    same
        The share of the points whose nearest has the same label.
    apart
        The correlation of the distances between the middles of the groups, with those in truth; NaN
        with few groups.
    """

    trust: float
    same: float
    apart: float

    @classmethod
    def of(
        cls, truth: Doubles, on_map: Doubles, labels: Sequence[str], tick: Tick = no_tick
    ) -> KeptByMap:
        """Measure a map (n, v) of points (n, d) on all of them."""
        n = len(truth)
        found = faithfulness(
            _distances(truth), _distances(on_map), n, tick, neighbours=NEAREST, most=n
        )
        trust = found.trustworthiness if found else np.nan
        return cls(trust, same_label(on_map, labels), _apart(truth, on_map, labels))


def same_label(points: Doubles, labels: Sequence[str]) -> float:
    """Return the share of points (n, v) whose nearest has their label."""
    names, distances = np.asarray(labels), _distances(points)
    nearest = np.empty(len(points), np.intp)
    for start in range(0, len(points), _ROWS_AT_ONCE):
        rows = np.arange(start, min(start + _ROWS_AT_ONCE, len(points)))
        away = distances(rows)
        away[np.arange(len(rows)), rows] = np.inf
        nearest[rows] = away.argmin(axis=1)
    return float((names[nearest] == names).mean())


def _distances(points: Doubles) -> Distances:
    from scipy.spatial.distance import cdist

    def of(rows: Numbers) -> Doubles:
        away: Doubles = cdist(points[rows], points)
        return away

    return of


def _apart(truth: Doubles, on_map: Doubles, labels: Sequence[str]) -> float:
    from scipy.spatial.distance import pdist

    names, groups = np.unique(np.asarray(labels), return_inverse=True)
    if len(names) < _FEWEST_GROUPS:
        return float("nan")
    inside: Flags = groups == np.arange(len(names))[:, None]
    both = [pdist([points[each].mean(axis=0) for each in inside]) for points in (truth, on_map)]
    return float(np.corrcoef(*both)[0, 1])
