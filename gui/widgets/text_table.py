"""A table of texts, fast with thousands of rows, which may be put in order by its headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from gui.style import theme

Row = tuple[str, ...]

_ORDER, _KEY = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class TableLine:
    """One line: its key, its texts, and the values that each column is sorted by."""

    key: str
    words: Row
    order: tuple[str | float, ...]


class TextTable(QTableView):
    """A table of texts; column ``wide`` takes the remaining width, ``figures`` are aligned right.

    With ``paths`` long texts are shortened in the middle; the tooltip of a cell has all of it.
    """

    def __init__(
        self,
        name: str,
        headings: Row,
        wide: int,
        figures: frozenset[int] = frozenset(),
        *,
        paths: bool = False,
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", "rows")
        self._figures = figures
        self._rows = QStandardItemModel(0, len(headings), self)
        for at, heading in enumerate(self._items(headings)):
            self._rows.setHorizontalHeaderItem(at, heading)
        self._rows.setSortRole(_ORDER)
        self.setModel(self._rows)
        if paths:
            self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)

    def show_rows(self, rows: Sequence[Row], tips: Sequence[str] = ()) -> None:
        """Show other rows; the tooltips of each are its own, or the texts of its cells."""
        self._rows.setRowCount(0)
        for at, words in enumerate(rows):
            self._rows.appendRow(self._items(words, tips[at] if tips else ""))

    def _items(self, words: Row, tip: str = "") -> list[QStandardItem]:
        items, flag = [QStandardItem(text) for text in words], Qt.AlignmentFlag
        for at, item in enumerate(items):
            side = flag.AlignRight if at in self._figures else flag.AlignLeft
            item.setTextAlignment(side | flag.AlignVCenter)
            item.setToolTip(tip or item.text())
        return items

    def select_row(self, row: int) -> None:
        """Select only this row, whatever keys are held down meanwhile."""
        flags = QItemSelectionModel.SelectionFlag
        index = self.model().index(row, 0)
        self.selectionModel().select(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def selected_rows(self) -> list[int]:
        """Return the indices of the selected rows."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def set_width(self, column: int, width: int) -> None:
        """Set the width of a column, in pixels before they grow with the text."""
        self.horizontalHeader().resizeSection(column, theme.pixels(width))


class SortedTable(TextTable):
    """A table whose order can be chosen; `chosen` is emitted when a line is."""

    chosen = Signal(str)

    def __init__(
        self, name: str, headings: Row, wide: int, figures: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(name, headings, wide, figures)
        header = self.horizontalHeader()
        header.setProperty("sorts", True)  # the style sheet leaves room for the arrow
        header.setSectionsClickable(True)
        header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def show_lines(self, lines: Sequence[TableLine]) -> None:
        """Show other lines, in the same order as before."""
        self.setSortingEnabled(False)
        self._rows.setRowCount(0)
        for line in lines:
            items = self._items(line.words)
            items[0].setData(line.key, _KEY)
            for item, value in zip(items, line.order, strict=True):
                item.setData(value, _ORDER)
            self._rows.appendRow(items)
        self.setSortingEnabled(True)

    def keys(self) -> list[str]:
        """Return the keys of the lines in the order shown."""
        return [self._rows.item(row).data(_KEY) for row in range(self._rows.rowCount())]

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        rows = self.selected_rows()
        if len(rows) == 1:
            self.chosen.emit(self.keys()[rows[0]])
