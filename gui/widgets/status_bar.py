"""The bottom of the window: what is being done, how far it is, Cancel; facts of the face space."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar

from eigenfaces.evaluation.stages import WHOLE
from gui.state.jobs import Progress
from gui.state.session import Session
from gui.widgets.controls import LinkButton
from gui.widgets.words import label

_PATIENCE = 300
"""Work shorter than this (ms) shows no progress: it would only flicker."""


class Foot(QFrame):
    """One strip; progress appears when something takes longer than a moment."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("role", "foot")
        self.session = session
        self._stage = label("Ready", "caption")
        self._bar = QProgressBar()
        self._bar.setFixedWidth(210)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self._cancel = LinkButton("Cancel")
        self._cancel.clicked.connect(session.jobs.cancel)
        self._facts = label("", "caption")
        row = QHBoxLayout(self)
        row.setContentsMargins(22, 3, 18, 3)
        row.setSpacing(12)
        for part in (self._stage, self._bar, self._cancel):
            row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self._facts)
        self.setMinimumHeight(36)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self.refresh)
        session.jobs.changed.connect(self._on_job)
        session.gallery_changed.connect(self.refresh)
        self.refresh()

    def _on_job(self) -> None:
        if self.session.jobs.current is None:
            self._patience.stop()
            self.refresh()
        elif self._bar.isVisible():
            self.refresh()
        elif not self._patience.isActive():
            self._patience.start()

    def refresh(self) -> None:
        """Show the running job, or that there is none, and what the face space is."""
        now = self.session.jobs.current
        for part in (self._bar, self._cancel):
            part.setVisible(now is not None)
        if now is None:
            self._stage.setText("Ready")
            self._facts.setText(self._face_space())
            return
        self._bar.setRange(0, now.total)
        self._bar.setValue(now.done)
        self._stage.setText(f"{now.title}: cancelling…" if now.cancelling else _stage(now))
        self._cancel.setEnabled(not now.cancelling)
        self._facts.setText(_left(now.seconds_left))

    def _face_space(self) -> str:
        gallery = self.session.gallery
        if gallery.training is None:
            return "Everything stays on this computer"
        height, width = gallery.training.space.shape
        of = f"{gallery.k} of {len(gallery.training.space)}"
        if gallery.comparison.which.start:
            of += f", the first {gallery.comparison.which.start} dropped"
        return f"k = {of} · {width} × {height} px · {gallery.recipe.distance} distance"


def _stage(now: Progress) -> str:
    if now.total == WHOLE:
        return f"{now.title}: {now.done} %"
    return f"{now.title}: {now.done:,} of {now.total:,}" if now.total else now.title


def _left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 1:
        return "almost done"
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"
