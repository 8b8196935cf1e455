"""The photograph selected on the People page: its facts and its actions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.quality import Concern, placement_facts, sharpness, sharpness_words
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import nearest_other
from eigenfaces.text import number
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import page_scroll
from gui.widgets.controls import Button, LinkButton
from gui.widgets.painted import FaceView
from gui.widgets.words import Chip, ElidedLabel, Facts, label

_FACE = QSize(112, 136)
_PAUSE = 150  # ms on one photograph before the nearest faces are measured


class PhotoInspector(QWidget):
    """The selected photograph beside its image in face space, its facts and its actions."""

    reconstruct_wanted = Signal()
    folder_wanted = Signal()
    move_wanted = Signal()
    exclude_wanted = Signal()
    photograph_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Selected photo")
        self.title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self.original = FaceView("Original", _FACE)
        self.rebuilt = FaceView("In face space", _FACE)
        self.chips = [Chip(""), Chip("")]
        self.remark = label("", "secondary", wrap=True)
        self.right = Button("It is right", "check")
        self.right.setToolTip("Do not ask about it again")
        self.facts = Facts()
        self.distances_title = label("DISTANCES", "section")
        self.distances = Facts()
        self.reconstruct = LinkButton("Reconstruct")
        self.folder = LinkButton("Open folder")
        self.photograph = Button("Photograph…", "image")
        self.photograph.setToolTip("See the whole photograph, and mend its face (Ctrl+P)")
        self.reconstruct.setProperty("flush", True)
        self.move_button = Button("Move to person…", "move")
        self.exclude = Button("Exclude from training")
        self.nothing = label("Select a photo to see what is known of it.", "secondary", wrap=True)
        self._shown: tuple[Gallery, int] | None = None
        self._neighbour = ""
        self._distances = ("", "")
        self._later = QTimer(self, singleShot=True, interval=_PAUSE)
        self._later.timeout.connect(self._measure)
        for button, wanted in (
            (self.reconstruct, self.reconstruct_wanted),
            (self.folder, self.folder_wanted),
            (self.photograph, self.photograph_wanted),
            (self.move_button, self.move_wanted),
            (self.exclude, self.exclude_wanted),
        ):
            button.clicked.connect(wanted)
        self._lay_out()

    def _lay_out(self) -> None:
        whole = QWidget()
        scroll = page_scroll(self._lay_out_facts(), "panel")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = (self.photograph, self.move_button, self.exclude)
        lines = (in_row(button, margins=(14, 0, 14, 0)) for button in buttons)
        in_column((scroll, 1), *lines, inside=whole, spacing=8, margins=(0, 0, 0, 14))
        empty = QWidget()
        in_column(self.nothing, STRETCH, inside=empty, margins=(14, 18, 14, 14))
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(whole)
        in_column(self._stack, inside=self)

    def _lay_out_facts(self) -> QWidget:
        facts = QWidget()
        facts.setAccessibleName("Facts about the photo")
        in_column(
            self.title,
            _line(self.original, self.rebuilt, gap=8),
            _line(*self.chips, gap=6),
            self.remark,
            _line(self.right, gap=0),
            self.facts,
            self.distances_title,
            self.distances,
            _line(self.reconstruct, self.folder, gap=2),
            STRETCH,
            inside=facts,
            spacing=10,
            margins=(14, 14, 14, 8),
        )
        return facts

    def hideEvent(self, event: QHideEvent) -> None:
        self._later.stop()
        super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._shown is not None:
            self._later.start()

    def show_nothing(self) -> None:
        """Show that no photograph is selected."""
        self._shown = None
        self._later.stop()
        self._stack.setCurrentIndex(0)

    def show_photo(
        self, gallery: Gallery, row: int, title: str, concern: Concern | None, chosen: str
    ) -> None:
        """Show one photograph, the first of those selected; ``chosen`` is their number in words."""
        self._stack.setCurrentIndex(1)
        photo = gallery.index.photos[row]
        self.title.set_full_text(title)
        self.move_button.setText(f"Move {chosen} to person…" if chosen else "Move to person…")
        again = photo.excluded
        words = f"Include {chosen} again" if again else f"Exclude {chosen} from training"
        self.exclude.setText(" ".join(words.split()))
        self._show_state(photo.excluded, concern)
        if self._shown is None or self._shown[0] is not gallery or self._shown[1] != row:
            self._shown = (gallery, row)
            self._neighbour, self._distances = "…", ("…", "…")
            self._show_faces(gallery, row)
            self._show_facts()
        if self._neighbour == "…" and self.isVisible():
            self._later.start()

    def _show_state(self, excluded: bool, concern: Concern | None) -> None:
        self.chips[0].setVisible(concern is not None)
        self.chips[1].setVisible(excluded)
        self.remark.setVisible(concern is not None or excluded)
        self.right.setVisible(concern is not None and concern.kind != "gone")
        self.chips[1].setText("Excluded")
        if concern is not None:
            self.chips[0].setText(concern.title)
            self.chips[0].set_tone("warn")
            self.remark.setText(concern.sentence)
        elif excluded:
            self.remark.setText("It neither trains nor is compared with other photos.")

    def _show_faces(self, gallery: Gallery, row: int) -> None:
        face = gallery.faces.image(row)
        self.original.set_image(grey_image(face))
        self.rebuilt.setVisible(gallery.training is not None)
        if gallery.training is not None:
            self.rebuilt.set_image(grey_image(in_face_space(gallery, row)))
            even = gallery.training.recipe.pixels.lighting != "none"
            k = gallery.shown_k
            note = f"k = {k}, evened out" if even else f"k = {k}"
            self.rebuilt.set_caption("In face space", note)
            self.original.set_caption("Original", "as cut")

    def _show_facts(self) -> None:
        assert self._shown is not None
        gallery, row = self._shown
        photo = gallery.index.photos[row]
        height, width = photo.size
        facts: list[tuple[str, str | Path]] = [
            ("File", photo.path.name),
            ("Folder", photo.path.parent),
            ("Size", f"{width} × {height} px"),
            *placement_facts(photo.placement),
            ("Sharpness", sharpness_words(sharpness(gallery.faces.image(row)))),
        ]
        trained = gallery.training is not None
        if trained:
            facts.append(("Nearest other", self._neighbour))
        self.facts.set_rows(facts)
        self.distances_title.setVisible(trained)
        self.distances.setVisible(trained)
        from_space, to_nearest = self._distances
        self.distances.set_rows([("From face space", from_space), ("To nearest other", to_nearest)])

    def _measure(self) -> None:
        """Compare with all people: too slow to do for each photograph passed by arrow keys."""
        if self._shown is None or self._shown[0].training is None:
            return
        gallery, row = self._shown
        space = gallery.trained.space.first(gallery.shown_k)
        features = gallery.trained.features(gallery.faces.pixels[row : row + 1])
        from_space = number(float(space.distance_from(features)[0]))
        try:
            match = nearest_other(gallery, row)
        except EigenfacesError:  # nobody is enrolled
            match = None
        self._neighbour = "nobody" if match is None else match.person
        self._distances = (from_space, "–" if match is None else number(match.distance))
        self._show_facts()


def in_face_space(gallery: Gallery, row: int) -> NDArray[np.float32]:
    """Return a face (h, w) rebuilt from its known coordinates: half the work of projecting."""
    training, k = gallery.trained, gallery.shown_k
    rebuilt = training.space.first(k).reconstruct(training.coordinates[row, :k])
    return rebuilt.reshape(gallery.faces.shape)


def _line(*widgets: QWidget, gap: int) -> QHBoxLayout:
    return in_row(*widgets, STRETCH, spacing=gap)
