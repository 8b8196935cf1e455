"""Row and column layouts built from lists of parts."""

from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Item = QWidget | QLayout
Margins = tuple[int, int, int, int]
Box = TypeVar("Box", bound=QBoxLayout)


@dataclass(frozen=True)
class Stretch:
    """Flexible space that takes up a share of the room left in a row or column."""

    share: int = 1


@dataclass(frozen=True)
class Gap:
    """Fixed-size space in a row or column."""

    pixels: int


STRETCH = Stretch()

Part = Item | Stretch | Gap | tuple[Item, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""Part of a row or column, optionally with its share of the remaining room and its alignment."""


def in_row(
    *parts: Part,
    inside: QWidget | None = None,
    spacing: int | None = None,
    margins: Margins = (0, 0, 0, 0),
) -> QHBoxLayout:
    """Return a row of parts ``spacing`` pixels apart, used as the layout of ``inside`` if given."""
    return _laid_out(QHBoxLayout(), inside, spacing, margins, parts)


def in_column(
    *parts: Part,
    inside: QWidget | None = None,
    spacing: int | None = None,
    margins: Margins = (0, 0, 0, 0),
) -> QVBoxLayout:
    """Return a column of parts; see `in_row`."""
    return _laid_out(QVBoxLayout(), inside, spacing, margins, parts)


def add_parts(box: QBoxLayout, *parts: Part) -> None:
    """Add parts to the end of a row or column."""
    for part in parts:
        if isinstance(part, Stretch):
            box.addStretch(part.share)
        elif isinstance(part, Gap):
            box.addSpacing(part.pixels)
        else:
            item, share, *where = part if isinstance(part, tuple) else (part, 0)
            if isinstance(item, QLayout):
                box.addLayout(item, share)
            else:
                box.addWidget(item, share, *where)


def centre(widget: QWidget, inside: QWidget) -> None:
    """Place a widget, no wider than its maximum width, slightly above the centre of another."""
    whole = QVBoxLayout(inside)
    add_parts(whole, Stretch(2), in_row(STRETCH, (widget, 100), STRETCH), Stretch(3))


def _laid_out(
    box: Box, inside: QWidget | None, spacing: int | None, margins: Margins, parts: tuple[Part, ...]
) -> Box:
    if inside is not None:
        inside.setLayout(box)
    box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    add_parts(box, *parts)
    return box
