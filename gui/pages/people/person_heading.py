"""The heading above a person's photographs: the name, which can be edited, and actions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)
from shiboken6 import isValid

from gui.style import theme
from gui.style.theme import Tone
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Banner
from gui.widgets.controls import Button, LinkButton
from gui.widgets.fields import PersonField
from gui.widgets.words import Chip, ElidedLabel, label


class NameField(QLineEdit):
    """A field for a new name; Enter or leaving it keeps the new name, Escape the old one."""

    left = Signal()
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Name of the person")
        self.setToolTip("Enter keeps the name, Esc the old one.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()


class PersonHeading(QWidget):
    """Name, chips and actions of a person; asks in place when two people have one name."""

    renamed = Signal(str)
    merge_agreed = Signal(str)
    merge_wanted = Signal()
    removal_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self.title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.field = NameField()
        self.field.returnPressed.connect(self._finish)
        self.field.left.connect(self._finish)
        self.field.given_up.connect(self.stop_renaming)
        self.chips = [Chip(""), Chip("")]
        self.rename_button = LinkButton("Rename")
        self.merge_button = LinkButton("Merge…")
        self.remove_button = LinkButton("Remove")
        self.rename_button.setToolTip("Give this person another name (F2)")
        self.merge_button.setToolTip("Give all these photos to another person (Ctrl+M)")
        self.remove_button.setToolTip(
            "Take this person out of the gallery (Del). The photos on disk are not touched."
        )
        self.rename_button.clicked.connect(self.start_renaming)
        self.merge_button.clicked.connect(self.merge_wanted)
        self.remove_button.clicked.connect(self.removal_wanted)
        self.is_renaming = False
        self._before: QWidget | None = None
        self.question = Banner()
        self.question.hide()
        self._lay_out()

    def _lay_out(self) -> None:
        plain = QWidget()
        in_row(self.title, *self.chips, STRETCH, inside=plain, spacing=9)
        self._name = QStackedWidget()
        self._name.addWidget(plain)
        self._name.addWidget(self.field)
        line = in_row((self._name, 1), spacing=2)
        self.buttons = [self.rename_button, self.merge_button, self.remove_button]
        for button in self.buttons:
            line.addWidget(button)
        in_column(line, self.question, inside=self, spacing=8)
        self._name.setFixedHeight(theme.pixels(32))
        self._name.setMinimumWidth(theme.pixels(90))  # the chips are hidden first, see _fit_chips

    def show_group(
        self, title: str, chips: list[tuple[str, Tone]], *, person: bool, others: bool
    ) -> None:
        """Show a person, or (``person`` false) a group of photographs of several people."""
        if title != self.title.full_text:
            self.stop_renaming()
            self.question.hide()
        self.title.set_full_text(title)
        for chip, (text, tone) in zip(self.chips, chips + [("", "neutral")] * 2, strict=False):
            chip.setText(text)
            chip.set_tone(tone)
        for button in self.buttons:
            button.setVisible(person)
        self.merge_button.setEnabled(others)
        self._fit_chips()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()

    def _fit_chips(self) -> None:
        """Hide the chips that there is no room for, the one at the right last."""
        buttons = sum(b.sizeHint().width() + 2 for b in self.buttons if b.isVisibleTo(self))
        room = self.width() - buttons - self.title.sizeHint().width()
        for chip in reversed(self.chips):
            room -= chip.sizeHint().width() + 9 if chip.text() else 0
            chip.setVisible(bool(chip.text()) and room >= 0)

    def start_renaming(self) -> None:
        """Show the name in a field, selected."""
        if not self.rename_button.isVisibleTo(self):
            return
        self.question.hide()
        self.field.setText(self.title.full_text)
        self.is_renaming = True
        self._before = QApplication.focusWidget()
        self._name.setCurrentWidget(self.field)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def stop_renaming(self) -> None:
        """Show the old name again."""
        if self.is_renaming:
            self.is_renaming = False  # first: that the field loses its focus looks like leaving it
            if self.field.hasFocus():
                back = self._before if self._before and isValid(self._before) else None
                (back or self.rename_button).setFocus(Qt.FocusReason.OtherFocusReason)
            self._name.setCurrentIndex(0)

    def ask_to_merge(self, name: str) -> None:
        """Ask, below the name, whether two people of one name are one."""
        self.question.show_text(
            f"There is already a “{name}”. If both are the same person, merge the two.",
            "warn",
            (f"Merge into {name}", lambda: self._agree(name)),
        )
        self.question.show()

    def _agree(self, name: str) -> None:
        self.question.hide()
        self.merge_agreed.emit(name)

    def _finish(self) -> None:
        if not self.is_renaming:
            return
        name = self.field.text().strip()
        self.stop_renaming()
        if name and name != self.title.full_text:
            self.renamed.emit(name)


class GroupNaming(QWidget):
    """Asks who the faces of a group are: whom they are near to, or anybody by a name."""

    named = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.field = PersonField("Name of these faces", "Name (F2)")
        self.field.named.connect(self._name)
        self.field.textChanged.connect(self._show_button)
        self.button = Button("", primary=True)
        self.button.clicked.connect(lambda: self._name(self.field.name()))
        note = label("Click a face that is somebody else’s: it is left out.", "caption")
        line = in_row((self.field, 1), self.button)
        in_column(line, note, inside=self, spacing=6)
        self._perhaps = ""

    def show_group(self, perhaps: str | None, people: Sequence[str]) -> None:
        """Ask about a group, perhaps of somebody known; what is typed stays."""
        self._perhaps = perhaps or ""
        self.field.offer(people, self._perhaps)
        self._show_button()

    def _show_button(self) -> None:
        typed = bool(self.field.text().strip())
        offered = self._perhaps and not typed
        self.button.setText(f"It is {self._perhaps}" if offered else "Name them")
        self.button.setEnabled(typed or bool(self._perhaps))

    def _name(self, name: str) -> None:
        self.field.clear()
        self.named.emit(name)
