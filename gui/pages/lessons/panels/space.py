"""Points and lines in three dimensions, turned with the mouse or the arrow keys."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from eigenfaces.laboratory.maps import Viewpoint
from eigenfaces.lessons.drawing import Dots, SpacePanel
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count
from gui.pages.lessons.panels.layers import Stage, paint_dots, paint_strokes, paint_words, told_at
from gui.style import theme
from gui.style.theme import SMALL

_RADIANS = 0.008
_WHEEL = 1.0015
_REACH = 9.0
_STEPS = {
    Qt.Key.Key_Left: (-10, 0),
    Qt.Key.Key_Right: (10, 0),
    Qt.Key.Key_Up: (0, -10),
    Qt.Key.Key_Down: (0, 10),
}


class SpaceView(QWidget):
    """A panel of space; it stays turned as it is while other points are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: SpacePanel | None = None
        self.viewpoint = Viewpoint()
        self._last: QPointF | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(110, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def show_panel(self, panel: SpacePanel) -> None:
        """Show other layers."""
        zoom = self.viewpoint.zoom
        self.panel = panel
        dots = [each for each in panel.layers if isinstance(each, Dots)]
        ends = [each.at if isinstance(each, Dots) else each.end for each in panel.layers]
        places = np.concatenate([each.at for each in dots] or ends or [np.zeros((1, 3))])
        if len(places):
            self.viewpoint.fit(places)
            self.viewpoint.zoom = zoom
        self.setAccessibleName(panel.title or f"Space of {', '.join(panel.axes)}")
        said = [f"{count(len(each.at), 'point')}." for each in dots]
        self.setAccessibleDescription(" ".join([*said, "Arrow keys turn it."]))
        self.update()

    def on_screen(self, places: Doubles) -> Doubles:
        """Return the pixels (n, 2) of places (n, 3)."""
        flat, _ = self.viewpoint.flat(places)
        low, high = self.viewpoint.ranges(self.width(), self.height(), True)
        share = (flat - low) / (high - low)
        return np.stack([share[:, 0] * self.width(), (1 - share[:, 1]) * self.height()], axis=1)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self.panel is None:
            return
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)  # on which dots are copies, which is faster
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter, self.panel)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, picture)
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme.tokens().accent), 1))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def _paint(self, painter: QPainter, panel: SpacePanel) -> None:
        stage = Stage(painter, self.on_screen, QRectF(self.rect()), theme.tokens())
        self._paint_axes(stage, panel)
        for layer in panel.layers:
            if isinstance(layer, Dots):
                _, depth = self.viewpoint.flat(layer.at)
                paint_dots(stage, layer, np.argsort(depth, kind="stable"))
            else:
                paint_strokes(stage, layer)
        for layer in panel.layers:
            paint_words(stage, layer)

    def _paint_axes(self, stage: Stage, panel: SpacePanel) -> None:
        """Paint the three axes through the middle, with their names at the ends."""
        centre, reach = self.viewpoint.centre, float(self.viewpoint.half[0]) * 0.9
        painter, look = stage.painter, stage.look
        painter.setFont(theme.font(SMALL))
        metrics = QFontMetricsF(painter.font())
        for axis, name in enumerate(panel.axes):
            step = np.eye(3)[axis] * reach
            first, last = (
                QPointF(*each) for each in self.on_screen(np.stack([centre - step, centre + step]))
            )
            painter.setPen(QPen(QColor(theme.mix(look.border, look.text, 0.15)), 1))
            painter.drawLine(first, last)
            box = QRectF(0, 0, metrics.horizontalAdvance(name) + 4, metrics.height())
            box.moveCenter(last + QPointF(0, -8))
            box.moveLeft(min(max(box.left(), 1.0), self.width() - box.width() - 1))
            box.moveTop(min(max(box.top(), 1.0), self.height() - box.height() - 1))
            painter.setPen(QColor(look.secondary))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
            stage.taken.append(box)

    def told(self, at: QPointF) -> str:
        """Return what is said of the dot at a pixel."""
        return told_at(self.on_screen, self.panel.layers if self.panel else (), at, _REACH)

    def turn(self, across: float, up: float) -> None:
        """Turn by pixels of a drag."""
        self.viewpoint.orbit(across * _RADIANS, up * _RADIANS)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._last = event.position()
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._last is not None:
            step, self._last = at - self._last, at
            self.turn(step.x(), step.y())
        elif (tip := self.told(at)) != self.toolTip():
            QToolTip.hideText()
            self.setToolTip(tip)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        del event
        self._last = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        del event
        fresh = Viewpoint()
        self.viewpoint.yaw, self.viewpoint.pitch, self.viewpoint.zoom = fresh.yaw, fresh.pitch, 1.0
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.viewpoint.zoom_by(_WHEEL ** event.angleDelta().y(), self.viewpoint.middle)
        self.update()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.turn(*step)
