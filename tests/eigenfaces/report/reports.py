"""Records to write reports of, small enough to be made in a moment."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from eigenfaces import FaceSet, Preparation, Recipe
from eigenfaces.evaluation.protocols import Pairs, Protocol
from eigenfaces.evaluation.records import Record, Setting, Source
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import PhotoIndex

AWKWARD = ("<b>Zoë & Co</b>", "李小龙", "ليلى", "Anna $x_1$ Lee", "#1", 'O’Neil "Q"', "Anna Lee")
"""Names that would break a page, a figure or a line of scores."""


def similar(count: int, photos: int = 4, names: tuple[str, ...] = AWKWARD) -> FaceSet:
    """Return people who are hard to tell apart, the first of them with awkward names."""
    rng = np.random.default_rng(7)
    # Faces are given as they would be kept, in rows, and so small that differences are few.
    centres = 0.5 + 0.12 * rng.uniform(-1, 1, (count, 1, 16, 16))
    noise = 0.3 * rng.uniform(-1, 1, (count, photos, 16, 16))
    images = (centres + noise).reshape(-1, 16, 16)
    all_names = [*names[:count], *(f"Person {i}" for i in range(len(names), count))]
    return FaceSet.from_arrays(images, [name for name in all_names for _ in range(photos)])


def record_of(
    faces: FaceSet,
    protocol: Protocol,
    recipe: Recipe | None = None,
    *,
    source: Source | None = None,
) -> Record:
    """Evaluate faces, and return what a report is written of."""
    setting = Setting(recipe or Recipe.of(components=0.9), protocol)
    preparation = Preparation(16, 16, already_cropped=True)
    return Record(evaluate(faces, setting), preparation, source or Source("sample"))


def paired() -> Record:
    """Return a record of three sets of six pairs, each of two of six people."""
    sets = []
    for a in (0, 2, 4):
        ours, theirs = ([str(4 * who + 1 + photo) for photo in range(4)] for who in (a, a + 1))
        mated = [(ours[0], ours[3]), (theirs[0], theirs[2]), (theirs[1], theirs[2])]
        sets.append((*mated, (ours[0], theirs[1]), (ours[1], theirs[1]), (theirs[0], ours[0])))
    return record_of(similar(6), Pairs(tuple(sets)))


def at(faces: FaceSet, paths: Iterable[Path]) -> FaceSet:
    """Return faces whose photographs lie elsewhere."""
    both = zip(faces.index.photos, paths, strict=True)
    photos = tuple(replace(photo, path=path) for photo, path in both)
    return FaceSet(faces.pixels, faces.shape, PhotoIndex(photos))
