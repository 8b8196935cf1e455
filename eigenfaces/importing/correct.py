"""The user's corrections to photographs, before and after they are added to a gallery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from io import BytesIO
from typing import Any, Self

from PIL import Image

from eigenfaces.errors import PhotoError
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.faces.identity import FaceId, FacePhoto, match_faces, number_faces
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern, concerns
from eigenfaces.faces.read import FaceReading, Picture, enrolled_reading, read_face
from eigenfaces.photographs.decode import colours, content_hash, read_bytes
from eigenfaces.photographs.find import Photo
from eigenfaces.photographs.placement import Box, Eyes, Placement
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.pca import as_grey

THUMBNAIL_SIDE = 160  # longer side of a thumbnail in pixels


@dataclass(frozen=True)
class Correction:
    """Corrections made to a photograph by the user."""

    eyes: Eyes | None = None  # the eyes of the face …
    box: Box | None = None  # … or the box around it
    cropped: bool | None = None  # whether the whole photo is the face; None: as for all others
    thorough: bool = False  # whether to search for small and hidden faces as well
    # clockwise quarter turns, applied first; None: unchanged, or rotated until a face is upright
    turned: int | None = None

    @property
    def shows_face(self) -> bool:
        """Whether the user has shown where the face is."""
        return self.eyes is not None or self.box is not None or self.cropped is True


UNCORRECTED = Correction()


@dataclass(frozen=True, eq=False, kw_only=True)
class ReviewReading(FaceReading):
    """Reading of a photograph for review, small enough for thousands to fit into memory."""

    correction: Correction  # the correction that it was read with
    preparation: Preparation
    thumbnail: bytes = b""  # a small copy, as JPEG
    enrolled: bool = False  # whether it is already in the gallery, unchanged
    unreadable: Concern | None = None  # why the file cannot be read; then no correction helps

    @cached_property
    def concerns(self) -> tuple[Concern, ...]:
        """The problems that need attention, the most serious first."""
        if self.unreadable is not None:
            return (self.unreadable,)
        return () if self.enrolled else concerns(self, self.preparation)

    @property
    def undecided(self) -> bool:
        """Whether there are several faces, and the user has not chosen one."""
        return self.several and self.was_detected

    @property
    def turned_by_program(self) -> bool:
        """Whether the program itself rotated the photograph to make a face upright."""
        return self.was_detected and self.turned != 0 and self.correction.turned is None

    def with_face(self, number: int, correction: Correction) -> Self:
        """Return the reading with the face that the user has chosen from several."""
        return replace(self.with_main(number, "by hand", correction.turned), correction=correction)

    @property
    def crop(self) -> Floats | None:
        """The main face (h, w) as grey values 0…1, just as it will be in the gallery."""
        return None if self.levels is None else as_grey(self.levels)


@dataclass(frozen=True, eq=False)
class ReadTask:
    """Task to read a photograph, with the user's correction and any previous reading."""

    photo: Photo
    correction: Correction
    before: ReviewReading | None = None


def read_for_review(task: ReadTask, preparation: Preparation, enrolled: FaceSet) -> ReviewReading:
    """Return the reading of a photograph, with the reason if it cannot be used."""
    photo, correction, before = task.photo, task.correction, task.before
    if before is not None and not (before.crops or before.unreadable):
        return replace(before, preparation=preparation)  # there is no face to crop again

    def made(reading: FaceReading, **more: Any) -> ReviewReading:
        read = {field.name: getattr(reading, field.name) for field in fields(FaceReading)}
        return ReviewReading(**read, **more, correction=correction, preparation=preparation)

    try:
        content = read_bytes(photo.path)
        rows = enrolled.index.rows_in_file(photo.path, content_hash(content))
        faces = [enrolled.index.photos[row] for row in rows]
        if faces and correction == UNCORRECTED:
            # After a guess, search again: the user may want to confirm it.
            sure = all(face.placement.source != "guess" for face in faces)
            placed = [(face.placement, face.photograph.turned) for face in faces]
            if sure and (photo.placement is None or (photo.placement, photo.turned) in placed):
                named = [face.person == photo.person for face in faces]
                row = rows[named.index(True) if any(named) else 0]
                turned = enrolled.index.photos[row].photograph.turned
                small = _as_jpeg(colours(content, THUMBNAIL_SIDE, turned))
                return made(enrolled_reading(photo, enrolled, row), thumbnail=small, enrolled=True)
        picture, reading = _read(task, preparation, content)
        return made(reading, thumbnail=_as_jpeg(picture.colours(THUMBNAIL_SIDE)))
    except PhotoError as error:
        corrected = photo.placement is not None or correction != UNCORRECTED
        remedy = "" if corrected else "Put a readable copy in its place, or leave it out."
        unreadable = Concern("unreadable", str(error), remedy)
        return made(FaceReading(photo), unreadable=unreadable)


def _as_jpeg(picture: Bytes) -> bytes:
    """Encode a thumbnail (h, w, 3) as JPEG, so that thousands fit into memory."""
    file = BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=82)
    return file.getvalue()


def _read(task: ReadTask, preparation: Preparation, content: bytes) -> tuple[Picture, FaceReading]:
    """Return the picture and its reading; search for the face only if its position is unknown."""
    correction, photo, before = task.correction, task.photo, task.before
    if before is not None and before.sha != content_hash(content):
        before = None  # its eyes belong to another picture
    if correction.cropped is not None:
        preparation = replace(preparation, already_cropped=correction.cropped)
    if before is not None and (before.undecided or before.eyes is not None):  # in another size
        picture = Picture(content, before.turned)
        placement = None if before.undecided else before.photo.placement
        photo = replace(photo, turned=before.turned, placement=placement)
        reading = read_face(photo, preparation, picture, before.faces)
        return picture, replace(reading, faces=before.faces)
    turned = correction.turned
    if photo.placement is not None and correction == UNCORRECTED:
        turned = photo.turned
    picture = Picture(content, turned)
    photo = replace(photo, turned=turned or 0)
    if correction != UNCORRECTED:
        eyes = picture.eyes_in_box(correction.box) if correction.box else correction.eyes
        shown = eyes is not None or correction.cropped
        placement = Placement(eyes, "by hand") if shown else None
        photo = replace(photo, placement=placement)
    if correction.thorough:
        photo = replace(photo, regions=())
    return picture, read_face(photo, preparation, picture, thorough=correction.thorough)


@dataclass(frozen=True, eq=False)
class EditableFace:
    """Face that can be corrected: one in a gallery or a probe, or one missed in a photograph."""

    # the photograph with the placement of the face, or without one if there is no face so far
    photo: Photo
    face: FaceId | None = None  # None if there is no face
    cut: Bytes | None = None  # (h, w) the present crop in grey levels 0…255, or None

    def levels(self, reading: ReviewReading) -> Bytes:
        """Return the corrected face as grey levels (h, w); raise `PhotoError` if there is none."""
        if self.face is not None and reading.sha and self.face.sha != reading.sha:
            raise PhotoError(
                "Its file has changed since it was read, so nothing can be corrected here. Put the "
                "old file back, or add the new one.",
                "changed",
            )
        if reading.levels is None:
            concerned = [concern.reason for concern in reading.concerns]
            raise PhotoError(concerned[0] if concerned else str(reading.refusal), "no face")
        return reading.levels


def recropped_faces(
    index: PhotoIndex, readings: Mapping[FaceId, ReviewReading], shape: tuple[int, int]
) -> FaceSet:
    """Return faces from a gallery with new crops, under their existing names.

    Raises
    ------
    PhotoError
        A file has changed or shows no face, or the face is no longer in the gallery.
    """
    cuts = []
    for known, reading in readings.items():
        row = index.row_of(known)
        if row is None:
            raise PhotoError("This face is no longer in the gallery.", "changed")
        face = index.photos[row]
        levels = EditableFace(reading.photo, known).levels(reading)
        cuts.append((face.cut_again(reading.face_photo(face.person)), levels))
    return FaceSet.of(cuts, shape)


def missed_face(
    index: PhotoIndex,
    reading: ReviewReading,
    person: str | None,
    also: Sequence[FacePhoto] = (),
) -> FaceSet:
    """Return an additional face that the user has marked in a photograph of a gallery.

    ``also`` contains numbered faces that are not in the gallery.

    Raises
    ------
    PhotoError
        The file has changed or shows no face, or the face is already in the gallery.
    """
    known = [index.photos[row] for row in index.rows_by_sha.get(reading.sha, ())]
    file = known[0].id if known else FaceId("")  # "": the file is not in the gallery
    levels = EditableFace(reading.photo, file).levels(reading)
    face = reading.face_photo(person)
    if here := match_faces(known, [face]):
        who = known[here[0]].person
        named = f"It is {who}." if who else "It has no name yet."
        raise PhotoError(f"This face is already in the gallery. {named}", "duplicate")
    listed = [other for other in also if other.photograph.sha == reading.sha]
    matched = {new: listed[old] for new, old in match_faces(listed, [face]).items()}
    used = {other.number for other in (*known, *listed)}
    return FaceSet.of(
        [(number, levels) for number in number_faces([face], matched, used)], levels.shape
    )
