"""The card with the mean face and all components."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from eigenfaces.space.face_space import FaceSpace
from gui.pages.eigenfaces.pictures import component_image, share_text, to_grey
from gui.style import theme
from gui.widgets.boxes import STRETCH, in_row
from gui.widgets.cards import Card
from gui.widgets.face_delegate import CellStyle, FaceDelegate
from gui.widgets.face_list import FaceGrid
from gui.widgets.face_model import Face
from gui.widgets.painted import ColourBar
from gui.widgets.words import label

MEAN = "mean"
_PICTURE, _LARGE_PICTURE = QSize(72, 88), QSize(128, 156)
_FEW = 16  # number of components that are shown large
_VEIL = 0.66
_ROOMY = 440  # px, before the text scale, from which the colour bar may use more words
_PICTURE_END = 4  # px between the picture and its text


class _KeptDelegate(FaceDelegate):
    """Fades components that are not kept, and draws a line after the last kept one."""

    kept = 0

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        look = theme.tokens()
        cell = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if index.row() > self.kept and not chosen:
            veil = QColor(look.surface)
            veil.setAlphaF(_VEIL)
            cell.setHeight(self.style.picture.height() + 2 * _PICTURE_END + 2)
            painter.fillRect(cell, veil)
        elif index.row() == self.kept < index.model().rowCount() - 1:
            painter.setBrush(QColor(look.accent))
            tall = QRectF(cell.right(), cell.top() + 6, 3, self.style.picture.height())
            painter.drawRoundedRect(tall, 1.5, 1.5)
        painter.restore()


class ComponentGrid(Card):
    """The mean and the components with their share of the variance, and a line at k."""

    chosen = Signal(str)  # the number of a component from 0, or MEAN

    def __init__(self) -> None:
        super().__init__("Components")
        self._space: FaceSpace | None = None
        self._signed = True
        self.grid = FaceGrid("Mean face and components", _PICTURE, subcaption=True)
        self._delegate = _KeptDelegate(self.grid.cells.style)
        self.grid.cells = self._delegate
        self.grid.setItemDelegate(self._delegate)
        self.grid.setMinimumHeight(theme.pixels(150))
        self.grid.chosen.connect(self.chosen)
        # The grid knows only after layout how many fit into a row.
        self._laid_out = QTimer(self, singleShot=True, interval=0)
        self._laid_out.timeout.connect(self._report_range)
        self.grid.verticalScrollBar().valueChanged.connect(self._report_range)
        self.grid.viewport().installEventFilter(self)
        self._beyond = label("", "caption")
        self._bar = ColourBar("signed", "darker", "brighter")
        self._bar.setToolTip(
            "From −3/√d to +3/√d, d the number of pixels: three times the root mean square of a "
            "component, which has length 1. The scale is the same for all of them."
        )
        foot = in_row(self._beyond, STRETCH, self._bar, spacing=12)
        self.body.addWidget(self.grid, 1)
        self.body.addLayout(foot)

    def show_space(self, space: FaceSpace, signed: bool) -> None:
        """Show other components, or the same ones in colour or in grey."""
        if space is self._space and signed == self._signed:
            return
        scrolled = self._space is not space
        self._space, self._signed = space, signed
        picture = _LARGE_PICTURE if len(space) <= _FEW else _PICTURE
        self._delegate.style = CellStyle(picture, subcaption=True)
        self.grid.fit_cells()
        mean = Face(MEAN, np.ascontiguousarray(to_grey(space.mean, space)), "Mean face")
        components = [
            Face(
                str(number),
                partial(component_image, space, number, signed),
                str(number + 1),
                share_text(float(share)),
                accessible=f"Component {number + 1}, {share_text(float(share))} of the variance",
            )
            for number, share in enumerate(space.variance_ratio)
        ]
        self.grid.show_faces([mean, *components])
        if scrolled:
            self.grid.scrollToTop()
        self._report_range()
        self._draw_bar()

    def set_kept(self, k: int) -> None:
        """Fade all but the first k components."""
        total = len(self._space) if self._space is not None else 0
        self._beyond.setText(f"Faded: k > {k}" if k < total else "All are kept")
        if k != self._delegate.kept:
            self._delegate.kept = k
            self.grid.viewport().update()

    def select(self, key: str) -> None:
        """Select a component, or the mean, without emitting `chosen`."""
        if self.grid.selected_keys() != [key]:
            self.grid.select(key)

    def visible_range(self) -> tuple[int, int]:
        """Return the first and the last visible component, counted from 1."""
        cell, seen, columns = self.grid.gridSize(), self.grid.viewport(), self.grid.columns()
        top = self.grid.verticalScrollBar().value()
        first = round(top / max(1, cell.height())) * columns
        rows_seen = max(1, (seen.height() + cell.height() // 2) // max(1, cell.height()))
        total = self.grid.faces.rowCount() - 1
        return max(1, min(first, total)), min(first + rows_seen * columns - 1, total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw_bar()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._laid_out.start()
        return super().eventFilter(watched, event)

    def _draw_bar(self) -> None:
        roomy = self.width() > theme.pixels(_ROOMY)
        brighter = "brighter than the mean" if roomy else "brighter"
        self._bar.set_scale("signed" if self._signed else "grey", "darker", brighter)

    def _report_range(self) -> None:
        if self._space is None:
            return
        first, last = self.visible_range()
        seen = f"Components {first}–{last}" if last > first else f"Component {first}"
        self.set_title(f"{seen} of {len(self._space)}")
