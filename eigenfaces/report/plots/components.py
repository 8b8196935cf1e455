"""Figures drawn over the number of components."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eigenfaces.evaluation.by_components import ByComponents, axis_start, best_k
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.plots.plot import ACCENT, OTHERS, SECONDARY, SOFT, TEXT, Plot
from eigenfaces.report.summary import in_use
from eigenfaces.text import percent, with_limits

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def over_components(evaluation: Evaluation) -> list[Plot]:
    """Return what is drawn over the number of components; nothing where that was not measured."""
    by = evaluation.by_components
    if by is None or not len(by):
        return []
    plots = [_residual(by, evaluation)]
    own = evaluation.setting.recipe.matcher.distance
    if own in by.accuracy and np.isfinite(by.accuracy[own]).any():
        plots.insert(0, _accuracy(by, evaluation))
    return plots


def _accuracy(by: ByComponents, evaluation: Evaluation) -> Plot:
    recipe = evaluation.setting.recipe
    own, (k, words) = recipe.matcher.distance, in_use(recipe, by)
    curve, best = by.accuracy[own], best_k(by.accuracy[own])
    here = with_limits(curve[k - 1], by.low[own][k - 1], by.high[own][k - 1])
    ks = np.arange(1, len(by) + 1)

    def draw(axes: Axes) -> None:
        axes.fill_between(ks, 100 * by.low[own], 100 * by.high[own], color=SOFT, linewidth=0)
        others = [name for name in by.accuracy if name != own]
        for name, (colour, dashes) in zip(others, OTHERS, strict=False):
            axes.plot(ks, 100 * by.accuracy[name], color=colour, dashes=dashes, label=name)
        label = f"{own}, with 95 % band"
        axes.plot(ks, 100 * curve, color=ACCENT, linewidth=2, label=label)
        _mark(axes, k, 100 * curve[k - 1], words)
        _log_components(axes, len(by))
        begins = 100 * axis_start(ks.astype(float), [*by.accuracy.values(), by.low[own]])
        axes.set_ylim(begins, 100.5)
        axes.set_ylabel(f"Rank-1 accuracy, % (axis from {begins:.0f} %)")
        axes.legend(loc="best")

    return Plot(
        "accuracy-by-k",
        "Accuracy against the number of components",
        f"Rank-1 accuracy for every number of components k, by distance. With {own} and {words} it "
        f"is {here}; the first maximum is {percent(curve[best - 1], 2)} at k = {best}. That one is "
        "seen on the probes themselves: a k chosen so is to be tried on others.",
        draw,
    )


def _residual(by: ByComponents, evaluation: Evaluation) -> Plot:
    k, words = in_use(evaluation.setting.recipe, by)
    ks = np.arange(1, len(by) + 1)

    def draw(axes: Axes) -> None:
        axes.plot(ks, 100 * by.kept, color=ACCENT, linewidth=2, label="variance kept (fitted to)")
        label = "residual of the probes (held out)"
        axes.plot(ks, 100 * by.left_out, color=OTHERS[0][0], dashes=OTHERS[0][1], label=label)
        _mark(axes, k, 100 * by.left_out[k - 1], words)
        _log_components(axes, len(by))
        axes.set_ylim(0, 101)
        axes.set_ylabel("Share, %")
        axes.legend(loc="best")

    return Plot(
        "residual-by-k",
        "Variance kept and held-out residual",
        f"Share of the variance of the training faces that k components keep, and share of the "
        f"probes’ squared deviation from the mean that they leave out. With {words} they keep "
        f"{percent(by.kept[k - 1], 2)} and leave out {percent(by.left_out[k - 1], 2)}.",
        draw,
    )


def _mark(axes: Axes, k: int, value: float, words: str) -> None:
    """Mark the number of components in use."""
    axes.axvline(k, color=SECONDARY, linewidth=0.8, dashes=(2, 2))
    axes.plot([k], [value], marker="o", markersize=5, color=ACCENT, markeredgecolor="white")
    left = k > 8
    axes.annotate(
        words,
        (k, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-4 if left else 4, 2),
        textcoords="offset points",
        ha="right" if left else "left",
        va="bottom",
        fontsize=7.5,
        color=TEXT,
    )


def _log_components(axes: Axes, most: int) -> None:
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    axes.set_xscale("log")
    axes.set_xlim(0.95, max(most * 1.05, 2))
    ticks = [k * scale for scale in (1, 10, 100, 1000, 10_000) for k in (1, 2, 5)]
    axes.xaxis.set_major_locator(FixedLocator([k for k in ticks if k <= max(most, 2)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.set_xlabel("Components k (logarithmic)")
