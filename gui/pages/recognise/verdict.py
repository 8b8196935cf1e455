"""The verdict on one probe: who is closest, how far, and how uncertain that is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from eigenfaces.evaluation.gallery_accuracy import GalleryAccuracy
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import NOT_CALIBRATED
from gui.pages.recognise.findings import Finding, number
from gui.pages.recognise.photo import ProbePhoto
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.style.theme import Tone
from gui.widgets.cards import Card, Chip, ElidedLabel, Gauge
from gui.widgets.controls import Button, FaceView, LinkButton
from gui.widgets.flow import Flow
from gui.widgets.popups import Choice
from gui.widgets.words import label, restyle

_PICTURE = QSize(92, 112)
_GAP = 18  # between the photo, the pictures and the words
_WIDE = 900  # px of the card, before the text scale, with room for a large photo
_BESIDE = 640  # px for pictures when the photo is beside them
_CLOSEST = "Closest: "
_MEASURING = "How often this gallery names its own photos rightly is being measured."


class Headline(ElidedLabel):
    """Names the closest person; if there is no room, only the name is cut."""

    def __init__(self) -> None:
        super().__init__("", "figure", Qt.TextElideMode.ElideRight)

    def minimumSizeHint(self) -> QSize:
        wish, least = self.sizeHint(), f"{_CLOSEST}Mm…"
        width = self.fontMetrics().horizontalAdvance(least)
        return QSize(min(wish.width(), width), wish.height())


class VerdictCard(Card):
    """Probe and best match, the closest person, one sentence, and two lengths as bars."""

    enrolled = Signal(str)
    """Somebody says who it is: the name."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.photo = ProbePhoto(session)
        self.probe = FaceView("Probe", _PICTURE, name="Probe")
        self.match = FaceView("Best match", _PICTURE, name="Best match")
        self.closest = Headline()
        self.calibration = Chip("not calibrated")
        self.calibration.setToolTip(NOT_CALIBRATED)
        self.sentence = label("", "secondary", wrap=True)
        self.caution = label("", wrap=True)
        self.worth = label(_MEASURING, "caption", wrap=True)
        self.from_space = Gauge("Distance from face space")
        self.in_space = Gauge("Distance in face space")
        self.scale = label("", "caption", wrap=True)
        self.note = label(NOT_CALIBRATED, "caption", wrap=True)
        self.enrol = EnrolLine()
        self.enrol.confirmed.connect(self.enrolled)
        self.ask = Button("Enrol as…", "add", name="Wrong, or new? Enrol this photo as…")
        self.mend = Button("Photograph…", "image", name="See the photograph, and mend its face")
        self.mend.setToolTip("See the whole photograph, and mend its face (Ctrl+P)")
        self.ask.clicked.connect(self._open_enrol)
        self.enrol.cancelled.connect(self._close_enrol)
        self._key = ""
        self.body.addLayout(self._lay_out())

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Show another verdict."""
        verdict = finding.verdict
        self.probe.set_image(grey_image(finding.probe.image))
        self.match.set_image(grey_image(gallery.faces.image(verdict.closest.row)))
        self.closest.set_full_text(f"{_CLOSEST}{verdict.closest.person}")
        answer = finding.answer
        self.sentence.setText(f"{answer.sentence} {answer.cut}".rstrip())
        itself = answer.compared_with_itself
        warnings = [each.sentence for each in answer.cautions]
        warnings += [each.reason for each in answer.concerns]
        self.caution.setText(" ".join(warnings))
        self.caution.setVisible(bool(warnings))
        tone: Tone = "warn" if itself else "neutral"  # no verdict is certain
        self.set_tone(tone)
        mild = all(each.kind == "not compared" for each in answer.cautions) and not answer.concerns
        restyle(self.caution, "" if mild else "warn")
        self._show_lengths(gallery, finding, tone)
        self.ask.setEnabled(not answer.in_gallery)
        self.ask.setToolTip(
            "This photograph is in the gallery already. Name or move it on People."
            if answer.in_gallery
            else "Wrong, or somebody new? Say who it is: the gallery knows the photo at once."
        )
        if finding.probe.photo.key != self._key:
            self._key = finding.probe.photo.key
            self._close_enrol()
        self.enrol.offer(gallery.people)

    def show_worth(self, finding: Finding, accuracy: GalleryAccuracy | None) -> None:
        """Show how reliable this gallery's names are, and how far off this photo is."""
        if accuracy is None:
            self.worth.setText(_MEASURING)
            restyle(self.worth, "")
            return
        away = finding.verdict.closest.distance
        beyond = "" if finding.answer.in_gallery else accuracy.distance_sentence(away)
        self.worth.setText(f"{accuracy.sentence()} {beyond}".rstrip())
        restyle(self.worth, "warn" if accuracy.doubtful else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.photo.set_narrow(self.width() < theme.pixels(_WIDE))
        way = QBoxLayout.Direction
        beside = self.width() >= _BESIDE + theme.pixels(120)
        self._whole.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def _show_lengths(self, gallery: Gallery, finding: Finding, tone: Tone) -> None:
        verdict = finding.verdict
        outside, inside = verdict.distance_from, verdict.closest.distance
        self.from_space.set_value(
            outside, threshold=None, maximum=finding.reach, text=number(outside), tone=tone
        )
        bounded = finding.farthest > 0 and inside >= 0
        shown = inside if bounded else 0.0
        self.in_space.setVisible(bounded)
        self.in_space.set_value(
            shown, threshold=None, maximum=finding.farthest, text=number(inside), tone=tone
        )
        self.scale.setText(scale(gallery, finding, bounded))

    def _lay_out(self) -> QBoxLayout:
        heading = QWidget()
        head = Flow(heading, 10)
        head.addWidget(self.closest)
        head.addWidget(self.calibration)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(heading)
        for widget in (
            self.enrol,
            self.sentence,
            self.caution,
            self.worth,
            self.from_space,
            self.in_space,
        ):
            words.addWidget(widget)
        for text in (self.scale, self.note):
            words.addWidget(text)
        words.addStretch(1)
        middle = Qt.AlignmentFlag.AlignCenter
        pair = QGridLayout()
        pair.setHorizontalSpacing(10)
        pair.setVerticalSpacing(8)
        pair.addWidget(self.probe, 0, 0, middle)
        pair.addWidget(self.match, 0, 1, middle)
        pair.addWidget(self.ask, 1, 0, 1, 2)
        pair.addWidget(self.mend, 2, 0, 1, 2)
        pair.setRowStretch(3, 1)
        row = QHBoxLayout()
        row.setSpacing(_GAP)
        row.addLayout(pair)
        row.addLayout(words, 1)
        self.enrol.hide()
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._whole.setSpacing(_GAP)
        self._whole.addWidget(self.photo, 0, Qt.AlignmentFlag.AlignTop)
        self._whole.addLayout(row, 1)
        return self._whole

    def _open_enrol(self) -> None:
        self.ask.hide()
        self.enrol.show()
        self.enrol.name.setFocus()

    def _close_enrol(self) -> None:
        self.enrol.hide()
        self.ask.show()


class EnrolLine(QWidget):
    """A line to choose or type a person; Return enrols, Esc changes nothing."""

    confirmed = Signal(str)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._people: tuple[str, ...] | None = None
        self.name = Choice()
        self.name.setEditable(True)
        self.name.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name.setMinimumContentsLength(18)
        self.name.setMinimumWidth(110)
        self.name.setAccessibleName("Who is on this photo")
        self.name.view().setAccessibleName("People")
        field = self.name.lineEdit()
        assert field is not None
        field.setAccessibleName("Who is on this photo")
        field.setPlaceholderText("Choose or type a name")
        field.returnPressed.connect(self._confirm)
        self.confirm = Button("Enrol", primary=True)
        self.confirm.clicked.connect(self._confirm)
        self.cancel = LinkButton("Cancel")
        self.cancel.clicked.connect(self.cancelled)
        self.name.currentTextChanged.connect(self._allow)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label("This is", "strong"))
        for widget in (self.name, self.confirm, self.cancel):
            row.addWidget(widget)
        row.addStretch(1)
        self._allow()

    def offer(self, people: tuple[str, ...]) -> None:
        """Offer all people of the gallery; the field stays empty."""
        if people != self._people:
            self._people = people
            self.name.clear()
            self.name.addItems(list(people))
            self.name.setCurrentIndex(-1)
            self.name.clearEditText()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _allow(self) -> None:
        self.confirm.setEnabled(bool(self.name.currentText().strip()))

    def _confirm(self) -> None:
        name = self.name.currentText().strip()
        if name:
            self.confirmed.emit(name)
            self.cancelled.emit()
            self.name.setCurrentIndex(-1)
            self.name.clearEditText()


def scale(gallery: Gallery, finding: Finding, bounded: bool) -> str:
    """Return in words what the full length of each bar means."""
    outside = f"{number(finding.reach)}, the gallery’s farthest from the mean face"
    if bounded:
        return f"Full bars: {outside}; {number(finding.farthest)}, its farthest from this probe."
    inside = number(finding.verdict.closest.distance)
    return (
        f"Full bar: {outside}. The distance in face space is {inside}; "
        f"{gallery.recipe.matcher.distance} distances have no zero, so there is no bar for it: "
        "lower is nearer."
    )
