"""The sheet between choosing photographs and reading them: who is on them, how faces are cut."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from eigenfaces.errors import EigenfacesError
from eigenfaces.photos import FoundPhotos
from gui import actions, theme
from gui.import_sheet.faces import FaceOptions
from gui.import_sheet.names import NameOptions
from gui.import_sheet.plan import Scan, counts, scan
from gui.session import Session
from gui.widgets.cards import Banner, Card
from gui.widgets.controls import Button, Segmented
from gui.widgets.text_table import TextTable
from gui.widgets.words import ElidedLabel, label

_WAITING, _CHOICES, _TROUBLE = range(3)
_NOBODY = "Nobody (Unknown)"


class ImportSheet(QDialog):
    """Shows what was found, asks what has to be asked, and starts the import."""

    started = Signal()

    def __init__(
        self, session: Session, source: Path | Sequence[Path], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.session, self.source = session, source
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Add photos")
        self.setAccessibleName("Add photos")
        self._scan: Scan | None = None
        self._plan = FoundPhotos(())
        self._closed = False
        self.trouble = Banner(tone="bad", dismissible=False)
        self.names = NameOptions(session.gallery.people)
        self.faces = FaceOptions(session.gallery)
        self.views = Segmented(["People", "Skipped"], name="Preview")
        self.people = TextTable("People found", ("Person", "Photos"), 0, frozenset({1}))
        self.skipped = TextTable("Skipped files", ("File", "Reason"), 1)
        self.waiting = label("Looking for photos…", "secondary")
        self.heading = label("What was found", "heading")
        self.note = label("", "caption", wrap=True)
        self.cancel = Button("Cancel")
        self.start = Button("Add photos", primary=True)
        self.cancel.setAutoDefault(False)
        self.start.setDefault(True)
        self._lay_out()
        self.names.changed.connect(self._name)
        self.views.changed.connect(self._show_view)
        self.cancel.clicked.connect(self.reject)
        session.jobs.changed.connect(self._tell_what_runs)
        self.start.clicked.connect(self._start)
        self._look()

    # Layout

    def _lay_out(self) -> None:
        self.resize(theme.pixels(60) + 780, 600)
        choices = QWidget()
        columns = QHBoxLayout(choices)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(12)
        right = Card("How are faces cut?")
        right.body.addWidget(self.faces)
        columns.addWidget(self._left(), 3)
        columns.addWidget(right, 2)
        self.stages = QStackedWidget()
        for stage in (_waiting(self.waiting), choices, _at_top(self.trouble)):
            self.stages.addWidget(stage)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.note, 1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.start)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        heading = QVBoxLayout()
        heading.setSpacing(1)
        heading.addWidget(label("Add photos", "title"))
        heading.addWidget(ElidedLabel(_title_of(self.source), "secondary"))
        column.addLayout(heading)
        column.addWidget(self.stages, 1)
        column.addLayout(foot)

    def _left(self) -> Card:
        left = Card()
        line = QHBoxLayout()
        line.addWidget(self.heading)
        line.addStretch(1)
        line.addWidget(self.views)
        self.people.set_width(1, 80)
        self.skipped.set_width(0, 150)
        self.skipped.hide()
        left.body.addWidget(self.names)
        left.body.addSpacing(6)
        left.body.addLayout(line)
        left.body.addWidget(self.people, 1)
        left.body.addWidget(self.skipped, 1)
        return left

    # Looking

    def _look(self) -> None:
        self.start.setEnabled(False)
        self.start.show()
        self.stages.setCurrentIndex(_WAITING)
        source = self.source
        self.session.jobs.start(
            "scan",
            "Looking for photos",
            lambda tick: scan(source, tick),
            self._found,
            failed=self._failed,
            cancelled=self._stopped,
        )

    def _tell_what_runs(self) -> None:
        """Say what the search has to wait for, where something else is at work."""
        running = self.session.jobs.current
        other = running is not None and running.kind != "scan"
        self.waiting.setText(
            f"{running.title} comes first…" if running and other else "Looking for photos…"
        )

    def _found(self, found: Scan) -> None:
        if self._closed:
            return
        self._scan = found
        gallery = self.session.gallery  # another import may have ended since the sheet was opened
        self.names.show_scan(found, gallery.people)
        self.faces.show_scan(found, gallery)
        self._name()
        self.stages.setCurrentIndex(_CHOICES)
        self.start.setFocus(Qt.FocusReason.OtherFocusReason)

    def _failed(self, error: EigenfacesError) -> None:
        if not self._closed:
            self.trouble.show_text(str(error), "bad", ("Look again", self._look))
            self.stages.setCurrentIndex(_TROUBLE)
            self.start.hide()

    def _stopped(self) -> None:
        if not self._closed:
            self.reject()

    # Naming

    def _name(self) -> None:
        """Name people by the rule as it is now, and show what comes of it."""
        if self._scan is None:
            return
        try:
            self._plan = self.names.plan(self._scan)
        except EigenfacesError as error:
            self.names.show_trouble(str(error))
            self.start.setEnabled(False)
            return
        self.names.show_trouble("")
        people = counts(self._plan)
        self.people.show_rows([(person or _NOBODY, f"{n:,}") for person, n in people])
        self.skipped.show_rows([(file.path.name, file.reason) for file in self._plan.skipped])
        self._count(len(self._plan.skipped))
        self._tell(people)

    def _count(self, skipped: int) -> None:
        self.heading.setText(
            f"What was found, {skipped:,} skipped" if skipped else "What was found"
        )
        self.views.setVisible(skipped > 0)
        if not skipped:
            self.views.set_current(0)

    def _tell(self, people: list[tuple[str | None, int]]) -> None:
        photos = len(self._plan.photos)
        persons = sum(person is not None for person, _ in people)
        of = f" of {persons:,} {'person' if persons == 1 else 'people'}" if persons else ""
        self.start.setText(f"Add {photos:,} {'photo' if photos == 1 else 'photos'}{of}")
        self.start.setEnabled(photos > 0)
        if photos:
            self.note.setText("Photos that cannot be read are listed afterwards, with the reason.")
        else:
            self.note.setText("No photo is left to add.")

    def _show_view(self) -> None:
        self.people.setVisible(self.views.current == 0)
        self.skipped.setVisible(self.views.current == 1)

    # The end

    def _start(self) -> None:
        actions.import_photos(self.session, self._plan, self.faces.preparation)
        self.started.emit()
        self.accept()

    def done(self, result: int) -> None:
        self._let_go()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._let_go()
        super().closeEvent(event)

    def _let_go(self) -> None:
        """Look no further: nobody waits for the answer."""
        if self._closed:
            return
        self._closed = True
        jobs = self.session.jobs
        jobs.changed.disconnect(self._tell_what_runs)
        if jobs.current is not None and jobs.current.kind == "scan":
            jobs.cancel()


def _title_of(source: Path | Sequence[Path]) -> str:
    if isinstance(source, Path):
        return str(source)
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
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(widget)
    column.addStretch(1)
    return made
