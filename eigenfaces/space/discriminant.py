"""Discriminant space: the few directions in which people differ, rather than photographs.

Regularised discriminant analysis inside face space (R. Fisher, *The use of multiple measurements in
taxonomic problems*, 1936; J. Friedman, *Regularized discriminant analysis*, 1989; P. Belhumeur and
others, *Eigenfaces vs. Fisherfaces*, 1997). Features become their principal coordinates, which is a
rotation; one matrix W then whitens them by a scatter that is drawn towards the identity, and turns
them into the span of the people's means. The cosine of two faces' coordinates says how alike they
are.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from eigenfaces.errors import NotPossibleError
from eigenfaces.space.arrays import Doubles, Numbers

Scatter = Literal["within people", "total"]  # from their person's mean, or the mean of all
RIDGE = 1 / 9  # c as a share of the mean variance along n − 1 directions
FEWEST_FOR_DISCRIMINANT = 7  # with fewer, their means span so little that strangers fit it, too

_NEGLIGIBLE = 1e-9  # a square below this share of the largest is rounding


def check_people(people: Numbers) -> None:
    """Raise `NotPossibleError` where fewer people are on faces (n,) than a discriminant takes."""
    there = len(np.unique(people[people >= 0]))
    if there < FEWEST_FOR_DISCRIMINANT:
        raise NotPossibleError(
            f"How people differ is learnt from {FEWEST_FOR_DISCRIMINANT} people or more, and "
            f"there {'is' if there == 1 else 'are'} {there}: add people, or use Eigenfaces or "
            "Network."
        )


def discriminant_axes(coordinates: Doubles, people: Numbers, scatter: Scatter) -> Doubles:
    """Return W (r, j): from principal coordinates to those in which people are compared.

    With C the coordinates minus their mean, and H = C or, for the scatter within people, C minus
    each person's mean: S = HᵀH is drawn towards the identity, S + c I = L Lᵀ. The people's means M,
    centred by their own mean, are M L⁻ᵀ = U s Qᵀ when whitened, and W = L⁻ᵀ Q.

    ``coordinates``: (n, r) of the faces fitted to; ``people``: (n,) the number of the person on
    each. A face of nobody (negative) is a person of its own, and has no mean that is spanned.
    """
    n, r = coordinates.shape
    centred = coordinates - coordinates.mean(axis=0)
    named, who = np.unique(people[people >= 0], return_inverse=True)
    counts = np.bincount(who, minlength=len(named))[:, None]
    sums = np.zeros((len(named), r))
    np.add.at(sums, who, centred[people >= 0])
    means = sums / counts
    total = centred.T @ centred
    if not total.any():  # all faces are the same
        return np.empty((r, 0))
    squares = total
    if scatter == "within people":
        within = centred[people >= 0] - means[who]
        squares = within.T @ within
        if np.trace(squares) <= _NEGLIGIBLE * np.trace(total):  # nobody differs from themselves
            squares = total
    squares.flat[:: r + 1] += RIDGE * np.trace(squares) / (n - 1)
    lower = np.linalg.cholesky(squares)
    white = np.linalg.solve(lower, (means - means.mean(axis=0)).T)  # (r, people)
    lengths, turned = np.linalg.eigh(white.T @ white)
    keep = lengths > _NEGLIGIBLE * lengths[-1]
    spanned = white @ (turned[:, keep] / np.sqrt(lengths[keep]))
    return np.linalg.solve(lower.T, spanned[:, ::-1])
