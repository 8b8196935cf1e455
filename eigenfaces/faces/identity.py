"""Which face is which: photographs, and the numbered faces on them; also of a file saved again.

A photograph is its content, the SHA-256 of its file; where that lies is a property of it. A face is
a number on a photograph. Two faces on one photograph are the same where their eyes are the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import NamedTuple

from eigenfaces.photographs.placement import WHOLE_PHOTO, Eyes, Placement

SAME_FACE = 0.5  # eye distances by which the middles of the eyes of one face lie apart, at most
SAME_SHAPE = 0.02  # by which width ÷ height may differ, relatively; else a picture was cut off


class FaceId(NamedTuple):
    """What identifies a face: the SHA-256 of its photograph's file, and its number there, from 1.

    >>> FaceId("5f0c", 2) in {FaceId("5f0c", 2)}, FaceId("5f0c") < FaceId("5f0c", 2)
    (True, True)
    """

    sha: str
    number: int = 1


@dataclass(frozen=True)
class Photograph:
    """A file with a picture: where it is, what identifies it, and how it is looked at.

    ``sha`` is the SHA-256 of the file, ``size`` its (height, width) in pixels as it is looked at:
    upright, and after ``turned`` quarter turns clockwise.
    """

    path: Path
    sha: str
    size: tuple[int, int]
    turned: int = 0

    @property
    def is_file(self) -> bool:
        """Whether it is in a file: the path of an image that is in none is a mere number."""
        return self.path.is_absolute()

    def is_same(self, other: Photograph) -> bool:
        """Return whether it is the same file, or was in its place before that was saved again."""
        return self.sha == other.sha or (self.is_file and self.path == other.path)

    @property
    def unturned_size(self) -> tuple[int, int]:
        """Its (height, width) before it is turned."""
        height, width = self.size
        return (width, height) if self.turned % 2 else (height, width)

    def unturned(self, point: complex) -> complex:
        """Return where a point of the turned photograph lies before it is turned, in pixels."""
        height, width = self.size
        for _ in range(self.turned % 4):
            point = 1j * width - 1j * point
            height, width = width, height
        return point

    def turned_point(self, point: complex) -> complex:
        """Return where a point lies once the photograph is turned: the inverse of `unturned`."""
        height, width = self.unturned_size
        for _ in range(self.turned % 4):
            point = height + 1j * point
            height, width = width, height
        return point

    def has_shape_of(self, other: Photograph) -> bool:
        """Return whether another one may be the same picture, larger, smaller or turned."""
        (height, width), (rows, columns) = self.unturned_size, other.unturned_size
        return abs(math.log(max(width * rows, 1) / max(height * columns, 1))) <= SAME_SHAPE

    def point_on(self, other: Photograph, point: complex) -> complex:
        """Return where a point lies on the same picture in another size, or turned otherwise."""
        (height, width), (rows, columns) = self.unturned_size, other.unturned_size
        upright = self.unturned(point)
        scaled = complex(upright.real * columns / width, upright.imag * rows / height)
        return other.turned_point(scaled)


@dataclass(frozen=True)
class FacePhoto:
    """One face on a photograph: which, who it is, where it lies.

    ``placement`` says where the face lies on the photograph, ``crop`` is the `crop_hash` of the
    face as it was cut. An ``excluded`` face neither trains nor is matched, but stays in the
    gallery. ``right``: a person has looked at it and confirmed it. ``lost``: the file was saved
    again since, and the face is no longer found in it. ``hidden``: nobody is interested in whose it
    is. ``key``: it stands for its person. Not ``pictured``: in the place of its crop is a grey
    picture without a face, and only the network can compare it.
    """

    photograph: Photograph
    person: str | None
    number: int = 1
    excluded: bool = False
    placement: Placement = WHOLE_PHOTO
    crop: str = ""
    right: bool = False
    lost: bool = False
    hidden: bool = False
    key: bool = False
    pictured: bool = True

    @cached_property
    def id(self) -> FaceId:
        """What identifies the face."""
        return FaceId(self.photograph.sha, self.number)

    @property
    def path(self) -> Path:
        """Where its photograph is."""
        return self.photograph.path

    @property
    def size(self) -> tuple[int, int]:
        """(h, w) of its photograph in pixels, as it is looked at."""
        return self.photograph.size

    @property
    def box(self) -> tuple[float, float, float] | None:
        """Left, top and size of the face, rounded to 0.1 pixel; None for a whole photograph.

        In the photograph as its file shows it, whether or not it was turned to find the face.
        """
        eyes = self.placement.eyes
        if eyes is None:
            return None
        left, top, size = eyes.box
        centre = complex(left + size / 2, top + size / 2)
        middle = self.photograph.unturned(centre)
        return round(middle.real - size / 2, 1), round(middle.imag - size / 2, 1), round(size, 1)

    def moved_to(self, photograph: Photograph) -> FacePhoto:
        """Return the face on the same picture in another place or size, or turned otherwise."""
        if photograph == self.photograph:
            return self
        placement = self.placement
        if (eyes := placement.eyes) is not None:
            one, other = (
                self.photograph.point_on(photograph, complex(*eye))
                for eye in (eyes.left, eyes.right)
            )
            moved = Eyes((one.real, one.imag), (other.real, other.imag))
            placement = replace(placement, eyes=moved)
        return replace(self, photograph=photograph, placement=placement)

    def eye_distances_to(self, other: FacePhoto) -> float:
        """Return how far another face lies from it, in eye distances of this one.

        0 where all of a photograph is the face; infinity where the pictures have other shapes.
        """
        if self.placement.eyes is None or other.placement.eyes is None:
            return 0.0
        if not self.photograph.has_shape_of(other.photograph):
            return math.inf
        mine = self.moved_to(other.photograph).placement.eyes
        theirs = other.placement.eyes
        assert mine is not None  # as before
        return abs(mine.middle - theirs.middle) / mine.distance

    def is_same_face(self, other: FacePhoto) -> bool:
        """Return whether it is the same face on the same picture, perhaps not cut quite alike."""
        return self.eye_distances_to(other) < SAME_FACE

    def in_place_of(self, old: FacePhoto) -> FacePhoto:
        """Return the face with all that a person has said about it as it was before."""
        moved = self.photograph.sha == old.photograph.sha and self.placement != old.placement
        return replace(
            self,
            person=old.person or self.person,
            excluded=old.excluded,
            hidden=old.hidden,
            key=old.key,
            right=old.right and not moved,
        )

    def cut_again(self, cut: FacePhoto) -> FacePhoto:
        """Return the face as it is cut now: with the name it had, where it lies now."""
        photograph = replace(cut.photograph, path=self.path)
        right = self.right and self.placement == cut.placement
        return replace(
            self, photograph=photograph, placement=cut.placement, crop=cut.crop, right=right
        )


def match_faces(known: Sequence[FacePhoto], coming: Sequence[FacePhoto]) -> dict[int, int]:
    """Return, by the place of a coming face, the place of the known face that it is.

    All are of one photograph, and a face that is none of the known ones is left out. The nearest
    are matched first, each once. All of a photograph is the face that lies on it where there is
    only one.
    """
    alone = len(known) == len(coming) == 1
    pairs = []
    for old, face in enumerate(known):
        for new, other in enumerate(coming):
            both = (face.placement.eyes is None) == (other.placement.eyes is None)
            if both or alone:
                pairs.append((face.eye_distances_to(other), old, new))
    matched = dict[int, int]()
    for apart, old, new in sorted(pairs):
        if apart < SAME_FACE and new not in matched and old not in matched.values():
            matched[new] = old
    return matched


def number_faces(
    coming: Sequence[FacePhoto], matched: dict[int, FacePhoto], used: Collection[int]
) -> list[FacePhoto]:
    """Return the faces of one photograph with numbers: that of the known face, or one not used.

    ``matched``: known faces, by places among the coming; ``used``: the numbers of all known ones.
    """
    taken = {*used, *(face.number for face in matched.values())}
    numbered = []
    for place, face in enumerate(coming):
        if (known := matched.get(place)) is not None:
            number = known.number
        elif face.number not in taken:
            number = face.number
        else:
            number = next(n for n in count(1) if n not in taken)
        taken.add(number)
        numbered.append(replace(face, number=number))
    return numbered
