"""Three cards: the curve of one photo, those of the whole gallery, and nine in ten as a table."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QStackedWidget, QWidget

from eigenfaces.laboratory.breaking.bench import PhotoCurve
from eigenfaces.laboratory.breaking.disturbances import DISTURBANCES, Disturbance
from eigenfaces.laboratory.breaking.withstanding import RecipeLine, Withstood
from eigenfaces.wording import capital
from gui.charts import Line, LineChart
from gui.pages.recognise.bench.running import Withstanding
from gui.widgets.boxes import STRETCH, in_column
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton
from gui.widgets.live_text import LiveText
from gui.widgets.popups import Choice
from gui.widgets.words import label

_GROWS, _GIVES = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored
_CHART = 170  # px, the least height
_TWO_LINES = (
    "It passes the mark at about +25° and −15°; somebody else is nearer from about +35° and −35° "
    "on; no face is found from about +38° on."
)
_HOW = (
    "How much does each recipe stand? A fifth of everybody’s photos is held out, disturbed, and "
    "searched for among the others: as they are, and with every face found and cut anew."
)
_ABOVE = 1.06  # of the greatest distance: the end of the axis


class PhotoCard(Card):
    """Distances of this photo over the strength of the slider that was moved last."""

    strength_chosen = Signal(object, float)

    def __init__(self) -> None:
        super().__init__("This photo", "dashed grey: the mark")
        self.chart = LineChart("turn", "distance in face space")
        self.chart.set_percent(False, False)
        self.chart.setMinimumHeight(_CHART)
        self.chart.setSizePolicy(_GROWS, _GIVES)
        self.chart.point_clicked.connect(self._choose)
        self.words = LiveText(_TWO_LINES, "Where the verdict changes")
        self.body.addWidget(self.chart, 1)
        self.body.addWidget(self.words)
        self.curve: PhotoCurve | None = None

    def show_curve(self, curve: PhotoCurve, note: str = "") -> None:
        """Show another curve, and a note on it."""
        self.curve, along, x = curve, curve.along, curve.strengths
        self.set_title(f"This photo, {along.done}")
        mark = "" if curve.limit is None else "dashed grey: the mark"
        self.set_note(note or mark)
        self.chart.set_titles(axis_title(along), "distance")
        seen = [each[np.isfinite(each)] for each in (curve.own, curve.other)]
        values = np.concatenate([*seen, [curve.limit or 0.0, 0.0]])
        low, high = float(values.min()), _ABOVE * float(values.max())
        self.chart.set_range((float(x[0]), float(x[-1])), (low, high if high > low else low + 1))
        lines = [
            Line(f"to {curve.person}", x, curve.own),
            Line("to the nearest other", x, curve.other),
        ]
        if curve.limit is not None:
            lines.append(Line("the mark", x[[0, -1]], np.full(2, curve.limit), faint=True))
        self.chart.show_lines(lines)
        self.words.set_text(curve.sentence)

    def mark(self, along: Disturbance, strength: float) -> None:
        """Put the mark where the slider stands, if the curve is that of this slider."""
        if self.curve is not None and self.curve.along is along:
            self.chart.set_mark(strength, along.words(strength))

    def _choose(self, line: int, point: int) -> None:
        if self.curve is not None:
            along = self.curve.along
            strength = along.rounded(float(self.chart.lines()[line].x[point]))
            self.strength_chosen.emit(along, strength)


class WholeCard(Card):
    """How many held-out photos are named rightly over the strength, by recipe."""

    def __init__(self, withstanding: Withstanding) -> None:
        super().__init__("The whole gallery")
        self._from = withstanding
        self.choice = Choice()
        self.choice.setAccessibleName("Disturbance of the whole gallery")
        self.choice.view().setAccessibleName("Disturbances")
        for name, each in DISTURBANCES.items():
            self.choice.addItem(each.label, name)
        self.choice.currentIndexChanged.connect(lambda _: self.refresh())
        self.add_to_heading(self.choice)
        self.chart = LineChart("turn", "named rightly", markers=True)
        self.chart.set_percent(False, True)
        self.chart.setMinimumHeight(_CHART)
        self.chart.setSizePolicy(_GROWS, _GIVES)
        self.words = LiveText(_TWO_LINES, "What aligning is worth")
        self.why, self.measure = label("", "secondary", wrap=True), Button("Measure", "evaluate")
        self.why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.measure.clicked.connect(lambda: withstanding.measure([self.name]))
        self._recipe, self._aligned, self._strength = "", False, 0.0
        self._stack = QStackedWidget()
        self._stack.addWidget(self._asking())
        self._stack.addWidget(self._drawing())
        self._stack.setSizePolicy(_GROWS, _GIVES)
        self._stack.setMinimumHeight(_CHART)
        self.body.addWidget(self._stack, 1)

    @property
    def name(self) -> str:
        """The disturbance that is chosen."""
        return str(self.choice.currentData())

    def follow(self, along: Disturbance) -> None:
        """Show the disturbance whose slider was moved."""
        self.choice.setCurrentIndex(self.choice.findData(along.name))

    def show_recipe(self, recipe: str, *, aligned: bool) -> None:
        """Set the recipe in use, whose interval is drawn, and how the others are seen."""
        self._recipe, self._aligned = recipe, aligned
        self.refresh()

    def refresh(self) -> None:
        """Show what is measured, or offer to measure it."""
        found = self._from.found.get(self.name)
        self._stack.setCurrentIndex(int(found is not None))
        if found is None:
            self._show_asking()
            return
        self.set_title(f"All {int(found.lines[0].of.sum())} held-out photos")
        self.chart.set_titles(f"{found.along.done} by ({found.along.unit})", "named rightly")
        tried = np.array(found.along.tried, float)
        self.chart.set_range((0.0, float(tried[-1])), (0.0, 1.0))
        own = next((each for each in self._shown(found) if each.recipe == self._recipe), None)
        self.chart.show_lines(
            [
                Line(each.name, tried, each.shares, *each.limits, band=each is own)
                for each in self._shown(found)
            ]
        )
        self.words.set_text(
            f"Band: 95 % interval of {own.name if own else '–'}. {found.sentence(self._recipe)}"
        )
        self._put_mark(found.along)

    def mark(self, along: Disturbance, strength: float) -> None:
        """Put the mark where the slider stands, if this is about its disturbance."""
        if along.name == self.name:
            self._strength = abs(strength - along.neutral)
            self._put_mark(along)

    def _put_mark(self, along: Disturbance) -> None:
        self.chart.set_mark(self._strength, along.away_words(self._strength))

    def _shown(self, found: Withstood) -> list[RecipeLine]:
        """Return the recipes as is asked for, and that in use the other way too."""
        lines = [each for each in found.lines if each.aligned == self._aligned]
        lines = lines or list(found.lines)
        other = found.line(self._recipe, aligned=not self._aligned)
        return lines if other is None or other in lines else [*lines, other]

    def _show_asking(self) -> None:
        self.set_title("The whole gallery")
        along, queue = DISTURBANCES[self.name], self._from.measuring
        self._strength = 0.0
        self.measure.setText(f"Measure: {along.label}")
        self.measure.setVisible(self.name not in queue)
        if self.name in queue:
            wait = "being measured" if queue[0] == self.name else "measured after the others"
            self.why.setText(f"“{along.label}” is {wait}. It can be cancelled below.")
        else:
            self.why.setText(f"{self._from.stopped} {_HOW}".strip())

    def _asking(self) -> QWidget:
        panel = QWidget()
        in_column(
            STRETCH,
            self.why,
            (self.measure, 0, Qt.AlignmentFlag.AlignHCenter),
            STRETCH,
            inside=panel,
            spacing=12,
            margins=(24, 0, 24, 0),
        )
        return panel

    def _drawing(self) -> QWidget:
        panel = QWidget()
        in_column((self.chart, 1), self.words, inside=panel, spacing=8)
        return panel


class NineInTenCard(Card):
    """Up to which strength nine in ten are right: by recipe, as they are and aligned."""

    def __init__(self, withstanding: Withstanding) -> None:
        super().__init__("Still nine in ten right up to", " ")
        self._from = withstanding
        self.all = LinkButton("Measure all", "evaluate")
        self.all.clicked.connect(lambda: withstanding.measure(list(DISTURBANCES)))
        self.add_to_heading(self.all)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(1)
        self._made: tuple[object, ...] = ()
        self._recipes: tuple[str, ...] = ()
        self._in_use, self._columns = "", len(DISTURBANCES)
        self._labels: list[QLabel] = []
        self.cells: dict[tuple[str, str, bool], QLabel] = {}
        self.body.addLayout(self._grid)
        self.body.addStretch(1)

    def show_recipes(self, recipes: tuple[str, ...], in_use: str) -> None:
        """Show what is measured so far."""
        self._recipes, self._in_use = recipes, in_use
        if (recipes, in_use, self._columns) != self._made:
            self._made = recipes, in_use, self._columns
            self._make()
        found = self._from.found
        self.all.setVisible(len(found) < len(DISTURBANCES))
        self.all.setEnabled(not self._from.measuring)
        words = next((each.words for each in found.values()), "")
        self.set_note(f"{words}; aligned: both" if words else "nothing is measured yet")
        for (recipe, name, aligned), cell in self.cells.items():
            each = found.get(name)
            text = "·" if each is None else each.nine_in_ten_words(recipe, aligned=aligned)
            cell.setText(text)

    def set_columns(self, columns: int) -> None:
        """Set how many disturbances stand side by side; the others stand below."""
        if columns != self._columns:
            self._columns = columns
            if self._made:
                self.show_recipes(self._recipes, self._in_use)

    def _make(self) -> None:
        for old in self._labels:
            old.deleteLater()
        self._labels, self.cells = [], {}
        for column in range(len(DISTURBANCES) + 1):
            self._grid.setColumnStretch(column, int(column <= self._columns))
        rows = [(name, aligned) for name in self._recipes for aligned in (False, True)]
        for number, (name, each) in enumerate(DISTURBANCES.items()):
            block, column = divmod(number, self._columns)
            top = block * (len(rows) + 1)
            if not column:
                for at, (recipe, aligned) in enumerate(rows, 1):
                    words = "   aligned" if aligned else recipe
                    self._put(words, "caption" if aligned else "", top + at, 0)
            self._put(_short(each), "caption", top, column + 1).setToolTip(each.about)
            for at, (recipe, aligned) in enumerate(rows, 1):
                strong = "strong" if recipe == self._in_use else ""
                cell = self._put("·", "caption" if aligned else strong, top + at, column + 1)
                self.cells[recipe, name, aligned] = cell

    def _put(self, text: str, role: str, row: int, column: int) -> QLabel:
        made = label(text, role)
        self._labels.append(made)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(made, row, column, side)
        return made


def axis_title(of: Disturbance) -> str:
    """Return what stands below an axis of its strengths."""
    return f"{of.label[:1].lower()}{of.label[1:]} ({of.unit})"


def _short(of: Disturbance) -> str:
    return capital(of.label.removeprefix("Move ").partition(" from ")[0])
