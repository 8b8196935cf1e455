"""The photographs behind faces: where each is, who is on it, and what identifies it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from eigenfaces.photographs.placement import WHOLE, Placement
from eigenfaces.space.arrays import Numbers
from eigenfaces.text import count


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
    return _words(len(photos), photographs(photos))


def described_anew(face: FacePhoto, cut: FacePhoto) -> FacePhoto:
    """Return a photograph whose face was cut again: with its old name and the new placement."""
    return replace(face, placement=cut.placement, size=cut.size, crop=cut.crop)


@dataclass(frozen=True, eq=False)
class PhotoIndex:
    """The n photographs of faces, row by row, without the pixels. Their keys are unique.

    What is known of all of them is worked out once, when it is first asked for.
    """

    photos: tuple[FacePhoto, ...] = ()

    def __len__(self) -> int:
        return len(self.photos)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Everybody with at least one photograph, in order of first appearance."""
        return tuple(person for person in self.rows_by_person if person is not None)

    def rows_of(self, person: str | None) -> list[int]:
        """Return the rows of one person (None: of nobody named)."""
        return list(self.rows_by_person.get(person, ()))

    def row_of(self, key: str) -> int | None:
        """Return the row of a photograph, or None where it is not among them."""
        return self.places.get(key)

    def rows_of_file(self, file: str) -> list[int]:
        """Return the rows of all faces on the photograph with this file key.

        >>> photos = [FacePhoto(Path("group.jpg"), None, k, (9, 9)) for k in ("5f", "6a", "5f-3")]
        >>> PhotoIndex(tuple(photos)).rows_of_file("5f")
        [0, 2]
        """
        row = self.places.get(file)
        return [*([] if row is None else [row]), *self._further.get(file, ())]

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

    @cached_property
    def included(self) -> tuple[int, ...]:
        """Rows that train: everything that is not excluded, named or not."""
        return tuple(row for row, photo in enumerate(self.photos) if not photo.excluded)

    @cached_property
    def enrolled(self) -> tuple[int, ...]:
        """Rows that probes are compared with: named and not excluded."""
        photos = self.photos
        return tuple(row for row in self.included if photos[row].person is not None)

    @cached_property
    def guesses(self) -> tuple[FacePhoto, ...]:
        """Photographs of somebody whose face is a guess, to be confirmed."""
        return tuple(p for p in self.photos if p.placement.source == "guess" and p.person)

    @cached_property
    def files(self) -> int:
        """How many photographs the faces lie on: the faces of a group share one file key."""
        further = self._further
        alone = len(self.photos) - sum(map(len, further.values()))
        return alone + sum(key not in self.places for key in further)

    @cached_property
    def _file_names(self) -> list[str]:
        """The name of each file, in small letters."""
        return _small([photo.path.name for photo in self.photos])

    @cached_property
    def _folder_names(self) -> list[str]:
        """The same with the folder that the file is in."""
        return _small(["/".join(photo.path.parts[-2:]) for photo in self.photos])

    def files_like(self, words: str, *, folder: bool = False) -> list[int]:
        """Return the rows of files that have these words in their name; or in their folder's.

        >>> photo = FacePhoto(Path("Seaside/By the sea.jpg"), "Ada", "5f0c", (90, 120))
        >>> index = PhotoIndex((photo, replace(photo, key="5f0d", path=Path("Seaside/9.jpg"))))
        >>> index.files_like("SEA"), index.files_like("SEA", folder=True)
        ([0], [0, 1])
        """
        wanted, names = words.strip().casefold(), self._file_names
        if folder:
            names = self._folder_names
        return [row for row, name in enumerate(names) if wanted in name]

    def rows_like(self, words: str) -> list[int]:
        """Return the rows of photographs whose person, or file, has these words in its name."""
        wanted = words.strip().casefold()
        if not wanted:
            return [*range(len(self))]
        people = (name for name in self.people if wanted in name.casefold())
        return sorted(
            {*self.files_like(words), *(r for name in people for r in self.rows_by_person[name])}
        )

    def people_like(self, words: str) -> list[str]:
        """Return the people who have these words in their name, or in that of a file."""
        wanted = words.strip().casefold()
        found = {self.photos[row].person for row in self.files_like(words)}
        return [name for name in self.people if name in found or wanted in name.casefold()]

    @property
    def words(self) -> str:
        """How many photos, or how many faces on how many, where some hold several."""
        return _words(len(self.photos), self.files)

    def words_of(self, rows: Sequence[int]) -> str:
        """Return the same of some rows."""
        if self.files == len(self.photos):
            return count(len(rows))
        return count_faces([self.photos[row] for row in rows])

    def select(self, rows: Sequence[int] | Numbers) -> PhotoIndex:
        """Return the photographs of these rows, in this order."""
        return PhotoIndex(tuple(self.photos[row] for row in rows))

    def with_photos(self, changed: Mapping[str, FacePhoto]) -> PhotoIndex:
        """Return the index with other descriptions of some photographs, given by key."""
        return PhotoIndex(tuple(changed.get(photo.key, photo) for photo in self.photos))

    def without(self, keys: Collection[str]) -> PhotoIndex:
        """Return the index without some photographs."""
        return PhotoIndex(tuple(photo for photo in self.photos if photo.key not in keys))

    def joined(self, new: Sequence[FacePhoto], placed: Mapping[int, FacePhoto]) -> PhotoIndex:
        """Return the index with more photographs at the end, and others in some rows."""
        photos = [*self.photos, *new]
        for row, photo in placed.items():
            photos[row] = photo
        return PhotoIndex(tuple(photos))

    @cached_property
    def rows_by_person(self) -> Mapping[str | None, list[int]]:
        """The rows of each person in order of first appearance (None: without a name)."""
        rows: dict[str | None, list[int]] = {}
        for row, photo in enumerate(self.photos):
            rows.setdefault(photo.person, []).append(row)
        return rows

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The row of every photograph, by its key."""
        return {photo.key: row for row, photo in enumerate(self.photos)}

    @cached_property
    def _further(self) -> dict[str, list[int]]:
        """By the key of a file: the rows of those of its faces whose keys have a number."""
        rows: dict[str, list[int]] = {}
        for row, photo in enumerate(self.photos):
            if "-" in photo.key:
                rows.setdefault(file_key(photo.key), []).append(row)
        return rows


def _small(names: list[str]) -> list[str]:
    """Return names in small letters: of all at once, which is much faster."""
    return "\n".join(name.replace("\n", " ") for name in names).casefold().split("\n")[: len(names)]


def _words(faces: int, files: int) -> str:
    return count(files) if files == faces else f"{count(faces, 'face')} on {count(files)}"
