"""The popup in which one of many people is chosen, from a list or by typing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from eigenfaces.text import folded
from gui.style import theme
from gui.widgets.boxes import in_column
from gui.widgets.controls import Button, SearchField
from gui.widgets.face_list import Face, PersonList
from gui.widgets.words import label


class PersonPicker(QFrame):
    """Chooses a person of the gallery or, with ``allow_new``, a new one."""

    picked = Signal(str)
    named = Signal(str)

    def __init__(
        self, title: str, people: Sequence[Face], parent: QWidget, *, allow_new: bool
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "picker")
        self.setAccessibleName(title)
        self._people, self._allow_new = list(people), allow_new
        self.field = SearchField("A known or new name" if allow_new else "Find a person")
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list = PersonList("People to choose from")
        self.list.clicked.connect(lambda index: self._pick(self.list.faces.face(index).key))
        self.list.activated_face.connect(self._pick)
        self.nobody = label("Nobody is called that.", "caption", wrap=True)
        self.new = Button("", "add")
        self.new.clicked.connect(self._name_new)
        in_column(
            label(title, "strong", wrap=True),
            self.field,
            (self.list, 1),
            self.nobody,
            self.new,
            inside=self,
            spacing=8,
            margins=(10, 10, 10, 10),
        )
        self._filter("")

    def open_at(self, anchor: QWidget) -> None:
        """Show the popup below a widget, or above it if there is no room below."""
        self.resize(theme.pixels(270), theme.pixels(380))
        screen = QGuiApplication.screenAt(anchor.mapToGlobal(QPoint(0, 0)))
        room = (screen or QGuiApplication.primaryScreen()).availableGeometry()
        at = anchor.mapToGlobal(QPoint(anchor.width() - self.width(), anchor.height() + 4))
        if at.y() + self.height() > room.bottom():
            at.setY(anchor.mapToGlobal(QPoint(0, 0)).y() - self.height() - 4)
        at.setX(max(room.left() + 4, min(at.x(), room.right() - self.width())))
        at.setY(max(room.top() + 4, at.y()))
        self.move(at)
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent):
            if event.type() != QEvent.Type.KeyPress:
                return False
            if event.key() == Qt.Key.Key_Down and self.list.faces.rowCount():
                self.list.setFocus(Qt.FocusReason.TabFocusReason)
                self.list.setCurrentIndex(self.list.faces.index(0))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._enter()
                return True
        return False

    def _enter(self) -> None:
        """Choose the only person left, or the one with this name, or a new person."""
        shown, name = self.list.faces.faces(), self.field.text().strip()
        called = [face for face in shown if folded(face.caption) == folded(name)]
        called.sort(key=lambda face: face.caption != name)
        if called or (len(shown) == 1 and self.field.text()):
            self._pick((called or shown)[0].key)
        elif self.new.isVisibleTo(self):
            self._name_new()

    def _filter(self, words: str) -> None:
        wanted, name = folded(words), words.strip()
        shown = [face for face in self._people if wanted in folded(face.caption)]
        self.list.show_faces(shown)
        known = any(folded(face.caption) == wanted for face in shown)
        self.new.setVisible(self._allow_new and bool(name) and not known)
        shown_name = name if len(name) <= 22 else f"{name[:21]}…"
        self.new.setText(f"New person “{shown_name}”")
        self.nobody.setVisible(not shown and not self.new.isVisibleTo(self))
        self.list.setVisible(bool(shown) or not self._allow_new)

    def _pick(self, key: str) -> None:
        self.close()
        self.picked.emit(key)

    def _name_new(self) -> None:
        name = self.field.text().strip()
        self.close()
        self.named.emit(name)
