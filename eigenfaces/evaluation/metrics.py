"""From searches and pairs to figures: error rates at every threshold, and their 95 % intervals.

The words are those of ISO/IEC 19795-1: a *mated* search is for somebody enrolled; FMR and FNMR are
the false match and false non-match rates of comparisons at a threshold, TAR = 1 − FNMR, and FPIR is
the share of strangers' searches that return a name. A comparison is accepted where its distance is
at most the threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.space.arrays import Doubles, Flags, Numbers, ShortNumbers
from eigenfaces.text import with_limits

LEVEL = 0.95


RESAMPLES = 1000


@dataclass(frozen=True)
class Drawn:
    """How people are resampled: their number, the seed, and the number of draws.

    ``informative`` counts the people that a figure depends on: of members and strangers, the
    smaller group.
    """

    people: int
    informative: int
    seed: int
    times: int = RESAMPLES


def share_intervals(right: ArrayLike, of: ArrayLike) -> tuple[Doubles, Doubles]:
    """Return the lower and upper limits of shares, (…), from counts by person.

    Parameters
    ----------
    right
        (…, p) number of correct answers, by person.
    of
        (p,) number of all answers; people with none are left out. With fewer than two people the
        limits are 0 and 1.
    """
    counts = np.asarray(of, np.float64)
    some = counts > 0
    hits, counts = np.asarray(right, np.float64)[..., some], counts[some]
    people, total = len(counts), counts.sum()
    if people < 2:
        return np.zeros(hits.shape[:-1]), np.ones(hits.shape[:-1])
    share = hits.sum(axis=-1) / total
    spread = ((hits - share[..., None] * counts) ** 2).sum(axis=-1) / total**2
    spread *= people / (people - 1)
    inside = share * (1 - share)
    informative = np.minimum((hits < counts).sum(axis=-1), (hits > 0).sum(axis=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(informative > 0, np.maximum(spread / inside, 1 / total), 0)
    return _wilson(share, _effective(each, informative, people), people)


def _effective(each: Doubles, informative: ArrayLike, people: int) -> Doubles:
    """Return the effective sample size, from a number of informative people.

    ``each``: what one independent search adds to the precision, estimated from those people. One
    more person is added whose photographs count as a single one.
    """
    count = np.asarray(informative, np.float64)
    return (count + 1) / (count * each + 1 / people)


def _wilson(share: Doubles, effective: Doubles, people: int) -> tuple[Doubles, Doubles]:
    """Return Wilson's limits of shares for an effective sample size, with Student's t for z."""
    from scipy.special import stdtrit

    z2 = float(stdtrit(people - 1, 0.5 + LEVEL / 2)) ** 2
    middle = (share + z2 / (2 * effective)) / (1 + z2 / effective)
    inside = share * (1 - share)
    half = np.sqrt(z2 * (inside / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)


def resampled(
    figures: Callable[[Doubles], Doubles],
    values: ArrayLike,
    erring: ArrayLike,
    drawn: Drawn,
    tick: Tick = no_tick,
) -> tuple[Doubles, Doubles]:
    """Return the limits of figures, (q,) each, over people drawn with replacement.

    Parameters
    ----------
    figures
        Gets how often each person was drawn, (p,), and returns (q,) shares; NaN (nobody with such
        a search was drawn) is ignored.
    values
        (q,) the figures themselves.
    erring
        (q,) number of people with errors, for each figure: the informative ones.
    drawn
        How people are resampled.
    tick
        Called before every draw.
    """
    if drawn.informative < 2:
        return np.zeros(np.shape(values)), np.ones(np.shape(values))
    rng = np.random.default_rng(drawn.seed)
    often = rng.multinomial(drawn.people, np.full(drawn.people, 1 / drawn.people), drawn.times)
    found = []
    for number, weights in enumerate(often.astype(np.float64)):
        tick(number, drawn.times)
        found.append(figures(weights))
    shares = np.asarray(values, np.float64)
    inside = shares * (1 - shares)
    spread = np.array([_variance(column) for column in np.array(found).T])
    known = (inside > 0) & (spread > 1e-9 * inside)  # anything smaller is rounding
    each = np.where(known, spread / np.where(known, inside, 1), 0)
    informative = np.where(known, erring, 0)
    return _wilson(shares, _effective(each, informative, drawn.informative), drawn.informative)


def _variance(values: Doubles) -> float:
    numbers = values[np.isfinite(values)]
    return float(numbers.var()) if len(numbers) else 0.0


_Identified = Literal["rank-1", "rank-5", "balanced accuracy"]


_Verified = Literal["EER", "TAR at FAR 1 %", "TAR at FAR 0.1 %", "least HTER", "HTER"]


_OpenSet = Literal["DIR at FPIR 1 %", "DIR at FPIR 10 %"]


_AtLimits = Literal["FPIR reached", "DIR reached"]


FigureKind = Literal[_Identified, _Verified, _OpenSet, _AtLimits, "pair accuracy"]
"""Which figure it is, in the words that tables and an evaluation's JSON have for it."""


FALSE_ACCEPTS: dict[FigureKind, float] = {"TAR at FAR 1 %": 0.01, "TAR at FAR 0.1 %": 0.001}
"""Each TAR and its FAR."""


STRANGERS_NAMED: dict[FigureKind, float] = {"DIR at FPIR 1 %": 0.01, "DIR at FPIR 10 %": 0.1}
"""Each DIR and its FPIR."""


AT_LIMITS: tuple[FigureKind, ...] = ("FPIR reached", "DIR reached")
"""What limits for strangers did."""


_RANKS: dict[FigureKind, int] = {"rank-1": 1, "rank-5": 5}


_SCORES_RESAMPLED = 200_000
"""Of more non-mated comparisons, every second, third … by distance is resampled: for intervals."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Single comparisons of a probe with a person.

    Parameters
    ----------
    distances
        (n,).
    mated
        (n,) whether the person is the one on the probe.
    asked, claimed
        (n,) the person on the probe, and the one it was compared with.
    fold
        (n,).
    """

    distances: Doubles
    mated: Flags
    asked: ShortNumbers
    claimed: ShortNumbers
    fold: ShortNumbers

    @classmethod
    def of_searches(cls, searches: Searches) -> Comparisons:
        """Return all that searches made."""
        which = searches.compared
        people, fold = (each.astype(np.int32)[:, None] for each in (searches.people, searches.fold))
        everybody = np.arange(which.shape[1], dtype=np.int32)
        asked, claimed, fold = (
            np.broadcast_to(each, which.shape)[which] for each in (people, everybody, fold)
        )
        return cls(searches.distances[which], asked == claimed, asked, claimed, fold)

    @classmethod
    def of_pairs(cls, scores: PairScores, people: Numbers) -> Comparisons:
        """Take pairs for comparisons of the first person with the second; (n,) people of rows."""
        first, second = people.astype(np.int32)[scores.pairs.T]
        return cls(scores.distances, scores.mated, first, second, scores.fold.astype(np.int32))

    def some(self, which: Flags | Numbers) -> Comparisons:
        """Return some of them."""
        return Comparisons(*(getattr(self, each.name)[which] for each in fields(self)))

    @property
    def counts(self) -> tuple[int, int]:
        """How many are mated, and how many are not."""
        mated = int(self.mated.sum())
        return mated, len(self.mated) - mated

    def thinned(self) -> Comparisons:
        """Return them by distance; of equal ones, in their own order.

        Where there are very many non-mated ones, some are left out, evenly.
        """
        mated, others = np.flatnonzero(self.mated), np.flatnonzero(~self.mated)
        step = max(1, -(-len(others) // _SCORES_RESAMPLED))
        others = others[np.argsort(self.distances[others], kind="stable")][step // 2 :: step]
        kept = np.sort(np.concatenate([mated, others]))
        return self.some(kept[np.argsort(self.distances[kept], kind="stable")])


@dataclass(frozen=True, eq=False)
class ErrorRates:
    """FMR and FNMR at thresholds, from the strictest on, between which nothing tells more.

    The first threshold lies just below the smallest distance: nothing is accepted there.
    """

    thresholds: Doubles
    fmr: Doubles
    fnmr: Doubles

    @property
    def equal(self) -> tuple[float, float]:
        """Return the EER, (FMR + FNMR) / 2 where the two are nearest, and the threshold there."""
        at = int(np.argmin(np.abs(self.fmr - self.fnmr)))
        return float(self.fmr[at] + self.fnmr[at]) / 2, float(self.thresholds[at])

    @property
    def least(self) -> tuple[float, float]:
        """Return the smallest HTER, (FMR + FNMR) / 2, of all thresholds, and the threshold."""
        both = (self.fmr + self.fnmr) / 2
        at = int(np.argmin(both))
        return float(both[at]), float(self.thresholds[at])

    def threshold_at(self, far: float) -> float:
        """Return a threshold that accepts as many mated ones as a FAR of at most so much allows."""
        return float(self.thresholds[self.fmr <= far + 1e-12].max())

    def accepted_at(self, far: float) -> float:
        """Return the largest TAR at a FAR of at most so much."""
        return float(1 - self.fnmr[self.fmr <= far + 1e-12].min())


def error_rates(distances: Doubles, mated: Flags) -> ErrorRates:
    """Return the error rates of comparisons (n,), of which some are mated and some are not.

    FNMR falls at the distances of mated comparisons, and from one to the next FMR rises. So the
    curve is known by these thresholds and the last before each; the EER, by those between which
    FMR and FNMR cross.
    """
    right, wrong = np.sort(distances[mated]), np.sort(distances[~mated])
    falls = np.unique(right)
    before = np.searchsorted(wrong, falls)
    ends = wrong[[0, -1]]
    rates = _rates_at(np.concatenate([falls, wrong[before[before > 0] - 1], ends]), right, wrong)
    crossed = int(np.searchsorted(rates.fmr - rates.fnmr, 0))
    nearest = rates.thresholds[[max(0, crossed - 1), crossed]]
    between = slice(*np.searchsorted(wrong, nearest, "right"))
    return _rates_at(np.concatenate([rates.thresholds[1:], wrong[between]]), right, wrong)


def _rates_at(thresholds: Doubles, right: Doubles, wrong: Doubles) -> ErrorRates:
    """Return the rates at thresholds, by the sorted distances of mated and non-mated ones."""
    thresholds = np.unique(thresholds)
    fmr, fnmr = (
        np.append(0, np.searchsorted(each, thresholds, "right") / len(each))
        for each in (wrong, right)
    )
    first = np.nextafter(thresholds[:1], -np.inf)
    return ErrorRates(np.append(first, thresholds), fmr, 1 - fnmr)


@dataclass(frozen=True, eq=False)
class DrawnRates:
    """The n comparisons by distance, r mated and w non-mated, at t thresholds that matter.

    FNMR falls only where a mated comparison is accepted, and FMR is least there: so it is enough to
    know both at those thresholds, and only for the EER at those between two of them. All sums are
    of whole numbers, and exact in any order.

    Parameters
    ----------
    own
        (r,) who was asked about in the mated comparisons.
    asked, claimed
        (w,) the same of the non-mated ones, and who was claimed.
    missed, matched
        (r,) mated ones that are refused, and (w,) non-mated ones that are accepted at the
        thresholds of the folds; None without these.
    rights, wrongs
        (t,) how many mated and non-mated ones each threshold accepts; the first none.
    falls
        The thresholds at which FNMR falls, and the first.
    """

    own: ShortNumbers
    asked: ShortNumbers
    claimed: ShortNumbers
    missed: Flags | None
    matched: Flags | None
    rights: Numbers
    wrongs: Numbers
    falls: Numbers

    @classmethod
    def of(cls, comparisons: Comparisons, thresholds: Doubles | None) -> DrawnRates:
        """Return it of comparisons by distance, and the thresholds of the folds."""
        distances, mated = comparisons.distances, comparisons.mated
        asked, claimed = comparisons.asked, comparisons.claimed
        accepted = None if thresholds is None else distances <= thresholds[comparisons.fold]
        last = np.flatnonzero(np.append(distances[1:] != distances[:-1], True))  # of equal ones
        rights = np.concatenate([[0], np.cumsum(mated)[last]])
        return cls(
            own=asked[mated],
            asked=asked[~mated],
            claimed=claimed[~mated],
            missed=None if accepted is None else ~accepted[mated],
            matched=None if accepted is None else accepted[~mated],
            rights=rights,
            wrongs=np.concatenate([[0], np.cumsum(~mated)[last]]),
            falls=np.flatnonzero(np.diff(rights, prepend=-1)),
        )

    def figures(self, often: Doubles, false_accepts: Sequence[float]) -> Doubles:
        """Return EER, TAR at each FAR, least HTER, and HTER where there are thresholds for it.

        ``often``: (p,) how often each person was drawn. Not a number where nobody with mated, or
        with non-mated comparisons was.
        """
        right, wrong = often[self.own], often[self.asked] * often[self.claimed]
        if not right.any() or not wrong.any():
            return np.full(2 + len(false_accepts) + (self.missed is not None), np.nan)
        rights, wrongs = (np.concatenate([[0], np.cumsum(each)]) for each in (right, wrong))
        fmr = wrongs[self.wrongs[self.falls]] / wrongs[-1]
        fnmr = 1 - rights[self.rights[self.falls]] / rights[-1]
        # FMR rises and FNMR falls: they are nearest where they cross, between two of these.
        at = int(np.searchsorted(fmr - fnmr, 0))
        start, stop = np.append(self.falls, len(self.wrongs) - 1)[[max(0, at - 1), at]]
        accepts = wrongs[self.wrongs[start : stop + 1]] / wrongs[-1]
        refuses = 1 - rights[self.rights[start : stop + 1]] / rights[-1]
        nearest = int(np.abs(accepts - refuses).argmin())
        out = [(accepts[nearest] + refuses[nearest]) / 2]
        out += [1 - fnmr[fmr <= far + 1e-12].min() for far in false_accepts]
        out.append(((fmr + fnmr) / 2).min())
        if self.missed is not None and self.matched is not None:
            missed, matched = right[self.missed].sum(), wrong[self.matched].sum()
            out.append((missed / rights[-1] + matched / wrongs[-1]) / 2)
        return np.array(out)


@dataclass(frozen=True)
class Figure:
    """One figure of a result, a share 0…1, with its 95 % interval.

    ``note`` is for people: what it was counted on, in words. ``by`` says what the interval takes
    for independent.
    """

    kind: FigureKind
    value: float
    low: float
    high: float
    note: str
    by: str = "by person"

    def words(self) -> str:
        """Return it as “97.50 % (95.34 to 98.93)”."""
        return with_limits(self.value, self.low, self.high)


def identification(searches: Searches, count: int) -> list[Figure]:
    """Return rank-1, rank-5 and balanced accuracy of the mated searches among ``count`` people."""
    mated = searches.answers_only().some(searches.mated)
    if not len(mated):
        return []
    of = np.bincount(mated.people, minlength=count)
    shares, lows, highs = cumulative_match(searches, count)
    enrolled = len(shares)
    note = f"{len(mated)} searches of {int((of > 0).sum())} people among {enrolled} enrolled"
    figures = [
        Figure(kind, float(shares[r - 1]), float(lows[r - 1]), float(highs[r - 1]), note)
        for kind, r in _RANKS.items()
        if r == 1 or r < enrolled
    ]
    some = of > 0
    recalls = np.bincount(mated.people[mated.right], minlength=count)[some] / of[some]
    each = len(mated) / len(recalls)  # as if everybody had been searched for equally often
    low, high = share_intervals(recalls * each, np.full(len(recalls), each))
    words = "mean over the people of each one's share of right answers"
    figures.append(
        Figure("balanced accuracy", float(recalls.mean()), float(low), float(high), words)
    )
    return figures


def verification(
    comparisons: Comparisons,
    thresholds: Doubles | None,
    count: int,
    seed: int,
    tick: Tick = no_tick,
) -> list[Figure]:
    """Return EER, TAR at FAR and HTER.

    Parameters
    ----------
    comparisons
        With mated and non-mated ones among them; else there are no figures.
    thresholds
        (folds,) chosen in each fold without its probes; NaN where that could not be done.
    count
        p, the number of people.
    seed
        Of the resampling.
    tick
        Called before every draw of it.
    """
    right, wrong = comparisons.counts
    if not right or not wrong:
        return []
    if thresholds is not None and not np.isfinite(thresholds).all():
        thresholds = None
    mated = comparisons.some(comparisons.mated)
    rates = error_rates(comparisons.distances, comparisons.mated)
    fars = tuple(FALSE_ACCEPTS.values())
    values = [rates.equal[0], *map(rates.accepted_at, fars), rates.least[0]]
    if thresholds is not None:
        accepted = comparisons.distances <= thresholds[comparisons.fold]
        missed = int((comparisons.mated & ~accepted).sum())
        matched = int((~comparisons.mated & accepted).sum())
        values.append((missed / right + matched / wrong) / 2)
    drawn = Drawn(count, len(np.unique(mated.asked)), seed)
    erring = _erring(mated, rates, thresholds)
    again = DrawnRates.of(comparisons.thinned(), thresholds)
    low, high = resampled(lambda often: again.figures(often, fars), values, erring, drawn, tick)
    note = f"{right} mated and {wrong} non-mated comparisons"
    notes: dict[FigureKind, str] = {
        "least HTER": f"{note}; threshold chosen on these comparisons themselves",
        "HTER": f"{note}; threshold chosen in each fold without its probes",
    }
    figures = []
    for kind, value, lower, upper in zip(_kinds(thresholds), values, low, high, strict=True):
        if wrong * FALSE_ACCEPTS.get(kind, 1) < 1:
            continue  # too few non-mated comparisons to know so small a rate
        figures.append(Figure(kind, value, float(lower), float(upper), notes.get(kind, note)))
    return figures


def _kinds(thresholds: Doubles | None) -> list[FigureKind]:
    kinds: list[FigureKind] = ["EER", *FALSE_ACCEPTS, "least HTER"]
    return kinds if thresholds is None else [*kinds, "HTER"]


def _erring(mated: Comparisons, rates: ErrorRates, thresholds: Doubles | None) -> list[int]:
    """Return how many people have a mated comparison refused, in the order of `_kinds`."""
    strict = (rates.threshold_at(far) for far in FALSE_ACCEPTS.values())
    at = [rates.equal[1], *strict, rates.least[1]]
    refused = [mated.distances > threshold for threshold in at]
    if thresholds is not None:
        refused.append(mated.distances > thresholds[mated.fold])
    return [len(np.unique(mated.asked[each])) for each in refused]


def open_set(searches: Searches, count: int, seed: int, tick: Tick = no_tick) -> list[Figure]:
    """Return DIR at FPIR: mated searches whose right person came first and near enough.

    The threshold is the largest at which at most that share of the strangers' searches return
    anybody. Without strangers there are no figures.
    """
    strangers = ~searches.mated
    if not strangers.any() or strangers.all():
        return []
    best = searches.answer_distances
    order = np.argsort(best, kind="stable")
    best, right = best[order], searches.right[order]
    strange, people = strangers[order], searches.people[order]

    def figures(weights: Doubles) -> Doubles:
        counted = weights[people]
        rates = _detection(best, right, strange, counted)
        return np.array([rates.accepted_at(fpir) for fpir in STRANGERS_NAMED.values()])

    values = figures(np.ones(count))
    rates = _detection(best, right, strange, np.ones(len(best)))
    nearest = [best <= rates.threshold_at(fpir) for fpir in STRANGERS_NAMED.values()]
    missed = [~strange & ~(right & each) for each in nearest]
    erring = [len(np.unique(people[each])) for each in missed]
    fewer = min(len(np.unique(people[strange])), len(np.unique(people[~strange])))
    low, high = resampled(figures, values, erring, Drawn(count, fewer, seed), tick)
    members = int((~strange).sum())
    note = f"{members} mated searches and {int(strange.sum())} of strangers"
    return [
        Figure(kind, float(value), float(lower), float(upper), note)
        for kind, value, lower, upper in zip(STRANGERS_NAMED, values, low, high, strict=True)
        if strange.sum() * STRANGERS_NAMED[kind] >= 1
    ]


def _detection(best: Doubles, right: Flags, strange: Flags, weights: Doubles) -> ErrorRates:
    """Return FPIR (as ``fmr``) and 1 − DIR (as ``fnmr``); the distances (m,) are sorted."""
    last = np.append(best[1:] != best[:-1], True)  # ties are accepted together
    named, found = np.cumsum(weights * strange), np.cumsum(weights * (right & ~strange))
    fpir = np.append(0, named[last]) / (named[-1] or 1)
    detected = np.append(0, found[last]) / ((weights * ~strange).sum() or 1)
    thresholds = np.append(np.nextafter(best[0], -np.inf), best[last])
    return ErrorRates(thresholds, fpir, 1 - detected)


def detection_curve(searches: Searches) -> ErrorRates:
    """Return FPIR (as ``fmr``) against 1 − DIR (as ``fnmr``) at every threshold."""
    best = searches.answer_distances
    order = np.argsort(best, kind="stable")
    one = np.ones(len(order))
    return _detection(best[order], searches.right[order], ~searches.mated[order], one)


def cumulative_match(searches: Searches, count: int) -> tuple[Doubles, Doubles, Doubles]:
    """Return the CMC: for rank 1 … r the share of mated searches, and its limits, (r,) each.

    Whoever is found within one rank is found within the next: a lower limit holds for all that
    follow.
    """
    mated = searches.answers_only().some(searches.mated)
    enrolled = np.isfinite(searches.distances).sum(axis=1)[searches.mated].max(initial=1)
    most = int(mated.ranks.max(initial=enrolled))
    by_rank = np.zeros((most, count))
    np.add.at(by_rank, (mated.ranks - 1, mated.people), 1)
    right = np.cumsum(by_rank, axis=0)
    of = np.bincount(mated.people, minlength=count)
    low, high = share_intervals(right, of)
    return right.sum(axis=1) / max(1, of.sum()), np.maximum.accumulate(low), high


def pair_accuracy(scores: PairScores, thresholds: Doubles, people: Numbers) -> Figure | None:
    """Return the share of pairs decided rightly; None where a threshold is missing.

    Its interval is Student's over the folds, whose accuracies give the standard error, as the
    protocol of LFW asks; of a single fold, or where folds do not differ, it is by the person on the
    first photograph.

    Parameters
    ----------
    scores
        m pairs.
    thresholds
        (folds,).
    people
        (n,) who is on each face.
    """
    from scipy.special import stdtrit

    if not np.isfinite(thresholds[scores.fold]).all():
        return None
    right = scores.right(thresholds)
    each = np.array([right[scores.fold == fold].mean() for fold in np.unique(scores.fold)])
    folds = "1 fold" if len(each) == 1 else f"{len(each)} folds"
    value, note = float(each.mean()), f"{len(right)} pairs in {folds}"
    error = float(each.std(ddof=1) / np.sqrt(len(each))) if len(each) > 1 else 0.0
    if error == 0:
        first = people[scores.pairs[:, 0]]
        lower, upper = share_intervals(np.bincount(first, right), np.bincount(first))
        return Figure("pair accuracy", value, float(lower), float(upper), note)
    half = error * float(stdtrit(len(each) - 1, 0.5 + LEVEL / 2))
    note += f"; standard error {100 * error:.2f} %"
    low, high = max(0.0, value - half), min(1.0, value + half)
    return Figure("pair accuracy", value, low, high, note, by="over the folds")


def confusion(searches: Searches, count: int) -> NDArray[np.intp]:
    """Return how often each person (line) was taken for each (column), mated searches, (p, p)."""
    # The window draws it at every fold, and would wait a second for scikit-learn to be imported.
    pairs = (searches.people * count + searches.answers)[searches.mated]
    return np.bincount(pairs, minlength=count * count).reshape(count, count)


@dataclass(frozen=True, eq=False)
class StrangerLimits:
    """The limit of every fold, chosen so that at most a share of strangers is named; what it did.

    Parameters
    ----------
    share
        Of strangers, asked.
    limits
        (folds,) the distance within which somebody is named; NaN where there is none.
    figures
        FPIR and DIR reached, of all searches of folds with a limit; none without any.
    """

    share: float
    limits: Doubles
    figures: tuple[Figure, ...]

    @classmethod
    def of(
        cls, searches: Searches, limits: Doubles, share: float | None, people: int
    ) -> StrangerLimits | None:
        """Return what the limits (folds,) did to the searches for ``people`` people.

        None where no share was asked, or there are no strangers.
        """
        if share is None or searches.mated.all():
            return None
        limited = np.isfinite(limits[searches.fold])
        strangers, members = limited & ~searches.mated, limited & searches.mated
        named = named_by(searches, limits)
        asked = f"{100 * share:g} % asked, each fold’s limit from its own gallery"
        by = searches.people, people
        figures = (
            _figure("FPIR reached", by, strangers, named, f"searches of strangers; {asked}"),
            _figure("DIR reached", by, members, named & searches.right, "mated searches, there"),
        )
        return cls(share, limits, tuple(each for each in figures if each is not None))


def named_by(searches: Searches, limits: Doubles) -> Flags:
    """Return which searches (m,) name somebody at the limits (folds,) of their folds."""
    return searches.answer_distances < limits[searches.fold]


def _figure(
    kind: FigureKind, by: tuple[Numbers, int], those: Flags, hits: Flags, note: str
) -> Figure | None:
    """Return the share of those searches that hit, by the person on each; None of none."""
    who, people = by
    of = np.bincount(who[those], minlength=people)
    if not of.any():
        return None
    right = np.bincount(who[those & hits], minlength=people)
    low, high = share_intervals(right, of)
    value = float(right.sum() / of.sum())
    return Figure(kind, value, float(low), float(high), f"{of.sum()} {note}")
