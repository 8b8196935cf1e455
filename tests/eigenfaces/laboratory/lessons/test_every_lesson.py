"""What holds for every lesson: its listing gives the numbers of its picture."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from eigenfaces.laboratory.lessons.catalogue import LESSONS
from eigenfaces.laboratory.lessons.lesson import Lesson, filled, plain
from eigenfaces.laboratory.lessons.subjects import SUBJECTS

KNOWN = [
    (lesson, key)
    for lesson in LESSONS
    # One subject of a lesson that is slow: t-SNE takes seconds, and for the digits a minute.
    for key in (lesson.subjects[:1] if lesson.slow else lesson.subjects)
    if key in SUBJECTS
]
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


@pytest.mark.parametrize(
    ("lesson", "key"), KNOWN, ids=[f"{lesson.name}-{key}" for lesson, key in KNOWN]
)
def test_the_listing_gives_the_numbers_of_the_picture(
    lesson: Lesson[Any, Any], key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the settings to begin with, and with those of each suggestion."""
    subject = SUBJECTS[key].make(0)
    ready = lesson.prepare(subject, lambda done, total: None)
    chosen = [lesson.settings, *(each.apply(ready, lesson.settings) for each in lesson.suggestions)]
    for settings in chosen:
        picture = lesson.picture(lesson.renewed(ready, settings), settings)
        found: dict[str, Any] = {}
        exec(lesson.code(subject, settings), found)
        assert picture.numbers
        for name, shown in picture.numbers.items():
            # A face space is fitted in single precision.
            np.testing.assert_allclose(found[name], shown, rtol=1e-6, atol=5e-7, err_msg=name)
    assert capsys.readouterr().out  # it says what it found


@every_lesson
def test_a_listing_is_short(lesson: Lesson[Any, Any]) -> None:
    lines = lesson.listing.splitlines()
    assert not any(line.endswith("\\") for line in lines)
    assert 5 <= len(lines) <= 20
    assert max(map(len, lines)) <= 88


@every_lesson
def test_there_is_a_control_for_each_setting(lesson: Lesson[Any, Any]) -> None:
    assert {each.name for each in lesson.controls} == {
        each.name for each in fields(lesson.settings)
    }
    for control in lesson.controls:
        assert control.checked(getattr(lesson.settings, control.name)) == getattr(
            lesson.settings, control.name
        )


@pytest.mark.parametrize(
    ("lesson", "key"), KNOWN, ids=[f"{lesson.name}-{key}" for lesson, key in KNOWN]
)
def test_controls_for_a_subject_are_some_of_all(lesson: Lesson[Any, Any], key: str) -> None:
    ready = lesson.prepare(SUBJECTS[key].make(0), lambda done, total: None)
    fitted = [each.name for each in lesson.controls_for(ready)]
    assert set(fitted) <= {each.name for each in lesson.controls}


@every_lesson
def test_all_words_are_there(lesson: Lesson[Any, Any]) -> None:
    assert len(lesson.see) == 3
    assert 2 <= len(lesson.tries) <= 4
    subject = SUBJECTS[lesson.subjects[0]].make(0)
    picture = lesson.show(subject)
    for text in (*lesson.see, lesson.why, *lesson.tries, lesson.formula):
        assert not set("<>{}") & set(plain(filled(text, picture.words))), text


def test_names_are_unique() -> None:
    assert len({lesson.name for lesson in LESSONS}) == len(LESSONS)
