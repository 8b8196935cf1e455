"""Rows of numbers as pictures, for the lessons that need an image set."""

from __future__ import annotations

import numpy as np

from eigenfaces.arrays import Doubles
from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.drawing import PicturesPanel
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.subjects import Subject


def pictures_of(subject: Subject) -> ImageSet:
    """Return the subject, which has to be an image set."""
    if not isinstance(subject, ImageSet):
        raise EigenfacesError("This lesson is about pictures: choose digits or a gallery for it.")
    return subject


def directions(
    rows: Doubles, shape: tuple[int, ...], *, title: str, words: tuple[str, ...]
) -> PicturesPanel:
    """Return directions (k, d) as pictures in one row, zero in white; in colour, in mid-grey."""
    coloured = len(shape) == 3
    if coloured:
        largest = np.abs(rows).max(axis=1, keepdims=True)
        rows = 0.5 + 0.5 * rows / np.where(largest > 0, largest, 1)
    return PicturesPanel(
        title=title,
        pictures=rows.reshape(-1, *shape),
        across=len(rows),
        signed=not coloured,
        words=words,
    )
