"""The first step of the recipe, lighting and window, tried on a few faces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import get_args

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from eigenfaces.arrays import Floats
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.lighting import Lighting, Window
from eigenfaces.recognition.recipe import Recipe
from gui.pages.settings.rows import SettingRow
from gui.state.jobs import EVEN_LIGHT
from gui.state.session import Session
from gui.style.images import grey_image
from gui.widgets.cards import Card
from gui.widgets.comparison_bar import LIGHTINGS, change_recipe
from gui.widgets.controls import FaceView
from gui.widgets.popups import Choice
from gui.widgets.recipe_steps import RecipeSteps
from gui.widgets.words import label

_LIGHTINGS: tuple[Lighting, ...] = tuple(LIGHTINGS)
_WINDOWS: tuple[Window, ...] = get_args(Window)
_SHOWN = 6
_PICTURE = QSize(58, 70)
_WINDOW_WORDS: dict[Window, str] = {
    "none": "All of the crop is compared, with what there is of hair and background.",
    "oval": "(x − ½) w + ½: the face stays whole, the corners fade to mid-grey.",
    "Gaussian": "(x − ½) w + ½, w = 1 in the middle and ½ a third of the height away.",
}


class LightCard(Card):
    """Chooses lighting and window of the recipe, and shows their effect on a few faces."""

    def __init__(self, session: Session) -> None:
        super().__init__("Light and background", "first step of the recipe")
        self._session = session
        self._shown: tuple[object, ...] = ()
        self.lighting = _choice("Lighting", _LIGHTINGS)
        self.background = _choice("Window against the background", _WINDOWS)
        self.steps = RecipeSteps()
        self.before = [FaceView("", _PICTURE, name=f"Face {n + 1} as cut") for n in range(_SHOWN)]
        self.after = [FaceView("", _PICTURE, name=f"Face {n + 1}, lit") for n in range(_SHOWN)]
        self.others = QWidget()
        self.lighting.activated.connect(
            lambda at: self._change("the lighting", lambda r: replace(r, lighting=_LIGHTINGS[at]))
        )
        self.background.activated.connect(
            lambda at: self._change("the window", lambda r: replace(r, window=_WINDOWS[at]))
        )
        self._lay_out()

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the choice, and its effect on the faces of the selected person."""
        recipe = gallery.recipe
        blocked = [QSignalBlocker(self.lighting), QSignalBlocker(self.background)]
        self.lighting.setCurrentIndex(_LIGHTINGS.index(recipe.lighting))
        self.background.setCurrentIndex(_WINDOWS.index(recipe.window))
        del blocked
        words = LIGHTINGS[recipe.lighting]
        self._lighting_row.explanation.setText(f"{words} Another lighting needs training anew.")
        self._window_row.explanation.setText(
            f"{_WINDOW_WORDS[recipe.window]} Another window needs training anew."
        )
        rows = self._rows(gallery)
        self.steps.setVisible(bool(rows))
        self.others.setVisible(len(rows) > 1)
        wanted = (recipe, gallery.faces, gallery.training, tuple(rows))
        if rows and wanted != self._shown:
            self._shown = wanted
            self._light(gallery, rows)

    def _rows(self, gallery: Gallery) -> list[int]:
        """Return the selected face, those of its person, and others, up to six."""
        key = self._session.photo
        chosen = gallery.index.row_of(key) if key else None
        person = self._session.person
        own = gallery.index.rows_of(person) if person is not None else []
        first = [] if chosen is None else [chosen]
        return list(dict.fromkeys([*first, *own, *range(min(_SHOWN, len(gallery.faces)))]))[:_SHOWN]

    def _light(self, gallery: Gallery, rows: Sequence[int]) -> None:
        """Even out the light in a job: the library for it may have to be loaded first."""
        wanted, recipe, pixels = self._shown, gallery.recipe, gallery.faces.pixels[rows]

        def done(lit: Floats) -> None:
            if wanted == self._shown:
                self._draw(gallery, rows, lit)

        self._session.jobs.start(
            EVEN_LIGHT,
            "Evening out the light",
            lambda _tick: recipe.features(pixels, gallery.faces.shape),
            done,
        )

    def _draw(self, gallery: Gallery, rows: Sequence[int], lit: Floats) -> None:
        training, recipe = gallery.training, gallery.recipe
        fits = training is not None and not recipe.refits(training.recipe)
        mean = training.space.mean if training is not None and fits else None
        self.steps.show_face(gallery.faces.image(rows[0]), recipe, mean)
        plain = recipe.lighting == recipe.window == "none"
        shape = gallery.faces.shape
        for at, (before, after) in enumerate(zip(self.before, self.after, strict=True)):
            for view in (before, after):
                view.setVisible(at < len(rows))
            after.setVisible(at < len(rows) and not plain)
            if at < len(rows):
                before.set_image(grey_image(gallery.faces.image(rows[at])))
                after.set_image(grey_image(lit[at].reshape(shape)))
        self._after_words.setVisible(not plain)

    def _change(self, title: str, change: Callable[[Recipe], Recipe]) -> None:
        change_recipe(self._session, title, change)  # neither choice is ever refused

    def _lay_out(self) -> None:
        self._lighting_row = SettingRow("Lighting", "", self.lighting)
        self._window_row = SettingRow("Window against the background", "", self.background)
        grid = QGridLayout(self.others)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        self._after_words = label("evened out", "caption")
        for line, (words, views) in enumerate(
            ((label("as cut", "caption"), self.before), (self._after_words, self.after))
        ):
            grid.addWidget(words, line, 0, Qt.AlignmentFlag.AlignVCenter)
            for at, view in enumerate(views):
                grid.addWidget(view, line, at + 1)
        grid.setColumnStretch(_SHOWN + 1, 1)
        self.body.setSpacing(14)
        for part in (self._lighting_row, self._window_row, self.steps, self.others):
            self.body.addWidget(part)


def _choice(name: str, options: Sequence[str]) -> QComboBox:
    box = Choice()
    box.setAccessibleName(name)
    box.addItems([option[0].upper() + option[1:] for option in options])
    box.view().setAccessibleName(name)
    return box
