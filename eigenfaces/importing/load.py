"""What photographs bring to a gallery: their faces, none of them twice, and what each replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from eigenfaces.errors import PhotoError, Tick, no_tick, part_of
from eigenfaces.faces.crop_frame import frame_of
from eigenfaces.faces.face_set import (
    Crops,
    FacePhoto,
    FaceSet,
    PhotoIndex,
    as_levels,
    described_anew,
    file_key,
)
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern
from eigenfaces.faces.read import (
    FaceReader,
    FaceReading,
    Loaded,
    Look,
    Read,
    each_of,
    face_of,
    read_face,
    take_meant,
)
from eigenfaces.photographs.photos import FoundPhotos, Photo, Placement, Skipped

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Noticed:
    """A photograph whose face was found, and what about it needs attention."""

    photo: Photo
    concerns: tuple[Concern, ...]

    @property
    def doubtful(self) -> bool:
        """Whether it may be no face."""
        return any(each.kind == "doubtful" for each in self.concerns)

    @property
    def guess(self) -> bool:
        """Whether it is a guess which of several faces is meant."""
        return any(each.kind == "guess" for each in self.concerns)


def load_faces(
    found: FoundPhotos,
    preparation: Preparation,
    tick: Tick = no_tick,
    *,
    known: FaceSet | None = None,
    already: Callable[[Photo], Loaded | None] | None = None,
    look: Look | None = None,
    notice: Callable[[Any], object] | None = None,
    guess: bool = False,
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
    known
        Faces that these will be joined with: they count as the first, and are not read again.
        Only a file that is among them under the same name, or that nobody is named on, is returned
        all the same: it is nothing new, and `FaceSet.join` passes it over.
    already
        Returns the face of a photograph that was read before, and is not read again.
    look
        Called with what each photograph with a face showed, where it is read.
    notice
        Called here with what ``look`` has returned.
    guess
        Take, of several faces on a person's photograph, the one that recurs on the others. Its
        reading, for ``look``, says whether it is a guess.
    """
    enrolled = known or FaceSet.empty(preparation.shape)
    reader = FaceReader(preparation, enrolled, already, look, guess)
    read_ones = _ReadFaces(len(found.photos), preparation.shape)
    noticed = notice or _nothing
    for row, result in enumerate(each_of(reader, found.photos, tick)):
        read_ones.keep(row, result, noticed)
    for row, reading in read_ones.chosen(enrolled).items():
        read_ones.keep(row, partial(reader.taking, reading), noticed)
    return read_ones.collected(found, enrolled.index)


def _nothing(noticed: object) -> None: ...


class _ReadFaces:
    """What came of each photograph: a face, why there is none, or several to choose from."""

    def __init__(self, photos: int, shape: tuple[int, int]) -> None:
        self._shape = shape
        self._crops = np.empty((photos, shape[0] * shape[1]), np.uint8)
        self._faces: dict[int, FacePhoto] = {}
        self._errors: dict[int, PhotoError] = {}
        self._several: dict[int, FaceReading] = {}

    def keep(
        self, row: int, result: Callable[[], Read], noticed: Callable[[object], object]
    ) -> None:
        """Keep what a function returns, or why it cannot."""
        try:
            read = result()
        except PhotoError as error:
            self._errors[row] = error
            return
        if isinstance(read, FaceReading):
            self._several[row] = read
            return
        self._faces[row], levels, seen = read
        self._crops[row] = levels.ravel()
        if seen is not None:
            noticed(seen)

    def chosen(self, enrolled: FaceSet) -> dict[int, FaceReading]:
        """Return the readings of several faces with those that are meant."""
        if not self._several:
            return {}
        read = Crops(self._crops.view(), np.array([*self._faces], np.intp))
        index = PhotoIndex(tuple(self._faces.values()))
        held = (enrolled, FaceSet(read, self._shape, index))
        return dict(zip(self._several, take_meant([*self._several.values()], held), strict=True))

    def collected(self, found: FoundPhotos, enrolled: PhotoIndex) -> FaceSet:
        """Return the faces, none twice; what cannot be used, with the reason."""
        skipped, rows, originals = list(found.skipped), [], Originals(enrolled)
        for row, photo in enumerate(found.photos):
            error = self._errors.get(row)
            if error is None and (first := originals.of(self._faces[row])) is not None:
                error = PhotoError(repeated(first, self._faces[row]), "duplicate")
            if error is None:
                rows.append(row)
            else:
                skipped.append(Skipped.from_error(error, photo))
        for place, row in enumerate(rows):  # upwards, in place: there is one copy of all crops
            if place != row:
                self._crops[place] = self._crops[row]
        index = PhotoIndex(tuple(self._faces[row] for row in rows))
        return FaceSet(Crops(self._crops[: len(rows)]), self._shape, index, tuple(skipped))


class Originals:
    """The first of all photographs so far that have the same file content, or the same crop."""

    def __init__(self, enrolled: PhotoIndex) -> None:
        self._enrolled = enrolled
        self._first: dict[str, FacePhoto] = {}

    def of(self, photo: FacePhoto) -> FacePhoto | None:
        """Return the photograph that this one repeats; where there is none, remember this one.

        An enrolled file may come again once, under the same name or none: that is no repetition.
        """
        held = self._enrolled.first(photo.key, photo.crop)
        if held is not None and (
            held.key != photo.key
            or photo.key in self._first
            or photo.person not in (None, held.person)
        ):
            return held
        first = self._first.get(photo.key) or self._first.get(photo.crop)
        if first is None:
            self._first[photo.key] = self._first[photo.crop] = photo
        return first

    def of_file(self, photo: FacePhoto) -> FacePhoto | None:
        """Return the other photograph with the same file, where a face is still to be chosen."""
        row = self._enrolled.row_of(photo.key)
        if row is not None and self._enrolled.photos[row].path != photo.path:
            return self._enrolled.photos[row]
        first = self._first.setdefault(photo.key, photo)
        return None if first is photo else first


def repeated(first: FacePhoto, second: FacePhoto) -> str:
    """Return the sentence that the second photograph repeats the first."""
    same = "file" if first.key == second.key else "picture"
    sentence = f"It is the same {same} as “{first.path.name}”, which is"
    if first.person == second.person:
        return f"{sentence} kept."
    person = first.person or "nobody"
    return (
        f"{sentence} filed under “{person}”. That one is kept: move it if the other name is right."
    )


@dataclass(frozen=True, eq=False)
class Enrolment:
    """What an import changes in a gallery: new faces, and which photographs they replace.

    What replaces a face is described as that was: by its name, and excluded if it was.
    """

    faces: FaceSet
    replaced: Mapping[str, FacePhoto]

    @classmethod
    def of(cls, faces: FaceSet, held: PhotoIndex) -> Enrolment:
        """Return what faces change among those held: new ones, and the ones they replace."""
        coming = {photo.key for photo in faces.index.photos}
        replaced, described = {}, {}
        for new in faces.index.photos:
            row = held.row_of(new.key)
            old = held.by_path.get(new.path) if row is None else held.photos[row]
            same = old is not None and old.key == new.key
            if old is None or (same and old.placement == new.placement):
                continue
            if same or old.key not in coming:  # else its file only has another name now
                replaced[new.key] = old
                person = old.person or new.person
                described[new.key] = replace(new, person=person, excluded=old.excluded)
        return cls(faces.with_photos(described), replaced)

    @property
    def places(self) -> dict[str, str]:
        """The key of the replaced face, by the key of the new one."""
        return {new: old.key for new, old in self.replaced.items()}


def not_placed_anew(held: FaceSet, photos: Sequence[Photo]) -> FaceSet:
    """Return the faces held whose photograph is not given another placement."""
    placed = {photo.path: photo.placement for photo in photos if photo.placement is not None}
    photos_held = held.index.photos
    kept = [r for r, p in enumerate(photos_held) if placed.get(p.path) in (None, p.placement)]
    return held if len(kept) == len(held) else held.select(kept)


Wanted = Sequence[tuple[FacePhoto, Placement | None]]
"""Faces, and where each is said to lie in its photograph now."""


def cut_again(wanted: Wanted, preparation: Preparation, tick: Tick = no_tick) -> FaceSet:
    """Cut faces anew from their photographs, each where it is said to lie, under the keys they had.

    Where photographs are taken whole, their eyes lie where somebody else has put them: a face whose
    eyes are given is cut to that frame (`crop_frame`). What is there no longer, or has changed, or
    shows no face now, is in ``skipped``.
    """
    given = [each for each in wanted if each[1] is not None and each[1].eyes is not None]
    if not (preparation.already_cropped and 0 < len(given) < len(wanted)):
        return _cut(wanted, preparation, tick)
    whole = [each for each in wanted if each[1] is None or each[1].eyes is None]
    crops = _cut(whole, preparation, part_of(tick, 0, 3))
    frame = frame_of(crops, part_of(tick, 1, 3))
    like = preparation if frame is None else frame.preparation(preparation)
    return crops.join(_cut(given, like, part_of(tick, 2, 3)))


def _cut(wanted: Wanted, preparation: Preparation, tick: Tick) -> FaceSet:
    def cut(photo: Photo) -> Loaded:
        return face_of(read_face(photo, preparation))

    photos = [Photo(face.path, face.person, where) for face, where in wanted]
    kept, crops, skipped = [], [], []
    results = each_of(cut, photos, tick)
    for (face, _), photo, result in zip(wanted, photos, results, strict=True):
        try:
            described, crop = result()
            if file_key(face.key) != described.key:
                raise PhotoError("Its file has changed since it was added.", "changed")
        except PhotoError as error:
            skipped.append(Skipped.from_error(error, photo))
            continue
        kept.append(described_anew(face, described))
        crops.append(as_levels(crop).ravel())
    size = preparation.height * preparation.width
    pixels = Crops(np.array(crops, np.uint8).reshape(len(kept), size))
    return FaceSet(pixels, preparation.shape, PhotoIndex(tuple(kept)), tuple(skipped))
