"""The steps of a recipe on one face: pictures with formulas, and arrows between them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget

from eigenfaces.faces.lighting import LIGHTING, WINDOW, even_light, through_window
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Floats
from gui.style import theme
from gui.style.images import grey_image, signed_image
from gui.widgets.boxes import STRETCH, in_column
from gui.widgets.cards import Shrinkable
from gui.widgets.flow import Columns
from gui.widgets.painted import ColourBar, FaceView
from gui.widgets.words import label

_WIDTH = 112  # px: least width of a step, before the text scale
_PICTURE = QSize(84, 102)
_ARROW = 22


class RecipeSteps(Shrinkable):
    """Shows a face after each step of a recipe, from the crop to the input of the face space."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What the recipe does to the face, step by step")
        self.crop = _Step(FaceView("", _PICTURE), first=True)
        self.lighting, self.windowed = (_Step(FaceView("", _PICTURE)) for _ in range(2))
        self.difference = _Step(FaceView("", _PICTURE, framed=True))
        self.scale, steps = ColourBar("signed"), QWidget()
        each = (self.crop, self.lighting, self.windowed, self.difference)
        Columns((4, 2, 1), _WIDTH, steps, spacing=6).add(*each)
        right = Qt.AlignmentFlag.AlignRight
        in_column((steps, 1), (self.scale, 0, right), inside=self, spacing=8)
        self.show_face(None, Recipe())

    def show_face(self, crop: Floats | None, recipe: Recipe, mean: Floats | None = None) -> None:
        """Show the steps of a recipe on a crop (h, w).

        ``mean``: the mean face, (h, w) or (d,), of a face space trained by this recipe, if any.
        """
        pixels = recipe.pixels
        lighting, window = pixels.lighting, pixels.window
        self.lighting.set_words(LIGHTING.title(lighting), LIGHTING.formula(lighting))
        self.windowed.set_words(f"{WINDOW.title(window)} window", WINDOW.formula(window))
        apart = ", then / deviation of each pixel" if pixels.scaling == "correlation" else ""
        self.difference.set_words("Minus the mean", f"x − mean face{apart}")
        fits = mean is not None and (crop is None or mean.size == crop.size)
        self.lighting.setVisible(lighting != "none")
        self.windowed.setVisible(window != "none")
        self.difference.setVisible(fits)
        self.scale.setVisible(fits and crop is not None)
        if crop is None:
            self.crop.set_words("Aligned crop", "no face yet")
            for step in (self.crop, self.lighting, self.windowed, self.difference):
                step.view.set_image(None)
        else:
            self.crop.set_words("Aligned crop", f"{crop.shape[1]} × {crop.shape[0]} pixels")
            lit = even_light(crop[None], lighting)
            seen = through_window(lit, window)[0]
            self.crop.view.set_image(grey_image(crop))
            self.lighting.view.set_image(grey_image(lit[0]))
            self.windowed.view.set_image(grey_image(seen))
            if mean is not None and fits:
                difference = seen - mean.reshape(crop.shape)
                limit = max(float(np.abs(difference).max()), 1 / 255)
                ends = f"−{255 * limit:.0f} darker", f"+{255 * limit:.0f} brighter, of 255"
                self.scale.set_scale("signed", *ends)
                self.difference.view.set_image(signed_image(difference, limit))
        self._update_height()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the text may have become larger
            self._update_height()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()

    def _update_height(self) -> None:
        """Set the height that wrapped words need at this width: Qt's minimum ignores it."""
        layout = self.layout()
        if layout is not None:
            self.setMinimumHeight(layout.totalMinimumHeightForWidth(self.width()))


class _Step(QWidget):
    """One step: its picture with the arrow to it, its title and its formula."""

    def __init__(self, view: FaceView, *, first: bool = False) -> None:
        super().__init__()
        self.view, self._arrow = view, 0 if first else _ARROW
        self.title, self.formula = label("", "strong", wrap=True), label("", "caption", wrap=True)
        for words in (self.title, self.formula):
            words.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        parts = ((view, 0, Qt.AlignmentFlag.AlignHCenter), self.title, self.formula, STRETCH)
        in_column(*parts, inside=self, spacing=2, margins=(self._arrow, 0, 0, 0))

    def set_words(self, title: str, formula: str) -> None:
        self.title.setText(title)
        self.formula.setText(formula)
        self.view.setAccessibleName(f"{title}: {formula}")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an arrow from the step before."""
        super().paintEvent(event)
        tip = QPointF(self._arrow - 3, self.view.geometry().center().y())
        pen = QPen(QColor(theme.tokens().tertiary), 1.8)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(pen)
            if self._arrow:
                painter.drawLine(QPointF(3, tip.y()), tip)
                painter.drawPolyline(QPolygonF([tip - QPointF(6, 5), tip, tip - QPointF(6, -5)]))
