"""What one photograph shows: the faces found in it, the one that is meant, and its crop."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from eigenfaces.arrays import Floats
from eigenfaces.errors import PhotoError
from eigenfaces.faces.alignment import align
from eigenfaces.faces.detection import LONGEST_SIDE, FoundFace, find_faces, general_faces
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.decoding import content_hash, decode, read_bytes, upright_size
from eigenfaces.photographs.photos import Photo
from eigenfaces.photographs.placement import Eyes, Placement

ReadFile = Callable[[Path], bytes]

RIVAL = 2
"""The most certain face is the one that is meant if all others are so many times smaller."""

_CLOSEST = 4
"""Pixels between two eyes, at least."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """What a look at one photograph gave.

    Parameters
    ----------
    photo
        The photograph; its placement is where the face that is meant lies, or None: no face was
        found, or several rival.
    key
        SHA-256 of the file.
    size
        (h, w) in pixels, upright, and turned as was asked for.
    faces
        The faces found, the most certain first; none where it was said where the face lies.
    crop
        (h, w): the face that is meant, or None.
    """

    photo: Photo
    key: str
    size: tuple[int, int]
    faces: tuple[FoundFace, ...]
    crop: Floats | None

    @property
    def doubtful(self) -> bool:
        """Whether the face that is meant is only the best guess."""
        if self.crop is None or not self.faces:
            return False
        eyes = self.photo.placement.eyes if self.photo.placement else None
        return next((f for f in self.faces if f.eyes == eyes), self.faces[0]).doubtful

    @property
    def central(self) -> bool:
        """Whether several faces may be meant, and the one nearest the centre was taken."""
        return self.photo.central and bool(self.faces) and the_one_meant(self.faces) is None

    @property
    def face(self) -> Floats:
        """The crop of the face that is meant; raises `PhotoError`, the reason, if there is none."""
        if self.crop is not None:
            return self.crop
        if not self.faces:
            raise PhotoError(NO_FACE)
        raise PhotoError(SEVERAL_FACES.format(len(self.faces)))


NO_FACE = (
    "No face was found in it. Show where the eyes are, or mark it as cropped already if the whole "
    "photograph is a face."
)
SEVERAL_FACES = "There are {} faces in it that may be meant. Choose the one that is."


def wants_choice(reason: str) -> bool:
    """Whether a photograph was left out for this reason: a person has to say which is the face."""
    return reason == NO_FACE or reason.endswith(SEVERAL_FACES.partition("{}")[2])


def look_at(
    photo: Photo, preparation: Preparation, read: ReadFile = read_bytes, *, turned: int = 0
) -> Sighting:
    """Look at a photograph: find its faces, unless it is said where the face lies, and cut one out.

    Parameters
    ----------
    photo
        The photograph; its placement, if any, is followed.
    preparation
        How faces are cut.
    read
        Returns the content of a file.
    turned
        Quarter turns clockwise before faces are looked for, where there is no placement.

    Raises
    ------
    PhotoError
        With the reason: it cannot be read, or its eyes cannot be where they are said to be.
    """
    content = read(photo.path)
    placement = photo.placement
    if placement is None and preparation.already_cropped:
        placement = Placement(turned=turned)
    picture = _Picture(content, placement.turned if placement else turned)
    faces: tuple[FoundFace, ...] = ()
    if placement is None:
        faces = picture.faces()
        meant = the_one_meant(faces)
        if meant is None and faces and photo.central:
            meant = nearest_the_centre(faces, picture.size)
        placement = Placement(meant.eyes, "found", turned) if meant else None
    crop = None if placement is None else picture.crop(placement.eyes, preparation)
    placed = replace(photo, placement=placement)
    return Sighting(placed, content_hash(content), picture.size, faces, crop)


def every_face(
    photo: Photo, preparation: Preparation, read: ReadFile = read_bytes
) -> list[Sighting]:
    """Look at a photograph and return a sighting for each of its faces, from left to right.

    Raises
    ------
    PhotoError
        With the reason: it cannot be read, or there is no face in it.
    """
    content = read(photo.path)
    first = look_at(photo, preparation, lambda _: content)
    if len(first.faces) < 2:
        return [first] if first.face is not None else []
    picture = _Picture(content, 0)
    return [
        replace(
            first,
            photo=replace(photo, placement=Placement(face.eyes, "found")),
            crop=picture.crop(face.eyes, preparation),
        )
        for face in sorted(first.faces, key=lambda face: face.eyes.middle.real)
    ]


def eyes_in_box(
    path: Path, box: tuple[float, float, float], turned: int = 0, read: ReadFile = read_bytes
) -> Eyes:
    """Return where the eyes of the face lie that a square (left, top, size) was drawn around."""
    picture = _Picture(read(path), turned)
    start = Eyes.in_box(*box)
    grey, scale = picture.reduced_to(min(1.0, LONGEST_SIDE / max(picture.size)))
    return align(grey, start.scaled(scale), general_faces().regressors).scaled(1 / scale)


def the_one_meant(faces: Sequence[FoundFace]) -> FoundFace | None:
    """Return the most certain face (the first), unless another is half as large, or larger."""
    candidates = _candidates(faces)
    return candidates[0] if len(candidates) == 1 else None


def nearest_the_centre(faces: Sequence[FoundFace], shape: tuple[int, int]) -> FoundFace:
    """Return that face, of those that may be meant, whose box is nearest the centre of (h, w)."""

    def away(face: FoundFace) -> float:
        left, top, size = face.eyes.box
        return math.hypot(left + size / 2 - shape[1] / 2, top + size / 2 - shape[0] / 2)

    return min(_candidates(faces), key=away)


def _candidates(faces: Sequence[FoundFace]) -> list[FoundFace]:
    """Return the most certain face (the first), and those that are not much smaller."""
    least = faces[0].eyes.distance if faces else 0.0
    return [f for i, f in enumerate(faces) if i == 0 or f.eyes.distance * RIVAL > least]


class _Picture:
    """A photograph that is decoded no larger than it is needed."""

    def __init__(self, content: bytes, turned: int) -> None:
        self._content, self._turned = content, turned
        self._grey = self._decoded(LONGEST_SIDE)
        height, width = upright_size(content)
        self.size = (width, height) if turned % 2 else (height, width)

    def _decoded(self, longest: int) -> Floats:
        return np.rot90(decode(self._content, longest), -self._turned)

    def reduced_to(self, share: float) -> tuple[Floats, float]:
        """Return the photograph at this share of its size, or larger, and the share that it is."""
        wanted = max(self.size) * min(share, 1.0)
        grey = self._grey
        if max(grey.shape) < wanted - 1:
            grey = self._decoded(math.ceil(wanted))
        return grey, max(grey.shape) / max(self.size)

    def faces(self) -> tuple[FoundFace, ...]:
        """Return the faces, in pixels of the whole photograph."""
        grey, scale = self.reduced_to(0.0)
        return tuple(replace(f, eyes=f.eyes.scaled(1 / scale)) for f in find_faces(grey))

    def crop(self, eyes: Eyes | None, preparation: Preparation) -> Floats:
        """Cut out the face with these eyes, as finely as the photograph shows it."""
        if eyes is None:
            grey, _ = self.reduced_to(1.0)
            return preparation.crop(grey)
        self._check(eyes)
        grey, scale = self.reduced_to(preparation.eye_distance / eyes.distance)
        return preparation.crop(grey, eyes.scaled(scale))

    def _check(self, eyes: Eyes) -> None:
        height, width = self.size
        inside = 0 <= eyes.middle.real <= width and 0 <= eyes.middle.imag <= height
        if not inside or not _CLOSEST <= eyes.distance <= 2 * max(self.size):
            raise PhotoError(
                f"Its eyes are said to lie outside its {width} × {height} pixels, or less than "
                f"{_CLOSEST} pixels apart. Correct that, or let the program find the face."
            )
