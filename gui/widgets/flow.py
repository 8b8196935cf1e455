"""Layouts that adapt to the width: wrapping lines, columns and a side panel."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from ..style import theme

ItemRect = tuple[QLayoutItem, QRect]


class _Layout(QLayout):
    """Base class for layouts that store their items and whose height depends on their width."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def add(self, *widgets: QWidget) -> None:
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._item_rects(QRect(0, 0, width, 0))
        return max((place.bottom() + 1 for _, place in places), default=0)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        for item, place in self._item_rects(rect):
            item.setGeometry(place)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        widest = max((item.minimumSize().width() for item in self._shown()), default=0)
        return QSize(widest, 0)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _item_rects(self, rect: QRect) -> list[ItemRect]:
        """Return the items with their rectangles, which may extend below the given rectangle."""
        raise NotImplementedError


class FlowLayout(_Layout):
    """Layout of controls in wrapping lines, with each control as wide as its size hint."""

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def minimumSize(self) -> QSize:
        tallest = max((item.sizeHint().height() for item in self._shown()), default=0)
        return QSize(super().minimumSize().width(), tallest)

    def sizeHint(self) -> QSize:
        items = self._shown()
        wide = sum(item.sizeHint().width() for item in items) + self.spacing() * len(items[1:])
        return QSize(wide, self.minimumSize().height())

    def _item_rects(self, rect: QRect) -> list[ItemRect]:
        lines, x, y = list[list[ItemRect]](), 0, rect.y()
        for item in self._shown():
            size = item.sizeHint()
            size.setWidth(max(min(size.width(), rect.width()), item.minimumSize().width()))
            if not lines or x + size.width() > rect.width():
                lines.append([])
                x = 0
            lines[-1].append((item, QRect(QPoint(rect.x() + x, y), size)))
            x += size.width() + self.spacing()
        for line in lines:
            tall = max(place.height() for _, place in line)
            for _, place in line:
                place.moveTop(y + (tall - place.height()) // 2)
            y += tall + self.spacing()
        return list(chain.from_iterable(lines))


class ColumnsLayout(_Layout):
    """Layout of equally wide cells in the largest permitted number of columns that fits.

    ``cell`` is the minimum width of a cell, in pixels before text scaling.
    """

    def __init__(
        self,
        columns: Sequence[int],
        cell: int,
        parent: QWidget | None = None,
        spacing: int = 12,
    ) -> None:
        super().__init__(parent, spacing)
        self._choices, self._cell = sorted(columns, reverse=True), cell

    def columns(self, width: int) -> int:
        """Return the number of columns for a width in pixels."""
        cell, gap = theme.pixels(self._cell), self.spacing()
        fits = (number for number in self._choices if number * (cell + gap) - gap <= width)
        return next(fits, self._choices[-1])

    def _item_rects(self, rect: QRect) -> list[ItemRect]:
        items, gap, y, places = self._shown(), self.spacing(), rect.y(), list[ItemRect]()
        columns = max(1, min(self.columns(rect.width()), len(items)))
        rows = [items[start : start + columns] for start in range(0, len(items), columns)]
        edges = [rect.x() + (rect.width() + gap) * at // columns for at in range(columns + 1)]
        first = edges[1] - gap - edges[0]
        heights = [max(_height(item, first) for item in row) for row in rows]
        more = max(0, rect.height() - sum(heights) - gap * (len(rows) - 1))
        for number, (row, tall) in enumerate(zip(rows, heights, strict=True)):
            tall += more * (number + 1) // len(rows) - more * number // len(rows)
            for item, left, right in zip(row, edges, edges[1:], strict=False):
                places.append((item, QRect(left, y, right - gap - left, tall)))
            y += tall + gap
        return places


def _height(item: QLayoutItem, width: int) -> int:
    least = item.minimumSize().height()
    if not item.hasHeightForWidth():
        return least
    # Qt's own sum leaves out widgets that ignore their size hint but have a minimum height.
    widget = item.widget()
    inside = widget.layout() if widget is not None else None
    whole = inside.minimumHeightForWidth(width) if inside is not None else 0
    return max(least, item.heightForWidth(width), whole)


class SidePanelLayout(_Layout):
    """Layout of a main part and a fixed-width panel to its right, or above it in narrow windows.

    ``side`` is the width of the panel, and ``least`` is the minimum width for placing the parts
    side by side. Both are in pixels before text scaling.
    """

    def __init__(self, side: int, least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent, 12)
        self._side, self._least = side, least

    def _item_rects(self, rect: QRect) -> list[ItemRect]:
        items, side, y, places = self._shown(), theme.pixels(self._side), rect.y(), list[ItemRect]()
        if len(items) == 2 and rect.width() >= theme.pixels(self._least):
            main = rect.width() - side - self.spacing()
            tall = max(_height(items[0], main), _height(items[1], side), rect.height())
            right = QRect(rect.right() + 1 - side, y, side, tall)
            return [(items[0], QRect(rect.x(), y, main, tall)), (items[1], right)]
        for item in reversed(items):
            tall = _height(item, rect.width())
            places.append((item, QRect(rect.x(), y, rect.width(), tall)))
            y += tall + self.spacing()
        return places
