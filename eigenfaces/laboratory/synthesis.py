"""Faces that are nobody: made of coordinates by hand, by chance, or between two others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count, percent


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


Likeness = Literal["itself", "could be", "hardly", "nobody", "unknown"]

_TAILS = (0.025, 0.975)
"""Between these quantiles lie 95 % of the real faces."""

_NARROWEST = 0.02
"""Of their middle: real faces whose radii differ less do not say what is usual."""

_USUAL, _RARE = 0.25, 0.05
"""Of the photos: where so many are as far from their own person, it could be them; or hardly."""

_KEPT = 0.95
"""Of the variance, where the recipe compares what has no pictures, so that its k says nothing."""

_ASKED = 2000
"""Of more faces, so many are drawn to say what is usual among them."""

_SAME = 1e-3
"""Of the size of the face space: nearer than that is the same face, up to rounding."""


@dataclass(frozen=True)
class RealFace:
    """A real face near a synthetic one: its row in the gallery, and its distance in face space."""

    row: int
    photo: FacePhoto
    distance: float


@dataclass(frozen=True, eq=False)
class RealFaces:
    """The faces of a gallery that train, in the first k components of its face space.

    Parameters
    ----------
    space
        The face space, with k components.
    rows
        (n,) rows of the gallery.
    photos
        Their n photographs.
    known
        (m, k) coordinates of all faces of the gallery.
    """

    space: FaceSpace
    rows: Numbers
    photos: tuple[FacePhoto, ...]
    known: Floats

    @classmethod
    def of(cls, gallery: Gallery, k: int | None = None) -> RealFaces:
        """Return the faces of a trained gallery in k components.

        Without k: in those that the recipe keeps; where it compares what has no pictures, in those
        that keep 95 % of the variance.
        """
        training, included = gallery.trained, gallery.included
        if not included:
            raise EigenfacesError("No photo in the gallery trains: add some, or take some back.")
        if k is None:
            pictured = not pictured_otherwise(gallery)
            k = gallery.shown_k if pictured else training.space.components_for(_KEPT)
        space = training.space.first(k)
        if not k:
            raise EigenfacesError("A face is made of at least one component.")
        photos = gallery.index.photos
        rows = np.fromiter(included, np.intp, len(included))
        if len(rows) < len(photos):
            photos = tuple(photos[row] for row in included)
        return cls(space, rows, photos, training.coordinates[:, : len(space)])

    def coordinates(self, places: int | Sequence[int] | Numbers) -> Floats:
        """Return the coordinates (…, k) of some of these faces."""
        return self.known[self.rows[places]]

    @cached_property
    def rows_of(self) -> Mapping[str, list[int]]:
        """The places of everybody's photographs among these."""
        found: dict[str, list[int]] = {}
        for place, photo in enumerate(self.photos):
            if photo.person is not None:
                found.setdefault(photo.person, []).append(place)
        return found

    @cached_property
    def radii(self) -> Doubles:
        """(m,) Mahalanobis distance of each from the mean, a component: divided by √k.

        Of more than `_ASKED` faces, of so many drawn with a fixed seed.
        """
        asked = np.sort(_drawn(len(self.rows))[:_ASKED])
        scores = self.coordinates(asked) / np.sqrt(self.space.variances).astype(np.float32)
        return np.sqrt(np.einsum("mk,mk->m", scores, scores, dtype=np.float64) / len(self.space))

    def radius(self, face: SyntheticFace) -> float:
        """Return the same of a synthetic face; faces drawn from N(0, λ) lie around 1."""
        return face.radius / float(np.sqrt(len(self.space)))

    @cached_property
    def usual(self) -> tuple[float, float] | None:
        """The radii between which 95 % of the faces lie; None where all have the same.

        That is so with all components: whitened, the faces trained on are equally long then.
        """
        low, high = np.quantile(self.radii, _TAILS).tolist()
        return (low, high) if high - low > _NARROWEST * (high + low) / 2 else None

    def plausibility(self, face: SyntheticFace) -> str:
        """Return a sentence: whether the face lies as far from the mean as real faces do."""
        if self.usual is None:
            return (
                f"In these {count(len(self.space), 'component')} all faces trained on are about "
                "as far from the mean: keep fewer, or more."
            )
        low, high = self.usual
        faces = f"the {count(len(self.rows), 'face')} that train"
        if len(self.radii) < len(self.rows):
            faces = f"{count(len(self.radii), 'face')} drawn of {faces}"
        spread = f"95 % of {faces} have {low:.2f} to {high:.2f}."
        radius = self.radius(face)
        if radius > high:
            return f"{spread} This one lies farther from the mean: a caricature."
        if radius < low:
            return f"{spread} This one lies nearer the mean: smoother than a photo."
        return f"{spread} This one lies as far from the mean as they do."

    def mean_of(self, person: str) -> SyntheticFace:
        """Return the mean of somebody's photographs; raises `EigenfacesError` if there are none."""
        rows = self.rows_of.get(person)
        if not rows:
            raise EigenfacesError(f"No photo of “{person}” trains the face space.")
        return SyntheticFace.at(self.space, self.coordinates(rows).mean(axis=0))

    @cached_property
    def _squares(self) -> Floats:
        squares: Floats = np.einsum("mk,mk->m", self.known, self.known)
        return squares[self.rows]

    def nearest(self, face: SyntheticFace, most: int) -> list[RealFace]:
        """Return the closest real faces, by L2 in these components, the nearest first."""
        at = face.coordinates
        most = min(most, len(self.rows))
        # The quick way chooses, with some to spare for its rounding; the distances are exact.
        rough = self._squares - 2 * (self.known @ at)[self.rows]
        wide = min(3 * most + 4, len(rough)) - 1
        chosen = np.argpartition(rough, wide)[: wide + 1]
        distances = np.linalg.norm(self.coordinates(chosen).astype(np.float64) - at, axis=1)
        return [
            RealFace(int(self.rows[chosen[i]]), self.photos[chosen[i]], float(distances[i]))
            for i in np.lexsort((chosen, distances))[:most]
        ]

    @cached_property
    def apart(self) -> Doubles:
        """Distances of photos to the closest other one of the same person, sorted; may be empty.

        Of very many, people are drawn until `_ASKED` photos are asked about.
        """
        several = [rows[:_ASKED] for rows in self.rows_of.values() if len(rows) > 1]
        closest: list[Doubles] = [np.zeros(0)]
        for person in _drawn(len(several)):
            closest.append(_closest(self.coordinates(several[person])))
            if sum(map(len, closest)) >= _ASKED:
                break
        return np.sort(np.concatenate(closest))

    def likeness(self, nearest: RealFace) -> tuple[Likeness, str]:
        """Return whom a face may be taken for, from the closest real face, and why in a sentence.

        The distance is compared with those of photos to the closest other photo of their person.
        """
        person = nearest.photo.person or "a face without a name"
        if nearest.distance < _SAME * float(np.sqrt(self.space.variances.sum())):
            kept = count(len(self.space), "component")
            return "itself", f"This is a photo of {person}, rebuilt from {kept}."
        if not self.apart.size:
            return "unknown", "Nobody has two photos here, so nothing says how near is near."
        share = 1 - np.searchsorted(self.apart, nearest.distance) / len(self.apart)
        photos = "the photos" if len(self.apart) < _ASKED else f"{len(self.apart):,} photos"
        said = (
            f"{percent(share, 0) if share else 'None'} of {photos} lie {nearest.distance:.3g} or "
            f"farther from the closest other of their person (median "
            f"{float(np.median(self.apart)):.3g}), so "
        )
        if share >= _USUAL:
            return "could be", f"{said}by its distance it could be {person}."
        if share >= _RARE:
            return "hardly", f"{said}it is hardly {person}."
        return "nobody", f"{said}it is nobody here."


def _drawn(n: int) -> Numbers:
    """Return n places in an order drawn with a fixed seed."""
    return np.random.default_rng(0).permutation(n)


def _closest(coordinates: Floats) -> Doubles:
    """Return the distance of each of m points (m, k) to the closest other one."""
    points = coordinates.astype(np.float64)
    squares = np.einsum("mk,mk->m", points, points)
    between = squares[:, None] + squares - 2 * points @ points.T
    np.fill_diagonal(between, np.inf)
    return np.sqrt(np.maximum(between.min(axis=1), 0))


def pictured_otherwise(gallery: Gallery) -> str:
    """Return why another face space is shown than the one compared; empty where it is the same."""
    recipe = gallery.compared_by
    if recipe.features == recipe.pixels:
        return ""
    return (
        f"The recipe {recipe.name} compares what has no picture. The faces here are of the face "
        "space of the pixels, which is trained beside it."
    )
