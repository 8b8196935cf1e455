"""Figures for a report, and the map of a gallery: what they show and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenfaces.evaluation.by_components import ByComponents, accuracy_axis_start, best_k
from eigenfaces.evaluation.curves import Curve, curves_of
from eigenfaces.evaluation.metrics import FALSE_ACCEPTS, STRANGERS_NAMED, MetricKind
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import most_confused
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.laboratory.maps import FaceMap
from eigenfaces.recognition.statistics import Histogram
from eigenfaces.report.figure import (
    ACCENT,
    BORDER,
    SECONDARY,
    SERIES,
    SOFT_COLOUR,
    TEXT,
    WARN,
    Plot,
)
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, percent, with_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RANKS_SHOWN = 20
MATRIX_UP_TO = 60  # the whole matrix is readable for at most this many people

_MAIN: dict[str, Any] = {"color": ACCENT, "linewidth": 1.8, "zorder": 3}


def plots_of(evaluation: Evaluation) -> tuple[Plot, ...]:
    """Return every figure that can be drawn for an evaluation."""
    curves = curves_of(evaluation)
    by = evaluation.by_components
    plots = list[Plot]()
    if by is not None and len(by):
        plots += _against_k(evaluation, by)
    if curves.cumulative_match is not None:
        plots.append(_cmc(evaluation, curves.cumulative_match))
    if (rates := curves.error_rates) is not None and curves.distances is not None:
        plots.append(_accept_rates(evaluation, rates, FALSE_ACCEPTS))
        if ((rates.x > 0) & (rates.y > 0)).any():
            plots.append(_det(evaluation, rates, curves.distances.counts))
        plots.append(_distances(evaluation, curves.distances))
    if curves.stranger_rates is not None:
        plots.append(_accept_rates(evaluation, curves.stranger_rates, STRANGERS_NAMED))
    if curves.cumulative_match is not None and curves.confusion is not None:
        plots.append(_confusion(evaluation, curves.confusion))
    return tuple(plots)


def _against_k(evaluation: Evaluation, by: ByComponents) -> Iterator[Plot]:
    """Yield plots of accuracy (if known) and of residual against the number of components."""
    matcher = evaluation.setting.recipe.matcher
    ks = np.arange(1.0, len(by) + 1)
    own, wanted = matcher.distance, matcher.components
    k = fewest_components(by.variance_kept, wanted)
    in_use = f"k = {k}"
    if isinstance(wanted, float):
        in_use = f"k ≈ {k} ({100 * wanted:g} % of the variance)"
    curve = by.accuracy.get(own, np.zeros(0))

    def draw_accuracy(axes: Axes) -> None:
        axes.fill_between(ks, 100 * by.low[own], 100 * by.high[own], color=SOFT_COLOUR, linewidth=0)
        others = [name for name in by.accuracy if name != own]
        for name, (colour, dashes) in zip(others, SERIES, strict=False):
            axes.plot(ks, 100 * by.accuracy[name], color=colour, dashes=dashes, label=name)
        label = f"{own}, with 95 % band"
        axes.plot(ks, 100 * curve, color=ACCENT, linewidth=2, label=label)
        _mark_components(axes, len(by), k, 100 * curve[k - 1], in_use)
        start = 100 * accuracy_axis_start(ks, [*by.accuracy.values(), by.low[own]])
        axes.set(ylim=(start, 100.5), ylabel=f"Rank-1 accuracy, % (axis from {start:.0f} %)")
        axes.legend(loc="best")

    def draw_residual(axes: Axes) -> None:
        label = "residual of the probes (held out)"
        (colour, dashes) = SERIES[0]
        axes.plot(
            ks, 100 * by.variance_kept, color=ACCENT, linewidth=2, label="variance kept (training)"
        )
        axes.plot(ks, 100 * by.squares_lost, color=colour, dashes=dashes, label=label)
        _mark_components(axes, len(by), k, 100 * by.squares_lost[k - 1], in_use)
        axes.set(ylim=(0, 101), ylabel="Share, %")
        axes.legend(loc="best")

    if np.isfinite(curve).any():
        best = best_k(curve)
        here = with_interval(curve[k - 1], by.low[own][k - 1], by.high[own][k - 1])
        caption = (
            f"Rank-1 accuracy for every number of components k, by distance. With {own} and "
            f"{in_use} it is {here}; the first maximum is {percent(curve[best - 1], 2)} at k = "
            f"{best}. That maximum is measured on the probes themselves, so try this k on other "
            "photos."
        )
        title = "Accuracy against the number of components"
        yield Plot("accuracy-by-k", title, caption, draw_accuracy)
    caption = (
        "Share of the variance of the training faces that k components keep, and share of the "
        f"probes’ squared deviation from the mean that they leave out. With {in_use} they keep "
        f"{percent(by.variance_kept[k - 1], 2)} and leave out {percent(by.squares_lost[k - 1], 2)}."
    )
    yield Plot("residual-by-k", "Variance kept and held-out residual", caption, draw_residual)


def _mark_components(axes: Axes, most: int, k: int, value: float, words: str) -> None:
    """Make the axis of components logarithmic, and mark the number in use."""
    from matplotlib.ticker import LogLocator

    axes.axvline(k, color=SECONDARY, linewidth=0.8, dashes=(2, 2))
    axes.plot([k], [value], marker="o", markersize=5, color=ACCENT, markeredgecolor="white")
    look: dict[str, Any] = {"va": "bottom", "fontsize": 7.5, "textcoords": "offset points"}
    x, side = (-4, "right") if k > 8 else (4, "left")
    axes.annotate(words, (k, 1), (x, 2), axes.get_xaxis_transform(), ha=side, **look)
    axes.set(xscale="log", xlim=(0.95, max(most * 1.05, 2)), xlabel="Components k (logarithmic)")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=20))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()


def _cmc(evaluation: Evaluation, match: Curve) -> Plot:
    assert match.low is not None
    assert match.high is not None
    share, low, high = (100 * band[:RANKS_SHOWN] for band in (match.y, match.low, match.high))
    ranks = match.x[:RANKS_SHOWN]
    complete = np.flatnonzero(match.y >= 1 - 1e-12)
    rank_1 = evaluation.metric("rank-1")

    def draw(axes: Axes) -> None:
        axes.fill_between(ranks, low, high, color=SOFT_COLOUR, linewidth=0)
        axes.plot(ranks, share, color=ACCENT, marker="o", markersize=3.5)
        axes.set(xlim=(0.7, max(len(ranks), 2) + 0.3), xlabel="Rank r")
        axes.set(ylim=(10 * (low[0] // 10), 100.8), ylabel="Right person among the first r, %")
        axes.locator_params("x", integer=True, nbins=10, min_n_ticks=1)

    caption = "Share of mated searches whose right person is among the first r, with its 95 % band."
    caption += f" Rank 1: {rank_1.words()}." if rank_1 is not None else ""
    caption += f" From rank {complete[0] + 1} on, all are found." if len(complete) else ""
    return Plot("cmc", "Cumulative match characteristic (CMC)", caption, draw)


def _accept_rates(evaluation: Evaluation, rates: Curve, at: Mapping[MetricKind, float]) -> Plot:
    """Return a plot of the ROC or DIR curve: 1 − error against the false rate at all thresholds.

    ``at`` gives the figures to draw as points with intervals, and the false rate of each. The axis
    is logarithmic and starts below the smallest rate above 0; a rate of 0 is drawn at its start.
    """
    start = _decade_below(rates.x)
    strangers = at is STRANGERS_NAMED
    points = [(100 * rate, evaluation.metric(kind)) for kind, rate in at.items()]
    lowest = 0.0 if strangers else 10 * (1 - rates.y[rates.x > 0].max(initial=0)) - 0.5

    def draw(axes: Axes) -> None:
        x = 100 * np.maximum(rates.x, start)
        axes.plot(x, 100 - 100 * rates.y, drawstyle="steps-post", **_MAIN)
        for rate, figure in points:
            if figure is not None:
                value, low, high = (100 * end for end in (figure.value, figure.low, figure.high))
                around = [[max(value - low, 0)], [max(high - value, 0)]]
                look: dict[str, Any] = {"marker": "o", "markersize": 4.5, "capsize": 3}
                look |= {"markeredgecolor": "white", "color": ACCENT, "linewidth": 1, "zorder": 4}
                axes.errorbar([rate], [value], around, **look)
        axes.set(xscale="log", xlim=(100 * start, 100), ylim=(max(0, 10 * np.floor(lowest)), 101))
        _in_percent(axes)
        if strangers:
            axes.set_xlabel("Strangers named (FPIR), %, logarithmic")
            axes.set_ylabel("Right person first and accepted (DIR), %")
        else:
            axes.set_xlabel("False match rate (FMR), %, logarithmic")
            axes.set_ylabel("True accept rate (1 − FNMR), %")

    stem, title = "roc", "Verification (ROC)"
    caption = "True accept rate against false match rate of comparisons, for every threshold."
    if strangers:
        stem, title = "dir", "Open set (DIR against FPIR)"
        caption = "Detection and identification rate against the share of strangers’ searches that "
        caption += "return anybody, for every threshold."
    if words := "; ".join(f"{figure.kind}: {figure.words()}" for _, figure in points if figure):
        caption += f" Points with bars: {words}, with 95 % intervals."
    return Plot(stem, title, caption, draw)


def _decade_below(shares: Doubles) -> float:
    """Return where a logarithmic axis starts: at the decade below the smallest share above 0."""
    smallest = shares[shares > 0].min(initial=1)
    return float(np.clip(10 ** np.floor(np.log10(smallest) + 1e-9), 1e-6, 0.1))


def _in_percent(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")


def _det(evaluation: Evaluation, rates: Curve, counts: tuple[int, int]) -> Plot:
    eer = evaluation.metric("EER")
    occurring = np.flatnonzero((rates.x > 0) & (rates.y > 0))
    # With at most one error of each kind, the curve has only its corners.
    some = slice(max(occurring[0] - 1, 0), occurring[-1] + 2)
    x, y = np.maximum(rates.x[some], 1 / counts[1]), np.maximum(rates.y[some], 1 / counts[0])

    def draw(axes: Axes) -> None:
        ends = (100 * min(_decade_below(x), _decade_below(y)), 100)
        axes.plot(100 * x, 100 * y, **_MAIN)
        axes.plot(ends, ends, color=SECONDARY, linewidth=0.8, dashes=(3, 3), label="FMR = FNMR")
        if eer is not None and eer.value > 0:
            at = [100 * eer.value]
            axes.scatter(at, at, 26, ACCENT, zorder=4, label=f"EER {percent(eer.value, 2)}")
        axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
        _in_percent(axes)
        axes.set_xlabel("False match rate (FMR), %, logarithmic")
        axes.set_ylabel("False non-match rate (FNMR), %, log.")
        axes.legend(loc="lower left")

    caption = "The two errors of comparisons against each other, for every threshold at which "
    caption += "both occur; nearer to the lower left is better."
    caption += f" EER: {eer.words()}." if eer is not None else ""
    return Plot("det", "Detection error trade-off (DET)", caption, draw)


def _distances(evaluation: Evaluation, histogram: Histogram) -> Plot:
    (mated, others), equal = histogram.counts, histogram.equal_error_distance

    def draw(axes: Axes) -> None:
        look: dict[str, Any] = {"facecolor": "#F6F3F3", "edgecolor": SERIES[0][0], "hatch": "////"}
        look |= {"fill": True, "label": f"non-mated ({others})"}
        axes.stairs(100 * histogram.non_mated, histogram.edges, **look)
        look = {"facecolor": "#0F62AC40", "edgecolor": ACCENT, "linewidth": 1.1}
        look |= {"fill": True, "label": f"mated ({mated})"}
        axes.stairs(100 * histogram.mated, histogram.edges, **look)
        axes.axvline(equal, color=WARN, dashes=(4, 2), linewidth=1, label=f"EER at {equal:.4g}")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(f"Distance ({evaluation.setting.recipe.matcher.distance})")
        axes.set_ylabel("Share of its kind, %")
        axes.legend(loc="best")

    caption = "How often each distance occurs between a probe and the right person (mated, "
    caption += f"{mated} comparisons) or somebody else (non-mated, {others}). Where they overlap, "
    caption += f"every threshold makes errors; the two errors are equal at {equal:.4g}."
    return Plot("distances", "Distances of mated and non-mated comparisons", caption, draw)


def _confusion(evaluation: Evaluation, counts: Numbers) -> Plot:
    """Return a plot of the confusion matrix, or of only the people most often confused."""
    people = evaluation.people
    total = counts.sum()
    wrong = counts.sum() - np.trace(counts)
    involved = most_confused(counts, MATRIX_UP_TO)
    names = [drawable_name(people[person], person + 1) for person in involved.tolist()]
    counts, searched, many = counts[np.ix_(involved, involved)], counts.sum(axis=1), len(names)
    side = float(np.clip(1.6 + 0.135 * many, 3.2, 7.0))
    size = float(np.clip(240 / many, 4.5, 8))

    def draw(axes: Axes) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        shades = LinearSegmentedColormap.from_list("shares", ["#D6E6F5", ACCENT])
        rows, columns = np.nonzero(counts)
        shares = counts[rows, columns] / searched[involved[rows]]
        axes.bar(columns, 1, 1, rows - 0.5, color=shades(shares))
        for row, column, share in zip(rows.tolist(), columns.tolist(), shares, strict=True):
            if row != column or many <= 20:
                look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size}
                look["color"] = "white" if share > 0.55 else TEXT
                axes.text(column, row, str(counts[row, column]), **look)
        axes.set(xlim=(-0.5, many - 0.5), ylim=(many - 0.5, -0.5), aspect="equal")
        axes.set_xticks(range(many), names, rotation=90, fontsize=size)
        axes.set_yticks(range(many), names, fontsize=size)
        axes.tick_params(length=0)
        axes.grid(color=BORDER, linewidth=0.3)
        axes.set(xlabel="Taken for", ylabel="Who it is")

    caption = "Mated searches by who it is (row) and who came first (column); darker is a larger "
    caption += "share of the row, and numbers count searches. "
    if counts.sum() < total:
        caption += f"The {many} people most often confused are shown. "
    mistakes = f"{wrong:,} of {count(total, 'search', 'searches')} named somebody else first."
    caption += mistakes if wrong else "Nobody was taken for anybody else."
    if any(name.startswith("No. ") for name in names):
        caption += " “No.” is the number of a person in the table of people."
    return Plot("confusion", "Who was taken for whom", caption, draw, (side, side))


def drawable_name(name: str, number: int) -> str:
    """Return a name for use in a figure: shortened, or a number if the font lacks a letter.

    >>> drawable_name("Zoë", 1), drawable_name("李", 2), len(drawable_name("a" * 60, 3))
    ('Zoë', 'No. 2', 18)
    """
    from matplotlib.font_manager import findfont, get_font

    if not set(map(ord, name)) <= get_font(findfont("DejaVu Sans")).get_charmap().keys():
        return f"No. {number}"
    return name if len(name) <= 18 else f"{name[:17]}…"


def map_plot(face_map: FaceMap, axes: Sequence[int], index: PhotoIndex) -> Plot:
    """Return a plot of a map along two axes (numbered from 0), with a marker for each person."""
    places = face_map.view_coordinates(axes)
    faces = count(len(face_map), "face")
    caption = f"{faces} along {' and '.join(face_map.axis(axis) for axis in axes)}."
    if (trust := face_map.trustworthiness(axes)) is not None:
        caption += f" Trustworthiness {trust[0]:.2f}: {trust[1]}"

    def draw(on: Axes) -> None:
        named = list[Doubles]()
        room = np.ptp(places, axis=0) * (0.11, 0.03)
        for number, (person, rows) in enumerate(index.rows_by_person.items()):
            look: dict[str, Any] = {"color": SECONDARY, "marker": "."}
            if person is not None:
                mark = "os^DvPX"[number // len(SERIES) % 7]
                look = {"color": SERIES[number % len(SERIES)][0], "marker": mark}
                middle = np.median(places[rows], axis=0)
                if all((abs(middle - other) > room).any() for other in named):
                    named.append(middle)
                    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7}
                    x, y = middle.tolist()
                    on.annotate(drawable_name(person, number + 1), (x, y), ha="center", bbox=paper)
            x, y = places[rows].T
            on.scatter(x, y, s=16, linewidths=0.4, edgecolors="white", **look)
        on.set_aspect("equal", adjustable="datalim")
        on.set(xlabel=face_map.axis(axes[0]), ylabel=face_map.axis(axes[1]))

    return Plot("face-map", f"Map of {faces}", caption, draw, (6.5, 5.2))
