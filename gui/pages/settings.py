"""The Settings page: the appearance of the program, the cropping of faces, and the recipe."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QFileInfo, QLocale, QSignalBlocker, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from eigenfaces.faces.lighting import LIGHTING, WINDOW_FIELD
from eigenfaces.faces.prepare import ALREADY_CROPPED, HEIGHT, WIDTH, Preparation
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import DISTANCE, DROPPED, RULE
from eigenfaces.text import Field
from ..state import actions
from ..state.session import Session
from ..style import theme
from ..style.images import grey_image
from ..widgets.box_layouts import STRETCH, add_parts, in_column, in_row
from ..widgets.cards import Card, PageHeader, SettingRow
from ..widgets.controls import Button, LinkButton, Segmented
from ..widgets.face_view import FaceView
from ..widgets.fields import DropDown, whole_box
from ..widgets.labels import Facts, label
from ..widgets.page import Page

_THEMES: tuple[theme.Theme, ...] = ("system", "light", "dark")
_ADVANCED = "Advanced: faces, lighting, recipe…"
_LOCAL = (
    "Everything stays on this computer. The program never goes online, and your photos are only "
    "read, never changed or deleted."
)
_RETRAIN = "Train again after changing this."


class SettingsPage(Page):
    """Page for the appearance, the project and, under Advanced, face cropping and the recipe."""

    key, title, icon = "settings", "Settings", "settings"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.theme = Segmented(("System", "Light", "Dark"), name="Theme")
        self.theme.changed.connect(self._set_theme)
        appearance = Card("Appearance")
        meaning = "“System” follows the setting of this computer."
        add_parts(appearance.body, SettingRow("Theme", meaning, self.theme), STRETCH)
        self.facts, self.folder = Facts(), LinkButton("Show the folder", "folder")
        self.folder.clicked.connect(self._show_folder)
        project = Card("This project")
        project.add_to_heading(self.folder)
        add_parts(project.body, self.facts, label(_LOCAL, "caption", wrap=True), STRETCH)
        self.faces, self.light = FacesCard(session), LightCard(session)
        self.recipe = RecipeCard(session)
        self.more, self._advanced = LinkButton(_ADVANCED), QWidget()
        self.more.clicked.connect(self._toggle)
        left, right = QWidget(), QWidget()  # a widget can shrink, a layout cannot
        in_column(self.faces, self.recipe, STRETCH, inside=left, spacing=12)
        in_column(self.light, STRETCH, inside=right, spacing=12)
        in_row((left, 1), (right, 1), inside=self._advanced, spacing=12)
        self._advanced.hide()
        first = in_row((appearance, 1), (project, 1), spacing=12)
        parts = (PageHeader("Settings"), first, in_row(self.more, STRETCH), self._advanced)
        in_column(*parts, STRETCH, inside=self.content, spacing=12)

    def _toggle(self) -> None:
        unfolded = not self._advanced.isVisibleTo(self)
        self._advanced.setVisible(unfolded)
        self.more.setText("Less" if unfolded else _ADVANCED)
        self._refresh()

    def _refresh(self) -> None:
        session, project = self.session, self.session.project
        with QSignalBlocker(self.theme):
            self.theme.set_current(_THEMES.index(session.settings.theme))
        self.folder.setVisible(project is not None)
        rows: list[tuple[str, str | Path]] = []
        if project is None:
            rows.append(("File", "none yet: it will be created with your first change"))
        else:
            n_bytes, si = QFileInfo(project.path).size(), QLocale.DataSizeFormat.DataSizeSIFormat
            size = QLocale.c().formattedDataSize(n_bytes, 1, si) if n_bytes else "no longer there"
            rows += [("Name", session.name), ("File", project.path), ("Size", size)]
            if session.is_draft:
                rows.append(("A draft", "“Save project as…” stores it in a folder of your choice"))
        self.facts.set_rows(rows)
        if self._advanced.isVisibleTo(self):
            for card in (self.faces, self.light, self.recipe):
                card.show_gallery(session.gallery)

    def _set_theme(self) -> None:
        self.session.settings.theme = _THEMES[self.theme.current]
        theme.apply(cast(QApplication, QApplication.instance()), self.session.settings.theme)

    def _show_folder(self) -> None:
        if self.session.project is not None:
            folder = self.session.project.path.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class FacesCard(Card):
    """Card for face detection and face size. Applying a change reads all photographs again."""

    def __init__(self, session: Session) -> None:
        super().__init__("Faces", "photo → face, geometry only")
        self._session = session
        self._shown: Preparation | None = None
        self.kind = Segmented([*ALREADY_CROPPED.choices], name=ALREADY_CROPPED.label)
        self.width_box, self.height_box = whole_box(WIDTH), whole_box(HEIGHT)
        self.about = label("", "caption", wrap=True)
        self.apply, self.back = Button("Crop all faces again"), LinkButton("Discard")
        self.apply.clicked.connect(lambda: actions.recrop_gallery(session, self.choice))
        self.back.clicked.connect(self._show_current)
        self._kind = SettingRow(ALREADY_CROPPED.label, "", self.kind)
        sizes = (self.width_box, label("×", "secondary"), self.height_box)
        rows = (self._kind, SettingRow("Face size", WIDTH.why, *sizes))
        add_parts(self.body, *rows, self.about, in_row(self.apply, self.back, STRETCH))
        self.body.setSpacing(14)
        boxes = (self.width_box.valueChanged, self.height_box.valueChanged)
        for signal in (*boxes, self.kind.changed):
            signal.connect(self._show_choice)

    @property
    def choice(self) -> Preparation:
        """The preparation that the user has chosen, whether or not it has been applied."""
        size = self.height_box.value(), self.width_box.value()
        return Preparation(*size, already_cropped=bool(self.kind.current))

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the preparation if it has changed, and the effect of the current choice."""
        if gallery.preparation != self._shown:
            self._show_current()
        self._show_choice()

    def _show_choice(self) -> None:
        gallery, choice = self._session.gallery, self.choice
        changed = choice != gallery.preparation
        self._kind.explanation.setText([*ALREADY_CROPPED.choices.values()][self.kind.current])
        about = "Photos that you add will be cropped like this." if not len(gallery.faces) else ""
        if len(gallery.faces) and changed:
            about = (
                f"All {len(gallery.faces):,} photos will be read again, and then you will need to "
                "train again. The photos are not changed, and you can undo this."
            )
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self.apply.setEnabled(changed)
        self.apply.set_primary(changed)
        self.back.setVisible(changed)

    def _show_current(self) -> None:
        """Show the preparation of the gallery, and discard a choice that has not been applied."""
        self._shown = current = self._session.gallery.preparation
        with QSignalBlocker(self.kind):
            self.kind.set_current(int(current.already_cropped))
        for box, value in ((self.width_box, current.width), (self.height_box, current.height)):
            with QSignalBlocker(box):
                box.setValue(value)
        self._show_choice()


def change_recipe(session: Session, field: Field, value: object) -> None:
    """Change a field of the gallery's recipe, unless it already has this value."""
    recipe = session.gallery.recipe.changed(**{field.name: value})
    if recipe != session.gallery.recipe:
        session.apply(field.change, lambda gallery: gallery.with_recipe(recipe))


def change_by(session: Session, box: DropDown, field: Field) -> None:
    """Make a drop-down list change a field of the recipe when the user chooses a value."""
    box.activated.connect(lambda: change_recipe(session, field, box.value()))


class LightCard(Card):
    """Card for the lighting and window settings of the recipe, with their effect on a face."""

    def __init__(self, session: Session) -> None:
        super().__init__("Lighting and background", "first step of the recipe")
        self._session = session
        self.lighting, self.background = DropDown.of(LIGHTING), DropDown.of(WINDOW_FIELD)
        self._fields = {self.lighting: LIGHTING, self.background: WINDOW_FIELD}
        self.rows = {box: SettingRow(field.label, "", box) for box, field in self._fields.items()}
        for box, field in self._fields.items():  # neither choice is ever refused
            change_by(session, box, field)
        self.face = FaceView("As compared")
        add_parts(self.body, *self.rows.values(), (self.face, 0, Qt.AlignmentFlag.AlignHCenter))
        self.body.setSpacing(14)

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the settings, and their effect on the selected face, or else on another face."""
        recipe, index, session = gallery.recipe, gallery.index, self._session
        for box, field in self._fields.items():
            box.show_value(getattr(recipe.pixels, field.name))
            box.setEnabled(field in recipe.fields)
            self.rows[box].explanation.setText(f"{box.toolTip()} {_RETRAIN}")
        selected = index.row_of(session.photo) if session.photo else None
        own = index.rows_of(session.person) if session.person is not None else ()
        face = selected if selected is not None else next(iter(own), 0)
        self.face.setVisible(len(gallery.faces) > 0)
        if len(gallery.faces):
            lit = recipe.pixels.of(gallery.faces.pixels[[face]], gallery.faces.shape)
            self.face.set_image(grey_image(lit.reshape(gallery.faces.shape)))


class RecipeCard(Card):
    """Card for the rest of the recipe. Changes apply immediately and can be undone.

    The number of components is set on the Eigenfaces page.
    """

    def __init__(self, session: Session) -> None:
        super().__init__("Recipe", "the same for all photos")
        self.distance, self.rule = DropDown.of(DISTANCE), DropDown.of(RULE)
        for box, field in ((self.distance, DISTANCE), (self.rule, RULE)):
            box.setMinimumWidth(96)
            change_by(session, box, field)
        self._comparison = SettingRow("Distance and rule", "", self.distance, self.rule)
        self.dropped = whole_box(DROPPED)
        self.dropped.valueChanged.connect(lambda n: change_recipe(session, DROPPED, n))
        dropped = SettingRow(DROPPED.label, DROPPED.why, self.dropped)
        add_parts(self.body, self._comparison, dropped)

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the recipe of a gallery."""
        matcher = gallery.recipe.matcher
        self.distance.show_value(matcher.distance)
        self.rule.show_value(matcher.rule)
        with QSignalBlocker(self.dropped):  # at least one component must be left to compare
            self.dropped.setMaximum(gallery.k - 1 if gallery.training else matcher.dropped)
            self.dropped.setValue(matcher.dropped)
        self._comparison.explanation.setText(f"{self.distance.toolTip()} {self.rule.toolTip()}")
