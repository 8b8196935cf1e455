"""Faces of one size, and the photographs behind them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick
from eigenfaces.faces.face_reading import ReadFile, Sighting, look_at
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.decoding import content_hash, read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import WHOLE, Placement
from eigenfaces.wording import count

T = TypeVar("T")


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
    """Count the photographs that faces lie on: of a group, each face has a key that goes on.

    >>> photo = FacePhoto(Path("group.jpg"), None, "5f0c", (90, 120))
    >>> photographs([photo, replace(photo, key="5f0c-2")])
    1
    """
    return len({photo.key.partition("-")[0] for photo in photos})


def count_faces(photos: Sequence[FacePhoto]) -> str:
    """Say how many photos, or how many faces on how many, where some hold several."""
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
                Path(f"{i + 1}"),
                person,
                content_hash(image.tobytes() + b"%d" % i),
                (height, width),
                crop=crop_hash(image),
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

    def join(self, other: FaceSet, replacing: Mapping[str, str] | None = None) -> FaceSet:
        """Return these faces and then the other ones; of photographs in both, keep the first.

        ``replacing``: by the key of one of the others, that of the face here whose place it takes.
        """
        if other.shape != self.shape:
            raise EigenfacesError(
                f"Faces of {_size(self.shape)} and of {_size(other.shape)} pixels cannot be mixed."
            )
        places = {photo.key: row for row, photo in enumerate(self.photos)}
        photos, pixels, new = list(self.photos), self.pixels, []
        for row, photo in enumerate(other.photos):
            place = places.get((replacing or {}).get(photo.key, ""))
            if place is not None:
                pixels = pixels.copy() if pixels is self.pixels else pixels
                photos[place], pixels[place] = photo, other.pixels[row]
            elif photo.key not in places:
                new.append(row)
        photos += [other.photos[row] for row in new]
        pixels = np.concatenate([pixels, other.pixels[new]])
        return FaceSet(pixels, self.shape, tuple(photos), self.skipped + other.skipped)

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> FaceSet:
        """Return the set with some photographs, named by key, described anew."""
        return replace(self, photos=tuple(changed.get(p.key, p) for p in self.photos))


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[1]} × {shape[0]}"


def crop_bytes(crop: NDArray[np.float32]) -> bytes:
    """Return a crop, grey 0…1, as its whole 8-bit grey levels, a byte a pixel."""
    return np.rint(crop * 255).astype(np.uint8).tobytes()


def crop_hash(crop: NDArray[np.float32]) -> str:
    """Return what identifies a crop, in hexadecimal: the SHA-256 of its grey levels."""
    return content_hash(crop_bytes(crop))


def face_of(sighting: Sighting) -> tuple[FacePhoto, NDArray[np.float32]]:
    """Return the face that a photograph is of, (h, w); raise `PhotoError` where there is none."""
    crop, photo = sighting.face, sighting.photo
    assert photo.placement is not None  # there is a crop
    described = FacePhoto(
        photo.path,
        photo.person,
        sighting.key,
        sighting.size,
        placement=photo.placement,
        crop=crop_hash(crop),
    )
    return described, crop


def load_face(
    path: Path, preparation: Preparation, read: ReadFile = read_bytes
) -> tuple[FacePhoto, NDArray[np.float32]]:
    """Read one photograph and cut its face, (h, w); raise `PhotoError` with the reason."""
    return face_of(look_at(Photo(path), preparation, read))


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
        Called after each photograph.
    read
        Returns the content of a file.
    known
        Faces that these will be joined with: they count as the first, and are not looked at again.
        Only a file that is among them under the same name, or that nobody is named on, is returned
        all the same: it is nothing new, and `FaceSet.join` passes it over.
    """
    held = {photo.key: row for row, photo in enumerate(known.photos)} if known else {}

    def load(photo: Photo) -> tuple[FacePhoto, NDArray[np.float32]]:
        content = read(photo.path)
        row = held.get(content_hash(content))
        if known is not None and row is not None:
            return replace(known.photos[row], person=photo.person), known.image(row)
        return face_of(look_at(photo, preparation, lambda _: content))

    skipped = list(found.skipped)
    photos: list[FacePhoto] = []
    pixels = np.empty((len(found.photos), preparation.height * preparation.width), np.float32)
    seen = _Seen(known)
    for photo, loaded in zip(found.photos, each_of(load, found.photos, tick), strict=True):
        try:
            described, crop = loaded()
            seen.refuse_repeated(described)
        except PhotoError as error:
            skipped.append(Skipped(photo.path, str(error), photo.person))
            continue
        pixels[len(photos)] = crop.ravel()
        photos.append(described)
    return FaceSet(pixels[: len(photos)], preparation.shape, tuple(photos), tuple(skipped))


def cut_again(
    wanted: Sequence[tuple[FacePhoto, Placement | None]],
    preparation: Preparation,
    tick: Tick = no_tick,
    read: ReadFile = read_bytes,
) -> FaceSet:
    """Cut faces anew from their photographs, each where it is said to lie, under the keys they had.

    What is there no longer, or has changed, or shows no face now, is in ``skipped``.
    """

    def cut(photo: Photo) -> tuple[FacePhoto, NDArray[np.float32]]:
        return face_of(look_at(photo, preparation, read))

    photos = [Photo(face.path, face.person, where) for face, where in wanted]
    kept, crops, skipped = [], [], []
    for (face, _), loaded in zip(wanted, each_of(cut, photos, tick), strict=True):
        try:
            described, crop = loaded()
            if not face.key.startswith(described.key):  # the second face of a photograph: “…-2”
                raise PhotoError("Its file has changed since it was added.")
        except PhotoError as error:
            skipped.append(Skipped(face.path, str(error), face.person))
            continue
        kept.append(described_anew(face, described))
        crops.append(crop.ravel())
    pixels = np.array(crops, np.float32).reshape(len(kept), preparation.height * preparation.width)
    return FaceSet(pixels, preparation.shape, tuple(kept), tuple(skipped))


def described_anew(face: FacePhoto, cut: FacePhoto) -> FacePhoto:
    """Return a photograph whose face was cut again: what it is called stays, the rest is new."""
    return replace(face, placement=cut.placement, size=cut.size, crop=cut.crop)


def each_of(
    work: Callable[[Photo], T], photos: Sequence[Photo], tick: Tick = no_tick
) -> Iterator[Callable[[], T]]:
    """Do some work on each photograph, over all cores; yield in order what gives its result.

    What takes long in it (decoding, searching) lets go of Python's lock, so threads do.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tick(0, len(photos))
        futures = deque(pool.submit(work, photo) for photo in photos)
        try:
            while futures:
                future = futures.popleft()  # what has been taken is not kept
                future.exception()  # waits
                yield future.result
                tick(len(photos) - len(futures), len(photos))
        finally:
            pool.shutdown(cancel_futures=True)


class _Seen:
    """The photographs met so far, by their files' content and by their faces' pixels."""

    def __init__(self, known: FaceSet | None) -> None:
        self._first: dict[str, FacePhoto] = {}
        self._known: set[str] = set()
        for photo in known.photos if known else ():
            self._remember(photo)
            self._known.add(photo.key)

    def _remember(self, photo: FacePhoto) -> None:
        self._first[photo.key] = self._first[photo.crop] = photo

    def refuse_repeated(self, photo: FacePhoto) -> None:
        """Remember a photograph; refuse the second of its content, and of its pixels."""
        first = self._first.get(photo.key) or self._first.get(photo.crop)
        if first is None:
            self._remember(photo)
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
