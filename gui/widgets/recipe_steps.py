"""The steps of a recipe on one face: pictures with formulas, and arrows between them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from eigenfaces.faces.lighting import LIGHTING, WINDOW, even_light, through_window
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Floats
from gui.style import theme
from gui.style.images import grey_image, signed_image
from gui.widgets.boxes import in_column
from gui.widgets.cards import Shrinkable
from gui.widgets.painted import ColourBar, FaceView, FramedView
from gui.widgets.words import label

_WIDTH = 112  # px that a step and its arrow need beside others, before the text scale
_PICTURE = 72  # px: lowest picture
_ARROW = 22
_ROWS = 3  # of the grid for a line of steps: pictures, titles, formulas


class RecipeSteps(Shrinkable):
    """Shows a face after each step of a recipe, from the crop to the input of the face space."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What the recipe does to the face, step by step")
        self.crop = _Step(FaceView(grows=True), first=True)
        self.lighting = _Step(FaceView(grows=True))
        self.windowed = _Step(FaceView(grows=True))
        self.difference = _Step(FramedView(grows=True))
        self.scale = ColourBar("signed")
        self._steps: list[_Step] = []
        self._columns = 0
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(2)
        in_column(
            (self._grid, 1), (self.scale, 0, Qt.AlignmentFlag.AlignRight), inside=self, spacing=8
        )
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
        self._arrange(
            [self.crop]
            + [self.lighting] * (lighting != "none")
            + [self.windowed] * (window != "none")
            + [self.difference] * fits
        )
        self._draw(crop, recipe, mean if fits else None)

    def _draw(self, crop: Floats | None, recipe: Recipe, mean: Floats | None) -> None:
        if crop is None:
            self.crop.set_words("Aligned crop", "no face yet")
            for step in self._steps:
                step.view.set_image(None)
            self.scale.hide()
            return
        height, width = crop.shape
        self.crop.set_words("Aligned crop", f"{width} × {height} pixels")
        lit = even_light(crop[None], recipe.pixels.lighting)
        seen = through_window(lit, recipe.pixels.window)[0]
        self.crop.view.set_image(grey_image(crop))
        self.lighting.view.set_image(grey_image(lit[0]))
        self.windowed.view.set_image(grey_image(seen))
        self.scale.setVisible(mean is not None)
        if mean is not None:
            self.difference.view.set_image(self._signed(seen - mean.reshape(crop.shape)))

    def _signed(self, difference: Floats) -> QImage:
        limit = max(float(np.abs(difference).max()), 1 / 255)
        levels = f"{round(255 * limit)}"
        self.scale.set_scale("signed", f"−{levels} darker", f"+{levels} brighter, of 255")
        return signed_image(difference, limit)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the text may have become larger
            self._arrange(self._steps)
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self._steps)

    def _arrange(self, steps: list[_Step]) -> None:
        """Put the steps side by side; where there is no room, in rows of two or one."""
        room = max(1, self.width() // theme.pixels(_WIDTH))
        columns = len(steps) if room >= len(steps) else min(room, 2)
        if (steps, columns) != (self._steps, self._columns):
            for step in self._steps:
                step.leave(self._grid)
            for number, step in enumerate(steps):
                step.enter(self._grid, *divmod(number, columns))
            for at in range(4):
                self._grid.setColumnStretch(2 * at + 1, int(at < columns))
                self._grid.setRowStretch(_ROWS * at, int(at * columns < len(steps)))
            self._steps, self._columns = steps, columns
        self._update_height()

    def _update_height(self) -> None:
        """Set the height that wrapped words need at this width: Qt's minimum ignores it."""
        layout = self.layout()
        if layout is not None and layout.hasHeightForWidth():
            self.setMinimumHeight(layout.totalMinimumHeightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        width = max(theme.pixels(_WIDTH), self.scale.minimumSizeHint().width())
        return QSize(width, super().minimumSizeHint().height())


class _Step:
    """One step: the arrow to it, its picture, its title and its formula."""

    def __init__(self, view: FaceView, *, first: bool = False) -> None:
        self.view = view
        view.setMinimumHeight(_PICTURE)
        self.title = label("", "strong", wrap=True)
        self.formula = label("", "caption", wrap=True)
        for words in (self.title, self.formula):
            words.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._arrow = None if first else _Arrow()

    def set_words(self, title: str, formula: str) -> None:
        self.title.setText(title)
        self.formula.setText(formula)
        self.view.setAccessibleName(f"{title}: {formula}")

    def enter(self, grid: QGridLayout, line: int, place: int) -> None:
        """Enter a line of steps; each has a column for its arrow and one for itself."""
        row, column = _ROWS * line, 2 * place
        if self._arrow is not None:
            grid.addWidget(self._arrow, row, column)
            self._arrow.show()
        for below, widget in enumerate((self.view, self.title, self.formula)):
            grid.addWidget(widget, row + below, column + 1)
            widget.show()

    def leave(self, grid: QGridLayout) -> None:
        for widget in (self._arrow, self.view, self.title, self.formula):
            if widget is not None:
                grid.removeWidget(widget)
                widget.hide()


class _Arrow(QWidget):
    """An arrow from one step to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(_ARROW)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(theme.tokens().tertiary), 1.8)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        tip = QPointF(_ARROW - 3, self.height() / 2)
        painter.drawLine(QPointF(3, tip.y()), tip)
        painter.drawPolyline(QPolygonF([tip - QPointF(6, 5), tip, tip - QPointF(6, -5)]))
