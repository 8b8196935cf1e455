"""The chart of a map, for selecting faces, panning and zooming with the pointer and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from eigenfaces.laboratory.maps import MapView, Viewpoint, neighbour_in_direction, one_per_cell
from eigenfaces.space.arrays import Doubles, Flags, Floats, Numbers
from ...plots.axes import Axis, line_height, paint_axes
from ...plots.canvas import ARROWS, Canvas, pixels_of_pictures
from ...plots.strokes import Dot, LabelPlacer, Shape
from ...plots.turning import Turning
from ...style import theme
from ...style.images import grey_image, rounded
from ...style.theme import Tokens

_TURN = 20  # px of pointer movement that a key press equals
_DRAG = 4  # px after which a press becomes a drag
_WHEEL = 1.0015  # zoom factor per unit of the wheel
_APART = 130  # px between ticks
_NEAR = 11.0  # px within which the pointer is on a dot
_VEIL = 0.74
_LARGE, _MIDDLE = 2.0, 1.25  # sizes of the face pointed at, and of related faces
_DIAMOND = 8.0
_NAMED = 8  # probes; if there are more, only active ones are named, as names hide faces
_MOST_PICTURES = 6000  # pictures kept in memory
_DRAWN_AT_ONCE = 40  # pictures that are not in memory yet: about 15 ms
_MOST_MOVING = 500  # pictures; more faces than this are dots while they move
SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle", "bar")
"""Each shape comes in seven colours, so that 28 people look different. Hovering shows the name."""


def person_dot(group: int, radius: float) -> Dot:
    """Return the dot for the person with this number; −1 means nobody.

    The shape changes when the colours repeat. An outline keeps yellow and cyan visible on white.
    """
    look, colour = theme.tokens(), person_colour(group)
    edge = theme.mix(colour, look.surface if look.dark else look.text, 0.45)
    shape = SHAPES[max(group, 0) // len(look.people) % len(SHAPES)]
    return Dot(shape, QColor(colour), QColor(edge), radius)


def person_colour(group: int) -> str:
    """Return the colour for the person with this number; −1 means nobody."""
    look = theme.tokens()
    return look.tertiary if group < 0 else look.people[group % len(look.people)]


class MapChart(Canvas):
    """Chart for exploring a map, fast enough to draw ten thousand faces within one frame.

    ``chosen``: the face or probe with this index was selected; ``opened``: Enter was pressed.
    ``picture`` returns the picture for a row; ``places`` holds all points (n, 2) in pixels.
    The mouse wheel zooms. Dragging pans the map, or rotates it if it has three axes.
    """

    chosen = Signal(int)
    opened = Signal()

    def __init__(self) -> None:
        super().__init__(Axis(), Axis())
        self.view: MapView | None = None
        self.viewpoint, self.turning = Viewpoint(), Turning()
        self.picture: Callable[[int], Floats] | None = None
        self.as_faces = True
        self.moves = False
        self.pointed: int | None = None
        self.selected: int | None = None
        self.nearest: tuple[int, ...] = ()
        self.found: Numbers = np.zeros(0, np.intp)  # by the search
        self.places: Doubles = np.zeros((0, 2))
        self._order: Numbers = np.zeros(0, np.intp)  # of painting: the closest face last
        self._pictures: dict[tuple[int, int, str, float], QPixmap] = {}
        self._rest = QTimer(self, singleShot=True, interval=0)
        self._rest.timeout.connect(self.invalidate)
        self._press: QPointF | None = None
        self._last, self._dragging = QPointF(), False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 150)
        self.setAccessibleName("Map of all faces")

    @property
    def has_scales(self) -> bool:
        """Whether the axes have numbers, which requires meaningful distances and no rotation."""
        return self.view is not None and self.view.measured and not self.turns

    @property
    def turns(self) -> bool:
        """Whether the map has three axes and can therefore be rotated."""
        return self.view is not None and self.view.places.shape[1] == 3

    # Content

    def show_map(self, view: MapView, picture: Callable[[int], Floats], *, fit: bool) -> None:
        """Show a view of a map; ``picture`` returns pictures of faces. If ``fit``, zoom to fit."""
        fit |= self.view is None
        if picture != self.picture:
            self._pictures.clear()
        self.view, self.picture, self.pointed, self.moves = view, picture, None, False
        titles = view.titles if self.has_scales else ("", "")
        self.axes.x, self.axes.y = Axis(titles[0], grid=True), Axis(titles[1])
        self.select(None, ())
        if fit:
            self._fit(view)
        self.update_layout()

    def move_faces(self, places: Doubles) -> None:
        """Move the faces to new positions (n, 2), and zoom to show all of them."""
        assert self.view is not None
        self.view, self.moves = replace(self.view, places=places), True
        self.fit()

    def _fit(self, view: MapView) -> None:
        """Zoom to show the whole map; a map that can be rotated must fit at every rotation."""
        if self.turns:
            self.viewpoint.fit(self._reach(view) * np.array([[-1.0, -1.0], [1.0, 1.0]]))
        else:
            self.viewpoint.fit(view.places)

    def _reach(self, view: MapView) -> float:
        """Return the distance from the centre to the farthest face."""
        return float(np.linalg.norm(view.places, axis=1).max(initial=0.0))

    def fit(self) -> None:
        """Zoom to show all faces again."""
        if self.view is not None:
            self._fit(self.view)
            self.update_layout()

    def select(self, point: int | None, nearest: tuple[int, ...]) -> None:
        """Mark the selected face or probe, and the faces that are actually nearest to it."""
        self.selected, self.nearest = point, nearest
        self.update()

    def mark(self, found: Numbers) -> None:
        """Highlight the faces and probes found by a search, if there are any."""
        if not np.array_equal(found, self.found):
            self.found = found
            self.invalidate()

    def highlight(self, point: int | None) -> None:
        """Highlight the face or probe with this index; None removes the highlight."""
        if point != self.pointed:
            self.pointed = point
            self.update()

    def item_at(self, pixel: QPointF) -> int | None:
        """Return the index of the face or probe at a pixel, or None."""
        if self.view is None or not len(self.places):
            return None
        away = np.abs(self.places - (pixel.x(), pixel.y()))
        n, half = self.view.face_count, self.width_of_face / 2
        reach = np.full(away.shape, _NEAR)
        if self.as_faces:
            reach[:n] = (half, half * 1.2)
        hits = np.flatnonzero((away <= reach).all(axis=1))
        if not hits.size:
            return None
        probes = hits[hits >= n]
        hits = probes if probes.size else hits  # probes are on top
        return int(hits[(away[hits] ** 2).sum(axis=1).argmin()])

    def person_of(self, row: int) -> Numbers:
        """Return the rows of all faces of the same person; empty for a probe or unnamed face."""
        if self.view is None or row >= self.view.face_count or self.view.groups[row] < 0:
            return np.zeros(0, np.intp)
        return np.flatnonzero(self.view.groups == self.view.groups[row])

    # Layout

    @property
    def width_of_face(self) -> int:
        """The width of a face, which is larger when there are few faces or the map is zoomed in."""
        faces = self.view.face_count if self.view else 0
        usual = 40 if faces <= 60 else 30 if faces <= 1000 else 26
        steps = int(np.clip(np.log2(max(self.viewpoint.zoom, 1.0)), 0, 3))
        return theme.pixels(usual * (1.0, 1.3, 1.7, 2.2)[steps])

    def update_layout(self) -> None:
        """Lay out the axes and faces for the current viewpoint, and repaint."""
        self.axes.size = QRectF(self.rect())
        if self.has_scales:
            for _ in range(2):  # the labels beside the plot take up room, and change with it
                self.axes.place(line_height() / 2 + 2)
                self._apply_viewpoint()
                self._choose_ticks()
        else:
            self.axes.plot = self.axes.size.adjusted(8, 8, -8, -8)
            self._apply_viewpoint()
        if self.view is not None:
            places = self.view.places
            seen = self.turning.seen(places) if self.turns else places
            self.places = self.axes.pixels(seen[:, 0], seen[:, 1])
            self._order = np.argsort(seen[:, 2]) if self.turns else np.arange(len(seen))
        self.invalidate()

    def _apply_viewpoint(self) -> None:
        plot, x, y = self.axes.plot, self.axes.x, self.axes.y
        low, high = self.viewpoint.ranges(plot.width(), plot.height(), not self.has_scales)
        (x.lo, y.lo), (x.hi, y.hi) = low.tolist(), high.tolist()

    def _choose_ticks(self) -> None:
        plot, x, y = self.axes.plot, self.axes.x, self.axes.y
        x.ticks = x.ticks_for(min(8, max(2, int(plot.width() / _APART))))
        y.ticks = y.ticks_for(min(8, max(2, int(1.4 * plot.height() / _APART))))

    # The layer that does not depend on the pointer

    def paint_static(self, painter: QPainter) -> None:
        """Paint the axes and the faces, leaving out pictures that would cover others."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.has_scales:
            paint_axes(painter, self.axes, theme.tokens())
        if self.view is None or not self.view.face_count:
            return
        rows = self._order[self._order < self.view.face_count]
        rows = rows[self._in_plot(self.places[rows])]
        painter.save()
        painter.setClipRect(self.axes.plot.toAlignedRect())  # whole pixels are much faster
        few = not self.moves or self.view.face_count <= _MOST_MOVING
        if self.as_faces and few:
            half = self.width_of_face / 2
            self._paint_pictures(painter, rows[one_per_cell(self.places[rows], half, half)])
        else:
            self._paint_dots(painter, rows)
        if self.found.size:
            self._paint_veil(painter)
            found = self.found[self.found < self.view.face_count]
            half = self.width_of_face / 2
            visible = one_per_cell(self.places[found], half, half)
            self._paint_person(painter, found[visible] if self.as_faces else found)
        if self.turns:
            self._paint_axes(painter)
        painter.restore()

    def _paint_axes(self, painter: QPainter) -> None:
        """Paint three axes through the centre, with their names at the ends."""
        assert self.view is not None
        look, labels = theme.tokens(), LabelPlacer(self.axes.plot)
        ends = self.turning.seen(self._reach(self.view) * np.eye(3))[:, :2]
        painter.setPen(QPen(QColor(look.tertiary), 1.4))
        for (x, y), title in zip(ends.tolist(), self.view.titles, strict=True):
            words, _, _ = title.partition(" (")  # the share of the variance is shown above the map
            end = QPointF(self.axes.px(x), self.axes.py(y))
            painter.drawLine(QPointF(self.axes.px(-x), self.axes.py(-y)), end)
            labels.draw(painter, end, 4, words, (look.surface, look.secondary, look.border))

    def _in_plot(self, places: Doubles) -> Flags:
        room = self.width_of_face / 2
        plot = self.axes.plot.adjusted(-room, -room, room, room)
        low, high = (plot.left(), plot.top()), (plot.right(), plot.bottom())
        within: Flags = (places >= low) & (places <= high)
        return within[..., 0] & within[..., 1]

    def _paint_pictures(
        self, painter: QPainter, rows: Numbers, times: float = 1.0, edge: str = ""
    ) -> None:
        """Paint faces at ``times`` the usual size, outlined in ``edge`` or in the person's colour.

        Scaled pictures are cached, because copying is much faster than scaling. If too many
        are not cached yet, the rest are painted as dots for now.
        """
        assert self.view is not None
        assert self.picture is not None
        width, ratio = round(self.width_of_face * times), pixels_of_pictures(painter)
        if len(self._pictures) > _MOST_PICTURES:
            self._pictures.clear()
        places = np.rint(self.places[rows]).astype(int).tolist()
        on_screen, drawn, rest = isinstance(painter.device(), QPixmap | QWidget), 0, list[int]()
        for row, (x, y), group in zip(
            rows.tolist(), places, self.view.groups[rows].tolist(), strict=True
        ):
            key = row, width, edge or person_colour(group), ratio
            if key not in self._pictures:
                if on_screen and drawn == _DRAWN_AT_ONCE:
                    rest.append(row)
                    continue
                drawn += 1
                image = grey_image(self.picture(row))
                size = QSize(width, round(width * image.height() / image.width()))
                scaled = rounded(image, size, ratio, width / 8, edge=key[2])
                self._pictures[key] = QPixmap.fromImage(scaled)
            picture = self._pictures[key]
            middle = picture.deviceIndependentSize().toSize() / 2
            painter.drawPixmap(x - middle.width(), y - middle.height(), picture)
        if rest:
            self._paint_dots(painter, np.array(rest, np.intp))
            self._rest.start()

    def _paint_dots(self, painter: QPainter, rows: Numbers, times: float = 1.0) -> None:
        """Paint the faces as dots, person by person."""
        assert self.view is not None
        faces = self.view.face_count
        radius = times * theme.pixels(50 if faces <= 1000 else 35 if faces <= 5000 else 30) / 10
        groups = self.view.groups[rows]
        groups = np.where(groups < 0, -1, groups % (len(theme.PERSON_COLOURS) * len(SHAPES)))
        for group in np.unique(groups).tolist():
            person_dot(group, radius).paint_many(painter, self.places[rows[groups == group]])

    # The layer that changes with the pointer and the keys

    def paint_overlay(self, painter: QPainter, look: Tokens) -> None:
        if self.focused_by_keys:
            painter.setPen(QPen(QColor(look.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if self.view is None or not len(self.view.places):
            return
        labels = LabelPlacer(self.axes.plot)
        faces, active = self.view.face_count, self._marked()
        painter.save()
        painter.setClipRect(self.axes.plot.toAlignedRect())
        if self.pointed is not None:
            self._paint_veil(painter)
            self._paint_person(painter, self.person_of(self.pointed))
        sought = not self.found.size or self.selected in self.found
        if self.selected is not None and self.pointed in (None, self.selected) and sought:
            painter.setPen(QPen(QColor(look.accent), 1.4, Qt.PenStyle.DashLine))
            start = QPointF(*self.places[self.selected].tolist())
            for row in self.nearest:
                painter.drawLine(start, QPointF(*self.places[row].tolist()))
            self._paint_person(painter, np.array(self.nearest[::-1], np.intp))
        for probe, place in enumerate(self.places[faces:].tolist(), faces):
            size = theme.pixels(_DIAMOND) * (1.4 if probe in active else 1.0)
            edge = QColor(look.accent if probe in active else look.surface)
            Dot("diamond", QColor(look.warn), edge, size).paint(painter, QPointF(*place))
            labels.taken.append(QRectF(place[0] - size, place[1] - size, 2 * size, 2 * size))
        for row in active:
            if row >= faces:
                continue
            self._paint_pictures(painter, np.array([row]), _LARGE, look.accent)
            width = _LARGE * self.width_of_face
            box = QRectF(0, 0, width, 1.2 * width)
            box.moveCenter(QPointF(*self.places[row].tolist()))
            labels.taken.append(box)
        painter.restore()
        self._paint_names(painter, labels, look)

    def _marked(self) -> list[int]:
        """Return the selected point, followed by the point under the pointer (painted on top)."""
        pair = dict.fromkeys((self.selected, self.pointed))
        return [point for point in pair if point is not None]

    def _paint_veil(self, painter: QPainter) -> None:
        """Fade everything that has been painted so far."""
        painter.setOpacity(_VEIL)
        painter.fillRect(self.axes.plot, QColor(theme.tokens().surface))
        painter.setOpacity(1.0)

    def _paint_person(self, painter: QPainter, rows: Numbers) -> None:
        """Paint related faces, such as those of one person, larger than usual."""
        rows = rows[self._in_plot(self.places[rows])]
        if not self.as_faces:
            self._paint_dots(painter, rows, 1.3)
            return
        self._paint_pictures(painter, rows, _MIDDLE)

    def _paint_names(self, painter: QPainter, labels: LabelPlacer, look: Tokens) -> None:
        """Paint the names of the marked points, and those of probes where there is room."""
        assert self.view is not None
        faces = self.view.face_count
        active = self._marked()[::-1]
        in_plot = self._in_plot(self.places)
        few = len(self.places) - faces <= _NAMED
        probes = range(faces, len(self.places)) if few else ()
        for row in dict.fromkeys((*active, *probes)):
            if not in_plot[row]:
                continue
            away = theme.pixels(_DIAMOND) + 6.0
            if row < faces:
                away = self.width_of_face * _LARGE * 0.6 + 4
            must = row in active
            at = QPointF(*self.places[row].tolist())
            ground, ink = (look.accent, look.on_accent) if must else (look.warn_soft, look.warn)
            labels.draw(painter, at, away, self.view.names[row], (ground, ink, ink), must=must)

    # The pointer and the keys

    def zoom(self, factor: float, pos: QPointF | None = None) -> None:
        """Zoom in or out around a pixel, or around the centre."""
        self.viewpoint.zoom_by(factor, self.axes.value_at(pos or self.axes.plot.center()))
        self.update_layout()

    def pan(self, by: QPointF) -> None:
        """Move the view by an offset in pixels."""
        step = self.axes.value_at(by) - self.axes.value_at(QPointF(0, 0))
        self.viewpoint.middle = self.viewpoint.middle - step
        self.update_layout()

    def turn(self, by: QPointF) -> None:
        """Rotate a map with three axes by a movement of the pointer."""
        self.turning.turn(by)
        self.update_layout()

    def press(self, pos: QPointF) -> None:
        self._press = self._last = pos
        self._dragging = False

    def track_pointer(self, pos: QPointF, pressed: bool) -> None:
        if self._press is None:
            self.highlight(self.item_at(pos))
            return
        self._dragging |= (pos - self._press).manhattanLength() > _DRAG
        if self._dragging and self.turns:
            self.turn(pos - self._last)
        elif self._dragging:
            self.pan(pos - self._last)
        self._last = pos

    def release(self) -> None:
        clicked, self._press = self._press is not None and not self._dragging, None
        if clicked and (point := self.item_at(self._last)) is not None:
            self.chosen.emit(point)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if turn := event.angleDelta().y():
            self.zoom(_WHEEL**turn, event.position())
            event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.highlight(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.highlight(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = event.key(), event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if key in ARROWS and shift and self.turns:
            across, up = ARROWS[key]
            self.turn(QPointF(across, -up) * _TURN)
        elif key in ARROWS:
            self.go(ARROWS[key])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(0.8 if key == Qt.Key.Key_Minus else 1.25)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def go(self, direction: tuple[int, int]) -> None:
        """Select the next face in a direction, or the most central face if none is selected."""
        places, middle = self.places * (1, -1), self.axes.plot.center()  # y grows upwards
        if not len(places):
            return
        if self.selected is None:
            away = (places - (middle.x(), -middle.y())) ** 2
            point: int | None = int(np.argmin(away.sum(axis=1)))
        else:
            point = neighbour_in_direction(places, self.selected, direction)
        if point is None:
            return
        self.select(point, ())  # the next key may arrive before the page refreshes
        self.chosen.emit(point)
        at = QPointF(*self.places[point].tolist())
        if not self.axes.plot.adjusted(10, 10, -10, -10).contains(at):
            self.pan(middle - at)
        self.highlight(point)
