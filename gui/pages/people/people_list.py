"""The card at the left of the People page: all people, and a search field."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gui.style import theme
from gui.widgets.boxes import STRETCH, add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton, SearchField
from gui.widgets.face_list import PersonList
from gui.widgets.face_model import Face
from gui.widgets.words import label


class PeopleCard(Card):
    """The list of people, with a note if the filter leaves nobody."""

    filter_changed = Signal()
    choice_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.filter = SearchField("Filter people")
        self.list = PersonList("People")
        self.waits = Button("", "people")
        self.waits.clicked.connect(self.choice_wanted)
        self.waits.hide()
        self.sentence = label("", "secondary", wrap=True)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(10, 10, 4, 8)  # the scroll bar is at the edge
        field = in_row(self.filter, margins=(0, 0, 6, 0))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._nobody())
        line = in_row(self.waits, margins=(0, 0, 6, 0))
        add_parts(self.body, field, line, (self._stack, 1))
        self.setFixedWidth(128 + theme.pixels(90))
        self.filter.textChanged.connect(self.filter_changed)

    @property
    def words(self) -> str:
        """The words in the search field."""
        return self.filter.text().strip()

    def show_people(self, faces: Sequence[Face]) -> None:
        """Show the people that the filter leaves."""
        self.list.show_faces(faces)
        self.sentence.setText(f"Nobody, and no photo, is called “{self.words}”.")
        self._stack.setCurrentIndex(int(not faces and bool(self.words)))

    def show_waiting(self, words: str) -> None:
        """Show in words what waits for a person; "" for nothing."""
        self.waits.setText(words)
        self.waits.setToolTip("Look, choose and confirm: what was found is kept with the project.")
        self.waits.setVisible(bool(words))

    def _nobody(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(4, 10, 10, 0)
        clear = LinkButton("Show everybody")
        clear.setProperty("flush", True)
        clear.clicked.connect(self.filter.clear)
        add_parts(column, self.sentence, (clear, 0, Qt.AlignmentFlag.AlignLeft), STRETCH)
        return made
