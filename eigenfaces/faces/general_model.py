"""General face model: regressors that align a face, and a face space of many people.

Each face is split into a symmetric and an antisymmetric half: the sum and the difference of each
pixel and its mirror image, divided by √2, which is just a rotation. A mirror image has the same
sums and the opposite differences. Therefore, in a space of faces and their mirror images, no
component mixes the two halves, and each half is decomposed separately.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from numpy.typing import NDArray

from eigenfaces.faces.prepare import crop_at, standard_eyes, tan_triggs
from eigenfaces.files import asset
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Doubles, Floats, Numbers

VIEW_SHAPE = (56, 46)  # (h, w) of a crop as the model sees it
MODEL_COMPONENTS = 40  # components of a space, in both halves together


@dataclass(frozen=True, eq=False)
class SymmetricFaceSpace:
    """Face space of the `face_vectors` of faces and their mirror images."""

    mean: Floats  # (m,) mean of the symmetric half; the mean of the other half is 0
    symmetric: Floats  # (k, m) components of the symmetric half
    antisymmetric: Floats  # (l, m) components of the antisymmetric half

    def residuals(self, vectors: Floats) -> Doubles:
        """Return the distances (n,) of face vectors (n, 2, m) *from* the space, 0…1.

        A distance is relative to the contrast of the crop: it is the fraction that the space cannot
        express. It is 1 for a flat crop, so that a blank wall is not close to faces.
        """
        squares = np.zeros(len(vectors))
        halves = vectors[:, 0] - self.mean, vectors[:, 1]
        for half, components in zip(halves, (self.symmetric, self.antisymmetric), strict=True):
            left = half - (half @ components.T) @ components
            squares += np.square(left, dtype=np.float64).sum(axis=1)
        return np.where(vectors.any(axis=(1, 2)), np.sqrt(squares), 1.0)


@dataclass(frozen=True, eq=False)
class GeneralFaces(SymmetricFaceSpace):
    """General face model, loaded from ``assets/faces.npz``."""

    regressors: Floats  # (4, FEATURES, 4): the argument of `detect.align`
    lengths: Floats  # (k + l,) singular values of the components
    count: Floats  # number of faces that the space was fitted to
    limit: Floats  # distance *from* the space that few faces exceed

    def distance_of(self, crop: Floats, eyes: Eyes | None = None) -> float:
        """Return the distance of a crop (h, w) *from* the general face space, 0…1.

        Without ``eyes``, the eyes are assumed to be at their standard positions.
        """
        return float(self.residuals(face_vectors(crop[None], eyes))[0])

    def joint_space(self, vectors: Floats, rows: Numbers) -> SymmetricFaceSpace:
        """Return the joint space of the model's faces and the given rows of vectors (n, 2, m).

        Together, the new faces have at least the weight of the model's faces, so that even a few
        faces cropped in a different way have an effect. The joint scatter is the sum of the scatter
        of the model, that of the weighted new faces, and that of the two means,
        N₁N₂ / (N₁ + N₂) · (m₂ − m₁)(m₂ − m₁)ᵀ.
        """
        count = float(self.count)
        own = vectors[rows]
        weight = max(1.0, count / max(len(own), 1))
        others = weight * len(own)
        mean = own[:, 0].mean(axis=0, dtype=np.float64) if len(own) else self.mean
        step = mean - self.mean
        between = np.sqrt(count * others / (count + others)) * step
        axes = self.lengths[:, None] * np.vstack([self.symmetric, self.antisymmetric])
        first = len(self.symmetric)
        root = np.float32(np.sqrt(weight))
        symmetric, antisymmetric, _ = symmetric_components(
            np.vstack([axes[:first], root * (own[:, 0] - mean.astype(np.float32)), between]),
            np.vstack([axes[first:], root * own[:, 1]]),
        )
        joint = self.mean + step * (others / (count + others))
        return SymmetricFaceSpace(joint.astype(np.float32), symmetric, antisymmetric)


def symmetric_components(
    symmetric: NDArray[np.floating], antisymmetric: NDArray[np.floating]
) -> tuple[Floats, Floats, Floats]:
    """Return the components and singular values of deviations, given as two halves (…, m).

    Only the `MODEL_COMPONENTS` components with the largest singular values overall are kept.
    """
    halves = list[tuple[Doubles, Doubles]]()
    for rows in (np.asarray(half, np.float64) for half in (symmetric, antisymmetric)):
        # Not ``scipy.linalg.eigh``: it can compute just the largest eigenvalues, but it never
        # releases Python's lock, which freezes the window.
        tall = len(rows) > rows.shape[1]
        squares, vectors = np.linalg.eigh(rows.T @ rows if tall else rows @ rows.T)
        squares = squares[: -MODEL_COMPONENTS - 1 : -1]
        vectors = vectors[:, : -MODEL_COMPONENTS - 1 : -1]
        large = squares > _NEGLIGIBLE * max(float(squares[0]), 1e-300)
        lengths = np.sqrt(squares[large])
        vectors = vectors[:, large]
        halves.append((lengths, vectors.T if tall else (vectors / lengths).T @ rows))
    least = np.sort(np.concatenate([lengths for lengths, _ in halves]))[-MODEL_COMPONENTS:][0]
    one, other = (axes[lengths >= least].astype(np.float32) for lengths, axes in halves)
    lengths = np.concatenate([lengths[lengths >= least] for lengths, _ in halves])
    return one, other, lengths.astype(np.float32)


@cache
def general_faces() -> GeneralFaces:
    """Return the model that comes with the program, reading its file only once."""
    with np.load(asset("faces.npz")) as arrays:
        names = [field.name for field in fields(GeneralFaces)]
        return GeneralFaces(**{name: arrays[name].astype(np.float32) for name in names})


_NEGLIGIBLE = 1e-10  # variances below this share of the largest are rounding errors
_FLAT = 1e-3  # a shorter vector contains only rounding errors

_HALF = VIEW_SHAPE[1] // 2
_DOWN, _ACROSS = (np.mgrid[: VIEW_SHAPE[0], :_HALF] + 0.5) / np.reshape(VIEW_SHAPE, (2, 1, 1))
_OVAL = ((_ACROSS - 0.5) / 0.48) ** 2 + ((_DOWN - 0.52) / 0.5) ** 2 <= 1


def face_vectors(crops: Floats, eyes: Eyes | None = None) -> Floats:
    """Return crops (n, h, w) as unit vectors (n, 2, m) that contain the two halves of each crop.

    The vectors contain the pixels in an oval after `tan_triggs`, minus their mean, so brightness
    and contrast have little effect. The vector of a flat crop is 0. Without ``eyes``, all eyes are
    assumed to be at their standard positions.
    """
    where = eyes or standard_eyes(crops.shape[1:])
    seen = np.empty((len(crops), *VIEW_SHAPE), np.float32)
    for row, crop in enumerate(crops):
        seen[row] = crop_at(crop, where, VIEW_SHAPE)
    even = tan_triggs(np.clip(seen, 0, 1, out=seen))
    left = even[:, :, :_HALF][:, _OVAL]
    right = even[:, :, ::-1][:, :, :_HALF][:, _OVAL]
    sums = (left + right) * np.float32(np.sqrt(0.5))
    differences = (left - right) * np.float32(np.sqrt(0.5))
    vectors = np.stack([sums - sums.mean(axis=1, keepdims=True), differences], axis=1)
    lengths = np.linalg.norm(vectors, axis=(1, 2))[:, None, None]
    return np.where(lengths > _FLAT, vectors / np.maximum(lengths, _FLAT), np.float32(0))
