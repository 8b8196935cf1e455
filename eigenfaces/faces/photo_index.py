"""The photographs behind faces: where each is, who is on it, and what identifies it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from eigenfaces.arrays import Numbers
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


def described_anew(face: FacePhoto, cut: FacePhoto) -> FacePhoto:
    """Return a photograph whose face was cut again: with its old name and the new placement."""
    return replace(face, placement=cut.placement, size=cut.size, crop=cut.crop)


@dataclass(frozen=True, eq=False)
class PhotoIndex:
    """The n photographs of faces, row by row, without the pixels. Their keys are unique."""

    photos: tuple[FacePhoto, ...] = ()

    def __len__(self) -> int:
        return len(self.photos)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Everybody with at least one photograph, in order of first appearance."""
        return tuple(person for person in self._rows_of if person is not None)

    def rows_of(self, person: str | None) -> list[int]:
        """Return the rows of one person (None: of nobody named)."""
        return list(self._rows_of.get(person, ()))

    def row_of(self, key: str) -> int | None:
        """Return the row of a photograph, or None where it is not among them."""
        return self._row_of.get(key)

    @cached_property
    def by_path(self) -> Mapping[Path, FacePhoto]:
        """The photographs by path."""
        return {photo.path: photo for photo in self.photos}

    @cached_property
    def by_crop(self) -> Mapping[str, FacePhoto]:
        """The photographs by crop hash."""
        return {photo.crop: photo for photo in self.photos}

    def first(self, key: str, crop: str) -> FacePhoto | None:
        """Return the photograph that has this file, or this picture as its face."""
        row = self.row_of(key)
        return self.by_crop.get(crop) if row is None else self.photos[row]

    def select(self, rows: Sequence[int] | Numbers) -> PhotoIndex:
        """Return the photographs of these rows, in this order."""
        return PhotoIndex(tuple(self.photos[row] for row in rows))

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> PhotoIndex:
        """Return the index with other descriptions of some photographs, given by key."""
        return PhotoIndex(tuple(changed.get(p.key, p) for p in self.photos))

    @cached_property
    def _rows_of(self) -> dict[str | None, list[int]]:
        rows: dict[str | None, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.person, []).append(row)
        return rows

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {photo.key: row for row, photo in enumerate(self.photos)}
