"""Why: what a verdict follows from, in place of the photograph."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.calibration import SHARES
from eigenfaces.recognition.explanation import explain
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES, recipe_words
from eigenfaces.text import number
from gui.pages.recognise.findings import Finding
from gui.pages.recognise.why_cards import CloseCard, ComponentsCard, MapCard, QuestionsCard
from gui.state import actions
from gui.state.calibrating import calibrate
from gui.state.jobs import CALIBRATE
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton
from gui.widgets.fields import DropDown
from gui.widgets.flow import Columns
from gui.widgets.named_photo import LOOKS
from gui.widgets.painted import FaceView, Gauge
from gui.widgets.words import Chip, ElidedLabel, label, restyle

_FACE = QSize(64, 78)
_CARD = 370  # px before the text scale that a card needs beside another
_COPY, _COPIED = "Copy as text", "Copied"
_FACE_GAUGE, _GAUGE = "Unlike a face", "Distance to the nearest"  # as `Decision` says it
AUTOMATIC = "Automatic"  # every training chooses the recipe by what it measures


class WhyView(QWidget):
    """The verdict with its figures, and four cards: parts, places, distances, limits."""

    closed = Signal()
    """Back to the photograph."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.banner = WhyBanner()
        self.banner.back.clicked.connect(self.closed)
        self.banner.copy.clicked.connect(self._copy)
        self.choosers = Choosers(session)
        self.banner.body.addWidget(self.choosers)
        self.components, self.map = ComponentsCard(), MapCard()
        self.close_card, self.questions = CloseCard(), QuestionsCard()
        self._text = ""
        below = QWidget()
        cards = Columns((2, 1), _CARD, below)
        cards.add(self.components, self.map, self.close_card, self.questions)
        in_column(self.banner, (below, 1), inside=self, spacing=12)

    def show_finding(self, finding: Finding) -> None:
        """Explain another verdict; limits that were dragged are as before again."""
        found = explain(finding.gallery, finding.probe.image, finding.verdict)
        self._text = words.explanation_text(found, finding.verdict.decision)
        self.banner.show_finding(finding)
        self.components.show_explanation(finding.gallery, found)
        self.map.show_explanation(finding, found)
        self.close_card.show_finding(finding)
        self.questions.show_decision(finding.verdict.decision)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.banner.copy.setText(_COPIED)


class WhyBanner(Card):
    """The question, how close that is, and the two values with their limits."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Button("Photo", "back", name="Back to the photo")
        self.face = FaceView("", _FACE, name="This face")
        self.question = ElidedLabel("", "title", Qt.TextElideMode.ElideRight)
        self.chip = Chip("")
        self.chip.setProperty("lies", True)
        self.sentence = label("", wrap=True)
        self.caution = label("", wrap=True, tone="warn")
        self.copy = LinkButton(_COPY, "copy")
        self.face_gauge, self.distance_gauge = Gauge(_FACE_GAUGE, _GAUGE), Gauge(_GAUGE, _GAUGE)
        heading = in_row(self.question, self.chip, STRETCH, self.copy, spacing=10)
        parts = (self.face_gauge, self.distance_gauge)
        said = in_column(heading, self.sentence, self.caution, *parts, spacing=3)
        top = Qt.AlignmentFlag.AlignTop
        self.body.addLayout(in_row((self.back, 0, top), (self.face, 0, top), (said, 1), spacing=12))
        self.set_padding(theme.CARD_PADDING, 10)

    def show_finding(self, finding: Finding) -> None:
        """Show another verdict."""
        decision, answer = finding.verdict.decision, finding.answer
        tone = LOOKS[decision.kind].tone
        self.set_tone(tone)
        restyle(self.chip, tone)
        self.face.set_image(grey_image(finding.probe.image))
        self.question.set_full_text(words.question(decision))
        self.chip.setText(decision.chip)
        said = (answer.sentence, words.closeness(decision), decision.caveat)
        self.sentence.setText(" ".join(dict.fromkeys(filter(None, said))))
        warnings = [each.sentence for each in answer.cautions]
        warnings += [each.reason for each in answer.concerns]
        self.caution.setText(" ".join(filter(None, [*warnings, answer.cut])))
        self.caution.setVisible(bool(self.caution.text()))
        self.copy.setText(_COPY)
        self._show_gauges(finding)

    def _show_gauges(self, finding: Finding) -> None:
        decision, away = finding.verdict.decision, finding.verdict.decision.nearest[1]
        left, limit, tone = decision.left_over, decision.limit, LOOKS[decision.kind].tone
        most = decision.face_limit
        self.face_gauge.setVisible(left is not None and most is not None)
        if left is not None and most is not None:
            text = decision.unlike_a_face.partition(": ")[2]
            inside = tone if left > most else "ok"
            self.face_gauge.set_value(left, threshold=most, maximum=1.0, text=text, tone=inside)
        self.distance_gauge.setVisible(finding.verdict.farthest > 0 and away >= 0)
        ends = "" if limit is None else f" (limit {number(limit)})"
        self.distance_gauge.set_value(
            max(away, 0.0),
            threshold=limit,
            maximum=max(farthest(finding), away),
            text=f"{number(away)}{ends}",
            tone="ok" if limit is not None and away < limit else tone,
        )


def farthest(finding: Finding) -> float:
    """Return the full length of the bar: beyond all strangers that the gallery knows of."""
    calibration = finding.gallery.calibrated
    if calibration is None:
        return finding.verdict.farthest
    strangers = calibration.held.stranger.distance
    return 1.05 * float(strangers[strangers < float("inf")].max(initial=0.0))


class Choosers(QWidget):
    """By which recipe faces are compared, and how many strangers may be named."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.recipe, self.share = DropDown(), DropDown()
        self.recipe.setAccessibleName("Recipe")
        self.recipe.view().setAccessibleName("Recipes")
        self.share.setAccessibleName("Strangers named at most")
        self.share.view().setAccessibleName("Shares of strangers")
        self.share.setToolTip("The fewer, the more people who are known are not named either.")
        self.recipe.activated.connect(lambda _: self._use(self.recipe.currentText()))
        self.share.activated.connect(lambda _: self._ask(self.share.currentData()))
        self.measure = LinkButton("Measure now", "evaluate")
        self.measure.clicked.connect(lambda: calibrate(session))
        self.words = label("", "caption", wrap=True)
        parts = (label("Recipe", "caption"), self.recipe, label("At most", "caption"), self.share)
        in_row(*parts, self.measure, (self.words, 1), inside=self, spacing=8)
        for box in (self.recipe, self.share):
            box.setSizeAdjustPolicy(DropDown.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(96)  # or a narrow page would scroll sideways

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the recipe and the share of a gallery."""
        recipe, chosen = gallery.recipe, gallery.automatic
        names = [AUTOMATIC, *RECIPES, *({recipe.name} - RECIPES.keys())]
        _show(self.recipe, names, AUTOMATIC if chosen else recipe.name)
        changed = "" if recipe == RECIPES.get(recipe.name) else ". Changed in Settings."
        self.recipe.setToolTip(f"{recipe_words(recipe)}{changed}")
        shares = sorted({*SHARES, gallery.share})
        _show(self.share, [words_of(share) for share in shares], words_of(gallery.share))
        for at, share in enumerate(shares):
            self.share.setItemData(at, share)
        measures = self._session.jobs.is_busy(CALIBRATE)
        self.measure.setVisible(gallery.calibrated is None and not measures)

    def _use(self, name: str) -> None:
        """Compare by another recipe, which is fitted in the background."""
        gallery = self._session.gallery
        if name == AUTOMATIC and gallery.automatic is None:
            actions.use_automatic(self._session)
        elif name in RECIPES and (gallery.automatic or name != gallery.recipe.name):
            actions.use_recipe(self._session, RECIPES[name])

    def _ask(self, share: float) -> None:
        if share != self._session.gallery.share:
            actions.ask_share(self._session, share)


def named_by(gallery: Gallery) -> str:
    """Return in a line by which recipe people are named, and why; with one percentage."""
    chosen = gallery.automatic
    if chosen is None or chosen == NOT_MEASURED:
        return f"Named by {gallery.recipe.name}"
    return chosen.reason.partition(";")[0].rstrip(".")


def words_of(share: float) -> str:
    """Return a share of strangers as it is offered."""
    return f"{100 * share:g} % of strangers named"


def _show(box: DropDown, texts: list[str], current: str) -> None:
    if [box.itemText(at) for at in range(box.count())] != texts:
        box.clear()
        box.addItems(texts)
    box.setCurrentText(current)
