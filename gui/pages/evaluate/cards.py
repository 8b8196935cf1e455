"""Cards with the charts of an evaluation."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal

from eigenfaces.evaluation.by_components import axis_start
from eigenfaces.evaluation.curves import Curve, Curves
from eigenfaces.text import percent
from gui.plots.axes import Axis, Frame, Range
from gui.plots.marks import Cells, Line, Rule, outlines
from gui.plots.plot import PlotView
from gui.style import theme
from gui.widgets.cards import Card
from gui.widgets.controls import Segmented
from gui.widgets.text_table import SortedTable, TableLine
from gui.widgets.words import label

MOST_PEOPLE = 60
"""People up to which all confusions are drawn; of more, the most confused pairs are listed."""

_HEIGHT = 262  # pixels before the text scale
_PAIRS_LISTED = 200
_ACCURACY, _SHARES = range(2)
_K, _LOG = "number of components", "log scale"


class ChartCard(Card):
    """A card with a chart, or with the reason why there is none."""

    def __init__(self, title: str, chart: PlotView, note: str = "") -> None:
        super().__init__(title, note)
        self._drawing = chart
        chart.hide()
        self.body.addWidget(chart, 1)
        self.set_padding(theme.CARD_PADDING, 10)
        self._heading.addStrut(theme.pixels(32))  # as high as a heading with a choice of curves
        self.reason = label("", "secondary", wrap=True)
        self.reason.hide()
        self.body.addWidget(self.reason)
        self.body.addStretch(0)
        self.setMinimumHeight(theme.pixels(_HEIGHT))

    def say(self, reason: str) -> None:
        """Show why there is nothing to draw; "" shows the chart."""
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))

    def begin(self) -> None:
        """Show that the run under way has no values yet."""
        self.say("The first fold is being searched.")
        self._drawing.hide()


def line_of(name: str, curve: Curve, *, band: bool = True) -> Line:
    """Return a curve as a line of a chart."""
    if band:
        return Line(name, curve.x, curve.y, curve.low, curve.high)
    return Line(name, curve.x, curve.y)


class ComponentCurvesCard(ChartCard):
    """Accuracy, or residual and variance, against the number of components."""

    def __init__(self) -> None:
        chart = PlotView(Axis(_K, _LOG, log=True), Axis("rank-1", percent=True))
        super().__init__("Against k", chart)  # short: beside it stands what is drawn
        self.chart = chart
        self._shown: tuple[Curves, str, int | None, Curves | None] | None = None
        self.kind = Segmented(("Accuracy", "Residual"), name="Drawn against k")
        self.kind.changed.connect(self._draw)
        self.add_to_heading(self.kind)

    def show_curves(
        self, curves: Curves, distance: str, k: int | None, other: Curves | None = None
    ) -> None:
        """Show a run, the recipe's own distance in front, and a second run to compare."""
        self._shown = curves, distance, k, other
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        curves, distance, k, other = self._shown
        reason = "" if curves.kept is not None else "Curves for every k were not asked for."
        self.say(reason)
        self.kind.setVisible(not reason)
        chart = self.chart
        chart.setVisible(not reason)
        if reason:
            return
        shares = self.kind.current == _SHARES
        lines = self._shares(curves, other) if shares else self._accuracies(curves, distance, other)
        begins = 0.0 if shares else _axis_begins(lines)
        y_title = "share" if shares else "rank-1"
        y_scaling = f"axis from {100 * begins:.0f} %" if begins else ""
        rules = [] if k is None else [Rule(k, f"k = {k}")]
        y = Axis(y_title, y_scaling, percent=True, span=(begins, 1.0))
        chart.show_marks([*lines, *rules], y=y)

    def _accuracies(self, curves: Curves, distance: str, other: Curves | None) -> list[Line]:
        if other is not None:
            return [
                line_of(words, next(iter(each.accuracy.values())))
                for words, each in (("this run", curves), ("the other", other))
                if each.accuracy
            ]
        names = sorted(curves.accuracy, key=lambda name: name != distance)
        return [line_of(name, curves.accuracy[name], band=name == distance) for name in names]

    def _shares(self, curves: Curves, other: Curves | None) -> list[Line]:
        pairs = [("", curves)] if other is None else [("this: ", curves), ("other: ", other)]
        lines = []
        for words, each in pairs:
            if each.kept is not None and each.left_out is not None:
                lines.append(line_of(f"{words}variance kept", each.kept))
                lines.append(line_of(f"{words}held-out residual", each.left_out))
        return lines


def _axis_begins(lines: list[Line]) -> float:
    """Return the low end of an axis of accuracy, which includes every band."""
    ends = [
        axis_start(line.x, [line.y, *([] if line.low is None else [line.low])]) for line in lines
    ]
    return min(ends, default=0.0)


class MatchCard(ChartCard):
    """The CMC; clicking a point shows the searches found exactly at that rank."""

    rank_chosen = Signal(int)

    def __init__(self) -> None:
        chart = PlotView(Axis("rank"), Axis("identified within rank", percent=True))
        super().__init__("Cumulative match (CMC)", chart, "click for the photos")
        self.chart = chart
        self.chart.picked.connect(lambda line, point: self._choose(line, point))

    def show_curves(self, curves: Curves, other: Curves | None = None) -> None:
        """Show a run, and a second run to compare."""
        self.say("" if curves.match is not None else "Nobody who is enrolled was searched for.")
        chart = self.chart
        chart.setVisible(curves.match is not None)
        if curves.match is None:
            return
        lines = [line_of("this run", curves.match)]
        if other is not None and other.match is not None:
            lines.append(line_of("the other", other.match))
        for line in lines:
            line.dotted = True
        chart.show_marks(lines, Axis("rank", span=(1.0, float(_last_rank(lines)))))

    def _choose(self, line: int, point: int) -> None:
        if line == 0:
            self.rank_chosen.emit(point + 1)


def _last_rank(lines: list[Line]) -> int:
    """Return the last rank to draw, a little after the last change and at most 20."""
    ends = [int(np.argmax(line.y >= line.y[-1] - 1e-12)) + 1 for line in lines]
    most = max(len(line.x) for line in lines)
    return max(2, min(most, max(20, 2 * max(ends))))


class ConfusionCard(ChartCard):
    """Who was taken for whom: a matrix; with very many people, a list of pairs."""

    pair_chosen = Signal(int, int)

    def __init__(self) -> None:
        chart = PlotView(Axis("recognised as"), Axis("person"))
        super().__init__("Confusion matrix", chart, "click for the photos")
        self.chart = chart
        self.chart.picked.connect(
            lambda _, item: self.pair_chosen.emit(*divmod(item, len(self._people)))
        )
        self._people: tuple[str, ...] = ()
        self.pairs = SortedTable(
            "Most confused pairs", ("Person", "Taken for", "Times"), 0, frozenset({2})
        )
        self.pairs.setMinimumHeight(theme.pixels(160))
        self.pairs.chosen.connect(self._choose)
        self.pairs.hide()
        self.body.insertWidget(0, self.pairs, 1)

    def show_curves(self, curves: Curves) -> None:
        """Show the confusions of a run."""
        counts, self._people = curves.confusion, curves.people
        reason = "Single pairs were compared: nobody was searched for among many."
        self.say("" if counts is not None else reason)
        few = counts is not None and len(self._people) <= MOST_PEOPLE
        many = counts is not None and not few
        self.chart.setVisible(few)
        self.pairs.setVisible(many)
        self.set_title("Most confused pairs" if many else "Confusion matrix")
        if counts is None:
            return
        if few:
            self.chart.show_marks([ConfusionCells(counts, self._people)] if self._people else [])
        else:
            lines = confused_pairs(counts, self._people)
            self.pairs.show_lines(lines)
            self.pairs.sort_by(2, down=True)
            self.say("" if lines else "Nobody was taken for anybody else.")

    def _choose(self, key: str) -> None:
        who, answered = map(int, key.split())
        self.pair_chosen.emit(who, answered)


class ConfusionCells(Cells):
    """How often each of p people (down) was taken for each (across): ``counts`` (p, p)."""

    def __init__(self, counts: np.ndarray, people: tuple[str, ...]) -> None:
        self.counts, self.searches = counts, counts.sum(axis=1)
        shares = counts / np.maximum(self.searches, 1)[:, np.newaxis]
        super().__init__(shares, people, counts.astype(str), "of the person’s searches")

    def told(self, frame: Frame, item: int) -> str:
        person, answer = divmod(item, len(self.names))
        times = f"{self.counts[person, answer]} of {self.searches[person]}"
        if person == answer:
            return f"{self.names[person]} recognised: {times}"
        return f"{self.names[person]} taken for {self.names[answer]}: {times}"

    def words(self, frame: Frame) -> str:
        wrong = self.counts - np.diag(np.diag(self.counts))
        right, of = int(np.trace(self.counts)), int(self.counts.sum())
        worst = np.argsort(-wrong, axis=None, kind="stable")[:5].tolist()
        told = [f"{self.told(frame, item)}." for item in worst if wrong.ravel()[item]]
        return " ".join([f"{right} of {of} searches named the right person.", *told])


def confused_pairs(counts: np.ndarray, people: tuple[str, ...]) -> list[TableLine]:
    """Return the pairs of people confused, with how often, the most frequent first."""
    others = counts.copy()
    np.fill_diagonal(others, 0)
    order = np.argsort(-others, axis=None, kind="stable")[:_PAIRS_LISTED]
    lines = []
    for place in order.tolist():
        who, answered = divmod(place, len(people))
        times = int(others[who, answered])
        if times == 0:
            break
        searched = max(1, int(counts[who].sum()))
        words = (people[who], people[answered], f"{times} ({percent(times / searched, 0)})")
        key = f"{who} {answered}"
        lines.append(TableLine(key, words, (people[who], people[answered], float(times))))
    return lines


_ROC, _DET, _DIR, _DISTANCES = range(4)
_AXES = (
    ("FMR: others accepted", "TAR: the right one accepted"),
    ("FMR", "FNMR", "log scale"),
    ("FPIR: strangers named", "DIR"),
    ("distance in face space", "share of its kind"),
)
_LEAST_RATE = 1e-4


class RatesCard(ChartCard):
    """ROC, DET and distances of verification; with strangers, DIR against FPIR as well."""

    def __init__(self) -> None:
        chart = PlotView(Axis("FMR"), Axis("TAR"))
        super().__init__("Errors", chart)  # short: beside it stands which curve
        self.chart = chart
        self._shown: tuple[Curves, Curves | None] | None = None
        self.kind = Segmented(("ROC", "DET", "DIR", "Distances"), name="Curve of errors")
        self.kind.changed.connect(self._draw)
        self.add_to_heading(self.kind)

    def show_curves(self, curves: Curves, other: Curves | None = None) -> None:
        """Show a run, and a second run to compare."""
        self._shown = curves, other
        strangers = curves.detection is not None
        self.kind.set_option_enabled(_DIR, strangers)
        if not strangers and self.kind.current == _DIR:
            self.kind.set_current(_ROC)
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        kind = self.kind.current
        lines = self._lines(kind)
        self.say("" if lines else "There are no non-mated comparisons to draw a curve from.")
        chart = self.chart
        chart.setVisible(bool(lines))
        if not lines:
            return
        spans: tuple[Range, Range] = (0.0, 1.0), (0.0, 1.0)
        if kind in (_DET, _DISTANCES):
            spans = _logarithmic(lines) if kind == _DET else _whole(lines)
        x_title, y_title, *scaling = _AXES[kind]
        log, rules, spread = kind == _DET, [], self._shown[0].distances
        if kind == _DISTANCES and spread is not None:
            rules = [Rule(spread.equal, f"EER at {spread.equal:.4g}")]
        chart.show_marks(
            [*lines, *rules],
            Axis(x_title, *scaling, log=log, percent=kind != _DISTANCES, span=spans[0]),
            Axis(y_title, *scaling, log=log, percent=True, span=spans[1]),
        )

    def _lines(self, kind: int) -> list[Line]:
        if self._shown is None:
            return []
        if kind == _DISTANCES:
            spread = self._shown[0].distances
            if spread is None:
                return []
            mated, others = spread.counts
            return [*outlines(spread, f"the right person ({mated:,})", f"others ({others:,})")]
        lines = []
        for words, each in zip(("this run", "the other"), self._shown, strict=True):
            curve = None if each is None else each.detection if kind == _DIR else each.rates
            if curve is None:
                continue
            keep = (curve.x > 0) & (curve.y > 0) if kind == _DET else np.ones(len(curve.x), bool)
            if keep.any():
                y = curve.y[keep] if kind == _DET else 1 - curve.y
                lines.append(Line(words, curve.x[keep], y, filled=True))
        if lines and kind == _ROC:
            ends = np.array([0.0, 1.0])
            lines.append(Line("guessing", ends, ends, faint=True))
        return lines


def _logarithmic(lines: list[Line]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of a DET: whole powers of ten that include every point."""
    limits = []
    for values in ([line.x for line in lines], [line.y for line in lines]):
        least = min(float(each.min()) for each in values)
        limits.append((max(_LEAST_RATE, 10 ** np.floor(np.log10(least))), 1.0))
    return limits[0], limits[1]


def _whole(lines: list[Line]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of a histogram: all of it, from zero up."""
    x, top = lines[0].x, max(float(line.y.max()) for line in lines)
    return (float(x[0]), float(x[-1])), (0.0, min(1.0, 1.08 * top))
