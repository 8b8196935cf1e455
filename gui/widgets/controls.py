"""Buttons, fields, sliders and drop areas, each with a name for screen readers."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QPoint,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QHideEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from ..style import icons, theme
from .box_layouts import STRETCH, in_column, in_row
from .labels import label, set_style_property

PHOTOS_MIME = "application/x-eigenfaces-photos"
"""The MIME type of photos that are dragged within the window, identified by their faces."""

_APART = 3  # px between a button and its popup
_FRAME, _LONGEST_PAUSE = 40, 800  # ms between two steps while playing
_RUN, _MOST_FRAMES = 4000, 180  # ms, and maximum steps, from one end of a slider to the other


class Button(QPushButton):
    """Push button with an optional icon in the colour of its text."""

    def __init__(
        self,
        text: str,
        icon: str | None = None,
        primary: bool = False,
        *,
        name: str = "",
        role: str = "",
    ) -> None:
        """Create a button; ``name`` is for screen readers and the tooltip of an icon button."""
        super().__init__(literal(text))
        self._icon, self._name, self._side = icon, name, icons.ICON
        self.setProperty("role", "primary" if primary else role)
        # Tab reaches the button; a click leaves no focus ring.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip("" if text else name)
        self._name_aloud()
        self._draw_icon()

    def text(self) -> str:
        return super().text().replace("&&", "&")

    def setText(self, text: str) -> None:
        super().setText(literal(text))
        self._name_aloud()
        self._draw_icon()  # there is a gap between the icon and the text

    def _name_aloud(self) -> None:
        """Set the accessible name to the button's name, plus the text if the name lacks it."""
        text, name = self.text(), self._name or self.text()
        said = text.casefold() in name.casefold()
        self.setAccessibleName(name if said else f"{name}: {text}")

    def setMenu(self, menu: QMenu) -> None:
        super().setMenu(menu)
        # The style sheet makes room for the arrow if this property is set.
        set_style_property(self, "opens", True)

    def set_icon(self, icon: str | None) -> None:
        """Set the icon by its name in `gui.style.icons`, or remove it."""
        self._icon = icon
        if icon is None:
            self.setIcon(QIcon())
        self._draw_icon()

    def set_icon_side(self, side: int) -> None:
        """Set the width of the icon, in pixels before text scaling."""
        self._side = side
        self._draw_icon()

    def set_primary(self, primary: bool) -> None:
        """Set whether the button is highlighted as the primary button."""
        if set_style_property(self, "role", "primary" if primary else ""):
            self._draw_icon()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Outside dialogs Qt passes Enter on to the parent.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icon()

    def _draw_icon(self) -> None:
        if self._icon is not None:  # otherwise its icon may have been set elsewhere
            t, gap, side = theme.tokens(), 4 if self.text() else 0, theme.pixels(self._side)
            tones = {"primary": t.on_accent, "link": t.accent, "bare": t.secondary}
            colour = tones.get(self.property("role"), t.text)
            self.setIcon(icons.icon(self._icon, colour, gap))
            self.setIconSize(QSize(side + gap, side))


class _Literal(str):
    """Text whose ampersands have been escaped."""

    __slots__ = ()


def literal(text: str) -> str:
    """Return text with its ampersands escaped, so that Qt does not find a shortcut in “AT&T”.

    Escaped text is returned unchanged, because buttons also escape text and would show “AT&&T”.
    """
    return text if isinstance(text, _Literal) else _Literal(text.replace("&", "&&"))


def open_at(popup: QWidget, at: QPoint) -> None:
    """Open a menu or popup with its top left corner at a screen position, or as near as it fits.

    A menu is deleted when it closes.
    """
    is_menu = isinstance(popup, QMenu)
    size, room = popup.sizeHint() if is_menu else popup.size(), _room_at(at, popup)
    left = max(min(at.x(), room.right() + 1 - size.width()), room.left())
    top = max(min(at.y(), room.bottom() + 1 - size.height()), room.top())
    if isinstance(popup, QMenu):
        popup.aboutToHide.connect(popup.deleteLater)
        popup.popup(QPoint(left, top))
    else:
        popup.setGeometry(QRect(QPoint(left, top), size))
        popup.show()


def open_below(button: QWidget, popup: QWidget) -> None:
    """Open a menu or popup below its button, or above the button if there is no room below."""
    size = popup.sizeHint() if isinstance(popup, QMenu) else popup.size()
    place, window = button.mapToGlobal(QPoint(0, 0)), button.window().frameGeometry()
    room = _room_at(place, button)
    left, top = place.x(), place.y() + button.height() + _APART
    if left + size.width() > window.right():
        left += button.width() - size.width()
    above = place.y() - _APART - size.height()
    if top + size.height() > room.bottom() and above >= room.top():
        top = above
    open_at(popup, QPoint(left, top))


def _room_at(at: QPoint, widget: QWidget) -> QRect:
    screen = QGuiApplication.screenAt(at) or widget.screen()
    return screen.availableGeometry()


class Fold(Button):
    """Button that, while checked, reveals an otherwise hidden part of the page."""

    def __init__(self, text: str) -> None:
        super().__init__(text, "forward", role="bare")
        self.setCheckable(True)
        self.toggled.connect(lambda shown: self.set_icon("down" if shown else "forward"))


class LinkButton(Button):
    """Button that looks like a link, for less common actions."""

    def __init__(self, text: str, icon: str | None = None) -> None:
        super().__init__(text, icon, role="link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)


class Segmented(QFrame):
    """Control with a few choices side by side, selected with a click or the arrow keys."""

    changed = Signal()

    def __init__(self, options: Sequence[str], current: int = 0, name: str = "") -> None:
        super().__init__()
        self.setProperty("role", "segments")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name or " or ".join(options))
        self._group = QButtonGroup(self)  # arrow keys and Tab treat the buttons as one control
        for index, option in enumerate(options):
            full_name = f"{name}: {option}" if name else option
            button = _Segment(option, name=full_name, role="segment")
            button.setCheckable(True)
            self._group.addButton(button, index)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.buttons = self._group.buttons()
        in_row(*self.buttons, inside=self, spacing=0, margins=(1, 1, 1, 1))
        self._group.buttonToggled.connect(self._show_choice)
        with QSignalBlocker(self):
            self.set_current(current)

    @property
    def current(self) -> int:
        """The index of the current choice."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        self._group.button(index).setChecked(True)

    def _show_choice(self, button: QAbstractButton, checked: bool) -> None:
        # Tab stops only at the checked choice; arrow keys reach the others.
        policy = Qt.FocusPolicy
        button.setFocusPolicy(policy.TabFocus if checked else policy.NoFocus)
        if checked:
            self.changed.emit()


class _Segment(Button):
    """Button for one of the choices in a `Segmented` control."""

    def sizeHint(self) -> QSize:
        # Wide enough for the bold text of a checked button, so that nothing moves.
        self.ensurePolished()
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        bold = QFontMetrics(font).horizontalAdvance(self.text())
        return super().sizeHint().expandedTo(QSize(bold + 28, 0))


class SearchField(QLineEdit):
    """Search field with a magnifying glass; ``hint`` names the keys that focus the field."""

    def __init__(self, placeholder: str, hint: str = "") -> None:
        super().__init__()
        self.setPlaceholderText(f"{placeholder}   {hint}".strip())
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        self._action = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self._action.setText("Search")
        self._draw_icon()

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        return QSize(words + theme.pixels(60), super().sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icon()

    def _draw_icon(self) -> None:
        self._action.setIcon(icons.icon("search", theme.tokens().tertiary))


class Slider(QSlider):
    """Horizontal slider whose handle can be dragged and jumps to where the user clicks."""

    def __init__(self, name: str, minimum: int = 0, maximum: int = 100) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setAccessibleName(name)
        self.setRange(minimum, maximum)
        self.setPageStep(10)

    def handle(self) -> QRect:
        """Return the rectangle of the slider handle."""
        option, control = QStyleOptionSlider(), QStyle.ComplexControl.CC_Slider
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        return self.style().subControlRect(control, option, part, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Qt would move by a page; here the handle jumps to the pointer and can be dragged.
        handle, at = self.handle(), event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and not handle.contains(at):
            span = max(1, self.width() - handle.width())
            place = at.x() - handle.width() // 2
            value = QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, span)
            self.setValue(value)
        super().mousePressEvent(event)


def local_paths(mime: QMimeData) -> list[Path]:
    """Return the paths of files and folders in a drag or on the clipboard, ignoring web addresses.

    Photos dragged from this project yield no paths, because they must not be added again.
    """
    if mime.hasFormat(PHOTOS_MIME):
        return []
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


def accept_as_copy(event: QDropEvent) -> None:
    """Accept a drag as a copy, even if the source program proposes a move.

    Many programs propose a move, and may delete their files afterwards.
    """
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


class DropArea(Button):
    """Drop area with a dashed border for files and folders; clicking it opens a dialog instead."""

    dropped = Signal(list)

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__("", name=name or text, role="drop")
        self.setToolTip("")
        self.setAcceptDrops(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._words = label(text, "secondary", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._buttons = in_row(STRETCH, STRETCH, spacing=8)
        parts = (STRETCH, self._words, self._buttons, STRETCH)
        self.column = in_column(*parts, inside=self, spacing=10, margins=(16, 16, 16, 16))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def add_button(self, button: QPushButton) -> None:
        """Add a button below the text, which then becomes a heading."""
        self._words.setProperty("role", "heading")
        self._buttons.insertWidget(self._buttons.count() - 1, button)

    def sizeHint(self) -> QSize:
        return self.column.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.column.minimumSize().expandedTo(QSize(120, theme.pixels(76)))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_paths(event.mimeData()):
            accept_as_copy(event)
            set_style_property(self, "over", True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        set_style_property(self, "over", False)

    def dropEvent(self, event: QDropEvent) -> None:
        set_style_property(self, "over", False)
        if paths := local_paths(event.mimeData()):
            accept_as_copy(event)
            self.dropped.emit(paths)


class PlayButton(Button):
    """Button that moves a slider step by step while visible, and starts over if pressed at the end.

    ``following`` returns the position after the current one. The icon and any text show what
    pressing the button will do.
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

    @classmethod
    def through(cls, slider: QSlider, *, slow: bool = False, name: str) -> "PlayButton":
        """Return a button that plays an enabled slider from end to end in a few seconds.

        If ``slow``, each step takes longer, because the results are computed only after a pause.
        """
        last = max(slider.maximum() - slider.minimum(), 1)
        step = max(1, last // _MOST_FRAMES)
        pause = min(max(_RUN * step // last, _FRAME), _LONGEST_PAUSE)

        def following(place: int) -> int:
            return place + step if slider.isEnabled() else place

        milliseconds = _LONGEST_PAUSE if slow else pause
        return cls(slider, following, milliseconds=milliseconds, name=name)

    @property
    def playing(self) -> bool:
        """Whether the button is moving the slider."""
        return self._clock.isActive()

    def toggle(self) -> None:
        """Start or stop playing."""
        if self.playing:
            self.stop()
            return
        if self._slider.value() == self._slider.maximum():
            self._slider.setValue(self._slider.minimum())
        self._clock.start()
        self._show_state()

    def stop(self) -> None:
        """Stop playing at the current position."""
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
