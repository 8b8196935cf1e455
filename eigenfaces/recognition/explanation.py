"""Why somebody is nearest: a distance split exactly into components, and over the face.

What adds up to what depends on how faces are compared. Coordinates, whitened if the recipe whitens
and of length 1 where only angles count, differ by δ. The squares δᵢ² add up to the squared distance
d², or to 2 (1 − cos) of an angle. Where components are pictures (orthonormal rows U), so do the
squares of the pixels of δU, a face. Where they are none, coordinates still are linear in the
features: the cosine then is a sum over features, of which each has its place on the face.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import Match
from eigenfaces.recognition.people_features import PeopleFeatures
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.sum_over_face import SumOverFace
from eigenfaces.recognition.verdict import Verdict
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.discriminant import DiscriminantSpace

MOST_BARS = 18


@dataclass(frozen=True, eq=False)
class DistanceSplit:
    """The distance of a probe from one person, split.

    Parameters
    ----------
    match
        The person, and the person's nearest photograph.
    distance
        From what it is measured to: the nearest photograph, or where the recipe compares with
        means, the person's mean.
    squares
        (k,) what each component adds to d²; 0 for those that are not compared.
    mapped
        Makes the maps.
    """

    match: Match
    distance: float
    squares: Doubles
    mapped: Callable[[], tuple[SumOverFace, ...]]

    @cached_property
    def maps(self) -> tuple[SumOverFace, ...]:
        """The same over the face, block by block of the features; see `Explanation.by_likeness`.

        They are made when somebody looks at them.
        """
        return self.mapped()

    @property
    def total(self) -> float:
        """What all components add up to."""
        return float(self.squares.sum())

    @property
    def over(self) -> Doubles | None:
        """(h, w) all maps together; None where there is none."""
        return np.sum([each.over for each in self.maps], axis=0) if self.maps else None


@dataclass(frozen=True, eq=False)
class Explanation:
    """The splits of the two nearest people.

    Parameters
    ----------
    recipe
        How faces are compared.
    closest, runner_up
        The two nearest people; the second may be None.
    compared
        The components that are compared, as places from 0.
    pictures
        Whether components are pictures of faces.
    outside
        Whether the last of them is what lies outside of all faces fitted to.
    span
        Along so many of the first, photos that are enrolled have coordinates; None: along all.
    """

    recipe: Recipe
    closest: DistanceSplit
    runner_up: DistanceSplit | None
    compared: range
    pictures: bool
    outside: bool = False
    span: int | None = None

    @property
    def splits(self) -> tuple[DistanceSplit, ...]:
        """One or two of them, the closest person's first."""
        return (self.closest,) if self.runner_up is None else (self.closest, self.runner_up)

    @property
    def by_likeness(self) -> bool:
        """Whether maps add up to the cosine, 1 − d, with parts below 0; else, as bars do, to d²."""
        return not self.pictures

    @property
    def groups(self) -> tuple[range, ...]:
        """The components of each bar: at most 18 bars, equally many components in each."""
        wide = math.ceil(len(self.compared) / MOST_BARS)
        return tuple(
            self.compared[start : start + wide] for start in range(0, len(self.compared), wide)
        )

    def bars(self, split: DistanceSplit) -> Doubles:
        """Return what each group of components adds to d²; all bars add up to its total."""
        return np.array([split.squares[group.start : group.stop].sum() for group in self.groups])


def explain(gallery: Gallery, face: Floats, verdict: Verdict) -> Explanation:
    """Return why a face (h, w), compared in a gallery, is as near as it is.

    >>> from eigenfaces.samples import PREPARATION, load_sample
    >>> from eigenfaces.recognition.verdict import identify
    >>> faces = load_sample()
    >>> gallery = Gallery(faces.select(range(20)), PREPARATION, Recipe()).train()
    >>> found = explain(gallery, faces.image(25), identify(gallery, faces.image(25)))
    >>> bars, pixels = found.bars(found.closest).sum(), found.closest.over.sum()
    >>> bool(np.allclose([bars, pixels], found.closest.distance**2, rtol=1e-5))
    True
    """
    crop = np.asarray(face, np.float32).reshape(1, *gallery.faces.shape)
    splits = [_split(gallery, crop, verdict, match) for match in verdict.first[:2]]
    which, space = gallery.comparison.which, gallery.trained.representation
    few = space if isinstance(space, DiscriminantSpace) and space.has_outside else None
    return Explanation(
        recipe=gallery.compared_by,
        closest=splits[0],
        runner_up=splits[1] if len(splits) > 1 else None,
        compared=range(which.start, which.stop),
        pictures=space.components is not None,
        outside=few is not None and which.stop > len(few.axes),
        span=few.span if few is not None and few.span < len(few.axes) else None,
    )


def _split(gallery: Gallery, crop: Floats, verdict: Verdict, match: Match) -> DistanceSplit:
    comparison, rows = gallery.comparison, [match.row]
    if gallery.recipe.matcher.rule == "class mean":
        photos = gallery.index.photos
        rows = [row for row in gallery.enrolled if photos[row].person == match.person]
    there = gallery.trained.compared[rows, : gallery.k].astype(np.float64).mean(axis=0)
    both = np.stack([verdict.coordinates, there])
    compared = comparison.compared(both)
    pair = points = _standardised(gallery, both)
    if comparison.distance.is_angle:
        pair = pair / np.maximum(np.linalg.norm(pair, axis=1, keepdims=True), 1e-300)
    squares = np.zeros(gallery.k)  # components that are dropped add nothing
    squares[comparison.which] = (pair[0] - pair[1]) ** 2
    return DistanceSplit(
        match=match,
        distance=float(comparison.distances(compared[:1], compared[1:])[0, 0]),
        squares=squares,
        mapped=partial(_maps, gallery, crop, pair, float(np.linalg.norm(points[0]))),
    )


def _standardised(gallery: Gallery, coordinates: Doubles) -> Doubles:
    """Return the compared coordinates (n, j) of all (n, k), as the distance squares them."""
    return gallery.comparison.standardised(gallery.comparison.compared(coordinates))


def _turned_back(difference: Doubles, components: Floats) -> Doubles:
    """Return a difference (j,) along components (j, d) as pixels (d,), some columns at a time."""
    pieces = np.array_split(components, max(1, components.shape[1] // _COLUMNS_AT_ONCE), axis=1)
    return np.concatenate([difference @ piece.astype(np.float64) for piece in pieces])


_COLUMNS_AT_ONCE = 1024  # which are in the processor's cache in double precision


def _maps(gallery: Gallery, crop: Floats, pair: Doubles, length: float) -> tuple[SumOverFace, ...]:
    """Return the maps of a pair (2, j) of coordinates; ``length`` is that of the probe's.

    ``crop``: (1, h, w).
    """
    comparison, training = gallery.comparison, gallery.trained
    space, which, features = training.representation, comparison.which, training.recipe.features
    if space.components is not None:
        parts = _turned_back(pair[0] - pair[1], space.components[which]) ** 2
    elif isinstance(features, PeopleFeatures) and comparison.distance.is_angle:
        assert isinstance(space, DiscriminantSpace)
        scales = _standardised(gallery, np.ones((1, gallery.k)))[0]
        weights = np.zeros(len(space))
        weights[which] = scales * pair[1] / max(length, 1e-300)
        sides = features.sides(crop)[:, 0]
        parts = space.parts(sides, weights) / len(sides)
    else:
        return ()
    return features.over_face(parts, gallery.faces.shape)
