"""The Settings page: how the program looks, photos are cut, and faces are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast, get_args

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QFileInfo, QLocale, QSignalBlocker, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.lighting import LIGHTING, WINDOW
from eigenfaces.faces.prepare import ALREADY_CROPPED, FIT, HEIGHT, WIDTH, Fit, Preparation
from eigenfaces.faces.read import FaceReading, read_face
from eigenfaces.photographs.decode import colours, decode, read_bytes
from eigenfaces.photographs.photos import Eyes, Photo
from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.gallery import Gallery, gone_words
from eigenfaces.recognition.recipe import (
    COMPONENTS,
    DISTANCE,
    DROPPED,
    RULE,
    WHITENING,
)
from eigenfaces.space.arrays import Floats
from eigenfaces.text import Field
from gui.state import actions
from gui.state.session import Session
from gui.state.settings import drafts_folder
from gui.style import theme
from gui.style.images import grey_image, rgb_image
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Banner, Card, PageHeader, SettingRow
from gui.widgets.controls import Button, LinkButton, Segmented
from gui.widgets.fields import ComponentsEditor, DropDownEditor, SegmentEditor, whole_box
from gui.widgets.page import Page
from gui.widgets.painted import FaceView
from gui.widgets.photo_view import FaceMarker
from gui.widgets.words import Facts, label

_THEMES: tuple[theme.Theme, ...] = ("system", "light", "dark")
_FITS: tuple[Fit, ...] = get_args(Fit)
_ADVANCED = "Advanced: faces, light, recipe…"
_LOCAL = (
    "Everything stays on this computer. The program never goes online, and your photographs are "
    "read, but never changed or deleted."
)
_RETRAIN = "A change needs training again."
_LARGE = 1200  # pixels on the longer side; a preview needs no more
_CROP, _PHOTO = QSize(115, 140), QSize(230, 150)
_FRAME = 6  # px around a photograph, in all
_PAUSE = 300


class SettingsPage(Page):
    """Appearance and project; how faces are cut and compared under Advanced."""

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
        left, right = QWidget(), QWidget()  # which shrink, where a layout alone would not
        in_column(self.faces, self.light, STRETCH, inside=left, spacing=12)
        in_column(self.recipe, STRETCH, inside=right, spacing=12)
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
            rows.append(("File", "none yet: your first change creates it"))
        else:
            n_bytes, si = QFileInfo(project.path).size(), QLocale.DataSizeFormat.DataSizeSIFormat
            size = QLocale.c().formattedDataSize(n_bytes, 1, si) if n_bytes else "no longer there"
            rows += [("Name", session.name), ("File", project.path), ("Size", size)]
            if session.is_draft:
                rows.append(("A draft", "“Save project as…” gives it a place"))
        rows.append(("Drafts are kept in", drafts_folder()))
        rows.append(("Pasted photos are kept in", drafts_folder().parent / "pasted"))
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


@dataclass(frozen=True, eq=False)
class Example:
    """A photograph for trying a preparation: as it was read, in grey (H, W), in colour (h, w, 3).

    Grey and colour may be reduced.
    """

    reading: FaceReading
    grey: Floats
    colours: NDArray[np.uint8]

    @classmethod
    def of(cls, gallery: Gallery, photo: FacePhoto) -> Example | None:
        """Read a photograph; find its face, unless its eyes are known; None if it is gone."""
        where = photo.placement
        settled = not gallery.preparation.already_cropped or where.source != "found"
        try:
            again = Photo(photo.path, placement=where if settled else None)
            reading, content = read_face(again, Preparation()), read_bytes(photo.path)
            grey = np.rot90(decode(content, _LARGE).grey, -where.turned)
            return cls(reading, grey, colours(content, 2 * _PHOTO.width(), where.turned))
        except PhotoError:
            return None

    def cut(self, preparation: Preparation, *, whole: bool = False) -> Floats:
        """Return the face cut from it, or all of it."""
        eyes, scale = self.reading.eyes, max(self.grey.shape) / max(self.reading.size)
        return preparation.crop(self.grey, None if whole or not eyes else eyes.scaled(scale))


class FacesCard(Card):
    """Chooses whether faces are searched for, and their size; applying reads photos again."""

    def __init__(self, session: Session) -> None:
        super().__init__("Faces", "photo → face, geometry only")
        self._session, self.example = session, cast(Example | None, None)
        self._inputs: tuple[object, ...] = ()
        self._photo: FacePhoto | None = None
        self.kind, self.fit = SegmentEditor(ALREADY_CROPPED), SegmentEditor(FIT)
        self.width_box, self.height_box = whole_box(WIDTH), whole_box(HEIGHT)
        self.photo, self.face, arrow = FaceMarker(), FaceView("Face", _CROP), label("→", "title")
        arrow.setAccessibleName("becomes")
        self.photo.setEnabled(False)  # it only shows where faces are
        self.views = [FaceView(fit.capitalize(), _CROP, clickable=True) for fit in _FITS]
        for number, view in enumerate(self.views):
            view.clicked.connect(partial(self.fit.set_current, number))
        self.about = label("", "caption", wrap=True)
        self.gone = label("", "caption", wrap=True, tone="warn")
        self.apply, self.back = Button("Cut all faces again"), LinkButton("Discard")
        self.apply.clicked.connect(lambda: actions.prepare_again(session, self.choice))
        self.back.clicked.connect(self._show_current)
        self._kind = SettingRow(ALREADY_CROPPED.label, "", self.kind)
        sizes = (self.width_box, label("×", "secondary"), self.height_box)
        self._fit = SettingRow(FIT.label, "", self.fit)
        self._found, self._whole = QWidget(), QWidget()
        in_row(self.photo, arrow, self.face, STRETCH, inside=self._found, spacing=14)
        in_row(*self.views, STRETCH, inside=self._whole, spacing=14)
        rows = (self._kind, SettingRow("Size of a face", WIDTH.why, *sizes), self._fit)
        buttons = in_row(self.apply, self.back, STRETCH)
        add_parts(self.body, *rows, self._found, self._whole, self.about, self.gone, buttons)
        self.body.setSpacing(14)
        boxes = (self.width_box.valueChanged, self.height_box.valueChanged)
        for signal in (*boxes, self.kind.changed, self.fit.changed):
            signal.connect(self._show_choice)

    @property
    def choice(self) -> Preparation:
        """The preparation chosen here, applied or not."""
        cut, gallery = bool(self.kind.current), self._session.gallery
        fits = cut or gallery.has_whole_photos
        fit = self.fit.value() if fits else gallery.preparation.fit
        size = self.height_box.value(), self.width_box.value()
        return Preparation(*size, cast(Fit, fit), already_cropped=cut)

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the preparation, and its effect on the selected photograph."""
        session, before = self._session, self._inputs
        face = session.face(session.photo) if session.photo else None
        photos = gallery.index.photos
        self._photo = photo = face[0] if face else next(iter(photos), None)
        self._inputs = gallery.preparation, gallery.faces, photo
        if before[:1] != self._inputs[:1]:
            self._show_current()
        if [*map(id, before[1:])] != [*map(id, self._inputs[1:])]:
            self._read(gallery, photo)
        self._show_choice()

    def _read(self, gallery: Gallery, photo: FacePhoto | None) -> None:
        """Read the photograph for the preview, and check which photographs are still there."""
        if photo is None:
            self.example = None
            self.gone.setText("")
            return

        def done(result: tuple[Example | None, list[FacePhoto]]) -> None:
            if photo is self._photo:
                self.example, missing = result
                self.gone.setText(gone_words(missing))
                self._show_choice()

        work = lambda _: (Example.of(gallery, photo), gallery.missing())  # noqa: E731
        jobs, failed = self._session.jobs, self._session.show_error
        jobs.start("preview", "Looking at the photos", work, done, failed)

    def _show_choice(self) -> None:
        gallery, choice, example = self._session.gallery, self.choice, self.example
        changed = choice != gallery.preparation
        self._kind.explanation.setText(self.kind.meaning())
        meaning = self.fit.meaning()
        self._fit.explanation.setText(
            f"{self.fit.current_text}: {meaning[:1].lower()}{meaning[1:]}"
        )
        self._fit.setVisible(choice.already_cropped or gallery.has_whole_photos)
        self._found.setVisible(not choice.already_cropped)
        self._whole.setVisible(choice.already_cropped)
        faces, eyes, size = list[Eyes](), None, (1, 1)
        if example is not None:
            faces, eyes = [face.eyes for face in example.reading.faces], example.reading.eyes
            size = example.reading.size
        room = _PHOTO if example is None else QSize(*size[::-1])
        room = room.scaled(_PHOTO, Qt.AspectRatioMode.KeepAspectRatio)
        self.photo.setFixedSize(room + QSize(_FRAME, _FRAME))
        self.photo.show_photo(rgb_image(example.colours) if example else None, size)
        self.photo.show_faces(faces, eyes)
        placed = example is not None and example.reading.photo.placement is not None
        self.face.set_image(grey_image(example.cut(choice)) if placed and example else None)
        for fit, view in zip(_FITS, self.views, strict=True):
            policy = Preparation(choice.height, choice.width, fit, already_cropped=True)
            view.set_image(grey_image(example.cut(policy, whole=True)) if example else None)
            view.set_ring("accent" if fit == choice.fit else None)
        self.about.setText(self._effect(gallery, choice))
        self.gone.setVisible(bool(self.gone.text()))
        self.apply.setEnabled(changed)
        self.apply.set_primary(changed)
        self.back.setVisible(changed)

    def _effect(self, gallery: Gallery, choice: Preparation) -> str:
        """Return in words what the preview shows, and what applying the choice would do."""
        if not len(gallery.faces):
            return "Photos that you add will be cut like this."
        effect = "There is no photograph to show the effect on."
        if self.example is not None and self._photo is not None:
            path, (height, width) = self._photo.path, self.example.grey.shape
            effect = f"The effect on “{path.parent.name}/{path.name}”, the selected photo."
            if not choice.already_cropped:
                effect += f" {self.example.reading.refusal or ''}".rstrip()
            elif abs(width / height - choice.width / choice.height) < 0.01:
                effect += " It already has the shape of a face, so all three look alike."
        if choice == gallery.preparation:
            return effect
        return (
            f"{effect} All {len(gallery.faces):,} photographs are read again, and the face space "
            "needs training again. The photographs are not touched, and you can undo it."
        )

    def _show_current(self) -> None:
        """Show the preparation of the gallery, instead of what was chosen and not applied."""
        current = self._session.gallery.preparation
        self.kind.show_value(current.already_cropped)
        self.fit.show_value(current.fit)
        for box, value in ((self.width_box, current.width), (self.height_box, current.height)):
            with QSignalBlocker(box):
                box.setValue(value)
        self._show_choice()


def change_recipe(session: Session, field: Field, settings: Mapping[str, object]) -> str:
    """Change fields of the recipe; where that is not possible, say why and change nothing."""
    try:
        changed = session.gallery.with_recipe(session.gallery.recipe.changed(**settings))
    except EigenfacesError as error:
        return str(error)
    if changed.recipe != session.gallery.recipe:
        session.apply(field.change, lambda _: changed)
    return ""


class LightCard(Card):
    """Chooses lighting and window of the recipe, and shows their effect on a face."""

    def __init__(self, session: Session) -> None:
        super().__init__("Light and background", "first step of the recipe")
        self._session = session
        self.lighting, self.background = DropDownEditor(LIGHTING), DropDownEditor(WINDOW)
        editors = (self.lighting, self.background)
        self.rows = {editor: SettingRow(editor.field.label, "", editor) for editor in editors}
        for editor in editors:  # neither choice is ever refused
            editor.activated.connect(
                lambda _, of=editor: change_recipe(session, of.field, {of.field.name: of.value()})
            )
        self.face = FaceView("The face as it is compared")
        add_parts(self.body, *self.rows.values(), (self.face, 0, Qt.AlignmentFlag.AlignHCenter))
        self.body.setSpacing(14)

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the choice, and its effect on the selected face, or the first of the person's."""
        recipe, index, session = gallery.recipe, gallery.index, self._session
        for editor, row in self.rows.items():
            editor.show_value(getattr(recipe.pixels, editor.field.name))
            editor.setEnabled(editor.field in recipe.fields)
            row.explanation.setText(f"{editor.toolTip()} {_RETRAIN}")
        selected = index.row_of(session.photo) if session.photo else None
        own = index.rows_of(session.person) if session.person is not None else ()
        face = selected if selected is not None else next(iter(own), 0)
        self.face.setVisible(len(gallery.faces) > 0)
        if len(gallery.faces):
            lit = recipe.pixels.of(gallery.faces.pixels[[face]], gallery.faces.shape)
            self.face.set_image(grey_image(lit.reshape(gallery.faces.shape)))


class RecipeCard(Card):
    """Chooses the recipe after its first step; changes apply at once and can be undone.

    Numbers apply ``_PAUSE`` ms after the last step of a box: so many steps are one change.
    """

    def __init__(self, session: Session) -> None:
        super().__init__("Recipe", "the same for all photos")
        self._session = session
        self._pending: dict[Field, dict[str, object]] = {}
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._soon.timeout.connect(self._apply)
        self.refusal = Banner()
        self.refusal.hide()
        self.whitening = SegmentEditor(WHITENING)
        self.components = ComponentsEditor()
        self.dropped = whole_box(DROPPED)
        self.distance, self.rule = DropDownEditor(DISTANCE), DropDownEditor(RULE)
        for box in (self.distance, self.rule):
            box.setMinimumWidth(96)
        self._components = SettingRow(COMPONENTS.label, "", self.components)
        self._whitening = SettingRow(WHITENING.label, "", self.whitening)
        self._comparison = SettingRow("Distance and rule", "", self.distance, self.rule)
        dropped = SettingRow(DROPPED.label, DROPPED.why, self.dropped)
        rows = (self._components, dropped, self._whitening, self._comparison)
        add_parts(self.body, self.refusal, *rows)
        self.body.setSpacing(16)
        self.whitening.changed.connect(lambda: self._change(WHITENING, self.whitening.value()))
        components = self.components
        components.kind_changed.connect(self._change_kind)
        components.changed.connect(lambda: self._change_soon(COMPONENTS, components.value()))
        self.dropped.valueChanged.connect(partial(self._change_soon, DROPPED))
        for box in (self.distance, self.rule):
            box.activated.connect(lambda _at, of=box: self._change(of.field, of.value()))

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the recipe, and its numbers in this gallery; but not while a number is changed."""
        if self._soon.isActive():
            return
        matcher = gallery.recipe.matcher
        self.components.show_value(matcher.components)
        self.whitening.show_value(matcher.whitening)
        self.distance.show_value(matcher.distance)
        self.rule.show_value(matcher.rule)
        with QSignalBlocker(self.dropped):
            self.dropped.setValue(matcher.dropped)
        self._whitening.explanation.setText(WHITENING.choices[matcher.whitening])
        self._comparison.explanation.setText(f"{self.distance.toolTip()} {self.rule.toolTip()}")
        self._components.explanation.setText(words.components_words(gallery))

    def _change(self, field: Field, value: object, **others: object) -> None:
        self._pending[field] = {field.name: value, **others}
        self._apply()

    def _change_soon(self, field: Field, value: object) -> None:
        self._pending[field] = {field.name: value}
        self._soon.start()

    def _apply(self) -> None:
        """Change the recipe; where that is not possible, say why, and show it as it is again."""
        self._soon.stop()
        pending, self._pending = self._pending, {}
        refusals = [change_recipe(self._session, *change) for change in pending.items()]
        self.refusal.setVisible(any(refusals))
        self.refusal.show_text(" ".join(filter(None, refusals)), "warn")
        self.show_gallery(self._session.gallery)

    def _change_kind(self) -> None:
        """Change between a share and a count, which begins with what the share comes to."""
        if self._session.gallery.training is not None and not self.components.is_share:
            self.components.show_value(self._session.gallery.k)
        self._change(COMPONENTS, self.components.value())
