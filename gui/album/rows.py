"""Layout of photographs under headings, in rows as wide as the page.

The height of a row is chosen so that its photographs and the gaps between them fill the width. The
last row under a heading is not stretched. Only the rows are stored, because the position of a
photograph in its row follows from the widths of the photographs before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from PySide6.QtCore import QPoint, QRect

_FLATTEST, _TALLEST = 8.0, 0.25  # width ÷ height: more extreme photographs get bars beside them
_MOST_STRETCHED = 1.45  # times the desired height


@dataclass(frozen=True)
class Row:
    """Row of the photographs from ``first`` up to, but not including, ``end``."""

    top: int
    height: int
    first: int
    end: int


@dataclass(frozen=True)
class Heading:
    """Heading above ``number`` photographs."""

    top: int
    words: str
    number: int


@dataclass(frozen=True)
class Layout:
    """Layout of an album: its rows from top to bottom, and the headings between them."""

    rows: tuple[Row, ...]
    headings: tuple[Heading, ...]
    height: int
    width: int
    gap: int
    shapes: Sequence[float]
    _tops: list[int] = field(default_factory=list)
    _firsts: list[int] = field(default_factory=list)
    _heading_tops: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._tops.extend(row.top for row in self.rows)
        self._firsts.extend(row.first for row in self.rows)
        self._heading_tops.extend(heading.top for heading in self.headings)

    def row_of(self, place: int) -> int:
        """Return the index of the row that contains a photograph."""
        return bisect_right(self._firsts, place) - 1

    def rects(self, row: Row) -> list[QRect]:
        """Return the rectangles of the photographs in a row, in album coordinates."""
        edges = [0.0, *accumulate(self.shapes[row.first : row.end])]
        full = self.width - self.gap * (row.end - row.first - 1)
        scale = min(row.height, full / edges[-1])
        rects = []
        for at, (left, right) in enumerate(pairwise(edges)):
            begin, end = round(left * scale), round(right * scale)
            rects.append(QRect(begin + at * self.gap, row.top, max(end - begin, 1), row.height))
        return rects

    def rect(self, place: int) -> QRect:
        """Return the rectangle of a photograph in album coordinates."""
        row = self.rows[self.row_of(place)]
        return self.rects(row)[place - row.first]

    def between(self, top: int, bottom: int) -> range:
        """Return the indices of the rows that overlap this vertical range of the album."""
        first = max(bisect_right(self._tops, top) - 1, 0)
        if first < len(self.rows) and self.rows[first].top + self.rows[first].height <= top:
            first += 1
        return range(first, max(first, bisect_right(self._tops, bottom - 1)))

    def headings_between(self, top: int, bottom: int, tall: int) -> Sequence[Heading]:
        """Return the headings, ``tall`` pixels high, that overlap this range of the album."""
        first = bisect_right(self._heading_tops, top - tall)
        return self.headings[first : bisect_right(self._heading_tops, bottom)]

    def place_at(self, at: QPoint) -> int | None:
        """Return the index of the photograph at a point in the album, or None if there is none."""
        for number in self.between(at.y(), at.y() + 1):
            row = self.rows[number]
            for place, rect in enumerate(self.rects(row), start=row.first):
                if rect.contains(at):
                    return place
        return None

    def nearest_in_row(self, row: int, x: int) -> int:
        """Return the index of the photograph in a row that is nearest to ``x``."""
        rects = self.rects(self.rows[row])
        far = [max(rect.left() - x, x - rect.right(), 0) for rect in rects]
        return self.rows[row].first + far.index(min(far))


def shape_of(size: tuple[int, int]) -> float:
    """Return the aspect ratio (width ÷ height) of the cell for a photograph of (h, w) pixels."""
    height, width = size
    return min(max(width / max(height, 1), _TALLEST), _FLATTEST)


def lay_out(
    shapes: Sequence[float],
    groups: Sequence[tuple[str, int]],
    *,
    width: int,
    wanted: int,
    gap: int,
    heading: int,
) -> Layout:
    """Return the layout of photographs with these aspect ratios (width ÷ height).

    ``groups`` contains the text of each heading and the number of photographs under it. Rows are
    about ``wanted`` pixels high and ``gap`` pixels apart. A heading is ``heading`` pixels high.
    """
    rows, headings = list[Row](), list[Heading]()
    top = first = 0
    for words, number in groups:
        headings.append(Heading(top, words, number))
        top += heading
        last = first + number
        while first < last:
            end, height = _next_row(shapes, first, last, width, wanted, gap)
            rows.append(Row(top, height, first, end))
            top += height + gap
            first = end
    return Layout(tuple(rows), tuple(headings), max(top - gap, 0), width, gap, shapes)


def _next_row(
    shapes: Sequence[float], first: int, last: int, width: int, wanted: int, gap: int
) -> tuple[int, int]:
    """Return the end of the next row and its height, as close to ``wanted`` as possible."""
    total, before = 0.0, 0.0
    for end in range(first + 1, last + 1):
        total += shapes[end - 1]
        height = (width - gap * (end - first - 1)) / total
        if height <= wanted:
            if before and before / wanted < min(wanted / max(height, 1.0), _MOST_STRETCHED):
                return end - 1, round(before)
            return end, max(round(height), 1)
        before = height
    return last, wanted
