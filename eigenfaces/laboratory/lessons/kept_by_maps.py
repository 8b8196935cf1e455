"""What maps of points keep: neighbours, labels of neighbours, distances between groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.space.arrays import Doubles, Flags

NEAREST = 12
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
        from sklearn.manifold import trustworthiness

        few = min(NEAREST, (len(truth) - 1) // 2)
        trust = float(trustworthiness(truth, on_map, n_neighbors=few)) if few else np.nan
        tick(1, 1)
        return cls(trust, same_label(on_map, labels), _apart(truth, on_map, labels))


def same_label(points: Doubles, labels: Sequence[str]) -> float:
    """Return the share of points (n, v) whose nearest has their label."""
    from sklearn.neighbors import NearestNeighbors

    names = np.asarray(labels)
    nearest = NearestNeighbors(n_neighbors=1).fit(points).kneighbors()[1][:, 0]
    return float((names[nearest] == names).mean())


def _apart(truth: Doubles, on_map: Doubles, labels: Sequence[str]) -> float:
    from scipy.spatial.distance import pdist

    names, groups = np.unique(np.asarray(labels), return_inverse=True)
    if len(names) < _FEWEST_GROUPS:
        return float("nan")
    inside: Flags = groups == np.arange(len(names))[:, None]
    both = [pdist([points[each].mean(axis=0) for each in inside]) for points in (truth, on_map)]
    return float(np.corrcoef(*both)[0, 1])
