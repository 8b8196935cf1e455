"""The limit for strangers: how near a face must be to be named, and what can be guaranteed.

Most recipes estimate the limit from the gallery's own people, each of whom acts as a stranger while
left out. The network was trained on other people, so one fitted law gives the limit for every
gallery. That limit is tightened if the gallery's own people provide evidence against the law.
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

USUAL_SHARE = 0.01  # the default for the largest share of strangers that may be named
SHARES = (0.001, 0.01, 0.02, 0.05, 0.1)  # the shares to choose from, shown side by side
FEWEST_FOR_LIMIT = 3  # with fewer people, no limit can be measured

_CORRELATION = 0.4  # intraclass correlation between photographs of one person
_EVIDENCE = 0.01  # a count that is less probable than this is evidence against the law

# The law of Network: see `general_limit`.
_LAW_OF_ONE = 0.605  # the limit for one person and 1 % of strangers
_LAW_SLOPE = 0.0175  # how much the limit falls when there are e times as many people …
_LAW_SLOPE_OF_SINGLES = 0.0265  # … and the same if there is one photograph of each


def check_share(share: float) -> None:
    """Raise `EigenfacesError` unless the share of strangers is between 0 and 1."""
    if not 0 <= share <= 1:
        raise EigenfacesError("The share of strangers that may be named must be from 0 to 1.")


def conformal_limit(strangers: Doubles, share: float) -> float:
    """Return the distance below which at most this share of strangers lies.

    It is the k-th largest of m distances, k = ⌈(m + 1)(1 − share)⌉, or the smallest if k > m.
    This conformal quantile needs neither a model nor interpolation (V. Vovk and others,
    *Algorithmic learning in a random world*, 2005).

    ``strangers``: (m,) the distances from left-out people's photographs to the nearest person.

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
    """Return Network's limit for a share of strangers, which is valid for any group of people.

    It is 0.605 + s ln((share / 0.01) / N): the more people there are, the more of them a stranger
    may resemble. The slope s is 0.0175, fitted to photographs from LFW. With one photograph of each
    person, s is 0.0265, as distances to a single photograph vary more. This value was fitted to the
    same photographs and to press and studio photographs. With m photographs of each person, s lies
    1/m² of the way from the first value to the second.

    ``photos``: (N,) the number of photographs of each person.

    >>> round(general_limit(0.01), 3), round(general_limit(0.01, [5] * 19), 3)
    (0.605, 0.552)
    """
    of_each = np.atleast_1d(np.asarray(photos, np.float64))
    return _LAW_OF_ONE + _slope(of_each) * math.log(max(share, 1e-9) / 0.01 / len(of_each))


def _slope(of_each: Doubles) -> float:
    return _LAW_SLOPE + (_LAW_SLOPE_OF_SINGLES - _LAW_SLOPE) * float(np.mean(of_each**-2))


@dataclass(frozen=True)
class Guarantee:
    """The guarantee about strangers given by N ``people`` with an average of m ``photos`` each.

    >>> round(Guarantee(20, 5).minimum, 3), round(Guarantee(100, 5).upper_bound(0.05), 3)
    (0.075, 0.084)
    """

    people: int
    photos: float

    @property
    def effective_strangers(self) -> float:
        """The effective number of independent strangers: N m / (1 + 0.4 (m − 1))."""
        return self.people * self.photos / (1 + _CORRELATION * (self.photos - 1))

    @property
    def minimum(self) -> float:
        """The smallest share guaranteed (95 % confidence): 1 − 0.05^(1 / effective_strangers)."""
        return 1 - (1 - CONFIDENCE) ** (1 / self.effective_strangers)

    def upper_bound(self, share: float) -> float:
        """Return the 95 % upper bound (Clopper and Pearson) on the share of strangers named."""
        from scipy.special import betaincinv

        named = share * self.effective_strangers
        if named >= self.effective_strangers:
            return 1.0
        return float(betaincinv(named + 1, self.effective_strangers - named, CONFIDENCE))


@dataclass(frozen=True, eq=False)
class Strangers:
    """The gallery's photographs, treated as those of strangers, and the limit derived from them.

    The limit is the `conformal_limit` of their distances. With Network (``general``), it is given
    by the law (`general_limit`), unless more people are near somebody else than the law explains.
    In that case, it is the smaller of the two limits.
    """

    distances: Doubles  # (s,) to the nearest other person; ∞ if there is nobody else
    people: Numbers  # (s,) the number of the person in each photograph
    gallery: Doubles  # (N,) the number of enrolled photographs of each person
    general: bool

    @cached_property
    def _of_each(self) -> tuple[int, Doubles]:
        """The number of people, q, and the smallest distance (q,) of each person."""
        order = np.argsort(self.people, kind="stable")
        starts = np.unique(self.people[order], return_index=True)[1]
        if not len(starts):
            return 0, np.empty(0)
        return len(starts), np.minimum.reduceat(self.distances[order], starts)

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee that this number of people and photographs can give."""
        people = max(self._of_each[0], 1)
        return Guarantee(people, max(len(self.distances), 1) / people)

    def law(self, share: float) -> float:
        """Return the limit given by the general law, which is valid for any group of people."""
        return general_limit(share, self.gallery)

    def share_within(self, distance: float) -> float:
        """Return the predicted or, if larger, the measured share of strangers within a distance."""
        beyond = (distance - _LAW_OF_ONE) / _slope(self.gallery)
        by_law = 0.01 * len(self.gallery) * math.exp(beyond)
        if not len(self.distances):
            return by_law
        return max(by_law, float(np.mean(self.distances < distance)))

    def speak(self, share: float) -> bool:
        """Return whether these people decide the limit: with Network, only if they refute the law.

        Under the law, a person with m photographs has probability share · m / (1 + 0.4 (m − 1)) of
        being near somebody else. The law is refuted if there are more than two such people, and
        at least as many would occur in fewer than 1 in 100 galleries.
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
        """Return the distance within which faces are named, for this maximum share of strangers."""
        if not self.speak(share):
            return self.law(share)
        own = conformal_limit(self.distances, share)
        return min(own, self.law(share)) if self.general else own
