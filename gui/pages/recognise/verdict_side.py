"""The verdict on the probe that is shown, and what it follows from."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from eigenfaces.recognition.answers import answer_to
from eigenfaces.recognition.gallery import Answered, Gallery
from gui.pages.recognise.close import CloseCard
from gui.pages.recognise.details import ComponentsCard, NearestCard, SeenCard
from gui.pages.recognise.findings import Finding, Findings
from gui.pages.recognise.verdict import VerdictCard
from gui.pages.recognise.why import WhyView
from gui.state.calibrating import calibrate
from gui.state.jobs import CALIBRATE
from gui.state.session import Session
from gui.widgets.boxes import in_column
from gui.widgets.controls import Button
from gui.widgets.flow import Columns
from gui.widgets.words import label

_NOT_YET = "This photo is not compared yet."
_OTHER_SIZE = (
    "Since this photo was opened, the size of the faces has changed. Open it again to compare it."
)
_FACELESS = "No face was found in this photograph. Show where it is, and it is compared."
_CHART = 310  # px before the text scale that a chart needs beside another card


class VerdictSide(QWidget):
    """The card of the verdict, the nearest faces, and two cards that fit the verdict.

    In place of them, until it is closed: the explanation.
    """

    changed = Signal()
    """The explanation was opened, or closed."""

    def __init__(self, session: Session, findings: Findings) -> None:
        super().__init__()
        self._session, self._findings = session, findings
        self._shown: tuple[Gallery, Finding, Answered] | None = None
        self.verdict, self.nearest = VerdictCard(session), NearestCard()
        self.seen, self.components, self.close_card = SeenCard(), ComponentsCard(), CloseCard()
        self._waiting = label("", "secondary", wrap=True)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.show_face = Button("Show the face…", "image", primary=True)
        self.verdict.measure.clicked.connect(lambda: calibrate(session))
        self.verdict.why.clicked.connect(self.explain)
        self._why: WhyView | None = None  # made when it is opened
        self.explains = False
        """Whether the explanation is open in place of the verdict."""
        self._of = session.project
        self._verdicts, self._waits = QWidget(), QWidget()
        self._lay_out()

    def show_probe(self, key: str | None) -> None:
        """Show the verdict on a probe, or why there is none."""
        found = self._findings.of(key)
        if found is None or self._session.project is not self._of:
            self._of, self.explains = self._session.project, False
        if self._why is not None:
            self._why.setVisible(self.explains)
        self._verdicts.setVisible(found is not None and not self.explains)
        self._waits.setVisible(found is None)
        if found is None:
            self._show_waiting((key or "").startswith("\0"))
            return
        self.verdict.photo.show_probe(found.probe, self._session.probes)
        measures = self._session.jobs.is_busy(CALIBRATE)
        self.verdict.measure.setVisible(self._session.gallery.calibrated is None and not measures)
        answered = answer_to(self._session.gallery, found.probe)
        now = (self._findings.gallery, found, answered)
        if self._shown != now:
            self._shown = now
            self._show_finding(*now)
            if self._why is not None and self.explains:
                self._why.show_finding(*now[:2])

    def explain(self) -> None:
        """Show why; of other probes as well, until it is closed."""
        if self._shown is None or self._verdicts.isHidden():
            return
        if self._why is None:
            self._why = WhyView()
            self._why.closed.connect(self.close_why)
            self._around.addWidget(self._why)
        self._why.show_finding(*self._shown[:2])
        self.explains = True
        self.changed.emit()
        self._why.banner.back.setFocus()  # Esc, too, leads back

    def close_why(self) -> bool:
        """Show the verdict again; return whether the explanation was open."""
        if not self.explains:
            return False
        self.explains = False
        self.changed.emit()
        return True

    def _show_waiting(self, faceless: bool) -> None:
        fitting = all(self._findings.fits(probe) for probe in self._session.probes)
        self._waiting.setText(_FACELESS if faceless else _NOT_YET if fitting else _OTHER_SIZE)
        self.show_face.setVisible(faceless)

    def _show_finding(self, gallery: Gallery, found: Finding, answered: Answered) -> None:
        decision = found.verdict.decision
        calibrated = decision.calibration is not None
        self.nearest.setVisible(decision.kind != "no face")
        self.seen.setVisible(decision.kind != "ask")
        self.components.setVisible(decision.kind == "ask" or not calibrated)
        self.close_card.setVisible(calibrated)
        self.verdict.show_finding(gallery, found, answered)
        for card in (self.nearest, self.seen, self.components, self.close_card):
            if not card.isHidden():
                card.show_finding(gallery, found)

    def _lay_out(self) -> None:
        below = QWidget()
        Columns((2, 1), _CHART, below).add(self.seen, self.components, self.close_card)
        in_column(self.verdict, self.nearest, (below, 1), inside=self._verdicts, spacing=12)
        waits = QVBoxLayout(self._waits)
        waits.addStretch(1)
        waits.addWidget(self._waiting)
        waits.addWidget(self.show_face, 0, Qt.AlignmentFlag.AlignHCenter)
        waits.addStretch(2)
        self._waits.hide()
        self._around = in_column(self._verdicts, self._waits, inside=self)
