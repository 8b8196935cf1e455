"""Identification of photographs and faces, even after a file has been saved again.

A photograph is identified by the SHA-256 of its file; its path is only an attribute. A face is
identified by its photograph and a number. Two readings of a photograph show the same face if the
eyes are at about the same positions.
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

SAME_FACE = (
    0.5  # two readings show one face if their eyes are less than this apart, in eye distances
)
SAME_SHAPE = 0.02  # width ÷ height may differ by this share; beyond that, a picture was cropped


class FaceId(NamedTuple):
    """Identity of a face: the SHA-256 of its photograph's file, and its number, starting at 1.

    >>> FaceId("5f0c", 2) in {FaceId("5f0c", 2)}, FaceId("5f0c") < FaceId("5f0c", 2)
    (True, True)
    """

    sha: str
    number: int = 1


@dataclass(frozen=True)
class Photograph:
    """Picture file with its path, identity, size and rotation.

    ``sha`` is the SHA-256 of the file. ``size`` is (height, width) in pixels as the photograph is
    shown: upright, and after ``turned`` quarter turns clockwise.
    """

    path: Path
    sha: str
    size: tuple[int, int]
    turned: int = 0

    @property
    def is_file(self) -> bool:
        """Whether the photograph is a file. Otherwise, ``path`` is only a number."""
        return self.path.is_absolute()

    def is_same(self, other: Photograph) -> bool:
        """Return whether two photographs are the same file, or two versions of the same file."""
        return self.sha == other.sha or (self.is_file and self.path == other.path)

    @property
    def unturned_size(self) -> tuple[int, int]:
        """The (height, width) in pixels before the photograph was rotated."""
        height, width = self.size
        return (width, height) if self.turned % 2 else (height, width)

    def unturned(self, point: complex) -> complex:
        """Return the position, in pixels, of a point before the photograph was rotated."""
        height, width = self.size
        for _ in range(self.turned % 4):
            point = 1j * width - 1j * point
            height, width = width, height
        return point

    def turned_point(self, point: complex) -> complex:
        """Return the position, in pixels, of a point after the rotation; inverse of `unturned`."""
        height, width = self.unturned_size
        for _ in range(self.turned % 4):
            point = height + 1j * point
            height, width = width, height
        return point

    def has_shape_of(self, other: Photograph) -> bool:
        """Return whether another photograph may be the same picture, resized or rotated."""
        (height, width), (rows, columns) = self.unturned_size, other.unturned_size
        return abs(math.log(max(width * rows, 1) / max(height * columns, 1))) <= SAME_SHAPE

    def point_on(self, other: Photograph, point: complex) -> complex:
        """Return the position of a point in another copy of the picture, resized or rotated."""
        (height, width), (rows, columns) = self.unturned_size, other.unturned_size
        upright = self.unturned(point)
        scaled = complex(upright.real * columns / width, upright.imag * rows / height)
        return other.turned_point(scaled)


@dataclass(frozen=True)
class FacePhoto:
    """Face in a photograph, with its number, person and placement.

    ``placement`` gives the position of the face in the photograph, and ``crop`` is the `crop_hash`
    of its crop. An ``excluded`` face stays in the gallery, but is not used for training or
    comparison. A ``right`` face has been checked and confirmed by the user. A ``lost`` face is no
    longer found in its file, which has been saved again. The user is never asked to name a
    ``hidden`` face. A ``key`` face is the picture shown for its person. If a face is not
    ``pictured``, its crop is a plain grey picture, and only the network can compare the face.
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
        """The identity of the face."""
        return FaceId(self.photograph.sha, self.number)

    @property
    def path(self) -> Path:
        """The path of the photograph."""
        return self.photograph.path

    @property
    def size(self) -> tuple[int, int]:
        """The size (h, w) of the photograph in pixels, as shown."""
        return self.photograph.size

    @property
    def box(self) -> tuple[float, float, float] | None:
        """The left, top and size of the face, rounded to 0.1 pixel; None for a whole photograph.

        The values are pixels of the upright photograph, before any quarter turns.
        """
        eyes = self.placement.eyes
        if eyes is None:
            return None
        left, top, size = eyes.box
        centre = complex(left + size / 2, top + size / 2)
        middle = self.photograph.unturned(centre)
        return round(middle.real - size / 2, 1), round(middle.imag - size / 2, 1), round(size, 1)

    def moved_to(self, photograph: Photograph) -> FacePhoto:
        """Return this face as placed in another copy of the picture, perhaps resized or rotated."""
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
        """Return the distance to another face, in units of this face's eye distance.

        The distance is 0 if either face is a whole photograph, and infinite if the pictures differ
        in shape.
        """
        if self.placement.eyes is None or other.placement.eyes is None:
            return 0.0
        if not self.photograph.has_shape_of(other.photograph):
            return math.inf
        mine = self.moved_to(other.photograph).placement.eyes
        theirs = other.placement.eyes
        assert mine is not None  # moving keeps the eyes
        return abs(mine.middle - theirs.middle) / mine.distance

    def is_same_face(self, other: FacePhoto) -> bool:
        """Return whether two faces are the same, even if they are cropped differently."""
        return self.eye_distances_to(other) < SAME_FACE

    def in_place_of(self, old: FacePhoto) -> FacePhoto:
        """Return this face with all decisions that the user made about its ``old`` version."""
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
        """Return this face under the same name, with the placement and crop of a new reading."""
        photograph = replace(cut.photograph, path=self.path)
        right = self.right and self.placement == cut.placement
        return replace(
            self, photograph=photograph, placement=cut.placement, crop=cut.crop, right=right
        )


def match_faces(known: Sequence[FacePhoto], coming: Sequence[FacePhoto]) -> dict[int, int]:
    """Match new faces with known faces, and return {index in coming: index in known}.

    All faces must be in one photograph. The nearest pairs are matched first, and no face is matched
    twice. If there is only one known and one new face, they match even if one fills the photograph.
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
    """Return the faces in a photograph with the numbers of matching known faces, or new numbers.

    ``matched`` maps indices in ``coming`` to known faces, and ``used`` contains all known numbers.
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
