"""Two cards of Why: the sum over the face, and two questions with four answers."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.explanation import DistanceSplit, Explanation, TwoQuestions
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import Decision
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import capital
from gui.pages.recognise.findings import Finding
from gui.pages.recognise.looks import LOOKS
from gui.plots import Points, Quadrant, ScatterChart
from gui.style.images import Colours, grey_image, over_face
from gui.widgets.boxes import in_row
from gui.widgets.cards import Card
from gui.widgets.controls import LinkButton, Segmented
from gui.widgets.painted import ColourBar, FaceView
from gui.widgets.words import label

_GROWS, _GIVES = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored
_GLARE = 99.0  # per cent of the pixels, that are less bright than the brightest colour
_PICTURES = 150  # px, the least height of the pictures
_QUADRANTS: tuple[Quadrant, ...] = (
    ("enrolled", LOOKS["sure"].tone),
    ("a face, nobody enrolled", LOOKS["unknown"].tone),
    ("no face, yet near", LOOKS["near but no face"].tone),
    ("not a face", LOOKS["no face"].tone),
)


class MapCard(Card):
    """The probe, and what speaks for and against the two nearest people as maps over it."""

    def __init__(self) -> None:
        super().__init__("The same sum over the face", "pixels add up too")
        self.blocks = Segmented(("All",), name="Part of the texture")
        self.views = [FaceView(name, grows=True) for name in ("Probe", "Nearest", "Next")]
        self.bar = ColourBar("magma", "agrees", "differs")
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        for view in self.views:
            view.setMinimumHeight(_PICTURES)
            view.setSizePolicy(_GROWS, _GIVES)
        self._pictures = in_row(*((view, 1) for view in self.views), spacing=8)
        self.body.addWidget(self.blocks, 0, Qt.AlignmentFlag.AlignHCenter)
        self.body.addLayout(self._pictures, 1)
        self.body.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignHCenter)
        self.body.addWidget(self.words)
        self._names: list[str] = []
        self._shown: tuple[Finding, Explanation] | None = None

    def show_explanation(self, finding: Finding, found: Explanation) -> None:
        """Show the maps of another explanation."""
        self._shown = finding, found
        self.words.setText(words.map_sentences(found))
        names = [*found.closest.maps]
        self.set_note(
            "" if not names else "pixels add up too" if len(names) == 1 else "cells add up"
        )
        self._offer_blocks(names)
        self.bar.setVisible(bool(names))
        if found.by_likeness:
            self.bar.set_scale("signed", "against", "for")
        else:
            self.bar.set_scale("magma", "agrees", "differs")
        self._draw()

    def _offer_blocks(self, names: list[str]) -> None:
        """Offer to choose one of several blocks; the choice stays while they are the same."""
        if len(names) > 1 and names != self._names:
            self._names = names
            fresh = Segmented(("All", *map(capital, names)), name="Part of the texture")
            fresh.changed.connect(self._draw)
            self.body.replaceWidget(self.blocks, fresh)
            self.blocks.hide()  # before it is gone, it would be painted over the whole card
            self.blocks.deleteLater()
            self.blocks = fresh
        self.blocks.setVisible(len(names) > 1)

    def _draw(self) -> None:
        if self._shown is None:
            return
        finding, found = self._shown
        probe = finding.probe
        self.views[0].set_image(grey_image(probe.image))
        self.views[0].set_caption("Probe", probe.photo.path.name)
        block = self.blocks.current - 1 if len(found.closest.maps) > 1 else -1
        maps = [_chosen(split, block) for split in found.splits]
        limit = max(
            (float(np.percentile(np.abs(each), _GLARE)) for each in maps if each is not None),
            default=1.0,
        )
        kind: Colours = "signed" if found.by_likeness else "magma"
        for view in self.views[1:]:
            view.hide()
        for view, split, values in zip(self.views[1:], found.splits, maps, strict=False):
            if values is None:
                continue
            view.setVisible(True)
            view.set_image(over_face(probe.image, values, limit, kind))
            said = words.map_caption(split) if block < 0 else ""
            view.set_caption(
                f"{'for' if found.by_likeness else 'against'} {split.match.person}",
                said or f"adds {words.term(float(values.sum()))}",
            )


def _chosen(split: DistanceSplit, block: int) -> Doubles | None:
    """Return the map of one block, or of all together."""
    return split.over if block < 0 else [*split.maps.values()][block]


class QuestionsCard(Card):
    """Is it a face, and whose? All held-out photos by both distances, between two marks."""

    def __init__(self) -> None:
        super().__init__("Two questions, four answers", "drag the rings")
        self.chart = ScatterChart("distance to the nearest person", "no face, share of contrast")
        self.chart.setMinimumHeight(170)
        self.chart.setSizePolicy(_GROWS, _GIVES)
        self.chart.marks_moved.connect(self._say_errors)
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.back = LinkButton("Back to the marks that hold", "reset")
        self.back.clicked.connect(self._reset)
        self.body.addWidget(self.chart, 1)
        self.body.addWidget(self.words)
        self.body.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self._decision: Decision | None = None

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Show where another probe lies."""
        del gallery
        decision = self._decision = finding.verdict.decision
        calibration = decision.calibration
        self.chart.setVisible(calibration is not None)
        if calibration is not None:
            held = TwoQuestions.of(calibration)
            classes = (("enrolled, held out", held.members), ("strangers", held.strangers))
            self.chart.show_points([Points(name, at) for name, at in classes], _QUADRANTS)
        known = None if decision.left_over is None else (decision.nearest[1], decision.left_over)
        self.chart.set_probe(known, ("this photo", LOOKS[decision.kind].tone))
        self._reset()

    def _reset(self) -> None:
        decision = self._decision
        if decision is None:
            return
        limit, face_limit = decision.limit, decision.face_limit
        marked = limit is not None and face_limit is not None
        self.chart.set_marks((limit, face_limit) if marked else None)  # type: ignore[arg-type]
        self.set_note("drag the rings" if marked else "")
        self.back.hide()
        marks = decision.limits if marked else ""
        self.words.setText(" ".join(filter(None, [words.errors(decision), marks])))

    def _say_errors(self, limit: float, face_limit: float) -> None:
        if self._decision is not None:
            self.words.setText(words.experiment(self._decision, limit, face_limit))
            self.back.show()
