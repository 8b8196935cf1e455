"""Full-screen view of a lesson: one of its figures, the text of a step, and a slider."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Signal

from eigenfaces.lessons.catalogue import LABORATORY, LESSONS
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Question, Slide
from eigenfaces.text import with_minus
from ...state.settings import Settings
from ...style import theme
from ...widgets.controls import Segmented
from ...widgets.fields import Choice, DropDown
from ...widgets.hall import Hall, HallSlider
from .figure import DrawingView
from .question import HallQuestion
from .state import LessonState
from .words import filled

_FIGURES = ("Figure 1", "Figure 2")
_ACROSS, _PANEL = 620, 240  # px, the least width of a figure, and of a panel
_WAIT = "Getting ready…"


class LessonHall(Hall):
    """Full-screen view of a lesson. ``edited``: the user changed a setting with the slider."""

    edited = Signal(str, object)

    def __init__(self, settings: Settings) -> None:
        self.drawing = DrawingView()
        super().__init__(self.drawing, has_steps=True)
        self._settings = settings
        self._replies: dict[str, str] = {}  # to the question of each lesson; "" if it was skipped
        self.question = HallQuestion()
        self.question.answered.connect(self._answer)
        self.question.hidden.connect(self._hide_questions)
        self._state: LessonState | None = None
        self._picture: LessonPicture | None = None
        self._why = ""
        self._shown: tuple[object, ...] = ()  # the settings of the current slider
        self._chosen: dict[str, str] = {}  # for each lesson, the setting of the chosen slider
        self._choice = Segmented(_FIGURES, name="Lesson figure")
        self._choice.changed.connect(self._draw)
        self.corner.addWidget(self._choice)

    def show_lesson(self, state: LessonState, picture: LessonPicture | None, why: str) -> None:
        """Show a lesson with its picture, or the reason why there is none."""
        lesson, row = state.lesson, LESSONS.index(state.lesson)
        if self._state is not state:
            self._choice.set_current(0)
        self._state, self._picture, self._why = state, picture, why
        counted = [other for other in LESSONS if other.group != LABORATORY]
        place = f"{row + 1} of {len(counted)}" if lesson in counted else lesson.group
        self.show_title(lesson.title, place)
        number, last = len(lesson.steps), row + 1 == len(LESSONS)
        self.show_steps(
            number,
            state.step,
            first=row == state.step == 0,
            last=last and state.step + 1 == number,
        )
        if (question := self._asked()) is not None:
            self._ask(question)
            return
        words = filled(lesson.steps[state.step].words, {} if picture is None else picture.words)
        reply = "" if state.step else self._replies.get(lesson.name, "")
        self.show_words(f"<b>{escape(reply)}</b> {words}" if reply else words)
        self._show_slider()
        self.show_waiting("" if picture is not None else why or _WAIT)
        self._choice.setVisible(picture is not None and picture.lower is not None)
        self._draw()

    # The question

    def _asked(self) -> Question | None:
        """Return the question to ask before the first step; None if nothing is left to ask."""
        state = self._state
        if state is None or state.step or state.lesson.name in self._replies:
            return None
        return state.lesson.question if self._settings.asks_questions else None

    def _ask(self, question: Question) -> None:
        """Show the question in place of the figure, which would give away the answer."""
        self.question.ask(question)
        self.show_in_place(self.question)
        self._choice.hide()
        self.show_words("")
        self._shown = ()
        self.set_slider(None)
        self.setFocus()  # so that Space gives no answer

    def _answer(self, number: int) -> None:
        """Show the reply to an answer, together with the figure."""
        if (question := self._asked()) is not None:
            self._go_on(question.reply(number))

    def pass_over(self) -> bool:
        """Skip the question and show the figure; return False if there is no question."""
        if self._asked() is None:
            return False
        self._go_on("")
        return True

    def _hide_questions(self) -> None:
        self._go_on("")
        self._settings.asks_questions = False

    def _go_on(self, reply: str) -> None:
        assert self._state is not None
        self._replies[self._state.lesson.name] = reply
        self.show_lesson(self._state, self._picture, self._why)
        self.setFocus()

    def _draw(self) -> None:
        """Draw the chosen figure."""
        picture = self._picture
        if picture is None:
            return
        lower = picture.lower if self._choice.current else None
        drawing = lower or picture.upper
        self.drawing.show_drawing(drawing)
        across = max(_ACROSS, *(len(row) * _PANEL for row in drawing.rows))
        high = theme.pixels(sum(drawing.heights(across)))
        self.figure.set_room(QSize(theme.pixels(across), high))

    def _show_slider(self) -> None:
        """Show the chosen slider, or one for a setting of the step, or else the first slider."""
        state = self._state
        assert state is not None
        slides = {field.name: field for field in state.fields() if isinstance(field, Slide)}
        wished = [self._chosen.get(state.lesson.name, ""), *state.lesson.steps[state.step].settings]
        wished += [name for name, field in slides.items() if field.plays]
        name = next((name for name in [*wished, *slides] if name in slides), "")
        shown = (state.lesson, name, *(vars(field) for field in slides.values()))
        if shown != self._shown:
            self._shown = shown
            self.set_slider(self._slider_of(slides[name], slides) if name else None)
        if self.slider is not None:
            self.slider.setEnabled(state.is_ready)
            numbers = slides[name].numbers()
            self.slider.show_place(int(abs(numbers - state.settings[name]).argmin()))

    def _slider_of(self, field: Slide, slides: dict[str, Slide]) -> HallSlider:
        """Return the slider for a setting, with a drop-down for switching if there are several."""
        assert self._state is not None
        lesson, numbers, caption = self._state.lesson, field.numbers(), None
        if len(slides) > 1:
            choices = [Choice(other.label, name) for name, other in slides.items()]
            caption = DropDown("What the slider moves", choices)
            caption.show_value(field.name)
            caption.activated.connect(lambda: self._choose(lesson.name, caption.value()))

        def words(place: int) -> str:
            return with_minus(f"{numbers[place]:.6g}{field.unit}")

        slow = field.name in lesson.slow_settings
        last = len(numbers) - 1
        slider = HallSlider(field.label, last, words, slow=slow, caption=caption)
        slider.moved.connect(
            lambda place: self.edited.emit(field.name, field.checked(float(numbers[place])))
        )
        return slider

    def _choose(self, lesson: str, setting: str) -> None:
        self._chosen[lesson] = setting
        self._show_slider()
