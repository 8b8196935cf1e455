"""Faces of one size, and the photographs behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.photographs.photos import Skipped
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.arrays.crops import Crops, as_grey, as_levels, crop_hash

_WANTED = "Give n images of one size, (n, h, w), and n people."


@dataclass(frozen=True, eq=False)
class FaceSet:
    """Faces of one size, each with its photograph; what could not be used, with the reason.

    Parameters
    ----------
    pixels
        (n, d) the crops, a row a face, d = h·w: ``pixels[rows]`` is float32 in 0…1.
    shape
        (h, w).
    index
        The n photographs, row by row.
    skipped
        Photographs that were not used.
    """

    pixels: Crops
    shape: tuple[int, int]
    index: PhotoIndex
    skipped: tuple[Skipped, ...] = ()

    def __post_init__(self) -> None:
        if self.pixels.shape != (len(self.index), self.shape[0] * self.shape[1]):
            raise ValueError(f"{self.pixels.shape} does not fit {len(self.index)} × {self.shape}")

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> FaceSet:
        """Return the set without any face."""
        return cls(Crops(np.empty((0, shape[0] * shape[1]), np.uint8)), shape, PhotoIndex())

    @classmethod
    def from_arrays(cls, images: ArrayLike, people: Sequence[str | None]) -> FaceSet:
        """Return a set of n grey images (n, h, w) in 0…1 of one size that are in no file.

        Like crops, they are rounded to whole 8-bit grey levels.
        """
        try:
            stack = np.asarray(images, np.float32)
        except (ValueError, TypeError):  # of several sizes, or no numbers
            raise EigenfacesError(_of_several_sizes(images)) from None
        if stack.ndim != 3 or len(stack) != len(people):
            raise EigenfacesError(_WANTED)
        if not np.isfinite(stack).all():
            raise EigenfacesError("The images hold values that are not numbers.")
        if stack.size and not (stack.min() >= 0 and stack.max() <= 1):
            raise EigenfacesError("The grey values must lie between 0 (black) and 1 (white).")
        levels = as_levels(stack)
        height, width = stack.shape[1:]
        photos = tuple(
            FacePhoto(
                Path(f"{i + 1}"),
                person,
                content_hash(image.tobytes() + b"%d" % i),
                (height, width),
                crop=crop_hash(image),
            )
            for i, (image, person) in enumerate(zip(as_grey(levels), people, strict=True))
        )
        crops = Crops(levels.reshape(len(stack), height * width))
        return cls(crops, (height, width), PhotoIndex(photos))

    def __len__(self) -> int:
        return len(self.index)

    @property
    def levels(self) -> Doubles:
        """(n, d) the same faces in whole grey levels 0…255, where equal distances are equal."""
        return self.pixels.levels

    def image(self, row: int) -> Floats:
        """Return one face as (h, w)."""
        return self.pixels[row].reshape(self.shape)

    def select(self, rows: Sequence[int] | Numbers) -> FaceSet:
        """Return the faces of these rows, in this order; or of all that a mask (n,) is true of."""
        wanted = np.asarray(rows)
        if wanted.dtype == bool:
            if wanted.shape != (len(self),):
                raise EigenfacesError(
                    f"A mask of {len(self):,} faces has {len(self):,} values, not the shape "
                    f"{wanted.shape}."
                )
            rows = np.flatnonzero(wanted)
        return replace(self, pixels=self.pixels.select(rows), index=self.index.select(rows))

    def join(self, other: FaceSet, replacing: Mapping[str, str] | None = None) -> FaceSet:
        """Return these faces and then the other ones; of photographs in both, keep the first.

        ``replacing``: for the key of another face, the key of the face here that it replaces.
        """
        if other.shape != self.shape:
            raise EigenfacesError(
                f"Faces of {_size(self.shape)} and of {_size(other.shape)} pixels cannot be mixed."
            )
        theirs, placed, new = other.index.photos, {}, []
        for row, photo in enumerate(theirs):
            place = self.index.row_of((replacing or {}).get(photo.key, ""))
            if place is not None:
                placed[place] = row
            elif self.index.row_of(photo.key) is None:
                new.append(row)
        pixels = self.pixels.join(other.pixels, new, placed)
        index = self.index.joined(
            [theirs[row] for row in new], {place: theirs[row] for place, row in placed.items()}
        )
        return FaceSet(pixels, self.shape, index, self.skipped + other.skipped)

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> FaceSet:
        """Return the set with other descriptions of some photographs, given by key."""
        return replace(self, index=self.index.with_photos(changed))


def _of_several_sizes(images: object) -> str:
    """Return which image has another size than the first."""
    given = images if isinstance(images, list | tuple) else ()
    shapes = [each.shape for each in given if isinstance(each, np.ndarray)]
    for number, shape in enumerate(shapes, start=1):
        if shape != shapes[0]:
            return (
                f"Image {number} has the shape {shape}, and the first {shapes[0]}: give grey "
                "images (h, w) of one size."
            )
    return _WANTED


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[1]} × {shape[0]}"
