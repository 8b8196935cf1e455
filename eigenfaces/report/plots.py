"""The figures of a report, and the map of a gallery: what each shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.by_components import ByComponents, axis_start, best_k
from eigenfaces.evaluation.curves import ErrorHistogram, histogram
from eigenfaces.evaluation.metrics import (
    FALSE_ACCEPTS,
    STRANGERS_NAMED,
    ErrorRates,
    FigureKind,
    confusion,
    cumulative_match,
    detection_curve,
    error_rates,
)
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.laboratory.maps import FaceMap, Faithfulness, share_words
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
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
    has_letters,
)
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, percent, with_limits

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


def in_use(recipe: Recipe, by: ByComponents) -> tuple[int, str]:
    """Return how many components are compared, and words for it; for a share, over all folds."""
    k = fewest_components(by.kept, recipe.matcher.components)
    if isinstance(recipe.matcher.components, float):
        return k, f"k ≈ {k} ({100 * recipe.matcher.components:g} % of the variance)"
    return k, f"k = {k}"


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


Counts = NDArray[np.intp]

MATRIX_UP_TO = 60
"""People up to which the whole matrix can be read."""

PAIRS_SHOWN = 20


def of_confusion(evaluation: Evaluation) -> list[Plot]:
    """Return the matrix, or the pairs; nothing of no searches, or of no confusion to be listed."""
    searches, people = evaluation.searches, evaluation.people
    if searches is None or not searches.mated.any():
        return []
    counts = confusion(searches, len(people))
    names = [drawable(name, number) for number, name in enumerate(people, start=1)]
    numbered = not all(map(has_letters, people))
    note = " “No.” stands before the number of a person in the table of people." * numbered
    asked = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1))
    if len(asked) <= MATRIX_UP_TO:
        some = counts[np.ix_(asked, asked)]
        return [_matrix(some, [names[person] for person in asked], note)]
    np.fill_diagonal(counts, 0)
    return [_pairs(counts, names, note)] if counts.any() else []


def _matrix(counts: Counts, names: list[str], note: str) -> Plot:
    many = len(names)
    side = float(np.clip(1.6 + 0.135 * many, 3.2, 7.0))
    wrong = int(counts.sum() - np.trace(counts))

    def draw(axes: Axes) -> None:
        from matplotlib.collections import PolyCollection

        lines, columns = np.nonzero(counts)
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        squares = np.stack([columns, lines], axis=1)[:, None, :] + corners
        shares = counts[lines, columns] / counts.sum(axis=1)[lines]
        shades = [_shade(share) for share in shares]
        axes.add_collection(PolyCollection(list(squares), facecolors=shades, edgecolors="none"))
        size = float(np.clip(240 / many, 4.5, 8))
        for line, column, share in zip(lines.tolist(), columns.tolist(), shares, strict=True):
            if line != column or many <= 20:
                colour = "white" if share > 0.55 else TEXT
                number = str(counts[line, column])
                axes.text(
                    column, line, number, ha="center", va="center", fontsize=size, color=colour
                )
        axes.set(xlim=(-0.5, many - 0.5), ylim=(many - 0.5, -0.5), aspect="equal")
        axes.set_xticks(range(many), names, rotation=90, fontsize=size)
        axes.set_yticks(range(many), names, fontsize=size)
        axes.tick_params(length=0)
        axes.grid(color=BORDER, linewidth=0.3)
        axes.set_xlabel("Taken for")
        axes.set_ylabel("Who it is")

    return Plot(
        "confusion",
        "Who was taken for whom",
        f"Mated searches by who it is (line) and who came first (column); darker is a larger share "
        f"of the line, and numbers count searches. {_wrong(wrong, int(counts.sum()))}{note}",
        draw,
        (side, side),
    )


def _shade(share: float) -> tuple[float, float, float]:
    """Return a colour from near white to the accent."""
    from matplotlib.colors import to_rgb

    light, dark = np.array(to_rgb("#D6E6F5")), np.array(to_rgb(ACCENT))
    mixed = light + share * (dark - light)
    return float(mixed[0]), float(mixed[1]), float(mixed[2])


def _wrong(wrong: int, asked: int) -> str:
    if not wrong:
        return "Nobody was taken for anybody else."
    return f"{wrong:,} of {count(asked, 'search', 'searches')} named somebody else first."


def _pairs(wrong: Counts, names: list[str], note: str) -> Plot:
    order = np.argsort(-wrong, axis=None, kind="stable")[:PAIRS_SHOWN]
    pairs = [divmod(int(place), len(names)) for place in order]
    pairs = [(line, column) for line, column in pairs if wrong[line, column]]
    values = [int(wrong[line, column]) for line, column in pairs]

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        places = range(len(pairs))
        axes.barh(places, values, color=ACCENT, height=0.65)
        labels = [f"{names[line]} → {names[column]}" for line, column in pairs]
        axes.set_yticks(places, labels, fontsize=7.5)
        axes.set_ylim(len(pairs) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        for place, value in zip(places, values, strict=True):
            axes.annotate(str(value), (value, place), (3, 0), textcoords="offset points",
                          va="center", fontsize=7)  # fmt: skip
        axes.set_xlabel("Searches")

    return Plot(
        "confusion",
        "Most often confused",
        f"The pairs of people most often confused: who it is → who came first, of "
        f"{int(wrong.sum()):,} mistakes in all.{note}",
        draw,
        (5.6, max(1.6, 0.7 + 0.19 * len(pairs))),
    )


_SIZE = (6.5, 5.2)
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_PAPER = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.6}
_LETTER = 7.0
"""Points of a name; a letter is about 0.55 times as wide."""


def map_plot(
    found: FaceMap, axes: Sequence[int], gallery: Gallery, kept: Faithfulness | None
) -> Plot:
    """Return the figure of a map along two axes, counted from 0.

    ``kept``: what the view keeps of neighbours, which the caption states.
    """
    people, places = gallery.people, found.view(axes)
    numbers = {name: number for number, name in enumerate(people)}
    groups = np.array([numbers.get(photo.person or "", -1) for photo in gallery.index.photos])
    titles = [found.axis(axis) for axis in axes]

    def draw(on: Axes) -> None:
        _draw_faces(on, places, groups)
        on.set_aspect("equal", adjustable="datalim")
        on.set_xlabel(titles[0] + (", in σ" if found.shares is not None else ""))
        on.set_ylabel(titles[1] + (", in σ" if found.shares is not None else ""))
        _draw_names(on, places, groups, people)

    return Plot(
        "face-map",
        f"Map of {count(len(found), 'face')}",
        map_words(found, axes, kept),
        draw,
        size=_SIZE,
    )


def map_words(found: FaceMap, axes: Sequence[int], kept: Faithfulness | None) -> str:
    """Return what a map shows and keeps, in words."""
    shown = " and ".join(found.axis(axis) for axis in axes)
    said = f"{count(len(found), 'face')} along {shown}."
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
    return said


def _draw_faces(on: Axes, places: Doubles, groups: Numbers) -> None:
    for number in np.unique(groups):
        here = places[groups == number]
        colour = SECONDARY if number < 0 else OTHERS[number % len(OTHERS)][0]
        mark = "." if number < 0 else _MARKS[number // len(OTHERS) % len(_MARKS)]
        x, y = here.T
        on.scatter(x, y, s=16, c=colour, marker=mark, linewidths=0.4, edgecolors="white")


def _draw_names(on: Axes, places: Doubles, groups: Numbers, people: Sequence[str]) -> None:
    """Write names in the middle of people, the most photographs first, where there is room."""
    width, height = (size * 72 for size in _SIZE)
    on.apply_aspect()  # else the limits are not known yet
    (left, right), (low, high) = on.get_xlim(), on.get_ylim()
    taken: list[tuple[float, float, float]] = []
    named = [number for number in np.unique(groups).tolist() if number >= 0]
    for number in sorted(named, key=lambda each: -int((groups == each).sum())):
        own = places[groups == number]
        away = ((own - np.median(own, axis=0)) ** 2).sum(axis=1)
        middle = own[away.argmin()]  # of two groups, in one
        name = drawable(people[number], number + 1)
        x = (middle[0] - left) / (right - left) * width
        y = (middle[1] - low) / (high - low) * height
        half = 0.3 * _LETTER * len(name)
        if all(abs(x - u) > half + v or abs(y - w) > 1.3 * _LETTER for u, w, v in taken):
            taken.append((x, y, half))
            on.annotate(
                name, middle, ha="center", va="center", fontsize=_LETTER, color=TEXT, bbox=_PAPER
            )


def plots_of(evaluation: Evaluation) -> tuple[Plot, ...]:
    """Return every figure that an evaluation allows."""
    return (
        *over_components(evaluation),
        *of_rates(evaluation),
        *of_confusion(evaluation),
    )
