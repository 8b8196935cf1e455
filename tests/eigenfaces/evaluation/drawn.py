"""Faces, folds and searches drawn at random, and the plainest way of doing what folds do."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    Fold,
    KFold,
    LeaveOneOut,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
)
from eigenfaces.evaluation.searches import Searches
from eigenfaces.recognition.verdict import Verdict, identify_all

EVERY: list[Protocol] = [LeaveOneOut(), KFold(3), NShot(1, 2), FirstPhotos(1), OpenSet(1, 0.4, 2)]
"""One of every kind that is drawn, for a few people with few photographs."""


def faces_of(
    rng: np.random.Generator,
    counts: Sequence[int],
    shape: tuple[int, int] = (9, 7),
    *,
    spread: float = 0.15,
    block: int = 1,
) -> FaceSet:
    """Return people with so many photographs each, in mixed order: clusters that overlap.

    Each of their pixels is shown as a square of ``block`` pixels.
    """
    of = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    centres = 0.5 + 0.2 * rng.uniform(-1, 1, (len(counts), *shape))
    images = centres[of] + spread * rng.uniform(-1, 1, (len(of), *shape))
    images = np.kron(np.clip(images, 0, 1), np.ones((1, block, block)))
    return FaceSet.from_arrays(images, [f"Person {i + 1}" for i in of])


def numbers_of(faces: FaceSet) -> NDArray[np.intp]:
    """Return who is on each face, numbered as in ``faces.index.people``."""
    places = {name: i for i, name in enumerate(faces.index.people)}
    return np.array([places[photo.person or ""] for photo in faces.index.photos])


def pairs_of(faces: FaceSet, sets: int = 3) -> Pairs:
    """Return neighbours in the order of people, and photographs apart, dealt into sets of pairs."""
    rows = np.argsort(numbers_of(faces), kind="stable").tolist()
    names = [faces.index.photos[row].path.as_posix() for row in rows]
    pairs = [*pairwise(names), *zip(names, names[5:], strict=False)]
    return Pairs(tuple(tuple(pairs[part::sets]) for part in range(sets)))


def verdicts(faces: FaceSet, fold: Fold, recipe: Recipe) -> list[Verdict]:
    """Search the probes of a fold in a gallery that is fitted and enrolled as the fold says."""
    preparation = Preparation(*faces.shape, already_cropped=True)
    fitted = Gallery(faces.select(fold.train), preparation, recipe).train().trained
    gallery = Gallery(faces.select(fold.gallery), preparation, recipe).adopt_training(fitted)
    return identify_all(gallery, faces.pixels[fold.probes])


def searches_of(
    distances: Sequence[Sequence[float]] | NDArray[np.float64],
    people: Sequence[int] | NDArray[np.intp],
    fold: Sequence[int] | None = None,
) -> Searches:
    """Make searches of a matrix of distances to people, by the plainest rule."""
    matrix, own = np.array(distances, float), np.array(people)
    order = np.argsort(matrix, axis=1, kind="stable")
    rows = np.arange(len(matrix))
    enrolled = np.isfinite(matrix[rows, own])
    ranks = np.where(enrolled, (order == own[:, None]).argmax(axis=1) + 1, 0)
    zeros = np.zeros(len(matrix), np.intp)
    return Searches(
        fold=zeros if fold is None else np.array(fold),
        probes=rows,
        people=own,
        distances=matrix,
        ranks=ranks,
        answers=order[:, 0],
        taken=zeros,
        should=np.where(enrolled, 0, -1),
    )
