"""Pictures held out, put back from k numbers each: components, cosines, random ones, pixels.

C. Eckart and G. Young, *The approximation of one matrix by another of lower rank* (1936); M. E.
Tipping and C. M. Bishop, *Probabilistic principal component analysis* (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.drawing import Ink
from eigenfaces.laboratory.lessons.decomposed import Decomposed, decomposed
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components

HELD_OUT = 5
"""One picture in so many is held out."""

_EXAMPLES = (0.5, 0.75, 0.95)
"""Where the examples stand among the pictures held out, by how much there is to be seen."""

_FEWEST = 5


@dataclass(frozen=True, eq=False)
class Method:
    """A way to put pictures back from k numbers each.

    ``left`` (r,) is the share of the held-out pictures’ squared distance from the mean that is left
    after 0 … r − 1 numbers; ``rebuilt(k)`` are the examples (m, d), without the mean.
    """

    title: str
    ink: Ink
    left: Doubles
    rebuilt: Callable[[int], Doubles]


@dataclass(frozen=True, eq=False)
class FromOthers:
    """What four methods make of pictures that they have not seen.

    Parameters
    ----------
    found
        The components of the other pictures.
    examples
        (m, d) held-out pictures.
    methods
        Components, cosines, random directions, pixels.
    least
        (r,) what the best k directions of the held-out pictures themselves would leave: by Eckart
        and Young, no method leaves less.
    likelihoods
        (r − 1,) mean log-likelihood of a held-out picture with 1 … r − 1 components.
    shape, counts
        (h, w) or (h, w, c); how many pictures were learned from, and held out.
    """

    found: Decomposed
    examples: Doubles
    methods: tuple[Method, ...]
    least: Doubles
    likelihoods: Doubles
    shape: tuple[int, ...]
    counts: tuple[int, int]

    @property
    def most(self) -> int:
        """The largest k that leaves any variance for noise."""
        return len(self.likelihoods)

    @property
    def likeliest(self) -> int:
        """The k for which held-out pictures are most likely."""
        return int(self.likelihoods.argmax()) + 1

    def fewest(self, share: float) -> int:
        """Return the smallest k whose components keep a share of the variance."""
        kept = np.cumsum(self.found.variances) / self.found.variances.sum()
        return fewest_components(kept, share)


def split(n: int, seed: int = 0) -> tuple[Numbers, Numbers]:
    """Return the pictures to learn from and those held out, drawn by a seed."""
    order = np.random.default_rng(seed).permutation(n)
    return order[n // HELD_OUT :], order[: n // HELD_OUT]


def held_out(values: Doubles, shape: tuple[int, ...], tick: Tick) -> FromOthers:
    """Return what is left of pictures held out; `EigenfacesError` if there are too few."""
    if len(values) < _FEWEST:
        raise EigenfacesError("One picture in five is held out. Choose at least five pictures.")
    learned, kept = split(len(values))
    kept = _examples_first(values, kept)
    found = decomposed(values[learned], part_of(tick, 0, 3))
    r = len(found.variances)
    if r < 2:
        raise EigenfacesError("These pictures differ in one way only. Choose more of them.")
    x, y = values[learned] - found.mean, values[kept] - found.mean
    inside = y @ found.components.T
    drawn = np.random.default_rng(0).normal(size=(x.shape[1], r)).T
    tick(4, 9)
    x_cosines, y_cosines, back = _by_cosines(x, y, shape)
    methods = (
        _along("Components", "main", found.components, y),
        _picked("Cosines", "good", x_cosines, y_cosines, back=back, r=r),
        _along("Random", "contrast", orthonormal(drawn), y),
        _picked("Pixels", "grey", x, y, back=lambda numbers: numbers, r=r),
    )
    tick(6, 9)
    energy = float((y**2).sum())
    values_of = np.linalg.eigvalsh(y @ y.T if len(y) < x.shape[1] else y.T @ y)[::-1]
    own = np.zeros(r)
    own[: len(values_of)] = values_of[:r]
    tick(8, 9)
    return FromOthers(
        found=found,
        examples=values[kept[: len(_EXAMPLES)]],
        methods=methods,
        least=_left(own, energy, r),
        likelihoods=log_likelihoods(
            found.variances, (inside**2).mean(axis=0), energy / len(y), x.shape[1]
        ),
        shape=shape,
        counts=(len(x), len(y)),
    )


def _examples_first(values: Doubles, kept: Numbers) -> Numbers:
    by_contrast = kept[np.argsort(values[kept].std(axis=1), kind="stable")]
    places = dict.fromkeys(int(share * len(kept)) for share in _EXAMPLES)
    return np.append(by_contrast[list(places)], np.delete(by_contrast, list(places)))


def log_likelihoods(variances: Doubles, inside: Doubles, length: float, d: int) -> Doubles:
    """Return the mean log-likelihood (r − 1,) of pictures under 1 … r − 1 components and noise.

    Probabilistic PCA: along the first k components the variance is λ, along the other d − k it is
    the mean of what is left, which is the most likely noise.

    Parameters
    ----------
    variances
        (r,) λ, of the pictures learned from.
    inside
        (r,) the mean of the squared coordinates of the pictures that are looked at.
    length
        The mean of their squared distance from the mean.
    d
        The pixels of a picture.
    """
    k = np.arange(1, len(variances))
    noise = np.cumsum(variances[::-1])[::-1][1:] / (d - k)
    along = np.cumsum(np.log(variances) + inside / variances)[:-1]
    left = length - np.cumsum(inside)[:-1]
    return -0.5 * (d * np.log(2 * np.pi) + along + (d - k) * np.log(noise) + left / noise)


def orthonormal(rows: Doubles) -> Doubles:
    """Return orthonormal rows (r, d) of which the first k span what the first k given ones span.

    By Cholesky, twice for its rounding: unlike ``numpy.linalg.qr`` it lets the window go on.
    """
    for _ in range(2):
        rows = np.linalg.inv(np.linalg.cholesky(rows @ rows.T)) @ rows
    return rows


def _left(energies: Doubles, total: float, r: int) -> Doubles:
    return np.maximum(1 - np.append(0, np.cumsum(energies))[:r] / total, 0)


def _along(title: str, ink: Ink, basis: Doubles, y: Doubles) -> Method:
    coordinates = y @ basis.T
    left = _left((coordinates**2).sum(axis=0), float((y**2).sum()), len(basis))
    examples = coordinates[: len(_EXAMPLES)]
    return Method(title, ink, left, lambda k: examples[:, :k] @ basis[:k])


def _picked(
    title: str,
    ink: Ink,
    x: Doubles,
    y: Doubles,
    *,
    back: Callable[[Doubles], Doubles],
    r: int,
) -> Method:
    """Return a method that keeps the k of d numbers that have most variance where it learned."""
    order = np.argsort(-(x**2).sum(axis=0), kind="stable")
    left = _left((y[:, order] ** 2).sum(axis=0), float((y**2).sum()), r)

    def rebuilt(k: int) -> Doubles:
        some = np.zeros((min(len(_EXAMPLES), len(y)), y.shape[1]))
        some[:, order[:k]] = y[: len(some), order[:k]]
        return back(some)

    return Method(title, ink, left, rebuilt)


def _by_cosines(
    x: Doubles, y: Doubles, shape: tuple[int, ...]
) -> tuple[Doubles, Doubles, Callable[[Doubles], Doubles]]:
    """Return pictures (n, d) as cosines (n, d), each colour for itself, and the way back."""
    from scipy.fft import dctn, idctn

    def turned(rows: Doubles, by: Callable[..., Doubles]) -> Doubles:
        return by(rows.reshape(-1, *shape), axes=(1, 2), norm="ortho").reshape(len(rows), -1)

    return turned(x, dctn), turned(y, dctn), lambda rows: turned(rows, idctn)
