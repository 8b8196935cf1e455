"""The placement of a face in a photograph, and its source.

Two eyes define a similarity transform: the position, the size and the tilt of a face.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Literal

Box = tuple[float, float, float]
"""Left, top and size of a square, in pixels of the photograph as it is turned."""


@dataclass(frozen=True)
class Eyes:
    """The pupils of a face, in pixels of the upright photograph from its top left corner.

    ``left`` is the one on the left of the picture: the person's right eye.
    """

    left: tuple[float, float]
    right: tuple[float, float]

    @classmethod
    def at(cls, a: complex, b: complex) -> Eyes:
        """Return the eyes with the middle *a* and the vector *b* between them."""
        left, right = a - b / 2, a + b / 2
        return cls((left.real, left.imag), (right.real, right.imag))

    @classmethod
    def in_box(cls, left: float, top: float, size: float) -> Eyes:
        """Return the eyes of an upright face from its square box: the inverse of `box`."""
        middle = complex(left + _IN_BOX.real * size, top + _IN_BOX.imag * size)
        return cls.at(middle, complex(_EYES_IN_BOX * size))

    @property
    def middle(self) -> complex:
        """*a*: the point halfway between the eyes."""
        return (complex(*self.left) + complex(*self.right)) / 2

    @property
    def across(self) -> complex:
        """*b*: from the left eye to the right one."""
        return complex(*self.right) - complex(*self.left)

    @property
    def distance(self) -> float:
        """Pixels between the eyes."""
        return abs(self.across)

    @property
    def angle(self) -> float:
        """Tilt in degrees, clockwise: 0 for level eyes."""
        return math.degrees(cmath.phase(self.across))

    @property
    def box(self) -> Box:
        """Left, top and size of the upright square around the face, forehead to chin, in pixels."""
        size = self.distance / _EYES_IN_BOX
        corner = self.middle - size * _IN_BOX
        return corner.real, corner.imag, size

    def scaled(self, factor: float) -> Eyes:
        """Return the same eyes in the photograph at another size."""
        return Eyes.at(self.middle * factor, self.across * factor)

    def turned(self, quarters: int, shape: tuple[int, int]) -> Eyes:
        """Return the same eyes after quarter turns clockwise of a photograph of (h, w)."""
        eyes, (height, width) = self, shape
        for _ in range(quarters % 4):
            (x, y), (u, v) = eyes.left, eyes.right
            eyes = Eyes((height - y, x), (height - v, u))
            height, width = width, height
        return eyes


_IN_BOX = 0.496 + 0.382j
"""Where the middle of the eyes lies in the box of a face, in shares of its size …"""

_EYES_IN_BOX = 0.371
"""… and how far they lie apart: so it reaches from the forehead to the chin."""


@dataclass(frozen=True)
class Placement:
    """The placement of a face in its photograph, and its source.

    Parameters
    ----------
    eyes
        The eyes, in pixels after turning; None: the whole photograph is the face, already cropped.
    source
        ``found`` by the program, a ``guess`` which of several found is meant, set ``by hand``, or
        read ``from a file``.
    turned
        Quarter turns clockwise in addition to the orientation in the file.
    """

    eyes: Eyes | None = None
    source: Literal["found", "guess", "by hand", "from a file"] = "found"
    turned: int = 0


WHOLE = Placement()
"""The whole photograph is the face."""
