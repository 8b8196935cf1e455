"""A drawing: its panels in rows, and what the colours mean below them."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from eigenfaces.lessons.drawing import (
    BarsPanel,
    CurvesPanel,
    Drawing,
    MatrixPanel,
    Panel,
    PicturesPanel,
    SharesPanel,
    TablePanel,
)
from gui.pages.lessons.panels import CENTRED, KINDS
from gui.pages.lessons.panels.coloured import has_shared_colours
from gui.pages.lessons.panels.points import PlaneChart
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.painted import ColourBar
from gui.widgets.words import Elide, ElidedLabel, label

_ACROSS = 2.6
"""The width of a drawing; the height of a plot is 1."""

_PICTURE, _TITLE, _LINE, _SHARES_BAR, _SQUARE = 0.8, 0.1, 0.17, 0.45, 1.8
"""Heights of a row of pictures, a line of words, a row of a table, a bar, and what is square."""

_SHARES = 100
"""Layouts take whole numbers as weights."""


class DrawingView(QWidget):
    """Shows a drawing; one of the same kind is shown in the same widgets."""

    turned = Signal(str, float)
    moved = Signal(int, object)
    added = Signal(object)
    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.panels: list[Any] = []
        self._captions: list[tuple[QLabel | None, QLabel | None]] = []
        self._kind: object = None
        self._body = QWidget()
        self._key = ElidedLabel("", "caption", Elide.ElideRight)
        self._colours = ColourBar("signed", "−", "+")
        below = in_row(STRETCH, self._colours, self._key, STRETCH, spacing=10)
        self._column = in_column((self._body, 1), below, inside=self, spacing=6)

    def show_drawing(self, drawing: Drawing) -> None:
        """Show a drawing."""
        kind = _kind_of(drawing)
        if kind != self._kind:
            self._kind = kind
            self._build(drawing)
        every = [panel for row in drawing.rows for panel in row]
        for panel, made, (title, caption) in zip(every, self.panels, self._captions, strict=True):
            made.show_panel(panel)
            if title is not None and title.text() != panel.title:
                title.setText(panel.title)
            if caption is not None and caption.text() != panel.caption:
                caption.setText(panel.caption)
        self._key.set_full_text(drawing.key)
        self._key.setVisible(bool(drawing.key))
        self._colours.setVisible(any(map(has_shared_colours, every)))

    def clear(self) -> None:
        """Show nothing."""
        if self._kind is not None:
            self._kind = None
            self._build(Drawing(heading="", rows=()))
            self._key.hide()
            self._colours.hide()

    def _build(self, drawing: Drawing) -> None:
        self.panels, self._captions = [], []
        old, self._body = self._body, QWidget()
        weights = drawing.weights or (1.0,) * len(drawing.rows)
        both = zip(drawing.rows, weights, strict=True)
        rows = ((self._row(row), round(_SHARES * weight)) for row, weight in both)
        in_column(*rows, inside=self._body, spacing=10)
        self._column.replaceWidget(old, self._body)
        old.hide()
        old.deleteLater()

    def _row(self, panels: tuple[Panel, ...]) -> QGridLayout:
        """Return panels side by side: titles, captions and pictures each at one height."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        for at, panel in enumerate(panels):
            made = KINDS[type(panel)]()
            side = Qt.AlignmentFlag.AlignHCenter if type(panel) in CENTRED else None
            title = self._words(panel.title, "strong", side)
            caption = self._words(panel.caption, "caption", side)
            for line, words in enumerate((title, caption)):
                if words is not None:
                    grid.addWidget(words, line, at)
            grid.addWidget(made, 2, at)
            grid.setColumnStretch(at, round(_SHARES * panel.weight))
            if isinstance(made, PlaneChart):
                made.turned.connect(self.turned)
                made.moved.connect(self.moved)
                made.added.connect(self.added)
                made.removed.connect(self.removed)
            self.panels.append(made)
            self._captions.append((title, caption))
        grid.setRowStretch(2, 1)
        return grid

    def _words(self, text: str, role: str, side: Qt.AlignmentFlag | None) -> QLabel | None:
        if not text:
            return None
        made = label(text, role, wrap=True)
        made.setMinimumWidth(1)
        made.setAlignment(Qt.AlignmentFlag.AlignTop | (side or Qt.AlignmentFlag.AlignLeft))
        return made


def wanted_height(drawing: Drawing) -> float:
    """Return how tall a drawing should be: a plot counts 1."""
    weights = drawing.weights or (1.0,) * len(drawing.rows)
    heights = [max((_height(panel, row) for panel in row), default=0.0) for row in drawing.rows]
    tall = [each for each, weight in zip(heights, weights, strict=True) if weight >= max(weights)]
    return max(sum(heights), sum(weights) / max(weights) * max(tall, default=0.0) * 0.8)


def _height(panel: Panel, row: tuple[Panel, ...]) -> float:
    """Return how tall a panel of a row should be."""
    words = _TITLE * (bool(panel.title) + bool(panel.caption))
    across = _ACROSS * panel.weight / sum(each.weight for each in row)
    if isinstance(panel, PicturesPanel):
        rows = math.ceil(len(panel.pictures) / max(1, panel.across))
        high, wide = panel.pictures.shape[1:3]
        picture = min(_PICTURE, across / max(1, panel.across) * high / max(1, wide))
        return words + rows * (picture + (_TITLE if panel.words else 0.0))
    if isinstance(panel, TablePanel):
        return words + _LINE * (len(panel.rows) + 1)
    if isinstance(panel, SharesPanel):
        return words + _SHARES_BAR
    if isinstance(panel, CurvesPanel | BarsPanel):
        return words + 1.25
    if isinstance(panel, MatrixPanel):
        return words + min(1.0, across)
    return words + max(1.1, min(_SQUARE, across))


def _kind_of(drawing: Drawing) -> object:
    """Return what two drawings have in common that are shown in the same widgets."""
    rows = tuple(
        tuple((type(each), bool(each.title), bool(each.caption), each.weight) for each in row)
        for row in drawing.rows
    )
    return rows, drawing.weights
