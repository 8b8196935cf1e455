"""What is handed out of lessons: pages with all their words; questions with and without answers."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from matplotlib.figure import Figure

from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson, without_markup
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.report import handout

NAMES = ("table", "copies")


@cache
def shown(name: str) -> tuple[Lesson[Any], LessonPicture]:
    chosen = lesson(name)
    return chosen, chosen.show(SUBJECTS[chosen.subjects[0]].make(0))


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The pages of the file that is made, before it is written."""
    kept = list[Figure]()
    written = handout._pdf

    def keep(figures: Iterator[Figure]) -> bytes:
        kept[:] = figures
        return written(iter(kept))

    monkeypatch.setattr(handout, "_pdf", keep)
    return kept


def words_of(page: Figure) -> str:
    return " ".join(" ".join(text.get_text() for text in page.texts).split())


def test_a_page_has_all_the_words_of_a_lesson_and_its_program_inside(pages: list[Figure]) -> None:
    content = handout.booklet(map(shown, NAMES))
    assert len(re.findall(rb"/Type /Page\b", content)) == len(pages) == 2
    for page, (chosen, picture) in zip(pages, map(shown, NAMES), strict=True):
        steps = [step.words for step in chosen.steps]
        words = [
            without_markup(text.format_map(picture.words))
            for text in (*chosen.see, chosen.formula, chosen.why, *steps)
        ]
        subject = SUBJECTS[chosen.subjects[0]].make(0)
        words += [chosen.title, chosen.code(subject, chosen.default_settings)]
        for text in words:
            assert " ".join(text.split()) in words_of(page), text
        width, height = page.bbox.width, page.bbox.height
        for part in page.texts:
            box = part.get_window_extent()
            assert 0 < box.x0 < box.x1 < width - 10, part
            assert 10 < box.y0 < box.y1 < height, part
        boxes = [part.get_window_extent() for part in page.texts]
        for upper, lower in pairwise(boxes):
            assert upper.x0 != lower.x0 or lower.y1 < upper.y0, "no line is over another"
    assert content == handout.booklet(map(shown, NAMES))


def test_what_to_try_is_below_a_figure_that_leaves_room(pages: list[Figure]) -> None:
    handout.booklet(map(shown, NAMES))
    low, tall = (
        next(part.get_window_extent() for part in page.texts if part.get_text() == "What to try")
        for page in pages
    )
    lowest = min(axes.get_window_extent().y0 for axes in pages[0].axes)
    assert low.x0 < 50 < low.y1 < lowest
    assert tall.x0 > 500


def test_the_sheet_for_students_marks_no_answer(pages: list[Figure]) -> None:
    asked = [member.question for member in LESSONS if member.question is not None]
    handout.question_sheet()
    text = " ".join(map(words_of, pages))
    assert text.count("☐") == 3 * len(asked)
    assert "☒" not in text
    for question in asked:
        for words in (question.words, *question.answers):
            assert words in text


def test_the_sheet_with_answers_marks_the_right_one_and_says_why(pages: list[Figure]) -> None:
    handout.answer_sheet(map(shown, NAMES))
    text = " ".join(map(words_of, pages))
    assert (text.count("☐"), text.count("☒")) == (4, 2)
    for chosen, picture in map(shown, NAMES):
        assert chosen.question is not None
        assert f"☒ {chosen.question.answers[chosen.question.right]}" in text
        assert without_markup(chosen.see[0].format_map(picture.words)) in text
