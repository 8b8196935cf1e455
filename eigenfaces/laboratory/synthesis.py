"""Synthetic faces, and the real faces closest to them.

The coordinates of a synthetic face are set by hand, drawn at random, or taken from a point between
two other faces. The program compares each synthetic face with the closest real faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.principal import draw_rows
from eigenfaces.text import count, with_minus

Start = FaceId | str
"""The face to start from: a face by its id, or the mean face of a person by name."""

MEAN = ""
"""The name for the mean face of everybody: the empty name, which nobody has."""

_MOST_MEASURED = 500
_SHARE = 0.95
"""The share of variance kept if the recipe compares no pixels, so that its k has no meaning."""


@dataclass(frozen=True, eq=False)
class SyntheticFace:
    """A face at k coordinates in a face space.

    Parameters
    ----------
    space
        The face space, with k components.
    scores
        (k,) the coordinates in standard deviations of each component. Zeros give the mean face.

    Examples
    --------
    >>> faces = np.random.default_rng(0).random((5, 6), dtype=np.float32)
    >>> mean = SyntheticFace.mean(FaceSpace.fit(faces, (2, 3)))
    >>> mean.moved(0, 2.0).moved(1, 1.5).radius  # √((2² + 1.5²) / 4)
    1.25
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
        """Return a random face, with independent coordinates drawn from N(0, λ)."""
        return cls(space, rng.standard_normal(len(space)))

    @cached_property
    def coordinates(self) -> Floats:
        """The coordinates (k,) in the face space."""
        return (self.scores * np.sqrt(self.space.variances)).astype(np.float32)

    @cached_property
    def pixels(self) -> Floats:
        """The image (h, w) of the face, not clipped to 0…1."""
        return self.space.reconstruct(self.coordinates).reshape(self.space.shape)

    @property
    def radius(self) -> float:
        """The Mahalanobis distance from the mean per component, √(Σ (cᵢ²/λᵢ) / k), often near 1."""
        return float(np.linalg.norm(self.scores) / np.sqrt(len(self.space)))

    def moved(self, component: int, score: float) -> SyntheticFace:
        """Return the face with a new score for one component, counted from 0.

        Raises
        ------
        EigenfacesError
            The face space has no such component.
        """
        if not 0 <= component < len(self.space):
            raise EigenfacesError(
                f"There is no component {component + 1}: the last one is {len(self.space):,}."
            )
        scores = self.scores.copy()
        scores[component] = score
        return replace(self, scores=scores)

    def morph(self, other: SyntheticFace, share: float) -> SyntheticFace:
        """Return the face that lies a given share of the way on a straight line to another face."""
        return replace(self, scores=(1 - share) * self.scores + share * other.scores)

    def with_components(self, space: FaceSpace) -> SyntheticFace:
        """Return the face in ``space``, with its scores truncated or padded with zeros to fit."""
        scores = np.pad(self.scores, (0, max(0, len(space) - len(self.scores))))
        return SyntheticFace(space, scores[: len(space)])


@dataclass(frozen=True, eq=False)
class StartingFace:
    """The face at which a synthesis starts or a morph ends, with its full and short names."""

    start: Start
    name: str
    short: str
    face: SyntheticFace


def component_extremes(space: FaceSpace, number: int, most: float) -> Floats:
    """Return faces (n, 2, h, w): the mean moved by −most and +most along the first n components."""
    mean = SyntheticFace.mean(space)
    ends = [mean.moved(at, end).coordinates for at in range(number) for end in (-most, most)]
    return space.reconstruct(np.stack(ends)).reshape(-1, 2, *space.shape)


@dataclass(frozen=True)
class RealFace:
    """A real face near a synthetic one: its row in the gallery and distance in the face space."""

    row: int
    photo: FacePhoto
    distance: float


@dataclass(frozen=True, eq=False)
class TrainingFaces:
    """The n training faces of a gallery, in the first k components of its face space.

    Returned by `TrainingFaces.of`.

    Attributes
    ----------
    gallery
        The trained gallery.
    space
        The face space, with k components.
    rows
        (n,) the rows of the faces in the gallery.
    photos
        The n photographs of the faces.
    coordinates
        (n, k) the coordinates of the faces in the face space.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Preparation, Recipe
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> real = TrainingFaces.of(Gallery(faces, Preparation(16, 16), Recipe()).train())
    >>> real.starting_face("Ada").name
    'Ada, mean of 2 photos'
    >>> {one.photo.person for one in real.nearest(real.starting_face("Ada").face, most=2)}
    {'Ada'}
    """

    gallery: Gallery
    space: FaceSpace
    rows: Numbers
    photos: tuple[FacePhoto, ...]
    coordinates: Floats

    @classmethod
    def of(cls, gallery: Gallery) -> TrainingFaces:
        """Return the training faces of a gallery in the components that its recipe keeps.

        For a recipe that does not compare pixels, these keep 95 % of the variance.

        Raises
        ------
        NotTrainedError
            The gallery is not trained.
        EigenfacesError
            No face in it is used for training.
        """
        training = gallery.trained
        rows = np.array(gallery.included, np.intp)
        if not rows.size:
            raise EigenfacesError(
                "No photo in the gallery is used for training: add some, or include some again."
            )
        other = bool(pixel_space_note(gallery))
        k = training.space.components_for(_SHARE) if other else gallery.face_space_k
        space = training.space.first(k)
        photos = tuple(gallery.index.photos[row] for row in rows)
        return cls(gallery, space, rows, photos, training.coordinates[rows, : len(space)])

    @property
    def mean(self) -> StartingFace:
        """The mean face."""
        return StartingFace(MEAN, "The mean face", "Mean", SyntheticFace.mean(self.space))

    def starting_face(self, start: Start, probes: Sequence[Probe] = ()) -> StartingFace | None:
        """Return the face to start from: a mean, a photograph or a probe; None if not found."""
        index, training = self.gallery.index, self.gallery.trained
        if start == MEAN:
            return self.mean
        if isinstance(start, str):
            places = [at for at, photo in enumerate(self.photos) if photo.person == start]
            if not places:
                return None
            face = SyntheticFace.at(self.space, self.coordinates[places].mean(axis=0))
            return StartingFace(start, f"{start}, mean of {count(len(places))}", start, face)
        if (row := index.row_of(start)) is not None:
            photo, at = index.photos[row], training.coordinates[row]
            number = index.rows_of(photo.person).index(row) + 1
            name = photo.path.name if photo.person is None else f"{photo.person}, photo {number}"
            short = photo.person or name
        elif (probe := next((one for one in probes if one.photo.id == start), None)) is not None:
            at = training.project(probe.image.ravel())
            name = probe.photo.path.name
            short = probe.photo.person or name
        else:
            return None
        return StartingFace(start, name, short, SyntheticFace.at(self.space, at))

    def next_person_photo(self, start: Start) -> FaceId:
        """Return the next face that shows somebody else, or the last face if there is none."""
        photos = self.gallery.index.photos
        named = isinstance(start, str)
        row = None if isinstance(start, str) else self.gallery.index.row_of(start)
        person = photos[row].person if row is not None else start if named else None
        later = chain(photos[row or 0 :], photos[: row or 0])
        others = (photo.id for photo in later if photo.person not in (None, person))
        return next(others, photos[-1].id)

    def nearest(self, face: SyntheticFace, most: int) -> list[RealFace]:
        """Return the closest real faces by L2 distance in these components, nearest first."""
        (far,) = DISTANCES["L2"](face.coordinates, self.coordinates, self.space.variances)
        return [
            RealFace(int(self.rows[at]), self.photos[at], float(far[at]))
            for at in np.argsort(far, kind="stable")[:most]
        ]

    @cached_property
    def usual_distance(self) -> float:
        """The median distance from a real face to its nearest neighbour; infinity for one face.

        If there are more than 500 faces, a random sample of 500 is compared with all faces.
        """
        rows = draw_rows(np.arange(len(self.rows)), _MOST_MEASURED)
        places = self.coordinates.astype(np.float64)
        far = DISTANCES["L2"].between(places[rows], places)
        far[np.arange(len(rows)), rows] = np.inf  # each face's distance from itself
        return float(np.median(far.min(axis=1)))

    def random_words(self, face: SyntheticFace) -> str:
        """Return a sentence on why this random face looks unlikely, or on why it may look real.

        The sentence states how far away the closest real face is and how far apart real faces are.
        """
        away, usual = self.nearest(face, 1)[0].distance, self.usual_distance
        why = "Each coordinate is drawn on its own"
        if away > usual or len(self.rows) < 2:
            others = f", while half of the real faces have another within {usual:.1f}"
            return (
                f"{why}, so together they make an unlikely face: the closest real one is "
                f"{away:.1f} away{others if len(self.rows) > 1 else ''}."
            )
        return (
            f"{why}, yet this one lies among real faces: the closest is {away:.1f} away, and half "
            f"of them have another within {usual:.1f}."
        )


def signed_number(value: float) -> str:
    """Return a value in standard deviations, with its sign.

    >>> signed_number(0.84), signed_number(-1.0), signed_number(-0.04)
    ('+0.8 σ', '−1.0 σ', '0.0 σ')
    """
    rounded = round(value, 1) or 0.0
    return with_minus(f"{rounded:{'+' if rounded else ''}.1f} σ")


def pixel_space_note(gallery: Gallery) -> str:
    """Return the reason why faces are not compared in the face space shown; "" if they are."""
    recipe = gallery.matching_recipe
    if recipe.features == recipe.pixels:
        return ""
    return (
        f"The recipe {recipe.name} does not compare pixels, so it has no pictures. The faces here "
        "come from the face space of the pixels, which is trained as well."
    )
