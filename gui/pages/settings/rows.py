"""One setting: what it is and its control in a line, and below what it does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QHBoxLayout, QVBoxLayout, QWidget

from gui.widgets.words import label


class SettingRow(QWidget):
    """Title at the left, control at the right, one explanatory line below both."""

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


def name_spin_box(box: QAbstractSpinBox, name: str) -> None:
    """Give a spin box, and the field inside it, a name to be read aloud."""
    box.setAccessibleName(name)
    box.lineEdit().setAccessibleName(name)
    box.setKeyboardTracking(False)  # a number counts once it is typed to its end
