"""Rows of numbers as pictures, for the lessons that need an image set."""

from __future__ import annotations

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
    """Return directions (k, d) as signed pictures in one row."""
    return PicturesPanel(
        title=title,
        pictures=rows.reshape(-1, *shape),
        across=len(rows),
        signed=True,
        words=words,
    )
