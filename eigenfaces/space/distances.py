"""Distances between coordinates in face space, the formula beside each name. Lower is nearer.

Every function takes probes ``a`` (m, k), gallery ``b`` (n, k) and the variances λ (k,) of the
coordinates, and returns (m, n). The plain ones ignore λ. The Mahalanobis names follow Beveridge,
Bolme, Teixeira and Draper, *The CSU Face Identification Evaluation System User's Guide* (2003):
the coordinates are first divided by their standard deviation √λ.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.arrays import Doubles
from eigenfaces.wording import one_of

Distance = Callable[[ArrayLike, ArrayLike, ArrayLike], Doubles]

_NUMBERS_AT_ONCE = 65_536
"""Differences formed in one step: few enough to stay in the processor's cache."""


def l1(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """City block: Σ |aᵢ − bᵢ|."""
    return _over_differences(a, b, lambda difference: np.abs(difference).sum(axis=-1))


def l2(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """Euclidean: √ Σ (aᵢ − bᵢ)².

    >>> l2([[0, 0]], [[3, 4]], [1, 1])
    array([[5.]])
    """
    return _over_differences(
        a, b, lambda difference: np.sqrt(np.einsum("...k,...k", difference, difference))
    )


def l_infinity(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """Chebyshev: max |aᵢ − bᵢ|."""
    return _over_differences(a, b, lambda difference: np.abs(difference).max(axis=-1, initial=0))


def cosine(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """One minus the cosine of the angle: 1 − a·b / (‖a‖ ‖b‖), 0…2; 1 where one of them is zero."""
    return np.clip(1 - _unit(a) @ _unit(b).T, 0, 2)


def mahalanobis_l1(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """City block in units of standard deviation: Σ |aᵢ − bᵢ| / √λᵢ."""
    return l1(_standardised(a, variances), _standardised(b, variances), variances)


def mahalanobis_l2(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """Mahalanobis distance: √ Σ (aᵢ − bᵢ)² / λᵢ."""
    return l2(_standardised(a, variances), _standardised(b, variances), variances)


def mahalanobis_cosine(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """One minus the cosine of the angle between a / √λ and b / √λ, 0…2."""
    return cosine(_standardised(a, variances), _standardised(b, variances), variances)


def yambor(a: ArrayLike, b: ArrayLike, variances: ArrayLike) -> Doubles:
    """Minus the inner product in units of standard deviation: −Σ aᵢ bᵢ / λᵢ.

    It has no zero, is not a metric and prefers gallery faces far from the mean (Yambor, *Analysis
    of PCA-based and Fisher discriminant-based image recognition algorithms*, 2000).
    """
    return -_standardised(a, variances) @ _standardised(b, variances).T


DISTANCES: dict[str, Distance] = {
    "L2": l2,
    "L1": l1,
    "L∞": l_infinity,
    "cosine": cosine,
    "Mahalanobis L1": mahalanobis_l1,
    "Mahalanobis L2": mahalanobis_l2,
    "Mahalanobis cosine": mahalanobis_cosine,
    "Yambor": yambor,
}
"""Every distance by its name; the first is the default."""


def distance_named(name: str) -> Distance:
    """Return the distance of this name; raise `EigenfacesError` where there is none."""
    return DISTANCES[one_of(DISTANCES, name, "distance")]


def over_components(
    name: str,
    a: ArrayLike,
    b: ArrayLike,
    variances: ArrayLike,
    weights: Doubles | None = None,
) -> Doubles:
    """Return a distance between the first 1, 2 … k coordinates, (k, m, n), all in one pass.

    Each is what the distance of this name gives for ``a[:, :k]`` and ``b[:, :k]``; with weights
    (k, k), for ``a[:, :k] * weights[k - 1, :k]`` and the same of b. Beyond its first k, each row of
    weights must be zero.
    """
    name = one_of(DISTANCES, name, "distance")
    probes, gallery = _rows(a), _rows(b)
    if name.startswith(("Mahalanobis", "Yambor")):
        probes, gallery = _standardised(probes, variances), _standardised(gallery, variances)
        name = name.removeprefix("Mahalanobis ")
    first, second = probes.T[:, :, None], gallery.T[:, None, :]
    if name == "L1":
        return _added(np.abs(first - second), weights)
    squared = None if weights is None else weights**2
    if name == "L2":
        return np.sqrt(_added((first - second) ** 2, squared))
    if name == "L∞":
        return _largest(np.abs(first - second), weights)
    products = _added(first * second, squared)
    if name == "Yambor":
        return -products
    lengths = np.sqrt(_added(first**2, squared)) * np.sqrt(_added(second**2, squared))
    cosines = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return np.clip(1 - cosines, 0, 2)


def _added(terms: Doubles, weights: Doubles | None) -> Doubles:
    """Add up the first 1, 2 … k of the terms (k, …), weighted anew for each k where that is so."""
    if weights is None:
        return np.cumsum(terms, axis=0)
    return np.tensordot(weights, terms, axes=1)


def _largest(terms: Doubles, weights: Doubles | None) -> Doubles:
    if weights is None:
        return np.maximum.accumulate(terms, axis=0)
    weighted = [(terms * row[:, None, None]).max(axis=0) for row in weights]
    return np.array(weighted).reshape(terms.shape)


def _over_differences(a: ArrayLike, b: ArrayLike, reduce: Callable[[Doubles], Doubles]) -> Doubles:
    probes, gallery = _rows(a), _rows(b)
    out = np.empty((len(probes), len(gallery)))
    step = max(1, _NUMBERS_AT_ONCE // max(1, gallery.shape[1]))
    for start in range(0, len(gallery), step):
        some = gallery[start : start + step]
        for place, probe in enumerate(probes):
            out[place, start : start + step] = reduce(probe - some)
    return out


def _rows(values: ArrayLike) -> Doubles:
    return np.atleast_2d(np.asarray(values, np.float64))


def _unit(values: ArrayLike) -> Doubles:
    rows = _rows(values)
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    rows = rows / np.where(largest > 0, largest, 1)  # so that squares neither over- nor underflow
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def _standardised(values: ArrayLike, variances: ArrayLike) -> Doubles:
    return _rows(values) / np.sqrt(np.asarray(variances, np.float64))
