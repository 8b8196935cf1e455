"""The panels of a lesson without axes: matrices, pictures, tables, and shares of a whole."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eigenfaces.laboratory.drawing import MatrixPanel, PicturesPanel, SharesPanel, TablePanel
from eigenfaces.report.figure import BORDER, SECONDARY, TEXT
from eigenfaces.report.lesson_sheet import (
    BODY,
    INKS,
    LINE,
    SMALL,
    Box,
    Sheet,
    signed_colours,
    width_of,
    wrapped,
)
from eigenfaces.space.arrays import Doubles

_GAP = 5.0
_LARGEST_PICTURE = 68.0
_ROW = 16.0


def matrix(sheet: Sheet, box: Box, panel: MatrixPanel) -> None:
    """Draw a matrix as coloured cells, with its numbers where they are wanted."""
    rows, columns = panel.values.shape
    beside = max((width_of(name, SMALL) for name in panel.rows), default=0) + 4 * bool(panel.rows)
    above = LINE if panel.columns else 0
    side = min((box.width - beside) / columns, (box.height - above) / rows, _cell(panel, box.width))
    wide = side
    if panel.numbers:
        wide = min((box.width - beside) / columns, max(side, _number_width(panel)))
    left = box.left + (box.width - beside - wide * columns) / 2 + beside
    cells = Box(left, box.top + above, wide * columns, side * rows)
    sheet.image(cells, signed_colours(panel.values, panel.limit))
    sheet.rectangle(cells, "none", edgecolor=BORDER, linewidth=0.7)
    for number, name in enumerate(panel.rows):
        y = cells.top + (number + 0.5) * side
        sheet.write(left - 4, y, name, fontsize=SMALL, ha="right", va="center", color=SECONDARY)
    for number, name in enumerate(panel.columns):
        x = left + (number + 0.5) * wide
        sheet.write(
            x, cells.top - 3, name, fontsize=SMALL, ha="center", va="bottom", color=SECONDARY
        )
    if panel.numbers:
        _numbers(sheet, cells, panel)


def _said(value: float) -> str:
    value = 0.0 if abs(value) < 0.005 else value
    return (f"{value:.2f}" if abs(value) < 99.995 else f"{value:,.0f}").replace("-", "−")


def _number_width(panel: MatrixPanel) -> float:
    return max(width_of(_said(each)) for each in panel.values.ravel()) + 8


def _numbers(sheet: Sheet, cells: Box, panel: MatrixPanel) -> None:
    values = panel.values
    rows, columns = values.shape
    wide, high = cells.width / columns, cells.height / rows
    room = min(BODY * (wide - 3) / max(map(width_of, map(_said, values.ravel()))), high - 2, BODY)
    for (row, column), value in np.ndenumerate(values):
        sheet.write(
            cells.left + (column + 0.5) * wide,
            cells.top + (row + 0.5) * high,
            _said(value),
            fontsize=room,
            ha="center",
            va="center_baseline",
            color="white" if abs(value) > 0.7 * panel.limit else TEXT,
        )


def matrix_height(panel: MatrixPanel, width: float) -> float:
    """Return how tall a matrix wants to be."""
    return _cell(panel, width) * len(panel.values) + LINE * bool(panel.columns)


def _cell(panel: MatrixPanel, width: float) -> float:
    """Return how tall a cell wants to be."""
    cell = min(width / panel.values.shape[1], 170 / max(panel.values.shape))
    return min(max(cell, 15.0), 30.0) if panel.numbers else cell


def pictures(sheet: Sheet, box: Box, panel: PicturesPanel) -> None:
    """Draw pictures in rows, each with its words under it."""
    shown, across = panel.pictures, min(panel.across, len(panel.pictures))
    wide, high, under = _picture_size(panel, box.width, box.height)
    gap = _GAP if wide > 20 else 2.0
    step = wide + gap
    words_room = max((width_of(each, SMALL) for each in panel.words), default=0) + 4
    if panel.words and words_room > step:
        step = min(words_room, (box.width + gap) / across)
    left = box.left + (box.width - step * across + gap) / 2 + (step - gap - wide) / 2
    colours = _colours(panel)
    for number in range(len(shown)):
        row, column = divmod(number, across)
        place = Box(left + column * step, box.top + row * (high + under + gap), wide, high)
        sheet.image(place, colours[number], smooth=shown.shape[1] > 40)
        sheet.rectangle(place, "none", edgecolor=BORDER, linewidth=0.5)
        for line, words in enumerate(_under(panel, number, step)):
            y = place.bottom + 2 + line * (SMALL + 1.5)
            sheet.write(place.middle, y, words, fontsize=SMALL, ha="center", color=SECONDARY)


def _under(panel: PicturesPanel, number: int, room: float) -> list[str]:
    return wrapped(panel.words[number], room, SMALL) if panel.words else []


def _picture_size(
    panel: PicturesPanel, width: float, height: float = math.inf
) -> tuple[float, float, float]:
    """Return width and height of each picture, and the height of the words under it."""
    count, h, w = panel.pictures.shape[:3]
    across = min(panel.across, count)
    rows = math.ceil(count / across)
    wide = min((width - _GAP * (across - 1)) / across, _LARGEST_PICTURE)
    room = (width + _GAP) / across
    lines = max((len(_under(panel, each, room)) for each in range(count)), default=0)
    under = lines * (SMALL + 1.5) + 3 * bool(lines)
    least = (height - rows * (under + _GAP) + _GAP) / rows
    wide = min(wide, least * w / h) if math.isfinite(height) else wide
    return wide, wide * h / w, under


def _colours(panel: PicturesPanel) -> Doubles:
    """Return pictures as colours (n, h, w, 3)."""
    shown = np.asarray(panel.shown, dtype=float)
    if panel.diverging:
        ends = panel.limits.tolist()
        return np.stack([signed_colours(a, b) for a, b in zip(shown, ends, strict=True)])
    return shown if shown.ndim == 4 else np.repeat(shown[..., None], 3, axis=-1)


def pictures_height(panel: PicturesPanel, width: float) -> float:
    """Return how tall the pictures want to be."""
    _, high, under = _picture_size(panel, width)
    rows = math.ceil(len(panel.pictures) / min(panel.across, len(panel.pictures)))
    return rows * (high + under + _GAP) - _GAP


def table(sheet: Sheet, box: Box, panel: TablePanel) -> None:
    """Draw a table with lines between its rows: words at the left of a column, figures right."""
    laid = _laid(panel, box.width)
    spare = max(box.width - sum(laid.widths), 0) / max(len(laid.widths) - 1, 1)
    lefts = box.left + np.cumsum([0, *laid.widths[:-1]]) + spare * np.arange(len(laid.widths))
    figures = [any(map(_begins_as_figure, column)) for column in zip(*panel.rows, strict=True)]
    top = box.top
    for number, (cells, lines) in enumerate(
        zip((panel.head, *panel.rows), laid.first, strict=True)
    ):
        high = _row_height(lines)
        strong = number - 1 in panel.strong and number > 0
        if strong:
            sheet.rectangle(Box(box.left - 4, top, box.width + 8, high), "#E4EFFA", zorder=0)
        for column, words in enumerate(("\n".join(lines), *cells[1:])):
            sheet.write(
                lefts[column] + (laid.widths[column] - 10 * (column == 0)) * figures[column],
                top + high / 2,
                words,
                ha="right" if figures[column] else "left",
                fontsize=laid.size,
                va="center_baseline" if "\n" not in words else "center",
                color=SECONDARY if number == 0 else TEXT,
                fontweight="bold" if strong else "normal",
            )
        top += high
        if number < len(panel.rows):
            sheet.line((box.left, box.right), (top, top), zorder=0.5)


def _begins_as_figure(words: str) -> bool:
    return words.lstrip("−-+").lstrip()[:1].isdecimal()


def _row_height(lines: list[str]) -> float:
    return _ROW + (len(lines) - 1) * (SMALL + 2)


@dataclass(frozen=True, eq=False)
class _LaidTable:
    """The size of letters, how wide the columns are, and the lines of each first cell."""

    size: float
    widths: list[float]
    first: list[list[str]]


def _laid(panel: TablePanel, width: float) -> _LaidTable:
    """Return how a table fits: with smaller letters, and with lines in its first column."""
    every = (panel.head, *panel.rows)
    for size in (BODY, SMALL, 6.5):
        widths = [
            max(width_of(row[column], size, bold=True) for row in every) + 10
            for column in range(len(panel.head))
        ]
        over = sum(widths) - width
        if over <= 0 or (size < BODY and over < 0.6 * widths[0]):
            break
    widths[0] = max(widths[0] - max(over, 0), 30)
    return _LaidTable(size, widths, [wrapped(row[0], widths[0] - 8, size) or [""] for row in every])


def table_height(panel: TablePanel, width: float) -> float:
    """Return how tall a table wants to be."""
    return sum(map(_row_height, _laid(panel, width).first))


def shares(sheet: Sheet, box: Box, panel: SharesPanel) -> None:
    """Draw a bar of parts with their words above it, and what they make up together below."""
    total = sum(max(part.value, 0) for part in panel.parts) or 1.0
    top = box.top + _share_words(sheet, box, panel)
    bar, left = Box(box.left, top, box.width, 13), box.left
    for part in panel.parts:
        wide = max(part.value, 0) / total * box.width
        sheet.rectangle(Box(left, bar.top, wide, bar.height), INKS[part.ink], edgecolor="white")
        left += wide
    if panel.mark is not None:
        x = box.left + float(np.clip(panel.mark[0] / total, 0, 1)) * box.width
        sheet.line((x, x), (bar.top - 3, bar.bottom + 4), color=TEXT, linewidth=1.3)
        half = width_of(panel.mark[1], SMALL) / 2
        middle = min(max(x, box.left + half), max(box.right - half, box.left + half))
        sheet.write(
            middle, bar.bottom + 5, panel.mark[1], fontsize=SMALL, ha="center", color=SECONDARY
        )
    _brace(
        sheet, Box(box.left, bar.bottom + 16 * (panel.mark is not None) + 4, box.width, 12), panel
    )


def _brace(sheet: Sheet, box: Box, panel: SharesPanel) -> None:
    """Draw a bracket as wide as the bar, with the words of the whole in its middle."""
    y = box.top + 6
    half = min(width_of(panel.whole, SMALL) / 2 + 5, box.width / 2)
    for start, end in ((box.left, box.middle - half), (box.middle + half, box.right)):
        sheet.line((start, end), (y, y), color=SECONDARY)
    for x in (box.left, box.right):
        sheet.line((x, x), (y - 3, y), color=SECONDARY)
    sheet.write(
        box.middle, y, panel.whole, fontsize=SMALL, ha="center", va="center", color=SECONDARY
    )


def _share_words(sheet: Sheet, box: Box, panel: SharesPanel) -> float:
    """Write the words of the parts, in one line if they fit; return how tall that is."""
    widths = [width_of(part.words, BODY, bold=True) for part in panel.parts]
    if sum(widths) + 12 * (len(widths) - 1) > box.width:
        for number, part in enumerate(panel.parts):
            y = box.top + number * LINE
            sheet.rectangle(Box(box.left, y + 1.5, 7, 7), INKS[part.ink])
            sheet.write(box.left + 11, y, part.words)
        return LINE * len(widths) + 4
    gap = (box.width - sum(widths)) / max(len(widths) - 1, 1)
    left = box.left
    for part, width in zip(panel.parts, widths, strict=True):
        sheet.write(left, box.top, part.words, fontweight="bold")
        left += width + gap
    return LINE + 3


def shares_height(panel: SharesPanel, width: float) -> float:
    """Return how tall the shares want to be."""
    widths = [width_of(part.words, BODY, bold=True) for part in panel.parts]
    fits = sum(widths) + 12 * (len(widths) - 1) <= width
    words = LINE + 3 if fits else LINE * len(widths) + 4
    return words + 13 + 16 * (panel.mark is not None) + 16
