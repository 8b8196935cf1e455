"""The Reconstruct page: a face rebuilt from its first k components, and the residual."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QSpinBox, QWidget

from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.project.exports import save_grey
from eigenfaces.project.project import SUFFIX
from eigenfaces.recognition.explanation import GREY_LEVELS, Reconstruction
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import as_table
from gui.plots.axes import Axis
from gui.plots.marks import curve_over_k
from gui.plots.plot import PLOT_FILES, PlotView, save_plot
from gui.state import actions
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image, signed_image
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader, Shrinkable
from gui.widgets.controls import Button, PlayButton, Slider, open_below
from gui.widgets.face_list import CellStyle, Face, FaceRow
from gui.widgets.fields import FaceChooser
from gui.widgets.page import Page
from gui.widgets.painted import ColourBar, FaceView
from gui.widgets.saving import save_in_thread, save_now
from gui.widgets.words import Chip, ElidedLabel, label

_FIRST_K = 40
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_Home: -1_000_000,
    Qt.Key.Key_End: 1_000_000,
}
_LESSON = "Inside, the error reaches 0 at the largest k; outside it does not."
_FORMULAS = {
    "relative error": "‖x − x̂‖ / ‖x − mean‖ = √(1 − energy kept), x the face, x̂ rebuilt",
    "RMSE (of 255)": "√(mean of (x − x̂)² over all pixels), in {}, of 255",
    "energy kept": "Σ of the first k squared scores / ‖x − mean‖²",
}
_LENGTHS = {"relative error", "energy kept"}
_SCALED = ", each pixel divided by its standard deviation (correlation)"
_FRAME = 70  # ms between two steps of the animation
_GROWTH = 1.06  # early components change more than late ones: k grows by a share of itself
_GAP, _AROUND = 26, 36  # px between the pictures; px below each picture for its text
_SMALLEST = 150
_NARROWEST = 20  # px of a milestone, so that all are visible at once

RESIDUAL_LIMIT = 64
"""Grey levels of 255 that are drawn in full colour, for every face and every k."""


class Triptych(QWidget):
    """Original, reconstruction and residual side by side, as large as fits."""

    def __init__(self) -> None:
        super().__init__()
        self.views = (
            FaceView("Original", grows=True),
            FaceView("Reconstruction", grows=True),
            FaceView("Residual", grows=True, framed=True),
        )
        for view in self.views:
            view.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_SMALLEST)

    def sizeHint(self) -> QSize:
        return QSize(640, 300)

    def show_original(self, image: QImage, words: str) -> None:
        """Show another face, and its caption."""
        self.views[0].set_caption(words)
        self.views[0].set_image(image)
        self._arrange()

    def show_step(self, rebuilt: QImage, missing: QImage) -> None:
        """Show its reconstruction at another k."""
        self.views[1].set_image(rebuilt)
        self.views[2].set_image(missing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        image = self.views[0].image
        shape = image.size() if image is not None else QSize(92, 112)
        height, around = self.height(), theme.pixels(_AROUND)
        wide = round((height - around) * shape.width() / shape.height()) + 12
        width = max(40, min(wide, (self.width() - 2 * _GAP) // 3))
        left = (self.width() - 3 * width - 2 * _GAP) // 2
        for place, view in enumerate(self.views):
            view.setGeometry(QRect(left + place * (width + _GAP), 0, width, height))


class Milestones(FaceRow):
    """The face at a few k; pressing one sets k. The pictures share the width."""

    def __init__(self) -> None:
        name = "Milestones: the reconstruction at a few numbers of components"
        super().__init__(name, subcaption=True)
        self._all: list[Face] = []
        self._shape: tuple[int, ...] = (112, 92)

    def show_pictures(self, faces: list[Face], shape: tuple[int, ...]) -> None:
        """Show other milestones: faces (h, w)."""
        self._all, self._shape = faces, shape
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_width()
        super().resizeEvent(event)

    def _share_width(self) -> None:
        count = max(1, len(self._all))
        room = (self.width() - 4) // count
        width = min(theme.pixels(96), max(_NARROWEST, room - 12))
        height = round(width * self._shape[0] / self._shape[1])
        picture = QSize(width, min(height, theme.pixels(118)))
        if picture != self.cells.style.picture:
            self.cells.style = CellStyle(picture, subcaption=True)
            self.fit_cells()
        metrics = QFontMetrics(theme.font(theme.CAPTION))
        widest = max((metrics.horizontalAdvance(face.caption) for face in self._all), default=0)
        bare = widest + 8 > room  # there is room only for the numbers
        self.show_faces(
            [replace(face, caption=face.key) for face in self._all] if bare else self._all
        )


class ComponentSlider(QWidget):
    """Chooses the number of components; emits ``changed`` when it changes."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.slider = Slider("Number of components k")
        self.slider.valueChanged.connect(self._moved)
        self.spin = QSpinBox()
        self.spin.setAccessibleName("Number of components k, as a number")
        self.spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.spin.setMinimumWidth(theme.pixels(84))
        self.spin.valueChanged.connect(self.slider.setValue)
        self.play = PlayButton(self.slider, _next, milliseconds=_FRAME, text="Play")
        self.play.setMinimumWidth(theme.pixels(88))
        self.play.setToolTip("Add component after component (Space)")
        in_row(label("Components"), (self.slider, 1), self.spin, self.play, inside=self, spacing=12)

    @property
    def k(self) -> int:
        """The number of components."""
        return self.slider.value()

    def set_k(self, k: int) -> None:
        self.slider.setValue(k)

    def set_most(self, most: int) -> None:
        """Set the largest k, and reduce a larger k to it."""
        for part in (self.slider, self.spin):
            part.setRange(0, most)

    def _moved(self, k: int) -> None:
        self.spin.blockSignals(True)
        self.spin.setValue(k)
        self.spin.blockSignals(False)
        self.changed.emit()


def _next(k: int) -> int:
    return max(k + 1, round(k * _GROWTH))


class _Figures(Shrinkable):
    """The three figures, one below the other."""

    def __init__(self, tiles: dict[str, StatTile]) -> None:
        super().__init__()
        in_column(
            STRETCH, label("At this k", "heading"), *tiles.values(), STRETCH, inside=self, spacing=4
        )


class ReconstructPage(Page):
    """Original, reconstruction and residual, with a slider for k."""

    key = "reconstruct"
    title = "Reconstruct"
    icon = "reconstruct"
    needs_training = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.reconstruction: Reconstruction | None = None
        self._seen: tuple[FaceSpace, FacePhoto, bool] | None = None
        self.chart = PlotView(Axis(), Axis())
        self.chart.setMinimumHeight(108)
        self.pictures = Triptych()
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self.slider = ComponentSlider()
        self.slider.changed.connect(self._step.start)
        self.chart.moved.connect(lambda _, k: self.slider.set_k(round(k)))
        self.milestones = Milestones()
        self.milestones.chosen.connect(lambda key: self.slider.set_k(int(key)))
        self.tiles = {name: StatTile("", name) for name in _FORMULAS}
        self._name = ElidedLabel("", "heading")
        self.badge = Chip("")
        self._chooser = FaceChooser(self)
        self._chooser.face_chosen.connect(session.select)
        self._choose = Button("Choose face…", "image")
        self._choose.clicked.connect(self._open_chooser)
        self._copy = Button("Copy image", "copy")
        self._copy.setToolTip("Copy the reconstruction (Ctrl+C)")
        self._copy.clicked.connect(self.copy)
        self._export = Button("Export…", "export")
        self._export.clicked.connect(self.export)
        key = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        key.activated.connect(self.copy)
        self.content.installEventFilter(self)
        self.content.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._lay_out()

    def _lay_out(self) -> None:
        header = PageHeader(self.title, "Rebuild a face from its first k components")
        for button in (self._choose, self._copy, self._export):
            header.add_action(button)
        chart_card = Card("Error falls with k", "drag the line")
        chart_card.body.addWidget(self.chart)
        row = in_row((self._milestone_card(), 2), (chart_card, 1), spacing=12)
        in_column(header, (self._main_card(), 5), (row, 2), inside=self.content, spacing=12)

    def _main_card(self) -> Card:
        card = Card()
        heading = in_row(
            self._name,
            self.badge,
            (ElidedLabel(_LESSON, "caption", Qt.TextElideMode.ElideRight), 1),
            spacing=10,
        )
        middle = in_row((self.pictures, 6), (_Figures(self.tiles), 1), spacing=18)
        self._scale = ColourBar("signed")
        card.body.addLayout(heading)
        card.body.addLayout(middle, 1)
        card.body.addWidget(self._scale, 0, Qt.AlignmentFlag.AlignHCenter)
        card.body.addWidget(self.slider)
        return card

    def _milestone_card(self) -> Card:
        card = Card("Milestones and their error", "click to jump")
        add_parts(card.body, STRETCH, self.milestones, STRETCH)
        return card

    # What the window asks for

    def take_paths(self, paths: list[Path]) -> bool:
        """Add dropped photographs as probes; leave folders and projects to the window."""
        others = any(path.is_dir() or path.suffix == SUFFIX for path in paths)
        if others or self.session.gallery.training is None:
            return False
        actions.add_probes(self.session, paths)
        return True

    def copy(self) -> None:
        """Put the reconstruction on the clipboard."""
        image = self.pictures.views[1].image
        if self.reconstruction is not None and image is not None:
            QGuiApplication.clipboard().setImage(image)
            self.session.say(f"The reconstruction with k = {self.slider.k} is on the clipboard.")

    def export(self) -> None:
        shown, chart, k = self.reconstruction, self.chart, self.slider.k
        if shown is None:
            self.session.say("There is nothing to export before training.")
            return
        stem = " ".join(re.sub(r"[^\w ]+", " ", shown.name.rsplit(".", 1)[0]).split()) or "face"
        picture = partial(save_grey, image=shown.rebuilt(k))
        menu = QMenu("Export", self)
        for words, file, save, write in (
            ("Reconstruction as a picture…", f"k = {k}.png", save_in_thread, picture),
            ("Error curve as a table…", "error.csv", save_in_thread, partial(write_curve, shown)),
            *(
                (
                    f"Error curve {words}…",
                    f"error.{suffix}",
                    save_now,
                    partial(save_plot, chart, suffix),
                )
                for words, suffix in PLOT_FILES
            ),
        ):
            menu.addAction(words).triggered.connect(
                partial(save, self.session, self, f"{stem} {file}", write)
            )
        open_below(self._export, menu)

    # What is shown

    def _refresh(self) -> None:
        gallery, found = self.session.gallery, self._face()
        if gallery.training is None or found is None:
            return
        photo, image = found
        inside = photo.key in gallery.training.keys
        if self._seen != (gallery.training.space, photo, inside):
            self._seen = (gallery.training.space, photo, inside)
            self._show_reconstruction(Reconstruction.of(gallery, photo, image))

    def _face(self) -> tuple[FacePhoto, NDArray[np.float32]] | None:
        """Return the selected face, or else the first of the gallery."""
        key, faces = self.session.photo, self.session.gallery.faces
        found = self.session.face(key) if key else None
        if found is None and len(faces):
            found = faces.index.photos[0], faces.image(0)
        return found

    def _show_reconstruction(self, shown: Reconstruction) -> None:
        """Show another face: everything that depends on it but not on k."""
        another_space = self.reconstruction is None or self.reconstruction.space is not shown.space
        k = _FIRST_K if self.reconstruction is None else self.slider.k
        self.reconstruction = shown
        self._name.set_full_text(shown.name)
        self.badge.setText("In the training set" if shown.inside else "Not in the training set")
        self.badge.set_tone("accent" if shown.inside else "neutral")
        self.pictures.show_original(grey_image(shown.original), shown.seen_as)
        self._show_units(shown)
        self.milestones.show_pictures(
            [
                Face(str(k), shown.rebuilt(k), f"k = {k}", f"{100 * shown.errors[k]:.0f} %")
                for k in shown.milestones
            ],
            shown.space.shape,
        )
        self.chart.show_marks(*curve_over_k("relative error", shown.errors))
        if another_space:
            with QSignalBlocker(self.slider):  # the person has not moved it
                self.slider.set_most(shown.most)
                self.slider.set_k(k)
        self._draw()

    def _show_units(self, shown: Reconstruction) -> None:
        """Show whether units are of the photograph or of the face after the recipe's steps."""
        scaled, levels = shown.space.scale is not None, _levels_of(shown.recipe)
        for name, tile in self.tiles.items():
            apart = _SCALED if scaled and name in _LENGTHS else ""
            tile.setToolTip(_FORMULAS[name].format(levels) + apart)
        limit = f"{RESIDUAL_LIMIT} of 255"
        self._scale.set_scale("signed", f"face {limit} darker", f"{limit} brighter than rebuilt")
        self._scale.setToolTip(f"The residual: face − reconstruction, in {levels}, of 255.")

    def _draw(self) -> None:
        """Show what depends on k; called at most once for all the steps since the last time."""
        shown, k = self.reconstruction, self.slider.k
        self._step.stop()
        if shown is None:
            return
        rebuilt = shown.rebuilt(k)
        missing = signed_image(shown.residual(rebuilt), RESIDUAL_LIMIT / GREY_LEVELS)
        self.pictures.show_step(grey_image(rebuilt), missing)
        error = float(shown.errors[k])
        for name, value in zip(
            _FORMULAS,
            (
                f"{100 * error:.1f} %",
                f"{shown.rmse(rebuilt):.1f}",
                f"{100 * shown.energy[k]:.1f} %",
            ),
            strict=True,
        ):
            self.tiles[name].set_value(value)
        self.chart.move_rule(k, f"k = {k} · {100 * error:.1f} %")
        marked = [str(k)] if k in shown.milestones else []
        if self.milestones.selected_keys() != marked:
            self.milestones.select(*marked)

    def _open_chooser(self) -> None:
        shown = self.reconstruction
        key = shown.photo.key if shown is not None else None
        session = self.session
        self._chooser.open_below(self._choose, session.gallery.faces, session.probes, key)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.slider.slider.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Keys that the focused part does not use are passed up to the content.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _take_key(self, key: Qt.Key) -> bool:
        if key == Qt.Key.Key_Space:
            self.slider.play.toggle()
        elif key in _STEPS:
            self.slider.set_k(self.slider.k + _STEPS[key])
        else:
            return False
        return True


def write_curve(shown: Reconstruction, path: Path) -> None:
    """Write relative error and energy kept for every k as CSV."""
    measured = enumerate(zip(shown.errors, shown.energy, strict=True))
    rows = ((k, error, kept) for k, (error, kept) in measured)
    heading = ("components", "relative_error", "energy_kept")
    path.write_text(as_table(heading, rows), "utf-8", newline="")


def _levels_of(recipe: Recipe) -> str:
    """Return the unit of a difference between two faces under this recipe."""
    return "grey levels" if recipe.pixels.lighting == "none" else "levels of the evened-out face"


class StatTile(QFrame):
    """One large figure with its caption."""

    def __init__(self, value: str, caption: str) -> None:
        super().__init__()
        self._value = label(value, "figure")
        self._caption = label(caption, "caption", wrap=True)
        in_column(self._value, self._caption, STRETCH, inside=self, spacing=2)

    def set_value(self, value: str) -> None:
        self._value.setText(value)

    def set_caption(self, caption: str) -> None:
        self._caption.setText(caption)
