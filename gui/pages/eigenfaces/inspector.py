"""One component: its picture, its figures, and the faces at both of its ends."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from eigenfaces.recognition.gallery import Gallery, Training
from gui.pages.eigenfaces.pictures import along, component_image, to_grey
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, Gap, in_column, in_row
from gui.widgets.cards import page_scroll
from gui.widgets.face_list import FaceRow
from gui.widgets.face_model import Face
from gui.widgets.painted import FaceView
from gui.widgets.words import Facts, label

STEPS = (-3, -1, 0, 1, 3)
_ENDS = 5  # faces shown at either end of a component
_LARGE, _SMALL = QSize(108, 132), QSize(38, 46)


class ComponentInspector(QWidget):
    """The selected component, and the faces at its two ends."""

    face_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[object, ...] = ()
        self._title = label("Component 1", "heading")
        self.facts = Facts()
        self._picture = FaceView("Eigenface", _LARGE)
        self._mean = FaceView("Mean", _LARGE)
        self.strip = [FaceView(_sigma(step), _SMALL) for step in STEPS]
        self.lowest = FaceRow("Faces with the lowest scores", _SMALL)
        self.highest = FaceRow("Faces with the highest scores", _SMALL)
        for row in (self.lowest, self.highest):
            row.chosen.connect(self.face_chosen)
        self._ends = QWidget()
        self._facts = QWidget()
        self.nothing = label("Train to see the components.", "secondary", wrap=True)
        inside = QWidget()
        inside.setAccessibleName("Inspector")
        in_column(self.nothing, self._facts, STRETCH, inside=inside, margins=(14, 14, 14, 14))
        in_column(
            self._title,
            _side_by_side([self._picture, self._mean], 8),
            self.facts,
            self._ends,
            inside=self._facts,
            spacing=10,
        )
        self._lay_out_ends()
        in_column(page_scroll(inside, "panel"), inside=self)
        self.show_nothing()

    def _lay_out_ends(self) -> None:
        in_column(
            label("The mean moved by −3σ … +3σ", "caption", wrap=True),
            _side_by_side(self.strip, 6),
            *(Gap(4), label("Lowest scores", "caption"), self.lowest),
            *(Gap(4), label("Highest scores", "caption"), self.highest),
            inside=self._ends,
            spacing=6,
            margins=(0, 4, 0, 0),
        )

    def show_nothing(self) -> None:
        """Show that nothing is trained."""
        self._shown = ()
        self._facts.hide()
        self.nothing.show()

    def show_component(self, gallery: Gallery, component: int, signed: bool) -> None:
        """Show one component, counted from 0."""
        training = gallery.trained
        if (wanted := (training, component, signed)) == self._shown:
            return
        self._show(wanted)
        space = training.space
        self._title.setText(f"Component {component + 1}")
        self._picture.setVisible(True)
        self._picture.set_image(component_image(space, component, signed))
        self._mean.set_image(grey_image(to_grey(space.mean, space)))
        deviation = float(np.sqrt(space.variances[component]))
        self.facts.set_rows(
            [
                ("Variance explained", f"{100 * space.variance_ratio[component]:.3g} %"),
                ("Singular value", f"{space.singular_values[component]:.4g}"),
                ("Std. deviation of scores, σ", f"{deviation:.4g}"),
            ]
        )
        for view, step in zip(self.strip, STEPS, strict=True):
            view.set_image(grey_image(along(space, component, step)))
        scores = training.coordinates[:, component] / max(deviation, 1e-12)
        order = np.argsort(scores, kind="stable")
        count = max(1, min(_ENDS, len(order) // 2))
        self.lowest.show_faces(_faces(gallery, order[:count], scores))
        self.highest.show_faces(_faces(gallery, order[::-1][:count], scores))
        self._ends.setVisible(True)

    def show_mean(self, training: Training) -> None:
        """Show the mean face, and figures of all components together."""
        if (wanted := (training,)) == self._shown:
            return
        self._show(wanted)
        space = training.space
        self._title.setText("Mean face")
        self._picture.setVisible(False)
        self._ends.setVisible(False)
        self._mean.set_image(grey_image(to_grey(space.mean, space)))
        self.facts.set_rows(
            [
                ("Photos averaged", f"{space.count:,}"),
                ("Components", f"{len(space):,}"),
                ("Total variance", f"{space.total_variance:.4g}"),
            ]
        )

    def _show(self, wanted: tuple[object, ...]) -> None:
        self._shown = wanted
        self.nothing.hide()
        self._facts.show()

    def mark(self, photo: str | None) -> None:
        """Mark the selected face, if it is among those shown."""
        for row in (self.lowest, self.highest):
            keys = [photo] if photo and row.faces.row_of(photo) >= 0 else []
            if row.selected_keys() != keys:
                row.select(*keys)


def _faces(gallery: Gallery, rows: np.ndarray, scores: np.ndarray) -> list[Face]:
    faces = []
    for row in rows:
        photo, image = gallery.index.photos[row], gallery.faces.image(row)
        person, score = photo.person or "Nobody named", _sigma(float(scores[row]))
        faces.append(Face(photo.key, image, score, person, accessible=f"{person}, score {score}"))
    return faces


def _sigma(deviations: float) -> str:
    if deviations == 0:
        return "0"
    number = f"{abs(deviations):.0f}" if deviations == int(deviations) else f"{abs(deviations):.1f}"
    return f"{'+' if deviations > 0 else '−'}{number}σ"


def _side_by_side(widgets: list[FaceView], spacing: int) -> QHBoxLayout:
    return in_row(*widgets, STRETCH, spacing=spacing, margins=(3, 0, 0, 0))
