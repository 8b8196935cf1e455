"""Records to write reports of, small enough to be made in a moment."""

import numpy as np

from eigenfaces import FaceSet, Preparation, Recipe
from eigenfaces.evaluation.protocols import Protocol
from eigenfaces.evaluation.records import Record, Setting, Source
from eigenfaces.evaluation.run import evaluate

AWKWARD = ("<b>Zoë & Co</b>", "李小龙", "ليلى", "Anna $x_1$ Lee", "#1", 'O’Neil "Q"', "Anna Lee")
"""Names that would break a page, a figure or a line of scores."""


def similar(count: int, photos: int = 4, names: tuple[str, ...] = AWKWARD) -> FaceSet:
    """Return people who are hard to tell apart, the first of them with awkward names."""
    rng = np.random.default_rng(7)
    # Faces are given as they would be kept, in rows, and so small that differences are few.
    centres = 0.5 + 0.12 * rng.uniform(-1, 1, (count, 1, 16, 16))
    noise = 0.3 * rng.uniform(-1, 1, (count, photos, 16, 16))
    images = (centres + noise).reshape(-1, 16, 16)
    said = [*names[:count], *(f"Person {i}" for i in range(len(names), count))]
    return FaceSet.from_arrays(images, [name for name in said for _ in range(photos)])


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
