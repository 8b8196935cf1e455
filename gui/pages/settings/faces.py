"""The card of the preparation: whether faces are found or cut already, and their size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QSignalBlocker

from eigenfaces.errors import Tick
from eigenfaces.faces.face_set import FacePhoto, FaceSet
from eigenfaces.faces.prepare import ALREADY_CROPPED, FIT, HEIGHT, WIDTH, Fit, Preparation
from eigenfaces.recognition.gallery import Gallery
from gui.pages.settings.preview import Example, Preview, look
from gui.state import actions
from gui.state.session import Session
from gui.widgets.boxes import STRETCH, in_row
from gui.widgets.cards import Card, SettingRow
from gui.widgets.controls import Button, LinkButton
from gui.widgets.fields import SegmentEditor, whole_box
from gui.widgets.words import label


class FacesCard(Card):
    """Chooses whether faces are searched for, and their size; applying reads photos again."""

    def __init__(self, session: Session) -> None:
        super().__init__("Faces", "photo → face, geometry only")
        self._session = session
        self._faces: FaceSet | None = None
        self._preparation: Preparation | None = None
        self._photo: FacePhoto | None = None
        self._example: Example | None = None
        self.kind, self.fit = SegmentEditor(ALREADY_CROPPED), SegmentEditor(FIT)
        self.width_box, self.height_box = whole_box(WIDTH), whole_box(HEIGHT)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._show_choice)
        for choice in (self.kind, self.fit):
            choice.changed.connect(self._show_choice)
        self.preview = Preview()
        self.preview.fit_chosen.connect(self.fit.set_current)
        self.about = label("", "caption", wrap=True)
        self.gone = label("", "caption", wrap=True, tone="warn")
        self.gone.hide()
        self.apply = Button("Cut all faces anew")
        self.apply.clicked.connect(self._apply)
        self.back = LinkButton("Back to what it was")
        self.back.clicked.connect(self._go_back)
        self._lay_out()

    @property
    def choice(self) -> Preparation:
        """The preparation chosen here, applied or not."""
        cut, kept = bool(self.kind.current), self._session.gallery
        fit = self.fit.value() if fit_counts(kept, cut) else kept.preparation.fit
        size = self.height_box.value(), self.width_box.value()
        return Preparation(*size, cast(Fit, fit), already_cropped=cut)

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the preparation, and its effect on the selected photograph."""
        if gallery.preparation != self._preparation:
            self._preparation = gallery.preparation
            self._go_back()
        photo = self._chosen_photo(gallery)
        if gallery.faces is not self._faces or photo is not self._photo:
            self._faces, self._photo = gallery.faces, photo
            self._read(gallery)
        self._show_choice()

    def _chosen_photo(self, gallery: Gallery) -> FacePhoto | None:
        found = self._session.face(self._session.photo) if self._session.photo else None
        if found is not None:
            return found[0]
        return gallery.index.photos[0] if len(gallery.faces) else None

    def _read(self, gallery: Gallery) -> None:
        """Read the photograph for the preview, and check which photographs are still there."""
        photo = self._photo
        if photo is None:
            self._example = None
            self.gone.hide()
            return

        def work(tick: Tick) -> tuple[Example | None, list[FacePhoto]]:
            tick(0, 2)
            example = look(gallery, photo)
            tick(1, 2)
            return example, gallery.missing()

        def done(result: tuple[Example | None, list[FacePhoto]]) -> None:
            if photo is self._photo:
                self._example = result[0]
                self.gone.setText(gone_words(result[1]))
                self.gone.setVisible(bool(result[1]))
                self._show_choice()

        failed = self._session.tell
        self._session.jobs.start("preview", "Looking at the photos", work, done, failed)

    def _show_choice(self) -> None:
        gallery, choice = self._session.gallery, self.choice
        changed = choice != gallery.preparation
        self.preview.show_example(self._example, choice)
        self._kind_row.explanation.setText(self.kind.meaning())
        said = self.fit.meaning()
        self._fit_row.explanation.setText(f"{self.fit.current_text}: {said[:1].lower()}{said[1:]}")
        self._fit_row.setVisible(fit_counts(gallery, choice.already_cropped))
        self.about.setText(self._about(gallery, changed))
        self.apply.setEnabled(changed)
        self.apply.set_primary(changed)
        self.back.setVisible(changed)

    def _about(self, gallery: Gallery, changed: bool) -> str:
        if not len(gallery.faces):
            return "The photos that are added will be cut like this."
        if self._example is None or self._photo is None:
            effect = "There is no photograph to show the effect on."
        else:
            path = self._photo.path
            effect = f"The effect on “{path.parent.name}/{path.name}”, the selected photo."
            effect += _remark(self._example, self.choice)
        if not changed:
            return effect
        return (
            f"{effect} All {len(gallery.faces)} photographs are read again, and the face space "
            "has to be trained anew. The photographs are not touched; undo takes it back."
        )

    def _apply(self) -> None:
        actions.prepare_again(self._session, self.choice)

    def _go_back(self) -> None:
        kept = self._session.gallery.preparation
        self.kind.show_value(kept.already_cropped)
        self.fit.show_value(kept.fit)
        blocked = [QSignalBlocker(box) for box in (self.width_box, self.height_box)]
        self.width_box.setValue(kept.width)
        self.height_box.setValue(kept.height)
        del blocked
        self._show_choice()

    def _lay_out(self) -> None:
        self._kind_row = SettingRow(ALREADY_CROPPED.label, "", self.kind)
        self._fit_row = SettingRow(FIT.label, "", self.fit)
        buttons = in_row(self.apply, self.back, STRETCH)
        size = SettingRow(
            "Size of a face",
            WIDTH.why,
            self.width_box,
            label("×", "secondary"),
            self.height_box,
        )
        self.body.setSpacing(14)
        for part in (self._kind_row, size, self._fit_row, self.preview, self.about, self.gone):
            self.body.addWidget(part)
        self.body.addLayout(buttons)
        self.body.addStretch(1)


def fit_counts(gallery: Gallery, already_cropped: bool) -> bool:
    """Return whether any photograph is cut as a whole, so that its shape matters."""
    placements = (photo.placement for photo in gallery.index.photos)
    marked = (where.eyes is None and where.source == "by hand" for where in placements)
    return already_cropped or any(marked)


def _remark(example: Example, choice: Preparation) -> str:
    """Return what the pictures do not show."""
    if not choice.already_cropped:
        return f" {example.reason}" if example.reason else ""
    height, width = example.grey.shape
    alike = abs(width / height - choice.width / choice.height) < 0.01
    return " It has the shape of a face already, so all three look alike." if alike else ""


def gone_words(gone: Sequence[FacePhoto]) -> str:
    """Return in words which photographs are no longer where they were."""
    if not gone:
        return ""
    names = ", ".join(f"“{photo.path.name}”" for photo in gone[:3])
    more = f" and {len(gone) - 3} more" if len(gone) > 3 else ""
    subject = "A photograph is" if len(gone) == 1 else f"{len(gone)} photographs are"
    return (
        f"{subject} no longer there: {names}{more}. The gallery goes on without the files, but the "
        "faces cannot be cut anew until they are back, or removed on People."
    )
