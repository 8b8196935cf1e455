"""The question of a lesson, asked before its picture gives away the answer."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from eigenfaces.lessons.lesson import Question
from ...state.settings import Settings
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import Card
from ...widgets.controls import Button, LinkButton
from ...widgets.hall import in_hall
from ...widgets.labels import label


class QuestionCard(QWidget):
    """Card with a question and three answers, or with a link that turns questions back on."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._question: Question | None = None
        self._words, self._reply = label("", wrap=True), label("", "strong", wrap=True)
        self.answers = [Button("") for _ in range(3)]
        for number, button in enumerate(self.answers):
            button.clicked.connect(partial(self._answer, number))
        self._card = Card("A question first")
        hide = LinkButton("Hide questions")
        hide.clicked.connect(lambda: self._ask(False))
        self._card.add_to_heading(hide)
        for part in (self._words, *self.answers, self._reply):
            self._card.body.addWidget(part)
        self._again = LinkButton("Ask questions first")
        self._again.clicked.connect(lambda: self._ask(True))
        in_column(self._card, self._again, inside=self)

    def show_question(self, question: Question | None) -> None:
        """Show a question; if it is already shown, keep the reply."""
        if question is not self._question:
            self._question = question
            self._reply.setText("")
        self._show()

    def _show(self) -> None:
        asks, question = self._settings.asks_questions, self._question
        self.setVisible(question is not None)
        self._card.setVisible(asks)
        self._again.setVisible(not asks)
        self._reply.setVisible(bool(self._reply.text()))
        if question is not None:
            self._words.setText(question.words)
            for button, answer in zip(self.answers, question.answers, strict=True):
                button.setText(answer)

    def _answer(self, number: int) -> None:
        if self._question is not None:
            self._reply.setText(self._question.reply(number))
            self._show()

    def _ask(self, asks: bool) -> None:
        self._settings.asks_questions = asks
        self._show()


class HallQuestion(QWidget):
    """Full-screen question for an audience, in place of a figure that gives away the answer.

    ``answered``: the answer with this index was chosen; ``hidden``: the user hid the questions.
    """

    answered = Signal(int)
    hidden = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = in_hall(label("", "strong", wrap=True), "value")
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.answers = [in_hall(Button(""), "answer") for _ in range(3)]
        for number, button in enumerate(self.answers):
            button.clicked.connect(partial(self._choose, number))
        hide = in_hall(LinkButton("Hide questions"), "quiet")
        hide.clicked.connect(self.hidden)
        column = in_column(
            STRETCH,
            self._words,
            *self.answers,
            in_row(STRETCH, hide, STRETCH),
            STRETCH,
            spacing=18,
        )
        in_row(STRETCH, (column, 3), STRETCH, inside=self)

    def ask(self, question: Question) -> None:
        """Show a question with its answers."""
        self._words.setText(question.words)
        for button, answer in zip(self.answers, question.answers, strict=True):
            button.setText(answer)

    def _choose(self, number: int) -> None:
        self.answered.emit(number)
