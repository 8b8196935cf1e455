"""Faces of one size: their crops, and the photographs behind them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.photos import WHOLE, Placement, Skipped, as_name
from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count, name_key, short_repr


@dataclass(frozen=True)
class FacePhoto:
    """The photograph behind one face: where it is, who is on it, what identifies it.

    ``key`` is the SHA-256 of the file (see `file_key`), ``size`` its (height, width) in pixels as
    shown upright, ``placement`` where the face lies in it, ``crop`` the `crop_hash` of the face as
    it was cut. An ``excluded`` photograph neither trains nor is matched, but stays in the gallery.
    ``right``: a person has looked at it and confirmed it.
    """

    path: Path
    person: str | None
    key: str
    size: tuple[int, int]
    excluded: bool = False
    placement: Placement = WHOLE
    crop: str = ""
    right: bool = False


def file_key(key: str) -> str:
    """Return the SHA-256 of the file of a face; all faces of a group have the same.

    >>> file_key("5f0c-2")
    '5f0c'
    """
    return key.partition("-")[0]


def count_faces(photos: Collection[FacePhoto]) -> str:
    """Return how many photos, or how many faces on how many, where some hold several.

    >>> photo = FacePhoto(Path("group.jpg"), None, "5f0c", (90, 120))
    >>> count_faces([photo, replace(photo, key="5f0c-2")])
    '2 faces on 1 photo'
    """
    files = len({file_key(photo.key) for photo in photos})
    faces = count(len(photos), "face")
    return count(files) if files == len(photos) else f"{faces} on {count(files)}"


def recropped(face: FacePhoto, cut: FacePhoto) -> FacePhoto:
    """Return a photograph whose face was cut again: with its old name and the new placement."""
    right = face.right and face.placement == cut.placement
    return replace(face, placement=cut.placement, size=cut.size, crop=cut.crop, right=right)


@dataclass(frozen=True, eq=False)
class PhotoIndex:
    """The n photographs of faces, row by row, without the pixels. Their keys are unique.

    Look-ups over all of them are built once, when they are first needed.
    """

    photos: tuple[FacePhoto, ...] = ()
    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.photos)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Everybody with at least one photograph, in order of first appearance."""
        return tuple(person for person in self.rows_by_person if person is not None)

    @cached_property
    def rows_by_person(self) -> Mapping[str | None, list[int]]:
        """The rows of each person in order of first appearance (None: without a name)."""
        rows: dict[str | None, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.person, []).append(row)
        return rows

    def rows_of(self, person: str | None) -> list[int]:
        """Return the rows of one person (None: without a name)."""
        return list(self.rows_by_person.get(person, ()))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The row of every photograph, by its key."""
        return {photo.key: row for row, photo in enumerate(self.photos)}

    def row_of(self, key: str) -> int | None:
        """Return the row of a photograph, or None if it is not among them."""
        return self.places.get(key)

    @cached_property
    def rows_by_file(self) -> Mapping[str, list[int]]:
        """The rows of all faces on the photograph with each file key.

        >>> photos = [FacePhoto(Path("group.jpg"), None, k, (9, 9)) for k in ("5f", "6a", "5f-3")]
        >>> PhotoIndex(tuple(photos)).rows_by_file
        {'5f': [0, 2], '6a': [1]}
        """
        rows: dict[str, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(file_key(photo.key), []).append(row)
        return rows

    @cached_property
    def by_path(self) -> Mapping[Path, FacePhoto]:
        """The photographs by path."""
        return {photo.path: photo for photo in self.photos}

    @cached_property
    def included(self) -> tuple[int, ...]:
        """Rows that train: everything that is not excluded, named or not."""
        return tuple(row for row, photo in enumerate(self.photos) if not photo.excluded)

    @cached_property
    def enrolled(self) -> tuple[int, ...]:
        """Rows that probes are compared with: named and not excluded."""
        return tuple(row for row in self.included if self.photos[row].person is not None)

    def enrolled_of(self, person: str) -> list[int]:
        """Return the rows of one person that probes are compared with."""
        return [row for row in self.rows_of(person) if not self.photos[row].excluded]

    @cached_property
    def guesses(self) -> tuple[FacePhoto, ...]:
        """Photographs of somebody whose face is a guess, to be confirmed."""
        return tuple(p for p in self.photos if p.placement.source == "guess" and p.person)

    def files_like(self, words: str, *, folder: bool = False) -> list[int]:
        """Return the rows of files that have these words in their name; or in their folder's.

        >>> photo = FacePhoto(Path("Seaside/By the sea.jpg"), "Ada", "5f0c", (90, 120))
        >>> index = PhotoIndex((photo, replace(photo, key="5f0d", path=Path("Seaside/9.jpg"))))
        >>> index.files_like("SEA"), index.files_like("SEA", folder=True)
        ([0], [0, 1])
        """
        query, parts = name_key(words), 2 if folder else 1
        names = (name_key("/".join(photo.path.parts[-parts:])) for photo in self.photos)
        return [row for row, name in enumerate(names) if query in name]

    def people_like(self, words: str) -> list[str]:
        """Return the people who have these words in their name, or in that of a file."""
        query = name_key(words)
        owners = {self.photos[row].person for row in self.files_like(words)}
        return [name for name in self.people if query in name_key(name) or name in owners]

    @cached_property
    def words(self) -> str:
        """How many photos, or how many faces on how many if some hold several."""
        return count_faces(self.photos)

    def words_of(self, rows: Sequence[int]) -> str:
        """Return how many photos, or faces on photos, some rows are."""
        return count_faces([self.photos[row] for row in rows])

    def select(self, rows: Sequence[int] | Numbers) -> PhotoIndex:
        """Return the photographs of these rows, in this order."""
        return PhotoIndex(tuple(self.photos[row] for row in rows))

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> PhotoIndex:
        """Return the index with other descriptions of some photographs, given by key."""
        return PhotoIndex(tuple(changed.get(photo.key, photo) for photo in self.photos))


_ROWS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Crops:
    """Faces in rows, of which any are read as float32 grey values 0…1.

    Parameters
    ----------
    source
        (m, d) whole grey levels 0…255 as bytes, a quarter of the memory; or float32, for what was
        computed from crops. It becomes read-only.
    rows
        (n,) which of these the faces are, in their order; None: all. So the many states of a
        gallery that undo keeps share their pixels.

    Examples
    --------
    >>> crops = Crops(np.array([[0, 51, 255], [255, 51, 0]], np.uint8))
    >>> crops[0]
    array([0. , 0.2, 1. ], dtype=float32)
    >>> crops.select([1, 1, 0]).shape
    (3, 3)
    """

    source: Bytes | Floats
    rows: Numbers | None = None

    def __post_init__(self) -> None:
        self.source.setflags(write=False)

    def __reduce__(self) -> tuple[type[Crops], tuple[Bytes | Floats]]:
        """Go to another process without what others have in the same array."""
        return Crops, (self.array,)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return len(self), self.source.shape[1]

    def __len__(self) -> int:
        return len(self.source if self.rows is None else self.rows)

    def __getitem__(self, which: int | slice | Sequence[int] | NDArray[np.generic]) -> Floats:
        return as_grey(self.source[which if self.rows is None else self.rows[which]])

    @property
    def array(self) -> Bytes | Floats:
        """(n, d) all of them: bytes, or float32."""
        return self.source if self.rows is None else self.source[self.rows]

    @property
    def levels(self) -> Doubles:
        """(n, d) the faces in whole grey levels 0…255, where equal distances are equal."""
        array = self.array
        return array.astype(np.float64) if self.are_levels else np.rint(array * np.float64(255))

    @property
    def are_levels(self) -> bool:
        """Whether they are held as whole grey levels."""
        return self.source.dtype == np.uint8

    def select(self, rows: Sequence[int] | Numbers) -> Crops:
        """Return the faces of these rows, in this order."""
        places = np.asarray(rows, np.intp)
        return Crops(self.source, places if self.rows is None else self.rows[places])

    def join(self, other: Crops, rows: Sequence[int], placed: Mapping[int, int]) -> Crops:
        """Return these faces, some replaced (row here: row there), then these rows of others."""
        if not rows and not placed:
            return self
        if self.are_levels != other.are_levels:
            raise ValueError("whole grey levels and computed faces cannot be mixed")
        joined = np.concatenate([self.array, other.select(rows).array])
        joined[[*placed]] = other.select([*placed.values()]).array
        return Crops(joined)

    def apply(
        self,
        function: Callable[[Floats], Floats],
        tick: Tick = no_tick,
        *,
        at_once: int = _ROWS_AT_ONCE,
    ) -> Floats:
        """Return a function of rows (m, d) of all of them, (n, …), some at a time."""
        n = len(self)
        out = np.empty((n, *function(self[:0]).shape[1:]), np.float32)
        for start in range(0, n, at_once):
            tick(start, n)
            out[start : start + at_once] = function(self[start : start + at_once])
        tick(n, n)
        return out


def as_levels(grey: Floats) -> Bytes:
    """Return grey values 0…1 as the nearest whole levels 0…255.

    >>> levels = np.arange(256, dtype=np.uint8)
    >>> bool((as_levels(as_grey(levels)) == levels).all())
    True
    """
    return np.rint(grey * 255).astype(np.uint8)


def crop_hash(crop: Floats) -> str:
    """Return what identifies a crop, in hexadecimal: the SHA-256 of its grey levels."""
    return content_hash(as_levels(crop).tobytes())


def _name_of(label: object) -> str | None:
    """Return the name that a label is, None for nobody's; or raise `EigenfacesError`."""
    if label is None:
        return None
    if isinstance(label, int | np.integer) and not isinstance(label, bool):
        return str(label)
    if isinstance(label, str) and as_name(label):
        return str(label)
    raise EigenfacesError(
        f"Give each person’s name as text, or None for a face without a name, not as {label!r}."
    )


@dataclass(frozen=True, eq=False)
class FaceSet:
    """Faces of one size, each with its photograph; what could not be used, with the reason."""

    pixels: Crops  # (n, d) the crops, a row a face, d = h·w: ``pixels[rows]`` is float32 in 0…1
    shape: tuple[int, int]  # (h, w)
    index: PhotoIndex  # the n photographs, row by row
    skipped: tuple[Skipped, ...] = ()  # photographs that were not used
    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.pixels.shape != (len(self.index), self.shape[0] * self.shape[1]):
            raise ValueError(f"{self.pixels.shape} does not fit {len(self.index)} × {self.shape}")

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> FaceSet:
        """Return the set without any face."""
        return cls.of((), shape)

    @classmethod
    def of(
        cls,
        cuts: Sequence[tuple[FacePhoto, Bytes]],
        shape: tuple[int, int],
        skipped: Sequence[Skipped] = (),
    ) -> FaceSet:
        """Return the faces of photographs, each with its crop (h, w) in grey levels 0…255."""
        levels = np.array([crop for _, crop in cuts], np.uint8)
        crops = Crops(levels.reshape(len(cuts), shape[0] * shape[1]))
        return cls(crops, shape, PhotoIndex(tuple(photo for photo, _ in cuts)), tuple(skipped))

    @classmethod
    def from_arrays(
        cls, images: ArrayLike, people: Sequence[str | int | None] | NDArray[Any]
    ) -> FaceSet:
        """Return a set of n grey images (n, h, w) of one size that are in no file.

        They are grey values 0…1, and rounded to whole 8-bit grey levels like crops; or such levels
        0…255, as bytes. Each of the people is a name as text, None, or a whole number, which is
        taken as text. Raises `EigenfacesError` for anything else.
        """
        wrong = "Give n grey images of one size, (n, h, w), and n people."
        try:
            stack = np.asarray(as_grey(images), np.float32)
        except (ValueError, TypeError):  # of several sizes, or no numbers
            raise EigenfacesError(wrong) from None
        if stack.ndim != 3 or len(stack) != len(people):
            raise EigenfacesError(wrong)
        if not np.isfinite(stack).all():
            raise EigenfacesError("The images hold values that are not numbers.")
        if stack.size and not (stack.min() >= 0 and stack.max() <= 1):
            raise EigenfacesError("The grey values must lie between 0 (black) and 1 (white).")
        levels, (height, width), cuts = as_levels(stack), stack.shape[1:], []
        names = map(_name_of, people)
        for number, (level, person) in enumerate(zip(levels, names, strict=True)):
            image = as_grey(level)
            key = content_hash(image.tobytes() + b"%d" % number)
            path, crop = Path(f"{number + 1}"), crop_hash(image)
            cuts.append((FacePhoto(path, person, key, (height, width), crop=crop), level))
        return cls.of(cuts, (height, width))

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
        places = np.asarray(rows)
        if places.dtype == bool:
            if places.shape != (len(self),):
                raise EigenfacesError(
                    f"A mask of {len(self):,} faces has {len(self):,} values, not the shape "
                    f"{places.shape}."
                )
            rows = np.flatnonzero(places)
        return replace(self, pixels=self.pixels.select(rows), index=self.index.select(rows))

    def join(self, other: FaceSet, replacing: Mapping[str, str] | None = None) -> FaceSet:
        """Return these faces and then the other ones; of photographs in both, keep the first.

        ``replacing``: for the key of another face, the key of the face here that it replaces.
        """
        if other.shape != self.shape:
            one, two = (f"{width} × {height}" for height, width in (self.shape, other.shape))
            raise EigenfacesError(f"Faces of {one} and of {two} pixels cannot be mixed.")
        photos, theirs = list(self.index.photos), other.index.photos
        placed, new = dict[int, int](), list[int]()
        for row, photo in enumerate(theirs):
            place = self.index.row_of((replacing or {}).get(photo.key, ""))
            if place is not None:
                placed[place], photos[place] = row, photo
            elif self.index.row_of(photo.key) is None:
                new.append(row)
                photos.append(photo)
        pixels = self.pixels.join(other.pixels, new, placed)
        return FaceSet(pixels, self.shape, PhotoIndex(tuple(photos)), self.skipped + other.skipped)

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> FaceSet:
        """Return the set with other descriptions of some photographs, given by key."""
        return replace(self, index=self.index.with_photos(changed))
