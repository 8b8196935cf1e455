"""Figures computed from searches and pairs, such as error rates, with their 95 % intervals.

The terms are those of ISO/IEC 19795-1. A *mated* search is for an enrolled person. FMR and FNMR are
the false match and false non-match rates of comparisons at a threshold, TAR = 1 − FNMR, and FPIR is
the share of searches for strangers that return a name. A comparison is accepted if its distance is
at most the threshold.

Intervals are by person, because photographs of one person are not independent. Shares get Wilson's
interval (`share_intervals`). All other figures get it with an effective sample size, derived from
the variance when people are drawn with replacement, along with all searches for them and all
comparisons with them (A. B. Owen, *The pigeonhole bootstrap*, 2007). Percentile intervals would be
too narrow if few people have errors; ours tend to be too wide (`benchmarks/test_coverage.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Literal, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.protocols import NO_FAILURES, Failures
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.recognition.statistics import Rate, share_intervals, wilson
from eigenfaces.space.arrays import Doubles, Flags, Numbers, ShortNumbers
from eigenfaces.text import count as counted
from eigenfaces.text import with_interval

LEVEL = 0.95
NO_THRESHOLD = "No threshold could be chosen: the tuning pairs are all mated, or all non-mated."
RESAMPLES = 1000

_Identified = Literal["rank-1", "rank-5", "balanced accuracy", "pair accuracy"]
_Verified = Literal["EER", "TAR at FAR 1 %", "TAR at FAR 0.1 %", "least HTER", "HTER"]
_OpenSet = Literal["DIR at FPIR 1 %", "DIR at FPIR 10 %", "FPIR reached", "DIR reached"]
MetricKind = Literal[_Identified, _Verified, _OpenSet]  # the names in tables and JSON

FALSE_ACCEPTS: dict[MetricKind, float] = {"TAR at FAR 1 %": 0.01, "TAR at FAR 0.1 %": 0.001}
"""The FAR at which each TAR is measured."""

STRANGERS_NAMED: dict[MetricKind, float] = {"DIR at FPIR 1 %": 0.01, "DIR at FPIR 10 %": 0.1}
"""The FPIR at which each DIR is measured."""

Weights = NDArray[np.number] | Flags
_SCORES_RESAMPLED = 100_000  # of more non-mated scores, an even selection is resampled


@dataclass(frozen=True)
class Metric:
    """A figure of an evaluation: a share from 0 to 1, with its 95 % interval.

    Attributes
    ----------
    kind
        The kind of figure, such as ``"rank-1"``.
    value
        The share itself, 0…1.
    low, high
        The limits of the interval.
    note
        A description of the searches or comparisons that were counted.
    by
        The units that the interval assumes to be independent.

    Examples
    --------
    >>> Metric("rank-1", 0.975, low=0.9534, high=0.9893, note="390 of 400").words()
    '97.50 % (95.34 to 98.93)'
    """

    kind: MetricKind
    value: float
    low: float
    high: float
    note: str
    by: str = "by person"

    @classmethod
    def of(
        cls, kind: MetricKind, numbers: Iterable[SupportsFloat], note: str, by: str = "by person"
    ) -> Metric:
        """Return a figure from three numbers: its value and the limits of its interval."""
        value, low, high = map(float, numbers)
        return cls(kind, value, low, high, note, by)

    def words(self) -> str:
        """Return the figure as text, such as “97.50 % (95.34 to 98.93)”."""
        return with_interval(self.value, self.low, self.high)


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Table of n comparisons, each between a probe and a person. All arrays are (n,)."""

    distances: Doubles
    mated: Flags  # whether the person is the one on the probe
    people: ShortNumbers  # the person on the probe
    claimed: ShortNumbers  # the person with whom the probe was compared
    fold: ShortNumbers

    @classmethod
    def of_searches(cls, searches: Searches) -> Comparisons:
        """Return the comparisons of every probe with every enrolled person."""
        which = searches.is_comparison
        rows, claimed = (places.astype(np.int32) for places in np.nonzero(which))
        people, fold = (of.astype(np.int32)[rows] for of in (searches.people, searches.fold))
        return cls(searches.distances[which], people == claimed, people, claimed, fold)

    @classmethod
    def of_pairs(cls, scores: PairScores, people: Numbers) -> Comparisons:
        """Return a comparison for each pair. ``people`` (n,) is the person each face belongs to."""
        first, second = people.astype(np.int32)[scores.pairs.T]
        return cls(scores.distances, scores.mated, first, second, scores.fold.astype(np.int32))

    def select(self, which: Flags | Numbers) -> Comparisons:
        """Return the comparisons that a mask or an array of indices selects."""
        return Comparisons(*(getattr(self, array.name)[which] for array in fields(self)))

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of mated and of non-mated comparisons."""
        mated = int(self.mated.sum())
        return mated, len(self.mated) - mated

    def thinned(self) -> Comparisons:
        """Return the comparisons in order of increasing distance.

        If there are very many non-mated comparisons, only every second, third … of them is kept.
        """
        order = np.argsort(self.distances, kind="stable")
        keep = self.mated[order]
        others = np.flatnonzero(~keep)
        step = max(1, -(-len(others) // _SCORES_RESAMPLED))
        keep[others[step // 2 :: step]] = True
        return self.select(order[keep])


@dataclass(frozen=True, eq=False)
class ErrorRates:
    """FMR and FNMR at increasing thresholds, the first of which accepts nothing."""

    thresholds: Doubles
    fmr: Doubles
    fnmr: Doubles

    @classmethod
    def of(
        cls, distances: Doubles, right: Weights, wrong: Weights, count: float | None = None
    ) -> ErrorRates:
        """Return the error rates of n comparisons that are sorted by distance.

        ``right`` and ``wrong`` are the weights of mated and non-mated comparisons. ``count`` is the
        total weight of the mated ones, needed if some of them are never accepted.
        """
        last = np.flatnonzero(np.append(distances[1:] != distances[:-1], True))  # of equal ones
        rights, wrongs = (np.append(0, np.cumsum(of)[last]) for of in (right, wrong))
        thresholds = np.append(np.nextafter(distances[0], -np.inf), distances[last])
        fnmr = 1 - rights / (count or rights[-1] or 1)
        return cls(thresholds, wrongs / (wrongs[-1] or 1), fnmr)

    def corners(self) -> ErrorRates:
        """Return the rates at the corners of the curve, and where FMR and FNMR are closest."""
        both = np.array([self.fmr, self.fnmr])
        moved = np.flatnonzero(np.append(True, np.diff(both).any(axis=0)))
        keep = np.ones(len(moved), bool)
        still = np.diff(both[:, moved]) == 0
        keep[1:-1] = ~(still[:, :-1] & still[:, 1:]).any(axis=0)
        some = np.union1d(moved[keep], np.argmin(np.abs(self.fmr - self.fnmr)))
        return ErrorRates(self.thresholds[some], self.fmr[some], self.fnmr[some])

    @property
    def eer(self) -> tuple[float, float]:
        """The EER, (FMR + FNMR) / 2 where the two are closest, and the threshold there."""
        at = int(np.argmin(np.abs(self.fmr - self.fnmr)))
        return float(self.fmr[at] + self.fnmr[at]) / 2, float(self.thresholds[at])

    @property
    def min_hter(self) -> tuple[float, float]:
        """The smallest HTER, (FMR + FNMR) / 2, over all thresholds, and the threshold there."""
        both = (self.fmr + self.fnmr) / 2
        at = int(np.argmin(both))
        return float(both[at]), float(self.thresholds[at])

    def index_at(self, far: float) -> int:
        """Return the index of the last threshold with an FMR of at most ``far``."""
        return int(np.searchsorted(self.fmr, far + 1e-12, "right")) - 1

    def accepted_at(self, far: float) -> float:
        """Return the largest TAR at a FAR of at most ``far``."""
        return float(1 - self.fnmr[self.index_at(far)])


def error_rates(distances: Doubles, mated: Flags, failed: int = 0) -> ErrorRates:
    """Return the error rates of n comparisons. ``mated`` flags the mated ones.

    ``failed`` is the number of additional mated comparisons that never match.
    """
    order = np.argsort(distances, kind="stable")
    whole = int(mated.sum()) + failed
    return ErrorRates.of(distances[order], mated[order], ~mated[order], whole).corners()


def detection_curve(searches: Searches, failed: int = 0) -> ErrorRates:
    """Return FPIR (as ``fmr``) and 1 − DIR (as ``fnmr``) at every threshold.

    ``failed`` is the number of additional mated searches that find nobody.
    """
    order = np.argsort(searches.answer_distances, kind="stable")
    return _detection(searches.select(order), np.ones(len(order)), failed).corners()


def _detection(searches: Searches, weights: Doubles, failed: float) -> ErrorRates:
    """Return FPIR and 1 − DIR of m weighted searches that are sorted by distance.

    A mated search succeeds only if the right person comes first. ``failed`` is the weight of
    additional mated searches that find nobody.
    """
    members = weights * searches.mated
    hits = members * searches.right
    whole = float(members.sum()) + failed
    return ErrorRates.of(searches.answer_distances, hits, weights - members, whole)


def bootstrap_limits(
    figures: Callable[[Doubles], Doubles],
    values: ArrayLike,
    erring: ArrayLike,
    people: tuple[int, int],
    seed: int,
    tick: Tick = no_tick,
) -> tuple[Doubles, Doubles]:
    """Return the lower and upper limits (q,) of q figures by resampling people with replacement.

    ``figures`` maps how often each person was drawn, (p,), to shares (q,). A share is NaN, and is
    ignored, if nobody with such a search was drawn. ``values`` (q,) are the figures themselves, and
    ``erring`` (q,) is the number of people with errors. ``people`` holds two numbers: p, and how
    many people the figures depend on.
    """
    count, informative = people
    if informative < 2:
        return np.zeros(np.shape(values)), np.ones(np.shape(values))
    often = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), RESAMPLES)
    draws = []
    shares = np.asarray(values, np.float64)
    for number, weights in enumerate(often.astype(np.float64)):
        tick(number, RESAMPLES)
        draws.append(figures(weights))
    finite = ([*filter(math.isfinite, drawn)] for drawn in np.array(draws).T)
    # Var(share) = share (1 − share) / n: the variance over the draws gives 1 / n.
    spread = np.array([np.var(drawn) if drawn else 0 for drawn in finite])
    inside = shares * (1 - shares)
    known = (inside > 0) & (spread > 1e-9 * inside)  # anything smaller is rounding error
    inverse_n = np.where(known, spread / np.where(known, inside, 1), 0)
    return wilson(shares, inverse_n, np.where(known, erring, 0), informative)


def identification(
    searches: Searches, count: int, failures: Failures = NO_FAILURES
) -> list[Metric]:
    """Return rank-1, rank-5 and balanced accuracy of the mated searches among ``count`` people.

    ``failures`` are mated searches that count as wrong at every rank.
    """
    mated = searches.select(searches.mated)
    if not len(mated):
        return []
    of = _searched(mated, count, failures)
    curve = cumulative_match(searches, count, failures)
    some = of > 0
    searched = counted(int(of.sum()), "search", "searches")
    note = f"{searched} of {counted(int(some.sum()), 'person')} among {len(curve[0])} enrolled"
    note += failed_words(failures)
    ranks: list[tuple[MetricKind, int]] = [("rank-1", 1), ("rank-5", 5)]
    metrics = [
        Metric.of(kind, [line[rank - 1] for line in curve], note)
        for kind, rank in ranks
        if rank == 1 or rank < len(curve[0])
    ]
    recalls = np.bincount(mated.people[mated.right], minlength=len(of))[some] / of[some]
    often = of.sum() / len(recalls)  # as if everybody were searched for equally often
    limits = share_intervals(recalls * often, np.full(len(recalls), often))
    words = "mean of each person’s share of right answers"
    return [*metrics, Metric.of("balanced accuracy", (recalls.mean(), *limits), words)]


def failed_words(failures: Failures) -> str:
    """Return the number of failures as text to append to a note, or "" if there are none.

    >>> failed_words(Failures(np.zeros(2, int), np.zeros(2, int), np.ones(2, bool)))
    ', 2 of which failed without a usable photo'
    """
    many = len(failures)
    return f", {many:,} of which failed without a usable photo" if many else ""


def _searched(mated: Searches, count: int, failures: Failures) -> Numbers:
    """Return the number of mated searches for each person, (p,), including failed ones."""
    people = np.concatenate([mated.people, failures.people])
    return np.bincount(people, minlength=count)


def verification(
    comparisons: Comparisons,
    thresholds: Doubles | None,
    count: int,
    seed: int,
    tick: Tick = no_tick,
    failures: Failures = NO_FAILURES,
) -> list[Metric]:
    """Return EER, TAR at FAR and HTER, or [] if mated or non-mated comparisons are missing.

    ``thresholds`` (folds,) were chosen without the probes of their fold, or are NaN. ``count`` is
    the number of people. Mated failures count as comparisons that never match.
    """
    right, wrong = comparisons.counts
    lost = failures.mated_people
    count = max(count, int(lost.max(initial=-1)) + 1)
    if not right or not wrong:
        return []
    if thresholds is not None and not np.isfinite(thresholds).all():
        thresholds = None
    fars = tuple(FALSE_ACCEPTS.values())
    some = comparisons.thinned()

    def figures(of: Comparisons, right: Weights, wrong: Weights, failed: float) -> Doubles:
        whole = float(right.sum()) + failed
        rates = ErrorRates.of(of.distances, right, wrong, whole)
        values = [rates.eer[0], *map(rates.accepted_at, fars), rates.min_hter[0]]
        if thresholds is not None:
            accepted = of.distances <= thresholds[of.fold]
            missed = right[~accepted].sum() + failed
            matched = wrong[accepted].sum()
            values.append((missed / whole + matched / wrong.sum()) / 2)
        return np.array(values)

    def resample(often: Doubles) -> Doubles:
        weights = often[some.people]
        right = weights * some.mated
        wrong = (weights - right) * often[some.claimed]
        if not right.any() or not wrong.any():
            return np.full(len(kinds), np.nan)
        return figures(some, right, wrong, float(often[lost].sum()))

    every = comparisons.select(np.argsort(comparisons.distances, kind="stable"))
    rates = error_rates(comparisons.distances, comparisons.mated, len(lost))
    mated = comparisons.mated
    at = [rates.eer[1], *(rates.thresholds[rates.index_at(far)] for far in fars), rates.min_hter[1]]
    kinds: list[MetricKind] = ["EER", *FALSE_ACCEPTS, "least HTER"]
    people, distances = comparisons.people[mated], comparisons.distances[mated]
    refused = [distances > threshold for threshold in at]
    if thresholds is not None:
        kinds.append("HTER")
        refused.append(distances > thresholds[comparisons.fold[mated]])
    values = figures(every, every.mated, ~every.mated, len(lost))
    erring = [len(np.unique(np.concatenate([people[missed], lost]))) for missed in refused]
    sizes = count, len(np.unique(np.concatenate([people, lost])))
    lows, highs = bootstrap_limits(resample, values, erring, sizes, seed, tick)
    note = f"{right + len(lost):,} mated and {wrong:,} non-mated comparisons"
    note += failed_words(failures) if len(lost) else ""
    notes: dict[MetricKind, str] = {
        "least HTER": f"{note}; threshold chosen on these comparisons themselves",
        "HTER": f"{note}; threshold chosen in each fold without its probes",
    }
    return [
        Metric.of(kind, numbers, notes.get(kind, note))
        for kind, *numbers in zip(kinds, values, lows, highs, strict=True)
        if wrong * FALSE_ACCEPTS.get(kind, 1) >= 1  # else so small a rate cannot be measured
    ]


def open_set(
    searches: Searches,
    count: int,
    seed: int,
    tick: Tick = no_tick,
    failures: Failures = NO_FAILURES,
) -> list[Metric]:
    """For each FPIR, return the DIR at the largest threshold that keeps to it.

    ``failures`` are mated searches that find nobody. Without strangers or members, return [].
    """
    lost = failures.people
    count = max(count, int(lost.max(initial=-1)) + 1)
    if searches.mated.all() or not searches.mated.any():
        return []
    order = np.argsort(searches.answer_distances, kind="stable")
    ordered = searches.select(order)
    fpirs = tuple(STRANGERS_NAMED.values())
    people = ordered.people
    strange = ~ordered.mated

    def figures(often: Doubles) -> Doubles:
        rates = _detection(ordered, often[people], float(often[lost].sum()))
        return np.array([*map(rates.accepted_at, fpirs)])

    values = figures(np.ones(count))
    rates = _detection(ordered, np.ones(len(people)), len(lost))
    near = [ordered.answer_distances <= rates.thresholds[rates.index_at(fpir)] for fpir in fpirs]
    wrong = [people[~strange & ~(ordered.right & within)] for within in near]
    erring = [len(np.unique(np.concatenate([some, lost]))) for some in wrong]
    members = np.concatenate([people[~strange], lost])
    fewer = min(len(np.unique(people[strange])), len(np.unique(members)))
    lows, highs = bootstrap_limits(figures, values, erring, (count, fewer), seed, tick)
    note = f"{len(members):,} mated searches and {strange.sum():,} of strangers"
    note += failed_words(failures)
    return [
        Metric.of(kind, numbers, note)
        for kind, *numbers in zip(STRANGERS_NAMED, values, lows, highs, strict=True)
        if strange.sum() * STRANGERS_NAMED[kind] >= 1
    ]


def cumulative_match(
    searches: Searches, count: int, failures: Failures = NO_FAILURES
) -> tuple[Doubles, Doubles, Doubles]:
    """Return the CMC (the share of mated searches right within rank 1 … r) and its limits, (r,)."""
    mated = searches.select(searches.mated)
    enrolled = np.isfinite(mated.distances).sum(axis=1).max(initial=1)
    most = int(mated.ranks.max(initial=enrolled))
    of = _searched(mated, count, failures)
    by_rank = np.zeros((most, len(of)))
    np.add.at(by_rank, (mated.ranks - 1, mated.people), 1)
    right = np.cumsum(by_rank, axis=0)
    low, high = share_intervals(right, of)
    return right.sum(axis=1) / max(1, of.sum()), np.maximum.accumulate(low), high


def pair_accuracy(
    scores: PairScores, thresholds: Doubles, people: Numbers, failures: Failures = NO_FAILURES
) -> Metric | None:
    """Return the share of pairs that are decided correctly, or None if a threshold is missing.

    The interval is Student's t over the folds, with the standard error of their accuracies, as the
    LFW protocol requires. With a single fold, or if the folds do not differ, the interval is by the
    person in the first photograph. ``thresholds`` are (folds,), and ``people`` (n,) is the person
    each face belongs to. ``failures`` are pairs that count as wrong.
    """
    from scipy.special import stdtrit

    if not np.isfinite(thresholds[scores.fold]).all():
        return None
    right = np.concatenate([scores.right(thresholds), np.zeros(len(failures), bool)])
    fold = np.concatenate([scores.fold, failures.fold])
    shares = np.array([right[fold == number].mean() for number in np.unique(fold)])
    value = float(shares.mean())
    folds = len(shares)
    note = f"{counted(len(right), 'pair')} in {counted(folds, 'fold')}{failed_words(failures)}"
    error = float(shares.std(ddof=1) / np.sqrt(folds)) if folds > 1 else 0.0
    if error == 0:
        first = np.concatenate([people[scores.pairs[:, 0]], failures.people])
        limits = share_intervals(np.bincount(first, right), np.bincount(first))
        return Metric.of("pair accuracy", (value, *limits), note)
    half = error * float(stdtrit(folds - 1, 0.5 + LEVEL / 2))
    note += f"; standard error {100 * error:.2f} %"
    numbers = value, max(0.0, value - half), min(1.0, value + half)
    return Metric.of("pair accuracy", numbers, note, by="over the folds")


def confusion(searches: Searches, count: int) -> NDArray[np.intp]:
    """Return how often each person (row) was given each name (column) in mated searches, (p, p)."""
    # scikit-learn's function would take a second to import.
    pairs = (searches.people * count + searches.answers)[searches.mated]
    return np.bincount(pairs, minlength=count * count).reshape(count, count)


@dataclass(frozen=True, eq=False)
class StrangerLimits:
    """The limits of all folds for an allowed share of strangers, and the rates reached."""

    share: float
    limits: Doubles  # (folds,) the distance within which a face is named; NaN if none
    metrics: tuple[Metric, ...]  # FPIR and DIR reached in the folds with a limit

    @classmethod
    def of(
        cls,
        searches: Searches,
        limits: Doubles,
        share: float | None,
        failures: Failures = NO_FAILURES,
    ) -> StrangerLimits | None:
        """Return the rates reached with the limits (folds,) for a share of strangers.

        ``failures`` are mated searches that find nobody. Without a share or strangers, return None.
        """
        if share is None or searches.mated.all():
            return None
        of_each = limits[searches.fold]
        limited = np.isfinite(of_each)
        named = searches.answer_distances < of_each
        limit = f"{100 * share:g} % allowed, each fold’s limit from its own gallery"
        rates: list[tuple[MetricKind, Flags, Flags, str]] = [
            ("FPIR reached", ~searches.mated, named, f"searches of strangers; {limit}"),
            ("DIR reached", searches.mated, named & searches.right, "mated searches, as above"),
        ]
        figures = []
        for kind, those, hits, note in rates:
            own = searches.people[those & limited]
            found = hits[those & limited]
            if kind == "DIR reached":
                lost = failures.people[np.isfinite(limits[failures.fold])]
                own = np.concatenate([own, lost])
                found = np.concatenate([found, np.zeros(len(lost), bool)])
            if len(own):
                rate = Rate.among(found, own)
                figures.append(Metric(kind, rate.share, rate.low, rate.high, f"{rate.of:,} {note}"))
        return cls(share, limits, tuple(figures))
