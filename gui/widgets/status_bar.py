"""Status bar with running jobs, their progress and Cancel buttons."""

from __future__ import annotations

from itertools import zip_longest

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from eigenfaces.errors import PER_CENT
from ..state.jobs import AnyJob, JobKind, Jobs, Rule
from ..state.session import Session
from .box_layouts import STRETCH, in_row
from .controls import LinkButton
from .labels import Elide, ElidedLabel, label

_PATIENCE = 300
"""Jobs shorter than this many milliseconds show no progress, which would only flicker."""

_COUNTED = frozenset({JobKind.IMPORT, JobKind.REVIEW, JobKind.SCAN, JobKind.ADD_PROBES})
"""Kinds of job that count photographs; the steps of other jobs mean nothing to the user."""


class JobLine(QWidget):
    """Line with a job's title, progress and Cancel button (Esc); hidden if no job is running."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._job: AnyJob | None = None
        self._stage = ElidedLabel("", "caption", Elide.ElideRight)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._cancel = LinkButton("Cancel")
        self._cancel.clicked.connect(self._stop)
        in_row(self._stage, self._bar, self._cancel, inside=self, spacing=12)
        self.patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self.patience.timeout.connect(self.show)
        self.hide()

    def show_job(self, job: AnyJob | None, width: int) -> None:
        """Show the progress of a job once it has been running for a moment."""
        self._job = job
        if job is None:
            self.patience.stop()
            self.hide()
            return
        cancelling = job.stop.is_set()
        self._bar.setFixedWidth(width)
        self._bar.setRange(0, job.total)
        self._bar.setValue(job.done)
        self._bar.setAccessibleName(f"Progress: {job.title}")
        self._stage.set_full_text(f"{job.title}: cancelling…" if cancelling else _stage(job))
        self._cancel.setAccessibleName(f"Cancel: {job.title}")
        self._cancel.setEnabled(not cancelling)
        if self.isHidden() and not self.patience.isActive():
            self.patience.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:  # the focus is on Cancel
            self._stop()
        else:
            super().keyPressEvent(event)

    def _stop(self) -> None:
        if self._job is not None:
            self._jobs.cancel(self._job)


class StatusBar(QFrame):
    """Bar with the running jobs, each with a Cancel button, and with other widgets on the right."""

    def __init__(self, session: Session, *others: QWidget) -> None:
        super().__init__()
        self.setProperty("role", "foot")
        self.session = session
        self._lines = [JobLine(session.jobs), JobLine(session.jobs)]
        self._ready = label("Ready", "caption")
        self._time = label("", "caption")
        first, second = self._lines
        jobs = in_row(self._ready, first, second, STRETCH, self._time, spacing=18)
        in_row((jobs, 1), *others, inside=self, spacing=18, margins=(22, 3, 18, 3))
        self.setMinimumHeight(36)
        for line in self._lines:
            line.patience.timeout.connect(self.refresh)
        session.jobs.changed.connect(self.refresh)
        session.jobs.progressed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the running jobs or “Ready”, and the remaining time if only one is running."""
        running = [job for job in self.session.jobs.running if Rule.UNSEEN not in job.kind.rules]
        for line, job in zip_longest(self._lines, running):
            line.show_job(job, 90 if len(running) > 1 else 210)
        seen = [job for line, job in zip(self._lines, running, strict=False) if not line.isHidden()]
        self._ready.setVisible(not seen)
        self._time.setVisible(len(seen) < 2)  # two jobs leave no room for it
        self._time.setText(time_left(seen[0].seconds_left()) if seen else "")


def _stage(job: AnyJob) -> str:
    if not job.total:
        return job.title
    if job.kind in _COUNTED and job.total != PER_CENT:
        return f"{job.title}: {job.done:,} of {job.total:,}"
    return f"{job.title}: {100 * job.done // job.total} %"


def time_left(seconds: float | None) -> str:
    """Return the remaining time of a job as text, or "" if it is not known."""
    if seconds is None:
        return ""
    if seconds < 1:
        return "almost done"
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"
