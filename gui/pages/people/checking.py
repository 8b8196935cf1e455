"""Dialog that checks the collection and lists all findings, each with possible answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.identity import FaceId
from eigenfaces.project.project import Project
from eigenfaces.recognition.collection import check_collection
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import PeopleOverview
from eigenfaces.recognition.look_alikes import Finding
from eigenfaces.text import count
from ...state.jobs import JobCancelled, JobKind
from ...state.session import Session
from ...style import theme
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import PageScroll
from ...widgets.commands import bind
from ...widgets.controls import Button, LinkButton
from ...widgets.labels import ElidedLabel, label
from .look_alikes import AnswerEdits, FindingCard, answers_to, faces_of

_SHOWN_AT_ONCE = 30  # findings; a button shows more

_NOTHING = (
    "Nothing to review: no two names look like one person, no name looks like two people, no "
    "photo fits another person better, no two photos are almost identical, and everybody "
    "has several photos."
)
_STOPPED = "The check was stopped. Check again when you have time."


class CheckSheet(QDialog):
    """Dialog that lists findings about the collection. Undoing an answer restores the finding."""

    chosen = Signal(object)
    """The user clicked this face."""

    def __init__(self, session: Session, edits: AnswerEdits, parent: QWidget) -> None:
        super().__init__(parent)
        self.session, self._page, self._given = session, parent, edits
        self._edits = replace(edits, ask_who_else=self._ask_who_else)
        self.found: tuple[Finding, ...] = ()
        self.cards: dict[Finding, FindingCard] = {}
        self._checked: Gallery | None = None  # the gallery that was checked
        self._project: Project | None = None
        self._most = _SHOWN_AT_ONCE
        self.setWindowTitle("Check the collection")
        self.setAccessibleName("Check the collection")
        self.words = label("", "secondary", wrap=True)
        self.more = LinkButton("")
        self.undo = LinkButton("Undo")
        self._undone = ElidedLabel("", "caption")
        self.again, close = Button("Check again", "reset"), Button("Close", primary=True)
        page = QWidget()
        self._list = in_column(spacing=8)
        in_column(self._list, self.more, STRETCH, inside=page, spacing=8)
        heading = in_column(label("Check the collection", "title"), self.words, spacing=1)
        foot = in_row(self.undo, (self._undone, 1), self.again, close, spacing=8)
        parts = (heading, (PageScroll(page), 1), foot)
        in_column(*parts, inside=self, spacing=12, margins=(20, 16, 20, 16))
        self.more.clicked.connect(self._show_more)
        self.undo.clicked.connect(session.undo)
        self.again.clicked.connect(self.check)
        close.clicked.connect(self.reject)
        bind("undo", self, session.undo)
        session.gallery_changed.connect(self._refresh)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()
        if self._checked is None:
            self.check()

    def open_sheet(self) -> None:
        """Open the dialog with the latest findings, or start a check if there has been none."""
        room = self._page.window().size()
        wanted = theme.pixels(720), theme.pixels(600)
        self.resize(min(wanted[0], room.width() - 40), min(wanted[1], room.height() - 40))
        self.show()
        self.raise_()
        self.activateWindow()

    def check(self) -> None:
        """Check the collection in a background job."""
        session, gallery, project = self.session, self.session.gallery, self.session.project
        if project is None:
            return
        self._checked, self._project = gallery, project
        self._set_busy(True)
        self.words.setText(f"Looking through {gallery.index.words}…")

        def done(found: tuple[Finding, ...]) -> None:
            self.found, self._most = found, _SHOWN_AT_ONCE
            self._set_busy(False)
            self._refresh()

        def failed(error: EigenfacesError) -> None:
            self._checked = None
            self._set_busy(False)
            self.words.setText(_STOPPED if isinstance(error, JobCancelled) else str(error))

        title = "Checking the collection"
        session.run(
            JobKind.CHECK_COLLECTION,
            title,
            lambda tick: check_collection(gallery, tick),
            done,
            failed,
        )

    def _ask_who_else(self, faces: Sequence[FaceId]) -> None:
        self.hide()  # the user types the name on the page
        self._given.ask_who_else(faces)

    def _set_busy(self, busy: bool) -> None:
        self.again.setEnabled(not busy)

    def _show_more(self) -> None:
        self._most += _SHOWN_AT_ONCE
        self._refresh()

    def _refresh(self) -> None:
        """List the unanswered findings, keeping the scroll position."""
        session = self.session
        if session.project is not self._project:
            if self._project is not None:
                self.hide()
            self.found, self._checked, self._project = (), None, session.project
        if not self.isVisible():
            return
        opened = [finding for finding in self.found if finding.is_open(session.gallery)]
        self._show_cards(opened[: self._most])
        left = len(opened) - len(self.cards)
        self.more.setText(f"Show {count(min(left, _SHOWN_AT_ONCE), 'more', 'more')}")
        self.more.setVisible(left > 0)
        title = session.history.undo_title
        self.undo.setEnabled(title is not None)
        self._undone.set_full_text(title or "")
        if self.again.isEnabled() and self._checked is not None:
            words = f"{count(len(opened), 'thing')} to review, most important first."
            self.words.setText(words if opened else _NOTHING if not self.found else "All done.")

    def _show_cards(self, findings: Sequence[Finding]) -> None:
        seen = PeopleOverview(self.session.gallery.index)
        for finding in self.cards.keys() - {*findings}:
            card = self.cards.pop(finding)
            card.hide()
            card.deleteLater()
        for place, finding in enumerate(findings):
            card = self.cards.get(finding) or self._add_card(finding, place)
            faces = faces_of(finding, self.session, seen)
            card.show_finding(finding, faces, answers_to(finding, seen, self._edits))

    def _add_card(self, finding: Finding, place: int) -> FindingCard:
        card = self.cards[finding] = FindingCard()
        card.setAccessibleName(finding.sentence)
        card.chosen.connect(self.chosen)
        self._list.insertWidget(place, card)
        card.show()
        return card
