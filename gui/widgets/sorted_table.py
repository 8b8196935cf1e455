"""A table of texts that is sorted by a click on a heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelection, Qt, Signal

from gui.widgets.text_table import Row, TextTable


@dataclass(frozen=True)
class TableLine:
    """One line: its key, its texts, and the values that each column is sorted by."""

    key: str
    words: Row
    order: tuple[str | float, ...]


class SortedTable(TextTable):
    """A table whose order can be chosen; `chosen` is emitted when a line is."""

    chosen = Signal(str)

    def __init__(
        self, name: str, headings: Row, wide: int, figures: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(name, headings, wide, figures)
        self._lines: list[TableLine] = []
        self._quiet = False
        self._by, self._down = 0, False
        header = self.horizontalHeader()
        header.setProperty("sorts", True)  # the style sheet leaves room for the arrow
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        header.sortIndicatorChanged.connect(self._sort)

    def show_lines(self, lines: Sequence[TableLine]) -> None:
        """Show other lines, in the same order as before."""
        self._lines = list(lines)
        self._show()

    def sort_by(self, column: int, *, down: bool) -> None:
        """Sort the lines by a column."""
        order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        self.horizontalHeader().setSortIndicator(column, order)

    def keys(self) -> list[str]:
        """Return the keys of the lines in the order shown."""
        return [line.key for line in self._lines]

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        rows = self.selected_rows()
        if len(rows) == 1 and not self._quiet:
            self.chosen.emit(self._lines[rows[0]].key)

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        self._by, self._down = column, order == Qt.SortOrder.DescendingOrder
        self._show()

    def _show(self) -> None:
        self._lines.sort(key=lambda line: line.order[self._by], reverse=self._down)
        self._quiet = True
        self.show_rows([line.words for line in self._lines])
        self._quiet = False
