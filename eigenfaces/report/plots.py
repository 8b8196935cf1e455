"""The figures of a report, and the map of a gallery: what each shows, and how it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenfaces.evaluation.by_components import ByComponents, axis_start, best_k
from eigenfaces.evaluation.curves import Curve, curves_of
from eigenfaces.evaluation.metrics import FALSE_ACCEPTS, STRANGERS_NAMED, FigureKind, confusion
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import confused_pairs
from eigenfaces.laboratory.maps import FaceMap, Faithfulness, MapView, share_words
from eigenfaces.recognition.calibration import Histogram
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.report.figure import (
    ACCENT,
    BORDER,
    OTHERS,
    SECONDARY,
    SOFT,
    TEXT,
    WARN,
    Plot,
    drawable,
)
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, percent, with_limits

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RANKS_SHOWN = 20
MATRIX_UP_TO = 60
"""People up to which the whole matrix can be read."""

PAIRS_SHOWN = 20
_LETTER = 7.0
"""Points of a name on a map; a letter is about 0.55 times as wide."""

_OWN: dict[str, Any] = {"color": ACCENT, "linewidth": 1.8, "zorder": 3}


def plots_of(evaluation: Evaluation) -> tuple[Plot, ...]:
    """Return every figure that an evaluation allows."""
    curves, by, plots = curves_of(evaluation), evaluation.by_components, []
    if by is not None and len(by):
        plots += _against_k(evaluation, by)
    if curves.match is not None:
        plots.append(_cmc(evaluation, curves.match))
    if curves.rates is not None and curves.distances is not None:
        plots.append(_roc(evaluation, curves.rates))
        if ((curves.rates.x > 0) & (curves.rates.y > 0)).any():
            plots.append(_det(evaluation, curves.rates, curves.distances.counts))
        plots.append(_distances(evaluation, curves.distances))
    if curves.detection is not None:
        plots.append(_dir(evaluation, curves.detection))
    return (*plots, *_confusion(evaluation))


def _against_k(evaluation: Evaluation, by: ByComponents) -> list[Plot]:
    """Return accuracy, if there is any, and residual against the number of components."""
    wanted, own = (
        evaluation.setting.recipe.matcher.components,
        evaluation.setting.recipe.matcher.distance,
    )
    k, ks = fewest_components(by.kept, wanted), np.arange(1.0, len(by) + 1)
    words = (
        f"k ≈ {k} ({100 * wanted:g} % of the variance)" if isinstance(wanted, float) else f"k = {k}"
    )

    def draw_residual(axes: Axes) -> None:
        axes.plot(ks, 100 * by.kept, color=ACCENT, linewidth=2, label="variance kept (fitted to)")
        label, (colour, dashes) = "residual of the probes (held out)", OTHERS[0]
        axes.plot(ks, 100 * by.left_out, color=colour, dashes=dashes, label=label)
        _over_components(axes, len(by), k, 100 * by.left_out[k - 1], words)
        axes.set(ylim=(0, 101), ylabel="Share, %")
        axes.legend(loc="best")

    residual = Plot(
        "residual-by-k",
        "Variance kept and held-out residual",
        f"Share of the variance of the training faces that k components keep, and share of the "
        f"probes’ squared deviation from the mean that they leave out. With {words} they keep "
        f"{percent(by.kept[k - 1], 2)} and leave out {percent(by.left_out[k - 1], 2)}.",
        draw_residual,
    )
    curve = by.accuracy.get(own, np.zeros(0))
    if not np.isfinite(curve).any():
        return [residual]
    best, low, high = best_k(curve), by.low[own], by.high[own]

    def draw(axes: Axes) -> None:
        axes.fill_between(ks, 100 * low, 100 * high, color=SOFT, linewidth=0)
        others = [name for name in by.accuracy if name != own]
        for name, (colour, dashes) in zip(others, OTHERS, strict=False):
            axes.plot(ks, 100 * by.accuracy[name], color=colour, dashes=dashes, label=name)
        label = f"{own}, with 95 % band"
        axes.plot(ks, 100 * curve, color=ACCENT, linewidth=2, label=label)
        _over_components(axes, len(by), k, 100 * curve[k - 1], words)
        begins = 100 * axis_start(ks, [*by.accuracy.values(), low])
        axes.set(ylim=(begins, 100.5), ylabel=f"Rank-1 accuracy, % (axis from {begins:.0f} %)")
        axes.legend(loc="best")

    accuracy = Plot(
        "accuracy-by-k",
        "Accuracy against the number of components",
        f"Rank-1 accuracy for every number of components k, by distance. With {own} and {words} it "
        f"is {with_limits(curve[k - 1], low[k - 1], high[k - 1])}; the first maximum is "
        f"{percent(curve[best - 1], 2)} at k = {best}. That one is seen on the probes themselves: "
        "a k chosen so is to be tried on others.",
        draw,
    )
    return [accuracy, residual]


def _over_components(axes: Axes, most: int, k: int, value: float, words: str) -> None:
    """Set a logarithmic axis of components, and mark the number in use."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    axes.axvline(k, color=SECONDARY, linewidth=0.8, dashes=(2, 2))
    axes.plot([k], [value], marker="o", markersize=5, color=ACCENT, markeredgecolor="white")
    look: dict[str, Any] = {"va": "bottom", "fontsize": 7.5, "textcoords": "offset points"}
    x, aligned = (-4, "right") if k > 8 else (4, "left")
    axes.annotate(words, (k, 1), (x, 2), axes.get_xaxis_transform(), ha=aligned, **look)
    axes.set(xscale="log", xlim=(0.95, max(most * 1.05, 2)), xlabel="Components k (logarithmic)")
    ticks = [k * scale for scale in (1, 10, 100, 1000, 10_000) for k in (1, 2, 5)]
    axes.xaxis.set_major_locator(FixedLocator([k for k in ticks if k <= max(most, 2)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))


def _cmc(evaluation: Evaluation, match: Curve) -> Plot:
    bands = (
        match.y,
        match.y if match.low is None else match.low,
        match.y if match.high is None else match.high,
    )
    share, low, high = (100 * each[:RANKS_SHOWN] for each in bands)
    ranks, all_right = match.x[:RANKS_SHOWN], np.flatnonzero(match.y >= 1 - 1e-12)
    said = _said(evaluation, ["rank-1"]).removeprefix("rank-1")
    caption = "Share of mated searches whose right person is among the first r, with its 95 % band."
    caption += f" Rank 1{said}." if said else ""
    caption += f" From rank {all_right[0] + 1} on all are found." if len(all_right) else ""

    def draw(axes: Axes) -> None:
        axes.fill_between(ranks, low, high, color=SOFT, linewidth=0)
        axes.plot(ranks, share, color=ACCENT, marker="o", markersize=3.5)
        axes.set(xlim=(0.7, max(len(ranks), 2) + 0.3), xlabel="Rank r")
        axes.set(ylim=(10 * (low[0] // 10), 100.8), ylabel="Right person among the first r, %")
        axes.locator_params("x", integer=True, nbins=10, min_n_ticks=1)

    return Plot("cmc", "Cumulative match characteristic (CMC)", caption, draw)


def _said(evaluation: Evaluation, kinds: Iterable[FigureKind]) -> str:
    known = [evaluation.figure(kind) for kind in kinds]
    return "; ".join(f"{figure.kind}: {figure.words()}" for figure in known if figure is not None)


def _points(evaluation: Evaluation, kinds: Iterable[FigureKind]) -> str:
    """Return in words the figures that are drawn as points with their intervals."""
    said = _said(evaluation, kinds)
    return f" Points with bars: {said}, with 95 % intervals." if said else ""


def _rates(
    axes: Axes, evaluation: Evaluation, rates: Curve, asked: dict[FigureKind, float]
) -> None:
    """Draw 1 − FNMR against FMR, in percent, and figures with their intervals at their FMR.

    The axis is logarithmic and begins below the smallest rate there is; 0 is at its start.
    """
    least = _least(rates.x)
    x = np.maximum(rates.x, least)
    axes.plot(100 * x, 100 - 100 * rates.y, drawstyle="steps-post", **_OWN)
    for kind, far in asked.items():
        if (figure := evaluation.figure(kind)) is not None:
            value, low, high = (100 * each for each in (figure.value, figure.low, figure.high))
            around = [[max(value - low, 0)], [max(high - value, 0)]]
            look = _OWN | {"marker": "o", "markersize": 4.5, "markeredgecolor": "white"}
            look |= {"linewidth": 1, "zorder": 4}
            axes.errorbar([100 * far], [value], around, capsize=3, **look)
    axes.set(xscale="log", xlim=(100 * least, 100))
    _in_percent(axes)


def _least(shares: Doubles) -> float:
    """Return where a logarithmic axis begins: below the smallest share above 0."""
    smallest = shares[shares > 0].min(initial=1)
    return float(np.clip(10 ** np.floor(np.log10(smallest) + 1e-9), 1e-6, 0.1))


def _in_percent(axes: Axes) -> None:
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, which="major")


def _roc(evaluation: Evaluation, rates: Curve) -> Plot:
    def draw(axes: Axes) -> None:
        _rates(axes, evaluation, rates, FALSE_ACCEPTS)
        lowest = 1 - rates.y[rates.x > 0].max(initial=0)
        axes.set(ylim=(max(0.0, 10 * np.floor(10 * lowest - 0.5)), 101))
        axes.set_xlabel("False match rate (FMR), %, logarithmic")
        axes.set_ylabel("True accept rate (1 − FNMR), %")

    caption = "True accept rate against false match rate of comparisons, for every threshold."
    caption += _points(evaluation, FALSE_ACCEPTS)
    return Plot("roc", "Verification (ROC)", caption, draw)


def _dir(evaluation: Evaluation, rates: Curve) -> Plot:
    def draw(axes: Axes) -> None:
        _rates(axes, evaluation, rates, STRANGERS_NAMED)
        axes.set(ylim=(0, 101), xlabel="Strangers named (FPIR), %, logarithmic")
        axes.set_ylabel("Right person first and accepted (DIR), %")

    caption = "Detection and identification rate against the share of strangers’ searches that "
    caption += f"return anybody, for every threshold.{_points(evaluation, STRANGERS_NAMED)}"
    return Plot("dir", "Open set (DIR against FPIR)", caption, draw)


def _det(evaluation: Evaluation, rates: Curve, counts: tuple[int, int]) -> Plot:
    equal, both_occur = evaluation.figure("EER"), np.flatnonzero((rates.x > 0) & (rates.y > 0))
    # Up to one error of each kind: only the corners of the curve are there.
    some = slice(max(both_occur[0] - 1, 0), both_occur[-1] + 2)
    x, y = np.maximum(rates.x[some], 1 / counts[1]), np.maximum(rates.y[some], 1 / counts[0])

    def draw(axes: Axes) -> None:
        both = (100 * min(_least(x), _least(y)), 100)
        axes.plot(100 * x, 100 * y, **_OWN)
        axes.plot(both, both, color=SECONDARY, linewidth=0.8, dashes=(3, 3), label="FMR = FNMR")
        if equal is not None and equal.value > 0:
            where = [100 * equal.value]
            axes.scatter(where, where, 26, ACCENT, zorder=4, label=f"EER {percent(equal.value, 2)}")
        axes.set(xscale="log", yscale="log", xlim=both, ylim=both)
        _in_percent(axes)
        axes.set_xlabel("False match rate (FMR), %, logarithmic")
        axes.set_ylabel("False non-match rate (FNMR), %, log.")
        axes.legend(loc="lower left")

    caption = "The two errors of comparisons against each other, for every threshold at which "
    caption += "both occur; nearer to the lower left is better."
    caption += f" EER: {equal.words()}." if equal is not None else ""
    return Plot("det", "Detection error trade-off (DET)", caption, draw)


def _distances(evaluation: Evaluation, spread: Histogram) -> Plot:
    (mated, others), at = spread.counts, spread.equal

    def draw(axes: Axes) -> None:
        look: dict[str, Any] = {"facecolor": "#F6F3F3", "edgecolor": OTHERS[0][0], "hatch": "////"}
        label = f"non-mated ({others})"
        axes.stairs(100 * spread.non_mated, spread.edges, fill=True, label=label, **look)
        look = {"facecolor": "#0F62AC40", "edgecolor": ACCENT, "linewidth": 1.1}
        axes.stairs(100 * spread.mated, spread.edges, fill=True, label=f"mated ({mated})", **look)
        axes.axvline(at, color=WARN, dashes=(4, 2), linewidth=1, label=f"EER at {at:.4g}")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(f"Distance ({evaluation.setting.recipe.matcher.distance})")
        axes.set_ylabel("Share of its kind, %")
        axes.legend(loc="best")

    caption = "How often each distance occurs between a probe and the right person (mated, "
    caption += f"{mated} comparisons) and somebody else (non-mated, {others}). Where they overlap "
    caption += f"no threshold is right; the two errors are equal at {at:.4g}."
    return Plot("distances", "Distances of mated and non-mated comparisons", caption, draw)


def _confusion(evaluation: Evaluation) -> list[Plot]:
    """Return the matrix, or the pairs; nothing of no searches, or of no confusion to be listed."""
    searches, people = evaluation.searches, evaluation.people
    if searches is None or not searches.mated.any():
        return []
    counts = confusion(searches, len(people))
    names = [drawable(name, number) for number, name in enumerate(people, start=1)]
    numbered = any(name.startswith("No. ") for name in names)
    note = " “No.” stands before the number of a person in the table of people." * numbered
    asked = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1))
    if len(asked) <= MATRIX_UP_TO:
        some = counts[np.ix_(asked, asked)]
        return [_matrix(some, [names[person] for person in asked], note)]
    return [_pairs(counts, names, note)] if confused_pairs(counts, 1) else []


def _matrix(counts: Numbers, names: list[str], note: str) -> Plot:
    many, asked = len(names), int(counts.sum())
    side, size = float(np.clip(1.6 + 0.135 * many, 3.2, 7.0)), float(np.clip(240 / many, 4.5, 8))
    wrong = asked - int(np.trace(counts))
    said = "Nobody was taken for anybody else."
    if wrong:
        said = f"{wrong:,} of {count(asked, 'search', 'searches')} named somebody else first."

    def draw(axes: Axes) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        shades = LinearSegmentedColormap.from_list("shares", ["#D6E6F5", ACCENT])
        lines, columns = np.nonzero(counts)
        shares = counts[lines, columns] / counts.sum(axis=1)[lines]
        axes.bar(columns, 1, 1, lines - 0.5, color=shades(shares))
        for line, column, share in zip(lines.tolist(), columns.tolist(), shares, strict=True):
            if line != column or many <= 20:
                colour = "white" if share > 0.55 else TEXT
                look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size}
                axes.text(column, line, str(counts[line, column]), color=colour, **look)
        axes.set(xlim=(-0.5, many - 0.5), ylim=(many - 0.5, -0.5), aspect="equal")
        axes.set_xticks(range(many), names, rotation=90, fontsize=size)
        axes.set_yticks(range(many), names, fontsize=size)
        axes.tick_params(length=0)
        axes.grid(color=BORDER, linewidth=0.3)
        axes.set(xlabel="Taken for", ylabel="Who it is")

    caption = "Mated searches by who it is (line) and who came first (column); darker is a larger "
    caption += f"share of the line, and numbers count searches. {said}{note}"
    return Plot("confusion", "Who was taken for whom", caption, draw, (side, side))


def _pairs(counts: Numbers, names: list[str], note: str) -> Plot:
    pairs, wrong = confused_pairs(counts, PAIRS_SHOWN), int(counts.sum() - np.trace(counts))
    labels = [f"{names[who]} → {names[answer]}" for who, answer, _ in pairs]

    def draw(axes: Axes) -> None:
        made = axes.barh(range(len(labels)), [n for *_, n in pairs], color=ACCENT, height=0.65)
        axes.bar_label(made, padding=3, fontsize=7)
        axes.set_yticks(range(len(labels)), labels, fontsize=7.5)
        axes.set(ylim=(len(labels) - 0.4, -0.6), xlabel="Searches")
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.locator_params("x", integer=True, min_n_ticks=1)

    caption = "The pairs of people most often confused: who it is → who came first, of "
    caption += f"{wrong:,} mistakes in all.{note}"
    size = (5.6, max(1.6, 0.7 + 0.19 * len(labels)))
    return Plot("confusion", "Most often confused", caption, draw, size)


def map_plot(
    found: FaceMap, axes: Sequence[int], gallery: Gallery, kept: Faithfulness | None
) -> Plot:
    """Return the figure of a map along two axes, counted from 0; each person in its own look.

    ``kept``: what the view keeps of neighbours, which the caption states.
    """
    shown, size = MapView.of(found, axes, gallery, []), (6.5, 5.2)
    places, groups = shown.places, shown.groups
    said = f"{count(len(found), 'face')} along {' and '.join(found.axis(axis) for axis in axes)}."
    if found.shares is not None:
        share = float(found.shares[sorted(set(axes))].sum())
        said += f" Together they show {share_words(share)} of the variance."
    if kept is not None:
        said += (
            f" Of the neighbours {found.named} it keeps: trustworthiness "
            f"{kept.trustworthiness:.2f}, continuity {kept.continuity:.2f} "
            f"({count(kept.neighbours, 'neighbour')})."
        )
    if found.kind == "t-SNE":
        said += " Distances between groups, their size and the axes mean nothing."

    def draw(on: Axes) -> None:
        for number in np.unique(groups).tolist():
            look: dict[str, Any] = {"color": SECONDARY, "marker": "."}
            if number >= 0:
                mark = "os^DvPX"[number // len(OTHERS) % 7]
                look = {"color": OTHERS[number % len(OTHERS)][0], "marker": mark}
            x, y = places[groups == number].T
            on.scatter(x, y, s=16, linewidths=0.4, edgecolors="white", **look)
        on.set_aspect("equal", adjustable="datalim")
        on.set(xlabel=shown.titles[0], ylabel=shown.titles[1])
        on.apply_aspect()  # else the limits are not known yet
        _write_names(on, places, groups, gallery.people, np.multiply(size, 72))

    return Plot("face-map", f"Map of {count(len(found), 'face')}", said, draw, size)


def _write_names(
    on: Axes, places: Doubles, groups: Numbers, people: Sequence[str], size: Doubles
) -> None:
    """Write names in the middle of people, the most photographs first, where there is room."""
    taken: list[tuple[Doubles, float]] = []
    numbers, photos = np.unique(groups[groups >= 0], return_counts=True)
    for number in numbers[np.argsort(-photos, kind="stable")].tolist():
        own = places[groups == number]
        middle = own[((own - np.median(own, axis=0)) ** 2).sum(axis=1).argmin()]
        name = drawable(people[number], number + 1)
        at, half = on.transLimits.transform(middle) * size, 0.3 * _LETTER * len(name)
        if all(
            abs(at - to)[0] > half + its or abs(at - to)[1] > 1.3 * _LETTER for to, its in taken
        ):
            taken.append((at, half))
            paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.6}
            on.annotate(name, middle, ha="center", va="center", fontsize=_LETTER, bbox=paper)
