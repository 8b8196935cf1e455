"""The controls of a lesson, made from the fields of its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QApplication, QCheckBox, QGridLayout, QVBoxLayout, QWidget

from eigenfaces.lessons.lesson import Slide
from eigenfaces.text import Field, OneOf, Whole, YesOrNo
from gui.pages.lessons.slide import SlideEditor
from gui.widgets.controls import Button
from gui.widgets.field_editors import ChoiceEditor, SegmentEditor, whole_box
from gui.widgets.flow import Flow
from gui.widgets.words import captioned

_SIDE_BY_SIDE = 4
"""As many choices are shown at once; more are a list."""

Show = Callable[[Any], None]
Words = tuple[str, str]
"""A title, and what it is about."""


class ControlPanel(QWidget):
    """A row for each slider, then what is chosen, then the buttons.

    ``edited``: the setting of this name has another value; ``suggested``: the suggestion of this
    number; ``drawn_anew``: other points are wanted; ``reset``.
    """

    edited = Signal(str, object)
    suggested = Signal(int)
    drawn_anew = Signal()
    reset = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sliders: list[SlideEditor] = []
        self._made_for: object = None
        self._show: dict[str, Show] = {}
        self._parts = QWidget()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._parts)
        self._again = Button("New points", "dice")
        self._again.clicked.connect(self.drawn_anew)
        self._reset = Button("", "reset", name="Reset")
        self._reset.setToolTip("Reset: settings and points as they were at first")
        self._reset.clicked.connect(self.reset)

    def show_controls(self, fields: Sequence[Field], suggestions: Sequence[Words]) -> None:
        """Make the controls of these fields, and a button for each suggestion."""
        made_for = [vars(field) for field in fields], suggestions
        if made_for == self._made_for:
            return
        self._made_for = made_for
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self.window())
        self.sliders, self._show = [], {}
        old, self._parts = self._parts, QWidget()
        for button in (self._again, self._reset):
            button.setParent(None)
        column = QVBoxLayout(self._parts)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
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
        for number, (title, about) in enumerate(suggestions):
            button = Button(title)
            button.setToolTip(about)
            button.clicked.connect(lambda _=False, number=number: self.suggested.emit(number))
            flow.addWidget(button)
        flow.addWidget(self._again)
        flow.addWidget(self._reset)
        column.addLayout(grid)
        column.addWidget(line)
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
        made: ChoiceEditor | SegmentEditor
        if len(field.choices) > _SIDE_BY_SIDE:
            made = ChoiceEditor(field)
            made.currentIndexChanged.connect(lambda: self.edited.emit(field.name, made.value()))
        else:
            made = SegmentEditor(field)
            made.changed.connect(lambda: self.edited.emit(field.name, made.value()))
        self._show[field.name] = made.show_value
        return captioned(field.label, made)


def _silently(widget: QWidget, change: Callable[[], None]) -> None:
    with QSignalBlocker(widget):
        change()
