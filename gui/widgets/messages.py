"""Messages to the user: a bar for expected events, and a dialog for bugs."""

import logging
import platform
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QDesktopServices,
    QGuiApplication,
    QKeyEvent,
)
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from eigenfaces.errors import EigenfacesError
from ..state.session import Severity
from ..style import theme
from ..style.theme import Tone
from .box_layouts import STRETCH, in_column, in_row
from .cards import Action, Banner, Card
from .controls import Button
from .labels import label
from .text_table import TextTable

_TONES: dict[Severity, Tone] = {"info": "accent", "ok": "ok", "warn": "warn", "error": "bad"}
_MIN_STAY = 6000  # milliseconds that a message stays at least
_READING = 60  # milliseconds to read each letter
_MARGIN = 16
_KEPT = 50  # messages in the list of past messages


@dataclass
class _Said:
    """Message that was shown, with any action that it offered."""

    text: str
    action: Action | None
    at: datetime = field(default_factory=datetime.now)


class MessageBar(Banner):
    """Bar at the bottom of its parent that shows the latest message and keeps earlier ones."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__()
        self._said: deque[_Said] = deque(maxlen=_KEPT)
        self.setParent(parent)
        self.setProperty("floats", True)
        self.kept_free: Callable[[], QRect] = QRect
        """Function that returns the area of the parent that messages must not cover, if any."""
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.dismiss)
        self.dismissed.connect(self.dismiss)
        parent.installEventFilter(self)
        self.hide()

    @property
    def message(self) -> str:
        """The message that is shown, or "" if there is none."""
        return self.text.text() if self.is_open else ""

    @property
    def is_open(self) -> bool:
        """Whether a message that can be dismissed with Esc is being shown."""
        return not self.isHidden()

    def show_message(
        self,
        text: str,
        kind: Severity = "info",
        action: Action | None = None,
        *,
        stays: bool = False,
    ) -> None:
        """Show a message with an optional action; warnings and errors stay until dismissed.

        "info" and "ok" messages disappear after a reasonable reading time unless ``stays`` is set.
        """
        self.show_text(text, _TONES[kind], action)
        self._said.appendleft(_Said(text, action))
        self._timer.stop()
        if kind in ("info", "ok") and not stays:
            self._timer.start(max(_MIN_STAY, _READING * len(text)))
        self.show()
        self._place()
        self.raise_()
        self._announce(text, kind)

    def _announce(self, text: str, kind: Severity) -> None:
        """Have a screen reader read a message aloud; warnings and errors interrupt its speech."""
        event = QAccessibleAnnouncementEvent(self, text)
        if kind in ("warn", "error"):
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)

    def dismiss(self) -> None:
        """Hide the message."""
        self._timer.stop()
        self.hide()

    def forget_actions(self) -> None:
        """Hide the message and remove all actions, because they belong to the previous project."""
        self.dismiss()
        for said in self._said:
            said.action = None

    def show_list(self) -> None:
        """Open the list of past messages."""
        MessageList(self._said, self.window()).open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.is_open:
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def _place(self) -> None:
        """Centre the bar at the bottom of its parent, on one line if the text fits."""
        words, parent = self.text, self.parentWidget()
        assert parent is not None
        beside = self.sizeHint().width() - words.sizeHint().width()
        wish = words.fontMetrics().horizontalAdvance(words.text()) + beside + 8
        room = parent.width() - 2 * _MARGIN
        width = min(wish, room)
        height = self.heightForWidth(width)
        place = QRect((parent.width() - width) // 2, parent.height() - _MARGIN, width, height)
        place.moveBottom(parent.height() - _MARGIN - 1)
        free = self.kept_free()
        if free.intersects(place):
            place.moveBottom(free.top() - 1)
        self.setGeometry(place)


class MessageList(QDialog):
    """Dialog that lists recent messages, newest first, with any actions that they offered."""

    def __init__(self, said: Sequence[_Said], parent: QWidget) -> None:
        super().__init__(parent)
        self._messages = tuple(said)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Messages")
        self.setAccessibleName("Messages")
        self.resize(theme.pixels(100) + 620, 400)
        self.table = TextTable("Messages", ("Time", "Message"), 1)
        self.table.set_width(0, 70)
        self.table.show_rows([(f"{one.at:%H:%M}", one.text) for one in self._messages])
        self._whole = label("", wrap=True)
        self._whole.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._whole.setMinimumHeight(3 * self.fontMetrics().height() + 4)
        self._whole.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.act, close = Button(""), Button("Close", primary=True)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.act.clicked.connect(self._act)
        card = Card()
        card.set_padding(6, 5)
        card.body.addWidget(self.table, 1)
        foot = in_row(self.act, STRETCH, close, spacing=8)
        parts = (label("Messages", "title"), (card, 1), self._whole, foot)
        in_column(*parts, inside=self, spacing=12, margins=(20, 16, 20, 16))
        self.table.selectionModel().selectionChanged.connect(self._show_selected)
        self._show_selected()
        self.table.select_row(0)
        self.table.setFocus()

    def _selected(self) -> _Said | None:
        return next((self._messages[row] for row in self.table.selected_rows()), None)

    def _show_selected(self) -> None:
        said = self._selected()
        action = None if said is None else said.action
        none = "" if self._messages else "There are no messages yet."
        self._whole.setText(none if said is None else said.text)
        self.act.setVisible(action is not None)
        self.act.setText("" if action is None else action[0])

    def _act(self) -> None:
        said = self._selected()
        self.accept()
        if said is not None and said.action is not None:
            said.action[1]()


class CrashDialog(QMessageBox):
    """Dialog that reports a bug, with an explanation, details to copy and a way to continue."""

    def __init__(self, log_path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self.setIcon(QMessageBox.Icon.Warning)
        self.setWindowTitle("Eigenfaces")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setInformativeText(
            "This is a bug in the program; you did nothing wrong. Your photos and your saved "
            "project are safe, and you can carry on. If it keeps happening, please send us the "
            f"details; they are also in {log_path.name}."
        )
        proceed = self.addButton("Continue", QMessageBox.ButtonRole.AcceptRole)
        self.setDefaultButton(proceed)
        self.setEscapeButton(proceed)
        copy, folder = (
            self.addButton(words, QMessageBox.ButtonRole.ActionRole)
            for words in ("Copy details", "Open log folder")
        )
        for button in (copy, folder):
            button.clicked.disconnect()  # it would close the dialog
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.detailedText()))
        place = QUrl.fromLocalFile(str(log_path.parent))
        folder.clicked.connect(lambda: QDesktopServices.openUrl(place))

    def add(self, report: str) -> None:
        """Add an error report to the open dialog."""
        self._number += 1
        more = f" ({self._number} times so far)" if self._number > 1 else ""
        self.setText(f"Something went wrong inside Eigenfaces{more}")
        self.setDetailedText("\n".join(filter(None, (self.detailedText(), report))))


class CrashHandler(QObject):
    """Handler that logs and reports unexpected exceptions from any thread.

    An expected error that nothing else has caught is passed to `show_message` as a sentence, for
    example when a face that is about to be painted cannot be read.
    """

    _happened = Signal(str)
    _failed = Signal(str)

    def __init__(self, log_path: Path) -> None:
        super().__init__()
        self._log_path = log_path
        self.dialog: CrashDialog | None = None
        self.show_message: Callable[[str], None] | None = None
        self._last = ""
        # Other threads only write the log; the dialog is opened in the GUI thread.
        self._happened.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._failed.connect(self._show_failure, Qt.ConnectionType.QueuedConnection)

    def handle(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None = None,
    ) -> None:
        """Report an exception; used as `sys.excepthook`."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        if issubclass(kind, EigenfacesError) and self.show_message is not None:
            self._failed.emit(str(error))
            return
        lines = "".join(traceback.format_exception(kind, error, trace))
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        about = f"Python {platform.python_version()}, PySide6 {PySide6.__version__}"
        report = f"{now} · {about} · {platform.platform()}\n{lines}"
        logging.getLogger("eigenfaces").critical(report)
        if sys.stderr is not None:  # a program started without a console has none
            sys.stderr.write(report)
        if QApplication.instance() is not None:
            self._happened.emit(report)

    def forget(self) -> None:
        """Allow the last error to be shown again, for example on another page."""
        self._last = ""

    def _show_failure(self, sentence: str) -> None:
        """Show why something could not be painted, once per page even if Qt keeps trying."""
        if self.show_message is not None and sentence != self._last:
            self._last = sentence
            self.show_message(sentence)

    def _show(self, report: str) -> None:
        if self.dialog is None:
            self.dialog = CrashDialog(self._log_path, QApplication.activeWindow())
            self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self.dialog.finished.connect(lambda: setattr(self, "dialog", None))
            self.dialog.open()
        self.dialog.add(report)


def install_crash_handler(log_path: Path) -> CrashHandler:
    """Install and return a handler for unexpected exceptions; the caller must keep it alive."""
    handler = CrashHandler(log_path)
    sys.excepthook = handler.handle
    threading.excepthook = lambda args: handler.handle(
        args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    )
    return handler
