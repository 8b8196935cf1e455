"""What can be answered to a verdict: buttons, their keys, and a line to say who it is."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QWidget

from eigenfaces.recognition.gallery import Answered
from eigenfaces.recognition.verdict import Decision
from eigenfaces.text import ordinal
from gui.style import theme
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.controls import Button, LinkButton
from gui.widgets.flow import Flow
from gui.widgets.popups import Choice
from gui.widgets.words import label

KEYS = ("Enter", "1", "2", "I", "N", "U", "X")
_WIDEST = 190  # px of the words on a button, before the text scale: names may be long
_MOST = 5  # buttons at once


class Offer(NamedTuple):
    """One answer to choose: what it says, its key, and the people it is about."""

    said: str
    text: str
    key: str = ""
    icon: str | None = None
    people: tuple[str, ...] = ()
    primary: bool = False


IT_IS = Offer("it is", "It is…", "I", "rename")
NEW = Offer("new", "Enrol as new…", "Enter", "add", primary=True)
NOBODY = Offer("nobody", "Nobody I know", "U", "person")
NO_FACE = Offer("no face", "Not a face", "X", "no-face")
NO_FACE_RIGHT = Offer("no face", "Right, no face", "Enter", "check")
MARK = Offer("mark", "Mark the face…", "", "recognise", primary=True)
BACK = Offer("back", "Take the answer back", "", "undo")


def offers(decision: Decision) -> tuple[Offer, ...]:
    """Return what can be answered to a verdict."""
    first = decision.nearest[0]
    second = decision.runner_up[0] if decision.runner_up else None
    not_them = Offer("not", "Not this person", "N", "cross", (first,))
    match decision.kind:
        case "ask" if second is not None:
            one, other = Offer("it is", first, "1", None, (first,)), Offer("it is", second, "2")
            neither = Offer("not", "Neither", "N", "cross", (first, second))
            return (one, other._replace(people=(second,)), IT_IS, neither, NOBODY)
        case "unknown":
            return (NEW, IT_IS, NOBODY, NO_FACE)
        case "no face":
            return (MARK, NO_FACE_RIGHT, IT_IS)
        case "near but no face":
            near = Offer("right", f"It is {first}", "1", "check", (first,))
            return (MARK, near, IT_IS, NOBODY, NO_FACE)
    right = Offer("right", "Right", "Enter", "check", (first,))
    return (right, IT_IS, not_them, NOBODY, NO_FACE)


def offers_again(answered: Answered) -> tuple[Offer, ...]:
    """Return how an answer can be changed, or taken back."""
    others = [each for each in (NOBODY, NO_FACE) if each.said != answered.said]
    return (BACK, IT_IS, *others)


def consequence(decision: Decision, photos: int, *, among: bool) -> str:
    """Return what the most likely answer changes.

    ``photos`` the nearest person has; ``among``: this photo is among them already.
    """
    name = decision.nearest[0]
    keeps = f"keeps this photo as the {ordinal(photos + 1)} of {name}"
    if among:
        keeps = f"notes your answer: this photo is {name} in the gallery already"
    match decision.kind:
        case "ask" if decision.runner_up is not None:
            return (
                "Keys 1 and 2 answer. “Neither” is remembered: the two are not suggested for this "
                "photo again."
            )
        case "unknown":
            return (
                "“Enrol as new” (Enter) begins a person; “Nobody I know” (U) makes the mark for "
                "strangers more exact."
            )
        case "no face":
            return (
                "“Right, no face” (Enter) puts the photo aside; it is neither enrolled nor counted "
                "as a stranger."
            )
        case "near but no face":
            return f"Key 1 {keeps}; “Not a face” (X) puts it aside."
    return f"“Right” (Enter) {keeps}; nothing is trained anew, and Ctrl+Z takes it back."


class AnswerRow(QWidget):
    """The answers to one verdict: a row of buttons, or the line in which a name is given."""

    answered = Signal(str, tuple)
    """What was answered, and the people it is about."""

    def __init__(self) -> None:
        super().__init__()
        self._offers: tuple[Offer, ...] = ()
        self.buttons = [Button("") for _ in range(_MOST)]
        self._row = QWidget()
        row = Flow(self._row, 8)
        for at, button in enumerate(self.buttons):
            button.clicked.connect(lambda _=False, at=at: self._take(self._offers[at]))
            row.addWidget(button)
            button.hide()
        self.name = NameLine()
        self.name.confirmed.connect(lambda name: self._say("it is", (name,)))
        self.name.cancelled.connect(self.close_name)
        self.words = label("", "caption", wrap=True)
        in_column(self._row, self.name, self.words, inside=self, spacing=6)
        self.name.hide()

    def show_offers(self, offered: tuple[Offer, ...], words: str) -> None:
        """Offer other answers; ``words`` say what one of them changes."""
        self._offers = offered
        for button, reply in zip(self.buttons, offered, strict=False):
            room = theme.pixels(_WIDEST)
            cut = button.fontMetrics().elidedText(reply.text, Qt.TextElideMode.ElideRight, room)
            button.setText(cut)
            button.setAccessibleName(reply.text)
            button.set_icon(reply.icon)
            button.set_primary(reply.primary)
            button.setToolTip(f"{reply.text} ({reply.key})" if reply.key else "")
            button.show()
        for button in self.buttons[len(offered) :]:
            button.hide()
        self.words.setText(words)

    def offered(self) -> tuple[Offer, ...]:
        """Return what can be answered now."""
        return self._offers

    def press(self, key: str) -> bool:
        """Give the answer with this key; return whether there is one."""
        found = next((each for each in self._offers if each.key == key), None)
        if found is None or self.name.isVisible() or not self.isVisible():
            return False
        self._take(found)
        return True

    def open_name(self, hint: str) -> None:
        """Ask for a name in place of the buttons."""
        self._row.hide()
        self.name.show()
        self.name.ask(hint)

    def close_name(self) -> None:
        """Show the buttons again."""
        self.name.name.clearFocus()  # which would go on to what is next, and the page scroll there
        self.name.hide()
        self._row.show()

    def _take(self, reply: Offer) -> None:
        if reply is NEW:
            self.open_name("Name of the new person")
        elif reply is IT_IS:
            self.open_name("Choose or type a name")
        else:
            self._say(reply.said, reply.people)

    def _say(self, said: str, people: tuple[str, ...]) -> None:
        self.close_name()
        self.answered.emit(said, people)


class NameLine(QWidget):
    """A line to choose or type a person; Return confirms, Esc changes nothing."""

    confirmed = Signal(str)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._people: tuple[str, ...] | None = None
        self.name = Choice()
        self.name.setEditable(True)
        self.name.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name.setMinimumContentsLength(24)
        self.name.setMinimumWidth(110)
        self.name.setAccessibleName("Who is on this photo")
        self.name.view().setAccessibleName("People")
        field = self.name.lineEdit()
        assert field is not None
        self._field = field
        field.setAccessibleName("Who is on this photo")
        field.returnPressed.connect(self._confirm)
        self.confirm = Button("Enrol", primary=True)
        self.confirm.clicked.connect(self._confirm)
        self.cancel = LinkButton("Cancel")
        self.cancel.clicked.connect(self.cancelled)
        self.name.currentTextChanged.connect(self._allow)
        in_row(
            label("This is", "strong"),
            self.name,
            self.confirm,
            self.cancel,
            STRETCH,
            inside=self,
            spacing=8,
        )
        self._allow()

    def offer(self, people: tuple[str, ...]) -> None:
        """Offer all people of the gallery; the field stays empty."""
        if people != self._people:
            self._people = people
            self.name.clear()
            self.name.addItems(list(people))
            self._clear()

    def ask(self, hint: str) -> None:
        """Wait for a name."""
        self._clear()
        self._field.setPlaceholderText(hint)
        self.name.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # the field has taken it
            super().keyPressEvent(event)

    def _clear(self) -> None:
        self.name.setCurrentIndex(-1)
        self.name.clearEditText()

    def _allow(self) -> None:
        self.confirm.setEnabled(bool(self.name.currentText().strip()))

    def _confirm(self) -> None:
        name = self.name.currentText().strip()
        if name:
            self._clear()
            self.confirmed.emit(name)
