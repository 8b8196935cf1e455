"""Figures drawn of ranks, thresholds and distances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.curves import ErrorHistogram, histogram
from eigenfaces.evaluation.metrics import (
    FALSE_ACCEPTS,
    STRANGERS_NAMED,
    ErrorRates,
    FigureKind,
    cumulative_match,
    detection_curve,
    error_rates,
)
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.plots.plot import ACCENT, OTHERS, SECONDARY, SOFT, WARN, Plot
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes


RANKS_SHOWN = 20
_CELLS = 700
"""Curves are drawn with at most about this many points along each axis."""


def of_rates(evaluation: Evaluation) -> list[Plot]:
    """Return CMC, ROC, DET, distances and DIR against FPIR, as far as they are measured."""
    plots = []
    searches = evaluation.searches
    if searches is not None and searches.mated.any():
        plots.append(_cmc(evaluation))
    comparisons = evaluation.comparisons()
    if all(evaluation.compared):
        rates = error_rates(comparisons.distances, comparisons.mated)
        plots.append(_roc(rates, evaluation))
        if ((rates.fmr > 0) & (rates.fnmr > 0)).any():
            plots.append(_det(rates, evaluation))
        plots.append(_distances(histogram(comparisons, rates.equal[1]), evaluation))
    if searches is not None and searches.mated.any() and not searches.mated.all():
        plots.append(_dir(evaluation))
    return plots


def _cmc(evaluation: Evaluation) -> Plot:
    assert evaluation.searches is not None
    share, low, high = cumulative_match(evaluation.searches, len(evaluation.people))
    shown = min(len(share), RANKS_SHOWN)
    ranks = np.arange(1, shown + 1)
    all_right = np.flatnonzero(share >= 1 - 1e-12)
    first = evaluation.figure("rank-1")
    said = f"Rank 1: {first.words()}. " if first is not None else ""
    until = f"From rank {all_right[0] + 1} on all are found." if len(all_right) else ""

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        axes.fill_between(ranks, 100 * low[:shown], 100 * high[:shown], color=SOFT, linewidth=0)
        axes.plot(ranks, 100 * share[:shown], color=ACCENT, marker="o", markersize=3.5)
        axes.set_xlim(0.7, max(shown, 2) + 0.3)
        axes.set_ylim(max(0.0, 10 * np.floor(10 * low[0])), 100.8)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10, min_n_ticks=1))
        axes.set_xlabel("Rank r")
        axes.set_ylabel("Right person among the first r, %")

    return Plot(
        "cmc",
        "Cumulative match characteristic (CMC)",
        f"Share of mated searches whose right person is among the first r, with its 95 % band. "
        f"{said}{until}".strip(),
        draw,
    )


def _fewer(x: Doubles, y: Doubles) -> NDArray[np.bool_]:
    """Return which points of a curve are visibly distinct; x and y as drawn, 0…1."""
    cells = np.rint(np.stack([x, y]) * _CELLS)
    changed = np.append(True, (np.diff(cells) != 0).any(axis=0))
    return changed | np.append(changed[1:], True)


def _as_drawn(share: Doubles, least: float) -> Doubles:
    """Return where a share from ``least`` to 1 lies on a logarithmic axis, 0…1."""
    return 1 - np.log10(np.maximum(share, least)) / np.log10(least)


def _least(rates: ErrorRates) -> float:
    """Return where the logarithmic axis of false matches begins: below the smallest there is."""
    smallest = rates.fmr[rates.fmr > 0].min(initial=1)
    return float(np.clip(10 ** np.floor(np.log10(smallest) + 1e-9), 1e-6, 0.1))


def _steps(axes: Axes, rates: ErrorRates, least: float) -> None:
    """Draw 1 − FNMR against FMR, in percent; values below the axis are at its start."""
    x, y = np.maximum(rates.fmr, least), 1 - rates.fnmr
    keep = _fewer(_as_drawn(x, least), y)
    axes.plot(
        100 * x[keep], 100 * y[keep], color=ACCENT, linewidth=1.8, drawstyle="steps-post", zorder=3
    )
    axes.set_xscale("log")
    axes.set_xlim(100 * least, 100)


def _points(axes: Axes, evaluation: Evaluation, kinds: Mapping[FigureKind, float]) -> None:
    """Draw figures with their intervals, each at its rate of false matches."""
    for kind, far in kinds.items():
        figure = evaluation.figure(kind)
        if figure is None:
            continue
        below, above = figure.value - figure.low, figure.high - figure.value
        axes.errorbar(
            [100 * far],
            [100 * figure.value],
            yerr=[[100 * max(below, 0)], [100 * max(above, 0)]],
            color=ACCENT,
            marker="o",
            markersize=4.5,
            markeredgecolor="white",
            capsize=3,
            linewidth=1,
            zorder=4,
        )


def _said(evaluation: Evaluation, kinds: Mapping[FigureKind, float]) -> str:
    known = [evaluation.figure(kind) for kind in kinds]
    return "; ".join(f"{figure.kind}: {figure.words()}" for figure in known if figure is not None)


def _in_percent(axes: Axes, *, both: bool = False) -> None:
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    for axis in (axes.xaxis, axes.yaxis) if both else (axes.xaxis,):
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, which="major")


def _roc(rates: ErrorRates, evaluation: Evaluation) -> Plot:
    said = _said(evaluation, FALSE_ACCEPTS)

    def draw(axes: Axes) -> None:
        _steps(axes, rates, _least(rates))
        _points(axes, evaluation, FALSE_ACCEPTS)
        axes.set_ylim(_tenth_below(1 - rates.fnmr[rates.fmr > 0].max(initial=0)), 101)
        _in_percent(axes)
        axes.set_xlabel("False match rate (FMR), %, logarithmic")
        axes.set_ylabel("True accept rate (1 − FNMR), %")

    caption = "True accept rate against false match rate of comparisons, for every threshold. "
    caption += f"Points with bars: {said}, with 95 % intervals." if said else ""
    return Plot("roc", "Verification (ROC)", caption.strip(), draw)


def _tenth_below(share: float) -> float:
    return max(0.0, 10 * np.floor(10 * share - 0.5))


def _det(rates: ErrorRates, evaluation: Evaluation) -> Plot:
    equal = evaluation.figure("EER")
    value = equal.value if equal is not None else rates.equal[0]
    there = (rates.fmr > 0) & (rates.fnmr > 0)

    def draw(axes: Axes) -> None:
        x, y = rates.fmr[there], rates.fnmr[there]
        least = min(_least(rates), float(10 ** np.floor(np.log10(y.min(initial=0.1)) + 1e-9)))
        keep = _fewer(_as_drawn(x, least), _as_drawn(y, least))
        axes.plot(100 * x[keep], 100 * y[keep], color=ACCENT, linewidth=1.8, zorder=3)
        both = [100 * least, 100]
        axes.plot(both, both, color=SECONDARY, linewidth=0.8, dashes=(3, 3), label="FMR = FNMR")
        if value > 0:
            where = [100 * value]
            axes.scatter(where, where, 26, ACCENT, zorder=4, label=f"EER {percent(value, 2)}")
        axes.set(xscale="log", yscale="log", xlim=both, ylim=both)
        _in_percent(axes, both=True)
        axes.set_xlabel("False match rate (FMR), %, logarithmic")
        axes.set_ylabel("False non-match rate (FNMR), %, log.")
        axes.legend(loc="lower left")

    caption = "The two errors of comparisons against each other, for every threshold at which "
    caption += "both occur; nearer to the lower left is better. "
    caption += f"EER: {equal.words()}." if equal is not None else ""
    return Plot("det", "Detection error trade-off (DET)", caption.strip(), draw)


def _distances(spread: ErrorHistogram, evaluation: Evaluation) -> Plot:
    mated, others = spread.counts

    def draw(axes: Axes) -> None:
        axes.stairs(
            100 * spread.non_mated,
            spread.edges,
            fill=True,
            label=f"non-mated ({others})",
            facecolor="#F6F3F3",
            edgecolor=OTHERS[0][0],
            hatch="////",
        )
        axes.stairs(
            100 * spread.mated,
            spread.edges,
            fill=True,
            label=f"mated ({mated})",
            facecolor="#0F62AC40",
            edgecolor=ACCENT,
            linewidth=1.1,
        )
        at = spread.equal
        axes.axvline(at, color=WARN, dashes=(4, 2), linewidth=1, label=f"EER at {at:.4g}")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(f"Distance ({evaluation.setting.recipe.matcher.distance})")
        axes.set_ylabel("Share of its kind, %")
        axes.legend(loc="best")

    return Plot(
        "distances",
        "Distances of mated and non-mated comparisons",
        f"How often each distance occurs between a probe and the right person (mated, "
        f"{mated} comparisons) and somebody else (non-mated, {others}). Where they overlap no "
        f"threshold is right; the two errors are equal at {spread.equal:.4g}.",
        draw,
    )


def _dir(evaluation: Evaluation) -> Plot:
    assert evaluation.searches is not None
    rates = detection_curve(evaluation.searches)
    said = _said(evaluation, STRANGERS_NAMED)

    def draw(axes: Axes) -> None:
        _steps(axes, rates, _least(rates))
        _points(axes, evaluation, STRANGERS_NAMED)
        axes.set_ylim(0, 101)
        _in_percent(axes)
        axes.set_xlabel("Strangers named (FPIR), %, logarithmic")
        axes.set_ylabel("Right person first and accepted (DIR), %")

    caption = "Detection and identification rate against the share of strangers’ searches that "
    caption += "return anybody, for every threshold. "
    caption += f"Points with bars: {said}, with 95 % intervals." if said else ""
    return Plot("dir", "Open set (DIR against FPIR)", caption.strip(), draw)
