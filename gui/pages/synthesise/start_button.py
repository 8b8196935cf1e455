"""The button that shows where the face began, with a menu of where it could."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu

from gui.pages.synthesise.starts import MEAN, StartingFace, person_key
from gui.state.session import Session
from gui.style import theme
from gui.widgets.controls import Button, literal

_ROOM = 135  # px for the name


class StartButton(Button):
    """``chosen``: the key to start from; ``others_wanted``: one that is not in the menu."""

    chosen = Signal(str)
    others_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__("The mean face", name="Start from")
        self._session = session
        self._choices = QMenu("Start from", self)
        self._choices.aboutToShow.connect(self._fill)
        self.setMenu(self._choices)

    def show_start(self, start: StartingFace) -> None:
        """Show where the face began."""
        room = theme.pixels(_ROOM)
        self.setText(self.fontMetrics().elidedText(start.name, Qt.TextElideMode.ElideMiddle, room))
        self.setToolTip(start.name)
        self.setAccessibleDescription(start.name)

    def _fill(self) -> None:
        self._choices.clear()
        self._offer("The mean face", MEAN)
        session = self._session
        if session.person is not None:
            self._offer(f"The mean of {session.person}", person_key(session.person))
        found = session.face(session.photo) if session.photo else None
        if found is not None:
            photo = found[0]
            name = f"{photo.person}, {photo.path.name}" if photo.person else photo.path.name
            self._offer(f"The selected photo: {name}", photo.key)
        self._choices.addSeparator()
        others = self._choices.addAction("A person, photo or probe…")
        others.triggered.connect(lambda: self.others_wanted.emit())

    def _offer(self, words: str, key: str) -> None:
        action = self._choices.addAction(literal(words))
        action.triggered.connect(partial(self.chosen.emit, key))
