"""The output of ``--json``: a summary of a gallery, answers about photographs, promises.

The field names below are the keys, in this order. Scripts rely on them: do not change them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from eigenfaces.evaluation.calibration_report import Kept
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.verdict import NOT_CALIBRATED, Answer, promised
from eigenfaces.text import capital

SHARES = (0.90, 0.95, 0.99)
"""Shares of the variance for which the number of components is stated."""

RATIOS_SHOWN = 10

FACE_SPACE = "face space"


@dataclass(frozen=True)
class Person:
    """A person in the gallery, and the number of their photographs."""

    name: str
    photos: int


@dataclass(frozen=True)
class Overview:
    """The output of ``info --json``.

    Parameters
    ----------
    file
        The project file.
    photos, unnamed, excluded
        Numbers of photographs: all, without a name, and excluded from training.
    people
        All people, with their numbers of photographs.
    trained
        Whether there is a face space. If not, the next four are 0, 0 and empty.
    components, compared
        Components of the face space, and how many coordinates the recipe compares.
    explained_variance_ratio
        Of the first ten components.
    components_for
        Share of the variance ("0.90" …) → components needed; null if all of them keep less.
    preparation, recipe
        The saved values.
    changed_since_training
        Number of photographs added or removed; a changed recipe counts as one.
    missing
        Paths of photographs that are no longer on disk.
    strangers, calibrated
        The share of strangers that may be named at most, and whether the threshold for that is
        known as the gallery is now.
    compared_in
        Where those compared lie: "face space", or the recipe that has coordinates of its own.
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
    strangers: float
    calibrated: bool
    compared_in: str


def overview(gallery: Gallery, file: Path) -> Overview:
    """Return a summary of a gallery."""
    space = gallery.training.space if gallery.training else None
    ratios = space.variance_ratio[:RATIOS_SHOWN] if space else np.empty(0)
    photos = gallery.index.photos
    return Overview(
        file=str(file),
        photos=len(photos),
        unnamed=len(gallery.index.rows_of(None)),
        excluded=sum(photo.excluded for photo in photos),
        people=tuple(Person(p, len(gallery.index.rows_of(p))) for p in gallery.people),
        trained=space is not None,
        components=len(space) if space else 0,
        compared=gallery.k if space else 0,
        explained_variance_ratio=tuple(float(ratio) for ratio in ratios),
        components_for={f"{s:.2f}": space.fewest_for(s) for s in SHARES} if space else {},
        preparation=gallery.preparation,
        recipe=gallery.recipe,
        changed_since_training=gallery.changes,
        missing=tuple(str(photo.path) for photo in gallery.missing()),
        strangers=gallery.share,
        calibrated=gallery.calibrated is not None and not gallery.calibrated.reason,
        compared_in=_compared_in(gallery),
    )


def _compared_in(gallery: Gallery) -> str:
    training = gallery.training
    both = training is None or training.in_face_space
    return FACE_SPACE if both else gallery.compared_by.name


def answers_as_json(
    gallery: Gallery, answers: Sequence[Answer], skipped: Sequence[Skipped]
) -> dict[str, object]:
    """Return what is known of the gallery, and all answers."""
    calibration = gallery.calibrated
    reason = calibration.reason if calibration else NOT_CALIBRATED
    promise = promised(calibration.promise, gallery.share) if calibration else ""
    return {
        "calibrated": not reason,
        "note": reason or f"{capital(promise)}.",
        "distance": gallery.recipe.matcher.distance,
        "components": gallery.k,
        "recipe": gallery.recipe.name,
        "strangers": gallery.share,
        "answers": [asdict(each) for each in answers],
        "skipped": [{"photo": str(each.path), "reason": each.reason} for each in skipped],
    }


def kept_as_json(file: Path, gallery: Gallery, found: Kept) -> dict[str, object]:
    """Return what a calibration promises, and what held."""
    known = {"file": str(file), "recipe": gallery.recipe.name, "calibrated": not found.reason}
    return known | asdict(found)
