"""The base class of every page."""

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
_IN_A_MOMENT = "This page is there in a moment."
_TOO_FEW = "It takes two photos with a face, at least. Add some more."
_NO_PICTURES = (
    "This project has names and no pictures: it recognises people, and there is nothing to see or "
    "to measure here."
)


class PageContent(QWidget):
    """The parts of a page. A click beside them all gives the focus to the page's `home`.

    There its keys count. A key that the part with the focus does not use comes here.
    """

    def __init__(self) -> None:
        super().__init__()
        self.home: QWidget | None = None
        self._acts: dict[str, Callable[[], object]] = {}

    def set_home(self, home: QWidget | None = None) -> None:
        """Let a click beside everything give the focus to a part, or else to the page as such."""
        self.home = home
        if home is not None and self.hasFocus():
            home.setFocus()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def bind_unused(self, name: str, act: Callable[[], object]) -> None:
        """Do something by the keys of a command where the part with the focus has no use for them.

        If ``act`` returns False, the key goes on to the window.
        """
        self._acts |= dict.fromkeys(command(name).sequences, act)

    def keys(self) -> list[str]:
        """Return the keys that do something here."""
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
    """Base of every page: its parts are in `content`; `_refresh` reads again all that it shows.

    Where the page needs a face space and there is none, it shows “Getting ready…”.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    icon: ClassVar[str]
    needs_training: ClassVar[bool] = False
    needs_pictures: ClassVar[bool] = False

    photos_wanted = Signal(list)
    """Photos are to be added: those at these paths; without any, from a folder to choose."""

    skipped_wanted = Signal()
    """The files that imports did not use are to be listed."""

    hall_wanted = Signal()
    """The figure is to be shown alone, or no longer."""

    choice_wanted = Signal()
    """The photographs that wait for the choice of a face are to be shown."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.inspector: QWidget | None = None  # shown by the window at the right
        self.details = Button("", "details", name=with_key("inspector"), role="toggle")
        """Stands in the page's first line where there is an inspector: shows and hides it."""
        self.details.setCheckable(True)
        self.finder: QWidget | None = None  # for Ctrl+F, where a page has words of its own
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
        """Return the figure of this page for a whole room (F11); None if there is nothing to show.

        It belongs to the window, which calls `close_hall` when it is left.
        """
        return None

    def close_hall(self) -> None:
        """Show here what was changed in the hall, which was left."""

    def export(self) -> None:
        """Show what the page can write to a file (Ctrl+E)."""
        self.session.show_message("There is nothing to export on this page.")

    def kept_free(self) -> QRect:
        """Return the part of the page that no message may cover; an empty one: nothing."""
        return QRect()

    def accept_paths(self, paths: list[Path]) -> bool:
        """Take files dropped on the window or pasted; return False to leave them to the window."""
        return False

    def _refresh(self) -> None:
        """Read again everything that is shown; called when it may have changed and is visible."""
        raise NotImplementedError

    def _clear(self) -> None:
        """Forget what was shown: there is no face space any more, its file may be closed."""

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
            why = "This file takes no changes. Save it elsewhere first."
        title = _NOT_READY if why else _GETTING_READY
        self._not_ready.set_title("No pictures" if why is _NO_PICTURES else title)
        self._not_ready.set_sentence(why or _IN_A_MOMENT)
