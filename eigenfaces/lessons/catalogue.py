"""The table of all lessons, in their order, by group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eigenfaces.errors import Tick, no_tick
from eigenfaces.lessons import (
    any_pictures,
    auto_encoder,
    cannot_see,
    cannot_stand,
    copies,
    how_many,
    most_variance,
    natural_images,
    noisy_line,
    rotation,
    scale,
    sees_faces,
    seven_rows,
    three_ways,
    whitening,
    who_is_in,
)
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.text import parse_name

LESSONS: tuple[Lesson[Any], ...] = (
    *(most_variance.LESSON, rotation.LESSON, noisy_line.LESSON, seven_rows.LESSON),
    *(three_ways.LESSON, how_many.LESSON),
    *(scale.LESSON, copies.LESSON, whitening.LESSON, natural_images.LESSON),
    *(auto_encoder.LESSON, cannot_see.LESSON, who_is_in.LESSON),
    *(cannot_stand.LESSON, sees_faces.LESSON),
    any_pictures.LESSON,
)
"""A row for each group: directions, numbers, scale, limits (two rows), pictures."""


def lesson(name: str) -> Lesson[Any]:
    """Return a lesson by its name; `EigenfacesError` if there is no such lesson.

    >>> lesson("variance").title
    'Most variance, least error'
    """
    lessons = {lesson.name: lesson for lesson in LESSONS}
    return lessons[parse_name(lessons, name, "lesson")]


def every_picture(tick: Tick = no_tick) -> Iterator[LessonPicture]:
    """Yield the picture of each lesson, on its first subject and as it is at first."""
    for number, lesson in enumerate(LESSONS):
        tick(number, len(LESSONS))
        yield lesson.show(SUBJECTS[lesson.subjects[0]].make(0))
