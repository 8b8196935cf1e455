"""The control of k: slider, spin box and Play, always with the same value."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSpinBox, QWidget

from gui.style import theme
from gui.widgets.boxes import in_row
from gui.widgets.controls import Slider
from gui.widgets.play_button import PlayButton
from gui.widgets.words import label

_FRAME = 70  # ms between two steps of the animation
_GROWTH = 1.06  # early components change more than late ones: k grows by a share of itself


class ComponentSlider(QWidget):
    """Chooses the number of components; emits ``changed`` when it changes."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.slider = Slider("Number of components k")
        self.slider.valueChanged.connect(self._moved)
        self.spin = QSpinBox()
        self.spin.setAccessibleName("Number of components k, as a number")
        self.spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.spin.setMinimumWidth(theme.pixels(84))
        self.spin.valueChanged.connect(self.slider.setValue)
        self.play = PlayButton(self.slider, _next, milliseconds=_FRAME, text="Play")
        self.play.setMinimumWidth(theme.pixels(88))
        self.play.setToolTip("Add component after component (Space)")
        in_row(label("Components"), (self.slider, 1), self.spin, self.play, inside=self, spacing=12)

    @property
    def k(self) -> int:
        """The number of components."""
        return self.slider.value()

    def set_k(self, k: int) -> None:
        self.slider.setValue(k)

    def set_most(self, most: int) -> None:
        """Set the largest k, and reduce a larger k to it."""
        for part in (self.slider, self.spin):
            part.setRange(0, most)

    def _moved(self, k: int) -> None:
        self.spin.blockSignals(True)
        self.spin.setValue(k)
        self.spin.blockSignals(False)
        self.changed.emit()


def _next(k: int) -> int:
    return max(k + 1, round(k * _GROWTH))
