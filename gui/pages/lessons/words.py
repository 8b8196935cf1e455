"""The words of a lesson: what is seen, the formula, what to try, the same in NumPy, the next."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from eigenfaces.lessons.lesson import Lesson, plain
from eigenfaces.text import count, unbroken
from gui.style import theme
from gui.style.theme import SMALL
from gui.widgets.boxes import STRETCH, Stretch, in_column, in_row
from gui.widgets.cards import Card, PageScroll
from gui.widgets.controls import Button, LinkButton
from gui.widgets.words import label

_NEVER = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
_WIDTH, _NEXT = 332, 270
_LINES = 4
"""The listing opens by itself where there is room for so many lines."""


class WordsColumn(QWidget):
    """Cards one below the other; the listing takes the room that is left."""

    next_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(theme.pixels(_WIDTH))
        self._see, self._tries = Card("What you see"), Card("What to try")
        self._formula_card = Card("The formula")
        self._formula, self._why = Sentence("formula"), Sentence("caption")
        self._formula_card.body.addWidget(self._formula)
        self._formula_card.body.addWidget(self._why)
        self._following, self._short = "", False
        self._sentences: list[Sentence] = []
        self._steps: list[Sentence] = []
        self.listing = ListingCard()
        self.listing.toggled.connect(self._fit)
        self._next = LinkButton("", "forward")
        self._next.clicked.connect(self.next_wanted)
        self._next_card = self._make_next_card()
        whole = QWidget()
        whole.setAccessibleName("Words of the lesson")
        cards = (self._see, self._formula_card, self._tries, (self.listing, 1))
        parts = (*cards, Stretch(0), self._next_card)
        self._column = in_column(*parts, inside=whole, spacing=12)
        self._scrolled = PageScroll(whole)
        self._scrolled.setHorizontalScrollBarPolicy(_NEVER)
        whole.installEventFilter(self)
        in_column(self._scrolled, inside=self)

    def _make_next_card(self) -> Card:
        card = Card()
        card.set_padding(10, 6)
        row = in_row(label("Next", "caption"), STRETCH, self._next, spacing=4)
        self._next.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow is at the right
        card.body.addLayout(row)
        return card

    def show_lesson(self, lesson: Lesson[Any], following: str) -> None:
        """Make room for the sentences of a lesson; ``following`` is the title of the next."""
        self._sentences = _refill(self._see, len(lesson.see), numbered=False)
        self._steps = _refill(self._tries, len(lesson.tries), numbered=True)
        self._following = following
        self._fit_next()
        self.listing.by_hand = None
        self.show_words(lesson, {})
        self._scrolled.verticalScrollBar().setValue(0)

    def show_words(self, lesson: Lesson[Any], words: Mapping[str, str]) -> None:
        """Write the sentences with the words of a picture; those that need some, once there are."""
        safe = {name: escape(word, quote=False) for name, word in words.items()}
        texts = (*lesson.see, *lesson.tries, lesson.formula, lesson.why)
        parts = (*self._sentences, *self._steps, self._formula, self._why)
        for part, text in zip(parts, texts, strict=True):
            part.write(text.format_map(safe) if words or "{" not in text else "")

    def show_code(self, code: str) -> None:
        """Show a listing; an empty one is hidden."""
        self.listing.show_code(code)

    def set_short(self, short: bool) -> None:
        """Leave out what is next, and why the formula holds: that becomes a tooltip."""
        self._short = short
        self._why.setVisible(not short)
        self._fit_next()
        self._formula_card.setToolTip(plain(self._why.text()) if short else "")

    def _fit_next(self) -> None:
        """Show the title of the next lesson, cut where it must be, if there is room for it."""
        self._next_card.setVisible(bool(self._following) and not self._short)
        room = theme.pixels(_NEXT) - self._next.fontMetrics().horizontalAdvance("Next")
        shown = self._next.fontMetrics()
        self._next.setText(shown.elidedText(self._following, Qt.TextElideMode.ElideRight, room))
        self._next.setAccessibleName(self._following)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Open the listing if there is room, unless a person has opened or closed it."""
        gap = self._column.spacing()
        cards = (self._see, self._formula_card, self._tries, self._next_card)
        shown = [card for card in cards if not card.isHidden()]
        used = sum(_height(card, self.width()) + gap for card in shown)
        room = self.height() - used - self.listing.heading_height()
        by_hand, needed = self.listing.by_hand, self.listing.height_of(_LINES)
        wanted = needed <= room if by_hand is None else by_hand
        # A bar takes width, and then all is taller.
        fits = room >= (needed if wanted else 0)
        policy = _NEVER if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._scrolled.setVerticalScrollBarPolicy(policy)
        if wanted != self.listing.is_open:
            self.listing.open(wanted)
            self._column.setStretchFactor(self.listing, int(wanted))
            self._column.setStretch(4, int(not wanted))


def _height(card: Card, width: int) -> int:
    return card.heightForWidth(width) if card.hasHeightForWidth() else card.sizeHint().height()


class Sentence(QLabel):
    """A sentence of a lesson with <b>, <i>, <sup> and <sub>; what is filled in has been escaped."""

    def __init__(self, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setMinimumWidth(1)

    def write(self, text: str) -> None:
        """Show a text."""
        text = unbroken(text)
        if text != self.text():
            self.setText(text)


class _Number(QWidget):
    """The number of a step, in a disc."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme.pixels(20), theme.pixels(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = theme.tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(look.soft))
        painter.drawEllipse(self.rect())
        painter.setPen(QColor(look.accent))
        painter.setFont(theme.font(SMALL, QFont.Weight.DemiBold))
        painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignCenter, str(self._number))


def _refill(card: Card, count_of: int, *, numbered: bool) -> list[Sentence]:
    """Make empty lines in a card, numbered ones with their numbers."""
    while item := card.body.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(9)
    grid.setVerticalSpacing(7)
    grid.setColumnStretch(1, 1)
    made = [Sentence() for _ in range(count_of)]
    for at, line in enumerate(made):
        if numbered:
            grid.addWidget(_Number(at + 1), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(line, at, 1)
        else:
            grid.addWidget(line, at, 0, 1, 2)
    card.body.addWidget(holder)
    holder.show()  # what is not shown yet counts as without height
    return made


class ListingCard(Card):
    """The same in NumPy: folded, or open; its lines can be copied."""

    toggled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.by_hand: bool | None = None
        self.is_open = False
        self.code = ""
        self.set_padding(8, 6)
        self._fold = Button("The same in NumPy", "forward", role="bare")
        self._fold.clicked.connect(self._toggle)
        font = self._fold.font()
        font.setWeight(QFont.Weight.DemiBold)
        self._fold.setFont(font)
        self._copy = LinkButton("Copy", "copy")
        self._copy.setToolTip("Copy the program")
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.code))
        row = in_row(self._fold, STRETCH, self._copy, spacing=3)
        self.text = QPlainTextEdit()
        self.text.setProperty("role", "listing")
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("The same in NumPy")
        self.text.setTabChangesFocus(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.body.addLayout(row)
        self.body.addWidget(self.text, 1)
        self.open(False)

    def show_code(self, code: str) -> None:
        """Show another program."""
        if code != self.code:
            self.code = code
            place = self.text.verticalScrollBar().value()
            self.text.setPlainText(code)
            self.text.verticalScrollBar().setValue(place)
            self._fold.setToolTip(count(len(code.rstrip().splitlines()), "line"))
        self.setVisible(bool(code))

    def open(self, wanted: bool) -> None:
        """Open or fold the program."""
        self.is_open = wanted
        self.text.setVisible(wanted)
        self.text.setMinimumHeight(self.height_of(_LINES) - 10)
        self._fold.set_icon("down" if wanted else "forward")
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred,
            QSizePolicy.Policy.Expanding if wanted else QSizePolicy.Policy.Maximum,
        )

    def heading_height(self) -> int:
        """Return the height of the folded card."""
        return max(self._fold.sizeHint().height(), self._copy.sizeHint().height()) + 14

    def height_of(self, lines: int) -> int:
        """Return the room that so many lines of the program need, or all if they are fewer."""
        self.text.ensurePolished()
        lines = min(lines, len(self.code.splitlines()) or lines)
        return lines * self.text.fontMetrics().lineSpacing() + 40

    def _toggle(self) -> None:
        self.by_hand = self.text.isHidden()
        self.toggled.emit()
