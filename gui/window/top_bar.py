"""Top bar with the project name, the counts of people and photographs, and the training state."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCompleter, QFrame, QMenu

from eigenfaces.manual.keys import command
from eigenfaces.text import count, name_key
from ..state import actions
from ..state.jobs import JobKind
from ..state.session import Session
from ..style.theme import Tone
from ..widgets.box_layouts import STRETCH, in_row
from ..widgets.commands import bind_button
from ..widgets.controls import Button, SearchField
from ..widgets.fields import style_popup
from ..widgets.labels import Chip

_READ_ONLY = "This file is read-only, so changes are not saved."
_TRAINS = ("eigenfaces", "reconstruct", "synthesise", "map", "evaluate", "settings")
"""Pages with a *Train* button. On all others, training is automatic and is not mentioned."""

_NAME = 0.3
"""The share of the bar's width that the project name may take up."""


class TopBar(QFrame):
    """Bar with the project menu, counts, training state, search field, and two buttons."""

    def __init__(self, session: Session, menu: QMenu, add_menu: QMenu) -> None:
        super().__init__()
        self.setProperty("role", "top")
        self.session = session
        self._name = Button("", name="Project menu", role="project")
        self._name.setMenu(menu)
        self._read_only = Chip("Read-only", "warn")
        self._counts = Chip("")
        self._state = Chip("")
        self.search = SearchField("Find a person or photo", command("find").keys)
        self._searched = ""  # the last words that the session searched for
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.activated.connect(self._show_match)
        style_popup(completer.popup())
        self.search.setCompleter(completer)
        self.search.returnPressed.connect(lambda: self._show_match(self.search.text()))
        add = Button("Add photos", "add")
        add.setMenu(add_menu)
        self._train = Button("Train", "train")
        bind_button("train", self._train)
        self._train.clicked.connect(lambda: actions.train(session))
        facts = (self._name, self._read_only, self._counts, self._state)
        parts = (*facts, STRETCH, self.search, add, self._train)
        in_row(*parts, inside=self, spacing=10, margins=(18, 8, 16, 8))
        session.gallery_changed.connect(self.refresh)
        session.jobs.changed.connect(self.refresh)
        session.page_changed.connect(self.refresh)
        session.selection_changed.connect(self._follow)
        self.search.textChanged.connect(self._end_search)
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of the project."""
        gallery, jobs = self.session.gallery, self.session.jobs
        photos = len(gallery.faces)
        self._counts.setText(
            f"{count(len(gallery.people), 'person')} · {gallery.index.words}"
            if photos
            else "Empty project"
        )
        if self._names.stringList() != [*gallery.people]:
            self._names.setStringList(gallery.people)
        project = self.session.project
        read_only = project is not None and project.read_only
        self._read_only.setVisible(read_only)
        self._read_only.setToolTip(_READ_ONLY if read_only else "")
        text, tone = self._state_words()
        self._state.setText(text)
        self._state.set_tone(tone)
        self.search.setVisible(photos > 0)
        self._state.setVisible(photos > 0 and bool(text))
        self._train.setVisible(photos > 0 and self.session.page in _TRAINS)
        self._train.setEnabled(len(gallery.included) > 1 and not jobs.is_busy(JobKind.TRAIN))
        self._train.set_primary(gallery.training is None or self._is_of_another_recipe)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten a long name and hide the counts instead of widening the window."""
        name, room = self.session.name, int(_NAME * self.width())
        text = self._name.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room)
        if text != self._name.text():
            self._name.setText(text)
        self._name.setToolTip(name if text != name else "")
        row = self.layout()
        assert row is not None
        self._counts.show()
        row.invalidate()
        if row.minimumSize().width() > self.width():
            self._counts.hide()

    def _state_words(self) -> tuple[str, Tone]:
        gallery = self.session.gallery
        if self.session.page not in _TRAINS:
            return self._plain_state_words()
        if self.session.jobs.is_busy(JobKind.TRAIN, JobKind.TRAIN_UNASKED):
            return "Training…", "accent"
        if gallery.training is None:
            return "Not trained", "neutral"
        if self._is_of_another_recipe:
            return "Recipe changed", "warn"
        if not gallery.changes_since_training:
            return "Up to date", "ok"
        if gallery.changes_since_training == len(gallery.added_since_training):
            return f"{count(gallery.changes_since_training)} added since training", "neutral"
        return f"{count(gallery.changes_since_training, 'change')} since training", "neutral"

    def _plain_state_words(self) -> tuple[str, Tone]:
        """Return the state, worded for pages that do not show the face space."""
        gallery = self.session.gallery
        busy = self.session.jobs.is_busy(JobKind.TRAIN, JobKind.TRAIN_UNASKED)
        if busy or (gallery.training is not None and gallery.changes_since_training):
            return "Getting ready…", "neutral"
        return ("", "neutral") if gallery.training is None else ("Up to date", "ok")

    @property
    def _is_of_another_recipe(self) -> bool:
        gallery = self.session.gallery
        return gallery.training is not None and gallery.recipe.needs_refit(gallery.training.recipe)

    def _show_match(self, text: str) -> None:
        """Show the person whose name contains the text, or else the photographs that match it."""
        words = name_key(text)
        if not words or self.session.project is None:
            return
        people = [name for name in self.session.gallery.people if words in name_key(name)]
        if people:
            self.session.select_person(min(people, key=lambda name: name_key(name) != words))
        elif self.session.album(words=text.strip()):
            self.session.search(text.strip())
        else:
            self.session.show_message(f"No person or photo matches “{text.strip()}”.", "warn")
            return
        self.session.show_page("people")

    def _follow(self) -> None:
        """Clear the search field once a search has ended, for example because a person is shown."""
        if self._searched and not self.session.searched:
            self.search.clear()
        self._searched = self.session.searched

    def _end_search(self, text: str) -> None:
        """Show all photographs again when the search field has been cleared."""
        if not text and self.session.searched:
            self.session.search("")
