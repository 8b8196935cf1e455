"""A choice of distance and rule for comparing probes, which changes the recipe at once."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.recipe import DISTANCE, NEIGHBOURS, RULE, Recipe
from eigenfaces.text import Field
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import in_row
from gui.widgets.fields import DropDownEditor, whole_box


def levels_of(recipe: Recipe) -> str:
    """Return the unit of a difference between two faces under this recipe."""
    return "grey levels" if recipe.pixels.lighting == "none" else "levels of the evened-out face"


def change_recipe(session: Session, field: Field, **settings: object) -> str:
    """Change a field of the recipe; where that is not possible, say why and change nothing."""
    try:
        changed = session.gallery.with_recipe(session.gallery.recipe.changed(**settings))
    except EigenfacesError as error:
        return str(error)
    if changed.recipe != session.gallery.recipe:
        session.apply(field.change, lambda _: changed)
    return ""


class ComparisonBar(QWidget):
    """A choice of distance and rule in one line; `refused` says why a choice is not possible."""

    refused = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.distance, self.rule = DropDownEditor(DISTANCE), DropDownEditor(RULE)
        self.neighbours = whole_box(NEIGHBOURS)
        self.neighbours.setPrefix("k = ")
        self.neighbours.setMaximumWidth(theme.pixels(84))
        for widget in (self.distance, self.rule):
            widget.setMinimumWidth(96)
        in_row(self.distance, self.rule, self.neighbours, inside=self, spacing=8)
        self.distance.activated.connect(
            lambda: self._apply(DISTANCE, distance=self.distance.value())
        )
        self.rule.activated.connect(lambda: self._apply(RULE, rule=self.rule.value(), neighbours=1))
        self.neighbours.valueChanged.connect(
            lambda count: self._apply(NEIGHBOURS, neighbours=count)
        )

    def show_recipe(self, recipe: Recipe) -> None:
        """Show the distance and the rule of a recipe."""
        self.distance.show_value(recipe.matcher.distance)
        self.rule.show_value(recipe.matcher.rule)
        with QSignalBlocker(self.neighbours):
            self.neighbours.setValue(recipe.matcher.neighbours)
        self.neighbours.setVisible(recipe.matcher.rule == "nearest")

    def explanation(self) -> str:
        """Return the choice in words: the distance with its formula, and the rule."""
        return f"{self.distance.toolTip()} {self.rule.toolTip()}"

    def _apply(self, field: Field, **settings: object) -> None:
        refusal = change_recipe(self._session, field, **settings)
        self.show_recipe(self._session.gallery.recipe)
        self.refused.emit(refusal)
