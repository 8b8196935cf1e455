"""Lessons as notebooks: they are valid, they run, and they compute what the lesson shows."""

import contextlib
import io
import json
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
import pytest

import eigenfaces
from eigenfaces import FaceSet
from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.lessons.notebook import notebook
from eigenfaces.lessons.subjects import SUBJECTS, BuiltIn

FACES = slice(0, 120)  # twelve people: the listings are run on all 400 by test_every_lesson.py


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    before = mpl.get_backend()
    mpl.use("agg")
    yield
    plt.close("all")
    mpl.use(before)


@pytest.fixture(scope="module")
def fewer_faces(att: FaceSet) -> Iterator[None]:
    """Let the sample be smaller: its notebooks decompose all its faces once in each cell."""
    few = att.select(range(*FACES.indices(len(att))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eigenfaces, "load_sample", lambda: few)
        patch.setattr(BuiltIn, "make", BuiltIn.made_anew)  # none of them is kept for other tests
        yield


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda member: member.name)
@pytest.mark.usefixtures("fewer_faces")
def test_it_is_valid_holds_the_words_and_no_data_and_all_its_cells_run(lesson: Lesson[Any]) -> None:
    content = notebook(lesson)
    book = nbformat.reads(content, as_version=4)
    nbformat.validate(book)
    text = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    assert text.startswith(f"# {lesson.title}")
    assert "{" not in text, "all its words are filled in"
    assert len(content) < 20_000
    assert not any(cell.get("outputs") for cell in book.cells)

    names: dict[str, Any] = {}
    printed = dict[str, str]()
    for cell in (cell.source for cell in book.cells if cell.cell_type == "code"):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(cell, names)
        printed[cell] = said.getvalue()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(lesson.code(SUBJECTS[lesson.subjects[0]].make(0), lesson.default_settings), {})
    assert printed["lesson()"] == said.getvalue() != ""


def test_each_thing_to_try_is_a_line_of_the_program() -> None:
    cells = [cell["source"] for cell in json.loads(notebook(lesson("variance")))["cells"]]
    assert "lesson(unit_length=False)" in cells
