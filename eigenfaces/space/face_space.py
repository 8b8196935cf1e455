"""Face space: the mean face and the directions in which faces differ most (eigenfaces).

L. Sirovich and M. Kirby, *Low-dimensional procedure for the characterization of human faces*
(1987); M. Turk and A. Pentland, *Eigenfaces for recognition* (1991).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays import Bytes, Doubles, Floats
from eigenfaces.space.pca import Decomposition, as_grey, decompose


@dataclass(frozen=True, eq=False)
class FaceSpace:
    """The mean of n faces and their k principal components; immutable.

    Create it with `FaceSpace.fit`. Source: M. Turk and A. Pentland, *Eigenfaces for recognition*
    (1991).

    Attributes
    ----------
    mean
        (d,) the mean face, grey values 0…1.
    components
        (k, d) orthonormal rows, the eigenfaces, in order of decreasing variance.
    singular_values
        (k,) σ of the mean-subtracted (n, d) matrix; σ² / (n − 1) is the variance.
    total_variance
        The total variance of all d pixels; the components may keep only part of it.
    count
        n, the number of faces that the space was fitted to.
    shape
        (h, w) of a face, or (h, w, 3) of a colour picture.

    Raises
    ------
    ValueError
        The shapes of the arrays do not match.

    Examples
    --------
    >>> faces = np.random.default_rng(0).random((5, 6), dtype=np.float32)
    >>> space = FaceSpace.fit(faces, (2, 3))
    >>> space.components.shape, space.first(2).project(faces).shape
    ((4, 6), (5, 2))
    """

    mean: Floats
    components: Floats
    singular_values: Doubles
    total_variance: float
    count: int
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        k, d = self.components.shape
        fits = self.mean.shape == (d,) and self.singular_values.shape == (k,)
        if not fits or d != prod(self.shape):
            raise ValueError("the shapes of the arrays do not match")
        for array in (self.mean, self.components, self.singular_values):
            array.setflags(write=False)

    def __repr__(self) -> str:
        k, _ = self.components.shape
        return f"<FaceSpace of {self.count:,} faces, k={k:,}, shape={self.shape}>"

    @classmethod
    def fit(
        cls,
        pixels: Bytes | Floats,
        shape: tuple[int, ...],
        *,
        tick: Tick = no_tick,
    ) -> FaceSpace:
        """Fit a face space to n faces, by an SVD after subtracting the mean.

        Parameters
        ----------
        pixels
            (n, d) n ≥ 2 faces, as grey values 0…1 or as bytes with grey levels 0…255.
        shape
            (h, w) of a face, or (h, w, 3) in colour. The product is d.
        tick
            Called to report progress.

        Raises
        ------
        EigenfacesError
            The faces are not rows of d pixels, there are fewer than two, they are all the same, or
            some values are not numbers.

        Examples
        --------
        >>> faces = np.random.default_rng(0).random((5, 6), dtype=np.float32)
        >>> space = FaceSpace.fit(faces, (2, 3))
        >>> space.components.shape  # at most n − 1 directions
        (4, 6)
        >>> bool(np.allclose(space.reconstruct(space.project(faces)), faces, atol=1e-5))
        True
        """
        return cls.of_decomposition(decompose(as_face_rows(pixels, shape), tick=tick), shape)

    @classmethod
    def of_decomposition(cls, pca: Decomposition, shape: tuple[int, ...]) -> FaceSpace:
        """Return the face space given by a decomposition of faces of this shape."""
        return cls(
            mean=pca.mean.astype(np.float32),
            components=pca.components.astype(np.float32, copy=False),
            singular_values=pca.singular_values,
            total_variance=pca.total_variance,
            count=len(pca.coordinates),
            shape=shape,
        )

    def __len__(self) -> int:
        return len(self.components)

    @property
    def variances(self) -> Doubles:
        """The variance λ (k,) along each component, σᵢ² / (n − 1)."""
        return self.singular_values**2 / (self.count - 1)

    @property
    def variance_ratio(self) -> Doubles:
        """The share (k,) of the total variance that each component explains."""
        return self.variances / self.total_variance

    @property
    def variance_kept(self) -> Doubles:
        """The share (k,) of the variance that the first 1 … k components keep."""
        return np.cumsum(self.variance_ratio)

    def components_for(self, n_components: int | float) -> int:
        """Return the number of components for a requested count or share of the variance.

        A whole number of 1 or more is a count; if there are fewer components, all are used. A float
        above 0 and at most 1.0 is the share to keep; 1.0 keeps all components. Anything else
        raises `EigenfacesError`.
        """
        most = 1 + _ROUNDING  # the cumulative shares may end slightly above 1
        is_share = isinstance(n_components, float | np.floating) and 0 < n_components <= most
        if not is_share and not (is_count(n_components) and n_components >= 1):
            raise EigenfacesError(
                "Ask for a count of 1 component or more, or for a share above 0 and up to 1.0 as a "
                f"decimal, not for {n_components}."
            )
        return fewest_components(self.variance_kept, n_components)

    def fewest_for(self, share: float) -> int | None:
        """Return the fewest components that keep a share of the variance; None if all keep less."""
        k = self.components_for(share)
        return k if self.variance_kept[k - 1] >= share - _ROUNDING else None

    def first(self, k: int) -> FaceSpace:
        """Return the space of the first k components, without fitting again.

        Raises `EigenfacesError` if k is not a whole number from 0 to the number of components.
        """
        if not is_count(k) or not 0 <= k <= len(self):
            there = "1 component" if len(self) == 1 else f"{len(self)} components"
            raise EigenfacesError(f"This face space has {there}, not {k}.")
        values = self.singular_values[:k]
        return replace(self, components=self.components[:k], singular_values=values)

    def centre(self, pixels: Bytes | Floats) -> Floats:
        """Return the deviations (…, d) of faces (…, d) from the mean face.

        Raises `EigenfacesError` for faces of a different size, as do all methods that take faces.
        """
        pixels = as_grey(pixels)
        if pixels.shape[-1:] != self.mean.shape:
            raise EigenfacesError(
                f"This face space is for faces of {self.shape[1]} × {self.shape[0]} pixels. "
                "Prepare the photos in that size."
            )
        deviations: Floats = pixels - self.mean
        return deviations

    def project(self, pixels: Bytes | Floats) -> Floats:
        """Return the coordinates (…, k) of faces (…, d)."""
        return self.centre(pixels) @ self.components.T

    def reconstruct(self, coordinates: Floats) -> Floats:
        """Return the faces (…, d) at coordinates (…, k): mean + Σ cᵢ componentᵢ.

        Raises `EigenfacesError` unless there is one coordinate for each component.
        """
        coordinates = np.asarray(coordinates)
        if coordinates.shape[-1:] != (len(self),):
            raise EigenfacesError(
                f"This face space has {len(self)} components: give that many coordinates for each "
                f"face, (…, k), not the shape {coordinates.shape}. space.first(k) has the first k."
            )
        faces: Floats = self.mean + coordinates @ self.components
        return faces

    def distance_from(self, pixels: Bytes | Floats) -> Doubles:
        """Return the distances (m,) of faces (m, d) from face space: the norms of the residuals."""
        return self.project_with_residual(pixels, len(self))[1]

    def project_with_residual(self, pixels: Bytes | Floats, k: int) -> tuple[Floats, Doubles]:
        """Return coordinates (m, k) along the first k axes, and distances (m,) from their span."""
        # In single precision the last digits would depend on the number of BLAS threads.
        deviations = self.centre(pixels).astype(np.float64)
        axes = self.components[:k].astype(np.float64)
        along = deviations @ axes.T
        return along.astype(np.float32), np.linalg.norm(deviations - along @ axes, axis=-1)

    def energy_kept(self, pixels: Bytes | Floats) -> Doubles:
        """Return the shares (…, k + 1) of faces' squared deviations that 0, 1 … k components keep.

        The faces are (…, d). √(1 − share) is the relative error of the reconstruction. For the mean
        face, all shares are 1.
        """
        deviations = self.centre(pixels)
        coordinates = deviations @ self.components.T
        outside = np.linalg.norm(
            (deviations - coordinates @ self.components).astype(np.float64), axis=-1
        )
        # Sum from the end: subtracting from the total would lose the small errors of many
        # components in rounding.
        squares = np.concatenate([coordinates, outside[..., None]], axis=-1)[..., ::-1] ** 2
        lost = np.cumsum(squares, axis=-1)[..., ::-1]
        shares = np.ones_like(lost)
        np.divide(lost[..., :1] - lost, lost[..., :1], out=shares, where=lost[..., :1] > 0)
        return shares


def as_face_rows(pixels: Bytes | Floats, shape: tuple[int, ...]) -> Bytes | Floats:
    """Return faces of this shape as rows (n, d), or raise `EigenfacesError` for anything else."""
    try:
        rows: NDArray[Any] = np.asarray(pixels)
    except ValueError:  # lists of several lengths
        raise EigenfacesError("Give the faces in rows of the same length, (n, d).") from None
    if rows.ndim != 2 or rows.dtype.kind not in "uif":
        raise EigenfacesError(
            "Give the faces as numbers in rows, (n, d), each with all pixels of a face: not as "
            f"{rows.dtype} in the shape {rows.shape}."
        )
    if rows.shape[1] != prod(shape):
        raise EigenfacesError(
            f"Each row has {rows.shape[1]:,} numbers, and a face of the shape {shape} has "
            f"{prod(shape):,}."
        )
    return rows.astype(np.float32) if rows.dtype.kind in "ui" and rows.dtype != np.uint8 else rows


def is_count(number: object) -> bool:
    """Return whether a value is a Python or NumPy integer, but not a bool."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def check_components(shares: Doubles, n_components: int | float) -> None:
    """Raise `EigenfacesError` if more components are requested than were computed.

    For very many faces, only the leading components are computed. ``shares`` and ``n_components``
    are as in `fewest_components`. A share of 1.0 requests all components that were computed.
    """
    found = len(shares)
    held = float(shares[-1]) if len(shares) else 1.0
    if held > 1 - _NEARLY_ALL:
        return
    if isinstance(n_components, float | np.floating):
        lacking = held + _ROUNDING < n_components < 1
        wanted = f"{100 * n_components:g} % needs more than that"
    else:
        lacking = found < n_components
        wanted = f"{n_components:,} is more than that"
    if lacking:
        raise EigenfacesError(
            f"With this many faces, only the leading {found:,} components are computed, which keep "
            f"{100 * held:.1f} % of the variance. {wanted}: ask for a count of 1 to {found:,}."
        )


_NEARLY_ALL = 1e-6  # even if all components are found, this share of the variance may be missing
_ROUNDING = 1e-9  # a sum may be this much below the share that was asked for


def fewest_components(shares: Doubles, n_components: int | float) -> int:
    """Return the number of components for a requested count or share, at most k.

    ``shares``: (k,) the shares of the variance that the first 1 … k components keep.
    """
    if isinstance(n_components, float | np.floating):
        if n_components >= 1:  # all, even if rounding puts the last sums above 1
            return max(1, len(shares))
        n_components = int(np.searchsorted(shares, float(n_components) - _ROUNDING)) + 1
    return max(1, min(n_components, len(shares)))
