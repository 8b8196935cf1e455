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

    `FaceSpace.fit` makes it. Source: M. Turk and A. Pentland, *Eigenfaces for recognition* (1991).

    Attributes
    ----------
    mean
        (d,) the mean face, grey values 0…1.
    components
        (k, d) orthonormal rows, the eigenfaces, by falling variance.
    singular_values
        (k,) σ of the mean-subtracted (n, d) matrix; σ² / (n − 1) is the variance.
    total_variance
        Of all d pixels, of which the components hold a part.
    count
        n, the faces it was fitted to.
    shape
        (h, w) of a face; (h, w, 3) of a picture in colour.

    Raises
    ------
    ValueError
        The arrays do not fit each other.

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
            raise ValueError("the arrays of a face space do not fit each other")
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
        """Return the face space of n faces: the mean is subtracted, then an SVD is taken.

        Parameters
        ----------
        pixels
            (n, d) n ≥ 2 faces, grey values 0…1, or as bytes whole levels 0…255.
        shape
            (h, w) of a face, or (h, w, 3) in colour: d is their product.
        tick
            Called as it goes on.

        Raises
        ------
        EigenfacesError
            The faces are not rows of so many pixels, fewer than two, or all the same, or values are
            not numbers.

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
        """Return the space of faces (h, w) that were decomposed."""
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
        """λ (k,): variance along each component, σᵢ² / (n − 1)."""
        return self.singular_values**2 / (self.count - 1)

    @property
    def variance_ratio(self) -> Doubles:
        """(k,) share of the total variance that each component explains."""
        return self.variances / self.total_variance

    @property
    def variance_kept(self) -> Doubles:
        """(k,) share of the variance that the first 1 … k components keep."""
        return np.cumsum(self.variance_ratio)

    def components_for(self, n_components: int | float) -> int:
        """Return the fewest components that keep a share of the variance, or a count, or all.

        A whole number of 1 or more is a count, of which there may be fewer; a float above 0 and up
        to 1.0 is a share, and 1.0 asks for all. Anything else raises `EigenfacesError`.
        """
        most = 1 + _ROUNDING  # the cumulative shares may end so
        is_share = isinstance(n_components, float | np.floating) and 0 < n_components <= most
        if not is_share and not (is_count(n_components) and n_components >= 1):
            raise EigenfacesError(
                "Ask for a count of 1 component or more, or for a share above 0 and up to 1.0 as a "
                f"decimal, not for {n_components}."
            )
        return fewest_components(self.variance_kept, n_components)

    def fewest_for(self, share: float) -> int | None:
        """Return the fewest components that keep a share of the variance; None: all keep less."""
        k = self.components_for(share)
        return k if self.variance_kept[k - 1] >= share - _ROUNDING else None

    def first(self, k: int) -> FaceSpace:
        """Return the space of the first k components: a slice, nothing is fitted again.

        Raises `EigenfacesError` where k is no count of 0 to all of them.
        """
        if not is_count(k) or not 0 <= k <= len(self):
            there = "1 component" if len(self) == 1 else f"{len(self)} components"
            raise EigenfacesError(f"This face space has {there}, not {k}.")
        values = self.singular_values[:k]
        return replace(self, components=self.components[:k], singular_values=values)

    def centre(self, pixels: Bytes | Floats) -> Floats:
        """Return the deviations (…, d) of faces (…, d) from the mean face.

        Raises `EigenfacesError` for faces of another size, as all methods that take faces do.
        """
        pixels = as_grey(pixels)
        if pixels.shape[-1:] != self.mean.shape:
            raise EigenfacesError(
                f"This face space is made of faces of {self.shape[1]} × {self.shape[0]} pixels; "
                "prepare the photographs to that size."
            )
        deviations: Floats = pixels - self.mean
        return deviations

    def project(self, pixels: Bytes | Floats) -> Floats:
        """Return the coordinates (…, k) of faces (…, d)."""
        return self.centre(pixels) @ self.components.T

    def reconstruct(self, coordinates: Floats) -> Floats:
        """Return the faces (…, d) at coordinates (…, k): mean + Σ cᵢ componentᵢ.

        Raises `EigenfacesError` where there is not one coordinate for each component.
        """
        coordinates = np.asarray(coordinates)
        if coordinates.shape[-1:] != (len(self),):
            raise EigenfacesError(
                f"This face space has {len(self)} components: give so many coordinates for each "
                f"face, (…, k), not the shape {coordinates.shape}. space.first(k) has the first k."
            )
        faces: Floats = self.mean + coordinates @ self.components
        return faces

    def distance_from(self, pixels: Bytes | Floats) -> Doubles:
        """Return how far faces (m, d) are *from* face space, (m,): the length of what is left."""
        return self.project_with_residual(pixels, len(self))[1]

    def project_with_residual(self, pixels: Bytes | Floats, k: int) -> tuple[Floats, Doubles]:
        """Return coordinates (m, k) *in*, and distances (m,) *from*, the first k components."""
        # In single precision the last digits would tell how many threads BLAS had.
        deviations = self.centre(pixels).astype(np.float64)
        axes = self.components[:k].astype(np.float64)
        along = deviations @ axes.T
        return along.astype(np.float32), np.linalg.norm(deviations - along @ axes, axis=-1)

    def energy_kept(self, pixels: Bytes | Floats) -> Doubles:
        """Return the share of each face's squared deviation that 0, 1 … k components keep.

        They are (…, k + 1) of faces (…, d).

        √(1 − share) is the relative error of the reconstruction; the mean face loses nothing.
        """
        deviations = self.centre(pixels)
        coordinates = deviations @ self.components.T
        outside = np.linalg.norm(
            (deviations - coordinates @ self.components).astype(np.float64), axis=-1
        )
        # Added up from the end: taken from the whole, the small errors of many components would
        # be lost in rounding.
        squares = np.concatenate([coordinates, outside[..., None]], axis=-1)[..., ::-1] ** 2
        lost = np.cumsum(squares, axis=-1)[..., ::-1]
        shares = np.ones_like(lost)
        np.divide(lost[..., :1] - lost, lost[..., :1], out=shares, where=lost[..., :1] > 0)
        return shares


def as_face_rows(pixels: Bytes | Floats, shape: tuple[int, ...]) -> Bytes | Floats:
    """Return faces of a shape as rows (n, d); raise `EigenfacesError` where they are none."""
    try:
        rows: NDArray[Any] = np.asarray(pixels)
    except ValueError:  # lists of several lengths
        raise EigenfacesError("Give the faces in rows of one length, (n, d).") from None
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
    """Return whether a number is a count."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def check_components(shares: Doubles, n_components: int | float) -> None:
    """Raise `EigenfacesError` where more is asked for than the leading components that were found.

    Of very many faces not all are; ``shares`` and ``n_components`` as of `fewest_components`. A
    share of 1.0 asks for all that there are.
    """
    found = len(shares)
    held = float(shares[-1]) if len(shares) else 1.0
    if held > 1 - _NEARLY_ALL:
        return
    if isinstance(n_components, float | np.floating):
        lacking = held + _ROUNDING < n_components < 1
        wanted = f"As many as keep {100 * n_components:g} %"
    else:
        lacking = found < n_components
        wanted = f"As many as {n_components:,}"
    if lacking:
        raise EigenfacesError(
            f"Of so many faces the leading {found:,} components are found, which keep "
            f"{100 * held:.1f} % of the variance. {wanted} cannot be compared: ask for a count of "
            f"1 to {found:,}."
        )


_NEARLY_ALL = 1e-6  # of the variance may be missing where all components are found
_ROUNDING = 1e-9  # what sums of shares of the variance may miss a share by and still keep it


def fewest_components(shares: Doubles, n_components: int | float) -> int:
    """Return how many components a count, or a share, asks for.

    ``shares``: (k,) of the variance that the first 1 … k components keep.
    """
    if isinstance(n_components, float | np.floating):
        if n_components >= 1:  # all, whatever rounding makes of the last ones
            return max(1, len(shares))
        n_components = int(np.searchsorted(shares, float(n_components) - _ROUNDING)) + 1
    return max(1, min(n_components, len(shares)))
