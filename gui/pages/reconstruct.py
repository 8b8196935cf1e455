"""The Reconstruct page: a face rebuilt from its first k components, and the residual."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from eigenfaces.faces.identity import FacePhoto
from eigenfaces.manual.keys import with_key
from eigenfaces.project.exports import save_grey
from eigenfaces.recognition.explanation import GREY_LEVELS, Reconstruction
from eigenfaces.space.arrays import Floats
from eigenfaces.space.face_space import FaceSpace
from ..plots.axes import Axis
from ..plots.canvas import install_context_menu
from ..plots.marks import curve_over_k
from ..plots.plot import PlotView
from ..state import actions
from ..state.session import Session
from ..style import theme
from ..style.images import grey_image, signed_image
from ..widgets.bars import ColourBar
from ..widgets.box_layouts import STRETCH, add_parts, in_column, in_row
from ..widgets.cards import Card, PageHeader, Shrinkable
from ..widgets.controls import Button, PlayButton, Slider, open_below
from ..widgets.face_list import FaceItem, FaceRow
from ..widgets.face_menu import install_face_menu
from ..widgets.face_view import FacesInRow, FaceView
from ..widgets.fields import FaceChooser
from ..widgets.hall import Hall, HallSlider
from ..widgets.labels import Chip, ElidedLabel, label
from ..widgets.page import NOTHING_YET, Page
from ..widgets.saving import add_exports, copy_by_key

RESIDUAL_LIMIT = 64
"""The residual that is drawn in full colour, in grey levels out of 255, for any face and any k."""

_FIRST_K = 40
_MILESTONES = "Milestones: the reconstruction at a few values of k"
_LESSON = "The error of training faces reaches 0 at the largest k; that of others does not."
_FORMULAS = {
    "relative error": "‖x − x̂‖ / ‖x − mean‖ = √(1 − energy kept), for a face x rebuilt as x̂",
    "RMSE (of 255)": "√(mean of (x − x̂)² over all pixels), of 255",
    "energy kept": "Σ of the first k squared scores / ‖x − mean‖²",
}
_FRAME = 70  # ms between two steps of the animation
_GROWTH = 1.06  # factor of k per step, because early components change a face more


def _residual_scale() -> ColourBar:
    limit = f"{RESIDUAL_LIMIT} of 255"
    return ColourBar("signed", f"{limit} darker", f"{limit} brighter than reconstructed")


class Triptych(FacesInRow):
    """Row of three pictures: the original, the reconstruction and the residual."""

    def __init__(self) -> None:
        residual = FaceView("Residual", grows=True, framed=True)
        original, rebuilt = (FaceView(n, grows=True) for n in ("Original", "Reconstruction"))
        super().__init__(original, rebuilt, residual)

    def show_face(self, face: Reconstruction) -> None:
        """Show the original face, which does not depend on k."""
        self.views[0].set_caption(face.seen_as)
        self.views[0].set_image(grey_image(face.original))
        self.arrange()

    def show_rebuilt(self, face: Reconstruction, rebuilt: Floats) -> None:
        """Show the reconstruction of a face, and the residual."""
        missing = signed_image(face.original - rebuilt, RESIDUAL_LIMIT / GREY_LEVELS)
        self.views[1].set_image(grey_image(rebuilt))
        self.views[2].set_image(missing)


class ReconstructHall(Hall):
    """Full-screen view of the three pictures of a face, with a slider for k."""

    def __init__(self, most: int) -> None:
        self.pictures, figure = Triptych(), QWidget()
        parts = ((self.pictures, 1), (_residual_scale(), 0, Qt.AlignmentFlag.AlignHCenter))
        in_column(*parts, inside=figure, spacing=4)
        super().__init__(figure)
        self.k = HallSlider("Components k", most, str)
        self.set_slider(self.k)
        self._face: Reconstruction | None = None

    def show_k(self, face: Reconstruction, k: int) -> None:
        """Show a face rebuilt from its first k components."""
        if face is not self._face:
            self._face = face
            self.show_title(face.name, "Reconstruct")
            self.pictures.show_face(face)
        self.pictures.show_rebuilt(face, face.rebuilt(k))
        self.k.show_place(k)
        kept, error = (f"{100 * share[k]:.1f} %" for share in (face.energy, face.errors))
        self.show_words(f"It keeps {kept} of the energy; the error is {error}.")


class ReconstructPage(Page):
    """Page with the original, the reconstruction and the residual, and a slider for k."""

    key = "reconstruct"
    title = "Reconstruct"
    icon = "reconstruct"
    needs_training = needs_pictures = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.reconstruction: Reconstruction | None = None
        self._hall: ReconstructHall | None = None
        self._source: tuple[FaceSpace, FacePhoto, bool] | None = None
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self.chart = PlotView(Axis(), Axis())
        self.chart.setMinimumHeight(108)
        install_context_menu(self.chart, session, "error")
        self.pictures = Triptych()
        install_face_menu(self.pictures, session, lambda _place: session.photo)
        self.milestones = FaceRow(_MILESTONES, theme.pixels(117), subcaption=True)
        self.slider = Slider("Number of components k")
        following = lambda k: max(k + 1, round(k * _GROWTH))  # noqa: E731
        self.play = PlayButton(self.slider, following, milliseconds=_FRAME, text="Play")
        self.play.setMinimumWidth(theme.pixels(88))
        self.play.setToolTip(with_key("play k"))
        self.slider.valueChanged.connect(lambda _: self._step.start())  # with no interval
        self.chart.line_moved.connect(self.slider.setValue)
        self.milestones.chosen.connect(lambda key: self.slider.setValue(int(key)))
        self.figures = {name: label("", "figure") for name in _FORMULAS}
        self._at = label("", "heading")
        self._name, self.badge, self._scale = (
            ElidedLabel("", "heading"),
            Chip(""),
            _residual_scale(),
        )
        self._chooser = FaceChooser(self)
        self._chooser.face_chosen.connect(session.select)
        self._choose = Button("Choose face…", "image")
        self._choose.clicked.connect(self._open_chooser)
        self._export = Button("Export…", "export")
        self._export.clicked.connect(self.export)
        copy_by_key("copy rebuilt", self, session, lambda: self.pictures.views[1].image)
        self.content.set_home(self.slider)  # its keys change k
        self.content.bind_unused("play k", self.play.toggle)
        self._lay_out()

    def _lay_out(self) -> None:
        about = "Rebuild a face from its first k components"
        header = PageHeader(self.title, about, self._choose, self._export)
        lesson, figures = ElidedLabel(_LESSON, "caption", Qt.TextElideMode.ElideRight), Shrinkable()
        tiles = []
        for (name, figure), formula in zip(self.figures.items(), _FORMULAS.values(), strict=True):
            caption = label(name, "caption", wrap=True)
            caption.setToolTip(formula)
            tiles.append(in_column(figure, caption, spacing=2))
        in_column(STRETCH, self._at, *tiles, STRETCH, inside=figures, spacing=4)
        card, below = Card(), Card("Error at a few values of k", "click to jump")
        curve = Card("Error decreases with k", "drag the line")
        add_parts(
            card.body,
            in_row(self._name, self.badge, (lesson, 1), spacing=10),
            (in_row((self.pictures, 6), (figures, 1), spacing=18), 1),
            (self._scale, 0, Qt.AlignmentFlag.AlignHCenter),
            in_row(label("Components"), (self.slider, 1), self.play, spacing=12),
        )
        add_parts(below.body, STRETCH, self.milestones, STRETCH)
        curve.body.addWidget(self.chart)
        row = in_row((below, 2), (curve, 1), spacing=12)
        in_column(header, (card, 5), (row, 2), inside=self.content, spacing=12)

    # Called by the window

    def accept_paths(self, paths: list[Path]) -> bool:
        return actions.add_dropped_probes(self.session, paths)

    def export(self) -> None:
        face, k = self.reconstruction, self.slider.value()
        if face is None:
            self.session.show_message(NOTHING_YET)
            return
        stem = " ".join(re.sub(r"[^\w ]+", " ", face.name.rsplit(".", 1)[0]).split()) or "face"
        picture, menu = partial(save_grey, image=face.rebuilt(k)), QMenu("Export", self)
        name = f"{stem} k = {k}.png"
        add_exports(menu, self.session, self, [("Reconstruction as a picture…", name, picture)])
        open_below(self._export, menu)

    def open_hall(self) -> ReconstructHall | None:
        if self.reconstruction is None:
            return None
        hall = self._hall = ReconstructHall(self.slider.maximum())
        hall.k.moved.connect(self.slider.setValue)
        self._draw()
        return hall

    def close_hall(self) -> None:
        self._hall = None

    # Display

    def _clear(self) -> None:
        self.reconstruction = self._source = None
        self.play.stop()
        self._step.stop()

    def _refresh(self) -> None:
        """Rebuild the selected face, or the first face of the gallery if none is selected."""
        gallery, chosen = self.session.gallery, self.session.photo
        face = self.session.face(chosen) if chosen else None
        if face is None and len(gallery.faces):
            face = gallery.faces.index.photos[0], gallery.faces.image(0)
        if face is not None:
            photo, image = face
            source = gallery.trained.space, photo, photo.id in gallery.trained.faces
            if self._source != source:
                self._source = source
                self._show_reconstruction(Reconstruction.of(gallery, photo, image))

    def _show_reconstruction(self, face: Reconstruction) -> None:
        """Show everything that depends on the face but not on k, and then draw the rest."""
        before, self.reconstruction = self.reconstruction, face
        k = _FIRST_K if before is None else self.slider.value()
        self._name.set_full_text(face.name)
        self.badge.setText("In the training set" if face.in_training else "Not in the training set")
        self.badge.set_tone("accent" if face.in_training else "neutral")
        self.pictures.show_face(face)
        faces = [
            FaceItem(str(k), face.rebuilt(k), str(k), f"{100 * face.errors[k]:.0f} %")
            for k in face.milestones
        ]
        self.milestones.set_shape(face.training.space.shape)
        self.milestones.show_faces(faces)
        self.chart.show_marks(*curve_over_k("relative error", face.errors))
        if before is None or before.training.space is not face.training.space:
            with QSignalBlocker(self.slider):  # the user has not moved it
                self.slider.setRange(0, face.most)
                self.slider.setValue(k)
        self._draw()

    def _draw(self) -> None:
        """Draw everything that depends on k. Several quick changes are drawn only once."""
        face, k = self.reconstruction, self.slider.value()
        self._step.stop()
        if face is None:
            return
        rebuilt, error = face.rebuilt(k), f"{100 * face.errors[k]:.1f} %"
        self.pictures.show_rebuilt(face, rebuilt)
        if self._hall is not None:
            self._hall.show_k(face, k)
        values = (error, f"{face.rmse(rebuilt):.1f}", f"{100 * face.energy[k]:.1f} %")
        for figure, value in zip(self.figures.values(), values, strict=True):
            figure.setText(value)
        self._at.setText(f"At k = {k}")
        self.chart.move_line(k, f"k = {k} · {error}")
        milestone = [str(k)] if k in face.milestones else []
        if self.milestones.selected_keys() != milestone:
            self.milestones.select(*milestone)

    def _open_chooser(self) -> None:
        face, session = self.reconstruction, self.session
        chosen = face.photo.id if face is not None else None
        self._chooser.open_below(self._choose, session.gallery.faces, session.probes, chosen)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.slider.setFocus(Qt.FocusReason.OtherFocusReason)
