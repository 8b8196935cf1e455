"""Lessons as notebooks: they are valid, they run, and they compute what the lesson shows."""

import contextlib
import io
import json
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
import pytest

from eigenfaces.lessons.catalogue import LESSONS
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.lessons.notebook import notebook
from eigenfaces.lessons.subjects import SUBJECTS


@pytest.fixture(autouse=True)
def no_window() -> Any:
    before = mpl.get_backend()
    mpl.use("agg")
    yield
    plt.close("all")
    mpl.use(before)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda member: member.name)
def test_it_is_valid_and_all_its_cells_run(lesson: Lesson[Any]) -> None:
    book = nbformat.reads(notebook(lesson), as_version=4)
    nbformat.validate(book)
    cells = [cell.source for cell in book.cells if cell.cell_type == "code"]
    names: dict[str, Any] = {}
    printed = dict[str, str]()
    for cell in cells:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(cell, names)
        printed[cell] = said.getvalue()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(lesson.code(SUBJECTS[lesson.subjects[0]].make(0), lesson.default_settings), {})
    assert printed["lesson()"] == said.getvalue() != ""


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda member: member.name)
def test_it_holds_the_words_of_the_lesson_and_no_data(lesson: Lesson[Any]) -> None:
    book = json.loads(notebook(lesson))
    text = "\n".join(cell["source"] for cell in book["cells"] if cell["cell_type"] == "markdown")
    assert text.startswith(f"# {lesson.title}")
    assert "{" not in text, "all its words are filled in"
    assert len(json.dumps(book)) < 20_000
    assert not any(cell.get("outputs") for cell in book["cells"])


def test_each_thing_to_try_is_a_line_of_the_program() -> None:
    variance = next(lesson for lesson in LESSONS if lesson.name == "variance")
    cells = [cell["source"] for cell in json.loads(notebook(variance))["cells"]]
    assert "lesson(unit_length=False)" in cells
