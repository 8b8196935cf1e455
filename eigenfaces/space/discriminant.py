"""Discriminant space: the few directions in which people, rather than photographs, differ.

Regularised discriminant analysis inside face space (R. Fisher, *The use of multiple measurements in
taxonomic problems*, 1936; J. Friedman, *Regularized discriminant analysis*, 1989; P. Belhumeur and
others, *Eigenfaces vs. Fisherfaces*, 1997). Features are rotated into their principal coordinates.
A single matrix W then whitens these with a scatter matrix shrunk towards the identity, and projects
them onto the span of the people's means. The cosine between the coordinates of two faces measures
how similar they are.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from eigenfaces.errors import NotPossibleError
from eigenfaces.space.arrays import Doubles, Numbers

Scatter = Literal["within people", "total"]  # around each person's mean, or around the overall mean
RIDGE = 1 / 9  # c, as a share of the mean variance along n − 1 directions
FEWEST_FOR_DISCRIMINANT = 7  # the means of fewer people span so little that even strangers fit it

_NEGLIGIBLE = 1e-9  # squares below this share of the largest are rounding errors


def check_people(people: Numbers) -> None:
    """Raise `NotPossibleError` if the person indices (n,) contain too few people."""
    there = len(np.unique(people[people >= 0]))
    if there < FEWEST_FOR_DISCRIMINANT:
        raise NotPossibleError(
            f"To learn how people differ, this recipe needs {FEWEST_FOR_DISCRIMINANT} people or "
            f"more, and there {'is' if there == 1 else 'are'} {there}. Add people, or use "
            "Eigenfaces or Network."
        )


def discriminant_axes(coordinates: Doubles, people: Numbers, scatter: Scatter) -> Doubles:
    """Return W (r, j), which maps principal coordinates to coordinates for comparing people.

    Let C be the coordinates minus their mean, and let H = C or, for the scatter within people, C
    minus each person's mean. S = HᵀH is shrunk towards the identity: S + c I = L Lᵀ. Let M be the
    people's means minus the mean of these means. Whitened, they are M L⁻ᵀ = U s Qᵀ, and W = L⁻ᵀ Q.

    ``coordinates``: (n, r) of the faces to fit to; ``people``: (n,) the person indices. A face
    without a name (negative index) counts as a person of its own, whose mean is not used.
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
        if np.trace(squares) <= _NEGLIGIBLE * np.trace(total):  # nobody's photographs differ
            squares = total
    squares.flat[:: r + 1] += RIDGE * np.trace(squares) / (n - 1)
    lower = np.linalg.cholesky(squares)
    white = np.linalg.solve(lower, (means - means.mean(axis=0)).T)  # (r, people)
    lengths, turned = np.linalg.eigh(white.T @ white)
    keep = lengths > _NEGLIGIBLE * lengths[-1]
    spanned = white @ (turned[:, keep] / np.sqrt(lengths[keep]))
    return np.linalg.solve(lower.T, spanned[:, ::-1])
