"""Widgets for text on a page: labels, chips and rows of facts."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QSizePolicy, QWidget

from eigenfaces.text import with_no_break_spaces
from ..style import icons, theme
from ..style.theme import Tone
from .box_layouts import in_row

Elide = Qt.TextElideMode
_LONG_WORD = re.compile(r"\S{25,}")
_BREAK = "\u200b"  # zero width; a line may break there


def label(text: str = "", role: str = "", *, wrap: bool = False, tone: str = "") -> QLabel:
    """Return a label with one of the roles from the style sheet.

    The roles are title, heading, figure, strong, secondary, caption, small, section and code.
    """
    made = _Wrapped() if wrap else QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)  # names of files and people may look like mark-up
    made.setText(text)
    made.setProperty("role", role)
    made.setProperty("tone", tone)
    return made


def captioned(words: str, *fields: QWidget) -> QWidget:
    """Return a caption followed by a row of fields; drop-downs take the remaining width."""
    holder = QWidget()
    shared = ((field, int(isinstance(field, QComboBox))) for field in fields)
    in_row(label(words, "caption"), *shared, inside=holder, spacing=6)
    return holder


class _Wrapped(QLabel):
    """Label that wraps its text and breaks very long words, so that the page need not scroll.

    Names of people and files can be very long. Text that the user can copy is left unchanged.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self._whole = ""

    def text(self) -> str:
        return self._whole

    def setText(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        copied = self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        broken = _LONG_WORD.sub(lambda match: _BREAK.join(match[0]), with_no_break_spaces(text))
        super().setText(text if copied else broken)


def set_tone(widget: QWidget, tone: str) -> None:
    """Set the tone of a widget and reapply the style sheet to it."""
    if set_style_property(widget, "tone", tone):
        widget.updateGeometry()


def set_style_property(widget: QWidget, name: str, value: str | bool) -> bool:
    """Set a style sheet property of a widget and return whether it changed."""
    if widget.property(name) == value:
        return False
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    return True


class Chip(QLabel):
    """Pill-shaped label for a short fact, as wide as its text in any layout."""

    def __init__(self, text: str, tone: Tone = "neutral") -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "chip")
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_tone(self, tone: Tone) -> None:
        set_tone(self, tone)


class ElidedLabel(QLabel):
    """Label that shortens long text with an ellipsis and shows the full text in its tooltip.

    If a ``name`` is given, the text can be copied, and screen readers read the name first.
    """

    def __init__(
        self, text: str = "", role: str = "", mode: Elide = Elide.ElideMiddle, name: str = ""
    ) -> None:
        super().__init__()
        self.full_text, self.mode = "", mode  # the whole text, even if it is cut on the screen
        self._name = name
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if name:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            copy = QAction("Copy", self)  # the built-in menu would copy the cut text
            copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(self.full_text))
            self.addAction(copy)
            self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.set_full_text(text)

    def set_full_text(self, text: str) -> None:
        if text != self.full_text:
            self.full_text = text
            self.setAccessibleName(f"{self._name}: {text}" if self._name else text)
            self._fit()
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.full_text) + 4, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        wish = self.sizeHint()
        return QSize(min(wish.width(), theme.pixels(48)), wish.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        cut = self.fontMetrics().elidedText(self.full_text, self.mode, self.contentsRect().width())
        if cut != self.text():
            self.setText(cut)
        self.setToolTip(self.full_text if cut != self.full_text else "")


class Facts(QWidget):
    """Rows of facts, with their names on the left and their values on the right."""

    def __init__(self) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(14)
        self._form.setVerticalSpacing(3)
        self._values: dict[str, ElidedLabel] = {}

    def set_rows(self, facts: Iterable[tuple[str, str | Path]]) -> None:
        """Show these facts, reusing the rows if the names are unchanged, to avoid flicker.

        A long path is cut at its start, and a tilde stands for the home folder.
        """
        values = dict(facts)
        if list(self._values) != list(values):
            while self._form.rowCount():
                self._form.removeRow(0)
            self._values = {name: ElidedLabel(name=name) for name in values}
            for name, value in self._values.items():
                value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self._form.addRow(label(name, "caption"), value)
        for name, fact in values.items():
            text, home = str(fact), Path.home()
            if isinstance(fact, Path):
                self._values[name].mode = Elide.ElideLeft
                if fact.is_relative_to(home) and fact != home:
                    text = f"~{os.sep}{fact.relative_to(home)}"
            self._values[name].set_full_text(text)

    def values(self) -> dict[str, str]:
        """Return the full values of the facts, keyed by name."""
        return {name: value.full_text for name, value in self._values.items()}


class IconLabel(QWidget):
    """Widget that shows an icon from `gui.style.icons` in the colour of a tone.

    Whenever the widget is painted, the icon is drawn for the current theme and screen.
    """

    def __init__(self, side: int, icon: str = "", tone: Tone = "accent") -> None:
        """Create an icon that is ``side`` pixels wide before text scaling."""
        super().__init__()
        self._side, self._icon, self._tone = side, icon, tone

    def show_icon(self, icon: str, tone: Tone) -> None:
        """Replace the icon and its tone."""
        self._icon, self._tone = icon, tone
        self.update()

    def sizeHint(self) -> QSize:
        side = theme.pixels(self._side)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._icon:
            return
        colour, side = theme.tokens().tone(self._tone)[0], theme.pixels(self._side)
        drawn = icons.pixmap(self._icon, side, colour, self.devicePixelRatioF())
        place = QRect(0, 0, side, side)
        place.moveCenter(self.rect().center())
        with QPainter(self) as painter:
            painter.drawPixmap(place.topLeft(), drawn)
