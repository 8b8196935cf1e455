"""The table of all lessons, in their order."""

from __future__ import annotations

from typing import Any

from eigenfaces.lessons.any_pictures import ANY_PICTURES
from eigenfaces.lessons.auto_encoder import AUTO_ENCODER
from eigenfaces.lessons.cannot_see import CANNOT_SEE
from eigenfaces.lessons.copies import COPIES
from eigenfaces.lessons.how_many import HOW_MANY
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.lessons.most_variance import MOST_VARIANCE
from eigenfaces.lessons.natural_images import NATURAL_IMAGES
from eigenfaces.lessons.noisy_line import LINE
from eigenfaces.lessons.rotation import ROTATION
from eigenfaces.lessons.scale import SCALE
from eigenfaces.lessons.seven_rows import TABLE
from eigenfaces.lessons.three_ways import THREE_WAYS
from eigenfaces.lessons.whitening import WHITENING
from eigenfaces.lessons.who_is_in import WHO_IS_IN
from eigenfaces.text import one_of

LESSONS: tuple[Lesson[Any, Any], ...] = (
    MOST_VARIANCE,
    ROTATION,
    LINE,
    TABLE,
    THREE_WAYS,
    HOW_MANY,
    SCALE,
    COPIES,
    WHITENING,
    NATURAL_IMAGES,
    AUTO_ENCODER,
    CANNOT_SEE,
    WHO_IS_IN,
    ANY_PICTURES,
)
"""By group."""


def lesson(name: str) -> Lesson[Any, Any]:
    """Return a lesson by its name; `EigenfacesError` if there is no such lesson.

    >>> lesson("variance").title
    'Most variance, least error'
    """
    known = {each.name: each for each in LESSONS}
    return known[one_of(known, name, "lesson")]
