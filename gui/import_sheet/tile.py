"""One picture of the list: a photograph with its box, and the face cut from it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from eigenfaces.faces.choose import EVERY
from eigenfaces.importing.correct import IncomingPhoto
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.pca import as_grey
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.marked_photo import draw_badge

TILE = QSize(172, 88)
_SHARP = 2  # drawn at this multiple of its size, for high-density screens
_PHOTO = QRectF(0, 0, 96, 88)
_FACE = QRectF(100, 0, 72, 88)
TICK = QRect(152, 2, 18, 18)
"""Where the tick of a guess is, in the picture."""
_FAINT = 0.35
_BADGE = 12.0
_NUMBERED = 9  # by keys


@dataclass(frozen=True, eq=False)
class Tile:
    """A picture for the list, drawn when it is first shown."""

    reading: IncomingPhoto | None
    faint: bool = False
    unsure: bool = False
    tick: bool | None = None

    def __call__(self) -> QImage:
        image = QImage(TILE * _SHARP, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.scale(_SHARP, _SHARP)
        painter.setOpacity(_FAINT if self.faint else 1.0)
        self._draw_photo(painter)
        self._draw_face(painter)
        if self.tick is not None:
            _draw_tick(painter, ticked=self.tick)
        painter.end()
        return image

    def _draw_photo(self, painter: QPainter) -> None:
        if self.reading is None or not self.reading.thumbnail:
            _draw_nothing(painter, _PHOTO)
            return
        place = _draw_picture(painter, QImage.fromData(self.reading.thumbnail), _PHOTO)
        scale = place.width() / max(self.reading.size[1], 1)
        meant, faces = self.reading.eyes, [face.eyes for face in self.reading.faces]
        several = self.reading.crops is not None
        for eyes in faces if several or meant is None else ():
            if eyes != meant:
                _draw_box(painter, eyes.scaled(scale), place, sure=False)
        if meant is not None:
            colour = theme.DARK.accent if several else "#FFFFFF"
            _draw_box(painter, meant.scaled(scale), place, sure=not self.unsure, colour=colour)
        for number, eyes in enumerate(faces[:_NUMBERED] if several else (), start=1):
            _draw_number(painter, number, eyes.scaled(scale), place, meant=eyes == meant)

    def _draw_face(self, painter: QPainter) -> None:
        crop = self.reading.crop if self.reading else None
        if self.reading and self.reading.choice is EVERY:
            crop = as_grey(self.reading.every_crop[0])
        if crop is None:
            _draw_nothing(painter, _FACE)
        else:
            _draw_picture(painter, grey_image(crop), _FACE)


def _draw_picture(painter: QPainter, image: QImage, room: QRectF) -> QRectF:
    """Draw a picture with round corners in the middle of a rectangle; return its place."""
    size = image.size().toSizeF().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
    place = QRectF(QPointF(), size)
    place.moveCenter(room.center())
    painter.save()
    outline = QPainterPath()
    outline.addRoundedRect(place, 5, 5)
    painter.setClipPath(outline)
    painter.drawImage(place, image)
    painter.restore()
    return place


def _draw_nothing(painter: QPainter, room: QRectF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.tokens().neutral_soft))
    painter.drawRoundedRect(room, 5, 5)


def _draw_tick(painter: QPainter, *, ticked: bool) -> None:
    """Draw the box of a guess that is to be confirmed, or that is left open."""
    look = theme.tokens()
    painter.setPen(QPen(QColor(look.accent if ticked else look.secondary), 1.4))
    painter.setBrush(QColor(look.accent if ticked else look.surface))
    painter.drawRoundedRect(QRectF(TICK).adjusted(1, 1, -1, -1), 4, 4)
    if ticked:
        painter.setPen(QPen(QColor(look.surface), 2))
        corner = QPointF(TICK.topLeft())
        painter.drawPolyline([corner + QPointF(x, y) for x, y in ((5, 9.5), (8, 12.5), (13, 6))])


def _draw_box(
    painter: QPainter, eyes: Eyes, place: QRectF, *, sure: bool, colour: str = "#FFFFFF"
) -> None:
    """Draw the tilted square of a face, light on dark: visible on any photograph."""
    _, _, size = eyes.box
    painter.save()
    painter.setClipRect(place)
    painter.translate(place.topLeft() + QPointF(eyes.middle.real, eyes.middle.imag))
    painter.rotate(eyes.angle)
    middle = Eyes.in_box(0, 0, size).middle
    box = QRectF(-middle.real, -middle.imag, size, size)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    style = Qt.PenStyle.SolidLine if sure else Qt.PenStyle.DashLine
    for ink, width in (("#99000000", 3.0), (colour, 1.4)):
        painter.setPen(QPen(QColor(ink), width, style))
        painter.drawRoundedRect(box, 2, 2)
    painter.restore()


def _draw_number(painter: QPainter, number: int, eyes: Eyes, place: QRectF, *, meant: bool) -> None:
    """Draw the number of a face at the corner of its box, as the keys 1–9 choose it."""
    left, top, _ = eyes.box
    badge = QRectF(0, 0, _BADGE, _BADGE)
    badge.moveCenter(place.topLeft() + QPointF(left, top))
    badge.moveLeft(min(max(badge.left(), place.left()), place.right() - _BADGE))
    badge.moveTop(min(max(badge.top(), place.top()), place.bottom() - _BADGE))
    draw_badge(painter, badge, number, meant=meant)
