"""Accuracy for several distances, and reconstruction error, for every number k of components.

The distance over the first k coordinates is the distance over the first k − 1 plus one term, so
cumulative sums (maxima for L∞) give the nearest neighbours for k = 1, 2 … K in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.protocols import NO_FAILURES, Failures, Fold
from eigenfaces.evaluation.searches import probes_and_galleries
from eigenfaces.recognition.neighbours import Matching, person_means
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.statistics import share_intervals
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from eigenfaces.space.distances import DISTANCES, Distance
from eigenfaces.space.principal import Fit, Principal

MOST_COMPONENTS = 1500  # the largest number of components to measure
_NUMBERS_AT_ONCE = 1 << 18  # distances in memory at a time: 2 MB fit into the cache

CURVE_DISTANCES = ("L2", "L1", "cosine", "Mahalanobis L2", "Mahalanobis cosine")
"""Distances whose curves are drawn in one figure."""


@dataclass(frozen=True, eq=False)
class ByComponents:
    """The results of all folds for 1 … K components, where K is the fewest that any fold has."""

    accuracy: Mapping[str, Doubles]  # by distance, (K,): share of mated searches that are right
    low: Mapping[str, Doubles]  # lower limits of its 95 % interval, by person
    high: Mapping[str, Doubles]  # upper limits of that interval
    squares_lost: Doubles  # (K,) mean share of the probes' squared deviation that k components lose
    variance_kept: Doubles  # (K,) share of the training faces' variance kept, mean of the folds

    def __len__(self) -> int:
        return len(self.variance_kept)


@dataclass(frozen=True, eq=False)
class FoldByComponents:
    """The results of the m mated searches in one fold, for 1 … K components."""

    people: Numbers  # (m,) the person searched for
    right: Mapping[str, Flags]  # by distance, (K, m): whether that person came first
    squares_lost: Doubles
    variance_kept: Doubles


def fold_curves(
    principal: Principal,
    fitted: Fit,
    fold: Fold,
    people: Numbers,
    recipe: Recipe,
    distances: tuple[str, ...],
) -> FoldByComponents:
    """Return the results of a fold with several distances, for up to `MOST_COMPONENTS` components.

    Axes with zero variance, which can occur with descriptors of only a few faces, are left out.
    """
    k = min(MOST_COMPONENTS, int(np.count_nonzero(fitted.variances)))
    coordinates = fitted.project(principal.coordinates)[:, :k]
    variances = fitted.variances[:k]
    of = [np.empty(0, np.intp)]
    right = {name: [np.empty((k, 0), bool)] for name in distances}
    for probes, gallery in probes_and_galleries(fold):
        mated = probes[np.isin(people[probes], people[gallery])]
        of.append(people[mated])
        for name in distances if len(mated) else ():
            whole = DISTANCES[name].with_variances(variances, recipe.matcher.dropped)
            firsts = _nearest_people(coordinates, whole, recipe, mated, gallery, people)
            right[name].append(firsts == people[mated])
    flags = {name: np.concatenate(parts, axis=1) for name, parts in right.items()}
    lost = fitted.squares_lost(principal, fold.probes)[:k]
    return FoldByComponents(np.concatenate(of), flags, lost, fitted.variance_kept[:k])


def _nearest_people(
    coordinates: Doubles,
    whole: Distance,
    recipe: Recipe,
    probes: Numbers,
    gallery: Numbers,
    people: Numbers,
) -> Numbers:
    """For each number of components, return the people (K, m) nearest to the m probes.

    Ties go to the person with the lowest index. If all components are dropped, everybody ties, so
    the result is the first person in the gallery.
    """
    rule = recipe.matcher.rule
    skip = min(whole.dropped, whole.k)
    out = np.full((whole.k, len(probes)), people[gallery].min())
    points, known = (whole.standardised(coordinates[rows]) for rows in (probes, gallery))
    if rule == "mean distance":
        count = int(people.max()) + 1
        for k in range(skip, whole.k):
            first = slice(k + 1)
            by_all = Matching(
                rule=rule,
                people=people[gallery],
                count=count,
                distances=whole.between,
                probes=points[:, first],
                photos=known[:, first],
            )
            out[k] = by_all.ranking[:, 0]
        return out
    order = np.argsort(people[gallery], kind="stable")
    known = known[order]
    columns = people[gallery[order]]
    scatter = np.zeros(len(columns))
    if rule == "class mean":
        known = person_means(known, columns)
        columns, photos = np.unique(columns, return_counts=True)
        by_l2 = recipe.changed(distance=whole.name).mean_scatter
        scatter = by_l2 * (1 - 1 / photos)
    a, b = points[:, skip:], known[:, skip:]
    step = max(1, _NUMBERS_AT_ONCE // len(b))
    for start in range(0, len(probes), step):
        k = skip
        some = slice(start, start + step)
        for distances in cumulative_distances(whole, a[some], b):
            out[k : k + len(distances), some] = columns[(distances + scatter).argmin(axis=2)]
            k += len(distances)
    return out


def cumulative_distances(distance: Distance, a: Doubles, b: Doubles) -> Iterator[Doubles]:
    """Yield values (c, m, n), ranked like distances over 1, 2 … K coordinates, in chunks of c.

    ``a`` and ``b`` are standardised coordinates, (m, K) and (n, K).
    """
    a, b = (np.ascontiguousarray(points.T) for points in (a, b))
    step = max(1, _NUMBERS_AT_ONCE // (a.shape[1] * b.shape[1]))
    so_far = np.zeros((a.shape[1], b.shape[1]))
    gather = np.maximum if distance.kind == "chebyshev" else np.add
    lengths = np.sqrt(np.cumsum(b**2, axis=0))  # of the first 1, 2 … K coordinates
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    for start in range(0, len(a), step):
        some = slice(start, start + step)
        x = a[some, :, None]
        y = b[some, None, :]
        match distance.kind:
            case "angle":
                terms = -x * y
            case "euclidean":
                terms = np.square(x - y)
            case "cityblock" | "chebyshev":
                terms = np.abs(x - y)
            case unknown:
                assert_never(unknown)
        gather(terms[0], so_far, out=terms[0])
        gather.accumulate(terms, axis=0, out=terms)
        so_far = terms[-1].copy()
        if distance.kind == "angle":
            terms *= inverse[some, None, :]
            if start == 0:  # with one coordinate, all points on a side are equal
                np.sign(terms[0], out=terms[0])
        yield terms


def pooled_curves(
    folds: Sequence[FoldByComponents], count: int, failures: Failures = NO_FAILURES
) -> ByComponents:
    """Return the pooled results of all folds. ``count`` is the number of people.

    ``failures`` are searches that count as wrong for every number of components.
    """
    most = min(len(fold.variance_kept) for fold in folds)
    of = np.concatenate([fold.people for fold in folds])
    searches = np.bincount(np.concatenate([of, failures.people]), minlength=count)
    accuracy, low, high = {}, {}, {}
    for name in folds[0].right:
        flags = np.concatenate([fold.right[name][:most] for fold in folds], axis=1)
        by_person = np.array([np.bincount(of, right, len(searches)) for right in flags])
        whole = int(searches.sum())
        accuracy[name] = flags.sum(axis=1) / whole if len(of) else np.full(most, np.nan)
        low[name], high[name] = share_intervals(by_person, searches)
    weights = [len(fold.people) for fold in folds] if len(of) else None
    squares_lost = np.average([fold.squares_lost[:most] for fold in folds], axis=0, weights=weights)
    variance_kept = np.average(
        [fold.variance_kept[:most] for fold in folds], axis=0, weights=weights
    )
    return ByComponents(accuracy, low, high, squares_lost, variance_kept)


def best_k(curve: NDArray[np.float64]) -> int:
    """Return the smallest k with the highest accuracy, measured on the probes themselves."""
    return int(np.argmax(curve)) + 1


def accuracy_axis_start(ks: NDArray[np.float64], curves: Sequence[NDArray[np.float64]]) -> float:
    """Return where an accuracy axis should start so that the curves can be told apart.

    The start is a multiple of 0.05. ``ks`` (n,) are the numbers of components; those below ten are
    ignored. ``curves`` are accuracies or interval limits, (n,) each; NaN values are ignored.
    """
    counted = ks >= min(10.0, float(ks.max(initial=0.0)))
    values = np.concatenate([np.empty(0), *(curve[counted] for curve in curves)])
    least = float(values[np.isfinite(values)].min(initial=1.0))
    return min(0.9, max(0.0, float(np.floor(20 * least + 1e-9) / 20)))
