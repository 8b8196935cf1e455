"""A photograph before it is added to a gallery: its reading, and corrections by a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.errors import PhotoError
from eigenfaces.faces.choose import FaceChoice, Textures, described
from eigenfaces.faces.detect import FoundFace
from eigenfaces.faces.face_set import (
    Crops,
    FacePhoto,
    FaceSet,
    PhotoIndex,
    as_levels,
    crop_hash,
    described_anew,
    file_key,
)
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern, concerns
from eigenfaces.faces.read import FaceReading, Loaded, Picture, face_on
from eigenfaces.photographs.decode import (
    LARGEST,
    colours,
    content_hash,
    read_bytes,
)
from eigenfaces.photographs.photos import Box, Eyes, Photo, Placement
from eigenfaces.space.arrays import Bytes
from eigenfaces.space.pca import as_grey


@dataclass(frozen=True)
class Correction:
    """The corrections of one photograph by a person.

    The place of its face (``eyes``, or the ``box`` around it), or whether all of it is the face
    (``cropped``; None: as for all others), after a number of quarter turns clockwise.
    """

    eyes: Eyes | None = None
    box: Box | None = None
    cropped: bool | None = None
    turned: int = 0


SMALL = 160
"""Pixels of the longer side of a photograph among the others."""

UNCORRECTED = Correction()
"""Nothing was said."""


def compressed(picture: Bytes) -> bytes:
    """Return a small copy of a photograph (h, w, 3) as JPEG: thousands are kept in memory."""
    file = BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=82)
    return file.getvalue()


@dataclass(frozen=True, eq=False)
class IncomingPhoto:
    """The reading of a photograph, small enough to keep thousands in memory.

    Parameters
    ----------
    photo
        The photograph, with its placement found or given.
    correction, preparation
        Those used for the reading.
    key, crop_key
        Hashes of its file and of its face; "" if there is none.
    size
        (h, w) of the photograph after turning.
    faces
        The faces found in it, from left to right; none if a person gave the placement.
    crops
        (m, h, w) all of them, in grey levels 0…255, if there are several.
    levels
        (h, w) the main face, in grey levels 0…255, or None.
    concerns
        What needs attention, the most serious first.
    thumbnail
        A small copy, as JPEG.
    large
        A copy (h, w, 3) that fills a window, if asked for.
    enrolled
        Whether it is already in the gallery, unchanged.
    cut_by
        How its face was cut, if otherwise than by ``preparation``: as the crops of a gallery are.
    """

    photo: Photo
    correction: Correction
    preparation: Preparation
    key: str = ""
    crop_key: str = ""
    size: tuple[int, int] = (0, 0)
    faces: tuple[FoundFace, ...] = ()
    crops: Bytes | None = None
    levels: Bytes | None = None
    concerns: tuple[Concern, ...] = ()
    thumbnail: bytes = b""
    large: Bytes | None = None
    enrolled: bool = False
    cut_by: Preparation | None = None

    @cached_property
    def textures(self) -> Textures:
        """The textures of all faces, if there are several."""
        assert self.crops is not None
        return described(self.crops)

    @property
    def undecided(self) -> bool:
        """Whether there are several faces, and no person has shown which one is meant."""
        placement = self.photo.placement
        found = placement is None or placement.source in ("found", "guess")
        return self.crops is not None and found

    def with_face(self, number: int, correction: Correction) -> IncomingPhoto:
        """Return the reading as if a person had shown one of its several faces."""
        assert self.crops is not None
        placement = Placement(self.faces[number].eyes, "by hand", correction.turned)
        return replace(self._placed(placement, number), correction=correction)

    def taking(self, choice: FaceChoice, person: str) -> IncomingPhoto:
        """Return the reading with the face that is likely to be meant, marked as a guess."""
        placement = Placement(self.faces[choice.face].eyes, choice.source, self.turned)
        made = self._placed(placement, choice.face, choice, person)
        if choice.kind != "ask":
            return made
        asked = Concern("several faces", choice.reason(person), "Choose the one that is meant.")
        return replace(made, concerns=(asked,))

    def _placed(
        self,
        placement: Placement,
        number: int,
        choice: FaceChoice | None = None,
        person: str | None = None,
    ) -> IncomingPhoto:
        assert self.crops is not None
        levels, photo = self.crops[number], replace(self.photo, placement=placement)
        crop = as_grey(levels)
        named = replace(photo, person=person)
        seen = FaceReading(named, self.key, self.size, self.faces, crop, self.crops, choice)
        return replace(
            self,
            photo=photo,
            crop_key=crop_hash(crop),
            levels=levels,
            concerns=concerns(seen, self.cut_by or self.preparation),
        )

    @property
    def crop(self) -> NDArray[np.float32] | None:
        """The main face, (h, w) in 0…1, as it will be in the gallery."""
        return None if self.levels is None else as_grey(self.levels)

    @property
    def unreadable(self) -> bool:
        """Whether the file cannot be read, so that no correction helps."""
        return any(each.kind == "unreadable" for each in self.concerns)

    @property
    def turned(self) -> int:
        """By how many quarter turns clockwise it is shown."""
        return self.photo.placement.turned if self.photo.placement else self.correction.turned

    @property
    def eyes(self) -> Eyes | None:
        """The eyes of the main face; None if there is no face, or all of the photo is the face."""
        return self.photo.placement.eyes if self.photo.placement else None

    @property
    def whole(self) -> bool:
        """Whether all of the photograph is the face."""
        return self.levels is not None and self.eyes is None

    def described(self, person: str | None) -> FacePhoto:
        """Return its photograph as it will be in the gallery."""
        photo, placement = self.photo, self.photo.placement
        assert placement is not None  # there is a face
        return FacePhoto(
            photo.path, person, self.key, self.size, placement=placement, crop=self.crop_key
        )

    def loaded(self, person: str | None) -> Loaded | None:
        """Return its face as it will be enrolled, or None if there is none."""
        crop = self.crop
        return None if crop is None else (self.described(person), crop)


@dataclass(frozen=True, eq=False)
class Task:
    """A photograph to read, its correction, and its reading from before.

    ``large``: whether a copy that fills a window is needed, too.
    """

    photo: Photo
    correction: Correction
    before: IncomingPhoto | None = None
    large: bool = False

    @property
    def has_no_place(self) -> bool:
        """Whether nothing was said or found of where its face lies."""
        return (self.photo.placement, self.correction, self.before) == (None, UNCORRECTED, None)


def as_asked(preparation: Preparation) -> Preparation:
    """Return the preparation that was asked for."""
    return preparation


def read_incoming(
    task: Task,
    preparation: Preparation,
    enrolled: FaceSet,
    adding: Callable[[Preparation], Preparation] = as_asked,
) -> IncomingPhoto:
    """Return the reading of a photograph; if it cannot be used, with the reason.

    ``adding`` returns how a face is cut that is added to those enrolled.
    """
    before = task.before
    if before is not None and before.levels is None and not (before.faces or before.unreadable):
        return replace(before, preparation=preparation)  # there is no face to crop again
    made = IncomingPhoto(task.photo, task.correction, preparation)
    try:
        content = read_bytes(task.photo.path)
        row = _row(task, enrolled, content)
        if row is not None:
            return _as_enrolled(made, enrolled, row, content)
        whole = preparation.already_cropped and task.has_no_place
        made = replace(made, cut_by=None if whole else adding(preparation))
        picture, reading = _reading(task, made.cut_by or preparation, content)
        return _with(made, reading, picture, large=task.large)
    except PhotoError as error:
        said = task.photo.placement is not None or task.correction != UNCORRECTED
        remedy = "" if said else "Put a readable copy in its place, or leave it out."
        return replace(made, concerns=(Concern("unreadable", str(error), remedy),))


def _row(task: Task, enrolled: FaceSet, content: bytes) -> int | None:
    """Return the row of a photograph in the gallery, if its face has the corrected placement."""
    row = enrolled.index.row_of(content_hash(content)) if len(enrolled) else None
    if row is None or task.correction != UNCORRECTED:
        return None
    held = enrolled.index.photos[row].placement
    if held.source == "guess":  # it is searched again: a person may confirm it now
        return None
    return row if task.photo.placement in (None, held) else None


def _as_enrolled(made: IncomingPhoto, enrolled: FaceSet, row: int, content: bytes) -> IncomingPhoto:
    held = enrolled.index.photos[row]
    return replace(
        made,
        photo=replace(made.photo, placement=held.placement),
        key=held.key,
        crop_key=held.crop,
        size=held.size,
        levels=as_levels(enrolled.image(row)),
        thumbnail=compressed(colours(content, SMALL, held.placement.turned)),
        enrolled=True,
    )


def _reading(task: Task, preparation: Preparation, content: bytes) -> tuple[Picture, FaceReading]:
    """Return the picture and its reading; the face is searched for only if its place is unknown."""
    correction, photo, before = task.correction, task.photo, task.before
    if correction.cropped is not None:
        preparation = replace(preparation, already_cropped=correction.cropped)
    if before is not None and before.undecided:  # only the crops have changed
        picture = Picture(content, before.turned)
        best = sorted(before.faces, key=lambda face: -face.score)
        return picture, face_on(picture, photo, preparation, tuple(best))
    if before is not None and before.eyes is not None:  # only the crop has changed
        photo = replace(photo, placement=before.photo.placement)
        picture = Picture(content, before.turned)
        return picture, replace(face_on(picture, photo, preparation), faces=before.faces)
    corrected = correction != UNCORRECTED
    turned = photo.placement.turned if photo.placement and not corrected else correction.turned
    picture, photo = Picture(content, turned), replace(photo, turned=turned)
    if corrected:
        photo = replace(photo, placement=_placement(correction, picture))
    return picture, face_on(picture, photo, preparation)


def _placement(correction: Correction, picture: Picture) -> Placement | None:
    """Return the placement that a person gave, or None."""
    eyes = correction.eyes
    if correction.box is not None:
        eyes = picture.eyes_in_box(correction.box)
    said = eyes is not None or correction.cropped is True
    return Placement(eyes, "by hand", correction.turned) if said else None


def _with(
    made: IncomingPhoto, reading: FaceReading, picture: Picture, *, large: bool
) -> IncomingPhoto:
    crop, crops = reading.crop, reading.crops
    across = sorted(range(len(reading.faces)), key=lambda at: reading.faces[at].eyes.middle.real)
    return replace(
        made,
        photo=reading.photo,
        key=reading.key,
        crop_key="" if crop is None else crop_hash(crop),
        size=reading.size,
        faces=tuple(reading.faces[at] for at in across),
        crops=None if crops is None else crops[across],
        levels=None if crop is None else as_levels(crop),
        concerns=concerns(reading, made.cut_by or made.preparation),
        thumbnail=compressed(picture.colours(SMALL)),
        large=picture.colours(LARGEST) if large else None,
    )


CHANGED = (
    "Its file has changed since it was read, so nothing can be mended here. Put the old file back, "
    "or add the new one."
)


@dataclass(frozen=True, eq=False)
class ShownFace:
    """A face that can be mended, and its photograph.

    Parameters
    ----------
    photo
        The photograph, with the placement of the face, or None where there is no face so far.
    key
        The key of the face; "" where there is none.
    cut
        (h, w) the face as it is cut now, in grey levels 0…255, or None.
    """

    photo: Photo
    key: str = ""
    cut: Bytes | None = None

    def levels(self, reading: IncomingPhoto) -> Bytes:
        """Return the mended face in grey levels (h, w); raise `PhotoError` if there is none."""
        if self.key and reading.key and file_key(self.key) != reading.key:
            raise PhotoError(CHANGED, "changed")
        if reading.levels is None:
            raise PhotoError(reading.concerns[0].reason, "no face")
        return reading.levels


def mended_faces(
    held: PhotoIndex, mended: Mapping[str, IncomingPhoto], shape: tuple[int, int]
) -> FaceSet:
    """Return faces of a gallery, by key, as they were cut again: with the names they had.

    Raises
    ------
    PhotoError
        A file has changed, or shows no face; or the face is no longer in the gallery.
    """
    photos, rows = [], []
    for key, reading in mended.items():
        row = held.row_of(key)
        if row is None:
            raise PhotoError("This face is no longer in the gallery.", "changed")
        face = held.photos[row]
        rows.append(ShownFace(reading.photo, key).levels(reading).ravel())
        photos.append(described_anew(face, reading.described(face.person)))
    pixels = Crops(np.array(rows, np.uint8).reshape(len(rows), shape[0] * shape[1]))
    return FaceSet(pixels, shape, PhotoIndex(tuple(photos)))
