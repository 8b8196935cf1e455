"""The hall: a full-screen view of one figure, for showing to an audience; Esc closes it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from string import Template
from typing import TypeVar

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsScene,
    QGraphicsView,
    QGridLayout,
    QLabel,
    QStackedWidget,
    QWidget,
)

from ..style import theme
from .box_layouts import STRETCH, in_column, in_row
from .commands import bind
from .controls import Button, PlayButton, Slider
from .labels import label

_SCREEN = QSize(1366, 768)  # the sizes below are for this screen, and scale with the screen
_SMALLEST, _LARGEST = 0.66, 2.5  # limits of the scale
_FIGURE = 0.75  # share of the height
_MOST = 2.6  # maximum enlargement of a figure
_LEAST = QSize(620, 400)  # px: minimum size of a figure before it is enlarged
_HANDLE = 28  # px: minimum size of the slider handle
_SIZES = {
    "quiet": 14,
    "name": 18,
    "words": 24,
    "value": 28,
    "round": 44,
    "icon": 22,
    "handle": _HANDLE,
}
Part = TypeVar("Part", bound=QWidget)
_STYLE = Template(
    """
    QPushButton { font-size: ${quiet}px; }
    QLabel[hall="name"], QComboBox { font-size: ${name}px; }
    QLabel[hall="words"] { font-size: ${words}px; }
    QLabel[hall="value"] { font-size: ${value}px; font-weight: 650; }
    QPushButton[hall="answer"] { font-size: ${words}px; padding: ${quiet}px; }
    QPushButton[hall="round"] { min-width: ${round}px; max-width: ${round}px;
      min-height: ${round}px; max-height: ${round}px; border-radius: ${radius}px; padding: 0;
      border: 0; background: $soft; }
    QPushButton[hall="round"]:hover { background: $pressed; }
    QPushButton[hall="round"]:disabled { background: transparent; }
    QSlider { min-height: ${handle}px; }
    QSlider::groove:horizontal, QSlider::sub-page:horizontal { height: 8px; border-radius: 4px; }
    QSlider::handle:horizontal { width: ${inner}px; height: ${inner}px; margin: -${above}px 0;
      border: 3px solid $accent; border-radius: ${half}px; }
    """
)


class Enlarged(QGraphicsView):
    """View that enlarges a widget, including its text, lines and draggable handles.

    Sizes inside the widget do not change, so nothing has to be restored afterwards.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.widget = widget
        self.setScene(QGraphicsScene(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(widget.accessibleName() or "Figure")
        widget.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        widget.setMinimumSize(1, 1)
        self._proxy = self.scene().addWidget(widget)
        self._room = _LEAST

    def set_room(self, room: QSize) -> None:
        """Set the minimum size of the widget before it is enlarged, in the widget's own pixels."""
        if room != self._room:
            self._room = room
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        across, up = self.width() / self._room.width(), self.height() / self._room.height()
        times = max(min(across, up, _MOST), 1.0)
        room = QRectF(0, 0, self.width() / times, self.height() / times)
        self.resetTransform()
        self.scale(times, times)
        self.setSceneRect(room)
        self._proxy.setGeometry(room)


class HallSlider(QWidget):
    """Large slider with a name, a value and a *Play* button.

    ``moved`` is emitted with the new value when the user or *Play* moves the slider.
    """

    moved = Signal(int)

    def __init__(
        self,
        name: str,
        last: int,
        words: Callable[[int], str],
        *,
        first: int = 0,
        slow: bool = False,
        caption: QWidget | None = None,
    ) -> None:
        """Create a slider; ``words`` turns a value into text, and ``caption`` replaces the name."""
        super().__init__()
        self._words = words
        self.slider = Slider(name, first, last)
        self.slider.valueChanged.connect(self._move)
        self.value = in_hall(QLabel(), "value")
        self.play = PlayButton.through(self.slider, slow=slow, name="Play (Space)")
        in_hall(self.play, "round")
        caption = caption or in_hall(label(name, "secondary"), "name")
        caption_row = in_row(STRETCH, caption)
        value_row = in_row(self.value, STRETCH)
        in_row(
            (caption_row, 3), (self.slider, 9), self.play, (value_row, 3), inside=self, spacing=16
        )

    def show_place(self, place: int) -> None:
        """Set the value of the slider without emitting a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(place)
        self.value.setText(self._words(self.slider.value()))

    def _move(self, place: int) -> None:
        self.value.setText(self._words(place))
        self.moved.emit(place)


class Dots(QWidget):
    """Row of clickable dots, one for each step, in which the current step is coloured."""

    chosen = Signal(int)
    _apart, _radius = 20, 5.0  # px

    def __init__(self) -> None:
        super().__init__()
        self.number, self.current = 0, 0

    def show_steps(self, number: int, current: int) -> None:
        """Set the number of steps and the index of the current step."""
        self.number, self.current = number, current
        self.setAccessibleName(f"Step {current + 1} of {number}")
        self.setFixedSize(self._apart * number, self._apart)
        self.setVisible(number > 1)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, painter = theme.tokens(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for at in range(self.number):
            colour = look.accent if at == self.current else theme.mix(look.border, look.text, 0.18)
            painter.setBrush(QColor(colour))
            middle = QPointF((at + 0.5) * self._apart, self._apart / 2)
            painter.drawEllipse(middle, self._radius, self._radius)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(int(event.position().x()) // self._apart)


class Hall(QWidget):
    """View whose figure fills three quarters of the height, with a title, a sentence and a slider.

    If ``has_steps``, dots show the steps, and buttons and keys move between them. ``turned`` is
    emitted with 1 for the next step or −1 for the previous one, ``step_chosen`` with the index of a
    step, and ``left`` when the user leaves the hall.
    """

    turned = Signal(int)
    step_chosen = Signal(int)
    left = Signal()

    def __init__(self, figure: QWidget, *, has_steps: bool = False) -> None:
        super().__init__()
        self.setAccessibleName("Full-screen figure")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._sizes: dict[str, int] = {}
        self.slider: HallSlider | None = None
        self.figure = Enlarged(figure)
        self.number = in_hall(label("", "secondary"), "name")
        self.title = in_hall(label("", "strong"), "name")
        self.words = in_hall(QLabel(), "words")
        self.words.setTextFormat(Qt.TextFormat.RichText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.words.setWordWrap(True)
        self.words.setMinimumWidth(1)
        self.leave = in_hall(Button("Exit (Esc)", role="link"), "quiet")
        self.leave.clicked.connect(self.left)
        self.waits = in_hall(label("", "secondary", wrap=True), "name")
        self.waits.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._either = QStackedWidget()
        self._either.addWidget(self.figure)
        self._either.addWidget(self.waits)
        self.back, self.next = Button("", "back", name="Back"), Button("", "forward", name="Next")
        for button, by in ((self.back, -1), (self.next, 1)):
            in_hall(button, "round")
            button.clicked.connect(lambda _=False, by=by: self.turned.emit(by))
        self.dots = Dots()
        self.dots.chosen.connect(self.step_chosen)
        self.corner = in_row()  # at the left of the title, for a choice that the page offers
        self._foot = in_column()
        bind("play alone", self, self.toggle_play, self)
        self._arrows, self._has_steps = dict[Qt.Key, int](), has_steps
        if has_steps:  # otherwise these keys belong to the slider
            self._arrows = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
            for name, by in (("step before", -1), ("next step", 1)):
                bind(name, self, partial(self.turned.emit, by), self)
        self._lay_out()
        self.show_steps(0, 0)

    def _lay_out(self) -> None:
        head, middle = QGridLayout(), Qt.AlignmentFlag.AlignVCenter
        for column, share in enumerate((2, 3, 2)):
            head.setColumnStretch(column, share)
        head.addLayout(self.corner, 0, 0, middle | Qt.AlignmentFlag.AlignLeft)
        named = in_row(STRETCH, self.number, self.title, STRETCH, spacing=8)
        head.addLayout(named, 0, 1, middle)
        head.addWidget(self.leave, 0, 2, middle | Qt.AlignmentFlag.AlignRight)
        row = in_row((self.back, 0, middle), (self._either, 1), (self.next, 0, middle), spacing=16)
        dots = in_row(STRETCH, self.dots, STRETCH)
        self._parts = in_column(
            head, (row, 1), self.words, self._foot, dots, inside=self, margins=(20, 8, 20, 4)
        )

    def show_title(self, title: str, number: str = "") -> None:
        """Set the title, preceded by a number if one is given."""
        self.title.setText(title)
        self.number.setText(number)
        self.number.setVisible(bool(number))

    def show_words(self, words: str) -> None:
        """Set the sentence below the figure, which may contain mark-up."""
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def show_waiting(self, why: str) -> None:
        """Explain in place of the figure why it is missing, or show the figure if ``why`` is ""."""
        self.waits.setText(why)
        self.show_in_place(self.waits if why else self.figure)

    def show_in_place(self, part: QWidget) -> None:
        """Show the figure, or another widget in its place."""
        if self._either.indexOf(part) < 0:
            self._either.addWidget(part)
        self._either.setCurrentWidget(part)

    def show_steps(
        self, number: int, current: int, *, first: bool = True, last: bool = True
    ) -> None:
        """Show the current step, and whether it is the ``first`` or the ``last``."""
        self.dots.show_steps(number, current)
        for button, ends in ((self.back, first), (self.next, last)):
            button.setVisible(not (first and last))
            button.setEnabled(not ends)

    def set_slider(self, slider: HallSlider | None) -> None:
        """Replace the slider below the sentence, or remove it."""
        if self.slider is not None:
            self._foot.removeWidget(self.slider)
            self.slider.hide()
            self.slider.deleteLater()
        self.slider = slider
        if slider is not None:
            self._foot.addWidget(slider)
            if self._sizes:
                slider.play.set_icon_side(self._sizes["icon"])
            if not self._has_steps:  # so that keys move it, wherever the user clicks
                self.setFocusProxy(slider.slider)

    def toggle_play(self) -> None:
        """Start or stop playing, if the hall has a slider."""
        if self.slider is not None:
            self.slider.play.toggle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wish = min(self.width() / _SCREEN.width(), self.height() / _SCREEN.height())
        times = min(max(wish, _SMALLEST), _LARGEST)
        sizes = {name: theme.pixels(size * times) for name, size in _SIZES.items()}
        self._either.setMinimumHeight(round(_FIGURE * self.height()))
        self._parts.setSpacing(round(6 * times))
        if sizes != self._sizes:
            self._sizes = sizes
            self._apply_style()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._sizes:
            self._apply_style()

    def _apply_style(self) -> None:
        look, handle = theme.tokens(), max(self._sizes["handle"], theme.pixels(_HANDLE))
        handle -= handle % 2
        style = _STYLE.substitute(
            self._sizes | {"handle": handle},
            soft=look.soft,
            pressed=theme.mix(look.soft, look.text, 0.1),
            accent=look.accent,
            radius=self._sizes["round"] // 2,
            inner=handle - 6,
            above=(handle - 8) // 2,
            half=handle // 2,
        )
        if style != self.styleSheet():  # setting a style sheet changes the palette
            self.setStyleSheet(style)
        for button in (self.back, self.next, *([self.slider.play] if self.slider else [])):
            button.set_icon_side(self._sizes["icon"])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif by := self._arrows.get(Qt.Key(event.key())):
            self.turned.emit(by)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.tokens().surface))


def in_hall(part: Part, look: str) -> Part:
    """Apply a named style from the hall's style sheet to a widget, and return the widget."""
    part.setProperty("hall", look)
    return part
