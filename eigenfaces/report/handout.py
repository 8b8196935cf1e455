"""Handouts: a PDF with a page for each lesson, and sheets with the questions from all lessons.

Pages are 1.2 times as large as A4, so that a figure and its program fit side by side.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from eigenfaces.lessons.catalogue import LESSONS, numbered_title
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson, without_markup
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.report import figure as style
from eigenfaces.report.figure import ACCENT, BORDER, SECONDARY, TEXT
from eigenfaces.report.lesson_figure import BODY, draw, height_of, lay_out

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

Shown = tuple[Lesson[Any], LessonPicture]
"""A lesson and its picture."""

# lengths are in points
_LONG, _SHORT = 1.2 * 841.89, 1.2 * 595.28
_MARGIN, _GAP = 36.0, 22.0
_HEAD = 46.0  # the title, and the line of text below it
_ACROSS = (552.0, 500.0)  # widths of a figure, of which the first is preferred
_LINE = 1.22  # line spacing, as a multiple of the font size
_SPACING = 1.13  # the same for matplotlib, as a multiple of the height of “lp”
_PROSE, _MONO = 0.535, 0.603  # average letter widths, as multiples of the font size
_CODE, _ASKED = 7.5, 10.5  # font sizes of a program with short lines, and of a question
_SIZES = (10.5, 9.5, BODY, 7.5)  # font sizes of the text: the largest that fits is used
_QUESTIONS, _WITH_ANSWERS = 8, 6  # the most questions on a page


def booklet(shown: Iterable[Shown]) -> bytes:
    """Return a PDF with a page for each lesson: figure, text, formula and program.

    The same lessons always give the same bytes.
    """
    with style.styled("lesson"):
        return _pdf(_lesson_page(lesson, picture) for lesson, picture in shown)


def question_sheet() -> bytes:
    """Return a PDF with the question from each lesson and its three answers, left unmarked."""
    with style.styled("lesson"):
        return _pdf(_sheets("Questions", [(lesson, None) for lesson in LESSONS]))


def answer_sheet(shown: Iterable[Shown]) -> bytes:
    """Return a PDF with all questions, in which the right answers are marked and explained."""
    with style.styled("lesson"):
        return _pdf(_sheets("Questions and answers", [*shown]))


def _pdf(figures: Iterator[Figure]) -> bytes:
    from matplotlib.backends.backend_pdf import PdfPages

    content = io.BytesIO()
    with PdfPages(content, metadata=style.OMITTED_METADATA["pdf"]) as pages:
        for figure in figures:
            pages.savefig(figure)
    return content.getvalue()


def _lesson_page(lesson: Lesson[Any], picture: LessonPicture) -> Figure:
    """Return a page with the figure on the left, and the text and the program on the right.

    “What to try” is placed below the figure if it fits, and so is “What you see” if both fit.
    """
    from matplotlib.figure import Figure

    room = _SHORT - 2 * _MARGIN - _HEAD
    for size, wide, moved in product(_SIZES, _ACROSS, (2, 1, 0)):
        page = Figure((_LONG / 72, _SHORT / 72), dpi=72)
        tall = min(room, height_of(picture, wide))
        below = _Column(page, _MARGIN, _MARGIN + room - tall, _MARGIN + wide)
        beside = _Column(page, _MARGIN + wide + _GAP, _MARGIN + room, _LONG - _MARGIN)
        seen, tried = below if moved == 2 else beside, below if moved else beside
        _explain(seen, beside, tried, lesson, picture, size)
        if beside.top >= _MARGIN and (not moved or below.top >= _MARGIN):
            break
    _head(page, numbered_title(lesson), f"{lesson.line}.")
    across = _MARGIN, wide, _LONG - _MARGIN - wide
    down = _MARGIN + _HEAD, tall, room - tall + _MARGIN
    grid = page.add_gridspec(3, 3, width_ratios=across, height_ratios=down)
    draw(page.add_subfigure(grid[1, 1]), picture, wide=False)
    lay_out(page)
    return page


def _explain(
    seen: _Column,
    beside: _Column,
    tried: _Column,
    lesson: Lesson[Any],
    picture: LessonPicture,
    size: float,
) -> None:
    """Write “What you see”, “Formula”, “What to try” and “NumPy”. ``size`` is the font size."""
    seen.heading("What you see", size)
    for number, sentence in enumerate(lesson.see):
        seen.write(_filled(sentence, picture), size, gap=3 * bool(number))
    beside.heading("Formula", size)
    beside.write(_filled(lesson.formula, picture), 1.3 * size, color=ACCENT)
    beside.write(_filled(lesson.why, picture), size, gap=4)
    tried.heading("What to try", size)
    for number, step in enumerate(lesson.steps, start=1):
        tried.write(f"{number}. {_filled(step.words, picture)}", size)
    subject = SUBJECTS[lesson.subjects[0]].make(0)
    beside.heading("NumPy", size)
    beside.program(lesson.code(subject, lesson.default_settings))


def _sheets(
    title: str, shown: Sequence[tuple[Lesson[Any], LessonPicture | None]]
) -> Iterator[Figure]:
    """Yield portrait pages over which the questions are spread evenly."""
    from matplotlib.figure import Figure

    asked = [(lesson, picture) for lesson, picture in shown if lesson.question is not None]
    most = _WITH_ANSWERS if any(picture is not None for _, picture in asked) else _QUESTIONS
    each = math.ceil(len(asked) / math.ceil(len(asked) / most))
    room = (_LONG - 2 * _MARGIN - _HEAD) / each
    for first in range(0, len(asked), each):
        page = Figure((_SHORT / 72, _LONG / 72), dpi=72)
        _head(page, title, "One of three answers is right.")
        for place, (lesson, picture) in enumerate(asked[first : first + each]):
            top = _LONG - _MARGIN - _HEAD - place * room
            _question(_Column(page, _MARGIN, top, _SHORT - _MARGIN), lesson, picture)
        yield page


def _question(column: _Column, lesson: Lesson[Any], picture: LessonPicture | None) -> None:
    """Write a question and its answers. Given a picture, mark and explain the right answer."""
    question = lesson.question
    assert question is not None
    column.heading(numbered_title(lesson), BODY)
    column.write(question.words, _ASKED, gap=2)
    for number, answer in enumerate(question.answers):
        if picture is not None and number == question.right:
            column.write(f"☒  {answer}", _ASKED, gap=4, weight="bold", color=ACCENT)
        else:
            column.write(f"☐  {answer}", _ASKED, gap=4)
    if picture is not None:
        reason = " ".join(_filled(sentence, picture) for sentence in lesson.see)
        column.write(reason, BODY, gap=5, color=SECONDARY)


def _filled(text: str, picture: LessonPicture) -> str:
    """Return a text from a lesson without mark-up, with the words from its picture filled in."""
    return without_markup(text.format_map(picture.words))


def _head(page: Figure, title: str, line: str) -> None:
    """Write the title of a page, with a line of text below it."""
    column = _Column(page, _MARGIN, page.bbox.height - _MARGIN, page.bbox.width - _MARGIN)
    column.write(title, 17, weight="bold")
    column.write(line, 10, gap=2, color=SECONDARY)


class _Column:
    """Column of text from ``left`` to ``right`` (in points), filled from the ``top`` down."""

    def __init__(self, page: Figure, left: float, top: float, right: float) -> None:
        self.page, self.left, self.top, self.right = page, left, top, right

    def heading(self, words: str, size: float) -> None:
        """Write a heading, with a line above it."""
        self.top -= 9
        ends = [self.left / self.page.bbox.width, self.right / self.page.bbox.width]
        self.page.add_artist(_line(ends, self.top / self.page.bbox.height))
        self.write(words, size, gap=5, weight="bold")
        self.top -= 2

    def write(self, words: str, size: float, *, gap: float = 0, **look: Any) -> None:
        """Write a paragraph."""
        lines = textwrap.wrap(words, int((self.right - self.left) / (_PROSE * size)))
        self._put(lines, size, gap, look)

    def program(self, code: str) -> None:
        """Write a program without wrapping, in a font small enough for its longest line to fit."""
        lines = code.rstrip().splitlines()
        size = min(_CODE, (self.right - self.left) / (_MONO * max(map(len, lines))))
        self._put(lines, size, 0, {"family": "DejaVu Sans Mono"})

    def _put(self, lines: Sequence[str], size: float, gap: float, look: dict[str, Any]) -> None:
        self.top -= gap
        at = self.left / self.page.bbox.width, self.top / self.page.bbox.height
        usual: dict[str, Any] = {"color": TEXT, "va": "top", "linespacing": _SPACING}
        self.page.text(*at, "\n".join(lines), size=size, **usual | look)
        self.top -= _LINE * size * len(lines)


def _line(ends: Sequence[float], height: float) -> Line2D:
    from matplotlib.lines import Line2D

    return Line2D(ends, [height, height], color=BORDER, linewidth=0.8)
