"""One look at a photograph on its way into the gallery: where its face lies, and what is amiss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import PhotoError
from eigenfaces.faces.detection import FoundFace
from eigenfaces.faces.face_reading import Sighting, eyes_in_box, look_at
from eigenfaces.faces.face_set import FacePhoto, FaceSet, crop_hash
from eigenfaces.faces.preparation import Preparation
from eigenfaces.faces.quality import Concern, concerns
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.photographs.photos import Photo
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.photographs.thumbnails import compressed
from eigenfaces.samples import read_mended

Box = tuple[float, float, float]
"""Left, top and size of a square, in pixels of the photograph as it is turned."""

_TITLES = {
    "no face": "No face found",
    "several faces": "Several faces",
    "doubtful": "Perhaps no face",
    "cut off": "Cut off by the border",
    "tiny": "Very small",
    "blurred": "Blurred",
    "dark": "Very dark",
}


@dataclass(frozen=True)
class Choice:
    """What somebody said about one photograph.

    Where its face lies (``eyes``, or the ``box`` around it), or whether all of it is the face
    (``cropped``; None: as with all the others), after a number of quarter turns clockwise.
    """

    eyes: Eyes | None = None
    box: Box | None = None
    cropped: bool | None = None
    turned: int = 0


PLAIN = Choice()
"""Nothing was said."""


@dataclass(frozen=True)
class Remark:
    """Something about a photograph that needs attention: in two words, the reason, the remedy."""

    title: str
    reason: str
    remedy: str = ""

    @classmethod
    def on(cls, concern: Concern) -> Remark:
        # Where no face can be cut out, the reason says itself what to do.
        own = {"no face": "Turn it first if it lies on its side.", "several faces": ""}
        remedy = own.get(concern.kind, concern.remedy)
        return cls(_TITLES[concern.kind], concern.reason, remedy)


class Known:
    """The faces of the gallery, to tell what is nothing new."""

    def __init__(self, faces: FaceSet) -> None:
        self.faces = faces
        self.rows = {photo.key: row for row, photo in enumerate(faces.photos)}
        self.places = {photo.path: photo for photo in faces.photos}

    @cached_property
    def pictures(self) -> Mapping[str, FacePhoto]:
        """The photographs by the hashes of their faces."""
        return {photo.crop: photo for photo in self.faces.photos}

    def holds(self, photo: Photo, key: str, choice: Choice) -> bool:
        """Say whether a photograph is in the gallery with its face where it is said to lie."""
        row = self.rows.get(key)
        if row is None or choice != PLAIN:
            return False
        return photo.placement in (None, self.faces.photos[row].placement)


@dataclass(frozen=True, eq=False)
class Look:
    """What a look at one photograph gave, small enough to keep for thousands of them.

    Parameters
    ----------
    photo
        The photograph, its placement as it was found or said.
    choice, preparation
        What it was looked at with.
    key, picture
        Hashes of its file and of its face, "" where there is none.
    size
        (h, w) of the photograph as it is turned.
    faces
        The faces found in it; none where it was said where the face lies.
    levels
        (h, w) the face that is meant, in grey levels 0…255, or None.
    remarks
        What needs attention, the gravest first.
    thumbnail
        The photograph, small, as JPEG.
    refused
        Whether it cannot be used at all.
    known
        Whether it is in the gallery already, unchanged.
    """

    photo: Photo
    choice: Choice
    preparation: Preparation
    key: str = ""
    picture: str = ""
    size: tuple[int, int] = (0, 0)
    faces: tuple[FoundFace, ...] = ()
    levels: NDArray[np.uint8] | None = None
    remarks: tuple[Remark, ...] = ()
    thumbnail: bytes = b""
    refused: bool = False
    known: bool = False

    @property
    def crop(self) -> NDArray[np.float32] | None:
        """The face that is meant, (h, w) in 0…1, as it will be in the gallery."""
        return None if self.levels is None else (self.levels / 255).astype(np.float32)

    @property
    def turned(self) -> int:
        """Quarter turns clockwise that it is shown with."""
        return self.photo.placement.turned if self.photo.placement else self.choice.turned

    @property
    def eyes(self) -> Eyes | None:
        """The eyes of the face that is meant; None if there is none, or all of it is the face."""
        return self.photo.placement.eyes if self.photo.placement else None


@dataclass(frozen=True, eq=False)
class Task:
    """A photograph to look at, what was said about it, and the look that there was before."""

    photo: Photo
    choice: Choice
    before: Look | None = None


def look(task: Task, preparation: Preparation, known: Known) -> Look:
    """Look at a photograph; one that cannot be used comes with the reason."""
    before = task.before
    if before is not None and before.levels is None and not before.refused:
        return replace(before, preparation=preparation)  # there is no face to cut otherwise
    made = Look(task.photo, task.choice, preparation)
    try:
        content = read_mended(task.photo.path)
        key = content_hash(content)
        if known.holds(task.photo, key, task.choice):
            return _known_look(made, known, content)
        sighting = _sighting(task, preparation, content)
        return _seen(made, sighting, known, compressed(content, task.choice.turned))
    except PhotoError as error:
        said = task.photo.placement is not None or task.choice != PLAIN
        remedy = "" if said else "Put a readable copy in its place, or leave it out."
        remark = Remark("Cannot be used", str(error), remedy)
        return replace(made, remarks=(remark,), refused=True)


def _known_look(made: Look, known: Known, content: bytes) -> Look:
    row = known.rows[content_hash(content)]
    held = known.faces.photos[row]
    levels = np.rint(known.faces.image(row) * 255).astype(np.uint8)
    return replace(
        made,
        photo=replace(made.photo, placement=held.placement),
        key=held.key,
        size=held.size,
        levels=levels,
        thumbnail=compressed(content, held.placement.turned),
        known=True,
    )


def _sighting(task: Task, preparation: Preparation, content: bytes) -> Sighting:
    """Find the face, or cut it where it is said or known to lie already."""
    choice, photo, before = task.choice, task.photo, task.before

    def read(_: Path) -> bytes:
        return content

    if choice.cropped is not None:
        preparation = replace(preparation, already_cropped=choice.cropped)
    if before is not None and before.eyes is not None:  # only cut otherwise now
        placed = replace(photo, placement=before.photo.placement)
        return replace(look_at(placed, preparation, read), faces=before.faces)
    return look_at(_placed(photo, choice, read), preparation, read, turned=choice.turned)


def _placed(photo: Photo, choice: Choice, read: Callable[[Path], bytes]) -> Photo:
    """Say where the face of a photograph lies, as far as somebody has."""
    if choice == PLAIN:
        return photo
    eyes = choice.eyes
    if choice.box is not None:
        eyes = eyes_in_box(photo.path, choice.box, choice.turned, read)
    said = eyes is not None or choice.cropped is True
    return replace(photo, placement=Placement(eyes, "by hand", choice.turned) if said else None)


def _seen(made: Look, sighting: Sighting, known: Known, thumbnail: bytes) -> Look:
    remarks = [Remark.on(concern) for concern in concerns(sighting, made.preparation)]
    picture, levels, refused = "", None, False
    if sighting.crop is not None:
        picture = crop_hash(sighting.crop)
        levels = np.rint(sighting.crop * 255).astype(np.uint8)
        held = known.pictures.get(picture)
        if held is not None and held.key != sighting.key:
            remarks.insert(0, repeated(held.path.name, held.person, same_file=False))
            refused = True
    return replace(
        made,
        photo=sighting.photo,
        key=sighting.key,
        picture=picture,
        size=sighting.size,
        faces=sighting.faces,
        levels=levels,
        remarks=tuple(remarks),
        thumbnail=thumbnail,
        refused=refused,
    )


def repeated(first: str, person: str | None, *, same_file: bool) -> Remark:
    """Say that a photograph is there twice."""
    same = "file" if same_file else "picture"
    where = f", filed under “{person}”" if person else ""
    return Remark(
        "Duplicate",
        f"It is the same {same} as “{first}”{where}, which is kept.",
        "Leave the other one out if this is the right one.",
    )
