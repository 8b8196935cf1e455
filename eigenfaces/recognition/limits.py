"""The limit for strangers: how near a face must be to somebody to be named, and the promise.

Most recipes learn it from the gallery's own people, each of whom is a stranger while left out.
Network, which was learnt from other people, brings one law for every gallery; the own people
tighten it where they give evidence that it does not hold for them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.statistics import CONFIDENCE
from eigenfaces.space.arrays import Doubles, Numbers

USUAL_SHARE = 0.01  # of strangers, who may be named at most, if nothing else is said
SHARES = (0.001, 0.01, 0.02, 0.05, 0.1)  # those that are offered, and shown side by side
FEWEST_FOR_LIMIT = 3  # with fewer there is nobody whom a stranger could be told by

_CORRELATION = 0.4  # within a class: how much photographs of one person say the same
_EVIDENCE = 0.01  # a count that chance exceeds more rarely speaks against the law

# The law of Network: see `general_limit`.
_LAW_OF_ONE = 0.605  # for one person, and 1 % of strangers
_LAW_SLOPE = 0.0175  # by which it falls where the number of people is e times as large …
_LAW_SLOPE_OF_SINGLES = 0.0265  # … or this, where there is one photograph of each


def check_share(share: float) -> None:
    """Raise `EigenfacesError` if this is no share of strangers to be named."""
    if not 0 <= share <= 1:
        raise EigenfacesError("Give the share of strangers that may be named from 0 to 1.")


def conformal_limit(strangers: Doubles, share: float) -> float:
    """Return the distance below which at most a share of strangers lies: a face there is named.

    Of m distances, from the farthest to the nearest, the ⌈(m + 1)(1 − share)⌉-th, or the nearest
    where there is none such: no model, no interpolation (the conformal quantile: V. Vovk and
    others, *Algorithmic learning in a random world*, 2005).

    ``strangers``: (m,) how far each photograph of somebody left out is from the nearest person.

    >>> distances = np.arange(1, 100) / 100
    >>> conformal_limit(distances, 0.05), conformal_limit(distances, 0.001)
    (0.05, 0.01)
    """
    check_share(share)
    if not len(strangers):
        raise EigenfacesError(
            f"A limit for strangers needs at least {FEWEST_FOR_LIMIT} people in the gallery."
        )
    rank = math.ceil((len(strangers) + 1) * (1 - share) - 1e-9)  # 0.95 · 100 is 95
    return float(np.sort(strangers)[-min(max(rank, 1), len(strangers))])


def general_limit(share: float, photos: ArrayLike = 1) -> float:
    """Return the score within which a share of strangers lies by Network, whoever the people are.

    0.605 + s ln((share / 0.01) / N): the more people there are, the more a stranger may resemble. s
    is 0.0175, learnt on photographs of the public (LFW); and 0.0265 where there is one photograph
    of each, since distances to one scatter more widely: learnt there, and on press and studio
    photographs. Of people with m photographs each it is 1/m² of the way between the two.

    ``photos``: (N,) how many photographs there are of each person.

    >>> round(general_limit(0.01), 3), round(general_limit(0.01, [5] * 19), 3)
    (0.605, 0.552)
    """
    of_each = np.atleast_1d(np.asarray(photos, np.float64))
    return _LAW_OF_ONE + _slope(of_each) * math.log(max(share, 1e-9) / 0.01 / len(of_each))


def _slope(of_each: Doubles) -> float:
    return _LAW_SLOPE + (_LAW_SLOPE_OF_SINGLES - _LAW_SLOPE) * float(np.mean(of_each**-2))


@dataclass(frozen=True)
class Guarantee:
    """What a gallery of N ``people`` with m ``photos`` each on average can promise about strangers.

    >>> round(Guarantee(20, 5).minimum, 3), round(Guarantee(100, 5).upper_bound(0.05), 3)
    (0.075, 0.084)
    """

    people: int
    photos: float

    @property
    def effective_strangers(self) -> float:
        """How many independent strangers its people stand for: N m / (1 + 0.4 (m − 1))."""
        return self.people * self.photos / (1 + _CORRELATION * (self.photos - 1))

    @property
    def minimum(self) -> float:
        """The smallest share that can be promised with 95 % confidence: 1 − 0.05^(1 / n)."""
        return 1 - (1 - CONFIDENCE) ** (1 / self.effective_strangers)

    def upper_bound(self, share: float) -> float:
        """Return the 95 % upper bound (Clopper and Pearson) of the share of strangers named."""
        from scipy.special import betaincinv

        named = share * self.effective_strangers
        if named >= self.effective_strangers:
            return 1.0
        return float(betaincinv(named + 1, self.effective_strangers - named, CONFIDENCE))


@dataclass(frozen=True, eq=False)
class Strangers:
    """Photographs of the people of a gallery, as strangers to all others, and the limit by them.

    The limit is the `conformal_limit` of their distances. By Network (``general``) it is the law's
    (`general_limit`), unless more people than the law explains are near somebody else; then it is
    the lesser of both.
    """

    distances: Doubles  # (s,) from the nearest other person; ∞ where there is nobody else
    people: Numbers  # (s,) the number of the person on each
    gallery: Doubles  # (N,) how many photographs there are of each person enrolled
    general: bool

    @cached_property
    def _of_each(self) -> tuple[int, Doubles]:
        """Return how many people they are, and (q,) the least distance of each."""
        order = np.argsort(self.people, kind="stable")
        starts = np.unique(self.people[order], return_index=True)[1]
        if not len(starts):
            return 0, np.empty(0)
        return len(starts), np.minimum.reduceat(self.distances[order], starts)

    @property
    def guarantee(self) -> Guarantee:
        """What so many people can promise."""
        people = max(self._of_each[0], 1)
        return Guarantee(people, max(len(self.distances), 1) / people)

    def law(self, share: float) -> float:
        """Return the limit that holds whoever the people are."""
        return general_limit(share, self.gallery)

    def share_within(self, distance: float) -> float:
        """Return the share of strangers nearer than this: by the law, or by these if more are."""
        beyond = (distance - _LAW_OF_ONE) / _slope(self.gallery)
        by_law = 0.01 * len(self.gallery) * math.exp(beyond)
        if not len(self.distances):
            return by_law
        return max(by_law, float(np.mean(self.distances < distance)))

    def speak(self, share: float) -> bool:
        """Return whether these people decide: always, or by Network on evidence against the law.

        Of n people, each of whom comes near somebody else with the chance p = share · m /
        (1 + 0.4 (m − 1)) of m photographs, so many would do so in less than 1 of 100 galleries;
        and they are more than one pair.
        """
        if not self.general:
            return True
        from scipy.special import bdtrc

        people, least = self._of_each
        if not people:
            return False
        near = int(np.count_nonzero(least < self.law(share)))
        chance = min(1.0, share * self.guarantee.effective_strangers / people)
        return near > 2 and float(bdtrc(near - 1, people, chance)) < _EVIDENCE

    def limit(self, share: float) -> float:
        """Return the distance within which a face is named; at most a share of strangers is."""
        if not self.speak(share):
            return self.law(share)
        own = conformal_limit(self.distances, share)
        return min(own, self.law(share)) if self.general else own
