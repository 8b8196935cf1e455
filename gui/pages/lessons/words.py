"""The words of a lesson: what is seen, the formula, what to try, the same in NumPy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
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
_LINES = 3  # of the listing, at least
_NUMBERS = "①②③④⑤⑥⑦"


_NORM = re.compile("‖[^‖]*‖")


class WordsColumn(PageScroll):
    """Cards one below the other; the listing takes the room that is left.

    ``step_chosen``: the lesson is to be set as the step of this number says.
    """

    step_chosen = Signal(int)

    def __init__(self, settings: Settings) -> None:
        self.question = QuestionCard(settings)
        titles = ("What you see", "The formula", "What to try")
        self._see, self._formula, self._tries = (_sentence() for _ in titles)
        self._formula.setProperty("role", "formula")
        self._why = _sentence("caption")
        self._tries.linkActivated.connect(lambda number: self.step_chosen.emit(int(number)))
        cards = [Card(title) for title in titles]
        for card, text in zip(cards, (self._see, self._formula, self._tries), strict=True):
            card.body.addWidget(text)
        cards[1].body.addWidget(self._why)
        self._listing = Card("The same in NumPy")
        copy = LinkButton("Copy", "copy")
        copy.setToolTip("Copy the program")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.code))
        self._listing.add_to_heading(copy)
        self._text = QPlainTextEdit()
        self._text.setProperty("role", "listing")
        self._text.setReadOnly(True)
        self._text.setAccessibleName("The same in NumPy")
        self._text.setTabChangesFocus(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._text.setMinimumHeight(_LINES * self._text.fontMetrics().lineSpacing() + 24)
        self._listing.body.addWidget(self._text, 1)
        whole = QWidget()
        whole.setAccessibleName("Words of the lesson")
        in_column(self.question, *cards, (self._listing, 1), inside=whole, spacing=12)
        super().__init__(whole)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(theme.pixels(_WIDTH))

    @property
    def code(self) -> str:
        """The program that is shown."""
        return self._text.toPlainText()

    def show_words(self, lesson: Lesson[Any], words: Mapping[str, str]) -> None:
        """Write the sentences with the words of a picture; those that need some, once there are."""
        self.question.show_question(lesson.question)
        tries = "".join(
            f'<tr><td style="font-size: {theme.pixels(15)}px; padding-right: 8px">{mark}</td>'
            f'<td style="padding-bottom: 3px">{_linked(step, at, words)}</td></tr>'
            for at, (mark, step) in enumerate(zip(_NUMBERS, lesson.steps, strict=False))
        )
        # By the mouse alone: of a long text Qt does not show which link has the focus.
        flag = Qt.TextInteractionFlag
        has_links = any(map(_sets, lesson.steps))
        links = flag.LinksAccessibleByMouse if has_links else flag.NoTextInteraction
        self._tries.setTextInteractionFlags(links)
        see = (f'<p style="margin: 0 0 5px 0">{filled(text, words)}</p>' for text in lesson.see)
        for part, text in (
            (self._see, "".join(see)),
            (self._formula, filled(lesson.formula, words)),
            (self._why, filled(lesson.why, words)),
            (self._tries, f'<table cellspacing="0">{tries}</table>'),
        ):
            if text != part.text():
                part.setText(text)

    def show_code(self, code: str) -> None:
        """Show a program; an empty one is hidden."""
        if code != self.code:
            place = self._text.verticalScrollBar().value()
            self._text.setPlainText(code)
            self._text.verticalScrollBar().setValue(place)
        self._listing.setVisible(bool(code))


def filled(text: str, words: Mapping[str, str]) -> str:
    """Return a sentence with the words of a picture; "" if it needs some and there are none.

    No line begins within a norm.
    """
    safe = {name: escape(word, quote=False) for name, word in words.items()}
    sentence = text.format_map(safe) if words or "{" not in text else ""
    norms = _NORM.sub(lambda norm: norm[0].replace(" ", "\N{NO-BREAK SPACE}"), sentence)
    return with_no_break_spaces(norms)


def _sets(step: Step) -> bool:
    """Whether a step says how the lesson is set."""
    return bool(step.settings or step.subject)


def _linked(step: Step, number: int, words: Mapping[str, str]) -> str:
    """Return the sentence of a step, as a link if it sets the lesson."""
    sentence = filled(step.words, words)
    if not _sets(step):
        return sentence
    look = f"color: {theme.tokens().accent}; text-decoration: none"
    return f'<a href="{number}" style="{look}">{sentence}</a>'


def _sentence(role: str = "") -> QLabel:
    """Return a label for a text with <b>, <i>, <sup> and <sub>; what is filled in is escaped."""
    text = QLabel()
    text.setProperty("role", role)
    text.setWordWrap(True)
    text.setTextFormat(Qt.TextFormat.RichText)
    text.setMinimumWidth(1)
    return text
