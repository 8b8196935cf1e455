"""The controls of a lesson, made from its fields: sliders, choices, buttons."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDoubleSpinBox,
    QGridLayout,
    QWidget,
)

from eigenfaces.lessons.lesson import Slide
from eigenfaces.text import Field, OneOf, Whole, YesOrNo
from gui.style import theme
from gui.widgets.boxes import in_column
from gui.widgets.controls import Button, PlayButton, Slider
from gui.widgets.fields import DropDownEditor, SegmentEditor, name_spin_box, whole_box
from gui.widgets.flow import Flow
from gui.widgets.words import captioned, label

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


_SIDE_BY_SIDE = 4
"""As many choices are shown at once; more are a list."""

Show = Callable[[Any], None]


class ControlPanel(QWidget):
    """A row for each slider, then what is chosen, then the buttons.

    ``edited``: the setting of this name has another value; ``suggested``: the button with this
    title was pressed; ``drawn_anew``: other points are wanted; ``reset``.
    """

    edited = Signal(str, object)
    suggested = Signal(str)
    drawn_anew = Signal()
    reset = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sliders: list[SlideEditor] = []
        self._made_for: object = None
        self._show: dict[str, Show] = {}
        self._parts = QWidget()
        self._column = in_column(self._parts, inside=self)
        self._again = Button("New points", "dice")
        self._again.clicked.connect(self.drawn_anew)
        self._reset = Button("", "reset", name="Reset")
        self._reset.setToolTip("Reset: settings and points as they were at first")
        self._reset.clicked.connect(self.reset)

    def show_controls(self, fields: Sequence[Field], buttons: Mapping[str, str]) -> None:
        """Make the controls of these fields, and buttons by what each does."""
        made_for = [vars(field) for field in fields], buttons
        if made_for == self._made_for:
            return
        self._made_for = made_for
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self.window())
        self.sliders, self._show = [], {}
        old, self._parts = self._parts, QWidget()
        for button in (self._again, self._reset):
            button.setParent(None)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        line = QWidget()
        flow = Flow(line, spacing=10)
        for field in fields:
            if isinstance(field, Slide):
                self._add_slider(field, grid)
            elif not isinstance(field, OneOf) or field.choices:  # some are known once it is ready
                flow.addWidget(self._editor(field))
        for title, about in buttons.items():
            button = Button(title)
            button.setToolTip(about)
            button.clicked.connect(lambda _=False, title=title: self.suggested.emit(title))
            flow.addWidget(button)
        flow.addWidget(self._again)
        flow.addWidget(self._reset)
        in_column(grid, line, inside=self._parts, spacing=8)
        self._column.replaceWidget(old, self._parts)
        old.hide()
        old.deleteLater()
        if had_focus and self.sliders:  # else it would go to the navigation
            self.sliders[0].slider.setFocus()

    def show_settings(self, settings: Mapping[str, Any], *, drawn: bool) -> None:
        """Show the values of the settings; ``drawn``: other points can be drawn."""
        for name, show in self._show.items():
            show(settings[name])
        self._again.setVisible(drawn)

    def toggle_play(self) -> bool:
        """Play or stop the first slider that plays; return whether there is one."""
        for slider in self.sliders:
            if slider.play is not None:
                slider.play.toggle()
                return True
        return False

    def _add_slider(self, field: Slide, grid: QGridLayout) -> None:
        editor = SlideEditor(field)
        editor.setParent(self._parts)
        editor.add_to(grid, len(self.sliders))
        editor.edited.connect(lambda: self.edited.emit(field.name, editor.value()))
        self.sliders.append(editor)
        self._show[field.name] = editor.show_value

    def _editor(self, field: Field) -> QWidget:
        if isinstance(field, YesOrNo):
            return self._check_box(field)
        if isinstance(field, OneOf):
            return self._choice(field)
        assert isinstance(field, Whole)
        box = whole_box(field, with_unit=bool(field.unit))
        box.valueChanged.connect(lambda value: self.edited.emit(field.name, value))
        self._show[field.name] = lambda value: _silently(box, lambda: box.setValue(value))
        return captioned(field.label, box)

    def _check_box(self, field: YesOrNo) -> QCheckBox:
        box = QCheckBox(field.label)
        box.setAccessibleName(field.label)
        box.setToolTip(field.about)
        box.toggled.connect(lambda on: self.edited.emit(field.name, on))
        self._show[field.name] = lambda on: _silently(box, lambda: box.setChecked(on))
        return box

    def _choice(self, field: OneOf) -> QWidget:
        made: DropDownEditor | SegmentEditor
        if len(field.choices) > _SIDE_BY_SIDE:
            made = DropDownEditor(field)
            made.currentIndexChanged.connect(lambda: self.edited.emit(field.name, made.value()))
        else:
            made = SegmentEditor(field)
            made.changed.connect(lambda: self.edited.emit(field.name, made.value()))
        self._show[field.name] = made.show_value
        return captioned(field.label, made)


def _silently(widget: QWidget, change: Callable[[], None]) -> None:
    with QSignalBlocker(widget):
        change()
