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
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph, match_faces, number_faces
from eigenfaces.files import is_there
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.names import as_name
from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers, append_rows
from eigenfaces.space.pca import as_grey, as_levels
from eigenfaces.text import count, name_key, short_repr


def count_faces(photos: Collection[FacePhoto]) -> str:
    """Return “2 photos”, or “3 faces on 2 photos” if a photo shows several faces.

    >>> photo = FacePhoto(Photograph(Path("group.jpg"), "5f0c", (90, 120)), None)
    >>> count_faces([photo, replace(photo, number=2)])
    '2 faces on 1 photo'
    """
    return _faces_on_files(len(photos), len({photo.photograph.sha for photo in photos}))


def _faces_on_files(faces: int, files: int) -> str:
    return count(files) if files == faces else f"{count(faces, 'face')} on {count(files)}"


@dataclass(frozen=True, eq=False)
class PhotoIndex:
    """The n faces on photographs, one per row, without their pixels. No face is there twice.

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
        """The rows of each person, in order of first appearance (None: faces without a name)."""
        rows: dict[str | None, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.person, []).append(row)
        return rows

    def rows_of(self, person: str | None) -> list[int]:
        """Return the rows of one person (None: faces without a name)."""
        return list(self.rows_by_person.get(person, ()))

    @cached_property
    def row_by_id(self) -> Mapping[FaceId, int]:
        """The row of each face, by its identity."""
        return {photo.id: row for row, photo in enumerate(self.photos)}

    def row_of(self, face: FaceId) -> int | None:
        """Return the row of a face, or None if it is not in the index."""
        return self.row_by_id.get(face)

    @cached_property
    def rows_by_sha(self) -> Mapping[str, list[int]]:
        """The rows of all faces on each photograph, by its SHA-256."""
        rows: dict[str, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.photograph.sha, []).append(row)
        return rows

    @cached_property
    def rows_by_path(self) -> Mapping[Path, list[int]]:
        """The rows of all faces in each file, by its path."""
        rows: dict[Path, list[int]] = {}
        for row, photo in enumerate(self.photos):
            if photo.photograph.is_file:
                rows.setdefault(photo.path, []).append(row)
        return rows

    def rows_in_file(self, path: Path, sha: str) -> list[int]:
        """Return the rows of the faces in a file with this SHA-256.

        Empty if this path also has rows of an earlier version.
        """
        rows = [row for row in self.rows_by_sha.get(sha, ()) if not self.photos[row].lost]
        here = self.rows_by_path.get(path, ())
        older = any(row not in rows and not self.photos[row].lost for row in here)
        return [] if older and any(row in rows for row in here) else rows

    def rows_on(self, photograph: Photograph) -> list[int]:
        """Return the rows of the faces on a photograph, or on an earlier version of its file.

        A file with another SHA-256 at a known path counts as the same photograph.

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
        """Return the row of the same face, matched by the place of its eyes, or None."""
        rows = self.rows_on(photo.photograph)
        matched = match_faces([self.photos[row] for row in rows], [photo])
        return rows[matched[0]] if matched else None

    @cached_property
    def included(self) -> tuple[int, ...]:
        """The rows used for training: every face that is not excluded, named or not."""
        return tuple(row for row, photo in enumerate(self.photos) if not photo.excluded)

    @cached_property
    def enrolled(self) -> tuple[int, ...]:
        """The rows that probes are compared with: every named face that is not excluded."""
        return tuple(row for row in self.included if self.photos[row].person is not None)

    def enrolled_of(self, person: str) -> list[int]:
        """Return the rows of one person's faces that are not excluded."""
        return [row for row in self.rows_of(person) if not self.photos[row].excluded]

    @cached_property
    def is_pictured(self) -> bool:
        """Whether every face has a picture; a project used only for recognition may have none."""
        return all(photo.pictured for photo in self.photos)

    @cached_property
    def guesses(self) -> tuple[FacePhoto, ...]:
        """The named faces whose place is a guess that somebody should confirm."""
        return tuple(p for p in self.photos if p.placement.source == "guess" and p.person)

    def people_like(self, words: str) -> list[str]:
        """Return the people with these words in their name, or in the name of one of their files.

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
        """The number of photos as text, “2 photos”, or “3 faces on 2 photos”."""
        return _faces_on_files(len(self), len(self.rows_by_sha))

    def words_of(self, rows: Sequence[int]) -> str:
        """Return the number of photos in some rows as text, as `words` does for all."""
        return count_faces([self.photos[row] for row in rows])

    def select(self, rows: Sequence[int] | Numbers) -> PhotoIndex:
        """Return the index of these rows, in this order."""
        return PhotoIndex(tuple(self.photos[row] for row in rows))

    def with_photos(self, changed: Mapping[FaceId, FacePhoto]) -> PhotoIndex:
        """Return the index with some faces replaced by their changed versions."""
        photos = list(self.photos)
        for face, photo in changed.items():
            if (row := self.row_by_id.get(face)) is not None:
                photos[row] = photo
        return self.with_rows(photos)

    def with_rows(self, photos: Sequence[FacePhoto]) -> PhotoIndex:
        """Return an index of other rows that keeps the look-up tables that are still valid.

        Most edits change a few rows or add some at the end, and then no table is built again.
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
        """Return how the included faces differ from the faces that a space was fitted to."""
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
"""The look-up tables of an index, each with the parts of a face that it depends on."""


def _with_new_rows(before: PhotoIndex, now: PhotoIndex, name: str) -> Any:
    """Return a look-up table extended by the rows that were added at the end."""
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
    """How the faces used for training differ from the faces that a space was fitted to.

    After an edit it is updated by the removed and added faces, not computed again from all faces.
    """

    fitted: Fitted
    differ: Fitted  # faces in just one of the two: used for training now, or fitted to then
    key: int  # the sum of the `face_key` of each face that the calibration depends on

    def changed(self, gone: Sequence[FacePhoto], come: Sequence[FacePhoto]) -> FittedComparison:
        """Return the comparison after some faces were removed and others added."""
        differ, key = self.differ, self.key
        for photos, sign in ((gone, -1), (come, 1)):
            there = {(photo.id, photo.crop): photo for photo in photos if not photo.excluded}
            differ = differ ^ there.keys()
            for cut, photo in there.items():
                if photo.person is not None or cut in self.fitted:
                    key += sign * face_key(*cut, photo.person or "")
        return FittedComparison(self.fitted, frozenset(differ), key)


def face_key(face: FaceId, crop: str, person: str) -> int:
    """Return a number that identifies a face with its crop and its person: 256 bits of a SHA-256.

    A sum of these numbers identifies a set of faces, whatever their order.
    """
    return int(content_hash(f"{face.sha}\n{face.number}\n{crop}\n{person}".encode()), 16)


_ROWS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Crops:
    """Faces in rows; any of them can be read as float32 grey values 0…1.

    Parameters
    ----------
    source
        (m, d) whole grey levels 0…255 as bytes, which take a quarter of the memory, or float32 for
        values computed from crops. It becomes read-only.
    rows
        (n,) the rows of ``source`` that are used, in order; None: all. So all the states that undo
        keeps share their pixels.

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
        """Send only these rows to another process, not the rest of the shared array."""
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
        """All faces (n, d) in whole grey levels 0…255, so that equal distances stay equal."""
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
        """Return these faces, then ``rows`` of the others; ``placed``: {row here: other row}."""
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
        """Return the results (n, …) of a function of rows (m, d), called on some rows at a time."""
        n = len(self)
        out = np.empty((n, *function(self[:0]).shape[1:]), np.float32)
        for start in range(0, n, at_once):
            tick(start, n)
            out[start : start + at_once] = function(self[start : start + at_once])
        tick(n, n)
        return out


def crop_hash(crop: Floats) -> str:
    """Return the SHA-256 of a crop's grey levels in hexadecimal, which identifies the crop."""
    return content_hash(as_levels(crop).tobytes())


def _name_of(label: object) -> str | None:
    """Return a label as a name, or None for a face without one; raise `EigenfacesError`."""
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
    """Faces of one size with their photographs, and a list of photographs that were not used.

    Attributes
    ----------
    pixels
        (n, d) the crops, one face per row, d = h·w. ``pixels[rows]`` is float32, grey values 0…1.
    shape
        (h, w) of every face.
    index
        The n faces, row by row: whose each is, and on which photograph.
    images
        (n, h, w) the faces as pictures: float32, grey values 0…1.
    people
        (n,) the name on each face, or None.
    skipped
        Photographs that were not used, each with the reason.

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
        """Return a set of faces, given with their crops (h, w) in grey levels 0…255."""
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
        """Return a set of n grey images (n, h, w) of one size that come from no file.

        Parameters
        ----------
        images
            (n, h, w) grey values 0…1, which are rounded to 8-bit grey levels as crops are, or
            grey levels 0…255 as bytes.
        people
            (n,) a name for each, as text or as a whole number, which becomes text; None: no name.

        Raises
        ------
        EigenfacesError
            The images are not n of one size, they hold values outside 0…1, or ``people`` does not
            hold n names.
        """
        wrong = "Give n grey images of one size, (n, h, w), and n people."
        try:
            stack = np.asarray(as_grey(images), np.float32)
        except (ValueError, TypeError):  # several sizes, or not numbers
            raise EigenfacesError(wrong) from None
        if stack.ndim != 3 or len(stack) != len(people):
            raise EigenfacesError(wrong)
        if not np.isfinite(stack).all():
            raise EigenfacesError("The images hold values that are not numbers.")
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
        """(n, h, w) the faces as pictures: float32, grey values 0…1."""
        return self.pixels[:].reshape(len(self), *self.shape)

    @property
    def people(self) -> NDArray[np.object_]:
        """(n,) the name on each face, or None: with `images`, what `from_arrays` takes."""
        names = np.empty(len(self), object)
        names[:] = [photo.person for photo in self.index.photos]
        return names

    @property
    def levels(self) -> Doubles:
        """All faces (n, d) in whole grey levels 0…255, so that equal distances stay equal."""
        return self.pixels.levels

    def image(self, row: int) -> Floats:
        """Return one face (h, w) in grey values 0…1."""
        return self.pixels[row].reshape(self.shape)

    def select(self, rows: Sequence[int] | Numbers) -> FaceSet:
        """Return the faces in these rows, in this order, or where a mask (n,) is true.

        Raises
        ------
        EigenfacesError
            The mask does not have one value for each face.
        """
        places = np.asarray(rows)
        if places.dtype == bool:
            if places.shape != (len(self),):
                raise EigenfacesError(
                    f"A mask of {len(self):,} faces has {len(self):,} values, not the shape "
                    f"{places.shape}."
                )
            rows = np.flatnonzero(places)
        return replace(self, pixels=self.pixels.select(rows), index=self.index.select(rows))

    def join(self, other: FaceSet, replacing: Mapping[FaceId, FaceId] | None = None) -> FaceSet:
        """Return these faces followed by the other ones; a face in both is kept as it is here.

        ``replacing`` says which face here is replaced by which other face; see `match_enrolled`.
        Paths and turns of photographs are taken from the other set.

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
        """Return the set with some faces described differently; the pixels stay."""
        return replace(self, index=self.index.with_photos(changed))


def match_enrolled(
    faces: FaceSet, index: PhotoIndex, also: Sequence[FacePhoto] = ()
) -> tuple[FaceSet, dict[FaceId, FacePhoto]]:
    """Return the faces that an import adds to a gallery, and the known faces that they replace.

    Faces are matched by the place of their eyes on a photograph, even if its file was saved again.
    A face that replaces a known one takes over its number, its name, and whether it is excluded and
    right. All others get a number that is free on their photograph. ``also``: more numbered faces
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
        # A known photograph that is imported itself is no earlier version of this one.
        others = groups.keys() - {sha}
        known = [face for face in there.values() if face.photograph.sha not in others]
        matched = _match_known(known, coming)
        used = {face.number for face in known}
        for place, face in enumerate(number_faces(coming, matched, used)):
            numbered[places[place]] = face, matched.get(place)
    return numbered


def _match_known(known: Sequence[FacePhoto], coming: Sequence[FacePhoto]) -> dict[int, FacePhoto]:
    """Return {index in coming: known face} for the faces of a photograph that are known.

    A person is on a photograph only once, so a named face that lies elsewhere on the same file is
    the same face. For faces without a name this cannot be concluded.
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
    """Return the path of a photograph: the known one if it is still there, otherwise the new one.

    ``in_place`` holds the SHA-256 of each imported file by its path.
    """
    for row in index.rows_by_sha.get(photograph.sha, ()):
        before = index.photos[row].path
        if is_there(before) and in_place.get(before, photograph.sha) == photograph.sha:
            return before
    return photograph.path
