"""The picture of a lesson: two figures in cards, or in tabs; its controls below the first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from eigenfaces.lessons.drawing import (
    BarsPanel,
    CurvesPanel,
    Drawing,
    LessonPicture,
    MatrixPanel,
    Panel,
    PicturesPanel,
    PlanePanel,
    SharesPanel,
    SpacePanel,
    TablePanel,
)
from gui.pages.lessons.controls import ControlPanel
from gui.pages.lessons.drawing_view import DrawingView, wanted_height
from gui.style import theme
from gui.widgets.cards import Banner, Card, Shrinkable
from gui.widgets.controls import Segmented
from gui.widgets.words import label

_PATIENCE = 300
"""Milliseconds before it is said that something is under way."""

_GAP = 12
_HEADING = 60
"""Height of a card besides its figure."""

_TABS: dict[type[Panel], str] = {
    PlanePanel: "Points",
    SpacePanel: "Points",
    CurvesPanel: "Curves",
    BarsPanel: "Bars",
    MatrixPanel: "Matrix",
    PicturesPanel: "Pictures",
    TablePanel: "Table",
    SharesPanel: "Shares",
}


class PictureCards(Shrinkable):
    """Shows pictures of lessons; what is dragged in them comes as signals of `DrawingView`."""

    turned = Signal(str, float)
    moved = Signal(int, object)
    added = Signal(object)
    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = DrawingView(), DrawingView()
        self.controls = ControlPanel()
        self.error = Banner(tone="bad", dismissible=False)
        self.error.hide()
        self._picture: LessonPicture | None = None
        self._in_tabs = False
        self._tabs: Segmented | None = None
        self._tab_names: tuple[str, ...] = ()
        self._upper_card, self._lower_card = Card(" ", " "), Card(" ", " ")
        self._note, self._below = "", label("", "caption", wrap=True)
        self._below.hide()
        body = self._upper_card.body
        body.addWidget(self._below)
        body.addWidget(self.error)
        body.addWidget(self.first, 1)
        body.addWidget(self.controls)
        self._lower_card.body.addWidget(self.second)
        for card in (self._upper_card, self._lower_card):
            card.setParent(self)
        self._lower_card.hide()
        for figure in (self.first, self.second):
            figure.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
            figure.setMinimumWidth(240)
            figure.turned.connect(self.turned)
            figure.moved.connect(self.moved)
            figure.added.connect(self.added)
            figure.removed.connect(self.removed)
        self.veil = _Veil(self._upper_card)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._say_busy)

    def show_picture(self, picture: LessonPicture) -> None:
        """Show a picture."""
        self._picture = picture
        self._patience.stop()
        self.veil.hide()
        self.error.hide()
        self.first.show()
        self._draw()

    def show_error(self, why: str, title: str, again: Callable[[], None] | None = None) -> None:
        """Say why there is no picture, the last being gone; no fault where ``again`` helps."""
        self._patience.stop()
        self.veil.hide()
        self._clear(title)
        if again is None:
            self.error.show_text(why, "bad")
        else:
            self.error.show_text(why, "accent", ("Try again", again))
        self.error.show()

    def show_busy(self, title: str, *, keeps: bool) -> None:
        """Say, after a moment, that a picture is made; ``keeps``: the last one stays, greyed."""
        self.error.hide()
        if not keeps:
            self._clear(title)
        self._patience.start()

    def make_anew(self) -> None:
        """Make all panels again, as for text of another size."""
        for figure in (self.first, self.second):
            figure.clear()
        self._draw()

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
            self.updateGeometry()
            self._place()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        cards = [each for each in (self._upper_card, self._lower_card) if not each.isHidden()]
        sizes = [each.minimumSizeHint() for each in cards]
        height = sum(size.height() for size in sizes) + _GAP * (len(sizes) - 1)
        return QSize(max(size.width() for size in sizes), height)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def _place(self) -> None:
        """Give both figures their share of the height; a layout would give what they hint at."""
        width, height = self.width(), self.height()
        picture, upper = self._picture, height
        if not self._lower_card.isHidden() and picture is not None and picture.lower is not None:
            controls = self.controls.heightForWidth(width - 2 * theme.CARD_PADDING)
            least = [
                each.minimumSizeHint().height() for each in (self._upper_card, self._lower_card)
            ]
            wanted = [wanted_height(each) for each in (picture.upper, picture.lower)]
            room = height - _GAP - 2 * _HEADING - controls
            upper = _HEADING + controls + round(room * wanted[0] / sum(wanted))
            upper = max(min(upper, height - _GAP - least[1]), least[0])
        self._upper_card.setGeometry(0, 0, width, upper)
        self._lower_card.setGeometry(0, upper + _GAP, width, max(0, height - upper - _GAP))
        self.veil.fit()
        self._place_note()

    def _place_note(self) -> None:
        """Show the note beside the heading; where it would be cut, in lines of its own."""
        beside = self._upper_card.has_room_for(self._note)
        self._upper_card.set_note(self._note if beside else "")
        self._below.setText("" if beside else self._note)
        self._below.setVisible(not beside)

    def _clear(self, title: str) -> None:
        self._picture = None
        self.first.clear()
        self._upper_card.set_title(title)
        self._note = ""
        self._lower_card.hide()
        self._show_tabs(())
        self._place_note()

    def _say_busy(self) -> None:
        self.veil.fit()
        self.veil.show()
        self.veil.raise_()

    def _draw(self) -> None:
        picture = self._picture
        if picture is None:
            return
        upper, lower = picture.upper, picture.lower
        if self._in_tabs and lower is not None:
            upper, lower = joined(upper, lower)
        both = self._in_tabs and lower is not None
        self._show_tabs(_names(upper, lower) if both and lower is not None else ())
        self._lower_card.setVisible(lower is not None and not both)
        if lower is not None and not both:
            self.second.show_drawing(lower)
            self._lower_card.set_title(lower.heading)
            self._lower_card.set_note(lower.note)
        at = self._tabs.current if self._tabs is not None else 0
        shown = lower if both and at and lower is not None else upper
        self.first.show_drawing(shown)
        self._upper_card.set_title(shown.heading)
        self._note = "; ".join(filter(None, (shown.hint, shown.note)))
        self._place()

    def _show_tabs(self, names: tuple[str, ...]) -> None:
        if names == self._tab_names:
            return
        self._tab_names = names
        if self._tabs is not None:
            self._tabs.hide()
            self._tabs.deleteLater()
            self._tabs = None
        if names:
            self._tabs = Segmented(names, name="Figure")
            self._tabs.changed.connect(self._draw)
            self._upper_card.add_to_heading(self._tabs)


def joined(upper: Drawing, lower: Drawing) -> tuple[Drawing, Drawing | None]:
    """Return two figures for two tabs: bars of shares at the top of the second go to the first."""
    rows, weights = lower.rows, lower.weights or (1.0,) * len(lower.rows)
    if not rows or not all(isinstance(panel, SharesPanel) for panel in rows[0]):
        return upper, lower
    above = upper.weights or (1.0,) * len(upper.rows)
    first = replace(upper, rows=(*upper.rows, rows[0]), weights=(*above, 0.01))
    rest = replace(lower, rows=rows[1:], weights=weights[1:])
    return first, rest if rest.rows else None


def _names(upper: Drawing, lower: Drawing) -> tuple[str, str]:
    one, other = (_TABS[type(each.rows[0][0])] for each in (upper, lower))
    return (one, other) if one != other else (f"{one} 1", f"{other} 2")


class _Veil(QLabel):
    """Greys what is out of date, and says that something is under way."""

    def __init__(self, over: QWidget) -> None:
        super().__init__("Working…", over)
        self._over = over
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName("Working…")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAutoFillBackground(True)
        self.hide()

    def fit(self) -> None:
        """Cover the card."""
        look, colours = theme.tokens(), self.palette()
        grey = QColor(look.surface)
        grey.setAlphaF(0.8)
        colours.setColor(QPalette.ColorRole.Window, grey)
        colours.setColor(QPalette.ColorRole.WindowText, QColor(look.secondary))
        self.setPalette(colours)
        self.setGeometry(self._over.rect().adjusted(2, 2, -2, -2))
