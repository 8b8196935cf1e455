"""The map as a control: hover, choose, zoom, pan, orbit, and go by the arrow keys."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QWheelEvent,
)

from eigenfaces.laboratory.maps import MapView, neighbour
from gui.pages.map.picture import MapPicture
from gui.pages.map.sprites import Thumbnails
from gui.plots.plot import BY_KEYS
from gui.style.theme import Tokens

_ARROWS: dict[int, tuple[int, int]] = {  # upwards positive
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_DRAGGED = 4  # px before a press becomes a drag
_NEAR = 11.0  # px from the middle of a dot
_PAN, _RADIANS = 60, 0.008  # px of a step by keys; radians of a pixel
_WHEEL = 1.0015


class MapChart(MapPicture):
    """A map to look around in.

    ``chosen``: the face or probe with this number was chosen; ``pointed_at``: another one, or none,
    is pointed at; ``opened``: Enter.
    """

    chosen = Signal(int)
    pointed_at = Signal()
    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragging = False
        self._by_keys = False  # the focus came by them, and is shown
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Map of all faces")
        self.setMinimumHeight(220)

    def show_map(self, shown: MapView, thumbnails: Thumbnails, *, fit: bool) -> None:
        """Show other places or other faces; look at all of them if asked to."""
        before = self.shown
        self.shown, self.thumbnails = shown, thumbnails
        self.pointed = None
        if fit or before is None or before.places.shape[1] != shown.places.shape[1]:
            self.viewpoint.fit(shown.places)
        self.arrange()

    def fit(self) -> None:
        """Look at all faces again."""
        if self.shown is not None:
            self.viewpoint.fit(self.shown.places)
            self.arrange()

    def choose(self, number: int | None, nearest: tuple[int, ...]) -> None:
        """Mark a face or a probe, and the faces that are nearest to it in truth."""
        self.selected, self.nearest = number, nearest
        self.update()

    def point_at(self, number: int | None) -> None:
        """Let one stand out from the others, or none."""
        if number != self.pointed:
            self.pointed = number
            self.update()
            self.pointed_at.emit()

    def at(self, place: QPointF) -> int | None:
        """Return the number of the face or probe at a place on the screen."""
        if self.shown is None or not len(self.flat):
            return None
        away = np.abs(self.places_on_screen() - (place.x(), place.y()))
        n, half = self.shown.faces, self.width_of_face / 2
        reach = np.full(away.shape, _NEAR)
        if self.as_faces:
            reach[:n] = (half, half * 1.2)
        hit = np.flatnonzero((away <= reach).all(axis=1))
        if not hit.size:
            return None
        hit = probes if (probes := hit[hit >= n]).size else hit
        return int(hit[(away[hit] ** 2).sum(axis=1).argmin()])

    # The pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.shown is None:
            return
        self._pressed = self._last = event.position()
        self._dragging = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is None:
            self.point_at(self.at(at))
            return
        self._dragging |= (at - self._pressed).manhattanLength() > _DRAGGED
        if self._dragging:
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._drag(at - self._last, turn=self.deep and not control)
        self._last = at

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = None
        if not self._dragging and (number := self.at(event.position())) is not None:
            self.chosen.emit(number)
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta().y()
        if turn and self.shown is not None:
            self.zoom(_WHEEL**turn, event.position())
            event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._by_keys = event.reason() in BY_KEYS
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._by_keys = False
        self.update()
        self.point_at(None)

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        super().paint_moving(painter, look)
        if self._by_keys and not self._on_file:
            painter.setPen(QPen(QColor(look.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out around a place on the screen; by keys, around the middle."""
        at = at or self.frame.plot.center()
        self.viewpoint.zoom_by(factor, self.frame.value_at(at))
        self.arrange()

    def _drag(self, by: QPointF, *, turn: bool) -> None:
        if turn:
            self.viewpoint.orbit(by.x() * _RADIANS, by.y() * _RADIANS)
        else:
            self.viewpoint.middle = self.viewpoint.middle - (
                self.frame.value_at(by) - self.frame.value_at(QPointF(0, 0))
            )
        self.arrange()

    # The keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = _ARROWS.get(event.key())
        if self.shown is None:
            super().keyPressEvent(event)
        elif direction is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            by = QPointF(-_PAN * direction[0], _PAN * direction[1])
            self._drag(-by / 2 if self.deep else by, turn=self.deep)
        elif direction is not None:
            self.go(direction)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom(0.8)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def go(self, direction: tuple[int, int]) -> None:
        """Choose the neighbour in a direction, and let it stand out."""
        places = self.places_on_screen() * (1, -1)  # upwards is up
        if not len(places):
            return
        middle = self.frame.plot.center()
        start = self.selected
        if start is None:
            away = (places - (middle.x(), -middle.y())) ** 2
            number: int | None = int(np.argmin(away.sum(axis=1)))
        else:
            number = neighbour(places, start, direction)
        if number is not None:
            self.choose(number, ())  # the next key may come before the page has looked
            self.chosen.emit(number)
            self._keep_in_sight(number)
            self.point_at(number)

    def _keep_in_sight(self, number: int) -> None:
        at = QPointF(*self.places_on_screen()[number].tolist())
        if not self.frame.plot.adjusted(10, 10, -10, -10).contains(at):
            self._drag(self.frame.plot.center() - at, turn=False)
