"""Widgets that show lesson panels, such as pictures, tables and bars divided into shares."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QModelIndex,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QSizePolicy, QWidget

from eigenfaces.lessons import drawing as fig
from eigenfaces.space.pca import as_levels
from eigenfaces.text import count, four_digits
from ...style import theme
from ...style.images import colour_table, grey_image, rgb_image, signed_image
from ...style.painting import paint_line
from ...style.theme import BASE, CAPTION, SMALL_FONT, Tokens
from ...widgets.text_table import TextTable
from .planes import CurvesView, PlaneView, SpaceView, ink_colour

_GAP = 6.0
_COARSE_PICTURE = 20  # px of the image; narrower pictures are shown pixel by pixel
_WIDER = 1.9  # the largest ratio of width to height of an entry with a number
_SMALLEST = 7  # px of the text of these numbers


class PicturesView(QWidget):
    """View for a panel of pictures, arranged in rows and as large as the space allows."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: Any = None
        self.images: list[QImage] = []

    def sizeHint(self) -> QSize:
        return QSize(120, 60)

    def show_panel(self, panel: fig.PicturesPanel) -> None:
        """Show the pictures of a panel."""
        pictures = panel.visible
        if panel.diverging:
            images = [*map(signed_image, pictures, panel.limits.tolist())]
        elif pictures.ndim == 4:
            levels = as_levels(np.nan_to_num(pictures))
            images = [*map(rgb_image, levels)]
        else:
            images = [*map(grey_image, pictures)]
        words = f"{count(len(pictures), 'picture')}. {', '.join(panel.words)}"
        self.show_images(panel, images, panel.title or "Pictures", words)

    def show_images(self, panel: fig.Panel, images: list[QImage], name: str, words: str) -> None:
        """Show images, with an accessible name and description."""
        self.panel, self.images = panel, images
        self.setAccessibleName(name)
        self.setAccessibleDescription(words)
        self.update()

    def places(self) -> list[QRectF]:
        """Return the rectangles of all pictures, arranged in rows and equal in size."""
        number, words = len(self.images), self.panel.words
        metrics = QFontMetricsF(theme.font(SMALL_FONT))
        across = max(1, min(self.panel.across, number))
        rows, under = math.ceil(number / across), metrics.height() + 2 if words else 0.0
        w, h = self.images[0].size().toTuple()
        wide = (self.width() - (across - 1) * _GAP) / across
        high = (self.height() - (rows - 1) * _GAP) / rows - under
        scale = max(0.0, min(wide / w, high / h))
        longest = max(map(metrics.horizontalAdvance, words), default=0.0)
        pitch = max(scale * w, min(wide, longest)) + _GAP  # a label may be wider than its picture
        left = (self.width() - (across - 1) * pitch - scale * w) / 2
        step = scale * h + under + _GAP
        top = max(0.0, (self.height() - rows * step + _GAP) / 2)
        return [
            QRectF(left + at % across * pitch, top + at // across * step, scale * w, scale * h)
            for at in range(number)
        ]

    def paintEvent(self, _event: QPaintEvent) -> None:
        places, look = self.places() if self.images else [], theme.tokens()
        painter = QPainter(self)
        for place, image in zip(places, self.images, strict=True):
            fine = image.width() >= _COARSE_PICTURE or place.width() < image.width()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, fine)
            painter.drawImage(place, image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(SMALL_FONT))
        painter.setPen(QPen(QColor(look.border), 1))
        painter.drawRects(places)
        if places:
            self.paint_words(painter, places, look)

    def paint_words(self, painter: QPainter, places: list[QRectF], look: Tokens) -> None:
        """Paint the text below each picture."""
        room = places[1].left() - places[0].left() if len(places) > 1 else float(self.width())
        line = painter.fontMetrics().height()
        painter.setPen(QColor(look.secondary))
        for place, words in zip(places, self.panel.words, strict=False):
            box = QRectF(place.center().x() - room / 2, place.bottom() + 1, room, line)
            paint_line(painter, box, words)


class MatrixView(PicturesView):
    """View for a matrix in colour, with row and column names, and with numbers if they fit."""

    def show_panel(self, panel: fig.MatrixPanel) -> None:  # type: ignore[override]
        """Show the matrix of a panel."""
        rows, columns = panel.values.shape
        low, high = (four_digits(float(end)) for end in (panel.values.min(), panel.values.max()))
        words = f"{rows} × {columns}, from {low} to {high}."
        image = signed_image(panel.values, panel.limit)
        self.show_images(panel, [image], panel.title or "Matrix", words)

    def _names_rows(self, height: float) -> bool:
        """Return whether there are row names that fit without overlapping."""
        line = QFontMetricsF(theme.font(SMALL_FONT)).height() + 2
        return any(self.panel.rows) and height / len(self.panel.rows) >= 0.75 * line

    def places(self) -> list[QRectF]:
        panel, metrics = self.panel, QFontMetricsF(theme.font(SMALL_FONT))
        room, line, (rows, columns) = QRectF(self.rect()), metrics.height() + 2, panel.values.shape
        left = 1.0
        if self._names_rows(room.height() - line):
            left = max(map(metrics.horizontalAdvance, panel.rows)) + _GAP
        room.adjust(left, line if any(panel.columns) else 1, -1, -1)
        side = min(room.width() / columns, room.height() / rows)
        wide = min(room.width() / columns, side * _WIDER) if panel.numbers else side
        box = QRectF(0, 0, wide * columns, side * rows)
        box.moveCenter(room.center())
        return [box]

    def cell(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a matrix entry."""
        (box,), (rows, columns) = self.places(), self.panel.values.shape
        wide, high = box.width() / columns, box.height() / rows
        return QRectF(box.left() + column * wide, box.top() + row * high, wide, high)

    def paint_words(self, painter: QPainter, places: list[QRectF], look: Tokens) -> None:
        panel, body, line = self.panel, places[0], painter.fontMetrics().height()
        painter.setPen(QColor(look.secondary))
        for row, name in enumerate(panel.rows if self._names_rows(body.height()) else ()):
            middle = self.cell(row, 0).center().y() - line / 2
            box = QRectF(0, middle, body.left() - _GAP + 1, line)
            paint_line(painter, box, name, Qt.AlignmentFlag.AlignRight)
        for column, name in enumerate(panel.columns):
            cell = self.cell(0, column)
            box = QRectF(cell.left() - 2, body.top() - line - 2, cell.width() + 4, line)
            paint_line(painter, box, name)
        first, table = self.cell(0, 0), colour_table("signed")
        size = int(min(first.height() * 0.42, first.width() / 4.2, theme.pixels(SMALL_FONT + 3)))
        if not panel.numbers or size < _SMALLEST:
            return
        font, middle = QFont(theme.font(SMALL_FONT)), len(table) // 2
        font.setPixelSize(size)
        painter.setFont(font)
        for (row, column), value in np.ndenumerate(panel.values):
            share = float(np.clip(np.nan_to_num(value) / panel.limit, -1, 1))
            ground = table[round(middle + share * middle)]
            painter.setPen(QPen(QColor(look.border), 1))
            painter.drawRect(self.cell(row, column))
            painter.setPen(QColor("#FFFFFF" if ground @ (0.3, 0.59, 0.11) < 140 else "#1A1E24"))
            centre, text = Qt.AlignmentFlag.AlignCenter, fig.cell_label(float(value))
            painter.drawText(self.cell(row, column), centre, text)


class TableView(QLabel):
    """View for a table with left-aligned text, right-aligned numbers, and lines between rows."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setMinimumWidth(1)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)

    def show_panel(self, panel: fig.TablePanel) -> None:
        """Show the table of a panel."""
        look, columns = theme.tokens(), len(panel.head)
        sides = ["right" if panel.has_figures(at) else "left" for at in range(columns)]
        # Qt needs a width for all columns or for none; a table of words only has none
        widths = [100 // columns * ("right" in sides)] * columns
        if sides[0] == "left" and "left" not in sides[1:]:  # words before columns of figures
            widths = [22 if columns < 4 else 18] * columns
            widths[0] = 100 - sum(widths[1:])
        lines = []
        for at, row in enumerate((panel.head, *panel.rows)):
            strong = at - 1 in panel.strong
            colour = look.secondary if not at else look.accent if strong else look.text
            style = f"font-size: {theme.pixels(BASE if at else CAPTION)}px; color: {colour};"
            style += f"border-bottom: 1px solid {look.border};" * (at < len(panel.rows))
            style += f"font-weight: {600 if strong else 400}; padding: 4px 0 4px"
            line = ""
            for column, (text, side) in enumerate(zip(row, sides, strict=True)):
                text = escape(text).replace(" ", "&nbsp;") if side == "right" else escape(text)
                padding = _GAP * 2 * bool(column)
                width = f' width="{widths[column]}%"' if widths[column] else ""
                line += f'<td align="{side}" style="{style} {padding}px"{width}>{text}</td>'
            lines.append(f"<tr>{line}</tr>")
        text = f'<table width="100%" cellspacing="0">{"".join(lines)}</table>'
        if text != self.text():
            self.setText(text)
        self.setAccessibleName(panel.title or "Table")
        rows = ("; ".join(row) for row in (panel.head, *panel.rows))
        self.setAccessibleDescription(". ".join(rows))


class RowsView(TextTable):
    """View for a table with selectable rows. ``item_chosen``: a row, counted from 1, was chosen."""

    item_chosen = Signal(str, int)

    def __init__(self) -> None:
        super().__init__("Table rows", ("",), wide=0)
        self.panel = fig.RowsPanel((), (), "", -1)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.selectionModel().currentRowChanged.connect(self._choose)

    def show_panel(self, panel: fig.RowsPanel) -> None:
        """Show the rows of a panel, and select the chosen row."""
        before, self.panel = self.panel, panel
        if panel.rows is not before.rows:
            figures = filter(panel.has_figures, range(len(panel.head)))
            with QSignalBlocker(self):  # removing rows changes the current row
                self.show_table(panel.head, panel.rows, frozenset(figures))
        self.setAccessibleDescription(f"{count(len(panel.rows), 'row')}. {', '.join(panel.head)}")
        self.setCurrentIndex(self.model().index(panel.chosen, 0))

    def _choose(self, index: QModelIndex) -> None:
        if index.row() not in (-1, self.panel.chosen):
            self.item_chosen.emit(self.panel.setting, index.row() + 1)


class SharesView(QWidget):
    """View for a bar of shares, with the shares labelled above it and the whole labelled below."""

    def __init__(self) -> None:
        super().__init__()
        self.panel, self._below = fig.SharesPanel(("", 1.0), ("", 0.0), ""), ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_panel(self, panel: fig.SharesPanel) -> None:
        """Show the shares of a panel."""
        self.panel = panel
        self._below = f"{panel.whole}; mark: {panel.mark[1]}" if panel.mark else panel.whole
        self.setAccessibleName(panel.title or "Shares")
        self.setAccessibleDescription(
            ". ".join([*(words for words, *_ in panel.parts), self._below])
        )
        self.update()

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(theme.font(CAPTION)).height()
        return QSize(200, round(theme.pixels(20) + 2 * line + 8))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def places(self) -> tuple[float, float | None]:
        """Return where the first share ends and where the mark is, if there is one, in pixels."""
        kept, lost = (max(size, 0.0) for _, size, _ in self.panel.parts)
        unit, mark, wide = self.width() / ((kept + lost) or 1.0), self.panel.mark, self.width()
        return kept * unit, None if mark is None else min(max(mark[0] * unit, 1.5), wide - 1.5)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, look, (end, mark) = QPainter(self), theme.tokens(), self.places()
        (kept, _, first), (lost, _, second) = self.panel.parts
        line, wide = QFontMetricsF(theme.font(CAPTION)).height(), float(self.width())
        bar = QRectF(0, line + 4, wide, theme.pixels(20))
        painter.fillRect(bar, ink_colour(second, look))
        painter.fillRect(QRectF(0, bar.top(), end - 1, bar.height()), ink_colour(first, look))
        painter.fillRect(QRectF(end - 1, bar.top(), 2, bar.height()), QColor(look.surface))
        if mark is not None:
            tick = QRectF(mark - 1, bar.top() - 2, 2, bar.height() + 4)
            painter.fillRect(tick, QColor(look.text))
        painter.setFont(theme.font(CAPTION, QFont.Weight.DemiBold))
        painter.setPen(QColor(look.text))
        room = wide - painter.fontMetrics().horizontalAdvance(lost) - 10
        paint_line(painter, QRectF(0, 0, room, line), kept, Qt.AlignmentFlag.AlignLeft)
        paint_line(painter, QRectF(0, 0, wide, line), lost, Qt.AlignmentFlag.AlignRight)
        painter.setFont(theme.font(SMALL_FONT))
        painter.setPen(QColor(look.secondary))
        below = QRectF(0, bar.bottom() + 4, wide, painter.fontMetrics().height())
        paint_line(painter, below, self._below)


PANELS: dict[type[fig.Panel], Callable[[], Any]] = {
    fig.PlanePanel: PlaneView,
    fig.SpacePanel: SpaceView,
    fig.CurvesPanel: CurvesView,
    fig.BarsPanel: CurvesView,
    fig.MatrixPanel: MatrixView,
    fig.PicturesPanel: PicturesView,
    fig.TablePanel: TableView,
    fig.RowsPanel: RowsView,
    fig.SharesPanel: SharesView,
}
"""The view for each type of panel. Its `show_panel` method takes a panel of that type."""
