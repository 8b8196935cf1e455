"""The cards of Why: components, the sum over the face, distances, and two questions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.calibration import Calibration, held_out_histogram, left_over_histogram
from eigenfaces.recognition.explanation import (
    DistanceSplit,
    Explanation,
    TwoQuestions,
    beyond_faces,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import Decision
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import capital, number
from gui.pages.recognise.findings import Finding
from gui.plots import BarChart, HistogramChart, Points, Quadrant, ScatterChart
from gui.style.images import Colours, grey_image, over_face, signed_image
from gui.widgets.boxes import add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import LinkButton, Segmented
from gui.widgets.face_list import Face, FaceRow
from gui.widgets.named_photo import LOOKS
from gui.widgets.painted import ColourBar, FaceView
from gui.widgets.words import label

_GROWS, _GIVES = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored
_GLARE = 99.0  # per cent of the pixels, that are less bright than the brightest colour
_PICTURES = 150  # px, the least height of the pictures
_COMPONENT = QSize(32, 39)
_DISTANCE = "distance to the nearest known person"
_LEFT = "unlike a face, % of the contrast"
_QUADRANTS: tuple[Quadrant, ...] = (
    ("known", LOOKS["sure"].tone),
    ("a face, nobody known", LOOKS["unknown"].tone),
    ("no face, yet near", LOOKS["near but no face"].tone),
    ("not a face", LOOKS["no face"].tone),
)


class ComponentsCard(Card):
    """The squared distance to the two nearest people as bars, each a few components."""

    def __init__(self) -> None:
        super().__init__("Where the distance comes from", "bars")
        self.chart = BarChart("component", "squared distance")
        self.chart.setMinimumHeight(170)
        self.chart.setSizePolicy(_GROWS, _GIVES)
        self.chart.clicked.connect(self._show_bar)
        self.row = FaceRow("Components of the bar", _COMPONENT)
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        add_parts(self.body, (self.chart, 1), self.row, self.words)
        self._shown: tuple[Gallery, Explanation] | None = None
        self._bar = -1

    def show_explanation(self, gallery: Gallery, found: Explanation) -> None:
        """Show what the distances to another pair of people are made of."""
        self._shown, self._bar = (gallery, found), -1
        self.row.hide()
        self.words.show()
        self.set_note("click a bar" if found.pictures else "")
        self.chart.frame.x.title = words.unit(found)
        self.chart.show_series(
            words.labels(found),
            {f"to {split.match.person}": found.bars(split) for split in found.splits},
        )
        sums = [words.bars_sentence(found, split) for split in found.splits]
        self.words.setText("\n".join(filter(None, [*sums, words.remarks(found)])))

    def _show_bar(self, bar: int) -> None:
        """Show the components of a bar as faces; asked for again, the words once more."""
        if self._shown is None or not self._shown[1].pictures:
            return
        gallery, found = self._shown
        self._bar = -1 if bar == self._bar else bar
        self.row.setVisible(self._bar >= 0)
        self.words.setVisible(self._bar < 0)
        if self._bar >= 0:
            space = gallery.trained.space
            faces = [
                Face(f"{number}", _component(space, number), f"{number + 1}")
                for number in found.groups[bar]
            ]
            self.row.show_faces(faces)


def _component(space: FaceSpace, number: int) -> Callable[[], QImage]:
    """Return what draws a component: blue is darker than the mean face, red brighter."""

    def drawn() -> QImage:
        values = space.components[number].reshape(space.shape)
        return signed_image(values, float(np.abs(values).max()))

    return drawn


class MapCard(Card):
    """The face, and what speaks for and against the two nearest people as maps over it."""

    def __init__(self) -> None:
        super().__init__("The same sum over the face", "pixels add up too")
        self.blocks = Segmented(("All",), name="Part of the texture")
        self.views = [FaceView(name, grows=True) for name in ("This photo", "Nearest", "Next")]
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
        self.set_title("The same sum over the face" if names else "The faces that are compared")
        self.set_note(
            "" if not names else "pixels add up too" if len(names) == 1 else "cells add up"
        )
        self._offer_blocks(names)
        self.bar.setVisible(bool(names))
        if not found.pictures:
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
        self.views[0].set_caption("This photo", probe.photo.path.name)
        block = self.blocks.current - 1 if len(found.closest.maps) > 1 else -1
        maps = [_chosen(split, block) for split in found.splits]
        limit = max(
            (float(np.percentile(np.abs(each), _GLARE)) for each in maps if each is not None),
            default=1.0,
        )
        kind: Colours = "magma" if found.pictures else "signed"
        for view in self.views[1:]:
            view.hide()
        for view, split, values in zip(self.views[1:], found.splits, maps, strict=False):
            view.setVisible(True)
            if values is None:  # the photo itself, of which no place can be said to differ
                view.set_image(grey_image(finding.gallery.faces.image(split.match.row)))
                view.set_caption("The nearest photo of", split.match.person)
                continue
            view.set_image(over_face(probe.image, values, limit, kind))
            said = words.map_caption(split) if block < 0 else ""
            view.set_caption(
                f"{'against' if found.pictures else 'for'} {split.match.person}",
                said or f"adds {words.term(float(values.sum()))}",
            )


def _chosen(split: DistanceSplit, block: int) -> Doubles | None:
    """Return the map of one block, or of all together."""
    return split.over if block < 0 else [*split.maps.values()][block]


class CloseCard(Card):
    """Two histograms: photos of known people, and the same as strangers; and this photo."""

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

    def show_finding(self, finding: Finding) -> None:
        """Show where another face lies."""
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
                spread, f"{mated} photos of known people, held out", f"{others} of left-out people"
            )
        away = decision.nearest[1]
        self.chart.set_mark(away, f"this photo {number(away)}")
        limit = decision.limit
        self.chart.set_limit(limit, "" if limit is None else f"limit {number(limit)}")
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
        self.chart.show_histogram(
            spread, f"{spread.counts[0]:,} photos of known people, held out", ""
        )
        self.chart.set_mark(left, f"this photo {left:.0f} %")
        self.chart.set_limit(limit, f"limit {limit:.0f} %")
        self.words.setText(beyond_faces(calibration.left_over, calibration.likeness.limit))


class QuestionsCard(Card):
    """Is it a face, and whose? All held-out photos by both distances, between two limits."""

    def __init__(self) -> None:
        super().__init__("Two questions, four answers", "drag the rings")
        self.chart = ScatterChart("distance to the nearest person", "no face, share of contrast")
        self.chart.setMinimumHeight(170)
        self.chart.setSizePolicy(_GROWS, _GIVES)
        self.chart.marks_moved.connect(self._say_errors)
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.back = LinkButton("Back to the limits that hold", "reset")
        self.back.clicked.connect(self._reset)
        self.body.addWidget(self.chart, 1)
        self.body.addWidget(self.words)
        self.body.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self._decision: Decision | None = None

    def show_decision(self, decision: Decision) -> None:
        """Show where another face lies."""
        self._decision = decision
        calibration = decision.calibration
        self.chart.setVisible(calibration is not None)
        if calibration is not None:
            held = TwoQuestions.of(calibration)
            classes = (("known, held out", held.members), ("strangers", held.strangers))
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
