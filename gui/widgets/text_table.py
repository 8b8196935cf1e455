"""A table of texts, fast with thousands of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from eigenfaces.text import shortened
from gui.style import theme

Index = QModelIndex | QPersistentModelIndex
Row = tuple[str, ...]

_ROLE = Qt.ItemDataRole


@dataclass(frozen=True)
class TableLine:
    """One line: its key, its texts, and the values that each column is sorted by."""

    key: str
    words: Row
    order: tuple[str | float, ...]


class _Rows(QAbstractTableModel):
    """A model of rows of texts under headings; columns of figures are aligned right."""

    def __init__(self, headings: Row, figures: frozenset[int]) -> None:
        super().__init__()
        self._headings, self._figures = headings, figures
        self._rows: list[Row] = []

    def show(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row(self, index: int) -> Row:
        return self._rows[index]

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._headings)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return self._rows[index.row()][index.column()]
        if role == _ROLE.TextAlignmentRole:
            return self._alignment(index.column())
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == _ROLE.DisplayRole:
            return self._headings[section]
        return self._alignment(section) if role == _ROLE.TextAlignmentRole else None

    def _alignment(self, column: int) -> int:
        side = (
            Qt.AlignmentFlag.AlignRight if column in self._figures else Qt.AlignmentFlag.AlignLeft
        )
        return (side | Qt.AlignmentFlag.AlignVCenter).value


class _TextCells(QStyledItemDelegate):
    """Paints cells without a frame around the current one: whole rows are selected.

    Long paths are shortened in the middle; the tooltip has the whole path.
    """

    def __init__(self, paths: frozenset[int]) -> None:
        super().__init__()
        self._paths = paths

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus
        if index.column() in self._paths and isinstance(option.widget, QWidget):
            part = QStyle.SubElement.SE_ItemViewItemText
            room = option.widget.style().subElementRect(part, option, option.widget).width()
            margin = option.widget.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin)
            width = option.fontMetrics.horizontalAdvance
            option.text = shortened(option.text, room - 2 * (margin + 1), width)


class TextTable(QTableView):
    """A table of texts; column ``wide`` takes the remaining width, ``paths`` are shortened."""

    def __init__(
        self,
        name: str,
        headings: Row,
        wide: int,
        figures: frozenset[int] = frozenset(),
        *,
        paths: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", "rows")
        self.rows = _Rows(headings, figures)
        self.setModel(self.rows)
        self._cells = _TextCells(paths)
        self.setItemDelegate(self._cells)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        self.rows.show(rows)

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
