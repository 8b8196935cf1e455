"""One setting: its title and its control in a line, and below an explanation."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.widgets.boxes import in_column, in_row
from gui.widgets.words import label


class SettingRow(QWidget):
    """A title at the left, its control at the right, an explanation below both."""

    def __init__(self, title: str, explanation: str, *controls: QWidget) -> None:
        super().__init__()
        line = in_row(
            (label(title, "strong", wrap=True), 1),
            *((control, 0, Qt.AlignmentFlag.AlignVCenter) for control in controls),
            spacing=8,
        )
        self.explanation = label(explanation, "caption", wrap=True)
        in_column(line, self.explanation, inside=self, spacing=3)
