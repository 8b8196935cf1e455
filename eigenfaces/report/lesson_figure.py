"""Figures of lessons as files: the panels shown in the window, drawn with matplotlib."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenfaces.lessons import drawing as parts
from eigenfaces.lessons.drawing import Drawing, LessonPicture, Panel, tick_label
from eigenfaces.report import figure as style
from eigenfaces.report.figure import ACCENT, BORDER, SECONDARY, TEXT, Suffix

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL import Image

# sizes in points; at `DOTS` per inch, a screen has 1920 × 1080 dots
WIDTH = 520.0
SCREEN = (864.0, 486.0)
DOTS = 160
_LOWEST = 1.3  # in screen heights: figures that need more are drawn side by side
_DECADES = 5  # on axes over more decades, matplotlib writes few numbers or none
_CAPTION_AWAY = 4  # points between a caption and its picture
_NUMBERS = 17  # points taken by the numbers below an axis
_COARSE_PICTURE = 20  # narrower pictures are shown without smoothing
BODY, SMALL_TEXT = 8.5, 7.5  # sizes of text in points
INKS = {"main": ACCENT, "contrast": "#EE6677", "good": "#228833", "grey": "#7D8590"}
INKS["faint"] = "#C6CCD4"
BRIGHT_COLOURS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB")
GROUPS = (
    *BRIGHT_COLOURS,
    "#EE7733",
    "#009988",
    "#332288",
)  # Tol's “bright”, and three of his other colours
SIGNED = ("#154F94", "#3A83BF", "#8FC3E0", "#FFFFFF", "#F3A583", "#D75A4B", "#A81529")


def lesson_file(picture: LessonPicture, suffix: Suffix, *, wide: bool = False) -> bytes:
    """Return a lesson's picture as file content, as wide as a page, or as a screen if ``wide``.

    The same picture always gives the same bytes.
    """
    notes = "; ".join(drawing.note for drawing in picture.drawings if drawing.note)
    with style.styled("lesson"):
        about = "lesson", picture.upper.heading, notes
        dots = DOTS if wide else style.DOTS_PER_INCH
        return style.encode(_figure(picture, wide), suffix, *about, dots)


def lesson_images(pictures: Sequence[LessonPicture], width: int) -> list[Image.Image]:
    """Return images of lesson pictures in screen layout, ``width`` pixels wide, for a slider.

    Pictures whose texts are equally long get the same layout, so that nothing jumps.
    """
    from PIL import Image

    layouts, images = _Layouts(), list[Image.Image]()
    with style.styled("lesson"):
        for picture in pictures:
            content = io.BytesIO()
            figure = _figure(picture, True, layouts)
            figure.savefig(content, format="rgba", dpi=width * 72 / SCREEN[0])
            size = width, len(content.getvalue()) // (4 * width)
            images.append(Image.frombytes("RGBA", size, content.getvalue()).convert("RGB"))
    return images


def _figure(picture: LessonPicture, wide: bool, known: _Layouts | None = None) -> Figure:
    """Return a figure with all drawings, side by side if a screen is not tall enough for them.

    The figure has 72 dots per inch, so that the boxes of all parts are in points.
    """
    from matplotlib.figure import Figure

    width, height = SCREEN if wide else (WIDTH, height_of(picture, WIDTH))
    figure = Figure((width / 72, height / 72), dpi=72)
    draw(figure, picture, wide=wide)
    lay_out(figure, known)
    return figure


def height_of(picture: LessonPicture, room: float) -> float:
    """Return the height in points of a picture that is ``room`` points wide."""
    # 50 points are for heading and key
    return sum(50 + sum(drawing.heights(room)) for drawing in _without_rows_of_four(picture))


def _without_rows_of_four(picture: LessonPicture) -> list[Drawing]:
    """Return the drawings, with rows of four planes split in two so that the planes are larger."""
    drawings = list[Drawing]()
    for drawing in picture.drawings:
        row, *more = drawing.rows
        # four side by side would be small
        four = len(row) == 4 and isinstance(row[-1], parts.PlanePanel)
        drawings.append(replace(drawing, rows=(row[:2], row[2:], *more)) if four else drawing)
    return drawings


def draw(place: Any, picture: LessonPicture, *, wide: bool) -> None:
    """Draw a picture into a figure or a part of one. Call `lay_out` afterwards."""
    drawings = _without_rows_of_four(picture)
    room, height = place.bbox.width, place.bbox.height
    heights = [50 + sum(drawing.heights(room)) for drawing in drawings]
    if wide and sum(heights) > _LOWEST * height:
        places = place.subfigures(1, len(drawings), squeeze=False)
    else:
        places = place.subfigures(len(drawings), 1, squeeze=False, height_ratios=heights)
    for part, drawing in zip(places.ravel(), drawings, strict=True):
        _fill(part, drawing)


_Layouts = dict[Any, list[Any]]
"""The positions of all parts of a figure, by the shape on which they depend (`_shape_of`)."""


def lay_out(figure: Figure, known: _Layouts | None = None) -> None:
    """Position all parts of a figure, using a known layout of the same shape if there is one."""
    from matplotlib.figure import SubFigure

    everything: list[Any] = figure.findobj(SubFigure)
    shape = _shape_of(everything, figure.axes) if known is not None else None
    if known and shape in known:
        boxes, texts, axes = known[shape]
        for part, box, places in zip(everything, boxes, texts, strict=True):
            part.bbox_relative.set_points(box)
            for text, at in zip(part.texts, places, strict=True):
                text.set_position(at)
        for own, box in zip(figure.axes, axes, strict=True):
            own.set_position(box)
    else:
        style.lay_out(figure, 5)
        for part in everything:  # the layout solver is not exact in the last digits
            part.bbox_relative.set_points(np.round(part.bbox_relative.get_points(), 4))
            for text in part.texts:
                text.set_position(np.round(text.get_position(), 4))
        if known is not None:
            boxes = [part.bbox_relative.get_points() for part in everything]
            texts = [[text.get_position() for text in part.texts] for part in everything]
            axes = [own.get_position(original=True) for own in figure.axes]
            known[shape] = [boxes, texts, axes]
    for part in figure.subfigs:
        _raise_captions(part)


def _shape_of(everything: Sequence[Any], axes: Sequence[Any]) -> Any:
    """Return what a layout depends on: proportions of parts, and sizes of texts and numbers."""
    shape = list[Any]()
    for part in everything:
        shape += [*part.bbox_relative.get_points().round(2).ravel(), *map(_size_of, part.texts)]
    for own in axes:
        numbers = own.yaxis.get_major_formatter().format_ticks(own.yaxis.get_majorticklocs())
        shape += [*own.get_position(original=True).bounds, max(map(len, numbers), default=0)]
        shape += [_size_of(own.xaxis.label), _size_of(own.yaxis.label)]
    return tuple(shape)


def _size_of(text: Any) -> int:
    """Return the number of lines in a text, which is 0 for an empty text."""
    return len(text.get_text().splitlines())


def _raise_captions(part: Any) -> float:
    """Move captions up to their pictures, and return the lowest position in a part, in points.

    A picture, a plane or a table is rarely as tall as the space available.
    """
    lowest = [_raise_captions(inner) for inner in part.subfigs]
    low = min(lowest + [_bottom(own, part.bbox.y0) for own in part.axes])
    for text in part.texts:
        if text.get_text() and text.get_verticalalignment() == "bottom":  # titles have "top"
            box = text.get_window_extent()
            up = max(0.0, low - _CAPTION_AWAY - box.y1)
            text.set_y(round(text.get_position()[1] + up / part.bbox.height, 4))
            low = min(low, box.y0 + up)
    return float(low)


def _bottom(axes: Any, usual: float) -> float:
    """Return the lower end of axes with a fixed shape, in points, including the labels below them.

    Other axes fill the available space, so they end at ``usual``.
    """
    if axes.get_aspect() == "auto" and axes.get_box_aspect() is None:
        return usual
    axes.apply_aspect()
    low = axes.get_window_extent().y0
    numbers = axes.axison and axes.xaxis.get_tick_params().get("labelbottom", True)
    if numbers and len(axes.get_xticks()):
        low -= _NUMBERS
    lines = _size_of(axes.xaxis.label)
    return low - 4 * bool(lines) - 1.2 * BODY * lines


def _fill(part: Any, drawing: Drawing) -> None:
    """Draw the heading, note, rows of panels and key. A long note is moved to the key."""
    room = part.bbox.width
    images = parts.MatrixPanel | parts.PicturesPanel
    beside = 7 * len(drawing.heading) + 5 * len(drawing.note) < room - 20
    panels = [panel for row in drawing.rows for panel in row if isinstance(panel, images)]
    signed = any(panel.diverging for panel in panels)
    words = ["blue: below zero, red: above"] * signed + [drawing.key, drawing.note * (not beside)]
    part.suptitle(drawing.heading, x=8 / room, ha="left", size=10.5, weight="bold")
    part.supxlabel(
        _wrap_text("; ".join(filter(None, words)), room), size=SMALL_TEXT, color=SECONDARY
    )
    if beside:
        at: Any = {"x": 1 - 8 / room, "y": 1 - 7 / part.bbox.height, "ha": "right", "va": "top"}
        part.text(s=drawing.note, size=BODY, color=SECONDARY, in_layout=False, **at)
    rows = part.subfigures(len(drawing.rows), 1, squeeze=False, height_ratios=drawing.heights(room))
    for place, row in zip(rows[:, 0], drawing.rows, strict=True):
        weights = [panel.weight for panel in row]
        places = place.subfigures(1, len(row), width_ratios=weights, squeeze=False)[0]
        for own, panel in zip(places, row, strict=True):
            _KINDS[type(panel)](own, panel)
            wide = own.bbox.width
            middle = isinstance(panel, images)
            at = {"x": 0.5, "ha": "center"} if middle else {"x": 8 / wide, "ha": "left"}
            if panel.title:
                own.suptitle(_wrap_text(panel.title, wide, BODY), size=BODY, weight="bold", **at)
            if panel.caption:
                own.supxlabel(
                    _wrap_text(panel.caption, wide), size=SMALL_TEXT, color=SECONDARY, **at
                )


def _wrap_text(words: str, room: float, size: float = SMALL_TEXT) -> str:
    """Return text wrapped to ``room`` points. Letters are taken to be 0.57 times ``size`` wide."""
    return textwrap.fill(words, max(int(room / (0.57 * size)), 8))


def _label(axes: Any, words: str, at: Any, colour: str, away: float = 0, **more: Any) -> None:
    """Write a label in a coloured frame, ``away`` points above a position."""
    box = {"boxstyle": "round,pad=0.3", "fc": "white", "ec": colour}
    look: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 50, "in_layout": False} | more
    axes.annotate(
        words, at, (0, away), textcoords="offset points", size=SMALL_TEXT, bbox=box, **look
    )


def _points(place: Any, panel: parts.PlanePanel) -> None:
    """Draw the points and lines in a plane."""
    axes = place.add_subplot()
    axes.set(xlim=panel.ranges[0], ylim=panel.ranges[1], xlabel=panel.x, ylabel=panel.y)
    axes.set_aspect("equal", adjustable="box", anchor="N")
    if panel.grip is not None:
        axes.plot(*panel.grip.at, "o", ms=8, mfc="white", mec=ACCENT, mew=1.6, zorder=40)
        _label(axes, panel.grip.words, panel.grip.at, ACCENT, 16)
    for order, layer in enumerate(panel.layers, start=3):
        look: dict[str, Any] = {"zorder": order, "color": INKS[layer.ink]}
        if isinstance(layer, parts.Dots):
            groups = layer.labels
            size = 9 if layer.small or len(layer.at) > 400 else 20
            if groups is not None:
                look["color"] = [GROUPS[group % len(GROUPS)] for group in groups.tolist()]
            axes.scatter(*layer.at.T, s=size, edgecolors="w", linewidths=0.4, **look)
            if layer.chosen is not None:
                axes.plot(*layer.at[layer.chosen], "o", ms=8, mfc="none", mec=TEXT, zorder=40)
            for at, name in zip(layer.at, layer.words, strict=False):
                axes.annotate(name, at, (3, 2), textcoords="offset points", size=5, color=SECONDARY)
            for group, name in enumerate(layer.names):
                if len(own := layer.at[groups == group]):
                    _label(axes, name, own.mean(axis=0), GROUPS[group % len(GROUPS)])
            continue
        gap = np.full(layer.end.shape, np.nan)  # gaps, because all strokes are drawn as one line
        points = np.stack([layer.start, layer.end, gap], axis=1).reshape(-1, layer.end.shape[1])
        dashes = {"dashes": (4, 2)} if layer.dashed else {}
        axes.plot(*points.T, lw=0.7 if layer.thin else 1.5, **look, **dashes)
        head = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "color": INKS[layer.ink]}
        for start, end in zip(layer.start, layer.end, strict=True) if layer.arrow else ():
            axes.annotate("", end, start, arrowprops=head, zorder=order, in_layout=False)
        if layer.words and len(layer.end):  # at the outermost visible point of the first line
            steps = layer.end[0] + np.linspace(0, 1, 99)[:, None] * (layer.start - layer.end)[0]
            low, high = np.transpose(panel.ranges)
            inside = ((steps >= low) & (steps <= high)).all(axis=1)
            _label(axes, layer.words, steps[inside.argmax()], BORDER, 9)


def _space(place: Any, panel: parts.SpacePanel) -> None:
    """Draw points and lines in space, seen from the first viewpoint. Lengths are not meaningful."""
    _points(place, panel.seen_from(parts.FIRST_VIEW))
    place.axes[-1].set_axis_off()


def _curves(place: Any, panel: parts.CurvesPanel) -> None:
    from matplotlib.ticker import LogLocator

    axes = place.add_subplot()
    for curve in panel.curves:
        look: dict[str, Any] = {"dashes": (4, 2)} if curve.dashed else {}
        axes.plot(curve.x, curve.y, color=INKS[curve.ink], lw=1.5, label=curve.name, **look)
    axes.set(xlabel=panel.x, ylabel=_wrap_text(panel.y, 130, BODY), xmargin=0.02, ymargin=0.1)
    axes.set(xscale=("linear", "log")[panel.log_x], yscale=("linear", "log")[panel.log_y])
    if panel.mark is not None:
        axes.axvline(panel.mark[0], color=ACCENT, linewidth=0.9, dashes=(3, 2), zorder=1)
        edge = axes.get_xaxis_transform()
        _label(axes, panel.mark[1], (panel.mark[0], 1), ACCENT, xycoords=edge)
    # as many numbers as fit, each 32 points wide or 12 high
    for axis, most in ((axes.xaxis, place.bbox.width / 32), (axes.yaxis, place.bbox.height / 12)):
        if axis.get_scale() == "log":
            low, high = axis.get_view_interval()
            decades = math.log10(high / low)
            between = (1, 2, 5) if decades < _DECADES and 3 * decades < most - 2 else (1,)
            axis.set(
                major_locator=LogLocator(subs=between, numticks=_DECADES + 1), minor_formatter=""
            )
            axis.set(major_formatter=lambda at, _: tick_label(at))
    if panel.percent:
        axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %" if y < 1.001 else "")
    if len(panel.curves) > 1 or (panel.y and panel.curves[0].name != panel.y):
        look = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 0.1}
        axes.legend(ncols=max(1, int(place.bbox.width // 120)), frameon=False, **look)


def _bars(place: Any, panel: parts.BarsPanel) -> None:
    axes = place.add_subplot()
    many = len(panel.values)
    axes.bar(range(many), panel.values, width=0.7, color=INKS["main"], zorder=2)
    axes.axhline(0, color=SECONDARY, linewidth=0.7)
    axes.set_ylabel(_wrap_text(panel.y, 130, BODY))
    letters = 4.4 * max(map(len, panel.names), default=0) + 4
    step = math.ceil(letters * many / (place.bbox.width - 40))
    axes.set_xticks(range(0, many, step), panel.names[::step])


def _matrix(place: Any, panel: parts.MatrixPanel) -> None:
    """Draw a matrix as a signed picture, with the names of its rows and columns."""
    _pictures(place, parts.PicturesPanel(panel.values[None], 1, signed=True))
    (axes,) = place.axes
    axes.images[0].set_clim(-panel.limit, panel.limit)
    axes.tick_params(length=0, labelsize=SMALL_TEXT, pad=2, labeltop=True, labelbottom=False)
    axes.set_xticks(range(len(panel.columns)), panel.columns)
    axes.set_yticks(range(len(panel.rows)), panel.rows)
    for (row, column), value in np.ndenumerate(panel.values) if panel.numbers else ():
        colour = "white" if abs(value) > 0.7 * panel.limit else TEXT
        look: dict[str, Any] = {"color": colour, "size": SMALL_TEXT, "ha": "center", "va": "center"}
        axes.text(column, row, parts.cell_label(float(value)), **look)


def _pictures(place: Any, panel: parts.PicturesPanel) -> None:
    """Draw pictures in grey or colour, and signed pictures in red and blue."""
    from matplotlib.colors import LinearSegmentedColormap

    red_blue = LinearSegmentedColormap.from_list("signed", SIGNED)
    across = min(panel.across, len(panel.pictures))
    down = math.ceil(len(panel.pictures) / across)
    h, w = panel.pictures.shape[1:3]
    row = place.bbox.width / across * h / w + 14 * bool(panel.words)  # its height in points
    spare = max((place.bbox.height - 30) / row - down, 0.02)  # empty rows below
    grid = place.add_gridspec(down + 1, across, height_ratios=[*[1] * down, spare])
    for at, (picture, end) in enumerate(zip(panel.visible, panel.limits.tolist(), strict=True)):
        low, high, colours = (-end, end, red_blue) if panel.diverging else (0.0, 1.0, "gray")
        axes = place.add_subplot(grid[at // across, at % across], xticks=(), yticks=())
        kind = "antialiased" if picture.shape[1] >= _COARSE_PICTURE else "none"
        axes.imshow(picture, colours, vmin=low, vmax=high, interpolation=kind)
        axes.grid(visible=False)
        axes.spines[:].set(visible=True, color=BORDER)
        if panel.words:
            words = _wrap_text(panel.words[at], place.bbox.width / across)
            axes.set_xlabel(words, size=SMALL_TEXT, color=SECONDARY)


def _table(place: Any, panel: parts.TablePanel) -> None:
    """Draw a table with lines between rows, text aligned left, and numbers aligned right."""
    axes = place.add_subplot(anchor="N")
    columns = [*zip(panel.head, *panel.rows, strict=True)]
    lengths = np.array([max(map(len, column)) + 2 for column in columns])
    room = place.bbox.width
    widths = lengths / lengths.sum()
    size = BODY if 4.9 * lengths.sum() <= room else SMALL_TEXT
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
    axes.set_box_aspect(20 * (1 + len(panel.rows)) / room)
    axes.set_axis_off()


def _shares(place: Any, panel: parts.SharesPanel) -> None:
    axes = place.add_subplot()
    left = 0.0
    for side, (words, value, ink) in zip(("left", "right"), panel.parts, strict=True):
        axes.barh(0, value, 1, left, color=INKS[ink], edgecolor="white")
        axes.set_title(words, loc=side, size=SMALL_TEXT, pad=3)
        left += value
    axes.set_box_aspect(14 / place.bbox.width)
    axes.set(xlim=(0, left), ylim=(-0.5, 0.5), yticks=[], xticks=[], xlabel=panel.whole)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
    if panel.mark is not None:
        axes.axvline(panel.mark[0], color=TEXT, linewidth=1.3)
        axes.set_xticks([panel.mark[0]], [panel.mark[1]])


_KINDS: dict[type[Panel], Callable[[Any, Any], None]] = {
    parts.PlanePanel: _points,
    parts.SpacePanel: _space,
    parts.CurvesPanel: _curves,
    parts.BarsPanel: _bars,
    parts.MatrixPanel: _matrix,
    parts.PicturesPanel: _pictures,
    parts.TablePanel: _table,
    parts.RowsPanel: lambda place, panel: _table(place, panel.around),
    parts.SharesPanel: _shares,
}
