"""The first step of the recipe, lighting and window, tried on a few faces."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from eigenfaces.faces.lighting import LIGHTING, WINDOW
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Floats
from gui.state.session import Session
from gui.style.images import grey_image
from gui.widgets.cards import Card, SettingRow
from gui.widgets.comparison_bar import change_recipe
from gui.widgets.fields import DropDownEditor
from gui.widgets.painted import FaceView
from gui.widgets.recipe_steps import RecipeSteps
from gui.widgets.words import label

_SHOWN = 6
_PICTURE = QSize(58, 70)


class LightCard(Card):
    """Chooses lighting and window of the recipe, and shows their effect on a few faces."""

    def __init__(self, session: Session) -> None:
        super().__init__("Light and background", "first step of the recipe")
        self._session = session
        self._shown: tuple[object, ...] = ()
        self.lighting, self.background = DropDownEditor(LIGHTING), DropDownEditor(WINDOW)
        self.steps = RecipeSteps()
        self.before = [FaceView("", _PICTURE, name=f"Face {n + 1} as cut") for n in range(_SHOWN)]
        self.after = [FaceView("", _PICTURE, name=f"Face {n + 1}, lit") for n in range(_SHOWN)]
        self.others = QWidget()
        for editor in (self.lighting, self.background):  # neither choice is ever refused
            editor.activated.connect(lambda _at, of=editor: self._change(of))
        self._lay_out()

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the choice, and its effect on the faces of the selected person."""
        recipe = gallery.recipe
        chosen = recipe.pixels
        for editor, row, name in (
            (self.lighting, self._lighting_row, chosen.lighting),
            (self.background, self._window_row, chosen.window),
        ):
            editor.show_value(name)
            editor.setEnabled(editor.field in recipe.fields)
            what = editor.field.name
            row.explanation.setText(f"{editor.toolTip()} Another {what} needs training anew.")
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
            "even light",
            "Evening out the light",
            lambda _tick: recipe.pixels.of(pixels, gallery.faces.shape),
            done,
            self._session.tell,
        )

    def _draw(self, gallery: Gallery, rows: Sequence[int], lit: Floats) -> None:
        training, recipe = gallery.training, gallery.recipe
        fits = training is not None and not recipe.refits(training.recipe)
        mean = training.space.mean if training is not None and fits else None
        self.steps.show_face(gallery.faces.image(rows[0]), recipe, mean)
        plain = recipe.pixels.lighting == recipe.pixels.window == "none"
        shape = gallery.faces.shape
        for at, (before, after) in enumerate(zip(self.before, self.after, strict=True)):
            for view in (before, after):
                view.setVisible(at < len(rows))
            after.setVisible(at < len(rows) and not plain)
            if at < len(rows):
                before.set_image(grey_image(gallery.faces.image(rows[at])))
                after.set_image(grey_image(lit[at].reshape(shape)))
        self._after_words.setVisible(not plain)

    def _change(self, editor: DropDownEditor) -> None:
        change_recipe(self._session, editor.field, **{editor.field.name: editor.value()})

    def _lay_out(self) -> None:
        self._lighting_row = SettingRow(LIGHTING.label, "", self.lighting)
        self._window_row = SettingRow(WINDOW.label, "", self.background)
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
