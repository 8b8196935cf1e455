"""The bar of kept runs: which one is shown, and which is compared with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from eigenfaces.text import when
from gui.pages.evaluate.running import Run
from gui.widgets.controls import Button
from gui.widgets.flow import Columns
from gui.widgets.popups import Choice
from gui.widgets.words import captioned


class RunsBar(QWidget):
    """Chooses the kept run to show and the one to compare with it; deletes a run."""

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
        self._second = captioned("beside it", self.other)
        Columns((2, 1), 330, self).add(captioned("Run", self.choice, self.forget), self._second)

    def show_runs(self, runs: Sequence[Run], shown: int | None, other: int | None) -> None:
        """Show the kept runs, the one that is shown, and the one compared with it."""
        self.setVisible(bool(runs))
        blocked = [QSignalBlocker(self.choice), QSignalBlocker(self.other)]
        if list(runs) != self._runs:
            self._runs = list(runs)
            self.choice.clear()
            for _, made, name in runs:
                self.choice.addItem(f"{name} · {when(made)}")
        numbers = [run[0] for run in runs]
        self.choice.setCurrentIndex(numbers.index(shown) if shown in numbers else -1)
        self.choice.setToolTip(self.choice.currentText())
        self._others = [number for number in numbers if number != shown]
        self.other.clear()
        self.other.addItem("Compare with another run…")
        for number, made, name in runs:
            if number != shown:
                self.other.addItem(f"{name} · {when(made)}")
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
