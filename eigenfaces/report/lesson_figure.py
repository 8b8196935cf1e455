"""The figure of a lesson as a file: the panels that the window shows, drawn by matplotlib."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenfaces.lessons import drawing as described
from eigenfaces.lessons.drawing import Drawing, LessonPicture, Panel, tick
from eigenfaces.report import figure as style
from eigenfaces.report.figure import ACCENT, BORDER, SECONDARY, TEXT, Suffix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, SCREEN, DOTS = 520.0, (864.0, 486.0), 160
"""Points: the width of a page, whose height is what the panels need; a screen of 16 : 9, which at
so many dots per inch has 1920 × 1080."""

BODY, SMALL, LINE = 8.5, 7.5, 11.0
"""Sizes of text, and the height of a line, in points."""

_LOWEST = 1.3  # times as tall as a screen: figures one below the other are squeezed so far

INKS = {"main": ACCENT, "contrast": "#EE6677", "good": "#228833", "grey": "#7D8590"}
INKS["faint"] = "#C6CCD4"
GROUPS = (
    *("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE"),
    *("#AA3377", "#BBBBBB", "#EE7733", "#009988", "#332288"),
)
"""Colours of groups: Tol's “bright”, and three of his “vibrant” and “muted”."""

SIGNED = (
    *("#154F94", "#3A83BF", "#8FC3E0", "#D5E8F3", "#FFFFFF"),
    *("#FCDCCB", "#F3A583", "#D75A4B", "#A81529"),
)
"""Colours from below zero, by white, to above it."""


def drawn(picture: LessonPicture, suffix: Suffix, *, wide: bool = False) -> bytes:
    """Return the content of the file of a picture, as a page or as wide as a screen.

    The same picture always gives the same bytes.
    """
    notes = "; ".join(each.note for each in (picture.upper, picture.lower) if each and each.note)
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

    drawings = [each for each in (picture.upper, picture.lower) if each is not None]
    room, many = SCREEN[0] if wide else WIDTH, len(drawings)
    heights = [45 + sum(_heights(each, room)) for each in drawings]  # with heading and key
    size = SCREEN if wide else (WIDTH, sum(heights))
    figure = Figure((size[0] / 72, size[1] / 72), dpi=72)
    if beside := sum(heights) > _LOWEST * size[1]:
        room, heights = room / many, [size[1]] * many
    grid = figure.add_gridspec(*((1, many) if beside else (many, 1)))
    grid.set_height_ratios([1] if beside else heights)
    for at, (drawing, height) in enumerate(zip(drawings, heights, strict=True)):
        tall = height if beside else height * size[1] / sum(heights)
        _fill(figure.add_subfigure(grid[at]), drawing, room, tall)
    style.lay_out(figure, 6)
    _round(figure)
    for axes in figure.axes:
        if axes.get_label() == "equal":  # a step across as long as a step up, by showing more
            view, inner = axes.viewLim, np.array(axes.bbox.size)
            half = (np.array(view.size) / inner).max() * inner / 2
            x, y = (view.x0 + view.x1) / 2, (view.y0 + view.y1) / 2
            axes.set(xlim=(x - half[0], x + half[0]), ylim=(y - half[1], y + half[1]))
        _part_labels(axes)
    return figure


def _round(figure: Any) -> None:
    """Cut off the last digits of all places: the layout solver is not exact there."""
    for part in figure.subfigs:
        part.bbox_relative.set_points(np.round(part.bbox_relative.get_points(), 4))
        for text in part.texts:
            text.set_position(np.round(text.get_position(), 4))
        _round(part)


def _heights(drawing: Drawing, room: float) -> list[float]:
    """Return how tall the rows of a drawing should be."""
    return [
        max(_height(panel, room * panel.weight / sum(each.weight for each in row)) for panel in row)
        for row in drawing.rows
    ]


def _fill(part: Any, drawing: Drawing, room: float, height: float) -> None:
    """Draw a drawing, in rows, into so much room."""
    beside = 6.8 * len(drawing.heading) + 4.9 * len(drawing.note) < room - 40
    note = drawing.note if beside else _filled(drawing.note, room, BODY)
    signed = any(
        panel.diverging if isinstance(panel, described.PicturesPanel) else not panel.numbers
        for row in drawing.rows
        for panel in row
        if isinstance(panel, described.PicturesPanel | described.MatrixPanel)
    )
    keys = ["blue: below zero, red: above"] * signed + [drawing.key] * bool(drawing.key)
    key = _filled("; ".join(keys), room)
    top, foot = 26 + LINE * (1 + note.count("\n")) * (not beside), 6 + LINE * (1 + key.count("\n"))
    heights = _heights(drawing, room)
    stretch = (height - top - foot) / sum(heights)
    ratios = [top, *(each * stretch for each in heights), foot]
    head, *rows, end = part.subfigures(len(ratios), 1, height_ratios=ratios)
    head.text(0.01, 0.8, drawing.heading, size=10.5, weight="bold", va="top")
    at: tuple[float, float, str] = (0.99, 0.77, "right") if beside else (0.01, 0.4, "left")
    head.text(at[0], at[1], note, size=BODY, color=SECONDARY, ha=at[2], va="top")
    end.text(0.5, 0.5, key, size=SMALL, color=SECONDARY, ha="center", va="center")
    for place, panels in zip(rows, drawing.rows, strict=True):
        weights = [panel.weight for panel in panels]
        places = place.subfigures(1, len(panels), width_ratios=weights, squeeze=False)[0]
        for own, panel in zip(places, panels, strict=True):
            wide = room * panel.weight / sum(weights)
            _KINDS[type(panel)](own, panel, wide)
            middle = isinstance(panel, described.MatrixPanel | described.PicturesPanel)
            look: dict[str, Any] = {"x": 6 / wide, "ha": "left"}
            look = {"x": 0.5, "ha": "center"} if middle else look
            if panel.title:
                own.suptitle(_filled(panel.title, wide, BODY), size=BODY, weight="bold", **look)
            if panel.caption:
                own.supxlabel(_filled(panel.caption, wide), size=SMALL, color=SECONDARY, **look)


def _height(panel: Panel, room: float) -> float:
    """Return how tall a panel is with its words, in points."""
    words = 16 * bool(panel.title) + 12 * bool(panel.caption) + 8
    if isinstance(panel, described.PicturesPanel):
        (count, h, w), across = panel.pictures.shape[:3], min(panel.across, len(panel.pictures))
        picture = min(room / across, 72 if across > 1 else 110) * h / w + 12 * bool(panel.words)
        return words + math.ceil(count / across) * picture
    if isinstance(panel, described.PlanePanel) and panel.equal:
        (x0, x1), (y0, y1) = panel.ranges
        return words + float(np.clip((room - 20) * (y1 - y0) / (x1 - x0), 125, 260)) + 30
    rows = len(panel.rows) + 1 if isinstance(panel, described.TablePanel) else 0
    known = {described.SharesPanel: 50, described.BarsPanel: 140, described.TablePanel: 16 * rows}
    return words + known.get(type(panel), float(np.clip(0.5 * room, 150, 190)))


def _filled(words: str, room: float, size: float = SMALL) -> str:
    """Return words in lines that are about as wide as the room; a letter is 0.57 of its size."""
    return textwrap.fill(words, max(int(room / (0.57 * size)), 8))


def _plane(place: Any, panel: described.PlanePanel, _room: float) -> None:
    axes = place.add_subplot(label="equal" if panel.equal else "")
    (x0, x1), (y0, y1) = panel.ranges
    ticks: dict[str, Any] = {} if panel.x or panel.y else {"xticks": [], "yticks": []}
    axes.set(xlim=(x0, x1), ylim=(y0, y1), xlabel=panel.x, ylabel=panel.y, **ticks)
    if panel.grip is not None:
        axes.plot(*panel.grip.at, "o", ms=8, mfc="white", mec=ACCENT, mew=1.6, zorder=40)
        _label(axes, panel.grip.words, panel.grip.at, ACCENT, 16)
    for order, layer in enumerate(panel.layers, start=3):
        _layer(axes, layer, order)
        if isinstance(layer, described.Dots) and layer.labels is not None:
            for group, name in enumerate(layer.names):
                if len(own := layer.at[layer.labels == group]):
                    _label(axes, name, own.mean(axis=0), GROUPS[group % len(GROUPS)])
        elif isinstance(layer, described.Strokes) and layer.arrow:
            look = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "color": INKS[layer.ink]}
            for start, end in zip(layer.start, layer.end, strict=True):
                axes.annotate("", end, start, arrowprops=look, zorder=order, in_layout=False)
        if isinstance(layer, described.Strokes) and layer.words and len(layer.end):
            steps = layer.end[0] + np.linspace(0, 1, 200)[:, None] * (layer.start - layer.end)[0]
            seen = ((steps >= (x0, y0)) & (steps <= (x1, y1))).all(axis=1)
            _label(axes, layer.words, steps[seen.argmax()], None, 12)


def _layer(axes: Any, layer: described.Layer, order: int) -> None:
    """Draw points or lines (n, 2 or 3); of points, fewer are larger."""
    look: dict[str, Any] = {"zorder": order, "color": INKS[layer.ink]}
    if isinstance(layer, described.Dots):
        many = len(layer.at)
        if layer.labels is not None:
            look["color"] = [GROUPS[each % len(GROUPS)] for each in layer.labels.tolist()]
        size = 9 if layer.small else np.clip(26 - 8 * np.log10(max(many, 1) / 50), 7, 26)
        edge = "w" if many <= 400 else "none"
        axes.scatter(*layer.at.T, s=size, edgecolors=edge, linewidths=0.4, **look)
        return
    look |= {"dashes": (4, 2)} if layer.dashed else {}
    gap = np.full(layer.end.shape, np.nan)  # between the strokes, which are one line
    points = np.stack([layer.start, layer.end, gap], axis=1).reshape(-1, layer.end.shape[1])
    axes.plot(*points.T, lw=0.7 if layer.thin else 1.5, **look)


def _space(place: Any, panel: described.SpacePanel, _room: float) -> None:
    axes = place.add_subplot(projection="3d")
    for order, layer in enumerate(panel.layers, start=3):
        _layer(axes, layer, order)
        if isinstance(layer, described.Strokes) and layer.words:
            axes.text(*layer.end[0], f" {layer.words}", color=INKS[layer.ink], fontsize=SMALL)
    for letter, name in zip("xyz", panel.axes, strict=True):
        getattr(axes, f"set_{letter}label")(name, labelpad=-6, fontsize=SMALL)
    axes.locator_params(nbins=4, steps=[1, 2, 5, 10])
    axes.tick_params(labelsize=6.5, pad=-3)
    axes.set_aspect("equal", adjustable="datalim")


def _curves(place: Any, panel: described.CurvesPanel, room: float) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    axes = place.add_subplot()
    for curve in panel.curves:
        look: dict[str, Any] = {"dashes": (4, 2)} if curve.dashed else {}
        look |= {"marker": "o", "markersize": 3} if 2 < len(curve.x) <= 12 else {}
        axes.plot(curve.x, curve.y, color=INKS[curve.ink], lw=1.5, label=curve.name, **look)
        if curve.low is not None and curve.high is not None:
            axes.fill_between(curve.x, curve.low, curve.high, color=INKS[curve.ink], alpha=0.15)
    axes.set(xlabel=panel.x, ylabel=_filled(panel.y, 130, BODY), xmargin=0.02)
    axes.set_xscale("log" if panel.log_x else "linear")
    axes.set_yscale("log" if panel.log_y else "linear")
    low, high = axes.get_ylim()
    if panel.mark is not None:  # with room for its words above the curves
        up = high * (high / low) ** 0.15 if panel.log_y else high + (high - low) / 7
        axes.set_ylim(low, up)
        axes.axvline(panel.mark[0], color=ACCENT, linewidth=0.9, dashes=(3, 2), zorder=1)
        _label(axes, panel.mark[1], (panel.mark[0], up), ACCENT)
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            least, most = axis.get_view_interval()
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if most < 99 * least else (1,)))
            axis.set(major_formatter=lambda at, _: tick(at), minor_formatter=NullFormatter())
    if panel.percent:
        axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %" if y <= high else "")
    if len(panel.curves) > 1 or (panel.y and panel.curves[0].name != panel.y):
        _legend(axes, room - 20, "right")


def _legend(axes: Any, room: float, side: str) -> None:
    """Write a legend above axes in as many columns as there is room for."""
    longest = max(len(str(each.get_label())) for each in axes.get_legend_handles_labels()[0])
    look: dict[str, Any] = {"loc": f"lower {side}", "bbox_to_anchor": (side == "right", 1)}
    look |= {"borderpad": 0.2, "borderaxespad": 0.1, "columnspacing": 1, "frameon": False}
    axes.legend(ncols=max(1, int(room // (4.3 * longest + 36))), **look)


def _bars(place: Any, panel: described.BarsPanel, room: float) -> None:
    axes, many = place.add_subplot(), len(panel.values)
    made = axes.bar(range(many), panel.values, width=0.7, color=INKS["main"], zorder=2)
    axes.axhline(0, color=SECONDARY, linewidth=0.7)
    axes.grid(visible=False, axis="x")
    axes.set_ylabel(_filled(panel.y, 130, BODY))
    step, widest = (room - 40) / max(many, 1), 4.4 * max(map(len, panel.names), default=0) + 4
    at = range(0, many, math.ceil(widest / step))
    axes.set_xticks(at, [panel.names[each] for each in at])
    words = [f"{value:.2g}".replace("-", "−") for value in panel.values]
    if many <= 8 and 4.6 * max(map(len, words)) < step:
        axes.bar_label(made, words, padding=2, fontsize=SMALL)
        axes.margins(y=0.18)


def _image(axes: Any, values: Any, end: float | None) -> None:
    """Show a picture; ``end``: where the colours of a signed one end."""
    from matplotlib.colors import LinearSegmentedColormap

    colours: Any = "gray"
    if end is not None:
        colours = LinearSegmentedColormap.from_list("signed", SIGNED)
    low, high = (0, 1) if end is None else (-end, end)
    kind = "antialiased" if len(values) > 40 else "none"
    axes.imshow(values, colours, vmin=low, vmax=high, interpolation=kind)
    axes.grid(visible=False)
    axes.spines[:].set(visible=True, color=BORDER)
    axes.tick_params(length=0, labelsize=SMALL, labelcolor=SECONDARY, pad=2)
    axes.set(xticks=[], yticks=[])


def _matrix(place: Any, panel: described.MatrixPanel, _room: float) -> None:
    axes, limit = place.add_subplot(), panel.limit
    _image(axes, panel.values, limit)
    for (row, column), value in np.ndenumerate(panel.values) if panel.numbers else ():
        words = f"{value:.2f}" if abs(value) < 99.995 else f"{value:,.0f}"
        words = words.replace("-", "−") if abs(value) >= 0.005 else "0.00"
        colour = "white" if abs(value) > 0.7 * limit else TEXT
        axes.text(column, row, words, size=SMALL, ha="center", va="center", color=colour)
    axes.tick_params(labeltop=True, labelbottom=False)
    axes.set_xticks(range(len(panel.columns)), panel.columns)
    axes.set_yticks(range(len(panel.rows)), panel.rows)


def _pictures(place: Any, panel: described.PicturesPanel, room: float) -> None:
    across = min(panel.across, len(panel.pictures))
    every = place.subplots(math.ceil(len(panel.pictures) / across), across, squeeze=False).ravel()
    for at, axes in enumerate(every):
        if at >= len(panel.pictures):
            axes.set_axis_off()
            continue
        _image(axes, panel.shown[at], float(panel.limits[at]) if panel.diverging else None)
        if panel.words:
            words = _filled(panel.words[at], room / across)
            axes.set_xlabel(words, size=SMALL, color=SECONDARY, labelpad=2)


def _table(place: Any, panel: described.TablePanel, room: float) -> None:
    """Draw a table with lines between its rows: words at the left of a column, figures right."""
    axes, columns = place.add_subplot(anchor="N"), [*zip(panel.head, *panel.rows, strict=True)]
    lengths = np.array([max(map(len, column)) + 2 for column in columns])
    widths = lengths / lengths.sum()
    made = axes.table(panel.rows, None, "center", widths, colLabels=panel.head, bbox=(0, 0, 1, 1))
    made.auto_set_font_size(False)
    for (row, column), cell in made.get_celld().items():
        figures = any(words.lstrip("−-+ ")[:1].isdecimal() for words in columns[column][1:])
        strong, colour = row > 0 and row - 1 in panel.strong, TEXT if row else SECONDARY
        look = {"ha": "right" if figures else "left", "weight": "bold" if strong else "normal"}
        size = BODY if 4.9 * lengths.sum() <= room else SMALL
        cell.set_text_props(color=colour, size=size, **look)
        cell.visible_edges = "B"
        cell.set(edgecolor=BORDER, linewidth=0.7)
        cell.PAD = 2 / (room * widths[column])
    axes.set_box_aspect(16 * (1 + len(panel.rows)) / room)
    axes.set_axis_off()


def _shares(place: Any, panel: described.SharesPanel, room: float) -> None:
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
    described.PlanePanel: _plane,
    described.SpacePanel: _space,
    described.CurvesPanel: _curves,
    described.BarsPanel: _bars,
    described.MatrixPanel: _matrix,
    described.PicturesPanel: _pictures,
    described.TablePanel: _table,
    described.SharesPanel: _shares,
}


def _label(axes: Any, words: str, at: Any, colour: str | None, away: float = 0) -> None:
    """Write words so many points from a place, until `_part_labels` moves them."""
    filled = colour == ACCENT
    look: dict[str, Any] = {"color": "white", "weight": "bold"} if filled else {}
    look |= {"ha": "center", "va": "center", "size": SMALL, "zorder": 50, "in_layout": False}
    box = {"boxstyle": "round,pad=0.3", "fc": colour if filled else "white", "ec": colour or BORDER}
    axes.annotate(words, at, (0, away), textcoords="offset points", bbox=box, **look)


def _part_labels(axes: Any) -> None:
    """Move each label of axes to the nearest place in their frame where no other is."""
    taken: list[Any] = []
    turns = np.exp(1j * np.radians([90, 270, 0, 180, 45, 135, 225, 315]))
    for label in (each for each in axes.texts if each.get_text() and not each.get_in_layout()):
        box, away = label.get_window_extent(), label.get_position()[1]
        size, at = np.array(box.size) + 7, (box.min + box.max) / 2 - (0, away)
        tries = (np.arange(away, 90, 4)[:, None] * turns).ravel()
        places = at + np.stack([tries.real * size[0] / size[1], tries.imag], axis=1)
        places = np.clip(places, axes.bbox.min + size / 2, axes.bbox.max - size / 2)
        free = [(abs(places - other) >= (size + its) / 2).any(axis=1) for other, its in taken]
        centre = places[np.all(free, axis=0).argmax() if taken else 0]
        taken.append((centre, size))
        label.set_position(tuple(centre - at))
