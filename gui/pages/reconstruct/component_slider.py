"""The control of k: slider, spin box and Play, always with the same value."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from gui.style import theme
from gui.widgets.controls import Button, Slider
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
        self.play = Button("Play", "play")
        self.play.setMinimumWidth(theme.pixels(88))
        self.play.setToolTip("Add component after component (Space)")
        self.play.clicked.connect(self.toggle)
        self._clock = QTimer(self, interval=_FRAME)
        self._clock.timeout.connect(self._advance)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(label("Components"))
        row.addWidget(self.slider, 1)
        row.addWidget(self.spin)
        row.addWidget(self.play)

    @property
    def k(self) -> int:
        """The number of components."""
        return self.slider.value()

    @property
    def playing(self) -> bool:
        """Whether the animation is running."""
        return self._clock.isActive()

    def set_k(self, k: int) -> None:
        self.slider.setValue(k)

    def set_most(self, most: int) -> None:
        """Set the largest k, and reduce a larger k to it."""
        for part in (self.slider, self.spin):
            part.setRange(0, most)

    def toggle(self) -> None:
        """Start the animation, from 0 if all components are in, or stop it."""
        if self.playing:
            self.stop()
            return
        if self.k >= self.slider.maximum():
            self.set_k(0)
        self._clock.start()
        self._report_change()

    def stop(self) -> None:
        self._clock.stop()
        self._report_change()

    def hideEvent(self, event: QHideEvent) -> None:
        self.stop()
        super().hideEvent(event)

    def _moved(self, k: int) -> None:
        self.spin.blockSignals(True)
        self.spin.setValue(k)
        self.spin.blockSignals(False)
        self.changed.emit()

    def _advance(self) -> None:
        self.set_k(max(self.k + 1, round(self.k * _GROWTH)))
        if self.k >= self.slider.maximum():
            self.stop()

    def _report_change(self) -> None:
        self.play.setText("Pause" if self.playing else "Play")
        self.play.set_icon("pause" if self.playing else "play")
