"""How alike a face must be to be somebody's: a threshold that few strangers pass.

It is taken from the gallery alone. Each person in turn is left out of it
(`eigenfaces.recognition.held_out`) and is then a stranger; how alike such strangers are to the
people left is all that is asked for: no model of it, no interpolation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.space.arrays import Doubles

FEWEST_PEOPLE = 3
"""With fewer there is nobody whom a stranger could be told by."""

_ALIKE = 0.4
"""How much photographs of one person say the same (their intraclass correlation)."""

_CONFIDENCE = 0.95


def check_share(share: float) -> None:
    """Raise `EigenfacesError` if this is no share of strangers to be named."""
    if not 0 <= share <= 1:
        raise EigenfacesError("Give the share of strangers that may be named from 0 to 1.")


def threshold(alike: Doubles, share: float) -> float:
    """Return the likeness that at most a share of strangers exceeds: above it, a face is named.

    The ⌈(m + 1)(1 − share)⌉-th of the m likenesses, sorted, or the largest where there is none
    such (the conformal quantile: V. Vovk and others, *Algorithmic learning in a random world*,
    2005).

    Parameters
    ----------
    alike
        (m,) how alike each photograph of somebody left out is to the most similar person left.
    share
        Of strangers to be named at most, 0…1.

    Examples
    --------
    >>> scores = np.arange(1, 100) / 100
    >>> threshold(scores, 0.05), threshold(scores, 0.001)
    (0.95, 0.99)
    """
    check_share(share)
    if not len(alike):
        raise EigenfacesError(
            f"A threshold for strangers needs at least {FEWEST_PEOPLE} people in the gallery."
        )
    place = math.ceil((len(alike) + 1) * (1 - share) - 1e-9)  # 0.95 · 100 is 95
    return float(np.sort(alike)[min(max(place, 1), len(alike)) - 1])


def limit(strangers: Doubles, share: float) -> float:
    """Return the distance within which a face is named, of at most a share of strangers.

    ``strangers``: (m,) distances of photographs of people left out.
    """
    return -threshold(-strangers, share)


@dataclass(frozen=True)
class Promise:
    """What a gallery can promise about strangers: the more people in it, the more.

    Parameters
    ----------
    people
        N, in the gallery.
    photos
        m, photographs of each on average.
    met
        Strangers whom a person has named as such: each stands for one.

    Examples
    --------
    >>> round(Promise(20, 5).least, 3), round(Promise(100, 5).least, 3)
    (0.075, 0.015)
    >>> round(Promise(100, 5).at_most(0.05), 3)
    0.084
    """

    people: int
    photos: float
    met: int = 0

    @property
    def strangers(self) -> float:
        """How many independent strangers its people stand for: N m / (1 + 0.4 (m − 1)) + met."""
        return self.people * self.photos / (1 + _ALIKE * (self.photos - 1)) + self.met

    @property
    def least(self) -> float:
        """The smallest share that can be promised with 95 % confidence: 1 − 0.05^(1 / n)."""
        return 1 - (1 - _CONFIDENCE) ** (1 / self.strangers)

    def at_most(self, share: float) -> float:
        """Return the share that is not exceeded, with 95 % confidence, where this one is asked.

        Of n strangers x = n · share are named: Clopper and Pearson's upper limit.
        """
        from scipy.special import betaincinv

        named = share * self.strangers
        if named >= self.strangers:
            return 1.0
        return float(betaincinv(named + 1, self.strangers - named, _CONFIDENCE))
