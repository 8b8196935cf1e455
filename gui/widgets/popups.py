"""Lists that open below a field: those of combo boxes and of completers."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
)

_EDGES = 6
"""Border and padding of a list, at both sides, in pixels: see the style sheet."""

_SPARE = 2
"""Pixels by which words may be wider than their field, and nothing of a letter is cut."""


class Choice(QComboBox):
    """A combo box whose list looks like the menus, opens below it and shows whole texts."""

    def __init__(self) -> None:
        super().__init__()
        style_popup(self.view())

    def setEditable(self, editable: bool) -> None:
        super().setEditable(editable)
        completer = self.completer()
        if completer is not None:
            # Completion inside the field would turn “Ada” into “Adam”.
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            style_popup(completer.popup())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cut what has no room by an ellipsis: Qt cuts it within a letter."""
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


def style_popup(popup: QAbstractItemView | None) -> None:
    """Style the list of a popup; its default delegate ignores style sheets."""
    assert popup is not None  # a completer has none only where it completes inside the field
    popup.setProperty("role", "popup")
    popup.setItemDelegate(QStyledItemDelegate(popup))
