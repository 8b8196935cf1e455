"""Views for the points, arrows and curves of lessons, in the plane and in space."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import (
    QLineF,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPen,
    QPolygonF,
)

from eigenfaces.lessons import drawing as fig
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import capital, count
from ...plots.axes import Axes, Axis
from ...plots.canvas import ARROWS
from ...plots.marks import Bars, Line, PlotMark, ReferenceLine
from ...plots.plot import PlotView
from ...plots.strokes import Dot, LabelPlacer, Stroke, paint_pill, pill_rect
from ...plots.turning import Turning
from ...style import theme
from ...style.painting import clamped
from ...style.theme import PERSON_COLOURS, Tokens, contrast, mix

_GROUPS = (*PERSON_COLOURS[:6], "#EE7733", "#009988", "#8877CC", PERSON_COLOURS[6])
_TO_BE_SEEN = 3.0  # least contrast with the background
_DASHES = (7.0, 4.0)
_FEW = 2  # lines; up to this many, all are labelled
_TURN, _HAND = 20, Qt.CursorShape.OpenHandCursor  # px of pointer movement per key press
_MANY = 300  # points; more points than this are drawn small
_RING, _REACH = 8.5, 11.0  # px: the radius of a handle, and its reach
_FINE, _COARSE = 1 / 200, 1 / 20  # of the range, for each key press; coarse with Shift
_POINT_KEYS = "Press Enter to choose the next point, and use the arrow keys to move it."
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def ink_colour(ink: fig.Ink, look: Tokens) -> QColor:
    """Return the colour of a named ink."""
    if ink == "faint":
        return QColor(mix(look.border, look.text, 0.12))
    people = {"main": look.accent, "contrast": look.people[1], "good": look.people[2]}
    return QColor(_visible_colour(people.get(ink, look.tertiary), look))


def group_colour(group: int, look: Tokens) -> QColor:
    """Return the colour of a group. The colours repeat after ten groups."""
    return QColor(_visible_colour(_GROUPS[group % len(_GROUPS)], look))


def _visible_colour(colour: str, look: Tokens) -> str:
    """Return the colour, lightened if it would be hard to see on a dark surface."""
    low = look.dark and contrast(colour, look.surface) < _TO_BE_SEEN
    return mix(colour, look.text, 0.3) if low else colour  # on light ones, dots have outlines


class InkedLine(Line):
    """Curve drawn in the ink that the lesson specifies."""

    def __init__(self, line: fig.PlotLine) -> None:
        super().__init__(line.name, line.x, line.y)
        self._line = line

    def set_colours(self, look: Tokens, number: int) -> None:
        self.stroke = Stroke(ink_colour(self._line.ink, look), _DASHES if self._line.dashed else ())


class CurvesView(PlotView):
    """View for a panel of curves or bars."""

    def __init__(self) -> None:
        super().__init__(Axis(), Axis())

    def show_panel(self, panel: fig.CurvesPanel | fig.BarsPanel) -> None:
        """Show the curves or bars of a panel."""
        if isinstance(panel, fig.BarsPanel):
            bars = Bars({"": np.asarray(panel.values, float)}, panel.names)
            bars.selectable = False
            self.show_marks([bars], Axis(), Axis(panel.y))
            self.setAccessibleName(panel.title or capital(panel.y) or "Bars")
            return
        x, y = (
            Axis(title, "log scale" if log else "", log=log)
            for title, log in ((panel.x, panel.log_x), (panel.y, panel.log_y))
        )
        x.grid, y.percent = panel.log_x and panel.log_y, panel.percent
        marks = [ReferenceLine(*panel.mark)] if panel.mark else []
        self.show_marks([*marks, *map(InkedLine, panel.curves)], x, y)
        if panel.title:
            self.setAccessibleName(panel.title)


class _DotMark(PlotMark):
    """Points, coloured by group if there are groups."""

    reach = _REACH

    def __init__(self, layer: fig.Dots) -> None:
        self.layer = layer

    def item_pixels(self, axes: Axes) -> Doubles:
        return axes.pixels(*self.layer.at.T)

    def item_at(self, axes: Axes, at: QPointF) -> tuple[float, int] | None:
        return super().item_at(axes, at) if self.layer.tips else None

    def tooltip(self, axes: Axes, item: int) -> str:
        return self.layer.tips[item]

    def summary(self, axes: Axes) -> str:
        number, labels = len(self.layer.at), self.layer.labels
        groups = () if labels is None else enumerate(self.layer.names)
        parts = (f"{np.count_nonzero(labels == group)} {name}" for group, name in groups if name)
        words = ": ".join(filter(None, (count(number, "point"), ", ".join(parts))))
        return f"{words}." if number else ""

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        radius = 2.6 if self.layer.small or len(self.layer.at) > _MANY else 4.0
        labels = self.layer.labels
        groups = np.zeros(len(self.layer.at), int) if labels is None else labels
        ratio, stamps = painter.device().devicePixelRatio(), {}
        for group in np.unique(groups).tolist():
            grey = labels is None
            colour = ink_colour(self.layer.ink, look) if grey else group_colour(group, look)
            rim = QColor(look.surface if look.dark else mix(colour.name(), look.text, 0.45))
            stamps[group] = Dot("circle", colour, rim, radius).stamp(ratio)
        for group, spot in zip(groups.tolist(), self.item_pixels(axes).tolist(), strict=True):
            stamp, middle = stamps[group]
            painter.drawPixmap(QPointF(*spot) - middle, stamp)


class _StrokeMark(PlotMark):
    """Straight lines or arrows."""

    def __init__(self, layer: fig.Strokes) -> None:
        self.layer = layer

    def lines(self, axes: Axes) -> list[QLineF]:
        """Return the lines in pixel coordinates."""
        starts, ends = (axes.pixels(*at.T).tolist() for at in (self.layer.start, self.layer.end))
        return [QLineF(QPointF(*a), QPointF(*b)) for a, b in zip(starts, ends, strict=True)]

    def end_inside(self, axes: Axes, room: QRectF) -> QPointF:
        """Return the end of the first line, or the point where the line leaves a rectangle."""
        line, last = self.lines(axes)[0], 1.0
        for low, high, start, step in (
            (room.left(), room.right(), line.x1(), line.dx()),
            (room.top(), room.bottom(), line.y1(), line.dy()),
        ):
            if step:
                last = min(last, max(((high if step > 0 else low) - start) / step, 0.0))
        return line.pointAt(last)

    def summary(self, axes: Axes) -> str:
        return f"A line: {self.layer.words}." if self.layer.words else ""

    def paint(self, painter: QPainter, axes: Axes, look: Tokens) -> None:
        colour, lines = ink_colour(self.layer.ink, look), self.lines(axes)
        pen = QPen(colour, 1.1 if self.layer.thin else 2.2)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if self.layer.dashed:
            pen.setDashPattern([5.0, 4.0] if self.layer.thin else [3.0, 2.5])
        painter.setPen(pen)
        painter.drawLines(lines)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for line in lines if self.layer.arrow else ():
            if line.length() > 1:
                size = min(9.0, 0.6 * line.length())  # a short arrow has a small head
                unit = QPointF(line.dx(), line.dy()) / line.length()
                aside, foot = QPointF(-unit.y(), unit.x()) * 0.45 * size, line.p2() - unit * size
                painter.drawPolygon(QPolygonF([line.p2() + unit, foot + aside, foot - aside]))


class PlaneView(PlotView):
    """View for a panel with points and lines in the plane, painted in layers with labels on top.

    ``direction_dragged``: the ring for a setting was dragged to this angle, in degrees;
    ``point_dragged``: the point with this index was dragged to these data coordinates (2,);
    ``item_chosen``: the point with this number, counted from 1, was chosen for a setting.
    """

    direction_dragged = Signal(str, float)
    point_dragged = Signal(int, object)
    item_chosen = Signal(str, int)

    def __init__(self) -> None:
        self.panel = fig.PlanePanel(layers=(), span=((0, 1), (0, 1)))
        super().__init__(Axis(grid=True), Axis(), equal=True)
        self._dragging: int | fig.AngleHandle | None = None
        self._other_side = False
        self._current: int | None = None

    def show_panel(self, panel: fig.PlanePanel) -> None:
        """Show the layers of a panel; the axis ranges stay fixed during a drag."""
        self.panel = panel
        self.axes.x.title, self.axes.y.title = panel.x, panel.y
        if self._dragging is None:
            self.axes.x.span, self.axes.y.span = panel.ranges
        movable, policy = len(self.movable_points.at), Qt.FocusPolicy
        marks = (
            _DotMark(part) if isinstance(part, fig.Dots) else _StrokeMark(part)
            for part in panel.layers[::-1]  # the last mark is painted first
        )
        self.show_marks([*marks])
        self.setFocusPolicy(policy.StrongFocus if movable else policy.NoFocus)
        if self._current is not None and self._current >= movable:
            self._current = None
        self.setAccessibleName(panel.title or f"{panel.y or 'Points'} against {panel.x or 'x'}")

    def on_screen(self, places: Doubles) -> Doubles:
        """Convert data coordinates (n, 2) to pixel coordinates (n, 2)."""
        return self.axes.pixels(*places.T)

    @property
    def movable_points(self) -> fig.Dots:
        """The points that can be dragged, if there are any."""
        dots = (part for part in self.panel.layers if isinstance(part, fig.Dots) and part.movable)
        return next(dots, fig.Dots(np.zeros((0, 2))))

    @property
    def ring(self) -> QPointF | None:
        """The position of the ring in pixels; None if there is no ring."""
        if self.panel.grip is None:
            return None
        x, y = (-1 if self._other_side else 1) * self.panel.grip.at
        return QPointF(self.axes.px(float(x)), self.axes.py(float(y)))

    # Painting

    def tooltip_at(self, at: QPointF) -> str:
        """Return the tooltips of the dots at a pixel, one per line."""
        return "\n".join(self.item_text(*item) for item in self._pick(at))

    def mark_sentences(self) -> list[str]:
        words = super().mark_sentences()[::-1]
        return [*words, _POINT_KEYS] if len(self.movable_points.at) else words

    def paint_content(self, painter: QPainter, look: Tokens) -> None:
        plot = self.axes.plot
        painter.save()
        painter.setClipRect(plot.adjusted(-5, -5, 5, 5))
        super().paint_content(painter, look)
        painter.restore()
        labels = LabelPlacer(plot)
        if (ring := self.ring) is not None:
            around = QRectF(ring, ring).adjusted(-_RING, -_RING, _RING, _RING)
            labels.taken += [self._grip_box(), around]
        strokes = [mark for mark in reversed(self.marks) if isinstance(mark, _StrokeMark)]
        strokes = [mark for mark in strokes if mark.layer.words and len(mark.layer.end)]
        few = len(strokes) <= _FEW  # with more lines, labels without room are left out
        for stroke in strokes:
            at = stroke.end_inside(self.axes, plot.adjusted(6, 6, -6, -6))
            colours = look.surface, look.text, ink_colour(stroke.layer.ink, look).name()
            labels.draw(painter, at, 5, stroke.layer.words, colours, must=few)
        for mark in reversed(self.marks):
            if isinstance(mark, _DotMark):
                spots = mark.item_pixels(self.axes)
                self._draw_words(painter, labels, mark.layer, spots, look)
                if mark.layer.labels is None:
                    continue
                for group, name in enumerate(mark.layer.names):
                    if name and (members := mark.layer.labels == group).any():
                        at = QPointF(*np.median(spots[members], axis=0).tolist())
                        colours = look.surface, look.text, group_colour(group, look).name()
                        labels.draw(painter, at, 0, name, colours, must=few)

    def _draw_words(
        self, painter: QPainter, labels: LabelPlacer, layer: fig.Dots, spots: Doubles, look: Tokens
    ) -> None:
        """Label dots where there is room, starting with the chosen dot."""
        order = sorted(range(len(layer.words)), key=lambda at: at != layer.chosen)
        colours = look.surface, look.secondary, look.border
        for at in order:
            spot = QPointF(*spots[at].tolist())
            labels.draw(painter, spot, 5, layer.words[at], colours, must=False)

    def paint_overlay(self, painter: QPainter, look: Tokens) -> None:
        accent = QColor(look.accent)
        for mark in self.marks:
            if isinstance(mark, _DotMark) and mark.layer.chosen is not None:
                spot = mark.item_pixels(self.axes)[mark.layer.chosen].tolist()
                painter.setPen(QPen(QColor(look.text), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(QPointF(*spot), 7.5, 7.5)
        if (ring := self.ring) is not None and self.panel.grip is not None:
            painter.setPen(QPen(accent, 2.2))
            painter.setBrush(QColor(look.surface))
            painter.drawEllipse(ring, _RING, _RING)
            words = self.panel.grip.words
            paint_pill(painter, self._grip_box(), words, look.accent, look.on_accent)
        if self._current is not None:
            place = self.on_screen(self.movable_points.at[[self._current]])[0].tolist()
            painter.setPen(QPen(accent if self.hasFocus() else QColor(look.secondary), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(*place), 7.5, 7.5)

    def _grip_box(self) -> QRectF:
        """Return the box of the ring's label: above the ring or, at the top edge, below it."""
        if (ring := self.ring) is None or self.panel.grip is None:
            return QRectF()
        box, plot = pill_rect(self.panel.grip.words), self.axes.plot
        away = box.height() / 2 + _RING + 6
        up = ring.y() - away - box.height() / 2 > plot.top()
        box.moveCenter(ring + QPointF(0, -away if up else away))
        return clamped(box, plot.adjusted(2, 0, -2, 0))

    # The pointer

    def press(self, pos: QPointF) -> None:
        for mark, item in self._pick(pos):
            layer = getattr(self.marks[mark], "layer", None)
            if isinstance(layer, fig.Dots) and layer.setting:
                self.item_chosen.emit(layer.setting, item + 1)
                return
        self._dragging = self._current = self.dot_at(pos)
        if self._over_ring(pos):
            self._dragging, self._current = self.panel.grip, None
        if self._dragging is not None and len(self.movable_points.at):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.update()

    def track_pointer(self, pos: QPointF, pressed: bool) -> None:
        plot = self.axes.plot
        if pressed and isinstance(self._dragging, fig.AngleHandle):
            place, grip = self.axes.value_at(pos), self._dragging
            if place.any():
                self.direction_dragged.emit(grip.setting, math.degrees(math.atan2(*place[::-1])))
                now, side = self.panel.grip or grip, -1 if self._other_side else 1
                self._other_side ^= side * float(place @ now.at) < 0  # keep the ring at the pointer
                self.update()
        elif pressed and isinstance(self._dragging, int):
            inside = clamped(QRectF(pos, pos), plot).topLeft()
            self._move(self._dragging, self.axes.value_at(inside))
        else:
            cursor = None if self.dot_at(pos) is None else Qt.CursorShape.SizeAllCursor
            cursor = Qt.CursorShape.PointingHandCursor if self._over_ring(pos) else cursor
            self.show_tooltip(self.tooltip_at(pos), cursor)

    def release(self) -> None:
        if self._dragging is not None:
            self._dragging = None
            self.show_panel(self.panel)  # the range may change again

    def dot_at(self, at: QPointF) -> int | None:
        """Return the index of the movable point at a pixel, or None."""
        away = np.hypot(*(self.on_screen(self.movable_points.at) - (at.x(), at.y())).T)
        return int(away.argmin()) if away.min(initial=np.inf) <= _REACH else None

    def _over_ring(self, at: QPointF) -> bool:
        ring = self.ring
        return ring is not None and QLineF(at, ring).length() <= _REACH

    def _move(self, number: int, place: Doubles) -> None:
        origin = self.movable_points.origin
        self.point_dragged.emit(number, place if origin is None else place + origin)

    # The keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, at = Qt.Key(event.key()), self.movable_points.at
        if len(at) and key in _ENTER:
            self._current = 0 if self._current is None else (self._current + 1) % len(at)
            self.update()
        elif self._current is not None and key in ARROWS:
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            across = (_COARSE if shift else _FINE) * (self.axes.x.hi - self.axes.x.lo)
            self._move(self._current, at[self._current] + across * np.array(ARROWS[key]))
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_keys = event.reason() != Qt.FocusReason.MouseFocusReason
        if self._current is None and by_keys and len(self.movable_points.at):
            self._current = 0

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._current = None
        self.update()


class SpaceView(PlaneView):
    """View for a panel of points in space, rotated with the pointer or the arrow keys."""

    def __init__(self) -> None:
        super().__init__()
        self.turning = Turning()
        self._space = fig.SpacePanel(layers=(fig.Dots(np.zeros((1, 3))),), names=("x", "y", "z"))
        self._last = QPointF()

    def show_panel(self, panel: fig.SpacePanel) -> None:  # type: ignore[override]
        """Show the points of a panel from the same viewpoint as before."""
        self._space = panel
        super().show_panel(panel.seen_from(self.turning.rotation))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(panel.title or "Points in space")

    def turn(self, by: QPointF) -> None:
        """Rotate the points by a movement of the pointer."""
        self.turning.turn(by)
        self.show_panel(self._space)

    def mark_sentences(self) -> list[str]:
        return [*super().mark_sentences(), "Use the arrow keys to rotate the points."]

    def paint_overlay(self, painter: QPainter, look: Tokens) -> None:
        super().paint_overlay(painter, look)
        if self.focused_by_keys:
            painter.setPen(QPen(QColor(look.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def press(self, pos: QPointF) -> None:
        self._last = pos

    def track_pointer(self, pos: QPointF, pressed: bool) -> None:
        if pressed:
            self.turn(pos - self._last)
        self._last = pos
        self.show_tooltip("", Qt.CursorShape.ClosedHandCursor if pressed else _HAND)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        across, up = ARROWS.get(event.key(), (0, 0))
        if across or up:
            self.turn(QPointF(_TURN * across, -_TURN * up))
        else:
            event.ignore()

    # Lengths on the screen have no meaning, so there are no ticks, and the points fill the view.

    def _place_plot(self, _top: float) -> None:
        axes = self.axes
        axes.plot = axes.size.adjusted(4, 4, -4, -4)
        self._widen(axes.x.lo, axes.x.hi, axes.y.lo, axes.y.hi)

    def paint_static(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_content(painter, theme.tokens())
