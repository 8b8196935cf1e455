"""What every plot is built on: a canvas without menu or zoom, and the room for its parts."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QGraphicsItem, QSizePolicy, QVBoxLayout, QWidget

from gui.charts.layers import GAP, AxesLayer, Axis, Frame, Tag, TagLayer
from gui.charts.legend import Legend, LegendLayer
from gui.charts.ticks import Ticks
from gui.style.theme import SMALL, Tokens, font, tokens

pg.setConfigOptions(antialias=True, useOpenGL=False)

BY_KEYS = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}
"""The focus came from the keyboard, so what the keys would move has to be seen."""

_RESTYLE = {QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}


class Canvas(pg.GraphicsView):  # type: ignore[misc]
    """The surface a chart is drawn on: no menu, no zoom, only presses passed on."""

    resized = Signal()
    pressed = Signal(QPointF)
    moved = Signal(QPointF, bool)
    released = Signal(QPointF)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, background=None)
        for part in (self, self.viewport()):  # the chart takes the focus, and has a name
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setMinimumSize(0, 0)
        self.setAntialiasing(True)
        self.setCacheMode(self.CacheModeFlag.CacheNone)  # the cache would be opaque
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls, the plot does not zoom

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.moved.emit(event.position(), bool(event.buttons() & Qt.MouseButton.LeftButton))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.released.emit(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)


class Chart(QWidget):
    """A plot: subclasses say what is drawn, the ticks, and the colours."""

    def __init__(self, x_title: str, y_title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame = Frame(Axis(x_title), Axis(y_title))
        self.tag, self.legend = Tag(), Legend()
        self.canvas = Canvas(self)
        self.view = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self.view.setZValue(0)  # by default it lies below everything, the grid included
        # The curve may touch 100 %: half of its line width lies outside the plot rectangle.
        self.view.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape, False)
        self._axes_layer = AxesLayer(self.frame, -5)
        self._tag_layer = TagLayer(self.frame, self.tag)
        self._legend_layer = LegendLayer(self.frame, self.legend)
        for item in (self._axes_layer, self.view, self._tag_layer, self._legend_layer):
            self.canvas.scene().addItem(item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.setMinimumSize(160, 140)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(f"Plot: {y_title} against {x_title}")
        self.canvas.resized.connect(self.arrange)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def describe(self, text: str) -> None:
        """Say in words what is drawn, for those who cannot see it."""
        self.setAccessibleDescription(text)

    def x_ticks(self) -> list[str]:
        return [text for _, text in self.frame.x.ticks]

    def y_ticks(self) -> list[str]:
        return [text for _, text in self.frame.y.ticks]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _RESTYLE:
            self.arrange()

    def arrange(self) -> None:
        """Give ticks, titles, tag and legend their room, then fit the drawing into the rest."""
        self.colour(tokens())
        for layer in (self._axes_layer, self._tag_layer, self._legend_layer):
            layer.prepareGeometryChange()
        self.frame.size = QRectF(0, 0, self.canvas.width(), self.canvas.height())
        self._place_plot(self._head_room())
        clash = self._clash()
        if clash:
            self._place_plot(self._head_room() + clash)
        self.view.setGeometry(self.frame.plot)
        x, y = self.frame.x, self.frame.y
        self.view.setRange(xRange=(x.lo, x.hi), yRange=(y.lo, y.hi), padding=0)
        self.canvas.viewport().update()

    def _place_plot(self, top: float) -> None:
        metrics = QFontMetricsF(font(SMALL))
        line = metrics.height()
        bottom = self.frame.size.height() - (2 * line + 2 * GAP + 1)
        self.fit_range(bottom - top)
        self.frame.y.ticks = self.choose_y_ticks(max(2, int((bottom - top) / (1.9 * line))))
        widest = max((metrics.horizontalAdvance(text) for text in self.y_ticks()), default=0.0)
        left, right = line + widest + 2 * GAP, self.frame.size.width() - 12
        self.frame.x.ticks = self.choose_x_ticks(right - left, metrics)
        self.frame.plot = QRectF(left, top, max(1.0, right - left), max(1.0, bottom - top))

    def fit_range(self, height: float) -> None:
        """Adapt the range of the axes to the height in pixels, where that matters."""

    def choose_x_ticks(self, width: float, metrics: QFontMetricsF) -> Ticks:
        raise NotImplementedError

    def choose_y_ticks(self, most: int) -> Ticks:
        raise NotImplementedError

    def colour(self, look: Tokens) -> None:
        """Colour what is drawn; called after every change of theme, size or content."""
        raise NotImplementedError

    def _head_room(self) -> float:
        line = QFontMetricsF(font(SMALL)).height()
        pill = self._tag_layer.pill().height()
        box = self._legend_layer.box().height()
        return max(line / 2 + 2, pill + line / 2 if pill else 0.0, box + 8 if box else 0.0)

    def _clash(self) -> float:
        """Extra room needed when the tag and the legend would lie on each other."""
        pill, box = self._tag_layer.pill(), self._legend_layer.box()
        if pill.isEmpty() or box.isEmpty():
            return 0.0
        apart = pill.left() > box.right() + 6 or pill.right() < box.left() - 6
        return 0.0 if apart else pill.height() + 2
