"""One result from top to bottom: figures, charts, baselines, mistakes, people."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from eigenfaces.evaluation.curves import Curves
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import (
    answered,
    mistakes,
    results_by_person,
    searches_at_rank,
    single_searches,
)
from eigenfaces.faces.face_set import FaceSet
from gui.pages.evaluate.baselines import BaselinesCard
from gui.pages.evaluate.cards import ComponentCurvesCard, ConfusionCard, MatchCard, RatesCard
from gui.pages.evaluate.figures import Tiles
from gui.pages.evaluate.mistakes import MistakesCard, PersonResultsCard
from gui.pages.evaluate.running import Compared, Running, Shown
from gui.state.session import Session
from gui.widgets.boxes import in_column
from gui.widgets.cards import Banner
from gui.widgets.flow import Beside, Columns

_BASELINES, _PEOPLE = 270, 420  # widths beside the charts, and beside the mistakes

LEAST_CHART = 362
"""The least width of a card with a chart: its heading is whole."""


class Results(QWidget):
    """Shows a run; clicks in it select photographs for the whole window."""

    reached = Signal()
    """Photographs were asked for that may lie out of sight."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._faces: FaceSet | None = None
        self._images: dict[str, NDArray[np.float32]] = {}
        self._shown: Shown | None = None
        self.tiles = Tiles()
        self.comparison = Banner(tone="accent", dismissible=False)
        self.components, self.match = ComponentCurvesCard(), MatchCard()
        self.rates, self.confusion = RatesCard(), ConfusionCard()
        self.baselines = BaselinesCard()
        self.mistakes, self.people = MistakesCard(self.face), PersonResultsCard()
        self._lay_out()
        self._connect()

    def face(self, key: str) -> NDArray[np.float32] | None:
        """Return a face of the gallery, the same object each time; None if it is gone."""
        gallery = self._session.gallery
        if gallery.faces is not self._faces:
            self._faces = gallery.faces
            self._images.clear()
        if key not in self._images:
            row = gallery.index.row_of(key)
            if row is None:
                return None
            self._images[key] = gallery.faces.image(row)
        return self._images[key]

    def show_run(self, shown: Shown, compared: Compared | None) -> None:
        """Show a finished run, and a second run to compare."""
        evaluation, curves = shown.record.evaluation, shown.curves
        beside = None if compared is None else compared.other
        other = None if beside is None else beside.curves
        self.tiles.show_run(evaluation, None if beside is None else beside.record.evaluation)
        self.comparison.setVisible(compared is not None)
        if compared is not None:
            self.comparison.show_text(compared.difference.sentence, "accent")
        matcher = evaluation.setting.recipe.matcher
        k = curves.components(matcher.components)
        self.components.show_curves(curves, matcher.distance, k, other)
        self.match.show_curves(curves, other)
        self.rates.show_curves(curves, other)
        self.confusion.show_curves(curves)
        self.baselines.show_run(evaluation)
        for card in (self.mistakes, self.people):
            card.show()
        if self._shown is None or self._shown.record is not shown.record:
            self._shown = shown
            self.people.show_people(
                [each for each in results_by_person(evaluation) if each.searches]
            )
            self.people.table.sort_by(2, down=False)
            self.show_mistakes()
        self.mistakes.list.viewport().update()  # a face may have been added or removed

    def show_growing(self, running: Running) -> None:
        """Show the results so far of a run under way."""
        curves, asked = running.growing, running.asked
        self._shown = None  # clicks now refer to no finished run
        self.comparison.hide()
        for card in (self.mistakes, self.people):
            card.hide()
        self.baselines.show_run(None)
        nothing = Curves(())
        self.tiles.show_growing(curves or nothing, running.progress)
        if curves is None or asked is None:
            for chart in (self.components, self.match, self.rates, self.confusion):
                chart.begin()
            return
        distance, wanted = asked.recipe.matcher.distance, asked.recipe.matcher.components
        self.components.show_curves(curves, distance, curves.components(wanted))
        self.match.show_curves(curves)
        self.rates.show_curves(curves)
        self.confusion.show_curves(curves)

    # Which photographs

    def show_mistakes(self) -> None:
        """Show every mistake."""
        evaluation = self._evaluation()
        if evaluation is not None:
            self._show_searches("Mistakes", mistakes(evaluation), every=True)

    def show_rank(self, rank: int) -> None:
        """Show the searches whose right person is exactly at a rank."""
        evaluation = self._evaluation()
        if evaluation is not None:
            self._show_searches(f"Found at rank {rank}", searches_at_rank(evaluation, rank))

    def show_pair(self, who: int, answer: int) -> None:
        """Show the searches for one person that returned another."""
        evaluation = self._evaluation()
        if evaluation is None:
            return
        people = evaluation.people
        title = f"{people[who]}, taken for {people[answer]}"
        if who == answer:
            title = f"{people[who]}, found as such"
        self._show_searches(title, answered(evaluation, who, answer))

    def show_person(self, who: int) -> None:
        """Show the mistakes with one person, and select that person for the whole window."""
        evaluation = self._evaluation()
        if evaluation is None:
            return
        name = evaluation.people[who]
        if name in self._session.gallery.people:
            self._session.select_person(name)
        self._show_searches(f"Mistakes with {name}", mistakes(evaluation, who))

    def _evaluation(self) -> Evaluation | None:
        return None if self._shown is None else self._shown.record.evaluation

    def _show_searches(self, title: str, numbers: NDArray[np.intp], *, every: bool = False) -> None:
        evaluation = self._evaluation()
        assert evaluation is not None
        none = "There is no such search."
        if every:
            searched = 0 if evaluation.searches is None else int(evaluation.searches.mated.sum())
            none = f"None: each of {searched:,} searches named the right person."
            if evaluation.searches is None:
                none = "No pair was decided wrongly."
        found = single_searches(evaluation, numbers)
        self.mistakes.show_searches(title, found, every=every, none=none)
        if not every:
            self.reached.emit()

    def _connect(self) -> None:
        self.match.rank_chosen.connect(self.show_rank)
        self.confusion.pair_chosen.connect(self.show_pair)
        self.people.chosen.connect(lambda key: self.show_person(int(key)))
        self.mistakes.all_asked.connect(self.show_mistakes)
        self.mistakes.list.chosen.connect(self._select)

    def _select(self, key: str) -> None:
        if self._session.gallery.index.row_of(key) is not None:
            self._session.select(key)

    def _lay_out(self) -> None:
        charts = QWidget()
        grid = Columns((2, 1), LEAST_CHART, charts)
        grid.add(self.components, self.match, self.rates, self.confusion)
        above, below = QWidget(), QWidget()
        first = Beside(_BASELINES, 2 * LEAST_CHART + _BASELINES + 24, above, side_first=True)
        first.add(charts, self.baselines)
        Beside(_PEOPLE, 800, below).add(self.mistakes, self.people)
        in_column(self.tiles, self.comparison, above, below, inside=self, spacing=12)
