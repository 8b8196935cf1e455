"""Lists that open below a field: those of combo boxes, and of what completes while one types."""

from PySide6.QtWidgets import QAbstractItemView, QComboBox, QCompleter, QStyledItemDelegate

_EDGES = 6
"""Border and padding of a list, at both sides, in pixels: see the style sheet."""


class Choice(QComboBox):
    """A combo box whose list looks like the menus, opens below it and shows all of its words."""

    def __init__(self) -> None:
        super().__init__()
        dress(self.view())

    def setEditable(self, editable: bool) -> None:
        super().setEditable(editable)
        completer = self.completer()
        if completer is not None:
            # Completing in the field would make an “Adam” of everybody called “Ada”.
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            dress(completer.popup())

    def showPopup(self) -> None:
        view = self.view()
        scrolls = self.count() > self.maxVisibleItems()
        bar = view.verticalScrollBar().sizeHint().width() if scrolls else 0
        view.setMinimumWidth(view.sizeHintForColumn(0) + bar + _EDGES)
        super().showPopup()


def dress(popup: QAbstractItemView | None) -> None:
    """Give a list that opens its look; the delegates it comes with know nothing of style sheets."""
    assert popup is not None  # a completer has none only where it completes in the field
    popup.setProperty("role", "popup")
    popup.setItemDelegate(QStyledItemDelegate(popup))
