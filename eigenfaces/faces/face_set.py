"""Sets of faces of one size: their crops, and the photographs that they come from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph, match_faces, number_faces
from eigenfaces.files import is_there
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.names import as_name
from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers, append_rows
from eigenfaces.space.pca import as_grey, as_levels
from eigenfaces.text import count, name_key, short_repr


def count_faces(photos: Collection[FacePhoto]) -> str:
    """Return the number of photos or faces as text: “2 photos”, “3 faces in 2 photos”.

    >>> photo = FacePhoto(Photograph(Path("group.jpg"), "5f0c", (90, 120)), None)
    >>> count_faces([photo, replace(photo, number=2)])
    '2 faces in 1 photo'
    """
    return _faces_on_files(len(photos), len({photo.photograph.sha for photo in photos}))


def _faces_on_files(faces: int, files: int) -> str:
    return count(files) if files == faces else f"{count(faces, 'face')} in {count(files)}"


@dataclass(frozen=True, eq=False)
class PhotoIndex:
    """Index of n distinct faces in photographs, one per row, without their pixels.

    Each look-up table over all rows is built once, when it is first needed.
    """

    photos: tuple[FacePhoto, ...] = ()
    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.photos)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The names of all people, in order of first appearance."""
        return tuple(person for person in self.rows_by_person if person is not None)

    @cached_property
    def rows_by_person(self) -> Mapping[str | None, list[int]]:
        """The rows of each person's faces (None: unnamed), in order of first appearance."""
        rows: dict[str | None, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.person, []).append(row)
        return rows

    def rows_of(self, person: str | None) -> list[int]:
        """Return the rows of one person's faces, or of the unnamed faces for None."""
        return list(self.rows_by_person.get(person, ()))

    @cached_property
    def row_by_id(self) -> Mapping[FaceId, int]:
        """The row of each face, keyed by the identity of the face."""
        return {photo.id: row for row, photo in enumerate(self.photos)}

    def row_of(self, face: FaceId) -> int | None:
        """Return the row of a face, or None if it is not in the index."""
        return self.row_by_id.get(face)

    @cached_property
    def rows_by_sha(self) -> Mapping[str, list[int]]:
        """The rows of all faces in each photograph, keyed by the SHA-256 of its file."""
        rows: dict[str, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.photograph.sha, []).append(row)
        return rows

    @cached_property
    def rows_by_path(self) -> Mapping[Path, list[int]]:
        """The rows of all faces in each file, keyed by the path of the file."""
        rows: dict[Path, list[int]] = {}
        for row, photo in enumerate(self.photos):
            if photo.photograph.is_file:
                rows.setdefault(photo.path, []).append(row)
        return rows

    def rows_in_file(self, path: Path, sha: str) -> list[int]:
        """Return the rows of the faces in the file with this path and SHA-256.

        The list is empty if there are also faces from an earlier version of the file.
        """
        rows = [row for row in self.rows_by_sha.get(sha, ()) if not self.photos[row].lost]
        here = self.rows_by_path.get(path, ())
        older = any(row not in rows and not self.photos[row].lost for row in here)
        return [] if older and any(row in rows for row in here) else rows

    def rows_on(self, photograph: Photograph) -> list[int]:
        """Return the rows of all faces in a photograph, even from an earlier version of its file.

        A file at a known path is treated as the same photograph even if its SHA-256 differs.

        >>> before = FacePhoto(Photograph(Path("/group.jpg").absolute(), "5f0c", (90, 120)), "Ada")
        >>> index = PhotoIndex((before,))
        >>> index.rows_on(replace(before.photograph, sha="c0de"))
        [0]
        """
        same = self.rows_by_sha.get(photograph.sha, [])
        here = self.rows_by_path.get(photograph.path, [])
        if same and not any(row in here for row in same):  # the file has been moved
            return same
        return [*same, *(row for row in here if row not in same)]

    def row_of_face(self, photo: FacePhoto) -> int | None:
        """Return the row of the face with matching eye positions, or None if no face matches."""
        rows = self.rows_on(photo.photograph)
        matched = match_faces([self.photos[row] for row in rows], [photo])
        return rows[matched[0]] if matched else None

    @cached_property
    def included(self) -> tuple[int, ...]:
        """The rows of the faces used for training: all that are not excluded, named or not."""
        return tuple(row for row, photo in enumerate(self.photos) if not photo.excluded)

    @cached_property
    def enrolled(self) -> tuple[int, ...]:
        """The rows of the faces compared with probes: all named faces that are not excluded."""
        return tuple(row for row in self.included if self.photos[row].person is not None)

    def enrolled_of(self, person: str) -> list[int]:
        """Return the rows of one person's faces that are not excluded."""
        return [row for row in self.rows_of(person) if not self.photos[row].excluded]

    @cached_property
    def is_pictured(self) -> bool:
        """Whether all faces have pictures. A project used only for recognition may have none."""
        return all(photo.pictured for photo in self.photos)

    @cached_property
    def guesses(self) -> tuple[FacePhoto, ...]:
        """The named faces whose placement is a guess that the user should confirm."""
        return tuple(p for p in self.photos if p.placement.source == "guess" and p.person)

    def people_like(self, words: str) -> list[str]:
        """Return the people whose name or file names contain the given text.

        >>> photographs = [Photograph(Path(f"{at}.jpg"), f"5f0{at}", (90, 120)) for at in (7, 8)]
        >>> faces = zip(photographs, ("Ada", "Grace"), strict=True)
        >>> index = PhotoIndex(tuple(FacePhoto(photograph, name) for photograph, name in faces))
        >>> index.people_like("ADA"), index.people_like("8.")
        (['Ada'], ['Grace'])
        """
        query = name_key(words)
        owners = {photo.person for photo in self.photos if query in name_key(photo.path.name)}
        return [name for name in self.people if query in name_key(name) or name in owners]

    @cached_property
    def words(self) -> str:
        """The number of faces as text: “2 photos”, or “3 faces in 2 photos”."""
        return _faces_on_files(len(self), len(self.rows_by_sha))

    def words_of(self, rows: Sequence[int]) -> str:
        """Return the number of faces in these rows as text, in the format of `words`."""
        return count_faces([self.photos[row] for row in rows])

    def select(self, rows: Sequence[int] | Numbers) -> PhotoIndex:
        """Return an index with only these rows, in this order."""
        return PhotoIndex(tuple(self.photos[row] for row in rows))

    def with_photos(self, changed: Mapping[FaceId, FacePhoto]) -> PhotoIndex:
        """Return the index with some faces replaced by their changed versions."""
        photos = list(self.photos)
        for face, photo in changed.items():
            if (row := self.row_by_id.get(face)) is not None:
                photos[row] = photo
        return self.with_rows(photos)

    def with_rows(self, photos: Sequence[FacePhoto]) -> PhotoIndex:
        """Return an index of these faces, keeping all look-up tables that are still valid.

        Most edits change a few rows or add rows at the end, so most tables remain valid.
        """
        changed = PhotoIndex(tuple(photos))
        differ = list[tuple[FacePhoto, FacePhoto]]()
        if changed.photos[: len(self)] != self.photos:  # otherwise rows were only added at the end
            pairs = zip(self.photos, changed.photos, strict=False)
            differ = [(old, new) for old, new in pairs if old is not new]
        if len(photos) < len(self):
            return changed
        for name, parts in _LOOK_UPS.items():
            if name in self.__dict__ and all(parts(old) == parts(new) for old, new in differ):
                changed.__dict__[name] = _with_new_rows(self, changed, name)
        if "_compared" in self.__dict__:
            gone = [old for old, _ in differ]
            come = [*(new for _, new in differ), *changed.photos[len(self) :]]
            compared: FittedComparison = self.__dict__["_compared"]
            changed.__dict__["_compared"] = compared.changed(gone, come)
        return changed

    def compared_with(self, fitted: Fitted) -> FittedComparison:
        """Return a comparison of the included faces with the faces that a space was fitted to."""
        known = self.__dict__.get("_compared")
        if known is None or known.fitted is not fitted:
            known = FittedComparison(fitted, fitted, 0).changed((), self.photos)
            self.__dict__["_compared"] = known
        return known


_LOOK_UPS: Mapping[str, Callable[[FacePhoto], object]] = {
    "row_by_id": lambda photo: photo.id,
    "rows_by_sha": lambda photo: photo.photograph.sha,
    "rows_by_path": lambda photo: photo.path,
    "rows_by_person": lambda photo: photo.person,
    "included": lambda photo: photo.excluded,
    "enrolled": lambda photo: (photo.excluded, photo.person is None),
}
"""The look-up tables of an index, and the attributes of a face that each table depends on."""


def _with_new_rows(before: PhotoIndex, now: PhotoIndex, name: str) -> Any:
    """Return a look-up table extended with the rows that were added at the end."""
    known = before.__dict__[name]
    start = len(before)
    if start == len(now):
        return known
    added = getattr(PhotoIndex(now.photos[start:]), name)
    if isinstance(known, tuple):
        return (*known, *(start + row for row in added))
    joined = dict(known)
    for key, rows in added.items():
        if isinstance(rows, int):
            joined[key] = start + rows
        else:
            joined[key] = [*known.get(key, ()), *(start + row for row in rows)]
    return joined


Fitted = frozenset[tuple[FaceId, str]]
"""The faces that a space was fitted to, and the `crop_hash` of each."""


@dataclass(frozen=True, eq=False)
class FittedComparison:
    """Comparison of the faces used for training with the faces that a space was fitted to.

    After an edit, only the faces that were removed or added are processed.
    """

    fitted: Fitted
    differ: Fitted  # faces in only one of the two: used for training now, or in the fit
    key: int  # the sum of `face_key` over the faces that the calibration depends on

    def changed(self, gone: Sequence[FacePhoto], come: Sequence[FacePhoto]) -> FittedComparison:
        """Return the comparison after removing some faces and adding others."""
        differ, key = self.differ, self.key
        for photos, sign in ((gone, -1), (come, 1)):
            there = {(photo.id, photo.crop): photo for photo in photos if not photo.excluded}
            differ = differ ^ there.keys()
            for cut, photo in there.items():
                if photo.person is not None or cut in self.fitted:
                    key += sign * face_key(*cut, photo.person or "")
        return FittedComparison(self.fitted, frozenset(differ), key)


def face_key(face: FaceId, crop: str, person: str) -> int:
    """Return a SHA-256, as an integer, that identifies a face together with its crop and person.

    The sum of these numbers identifies a set of faces, regardless of their order.
    """
    return int(content_hash(f"{face.sha}\n{face.number}\n{crop}\n{person}".encode()), 16)


_ROWS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Crops:
    """Array of face crops, one per row, which can be read as float32 grey values 0…1.

    Parameters
    ----------
    source
        (m, d) whole grey levels 0…255 as bytes, which take a quarter of the memory, or float32
        values computed from crops. The array becomes read-only.
    rows
        (n,) the rows of ``source`` to use, in order, or None for all. This lets all states kept for
        undo share their pixels.

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
        """Pickle only these rows, not the rest of the shared array."""
        return Crops, (self.array,)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape (n, d)."""
        return len(self), self.source.shape[1]

    def __len__(self) -> int:
        return len(self.source if self.rows is None else self.rows)

    def __getitem__(self, which: int | slice | Sequence[int] | NDArray[np.generic]) -> Floats:
        return as_grey(self.source[which if self.rows is None else self.rows[which]])

    @property
    def array(self) -> Bytes | Floats:
        """All faces (n, d), as bytes or float32."""
        return self.source if self.rows is None else self.source[self.rows]

    @property
    def levels(self) -> Doubles:
        """All faces (n, d) as whole grey levels 0…255, so that equal distances compare as equal."""
        array = self.array
        return array.astype(np.float64) if self.are_levels else np.rint(array * np.float64(255))

    @property
    def are_levels(self) -> bool:
        """Whether the faces are stored as whole grey levels."""
        return self.source.dtype == np.uint8

    def select(self, rows: Sequence[int] | Numbers) -> Crops:
        """Return the faces in these rows, in this order."""
        places = np.asarray(rows, np.intp)
        return Crops(self.source, places if self.rows is None else self.rows[places])

    def join(self, other: Crops, rows: Sequence[int], placed: Mapping[int, int]) -> Crops:
        """Return these faces, with those in ``placed`` replaced and the other ``rows`` appended."""
        if not rows and not placed:
            return self
        if self.are_levels != other.are_levels:
            raise ValueError("whole grey levels and computed faces cannot be mixed")
        new: Any = other.select([*placed.values(), *rows]).array
        own = np.arange(len(self)) if self.rows is None else self.rows
        if 2 * len(own) < len(self.source):  # most rows of the source were removed
            return Crops(self.array).join(other, rows, placed)
        added = len(self.source) + np.arange(len(new))
        places = np.concatenate([own, added[len(placed) :]])
        places[[*placed]] = added[: len(placed)]
        return Crops(append_rows(self.source, new), places)

    def apply(
        self,
        function: Callable[[Floats], Floats],
        tick: Tick = no_tick,
        *,
        at_once: int = _ROWS_AT_ONCE,
    ) -> Floats:
        """Return the results (n, …) of applying a function to batches of rows (m, d)."""
        n = len(self)
        out = np.empty((n, *function(self[:0]).shape[1:]), np.float32)
        for start in range(0, n, at_once):
            tick(start, n)
            out[start : start + at_once] = function(self[start : start + at_once])
        tick(n, n)
        return out


def crop_hash(crop: Floats) -> str:
    """Return the hexadecimal SHA-256 of a crop's grey levels, which identifies the crop."""
    return content_hash(as_levels(crop).tobytes())


def _name_of(label: object) -> str | None:
    """Convert a label to a name, or to None if unnamed; raise `EigenfacesError` if invalid."""
    if label is None:
        return None
    if isinstance(label, int | np.integer) and not isinstance(label, bool):
        return str(label)
    if isinstance(label, str) and as_name(label):
        return str(label)
    raise EigenfacesError(
        f"Give each person’s name as text, or None for an unnamed face, not as {label!r}."
    )


@dataclass(frozen=True, eq=False)
class FaceSet:
    """Set of faces of one size, with their photographs and a list of unused photographs.

    Attributes
    ----------
    pixels
        (n, d) the crops, one face per row, d = h·w. ``pixels[rows]`` is float32, grey values 0…1.
    shape
        (h, w) of every face.
    index
        The person and the photograph of each of the n faces, row by row.
    images
        (n, h, w) the faces as pictures: float32, grey values 0…1.
    people
        (n,) the name of each face, or None.
    skipped
        The photographs that were not used, each with the reason.

    Examples
    --------
    >>> faces = FaceSet.from_arrays(np.zeros((3, 20, 16)), ["Ada", "Grace", None])
    >>> faces.images.shape, faces.people
    ((3, 20, 16), array(['Ada', 'Grace', None], dtype=object))
    >>> len(faces.select([1])), faces.index.people
    (1, ('Ada', 'Grace'))
    """

    pixels: Crops
    shape: tuple[int, int]
    index: PhotoIndex
    skipped: tuple[Skipped, ...] = ()
    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.pixels.shape != (len(self.index), self.shape[0] * self.shape[1]):
            raise ValueError(f"{self.pixels.shape} does not fit {len(self.index)} × {self.shape}")

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> FaceSet:
        """Return a set without any faces."""
        return cls.of((), shape)

    @classmethod
    def of(
        cls,
        cuts: Sequence[tuple[FacePhoto, Bytes]],
        shape: tuple[int, int],
        skipped: Sequence[Skipped] = (),
    ) -> FaceSet:
        """Return a set of faces, given pairs of a face and its crop (h, w) in grey levels 0…255."""
        levels = np.array([crop for _, crop in cuts], np.uint8)
        crops = Crops(levels.reshape(len(cuts), shape[0] * shape[1]))
        photos = tuple(
            photo if photo.crop else replace(photo, crop=crop_hash(as_grey(crop)))
            for photo, crop in cuts
        )
        return cls(crops, shape, PhotoIndex(photos), tuple(skipped))

    @classmethod
    def from_arrays(
        cls, images: ArrayLike, people: Sequence[str | int | None] | NDArray[Any]
    ) -> FaceSet:
        """Return a set of faces from n grey images (n, h, w) that do not come from files.

        Parameters
        ----------
        images
            (n, h, w) grey values 0…1, which are rounded to 8-bit grey levels as crops are, or
            grey levels 0…255 as bytes.
        people
            (n,) the name of each face: text, a whole number (converted to text), or None.

        Raises
        ------
        EigenfacesError
            The images differ in size, have values outside 0…1, or differ in number from ``people``.
        """
        wrong = "Give n grey images of one size, (n, h, w), and n people."
        try:
            stack = np.asarray(as_grey(images), np.float32)
        except (ValueError, TypeError):  # several sizes, or not numbers
            raise EigenfacesError(wrong) from None
        if stack.ndim != 3 or len(stack) != len(people):
            raise EigenfacesError(wrong)
        if not np.isfinite(stack).all():
            raise EigenfacesError("The images contain values that are not numbers.")
        if stack.size and not (stack.min() >= 0 and stack.max() <= 1):
            raise EigenfacesError("The grey values must lie between 0 (black) and 1 (white).")
        levels = as_levels(stack)
        (height, width) = stack.shape[1:]
        cuts = []
        names = map(_name_of, people)
        for number, (level, person) in enumerate(zip(levels, names, strict=True)):
            image = as_grey(level)
            sha = content_hash(image.tobytes() + b"%d" % number)
            photograph = Photograph(Path(f"{number + 1}"), sha, (height, width))
            cuts.append((FacePhoto(photograph, person, crop=crop_hash(image)), level))
        return cls.of(cuts, (height, width))

    def __len__(self) -> int:
        return len(self.index)

    @property
    def images(self) -> Floats:
        """The faces as pictures (n, h, w) of float32 grey values 0…1."""
        return self.pixels[:].reshape(len(self), *self.shape)

    @property
    def people(self) -> NDArray[np.object_]:
        """The names (n,) of the faces, None if unnamed; a valid argument for `from_arrays`."""
        names = np.empty(len(self), object)
        names[:] = [photo.person for photo in self.index.photos]
        return names

    @property
    def levels(self) -> Doubles:
        """All faces (n, d) as whole grey levels 0…255, so that equal distances compare as equal."""
        return self.pixels.levels

    def image(self, row: int) -> Floats:
        """Return one face (h, w) as grey values 0…1."""
        return self.pixels[row].reshape(self.shape)

    def select(self, rows: Sequence[int] | Numbers) -> FaceSet:
        """Return the faces in these rows, in this order, or those where a mask (n,) is true.

        Raises
        ------
        EigenfacesError
            The mask does not have one value for each face.
        """
        places = np.asarray(rows)
        if places.dtype == bool:
            if places.shape != (len(self),):
                raise EigenfacesError(
                    f"A mask for {len(self):,} faces needs {len(self):,} values, not the shape "
                    f"{places.shape}."
                )
            rows = np.flatnonzero(places)
        return replace(self, pixels=self.pixels.select(rows), index=self.index.select(rows))

    def join(self, other: FaceSet, replacing: Mapping[FaceId, FaceId] | None = None) -> FaceSet:
        """Return these faces followed by those faces of the other set that are not in this one.

        ``replacing`` maps other faces to the faces in this set that they replace; see
        `match_enrolled`. Photographs in both sets take their path and rotation from the other set.

        Raises
        ------
        EigenfacesError
            The other faces are of a different size.
        """
        if other.shape != self.shape:
            one, two = (f"{width} × {height}" for height, width in (self.shape, other.shape))
            raise EigenfacesError(f"Faces of {one} and of {two} pixels cannot be mixed.")
        photos = list(self.index.photos)
        theirs = other.index.photos
        placed = dict[int, int]()
        new = list[int]()
        for row, photo in enumerate(theirs):
            known = (replacing or {}).get(photo.id)
            place = None if known is None else self.index.row_of(known)
            if place is not None:
                placed[place], photos[place] = row, photo
            elif self.index.row_of(photo.id) is None:
                new.append(row)
                photos.append(photo)
        for photograph in {photo.photograph for photo in theirs}:
            for row in self.index.rows_by_sha.get(photograph.sha, ()):
                photos[row] = photos[row].moved_to(photograph)
        pixels = self.pixels.join(other.pixels, new, placed)
        index = self.index.with_rows(photos)
        return FaceSet(pixels, self.shape, index, self.skipped + other.skipped)

    def with_photos(self, changed: Mapping[FaceId, FacePhoto]) -> FaceSet:
        """Return the set with new metadata for some faces, but unchanged pixels."""
        return replace(self, index=self.index.with_photos(changed))


def match_enrolled(
    faces: FaceSet, index: PhotoIndex, also: Sequence[FacePhoto] = ()
) -> tuple[FaceSet, dict[FaceId, FacePhoto]]:
    """Return the faces that an import adds to a gallery, and the known faces that they replace.

    Faces are matched by their eye positions in a photograph, even if its file has been saved again.
    A face that replaces a known face takes over its number, its name and the user's decisions about
    it. All other faces get an unused number in their photograph. ``also`` contains numbered faces
    that are not in the gallery.
    """
    photos = faces.index.photos
    in_place = {photo.path: photo.photograph.sha for photo in photos}
    described, replaced = dict[FaceId, FacePhoto](), dict[FaceId, FacePhoto]()
    for photo, (face, old) in zip(photos, _numbered(photos, index, also), strict=True):
        path = _present_path(face.photograph, index, in_place)
        new = replace(face, photograph=replace(face.photograph, path=path))
        if old is not None and old.id in index.row_by_id:
            new = new.in_place_of(old)
            saved_again = old.photograph.sha != new.photograph.sha
            if saved_again or old.lost or old.moved_to(new.photograph).placement != new.placement:
                replaced[new.id] = old
        described[photo.id] = new
    return faces.with_photos(described), replaced


def number_known(
    photos: Sequence[FacePhoto], index: PhotoIndex, also: Sequence[FacePhoto] = ()
) -> list[FacePhoto]:
    """Return the faces with the numbers that `match_enrolled` would give them."""
    return [face for face, _ in _numbered(photos, index, also)]


def _numbered(
    photos: Sequence[FacePhoto], index: PhotoIndex, also: Sequence[FacePhoto]
) -> list[tuple[FacePhoto, FacePhoto | None]]:
    """Return each face with its number, and the known face that it matches, or None."""
    groups = dict[str, list[int]]()
    for place, photo in enumerate(photos):
        groups.setdefault(photo.photograph.sha, []).append(place)
    numbered: list[tuple[FacePhoto, FacePhoto | None]] = [(photo, None) for photo in photos]
    for sha, places in groups.items():
        coming = [photos[place] for place in places]
        photograph = coming[0].photograph
        there = {face.id: face for face in also if photograph.is_same(face.photograph)}
        there |= {index.photos[row].id: index.photos[row] for row in index.rows_on(photograph)}
        # A known photograph that is itself imported is not an earlier version of this one.
        others = groups.keys() - {sha}
        known = [face for face in there.values() if face.photograph.sha not in others]
        matched = _match_known(known, coming)
        used = {face.number for face in known}
        for place, face in enumerate(number_faces(coming, matched, used)):
            numbered[places[place]] = face, matched.get(place)
    return numbered


def _match_known(known: Sequence[FacePhoto], coming: Sequence[FacePhoto]) -> dict[int, FacePhoto]:
    """Return {index in coming: known face} for the known faces in a photograph.

    A person is assumed to appear only once in a photograph, so a named face in the same file is the
    same face even at another position. This does not hold for unnamed faces.
    """
    matched = {new: known[old] for new, old in match_faces(known, coming).items()}
    left = [face for face in known if face not in matched.values()]
    for place, face in enumerate(coming):
        if place not in matched and face.person is not None:
            same = [
                old
                for old in left
                if old.photograph.sha == face.photograph.sha and old.person == face.person
            ]
            rivals = [new for new in coming if new.person == face.person]
            if len(same) == len(rivals) == 1:
                matched[place] = same[0]
    return matched


def _present_path(photograph: Photograph, index: PhotoIndex, in_place: Mapping[Path, str]) -> Path:
    """Return the known path of a photograph if the file is still there, or else the new path.

    ``in_place`` maps the path of each imported file to its SHA-256.
    """
    for row in index.rows_by_sha.get(photograph.sha, ()):
        before = index.photos[row].path
        if is_there(before) and in_place.get(before, photograph.sha) == photograph.sha:
            return before
    return photograph.path
