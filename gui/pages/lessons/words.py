"""The words of a lesson: what is seen, the formula, what to try, the same in NumPy, the next."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QSizePolicy, QWidget

from eigenfaces.lessons.lesson import Lesson, plain
from eigenfaces.text import count, unbroken
from gui.style import theme
from gui.widgets.boxes import STRETCH, Stretch, in_column, in_row
from gui.widgets.cards import Card, PageScroll
from gui.widgets.controls import Button, LinkButton
from gui.widgets.words import label

_WIDTH, _NEXT = 328, 258  # px
_LINES = 3  # of the listing, at least
_NUMBERS = "①②③④⑤⑥⑦"


class WordsColumn(QWidget):
    """Cards one below the other; the listing takes the room that is left."""

    next_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(theme.pixels(_WIDTH))
        titles = ("What you see", "The formula", "What to try")
        self._see, self._formula, self._tries = (Sentence() for _ in titles)
        self._formula.setProperty("role", "formula")
        self._why = Sentence("caption")
        self._cards = [Card(title) for title in titles]
        for card, text in zip(self._cards, (self._see, self._formula, self._tries), strict=True):
            card.body.addWidget(text)
        self._cards[1].body.addWidget(self._why)
        self._shown: tuple[Lesson[Any] | None, Mapping[str, str]] = None, {}
        self._following, self._short = "", False
        self.listing = ListingCard()
        self._next = LinkButton("", "forward")
        self._next.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow is at the right
        self._next.clicked.connect(self.next_wanted)
        self._next_card = Card()
        self._next_card.set_padding(10, 6)
        row = in_row(label("Next", "caption"), STRETCH, self._next, spacing=4)
        self._next_card.body.addLayout(row)
        whole = QWidget()
        whole.setAccessibleName("Words of the lesson")
        listing, last = (self.listing, 1000), self._next_card
        self._column = in_column(*self._cards, listing, Stretch(1), last, inside=whole, spacing=12)
        self._scrolled = PageScroll(whole)
        self._scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(self._scrolled, inside=self)

    def show_lesson(self, lesson: Lesson[Any], following: str) -> None:
        """Show the sentences of a lesson; ``following`` is the title of the next."""
        self._following, self.listing.by_hand = following, False
        self.show_words(lesson, {})
        self.set_short(self._short)
        self._scrolled.verticalScrollBar().setValue(0)

    def show_words(self, lesson: Lesson[Any], words: Mapping[str, str]) -> None:
        """Write the sentences with the words of a picture; those that need some, once there are."""
        before, self._shown = self._shown[1], (lesson, words)
        safe = {name: escape(word, quote=False) for name, word in words.items()}

        def filled(text: str) -> str:
            return unbroken(text.format_map(safe) if words or "{" not in text else "")

        style = f"color: {theme.tokens().accent}; font-size: {theme.pixels(15)}px"
        tries = "".join(
            f'<tr><td style="{style}; padding-right: 8px">{mark}</td>'
            f'<td style="padding-bottom: 3px">{filled(text)}</td></tr>'
            for mark, text in zip(_NUMBERS, lesson.tries, strict=False)
        )
        see = "".join(f'<p style="margin: 0 0 5px 0">{filled(text)}</p>' for text in lesson.see)
        for part, text in (
            (self._see, see),
            (self._formula, filled(lesson.formula)),
            (self._why, filled(lesson.why)),
            (self._tries, f'<table cellspacing="0">{tries}</table>'),
        ):
            if text != part.text():
                part.setText(text)
        if words != before:
            self._fit()

    def show_code(self, code: str) -> None:
        """Show a listing; an empty one is hidden."""
        self.listing.show_code(code)

    def set_short(self, short: bool) -> None:
        """Leave out what is next, and why the formula holds: that becomes a tooltip."""
        self._short = short
        self._why.setVisible(not short)
        self._cards[1].setToolTip(plain(self._why.text()) if short else "")
        self._next_card.setVisible(bool(self._following) and not short)
        metrics, cut = self._next.fontMetrics(), Qt.TextElideMode.ElideRight
        self._next.setText(metrics.elidedText(self._following, cut, theme.pixels(_NEXT)))
        self._next.setAccessibleName(self._following)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Open the listing if all of the column has room, unless a person opened or closed it."""
        if not self.listing.by_hand:
            self.listing.open(True)
            self._column.invalidate()  # which else learns of it later
            needed = self._column.minimumHeightForWidth(self.width())
            self.listing.open(not self._short and needed <= self.height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        lesson, words = self._shown
        if event.type() == QEvent.Type.PaletteChange and lesson is not None:
            self.show_words(lesson, words)  # the colour of the numbers is in the text


class Sentence(QLabel):
    """A text of a lesson with <b>, <i>, <sup> and <sub>; what is filled in has been escaped."""

    def __init__(self, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setMinimumWidth(1)


class ListingCard(Card):
    """The same in NumPy: folded, or open; its lines can be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.code, self.by_hand = "", False
        self.set_padding(8, 6)
        self._fold = Button("The same in NumPy", "forward", role="bare")
        self._fold.setFont(theme.font(weight=600))
        copy = LinkButton("Copy", "copy")
        copy.setToolTip("Copy the program")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.code))
        self.text = QPlainTextEdit()
        self.text.setProperty("role", "listing")
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("The same in NumPy")
        self.text.setTabChangesFocus(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._fold.clicked.connect(self._open_by_hand)
        self.body.addLayout(in_row(self._fold, STRETCH, copy, spacing=3))
        self.body.addWidget(self.text, 1)
        self.open(True)

    def show_code(self, code: str) -> None:
        """Show another program."""
        if code != self.code:
            self.code = code
            place = self.text.verticalScrollBar().value()
            self.text.setPlainText(code)
            self.text.verticalScrollBar().setValue(place)
            self._fold.setToolTip(count(len(code.rstrip().splitlines()), "line"))
        self.setVisible(bool(code))

    def open(self, unfolded: bool) -> None:
        """Open or fold the program."""
        self.text.setVisible(unfolded)
        self.text.setMinimumHeight(_LINES * self.text.fontMetrics().lineSpacing() + 24)
        self._fold.set_icon("down" if unfolded else "forward")
        policy = QSizePolicy.Policy.Expanding if unfolded else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)

    def _open_by_hand(self) -> None:
        self.by_hand = True
        self.open(self.text.isHidden())
