"""From photographs to faces: one size, one policy, the same for the gallery and for every probe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from eigenfaces.decoding import content_hash, decode, read_bytes
from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick
from eigenfaces.photos import FoundPhotos, Skipped

Fit = Literal["fill", "fit", "stretch"]
ReadFile = Callable[[Path], bytes]


@dataclass(frozen=True)
class Preparation:
    """How a photograph becomes a face crop: geometry only, saved with the gallery.

    Parameters
    ----------
    height, width
        Size of every face, pixels.
    fit
        What happens where the photograph has another aspect ratio: ``fill`` covers the crop and
        cuts what sticks out, ``fit`` shows the whole photograph on mid-grey, ``stretch`` distorts.
    """

    height: int = 112
    width: int = 92
    fit: Fit = "fill"

    def __post_init__(self) -> None:
        if not (16 <= self.height <= 512 and 16 <= self.width <= 512):
            raise EigenfacesError("A face must be 16 to 512 pixels high and wide.")
        if self.fit not in ("fill", "fit", "stretch"):
            raise EigenfacesError(f"“{self.fit}” is no aspect policy: use fill, fit or stretch.")

    @property
    def shape(self) -> tuple[int, int]:
        """(h, w) of every face."""
        return self.height, self.width

    def crop(self, grey: NDArray[np.float32]) -> NDArray[np.float32]:
        """Turn a grey photograph (H, W) into a face (h, w), in whole 8-bit grey levels / 255.

        A photograph that already has this size comes through unchanged.
        """
        size = (self.width, self.height)
        image = Image.fromarray(np.ascontiguousarray(grey, np.float32))
        if image.size == size:
            resized = image
        elif self.fit == "stretch":
            resized = image.resize(size, Image.Resampling.LANCZOS)
        elif self.fit == "fill":
            resized = image.resize(
                size, Image.Resampling.LANCZOS, box=self._covered_box(image.size)
            )
        else:
            resized = self._on_grey(image)
        levels = np.rint(np.clip(np.asarray(resized), 0, 1) * 255)
        return (levels / 255).astype(np.float32)

    def _covered_box(self, size: tuple[int, int]) -> tuple[float, float, float, float]:
        """Return the largest centred box of the crop's aspect ratio: left, top, right, bottom."""
        scale = min(size[0] / self.width, size[1] / self.height)
        half_width, half_height = scale * self.width / 2, scale * self.height / 2
        x, y = size[0] / 2, size[1] / 2
        left, top = max(0.0, x - half_width), max(0.0, y - half_height)  # rounding sticks out
        return left, top, size[0] - left, size[1] - top

    def _on_grey(self, image: Image.Image) -> Image.Image:
        scale = min(self.width / image.width, self.height / image.height)
        inner = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        canvas = Image.new("F", (self.width, self.height), 0.5)
        corner = (self.width - inner[0]) // 2, (self.height - inner[1]) // 2
        canvas.paste(image.resize(inner, Image.Resampling.LANCZOS), corner)
        return canvas


@dataclass(frozen=True)
class FacePhoto:
    """The photograph behind one face: where it is, who is on it, what identifies it.

    ``key`` is the SHA-256 of the file, ``size`` its (height, width) in pixels as shown upright;
    an excluded photograph neither trains nor is matched, but stays in the gallery.
    """

    path: Path
    person: str | None
    key: str
    size: tuple[int, int]
    excluded: bool = False


@dataclass(frozen=True, eq=False)
class FaceSet:
    """Faces of one size, each with its photograph; what could not be used, with the reason.

    Parameters
    ----------
    pixels
        (n, d) float32 in 0…1, a row a face, d = h·w; read-only.
    shape
        (h, w).
    photos
        The n photographs, row by row. Their keys are unique.
    skipped
        Photographs that were not used.
    """

    pixels: NDArray[np.float32]
    shape: tuple[int, int]
    photos: tuple[FacePhoto, ...]
    skipped: tuple[Skipped, ...] = ()

    def __post_init__(self) -> None:
        if self.pixels.shape != (len(self.photos), self.shape[0] * self.shape[1]):
            raise ValueError(f"{self.pixels.shape} does not fit {len(self.photos)} × {self.shape}")
        self.pixels.setflags(write=False)

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> FaceSet:
        """Return the set without any face."""
        return cls(np.empty((0, shape[0] * shape[1]), np.float32), shape, ())

    @classmethod
    def from_arrays(cls, images: ArrayLike, people: Sequence[str | None]) -> FaceSet:
        """Make a set of n equally large grey images (n, h, w) in 0…1 that are in no file.

        Like crops, they are rounded to whole 8-bit grey levels.
        """
        stack = np.asarray(images, np.float32)
        if stack.ndim != 3 or len(stack) != len(people):
            raise EigenfacesError("Give n images of one size, (n, h, w), and n people.")
        if not np.isfinite(stack).all():
            raise EigenfacesError("The images hold values that are not numbers.")
        if stack.size and not (stack.min() >= 0 and stack.max() <= 1):
            raise EigenfacesError("The grey values must lie between 0 (black) and 1 (white).")
        stack = (np.rint(stack * 255) / 255).astype(np.float32)
        height, width = stack.shape[1:]
        photos = tuple(
            FacePhoto(
                Path(f"{i + 1}"), person, content_hash(image.tobytes() + b"%d" % i), (height, width)
            )
            for i, (image, person) in enumerate(zip(stack, people, strict=True))
        )
        return cls(stack.reshape(len(stack), height * width), (height, width), photos)

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
    def levels(self) -> NDArray[np.float64]:
        """(n, d) the same faces in whole grey levels 0…255, where equal distances are equal."""
        return np.rint(self.pixels * np.float64(255))

    def image(self, row: int) -> NDArray[np.float32]:
        """Return one face as (h, w)."""
        return self.pixels[row].reshape(self.shape)

    def rows_of(self, person: str | None) -> list[int]:
        """Return the rows of one person (None: of nobody named)."""
        return list(self._rows.get(person, ()))

    def select(self, rows: Sequence[int] | NDArray[np.intp]) -> FaceSet:
        """Return the faces of these rows, in this order."""
        chosen = tuple(self.photos[row] for row in rows)
        return replace(self, pixels=self.pixels[np.asarray(rows, np.intp)], photos=chosen)

    def join(self, other: FaceSet) -> FaceSet:
        """Return these faces and then the other ones; of photographs in both, keep the first."""
        if other.shape != self.shape:
            raise EigenfacesError(
                f"Faces of {_size(self.shape)} and of {_size(other.shape)} pixels cannot be mixed."
            )
        held = {photo.key for photo in self.photos}
        new = other.select([r for r, photo in enumerate(other.photos) if photo.key not in held])
        pixels = np.concatenate([self.pixels, new.pixels])
        return FaceSet(pixels, self.shape, self.photos + new.photos, self.skipped + new.skipped)

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> FaceSet:
        """Return the set with some photographs, named by key, described anew."""
        return replace(self, photos=tuple(changed.get(p.key, p) for p in self.photos))


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[1]} × {shape[0]}"


def load_face(
    path: Path, preparation: Preparation, read: ReadFile = read_bytes
) -> tuple[FacePhoto, NDArray[np.float32]]:
    """Read one photograph and cut its face, (h, w); raise `PhotoError` with the reason."""
    content = read(path)
    grey = decode(content)
    height, width = grey.shape
    return FacePhoto(path, None, content_hash(content), (height, width)), preparation.crop(grey)


def load_faces(
    found: FoundPhotos,
    preparation: Preparation,
    tick: Tick = no_tick,
    read: ReadFile = read_bytes,
    *,
    known: FaceSet | None = None,
) -> FaceSet:
    """Read photographs into faces; every one that cannot be used is listed, never fatal.

    Of photographs with the same content (byte for byte, or pixel for pixel) the first is kept.

    Parameters
    ----------
    found
        The photographs, and what was passed over on the way to them.
    preparation
        How each of them is cut.
    tick
        Called before each photograph.
    read
        Returns the content of a file.
    known
        Faces that these will be joined with: they count as the first. Only a file that is among
        them under the same name, or that nobody is named on, is returned all the same: it is
        nothing new, and `FaceSet.join` passes it over.
    """
    skipped = list(found.skipped)
    photos: list[FacePhoto] = []
    pixels = np.empty((len(found.photos), preparation.height * preparation.width), np.float32)
    seen = _Seen(known)
    for done, photo in enumerate(found.photos):
        tick(done, len(found.photos))
        try:
            described, crop = load_face(photo.path, preparation, read)
            described = replace(described, person=photo.person)
            seen.refuse_repeated(described, crop)
        except PhotoError as error:
            skipped.append(Skipped(photo.path, str(error), photo.person))
            continue
        pixels[len(photos)] = crop.ravel()
        photos.append(described)
    tick(len(found.photos), len(found.photos))
    return FaceSet(pixels[: len(photos)], preparation.shape, tuple(photos), tuple(skipped))


class _Seen:
    """The photographs met so far, by their files' content and by their faces' pixels."""

    def __init__(self, known: FaceSet | None) -> None:
        self._first: dict[str, FacePhoto] = {}
        self._known: set[str] = set()
        for photo, face in zip(known.photos, known.pixels, strict=True) if known else ():
            self._remember(photo, face)
            self._known.add(photo.key)

    def _remember(self, photo: FacePhoto, face: NDArray[np.float32]) -> None:
        self._first[photo.key] = self._first[content_hash(face.tobytes())] = photo

    def refuse_repeated(self, photo: FacePhoto, face: NDArray[np.float32]) -> None:
        """Remember a photograph; refuse the second of its content, and of its pixels."""
        first = self._first.get(photo.key) or self._first.get(content_hash(face.tobytes()))
        if first is None:
            self._remember(photo, face)
            return
        if photo.key in self._known and photo.person in (None, first.person):
            self._known.remove(photo.key)  # nothing new, once
            return
        same = "the same file" if first.key == photo.key else "the same picture"
        if first.person == photo.person:
            raise PhotoError(f"It is {same} as “{first.path.name}”, which is kept.")
        raise PhotoError(
            f"It is {same} as “{first.path.name}”, which is filed under "
            f"“{first.person or 'nobody'}”. That one is kept: move it if the other name is right."
        )
