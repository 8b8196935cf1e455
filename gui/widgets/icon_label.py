"""An icon on a page."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel

from gui.style import icons, theme
from gui.style.theme import Tone


class IconLabel(QLabel):
    """An icon of `gui.style.icons` in the colour of a tone, of whichever theme there is."""

    def __init__(self, side: int) -> None:
        """``side``: pixels, before the text scale."""
        super().__init__()
        self._side = side
        self._shown: tuple[str, Tone] | None = None

    def show_icon(self, icon: str, tone: Tone) -> None:
        """Show another icon."""
        self._shown = icon, tone
        self._draw(icon, tone)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._shown is not None:
            self._draw(*self._shown)

    def _draw(self, icon: str, tone: Tone) -> None:
        colour, side = theme.tokens().tone(tone)[0], theme.pixels(self._side)
        self.setPixmap(icons.pixmap(icon, side, colour, self.devicePixelRatioF()))
