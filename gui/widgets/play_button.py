"""The button that plays: it runs a slider through its places."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QSlider

from gui.widgets.controls import Button


class PlayButton(Button):
    """Moves a slider on and on, from the first place if it is at the last, while it is seen.

    ``following`` returns the next place. The icon, and the text if there is one, say what a press
    does now.
    """

    def __init__(
        self,
        slider: QSlider,
        following: Callable[[int], int],
        *,
        milliseconds: int,
        text: str = "",
        name: str = "",
    ) -> None:
        super().__init__(text, "play", name=name)
        self._slider, self._following = slider, following
        self._clock = QTimer(self, interval=milliseconds)
        self._clock.timeout.connect(self._advance)
        self.clicked.connect(self.toggle)

    @property
    def playing(self) -> bool:
        """Whether the slider is moving."""
        return self._clock.isActive()

    def toggle(self) -> None:
        """Play, or stop."""
        if self.playing:
            self.stop()
            return
        if self._slider.value() == self._slider.maximum():
            self._slider.setValue(self._slider.minimum())
        self._clock.start()
        self._show_state()

    def stop(self) -> None:
        """Stop where it is."""
        self._clock.stop()
        self._show_state()

    def hideEvent(self, event: QHideEvent) -> None:
        self.stop()
        super().hideEvent(event)

    def _advance(self) -> None:
        self._slider.setValue(self._following(self._slider.value()))
        if self._slider.value() == self._slider.maximum():
            self.stop()

    def _show_state(self) -> None:
        if self.text():
            self.setText("Pause" if self.playing else "Play")
        self.set_icon("pause" if self.playing else "play")
