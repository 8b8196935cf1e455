"""The panels of a lesson that have axes: points in the plane and in space, curves, bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eigenfaces.laboratory.drawing import (
    BarsPanel,
    CurvesPanel,
    Dots,
    Grip,
    Outline,
    PlanePanel,
    SpacePanel,
    Strokes,
)
from eigenfaces.report.figure import ACCENT, SECONDARY, TEXT
from eigenfaces.report.lesson_labels import PlacedLabel, PlacedLabels
from eigenfaces.report.lesson_sheet import (
    BODY,
    GROUPS,
    INKS,
    LINE,
    SMALL,
    Box,
    Sheet,
    width_of,
    wrapped,
)
from eigenfaces.space.arrays import Doubles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DASHES = (4, 2)
_SMALL_TICKS = SMALL


def plane(sheet: Sheet, box: Box, panel: PlanePanel) -> None:
    """Draw points and lines in the plane."""
    axes = sheet.axes(box)
    (x0, x1), (y0, y1) = panel.ranges
    axes.set(xlim=(x0, x1), ylim=(y0, y1), xlabel=panel.x, ylabel=_upright(panel.y, box))
    if not panel.x and not panel.y:
        axes.set(xticks=[], yticks=[])
    _few_ticks(axes, box)
    frame = sheet.fit(axes, box)
    if panel.equal:
        _widen(axes, frame)
        frame = sheet.fit(axes, box)
    labels = PlacedLabels(sheet, frame)
    for order, layer in enumerate(panel.layers, start=3):
        _draw(axes, layer, order)
        labels.add(_labels(axes, sheet, layer))
    if panel.grip is not None:
        _grip(axes, sheet, panel.grip, labels)
    labels.draw()


def _widen(axes: Axes, frame: Box) -> None:
    """Make a step across as long as a step up, by showing more of one axis."""
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    across, up = (x1 - x0) / frame.width, (y1 - y0) / frame.height
    more_x = max(up / across, 1) * (x1 - x0) / 2
    more_y = max(across / up, 1) * (y1 - y0) / 2
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    axes.set(xlim=(x - more_x, x + more_x), ylim=(y - more_y, y + more_y))


def _few_ticks(axes: Axes, box: Box) -> None:
    if axes.get_xticks().size:
        axes.xaxis.set_major_locator(_few(int(np.clip(box.width / 45, 2, 8))))
    if axes.get_yticks().size:
        axes.yaxis.set_major_locator(_few(int(np.clip(box.height / 35, 2, 7))))
    axes.tick_params(labelsize=_SMALL_TICKS)


def _upright(words: str, box: Box) -> str:
    """Return the words along an axis in lines that are no longer than it."""
    return "\n".join(wrapped(words, box.height - 30))


def plane_height(panel: PlanePanel, width: float) -> float:
    """Return how tall a plane wants to be."""
    (x0, x1), (y0, y1) = panel.ranges
    ratio = (y1 - y0) / (x1 - x0) if panel.equal else 0.7
    return float(np.clip((width - 20) * ratio, min(125, width), 260))


def _draw(axes: Axes, layer: Dots | Strokes | Outline, order: int) -> None:
    if isinstance(layer, Dots):
        axes.scatter(layer.at[:, 0], layer.at[:, 1], zorder=order, **_marks(layer))
    elif isinstance(layer, Outline):
        dashes = _dashes(layer.dashed)
        axes.plot(
            layer.at[:, 0],
            layer.at[:, 1],
            color=INKS[layer.ink],
            linewidth=1.3,
            zorder=order,
            **dashes,
        )
    elif layer.arrow:
        for start, end in zip(layer.start, layer.end, strict=True):
            look: dict[str, Any] = {
                "arrowstyle": "-|>",
                "color": INKS[layer.ink],
                "linewidth": _width(layer),
                "linestyle": "--" if layer.dashed else "-",
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": 9,
            }
            axes.annotate("", end, start, arrowprops=look, zorder=order, annotation_clip=False)
    else:
        from matplotlib.collections import LineCollection

        axes.add_collection(
            LineCollection(
                list(np.stack([layer.start, layer.end], axis=1)),
                colors=INKS[layer.ink],
                linewidths=_width(layer),
                linestyles=[(0, _DASHES)] if layer.dashed else "solid",
                zorder=order,
            ),
            autolim=False,
        )


def _dashes(dashed: bool) -> dict[str, Any]:
    return {"dashes": _DASHES} if dashed else {}


def _width(layer: Strokes) -> float:
    return 0.7 if layer.thin else 1.6


def _marks(dots: Dots) -> dict[str, Any]:
    """Return size and colours of points: fewer are larger."""
    many = len(dots.at)
    size = 9.0 if dots.small else float(np.clip(26 - 8 * np.log10(max(many, 1) / 50), 7, 26))
    colours: Any = INKS[dots.ink]
    if dots.labels is not None:
        colours = [GROUPS[int(label) % len(GROUPS)] for label in dots.labels]
    edge = "white" if many <= 400 else "none"
    return {"s": size, "c": colours, "edgecolors": edge, "linewidths": 0.4}


def _labels(axes: Axes, sheet: Sheet, layer: Dots | Strokes | Outline) -> list[PlacedLabel]:
    """Return the words of a layer, with where they are to stand on the sheet."""
    if isinstance(layer, Strokes) and layer.words and len(layer.end):
        at = _on_sheet(axes, sheet, np.stack([layer.start[0], layer.end[0]]))
        return [PlacedLabel(layer.words, at[1], INKS[layer.ink], begins=at[0])]
    if isinstance(layer, Dots) and layer.labels is not None and layer.names:
        found = []
        for group, name in enumerate(layer.names):
            own = layer.at[layer.labels == group]
            if len(own):
                at = _on_sheet(axes, sheet, own.mean(axis=0)[None, :2])[0]
                found.append(PlacedLabel(name, at, GROUPS[group % len(GROUPS)], ringed=True))
        return found
    return []


def _on_sheet(axes: Axes, sheet: Sheet, points: Doubles) -> Doubles:
    """Return points (n, 2) of axes in points of the sheet."""
    at: Doubles = np.asarray(axes.transData.transform(points), dtype=float)
    return np.stack([at[:, 0], sheet.height - at[:, 1]], axis=1)


def _grip(axes: Axes, sheet: Sheet, grip: Grip, labels: PlacedLabels) -> None:
    axes.scatter(
        grip.at[0], grip.at[1], s=75, c="white", edgecolors=ACCENT, linewidths=1.6, zorder=40
    )
    at = _on_sheet(axes, sheet, grip.at[None])[0]
    labels.keep_clear(Box(at[0] - 5, at[1] - 5, 10, 10))
    labels.add([PlacedLabel(grip.words, at, ACCENT, filled=True, away=16)])


def space(sheet: Sheet, box: Box, panel: SpacePanel) -> None:
    """Draw points and lines in three dimensions, seen from one side."""
    axes: Any = sheet.axes(box, projection="3d")
    for layer in panel.layers:
        if isinstance(layer, Dots):
            axes.scatter(*layer.at.T, depthshade=False, **_marks(layer))
            continue
        dashes = _dashes(layer.dashed)
        for start, end in zip(layer.start, layer.end, strict=True):
            line = np.stack([start, end]).T
            axes.plot(*line, color=INKS[layer.ink], linewidth=_width(layer), **dashes)
        if layer.words:
            axes.text(*layer.end[0], f" {layer.words}", color=INKS[layer.ink], fontsize=SMALL)
    for number, name in enumerate(panel.axes):
        getattr(axes, f"set_{'xyz'[number]}label")(name, labelpad=-6, fontsize=SMALL)
        getattr(axes, f"{'xyz'[number]}axis").set_major_locator(_few(4))
    axes.tick_params(labelsize=6.5, pad=-3)
    axes.set_aspect("equal")
    _same_reach(axes)
    wide = min(box.width, 1.35 * box.height)
    axes.set_position(sheet.share_of(Box(box.middle - wide / 2, box.top, wide, box.height)))
    axes.set_box_aspect(None, zoom=0.98)


def _few(most: int) -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(most, steps=[1, 2, 5, 10])


def _same_reach(axes: Any) -> None:
    limits = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
    half = float((limits[:, 1] - limits[:, 0]).max()) / 2
    for name, middle in zip("xyz", limits.mean(axis=1), strict=True):
        getattr(axes, f"set_{name}lim")(middle - half, middle + half)


def curves(sheet: Sheet, box: Box, panel: CurvesPanel) -> None:
    """Draw curves with their intervals, and a legend above them."""
    axes = sheet.axes(box)
    for curve in panel.curves:
        colour = INKS[curve.ink]
        dashes = _dashes(curve.dashed)
        if curve.low is not None and curve.high is not None:
            axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.15, linewidth=0)
        alone: dict[str, Any] = {"marker": "o", "markersize": 3} if 2 < len(curve.x) <= 12 else {}
        axes.plot(
            curve.x, curve.y, color=colour, linewidth=1.5, label=curve.name, **alone, **dashes
        )
    axes.set(xlabel=panel.x, ylabel=_upright(panel.y, box))
    _scales(axes, panel)
    _few_curve_ticks(axes, box, panel)
    if panel.mark is not None:
        axes.axvline(panel.mark[0], color=ACCENT, linewidth=0.9, dashes=(3, 2), zorder=1)
    if len(panel.curves) > 1 or (panel.curves and panel.curves[0].name != panel.y):
        _legend(axes, panel, box)
    frame = sheet.fit(axes, box)
    if panel.mark is not None:
        x = _on_sheet(axes, sheet, np.array([[panel.mark[0], axes.get_ylim()[1]]]))[0, 0]
        labels = PlacedLabels(sheet, frame)
        labels.add([PlacedLabel(panel.mark[1], np.array([x, frame.top + 7]), ACCENT, filled=True)])
        labels.draw()


def _scales(axes: Axes, panel: CurvesPanel) -> None:
    """Set the scales, with room above for the words of a mark."""
    axes.margins(x=0.02)
    if panel.log_x:
        axes.set_xscale("log")
    if panel.log_y:
        axes.set_yscale("log")
    low, high = axes.get_ylim()
    if panel.mark is not None:
        axes.set_ylim(low, high * (high / low) ** 0.15 if panel.log_y else high + (high - low) / 7)


def _few_curve_ticks(axes: Axes, box: Box, panel: CurvesPanel) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    plain = FuncFormatter(lambda value, _: _tick(value))
    share = FuncFormatter(lambda value, _: f"{100 * value:g} %")
    for axis, log, other in (
        (axes.xaxis, panel.log_x, plain),
        (axes.yaxis, panel.log_y, share if panel.percent else plain),
    ):
        if log:
            low, high = axis.get_view_interval()
            axis.set_major_locator(
                LogLocator(subs=(1, 2, 5) if high < 99 * low else (1,), numticks=7)
            )
            axis.set_minor_formatter(NullFormatter())
        else:
            length = box.width / 45 if axis is axes.xaxis else box.height / 28
            axis.set_major_locator(_few(int(np.clip(length, 2, 8))))
        axis.set_major_formatter(other)
    axes.tick_params(labelsize=_SMALL_TICKS)


def _tick(value: float) -> str:
    """Return a number at an axis; of very large and very small ones the power of ten.

    >>> _tick(-1000), _tick(0.01), _tick(1e-6), _tick(2e7)
    ('−1,000', '0.01', '10⁻⁶', '2·10⁷')
    """
    if value and not 1e-3 <= abs(value) < 1e6:
        first, _, power = f"{value:.0e}".partition("e")
        raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{first}·10{raised}".replace("1·", "", 1 if first in ("1", "-1") else 0)
    return f"{value:,g}".replace("-", "−")


def _legend(axes: Axes, panel: CurvesPanel, box: Box) -> None:
    """Put the legend above the curves, in as many columns as there is room for."""
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=_columns(panel, box.width),
        borderpad=0.2,
        borderaxespad=0.2,
        columnspacing=1.0,
        handlelength=2.2,
        frameon=False,
    )


def _columns(panel: CurvesPanel, width: float) -> int:
    widest = max((width_of(curve.name, SMALL) for curve in panel.curves), default=0.0) + 33
    return int(np.clip((width - 20) // widest, 1, max(len(panel.curves), 1)))


def curves_height(panel: CurvesPanel, width: float) -> float:
    """Return how tall curves want to be, with the lines of their legend."""
    lines = -(-len(panel.curves) // _columns(panel, width))
    return float(np.clip(0.6 * width, 115, 155)) + LINE * lines


def bars(sheet: Sheet, box: Box, panel: BarsPanel) -> None:
    """Draw a bar for each name; where there are too many names, only some are written."""
    axes = sheet.axes(box)
    many = len(panel.values)
    axes.bar(range(many), panel.values, width=0.7, color=INKS[panel.ink], zorder=2)
    axes.axhline(0, color=SECONDARY, linewidth=0.7)
    axes.grid(visible=False, axis="x")
    axes.set(xlim=(-0.6, many - 0.4), ylabel=_upright(panel.y, box))
    _few_ticks(axes, box)
    step = (box.width - 40) / max(many, 1)
    widest = max((width_of(name, _SMALL_TICKS) for name in panel.names), default=0) + 4
    turned = widest > step and step >= 10
    every = 1 if turned else max(1, int(np.ceil(widest / step)))
    at = list(range(0, many, every))
    axes.set_xticks(at, [panel.names[each] for each in at], rotation=90 if turned else 0)
    axes.tick_params(axis="x", length=0, labelsize=_SMALL_TICKS)
    if many <= 8:
        _written(axes, panel, step)
    sheet.fit(axes, box)


def _written(axes: Axes, panel: BarsPanel, step: float) -> None:
    """Write each value at the end of its bar, where there is room."""
    words = [f"{value:.2g}".replace("-", "−") for value in panel.values]
    if max(map(width_of, words)) > step:
        return
    axes.margins(y=0.18)
    for at, (value, said) in enumerate(zip(panel.values, words, strict=True)):
        axes.annotate(
            said,
            (at, value),
            xytext=(0, 2 if value >= 0 else -2),
            textcoords="offset points",
            ha="center",
            va="bottom" if value >= 0 else "top",
            fontsize=min(SMALL, BODY),
            color=TEXT,
        )
