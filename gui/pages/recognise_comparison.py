"""How probes are compared: the distance and the rule, in one line; both change the recipe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSpinBox, QWidget

from eigenfaces.distances import DISTANCES
from eigenfaces.gallery import Gallery
from eigenfaces.recipes import Recipe
from gui.session import Session
from gui.words import label

_NEAREST, _NEIGHBOURS, _MEAN = range(3)
_RULES = (
    ("Nearest photo", "The person of the nearest enrolled photo."),
    ("k nearest photos", "The person with most of the k nearest photos; ties by summed distance."),
    ("Person's mean", "The person whose photos' mean is nearest."),
)


def formula(distance: str) -> str:
    """Return the name and formula that stand beside a distance."""
    return (DISTANCES[distance].__doc__ or distance).strip().splitlines()[0]


class ComparisonBar(QWidget):
    """A choice of distance and rule; verdicts follow at once, and undo takes it back."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.distance, self.rule, self.neighbours = QComboBox(), QComboBox(), QSpinBox()
        self.distance.setAccessibleName("Distance in face space")
        self.rule.setAccessibleName("Who is closest")
        self.neighbours.setAccessibleName("Number of nearest photos")
        for name in DISTANCES:
            self.distance.addItem(name)
            tip = self.distance.count() - 1
            self.distance.setItemData(tip, formula(name), Qt.ItemDataRole.ToolTipRole)
        for place, (words, tip_words) in enumerate(_RULES):
            self.rule.addItem(words)
            self.rule.setItemData(place, tip_words, Qt.ItemDataRole.ToolTipRole)
        self.neighbours.setRange(2, 99)
        self.neighbours.lineEdit().setAccessibleName("Number of nearest photos")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label("Compare by", "caption"))
        for widget in (self.distance, self.rule, self.neighbours):
            row.addWidget(widget)
        self.distance.activated.connect(self._change_distance)
        self.rule.activated.connect(self._change_rule)
        self.neighbours.valueChanged.connect(self._change_rule)

    def show_recipe(self, recipe: Recipe) -> None:
        """Show how probes are compared now."""
        blocked = [QSignalBlocker(w) for w in (self.distance, self.rule, self.neighbours)]
        self.distance.setCurrentText(recipe.distance)
        self.distance.setToolTip(formula(recipe.distance))
        many = recipe.neighbours > 1
        at = _MEAN if recipe.rule == "class mean" else _NEIGHBOURS if many else _NEAREST
        self.rule.setCurrentIndex(at)
        self.rule.setToolTip(_RULES[at][1])
        self.neighbours.setVisible(at == _NEIGHBOURS)
        if many:
            self.neighbours.setValue(recipe.neighbours)
        del blocked

    def _change_distance(self) -> None:
        name = self.distance.currentText()
        self._apply("the distance", lambda recipe: replace(recipe, distance=name))

    def _change_rule(self) -> None:
        at, count = self.rule.currentIndex(), max(2, self.neighbours.value())

        def changed(recipe: Recipe) -> Recipe:
            if at == _MEAN:
                return replace(recipe, rule="class mean", neighbours=1)
            return replace(recipe, rule="nearest", neighbours=count if at == _NEIGHBOURS else 1)

        self._apply("the rule", changed)

    def _apply(self, title: str, change: Callable[[Recipe], Recipe]) -> None:
        if change_is_none(self._session.gallery.recipe, change):
            return

        def edit(gallery: Gallery) -> Gallery:
            return gallery.with_recipe(change(gallery.recipe))

        if not self._session.apply(title, edit):
            self.show_recipe(self._session.gallery.recipe)


def change_is_none(recipe: Recipe, change: Callable[[Recipe], Recipe]) -> bool:
    """Tell whether a change leaves the recipe as it is."""
    try:
        return change(recipe) == recipe
    except ValueError:
        return False
