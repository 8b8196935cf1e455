"""Photographs as a person corrects them: before they are added to a gallery, or shown already."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Self

from PIL import Image

from eigenfaces.errors import PhotoError
from eigenfaces.faces.face_choice import EVERY, FaceChoice
from eigenfaces.faces.face_set import FaceSet, PhotoIndex, file_key, recropped
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern, concerns
from eigenfaces.faces.read import FaceReading, Picture, as_enrolled, read_face
from eigenfaces.photographs.decode import colours, content_hash, read_bytes
from eigenfaces.photographs.photos import Box, Eyes, Photo, Placement
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.pca import as_grey

SMALL = 160
"""Pixels of the longer side of a photograph among the others."""


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


UNCORRECTED = Correction()
"""Nothing was said."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ReviewReading(FaceReading):
    """The reading of a photograph for a person, small enough to keep thousands in memory."""

    correction: Correction  # those used for the reading
    preparation: Preparation
    concerns: tuple[Concern, ...] = ()  # what needs attention, the most serious first
    thumbnail: bytes = b""  # a small copy, as JPEG
    enrolled: bool = False  # whether it is already in the gallery, unchanged
    # how its face was cut, if otherwise than by ``preparation``: as the crops of a gallery are
    cut_by: Preparation | None = None

    @property
    def undecided(self) -> bool:
        """Whether there are several faces, and no person has shown which one is meant."""
        placement = self.photo.placement
        found = placement is None or placement.source in ("found", "guess")
        return self.crops is not None and found

    def with_face(self, number: int, correction: Correction) -> Self:
        """Return the reading as if a person had shown one of its several faces."""
        assert self.crops is not None
        placement = Placement(self.faces[number].eyes, "by hand", correction.turned)
        photo, levels = replace(self.photo, placement=placement), self.crops[number]
        return replace(self, photo=photo, levels=levels, correction=correction).judged()

    def guessing(self, choice: FaceChoice, person: str | None) -> Self:
        """Return the reading with the face that is likely to be meant, marked as a guess."""
        if choice is EVERY:
            return replace(self, choice=EVERY, concerns=())
        made = self.taking(choice)
        if choice.kind != "ask" or self.crops is None:
            return made.judged(person)
        why = choice.reason(person or "this person")
        asked = Concern("several faces", why, "Choose the one that is meant.")
        return replace(made, concerns=(asked,))

    def judged(self, person: str | None = None) -> Self:
        """Return the reading with what needs attention in it."""
        named = replace(self, photo=replace(self.photo, person=person))
        return replace(self, concerns=concerns(named, self.cut_by or self.preparation))

    @property
    def crop(self) -> Floats | None:
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
    def whole(self) -> bool:
        """Whether all of the photograph is the face."""
        return self.levels is not None and self.eyes is None


@dataclass(frozen=True, eq=False)
class Task:
    """A photograph to read, its correction, and its reading from before."""

    photo: Photo
    correction: Correction
    before: ReviewReading | None = None


def read_for_review(
    task: Task,
    preparation: Preparation,
    enrolled: FaceSet,
    adding: Callable[[Preparation], Preparation] = lambda asked: asked,
) -> ReviewReading:
    """Return the reading of a photograph; if it cannot be used, with the reason.

    ``adding`` returns how a face is cut that is added to those enrolled.
    """
    photo, correction, before = task.photo, task.correction, task.before
    if before is not None and before.levels is None and not (before.faces or before.unreadable):
        return replace(before, preparation=preparation)  # there is no face to crop again
    made = ReviewReading(photo, correction=correction, preparation=preparation)
    try:
        content = read_bytes(photo.path)
        row = enrolled.index.row_of(content_hash(content)) if len(enrolled) else None
        if row is not None and correction == UNCORRECTED:
            held = enrolled.index.photos[row].placement
            # A guess is searched again: a person may confirm it now.
            if held.source != "guess" and photo.placement in (None, held):
                small = _compressed(colours(content, SMALL, held.turned))
                known = as_enrolled(photo, enrolled, row)
                return _with(made, known, thumbnail=small, enrolled=True)
        placed = photo.placement is not None or correction != UNCORRECTED or before is not None
        cut_by = None if preparation.already_cropped and not placed else adding(preparation)
        picture, reading = _read(task, cut_by or preparation, content)
        small = _compressed(picture.colours(SMALL))
        return _with(made, reading, thumbnail=small, cut_by=cut_by).judged()
    except PhotoError as error:
        said = photo.placement is not None or correction != UNCORRECTED
        remedy = "" if said else "Put a readable copy in its place, or leave it out."
        return replace(made, concerns=(Concern("unreadable", str(error), remedy),))


def _with(made: ReviewReading, reading: FaceReading, **more: Any) -> ReviewReading:
    """Return a reading for a person, with what was read."""
    read = {name: getattr(reading, name) for name in FaceReading.__dataclass_fields__}
    return replace(made, **read, **more)


def _compressed(picture: Bytes) -> bytes:
    """Return a small copy of a photograph (h, w, 3) as JPEG: thousands are kept in memory."""
    file = BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=82)
    return file.getvalue()


def _read(task: Task, preparation: Preparation, content: bytes) -> tuple[Picture, FaceReading]:
    """Return the picture and its reading; the face is searched for only if its place is unknown."""
    correction, photo, before = task.correction, task.photo, task.before
    if correction.cropped is not None:
        preparation = replace(preparation, already_cropped=correction.cropped)
    if before is not None and (before.undecided or before.eyes is not None):  # of another size
        picture = Picture(content, before.turned)
        placement = None if before.undecided else before.photo.placement
        photo = replace(photo, turned=before.turned, placement=placement)
        reading = read_face(photo, preparation, picture, before.faces)
        return picture, replace(reading, faces=before.faces)
    turned = correction.turned
    if photo.placement is not None and correction == UNCORRECTED:
        turned = photo.placement.turned
    picture, photo = Picture(content, turned), replace(photo, turned=turned)
    if correction != UNCORRECTED:
        eyes = picture.eyes_in_box(correction.box) if correction.box else correction.eyes
        said = eyes is not None or correction.cropped is True
        placement = Placement(eyes, "by hand", turned) if said else None
        photo = replace(photo, placement=placement)
    return picture, read_face(photo, preparation, picture)


@dataclass(frozen=True, eq=False)
class EditableFace:
    """A face that can be mended, and its photograph.

    The photograph may be one of a gallery, one that was asked about, or one without a face so far.
    """

    # the photograph, with the placement of the face, or None where there is no face so far
    photo: Photo
    key: str = ""  # the key of the face; "" where there is none
    cut: Bytes | None = None  # (h, w) the face as it is cut now, in grey levels 0…255, or None

    def levels(self, reading: ReviewReading) -> Bytes:
        """Return the mended face in grey levels (h, w); raise `PhotoError` if there is none."""
        if self.key and reading.key and file_key(self.key) != reading.key:
            raise PhotoError(
                "Its file has changed since it was read, so nothing can be mended here. Put the "
                "old file back, or add the new one.",
                "changed",
            )
        if reading.levels is None:
            raise PhotoError(reading.concerns[0].reason, "no face")
        return reading.levels


def recropped_faces(
    held: PhotoIndex, mended: Mapping[str, ReviewReading], shape: tuple[int, int]
) -> FaceSet:
    """Return faces of a gallery, by key, as they were cut again: with the names they had.

    Raises
    ------
    PhotoError
        A file has changed, or shows no face; or the face is no longer in the gallery.
    """
    cuts = []
    for key, reading in mended.items():
        row = held.row_of(key)
        if row is None:
            raise PhotoError("This face is no longer in the gallery.", "changed")
        face = held.photos[row]
        levels = EditableFace(reading.photo, key).levels(reading)
        cuts.append((recropped(face, reading.described(face.person)), levels))
    return FaceSet.of(cuts, shape)
