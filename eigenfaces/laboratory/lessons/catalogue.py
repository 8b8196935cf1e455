"""The table of all lessons, in their order."""

from __future__ import annotations

from typing import Any

from eigenfaces.laboratory.lessons.any_pictures import ANY_PICTURES
from eigenfaces.laboratory.lessons.auto_encoder import AUTO_ENCODER
from eigenfaces.laboratory.lessons.cannot_see import CANNOT_SEE
from eigenfaces.laboratory.lessons.copies import COPIES
from eigenfaces.laboratory.lessons.how_many import HOW_MANY
from eigenfaces.laboratory.lessons.lesson import Lesson
from eigenfaces.laboratory.lessons.most_variance import MOST_VARIANCE
from eigenfaces.laboratory.lessons.natural_images import NATURAL_IMAGES
from eigenfaces.laboratory.lessons.noisy_line import LINE
from eigenfaces.laboratory.lessons.rotation import ROTATION
from eigenfaces.laboratory.lessons.scale import SCALE
from eigenfaces.laboratory.lessons.seven_rows import TABLE
from eigenfaces.laboratory.lessons.three_ways import THREE_WAYS
from eigenfaces.laboratory.lessons.whitening import WHITENING
from eigenfaces.laboratory.lessons.who_is_in import WHO_IS_IN
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
