"""Placement of a face in its photograph, given by its two eyes, and tables of eye positions.

The two eyes define a similarity transform: the position, size and tilt of the face.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eigenfaces.errors import EigenfacesError
from eigenfaces.files import resolved
from eigenfaces.photographs.tables import read_table, table_path

Box = tuple[float, float, float]  # left, top and size, in pixels of the turned photograph
_IN_BOX = 0.496 + 0.382j  # the midpoint between the eyes in the box of a face …

_EYES_IN_BOX = 0.371  # … and the eye distance: the box extends from the forehead to the chin


@dataclass(frozen=True)
class Eyes:
    """Pupil positions in the upright photograph; ``left`` is the eye on the left of the picture."""

    left: tuple[float, float]
    right: tuple[float, float]

    @classmethod
    def at(cls, a: complex, b: complex) -> Eyes:
        """Return the eyes with the midpoint *a* and the vector *b* from left to right."""
        left = a - b / 2
        right = a + b / 2
        return cls((left.real, left.imag), (right.real, right.imag))

    @classmethod
    def in_box(cls, left: float, top: float, size: float) -> Eyes:
        """Return the eyes of an upright face from its square box: the inverse of `box`."""
        middle = complex(left + _IN_BOX.real * size, top + _IN_BOX.imag * size)
        return cls.at(middle, complex(_EYES_IN_BOX * size))

    @property
    def middle(self) -> complex:
        """The point *a* halfway between the eyes."""
        return (complex(*self.left) + complex(*self.right)) / 2

    @property
    def across(self) -> complex:
        """The vector *b* from the left eye to the right eye."""
        return complex(*self.right) - complex(*self.left)

    @property
    def distance(self) -> float:
        """The distance between the eyes in pixels."""
        return abs(self.across)

    @property
    def angle(self) -> float:
        """The tilt in degrees, clockwise; 0 for level eyes."""
        return math.degrees(cmath.phase(self.across))

    @property
    def box(self) -> Box:
        """The left, top and size of the upright square from forehead to chin, in pixels."""
        size = self.distance / _EYES_IN_BOX
        corner = self.middle - size * _IN_BOX
        return corner.real, corner.imag, size

    def scaled(self, factor: float) -> Eyes:
        """Return the eyes with all coordinates multiplied by a factor."""
        return Eyes.at(self.middle * factor, self.across * factor)


Source = Literal["found", "guess", "middle", "by hand", "from a file"]


@dataclass(frozen=True)
class Placement:
    """Placement of a face in its photograph, and where the placement comes from."""

    eyes: Eyes | None = None  # in pixels after rotation; None: the whole photograph is the face
    source: Source = "found"


WHOLE_PHOTO = Placement()  # the whole photograph is the face


EYE_COLUMNS = ("file", "left_x", "left_y", "right_x", "right_y")
"""The columns of a table of eyes, such as the table that the command ``faces`` writes."""


def read_eyes(file: Path) -> dict[Path, Eyes]:
    """Return the eyes in a CSV file with the columns file, left_x, left_y, right_x, right_y.

    Coordinates are pixels of the upright photograph, with the eye on the left of the picture first.
    Paths are relative to the folder of the file, and symbolic links are followed. Raises
    `EigenfacesError` if the file cannot be read, if a column is missing, or if a line does not give
    two eyes, gives them in the wrong order, or contradicts an earlier line.
    """
    lines = read_table(file)
    columns = lines[0].columns(*({name} for name in EYE_COLUMNS)) if lines else None
    stated = ", ".join(EYE_COLUMNS)
    if columns is None:
        raise EigenfacesError(
            f"“{file}” gives no eye positions. Its first line must name the columns {stated}."
        )
    known: dict[Path, Eyes] = {}
    for line in lines[1:]:
        name, *numbers = [line.cell(at) for at in columns]
        path = resolved(table_path(file.absolute(), name))
        try:
            x, y, u, v = map(float, numbers)
            eyes = Eyes((x, y), (u, v))
        except ValueError:
            eyes = None
        if eyes is None or not eyes.distance > 0 or x > u:
            raise EigenfacesError(
                f"Line {line.number} of “{file}” does not give the positions of two eyes in "
                f"pixels, first the eye on the left of the picture. The columns are {stated}."
            )
        if known.setdefault(path, eyes) != eyes:
            raise EigenfacesError(
                f"Line {line.number} of “{file}” gives different eye positions for “{path.name}” "
                "than an earlier line. Delete one of these lines."
            )
    return known
