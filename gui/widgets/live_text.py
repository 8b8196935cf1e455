"""Words that change at every step of a slider."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style import theme
from gui.widgets.words import label


class LiveText(QWidget):
    """Words that change at every step: they have the room of the longest, whatever they are.

    A label of a fixed size asks for no new layout, which would take longer than all the rest.
    """

    def __init__(self, longest: str, name: str) -> None:
        super().__init__()
        self._longest = longest
        self.words = label("", "caption", wrap=True)
        self.words.setParent(self)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.words.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_text(self, text: str) -> None:
        """Show other words."""
        self.words.setText(text)
        self.words.setToolTip(text)

    def sizeHint(self) -> QSize:
        # As wide as it is now: a card that does not ask for heights by width has room, too.
        return QSize(theme.pixels(60), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def heightForWidth(self, width: int) -> int:
        return _height(self._longest, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.words.setFixedSize(self.size())
        if event.oldSize().width() != self.width():
            self.updateGeometry()


@lru_cache(maxsize=64)
def _height(words: str, width: int) -> int:
    """Return how high words are; a layout asks again and again."""
    metrics, room = QFontMetrics(theme.font(theme.CAPTION)), QRect(0, 0, width, 10_000)
    return metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, words).height() + 2
