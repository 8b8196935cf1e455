"""The text of a lesson: what you see, the formula, things to try, and the NumPy listing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QSizePolicy, QWidget

from eigenfaces.lessons.lesson import Lesson, Step
from eigenfaces.text import with_no_break_spaces
from ...state.settings import Settings
from ...style import theme
from ...widgets.box_layouts import in_column
from ...widgets.cards import Card, PageScroll
from ...widgets.controls import LinkButton
from .question import QuestionCard

_WIDTH = 328  # px
_LINES = 3  # the least number of lines of the listing
_NUMBERS = "①②③④"
_FOLLOW = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


_NORM = re.compile("‖[^‖]*‖")


class StepLink(QLabel):
    """Numbered link that applies a step. ``chosen``: the user clicked it or pressed Enter."""

    chosen = Signal()

    def __init__(self, mark: str) -> None:
        super().__init__()
        self._mark = mark
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setMinimumWidth(1)

    def show_step(self, step: Step, words: Mapping[str, str]) -> None:
        """Show a step; it is a link only if it changes the settings or the data."""
        sets = bool(step.settings or step.subject)
        colour = f"color: {theme.tokens().accent}" if sets else ""
        text = (
            f'<table cellspacing="0"><tr><td style="font-size: {theme.pixels(15)}px; '
            f'padding-right: 8px">{self._mark}</td>'
            f'<td style="{colour}">{filled(step.words, words)}</td></tr></table>'
        )
        if text != self.text():
            self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if sets else Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription("Press Enter to set up the lesson this way." if sets else "")
        if sets:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_link = self.focusPolicy() != Qt.FocusPolicy.NoFocus
        if is_link and self.rect().contains(event.position().toPoint()):
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _FOLLOW:
            self.chosen.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.tokens().accent), 1.6))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()


class WordsColumn(PageScroll):
    """Column of cards with the text of a lesson; the listing fills the remaining space.

    ``step_chosen``: the user wants to apply the settings of the step with this index.
    """

    step_chosen = Signal(int)

    def __init__(self, settings: Settings) -> None:
        self.question = QuestionCard(settings)
        self._see, self._formula = _sentence(), _sentence()
        self._tries = [StepLink(mark) for mark in _NUMBERS]
        self._formula.setProperty("role", "formula")
        self._why = _sentence("caption")
        cards = [Card(title) for title in ("What you see", "The formula", "What to try")]
        cards[0].body.addWidget(self._see)
        cards[1].body.addWidget(self._formula)
        cards[1].body.addWidget(self._why)
        for number, step in enumerate(self._tries):
            step.chosen.connect(lambda number=number: self.step_chosen.emit(number))
            cards[2].body.addWidget(step)
        self._listing = Card("In NumPy")
        copy = LinkButton("Copy", "copy")
        copy.setToolTip("Copy the program")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.code))
        self._listing.add_to_heading(copy)
        self._text = QPlainTextEdit()
        self._text.setProperty("role", "listing")
        self._text.setReadOnly(True)
        self._text.setAccessibleName("In NumPy")
        self._text.setTabChangesFocus(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._text.setMinimumHeight(_LINES * self._text.fontMetrics().lineSpacing() + 24)
        self._listing.body.addWidget(self._text, 1)
        whole = QWidget()
        whole.setAccessibleName("Lesson text")
        in_column(self.question, *cards, (self._listing, 1), inside=whole, spacing=12)
        super().__init__(whole)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(theme.pixels(_WIDTH))

    @property
    def code(self) -> str:
        """The program shown in the listing."""
        return self._text.toPlainText()

    def show_words(self, lesson: Lesson[Any], words: Mapping[str, str]) -> None:
        """Show the text of a lesson, omitting sentences whose placeholders cannot be filled in."""
        self.question.show_question(lesson.question)
        for at, row in enumerate(self._tries):
            row.setVisible(at < len(lesson.steps))
            if at < len(lesson.steps):
                row.show_step(lesson.steps[at], words)
        see = (f'<p style="margin: 0 0 5px 0">{filled(text, words)}</p>' for text in lesson.see)
        for part, text in (
            (self._see, "".join(see)),
            (self._formula, filled(lesson.formula, words)),
            (self._why, filled(lesson.why, words)),
        ):
            if text != part.text():
                part.setText(text)

    def show_code(self, code: str) -> None:
        """Show a program in the listing, or hide the listing if the program is empty."""
        if code != self.code:
            place = self._text.verticalScrollBar().value()
            self._text.setPlainText(code)
            self._text.verticalScrollBar().setValue(place)
        self._listing.setVisible(bool(code))


def filled(text: str, words: Mapping[str, str]) -> str:
    """Return a sentence with its placeholders filled in, or "" if their values are not known.

    A norm in a formula is never broken across lines.
    """
    safe = {name: escape(word, quote=False) for name, word in words.items()}
    sentence = text.format_map(safe) if words or "{" not in text else ""
    norms = _NORM.sub(lambda norm: norm[0].replace(" ", "\N{NO-BREAK SPACE}"), sentence)
    return with_no_break_spaces(norms)


def _sentence(role: str = "") -> QLabel:
    """Return a label for text with <b>, <i>, <sup> and <sub>; inserted text must be escaped."""
    text = QLabel()
    text.setProperty("role", role)
    text.setWordWrap(True)
    text.setTextFormat(Qt.TextFormat.RichText)
    text.setMinimumWidth(1)
    return text
