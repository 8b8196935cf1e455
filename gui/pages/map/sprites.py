"""Marks of faces, baked once for each size and colour: thumbnails, and dots stamped into an image.

Drawing ten thousand shapes one by one takes much longer than a frame.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from time import thread_time

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from eigenfaces.space.arrays import Numbers
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
_SOLID = 90
"""Of 255: what is fainter is no part of a dot."""

_FADE = (0.45, 0.0, 0.0)


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


def kind_of(groups: Numbers, levels: Numbers) -> Numbers:
    """Return the number of the stamp of each dot: as many as look different."""
    looks = len(theme.PEOPLE) * len(SHAPES)
    return (np.where(groups < 0, looks, groups % looks)) * len(LEVELS) + levels


def stamped(
    size: tuple[int, int], places: Numbers, kinds: Numbers, radius: float
) -> tuple[NDArray[np.uint32], int]:
    """Return pixels with a dot at each place (m, 2), and how wide their edge is.

    What is near lies above what is far, and of one shape, later ones above earlier ones.

    The pixels are premultiplied, (h + 2 edge, w + 2 edge) for a ``size`` of (w, h).
    """
    stamps = _stamps(radius, theme.tokens().name)
    side = stamps.shape[1]
    wide, high = size[0] + 2 * side, size[1] + 2 * side
    start = places + side - side // 2
    x, y = start.T
    seen = (x >= 0) & (y >= 0) & (x < wide - side) & (y < high - side)
    start, kinds = y[seen] * wide + x[seen], kinds[seen]
    flat = stamps.reshape(len(stamps), -1)
    pixels = np.zeros(high * wide, np.uint32)
    for alike in _of_one_outline(radius, theme.tokens().name):
        dots = np.flatnonzero(np.isin(kinds, alike))
        inside = np.flatnonzero(flat[alike[0]])
        down, across = np.divmod(inside, side)
        # At one place twice, the last one stays: it is the later dot's.
        pixels[start[dots, None] + (down * wide + across)] = flat[:, inside][kinds[dots]]
    return pixels.reshape(high, wide), side


@lru_cache(maxsize=32)
def _of_one_outline(radius: float, look: str) -> list[Numbers]:
    """Return the kinds that cover the same pixels together, what is far before what is near."""
    stamps = _stamps(radius, look)
    outlines, of = np.unique(stamps.reshape(len(stamps), -1) != 0, axis=0, return_inverse=True)
    found = [np.flatnonzero(of.ravel() == number) for number in range(len(outlines))]
    return sorted(found, key=lambda kinds: int(kinds[0]) % len(LEVELS))


@lru_cache(maxsize=32)
def _stamps(radius: float, look: str) -> NDArray[np.uint32]:
    """Return the pixels (s, side, side) of all kinds of dots; 0 where there is none."""
    surface = theme.tokens().surface
    side = 2 * int(np.ceil(1.2 * radius * LEVELS[-1])) + 3
    looks = len(theme.PEOPLE) * len(SHAPES)
    made = np.zeros(((looks + 1) * len(LEVELS), side, side), np.uint32)
    for number in range(len(made)):
        group, level = divmod(number, len(LEVELS))
        group = -1 if group == looks else group
        clear = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
        clear.fill(Qt.GlobalColor.transparent)
        with QPainter(clear) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            dot = dot_of(group, radius * LEVELS[level], _FADE[level])
            dot.paint(painter, QPointF(side / 2, side / 2))
        drawn = QImage(side, side, QImage.Format.Format_RGB32)
        drawn.fill(QColor(surface))
        with QPainter(drawn) as painter:
            painter.drawImage(0, 0, clear)
        solid = (_words(clear) >> 24) >= _SOLID
        made[number][solid] = _words(drawn)[solid] | np.uint32(0xFF000000)
    made.setflags(write=False)
    return made


def _words(image: QImage) -> NDArray[np.uint32]:
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    return rows[:, : image.width()].copy()
