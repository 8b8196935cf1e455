"""Faces that are nobody: made of coordinates by hand, by chance, or between two others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.facespace import FaceSpace
from eigenfaces.text import count


@dataclass(frozen=True, eq=False)
class SyntheticFace:
    """A face at k coordinates of a face space.

    Parameters
    ----------
    space
        The face space, with k components.
    scores
        (k,) the coordinates in standard deviations of their component: 0 is the mean face.

    Examples
    --------
    >>> faces = np.random.default_rng(0).random((5, 6), dtype=np.float32)
    >>> mean = SyntheticFace.mean(FaceSpace.fit(faces, (2, 3)))
    >>> mean.moved(0, 2.0).moved(1, 1.5).radius  # √(2² + 1.5²)
    2.5
    """

    space: FaceSpace
    scores: Doubles

    def __post_init__(self) -> None:
        if self.scores.shape != (len(self.space),):
            raise ValueError("there is not one score for each component")
        self.scores.setflags(write=False)

    @classmethod
    def mean(cls, space: FaceSpace) -> SyntheticFace:
        """Return the mean face."""
        return cls(space, np.zeros(len(space)))

    @classmethod
    def at(cls, space: FaceSpace, coordinates: Floats) -> SyntheticFace:
        """Return the face at the first k of these coordinates."""
        return cls(space, coordinates[: len(space)] / np.sqrt(space.variances))

    @classmethod
    def random(cls, space: FaceSpace, rng: np.random.Generator) -> SyntheticFace:
        """Draw a face as the face space sees them: coordinates from N(0, λ), independent."""
        return cls(space, rng.standard_normal(len(space)))

    @cached_property
    def coordinates(self) -> Floats:
        """(k,) coordinates in the face space."""
        return (self.scores * np.sqrt(self.space.variances)).astype(np.float32)

    @cached_property
    def pixels(self) -> Floats:
        """The face (h, w); not clipped to 0…1."""
        return self.space.reconstruct(self.coordinates).reshape(self.space.shape)

    @property
    def radius(self) -> float:
        """Mahalanobis distance from the mean, √Σ (cᵢ² / λᵢ)."""
        return float(np.linalg.norm(self.scores))

    def moved(self, component: int, score: float) -> SyntheticFace:
        """Return the face with another score of one component, counted from 0."""
        if not 0 <= component < len(self.space):
            raise EigenfacesError(
                f"Of {count(len(self.space), 'component')} there is no component {component + 1}."
            )
        scores = self.scores.copy()
        scores[component] = score
        return replace(self, scores=scores)

    def towards(self, other: SyntheticFace, share: float) -> SyntheticFace:
        """Return the face this share of the way to another one, on the straight line: a morph."""
        return replace(self, scores=(1 - share) * self.scores + share * other.scores)

    def within(self, space: FaceSpace) -> SyntheticFace:
        """Return the face with fewer components of the same face space, or with more, at 0."""
        scores = np.zeros(len(space))
        kept = min(len(space), len(self.scores))
        scores[:kept] = self.scores[:kept]
        return SyntheticFace(space, scores)
