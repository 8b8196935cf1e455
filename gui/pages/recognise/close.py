"""Is that close? The distance of a probe among those of the gallery's own photos, held out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.recognition.calibration import Calibration, held_out_histogram, left_over_histogram
from eigenfaces.recognition.explanation import TwoQuestions, beyond_faces
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import Decision
from eigenfaces.text import number
from gui.pages.recognise.findings import Finding
from gui.plots import HistogramChart
from gui.widgets.cards import Card
from gui.widgets.words import label

_DISTANCE = "distance to the nearest enrolled person"
_LEFT = "share of the contrast that is no face, in %"


class CloseCard(Card):
    """Two histograms: photos of enrolled people, and the same as strangers; and this photo."""

    def __init__(self) -> None:
        super().__init__("Is that close?")
        self.chart = HistogramChart(_DISTANCE, "photos")
        self.chart.setMinimumHeight(150)
        self.chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(self.chart, 1)
        self.body.addWidget(self.words)
        self._of: Calibration | None = None

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Show where another probe lies."""
        decision, calibration = finding.verdict.decision, finding.verdict.decision.calibration
        if calibration is not None and decision.kind == "no face":
            self._show_likeness(calibration, decision)
            return
        self.chart.frame.x.title = _DISTANCE
        far = decision.limit is not None and decision.nearest[1] >= decision.limit
        self.set_title("Is that far?" if far else "Is that close?")
        spread = None if calibration is None else held_out_histogram(calibration.held)
        self.chart.setVisible(spread is not None)
        if calibration is None or spread is None:
            self._of = None
            self.words.setText(decision.reason or "Nobody has two photos, so none is held out.")
            return
        if calibration is not self._of:
            self._of = calibration
            mated, others = (f"{count:,}" for count in spread.counts)
            self.chart.show_histogram(
                spread, f"{mated} photos of enrolled, held out", f"{others} of left-out people"
            )
        away = decision.nearest[1]
        self.chart.set_mark(away, f"this photo {number(away)}")
        limit = decision.limit
        self.chart.set_limit(limit, "" if limit is None else f"mark {number(limit)}")
        held = TwoQuestions.of(calibration)
        self.words.setText(calibration.reason if limit is None else held.beyond(limit))

    def _show_likeness(self, calibration: Calibration, decision: Decision) -> None:
        """Show how much of a picture is no face, among the same of the gallery's faces."""
        left, limit = 100 * (decision.left_over or 0.0), 100 * (decision.face_limit or 0.0)
        spread = left_over_histogram(calibration.left_over, decision.left_over or 0.0)
        self._of = None
        self.set_title("Is that far?")
        self.chart.show()
        self.chart.frame.x.title = _LEFT
        self.chart.show_histogram(spread, f"{spread.counts[0]:,} photos of enrolled, held out", "")
        self.chart.set_mark(left, f"this photo {left:.0f} %")
        self.chart.set_limit(limit, f"mark {limit:.0f} %")
        self.words.setText(beyond_faces(calibration.left_over, calibration.likeness.limit))
