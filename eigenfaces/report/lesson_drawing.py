"""The picture of a lesson as a file: the same panels as in the window, for paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.drawing import (
    BarsPanel,
    CurvesPanel,
    Drawing,
    LessonPicture,
    MatrixPanel,
    Panel,
    PicturesPanel,
    PlanePanel,
    SharesPanel,
    SpacePanel,
    TablePanel,
)
from eigenfaces.project.file import atomic_write
from eigenfaces.report import lesson_axes, lesson_blocks
from eigenfaces.report.figure import BORDER, SECONDARY, Named, Suffix, encoded, styled
from eigenfaces.report.lesson_sheet import (
    BODY,
    LINE,
    SMALL,
    TITLE,
    Box,
    Sheet,
    signed_colours,
    width_of,
    wrapped,
)

WIDTH = 520.0
"""Points; the height is what the panels need."""

_MARGIN, _BETWEEN, _ROWS_APART, _PANELS_APART = 12.0, 16.0, 12.0, 16.0
_HEAD = 20.0


def suffix_of(path: Path) -> Suffix:
    """Return the kind of file of a path; `EigenfacesError` if it is none that can be written."""
    for known in get_args(Suffix):
        if path.suffix.lower() == f".{known}":
            kind: Suffix = known
            return kind
    raise EigenfacesError(f"“{path.name}” is no picture: let its name end in .svg, .png or .pdf.")


def save(picture: LessonPicture, path: Path) -> None:
    """Write the picture of a lesson as SVG, PNG or PDF, whole or not at all; always the same bytes.

    Raises
    ------
    EigenfacesError
        Another suffix, or the file cannot be written; then nothing is changed.
    """
    content = drawn(picture, suffix_of(path))
    with atomic_write(path) as part:
        part.write_bytes(content)


def drawn(picture: LessonPicture, suffix: Suffix) -> bytes:
    """Return the content of the file of a picture."""
    drawings = [each for each in (picture.upper, picture.lower) if each is not None]
    with styled("lesson"):
        planned = [_Planned.of(each) for each in drawings]
        apart = _BETWEEN * (len(planned) - 1)
        sheet = Sheet.of(WIDTH, sum(each.height for each in planned) + apart + 2 * _MARGIN)
        top = _MARGIN
        for number, each in enumerate(planned):
            if number:
                y = top - _BETWEEN / 2
                sheet.line((_MARGIN, WIDTH - _MARGIN), (y, y))
            each.draw(sheet, top)
            top += each.height + _BETWEEN
        about = "; ".join(each.note for each in drawings if each.note)
        return encoded(sheet.figure, suffix, Named("lesson", picture.upper.heading, about))


@dataclass(frozen=True, eq=False)
class _Planned:
    """A drawing and how tall its parts are, in points."""

    drawing: Drawing
    head: float
    rows: tuple[float, ...]
    key: float

    @property
    def height(self) -> float:
        return self.head + sum(self.rows) + _ROWS_APART * (len(self.rows) - 1) + self.key

    @classmethod
    def of(cls, drawing: Drawing) -> _Planned:
        rows = [
            max(
                _wanted(panel, box.width)
                for panel, box in _side_by_side(row, Box(0, 0, _inner(), 0))
            )
            for row in drawing.rows
        ]
        free = [
            number
            for number, row in enumerate(drawing.rows)
            if any(_KINDS[type(panel)].stretches for panel in row)
        ]
        if drawing.weights and len(free) > 1:
            room = sum(rows[number] for number in free)
            whole = sum(drawing.weights[number] for number in free)
            for number in free:
                rows[number] = max(room * drawing.weights[number] / whole, 90.0)
        return cls(
            drawing, _HEAD + LINE * len(_note_below(drawing)), tuple(rows), _key_height(drawing)
        )

    def draw(self, sheet: Sheet, top: float) -> None:
        drawing = self.drawing
        sheet.write(_MARGIN, top, drawing.heading, fontsize=TITLE, fontweight="bold")
        below = _note_below(drawing)
        for number, line in enumerate(below):
            sheet.write(_MARGIN, top + 15 + number * LINE, line, color=SECONDARY)
        if not below:
            sheet.write(WIDTH - _MARGIN, top + 1.5, drawing.note, color=SECONDARY, ha="right")
        y = top + self.head
        for row, height in zip(drawing.rows, self.rows, strict=True):
            for panel, box in _side_by_side(row, Box(_MARGIN, y, _inner(), height)):
                _draw_panel(sheet, panel, box)
            y += height + _ROWS_APART
        if self.key:
            _draw_key(sheet, drawing, y - _ROWS_APART + 6)


def _inner() -> float:
    return WIDTH - 2 * _MARGIN


def _note_below(drawing: Drawing) -> list[str]:
    """Return the lines of a note that has no room beside the heading."""
    room = _inner() - width_of(drawing.heading, TITLE, bold=True) - 16
    return [] if width_of(drawing.note) <= room else wrapped(drawing.note, _inner())


def _side_by_side(row: tuple[Panel, ...], box: Box) -> list[tuple[Panel, Box]]:
    room = box.width - _PANELS_APART * (len(row) - 1)
    weights = np.array([panel.weight for panel in row], dtype=float)
    widths = room * weights / weights.sum()
    lefts = box.left + np.cumsum(widths) - widths + _PANELS_APART * np.arange(len(row))
    return [
        (panel, Box(left, box.top, width, box.height))
        for panel, left, width in zip(row, lefts.tolist(), widths.tolist(), strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Kind:
    """How tall a panel wants to be at a width, what draws it, and whether it fills any height."""

    height: Callable[[Any, float], float]
    draw: Callable[[Sheet, Box, Any], None]
    stretches: bool = False


_KINDS: dict[type[Panel], _Kind] = {
    PlanePanel: _Kind(lesson_axes.plane_height, lesson_axes.plane, stretches=True),
    SpacePanel: _Kind(
        lambda _, width: float(np.clip(0.72 * width, 120, 230)), lesson_axes.space, stretches=True
    ),
    CurvesPanel: _Kind(lesson_axes.curves_height, lesson_axes.curves, stretches=True),
    BarsPanel: _Kind(lambda *_: 125.0, lesson_axes.bars, stretches=True),
    MatrixPanel: _Kind(lesson_blocks.matrix_height, lesson_blocks.matrix),
    PicturesPanel: _Kind(lesson_blocks.pictures_height, lesson_blocks.pictures),
    TablePanel: _Kind(lesson_blocks.table_height, lesson_blocks.table),
    SharesPanel: _Kind(lesson_blocks.shares_height, lesson_blocks.shares),
}


def _wanted(panel: Panel, width: float) -> float:
    """Return how tall a panel wants to be, with its title and caption."""
    return _KINDS[type(panel)].height(panel, width) + _words_height(panel, width)


def _words_height(panel: Panel, width: float) -> float:
    caption = len(wrapped(panel.caption, width, SMALL)) * (SMALL + 2)
    title = len(wrapped(panel.title, width)) * LINE
    return title + caption + 5 * bool(panel.title) + 5 * bool(panel.caption)


def _draw_panel(sheet: Sheet, panel: Panel, box: Box) -> None:
    """Draw a panel below its title and caption; without a title the caption stands below it."""
    middle = isinstance(panel, MatrixPanel | PicturesPanel)
    x, aligned = (box.middle, "center") if middle else (box.left, "left")
    y = box.top
    for line in wrapped(panel.title, box.width):
        sheet.write(x, y, line, fontweight="bold", ha=aligned)
        y += LINE
    words = wrapped(panel.caption, box.width, SMALL)
    high = len(words) * (SMALL + 2)
    content = box.below(_words_height(panel, box.width) - (0 if panel.title else high))
    if not panel.title:
        content = Box(box.left, box.top, box.width, box.height - high - 5 * bool(words))
        y = content.bottom + 4
    for line in words:
        sheet.write(x, y, line, fontsize=SMALL, ha=aligned, color=SECONDARY)
        y += SMALL + 2
    _KINDS[type(panel)].draw(sheet, content, panel)


def _has_signs(drawing: Drawing) -> bool:
    """Return whether only colours say which numbers are below and which above zero."""
    return any(
        (isinstance(panel, MatrixPanel) and not panel.numbers)
        or (isinstance(panel, PicturesPanel) and panel.diverging)
        for row in drawing.rows
        for panel in row
    )


def _key_height(drawing: Drawing) -> float:
    lines = wrapped(drawing.key, _inner() - 100, SMALL)
    lines = lines or [""] * _has_signs(drawing)
    return (len(lines) * (SMALL + 2) + 8) if lines else 0.0


def _draw_key(sheet: Sheet, drawing: Drawing, y: float) -> None:
    """Write what the colours mean, beside the colours from below zero to above it."""
    lines = wrapped(drawing.key, _inner() - 100, SMALL)
    ramp = 84 if _has_signs(drawing) else 0
    left = WIDTH / 2 - (max((width_of(line, SMALL) for line in lines), default=-8) + ramp) / 2
    if ramp:
        sheet.write(left, y, "−", fontsize=BODY, color=SECONDARY)
        bar = Box(left + 9, y + 1.5, 56, 6)
        sheet.image(bar, signed_colours(np.linspace(-1, 1, 64)[None], 1.0), smooth=True)
        sheet.rectangle(bar, "none", edgecolor=BORDER, linewidth=0.5)
        sheet.write(left + 68, y, "+", fontsize=BODY, color=SECONDARY)
    for number, line in enumerate(lines):
        sheet.write(left + ramp, y + number * (SMALL + 2), line, fontsize=SMALL, color=SECONDARY)
