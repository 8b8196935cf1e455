"""Widgets used by most pages: cards, headers, empty states, banners and setting rows."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ..style import theme
from ..style.theme import Tone
from .box_layouts import STRETCH, Gap, add_parts, centre, in_column, in_row
from .controls import Button, LinkButton
from .labels import ElidedLabel, IconLabel, label, set_tone

Action = tuple[str, Callable[[], object]]
"""A button's text, and the function that the button calls."""

_TONE_ICONS = {"neutral": "info", "accent": "info", "ok": "ok", "warn": "warning", "bad": "error"}
_BY_TAB = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}


class PageScroll(QScrollArea):
    """Scroll area that keeps the width of its page from setting the window's minimum width.

    Wrapped text is given the height that it needs at the current width. Use the ``role`` “panel”
    for a panel on the right of a page.
    """

    def __init__(self, page: QWidget, role: str = "page") -> None:
        super().__init__()
        self.setProperty("role", role)
        page.setProperty("role", "page")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(page.accessibleName() or "Page")
        self.setWidget(page)
        # Otherwise the viewport and the page paint the window's colour.
        self.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)
        page.installEventFilter(self)
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.rangeChanged.connect(self._let_keys_scroll)
        self._let_keys_scroll()

    def event(self, event: QEvent) -> bool:
        show_focus_on_bars(self, event)
        return super().event(event)

    def _let_keys_scroll(self) -> None:
        """Accept keyboard focus only if there are scroll bars: nothing else makes focus visible."""
        bars = (self.verticalScrollBar(), self.horizontalScrollBar())
        scrolls, policy = any(bar.maximum() for bar in bars), Qt.FocusPolicy
        self.setFocusPolicy(policy.StrongFocus if scrolls else policy.NoFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self._update_height()
        return super().eventFilter(watched, event)

    def _update_height(self) -> None:
        page = self.widget()
        layout = None if page is None else page.layout()
        # Qt's minimum ignores that text needs more lines on a narrow page, and would clip it.
        if page is not None and layout is not None:
            width = max(self.viewport().width(), layout.minimumSize().width())
            height = layout.minimumHeightForWidth(width) if layout.hasHeightForWidth() else 0
            page.setMinimumHeight(height)  # 0: the minimum of Qt


def show_focus_on_bars(area: QAbstractScrollArea, event: QEvent) -> None:
    """Highlight the scroll bars of an area that has received the focus with the Tab key."""
    if not isinstance(event, QFocusEvent):
        return
    for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
        set_tone(bar, "focus" if event.gotFocus() and event.reason() in _BY_TAB else "")


class Shrinkable(QWidget):
    """Widget that can shrink to its minimum height, so that wrapped text adds no scroll bar."""

    def hasHeightForWidth(self) -> bool:
        return False


class Card(QFrame):
    """Rounded panel with a heading; `body` is the layout of its content."""

    def __init__(self, title: str = "", note: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        pad = theme.CARD_PADDING
        self._column = column = in_column(inside=self, spacing=10, margins=(pad, pad, pad, pad))
        # Text is cut before a page has to scroll sideways: first the note, then the title.
        self._title = ElidedLabel(title, "heading", Qt.TextElideMode.ElideRight)
        self._note = ElidedLabel(note, "caption", Qt.TextElideMode.ElideRight)
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._heading = in_row(self._title, STRETCH, (self._note, 1000), spacing=10)
        if title or note:
            column.addLayout(self._heading)
        self.body = in_column(spacing=8)
        column.addLayout(self.body, 1)
        self._note.setVisible(bool(note))  # without a parent it would be a window
        self.setAccessibleName(title)  # screen readers treat a card as a group

    def set_title(self, title: str) -> None:
        self._title.set_full_text(title)
        self.setAccessibleName(title)
        self._column.activate()  # otherwise it is briefly cut to the width of the old title

    def set_note(self, note: str) -> None:
        self._note.set_full_text(note)
        self._note.setVisible(bool(note))

    def set_padding(self, across: int, up: int) -> None:
        """Set the padding at the sides (``across``) and at the top and bottom (``up``)."""
        self._column.setContentsMargins(across, up, across, up)

    def set_tone(self, tone: Tone) -> None:
        """Set the colour of the whole card, for example to show a verdict; "neutral" is plain."""
        set_tone(self, tone)

    def add_to_heading(self, widget: QWidget, *, beside_title: bool = False) -> None:
        """Add a widget at the right end of the heading, or directly beside the title."""
        self._heading.insertWidget(1 if beside_title else -1, widget)


class PageHeader(QWidget):
    """Header of a page with its title, a one-line subtitle, and actions on the right."""

    def __init__(self, title: str, subtitle: str = "", *actions: QWidget) -> None:
        super().__init__()
        self._subtitle = ElidedLabel(subtitle, "secondary", Qt.TextElideMode.ElideRight)
        words = in_column(label(title, "title"), self._subtitle, spacing=1)
        placed = ((action, 0, Qt.AlignmentFlag.AlignVCenter) for action in actions)
        in_row((words, 1), *placed, inside=self, spacing=10)

    def set_subtitle(self, subtitle: str) -> None:
        self._subtitle.set_full_text(subtitle)


class EmptyState(QWidget):
    """Placeholder on an empty page: an icon, a title, a sentence and buttons for the next steps."""

    def __init__(self, icon: str, title: str, sentence: str, *actions: Action) -> None:
        """Create the placeholder, and highlight the button for the first action."""
        super().__init__()
        self._sentence = label(sentence, "secondary", wrap=True)
        self._title = label(title, "title", wrap=True)
        picture = IconLabel(52, icon)
        words = QWidget()
        for part in (self._title, self._sentence):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        words.setMaximumWidth(theme.pixels(560))
        self.buttons = [Button(text, primary=not index) for index, (text, _) in enumerate(actions)]
        for button, (_, act) in zip(self.buttons, actions, strict=True):
            button.clicked.connect(lambda *_, act=act: act())
        self.body = QVBoxLayout()
        row = in_row(STRETCH, *self.buttons, STRETCH, spacing=8)
        column = QVBoxLayout(words)
        column.setSpacing(12)
        add_parts(column, picture, self._title, self._sentence, Gap(4), row, self.body)
        centre(words, self)

    def set_title(self, title: str) -> None:
        self._title.setText(title)

    def set_sentence(self, sentence: str) -> None:
        self._sentence.setText(sentence)


class Banner(QFrame):
    """Coloured bar with a message and an optional action button."""

    dismissed = Signal()

    def __init__(self, tone: Tone = "warn", *, dismissible: bool = True) -> None:
        super().__init__()
        self.setProperty("role", "banner")
        self._icon = IconLabel(17)
        self.text = label(wrap=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._action = LinkButton("")
        self._act: Callable[[], object] = lambda: None
        self._action.clicked.connect(lambda: self._act())
        close = Button("", "cross", name="Dismiss", role="bare")
        close.clicked.connect(self.hide)
        close.clicked.connect(self.dismissed)
        parts = (self._icon, (self.text, 1), self._action, close)
        in_row(*parts, inside=self, spacing=9, margins=(12, 5, 6, 5))
        close.setVisible(dismissible)
        self.show_text("", tone)

    def show_text(self, text: str, tone: Tone = "warn", action: Action | None = None) -> None:
        """Replace the text, the tone and the action."""
        self.text.setText(text)
        set_tone(self, tone)
        set_tone(self.text, tone if tone != "neutral" else "")
        words, self._act = action or ("", lambda: None)
        self._action.setText(words)
        self._action.setAccessibleName(words or "Nothing to do")
        self._action.setVisible(bool(words))
        self._icon.show_icon(_TONE_ICONS[tone], tone)


class SettingRow(QWidget):
    """Row with the title of a setting, its controls on the right and an explanation below."""

    def __init__(self, title: str, explanation: str, *controls: QWidget) -> None:
        super().__init__()
        line = in_row(
            (label(title, "strong", wrap=True), 1),
            *((control, 0, Qt.AlignmentFlag.AlignVCenter) for control in controls),
            spacing=8,
        )
        self.explanation = label(explanation, "caption", wrap=True)
        in_column(line, self.explanation, inside=self, spacing=3)
