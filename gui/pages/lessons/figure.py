"""The picture of a lesson: two figures in cards, or in tabs; its controls below the first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPalette, QResizeEvent
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
from eigenfaces.text import Field, OneOf, WholeNumber, YesOrNo
from gui.plots.panels import PANELS, PlaneView, ends_of_colours
from gui.style import theme
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Banner, Card, Shrinkable
from gui.widgets.controls import Button, PlayButton, Segmented, Slider
from gui.widgets.fields import DropDownEditor, SegmentEditor, name_spin_box, whole_box
from gui.widgets.flow import Flow
from gui.widgets.painted import ColourBar
from gui.widgets.words import Elide, ElidedLabel, captioned, label

_PATIENCE = 300  # ms before it is said that something is under way
_FRAME = 40  # ms between two steps of what plays
_SIDE_BY_SIDE = 4  # as many choices are shown at once; more are a list
_HEADING, _ROW = 60, 36  # px: of a card without its figure, and of a row of controls
_PANEL_NAMES: dict[type[fig.Panel], str] = {
    fig.PlanePanel: "Points",
    fig.SpacePanel: "Points",
    fig.CurvesPanel: "Curves",
    fig.BarsPanel: "Bars",
    fig.MatrixPanel: "Matrix",
    fig.PicturesPanel: "Pictures",
    fig.TablePanel: "Table",
    fig.SharesPanel: "Shares",
}
_FIXED = (fig.TablePanel, fig.SharesPanel)
_CENTRED = (fig.PicturesPanel, fig.MatrixPanel, fig.SpacePanel)


class DrawingView(QWidget):
    """Shows a drawing: its panels in rows; one of the same kind in the same widgets."""

    turned = Signal(str, float)
    moved = Signal(int, object)
    added = Signal(object)
    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.panels: list[Any] = []
        self.drawing = fig.Drawing("", ())
        self._words: list[tuple[QLabel, QLabel, ColourBar]] = []
        self._kind: object = ()
        self._body, self._rows = QWidget(), QVBoxLayout()
        self._key = ElidedLabel("", "caption", Elide.ElideRight)
        self._colours = ColourBar("signed", "−", "+")
        below = in_row(STRETCH, self._colours, self._key, STRETCH, spacing=10)
        self._column = in_column((self._body, 1), below, inside=self, spacing=6)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumWidth(240)

    def show_drawing(self, drawing: fig.Drawing, *, anew: bool = False) -> None:
        """Show a drawing; ``anew``: with all widgets made again, as for text of another size."""
        kind = tuple(tuple((type(panel), panel.weight) for panel in row) for row in drawing.rows)
        self.drawing = drawing
        if kind != self._kind or anew:
            self._kind, self.panels, self._words = kind, [], []
            old, self._body = self._body, QWidget()
            self._rows = in_column(*map(self._row, drawing.rows), inside=self._body, spacing=10)
            self._column.replaceWidget(old, self._body)
            old.hide()
            old.deleteLater()
        panels, shared = [panel for row in drawing.rows for panel in row], False
        for panel, view, (*labels, bar) in zip(panels, self.panels, self._words, strict=True):
            view.show_panel(panel)
            for part, text in zip(labels, (panel.title, panel.caption), strict=True):
                part.setVisible(bool(text))
                if part.text() != text:
                    part.setText(text)
            ends = ends_of_colours(panel)
            bar.setVisible(ends is not None)
            if ends is not None:
                bar.set_scale("signed", *ends)
            shared |= ends is None and isinstance(panel, fig.PicturesPanel) and panel.diverging
        self._key.set_full_text(drawing.key)
        self._key.setVisible(bool(drawing.key))
        self._colours.setVisible(shared)  # these have no numbers, so that one bar serves all
        self._share_height()

    def _row(self, panels: Sequence[fig.Panel]) -> QGridLayout:
        """Return panels side by side: titles, captions and pictures each at one height."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        grid.setRowStretch(2, 1)
        for at, panel in enumerate(panels):
            view: Any = PANELS[type(panel)]()
            if not isinstance(panel, _FIXED):  # only the stretch of its row counts
                view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
                view.setMinimumSize(60, 60)
            centred = isinstance(panel, _CENTRED)
            side = Qt.AlignmentFlag.AlignHCenter if centred else Qt.AlignmentFlag.AlignLeft
            title, caption = (label("", role, wrap=True) for role in ("strong", "caption"))
            bar = ColourBar("signed")
            for part in (title, caption):
                part.setMinimumWidth(1)
                part.setAlignment(Qt.AlignmentFlag.AlignTop | side)
            for line, widget in enumerate((title, caption, view)):
                grid.addWidget(widget, line, at)
            grid.addWidget(bar, 3, at, Qt.AlignmentFlag.AlignHCenter)
            grid.setColumnStretch(at, round(100 * panel.weight))
            for name in (
                ("turned", "moved", "added", "removed") if isinstance(view, PlaneView) else ()
            ):
                getattr(view, name).connect(getattr(self, name))
            self.panels.append(view)
            self._words.append((title, caption, bar))
        return grid

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """Give each row its share of the height; tables and bars of shares have their own."""
        heights = self.drawing.heights(self.width() / theme.pixels(1))
        for at, (row, height) in enumerate(zip(self.drawing.rows, heights, strict=True)):
            fixed = all(isinstance(panel, _FIXED) for panel in row) and len(heights) > 1
            self._rows.setStretch(at, 0 if fixed else round(height))


class PictureCards(Shrinkable):
    """Shows pictures of lessons, and their controls."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = DrawingView(), DrawingView()
        self.controls = ControlPanel()
        self.error = Banner(tone="bad", dismissible=False)
        self.error.hide()
        self._picture: fig.LessonPicture | None = None
        self._in_tabs = False
        self.tabs: Segmented | None = None
        self._tab_names: tuple[str, ...] = ()
        self._upper, self._lower = Card(" ", " "), Card(" ", " ")
        self._note, self._below = "", label("", "caption", wrap=True)
        self._below.hide()
        for part in (self._below, self.error, self.first, self.controls):
            self._upper.body.addWidget(part, int(part is self.first))
        self._lower.body.addWidget(self.second)
        self._lower.hide()
        self._column = in_column(self._upper, self._lower, inside=self, spacing=12)
        self.veil = label("Working…")
        self.veil.setParent(self._upper)
        self.veil.setAccessibleName("Working…")
        self.veil.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.veil.setAutoFillBackground(True)
        self.veil.hide()
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._show_veil)

    def show_picture(self, picture: fig.LessonPicture) -> None:
        """Show a picture."""
        self._picture = picture
        self._end_wait()
        self._draw()

    def show_error(self, why: str, title: str, again: Callable[[], None] | None = None) -> None:
        """Say why there is no picture, the last being gone; no fault where ``again`` helps."""
        self._end_wait()
        self._clear(title)
        action = None if again is None else ("Try again", again)
        self.error.show_text(why, "bad" if again is None else "accent", action)
        self.error.show()

    def show_busy(self, title: str, *, keeps: bool) -> None:
        """Say, after a moment, that a picture is made; ``keeps``: the last one stays, greyed."""
        self.error.hide()
        if not keeps:
            self._clear(title)
        self._patience.start()

    def make_anew(self) -> None:
        """Make all panels again, as for text of another size."""
        self._draw(anew=True)

    def set_in_tabs(self, in_tabs: bool) -> None:
        """Show both figures, or one of them in the same place."""
        if in_tabs != self._in_tabs:
            self._in_tabs = in_tabs
            self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def _place(self) -> None:
        """Give both figures the height they want; a note that would be cut has its own lines."""
        for at, view in enumerate((self.first, self.second)):
            tall = sum(view.drawing.heights(view.width() / theme.pixels(1)))
            more = 0 if at else _ROW * (len(self.controls.sliders) + 1)
            self._column.setStretch(at, round(theme.pixels(tall + _HEADING + more)))
        beside = self._upper.has_room_for(self._note)
        self._upper.set_note(self._note if beside else "")
        self._below.setText("" if beside else self._note)
        self._below.setVisible(not beside)
        self.veil.setGeometry(self._upper.rect().adjusted(2, 2, -2, -2))

    def _end_wait(self) -> None:
        self._patience.stop()
        self.veil.hide()
        self.error.hide()

    def _clear(self, title: str) -> None:
        self._picture = None
        self.first.show_drawing(fig.Drawing("", ()))
        self._upper.set_title(title)
        self._note = ""
        self._lower.hide()
        self._show_tabs(())
        self._place()

    def _show_veil(self) -> None:
        """Grey what is out of date."""
        look, colours = theme.tokens(), self.veil.palette()
        grey = QColor(look.surface)
        grey.setAlphaF(0.8)
        colours.setColor(QPalette.ColorRole.Window, grey)
        colours.setColor(QPalette.ColorRole.WindowText, QColor(look.secondary))
        self.veil.setPalette(colours)
        self.veil.setGeometry(self._upper.rect().adjusted(2, 2, -2, -2))
        self.veil.show()
        self.veil.raise_()

    def _draw(self, *, anew: bool = False) -> None:
        if self._picture is None:
            return
        upper, lower = self._picture.upper, self._picture.lower
        names = [_PANEL_NAMES[type(part.rows[0][0])] for part in self._picture.drawings]
        if len(names) > len(set(names)):
            names = [f"{name} {at}" for at, name in enumerate(names, 1)]
        self._show_tabs(tuple(names) if self._in_tabs and lower is not None else ())
        self._lower.setVisible(lower is not None and not self._in_tabs)
        if lower is not None and not self._in_tabs:
            self.second.show_drawing(lower, anew=anew)
            self._lower.set_title(lower.heading)
            self._lower.set_note(lower.note)
        drawing = lower if lower is not None and self.tabs and self.tabs.current else upper
        self.first.show_drawing(drawing, anew=anew)
        self._upper.set_title(drawing.heading)
        self._note = "; ".join(filter(None, (drawing.hint, drawing.note)))
        self._place()

    def _show_tabs(self, names: tuple[str, ...]) -> None:
        if names == self._tab_names:
            return
        self._tab_names = names
        if self.tabs is not None:
            self.tabs.hide()
            self.tabs.deleteLater()
            self.tabs = None
        if names:
            self.tabs = Segmented(names, name="Figure")
            self.tabs.changed.connect(lambda: self._draw())
            self._upper.add_to_heading(self.tabs)


class Scale:
    """The places of a slider, from 0, and the numbers that they stand for.

    Of powers of ten, the first place may be the number 0.
    """

    def __init__(self, field: Slide) -> None:
        self.field = field
        reach = math.log10(field.most / field.least) if field.powers else field.most - field.least
        self.most = round(reach / field.step)

    def number(self, place: int) -> float:
        """Return the number at a place."""
        field = self.field
        if not field.powers:
            return min(round(field.least + place * field.step, 10), field.most)
        if place == 0 and field.ends_at_zero:
            return 0.0
        return float(f"{field.most * 10 ** ((place - self.most) * field.step):.3g}")

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
        steps = (
            digits for digits in range(7) if math.isclose(round(field.step, digits), field.step)
        )
        self.setDecimals(9 if field.powers else next(steps, 6))
        self.setRange(0 if field.ends_at_zero else field.least, field.most)
        self.setSuffix(field.unit)
        name_spin_box(self, f"{field.label}, as a number")
        places = (0, 1, scale.most // 2, scale.most - 1, scale.most)
        widest = max((self.textFromValue(scale.number(each)) for each in places), key=len)
        room = self.fontMetrics().horizontalAdvance(f"{widest}{field.unit}") + 46
        self.setMinimumWidth(max(theme.pixels(74), room))

    def textFromValue(self, value: float) -> str:
        text = super().textFromValue(value)
        return text.rstrip("0").rstrip(".,") or "0" if self._scale.field.powers else text

    def stepBy(self, steps: int) -> None:
        place = self._scale.place(self.value()) + steps
        self.setValue(self._scale.number(min(max(place, 0), self._scale.most)))


class SlideEditor:
    """Slider, box and, where it plays, a button in a row of a grid, always with one number."""

    def __init__(self, field: Slide, grid: QGridLayout, edited: Callable[[float], None]) -> None:
        self._scale, self._edited, self.value = Scale(field), edited, field.least
        self.slider = Slider(field.label, 0, self._scale.most)
        self.slider.valueChanged.connect(lambda place: self._edit(self._scale.number(place)))
        self.box = _Box(self._scale)
        self.box.valueChanged.connect(self._edit)
        self.play: PlayButton | None = None
        caption, row = label(field.label, "secondary"), grid.rowCount()
        caption.setToolTip(field.about)
        self.slider.setToolTip(field.about)
        for at, widget in enumerate((caption, self.slider, self.box)):
            grid.addWidget(widget, row, at)
        if field.plays:
            step, name = max(1, self._scale.most // 180), f"Play: {field.label} (Space)"
            self.play = PlayButton(
                self.slider, lambda place: place + step, milliseconds=_FRAME, name=name
            )
            grid.addWidget(self.play, row, 3)

    def show_value(self, value: float) -> None:
        """Show a number, without a signal."""
        self.value = value
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.slider.setValue(self._scale.place(value))
            self.box.setValue(value)

    def _edit(self, value: float) -> None:
        self.show_value(value)
        self._edited(value)


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
        self._contents: object = None  # what the controls were made for
        self._editors: dict[str, tuple[QObject, Callable[[Any], None]]] = {}
        self._parts = QWidget()
        self._column = in_column(self._parts, inside=self)
        self._again = Button("New points", "dice")
        self._again.clicked.connect(self.drawn_anew)
        self._reset = Button("", "reset", name="Reset")
        self._reset.setToolTip("Reset: settings and points as they were at first")
        self._reset.clicked.connect(self.reset)

    def show_controls(self, fields: Sequence[Field], buttons: Mapping[str, str]) -> None:
        """Make the controls of these fields, and buttons by what each does."""
        contents = [vars(field) for field in fields], buttons
        if contents == self._contents:
            return
        self._contents = contents
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self.window())
        self.sliders, self._editors = [], {}
        old, self._parts = self._parts, QWidget()
        for button in (self._again, self._reset):
            button.setParent(None)
        grid, line = QGridLayout(), QWidget()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        flow = Flow(line, spacing=10)
        for field in fields:
            if isinstance(field, Slide):
                slide = SlideEditor(field, grid, self._edits(field))
                self.sliders.append(slide)
                self._editors[field.name] = slide.slider, slide.show_value
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

    def show_settings(self, settings: Mapping[str, Any], *, is_random: bool) -> None:
        """Show the values of the settings; ``is_random``: other points can be drawn."""
        for name, (widget, show) in self._editors.items():
            with QSignalBlocker(widget):
                show(settings[name])
        self._again.setVisible(is_random)

    def toggle_play(self) -> bool:
        """Play or stop the first slider that plays; return whether there is one."""
        plays = next((slider.play for slider in self.sliders if slider.play), None)
        if plays is not None:
            plays.toggle()
        return plays is not None

    def _edits(self, field: Field) -> Callable[[object], None]:
        return lambda value: self.edited.emit(field.name, value)

    def _editor(self, field: Field) -> QWidget:
        """Make the editor of a flag, a choice or a whole number, with its label."""
        edits = self._edits(field)
        show: Callable[[Any], None]
        if isinstance(field, YesOrNo):
            editor = QCheckBox(field.label)
            editor.setAccessibleName(field.label)
            editor.setToolTip(field.about)
            editor.toggled.connect(edits)
            self._editors[field.name] = editor, editor.setChecked
            return editor
        widget: QWidget
        if isinstance(field, OneOf) and len(field.choices) > _SIDE_BY_SIDE:
            widget = drop_down = DropDownEditor(field)
            drop_down.currentIndexChanged.connect(lambda _at: edits(drop_down.value()))
            show = drop_down.show_value
        elif isinstance(field, OneOf):
            widget = segments = SegmentEditor(field)
            segments.changed.connect(lambda: edits(segments.value()))
            show = segments.show_value
        else:
            assert isinstance(field, WholeNumber)
            widget = box = whole_box(field, with_unit=bool(field.unit))
            box.valueChanged.connect(edits)
            show = box.setValue
        self._editors[field.name] = widget, show
        return captioned(field.label, widget)
