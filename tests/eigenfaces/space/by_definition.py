"""Whitened products as their definitions say them: by eigenvectors, and by fitting anew."""

from collections.abc import Callable

import numpy as np

from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.people_axes import FEWEST_PEOPLE, Reach, Scatter, people_axes, reach_of
from eigenfaces.space.whitened_products import WhitenedProducts

SCATTERS: tuple[Scatter, ...] = ("within people", "total")
Points = Callable[[Doubles], Doubles]


def drawn(people: Numbers, features: int, seed: int = 0, spread: float = 0.7) -> Doubles:
    """Return features (n, f) of people as clusters."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((people.max() + 2, features))
    return centres[people] + spread * rng.standard_normal((len(people), features))


def gram_of(features: Doubles) -> Doubles:
    centred = features - features.mean(axis=0)
    return centred @ centred.T


def products_of(features: Doubles, people: Numbers, scatter: Scatter) -> WhitenedProducts:
    return WhitenedProducts.of(gram_of(features)[None], people, scatter)


def unit(rows: Doubles) -> Doubles:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def by_axes(features: Doubles, people: Numbers, scatter: Scatter) -> Points:
    """Return what turns features into points, without eigenvectors of the features."""
    reach: Reach = "all" if reach_of(people, scatter) == "all" else "means"
    axes, *_ = people_axes(gram_of(features), people, scatter, reach=reach)
    mean = features.mean(axis=0)
    return lambda x: unit((x - mean) @ (features - mean).T @ axes)


def by_pca(
    features: Doubles,
    people: Numbers,
    scatter: Scatter,
    ridge: float | None = None,
    *,
    whole: bool = False,
) -> tuple[Points, float]:
    """Return the same as the definitions say it, and the ridge c of the sums of squares.

    All principal components; S^−½ with S drawn to the identity; the span of the people's means; of
    few people all, and if ``whole``, what lies outside of all faces, too.
    """
    n, mean = len(features), features.mean(axis=0)
    _, values, components = np.linalg.svd(features - mean, full_matrices=False)
    if whole and len(np.unique(people[people >= 0])) < FEWEST_PEOPLE:
        components = np.eye(features.shape[1])
    else:
        components = components[values > 1e-10 * values[0]]
    inside = (features - mean) @ components.T
    named = np.unique(people[people >= 0])
    means = np.array([inside[people == person].mean(axis=0) for person in named])
    apart = np.concatenate([inside[rows] - inside[rows].mean(axis=0) for rows in each(people)])
    scattered = inside.T @ inside if scatter == "total" else apart.T @ apart
    c = np.trace(scattered) / 9 / (n - 1) if ridge is None else ridge
    variances, turned = np.linalg.eigh(scattered + c * np.eye(len(scattered)))
    whitened = components.T @ (turned / np.sqrt(variances)) @ turned.T
    if len(means) >= FEWEST_PEOPLE:
        spanned = np.linalg.svd(means @ components @ whitened, full_matrices=False)
        whitened = whitened @ spanned[2][spanned[1] > 1e-8 * spanned[1][0]].T
    return lambda x: unit((x - mean) @ whitened), c


def with_rest(
    features: Doubles, people: Numbers, ridge: float | None = None
) -> tuple[Points, Points]:
    """Return the points of probes, and of those enrolled, in all dimensions of the features.

    S^−½ for probes; those enrolled are projected on the span of the people's means there.
    """
    mean = features.mean(axis=0)
    scattered = (features - mean).T @ (features - mean)
    c = np.trace(scattered) / 9 / (len(features) - 1) if ridge is None else ridge
    variances, turned = np.linalg.eigh(scattered + c * np.eye(len(scattered)))
    whitened = (turned / np.sqrt(variances)) @ turned.T
    means = np.array([(features[rows] - mean).mean(axis=0) for rows in each(people)])
    _, lengths, axes = np.linalg.svd(means @ whitened, full_matrices=False)
    span = axes[lengths > 1e-8 * lengths[0]]
    return (
        lambda x: unit((x - mean) @ whitened),
        lambda x: unit((x - mean) @ whitened @ span.T @ span),
    )


def each(people: Numbers) -> list[Numbers]:
    """Return the rows of each person."""
    return [np.flatnonzero(people == person) for person in np.unique(people[people >= 0])]


def best_of_refits(
    features: Doubles, people: Numbers, parts: list[Numbers], scatter: Scatter, ridge: float | None
) -> Doubles:
    """Return what `left_out` returns, fitted anew without each part."""
    best = np.full((len(people), people.max() + 1), -np.inf)
    for gone in parts:
        stay = np.setdiff1d(np.arange(len(people)), gone)
        if reach_of(people, scatter) == "means and rest":
            points, enrolled = with_rest(features[stay], people[stay], ridge)
        else:
            points = by_pca(features[stay], people[stay], scatter, ridge, whole=True)[0]
            enrolled = points
        cosines = points(features[gone]) @ enrolled(features[stay]).T
        for person in np.unique(people[stay][people[stay] >= 0]):
            best[gone, person] = cosines[:, people[stay] == person].max(axis=1)
    return best
