"""The Settings page: how the program looks, photos are cut, and faces are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QFileInfo, QLocale, QSignalBlocker, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.lighting import LIGHTING, WINDOW
from eigenfaces.faces.prepare import ALREADY_CROPPED, FIT, HEIGHT, WIDTH, Fit, Preparation
from eigenfaces.faces.read import FaceReading, read_face
from eigenfaces.photographs.decode import colours, decode, read_bytes
from eigenfaces.photographs.photos import Photo
from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.features import SCALING
from eigenfaces.recognition.gallery import Gallery, gone_words
from eigenfaces.recognition.recipe import (
    COMPONENTS,
    DISTANCE,
    DROPPED,
    NEIGHBOURS,
    RULE,
    SMOOTHING,
    WHITENING,
)
from eigenfaces.space.arrays import Floats
from eigenfaces.space.distances import epsilon
from eigenfaces.text import Field
from gui.state import actions
from gui.state.session import Session
from gui.state.settings import drafts_folder
from gui.style import theme
from gui.style.images import grey_image, rgb_image
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Banner, Card, PageHeader, SettingRow
from gui.widgets.controls import Button, LinkButton, Segmented
from gui.widgets.fields import AmountEditor, DropDownEditor, SegmentEditor, whole_box
from gui.widgets.page import Page
from gui.widgets.painted import FaceView
from gui.widgets.photo_view import FaceMarker
from gui.widgets.recipe_steps import RecipeSteps
from gui.widgets.words import Facts, label

_THEMES: tuple[theme.Theme, ...] = ("system", "light", "dark")
_FITS: tuple[Fit, ...] = get_args(Fit)
_ADVANCED = "Advanced: faces, light, recipe…"
_LOCAL = (
    "Everything stays on this computer. The program never goes online, and your photographs are "
    "read, but never changed or deleted."
)
_LARGE = 1200  # pixels on the longer side; a preview needs no more
_CROP, _PHOTO, _FACE = QSize(115, 140), QSize(230, 150), QSize(58, 70)
_FRAME = 6  # px around a photograph, in all
_SHOWN = 6  # faces on which the light is tried
_PAUSE = 300  # ms after the last step of a spin box, so that many steps are one change


class SettingsPage(Page):
    """Appearance and project; how faces are cut and compared under Advanced."""

    key, title, icon = "settings", "Settings", "settings"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.theme = Segmented(("System", "Light", "Dark"), name="Theme")
        self.theme.changed.connect(self._set_theme)
        said = "“System” follows the setting of this computer."
        appearance = Card("Appearance")
        add_parts(appearance.body, SettingRow("Theme", said, self.theme), STRETCH)
        self.facts, self.folder = Facts(), LinkButton("Show the folder", "folder")
        self.folder.clicked.connect(self._show_folder)
        project = Card("This project")
        project.add_to_heading(self.folder)
        add_parts(project.body, self.facts, label(_LOCAL, "caption", wrap=True), STRETCH)
        self.faces, self.light, self.recipe = (
            FacesCard(session),
            LightCard(session),
            RecipeCard(session),
        )
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
        shown = not self._advanced.isVisibleTo(self)
        self._advanced.setVisible(shown)
        self.more.setText("Less" if shown else _ADVANCED)
        self._refresh()

    def _refresh(self) -> None:
        session, project = self.session, self.session.project
        with QSignalBlocker(self.theme):
            self.theme.set_current(_THEMES.index(session.settings.theme))
        self.folder.setVisible(project is not None)
        rows: list[tuple[str, str | Path]] = []
        if project is None:
            rows.append(("File", "none yet: it is made with the first change"))
        else:
            bytes_, si = QFileInfo(project.path).size(), QLocale.DataSizeFormat.DataSizeSIFormat
            size = QLocale.c().formattedDataSize(bytes_, 1, si)
            size = size if bytes_ else "the file is not there any more"
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

    def cut(self, preparation: Preparation, *, whole: bool = False) -> Floats:
        """Return the face cut from it, or all of it."""
        eyes, scale = self.reading.eyes, max(self.grey.shape) / max(self.reading.size)
        return preparation.crop(self.grey, None if whole or not eyes else eyes.scaled(scale))


def look(gallery: Gallery, photo: FacePhoto) -> Example | None:
    """Read a photograph of the gallery, and find its face if it was cut already so far."""
    where = photo.placement
    settled = not gallery.preparation.already_cropped or where.source != "found"
    try:
        reading = read_face(Photo(photo.path, placement=where if settled else None), Preparation())
        content = read_bytes(photo.path)
        grey = np.rot90(decode(content, _LARGE).grey, -where.turned)
        return Example(reading, grey, colours(content, 2 * _PHOTO.width(), where.turned))
    except PhotoError:
        return None


class FacesCard(Card):
    """Chooses whether faces are searched for, and their size; applying reads photos again."""

    def __init__(self, session: Session) -> None:
        super().__init__("Faces", "photo → face, geometry only")
        self._session, self.example = session, cast(Example | None, None)
        self._shown: tuple[object, ...] = ()
        self._photo: FacePhoto | None = None
        self.kind, self.fit = SegmentEditor(ALREADY_CROPPED), SegmentEditor(FIT)
        self.width_box, self.height_box = whole_box(WIDTH), whole_box(HEIGHT)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._show_choice)
        for choice in (self.kind, self.fit):
            choice.changed.connect(self._show_choice)
        self.photo, self.face, arrow = FaceMarker(), FaceView("Face", _CROP), label("→", "title")
        arrow.setAccessibleName("becomes")
        self.photo.setEnabled(False)  # it only shows where faces are
        self.views = [FaceView(fit.capitalize(), _CROP, clickable=True) for fit in _FITS]
        for at, view in enumerate(self.views):
            view.clicked.connect(lambda at=at: self.fit.set_current(at))
        self.about = label("", "caption", wrap=True)
        self.gone = label("", "caption", wrap=True, tone="warn")
        self.apply, self.back = Button("Cut all faces anew"), LinkButton("Back to what it was")
        self.apply.clicked.connect(lambda: actions.prepare_again(self._session, self.choice))
        self.back.clicked.connect(self._go_back)
        self._kind = SettingRow(ALREADY_CROPPED.label, "", self.kind)
        sizes = (self.width_box, label("×", "secondary"), self.height_box)
        size = SettingRow("Size of a face", WIDTH.why, *sizes)
        self._fit = SettingRow(FIT.label, "", self.fit)
        self._found, self._whole = QWidget(), QWidget()
        in_row(self.photo, arrow, self.face, STRETCH, inside=self._found, spacing=14)
        in_row(*self.views, STRETCH, inside=self._whole, spacing=14)
        buttons = in_row(self.apply, self.back, STRETCH)
        rows = (self._kind, size, self._fit, self._found, self._whole, self.about, self.gone)
        add_parts(self.body, *rows, buttons)
        self.body.setSpacing(14)

    @property
    def choice(self) -> Preparation:
        """The preparation chosen here, applied or not."""
        cut, kept = bool(self.kind.current), self._session.gallery
        fit = self.fit.value() if (cut or kept.has_whole_photos) else kept.preparation.fit
        size = self.height_box.value(), self.width_box.value()
        return Preparation(*size, cast(Fit, fit), already_cropped=cut)

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the preparation, and its effect on the selected photograph."""
        session, before = self._session, self._shown
        found = session.face(session.photo) if session.photo else None
        first = gallery.index.photos[0] if len(gallery.faces) else None
        self._photo = found[0] if found else first
        self._shown = gallery.preparation, gallery.faces, self._photo
        if before[:1] != self._shown[:1]:
            self._go_back()
        if [*map(id, before[1:])] != [*map(id, self._shown[1:])]:
            self._read(gallery, self._photo)
        self._show_choice()

    def _read(self, gallery: Gallery, photo: FacePhoto | None) -> None:
        """Read the photograph for the preview, and check which photographs are still there."""

        def done(result: tuple[Example | None, list[FacePhoto]]) -> None:
            if photo is self._photo:
                self.example, gone = result
                self.gone.setText(gone_words(gone))
                self._show_choice()

        if photo is None:
            self.example = None
            self.gone.setText("")
        else:
            work = lambda _: (look(gallery, photo), gallery.missing())  # noqa: E731
            jobs, failed = self._session.jobs, self._session.show_error
            jobs.start("preview", "Looking at the photos", work, done, failed)

    def _show_choice(self) -> None:
        gallery, choice, example = self._session.gallery, self.choice, self.example
        changed = choice != gallery.preparation
        self._kind.explanation.setText(self.kind.meaning())
        said = self.fit.meaning()
        self._fit.explanation.setText(f"{self.fit.current_text}: {said[:1].lower()}{said[1:]}")
        self._fit.setVisible(choice.already_cropped or gallery.has_whole_photos)
        self._found.setVisible(not choice.already_cropped)
        self._whole.setVisible(choice.already_cropped)
        size = QSize(*example.reading.size[::-1]) if example else _PHOTO
        size = size.scaled(_PHOTO, Qt.AspectRatioMode.KeepAspectRatio)
        self.photo.setFixedSize(size + QSize(_FRAME, _FRAME))
        if example is None:
            self.photo.show_photo(None, (1, 1))
            self.photo.show_faces((), None)
        else:
            found = tuple(face.eyes for face in example.reading.faces)
            self.photo.show_photo(rgb_image(example.colours), example.reading.size)
            self.photo.show_faces(found, example.reading.eyes)
        placed = example is not None and example.reading.photo.placement is not None
        self.face.set_image(grey_image(example.cut(choice)) if placed and example else None)
        for fit, view in zip(_FITS, self.views, strict=True):
            policy = Preparation(choice.height, choice.width, fit, already_cropped=True)
            view.set_image(grey_image(example.cut(policy, whole=True)) if example else None)
            view.set_ring("accent" if fit == choice.fit else None)
        self.about.setText(self._about(gallery, choice))
        self.gone.setVisible(bool(self.gone.text()))
        self.apply.setEnabled(changed)
        self.apply.set_primary(changed)
        self.back.setVisible(changed)

    def _about(self, gallery: Gallery, choice: Preparation) -> str:
        if not len(gallery.faces):
            return "The photos that are added will be cut like this."
        effect = "There is no photograph to show the effect on."
        if self.example is not None and self._photo is not None:
            path, (height, width) = self._photo.path, self.example.grey.shape
            effect = f"The effect on “{path.parent.name}/{path.name}”, the selected photo."
            if not choice.already_cropped:
                effect += f" {self.example.reading.refusal or ''}".rstrip()
            elif abs(width / height - choice.width / choice.height) < 0.01:
                effect += " It has the shape of a face already, so all three look alike."
        if choice == gallery.preparation:
            return effect
        return (
            f"{effect} All {len(gallery.faces)} photographs are read again, and the face space "
            "has to be trained anew. The photographs are not touched; undo takes it back."
        )

    def _go_back(self) -> None:
        kept = self._session.gallery.preparation
        self.kind.show_value(kept.already_cropped)
        self.fit.show_value(kept.fit)
        for box, value in ((self.width_box, kept.width), (self.height_box, kept.height)):
            with QSignalBlocker(box):
                box.setValue(value)
        self._show_choice()


def change_recipe(session: Session, field: Field, **settings: object) -> str:
    """Change a field of the recipe; where that is not possible, say why and change nothing."""
    try:
        changed = session.gallery.with_recipe(session.gallery.recipe.changed(**settings))
    except EigenfacesError as error:
        return str(error)
    if changed.recipe != session.gallery.recipe:
        session.apply(field.change, lambda _: changed)
    return ""


class LightCard(Card):
    """Chooses lighting and window of the recipe, and shows their effect on a few faces."""

    def __init__(self, session: Session) -> None:
        super().__init__("Light and background", "first step of the recipe")
        self._session = session
        self._shown: tuple[object, ...] = ()
        self.lighting, self.background = DropDownEditor(LIGHTING), DropDownEditor(WINDOW)
        editors = (self.lighting, self.background)
        self.rows = {each: SettingRow(each.field.label, "", each) for each in editors}
        for editor in editors:  # neither choice is ever refused
            editor.activated.connect(lambda _, of=editor: self._change(of))
        self.steps, self._others = RecipeSteps(), QWidget()
        grid = QGridLayout(self._others)
        grid.setContentsMargins(0, 0, 0, 0)
        self.before = [FaceView("", _FACE, name=f"Face {n + 1} as cut") for n in range(_SHOWN)]
        self.after = [FaceView("", _FACE, name=f"Face {n + 1}, lit") for n in range(_SHOWN)]
        self._evened = label("evened out", "caption")
        grid.addWidget(label("as cut", "caption"), 0, 0)
        grid.addWidget(self._evened, 1, 0)
        for line, views in enumerate((self.before, self.after)):
            for at, view in enumerate(views):
                grid.addWidget(view, line, at + 1)
        grid.setColumnStretch(_SHOWN + 1, 1)
        add_parts(self.body, *self.rows.values(), self.steps, self._others)
        self.body.setSpacing(14)

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the choice, and its effect on the faces of the selected person, up to six."""
        recipe, index, session = gallery.recipe, gallery.index, self._session
        for editor, row in self.rows.items():
            editor.show_value(getattr(recipe.pixels, editor.field.name))
            editor.setEnabled(editor.field in recipe.fields)
            what = editor.field.name
            row.explanation.setText(f"{editor.toolTip()} Another {what} needs training anew.")
        chosen = index.row_of(session.photo) if session.photo else None
        own = index.rows_of(session.person) if session.person is not None else []
        several = [*([] if chosen is None else [chosen]), *own, *range(len(gallery.faces))[:_SHOWN]]
        rows = list(dict.fromkeys(several))[:_SHOWN]
        self.steps.setVisible(bool(rows))
        self._others.setVisible(len(rows) > 1)
        wanted = self._shown
        self._shown = (recipe, gallery.faces, gallery.training, tuple(rows))
        if not rows or wanted == self._shown:
            return
        wanted, pixels = self._shown, gallery.faces.pixels[rows]

        def done(lit: Floats) -> None:
            if wanted == self._shown:
                self._draw(gallery, rows, lit)

        work = lambda _: recipe.pixels.of(pixels, gallery.faces.shape)  # noqa: E731
        session.jobs.start("even light", "Evening out the light", work, done, session.show_error)

    def _draw(self, gallery: Gallery, rows: Sequence[int], lit: Floats) -> None:
        training, recipe = gallery.training, gallery.recipe
        fits = training is not None and not recipe.refits(training.recipe)
        mean = training.space.mean if training is not None and fits else None
        self.steps.show_face(gallery.faces.image(rows[0]), recipe, mean)
        plain = recipe.pixels.lighting == recipe.pixels.window == "none"
        self._evened.setVisible(not plain)
        for at, (before, after) in enumerate(zip(self.before, self.after, strict=True)):
            before.setVisible(at < len(rows))
            after.setVisible(at < len(rows) and not plain)
            if at < len(rows):
                before.set_image(grey_image(gallery.faces.image(rows[at])))
                after.set_image(grey_image(lit[at].reshape(gallery.faces.shape)))

    def _change(self, editor: DropDownEditor) -> None:
        change_recipe(self._session, editor.field, **{editor.field.name: editor.value()})


class RecipeCard(Card):
    """Chooses the recipe after its first step; changes apply at once and can be undone."""

    def __init__(self, session: Session) -> None:
        super().__init__("Recipe", "the same for all photos")
        self._session = session
        self._pending: Callable[[], None] = lambda: None
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._soon.timeout.connect(lambda: self._pending())
        self.refusal = Banner()
        self.refusal.hide()
        self.scaling, self.whitening = SegmentEditor(SCALING), SegmentEditor(WHITENING)
        self.components, self.smoothing = AmountEditor(COMPONENTS), AmountEditor(SMOOTHING)
        self.dropped, self.neighbours = whole_box(DROPPED), whole_box(NEIGHBOURS)
        self.distance, self.rule = DropDownEditor(DISTANCE), DropDownEditor(RULE)
        self.neighbours.setPrefix("k = ")
        self.neighbours.setMaximumWidth(theme.pixels(84))
        for box in (self.distance, self.rule):
            box.setMinimumWidth(96)
        kinds = " ".join(f"{SCALING.title(name)}: {said}" for name, said in SCALING.choices.items())
        self._components = SettingRow(COMPONENTS.label, "", self.components)
        self._whitening = SettingRow(WHITENING.label, "", self.whitening)
        self._smoothing = SettingRow(SMOOTHING.label, "", self.smoothing)
        compared = (self.distance, self.rule, self.neighbours)
        self._comparison = SettingRow("Distance and rule", "", *compared)
        first = f"{kinds} Another kind needs training anew."
        rows = (SettingRow(SCALING.label, first, self.scaling), self._components)
        dropped = SettingRow(DROPPED.label, DROPPED.why, self.dropped)
        last = (dropped, self._whitening, self._smoothing, self._comparison)
        add_parts(self.body, self.refusal, *rows, *last)
        self.body.setSpacing(16)
        self._connect()

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the recipe, and its numbers in this gallery; but not while a number is changed."""
        if self._soon.isActive():
            return
        matcher = gallery.recipe.matcher
        self.scaling.show_value(gallery.recipe.pixels.scaling)
        self.scaling.setEnabled(SCALING in gallery.recipe.fields)
        self.components.show_value(matcher.components)
        self.whitening.show_value(matcher.whitening)
        self.smoothing.show_value(matcher.smoothing)
        self.distance.show_value(matcher.distance)
        self.rule.show_value(matcher.rule)
        numbers = (self.dropped, matcher.dropped), (self.neighbours, matcher.neighbours)
        for box, number in numbers:
            with QSignalBlocker(box):
                box.setValue(number)
        self.neighbours.setVisible(matcher.rule == "nearest")
        self._smoothing.setEnabled(matcher.whitening != "none")
        self._whitening.explanation.setText(WHITENING.choices[matcher.whitening])
        self._comparison.explanation.setText(f"{self.distance.toolTip()} {self.rule.toolTip()}")
        self._components.explanation.setText(words.components_words(gallery))
        self._smoothing.explanation.setText(words.smoothing_words(gallery))

    def _change(self, field: Field, **settings: object) -> None:
        """Change the recipe; where that is not possible, say why, and show it as it is again."""
        refusal = change_recipe(self._session, field, **settings)
        self.refusal.setVisible(bool(refusal))
        self.refusal.show_text(refusal, "warn")
        self.show_gallery(self._session.gallery)

    def _change_to(self, editor: SegmentEditor | DropDownEditor | AmountEditor) -> None:
        self._change(editor.field, **{editor.field.name: editor.value()})

    def _later(self, change: Callable[[], None]) -> None:
        self._pending = change
        self._soon.start()

    def _change_kind(self, editor: AmountEditor) -> None:
        """Change between a share and a number, beginning with the same amount."""
        gallery = self._session.gallery
        if gallery.training is not None and editor is self.smoothing:
            first = gallery.training.representation.variances[: gallery.k]
            smooth = epsilon(gallery.recipe.matcher.smoothing, first)
            editor.begin(smooth, 100 * smooth / float(first.mean()))
        elif gallery.training is not None and not editor.is_share:
            editor.begin(gallery.k)
        self._change_to(editor)

    def _connect(self) -> None:
        later = self._later
        for choice in (self.scaling, self.whitening):
            choice.changed.connect(lambda of=choice: self._change_to(of))
        for amount in (self.components, self.smoothing):
            amount.kind_changed.connect(lambda of=amount: self._change_kind(of))
            amount.changed.connect(lambda of=amount: later(lambda: self._change_to(of)))
        self.dropped.valueChanged.connect(
            lambda number: later(lambda: self._change(DROPPED, dropped=number))
        )
        self.neighbours.valueChanged.connect(
            lambda number: later(lambda: self._change(NEIGHBOURS, neighbours=number))
        )
        self.distance.activated.connect(lambda: self._change_to(self.distance))
        self.rule.activated.connect(
            lambda: self._change(RULE, rule=self.rule.value(), neighbours=1)
        )
