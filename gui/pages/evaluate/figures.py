"""The result of a run: its key figures, its charts, and the cards beside and below them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from eigenfaces.evaluation.by_components import accuracy_axis_start
from eigenfaces.evaluation.curves import Curve, Curves
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import KeyFigure, key_figures, most_confused
from eigenfaces.recognition.recipe import Matcher
from eigenfaces.space.arrays import Doubles, Numbers
from ...plots.axes import Axes, Axis
from ...plots.canvas import install_context_menu
from ...plots.marks import Heatmap, Line, PlotMark, ReferenceLine, histogram_marks
from ...plots.plot import PlotView
from ...state.session import Session
from ...style import theme
from ...widgets.box_layouts import STRETCH, Stretch, add_parts, in_column
from ...widgets.cards import Banner, Card
from ...widgets.controls import Segmented
from ...widgets.flow import ColumnsLayout, SidePanelLayout
from ...widgets.hall import Hall
from ...widgets.labels import label
from .mistakes import MistakesCard
from .runs import BaselinesCard

MOST_PEOPLE = 60  # in the matrix; of more people, those confused most often
LEAST_CHART = 362  # the least width of a card with a chart, so that its heading fits

_BASELINES = 270  # px, the width beside the charts
_HEIGHT = 262  # px, before the text scale, of a card with a chart
_LEAST_RATE = 1e-4

_OURS, _THEIRS = "this run", "the other"

_NO_OTHERS = "There are no non-mated comparisons to draw a curve from."
_ALL = 0.0, 1.0


class FigureTile(QFrame):
    """Tile that shows a key figure with its name, interval and number of trials."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        pad = theme.CARD_PADDING
        self.value, self.name = label("", "figure"), label("", "strong", wrap=True)
        self.interval, self.note = (label("", "caption", wrap=True) for _ in range(2))
        parts = (self.value, self.name, self.interval, self.note, STRETCH)
        in_column(*parts, inside=self, spacing=1, margins=(pad, pad - 5, pad, pad - 4))

    def show_tile(self, tile: KeyFigure) -> None:
        """Show a key figure, or the reason why there is none."""
        self.name.setText(tile.name)
        for part, words in (
            (self.value, tile.value),
            (self.interval, tile.interval),
            (self.note, tile.note),
        ):
            part.setText(words)
            part.setVisible(bool(words))


@dataclass(frozen=True)
class ChartDrawing:
    """The marks and axes of a chart, or the ``reason`` why nothing is drawn."""

    reason: str = ""
    marks: Sequence[PlotMark] = ()
    x: Axis | None = None
    y: Axis | None = None


ChartFunction = Callable[[Matcher, Curves, Curves | None], ChartDrawing]
"""A function that takes a matcher, the curves of a run, and those of a second run or None."""


class ChartCard(Card):
    """Card with a chart of the type chosen by the user, or the reason why there is none."""

    def __init__(self, title: str, kinds: Mapping[str, ChartFunction], note: str = "") -> None:
        """Create the card; ``kinds`` maps chart names to functions. A lone chart needs no name."""
        super().__init__(title, note)
        self._kinds = dict(kinds)
        self._curves: tuple[Matcher, Curves, Curves | None] | None = None
        self.chart = PlotView(Axis(""), Axis("", percent=True))
        self._choice = Segmented([*kinds], name=f"{title}: type of curve")
        self._choice.changed.connect(self.draw)
        if len(kinds) > 1:
            self.add_to_heading(self._choice)
        self.set_padding(theme.CARD_PADDING, 10)
        self._heading.addStrut(theme.pixels(32))  # as high as a heading with a choice of curves
        self.reason = label("", "secondary", wrap=True)
        add_parts(self.body, (self.chart, 1), self.reason, Stretch(0))
        self.setMinimumHeight(theme.pixels(_HEIGHT))

    @property
    def kind(self) -> str:
        """The name of the chart type that is shown."""
        return [*self._kinds][self._choice.current]

    def set_available(self, kind: str, available: bool) -> None:
        """Enable or disable a chart type; if the chosen type is disabled, choose the first."""
        self._choice.buttons[[*self._kinds].index(kind)].setEnabled(available)
        if not available and self.kind == kind:
            self._choice.set_current(0)

    def show_curves(self, matcher: Matcher, curves: Curves, other: Curves | None) -> None:
        """Show the curves of a run and, for comparison, those of a second run."""
        self._curves = matcher, curves, other
        self.draw()

    def drawings(self) -> list[tuple[str, ChartDrawing]]:
        """Return the title and drawing of each available chart."""
        curves, drawn = self._curves, list[tuple[str, ChartDrawing]]()
        for button, (kind, draw) in zip(self._choice.buttons, self._kinds.items(), strict=True):
            if curves is not None and button.isEnabled():
                drawing = draw(*curves)
                title = " · ".join(filter(None, (self.accessibleName(), kind)))
                drawn += [(title, drawing)] if drawing.marks else []
        return drawn

    def draw(self) -> None:
        """Draw the chosen type of chart."""
        if self._curves is not None:
            drawing = self._kinds[self.kind](*self._curves)
            self.reason.setText(drawing.reason)
            self.reason.setVisible(bool(drawing.reason))
            self.chart.setVisible(bool(drawing.marks))
            if drawing.marks:
                self.chart.show_marks(drawing.marks, drawing.x, drawing.y)


def rank1_chart(matcher: Matcher, curves: Curves, other: Curves | None) -> ChartDrawing:
    """Draw rank-1 accuracy against the number of components."""
    if curves.variance_kept is None:
        return ChartDrawing("This run did not measure accuracy at other values of k.")
    k, lines = curves.component_count(matcher.components), list[Line]()
    chosen = [] if k is None else [ReferenceLine(k, f"k = {k}")]
    if other is None:
        own = matcher.distance
        names = sorted(curves.accuracy, key=lambda name: name != own)
        lines = [_curve_line(name, curves.accuracy[name], band=name == own) for name in names]
    else:
        for words, run in ((_OURS, curves), (_THEIRS, other)):
            lines += [_curve_line(words, curve) for curve in list(run.accuracy.values())[:1]]
    starts = (
        accuracy_axis_start(line.x, [line.y, line.y if line.low is None else line.low])
        for line in lines
    )
    start = min(starts, default=0.0)
    note = f"axis from {100 * start:.0f} %" if start else ""
    x = Axis("number of components", "log scale", log=True)
    y = Axis("rank-1", note, percent=True, span=(start, 1.0))
    return ChartDrawing("", [*lines, *chosen], x, y)


def cmc_chart(_matcher: Matcher, curves: Curves, other: Curves | None) -> ChartDrawing:
    """Draw the CMC curve up to rank 20 or, if greater, twice the rank at which it last changes."""
    if curves.cumulative_match is None:
        return ChartDrawing("None of the people searched for is enrolled.")
    both = _of_both(lambda run: run.cumulative_match, curves, other)
    lines = [_curve_line(words, curve) for words, curve in both]
    for line in lines:
        line.dotted = True
    last = max(int(np.argmax(line.y >= line.y[-1] - 1e-12)) + 1 for line in lines)
    last = max(2, min(max(len(line.x) for line in lines), max(20, 2 * last)))
    x, y = Axis("rank", span=(1.0, float(last))), Axis("identified within rank", percent=True)
    return ChartDrawing("", lines, x, y)


def roc_chart(_matcher: Matcher, curves: Curves, other: Curves | None) -> ChartDrawing:
    """Draw the ROC curve: how often the right person is accepted against how often others are."""
    lines = [
        Line(words, curve.x, 1 - curve.y, filled=True)
        for words, curve in _of_both(lambda run: run.error_rates, curves, other)
    ]
    if not lines:
        return ChartDrawing(_NO_OTHERS)
    ends = np.array(_ALL)
    x = Axis("FMR: others accepted", percent=True, span=_ALL)
    y = Axis("TAR: right person accepted", percent=True, span=_ALL)
    return ChartDrawing("", [*lines, Line("guessing", ends, ends, faint=True)], x, y)


def det_chart(_matcher: Matcher, curves: Curves, other: Curves | None) -> ChartDrawing:
    """Draw the DET curve: the two error rates against each other, where both exceed zero."""
    lines = list[Line]()
    for words, curve in _of_both(lambda run: run.error_rates, curves, other):
        some = (curve.x > 0) & (curve.y > 0)
        if some.any():
            lines.append(Line(words, curve.x[some], curve.y[some], filled=True))
    if not lines:
        return ChartDrawing(_NO_OTHERS)
    x = _decades("FMR", [line.x for line in lines])
    y = _decades("FNMR", [line.y for line in lines])
    return ChartDrawing("", lines, x, y)


def dir_chart(_matcher: Matcher, curves: Curves, other: Curves | None) -> ChartDrawing:
    """Draw how often enrolled people are named correctly against how often strangers are named."""
    lines = [
        Line(words, curve.x, 1 - curve.y, filled=True)
        for words, curve in _of_both(lambda run: run.stranger_rates, curves, other)
    ]
    if not lines:
        return ChartDrawing(_NO_OTHERS)
    x = Axis("FPIR: strangers named", percent=True, span=_ALL)
    return ChartDrawing("", lines, x, Axis("DIR", percent=True, span=_ALL))


def distances_chart(_matcher: Matcher, curves: Curves, _other: Curves | None) -> ChartDrawing:
    """Draw histograms of the distances to the right person and to other people."""
    histogram = curves.distances
    if histogram is None:
        return ChartDrawing(_NO_OTHERS)
    mated, others = histogram.counts
    steps = histogram_marks(histogram, f"the right person ({mated:,})", f"others ({others:,})")
    equal = histogram.equal_error_distance
    span = float(histogram.edges[0]), float(histogram.edges[-1])
    marks = [*steps, ReferenceLine(equal, f"EER at {equal:.4g}")]
    x = Axis("distance in face space", span=span)
    return ChartDrawing("", marks, x, Axis("share of its kind", percent=True))


def _of_both(
    of: Callable[[Curves], Curve | None], curves: Curves, other: Curves | None
) -> list[tuple[str, Curve]]:
    """Return the curves of one or two runs, each with its name in the legend."""
    runs = {_OURS: curves} if other is None else {_OURS: curves, _THEIRS: other}
    found = ((words, of(run)) for words, run in runs.items())
    return [(words, curve) for words, curve in found if curve is not None]


def _decades(title: str, values: Sequence[Doubles]) -> Axis:
    """Return a logarithmic axis that runs from a power of ten (at least 0.0001) to 1."""
    least = float(10 ** np.floor(np.log10(min(float(rates.min()) for rates in values))))
    span = max(_LEAST_RATE, least), 1.0
    return Axis(title, "log scale", log=True, percent=True, span=span)


def _curve_line(name: str, curve: Curve, *, band: bool = True) -> Line:
    low, high = (curve.low, curve.high) if band else (None, None)
    return Line(name, curve.x, curve.y, low, high)


ERROR_CHARTS: dict[str, ChartFunction] = {
    "ROC": roc_chart,
    "DET": det_chart,
    "DIR": dir_chart,
    "Distances": distances_chart,
}
"""The error charts, in the order in which they are offered."""


class ConfusionHeatmap(Heatmap):
    """Heat map of how often each of p people (rows) was identified as each person (columns).

    The shares are ``counts`` (p, p) divided by ``searches`` (p,), the searches per person.
    """

    def __init__(self, counts: Numbers, people: tuple[str, ...], searches: Numbers) -> None:
        self.counts, self.searches = counts, searches
        shares = counts / np.maximum(searches, 1)[:, np.newaxis]
        super().__init__(shares, people, counts.astype(str), "of the person’s searches")

    def tooltip(self, axes: Axes, item: int) -> str:
        person, answer = divmod(item, len(self.names))
        times = f"{self.counts[person, answer]} of {self.searches[person]}"
        if person == answer:
            return f"{self.names[person]} recognised: {times}"
        return f"{self.names[person]} taken for {self.names[answer]}: {times}"

    def summary(self, axes: Axes) -> str:
        right, total = int(np.trace(self.counts)), int(self.counts.sum())
        return f"{right} of {total} searches named the right person."


def confusion_chart(_matcher: Matcher, curves: Curves, _other: Curves | None) -> ChartDrawing:
    """Draw the confusion matrix; if there are very many people, only those confused most often."""
    counts = curves.confusion
    if counts is None:
        return ChartDrawing("Photos were compared in pairs, so no gallery was searched.")
    people = most_confused(counts, MOST_PEOPLE)
    names = tuple(curves.people[person] for person in people.tolist())
    cells = ConfusionHeatmap(counts[np.ix_(people, people)], names, counts.sum(axis=1)[people])
    note = f"{len(names)} most often confused" if cells.counts.sum() < counts.sum() else ""
    return ChartDrawing("", [cells], Axis("recognised as"), Axis("person", note))


class ConfusionCard(ChartCard):
    """Card with the confusion matrix, which shows who was mistaken for whom."""

    pair_chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__("Confusion matrix", {"": confusion_chart}, "click for the photos")
        self.chart.picked.connect(self._choose)

    def _choose(self, _line: int, cell: int) -> None:
        counts = None if self._curves is None else self._curves[1].confusion
        if counts is not None:
            people = most_confused(counts, MOST_PEOPLE).tolist()
            who, answer = divmod(cell, len(people))
            self.pair_chosen.emit(people[who], people[answer])


class ChartsHall(Hall):
    """Full-screen view that shows an audience one chart at a time."""

    def __init__(self, drawings: Sequence[tuple[str, ChartDrawing]]) -> None:
        self.chart, self._drawings = PlotView(Axis(), Axis()), drawings
        super().__init__(self.chart, has_steps=True)
        self.turned.connect(lambda by: self._show(self.dots.current + by))
        self.step_chosen.connect(self._show)
        self._show(0)

    def _show(self, number: int) -> None:
        last = len(self._drawings) - 1
        if 0 <= number <= last:
            title, drawing = self._drawings[number]
            self.show_title(title, f"{number + 1} of {last + 1}")
            self.chart.show_marks(drawing.marks, drawing.x, drawing.y)
            self.show_steps(last + 1, number, first=number == 0, last=number == last)


class Results(QWidget):
    """Widget with the results of a run. Clicking a face selects it throughout the window."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.tiles = [FigureTile() for _ in range(4)]
        self.comparison = Banner(tone="accent", dismissible=False)
        self.components = ChartCard("Against k", {"": rank1_chart})
        self.match = ChartCard("Cumulative match (CMC)", {"": cmc_chart}, "click for the photos")
        self.rates = ChartCard("Errors", ERROR_CHARTS)
        self.confusion, self.baselines = ConfusionCard(), BaselinesCard()
        self.mistakes = MistakesCard(session)
        self.match.chart.picked.connect(
            lambda line, at: self.mistakes.show_rank(at + 1) if line == 0 else None
        )
        self.confusion.pair_chosen.connect(self.mistakes.show_pair)
        for card, name in (
            (self.components, "accuracy by k"),
            (self.match, "cmc"),
            (self.rates, "errors"),
            (self.confusion, "confusion"),
        ):
            install_context_menu(card.chart, session, name)
        self._lay_out()

    def show_run(
        self,
        run: Evaluation,
        curves: Curves,
        beside: tuple[Evaluation, Curves] | None = None,
        difference: str = "",
    ) -> None:
        """Show a finished run and, for comparison, a second run and the differences."""
        other, its_curves = beside or (None, None)
        self.comparison.setVisible(bool(difference))
        self.comparison.show_text(difference, "accent")
        for tile, figure in zip(self.tiles, key_figures(run, other), strict=True):
            tile.show_tile(figure)
        self.rates.set_available("DIR", curves.stranger_rates is not None)
        for card in (self.components, self.match, self.rates, self.confusion):
            card.show_curves(run.setting.recipe.matcher, curves, its_curves)
        self.baselines.show_run(run)
        self.mistakes.show_run(run)

    def drawings(self) -> list[tuple[str, ChartDrawing]]:
        """Return the title and drawing of each available chart of the run that is shown."""
        cards = (self.components, self.match, self.rates, self.confusion)
        return [drawing for card in cards for drawing in card.drawings()]

    def _lay_out(self) -> None:
        first, charts, above = (QWidget() for _ in range(3))
        ColumnsLayout((4, 2, 1), 150, first).add(*self.tiles)
        grid = ColumnsLayout((2, 1), LEAST_CHART, charts)
        grid.add(self.components, self.match, self.rates, self.confusion)
        least = 2 * LEAST_CHART + _BASELINES + 24
        SidePanelLayout(_BASELINES, least, above).add(charts, self.baselines)
        in_column(first, self.comparison, above, (self.mistakes, 1), inside=self, spacing=12)
