"""Large photograph with names on the face boxes, for the Recognise page and the camera."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMarginsF, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QToolTip

from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.decision import Decision
from ..style import icons, theme
from ..style.painting import clamped, paint_line
from ..style.theme import Tone
from .photo_view import CLICK_RADIUS, PhotoView, paint_haloed


class VerdictStyle(NamedTuple):
    """Tone and icon of a verdict, which are always used together."""

    tone: Tone
    icon: str


VERDICT_STYLES: dict[str, VerdictStyle] = {
    "sure": VerdictStyle("ok", "ok"),
    "likely": VerdictStyle("ok", "likely"),
    "ask": VerdictStyle("accent", "question"),
    "perhaps": VerdictStyle("accent", "perhaps"),
    "unknown": VerdictStyle("warn", "person"),
    "near but no face": VerdictStyle("warn", "perhaps-face"),
    "no face": VerdictStyle("warn", "no-face"),
    "not a face": VerdictStyle("bad", "no-face"),
    "not calibrated": VerdictStyle("neutral", "info"),
    "waits": VerdictStyle("neutral", "clock"),
    "in the gallery": VerdictStyle("neutral", "people"),
}
"""The styles of verdicts and other states, by kind; “not a face” is the user's decision."""

_GROUND, _FAINT = QColor("#22262D"), QColor("#AEB6C0")  # dark in both themes
_WHITE = QColor("#FFFFFF")
_MARGIN, _FOOT = 14, 30  # px around the picture, and below it for the caption
_ICON, _PAD, _GAP = 12, 7, 4  # px: icon, padding and gap of a name on a box
_WIDEST = 170  # px: maximum width of a name on a small box, before text scaling
_HELP = "1–9: choose a face · Scroll: zoom · 0: whole photo · Double-click: correct a box"
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Space: 1}


@dataclass(frozen=True)
class NamedFace:
    """Face in a photograph, with the name shown on its box, and a tooltip if it is not the name.

    ``eyes`` is None if the whole photograph is the face.
    """

    eyes: Eyes | None
    name: str
    style: VerdictStyle
    tooltip: str = ""


def named_face(eyes: Eyes | None, decision: Decision) -> NamedFace:
    """Return a face labelled with the name, style and tooltip of the decision about it."""
    tooltip = f"{decision.headline} ({decision.word})"
    return NamedFace(eyes, decision.label, VERDICT_STYLES[decision.kind], tooltip)


class NamedFacesView(PhotoView):
    """View of a photograph with named faces; the wheel zooms it, and dragging moves it.

    The user chooses a face with a click, an arrow key or a number key.
    """

    chosen = Signal(int)
    opened = Signal()
    margins = QMarginsF(_MARGIN, _MARGIN, _MARGIN, _FOOT)

    def __init__(self) -> None:
        super().__init__("Photo")
        self.caption = ""
        self.setToolTip(_HELP)
        self.named: tuple[NamedFace, ...] = ()
        self.selected: frozenset[int] = frozenset()
        self._pressed = self._last = QPointF()

    def show_named(self, faces: Sequence[NamedFace], selected: Collection[int] = ()) -> None:
        """Show these faces with their names, and select the faces with the given indices."""
        self.named, self.selected = tuple(faces), frozenset(selected)
        names = [faces[index].tooltip or faces[index].name for index in sorted(self.selected)]
        self.setAccessibleDescription(f"Faces: {len(faces)}. Chosen: {', '.join(names) or 'none'}.")
        self.viewport().update()

    def set_caption(self, caption: str) -> None:
        """Set the text below the photograph."""
        self.caption = caption
        self.viewport().update()

    def caption_rect(self) -> QRect:
        """Return the rectangle of the caption below the photograph."""
        room = self.viewport().rect()
        return QRect(0, room.height() - _FOOT, room.width(), _FOOT)

    def face_at(self, pos: QPointF) -> int | None:
        """Return the index of the nearest face whose box or name is at a position, or None."""
        if self.image is None:
            return None
        on_name = (index for index, name in self.name_boxes().items() if name.contains(pos))
        distances = dict.fromkeys(on_name, -1.0)
        for at, face in enumerate(self.named):
            path = self.face_path(face.eyes)
            if path.contains(pos):
                apart = path.boundingRect().center() - pos
                distances.setdefault(at, abs(complex(apart.x(), apart.y())))
        return min(distances, key=distances.__getitem__, default=None)

    def name_boxes(self) -> dict[int, QRectF]:
        """For each face in view, return the rectangle of its name: below, above or inside its box.

        If there is no room for a name, only its icon is shown, and the tooltip gives the name.
        """
        metrics = QFontMetrics(theme.font(theme.CAPTION, 600))
        icon = float(theme.pixels(_ICON) + 2 * _PAD)
        height, visible, boxes = metrics.height() + 6, self.picture_rect(), dict[int, QRectF]()
        for index in sorted(range(len(self.named)), key=lambda index: index not in self.selected):
            face = self.face_path(self.named[index].eyes).boundingRect()
            if not visible.intersects(face):
                continue  # outside the visible part of the photograph
            full = icon + _GAP + metrics.horizontalAdvance(self.named[index].name) + 2
            full = min(full, max(face.width(), theme.pixels(_WIDEST)), visible.width())
            below, above = face.bottom() + 5, face.top() - 5 - height
            inside = face.bottom() - height
            for width, top in ((full, below), (full, above), (full, inside), (icon, below)):
                box = clamped(QRectF(face.left(), top, width, height), visible)
                fits = visible.top() <= top and top + height <= visible.bottom()
                if fits and not any(box.intersects(other) for other in boxes.values()):
                    break
            else:
                box = clamped(QRectF(face.left(), inside, icon, height), visible)
            boxes[index] = box
        return boxes

    # Painting

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        del rect
        painter.resetTransform()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_GROUND)
        painter.drawRoundedRect(QRectF(self.viewport().rect()), 10, 10)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.resetTransform()
        if self.image is not None:
            super().drawForeground(painter, rect)
            painter.save()
            painter.setClipRect(self.picture_rect())
            self._paint_faces(painter)
            painter.restore()
        painter.setFont(theme.font(theme.CAPTION))
        painter.setPen(_FAINT)
        room = self.viewport().rect()
        line = QRectF(_MARGIN, room.height() - _FOOT, room.width() - 2 * _MARGIN, _FOOT)
        if self.zoom > 1:
            painter.fillRect(line, _GROUND)
        paint_line(painter, line, self.caption)

    def _paint_faces(self, painter: QPainter) -> None:
        """Paint the boxes, selected ones last, and then the names."""
        for index, face in sorted(enumerate(self.named), key=lambda item: item[0] in self.selected):
            path, colour = self.face_path(face.eyes), QColor(theme.DARK.tone(face.style.tone)[0])
            paint_haloed(painter, path, 2.5, colour)
            if index in self.selected:  # white around its own colour
                painter.strokePath(path, QPen(_WHITE, 8))
                painter.strokePath(path, QPen(colour, 3))
        painter.setFont(theme.font(theme.CAPTION, 600))
        side = theme.pixels(_ICON)
        for index, box in self.name_boxes().items():
            face = self.named[index]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.LIGHT.tone(face.style.tone)[0]))
            painter.drawRoundedRect(box, 5, 5)
            icon = icons.pixmap(face.style.icon, side, _WHITE.name(), self.devicePixelRatioF())
            painter.drawPixmap(box.topLeft() + QPointF(_PAD, (box.height() - side) / 2), icon)
            painter.setPen(_WHITE)
            words = box.adjusted(_PAD + side + _GAP, 0, -_PAD + 2, 0)
            paint_line(painter, words, face.name, Qt.AlignmentFlag.AlignLeft)

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
        way, face = event.position() - self._pressed, self.face_at(event.position())
        clicks = event.button() == Qt.MouseButton.LeftButton
        if clicks and way.manhattanLength() <= CLICK_RADIUS and face is not None:
            self.chosen.emit(face)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.opened.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        item = self.face_at(QPointF(event.pos()))
        text = self.toolTip() if item is None else self.named[item].tooltip or self.named[item].name
        QToolTip.showText(event.globalPos(), text, self)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()), 0)
        if step and self.named:
            self.chosen.emit((min(self.selected, default=-step) + step) % len(self.named))
        else:
            super().keyPressEvent(event)
