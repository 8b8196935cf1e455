"""The figure of a lesson as a file: the panels that the window shows, drawn by matplotlib."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenfaces.lessons import drawing as parts
from eigenfaces.lessons.drawing import Drawing, LessonPicture, Panel, tick
from eigenfaces.report import figure as style
from eigenfaces.report.figure import ACCENT, BORDER, SECONDARY, TEXT, Suffix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, SCREEN, DOTS = 520.0, (864.0, 486.0), 160  # points; so a screen has 1920 × 1080 dots
BODY, SMALL = 8.5, 7.5  # sizes of text in points
_LOWEST = 1.3  # times as tall as a screen: figures one below the other are squeezed so far
INKS = {"main": ACCENT, "contrast": "#EE6677", "good": "#228833", "grey": "#7D8590"}
INKS["faint"] = "#C6CCD4"
RAINBOW = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB")
GROUPS = (*RAINBOW, "#EE7733", "#009988", "#332288")  # Tol's “bright”, and three of his others
SIGNED = ("#154F94", "#3A83BF", "#8FC3E0", "#FFFFFF", "#F3A583", "#D75A4B", "#A81529")


def lesson_file(picture: LessonPicture, suffix: Suffix, *, wide: bool = False) -> bytes:
    """Return the content of the file of a picture, as a page or as wide as a screen.

    The same picture always gives the same bytes.
    """
    notes = "; ".join(drawing.note for drawing in picture.drawings if drawing.note)
    with style.styled("lesson"):
        named = style.Named("lesson", picture.upper.heading, notes)
        dots = DOTS if wide else style.DOTS_PER_INCH
        return style.encoded(_figure(picture, wide), suffix, named, dots)


def booklet(pictures: Iterable[LessonPicture]) -> bytes:
    """Return a PDF with a picture on each page, as wide as a screen; always the same bytes."""
    from matplotlib.backends.backend_pdf import PdfPages

    content = io.BytesIO()
    with style.styled("lesson"), PdfPages(content, metadata=style.NAMELESS["pdf"]) as pages:
        for picture in pictures:
            pages.savefig(_figure(picture, wide=True))
    return content.getvalue()


def _figure(picture: LessonPicture, wide: bool) -> Figure:
    """Draw both figures, one below the other or, where a screen is too low, side by side."""
    from matplotlib.figure import Figure

    drawings = []
    for drawing in picture.drawings:
        (row, *more), points = drawing.rows, parts.PlanePanel | parts.SpacePanel
        if len(row) == 4 and isinstance(row[0], points) and not more:  # side by side: small
            drawing = replace(drawing, rows=(row[:2], row[2:]))
        drawings.append(drawing)
    room = SCREEN[0] if wide else WIDTH
    heights = [50 + sum(part.heights(room)) for part in drawings]  # with heading and key
    total = sum(heights)
    size = SCREEN if wide else (WIDTH, total)
    figure = Figure((size[0] / 72, size[1] / 72), dpi=72)
    if total > _LOWEST * size[1]:
        room, heights = room / len(drawings), [total] * len(drawings)
        places = figure.subfigures(1, len(drawings), squeeze=False)[0]
    else:
        places = figure.subfigures(len(drawings), 1, squeeze=False, height_ratios=heights)[:, 0]
    for place, drawing, height in zip(places, drawings, heights, strict=True):
        _fill(place, drawing, room, height / total * size[1])
    style.lay_out(figure, 5)
    _round(figure)
    return figure


def _round(figure: Any) -> None:
    """Cut off the last digits of all places: the layout solver is not exact there."""
    for part in figure.subfigs:
        part.bbox_relative.set_points(np.round(part.bbox_relative.get_points(), 4))
        for text in part.texts:
            text.set_position(np.round(text.get_position(), 4))
        _round(part)


def _fill(part: Any, drawing: Drawing, room: float, height: float) -> None:
    """Draw heading, note, rows of panels and key; a note without room stands with the key."""
    beside = 7 * len(drawing.heading) + 5 * len(drawing.note) < room - 20
    panels, matrix = [panel for row in drawing.rows for panel in row], parts.MatrixPanel
    signed = any(getattr(panel, "diverging", isinstance(panel, matrix)) for panel in panels)
    words = ["blue: below zero, red: above"] * signed + [drawing.key, drawing.note * (not beside)]
    part.suptitle(drawing.heading, x=8 / room, ha="left", size=10.5, weight="bold")
    part.supxlabel(_filled("; ".join(filter(None, words)), room), size=SMALL, color=SECONDARY)
    if beside:
        look: dict[str, Any] = {"size": BODY, "color": SECONDARY, "in_layout": False}
        part.text(1 - 8 / room, 1 - 7 / height, drawing.note, ha="right", va="top", **look)
    rows = part.subfigures(len(drawing.rows), 1, squeeze=False, height_ratios=drawing.heights(room))
    for place, row in zip(rows[:, 0], drawing.rows, strict=True):
        weights = [panel.weight for panel in row]
        places = place.subfigures(1, len(row), width_ratios=weights, squeeze=False)[0]
        for own, panel in zip(places, row, strict=True):
            wide = room * panel.weight / sum(weights)
            _KINDS[type(panel)](own, panel, wide)
            middle = isinstance(panel, parts.MatrixPanel | parts.PicturesPanel)
            at: Any = {"x": 0.5, "ha": "center"} if middle else {"x": 8 / wide, "ha": "left"}
            if panel.title:
                own.suptitle(_filled(panel.title, wide, BODY), size=BODY, weight="bold", **at)
            if panel.caption:
                own.supxlabel(_filled(panel.caption, wide), size=SMALL, color=SECONDARY, **at)


def _filled(words: str, room: float, size: float = SMALL) -> str:
    """Return words in lines that are about as wide as the room; a letter is 0.57 of its size."""
    return textwrap.fill(words, max(int(room / (0.57 * size)), 8))


def _label(axes: Any, words: str, at: Any, colour: str | None, away: float = 0) -> None:
    """Write words so many points above a place."""
    filled = colour == ACCENT
    look: dict[str, Any] = {"color": "white", "weight": "bold"} if filled else {}
    look |= {"ha": "center", "va": "center", "size": SMALL, "zorder": 50, "in_layout": False}
    box = {"boxstyle": "round,pad=0.3", "fc": colour if filled else "white", "ec": colour or BORDER}
    axes.annotate(words, at, (0, away), textcoords="offset points", bbox=box, **look)


def _points(place: Any, panel: Any, _room: float) -> None:
    """Draw points and lines in the plane or, with three axes, in space."""
    deep = isinstance(panel, parts.SpacePanel)
    axes = place.add_subplot(projection="3d" if deep else None)
    if deep:
        axes.locator_params(nbins=4)
        axes.tick_params(labelsize=6.5, pad=-3)
        for letter, name in zip("xyz", panel.axes, strict=True):
            getattr(axes, f"set_{letter}label")(name, labelpad=-6, fontsize=SMALL)
        axes.set_aspect("equal", adjustable="datalim")
    else:
        axes.set(xlim=panel.ranges[0], ylim=panel.ranges[1], xlabel=panel.x, ylabel=panel.y)
        axes.set_aspect("equal" if panel.equal else "auto", adjustable="box")
        if panel.grip is not None:
            axes.plot(*panel.grip.at, "o", ms=8, mfc="white", mec=ACCENT, mew=1.6, zorder=40)
            _label(axes, panel.grip.words, panel.grip.at, ACCENT, 16)
    for order, layer in enumerate(panel.layers, start=3):
        look: dict[str, Any] = {"zorder": order, "color": INKS[layer.ink]}
        if isinstance(layer, parts.Dots):
            _dots(axes, layer, look, named=not deep)
            continue
        gap = np.full(layer.end.shape, np.nan)  # between the strokes, which are one line
        points = np.stack([layer.start, layer.end, gap], axis=1).reshape(-1, layer.end.shape[1])
        dashes = {"dashes": (4, 2)} if layer.dashed else {}
        axes.plot(*points.T, lw=0.7 if layer.thin else 1.5, **look, **dashes)
        if deep:
            axes.text(*layer.end[0], layer.words, size=SMALL)
            continue
        head = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "color": INKS[layer.ink]}
        for start, end in zip(layer.start, layer.end, strict=True) if layer.arrow else ():
            axes.annotate("", end, start, arrowprops=head, zorder=order, in_layout=False)
        if layer.words and len(layer.end):  # at the last place of the first line that is inside
            steps = layer.end[0] + np.linspace(0, 1, 99)[:, None] * (layer.start - layer.end)[0]
            low, high = np.transpose(panel.ranges)
            inside = ((steps >= low) & (steps <= high)).all(axis=1)
            _label(axes, layer.words, steps[inside.argmax()], None, 9)


def _dots(axes: Any, layer: parts.Dots, look: dict[str, Any], *, named: bool) -> None:
    """Draw points (n, 2 or 3), fewer of them larger, perhaps with the names of their groups."""
    if layer.labels is not None:
        look["color"] = [GROUPS[group % len(GROUPS)] for group in layer.labels.tolist()]
    few = len(layer.at) <= 400
    look |= {"s": 20 if few and not layer.small else 9, "edgecolors": "w" if few else "none"}
    axes.scatter(*layer.at.T, linewidths=0.4, **look)
    for group, name in enumerate(layer.names if named else ()):
        if len(own := layer.at[layer.labels == group]):
            _label(axes, name, own.mean(axis=0), GROUPS[group % len(GROUPS)])


def _curves(place: Any, panel: parts.CurvesPanel, room: float) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    axes = place.add_subplot()
    for curve in panel.curves:
        look: dict[str, Any] = {"dashes": (4, 2)} if curve.dashed else {}
        axes.plot(curve.x, curve.y, color=INKS[curve.ink], lw=1.5, label=curve.name, **look)
        if curve.low is not None and curve.high is not None:
            axes.fill_between(curve.x, curve.low, curve.high, color=INKS[curve.ink], alpha=0.15)
    axes.set(xlabel=panel.x, ylabel=_filled(panel.y, 130, BODY), xmargin=0.02)
    axes.set(xscale=("linear", "log")[panel.log_x], yscale=("linear", "log")[panel.log_y])
    low, high = axes.get_ylim()
    if panel.mark is not None:  # with room for its words above the curves
        up = high * (high / low) ** 0.15 if panel.log_y else high + (high - low) / 7
        axes.set_ylim(low, up)
        axes.axvline(panel.mark[0], color=ACCENT, linewidth=0.9, dashes=(3, 2), zorder=1)
        _label(axes, panel.mark[1], (panel.mark[0], up), ACCENT)
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            axis.set(major_locator=LogLocator(subs=(1, 2, 5), numticks=6))
            axis.set(major_formatter=lambda at, _: tick(at), minor_formatter=NullFormatter())
    if panel.percent:
        axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %" if y <= high else "")
    if len(panel.curves) > 1 or (panel.y and panel.curves[0].name != panel.y):
        _legend(axes, room, "right")


def _legend(axes: Any, room: float, side: str) -> None:
    """Write a legend above axes in as many columns as there is room for."""
    at: dict[str, Any] = {"loc": f"lower {side}", "bbox_to_anchor": (side == "right", 1)}
    axes.legend(ncols=max(1, int(room // 120)), frameon=False, borderaxespad=0.1, **at)


def _bars(place: Any, panel: parts.BarsPanel, room: float) -> None:
    axes, many = place.add_subplot(), len(panel.values)
    axes.bar(range(many), panel.values, width=0.7, color=INKS["main"], zorder=2)
    axes.axhline(0, color=SECONDARY, linewidth=0.7)
    axes.set_ylabel(_filled(panel.y, 130, BODY))
    step = math.ceil((4.4 * max(map(len, panel.names), default=0) + 4) * many / (room - 40))
    axes.set_xticks(range(0, many, step), panel.names[::step])


def _pictures(place: Any, panel: Any, room: float) -> None:
    """Show pictures in grey or colour; signed ones, and a matrix, in red and blue."""
    from matplotlib.colors import LinearSegmentedColormap

    matrix = panel if isinstance(panel, parts.MatrixPanel) else None
    pictures = panel.values[None] if matrix else panel.visible
    across, words = (1, ()) if matrix else (min(panel.across, len(pictures)), panel.words)
    ends = [panel.limit] if matrix else panel.limits.tolist()
    red_blue = LinearSegmentedColormap.from_list("signed", SIGNED)
    places = place.subplots(math.ceil(len(pictures) / across), across, squeeze=False).ravel()
    for axes in places[len(pictures) :]:
        axes.set_axis_off()
    for at, (axes, values, end) in enumerate(zip(places, pictures, ends, strict=False)):
        signed = matrix or panel.diverging
        low, high, colours = (-end, end, red_blue) if signed else (0.0, 1.0, "gray")
        kind = "antialiased" if len(values) > 40 else "none"
        axes.imshow(values, colours, vmin=low, vmax=high, interpolation=kind)
        axes.grid(visible=False)
        axes.spines[:].set(visible=True, color=BORDER)
        axes.tick_params(length=0, labelsize=SMALL, pad=2, labeltop=True, labelbottom=False)
        columns, rows = (panel.columns, panel.rows) if matrix else ((), ())
        axes.set_xticks(range(len(columns)), columns)
        axes.set_yticks(range(len(rows)), rows)
        if words:
            axes.set_xlabel(_filled(words[at], room / across), size=SMALL, color=SECONDARY)
        for (row, column), value in np.ndenumerate(values) if matrix and panel.numbers else ():
            look = {"color": "white" if abs(value) > 0.7 * high else TEXT, "size": SMALL}
            axes.text(column, row, parts.entry(float(value)), ha="center", va="center", **look)


def _table(place: Any, panel: parts.TablePanel, room: float) -> None:
    """Draw a table with lines between its rows: words at the left of a column, figures right."""
    axes, columns = place.add_subplot(anchor="N"), [*zip(panel.head, *panel.rows, strict=True)]
    lengths = np.array([max(map(len, column)) + 2 for column in columns])
    widths, size = lengths / lengths.sum(), BODY if 4.9 * lengths.sum() <= room else SMALL
    look: dict[str, Any] = {"colLabels": panel.head, "bbox": (0, 0, 1, 1), "edges": "B"}
    made = axes.table(panel.rows, None, "center", widths, **look)
    made.auto_set_font_size(False)
    for (row, column), cell in made.get_celld().items():
        side = "right" if panel.has_figures(column) else "left"
        weight = "bold" if row and row - 1 in panel.strong else "normal"
        colour = TEXT if row else SECONDARY
        cell.set_text_props(ha=side, weight=weight, color=colour, size=size)
        cell.set(edgecolor=BORDER, linewidth=0.7)
        cell.PAD = 2 / (room * widths[column])
    axes.set_box_aspect(16 * (1 + len(panel.rows)) / room)
    axes.set_axis_off()


def _shares(place: Any, panel: parts.SharesPanel, room: float) -> None:
    axes, left = place.add_subplot(), 0.0
    for words, value, ink in panel.parts:
        axes.barh(0, value, 1, left, color=INKS[ink], edgecolor="white", label=words)
        left += value
    axes.set_box_aspect(14 / room)
    axes.set(xlim=(0, left), ylim=(-0.5, 0.5), yticks=[], xticks=[], xlabel=panel.whole)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
    if panel.mark is not None:
        axes.axvline(panel.mark[0], color=TEXT, linewidth=1.3)
        axes.set_xticks([panel.mark[0]], [panel.mark[1]])
    _legend(axes, room, "left")


_KINDS: dict[type[Panel], Callable[[Any, Any, float], None]] = {
    parts.PlanePanel: _points,
    parts.SpacePanel: _points,
    parts.CurvesPanel: _curves,
    parts.BarsPanel: _bars,
    parts.MatrixPanel: _pictures,
    parts.PicturesPanel: _pictures,
    parts.TablePanel: _table,
    parts.SharesPanel: _shares,
}
