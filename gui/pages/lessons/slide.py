"""A number of a lesson, moved by a slider, typed, or run through."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QWidget

from eigenfaces.lessons.lesson import Slide
from gui.style import theme
from gui.widgets.controls import PlayButton, Slider
from gui.widgets.field_editors import name_spin_box
from gui.widgets.words import label

_FRAME = 40
"""Milliseconds between two steps of what plays."""


class Scale:
    """The places of a slider, from 0, and the numbers that they stand for.

    Of powers of ten, the first place may be the number 0.
    """

    def __init__(self, field: Slide) -> None:
        self.field = field
        reach = field.most - field.least
        if field.powers:
            reach = math.log10(field.most / field.least)
        self.most = round(reach / field.step)

    def number(self, place: int) -> float:
        """Return the number at a place."""
        field = self.field
        if not field.powers:
            return min(round(field.least + place * field.step, 10), field.most)
        if place == 0 and field.ends_at_zero:
            return 0.0
        power = math.log10(field.most) - (self.most - place) * field.step
        return float(f"{10**power:.3g}")

    def place(self, number: float) -> int:
        """Return the place of a number."""
        field = self.field
        if not field.powers:
            return round((number - field.least) / field.step)
        if number <= 0:
            return 0
        steps = round(math.log10(field.most / number) / field.step)
        return min(max(self.most - steps, int(field.ends_at_zero)), self.most)


class _Box(QDoubleSpinBox):
    """A box for the number of a slider; steps are those of the slider."""

    def __init__(self, scale: Scale) -> None:
        super().__init__()
        self._scale, field = scale, scale.field
        self.setDecimals(12 if field.powers else _decimals(field.step))
        self.setRange(0 if field.ends_at_zero else field.least, field.most)
        self.setSingleStep(field.step)
        self.setSuffix(field.unit)
        name_spin_box(self, f"{field.label}, as a number")
        widest = max((self.textFromValue(each) for each in _examples(scale)), key=len)
        room = self.fontMetrics().horizontalAdvance(f"{widest}{field.unit}") + 46
        self.setMinimumWidth(max(theme.pixels(74), room))

    def textFromValue(self, value: float) -> str:
        if not self._scale.field.powers:
            return super().textFromValue(value)
        return f"{value:.3g}"

    def valueFromText(self, text: str) -> float:
        if not self._scale.field.powers:
            return super().valueFromText(text)
        try:
            return float(text.removesuffix(self._scale.field.unit).replace(",", "."))
        except ValueError:
            return self.value()

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        if not self._scale.field.powers:
            return super().validate(text, at)
        return QValidator.State.Acceptable, text, at

    def stepBy(self, steps: int) -> None:
        if self._scale.field.powers:
            place = self._scale.place(self.value()) + steps
            self.setValue(self._scale.number(min(max(place, 0), self._scale.most)))
        else:
            super().stepBy(steps)


class SlideEditor(QWidget):
    """Slider, box and, where it plays, a button, always with the same number.

    ``edited``: a person changed the number. `add_to` puts its parts into a row of a grid.
    """

    edited = Signal()

    def __init__(self, field: Slide) -> None:
        super().__init__()
        self.field = field
        self._scale = Scale(field)
        self._value = field.least
        self.slider = Slider(field.label, 0, self._scale.most)
        self.slider.setToolTip(field.about)
        self.slider.valueChanged.connect(self._slid)
        self.box = _Box(self._scale)
        self.box.valueChanged.connect(self._typed)
        self.play: PlayButton | None = None
        self._caption = label(field.label, "secondary")
        self._caption.setToolTip(field.about)
        if field.plays:
            step, name = max(1, self._scale.most // 180), f"Play: {field.label} (Space)"
            self.play = PlayButton(
                self.slider, lambda place: place + step, milliseconds=_FRAME, name=name
            )
        self.hide()  # its parts are what is shown

    def add_to(self, grid: QGridLayout, row: int) -> None:
        """Put caption, slider, box and button into a row."""
        grid.addWidget(self._caption, row, 0)
        grid.addWidget(self.slider, row, 1)
        grid.addWidget(self.box, row, 2)
        if self.play is not None:
            grid.addWidget(self.play, row, 3)

    def value(self) -> float:
        """Return the number."""
        return self._value

    def show_value(self, value: float) -> None:
        """Show a number, without a signal."""
        self._value = value
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.slider.setValue(self._scale.place(value))
            self.box.setValue(value)

    def _slid(self, place: int) -> None:
        self.show_value(self._scale.number(place))
        self.edited.emit()

    def _typed(self, value: float) -> None:
        self.show_value(value)
        self.edited.emit()


def _examples(scale: Scale) -> list[float]:
    return [scale.number(place) for place in {0, 1, scale.most // 2, scale.most - 1, scale.most}]


def _decimals(step: float) -> int:
    return next((digits for digits in range(7) if math.isclose(round(step, digits), step)), 6)
