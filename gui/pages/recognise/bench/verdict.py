"""The verdict on a disturbed face, and in what it differs from that before."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent

from eigenfaces.laboratory.breaking.bench import Bench, Broken, change_words
from eigenfaces.wording import number, percent
from gui.pages.recognise.findings import Finding
from gui.pages.recognise.looks import LOOKS, VerdictHeading
from gui.pages.recognise.verdict import Headline, farthest
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.live_text import LiveText
from gui.widgets.painted import FaceView, Gauge
from gui.widgets.words import set_look

_FACE = QSize(98, 119)
_SMALLER = 0.72
_NARROW, _SMALL, _TIGHT = 860, 700, 560
"""Widths of the card (px, before the text scale): for large pictures, large words, all pictures."""
_IS_IT, _WHO = "Is it a face?", "Who is it? (distance)"
_LONGEST = (
    "Nearest is now Person 13, at 14.60, and no longer Person 05, at 4.621: within the mark, but "
    "not sure enough for a name. Probability 43 %, undisturbed 99 %."
)
_ENROLLED = " This very photo is enrolled."


class BrokenCard(Card):
    """Before, broken, nearest; who that is now; and two gauges."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures = [FaceView("", _FACE, name=name) for name in ("Before", "Broken", "Nearest")]
        self._shown: tuple[object, ...] = ()
        self._look, self.headline = LOOKS["not calibrated"], Headline()
        self.heading = VerdictHeading(self.headline)
        self.chip = self.heading.chip
        self.sentence = LiveText(_LONGEST, "What has changed")
        self.face_gauge, self.distance_gauge = Gauge(_IS_IT, _WHO), Gauge(_WHO, _WHO)
        self._lay_out()

    def show_broken(self, bench: Bench, finding: Finding, now: Broken) -> None:
        """Show another verdict."""
        decision = None if now.verdict is None else now.verdict.decision
        look = LOOKS["no face" if decision is None else decision.kind]
        headline, chip, sentence = change_words(bench.before, now)
        if look != self._look or not self._shown:
            self._look = look
            self.set_tone(look.tone)
            self.heading.show_look(look)
        self.headline.set_full_text(headline)
        self.chip.set_full_text(chip)
        self.sentence.set_text(sentence + (_ENROLLED if bench.is_enrolled else ""))
        self._show_pictures(bench, now)
        self._show_gauges(bench, finding, now)

    def _show_pictures(self, bench: Bench, now: Broken) -> None:
        before, broken, nearest = self.pictures
        match = None if now.verdict is None else now.verdict.closest
        shown = bench.probe, bench.gallery.faces, None if match is None else match.row
        if shown != self._shown:  # a picture takes longer to be scaled than all else
            self._shown = shown
            before.set_image(grey_image(bench.probe.image))
            face = None if match is None else bench.gallery.faces.image(match.row)
            nearest.set_image(None if face is None else grey_image(face))
        before.set_caption("As it was")
        broken.set_image(None if now.face is None else grey_image(now.face))
        changed = now.aligned or now.strengths.acting
        words = "Broken" if changed else "Undisturbed"
        broken.set_caption("Not found" if now.face is None else words)
        broken.setToolTip(bench.cutting.words if now.aligned and bench.cutting else "")
        nearest.set_caption("Nearest" if match is None else match.person)

    def _show_gauges(self, bench: Bench, finding: Finding, now: Broken) -> None:
        decision = None if now.verdict is None else now.verdict.decision
        left = None if decision is None else decision.left_over
        limit = bench.before.decision.face_limit
        tone = self._look.tone
        self.face_gauge.set_value(
            0.0 if left is None else left,
            threshold=limit,
            maximum=1.0,
            text="–" if left is None else percent(left, 0),
            mark="" if limit is None else percent(limit, 0),
            tone="ok" if left is not None and limit is not None and left <= limit else tone,
        )
        away = None if decision is None else decision.nearest[1]
        mark = bench.before.decision.limit
        self.distance_gauge.set_value(
            0.0 if away is None else max(away, 0.0),
            threshold=mark,
            maximum=max(farthest(bench.gallery, finding), away or 0.0),
            text="–" if away is None else number(away),
            mark="" if mark is None else number(mark),
            tone=tone,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow, tight = (self.width() < theme.pixels(each) for each in (_NARROW, _TIGHT))
        for view in self.pictures:
            view.set_size(_FACE * _SMALLER if narrow else _FACE)
        self.pictures[0].setVisible(not tight)
        role = "title" if narrow and self.width() < theme.pixels(_SMALL) else "figure"
        set_look(self.headline, "role", role)

    def _lay_out(self) -> None:
        said = (self.heading, self.sentence, self.face_gauge, self.distance_gauge)
        words = in_column(STRETCH, *said, STRETCH, spacing=4)
        middle = Qt.AlignmentFlag.AlignVCenter
        faces = in_row(*((view, 0, middle) for view in self.pictures), spacing=4)
        self.body.addLayout(in_row(faces, (words, 1), spacing=16))
        self.set_padding(theme.CARD_PADDING, 10)
