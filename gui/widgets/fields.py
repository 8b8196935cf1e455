"""Fields for a choice, a person or a number, and a popup for choosing a face."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QSignalBlocker,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QCompleter,
    QFrame,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.photographs.names import as_name
from eigenfaces.recognition.probes import Probe
from eigenfaces.text import OneOf, WholeNumber, name_key
from ..style import theme
from ..style.images import grey_image
from .box_layouts import in_column
from .controls import SearchField, open_below
from .face_list import FaceGrid, FaceItem, Key, Picture
from .labels import ElidedLabel

_EDGES = 6
"""The border and padding on both sides of a list, in pixels, as in the style sheet."""

_SPARE = 2
"""The number of pixels by which text may exceed its field before a letter is cut off."""


_BY_LETTERS = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
_OFFERED = 12  # names shown at once
_NEW = "New person: "

NumberBox = TypeVar("NumberBox", bound=QAbstractSpinBox)


class Choice(NamedTuple):
    """Choice in a drop-down: its text, the value that it stands for, and an explanation."""

    words: str
    value: object
    meaning: str = ""


class DropDown(QComboBox):
    """Drop-down whose menu-like list opens below the field and shows every choice in full.

    The tooltip explains the current choice. The field is wide enough for ``letters`` characters,
    or for the longest choice.
    """

    def __init__(
        self, name: str, items: Iterable[str | Choice] = (), *, letters: int | None = None
    ) -> None:
        super().__init__()
        self._choices: list[Choice] = []
        self.setAccessibleName(name)
        style_popup(self.view()).setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        if letters is not None:
            self.setMinimumContentsLength(letters)
            self.setSizeAdjustPolicy(_BY_LETTERS)
        self.currentIndexChanged.connect(self._show_meaning)
        self.set_items(items)

    @classmethod
    def of(cls, field: OneOf) -> DropDown:
        """Return a drop-down for a field of a recipe or a lesson."""
        items = [Choice(field.title(name), name, about) for name, about in field.choices.items()]
        return cls(field.label, items)

    def set_items(self, items: Iterable[str | Choice]) -> None:
        """Replace the choices silently; keep the current choice or, failing that, the first."""
        choices = [Choice(item, item) if isinstance(item, str) else item for item in items]
        if choices == self._choices:
            return
        before, self._choices = self.value(), choices
        with QSignalBlocker(self):
            self.clear()
            for row, choice in enumerate(choices):
                self.addItem(choice.words, choice.value)
                self.setItemData(row, choice.meaning, Qt.ItemDataRole.ToolTipRole)
            self.setCurrentIndex(max(self._row_of(before), 0))
        self._show_meaning()

    def value(self) -> Any:
        """Return the value of the current choice, or None if there is none."""
        at = self.currentIndex()
        return self._choices[at].value if 0 <= at < len(self._choices) else None

    def show_value(self, value: object) -> None:
        """Select the choice with this value, or clear the field, without emitting a signal."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self._row_of(value))
        self._show_meaning()

    def _row_of(self, value: object) -> int:
        values = [choice.value for choice in self._choices]
        return values.index(value) if value in values else -1

    def _show_meaning(self) -> None:
        at = self.currentIndex()
        meaning = self._choices[at].meaning if at >= 0 else ""
        self.setToolTip(meaning)
        # Qt reads the name only on Windows; elsewhere it reads the current choice instead.
        name = "" if sys.platform == "win32" else self.accessibleName()
        self.setAccessibleDescription(". ".join(filter(None, (name, meaning))))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the field, eliding long text, which Qt would cut off in the middle of a letter."""
        del event
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        painter.drawComplexControl(control, option)
        room = self.style().subControlRect(control, option, field, self).width()
        text, cut, metrics = self.currentText(), Qt.TextElideMode.ElideRight, self.fontMetrics()
        if metrics.horizontalAdvance(text) > room + _SPARE:
            option.currentText = metrics.elidedText(text, cut, room - _SPARE)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def showPopup(self) -> None:
        view = self.view()
        scrolls = self.count() > self.maxVisibleItems()
        bar = view.verticalScrollBar().sizeHint().width() if scrolls else 0
        view.setMinimumWidth(view.sizeHintForColumn(0) + bar + _EDGES)
        super().showPopup()


def style_popup(popup: QAbstractItemView | None) -> QAbstractItemView:
    """Style a popup list, whose default delegate would ignore style sheets, and return the list."""
    assert popup is not None  # only a completer that completes inside the field has none
    popup.setProperty("role", "popup")
    popup.setItemDelegate(QStyledItemDelegate(popup))
    return popup


class PersonField(QLineEdit):
    """Field for a person's name that suggests known people and, at the end, a new person.

    Enter accepts the name highlighted in the list or, if there is none, the typed name. Known
    people are matched regardless of case.
    """

    named = Signal(str)
    """Emitted with the person's name after Enter, or after a click on a name in the list."""
    cancelled = Signal()
    """Emitted when the user presses Esc."""
    focus_lost = Signal()
    """Emitted when the focus moves to another widget in the window."""

    def __init__(self, name: str, hint: str = "Name") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setClearButtonEnabled(True)
        # Without ``takes_new`` only known people are accepted. Without ``prefers_known`` Enter
        # accepts the typed name, not the first name in the list.
        self.takes_new = self.prefers_known = True
        self._people: tuple[str, ...] = ()
        self._likely = ""
        self._list = QCompleter(QStringListModel(self), self)
        self._list.setWidget(self)  # the field's own completer would insert the highlighted name
        self._list.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._list.setMaxVisibleItems(_OFFERED)
        self._popup = style_popup(self._list.popup())
        self._popup.setAccessibleName("People")
        self._list.activated.connect(self._accept_name)
        self.textEdited.connect(self.complete)

    def set_suggestions(self, people: Sequence[str], likely: str = "") -> None:
        """Suggest these people, most likely first; an empty field stands for ``likely``."""
        self._people, self._likely = tuple(people), likely

    def suggestions(self) -> list[str]:
        """Return the names to suggest for the text typed so far."""
        typed, words = as_name(self.text()) or "", name_key(self.text())
        like = [name for name in self._people if words in name_key(name)]
        like.sort(key=lambda name: (name != typed, not name_key(name).startswith(words)))
        known = any(name_key(name) == words for name in like)
        if self.takes_new and self.prefers_known and typed and not known:
            like.append(f"{_NEW}“{typed}”")
        return like

    def name(self) -> str:
        """Return the name of the person meant by the typed text, or "" if there is none."""
        typed = as_name(self.text()) or self._likely
        alike = [name for name in self._people if name_key(name) == name_key(typed)]
        return typed if typed in alike else next(iter(alike), typed * self.takes_new)

    def ask(self, text: str = "") -> None:
        """Focus the field, with this text selected, so that the user can type a name."""
        self.setText(text)
        self.selectAll()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not text:
            self.complete()

    def complete(self) -> None:
        """Show the list of suggested names."""
        model = self._list.model()
        assert isinstance(model, QStringListModel)
        model.setStringList(self.suggestions())
        self._list.complete()
        marks = self.prefers_known and self.text()
        marked = self._list.completionModel().index(0, 0) if marks else None
        self._popup.setCurrentIndex(marked or QModelIndex())  # the completer would highlight one

    def event(self, event: QEvent) -> bool:
        handled, standard = super().event(event), QKeySequence.StandardKey
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            undoes = event.matches(standard.Undo) or event.matches(standard.Redo)
            if undoes and not self.isModified():  # nothing was typed: the window handles undo
                event.ignore()
        return handled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.cancelled.emit()
                event.ignore()  # a dialog may use it
            case Qt.Key.Key_Down:
                self.complete()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:  # not passed on: a page may use Enter too
                marked = self._popup.currentIndex().data() if self._popup.isVisible() else None
                self._popup.hide()
                self._accept_name(marked or self.text())
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if not self.text():
            self.complete()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        reason = Qt.FocusReason
        if event.reason() not in (reason.PopupFocusReason, reason.ActiveWindowFocusReason):
            self.focus_lost.emit()

    def _accept_name(self, text: str) -> None:
        self.setText(text.removeprefix(_NEW)[1:-1] if text.startswith(_NEW) else text)
        if name := self.name():
            self.named.emit(name)


def whole_box(field: WholeNumber, value: int | None = None, *, with_unit: bool = False) -> QSpinBox:
    """Return a spin box for a whole-number field of a recipe or a protocol."""
    box = QSpinBox(minimum=field.least, maximum=field.most)
    box.setValue(field.least if value is None else value)
    if with_unit:
        box.setSuffix(f" {field.unit}")
    return number_box(field.label, box)


def number_box(name: str, box: NumberBox) -> NumberBox:
    """Set the tooltip and the accessible name of a spin box, and return the box."""
    box.setAccessibleName(name)
    box.lineEdit().setAccessibleName(name)  # the field inside has the focus
    box.setToolTip(name)
    box.setKeyboardTracking(False)  # a number is used only once it has been typed in full
    return box


class FaceChooser(QFrame):
    """Popup below a button for choosing a face from the gallery, the probes or the page."""

    face_chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("role", "card")
        self._faces: list[FaceItem] = []
        self.filter = SearchField("Person or file")
        self.filter.textChanged.connect(self._narrow)
        self.grid = FaceGrid("Faces to choose from", QSize(64, 78), subcaption=True)
        self.grid.chosen.connect(self.face_chosen)
        self.grid.clicked.connect(self.hide)
        self.grid.activated_face.connect(self.hide)
        self._none = ElidedLabel("", "caption")
        in_column(self.filter, (self.grid, 1), self._none, inside=self, margins=(12, 12, 12, 12))
        self.resize(theme.pixels(520), theme.pixels(460))

    def open_below(
        self,
        button: QWidget,
        faces: FaceSet,
        probes: tuple[Probe, ...],
        selected: Key | None,
        *,
        first: Sequence[FaceItem] = (),
    ) -> None:
        """Open the popup with the page's own faces (``first``), the probes and the gallery."""
        queries = [_face(probe.photo, probe.image, "To recognise") for probe in probes]
        known = (  # only a few of thousands of pictures are ever seen
            _face(photo, lambda row=row: grey_image(faces.image(row)), photo.person)  # type: ignore[misc]
            for row, photo in enumerate(faces.index.photos)
        )
        self._faces = [*first, *queries, *known]
        self.filter.clear()
        self._narrow()
        open_below(button, self)
        self.filter.setFocus()
        self.grid.doItemsLayout()
        self.grid.select(*[selected] if selected else [])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.filter.hasFocus():
            self.grid.setFocus()
        else:
            super().keyPressEvent(event)

    def _narrow(self) -> None:
        words = name_key(self.filter.text())
        faces = [face for face in self._faces if words in name_key(face.words())]
        self.grid.show_faces(faces)
        amount = f"{len(faces):,} of {len(self._faces):,} faces"
        self._none.set_full_text(amount if faces else "No face matches.")


def _face(photo: FacePhoto, image: Picture, who: str | None) -> FaceItem:
    name = photo.path.name
    return FaceItem(photo.id, image, who or name, name, file=name)
