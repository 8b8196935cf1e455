"""A photograph, large, with a name on every face's box: what Recognise and the camera show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMarginsF, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QToolTip

from eigenfaces.photographs.photos import Eyes
from eigenfaces.recognition.verdict import Decision
from gui.style import icons, theme
from gui.style.theme import Tone
from gui.widgets.painted import clamped
from gui.widgets.photo_view import PhotoView, corners, stroke


class Look(NamedTuple):
    """The tone and the icon of a verdict: never the one without the other."""

    tone: Tone
    icon: str


LOOKS: dict[str, Look] = {
    "sure": Look("ok", "ok"),
    "likely": Look("ok", "likely"),
    "ask": Look("accent", "question"),
    "perhaps": Look("accent", "perhaps"),
    "unknown": Look("warn", "person"),
    "near but no face": Look("doubt", "perhaps-face"),
    "no face": Look("bad", "no-face"),
    "not calibrated": Look("neutral", "info"),
    "waits": Look("neutral", "clock"),
    "in the gallery": Look("neutral", "people"),
}
"""By the kind of a verdict, or what else there is to say of a face."""

_GROUND, _FAINT = QColor("#22262D"), QColor("#AEB6C0")  # in both themes, as a light table is dark
_MARGIN, _FOOT = 14, 30  # px around the picture; below it, with the words
_ICON, _PAD, _GAP = 12, 7, 4  # px, of a name on a box
_WIDEST = 170  # px of a name on a small box, before the text scale
_WANDER = 4.0  # px that the pointer may move during a click
_HOW = "1–9 choose a face, the wheel enlarges, 0 shows all, a double-click corrects a box"
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Space: 1}


@dataclass(frozen=True)
class NamedFace:
    """A face of a photograph, and what stands on its box; ``told`` is said when it is pointed at.

    ``eyes``: None if the whole photograph is the face.
    """

    eyes: Eyes | None
    name: str
    look: Look
    told: str = ""


def named_face(eyes: Eyes | None, decision: Decision) -> NamedFace:
    """Return a face with what is decided about it."""
    told = f"{decision.headline} ({decision.word})"
    return NamedFace(eyes, decision.label, LOOKS[decision.kind], told)


class NamedPhoto(PhotoView):
    """Shows a photograph with its faces and their names; the wheel enlarges it, a drag moves it.

    A click, an arrow key or a number chooses a face; with Ctrl, beside those that are chosen.
    """

    chosen = Signal(int, bool)
    opened = Signal()
    menu_asked = Signal(QPoint)
    margins = QMarginsF(_MARGIN, _MARGIN, _MARGIN, _FOOT)

    def __init__(self) -> None:
        super().__init__("Photograph")
        self.caption = ""
        self.setToolTip(_HOW)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.named: tuple[NamedFace, ...] = ()
        self.picked: frozenset[int] = frozenset()
        self._names: dict[int, QRectF] = {}  # where they were painted
        self._pressed = self._last = QPointF()

    def show_named(self, faces: Sequence[NamedFace], picked: Collection[int] = ()) -> None:
        """Show these names; ``picked`` are the places of the faces that are chosen."""
        self.named, self.picked = tuple(faces), frozenset(picked)
        said = [each.told or each.name for at, each in enumerate(faces) if at in self.picked]
        self.setAccessibleDescription(f"{len(faces)} on it. Chosen: {', '.join(said) or 'none'}.")
        self.viewport().update()

    def set_caption(self, caption: str) -> None:
        """Show words below the photograph."""
        self.caption = caption
        self.viewport().update()

    def face_at(self, place: QPointF) -> int | None:
        """Return which face a place of the widget is on, or its name; of several the nearest."""
        if self.image is None:
            return None
        found = [(0.0, at) for at, name in self._names.items() if name.contains(place)]
        for at, face in enumerate(self.named):
            outline = self._outline(face)
            if outline.containsPoint(place, Qt.FillRule.WindingFill):
                apart = outline.boundingRect().center() - place
                found.append((max(abs(complex(apart.x(), apart.y())), 1e-6), at))
        return min(found)[1] if found else None

    # What is painted

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        del rect
        painter.resetTransform()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_GROUND)
        painter.drawRoundedRect(QRectF(self.viewport().rect()), 10, 10)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        if self.image is not None:
            super().drawForeground(painter, rect)
        painter.resetTransform()
        room = self.viewport().rect()
        painter.save()
        if self.image is not None:
            painter.setClipRect(self.picture_rect())
            self._paint_marks(painter)
        painter.restore()
        painter.setFont(theme.font(theme.CAPTION))
        painter.setPen(_FAINT)
        line = QRectF(_MARGIN, room.height() - _FOOT, room.width() - 2 * _MARGIN, _FOOT)
        if self.zoom > 1:
            painter.fillRect(line, _GROUND)
        cut = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(self.caption, cut, round(line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, shown)

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint the boxes, those that are chosen last, and then the names."""
        for at, face in sorted(enumerate(self.named), key=lambda each: each[0] in self.picked):
            path = QPainterPath()
            path.addPolygon(self._outline(face))
            path.closeSubpath()
            colour = QColor(theme.DARK.tone(face.look.tone)[0])
            stroke(painter, path, 2.5, colour)
            if at in self.picked:  # white around its own colour
                painter.strokePath(path, QPen(QColor("#FFFFFF"), 8))
                painter.strokePath(path, QPen(colour, 3))
        self._names = self._places()
        painter.setFont(theme.font(theme.CAPTION, 600))
        for at, place in self._names.items():
            self._paint_name(painter, place, self.named[at])

    def _paint_name(self, painter: QPainter, place: QRectF, face: NamedFace) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.LIGHT.tone(face.look.tone)[0]))
        painter.drawRoundedRect(place, 5, 5)
        side = theme.pixels(_ICON)
        sign = icons.pixmap(face.look.icon, side, "#FFFFFF", self.devicePixelRatioF())
        painter.drawPixmap(place.topLeft() + QPointF(_PAD, (place.height() - side) / 2), sign)
        words = place.adjusted(_PAD + side + _GAP, 0, -_PAD + 2, 0)
        painter.setPen(QColor("#FFFFFF"))
        cut = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(face.name, cut, round(words.width()))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)

    def _outline(self, face: NamedFace) -> QPolygonF:
        if face.eyes is None:
            return QPolygonF(self.photo_rect().adjusted(2, 2, -2, -2))
        return QPolygonF([self.seen(corner) for corner in corners(face.eyes)])

    def _places(self) -> dict[int, QRectF]:
        """Return where the names stand: below their boxes, or where they hide no other name.

        Where there is no room at all, only the icon is shown; pointed at, the face tells its name.
        """
        metrics = QFontMetrics(theme.font(theme.CAPTION, 600))
        least = float(theme.pixels(_ICON) + 2 * _PAD)
        tall, room, taken = metrics.height() + 6, self.picture_rect(), dict[int, QRectF]()
        for at in sorted(range(len(self.named)), key=lambda at: at not in self.picked):
            box = self._outline(self.named[at]).boundingRect()
            if not room.intersects(box):
                continue  # beside the part of the photograph that is shown
            most = max(box.width(), theme.pixels(_WIDEST))
            wide = least + _GAP + metrics.horizontalAdvance(self.named[at].name) + 2
            wide = min(wide, most, room.width())
            below, above = box.bottom() + 5, box.top() - 5 - tall
            tried = [(wide, below), (wide, above), (wide, box.bottom() - tall), (least, below)]
            for width, top in tried:
                place = clamped(QRectF(box.left(), top, width, tall), room)
                inside = room.top() <= top and top + tall <= room.bottom()
                if inside and not any(place.intersects(other) for other in taken.values()):
                    break
            else:
                place = clamped(QRectF(box.left(), box.bottom() - tall, least, tall), room)
            taken[at] = place
        return taken

    # The mouse and the keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self._pressed = self._last = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.pan(event.position() - self._last)
            self._last = event.position()
        over, shape = self.face_at(event.position()) is not None, Qt.CursorShape
        self.viewport().setCursor(shape.PointingHandCursor if over else shape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        moved, face = event.position() - self._pressed, self.face_at(event.position())
        clicks = event.button() == Qt.MouseButton.LeftButton and moved.manhattanLength() <= _WANDER
        if clicks and face is not None:
            several = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            self.chosen.emit(face, bool(event.modifiers() & several))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.opened.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        face = self.face_at(QPointF(event.pos()))
        if face is not None and face not in self.picked:
            self.chosen.emit(face, False)
        self.menu_asked.emit(event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            face = self.face_at(QPointF(event.pos()))
            told = (
                self.toolTip() if face is None else self.named[face].told or self.named[face].name
            )
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()), 0)
        if step and self.named:
            self.chosen.emit((min(self.picked, default=-step) + step) % len(self.named), False)
        elif event.key() == Qt.Key.Key_0:
            self.show_all()
        else:
            super().keyPressEvent(event)
