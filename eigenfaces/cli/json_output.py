"""What a gallery holds, as plain values, and answers: the keys of ``--json``.

The field names below are the keys, in this order; they are part of the command line's promise.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Answer
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.verdict import NOT_CALIBRATED

SHARES = (0.90, 0.95, 0.99)
"""Shares of the variance for which the number of components is stated."""

RATIOS_SHOWN = 10


@dataclass(frozen=True)
class Person:
    """Somebody in the gallery, and how many photographs show them."""

    name: str
    photos: int


@dataclass(frozen=True)
class Overview:
    """What ``info --json`` says.

    Parameters
    ----------
    file
        The project file.
    photos, unnamed, excluded
        Photographs; how many of them belong to nobody; how many are kept out of training.
    people
        Everybody, with their number of photographs.
    trained
        Whether there is a face space; without one the next four are 0, 0 and empty.
    components, compared
        Components of the face space, and how many of them the recipe compares.
    explained_variance_ratio
        Of the first ten components.
    components_for
        Share of the variance ("0.90" …) → components needed, or null where the kept ones hold less.
    preparation, recipe
        The saved values.
    changed_since_training
        Photographs that came or went; a changed recipe counts as one.
    missing
        Paths of photographs that are no longer on disk.
    """

    file: str
    photos: int
    unnamed: int
    excluded: int
    people: tuple[Person, ...]
    trained: bool
    components: int
    compared: int
    explained_variance_ratio: tuple[float, ...]
    components_for: dict[str, int | None]
    preparation: Preparation
    recipe: Recipe
    changed_since_training: int
    missing: tuple[str, ...]


def overview(gallery: Gallery, file: Path) -> Overview:
    """Sum up a gallery."""
    space = gallery.training.space if gallery.training else None
    ratios = space.variance_ratio[:RATIOS_SHOWN] if space else np.empty(0)
    photos = gallery.faces.photos
    return Overview(
        file=str(file),
        photos=len(photos),
        unnamed=len(gallery.faces.rows_of(None)),
        excluded=sum(photo.excluded for photo in photos),
        people=tuple(Person(p, len(gallery.faces.rows_of(p))) for p in gallery.people),
        trained=space is not None,
        components=len(space) if space else 0,
        compared=gallery.k if space else 0,
        explained_variance_ratio=tuple(float(ratio) for ratio in ratios),
        components_for={f"{s:.2f}": space.fewest_for(s) for s in SHARES} if space else {},
        preparation=gallery.preparation,
        recipe=gallery.recipe,
        changed_since_training=gallery.changes,
        missing=tuple(str(photo.path) for photo in gallery.missing()),
    )


def answers_as_json(
    gallery: Gallery, answers: Sequence[Answer], skipped: Sequence[Skipped]
) -> dict[str, object]:
    """Return ``calibrated``, ``note``, ``distance``, ``components``, ``answers``, ``skipped``."""
    return {
        "calibrated": False,
        "note": NOT_CALIBRATED,
        "distance": gallery.recipe.distance,
        "components": gallery.k,
        "answers": [asdict(each) for each in answers],
        "skipped": [{"photo": str(each.path), "reason": each.reason} for each in skipped],
    }
