"""Base class for all pages, and the widget that contains the parts of a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QKeyCombination, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from eigenfaces.manual.keys import command, with_key
from ..state.session import Session
from .box_layouts import in_column
from .cards import EmptyState, PageScroll
from .controls import Button
from .hall import Hall

NOTHING_YET = "There is nothing to export yet. Wait until the page is ready."
_GETTING_READY, _NOT_READY = "Getting ready…", "Not ready yet"
_IN_A_MOMENT = "This page will be ready in a moment."
_TOO_FEW = "This page needs at least two photos with a face. Please add more photos."
_NO_PICTURES = (
    "This project has names but no pictures. It can recognise people, but there is nothing to see "
    "or measure here."
)


class PageContent(QWidget):
    """Widget that contains the parts of a page; a click outside them focuses `home`.

    The keys of the page work in `home`. Keys that the focused part does not use are handled here.
    """

    def __init__(self) -> None:
        super().__init__()
        self.home: QWidget | None = None
        self._acts: dict[str, Callable[[], object]] = {}

    def set_home(self, home: QWidget | None = None) -> None:
        """Set the part to focus after a click outside all parts; None means the page itself."""
        self.home = home
        if home is not None and self.hasFocus():
            home.setFocus()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def bind_unused(self, name: str, act: Callable[[], object]) -> None:
        """Call ``act`` when a key of this command is pressed and the focused part does not use it.

        If ``act`` returns False, the key is passed on to the window.
        """
        self._acts |= dict.fromkeys(command(name).sequences, act)

    def keys(self) -> list[str]:
        """Return the keys that the page handles."""
        return [*self._acts]

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.home is not None and event.reason() == Qt.FocusReason.MouseFocusReason:
            self.home.setFocus(Qt.FocusReason.MouseFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
        act = self._acts.get(pressed.toString(QKeySequence.SequenceFormat.PortableText))
        if act is None or act() is False:
            super().keyPressEvent(event)


class Page(QWidget):
    """Base class for all pages; `content` contains the parts, and `_refresh` updates them.

    A page that needs a face space shows “Getting ready…” until there is one.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    icon: ClassVar[str]
    needs_training: ClassVar[bool] = False
    needs_pictures: ClassVar[bool] = False

    photos_wanted = Signal(list)
    """Emitted with paths of photos to add, or an empty list to let the user choose a folder."""

    skipped_wanted = Signal()
    """Emitted to request the list of skipped files."""

    hall_wanted = Signal()
    """Emitted to request the figure in full screen, or back on the page."""

    choice_wanted = Signal()
    """Emitted to request the photographs in which a face must still be chosen."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.inspector: QWidget | None = None  # shown by the window at the right
        self.details = Button("", "details", name=with_key("inspector"), role="toggle")
        """Button that shows or hides the inspector, in the first line of a page that has one."""
        self.details.setCheckable(True)
        self.finder: QWidget | None = None  # the search field for Ctrl+F, if the page has one
        self.content = PageContent()
        self.content.setAccessibleName(self.title)
        self._not_ready = EmptyState(self.icon, _GETTING_READY, "")
        self._stack = QStackedWidget()
        self.scrolled = PageScroll(self.content)
        self._stack.addWidget(self.scrolled)
        self._stack.addWidget(self._not_ready)
        in_column((self._stack, 1), inside=self, margins=(22, 16, 22, 16))
        self._stale, self.is_ready = True, False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._refresh_shown)
        for signal in (session.gallery_changed, session.selection_changed, session.probes_changed):
            signal.connect(self._mark_stale)

    def open_hall(self) -> Hall | None:
        """Return a hall for the figure on this page (F11), or None if the page has no figure.

        The hall belongs to the window, which calls `close_hall` when the user leaves it.
        """
        return None

    def close_hall(self) -> None:
        """Apply changes made in the hall to the page."""

    def export(self) -> None:
        """Show the exports that the page offers (Ctrl+E)."""
        self.session.show_message("There is nothing to export on this page.")

    def kept_free(self) -> QRect:
        """Return the area of the page that messages must not cover; it may be empty."""
        return QRect()

    def accept_paths(self, paths: list[Path]) -> bool:
        """Use files that were dropped or pasted; return False to leave them to the window."""
        return False

    def _refresh(self) -> None:
        """Update everything on the page; called when the visible page may be out of date."""
        raise NotImplementedError

    def _clear(self) -> None:
        """Clear the page while it is not ready; the project file may already be closed."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._refresh_shown()

    def _mark_stale(self) -> None:
        self._stale = True
        if self.isVisible():
            self._soon.start()

    def _refresh_shown(self) -> None:
        self._soon.stop()
        self._stale = False
        gallery = self.session.gallery
        self.is_ready = gallery.training is not None or not self.needs_training
        if self.needs_pictures and not gallery.index.is_pictured:
            self.is_ready = False
        self._stack.setCurrentIndex(0 if self.is_ready else 1)
        if self.is_ready:
            self._refresh()
        else:
            self._say_why_not()
            self._clear()

    def _say_why_not(self) -> None:
        session = self.session
        why = session.why_untrained
        if self.needs_pictures and not session.gallery.index.is_pictured:
            why = _NO_PICTURES
        elif len(session.gallery.included) < 2:
            why = _TOO_FEW
        elif not why and session.takes_no_changes:
            why = "This file cannot be changed. Save the project elsewhere first."
        title = _NOT_READY if why else _GETTING_READY
        self._not_ready.set_title("No pictures" if why is _NO_PICTURES else title)
        self._not_ready.set_sentence(why or _IN_A_MOMENT)
