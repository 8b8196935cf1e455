"""Table of all lessons, in order and by group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eigenfaces.errors import Tick, no_tick
from eigenfaces.lessons import (
    any_pictures,
    auto_encoder,
    component_count,
    faceness_map,
    few_numbers,
    linear_limits,
    most_variance,
    natural_images,
    noisy_line,
    own_table,
    pca_algorithms,
    redundant_features,
    repeated_feature,
    robustness,
    rotation,
    scale,
    training_population,
    whitening,
)
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.text import parse_name

_GROUPS = (
    (few_numbers,),  # faces
    (most_variance, rotation, noisy_line, redundant_features),  # directions
    (pca_algorithms, component_count),  # numbers
    (scale, repeated_feature, whitening, natural_images),  # scale
    (auto_encoder, linear_limits, training_population, robustness, faceness_map),  # limits
    (any_pictures, own_table),  # the laboratory
)
LABORATORY = "Laboratory"
"""Group of lessons for experiments with arbitrary pictures or tables. They are not numbered."""

LESSONS: tuple[Lesson[Any], ...] = tuple(part.LESSON for group in _GROUPS for part in group)


def lesson(name: str) -> Lesson[Any]:
    """Return the lesson with the given name.

    Parameters
    ----------
    name
        The name as typed on the command line. Case does not matter.

    Returns
    -------
    Lesson
        The lesson with this name.

    Raises
    ------
    EigenfacesError
        There is no such lesson. The message lists all lessons.

    Examples
    --------
    >>> lesson("variance").title
    'Most variance, least error'
    """
    lessons = {lesson.name: lesson for lesson in LESSONS}
    return lessons[parse_name(lessons, name, "lesson")]


def numbered_title(lesson: Lesson[Any]) -> str:
    """Return a lesson's title, preceded by its number unless it belongs to the laboratory.

    >>> numbered_title(LESSONS[1])
    '2 · Most variance, least error'
    """
    counted = lesson.group != LABORATORY
    return f"{LESSONS.index(lesson) + 1} · {lesson.title}" if counted else lesson.title


def every_picture(tick: Tick = no_tick) -> Iterator[tuple[Lesson[Any], LessonPicture]]:
    """Yield every lesson with its picture for the first subject and the default settings."""
    for number, lesson in enumerate(LESSONS):
        tick(number, len(LESSONS))
        yield lesson, lesson.show(SUBJECTS[lesson.subjects[0]].make(0))
