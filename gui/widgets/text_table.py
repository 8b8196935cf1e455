"""Table of text that stays fast with thousands of rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from ..style import theme

Row = tuple[str, ...]


class TextTable(QTableView):
    """Table of text. Column ``wide`` takes the spare width; columns ``figures`` are right-aligned.

    If ``paths``, long text is cut in the middle. The tooltip of a cell shows its full text.
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
        for column, heading in enumerate(self._items(headings)):
            self._rows.setHorizontalHeaderItem(column, heading)
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

    def show_table(self, headings: Row, rows: Sequence[Row], figures: frozenset[int]) -> None:
        """Replace the headings, the rows and the set of right-aligned columns."""
        self._rows.clear()
        self._figures = figures
        for column, heading in enumerate(self._items(headings)):
            self._rows.setHorizontalHeaderItem(column, heading)
        self.show_rows(rows)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Replace the rows."""
        self._rows.setRowCount(0)
        for words in rows:
            self._rows.appendRow(self._items(words))

    def _items(self, words: Row) -> list[QStandardItem]:
        items, flag = [QStandardItem(text) for text in words], Qt.AlignmentFlag
        for column, item in enumerate(items):
            side = flag.AlignRight if column in self._figures else flag.AlignLeft
            item.setTextAlignment(side | flag.AlignVCenter)
            item.setToolTip(item.text())
        return items

    def select_row(self, row: int) -> None:
        """Select only this row, even if modifier keys are held down."""
        flags = QItemSelectionModel.SelectionFlag
        index = self.model().index(row, 0)
        self.selectionModel().select(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def selected_rows(self) -> list[int]:
        """Return the indices of the selected rows."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def set_width(self, column: int, width: int) -> None:
        """Set the width of a column, in pixels before text scaling."""
        self.horizontalHeader().resizeSection(column, theme.pixels(width))
