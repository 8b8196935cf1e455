"""A choice of distance and rule for comparing probes, which changes the recipe at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.lighting import Lighting
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.distances import DISTANCES
from gui.state.session import Session
from gui.widgets.popups import Choice
from gui.widgets.words import label

_MOST = 99
"""Neighbours that can be chosen here; more come from the command line, and are shown."""

_NEAREST, _NEIGHBOURS, _MEAN, _MEAN_DISTANCE = range(4)
_RULES = (
    ("Nearest photo", "The person of the nearest enrolled photo."),
    ("k nearest photos", "The person with most of the k nearest photos; ties by summed distance."),
    ("Person's mean", "The person whose photos' mean is nearest."),
    ("Mean distance", "The person to whose photos the distances are smallest on average."),
)


LIGHTINGS: dict[Lighting, str] = {
    "none": "x: each face as it was photographed.",
    "photo mean": "x − mean + ½: takes out how bright a photo is as a whole.",
    "mean and variance": "0.2 (x − mean) / deviation + ½: takes out brightness and contrast.",
    "equalised": "The histogram is spread evenly: only the order of the grey values is left.",
    "CLAHE": "The histogram is spread evenly over regions of a quarter of the height and width, "
    "and at most 1 % of a region’s pixels count for any of 256 grey values, so that noise is not "
    "blown up (Zuiderveld).",
    "Tan–Triggs": "x^0.2, difference of Gaussians of σ = 1 and 2, contrast equalised with α = 0.1 "
    "and τ = 10, shown as ½ + x / 20: keeps edges, against light from one side (Tan and Triggs).",
}
"""Each way of evening out the light, with its formula: see `lighting.even_light`."""


def formula(distance: str) -> str:
    """Return the name and formula shown beside a distance."""
    return DISTANCES[distance].words


def levels_of(recipe: Recipe) -> str:
    """Return the unit of a difference between two faces under this recipe."""
    return "grey levels" if recipe.lighting == "none" else "levels of the evened-out face"


def change_recipe(session: Session, title: str, change: Callable[[Recipe], Recipe]) -> str:
    """Change the recipe; where that is not possible, say why and change nothing."""
    try:
        recipe = change(session.gallery.recipe)
    except EigenfacesError as error:
        return str(error)
    if recipe != session.gallery.recipe:
        session.apply(title, lambda gallery: gallery.with_recipe(recipe))
    return ""


class ComparisonBar(QWidget):
    """A choice of distance and rule in one line; `refused` says why a choice is not possible."""

    refused = Signal(str)

    def __init__(self, session: Session, caption: str = "") -> None:
        super().__init__()
        self._session = session
        self.distance, self.rule, self.neighbours = Choice(), Choice(), QSpinBox()
        for name in DISTANCES:
            self.distance.addItem(name)
            at = self.distance.count() - 1
            self.distance.setItemData(at, formula(name), Qt.ItemDataRole.ToolTipRole)
        for at, (words, meaning) in enumerate(_RULES):
            self.rule.addItem(words)
            self.rule.setItemData(at, meaning, Qt.ItemDataRole.ToolTipRole)
        self.neighbours.setRange(2, _MOST)
        self._name_all()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        if caption:
            row.addWidget(label(caption, "caption"))
        for widget in (self.distance, self.rule):
            widget.setMinimumWidth(96)
            row.addWidget(widget)
        row.addWidget(self.neighbours)
        self.distance.activated.connect(self._change_distance)
        self.rule.activated.connect(self._change_rule)
        self.neighbours.valueChanged.connect(self._change_rule)

    def show_recipe(self, recipe: Recipe) -> None:
        """Show the distance and the rule of a recipe."""
        blocked = [QSignalBlocker(w) for w in (self.distance, self.rule, self.neighbours)]
        self.distance.setCurrentText(recipe.distance)
        self.distance.setToolTip(formula(recipe.distance))
        many = recipe.neighbours > 1
        others = {"class mean": _MEAN, "mean distance": _MEAN_DISTANCE}
        at = others.get(recipe.rule, _NEIGHBOURS if many else _NEAREST)
        self.rule.setCurrentIndex(at)
        self.rule.setToolTip(_RULES[at][1])
        self.neighbours.setVisible(at == _NEIGHBOURS)
        self.neighbours.setMaximum(max(_MOST, recipe.neighbours))
        if many:
            self.neighbours.setValue(recipe.neighbours)
        del blocked

    def explanation(self) -> str:
        """Return the choice in words: the distance with its formula, and the rule."""
        return f"{formula(self.distance.currentText())} {_RULES[self.rule.currentIndex()][1]}"

    def _name_all(self) -> None:
        for widget, name in (
            (self.distance, "Distance in face space"),
            (self.rule, "Who is closest"),
            (self.neighbours, "Number of nearest photos"),
            (self.neighbours.lineEdit(), "Number of nearest photos"),
            (self.distance.view(), "Distances"),
            (self.rule.view(), "Rules"),
        ):
            widget.setAccessibleName(name)

    def _change_distance(self) -> None:
        name = self.distance.currentText()
        self._apply("the distance", lambda recipe: replace(recipe, distance=name))

    def _change_rule(self) -> None:
        at, count = self.rule.currentIndex(), max(2, self.neighbours.value())

        def changed(recipe: Recipe) -> Recipe:
            if at == _MEAN:
                return replace(recipe, rule="class mean", neighbours=1)
            if at == _MEAN_DISTANCE:
                return replace(recipe, rule="mean distance", neighbours=1)
            return replace(recipe, rule="nearest", neighbours=count if at == _NEIGHBOURS else 1)

        self._apply("the rule", changed)

    def _apply(self, title: str, change: Callable[[Recipe], Recipe]) -> None:
        refusal = change_recipe(self._session, title, change)
        self.show_recipe(self._session.gallery.recipe)
        self.refused.emit(refusal)
