"""The status bar: running jobs with their progress and Cancel, and the face space."""

from __future__ import annotations

from itertools import zip_longest

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from eigenfaces.errors import WHOLE
from gui.state.jobs import AnyJob, Jobs
from gui.state.session import Session
from gui.widgets.boxes import STRETCH, in_row
from gui.widgets.controls import LinkButton
from gui.widgets.words import Elide, ElidedLabel, label

_PATIENCE = 300
"""Work shorter than this (ms) shows no progress: it would only flicker."""

_COUNTED = 1_000_000
"""More than this nobody counts: pixels, not photos; what is done of it is shown in per cent."""


class JobLine(QWidget):
    """One running job: its title, its progress and Cancel (Esc); hidden while there is none."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._now: AnyJob | None = None
        self._stage = ElidedLabel("", "caption", Elide.ElideRight)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._cancel = LinkButton("Cancel")
        self._cancel.clicked.connect(self._stop)
        in_row(self._stage, self._bar, self._cancel, inside=self, spacing=12)
        self.patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self.patience.timeout.connect(self.show)
        self.hide()

    def show_progress(self, now: AnyJob | None) -> None:
        """Show the progress of a job, once it has taken longer than a moment."""
        self._now = now
        if now is None:
            self.patience.stop()
            self.hide()
            return
        self._bar.setRange(0, now.total)
        self._bar.setValue(now.done)
        self._bar.setAccessibleName(f"Progress: {now.title}")
        cancelling = now.stop.is_set()
        words = f"{now.title}: cancelling…" if cancelling else _stage(now)
        self._stage.set_full_text(words)
        self._cancel.setAccessibleName(f"Cancel: {now.title}")
        self._cancel.setEnabled(not cancelling)
        if self.isHidden() and not self.patience.isActive():
            self.patience.start()

    def make_room(self, *, narrow: bool) -> None:
        """Take less room where two jobs are shown."""
        self._bar.setFixedWidth(90 if narrow else 210)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:  # the focus is on Cancel
            self._stop()
        else:
            super().keyPressEvent(event)

    def _stop(self) -> None:
        if self._now is not None:
            self._jobs.cancel(self._now)


class StatusBar(QFrame):
    """Shows the running jobs, and facts about the face space."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("role", "foot")
        self.session = session
        self._lines = [JobLine(session.jobs), JobLine(session.jobs)]
        self._ready = label("Ready", "caption")
        self._facts = label("", "caption")
        in_row(
            self._ready,
            *self._lines,
            STRETCH,
            self._facts,
            inside=self,
            spacing=18,
            margins=(22, 3, 18, 3),
        )
        self.setMinimumHeight(36)
        for line in self._lines:
            line.patience.timeout.connect(self.refresh)
        session.jobs.changed.connect(self.refresh)
        session.jobs.progressed.connect(self.refresh)
        session.gallery_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the running jobs or “Ready”, and the face space."""
        running = self.session.jobs.running
        for line, now in zip_longest(self._lines, running):
            line.show_progress(now)
            line.make_room(narrow=len(running) > 1)
        seen = [
            now for line, now in zip(self._lines, running, strict=False) if line.isVisibleTo(self)
        ]
        self._ready.setVisible(not seen)
        self._facts.setVisible(len(seen) < 2)  # two jobs leave no room for it
        self._facts.setText(_left(seen[0].seconds_left()) if seen else self._face_space())

    def _face_space(self) -> str:
        gallery = self.session.gallery
        if gallery.training is None:
            return "Everything stays on this computer"
        height, width = gallery.training.space.shape
        of = f"{gallery.k} of {len(gallery.training.representation)}"
        if gallery.comparison.which.start:
            of += f", the first {gallery.comparison.which.start} dropped"
        return f"k = {of} · {width} × {height} px · {gallery.recipe.matcher.distance} distance"


def _stage(now: AnyJob) -> str:
    if now.total == WHOLE:
        return f"{now.title}: {now.done} %"
    if now.total > _COUNTED:
        return f"{now.title}: {100 * now.done // now.total} %"
    return f"{now.title}: {now.done:,} of {now.total:,}" if now.total else now.title


def _left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 1:
        return "almost done"
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"
