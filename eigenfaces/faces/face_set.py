"""Faces of one size, and the photographs behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from eigenfaces.arrays import Doubles, Floats, Numbers
from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.crops import Crops, as_grey, as_levels, crop_hash
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.photographs.photos import Skipped
from eigenfaces.photographs.placement import WHOLE, Placement
from eigenfaces.wording import count


@dataclass(frozen=True)
class FacePhoto:
    """The photograph behind one face: where it is, who is on it, what identifies it.

    ``key`` is the SHA-256 of the file, ``size`` its (height, width) in pixels as shown upright,
    ``placement`` where the face lies in it, ``crop`` the `crop_hash` of the face as it was cut; an
    excluded photograph neither trains nor is matched, but stays in the gallery.
    """

    path: Path
    person: str | None
    key: str
    size: tuple[int, int]
    excluded: bool = False
    placement: Placement = WHOLE
    crop: str = ""


def photographs(photos: Iterable[FacePhoto]) -> int:
    """Return how many photographs the faces lie on: the faces of a group share one file key.

    >>> photo = FacePhoto(Path("group.jpg"), None, "5f0c", (90, 120))
    >>> photographs([photo, replace(photo, key="5f0c-2")])
    1
    """
    return len({file_key(photo.key) for photo in photos})


def file_key(key: str) -> str:
    """Return the SHA-256 of the file of a face; all faces of a group have the same.

    >>> file_key("5f0c-2")
    '5f0c'
    """
    return key.partition("-")[0]


def count_faces(photos: Sequence[FacePhoto]) -> str:
    """Return how many photos, or how many faces on how many, where some hold several."""
    files = photographs(photos)
    if files == len(photos):
        return count(files)
    return f"{count(len(photos), 'face')} on {count(files)}"


@dataclass(frozen=True, eq=False)
class FaceSet:
    """Faces of one size, each with its photograph; what could not be used, with the reason.

    Parameters
    ----------
    pixels
        (n, d) the crops, a row a face, d = h·w: ``pixels[rows]`` is float32 in 0…1.
    shape
        (h, w).
    photos
        The n photographs, row by row. Their keys are unique.
    skipped
        Photographs that were not used.
    """

    pixels: Crops
    shape: tuple[int, int]
    photos: tuple[FacePhoto, ...]
    skipped: tuple[Skipped, ...] = ()

    def __post_init__(self) -> None:
        if self.pixels.shape != (len(self.photos), self.shape[0] * self.shape[1]):
            raise ValueError(f"{self.pixels.shape} does not fit {len(self.photos)} × {self.shape}")

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> FaceSet:
        """Return the set without any face."""
        return cls(Crops(np.empty((0, shape[0] * shape[1]), np.uint8)), shape, ())

    @classmethod
    def from_arrays(cls, images: ArrayLike, people: Sequence[str | None]) -> FaceSet:
        """Return a set of n grey images (n, h, w) in 0…1 of one size that are in no file.

        Like crops, they are rounded to whole 8-bit grey levels.
        """
        stack = np.asarray(images, np.float32)
        if stack.ndim != 3 or len(stack) != len(people):
            raise EigenfacesError("Give n images of one size, (n, h, w), and n people.")
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
        return cls(crops, (height, width), photos)

    def __len__(self) -> int:
        return len(self.photos)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Everybody with at least one photograph, in order of first appearance."""
        return tuple(person for person in self._rows if person is not None)

    @cached_property
    def _rows(self) -> dict[str | None, list[int]]:
        rows: dict[str | None, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.person, []).append(row)
        return rows

    @property
    def levels(self) -> Doubles:
        """(n, d) the same faces in whole grey levels 0…255, where equal distances are equal."""
        return self.pixels.levels

    def image(self, row: int) -> Floats:
        """Return one face as (h, w)."""
        return self.pixels[row].reshape(self.shape)

    def rows_of(self, person: str | None) -> list[int]:
        """Return the rows of one person (None: of nobody named)."""
        return list(self._rows.get(person, ()))

    def select(self, rows: Sequence[int] | Numbers) -> FaceSet:
        """Return the faces of these rows, in this order."""
        chosen = tuple(self.photos[row] for row in rows)
        return replace(self, pixels=self.pixels.select(rows), photos=chosen)

    def join(self, other: FaceSet, replacing: Mapping[str, str] | None = None) -> FaceSet:
        """Return these faces and then the other ones; of photographs in both, keep the first.

        ``replacing``: for the key of another face, the key of the face here that it replaces.
        """
        if other.shape != self.shape:
            raise EigenfacesError(
                f"Faces of {_size(self.shape)} and of {_size(other.shape)} pixels cannot be mixed."
            )
        places = {photo.key: row for row, photo in enumerate(self.photos)}
        photos, placed, new = list(self.photos), {}, []
        for row, photo in enumerate(other.photos):
            place = places.get((replacing or {}).get(photo.key, ""))
            if place is not None:
                photos[place], placed[place] = photo, row
            elif photo.key not in places:
                new.append(row)
        photos += [other.photos[row] for row in new]
        pixels = self.pixels.join(other.pixels, new, placed)
        return FaceSet(pixels, self.shape, tuple(photos), self.skipped + other.skipped)

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> FaceSet:
        """Return the set with other descriptions of some photographs, given by key."""
        return replace(self, photos=tuple(changed.get(p.key, p) for p in self.photos))


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[1]} × {shape[0]}"


def described_anew(face: FacePhoto, cut: FacePhoto) -> FacePhoto:
    """Return a photograph whose face was cut again: with its old name and the new placement."""
    return replace(face, placement=cut.placement, size=cut.size, crop=cut.crop)
