"""View that explains a verdict, shown in place of the photograph."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.calibration import held_out_histogram
from eigenfaces.recognition.decision import Decision
from eigenfaces.recognition.explanation import Explanation, explain, held_out_points
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.limits import SHARES
from eigenfaces.recognition.recipe import RECIPES, recipe_words
from eigenfaces.recognition.recognised import Recognition
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import four_digits
from ...plots.axes import Axis, Range
from ...plots.marks import Bars, PlotMark, Points, ReferenceLine, ShadedRegion, histogram_marks
from ...plots.plot import PlotView
from ...state import actions
from ...state.session import Session
from ...style import theme
from ...style.images import Colours, grey_image, over_face, person_image
from ...style.theme import Tone
from ...widgets.bars import ColourBar, Gauge
from ...widgets.box_layouts import add_parts, in_column, in_row
from ...widgets.cards import Card
from ...widgets.controls import Button
from ...widgets.face_view import FaceView
from ...widgets.fields import Choice, DropDown
from ...widgets.flow import ColumnsLayout, FlowLayout
from ...widgets.labels import Chip, ElidedLabel, captioned, label, set_tone
from ...widgets.named_photo import VERDICT_STYLES

_FACE = QSize(64, 78)
_WITH_FACE = 600  # px, before the text scale: the least width at which the heading shows the face
_CARD = 370  # px, before the text scale: the width of a card beside another
_GLARE = 99.0  # the percentile of map values that gets the brightest colour
_FACE_GAUGE, _GAUGE = "Unlike a face", "Distance to nearest person"  # as in `Decision`
_DISTANCE = "distance to the nearest known person"
_NEAREST, _CONTRAST = "distance to the nearest person", "no face, share of contrast"
_QUESTIONS = "Two questions, four answers"
_QUADRANTS: tuple[tuple[str, Tone], ...] = (
    ("known", VERDICT_STYLES["sure"].tone),
    ("a face, but nobody known", VERDICT_STYLES["unknown"].tone),
    ("not a face, yet near", VERDICT_STYLES["near but no face"].tone),
    ("not a face", VERDICT_STYLES["no face"].tone),
)
_FEWER = "Naming fewer strangers also leaves more people you know unnamed."
AUTOMATIC = "Automatic"  # each training measures the recipes and chooses one


class WhyView(QWidget):
    """View that explains a verdict with its measured values and four cards."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.banner = Card()
        self.banner.set_padding(theme.CARD_PADDING, 10)
        self.back = Button("Photo", "back", name="Back to the photo")
        self.face = FaceView("", _FACE, name="This face")
        self.question = ElidedLabel("", "title", Qt.TextElideMode.ElideRight)
        self.chip = Chip("")
        self.chip.setProperty("lies", True)
        self.sentence = label("", wrap=True)
        self.caution = label("", wrap=True, tone="warn")
        self.face_gauge, self.distance_gauge = Gauge(_FACE_GAUGE, _GAUGE), Gauge(_GAUGE, _GAUGE)
        self.recipe, self.share = DropDown("Recipe"), DropDown("Largest share of strangers named")
        heading, line, below = QWidget(), QWidget(), QWidget()
        FlowLayout(heading, 10).add(self.question, self.chip)  # the chip wraps if needed
        choices = captioned("Recipe", self.recipe), captioned("At most", self.share)
        FlowLayout(line, 8).add(*choices)
        parts = (self.sentence, self.caution, self.face_gauge, self.distance_gauge, line)
        top, column = Qt.AlignmentFlag.AlignTop, in_column(heading, *parts, spacing=4)
        row = in_row((self.back, 0, top), (self.face, 0, top), (column, 1), spacing=12)
        self.banner.body.addLayout(row)
        self.components, self.map = ComponentsCard(), MapCard()
        self.close_card, self.questions = CloseCard(), QuestionsCard()
        cards = ColumnsLayout((2, 1), _CARD, below)
        cards.add(self.components, self.map, self.close_card, self.questions)
        in_column(self.banner, (below, 1), inside=self, spacing=12)
        self.recipe.activated.connect(lambda: self._use_recipe(self.recipe.value()))
        self.share.activated.connect(lambda: self._set_share(self.share.value()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.face.setVisible(self.width() >= theme.pixels(_WITH_FACE))  # a card also shows the face

    def show_recognition(self, recognition: Recognition) -> None:
        """Explain a verdict. A gallery face is compared with all photographs except its own."""
        recognition = recognition.among_others
        explanation = explain(
            recognition.gallery,
            recognition.probe.image,
            recognition.verdict,
            recognition.without,
        )
        self._show_verdict(recognition)
        self._show_choices(self._session.gallery)
        self.components.show_explanation(explanation)
        self.map.show_explanation(recognition, explanation)
        self.close_card.show_recognition(recognition)
        self.questions.show_decision(recognition.verdict.decision)

    def _show_choices(self, gallery: Gallery) -> None:
        """Show the recipe of a gallery, and the share of strangers that may be named."""
        recipe = gallery.recipe
        self.recipe.set_items(dict.fromkeys([AUTOMATIC, *RECIPES, recipe.name]))
        self.recipe.show_value(AUTOMATIC if gallery.automatic else recipe.name)
        changed = "" if recipe == RECIPES.get(recipe.name) else ". Changed in Settings."
        self.recipe.setToolTip(f"{recipe_words(recipe)}{changed}")
        shares = sorted({*SHARES, gallery.share})
        self.share.set_items(Choice(_share_words(share), share, _FEWER) for share in shares)
        self.share.show_value(gallery.share)

    def _show_verdict(self, recognition: Recognition) -> None:
        """Show the question, the verdict, and the two measured values with their limits."""
        decision, probe = recognition.verdict.decision, recognition.probe
        tone, limit, away = VERDICT_STYLES[decision.kind].tone, decision.limit, decision.nearest[1]
        self.banner.set_tone(tone)
        set_tone(self.chip, tone)
        self.face.set_image(person_image(probe.photo, probe.image))
        self.question.set_full_text(words.question_words(decision))
        self.chip.setText(decision.badge)
        sentences = (decision.sentence, words.closeness_words(decision), decision.caveat)
        self.sentence.setText(" ".join(dict.fromkeys(filter(None, sentences))))
        warnings = [concern.sentence for concern in recognition.cautions]
        warnings += [concern.reason for concern in probe.concerns]
        self.caution.setText(" ".join(warnings))
        self.caution.setVisible(bool(self.caution.text()))
        left, most = decision.face_residual, decision.face_limit
        self.face_gauge.setVisible(left is not None and most is not None)
        if left is not None and most is not None:
            text = decision.unlike_a_face.partition(": ")[2]
            inside = tone if left > most else "ok"
            self.face_gauge.set_value(left, threshold=most, maximum=1.0, text=text, tone=inside)
        farthest, calibration = recognition.verdict.farthest, recognition.gallery.calibrated
        self.distance_gauge.setVisible(farthest > 0)
        if calibration is not None:  # farther than all strangers in the gallery
            strangers = calibration.held_out.stranger.distance
            farthest = 1.05 * float(strangers[strangers < np.inf].max(initial=0.0))
        ends = "" if limit is None else f" (limit {four_digits(limit)})"
        self.distance_gauge.set_value(
            away,
            threshold=limit,
            maximum=max(farthest, away),
            text=f"{four_digits(away)}{ends}",
            tone="ok" if limit is not None and away < limit else tone,
        )

    def _use_recipe(self, name: str) -> None:
        """Switch to another recipe; training takes place in the background."""
        gallery = self._session.gallery
        if name == AUTOMATIC and gallery.automatic is None:
            actions.use_automatic(self._session)
        elif name in RECIPES and (gallery.automatic or name != gallery.recipe.name):
            actions.use_recipe(self._session, RECIPES[name])

    def _set_share(self, share: float) -> None:
        if share != self._session.gallery.share:
            title = f"at most {_share_words(share)}"
            self._session.apply(title, lambda gallery: gallery.with_share(share))


def _share_words(share: float) -> str:
    return f"{100 * share:g} % of strangers named"


class _WhyCard(Card):
    """Card with a plot or other widgets, and an explanatory sentence below."""

    def __init__(self, title: str, note: str, *parts: QWidget, least: int = 170) -> None:
        super().__init__(title, note)
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        for part in parts:
            if isinstance(part, PlotView | FaceView):
                part.setMinimumHeight(least)
                part.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        add_parts(
            self.body, *((part, int(isinstance(part, PlotView))) for part in parts), self.words
        )


class ComponentsCard(_WhyCard):
    """Card with bars that split the squared distances to the two nearest people by component."""

    def __init__(self) -> None:
        self.chart = PlotView(Axis("component"), Axis("squared distance"))
        super().__init__("Where the distance comes from", "", self.chart)

    def show_explanation(self, explanation: Explanation) -> None:
        """Show how the components contribute to the distances to the nearest people."""
        series = {
            f"to {split.match.person}": explanation.bars(split) for split in explanation.splits
        }
        bars = Bars(series, tuple(explanation.labels))
        self.chart.show_marks([bars], Axis(explanation.unit))
        self.words.setText(explanation.bars_words)


class MapCard(_WhyCard):
    """Card with the face, and maps of the evidence for and against the two nearest people."""

    def __init__(self) -> None:
        self.views = [FaceView(name, grows=True) for name in ("This photo", "Nearest", "Next")]
        self.bar = ColourBar("magma", "agrees", "differs")
        super().__init__("Distance over the face", "pixels add up too", *self.views, least=150)
        self.body.insertLayout(0, in_row(*((view, 1) for view in self.views), spacing=8), 1)
        self.body.insertWidget(1, self.bar, 0, Qt.AlignmentFlag.AlignHCenter)

    def show_explanation(self, recognition: Recognition, explanation: Explanation) -> None:
        """Show the maps of an explanation."""
        pictures, splits = explanation.pictures, explanation.splits
        maps = [split.face_map for split in splits if split.face_map is not None]
        self.words.setText(explanation.map_words)
        self.set_title("Distance over the face" if maps else "The faces being compared")
        self.set_note(("pixels add up too" if pictures else "cells add up") if maps else "")
        self.bar.setVisible(bool(maps))
        kind: Colours = "magma" if pictures else "signed"
        self.bar.set_scale(kind, *(("agrees", "differs") if pictures else ("against", "for")))
        image, photo = recognition.probe.image, self.views[0]
        photo.set_image(grey_image(image))
        photo.set_caption("This photo", recognition.probe.photo.path.name)
        limit = float(max((np.percentile(np.abs(values), _GLARE) for values in maps), default=1.0))
        for at, view in enumerate(self.views[1:]):
            view.setVisible(at < len(splits))
            if at >= len(splits):
                continue
            split = splits[at]
            if (values := split.face_map) is None:  # the difference cannot be shown on the face
                view.set_image(grey_image(recognition.gallery.faces.image(split.match.row)))
                view.set_caption(split.match.person, "the nearest photo")
            else:
                view.set_image(over_face(image, values, limit, kind))
                which = "against" if pictures else "for"
                view.set_caption(f"{which} {split.match.person}", split.map_caption)


class CloseCard(_WhyCard):
    """Card that places a distance within the histograms for known people and for strangers."""

    def __init__(self) -> None:
        self.chart = PlotView(Axis(_DISTANCE), Axis("photos", percent=True))
        super().__init__("Is that close?", "", self.chart, least=150)

    def show_recognition(self, recognition: Recognition) -> None:
        """Show where the distance of a face lies in the histograms."""
        decision = recognition.verdict.decision
        calibration = decision.calibration
        spread = None if calibration is None else held_out_histogram(calibration.held_out)
        at, limit = decision.nearest[1], decision.limit
        none_held_out = (
            "" if spread is not None else "Nobody has two photos, so no photo can be held out."
        )
        self.words.setText(decision.reason or none_held_out)
        self.set_title("Is that close?" if limit is None or at < limit else "Is that far?")
        self.chart.setVisible(spread is not None)
        if spread is None:
            return
        mated, others = (f"{count:,}" for count in spread.counts)
        names = f"{mated} photos of known people, held out", f"{others} of people left out"
        refs = (
            []
            if limit is None
            else [ReferenceLine(limit, f"limit {four_digits(limit)}", solid=True)]
        )
        refs.append(ReferenceLine(at, f"this photo {four_digits(at)}"))
        steps = histogram_marks(spread, *names)
        filled = np.flatnonzero(sum(step.heights for step in steps))
        edges = spread.edges[filled[0] :] if filled.size else spread.edges
        x = Axis(_DISTANCE, span=_padded_range(edges, np.array([line.value for line in refs])))
        top = 1.25 * max(float(step.y.max()) for step in steps)  # with room for labels
        self.chart.show_marks([*refs, *steps], x, Axis("photos", percent=True, span=(0.0, top)))


def _padded_range(*values: Doubles) -> Range:
    """Return a padded range for the values; it starts at 0 if that leaves little empty space."""
    every = np.concatenate(values)
    every = every[np.isfinite(every)]
    low, high = float(every.min(initial=np.inf)), float(every.max(initial=-np.inf))
    if low > high:
        return 0.0, 1.0
    room = 0.06 * ((high - low) or abs(high) or 1.0)
    return 0.0 if 0 <= low <= high / 4 else low - room, high + room


class QuestionsCard(_WhyCard):
    """Card that plots held-out photographs by distance and by likeness to a face, with limits."""

    def __init__(self) -> None:
        self.chart = PlotView(Axis(_NEAREST), Axis(_CONTRAST, percent=True))
        super().__init__(_QUESTIONS, "", self.chart)

    def show_decision(self, decision: Decision) -> None:
        """Show the held-out photographs, this photograph, and the regions between the limits."""
        limit, face_limit = decision.limit, decision.face_limit
        self.words.setText(f"{words.error_rates_words(decision)} {decision.limits}".strip())
        self.chart.setVisible(decision.calibration is not None)
        if decision.calibration is None:
            return
        # With Network, this plane does not show whether the image is a face.
        by_network = limit is not None and face_limit is None
        self.set_title("Known, or a stranger?" if by_network else _QUESTIONS)
        members, strangers = held_out_points(decision.calibration)
        clouds, marks = [members, strangers], list[PlotMark]()
        if decision.face_residual is not None:
            clouds.append(np.array([[decision.nearest[1], decision.face_residual]]))
            tone = VERDICT_STYLES[decision.kind].tone
            marks.append(Points("", clouds[-1], tone, ("this photo",)))
        if limit is not None and by_network:
            marks.append(ReferenceLine(limit, solid=True))
        if limit is not None and face_limit is not None:
            x, y, none = limit, face_limit, None
            marks += [ReferenceLine(x, solid=True), ReferenceLine(y, solid=True, across=True)]
            parts = ((none, x, none, y), (x, none, none, y), (none, x, y, none), (x, none, y, none))
            for (title, tone), edge in zip(_QUADRANTS, parts, strict=True):
                marks.append(ShadedRegion(*edge, tone=tone, label=title))
        marks += [Points("known, held out", members), Points("strangers", strangers)]
        # There is room for labels beyond each limit, or above this photograph.
        ends = limit, decision.face_residual if face_limit is None else face_limit
        edges = [np.nan if value is None else 1.2 * value for value in ends]
        clouds.append(np.array([edges]))
        x_span, y_span = (_padded_range(*(cloud[:, axis] for cloud in clouds)) for axis in range(2))
        y_axis = Axis(_CONTRAST, percent=True, span=y_span)
        self.chart.show_marks(marks, Axis(_NEAREST, span=x_span), y_axis)
