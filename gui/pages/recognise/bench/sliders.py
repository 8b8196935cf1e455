"""How strongly a photo is disturbed: a slider for each way, and whether its face is found anew."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QCheckBox

from eigenfaces.laboratory.breaking.disturbances import (
    DISTURBANCES,
    NEUTRAL,
    Disturbance,
    Strengths,
)
from eigenfaces.wording import capital
from gui.style import theme
from gui.style.theme import CAPTION
from gui.widgets.bipolar_slider import BipolarSlider
from gui.widgets.boxes import Gap, add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button

_EDGE = 9  # px beside the groove: room for the handle
_LOW = 12  # px from the words to the groove
_ROW = 34  # px of a slider, at least
_CANNOT = "The gallery’s pictures do not look like faces, so nothing can be aligned to them."
_WHAT = "Search the disturbed picture for the face, and cut it anew, before it is compared"
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class StrengthSlider(BipolarSlider):
    """One disturbance: its name and strength in a line, and the slider below."""

    def __init__(self, of: Disturbance) -> None:
        self.disturbance = of
        ends = of.least - of.neutral, of.most - of.neutral
        super().__init__(of.label, ends[1], least=ends[0], step=of.step)
        self.setToolTip(f"{of.about}. Double-click: {of.words(of.neutral)}.")

    @property
    def strength(self) -> float:
        """The strength that it shows."""
        return self.disturbance.neutral + self.score

    @property
    def read_out(self) -> str:
        """The strength in words."""
        return self.disturbance.words(round(self.strength, 2))

    def show_strength(self, strength: float) -> None:
        """Show a strength, without a signal."""
        away = strength - self.disturbance.neutral
        self.show_value(away, strong=away != 0)

    def possible(self, value: float) -> float:
        """Return the nearest step."""
        neutral = self.disturbance.neutral
        return self.disturbance.rounded(neutral + value) - neutral

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.pixels(150), theme.pixels(_ROW))

    def sizeHint(self) -> QSize:
        return QSize(theme.pixels(220), theme.pixels(_ROW))

    def _place_groove(self) -> QRectF:
        line = QFontMetrics(theme.font(CAPTION)).height()
        top = (self.height() - line - _LOW) / 2 + line + _LOW / 2 + 1
        return QRectF(_EDGE, top, max(20.0, self.width() - 2 * _EDGE), 4)

    def _paint_read_out(self, painter: QPainter) -> None:
        t, groove = theme.tokens(), self.groove()
        weight = QFont.Weight.Bold if self.strong else QFont.Weight.Normal
        painter.setFont(theme.font(CAPTION, weight))
        height = painter.fontMetrics().height()
        line = QRectF(1, groove.top() - _LOW / 2 - height - 1, self.width() - 2, height)
        painter.setPen(QColor(t.text))
        painter.drawText(line, _LEFT, self.disturbance.label)
        painter.setPen(QColor(t.text if self.strong else t.secondary))
        painter.drawText(line, _RIGHT, self.read_out)


class SlidersCard(Card):
    """All disturbances, whether to align, and two buttons; ``moved`` has what was moved."""

    moved = Signal(object)
    aligned = Signal()

    def __init__(self) -> None:
        super().__init__("Break it", " ")
        self.strengths, self._rng = NEUTRAL, np.random.default_rng()
        self.sliders = {name: StrengthSlider(each) for name, each in DISTURBANCES.items()}
        self.body.setSpacing(2)
        for slider in self.sliders.values():
            slider.moved.connect(lambda _, slider=slider: self._move(slider))
            self.body.addWidget(slider, 1)
        self.align = QCheckBox("Align before comparing")
        self.align.setToolTip(_WHAT)
        self.align.toggled.connect(self.aligned)
        self.reset, self.random = Button("Reset", "reset"), Button("Random", "dice")
        self.reset.setToolTip("Undo every disturbance (0)")
        self.random.setToolTip("Disturb in three ways drawn by chance (R)")
        self.reset.clicked.connect(lambda: self.show_strengths(NEUTRAL))
        self.random.clicked.connect(lambda: self.show_strengths(Strengths.random(self._rng)))
        buttons = in_row((self.reset, 1), (self.random, 1), spacing=8)
        add_parts(self.body, Gap(4), self.align, Gap(4), buttons)

    def show_strengths(self, strengths: Strengths) -> None:
        """Set all sliders, as if somebody had moved the last that acts."""
        self.strengths = strengths
        for slider in self.sliders.values():
            slider.show_strength(strengths.of(slider.disturbance))
        self.moved.emit(strengths.acting[-1] if strengths.acting else None)

    def set_strength(self, of: Disturbance, strength: float) -> None:
        """Set one slider, as if somebody had moved it."""
        self.sliders[of.name].show_strength(strength)
        self._move(self.sliders[of.name])

    def allow_aligning(self, allowed: bool, known: bool) -> None:
        """Offer to align, or say why not; until that is ``known``, neither."""
        self.align.setEnabled(allowed)
        self.align.setToolTip(capital(_WHAT) if allowed or not known else _CANNOT)
        if known and not allowed:
            self.align.setChecked(False)

    def _move(self, slider: StrengthSlider) -> None:
        slider.show_strength(slider.strength)
        self.strengths = self.strengths.but(slider.disturbance, slider.strength)
        self.moved.emit(slider.disturbance)
