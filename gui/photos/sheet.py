"""The import sheet: from the photographs found to the import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.choose import MIXED, mixed_words
from eigenfaces.importing.entries import COMING, Decisions, Entry, tally
from eigenfaces.importing.scan import Scan, Source, people_found, scan
from eigenfaces.photographs.photos import FoundPhotos
from eigenfaces.project.save import Waiting
from eigenfaces.text import count, when
from gui.photos.grid import ALL, GUESSES, Groups
from gui.photos.options import PHOTOGRAPHS, FaceOptions, NameOptions
from gui.photos.review import ReviewPanel
from gui.state import actions
from gui.state.actions import take_choices
from gui.state.jobs import Stopped
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Banner, Card, Shrinkable, page_scroll
from gui.widgets.controls import Button, LinkButton, Segmented
from gui.widgets.saving import may_lose
from gui.widgets.status_bar import StatusBar
from gui.widgets.text_table import TextTable
from gui.widgets.words import ElidedLabel, label


class WaitingGroups(Card):
    """The groups of photographs that wait, where they lie, and the way to be rid of them."""

    def __init__(self, source: Waiting) -> None:
        super().__init__()
        self.list = Groups()
        self.advice = label("", "secondary", wrap=True)
        folders = {photo.path.parent for photo in source.photos}
        one = next(iter(folders), None)
        where = f"“{one.name}”" if one and len(folders) == 1 else count(len(folders), "folder")
        self.found = label(
            f"Found in {where}{_when(source.read)}, and kept with the project: nothing is searched "
            "twice.",
            "caption",
            wrap=True,
        )
        self.leave_out = Button("Leave all out")
        self.leave_out.setAutoDefault(False)
        self.leave_out.setEnabled(False)
        self.leave_out.setToolTip(
            "They no longer wait, and guesses leave the gallery. The files are not touched."
        )
        self.list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.body.addWidget(self.list, 1)
        for part in (self.advice, self.found, self.leave_out):
            self.body.addWidget(part)
        self.list.changed.connect(self._show_advice)
        self._show_advice()

    def show_waiting(self, number: int, *, ready: bool) -> None:
        """Show how many would be left out."""
        self.leave_out.setText(f"Leave all {number:,} out" if number > 1 else "Leave it out")
        self.leave_out.setEnabled(ready and number > 0)

    def _show_advice(self) -> None:
        self.advice.setText(self.list.advice)


def _when(read: Sequence[str]) -> str:
    """Return when the photographs were read, in words; "" if it is not known."""
    times = tuple(dict.fromkeys(map(when, read)))
    if not times:
        return ""
    return f" on {times[0]}" if len(times) == 1 else f" from {times[0]} to {times[-1]}"


_WAITING, _CHOICES, _TROUBLE = range(3)
_NOBODY = "Nobody (Unknown)"
_NOT_KEPT = "Your corrections of these photos are not kept."
_SIZE = QSize(1400, 900)
_NAMES = 262  # px of the column with the people, before the text scale
_LEAST = QSize(1180, 680)
_MARGIN, _SPACING = 20, 12
_TYPING = 300  # ms after which a typed size is used


class ImportSheet(QDialog):
    """Shows what was found, asks for names and sizes, and starts the import."""

    started = Signal()

    def __init__(self, session: Session, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.source = session, source
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.title = "Photos that wait" if isinstance(source, Waiting) else "Add photos"
        self.setWindowTitle(self.title)
        self.setAccessibleName(self.title)
        self._scan: Scan | None = None
        self._named = FoundPhotos(())
        self._closed = self._compared = False
        self._unseen = 0
        self.groups = WaitingGroups(source) if isinstance(source, Waiting) else None
        self.trouble = Banner(tone="bad", dismissible=False)
        self.names = NameOptions(session.gallery.people)
        self.faces = FaceOptions(session.gallery)
        self.people = TextTable("People found", ("Person", "Photos"), 0, frozenset({1}))
        self.panel = ReviewPanel(session, self.groups.list if self.groups else None)
        self.waiting = label("Looking for photos…", "secondary")
        self.note = label("", wrap=True)
        self.mixed = label("", "caption", wrap=True, tone="warn")
        self.unname = LinkButton("Take their photos without names")
        self._mixed: tuple[str, ...] = ()
        self._nameless: set[str] = set()
        self.left = self._left()
        beside = "Groups" if self.groups else "People"
        self.views = Segmented(["Faces", beside], name="Beside the photographs")
        self.rest = LinkButton("Look at the rest")
        self.foot = StatusBar(session)
        self.cancel = Button("Cancel")
        self.start = Button("Add photos", primary=True)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING)
        self._lay_out()
        self._connect()
        self._find()

    def _connect(self) -> None:
        self.views.changed.connect(self._fit)
        self.names.changed.connect(self._name)
        self.faces.changed.connect(self._typing.start)
        self._typing.timeout.connect(lambda: self.panel.prepare(self.faces.preparation))
        self.panel.changed.connect(self._show_outcome)
        self.session.jobs.changed.connect(self._show_wait)
        self.rest.clicked.connect(self.panel.read)
        self.unname.clicked.connect(self._take_without_names)
        self.cancel.clicked.connect(self.reject)
        self.start.clicked.connect(self._start)
        if self.groups is not None:
            self.groups.leave_out.clicked.connect(self._leave_all_out)

    # Layout

    def _lay_out(self) -> None:
        self._fit_screen()
        choices = QWidget()
        choices.setAccessibleName("The photographs")
        in_row(self.left, (self.panel, 1), inside=choices, spacing=_SPACING)
        self.stages = QStackedWidget()
        for stage in (_waiting(self.waiting), page_scroll(choices), _at_top(self.trouble)):
            self.stages.addWidget(stage)
        heading = in_row(
            label(self.title, "title"),
            (ElidedLabel(_title_of(self.source), "secondary"), 1),
            self.views,
            spacing=12,
        )
        inside = in_column(
            heading,
            (self.stages, 1),
            self._buttons(),
            spacing=10,
            margins=(_MARGIN, 14, _MARGIN, 12),
        )
        in_column((inside, 1), self.foot, inside=self, spacing=0)

    def _fit_screen(self) -> None:
        """Resize to almost the size of the window behind, and at most that of the screen."""
        parent = self.parentWidget()
        behind = parent.size() - QSize(24, 24) if parent is not None else _SIZE
        room = self.screen().availableSize() - QSize(16, 40)
        self.resize(behind.expandedTo(_LEAST).boundedTo(_SIZE * 1.3).boundedTo(room))

    def _fit(self) -> None:
        """Show the people and the editor side by side if there is room, else one of them."""
        cards = (self.panel.list_card, self.panel.editor_card)
        wide = self.left.width() + sum(card.minimumSizeHint().width() for card in cards)
        narrow = self.width() < wide + 2 * (_MARGIN + _SPACING)
        people = self.views.current == 1
        self.views.setVisible(narrow)
        self.left.setVisible(people or not narrow)
        self.panel.editor_card.setVisible(not (people and narrow))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # something in it has become wider
            self._fit()
        return super().event(event)

    def _left(self) -> QWidget:
        names, faces = Card(), Card("How are faces cut?")
        self._names_card = names
        self.people.set_width(1, 70)
        for part in (self.names, self.mixed, self.unname):
            names.body.addWidget(part)
        names.body.addWidget(self.people, 1)
        faces.body.addWidget(self.faces)
        left = Shrinkable()
        left.setFixedWidth(theme.pixels(_NAMES))
        column = in_column(inside=left, spacing=12)
        if self.groups is not None:
            column.addWidget(self.groups, 1)
            self.people.hide()
            faces.hide()
        column.addWidget(names, int(self.groups is None))
        column.addWidget(faces)
        return left

    def _buttons(self) -> QHBoxLayout:
        for button in (self.rest, self.cancel, self.start):
            button.setAutoDefault(False)
        self.rest.hide()
        room = self.foot.sizePolicy()  # the buttons stay where they are when the strip goes
        room.setRetainSizeWhenHidden(True)
        self.foot.setSizePolicy(room)
        return in_row((self.note, 1), self.rest, self.cancel, self.start, spacing=8)

    # Looking

    def _find(self) -> None:
        self.start.setEnabled(False)
        self.start.show()
        self.stages.setCurrentIndex(_WAITING)
        source = self.source
        self.session.jobs.start(
            "scan",
            "Looking for photos",
            lambda tick: scan(source, tick),
            self._found,
            self._failed,
        )

    def _show_wait(self) -> None:
        """Show what the search waits for, if another job runs."""
        ahead = self.session.jobs.ahead_of("scan")
        self.waiting.setText(f"{ahead.title} comes first…" if ahead else "Looking for photos…")
        self.foot.setVisible(self.panel.is_reading)
        self.rest.setVisible(self._unseen > 0 and not self.panel.is_reading)

    def _found(self, found: Scan) -> None:
        if self._closed:
            return
        self._scan = found
        gallery = self.session.gallery  # another import may have ended since the sheet was opened
        self.names.show_scan(found, gallery.people)
        if self.groups is None:
            self.faces.show_scan(found, gallery)
        else:  # a face was searched for in each of them
            self._names_card.setVisible(bool(found.unnamed))
            self.faces.kind.set_current(PHOTOGRAPHS)
        self.panel.begin(found.found, self.faces.preparation)
        self._name()
        self.stages.setCurrentIndex(_CHOICES)
        self.panel.read()
        self.panel.grid.photos.setFocus(Qt.FocusReason.OtherFocusReason)

    def _failed(self, error: EigenfacesError) -> None:
        if isinstance(error, Stopped) and not self._closed:
            self.reject()
        elif not self._closed:
            self.trouble.show_text(str(error), "bad", ("Look again", self._find))
            self.stages.setCurrentIndex(_TROUBLE)
            self.start.hide()

    # Naming

    def _name(self) -> None:
        """Name people as chosen now, and show the result."""
        if self._scan is None:
            return
        try:
            self._named = self.names.plan(self._scan)
        except EigenfacesError as error:
            self.names.show_trouble(str(error))
            self._show_outcome()
            return
        self.names.show_trouble("")
        photos = (
            replace(photo, person=None) if photo.person in self._nameless else photo
            for photo in self._named.photos
        )
        self._named = replace(self._named, photos=tuple(photos))
        self.panel.show_people(self._named)

    def _take_without_names(self) -> None:
        """Name nobody on the photographs of those that seem to be several people."""
        self._nameless |= set(self._mixed)
        self._name()

    def _show_outcome(self) -> None:
        """Show what the import would do with all photographs, and the number on the button."""
        if self._closed or self._scan is None:
            return
        entries = list(self.panel.entries.values())
        self._unseen = sum(entry.state == "waiting" for entry in entries)
        self._show_wait()
        if self.groups is not None:
            self._show_decisions(self.groups, entries)
            return
        coming = [e.photo.person for e in entries if e.state in COMING]
        named = len(set(coming) - {None})
        of = f" of {count(named, 'person')}" if named else ""
        self.start.setText(f"Add {count(len(coming))}{of}")
        possible = bool(coming) and not self.names.trouble.text()
        self.start.setEnabled(possible and self.panel.review.settled)
        comparing = "Comparing the faces…" if self.panel.is_comparing else ""
        said = (tally(entries), comparing, self._scan.found.remarks)
        self.note.setText(" ".join(filter(None, said)))
        mixed = (e.photo.person for e in entries if e.choice is MIXED and e.photo.person)
        self._mixed = tuple(dict.fromkeys(mixed))
        self.mixed.setText(" ".join(map(mixed_words, self._mixed)))
        for part in (self.mixed, self.unname):
            part.setVisible(bool(self._mixed))
        twice = Counter(entry.photo.person for entry in entries if entry.first is not None)
        people = people_found(self._named)
        self.people.show_rows([(who or _NOBODY, f"{n - twice[who]:,}") for who, n in people])
        self._keep_place()

    def _show_decisions(self, groups: WaitingGroups, entries: Sequence[Entry]) -> None:
        """Show what becomes of the photographs that wait, and the number on the button."""
        busy = self._unseen or (self.panel.is_comparing and not self._compared)
        ready = bool(entries) and self.panel.review.settled and not busy
        decisions = Decisions.among(entries)
        groups.show_waiting(decisions.open, ready=ready)
        if ready and not self._compared:
            self._compared = True
            groups.list.set_current(GUESSES if decisions.guesses else ALL)
        self.note.setText(decisions.sentence() if ready else "Looking at the photos…")
        self.start.setText(decisions.verb)
        self.start.setEnabled(ready and decisions.made > 0)
        self._keep_place()

    def _keep_place(self) -> None:
        """Let the button grow with its words, never shrink: Cancel beside it stays where it is."""
        self.start.setMinimumWidth(max(self.start.minimumWidth(), self.start.sizeHint().width()))

    # The end

    def _start(self) -> None:
        self.panel.prepare(self.faces.preparation)  # use what was typed a moment ago, too
        self.panel.refresh()
        if not self.start.isEnabled():
            return
        if self.groups is not None:
            self._take_choices()
            return
        plan = self.panel.review.plan(list(self.panel.entries.values()))
        self._stop_reading()  # first: the import does not wait for the review to end
        actions.import_photos(
            self.session, plan.found, self.faces.preparation, already=plan.readings
        )
        self.started.emit()
        self.accept()

    def _take_choices(self) -> None:
        """Confirm the guesses with a tick, and take all that is decided; the others go on."""
        self.panel.confirm_guesses()
        plan = self.panel.review.decisions(list(self.panel.entries.values()))
        self._stop_reading()
        take_choices(self.session, plan, self.faces.preparation)
        self.started.emit()
        self.accept()

    def _leave_all_out(self) -> None:
        """Leave out all that is not decided: nothing waits any more."""
        waiting = [e.photo.path for e in self.panel.entries.values() if not e.decided]
        self.panel.review.leave_out(waiting, True)
        self.panel.refresh()
        self._take_choices()

    def reject(self) -> None:
        """Close; if corrections would be lost, only if that is meant."""
        corrected = self.panel.review.can_undo and not self._closed
        if not corrected or may_lose(self, _NOT_KEPT):
            super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Enter confirms the face of the photograph, except while something else is asked; it
        # adds nothing, except on the button itself.
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        at = self.focusWidget()
        if enter and isinstance(at, QPushButton) and not at.isCheckable():
            at.click()
        elif enter and (at is None or not self.left.isAncestorOf(at)):
            self.panel.confirm_chosen()
        elif not enter:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        self._stop_reading()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)  # asks as `reject` does, and may leave it open
        if event.isAccepted():
            self._stop_reading()

    def _stop_reading(self) -> None:
        """Stop reading: the results are not needed any more."""
        if self._closed:
            return
        self._closed = True
        jobs = self.session.jobs
        jobs.changed.disconnect(self._show_wait)
        self._typing.stop()
        self.panel.stop_reading()
        jobs.cancel("scan")


def _title_of(source: Source) -> str:
    if isinstance(source, Path):
        return str(source)
    if isinstance(source, Waiting):
        return "They are kept with the project, until you choose or leave them out"
    if isinstance(source, FoundPhotos):
        return f"{count(len(source.photos))}, once more"
    if len(source) == 1:
        return str(source[0])
    return f"{len(source):,} files and folders"


def _waiting(words: QWidget) -> QWidget:
    bar = QProgressBar()
    bar.setRange(0, 0)
    bar.setFixedWidth(220)
    made = QWidget()
    column = QVBoxLayout(made)
    column.addStretch(2)
    for part in (words, bar):
        column.addWidget(part, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(3)
    return made


def _at_top(widget: QWidget) -> QWidget:
    made = QWidget()
    in_column(widget, STRETCH, inside=made)
    return made
