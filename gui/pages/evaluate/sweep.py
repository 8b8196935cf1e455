"""A sweep: many settings on the same folds, in one table that can be continued."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.evaluation.evaluate import make_split
from eigenfaces.evaluation.results import Setting
from eigenfaces.evaluation.sweep import (
    OPTIMISTIC,
    Cell,
    folds_words,
    most_components,
    sweep,
    to_csv,
    workers_for_sweep,
)
from eigenfaces.evaluation.sweep_grid import COUNTS, Grid, Size, left_out
from eigenfaces.recognition.matcher import COMPONENTS, DISTANCE, DROPPED
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.wording import Field, OneOf, Whole, capital, count, percent
from gui.state.jobs import SWEEP
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import add_parts
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.flow import Flow
from gui.widgets.saving import save_in_thread
from gui.widgets.sorted_table import SortedTable, TableLine
from gui.widgets.words import captioned, label

_GRID = Grid()
_SIZES = Whole(
    name="size",
    label="Sizes of the crops in per cent",
    about="Sizes of the crops in per cent",
    least=1,
    most=100,
    refusal="Give the sizes in per cent as whole numbers of 1 to 100, with commas between them.",
)
AS_SET = "As in the recipe above."
_REDRAWN = 500  # ms between two updates during a sweep
_ACCURACY = 6


class SweepCard(Card):
    """The settings of a sweep and its results; nothing is measured twice.

    ``grew``: something new is shown, below what was there.
    """

    grew = Signal()

    def __init__(self, session: Session, setting: Callable[[], Setting]) -> None:
        super().__init__("Sweep", "many settings on the same folds, rank-1 of each")
        self._session, self._setting = session, setting
        self._known: dict[str, tuple[Cell, ...]] = {}  # by faces and folds
        self._folds = ""
        self._newest: tuple[str, tuple[Cell, ...]] = ("", ())
        self.rows = {each.name: _row(each) for each in Recipe().fields}
        self.sizes = NumbersField(_SIZES, (100,))
        self.run = Button("Run the sweep", "play")
        self.run.clicked.connect(self.start)
        self.export = Button("Export CSV…", "export")
        self.export.clicked.connect(self._export)
        self.state = label("", "caption", wrap=True)
        self.table = SortedTable(
            "Sweep",
            ("Distance", "k", "Dropped", "Lighting", "Size", "Recipe", "Rank-1", "95 %"),
            5,
            frozenset({1, 2, 6}),
        )
        self.table.setMinimumHeight(theme.pixels(220))
        for column, wide in ((0, 150), (1, 62), (2, 86), (3, 120), (4, 96), (6, 92), (7, 124)):
            self.table.set_width(column, wide)
        self.caution = label(OPTIMISTIC, "caption", wrap=True)
        for widget in (self.table, self.caution, self.export, self.state):
            widget.hide()
        self._timer = QTimer(self, interval=_REDRAWN)
        self._timer.timeout.connect(self._look)
        session.jobs.changed.connect(self._fit)
        self._lay_out()

    def start(self) -> None:
        """Measure the settings that have no result yet; if a sweep runs, stop it."""
        jobs, gallery = self._session.jobs, self._session.gallery
        if jobs.is_busy(SWEEP):
            jobs.cancel(SWEEP)
            return
        try:
            setting, grid = self._setting(), self.grid()
        except EigenfacesError as error:
            self._say(str(error))
            return
        known, project = dict(self._known), self._session.project

        def work(tick: Tick) -> tuple[str, tuple[Cell, ...], str]:
            split = make_split(gallery.faces, setting)
            folds = folds_words(split, setting.protocol)
            so_far = known.get(folds, ())

            def hear(cells: Sequence[Cell]) -> None:  # in the job's thread: only store it
                self._newest = folds, tuple(cells)

            hear(so_far)
            with workers_for_sweep(gallery.faces, setting, grid) as executor:
                asked = partial(sweep, known=so_far, tick=tick, grown=hear, executor=executor)
                found = asked(gallery.faces, setting, grid)
            return folds, tuple(found), " ".join(left_out(grid, most_components(split)))

        def done(result: tuple[str, tuple[Cell, ...], str]) -> None:
            folds, cells, without = result
            self._newest = folds, cells
            if self._session.project is project:
                self._look()
                measured = f"{count(len(cells), 'setting')} measured: {setting.protocol.words()}."
                self._say(f"{measured} {without}".strip())

        self._newest = ("", ())
        jobs.start(
            SWEEP,
            "Sweep",
            work,
            done,
            failed=lambda e: self._say(str(e)),
            cancelled=self._cancelled,
        )
        self._session.explain_wait(SWEEP)
        if self.isVisible():
            self._timer.start()

    def grid(self) -> Grid:
        """Return the settings chosen; raise `EigenfacesError` if there are none."""
        recipe = self._setting().recipe
        chosen: dict[str, Any] = {name: row.chosen() for name, row in self.rows.items()}
        own = ("distance", "components", "dropped")
        if not chosen["distance"] or not chosen["components"]:
            raise EigenfacesError("Choose at least one distance and one k for the sweep.")
        shape = self._session.gallery.faces.shape
        return Grid(
            recipes=(recipe.changed(components=1.0, dropped=0),),
            distances=chosen["distance"],
            components=chosen["components"],
            sizes=tuple(_size(shape, share) for share in self.sizes.chosen()),
            dropped=chosen["dropped"] or (recipe.matcher.dropped,),
            settings={name: some for name, some in chosen.items() if some and name not in own},
        )

    def lines(self) -> list[str]:
        """Return the lines of the table."""
        return self.table.keys()

    def _look(self) -> None:
        """Show the results so far."""
        folds, cells = self._newest
        if not self._session.jobs.is_busy(SWEEP):
            self._timer.stop()
        if not cells or (folds == self._folds and cells == self._known.get(folds)):
            return
        self._known[folds], self._folds = cells, folds
        first = self.table.isHidden()
        for widget in (self.table, self.caution, self.export):
            widget.show()
        self.table.show_lines([_line(at, cell) for at, cell in enumerate(cells)])
        if first:
            self.table.sort_by(_ACCURACY, down=True)
            self.grew.emit()

    def _cancelled(self) -> None:
        self._look()
        done = len(self._known.get(self._folds, ()))
        rest = f" {count(done, 'setting')} stay; run it again to go on from there." if done else ""
        self._say(f"The sweep was cancelled.{rest}")

    def _say(self, text: str) -> None:
        self.state.setText(text)
        self.state.show()
        self.grew.emit()

    def _fit(self) -> None:
        busy = self._session.jobs.is_busy(SWEEP)
        self.run.setText("Cancel the sweep" if busy else "Run the sweep")
        self.run.set_icon("cross" if busy else "play")
        if not busy:
            self._timer.stop()

    def _export(self) -> None:
        folds, cells = self._folds, self._known.get(self._folds, ())

        def write(path: Path) -> None:
            path.write_text(to_csv(cells, folds), encoding="utf-8", newline="")

        save_in_thread(self._session, self, "sweep.csv", write)

    def _lay_out(self) -> None:
        line = QWidget()
        flow = Flow(line)
        for name, row in (*self.rows.items(), ("size, %", self.sizes)):
            words = "k" if name == COMPONENTS.name else name
            flow.addWidget(captioned(words, row) if isinstance(row, NumbersField) else row)
        flow.addWidget(self.run)
        flow.addWidget(self.export)
        add_parts(self.body, line, self.state, self.caution, (self.table, 1))


class Choices(Button):
    """A button with a list of choices that can be ticked; without any, it is as in the recipe."""

    def __init__(self, field: OneOf, ticked: Sequence[str]) -> None:
        super().__init__(field.label)
        self._title = capital(field.name)
        menu = QMenu(field.label, self)
        self.ticks = [menu.addAction(name) for name in field.choices]
        for tick in self.ticks:
            tick.setCheckable(True)
            tick.setChecked(tick.text() in ticked)
            tick.setToolTip(field.choices[tick.text()])
            tick.toggled.connect(lambda _on: self._fit())
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self._fit()

    def chosen(self) -> tuple[str, ...]:
        """Return the choices ticked."""
        return tuple(tick.text() for tick in self.ticks if tick.isChecked())

    def _fit(self) -> None:
        chosen = self.chosen()
        self.setText(f"{self._title}: {len(chosen) or 'as set'}")
        self.setToolTip(", ".join(chosen) or AS_SET)


class NumbersField(QLineEdit):
    """Numbers with commas between them; without any, it is as in the recipe."""

    def __init__(self, field: Field, values: Sequence[int]) -> None:
        super().__init__(", ".join(map(str, values)))
        self._field = field
        self.setAccessibleName(field.label)
        self.setPlaceholderText("as set")
        how = f": {field.how}" if field.how else ""
        self.setToolTip(f"{field.label}{how}, with commas between them")
        width = self.fontMetrics().horizontalAdvance(self.text()) + 34
        self.setFixedWidth(max(theme.pixels(78), min(width, theme.pixels(250))))
        self.setCursorPosition(0)

    def chosen(self) -> tuple[Any, ...]:
        """Return the numbers; refuse other text."""
        return tuple(map(self._field.read, self.text().replace(",", " ").split()))


def _row(field: Field) -> Choices | NumbersField:
    """Return a row that begins with what the grid has; else as in the recipe."""
    if isinstance(field, OneOf):
        return Choices(field, _GRID.distances if field is DISTANCE else ())
    if field is COMPONENTS:
        return NumbersField(COUNTS, _GRID.components)
    return NumbersField(field, _GRID.dropped if field is DROPPED else ())


def _size(shape: Size, share: int) -> Size | None:
    if share == 100:
        return None
    return max(1, round(shape[0] * share / 100)), max(1, round(shape[1] * share / 100))


def _line(at: int, cell: Cell) -> TableLine:
    size = f"{cell.width} × {cell.height}"
    limits = f"{100 * cell.low:.1f} to {100 * cell.high:.1f} %"
    words = (
        cell.distance,
        str(cell.components),
        str(cell.dropped),
        cell.lighting,
        size,
        cell.recipe,
        percent(cell.accuracy),
        limits,
    )
    order = (
        cell.distance,
        float(cell.components),
        float(cell.dropped),
        cell.lighting,
        float(cell.width * cell.height),
        cell.recipe,
        cell.accuracy,
        cell.low,
    )
    return TableLine(str(at), words, order)
