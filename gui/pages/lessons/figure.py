"""The picture of a lesson: one or two figures in cards, with controls below the first."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Slide
from eigenfaces.manual.keys import with_key
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, OneOf, YesOrNo
from ...style import theme
from ...widgets.bars import ColourBar
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import Banner, Card, PageScroll, Shrinkable
from ...widgets.controls import Button, PlayButton, Slider
from ...widgets.fields import DropDown, number_box
from ...widgets.flow import FlowLayout
from ...widgets.labels import Elide, ElidedLabel, captioned, label
from .panels import PANELS, RowsView
from .planes import PlaneView

_BOTH, _LEAST = 580, 285  # px that two cards with controls need, or two figures alone
_ALONE = 230  # px that a figure needs with none below it
_HEADING = 60  # px, the height of a card without its figure
_FIXED = (fig.TablePanel, fig.SharesPanel)
_CENTRED = (fig.PicturesPanel, fig.MatrixPanel)


class DrawingView(QWidget):
    """View of a drawing with its panels in rows. Drawings with the same layout share widgets."""

    direction_dragged = Signal(str, float)
    point_dragged = Signal(int, object)
    item_chosen = Signal(str, int)

    def __init__(self) -> None:
        super().__init__()
        self.panels: list[Any] = []
        self.drawing = fig.Drawing("", ())
        self._words: list[tuple[QLabel, QLabel]] = []
        self._kind: object = ()
        self._body, self._rows = QWidget(), QVBoxLayout()
        self._key = ElidedLabel("", "caption", Elide.ElideRight)
        self._colours = ColourBar("signed", "−", "+")
        below = in_row(STRETCH, self._colours, self._key, STRETCH, spacing=10)
        self._column = in_column((self._body, 1), below, inside=self, spacing=6)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumWidth(240)

    def show_drawing(self, drawing: fig.Drawing) -> None:
        """Show a drawing."""
        kind = tuple(tuple((type(panel), panel.weight) for panel in row) for row in drawing.rows)
        self.drawing = drawing
        if kind != self._kind:
            self._kind, self.panels, self._words = kind, [], []
            old, self._body = self._body, QWidget()
            self._rows = in_column(*map(self._row, drawing.rows), inside=self._body, spacing=10)
            self._column.replaceWidget(old, self._body)
            old.hide()
            old.deleteLater()
        panels = [panel for row in drawing.rows for panel in row]
        for panel, view, labels in zip(panels, self.panels, self._words, strict=True):
            view.show_panel(panel)
            for part, text in zip(labels, (panel.title, panel.caption), strict=True):
                part.setVisible(bool(text))
                if part.text() != text:
                    part.setText(text)
        self._key.set_full_text(drawing.key)
        self._key.setVisible(bool(drawing.key))
        images = (fig.PicturesPanel, fig.MatrixPanel)
        self._colours.setVisible(
            any(isinstance(panel, images) and panel.diverging for panel in panels)
        )
        self._share_height()

    def _row(self, panels: Sequence[fig.Panel]) -> QGridLayout:
        """Return a row of panels with aligned titles, captions and pictures."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        grid.setRowStretch(2, 1)
        for column, panel in enumerate(panels):
            view: Any = PANELS[type(panel)]()
            if not isinstance(panel, _FIXED):  # only the stretch of its row determines its height
                view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
                view.setMinimumSize(60, 60)
            centred = isinstance(panel, _CENTRED)
            side = Qt.AlignmentFlag.AlignHCenter if centred else Qt.AlignmentFlag.AlignLeft
            title, caption = (label("", role, wrap=True) for role in ("strong", "caption"))
            for part in (title, caption):
                part.setMinimumWidth(1)
                part.setAlignment(Qt.AlignmentFlag.AlignTop | side)
            for line, widget in enumerate((title, caption, view)):
                grid.addWidget(widget, line, column)
            grid.setColumnStretch(column, round(100 * panel.weight))
            if isinstance(view, PlaneView):
                view.direction_dragged.connect(self.direction_dragged)
                view.point_dragged.connect(self.point_dragged)
            if isinstance(view, PlaneView | RowsView):
                view.item_chosen.connect(self.item_chosen)
            self.panels.append(view)
            self._words.append((title, caption))
        return grid

    def least_height(self) -> int:
        """Return the minimum height in pixels at which no table or text is cut off."""
        self._column.invalidate()  # Qt reports new text only later
        if not self._column.hasHeightForWidth():  # Qt would answer −1
            return self._column.totalMinimumSize().height()
        return self._column.totalMinimumHeightForWidth(self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """Divide the height among the rows; tables and divided bars set their own heights."""
        heights = self.drawing.heights(self.width() / theme.pixels(1))
        for index, (row, height) in enumerate(zip(self.drawing.rows, heights, strict=True)):
            fixed = all(isinstance(panel, _FIXED) for panel in row) and len(heights) > 1
            self._rows.setStretch(index, 0 if fixed else round(height))


class PictureCards(PageScroll):
    """Cards with the picture and controls of a lesson, which scroll if the window is too small."""

    def __init__(self) -> None:
        self.first, self.second = DrawingView(), DrawingView()
        self.controls = ControlPanel()
        self.error = Banner(tone="bad", dismissible=False)
        self.error.hide()
        self._upper, self._lower = Card(" ", " "), Card(" ", " ")
        for part in (self.error, self.first, self.controls):
            self._upper.body.addWidget(part, int(part is self.first))
        self._lower.body.addWidget(self.second)
        self._lower.hide()
        whole = Shrinkable()
        whole.setAccessibleName("Lesson figures")
        self._column = in_column(self._upper, self._lower, inside=whole, spacing=12)
        super().__init__(whole)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_picture(self, picture: fig.LessonPicture) -> None:
        """Show the picture of a lesson."""
        self.error.hide()
        upper, lower = picture.upper, picture.lower
        self._lower.setVisible(lower is not None)
        if lower is not None:
            self.second.show_drawing(lower)
            self._lower.set_title(lower.heading)
            self._lower.set_note(lower.note)
        self.first.show_drawing(upper)
        self._upper.set_title(upper.heading)
        self._upper.set_note("; ".join(filter(None, (upper.hint, upper.note))))

    def clear(self, title: str, why: str = "") -> None:
        """Remove the picture, and show the reason if one is given."""
        self.first.show_drawing(fig.Drawing("", ()))
        self._upper.set_title(title)
        self._upper.set_note("")
        self._lower.hide()
        self.error.show_text(why)
        self.error.setVisible(bool(why))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self._place()  # the figures or controls have changed, or need a different size
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Divide the height between the two figures in proportion to their needs."""
        rows, across = (self.first, self.second), self._upper.width() - 2 * (theme.CARD_PADDING + 1)
        self.controls.setMinimumHeight(max(self.controls.height_for(across), 0))
        controls = self.controls.minimumHeight() / theme.pixels(1)
        tall = [sum(view.drawing.heights(self.width() / theme.pixels(1))) for view in rows]
        room = max(_BOTH - 2 * _HEADING - controls, _LEAST)
        if self._lower.isHidden():
            tall[1], room = 0.0, _ALONE
        for index, (view, height) in enumerate(zip(rows, tall, strict=True)):
            share = theme.pixels(round(room * height / (sum(tall) or 1)))
            view.setMinimumHeight(max(share, view.least_height()))
            more = 0 if index else controls
            self._column.setStretch(index, round(theme.pixels(height + _HEADING + more)))


class _Box(QDoubleSpinBox):
    """Spin box for the value of a slider."""

    def __init__(self, field: Slide, numbers: Doubles) -> None:
        super().__init__()
        self._powers = field.powers
        steps = (
            digits for digits in range(7) if math.isclose(round(field.step, digits), field.step)
        )
        self.setDecimals(9 if field.powers else next(steps, 6))
        self.setSingleStep(field.step)
        if field.powers:
            self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.setRange(numbers[0], numbers[-1])
        self.setSuffix(field.unit)
        number_box(f"{field.label}, as a number", self)
        widest = max(map(self.textFromValue, [*numbers[:2], *numbers[-2:]]), key=len)
        room = self.fontMetrics().horizontalAdvance(f"{widest}{field.unit}") + 46
        self.setMinimumWidth(max(theme.pixels(74), room))

    def textFromValue(self, value: float) -> str:
        text = super().textFromValue(value)
        return text.rstrip("0").rstrip(".,") or "0" if self._powers else text


class SlideEditor:
    """Grid row with a slider, a spin box and a play button for the same value."""

    def __init__(
        self, field: Slide, grid: QGridLayout, edited: Callable[[float], None], *, slow: bool
    ) -> None:
        """Create the row; if ``slow``, the picture is updated only when the slider stops moving."""
        self._numbers, self._edited, self._field = field.numbers(), edited, field
        self.plays = field.plays
        last = len(self._numbers) - 1
        self.slider = Slider(field.label, 0, last)
        self.slider.valueChanged.connect(lambda place: self._edit(float(self._numbers[place])))
        self.box = _Box(field, self._numbers)
        self.box.valueChanged.connect(self._edit)
        play = f"Play: {field.label}"
        words = with_key("play lesson", play) if self.plays else play
        self.play = PlayButton.through(self.slider, slow=slow, name=words)
        caption, row = label(field.label, "secondary"), grid.rowCount()
        caption.setToolTip(field.about)
        self.slider.setToolTip(field.about)
        for column, widget in enumerate((caption, self.slider, self.box, self.play)):
            grid.addWidget(widget, row, column)

    def show_value(self, value: float) -> None:
        """Show a value without emitting a signal."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.slider.setValue(int(np.abs(self._numbers - value).argmin()))
            self.box.setValue(value)

    def _edit(self, value: float) -> None:
        self.show_value(value)
        self._edited(int(value) if self._field.whole else value)


class ControlPanel(Shrinkable):
    """Controls of a lesson: a row for each slider, then check boxes and drop-downs, then buttons.

    ``edited``: this setting has a new value; ``button_pressed``: the button with this title was
    pressed; ``resample_requested``, ``reset``: the user asked for new points or for a reset.
    """

    edited = Signal(str, object)
    button_pressed = Signal(str)
    resample_requested = Signal()
    reset = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sliders: list[SlideEditor] = []
        self._contents: object = None  # the fields and buttons of the controls
        self._editors: dict[str, tuple[QWidget, Callable[[Any], None]]] = {}
        self._parts = QWidget()
        self._column = in_column(self._parts, inside=self)
        self._again = Button("New points", "dice")
        self._again.clicked.connect(self.resample_requested)
        self._reset = Button("", "reset", name="Reset")
        self._reset.setToolTip("Reset settings and points")
        self._reset.clicked.connect(self.reset)

    def show_controls(
        self, fields: Sequence[Field], buttons: Mapping[str, str], slow: Collection[str]
    ) -> None:
        """Create controls for these fields, and buttons given as {title: description}.

        ``slow`` names the fields whose new value is drawn only when the slider stops moving.
        """
        contents = [vars(field) for field in fields], buttons
        if contents == self._contents:
            return
        self._contents = contents
        focus = QApplication.focusWidget()
        before = [name for name, (widget, _) in self._editors.items() if widget is focus]
        had_focus = focus is not None and self.isAncestorOf(focus)
        self.sliders, self._editors = [], {}
        old, self._parts = self._parts, QWidget()
        for button in (self._again, self._reset):
            button.setParent(None)
        grid, line = QGridLayout(), QWidget()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        flow = FlowLayout(line, spacing=10)
        for field in fields:
            if isinstance(field, Slide):
                edits = self._edits(field)
                slide = SlideEditor(field, grid, edits, slow=field.name in slow)
                self.sliders.append(slide)
                self._editors[field.name] = slide.slider, slide.show_value
            else:
                flow.addWidget(self._editor(field))
        for title, about in buttons.items():
            button = Button(title)
            button.setToolTip(about)
            button.clicked.connect(lambda _=False, title=title: self.button_pressed.emit(title))
            flow.addWidget(button)
        flow.addWidget(self._again)
        flow.addWidget(self._reset)
        in_column(grid, line, inside=self._parts, spacing=8)
        self._column.replaceWidget(old, self._parts)
        old.hide()
        old.deleteLater()
        editors = [self._editors[name][0] for name in before if name in self._editors]
        editors += [slider.slider for slider in self.sliders]
        if had_focus and editors:  # otherwise the navigation would get the focus
            editors[0].setFocus()

    def show_settings(self, settings: Mapping[str, Any], *, is_random: bool) -> None:
        """Show the values of the settings; if ``is_random``, offer to draw new points."""
        for name, (widget, show) in self._editors.items():
            with QSignalBlocker(widget):
                show(settings[name])
        self._again.setVisible(is_random)

    def height_for(self, width: int) -> int:
        """Return the total height of the rows at a width, allowing for buttons that wrap."""
        return self._column.totalHeightForWidth(width)

    def toggle_play(self) -> bool:
        """Play or stop the designated slider, or the first; return whether any slider exists."""
        by_space = [slider for slider in self.sliders if slider.plays] or self.sliders
        for slider in by_space[:1]:
            slider.play.toggle()
        return bool(by_space)

    def _edits(self, field: Field) -> Callable[[object], None]:
        parts = self._parts

        def edit(value: object) -> None:
            if parts is self._parts:  # otherwise this control is being replaced
                self.edited.emit(field.name, value)

        return edit

    def _editor(self, field: Field) -> QWidget:
        """Create the labelled editor for a flag or a choice."""
        edits = self._edits(field)
        if isinstance(field, YesOrNo):
            editor = QCheckBox(field.label)
            editor.setAccessibleName(field.label)
            editor.setToolTip(field.about)
            editor.toggled.connect(edits)
            self._editors[field.name] = editor, editor.setChecked
            return editor
        assert isinstance(field, OneOf)
        drop_down = DropDown.of(field)
        drop_down.currentIndexChanged.connect(lambda _at: edits(drop_down.value()))
        self._editors[field.name] = drop_down, drop_down.show_value
        return captioned(field.label, drop_down)
