"""Training: the spaces fitted to the faces of a gallery, and the coordinates of all its faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.face_set import Crops, FaceSet, Fitted, face_key
from eigenfaces.faces.identity import FaceId
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.features import Features, Shape, person_numbers
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers, append_rows
from eigenfaces.space.discriminant import check_people
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import as_grey
from eigenfaces.space.principal import MatchingSpace, Principal, Space, fit
from eigenfaces.text import short_repr


@dataclass(frozen=True, eq=False)
class PrincipalFaces:
    """Some faces of a gallery, in the principal coordinates of their features.

    The coordinates are computed once, for training, calibration and the choice of a recipe.
    """

    fitted: tuple[tuple[FaceId, str], ...]  # each face and its `crop_hash`
    names: tuple[str | None, ...]  # the name of each face; None for nobody
    features: Features
    principal: Principal
    __repr__ = short_repr

    @classmethod
    def of(
        cls,
        faces: FaceSet,
        rows: Sequence[int],
        features: Features,
        tick: Tick = no_tick,
        *,
        known: Iterable[PrincipalFaces] = (),
    ) -> PrincipalFaces:
        """Return the principal coordinates of some rows, reusing ``known`` ones if possible."""
        photos = [faces.index.photos[row] for row in rows]
        fitted = tuple((photo.id, photo.crop) for photo in photos)
        names = tuple(photo.person for photo in photos)
        for other in known:
            if other.features == features and other.fitted == fitted:
                return replace(other, names=names)
        features.read_photographs(faces, part_of(tick, 0, 3))
        crops = faces.pixels
        if len(rows) < len(faces):
            crops = crops.select(rows)
        made = features.of_all(crops, faces.shape, part_of(tick, 1, 3))
        step = part_of(tick, 2, 3)
        principal = Principal.of(made.array, whole=features.PRETRAINED, tick=step)
        return cls(fitted, names, features, principal)

    @cached_property
    def people(self) -> Numbers:
        """The person number (n,) of each face, in order of first appearance; −1 if unnamed."""
        return person_numbers(self.names)


@dataclass(frozen=True, eq=False)
class Training:
    """The face space, the matching space, and the coordinates of all faces in both spaces.

    The two spaces may be the same.
    """

    space: FaceSpace  # with all its components
    coordinates: Floats  # (n, k) all faces of the gallery in the face space
    preparation: Preparation  # how the faces were cropped
    recipe: Recipe
    fitted: Fitted  # the faces that the spaces were fitted to, each with its `crop_hash`
    matching_space: Space  # the space in which faces are matched
    matching_coordinates: Floats  # (n, j) all faces of the gallery in the matching space
    principal_faces: tuple[PrincipalFaces, ...] = ()  # used for fitting; not saved in projects
    __repr__ = short_repr

    def __post_init__(self) -> None:
        pairs = (
            (self.coordinates, self.space),
            (self.matching_coordinates, self.matching_space),
        )
        for coordinates, space in pairs:
            coordinates.setflags(write=False)
            if coordinates.shape != (len(coordinates), len(space)):
                raise ValueError("there must be one coordinate for each component")

    @classmethod
    def fit(
        cls,
        faces: FaceSet,
        rows: Sequence[int],
        preparation: Preparation,
        recipe: Recipe,
        tick: Tick = no_tick,
        *,
        known: Iterable[PrincipalFaces] = (),
    ) -> Training:
        """Fit the face space and the matching space of a recipe to some rows of faces.

        Raises `EigenfacesError` if there are too few faces or people, or all faces are identical.
        """
        parts = 1 + (recipe.features != recipe.pixels)
        step = part_of(tick, 0, parts)
        pixels = PrincipalFaces.of(faces, rows, recipe.pixels, step, known=known)
        pixels.principal.check_that_faces_differ()
        space = pixels.principal.face_space(faces.shape)
        own = pixels.principal.coordinates.astype(np.float32)
        coordinates = _coordinates(recipe.pixels, faces, space, rows, own)
        made = cls(
            space, coordinates, preparation, recipe, frozenset(pixels.fitted), space, coordinates
        )
        if recipe.features == recipe.pixels:
            return replace(made, principal_faces=(pixels,))
        step = part_of(tick, 1, parts)
        matched = PrincipalFaces.of(faces, rows, recipe.features, step, known=known)
        matched.principal.check_that_faces_differ()
        if recipe.features.SCATTER is not None:
            check_people(matched.people)
        everybody = np.arange(len(rows))
        axes = fit(matched.principal, everybody, matched.people, recipe.features.SCATTER)
        matching_space, own = MatchingSpace.of(matched.principal, axes)
        return replace(
            made,
            matching_space=matching_space,
            matching_coordinates=_coordinates(recipe.features, faces, matching_space, rows, own),
            principal_faces=(pixels, matched),
        )

    @property
    def in_face_space(self) -> bool:
        """Whether the matching space is the face space."""
        return self.matching_space is self.space

    @property
    def faces(self) -> frozenset[FaceId]:
        """The faces that the spaces were fitted to."""
        return _faces_of(self.fitted)

    def features(self, pixels: Bytes | Floats) -> Floats:
        """Return crops (n, d) as they enter the face space, after lighting correction."""
        return self.recipe.pixels.of(as_grey(pixels), self.preparation.shape)

    def project(self, pixels: Bytes | Floats) -> Floats:
        """Return the coordinates (…, k) of crops (…, d) in the face space."""
        projected = self.space.project(np.atleast_2d(self.features(pixels)))
        return projected.reshape(*pixels.shape[:-1], len(self.space))

    def project_with_residual(self, pixels: Bytes | Floats, k: int) -> tuple[Floats, Doubles]:
        """Return the first k matching coordinates of crops (m, d), and their residual norms."""
        features = self.recipe.features.of(as_grey(pixels), self.preparation.shape)
        return self.matching_space.project_with_residual(features, k)

    def with_ids(self, now: Mapping[FaceId, FaceId]) -> Training:
        """Return the training with new IDs for some of the faces that it was fitted to."""
        if not now:
            return self
        fitted = frozenset((now.get(face, face), crop) for face, crop in self.fitted)
        return replace(self, fitted=fitted)

    def for_faces(
        self,
        faces: FaceSet,
        known: Mapping[int, int] | None = None,
        projected: ProjectedFaces | None = None,
    ) -> Training:
        """Return the training with the coordinates of other faces; ``known`` maps rows to old rows.

        If ``known`` is None, the faces must start with all the old ones, whose coordinates are not
        copied. ``projected``: the coordinates of new faces, if already computed.
        """
        if known is None:
            rows, before = list[int](), list[int]()
            others = np.arange(len(self.coordinates), len(faces))
        else:
            rows, before = [*known], [*known.values()]
            others = np.setdiff1d(np.arange(len(faces)), rows)
        if known is None and not len(others):
            return self
        crops = [faces.index.photos[row].crop for row in others]
        if projected is None or not projected.holds(self, crops):
            projected = ProjectedFaces.of(self, faces.select(others))
            new = projected.coordinates, projected.matching_coordinates
        else:
            new = projected.of_crops(crops)

        def joined(so_far: Floats, added: Floats) -> Floats:
            if known is None:
                return append_rows(so_far, added)
            coordinates = np.empty((len(faces), so_far.shape[1]), np.float32)
            coordinates[rows] = so_far[before]
            coordinates[others] = added
            return coordinates

        coordinates = joined(self.coordinates, new[0])
        matching_coordinates = coordinates
        if not self.in_face_space:
            matching_coordinates = joined(self.matching_coordinates, new[1])
        return replace(self, coordinates=coordinates, matching_coordinates=matching_coordinates)


@lru_cache(maxsize=8)  # adding faces does not change the faces that a training is fitted to
def _faces_of(fitted: Fitted) -> frozenset[FaceId]:
    return frozenset(face for face, _ in fitted)


@lru_cache(maxsize=8)
def fitted_key(fitted: Fitted) -> int:
    """Return a number that identifies the faces that a space was fitted to."""
    return sum(face_key(face, crop, "") for face, crop in fitted)


@dataclass(frozen=True, eq=False)
class ProjectedFaces:
    """Coordinates of faces in the spaces of a training, computed before the faces are enrolled.

    They are looked up by the hashes of the crops.
    """

    rows: Mapping[str, int]
    coordinates: Floats  # (m, k)
    matching_coordinates: Floats  # (m, j)
    spaces: tuple[Space, Space]

    @classmethod
    def of(cls, training: Training, faces: FaceSet, tick: Tick = no_tick) -> ProjectedFaces:
        """Return the coordinates of faces in both spaces of a training."""
        recipe, crops, shape = training.recipe, faces.pixels, faces.shape
        step = part_of(tick, 0, 2)
        coordinates = _projected(recipe.pixels, crops, shape, training.space, step)
        matching_coordinates = coordinates
        if not training.in_face_space:
            step, space = part_of(tick, 1, 2), training.matching_space
            matching_coordinates = _projected(recipe.features, crops, shape, space, step)
        rows = {photo.crop: row for row, photo in enumerate(faces.index.photos)}
        spaces = training.space, training.matching_space
        return cls(rows, coordinates, matching_coordinates, spaces)

    def holds(self, training: Training, crops: Sequence[str]) -> bool:
        """Return whether the coordinates of all these crops are known in a training's spaces."""
        one, other = self.spaces
        same = one is training.space and other is training.matching_space
        return same and all(crop and crop in self.rows for crop in crops)

    def of_crops(self, crops: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the coordinates, in both spaces, of the crops with these hashes."""
        rows = [self.rows[crop] for crop in crops]
        return self.coordinates[rows], self.matching_coordinates[rows]


def _coordinates(
    features: Features, faces: FaceSet, space: Space, rows: Sequence[int], known: Floats
) -> Floats:
    """Return the coordinates (n, k) of faces in a space, reusing ``known`` ones for some rows."""
    coordinates = np.empty((len(faces), len(space)), np.float32)
    coordinates[[*rows]] = known
    others = np.setdiff1d(np.arange(len(faces)), rows)
    coordinates[others] = _projected(features, faces.pixels.select(others), faces.shape, space)
    return coordinates


def _projected(
    features: Features, crops: Crops, shape: Shape, space: Space, tick: Tick = no_tick
) -> Floats:
    """Return the coordinates (m, k) of crops (h, w) in a space."""
    return crops.apply(
        lambda some: space.project(features.of(some, shape)), tick, at_once=features.AT_ONCE
    )
