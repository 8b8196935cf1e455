"""The choices in the head of the page: by which recipe, and how many strangers may be named."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from eigenfaces.recognition.calibration import SHARES
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES, recipe_words
from gui.widgets.boxes import in_row
from gui.widgets.popups import Choice
from gui.widgets.words import label

AUTOMATIC = "Automatic"  # every training chooses the recipe by what it measures


class Choosers(QWidget):
    """Recipe and share of strangers; both only ask, and show what holds."""

    recipe_asked = Signal(str)
    share_asked = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.recipe, self.share = Choice(), Choice()
        self.recipe.setAccessibleName("Recipe")
        self.recipe.view().setAccessibleName("Recipes")
        self.share.setAccessibleName("Strangers named at most")
        self.share.view().setAccessibleName("Shares of strangers")
        self.share.setToolTip(
            "How many strangers may be given a name at most: the fewer, the more people who are "
            "enrolled are not named either."
        )
        self.recipe.activated.connect(lambda _: self._ask_recipe())
        self.share.activated.connect(lambda _: self.share_asked.emit(self.share.currentData()))
        in_row(
            label("Recipe", "caption"),
            self.recipe,
            label("At most", "caption"),
            self.share,
            inside=self,
            spacing=8,
        )
        for box in (self.recipe, self.share):
            # They are empty when they are shown first, where nothing is trained yet.
            box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(96)  # or a narrow page would scroll sideways

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the recipe and the share of a gallery."""
        recipe, chosen = gallery.recipe, gallery.automatic
        names = [AUTOMATIC, *RECIPES, *({recipe.name} - RECIPES.keys())]
        _show(self.recipe, names, AUTOMATIC if chosen else recipe.name)
        words = recipe_words(recipe)
        if chosen and gallery.training:
            words = f"{chosen.reason} Evaluate measures more of it."
        elif recipe != RECIPES.get(recipe.name):
            words = f"{words}. Changed in Settings."
        self.recipe.setToolTip(words)
        shares = sorted({*SHARES, gallery.share})
        _show(self.share, [words_of(share) for share in shares], words_of(gallery.share))
        for at, share in enumerate(shares):
            self.share.setItemData(at, share)

    def _ask_recipe(self) -> None:
        self.recipe_asked.emit(self.recipe.currentText())


def words_of(share: float) -> str:
    """Return a share of strangers as it is offered."""
    return f"{100 * share:g} % of strangers named"


def _show(box: Choice, texts: list[str], current: str) -> None:
    if [box.itemText(at) for at in range(box.count())] != texts:
        box.clear()
        box.addItems(texts)
    box.setCurrentText(current)
