"""The figure of a lesson as a file: the panels that the window shows, drawn by matplotlib."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenfaces.lessons import drawing as described
from eigenfaces.lessons.drawing import Drawing, LessonPicture, Panel
from eigenfaces.report import figure as style
from eigenfaces.report.figure import ACCENT, BORDER, SECONDARY, TEXT, Suffix
from eigenfaces.space.arrays import Doubles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

WIDTH = 520.0
"""Points; the height is what the panels need. At 72 dots per inch a pixel is a point."""

BODY, SMALL, LINE, PAD = 8.5, 7.5, 10.5, 7.0
"""Sizes of text, the height of a line, and the room around axes, in points."""

INKS: dict[described.Ink, str] = {
    "main": ACCENT,
    "contrast": "#EE6677",
    "good": "#228833",
    "grey": "#7D8590",
    "faint": "#C6CCD4",
}

GROUPS = (
    *("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE"),
    *("#AA3377", "#BBBBBB", "#EE7733", "#009988", "#332288"),
)
"""Colours of groups: Tol's “bright”, and three of his “vibrant” and “muted”."""

SIGNED = "#154F94 #3A83BF #8FC3E0 #D5E8F3 #FFFFFF #FCDCCB #F3A583 #D75A4B #A81529"
"""Colours from below zero, by white, to above it."""

Size = tuple[float, float]
"""How tall axes are, and what is between them and their title, in points."""


def drawn(picture: LessonPicture, suffix: Suffix) -> bytes:
    """Return the content of the file of a picture; always the same bytes."""
    drawings = [each for each in (picture.upper, picture.lower) if each is not None]
    about = "; ".join(each.note for each in drawings if each.note)
    with style.styled("lesson"):
        named = style.Named("lesson", picture.upper.heading, about)
        return style.encoded(_figure(drawings), suffix, named)


def _figure(drawings: list[Drawing]) -> Figure:
    """Draw drawings one below the other, each row as tall as its panels and their words are."""
    from matplotlib.figure import Figure

    count = sum(2 + len(drawing.rows) for drawing in drawings)
    figure = Figure(figsize=(WIDTH / 72, 4 * count), dpi=72)
    grid = figure.add_gridspec(count, 1)
    heights: list[float] = []
    drawn_panels: list[tuple[Axes, Panel]] = []
    for drawing in drawings:
        heights.append(_heading(figure.add_subplot(grid[len(heights)]), drawing))
        for panels in drawing.rows:
            weights = [panel.weight for panel in panels]
            places: Any = grid[len(heights)].subgridspec(1, len(panels), width_ratios=weights)
            inside = above = below = 0.0
            for place, panel in zip(places, panels, strict=True):
                kind = "3d" if isinstance(panel, described.SpacePanel) else None
                axes = figure.add_subplot(place, projection=kind, anchor="N")
                room = WIDTH * panel.weight / sum(weights) - 2 * PAD
                height, between = _KINDS[type(panel)](axes, panel, room)
                _write_title(axes, panel, room, between)
                drawn_panels.append((axes, panel))
                frame, whole = axes.get_position(original=True), axes.get_tightbbox()
                assert whole is not None
                frame = frame.transformed(figure.transFigure)
                inside, above = max(inside, height), max(above, whole.y1 - frame.y1)
                below = max(below, frame.y0 - whole.y0)
            heights.append(inside + above + below + 2 * PAD)
        heights.append(_key(figure.add_subplot(grid[len(heights)]), drawing))
    grid.set_height_ratios(heights)
    height = sum(heights) + 4 * PAD * len(drawings)  # with the room around headings and keys
    figure.set_size_inches(WIDTH / 72, height / 72)
    style.lay_out(figure, PAD)
    for axes, panel in drawn_panels:
        if isinstance(panel, described.PlanePanel) and panel.equal:
            _widen(axes, *axes.bbox.size)
        _place_labels(axes)
    return figure


def _heading(axes: Axes, drawing: Drawing) -> float:
    """Write the heading, and the note at its right or, where it is long, below it."""
    beside = 6.8 * len(drawing.heading) + 4.9 * len(drawing.note) < WIDTH - 40
    note = drawing.note if beside else _filled(drawing.note, WIDTH, BODY)
    height = 12 if beside else 15 + LINE * (1 + note.count("\n"))
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(-height, 0))
    axes.text(0, 0, drawing.heading, size=10.5, weight="bold", va="top", in_layout=False)
    x, y, aligned = (1, -1.5, "right") if beside else (0, -15, "left")
    axes.text(x, y, note, size=BODY, color=SECONDARY, ha=aligned, va="top", in_layout=False)
    return height


def _key(axes: Axes, drawing: Drawing) -> float:
    """Write what the colours mean."""
    signed = any(
        panel.diverging if isinstance(panel, described.PicturesPanel) else not panel.numbers
        for row in drawing.rows
        for panel in row
        if isinstance(panel, described.PicturesPanel | described.MatrixPanel)
    )
    words = ["blue: below zero, red: above"] * signed + [drawing.key] * bool(drawing.key)
    said = _filled("; ".join(words), WIDTH)
    axes.set_axis_off()
    look: dict[str, Any] = {"ha": "center", "va": "center", "in_layout": False}
    axes.text(0.5, 0.5, said, size=SMALL, color=SECONDARY, **look)
    return 1 + LINE * (1 + said.count("\n")) * bool(said)


def _filled(words: str, room: float, size: float = SMALL) -> str:
    """Return words in lines that are about as wide as the room; a letter is 0.57 of its size."""
    return textwrap.fill(words, max(int(room / (0.57 * size)), 8))


def _write_title(axes: Axes, panel: Panel, room: float, above: float) -> None:
    """Write the caption of a panel and, over it, its title."""
    middle = isinstance(panel, described.MatrixPanel | described.PicturesPanel)
    look: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    look |= {"ha": "center" if middle else "left"}
    at, above = (0.5 if middle else 0, 1), above + 4
    caption, title = _filled(panel.caption, room), _filled(panel.title, room, BODY)
    axes.annotate(caption, at, (0, above), size=SMALL, color=SECONDARY, **look)
    above += (LINE * (1 + caption.count("\n")) + 1) * bool(caption)
    axes.annotate(title, at, (0, above), size=BODY, weight="bold", **look)


def _tick(value: float, _: float = 0) -> str:
    """Return a number at an axis; of very large and very small ones the power of ten.

    >>> _tick(-1000), _tick(0.01), _tick(1e-6), _tick(2e7)
    ('−1,000', '0.01', '10⁻⁶', '2·10⁷')
    """
    first, _e, power = f"{value:,g}".partition("e")
    if power:
        raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        first = f"{first}·10{raised}".removeprefix("1·")
    return first.replace("-", "−")


def _plane(axes: Axes, panel: described.PlanePanel, room: float) -> Size:
    """Draw points and lines in the plane."""
    (x0, x1), (y0, y1) = panel.ranges
    axes.set(xlim=(x0, x1), ylim=(y0, y1), xlabel=panel.x, ylabel=panel.y)
    ratio = (y1 - y0) / (x1 - x0) if panel.equal else 0.7
    height = float(np.clip((room - 20) * ratio, min(125, room - 20), 260))
    if panel.equal:  # about so: its ticks decide how much room is left
        _widen(axes, room - 30, height)
    axes.locator_params(steps=[1, 2, 5, 10])
    if not panel.x and not panel.y:
        axes.set(xticks=[], yticks=[])
    if panel.grip is not None:
        axes.plot(*panel.grip.at, "o", ms=8, mfc="white", mec=ACCENT, mew=1.6, zorder=40)
        _label(axes, panel.grip.words, panel.grip.at, ACCENT, 16)
    for order, layer in enumerate(panel.layers, start=3):
        _draw(axes, layer, order)
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
    return height, 0


def _widen(axes: Axes, width: float, height: float) -> None:
    """Make a step across as long as a step up, by showing more of one axis."""
    view, size = axes.viewLim, np.array([width, height])
    half = (np.array(view.size) / size).max() * size / 2
    x, y = (view.x0 + view.x1) / 2, (view.y0 + view.y1) / 2
    axes.set(xlim=(x - half[0], x + half[0]), ylim=(y - half[1], y + half[1]))


def _draw(axes: Any, layer: described.Layer, order: int) -> None:
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
    if isinstance(layer, described.Outline):
        axes.plot(*layer.at.T, lw=1.5, **look)
    else:  # as one line, with gaps of NaN between the strokes
        gap = np.full(layer.end.shape, np.nan)
        points = np.stack([layer.start, layer.end, gap], axis=1).reshape(-1, layer.end.shape[1])
        axes.plot(*points.T, lw=0.7 if layer.thin else 1.5, **look)


def _space(axes: Any, panel: described.SpacePanel, room: float) -> Size:
    """Draw points and lines in three dimensions, seen from one side."""
    for order, layer in enumerate(panel.layers, start=3):
        _draw(axes, layer, order)
        if isinstance(layer, described.Strokes) and layer.words:
            axes.text(*layer.end[0], f" {layer.words}", color=INKS[layer.ink], fontsize=SMALL)
    for letter, name in zip("xyz", panel.axes, strict=True):
        getattr(axes, f"set_{letter}label")(name, labelpad=-6, fontsize=SMALL)
    axes.locator_params(nbins=4, steps=[1, 2, 5, 10])
    axes.tick_params(labelsize=6.5, pad=-3)
    axes.set_aspect("equal", adjustable="datalim")
    return float(np.clip(0.72 * room, 120, 230)), 0


def _curves(axes: Axes, panel: described.CurvesPanel, room: float) -> Size:
    """Draw curves with their intervals, and a legend above them."""
    from matplotlib.ticker import LogLocator, NullFormatter

    for curve in panel.curves:
        look: dict[str, Any] = {"dashes": (4, 2)} if curve.dashed else {}
        look |= {"marker": "o", "markersize": 3} if 2 < len(curve.x) <= 12 else {}
        axes.plot(curve.x, curve.y, color=INKS[curve.ink], lw=1.5, label=curve.name, **look)
        if curve.low is not None and curve.high is not None:
            axes.fill_between(
                curve.x, curve.low, curve.high, color=INKS[curve.ink], alpha=0.15, lw=0
            )
    axes.set(xlabel=panel.x, ylabel=_filled(panel.y, 130, BODY), xmargin=0.02)
    axes.set_xscale("log" if panel.log_x else "linear")
    axes.set_yscale("log" if panel.log_y else "linear")
    top = axes.get_ylim()[1]
    if panel.mark is not None:  # with room for its words above the curves
        low, high = axes.get_ylim()
        high = high * (high / low) ** 0.15 if panel.log_y else high + (high - low) / 7
        axes.set_ylim(low, high)
        axes.axvline(panel.mark[0], color=ACCENT, linewidth=0.9, dashes=(3, 2), zorder=1)
        _label(axes, panel.mark[1], (panel.mark[0], high), ACCENT)
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            low, high = axis.get_view_interval()
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 99 * low else (1,)))
            axis.set(major_formatter=_tick, minor_formatter=NullFormatter())
    if panel.percent:
        axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %" if y <= top else "")
    names = [curve.name for curve in panel.curves]
    told = names and names != [panel.y]
    lines = _legend(axes, names, room - 20, "right") if told else 0
    return float(np.clip(0.55 * room, 100, 140)), LINE * lines


def _legend(axes: Axes, names: list[str], room: float, side: str) -> int:
    """Write a legend above axes in as many columns as there is room for; return its lines."""
    columns = int(np.clip(room // (4.3 * max(map(len, names), default=0) + 36), 1, len(names)))
    look: dict[str, Any] = {"loc": f"lower {side}", "bbox_to_anchor": (side == "right", 1)}
    look |= {"borderpad": 0.2, "borderaxespad": 0.1, "columnspacing": 1, "frameon": False}
    axes.legend(ncols=columns, **look)
    return -(-len(names) // columns)


def _bars(axes: Axes, panel: described.BarsPanel, room: float) -> Size:
    """Draw a bar for each name; where there are too many names, only some are written."""
    many, step = len(panel.values), (room - 40) / max(len(panel.values), 1)
    made = axes.bar(range(many), panel.values, width=0.7, color=INKS[panel.ink], zorder=2)
    axes.axhline(0, color=SECONDARY, linewidth=0.7)
    axes.grid(visible=False, axis="x")
    axes.set_ylabel(_filled(panel.y, 130, BODY))
    widest = 4.4 * max(map(len, panel.names), default=0) + 4
    turned = widest > step >= 10
    at = range(0, many, 1 if turned else math.ceil(widest / step))
    axes.set_xticks(at, [panel.names[each] for each in at], rotation=90 * turned)
    axes.tick_params(axis="x", length=0)
    words = [f"{value:.2g}".replace("-", "−") for value in panel.values]
    if many <= 8 and 4.6 * max(map(len, words)) < step:
        axes.bar_label(made, words, padding=2, fontsize=SMALL)
        axes.margins(y=0.18)
    return 110, 0


def _signed() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("signed", SIGNED.split())


def _matrix(axes: Axes, panel: described.MatrixPanel, room: float) -> Size:
    """Draw a matrix as coloured cells, with its numbers where they are wanted."""
    rows, columns = panel.values.shape
    inner = room - 4.6 * max(map(len, panel.rows), default=0)
    side = min(inner / columns, 170 / max(rows, columns))
    side = min(max(side, 15), 32, inner / columns) if panel.numbers else side
    limit, look = panel.limit, {"size": min(BODY, side / 3.3), "ha": "center", "va": "center"}
    axes.imshow(panel.values, _signed(), vmin=-limit, vmax=limit, interpolation="none")
    for (row, column), value in np.ndenumerate(panel.values) if panel.numbers else ():
        words = f"{value:.2f}" if abs(value) < 99.995 else f"{value:,.0f}"
        words = words.replace("-", "−") if abs(value) >= 0.005 else "0.00"
        look["color"] = "white" if abs(value) > 0.7 * limit else TEXT
        axes.text(column, row, words, **look)
    half = inner / side / 2
    axes.set_xlim((columns - 1) / 2 - half, (columns - 1) / 2 + half)
    _frame(axes, -0.5, -0.5, columns, rows)
    axes.spines.left.set_position(("data", -0.5))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=SMALL, labelcolor=SECONDARY, pad=2)
    axes.tick_params(labeltop=True, labelbottom=False)
    axes.set_xticks(range(len(panel.columns)), panel.columns)
    axes.set_yticks(range(len(panel.rows)), panel.rows)
    axes.grid(visible=False)
    return rows * side, LINE * bool(panel.columns)


def _frame(axes: Axes, x: float, y: float, width: float, height: float) -> None:
    """Draw a border, in the units of axes."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x, y), width, height, fill=False, edgecolor=BORDER, linewidth=0.6))


def _pictures(axes: Axes, panel: described.PicturesPanel, room: float) -> Size:
    """Draw pictures in rows, each with its words under it; the units are points."""
    count, h, w = panel.pictures.shape[:3]
    across = min(panel.across, count)
    step = min(room / across, max(73, 4.3 * max(map(len, panel.words), default=0) + 4))
    words = [_filled(each, step) for each in panel.words] or [""] * count
    gap = 5 if room / across > 25 else 2
    wide = min(step - gap, 68)
    high, left = wide * h / w, (room - step * across + step - wide) / 2
    down = high + gap + 9.2 * max(each.count("\n") + bool(each) for each in words)
    look: dict[str, Any] = {"ha": "center", "va": "top", "size": SMALL, "color": SECONDARY}
    for number, (picture, end) in enumerate(zip(panel.shown, panel.limits, strict=True)):
        x, y = left + number % across * step, number // across * down
        colours, low, most = (_signed(), -end, end) if panel.diverging else ("gray", 0, 1)
        kind, place = "antialiased" if h > 40 else "none", (x, x + wide, y + high, y)
        axes.imshow(picture, colours, vmin=low, vmax=most, interpolation=kind, extent=place)
        _frame(axes, x, y, wide, high)
        axes.text(x + wide / 2, y + high + 2, words[number], **look)
    whole = math.ceil(count / across) * down - gap
    axes.set(xlim=(0, room), ylim=(whole, 0))
    axes.set_axis_off()
    return whole, 0


def _table(axes: Axes, panel: described.TablePanel, room: float) -> Size:
    """Draw a table with lines between its rows: words at the left of a column, figures right."""
    columns = list(zip(panel.head, *panel.rows, strict=True))
    widths = np.array([max(map(len, column)) + 2 for column in columns])
    widths, length = widths / widths.sum(), widths.sum()
    frame: Any = (0, 0, 1, 1)
    made: Any = axes.table(
        panel.rows, colLabels=panel.head, colWidths=widths, bbox=frame, edges="B"
    )
    made.auto_set_font_size(False)
    made.set_fontsize(BODY if 4.9 * length <= room else SMALL)
    for (row, column), cell in made.get_celld().items():
        figures = any(words.lstrip("−-+ ")[:1].isdecimal() for words in columns[column][1:])
        look = {"ha": "right" if figures else "left", "color": TEXT if row else SECONDARY}
        cell.set_text_props(weight="bold" if row - 1 in panel.strong and row else "normal", **look)
        cell.set(edgecolor=BORDER, linewidth=0.7)
        cell.PAD = 2 / (room * widths[column])
    height = 16.0 * (1 + len(panel.rows))
    axes.set_box_aspect(height / room)
    axes.set_axis_off()
    return height, 0


def _shares(axes: Axes, panel: described.SharesPanel, room: float) -> Size:
    """Draw a bar of parts with their words above it, and what they make up together below."""
    left = 0.0
    for part in panel.parts:
        value = max(part.value, 0.0)
        axes.barh(0, value, 1, left, color=INKS[part.ink], edgecolor="white", label=part.words)
        left += value
    axes.set(xlim=(0, left or 1), ylim=(-0.5, 0.5), yticks=[], xticks=[], xlabel=panel.whole)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
    if panel.mark is not None:
        axes.axvline(panel.mark[0], color=TEXT, linewidth=1.3)
        axes.set_xticks([panel.mark[0]], [panel.mark[1]])
    return 13, LINE * _legend(axes, [part.words for part in panel.parts], room, "left")


_KINDS: dict[type[Panel], Callable[[Any, Any, float], Size]] = {
    described.PlanePanel: _plane,
    described.SpacePanel: _space,
    described.CurvesPanel: _curves,
    described.BarsPanel: _bars,
    described.MatrixPanel: _matrix,
    described.PicturesPanel: _pictures,
    described.TablePanel: _table,
    described.SharesPanel: _shares,
}


def _label(axes: Axes, words: str, at: Any, colour: str | None, away: float = 0) -> None:
    """Write words so many points from a place, until `_place_labels` moves them."""
    filled = colour == ACCENT
    look: dict[str, Any] = {"color": "white", "weight": "bold"} if filled else {}
    look |= {"ha": "center", "va": "center", "size": SMALL, "zorder": 50, "in_layout": False}
    box = {"boxstyle": "round,pad=0.3", "fc": colour if filled else "white", "ec": colour or BORDER}
    axes.annotate(words, at, (0, away), textcoords="offset points", bbox=box, **look)


def _place_labels(axes: Axes) -> None:
    """Move each label of axes to the nearest place in their frame where no other is."""
    taken: list[tuple[Doubles, Doubles]] = []
    angles = np.radians([90, 270, 0, 180, 45, 135, 225, 315])
    for label in (each for each in axes.texts if each.get_text() and not each.get_in_layout()):
        box, away = label.get_window_extent(), label.get_position()[1]
        size, at = (
            np.array(box.size) + 7,
            np.array([box.x0 + box.x1, box.y0 + box.y1]) / 2 - (0, away),
        )
        rings = np.arange(away, 90, 4)[:, None, None]
        turns = np.stack([np.cos(angles) * size[0] / size[1], np.sin(angles)], axis=1)
        low, high = axes.bbox.min + size / 2, axes.bbox.max - size / 2
        tries = np.clip(at + (rings * turns).reshape(-1, 2), low, high)
        free = [(abs(tries - other) >= (size + its) / 2).any(axis=1) for other, its in taken]
        centre = tries[np.all(free, axis=0).argmax() if taken else 0]
        taken.append((centre, size))
        label.set_position(tuple(centre - at))
