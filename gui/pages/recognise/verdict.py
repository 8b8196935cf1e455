"""The verdict on one probe: who it is, how sure, or nobody; and what can be answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from eigenfaces.project.exports import reconstruction
from eigenfaces.recognition.gallery import Answered, Gallery
from eigenfaces.text import number, percent
from gui.pages.recognise.answer_row import AnswerRow, consequence, offers, offers_again
from gui.pages.recognise.findings import Finding
from gui.pages.recognise.looks import ANSWER_LOOKS, ITSELF, LOOKS, VerdictHeading
from gui.pages.recognise.photo import ProbePhoto
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.style.theme import Tone
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import LinkButton
from gui.widgets.painted import FaceView, Gauge
from gui.widgets.words import ElidedLabel, label, restyle

_PAIR, _THREE = QSize(112, 136), QSize(98, 119)
_SMALLER = 0.72  # in a narrow card
_GAP = 18  # between the photo, the pictures and the words
_WIDE = 900  # px of the card, before the text scale, with room for a large photo
_TIGHT = 640  # px below which nothing stands beside a headline
_BESIDE = 640  # px for pictures when the photo is beside them
_AGAIN = "Another answer replaces this one. Taking it back leaves the verdict as it was before."
_ON_PEOPLE = "This photograph is in the gallery already. Name or move it on People."
_FACE, _WHO = "Is it a face?", "Who is it? (distance)"


class Headline(ElidedLabel):
    """Who it is, in large letters; if there is no room, its end is cut."""

    def __init__(self) -> None:
        super().__init__("", "figure", Qt.TextElideMode.ElideRight)

    def minimumSizeHint(self) -> QSize:
        wish = self.sizeHint()
        width = self.fontMetrics().horizontalAdvance("Closest: Mm…")
        return QSize(min(wish.width(), width), wish.height())


class Said(NamedTuple):
    """The words of a verdict, or of the answer that was given to it."""

    headline: str
    chip: str
    sentence: str


class VerdictCard(Card):
    """Probe and nearest people; who it is and how sure; two distances; and the answers to it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.photo = ProbePhoto(session)
        self.pictures = [FaceView("", _PAIR, name=name) for name in ("Probe", "Nearest", "Next")]
        self.headline = Headline()
        self.heading = VerdictHeading(self.headline)
        self.chip = self.heading.chip
        self.mend = LinkButton("Photograph…", "image")
        self.mend.setAccessibleName("See the photograph, and mend its face")
        self.mend.setToolTip("See the whole photograph, and mend its face (Ctrl+P)")
        self.why = LinkButton("Why?", "info")
        self.why.setToolTip("What the verdict follows from (W)")
        self.sentence = label("", wrap=True)
        self.caution = label("", wrap=True)
        self.face_gauge, self.distance_gauge = Gauge(_FACE, _WHO), Gauge(_WHO, _WHO)
        self.marks = label("", "caption", wrap=True)
        self.measure = LinkButton("Measure now", "evaluate")
        self.answers = AnswerRow()
        self._key = ""
        self.body.addLayout(self._lay_out())

    def show_finding(self, gallery: Gallery, finding: Finding, answered: Answered) -> None:
        """Show another verdict, and what was answered to it."""
        decision = finding.verdict.decision
        itself = bool(finding.itself)
        look = ANSWER_LOOKS.get(answered.said) or (ITSELF if itself else LOOKS[decision.kind])
        said = words_of(finding, answered)
        self.set_tone(look.tone)
        self.heading.show_look(look)
        self.headline.set_full_text(said.headline)
        self.chip.set_full_text(said.chip)
        self.sentence.setText(f"{said.sentence} {finding.answer.cut}".rstrip())
        self._show_cautions(finding)
        self._show_pictures(pictures(gallery, finding))
        self._show_gauges(gallery, finding, look.tone)
        self.marks.setText(decision.limits)
        self.marks.setVisible(not (answered.said or itself))
        if answered.said:
            self.answers.show_offers(offers_again(answered), _AGAIN)
        elif itself:
            self.answers.show_offers((), _ON_PEOPLE)
        else:
            name = decision.nearest[0]
            photos, among = len(gallery.index.rows_of(name)), finding.answer.filed_as == name
            self.answers.show_offers(offers(decision), consequence(decision, photos, among=among))
        if finding.probe.photo.key != self._key:
            self._key = finding.probe.photo.key
            self.answers.close_name()
        self.answers.name.offer(gallery.people)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow, way = self.width() < theme.pixels(_WIDE), QBoxLayout.Direction
        self.photo.set_narrow(narrow)
        self._fit_pictures()
        tight = self.width() < theme.pixels(_TIGHT)
        self._top.setDirection(way.TopToBottom if tight else way.LeftToRight)
        beside = self.width() >= _BESIDE + theme.pixels(120)
        self._whole.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def _show_cautions(self, finding: Finding) -> None:
        answer = finding.answer
        warnings = [each.sentence for each in answer.cautions]
        warnings += [each.reason for each in answer.concerns]
        self.caution.setText(" ".join(warnings))
        self.caution.setVisible(bool(warnings))
        mild = all(each.kind == "not compared" for each in answer.cautions) and not answer.concerns
        restyle(self.caution, "" if mild else "warn")

    def _show_pictures(self, shown: Sequence[tuple[QImage, str]]) -> None:
        for view, (image, caption) in zip(self.pictures, shown, strict=False):
            view.set_image(image)
            view.set_caption(caption)
            view.show()
        for view in self.pictures[len(shown) :]:
            view.hide()
        self._fit_pictures()

    def _fit_pictures(self) -> None:
        two, way = self.pictures[-1].isHidden(), QBoxLayout.Direction
        narrow = self.width() < theme.pixels(_WIDE)
        size = _PAIR if two else _THREE
        for view in self.pictures:
            view.set_size(size * _SMALLER if narrow else size)
        above = narrow if two else self.width() < theme.pixels(_TIGHT)
        self._faces.setDirection(way.TopToBottom if above else way.LeftToRight)

    def _show_gauges(self, gallery: Gallery, finding: Finding, tone: Tone) -> None:
        decision, away = finding.verdict.decision, finding.verdict.closest.distance
        left, limit = decision.left_over, decision.face_limit
        self.face_gauge.setVisible(left is not None)
        if left is not None and limit is not None:
            self.face_gauge.set_value(
                left,
                threshold=limit,
                maximum=1.0,
                text=percent(left, 0),
                mark=percent(limit, 0),
                tone="ok" if left <= limit else tone,
            )
        if decision.kind == "no face":
            self.distance_gauge.show()
            self.distance_gauge.set_value(
                0, threshold=None, maximum=1, text="not asked", tone="neutral"
            )
            return
        bounded = finding.verdict.farthest > 0 and away >= 0
        self.distance_gauge.setVisible(bounded)
        self.distance_gauge.set_value(
            away if bounded else 0.0,
            threshold=decision.limit,
            maximum=farthest(gallery, finding),
            text=number(away),
            mark="" if decision.limit is None else number(decision.limit),
            tone=tone,
        )

    def _lay_out(self) -> QBoxLayout:
        beside = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        self._top = in_row((self.heading, 1), (self.why, 0, beside), spacing=4)
        words = in_column(
            self._top,
            self.sentence,
            self.caution,
            self.face_gauge,
            self.distance_gauge,
            self.marks,
            (self.measure, 0, Qt.AlignmentFlag.AlignLeft),
            self.answers,
            STRETCH,
            spacing=6,
        )
        middle = Qt.AlignmentFlag.AlignHCenter
        self._faces = in_row(*((view, 0, middle) for view in self.pictures), spacing=4)
        seen = in_column(
            STRETCH,
            self._faces,
            (self.mend, 0, middle),
            STRETCH,
            spacing=2,
        )
        row = in_row(seen, (words, 1), spacing=_GAP - 4)
        self.measure.hide()
        top = Qt.AlignmentFlag.AlignTop
        self._whole = in_row((self.photo, 0, top), (row, 1), spacing=_GAP)
        return self._whole


def words_of(finding: Finding, answered: Answered) -> Said:
    """Return the words of a verdict; of the answer to it, if there is one."""
    decision = finding.verdict.decision
    if answered.person is not None:
        known = f"You said: {answered.person}. The photo is kept as theirs."
        return Said(answered.person, "you said so", known)
    if answered.said == "nobody":
        return Said("Nobody I know", "you said so", "You said: nobody you know. Nobody is named.")
    if answered.said == "no face":
        return Said("Not a face", "you said so", "You said: not a face. The photo is put aside.")
    answer = finding.answer
    if answer.compared_with_itself:
        return Said(f"In the gallery: {answer.filed_as}", "compared with itself", answer.sentence)
    never = f"You said: not {' or '.join(sorted(answered.never))}. " if answered.never else ""
    return Said(decision.headline, decision.chip, never + answer.sentence)


def pictures(gallery: Gallery, finding: Finding) -> list[tuple[QImage, str]]:
    """Return the probe and whom it is compared with, each with its caption."""
    verdict = finding.verdict
    probe = (grey_image(finding.probe.image), "Probe")
    if verdict.decision.kind == "no face":
        rebuilt = reconstruction(gallery, finding.probe.image, gallery.shown_k)
        return [probe, (grey_image(rebuilt), "As a face")]
    nearest = grey_image(gallery.faces.image(verdict.closest.row))
    if verdict.decision.kind == "ask" and verdict.runner_up is not None:
        second = grey_image(gallery.faces.image(verdict.runner_up.row))
        captions = (f"1 · {verdict.closest.person}", f"2 · {verdict.runner_up.person}")
        return [probe, (nearest, captions[0]), (second, captions[1])]
    far = verdict.decision.kind == "unknown"
    return [probe, (nearest, "Nearest, too far" if far else verdict.closest.person)]


def farthest(gallery: Gallery, finding: Finding) -> float:
    """Return the full length of the bar: beyond all strangers that the gallery knows of."""
    calibration, away = gallery.calibrated, finding.verdict.closest.distance
    if calibration is None:
        return finding.verdict.farthest
    strangers = calibration.held.stranger.distance
    known = strangers[strangers < float("inf")]
    return max(1.05 * float(known.max(initial=0.0)), away)
