"""One setting: its title and its control in a line, and below an explanation."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.widgets.words import label


class SettingRow(QWidget):
    """A title at the left, its control at the right, an explanation below both."""

    def __init__(self, title: str, explanation: str, *controls: QWidget) -> None:
        super().__init__()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(label(title, "strong", wrap=True), 1)
        for control in controls:
            line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self.explanation = label(explanation, "caption", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(line)
        column.addWidget(self.explanation)
