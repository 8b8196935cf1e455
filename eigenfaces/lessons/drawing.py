"""Figures of the lessons as data: rows of panels with arrays and text, but no drawing code.

The window and the command line draw the same `Drawing`, each in its own way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import percent, with_minus

Ink = Literal["main", "contrast", "good", "grey", "faint"]
"""Blue, red, green, grey or light grey. Blue is for the subject, and red for what is lost."""

Limits = tuple[float, float]

_FIGURE = re.compile(r"[−+-]?\d[\d.,]*( ?[%°])?$")
_MARGIN = 0.07
"""The margin around points, as a share of their range."""
_ROWS, _COLUMNS = 7, 5
"""The largest numbers of rows and columns shown when a long table is written to a file."""
_PLACES, _TALLEST = 60, 0.3
"""The number of piles across the range of values, and the tallest pile as a share of it."""


@dataclass(frozen=True, eq=False)
class Dots:
    """Dots at points (n, 2) in a plane, or (n, 3) in space."""

    at: Doubles
    ink: Ink = "grey"
    _: KW_ONLY
    labels: Numbers | None = None  # (n,) the group of each point, which sets its colour
    names: tuple[str, ...] = ()  # (g,) the name written at the middle of each group
    tips: tuple[str, ...] = ()  # (n,) the text shown when the pointer is over a point
    small: bool = False
    movable: bool = False  # the user may drag these points of the subject
    origin: Doubles | None = None  # (2,) added to a position to get that in the subject
    words: tuple[str, ...] = ()  # (n,) the label of each point, if there is room
    setting: str = ""  # the setting that a click changes to the number of a point, from 1
    chosen: int | None = None  # the index of the point with a ring


@dataclass(frozen=True, eq=False)
class Strokes:
    """Straight lines from ``start`` (n, 2) to ``end``. The first line has the label at its end."""

    start: Doubles
    end: Doubles
    ink: Ink = "main"
    _: KW_ONLY
    dashed: bool = False
    thin: bool = False
    arrow: bool = False  # with a head at the end
    words: str = ""


def arrows(ends: Doubles, ink: Ink = "main", words: str = "") -> Strokes:
    """Return arrows from the origin to ``ends`` (n, 2)."""
    return Strokes(np.zeros_like(ends), ends, ink, arrow=True, words=words)


@dataclass(frozen=True, eq=False)
class AngleHandle:
    """Draggable ring at ``at`` (2,). Its direction in degrees becomes the value of a setting."""

    at: Doubles
    setting: str
    words: str


Layer = Dots | Strokes


@dataclass(frozen=True, eq=False)
class Panel:
    """Part of a figure, with a title and a caption. ``weight`` is its relative width in the row."""

    _: KW_ONLY
    title: str = ""
    caption: str = ""
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class PlanePanel(Panel):
    """Points and lines in a plane, in layers from bottom to top.

    Both axes have the same scale.
    """

    layers: tuple[Layer, ...]
    x: str = ""
    y: str = ""
    span: tuple[Limits, Limits] | None = (
        None  # the ranges of both axes, or None for those of the points
    )
    grip: AngleHandle | None = None

    @property
    def ranges(self) -> tuple[Limits, Limits]:
        """Ranges that the axes must cover: ``span`` if it is given, or else those of all points."""
        if self.span is not None:
            return self.span
        points = np.concatenate([layer.at for layer in self.layers if isinstance(layer, Dots)])
        low, high = points.min(axis=0), points.max(axis=0)
        room = np.maximum(_MARGIN * (high - low), 0.5 * (high == low).all() + 1e-9)
        (x0, y0), (x1, y1) = (low - room).tolist(), (high + room).tolist()
        return (x0, x1), (y0, y1)


def on_one_scale(*panels: PlanePanel) -> tuple[PlanePanel, ...]:
    """Return the planes with the same ranges, so that their points can be compared."""
    x, y = zip(*(panel.ranges for panel in panels), strict=True)
    span = (np.min(x), np.max(x)), (np.min(y), np.max(y))
    return tuple(replace(panel, span=span) for panel in panels)


def view_from(above: float, right: float) -> Doubles:
    """Return the rotation (3, 3) for a view from these angles (in degrees) above and to the right.

    Its rows are the directions in space that point right, up and towards the viewer.
    """
    a, b = math.radians(above), math.radians(right)
    across = [math.cos(b), 0, -math.sin(b)]
    up = [-math.sin(a) * math.sin(b), math.cos(a), -math.sin(a) * math.cos(b)]
    return np.array([across, up, np.cross(across, up)])


FIRST_VIEW = view_from(20, 30)
"""The view in which points in space are first shown."""


@dataclass(frozen=True, eq=False)
class SpacePanel(Panel):
    """Points and lines in space, with three axes through the origin and no perspective."""

    layers: tuple[Layer, ...]
    names: tuple[str, str, str]  # the names of the axes

    def seen_from(self, rotation: Doubles) -> PlanePanel:
        """Return the panel as seen after a rotation, with ranges large enough for any view."""
        points = np.concatenate([part.at for part in self.layers if isinstance(part, Dots)])
        reach = 1.02 * float(np.linalg.norm(points, axis=1).max()) or 1.0
        across_and_up = rotation[:2].T
        layers = list[Layer]()
        for name, end in zip(self.names, reach * across_and_up, strict=True):
            layers.append(Strokes(-end[None], end[None], "faint", thin=True, words=name))
        for part in self.layers:
            if isinstance(part, Dots):
                layers.append(replace(part, at=part.at @ across_and_up))
            else:
                start, end = part.start @ across_and_up, part.end @ across_and_up
                layers.append(replace(part, start=start, end=end))
        return PlanePanel(tuple(layers), span=((-reach, reach), (-reach, reach)), title=self.title)


def range_around_zero(*points: Doubles, room: float = 1.1) -> tuple[Limits, Limits]:
    """Return the same range for both axes, centred on zero and containing all values."""
    reach = room * max(float(np.abs(values).max()) for values in points)
    return (-reach, reach), (-reach, reach)


def piled(values: Doubles) -> Doubles:
    """Return positions (n, 2) that show values on a line, piled up where they would overlap.

    >>> piled(np.array([0.0, 60, 30, 0])).tolist()
    [[0.0, 0.0], [60.0, 0.0], [30.0, 0.0], [0.0, 1.0]]
    """
    step = (float(np.ptp(values)) or 1.0) / _PLACES
    places = np.round(values / step)
    heights = np.zeros(len(values))
    for place in np.unique(places):
        members = places == place
        heights[members] = np.arange(members.sum())
    heights *= min(1.0, _TALLEST * _PLACES / max(heights.max(), 1.0))
    return np.column_stack([places, heights]) * step


@dataclass(frozen=True, eq=False)
class PlotLine:
    """Line through the points with coordinates ``x`` (n,) and ``y`` (n,)."""

    name: str
    x: Doubles
    y: Doubles
    ink: Ink = "main"
    _: KW_ONLY
    dashed: bool = False


def tick_label(value: float) -> str:
    """Return the axis label of a number, with powers of ten if it is very large or small.

    >>> tick_label(-1000), tick_label(0.01), tick_label(1e-6), tick_label(2e7)
    ('−1,000', '0.01', '10⁻⁶', '2·10⁷')
    """
    first, _, power = f"{value:,g}".partition("e")
    if power:
        raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        first = f"{first}·10{raised}".removeprefix("1·")
    return with_minus(first)


def cell_label(value: float) -> str:
    """Return the text of a matrix cell that has this value.

    >>> cell_label(0.7071), cell_label(-1e-17), cell_label(-12.345), cell_label(1234.5)
    ('0.71', '0', '−12.3', '1234')
    """
    if abs(value) < 5e-4:
        return "0"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return with_minus(f"{value:.{digits}f}")


@dataclass(frozen=True, eq=False)
class CurvesPanel(Panel):
    """Curves over ``at`` (n,) by name, each given as values (n,) or as a pair of values and ink.

    A curve without an ink is blue if it is the first, and red otherwise. All but the first are
    dashed. ``mark`` is a position on the x axis, with its label.
    """

    at: Doubles
    values: Mapping[str, Any]
    x: str
    y: str
    mark: tuple[float, str] | None = None
    _: KW_ONLY
    log_x: bool = False
    log_y: bool = False
    percent: bool = False

    @property
    def curves(self) -> list[PlotLine]:
        """Lines to draw, the first one on top."""
        curves = list[PlotLine]()
        for name, values in self.values.items():
            usual = "contrast" if curves else "main"
            y, ink = values if isinstance(values, tuple) else (values, usual)
            curves.append(PlotLine(name, self.at, y, ink, dashed=bool(curves)))
        return curves


@dataclass(frozen=True, eq=False)
class BarsPanel(Panel):
    """Bar chart with one bar for each name. The ``values`` (n,) may be negative."""

    names: tuple[str, ...]
    values: Doubles
    y: str = ""


@dataclass(frozen=True, eq=False)
class MatrixPanel(Panel):
    """Matrix (r, c) in colour: blue below zero, white at zero, red above."""

    values: Doubles
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    numbers: bool = False  # the cells show their numbers
    most: float | None = None  # the value of the strongest colour, or None for the largest
    diverging: ClassVar = True

    @property
    def limit(self) -> float:
        """Value shown in the strongest colour."""
        return self.most or float(np.abs(self.values).max()) or 1.0


@dataclass(frozen=True, eq=False)
class PicturesPanel(Panel):
    """Grey pictures (n, h, w) or colour pictures (n, h, w, 3), with ``across`` in each row.

    Values are 0…1 unless ``signed``. Zero is then white in grey pictures, grey in colour pictures.
    """

    pictures: Doubles
    across: int
    _: KW_ONLY
    signed: bool = False
    words: tuple[str, ...] = ()  # (n,) the label below each picture

    @property
    def diverging(self) -> bool:
        """Whether the colours distinguish negative values from positive ones."""
        return self.signed and self.pictures.ndim == 3

    @property
    def limits(self) -> Doubles:
        """Values (n,) shown in the strongest colour of each signed picture."""
        ends = np.abs(self.pictures).reshape(len(self.pictures), -1).max(axis=1)
        return np.where(ends > 0, ends, 1.0)

    @property
    def visible(self) -> Doubles:
        """Pictures to show. Signed colour pictures are mapped to colours 0…1, with zero as grey."""
        if not self.signed or self.diverging:
            return self.pictures
        return 0.5 + self.pictures / (2 * self.limits[:, None, None, None])


def pictures(
    rows: Doubles, shape: tuple[int, ...], title: str = "", across: int = 1, **more: Any
) -> PicturesPanel:
    """Return a panel that shows rows (n, d), or one row (d,), as pictures of this shape."""
    return PicturesPanel(rows.reshape(-1, *shape), across, title=title, **more)


@dataclass(frozen=True, eq=False)
class _Cells(Panel):
    """Rows of text below a heading."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def has_figures(self, column: int) -> bool:
        """Return whether a column contains numbers and is therefore right-aligned."""
        return any(_FIGURE.match(row[column]) for row in self.rows)


@dataclass(frozen=True, eq=False)
class TablePanel(_Cells):
    """Table that is shown in full. ``strong`` holds the indices of the rows to emphasise."""

    strong: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class RowsPanel(_Cells):
    """Long table with one selected row. A click selects another row."""

    setting: str  # the setting for the number of the selected row, from 1
    chosen: int  # the index of the selected row

    @property
    def around(self) -> TablePanel:
        """Excerpt that fits on a page: the rows around the selected one, and the first columns."""
        first = min(max(self.chosen - _ROWS // 2, 0), max(len(self.rows) - _ROWS, 0))
        rows = tuple(row[:_COLUMNS] for row in self.rows[first : first + _ROWS])
        return TablePanel(self.head[:_COLUMNS], rows, (self.chosen - first,), title=self.title)


@dataclass(frozen=True, eq=False)
class SharesPanel(Panel):
    """Bar with a blue part (kept) and a red part (lost), each of which has a label and a size."""

    kept: tuple[str, float]
    lost: tuple[str, float]
    whole: str  # a sentence about their sum
    mark: tuple[float, str] | None = None  # a position from the left, and its label

    @property
    def parts(self) -> tuple[tuple[str, float, Ink], ...]:
        """Label, size and ink of the kept part and of the lost part."""
        total = self.kept[1] + self.lost[1]
        kept = round(self.kept[1], 3)
        lost = round(total, 3) - kept  # as shown, both add up to the total
        share = percent(kept / total, 0)
        rest = f"{100 - int(share.split()[0])} %"
        return (
            (f"{self.kept[0]} {kept:.3f} · {share}", self.kept[1], "main"),
            (f"{self.lost[0]} {lost:.3f} · {rest}", self.lost[1], "contrast"),
        )


@dataclass(frozen=True, eq=False)
class Drawing:
    """Figure with a heading, a note to its right, and rows of panels."""

    heading: str
    rows: tuple[tuple[Panel, ...], ...]
    note: str = ""
    _: KW_ONLY
    hint: str = ""  # what the user can do in the window
    key: str = ""  # what the colours mean

    def heights(self, room: float) -> tuple[float, ...]:
        """Return the heights of the rows in points, for a width of ``room`` points."""

        def height(panel: Panel, room: float) -> float:
            tall = min(max(0.5 * room, 165.0), 190.0)
            if isinstance(panel, PlanePanel):
                (x0, x1), (y0, y1) = panel.ranges
                tall = 30 + min(max((room - 20) * (y1 - y0) / (x1 - x0), 125.0), 250.0)
            elif isinstance(panel, SpacePanel):
                tall = 280.0
            elif isinstance(panel, PicturesPanel):
                (number, h, w), across = panel.pictures.shape[:3], panel.across
                across = min(across, number)
                side = min(room / across, 75.0 if across > 1 else 200.0) * h / w
                tall = math.ceil(number / across) * (side + 13 * bool(panel.words))
            elif isinstance(panel, MatrixPanel):
                rows, columns = panel.values.shape
                tall = 26 + min(0.5 * room, 150.0) * min(rows / columns, 1)
            elif isinstance(panel, TablePanel | RowsPanel):
                tall = 24.0 * (min(len(panel.rows), _ROWS) + 1)
            elif isinstance(panel, BarsPanel | SharesPanel):
                tall = 130.0 if isinstance(panel, BarsPanel) else 50.0
            return 16 * bool(panel.title) + 12 * bool(panel.caption) + 8 + tall

        return tuple(
            max(height(panel, room * panel.weight / sum(p.weight for p in row)) for panel in row)
            for row in self.rows
        )


@dataclass(frozen=True, eq=False)
class LessonPicture:
    """Picture of a lesson, which consists of one figure or of two, one above the other."""

    upper: Drawing
    lower: Drawing | None = None
    numbers: Mapping[str, Any] = field(
        default_factory=dict
    )  # the results, by their names in the listing
    words: Mapping[str, str] = field(default_factory=dict)  # the words for ``{name}`` in the text

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """One or two figures, from top to bottom."""
        return (self.upper,) if self.lower is None else (self.upper, self.lower)
