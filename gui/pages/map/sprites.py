"""Marks of faces: thumbnails, baked once for each size and colour, and the dots of people."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import thread_time

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPixmap

from gui.plots.strokes import Dot, Shape
from gui.style import theme
from gui.style.images import rounded

SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle", "bar")
"""Each with seven colours: 28 people look different, and hovering names everybody."""

LEVELS = (0.72, 1.0, 1.3)
"""Sizes of what is far, in the middle, and near in three dimensions."""

Key = tuple[int, int, str, float]
"""The row, the width in pixels, the colour of the frame, and the device pixel ratio."""

_KEPT = 6000
FADES = (0.45, 0.0, 0.0)
"""How much what is far, in the middle and near is mixed with the ground."""


class Thumbnails:
    """Small framed pictures of faces, the oldest dropped; those that are missing are `wanted`."""

    def __init__(self, picture: Callable[[int], QImage]) -> None:
        self._picture = picture
        self._kept: OrderedDict[Key, QPixmap] = OrderedDict()
        self.wanted: dict[Key, None] = {}

    def find(self, key: Key) -> QPixmap | None:
        """Return a picture if it is there; else it is wanted."""
        found = self._kept.get(key)
        if found is None:
            self.wanted[key] = None
        return found

    def make(self, key: Key) -> QPixmap:
        """Return a picture, made now if it is not there."""
        if key not in self._kept:
            row, width, colour, dpr = key
            image = self._picture(row)
            size = QSize(width, round(width * image.height() / image.width()))
            made = rounded(image, size, dpr, width / 8, edge=colour)
            self._kept[key] = QPixmap.fromImage(made)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    def bake(self, seconds: float) -> bool:
        """Make wanted pictures for a while, of this thread's own time; return if all are made."""
        ends = thread_time() + seconds
        while self.wanted and thread_time() < ends:
            self.make(self.wanted.popitem()[0])
        return not self.wanted


def no_thumbnails() -> Thumbnails:
    """Return what shows nothing, where no faces can be read."""
    return Thumbnails(lambda _: QImage(1, 1, QImage.Format.Format_RGB32))


def colour_of(group: int) -> str:
    """Return the colour of a person by number; −1 is nobody."""
    colours = theme.tokens().people
    return theme.tokens().tertiary if group < 0 else colours[group % len(colours)]


def shape_of(group: int) -> Shape:
    """Return the shape of a person's dots, which changes where the colours begin again."""
    return SHAPES[max(group, 0) // len(theme.tokens().people) % len(SHAPES)]


def dot_of(group: int, radius: float, share: float = 0.0) -> Dot:
    """Return the dot of a person, faded by a share: yellow and cyan are faint on white."""
    look = theme.tokens()
    colour = theme.mix(colour_of(group), look.surface, share)
    edge = theme.mix(colour, look.surface if look.dark else look.text, 0.45)
    return Dot(shape_of(group), QColor(colour), QColor(edge), radius)
