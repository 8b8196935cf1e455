"""Accuracy and reconstruction for every number of components k, for several distances.

Distances add up component by component, so one pass over the coordinates of a fold gives the
nearest neighbour for k = 1, 2, 3 …, and a fold's coordinates come from `spaces` without refitting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.every_k import can_bound, right_firsts
from eigenfaces.evaluation.intervals import share_intervals
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import probes_and_galleries
from eigenfaces.recognition.comparison import Comparison, Enrolled, Matching, Points
from eigenfaces.recognition.matcher import Matcher, Rule
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.folds import FoldSpace
from eigenfaces.space.representation import Smoothing, deviations

_PROBES_AT_ONCE = 800
"""Probes that are compared at once: the coordinates of all are copied otherwise."""

_NUMBERS_AT_ONCE = 400_000
"""Distances held at once: few enough to stay near the processor."""

_FEW = 1_000_000
"""Distances for all k together up to which all are taken: bounds would be slower."""

FIVE = ("L2", "L1", "cosine", "Mahalanobis L2", "Mahalanobis cosine")
"""Distances whose curves are drawn side by side."""


@dataclass(frozen=True, eq=False)
class ByComponents:
    """Results with 1 … K components; K is the number that every fold's face space has.

    Parameters
    ----------
    accuracy
        By distance, (K,) share of mated searches whose right person came first.
    low, high
        By distance, (K,) its 95 % interval, by person.
    left_out
        (K,) mean share of the probes' squared deviation from the mean that k components lose.
    kept
        (K,) share of the variance of the training faces that they keep; mean over the folds.
    """

    accuracy: Mapping[str, Doubles]
    low: Mapping[str, Doubles]
    high: Mapping[str, Doubles]
    left_out: Doubles
    kept: Doubles

    def __len__(self) -> int:
        return len(self.kept)


@dataclass(frozen=True, eq=False)
class FoldByComponents:
    """The same for one fold, before averaging.

    Parameters
    ----------
    people, asked
        (q,) who was searched for and enrolled, in ascending order, and how often.
    right
        By distance, (K, q) how often they came first.
    left_out, kept
        As in `ByComponents`.
    """

    people: Numbers
    asked: Numbers
    right: Mapping[str, Numbers]
    left_out: Doubles
    kept: Doubles


def of_fold(
    space: FoldSpace, fold: Fold, people: Numbers, matcher: Matcher, distances: tuple[str, ...]
) -> FoldByComponents:
    """Return the results of a fold for every number of components, for several distances."""
    mated: list[Numbers] = []
    right: dict[str, list[Flags]] = {name: [] for name in distances}
    for probes, gallery in probes_and_galleries(fold):
        asked = probes[np.isin(people[probes], people[gallery])]
        mated.append(people[asked])
        for name in distances:
            one = replace(matcher, distance=name)
            for start in range(0, len(asked), _PROBES_AT_ONCE):
                some = asked[start : start + _PROBES_AT_ONCE]
                right[name].append(_right_firsts(space, some, gallery, people, one))
    nothing = np.empty((len(space), 0), bool)
    of = np.concatenate([np.empty(0, np.intp), *mated])
    who, counts = np.unique(of, return_counts=True)
    return FoldByComponents(
        people=who,
        asked=counts,
        right={
            name: _by_person(np.concatenate([nothing, *each], axis=1), of)
            for name, each in right.items()
        },
        left_out=space.left_out(fold.probes),
        kept=space.kept,
    )


def _by_person(right: Flags, people: Numbers) -> Numbers:
    """Return how often each person came first, (K, q), of flags (K, m) and who was asked for."""
    order = np.argsort(people, kind="stable")
    starts = np.flatnonzero(np.diff(people[order], prepend=-1))
    short = np.min_scalar_type(len(people))  # of many folds, these are many numbers
    return np.add.reduceat(right[:, order], starts, axis=1, dtype=short)


def _right_firsts(
    space: FoldSpace, probes: Numbers, gallery: Numbers, people: Numbers, matcher: Matcher
) -> Flags:
    """Return whether the right person comes first for each number of components, (K, m).

    If the first m components are dropped, there is nothing to compare for k ≤ m: there,
    all people are equally far.
    """
    skip, weights = min(matcher.dropped, len(space)), None
    if matcher.whitening != "none":
        by_k = isinstance(matcher.smoothing, str)  # a share of the variance kept
        weights = _whitening(space.variances, matcher.smoothing)[skip:, skip:] if by_k else None
        matcher = replace(matcher, whitening="none" if by_k else "pca")
    comparison = Comparison.by(matcher, space, slice(skip, len(space)))
    enrolled = Enrolled(people[gallery], int(people.max()) + 1)
    along = space.coordinates[probes], space.coordinates[gallery]
    faces = [comparison.compared(each) for each in along]
    asked = people[probes]
    nobody = np.full((skip, len(asked)), enrolled.people.min()) == asked
    large = len(asked) * len(gallery) * len(space) > _FEW
    if large and weights is None and can_bound(comparison.distance, matcher):
        right = _by_bounds(comparison, faces, enrolled, asked, matcher.rule)
    else:
        right = _by_distances(comparison, faces, enrolled, matcher, weights) == asked
    return np.concatenate([nobody, right])


def _by_bounds(
    comparison: Comparison, faces: Sequence[Points], enrolled: Enrolled, asked: Numbers, rule: Rule
) -> Flags:
    """Return whether the right person comes first, (K, m), mostly by bounds."""
    photos, people = faces[1], enrolled.people
    if rule == "class mean":
        people = np.unique(people)
        photos = enrolled.means(photos)[people]
    probes, photos = map(comparison.standardised, (faces[0], photos))
    return right_firsts(comparison.distance, (probes, asked), (photos, people))


def _by_distances(
    comparison: Comparison,
    faces: Sequence[Points],
    enrolled: Enrolled,
    matcher: Matcher,
    weights: Doubles | None,
) -> Numbers:
    """Return the first answers, (K, m), by all the distances for each k."""

    def distances(a: Points, b: Points) -> Doubles:
        by_k = comparison.distance.over_components(a, b, comparison.variances, weights)
        return by_k.reshape(-1, len(b))

    probes, photos = faces
    k = len(comparison.variances)
    step = max(1, _NUMBERS_AT_ONCE // max(1, len(photos) * k))
    firsts = [np.empty((k, 0), np.intp)]
    for start in range(0, len(probes), step):
        some = probes[start : start + step]
        found = Matching(matcher, enrolled, distances, some, photos).firsts
        firsts.append(found.reshape(-1, len(some)))
    return np.concatenate(firsts, axis=1)


def _whitening(variances: Doubles, smoothing: Smoothing) -> Doubles:
    """Return whitening weights of the first 1, 2 … k coordinates, (k, k), if ε depends on k."""
    by_k = np.zeros((len(variances), len(variances)))
    for k in range(1, len(variances) + 1):
        by_k[k - 1, :k] = 1 / deviations(smoothing, variances[:k])
    return by_k


def summed_up(folds: Sequence[FoldByComponents], count: int) -> ByComponents:
    """Return the results over all folds; ``count`` is the number of people."""
    most = min(len(fold.kept) for fold in folds)
    of = np.zeros(count, np.intp)
    for fold in folds:
        of[fold.people] += fold.asked
    weights = np.array([fold.asked.sum() for fold in folds], float)
    weights = weights if weights.any() else np.ones(len(folds))
    accuracy, low, high = {}, {}, {}
    for name in folds[0].right:
        by_person = np.zeros((most, count))
        for fold in folds:
            by_person[:, fold.people] += fold.right[name][:most]
        accuracy[name] = by_person.sum(axis=1) / of.sum() if of.any() else np.full(most, np.nan)
        low[name], high[name] = share_intervals(by_person, of)
    return ByComponents(
        accuracy=accuracy,
        low=low,
        high=high,
        left_out=np.average([fold.left_out[:most] for fold in folds], axis=0, weights=weights),
        kept=np.average([fold.kept[:most] for fold in folds], axis=0, weights=weights),
    )


def curve_distances(matcher: Matcher) -> tuple[str, ...]:
    """Return the distances whose curves are drawn; the matcher's own comes first."""
    wanted = dict.fromkeys((matcher.distance, *FIVE))
    if matcher.whitening != "none":
        wanted = {name: None for name in wanted if not DISTANCES[name].whitens}
    return tuple(wanted)


def best_k(curve: NDArray[np.float64]) -> int:
    """Return the smallest k that reaches the largest accuracy.

    It is chosen on the probes themselves, so test it on other photographs.
    """
    return int(np.argmax(curve)) + 1


def axis_start(ks: NDArray[np.float64], curves: Sequence[NDArray[np.float64]]) -> float:
    """Return where an axis of accuracy starts, so that curves near each other are distinct.

    Values with fewer than ten components do not count: they would flatten all the rest.

    Parameters
    ----------
    ks
        (n,) numbers of components.
    curves
        Accuracies or limits of intervals, (n,) each; NaN is ignored.

    Returns
    -------
        A multiple of 0.05, at most 0.9.

    Examples
    --------
    >>> axis_start(np.array([1.0, 10, 40]), [np.array([0.2, 0.87, 0.97])])
    0.85
    """
    counted = ks >= min(10.0, float(ks.max(initial=0.0)))
    values = np.concatenate([np.empty(0), *(curve[counted] for curve in curves)])
    least = float(values[np.isfinite(values)].min(initial=1.0))
    return min(0.9, max(0.0, float(np.floor(20 * least + 1e-9) / 20)))
