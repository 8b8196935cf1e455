"""Three hints for the first look at the sample; each can be closed permanently."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from gui.state.settings import Settings
from gui.widgets.boxes import STRETCH, in_row
from gui.widgets.controls import Button
from gui.widgets.words import label

HINTS = {
    "drag-k": "Drag the line: k decides how many components are kept",
    "move-slider": "On Reconstruct, move the slider",
    "drop-photo": "On Recognise, drop a photo",
}


class CoachLines(QFrame):
    """Hints of what to try first, in one line; others appear when one is closed."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.setProperty("role", "banner")
        self.setProperty("tone", "accent")
        self.lines = {hint: self._line(hint, words) for hint, words in HINTS.items()}
        in_row(*self.lines.values(), STRETCH, inside=self, spacing=0, margins=(10, 2, 4, 2))

    def show_for(self, sample: bool) -> None:
        """Show the hints that are not closed yet, on the sample only."""
        self.setVisible(sample and bool(self._open()))
        self._fit()

    def dismiss(self, hint: str) -> None:
        """Close one hint permanently."""
        if not self._settings.hint_dismissed(hint):
            self._settings.dismiss_hint(hint)
            self.show_for(not self.isHidden())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _open(self) -> list[str]:
        return [hint for hint in HINTS if not self._settings.hint_dismissed(hint)]

    def _fit(self) -> None:
        room, still_open = self.width() - 14, self._open()
        for hint, line in self.lines.items():
            first = still_open[:1] == [hint]
            room -= line.sizeHint().width() if hint in still_open else 0
            line.setVisible(first or (hint in still_open and room >= 0))

    def _line(self, hint: str, words: str) -> QWidget:
        line = QWidget()
        hinted = label(words, "caption", tone="accent")
        close = Button("", "cross", name=f"Close the hint “{words}”", role="bare")
        close.clicked.connect(lambda: self.dismiss(hint))
        in_row(hinted, close, inside=line, spacing=4, margins=(0, 0, 10, 0))
        return line
