"""The map: faces on their axes, and above them what pointer and keys choose, zoom and turn."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import perf_counter, thread_time

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QWheelEvent,
)

from eigenfaces.laboratory.maps import MapView, Viewpoint, neighbour, with_room
from eigenfaces.space.arrays import Doubles, Flags, Numbers
from gui.plots.axes import Axis
from gui.plots.plot import BY_KEYS, PlotView
from gui.plots.strokes import Dot, Labels, Shape
from gui.style import theme
from gui.style.images import rounded
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
_PIXELS_A_TICK = 130
_VEIL = 0.74
_LARGE, _MIDDLE = 2.0, 1.25  # times the usual size: the face pointed at, and what goes with it
_DIAMOND = 8.0
_BAKING = 0.01  # seconds for new pictures between two turns of the event loop
_SHOWN_AFTER = 0.15  # seconds at most between two paintings of what is new
_THIRD = 1 / 3
_NAMED = 8  # probes; of more, only those pointed at or chosen: names would cover the map
_MANY = 60  # faces of one person that are drawn anew for the pointer
SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle", "bar")
"""Each with seven colours: 28 people look different, and hovering names everybody."""

LEVELS = (0.72, 1.0, 1.3)
"""Sizes of what is far, in the middle, and near in three dimensions."""

Key = tuple[int, int, str, float]
"""The row, the width in pixels, the colour of the frame, and the device pixel ratio."""

_KEPT = 6000
FADES = (0.45, 0.0, 0.0)
"""How much what is far, in the middle and near is mixed with the ground."""


class Thumbnails:
    """Small framed pictures of faces, the oldest dropped; those that are missing are `wanted`."""

    def __init__(self, picture: Callable[[int], QImage]) -> None:
        self._picture = picture
        self._kept: OrderedDict[Key, QPixmap] = OrderedDict()
        self.wanted: dict[Key, None] = {}

    def find(self, key: Key) -> QPixmap | None:
        """Return a picture if it is there; else it is wanted."""
        found = self._kept.get(key)
        if found is None:
            self.wanted[key] = None
        return found

    def make(self, key: Key) -> QPixmap:
        """Return a picture, made now if it is not there."""
        if key not in self._kept:
            row, width, colour, dpr = key
            image = self._picture(row)
            size = QSize(width, round(width * image.height() / image.width()))
            made = rounded(image, size, dpr, width / 8, edge=colour)
            self._kept[key] = QPixmap.fromImage(made)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    def bake(self, seconds: float) -> bool:
        """Make wanted pictures for a while, of this thread's own time; return if all are made."""
        ends = thread_time() + seconds
        while self.wanted and thread_time() < ends:
            self.make(self.wanted.popitem()[0])
        return not self.wanted


def no_thumbnails() -> Thumbnails:
    """Return what shows nothing, where no faces can be read."""
    return Thumbnails(lambda _: QImage(1, 1, QImage.Format.Format_RGB32))


def colour_of(group: int) -> str:
    """Return the colour of a person by number; −1 is nobody."""
    colours = theme.tokens().people
    return theme.tokens().tertiary if group < 0 else colours[group % len(colours)]


def shape_of(group: int) -> Shape:
    """Return the shape of a person's dots, which changes where the colours begin again."""
    return SHAPES[max(group, 0) // len(theme.tokens().people) % len(SHAPES)]


def dot_of(group: int, radius: float, share: float = 0.0) -> Dot:
    """Return the dot of a person, faded by a share: yellow and cyan are faint on white."""
    look = theme.tokens()
    colour = theme.mix(colour_of(group), look.surface, share)
    edge = theme.mix(colour, look.surface if look.dark else look.text, 0.45)
    return Dot(shape_of(group), QColor(colour), QColor(edge), radius)


class MapChart(PlotView):
    """A map to look around in; ten thousand faces within a frame.

    ``chosen``: the face or probe with this number was chosen; ``pointed_at``: another one, or none,
    is pointed at; ``opened``: Enter.
    """

    chosen = Signal(int)
    pointed_at = Signal()
    opened = Signal()

    def __init__(self) -> None:
        super().__init__(Axis(grid=True), Axis())
        self.shown: MapView | None = None
        self.viewpoint = Viewpoint()
        self.thumbnails = no_thumbnails()
        self.as_faces = True
        self.coloured = True
        self.pointed: int | None = None
        self.selected: int | None = None
        self.nearest: tuple[int, ...] = ()
        self.flat: Doubles = np.zeros((0, 2))
        self._depth: Doubles = np.zeros(0)
        self._places: Doubles | None = None
        self._on_file = False
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._bake)
        self._painted_at = 0.0
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragging = False
        self._by_keys = False  # the focus came by them, and is shown
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Map of all faces")
        self.setMinimumHeight(220)

    @property
    def deep(self) -> bool:
        """Whether there are three dimensions."""
        return self.shown is not None and self.shown.places.shape[1] == 3

    @property
    def has_scales(self) -> bool:
        """Whether it has axes with numbers: in two dimensions, where lengths mean something."""
        return self.shown is not None and self.shown.measured and not self.deep

    @property
    def width_of_face(self) -> int:
        """The width of a thumbnail: more where there are few, or where one has zoomed in."""
        faces = self.shown.faces if self.shown else 0
        usual = 40 if faces <= 60 else 30 if faces <= 1000 else 26
        steps = int(np.clip(np.log2(max(self.viewpoint.zoom, 1.0)), 0, 3))
        return theme.pixels(usual * (1.0, 1.3, 1.7, 2.2)[steps])

    def places_on_screen(self) -> Doubles:
        """Return where faces and probes are, (n + m, 2), in pixels."""
        if self._places is None:  # the pointer moves more often than they do
            frame = self.frame
            self._places = np.stack([frame.px(self.flat[:, 0]), frame.py(self.flat[:, 1])], axis=1)
        return self._places

    def _place(self, row: int) -> QPointF:
        return QPointF(*self.places_on_screen()[row].tolist())

    # Layout

    def arrange(self) -> None:
        if self.shown is not None:
            self.flat, self._depth = self.viewpoint.flat(self.shown.places)
        super().arrange()
        self._places = None

    def place_plot(self, top: float) -> None:
        size = self.frame.size
        self._set_ranges(size.width(), size.height())
        super().place_plot(top)
        if not self.has_scales:
            self.frame.plot = size.adjusted(8, 8, -8, -8)
        plot = self.frame.plot
        self._set_ranges(plot.width(), plot.height())

    def _set_ranges(self, width: float, height: float) -> None:
        low, high = self.viewpoint.ranges(width, height, not self.has_scales)
        x, y = self.frame.x, self.frame.y
        (x.lo, y.lo), (x.hi, y.hi) = low.tolist(), high.tolist()
        titles = self.shown.titles if self.shown and self.has_scales else ("", "")
        x.title, y.title = titles[0], titles[1]

    def set_ranges(self) -> None:
        """Leave the ranges to the viewpoint."""

    def choose_ticks(self) -> None:
        plot, x, y, apart = self.frame.plot, self.frame.x, self.frame.y, _PIXELS_A_TICK
        x.ticks = y.ticks = ()
        if self.has_scales:
            x.ticks = x.ticks_for(min(8, max(2, int(plot.width() / apart))))
            y.ticks = y.ticks_for(min(8, max(2, int(1.4 * plot.height() / apart))))

    # What stays

    def paint(self, painter: QPainter) -> None:
        self._on_file = True
        try:
            super().paint(painter)
        finally:
            self._on_file = False

    def paint_still(self, painter: QPainter) -> None:
        if self.has_scales:
            super().paint_still(painter)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.shown is not None and self.shown.measured:
            painter.setPen(QPen(QColor(theme.tokens().border), 1))
            for first, last in self._turned_axes():
                painter.drawLine(first, last)
        self.paint_content(painter, theme.tokens())

    def _turned_axes(self) -> list[tuple[QPointF, QPointF]]:
        """Return from where to where the three axes run on the screen."""
        centre, reach = self.viewpoint.centre, float(self.viewpoint.half[0]) * 0.94
        steps = np.eye(3) * reach
        found = []
        for step in steps:
            ends, _ = self.viewpoint.flat(np.stack([centre - step, centre + step]))
            first, last = (QPointF(self.frame.px(x), self.frame.py(y)) for x, y in ends.tolist())
            found.append((first, last))
        return found

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        if self.shown is not None and self.shown.faces:
            places = self.places_on_screen()
            order = np.flatnonzero(self._in_plot(places[: self.shown.faces]))
            if self.deep:
                order = order[np.argsort(self._depth[order], kind="stable")]
            painter.save()
            painter.setClipRect(self.frame.plot.toAlignedRect())  # whole pixels are much faster
            self._paint_rows(painter, order)
            painter.restore()

    def _paint_rows(self, painter: QPainter, rows: Numbers) -> None:
        """Paint faces, the last ones on top; a picture that would cover another is left out."""
        places = self.places_on_screen()
        rows = rows[self._in_plot(places[rows])]
        if not self.as_faces:
            self._paint_dots(painter, rows)
            return
        half = self.width_of_face / 2
        rows = rows[with_room(places[rows], half, half)]
        made = self._thumbnails_of(rows)
        waiting = rows[np.array([picture is None for picture in made], bool)]
        self._paint_dots(painter, waiting)
        at = np.rint(places[rows]).astype(int).tolist()
        for (x, y), picture in zip(at, made, strict=True):
            if picture is not None:
                width, height = picture.width(), picture.height()
                ratio = self._ratio
                painter.drawPixmap(
                    x - int(width / ratio) // 2, y - int(height / ratio) // 2, picture
                )
        if waiting.size:
            self._later.start()

    def _bake(self) -> None:
        """Make pictures that are missing, and show them when all are made, or after a moment."""
        if self.thumbnails.bake(_BAKING) or perf_counter() - self._painted_at > _SHOWN_AFTER:
            self._painted_at = perf_counter()
            self.thumbnails.wanted.clear()  # what is still missing is asked for again
            self.paint_anew()
        else:
            self._later.start()

    def _in_plot(self, places: Doubles) -> Flags:
        plot, room = self.frame.plot, self.width_of_face / 2
        low = (plot.left() - room, plot.top() - room)
        high = (plot.right() + room, plot.bottom() + room)
        within = (places >= low) & (places <= high)
        return within[..., 0] & within[..., 1]

    @property
    def _ratio(self) -> float:
        return 2.0 if self._on_file else self.devicePixelRatioF()

    def _thumbnails_of(self, rows: Numbers) -> list[QPixmap | None]:
        """Return the pictures of these rows; None where they are not made yet."""
        widths, ratio = self._widths(), self._ratio
        groups, levels = self._groups_of(rows).tolist(), self._levels()[rows].tolist()
        colours = {group: colour_of(group) for group in set(groups)}
        get = self.thumbnails.make if self._on_file else self.thumbnails.find
        return [
            get((row, widths[level], colours[group], ratio))
            for row, group, level in zip(rows.tolist(), groups, levels, strict=True)
        ]

    def _paint_dots(self, painter: QPainter, rows: Numbers, times: float = 1.0) -> None:
        """Paint dots person by person, what is near above what is far."""
        levels, groups = self._levels()[rows], self._groups_of(rows)
        looks = np.where(groups < 0, -1, groups % (len(theme.PEOPLE) * len(SHAPES)))
        places = self.places_on_screen()
        for level in np.unique(levels).tolist():
            for look in np.unique(looks[levels == level]).tolist():
                dot = dot_of(look, times * self._radius() * LEVELS[level], FADES[level])
                these = rows[(levels == level) & (looks == look)]
                dot.paint_many(painter, places[these])

    def _levels(self) -> Numbers:
        assert self.shown is not None
        if not self.deep:
            return np.ones(len(self.flat), np.intp)
        near = self._depth / (float(self.viewpoint.half[0]) or 1.0)
        return np.digitize(near, (-_THIRD, _THIRD))

    def _widths(self) -> list[int]:
        return [round(self.width_of_face * (each if self.deep else 1)) for each in LEVELS]

    def _radius(self) -> float:
        faces = self.shown.faces if self.shown else 0
        usual = 5.0 if faces <= 1000 else 3.5 if faces <= 5000 else 3.0
        return theme.pixels(10 * usual) / 10 * (0.7 if self.as_faces else 1)

    def _groups_of(self, rows: Numbers) -> Numbers:
        assert self.shown is not None
        return self.shown.groups[rows] if self.coloured else np.full(len(rows), -1)

    def _group(self, row: int) -> int:
        assert self.shown is not None
        return int(self.shown.groups[row]) if self.coloured and row < self.shown.faces else -1

    def _colour(self, row: int) -> str:
        return colour_of(self._group(row))

    # What the pointer and the keys change

    def paint_moving(self, painter: QPainter, look: Tokens) -> None:
        shown = self.shown
        if self._by_keys and not self._on_file:
            painter.setPen(QPen(QColor(look.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if shown is None or not len(shown.places):
            return
        labels = Labels(self.frame.plot)
        painter.save()
        painter.setClipRect(self.frame.plot.toAlignedRect())  # whole pixels are much faster
        if self.pointed is not None:
            veil = QColor(look.surface)
            veil.setAlphaF(_VEIL)
            painter.fillRect(self.frame.plot, veil)
            self._paint_person(painter, self._person_of(self.pointed))
        self._paint_nearest(painter, look)
        self._paint_probes(painter, labels, look)
        for large in dict.fromkeys((self.selected, self.pointed)):
            if large is not None and large < shown.faces:
                self._paint_face(painter, large, _LARGE, look.accent)
                taken = QRectF(0, 0, _LARGE * self.width_of_face, 1.2 * _LARGE * self.width_of_face)
                taken.moveCenter(self._place(large))
                labels.taken.append(taken)
        painter.restore()
        self._paint_names(painter, labels, look)

    def _person_of(self, row: int) -> Numbers:
        assert self.shown is not None
        if row >= self.shown.faces or self.shown.groups[row] < 0:
            return np.zeros(0, np.intp)
        return np.flatnonzero(self.shown.groups == self.shown.groups[row])

    def _paint_person(self, painter: QPainter, rows: Numbers) -> None:
        """Paint the faces of one person larger; of very many, those that there is room for."""
        places = self.places_on_screen()
        rows = rows[self._in_plot(places[rows])]
        if not self.as_faces:
            self._paint_dots(painter, rows, 1.3)
            return
        if len(rows) > _MANY:
            half = _MIDDLE * self.width_of_face / 2
            rows = rows[with_room(places[rows], half, half)][-_MANY:]
        for row in rows.tolist():
            self._paint_face(painter, row, _MIDDLE)

    def _paint_face(self, painter: QPainter, row: int, times: float, frame: str = "") -> None:
        """Paint one face larger than it is, in a frame of its colour or another."""
        if self.as_faces or times == _LARGE:
            width = round(self.width_of_face * times)
            key = (row, width, frame or self._colour(row), self._ratio)
            picture = self.thumbnails.make(key)
            size = picture.deviceIndependentSize()
            corner = self._place(row) - QPointF(size.width() / 2, size.height() / 2)
            painter.drawPixmap(corner.toPoint(), picture)
        else:
            dot_of(self._group(row), 1.3 * self._radius()).paint(painter, self._place(row))

    def _paint_nearest(self, painter: QPainter, look: Tokens) -> None:
        if self.selected is None or self.pointed not in (None, self.selected):
            return
        painter.setPen(QPen(QColor(look.accent), 1.4, Qt.PenStyle.DashLine))
        for row in self.nearest:
            painter.drawLine(self._place(self.selected), self._place(row))
        for row in reversed(self.nearest):
            self._paint_face(painter, row, _MIDDLE)

    def _paint_probes(self, painter: QPainter, labels: Labels, look: Tokens) -> None:
        assert self.shown is not None
        for row in range(self.shown.faces, len(self.flat)):
            at = self._place(row)
            chosen = row in (self.selected, self.pointed)
            size = theme.pixels(_DIAMOND) * (1.4 if chosen else 1.0)
            edge = look.accent if chosen else look.surface
            Dot("diamond", QColor(look.warn), QColor(edge), size).paint(painter, at)
            labels.taken.append(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size))

    def _paint_names(self, painter: QPainter, labels: Labels, look: Tokens) -> None:
        assert self.shown is not None
        if self.deep and self.shown.measured:
            plain = (look.surface, look.secondary, look.secondary)
            for (_, end), title in zip(self._turned_axes(), self.shown.titles, strict=True):
                labels.draw(painter, end, 0.0, title.partition(" (")[0], plain, must=False)
        faces, chosen = self.shown.faces, list(dict.fromkeys((self.pointed, self.selected)))
        probes = range(faces, len(self.flat)) if len(self.flat) - faces <= _NAMED else ()
        seen = self._in_plot(self.places_on_screen())
        for row in [*chosen, *(each for each in probes if each not in chosen)]:
            if row is None or not seen[row]:
                continue
            face, must = row < faces, row in chosen
            away = self.width_of_face * _LARGE * 0.6 + 4 if face else theme.pixels(_DIAMOND) + 6
            accent, warn = (look.accent, look.on_accent), (look.warn_soft, look.warn)
            colours = (*accent, accent[1]) if must else (*warn, warn[1])
            name = self.shown.names[row]
            labels.draw(painter, self._place(row), away, name, colours, must=must)

    # What it shows

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
