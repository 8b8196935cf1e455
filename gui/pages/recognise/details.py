"""The reasons for a verdict: nearest faces, the probe in face space, components."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy

from eigenfaces.errors import ProjectError
from eigenfaces.project.exports import reconstruction
from eigenfaces.recognition import explanation as words
from eigenfaces.recognition.explanation import Explanation, explain
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count, number
from gui.pages.recognise.findings import Finding
from gui.pages.recognise.looks import LOOKS
from gui.plots import BarChart
from gui.style.images import grey_image, magma_image, signed_image
from gui.style.theme import Tone
from gui.widgets.boxes import add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.comparison_bar import levels_of
from gui.widgets.face_list import FaceRow
from gui.widgets.face_model import Face, FacesOnDemand
from gui.widgets.painted import ColourBar, FaceView
from gui.widgets.words import label

_BRIGHTEST = 60  # grey levels
_FACE = QSize(70, 85)
_COMPONENT = QSize(32, 39)
_NOTE = "distance in face space · double-click opens a face"
_HEADINGS = {"ask": ": both are among them", "unknown": ": none is close enough"}
_COLOURS = {"accent": "blue", "warn": "amber"}
_GROWS, _GIVES = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored


class FittedRow(FaceRow):
    """A row of as many faces as there is room for, but at least a given number."""

    _all: Sequence[Face] = ()
    _least = 0

    def show_as_fit(self, faces: Sequence[Face], least: int) -> None:
        self._all, self._least = faces, least
        self.show_faces(faces[: self._fitting])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A page that is shown again is resized before it is read again: of a project that is closed
        # by then, what is shown stays for that moment.
        with suppress(ProjectError):
            if self._fitting != self.faces.rowCount():
                self.show_faces(self._all[: self._fitting])

    @property
    def _fitting(self) -> int:
        room = (self.width() - 2) // max(1, self.cells.cell_size().width())
        return min(len(self._all), max(3, room, self._least))


def frames(finding: Finding) -> dict[str, Tone]:
    """Return the people whom a verdict names, or asks about, with the colours of their frames."""
    decision = finding.verdict.decision
    match decision.kind:
        case "ask" if decision.runner_up is not None:
            return {decision.nearest[0]: "accent", decision.runner_up[0]: "warn"}
        case "unknown" | "no face":
            return {}
        case "not calibrated":
            return {decision.nearest[0]: "accent"}
    return {decision.nearest[0]: LOOKS[decision.kind].tone}


class NearestCard(Card):
    """The enrolled faces nearest to the probe; those of whom it may be have frames."""

    chosen = Signal(str)
    opened = Signal(str)
    people_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__("Nearest faces", _NOTE)
        self.row = FittedRow("Nearest faces", _FACE, subcaption=True)
        self.row.chosen.connect(self.chosen)
        self.row.activated_face.connect(self.opened)
        self.row.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.row.customContextMenuRequested.connect(self._show_menu)
        self.body.addWidget(self.row)

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Show the faces nearest to another probe."""
        photos, votes = gallery.index.photos, gallery.recipe.matcher.neighbours
        marks = frames(finding)
        self.set_title(f"Nearest faces{_HEADINGS.get(finding.verdict.decision.kind, '')}")
        both = [f"{_COLOURS[tone]}: {name}" for name, tone in marks.items() if len(marks) > 1]
        self.set_note(" · ".join([*both, "distance in face space"]) if both else _NOTE)
        nearest = finding.verdict.nearest(max(40, votes))

        def face(at: int) -> Face:
            row, distance = nearest[at]
            return Face(
                key=photos[row].key,
                image=gallery.faces.image(row),
                caption=photos[row].person or "",
                subcaption=number(distance),
                mark=marks.get(photos[row].person or "", ""),
            )

        faces = FacesOnDemand([photos[row].key for row, _ in nearest], face)
        self.row.show_as_fit(faces, votes)

    def _show_menu(self, at: QPoint) -> None:
        index = self.row.indexAt(at)
        if index.isValid():
            menu = self.menu(self.row.faces.face(index).key)
            menu.popup(self.row.viewport().mapToGlobal(at))

    def menu(self, key: str) -> QMenu:
        """Return the menu of one face."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Reconstruct this face", lambda: self.opened.emit(key))
        menu.addAction("Show in People", lambda: self.people_asked.emit(key))
        return menu


class SeenCard(Card):
    """The probe as it is compared, its reconstruction, and the residual."""

    def __init__(self) -> None:
        super().__init__("What the face space sees")
        self.probe = FaceView("Probe", grows=True)
        self.rebuilt = FaceView("Rebuilt", grows=True)
        self.residual = FaceView("Residual", grows=True)
        views = (self.probe, self.rebuilt, self.residual)
        for view in views:
            view.setMinimumHeight(104)
            view.setSizePolicy(_GROWS, _GIVES)
        row = in_row(*((view, 1) for view in views), spacing=8)
        self._bar = ColourBar("magma", "0", f"{_BRIGHTEST} grey levels")
        self.words = label("", "caption", wrap=True)
        add_parts(self.body, (row, 1), (self._bar, 0, Qt.AlignmentFlag.AlignHCenter), self.words)

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Show another probe."""
        training, k = gallery.trained, gallery.shown_k
        height, width = finding.probe.image.shape
        rebuilt = reconstruction(gallery, finding.probe.image, k)
        face = training.features(finding.probe.image.reshape(1, -1)).reshape(height, width)
        residual = (face - rebuilt).astype(np.float64)
        self.probe.set_image(grey_image(face))
        self.rebuilt.set_image(grey_image(rebuilt))
        plain = training.recipe.pixels.lighting == "none"
        self.probe.set_caption("Probe", f"{width} × {height} px" if plain else "evened out")
        self._bar.set_scale("magma", "0", f"{_BRIGHTEST} {levels_of(training.recipe)}")
        self.rebuilt.set_caption("Rebuilt", f"k = {k}")
        self.residual.set_image(magma_image(np.abs(residual), _BRIGHTEST / 255))
        rmse = 255 * float(np.sqrt((residual**2).mean()))
        self.residual.set_caption("Residual", f"RMSE {number(rmse)}")
        if finding.verdict.decision.kind == "no face":
            self.words.setText(f"{count(k, 'component')} cannot build it: most of it is left over.")
            return
        self.words.setText(
            f"Bright spots are what {count(k, 'component')} cannot express. A picture that is no "
            "face lights up everywhere, unless it is as plain as a wall."
        )


class ComponentsCard(Card):
    """The squared distance to the two nearest people as bars, each a few components."""

    def __init__(self, title: str = "Which components tell them apart") -> None:
        super().__init__(title, "bars")
        self.chart = BarChart("component", "squared distance")
        self.chart.setMinimumHeight(170)
        self.chart.setSizePolicy(_GROWS, _GIVES)
        self.chart.clicked.connect(self._show_bar)
        self.row = FaceRow("Components of the bar", _COMPONENT)
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        add_parts(self.body, (self.chart, 1), self.row, self.words)
        self._shown: tuple[Gallery, Explanation] | None = None
        self._bar = -1

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Show another pair of people."""
        self.show_explanation(gallery, explain(gallery, finding.probe.image, finding.verdict))

    def show_explanation(self, gallery: Gallery, found: Explanation) -> None:
        """Show what the distances to another pair of people are made of."""
        self._shown, self._bar = (gallery, found), -1
        self.row.hide()
        self.words.show()
        self.set_note("click a bar" if found.pictures else "")
        self.chart.frame.x.title = words.unit(found)
        self.chart.show_series(
            words.labels(found),
            {f"to {split.match.person}": found.bars(split) for split in found.splits},
        )
        sums = [words.bars_sentence(found, split) for split in found.splits]
        self.words.setText("\n".join(filter(None, [*sums, words.remarks(found)])))

    def _show_bar(self, bar: int) -> None:
        """Show the components of a bar as faces; asked for again, the words once more."""
        if self._shown is None or not self._shown[1].pictures:
            return
        gallery, found = self._shown
        self._bar = -1 if bar == self._bar else bar
        self.row.setVisible(self._bar >= 0)
        self.words.setVisible(self._bar < 0)
        if self._bar >= 0:
            space = gallery.trained.space
            faces = [
                Face(f"{number}", _component(space, number), f"{number + 1}")
                for number in found.groups[bar]
            ]
            self.row.show_faces(faces)


def _component(space: FaceSpace, number: int) -> Callable[[], QImage]:
    """Return what draws a component: blue is darker than the mean face, red brighter."""

    def drawn() -> QImage:
        values = space.components[number].reshape(space.shape)
        return signed_image(values, float(np.abs(values).max()))

    return drawn
