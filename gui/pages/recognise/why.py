"""Why: what a verdict follows from, in four cards under its question."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.explanation import explain
from eigenfaces.recognition.gallery import Gallery
from gui.pages.recognise.close import CloseCard
from gui.pages.recognise.details import ComponentsCard
from gui.pages.recognise.findings import Finding
from gui.pages.recognise.looks import LOOKS, VerdictHeading
from gui.pages.recognise.why_cards import MapCard, QuestionsCard
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton
from gui.widgets.flow import Columns
from gui.widgets.painted import FaceView
from gui.widgets.words import ElidedLabel, label

_FACE = QSize(38, 46)
_CARD = 370  # px before the text scale that a card needs beside another
_COPY, _COPIED = "Copy as text", "Copied"


class WhyView(QWidget):
    """The question, where the distance comes from, where it lies, and what the marks do."""

    closed = Signal()
    """Back to the verdict."""

    def __init__(self) -> None:
        super().__init__()
        self.banner = WhyBanner()
        self.banner.back.clicked.connect(self.closed)
        self.banner.copy.clicked.connect(self._copy)
        self.components = ComponentsCard("Where the distance comes from")
        self.map, self.close_card, self.questions = MapCard(), CloseCard(), QuestionsCard()
        self._text = ""
        below = QWidget()
        cards = Columns((2, 1), _CARD, below)
        cards.add(self.components, self.map, self.close_card, self.questions)
        in_column(self.banner, (below, 1), inside=self, spacing=12)

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Explain another verdict; marks that were dragged are as before again."""
        found = explain(gallery, finding.probe.image, finding.verdict)
        self._text = words.explanation_text(found, finding.verdict.decision)
        self.banner.show_finding(finding)
        self.components.show_explanation(gallery, found)
        self.map.show_explanation(finding, found)
        for card in (self.close_card, self.questions):
            card.show_finding(gallery, finding)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.banner.copy.setText(_COPIED)


class WhyBanner(Card):
    """The question in the tone of the verdict, and how close that is in a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Button("Verdict", "back", name="Back to the verdict")
        self.probe = FaceView("", _FACE, name="Probe")
        self.question = ElidedLabel("", "title", Qt.TextElideMode.ElideRight)
        self.heading = VerdictHeading(self.question, 20)
        self.chip = self.heading.chip
        self.sentence = label("", wrap=True)
        self.copy = LinkButton(_COPY, "copy")
        said = in_column(self.heading, self.sentence, spacing=3)
        row = in_row(self.back, self.probe, (said, 1), self.copy, spacing=12)
        self.body.addLayout(row)
        self.set_padding(theme.CARD_PADDING, 8)

    def show_finding(self, finding: Finding) -> None:
        """Show the question that another verdict raises."""
        decision = finding.verdict.decision
        look = LOOKS[decision.kind]
        self.set_tone(look.tone)
        self.heading.show_look(look)
        self.probe.set_image(grey_image(finding.probe.image))
        self.question.set_full_text(words.question(decision))
        self.chip.set_full_text(decision.chip.partition(":")[0])
        self.chip.setToolTip(decision.chip)
        self.sentence.setText(words.closeness(decision))
        self.copy.setText(_COPY)
