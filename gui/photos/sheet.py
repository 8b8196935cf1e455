"""Import sheet, in which the user names and reviews photographs before they are imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.files import is_there
from eigenfaces.importing.entries import (
    TO_BE_ADDED,
    Decisions,
    Entry,
    faces_words,
    recurrences,
    tally_words,
)
from eigenfaces.importing.scan import (
    Scan,
    Source,
    people_found,
    scan,
    several_people,
    with_events,
)
from eigenfaces.photographs.find import FoundPhotos
from eigenfaces.photographs.names import lookalikes_words
from eigenfaces.project.unused import PendingPhotos
from eigenfaces.recognition.probes import preparation_for_adding
from eigenfaces.text import count
from ..state import importing
from ..state.jobs import JobCancelled, JobKind
from ..state.session import Session
from ..style import theme
from ..widgets.box_layouts import STRETCH, Stretch, add_parts, in_column, in_row
from ..widgets.cards import Banner, Card, PageScroll, Shrinkable
from ..widgets.controls import Button, LinkButton
from ..widgets.labels import ElidedLabel, label
from ..widgets.saving import confirm_close
from ..widgets.status_bar import time_left
from ..widgets.text_table import TextTable
from .options import PHOTOGRAPHS, FaceOptions, NameOptions
from .review import ReviewPanel

_WAITING, _CHOICES, _TROUBLE = range(3)
_NOBODY = "Nobody (Unknown)"
_NOT_KEPT = "Your corrections to these photos will be lost."
_KEPT = "These photos will stay in the project until you choose a face or leave them out"
_LEAVE_OUT = (
    "You will not be asked about them again, and any guesses will be removed from the gallery. "
    "The files will not be changed."
)
_SIZE = QSize(1400, 900)
_NARROW = 1000  # px: a narrower sheet has smaller margins
_NAMES = {False: 262, True: 256}  # px, width of the people column: {narrow: width}
_EDGES = {False: (20, 14, 20, 12), True: (12, 10, 12, 10)}
_PADDING = {False: theme.CARD_PADDING, True: 10}


class ImportSheet(QDialog):
    """Dialog that shows the photographs found, asks for names and starts the import.

    For photographs still undecided after an import (`PendingPhotos`), it applies the decisions.
    """

    started = Signal()

    def __init__(self, session: Session, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.source = session, source
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.waits = isinstance(source, PendingPhotos)
        self.title = "Photos to review" if self.waits else "Add photos"
        self.setWindowTitle(self.title)
        self.setAccessibleName(self.title)
        self._scan: Scan | None = None
        self._missing: frozenset[Path] = frozenset()  # former paths of missing photos
        self._named = FoundPhotos(())
        self._closed = self._compared = False
        self.trouble = Banner(tone="bad", dismissible=False)
        self.names = NameOptions(session.gallery.people)
        self.faces = FaceOptions(session.gallery)
        self.people = TextTable("People found", ("Person", "Photos"), 0, frozenset({1}))
        self.panel = ReviewPanel(session)
        self.looking = label("", "secondary")
        self.progress, self.time = QProgressBar(), label("", "caption")
        self.note = label("", wrap=True)
        self.mixed = label("", "caption", wrap=True, tone="warn")
        self.others = QCheckBox()
        self.are_events = QCheckBox("These folders are not people:\nfind the people in them")
        self.are_events.setToolTip("All faces will be added; you can name the people later")
        self.one_event = LinkButton("")
        self._events: set[str] = set()  # names of folders that are not people
        self._several: set[str] = set()  # folders that seem to hold several people
        self._rows: list[tuple[str, str]] = []
        self._proposed = self._chose_events = False
        self.leave_out = Button("Leave out all")
        self.cancel, self.start = Button("Cancel"), Button("Add photos", primary=True)
        self._lay_out()
        self.names.changed.connect(self._name)
        self.faces.changed.connect(lambda: self.panel.prepare(self.faces.preparation))
        self.panel.changed.connect(self._show_outcome)
        self.are_events.clicked.connect(self._set_events)
        self.one_event.clicked.connect(self._toggle_event)
        self.people.selectionModel().selectionChanged.connect(lambda: self._offer_one_event())
        self.cancel.clicked.connect(self.reject)
        self.start.clicked.connect(self._start)
        self.leave_out.clicked.connect(self._leave_all_out)
        session.jobs.changed.connect(self._say_what_runs)
        for signal in (session.jobs.changed, session.jobs.progressed):
            signal.connect(self._show_progress)
        self._show_progress()
        self._find()

    def _lay_out(self) -> None:
        parent = self.parentWidget()
        behind = parent.size() - QSize(24, 24) if parent is not None else _SIZE
        room = self.screen().availableSize() - QSize(16, 40)
        self.resize(behind.boundedTo(_SIZE * 1.3).boundedTo(room))
        names, faces, left = Card(), Card(), Shrinkable()
        self._cards = names, faces
        self.people.set_width(1, 70)
        parts = (self.names, self.mixed, self.are_events, self.others)
        add_parts(names.body, *parts, (self.people, 1), self.one_event)
        names.body.addStretch(0)  # without a list, the texts stay together
        faces.body.addWidget(self.faces)
        left.setAccessibleName("Names and faces")
        in_column((names, 1), faces, inside=left, spacing=12)
        self.left = PageScroll(left)
        self.people.setMinimumHeight(theme.pixels(110))
        faces.setHidden(self.waits)
        choices, busy, trouble = QWidget(), QWidget(), QWidget()
        choices.setAccessibleName("The photos")
        in_row(self.left, (self.panel, 1), inside=choices, spacing=10)
        bar, middle = QProgressBar(), Qt.AlignmentFlag.AlignHCenter
        bar.setRange(0, 0)
        bar.setFixedWidth(220)
        in_column(Stretch(2), (self.looking, 0, middle), (bar, 0, middle), Stretch(3), inside=busy)
        in_column(self.trouble, STRETCH, inside=trouble)
        self.stages = QStackedWidget()
        for stage in (busy, PageScroll(choices), trouble):
            self.stages.addWidget(stage)
        title = (ElidedLabel(_title_of(self.source), "secondary"), 1)
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(120)
        self.progress.setAccessibleName("Progress: Checking the photos")
        heading = in_row(label(self.title, "title"), title, self.time, self.progress, spacing=12)
        for button in (self.cancel, self.start, self.leave_out):
            button.setAutoDefault(False)
        self.leave_out.setToolTip(_LEAVE_OUT)
        buttons = in_row((self.note, 1), self.leave_out, self.cancel, self.start, spacing=8)
        self.leave_out.setVisible(self.waits)
        self._edges = in_column(heading, (self.stages, 1), buttons, inside=self, spacing=10)
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < theme.pixels(_NARROW)
        self.left.setFixedWidth(theme.pixels(_NAMES[narrow]))
        self._edges.setContentsMargins(*_EDGES[narrow])
        for card in self._cards:
            card.set_padding(_PADDING[narrow], _PADDING[narrow])
        self.panel.set_narrow(narrow, _PADDING[narrow])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # Looking

    def _find(self) -> None:
        for button in (self.start, self.leave_out):
            button.setEnabled(False)
        self.start.show()
        self.stages.setCurrentIndex(_WAITING)
        source, gallery = self.source, self.session.gallery

        def work(tick: Tick) -> Scan:
            # This is measured only once, but takes a while.
            preparation_for_adding(gallery, gallery.preparation)
            places = gallery.index.rows_by_path
            self._missing = frozenset(path for path in places if not is_there(path))
            return scan(source, tick)

        title = "Looking for photos"
        self.session.run(JobKind.SCAN, title, work, self._show_scan, self._show_failure)

    def _say_what_runs(self) -> None:
        """Show that the search for photographs is running, or which job it is waiting for."""
        ahead = self.session.jobs.blocking_job(JobKind.SCAN)
        self.looking.setText(f"Waiting for “{ahead.title}”…" if ahead else "Looking for photos…")

    def _show_progress(self) -> None:
        """Show the progress of reading the photographs, which the Cancel button can stop."""
        running = (job for job in self.session.jobs.running if job.kind is JobKind.REVIEW)
        job = next(running, None)
        for part in (self.progress, self.time):
            part.setVisible(job is not None)
        if job is not None:
            self.progress.setRange(0, job.total)
            self.progress.setValue(job.done)
            self.time.setText(time_left(job.seconds_left()))

    def _show_scan(self, result: Scan) -> None:
        if self._closed:
            return
        self._scan = result
        gallery = self.session.gallery  # another import may have ended since the sheet was opened
        self.names.show_scan(result, gallery.people)
        if self.waits:  # the earlier import has searched all photos for faces
            self.left.setVisible(bool(result.unnamed))
            self.faces.kind.set_current(PHOTOGRAPHS)
        else:
            self.faces.show_suggested(result.suggested, gallery)
        self.panel.begin(result.found, self.faces.preparation, self._missing)
        self._name()
        self.stages.setCurrentIndex(_CHOICES)
        self.panel.read()
        self.panel.grid.photos.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_failure(self, error: EigenfacesError) -> None:
        if isinstance(error, JobCancelled) and not self._closed:
            self.reject()
        elif not self._closed:
            self.trouble.show_text(str(error), "bad", ("Look again", self._find))
            self.stages.setCurrentIndex(_TROUBLE)
            self.start.hide()

    def _name(self) -> None:
        """Name the people according to the current options, and show the result."""
        if self._scan is None:
            return
        try:
            self._named = with_events(self.names.plan(self._scan), self._events)
        except EigenfacesError as error:
            self.names.show_trouble(str(error))
            self._show_outcome()
        else:
            self.names.show_trouble("")
            self.panel.show_people(self._named)

    def _show_outcome(self) -> None:
        """Show what the import would do. The button shows the number of photographs."""
        if self._closed or self._scan is None:
            return
        entries = list(self.panel.entries.values())
        if self.waits:
            self._show_decisions(entries)
        else:
            self._show_coming(entries, self._scan)
        # The button grows with its text but never shrinks, so that Cancel beside it does not move.
        self.start.setMinimumWidth(max(self.start.minimumWidth(), self.start.sizeHint().width()))

    def _show_coming(self, entries: Sequence[Entry], result: Scan) -> None:
        coming = [e.photo.person for e in entries if e.outcome in TO_BE_ADDED]
        named = len(set(coming) - {None})
        of = f" of {count(named, 'person')}" if named else ""
        self.start.setText(f"Add {count(len(coming))}{of}")
        possible = bool(coming) and not self.names.trouble.text()
        self.start.setEnabled(possible and self.panel.review.all_corrections_applied)
        comparing = "Comparing the faces…" if self.panel.is_comparing else ""
        groups = self.panel.review.photos_with_others(entries).values()
        beside = count(sum(len(group.faces) - 1 for group in groups), "other face")
        self.others.setText(f"Also add the {beside}\nin these photos")
        self.others.setVisible(bool(groups))
        alike = lookalikes_words([*self.session.gallery.people, *self._named.people])
        sentences = (
            tally_words(entries),
            faces_words(entries),
            comparing,
            result.found.marked_words,
            result.found.note,
            alike,
        )
        self.note.setText(" ".join(filter(None, sentences)))
        self._propose_events(entries, result)
        twice = Counter(entry.photo.person for entry in entries if entry.original is not None)
        people = people_found(self._named)
        rows = [(who or _NOBODY, f"{n - twice[who]:,}") for who, n in people]
        if rows != self._rows:  # otherwise the selection stays
            self._rows = rows
            self.people.show_rows(rows)
        self._offer_one_event()
        self.people.setVisible(any(who for who, _ in people))

    # Folders that are not people

    def _propose_events(self, entries: Sequence[Entry], result: Scan) -> None:
        """Show how many folders seem to contain several people. If all do, treat them as events."""
        several, one = several_people(recurrences(entries, result.found))
        self._several = {*self._several, *several} - {*one}
        folders = self._folders()
        self.are_events.setVisible(bool(self._several or self._events) and bool(folders))
        number = len(self._several)
        seem = "seems" if number == 1 else "seem"
        words = f"{number} of {count(len(folders), 'folder')} {seem} to contain several people."
        self.mixed.setText(words if number else "")
        self.mixed.setVisible(bool(self.mixed.text()) and bool(folders))
        if several and not one and not self._chose_events and not self._proposed:
            self._proposed = True
            self.are_events.setChecked(True)
            self._take_events(folders)

    def _folders(self) -> list[str]:
        """Return the names of folders after which people are named."""
        if self._scan is None or self._scan.kind == "manifest" or self.waits:
            return []
        return [*dict.fromkeys(p.person for p in self._scan.found.photos if p.person is not None)]

    def _set_events(self) -> None:
        self._chose_events = True
        self._take_events(self._folders() if self.are_events.isChecked() else ())

    def _take_events(self, events: Collection[str]) -> None:
        self._events = {*events}
        self._name()

    def _chosen_row(self) -> str | None:
        """Return the folder in the selected row, or None if the row is not a folder."""
        rows = self.people.selected_rows()
        names = [who for who, _ in self._rows]
        name = names[rows[0]] if rows and rows[0] < len(names) else None
        return name if name in self._folders() else None

    def _offer_one_event(self) -> None:
        name = self._chosen_row()
        events = sorted(self._events)
        self.one_event.setVisible(name is not None or bool(events))
        self.one_event.setText("The folders are people after all")
        self.one_event.setToolTip(", ".join(events))
        if name is not None:
            metrics, words = self.one_event.fontMetrics(), "“{}” is not a person"
            room = self.left.width() - theme.pixels(60) - metrics.horizontalAdvance(words)
            short = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
            self.one_event.setText(words.format(short))
            self.one_event.setToolTip(words.format(name))
        self.names.sentence.setVisible(not events and bool(self.names.sentence.text()))

    def _toggle_event(self) -> None:
        """Treat the selected folder as an event or, if none is selected, all folders as people."""
        name = self._chosen_row()
        self._chose_events = True
        self._take_events({*self._events, name} if name is not None else ())
        self.are_events.setChecked(self._events >= {*self._folders()})

    def _show_decisions(self, entries: Sequence[Entry]) -> None:
        """Show the decisions about the photographs. The button shows the number of decisions."""
        busy = any(entry.state == "waiting" for entry in entries)
        busy = busy or (self.panel.is_comparing and not self._compared)
        ready = bool(entries) and self.panel.review.all_corrections_applied and not busy
        self._compared = self._compared or ready
        decisions = Decisions.among(entries)
        several = decisions.open > 1
        self.leave_out.setText(f"Leave out all {decisions.open:,}" if several else "Leave it out")
        self.leave_out.setEnabled(ready and decisions.open > 0)
        self.note.setText(decisions.sentence() if ready else "Checking the photos…")
        self.start.setText(decisions.verb)
        self.start.setEnabled(ready and decisions.decided > 0)
        for part in (self.mixed, self.others, self.people):
            part.hide()

    # The end

    def _start(self) -> None:
        self.panel.refresh()
        if not self.start.isEnabled():
            return
        entries, review = list(self.panel.entries.values()), self.panel.review
        cut = self.faces.preparation
        # The program asks who the other faces are later.
        others = self.others.isChecked()
        plan = review.decided_plan(entries) if self.waits else review.plan(entries, others=others)
        plan = replace(plan, found=replace(plan.found, folders=self._named.folders))
        if not self.waits and not importing.can_import(self.session, cut):
            # Stay open, so that no work in this sheet is lost.
            self.note.setText(self.session.message.text if self.session.message else "")
            return
        self._stop_reading()  # first, so that the import does not wait for the review
        if self.waits:
            importing.import_reviewed_faces(self.session, plan, cut)
        else:
            beside = {"already": plan.readings, "groups": plan.groups}
            importing.import_photos(self.session, plan.found, cut, **beside)
        self.started.emit()
        self.accept()

    def _leave_all_out(self) -> None:
        """Leave out all photographs that are still undecided, and apply all decisions."""
        waiting = [e.photo.path for e in self.panel.entries.values() if not e.decided]
        self.panel.review.leave_out(waiting, True)
        self._start()

    def reject(self) -> None:
        """Close the sheet. If corrections would be lost, ask the user first."""
        corrected = self.panel.review.undo_title and not self._closed
        if not corrected or confirm_close(self, _NOT_KEPT) == QMessageBox.StandardButton.Discard:
            super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Enter confirms the face of the photograph, except in the questions at the left. It adds
        # photographs only when the button itself has the focus.
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

    def _stop_reading(self) -> None:
        """Stop reading the photographs, because the results are no longer needed."""
        if not self._closed:
            self._closed = True
            self.panel.stop_reading()
            self.session.jobs.cancel(JobKind.SCAN)


def _title_of(source: Source) -> str:
    if isinstance(source, Path):
        return str(source)
    if isinstance(source, PendingPhotos):
        return _KEPT
    if isinstance(source, FoundPhotos):
        return f"{count(len(source.photos))}, again"
    return str(source[0]) if len(source) == 1 else f"{len(source):,} files and folders"
