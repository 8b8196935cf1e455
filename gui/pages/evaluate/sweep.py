"""A sweep: many settings on the same folds, in one table that can be continued."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QWidget

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
)
from eigenfaces.evaluation.sweep_grid import Grid, Size, left_out
from eigenfaces.recognition.lighting import Lighting
from eigenfaces.space.distances import DISTANCES
from eigenfaces.wording import count, percent
from gui.state.jobs import SWEEP
from gui.state.session import Session
from gui.style import theme
from gui.widgets.cards import Card
from gui.widgets.comparison_bar import LIGHTINGS
from gui.widgets.controls import Button
from gui.widgets.flow import Flow
from gui.widgets.saving import save_in_thread
from gui.widgets.sorted_table import SortedTable, TableLine
from gui.widgets.words import label

_GRID = Grid()
_REDRAWN = 500  # ms between two updates during a sweep
_ACCURACY = 6


class SweepCard(Card):
    """The settings of a sweep and its results; nothing is measured twice."""

    def __init__(self, session: Session, setting: Callable[[], Setting]) -> None:
        super().__init__("Sweep", "many settings on the same folds, rank-1 of each")
        self._session, self._setting = session, setting
        self._known: dict[str, tuple[Cell, ...]] = {}  # by faces and folds
        self._folds = ""
        self._newest: tuple[str, tuple[Cell, ...]] = ("", ())
        self.distances = Choices("Distances", list(DISTANCES), list(_GRID.distances))
        self.lightings = Choices("Lightings", list(LIGHTINGS), list(_GRID.lightings))
        self.components = _field("Numbers of components", _GRID.components)
        self.dropped = _field("Leading components to drop", _GRID.dropped)
        self.sizes = _field("Sizes of the crops in per cent", (100,))
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
            found = sweep(gallery.faces, setting, grid, known=so_far, tick=tick, grown=hear)
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
        distances, lightings = self.distances.chosen(), self.lightings.chosen()
        if not distances or not lightings:
            raise EigenfacesError("Choose at least one distance and one lighting for the sweep.")
        recipe = replace(self._setting().recipe, components=1.0, dropped=0)
        shape = self._session.gallery.faces.shape
        return Grid(
            recipes=(recipe,),
            distances=tuple(distances),
            components=numbers(self.components.text(), 1, "numbers of components"),
            lightings=tuple(_lighting(name) for name in lightings),
            sizes=tuple(
                _size(shape, share) for share in numbers(self.sizes.text(), 1, "sizes", most=100)
            ),
            dropped=numbers(self.dropped.text(), 0, "leading components to drop"),
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

    def _cancelled(self) -> None:
        self._look()
        done = len(self._known.get(self._folds, ()))
        rest = f" {count(done, 'setting')} stay; run it again to go on from there." if done else ""
        self._say(f"The sweep was cancelled.{rest}")

    def _say(self, text: str) -> None:
        self.state.setText(text)
        self.state.show()

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
        for widget in (self.distances, self.lightings):
            flow.addWidget(widget)
        for words, field in (
            ("k", self.components),
            ("dropped", self.dropped),
            ("size, %", self.sizes),
        ):
            flow.addWidget(_labelled(words, field))
        flow.addWidget(self.run)
        flow.addWidget(self.export)
        self.body.addWidget(line)
        self.body.addWidget(self.state)
        self.body.addWidget(self.caution)
        self.body.addWidget(self.table, 1)


class Choices(Button):
    """A button with a list of options that can be ticked."""

    def __init__(self, title: str, options: Sequence[str], ticked: Sequence[str]) -> None:
        super().__init__(title)
        self._title = title
        menu = QMenu(title, self)
        self.ticks = [menu.addAction(option) for option in options]
        for tick in self.ticks:
            tick.setCheckable(True)
            tick.setChecked(tick.text() in ticked)
            tick.toggled.connect(lambda _on: self._fit())
        self.setMenu(menu)
        self._fit()

    def chosen(self) -> list[str]:
        """Return the options ticked."""
        return [tick.text() for tick in self.ticks if tick.isChecked()]

    def _fit(self) -> None:
        self.setText(f"{self._title}: {len(self.chosen())}")
        self.setToolTip(", ".join(self.chosen()))


def numbers(text: str, least: int, what: str, most: int = 100_000) -> tuple[int, ...]:
    """Return the whole numbers in a text, separated by commas or spaces; refuse other text."""
    try:
        found = tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        found = ()
    if not found or min(found) < least or max(found) > most:
        raise EigenfacesError(
            f"Give the {what} as whole numbers of at least {least}, with commas between them."
        )
    return found


def _size(shape: Size, share: int) -> Size | None:
    if share == 100:
        return None
    return max(1, round(shape[0] * share / 100)), max(1, round(shape[1] * share / 100))


def _lighting(name: str) -> Lighting:
    return next(each for each in LIGHTINGS if each == name)


def _field(name: str, values: Sequence[int]) -> QLineEdit:
    field = QLineEdit(", ".join(map(str, values)))
    field.setAccessibleName(name)
    field.setToolTip(f"{name}, with commas between them")
    width = field.fontMetrics().horizontalAdvance(field.text()) + 34
    field.setFixedWidth(max(theme.pixels(78), min(width, theme.pixels(250))))
    field.setCursorPosition(0)
    return field


def _labelled(words: str, field: QLineEdit) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(5)
    row.addWidget(label(words, "caption"))
    row.addWidget(field)
    return holder


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
