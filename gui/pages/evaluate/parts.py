"""The parts of the page round the result: which run is shown, what was refused, what to note."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.leaks import LeakError
from gui.pages.evaluate.running import Run
from gui.pages.evaluate.words import run_line
from gui.widgets.cards import Banner, Card
from gui.widgets.controls import Button
from gui.widgets.flow import Columns
from gui.widgets.popups import Choice
from gui.widgets.words import label

_LEAKS_SHOWN = 8


class RunsBar(QWidget):
    """The runs that are kept: which is shown, which stands beside it; one can be forgotten."""

    shown = Signal(int)
    compared = Signal(object)
    forgotten = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[Run] = []
        self._others: list[int] = []
        self.choice, self.other = _run_box("Run that is shown"), _run_box("Compare with")
        self.forget = Button("", "trash", name="Forget this run", role="bare")
        self.choice.activated.connect(lambda at: self.shown.emit(self._runs[at][0]))
        self.other.activated.connect(self._compare)
        self.forget.clicked.connect(self.forgotten)
        halves = Columns((2, 1), 330, self)
        first, self._second = _row("Run", self.choice, self.forget), _row("beside it", self.other)
        halves.addWidget(first)
        halves.addWidget(self._second)

    def show_runs(self, runs: Sequence[Run], shown: int | None, other: int | None) -> None:
        """Show the runs there are, the one that is shown, and the one beside it."""
        self.setVisible(bool(runs))
        blocked = [QSignalBlocker(self.choice), QSignalBlocker(self.other)]
        if list(runs) != self._runs:
            self._runs = list(runs)
            self.choice.clear()
            for _, made, name in runs:
                self.choice.addItem(run_line(made, name))
        numbers = [run[0] for run in runs]
        self.choice.setCurrentIndex(numbers.index(shown) if shown in numbers else -1)
        self.choice.setToolTip(self.choice.currentText())
        self._others = [number for number in numbers if number != shown]
        self.other.clear()
        self.other.addItem("Compare with another run…")
        for number, made, name in runs:
            if number != shown:
                self.other.addItem(run_line(made, name))
        self.other.setCurrentIndex(1 + self._others.index(other) if other in self._others else 0)
        self.other.setToolTip(self.other.currentText())
        self._second.setVisible(bool(self._others) and shown is not None)
        self.forget.setEnabled(shown is not None)
        del blocked

    def _compare(self, at: int) -> None:
        self.compared.emit(self._others[at - 1] if at else None)


def _run_box(name: str) -> QComboBox:
    box = Choice()
    box.setAccessibleName(name)
    box.view().setAccessibleName(f"{name}, list")
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(12)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return box


def _row(words: str, *widgets: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(label(words, "caption"))
    for widget in widgets:
        row.addWidget(widget, int(isinstance(widget, QComboBox)))
    return holder


class RefusalCard(Card):
    """Why a run could not be had, in words; one that leaks can be run all the same."""

    anyway = Signal()
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__("This cannot be evaluated")
        self.set_tone("bad")
        self.words = label("", wrap=True)
        self.names = label("", "secondary", wrap=True)
        self.run = Button("Run anyway")
        self.close_it = Button("Close")
        self.run.clicked.connect(self.anyway)
        self.close_it.clicked.connect(self.dismissed)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.run)
        buttons.addWidget(self.close_it)
        buttons.addStretch(1)
        self.body.addWidget(self.words)
        self.body.addWidget(self.names)
        self.body.addLayout(buttons)

    def show_error(self, error: EigenfacesError | None) -> None:
        """Show what was refused, or nothing."""
        self.setVisible(error is not None)
        if error is None:
            return
        leaks = error.leaks if isinstance(error, LeakError) else ()
        self.run.setVisible(bool(leaks))
        self.names.setVisible(bool(leaks))
        self.set_tone("warn" if leaks else "bad")
        if not leaks:
            self.set_title("This cannot be evaluated")
            self.words.setText(str(error))
            return
        self.set_title("This split leaks")
        self.words.setText(
            "What is searched for is known already, so the figures would be too good. Exclude such "
            "photos on People, or run it anyway: the result will say so."
        )
        shown = [leak.sentence for leak in leaks[:_LEAKS_SHOWN]]
        more = len(leaks) - len(shown)
        self.names.setText("\n".join([*shown, *([f"And {more:,} more."] if more > 0 else [])]))


class Notices(QWidget):
    """Amber lines above a result: what it leaked, and what has changed since."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.lines: list[Banner] = []

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show these and no others."""
        while len(self.lines) < len(texts):
            banner = Banner(dismissible=False)
            self.lines.append(banner)
            self._column.addWidget(banner)
        for at, banner in enumerate(self.lines):
            banner.setVisible(at < len(texts))
            if at < len(texts):
                banner.show_text(texts[at], "warn")
        self.setVisible(bool(texts))

    def texts(self) -> list[str]:
        """Give what is shown."""
        return [banner.text.text() for banner in self.lines if not banner.isHidden()]
