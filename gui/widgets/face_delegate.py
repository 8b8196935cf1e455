"""Painting of one face in a list: picture, captions, selection, mark, warning and focus."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from time import perf_counter
from weakref import ReferenceType, ref

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.style import icons
from gui.style.images import grey_image, rounded
from gui.style.theme import BASE, CAPTION, SMALL, Tokens, font, pixels, tokens
from gui.widgets.face_model import FACE_ROLE, Face, Index, ListHeading, Picture

_PAD = 6  # between the picture and the edge of its cell
_GAP = 4  # between the picture and its caption
_RADIUS = 7
_BADGE = 20
_LOOKED_AT = 200  # faces whose captions are looked at, evenly spread
_ICON, _EDGE, _ABOVE = 15, 6, 12  # px: of a heading, at its sides, and over it
_KEPT_BYTES = 64_000_000  # of pictures
_FRAME_SECONDS = 0.006
_ROUND = 6.0

Key = tuple[int, int, int, float, bool]

_MEASURED = 8  # captions measured for the width: those with most letters


class FacePictures:
    """A cache of face pictures; the least recently used are dropped first.

    They are images, not pixmaps, as they may outlive the application object.

    A picture is dropped with its source, so nothing is kept alive (a function that makes a picture
    may hold a whole face space), and no other image can get the identity of one that is gone.
    """

    def __init__(self, limit: int = _KEPT_BYTES) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, tuple[ReferenceType[Picture], QImage]] = OrderedDict()
        self._bytes = 0
        self._frame_ends = 0.0
        self._first = self.behind = False

    def start_frame(self) -> None:
        """Allow one new picture, and more for a few milliseconds; `behind` if any had to wait."""
        self._frame_ends = perf_counter() + _FRAME_SECONDS
        self._first, self.behind = True, False

    def picture(self, image: Picture, size: QSize, dpr: float, fill: bool) -> QImage | None:
        """Return the picture within `size`; None when this frame has no time left for it.

        With `fill` the picture is cut to the size, else all of it is shown.
        """
        key = (id(image), size.width(), size.height(), dpr, fill)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][1]
        if not self._first and perf_counter() > self._frame_ends:
            self.behind = True
            return None
        self._first = False
        found = image() if callable(image) else grey_image(image)
        radius = min(_ROUND, size.width() / 6)
        made = rounded(found, size, dpr, radius, fill=fill)
        self._kept[key] = (ref(image, lambda _: self._forget(key)), made)
        self._bytes += made.sizeInBytes()
        while self._bytes > self._limit and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))
        return made

    def _forget(self, key: Key) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._bytes -= found[1].sizeInBytes()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget everything, as before the application ends."""
        self._kept.clear()
        self._bytes = 0


PICTURES = FacePictures()
"""Shared by all lists: a face shown on two pages is drawn once for each size."""


@dataclass(frozen=True)
class CellStyle:
    """The cells of a list: size of the picture, and the lines of text beside it.

    For long captions a cell is up to ``widest`` pictures wide; longer ones are shortened.
    """

    picture: QSize
    subcaption: bool = False
    beside: bool = False  # text to the right of the picture, as in a list of people
    widest: float = 1.5


class FaceDelegate(QStyledItemDelegate):
    """Paints faces: captions below the picture, or beside it in a list of people."""

    def __init__(self, style: CellStyle) -> None:
        super().__init__()
        self.style = style
        self.drop_row = -1
        self._longest: list[str] = []

    def cell_size(self) -> QSize:
        """Return the size of a cell; it grows with the text."""
        picture, style = self.style.picture, self.style
        height = picture.height() + 2 * _PAD
        if style.beside:
            lines = _height(self._main_font()) + _height(self._sub_font())
            return QSize(picture.width() + 2 * _PAD + 80, max(height, lines + 2 * _PAD))
        text = _height(self._main_font())
        text += _height(self._sub_font()) if style.subcaption else 0
        width = picture.width() + 2 * _PAD
        width = max(width, min(self._text_width(), round(style.widest * picture.width())))
        return QSize(width, height + text + _GAP)

    def make_room_for(self, faces: Sequence[Face]) -> None:
        """Widen the cells a little, if captions need it."""
        if self.style.beside:  # the words have the width of the list
            return
        every = -(-len(faces) // _LOOKED_AT) or 1
        captions = (faces[row].caption for row in range(0, len(faces), every))
        self._longest = nlargest(_MEASURED, captions, key=len)

    def _text_width(self) -> int:
        metrics = QFontMetrics(self._main_font())
        return max((metrics.horizontalAdvance(text) + 8 for text in self._longest), default=0)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = self.cell_size()
        if isinstance(index.data(FACE_ROLE), ListHeading):
            size.setHeight(max(_height(_heading_font()), pixels(_ICON)) + _ABOVE)
        return size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        face = index.data(FACE_ROLE)
        if not isinstance(face, Face):
            return
        look, cell = tokens(), option.rect
        if isinstance(face, ListHeading):
            _heading(painter, cell, face, look)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._background(painter, cell, option, index.row())
        picture = self._picture_rect(cell)
        drawn = self._picture(painter, face, picture, look)
        if option.state & _SELECTED and not self.style.beside:
            _ring(painter, drawn, look.accent)
        if face.mark:
            _mark(painter, drawn, look.tone(face.mark)[0], look.surface)
        self._texts(painter, face, cell, picture)
        if face.warning:
            _badge(painter, self._badge_rect(cell, drawn), look)
        painter.restore()

    def _background(
        self, painter: QPainter, cell: QRect, option: QStyleOptionViewItem, row: int
    ) -> None:
        look = tokens()
        state = option.state
        inner = QRectF(cell).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if state & _SELECTED:
            painter.setBrush(QColor(look.soft))
            painter.drawRoundedRect(inner, _RADIUS, _RADIUS)
        elif state & _HOVERED:
            painter.setBrush(QColor(look.hover))
            painter.drawRoundedRect(inner, _RADIUS, _RADIUS)
        by_keys = state & _BY_KEYS or not state & _SELECTED
        if row == self.drop_row or (state & _FOCUSED and by_keys):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.accent), 2))
            painter.drawRoundedRect(inner, _RADIUS, _RADIUS)

    def _picture_rect(self, cell: QRect) -> QRect:
        size = self.style.picture
        if self.style.beside:
            top = cell.top() + (cell.height() - size.height()) // 2
            return QRect(cell.left() + _PAD, top, size.width(), size.height())
        left = cell.left() + (cell.width() - size.width()) // 2
        return QRect(left, cell.top() + _PAD, size.width(), size.height())

    def _picture(self, painter: QPainter, face: Face, room: QRect, look: Tokens) -> QRectF:
        dpr = painter.device().devicePixelRatioF()
        made = PICTURES.picture(face.image, room.size(), dpr, self.style.beside)
        if made is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.neutral_soft))
            painter.drawRoundedRect(room, _RADIUS, _RADIUS)
            return QRectF(room)
        size = made.deviceIndependentSize()
        left = room.left() + int((room.width() - size.width()) / 2)
        top = room.top() + int((room.height() - size.height()) / 2)
        painter.drawImage(left, top, made)
        return QRectF(left, top, size.width(), size.height())

    def _texts(self, painter: QPainter, face: Face, cell: QRect, picture: QRect) -> None:
        look, main, sub = tokens(), self._main_font(), self._sub_font()
        if self.style.beside:
            left = picture.right() + 1 + 9
            width = cell.right() - left - (_BADGE + 8 if face.warning else 4)
            both = _height(main) + (_height(sub) if face.subcaption else 0)
            top, align = cell.top() + (cell.height() - both) // 2, Qt.AlignmentFlag.AlignLeft
        else:
            left, width = cell.left() + 1, cell.width() - 2
            top, align = picture.bottom() + 1 + _GAP, Qt.AlignmentFlag.AlignHCenter
        lines = [(face.caption, main, look.text)]
        if self.style.subcaption or self.style.beside:
            lines.append((face.subcaption, sub, look.secondary))
        for text, used, colour in lines:
            painter.setFont(used)
            painter.setPen(QColor(colour))
            cut = Qt.TextElideMode.ElideMiddle if text == face.file else Qt.TextElideMode.ElideRight
            shown = painter.fontMetrics().elidedText(text, cut, width)
            painter.drawText(QRect(left, top, width, _height(used)), align, shown)
            top += _height(used)

    def _badge_rect(self, cell: QRect, drawn: QRectF) -> QRectF:
        if self.style.beside:
            top = cell.center().y() - _BADGE / 2
            return QRectF(cell.right() - _BADGE - 6, top, _BADGE, _BADGE)
        return QRectF(drawn.right() - _BADGE - 2, drawn.top() + 3, _BADGE, _BADGE)

    def _main_font(self) -> QFont:
        return font(BASE if self.style.beside else CAPTION)

    def _sub_font(self) -> QFont:
        return font(CAPTION if self.style.beside else SMALL)


def _heading(painter: QPainter, cell: QRect, of: ListHeading, look: Tokens) -> None:
    """Paint a heading in small capitals: an icon, the title, and the number at the right."""
    side, cut = pixels(_ICON), Qt.TextElideMode.ElideRight
    line = QRect(cell.left() + _EDGE, cell.bottom() - side - 3, cell.width() - 2 * _EDGE, side)
    colour = look.tone(of.mark)[0] if of.mark else look.tertiary
    drawn = icons.pixmap(of.icon, side, colour, painter.device().devicePixelRatioF())
    painter.drawPixmap(line.topLeft(), drawn)
    painter.setFont(_heading_font())
    painter.setPen(QColor(look.secondary))
    middle, metrics = Qt.AlignmentFlag.AlignVCenter, painter.fontMetrics()
    painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, of.subcaption)
    room = line.adjusted(side + 6, 0, -metrics.horizontalAdvance("0,000"), 0)
    shown = metrics.elidedText(of.caption.upper(), cut, room.width())
    painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, shown)


def _heading_font() -> QFont:
    return font(SMALL, QFont.Weight.DemiBold)


def _ring(painter: QPainter, drawn: QRectF, colour: str) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colour), 3))
    painter.drawRoundedRect(drawn.adjusted(-0.5, -0.5, 0.5, 0.5), _RADIUS, _RADIUS)


def _mark(painter: QPainter, drawn: QRectF, colour: str, around: str) -> None:
    """Frame a picture inside its edge, where the ring of a selected one is not."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # The line beside it is seen on pictures of any grey.
    for inset, width, shown in ((3.6, 2.8, around), (2.4, 2.6, colour)):
        painter.setPen(QPen(QColor(shown), width))
        painter.drawRoundedRect(drawn.adjusted(inset, inset, -inset, -inset), 5, 5)


def _badge(painter: QPainter, place: QRectF, look: Tokens) -> None:
    painter.setPen(QPen(QColor(look.warn), 1))
    painter.setBrush(QColor(look.warn_soft))
    painter.drawEllipse(place)
    dpr = painter.device().devicePixelRatioF()
    sign = icons.pixmap("warning", 12, look.warn, dpr)
    painter.drawPixmap(place.center().toPoint().x() - 6, round(place.top() + 3), sign)


def _height(used: QFont) -> int:
    return QFontMetrics(used).height() + 1


_SELECTED = QStyle.StateFlag.State_Selected
_HOVERED = QStyle.StateFlag.State_MouseOver
_FOCUSED = QStyle.StateFlag.State_HasFocus
_BY_KEYS = QStyle.StateFlag.State_KeyboardFocusChange
