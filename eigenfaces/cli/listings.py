"""What a gallery holds and what was answered, as plain values: the keys of ``--json``.

The field names below are the keys, in this order; they are part of the command line's promise.
"""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from eigenfaces.attention import Concern, concerns
from eigenfaces.errors import EigenfacesError
from eigenfaces.gallery import Gallery
from eigenfaces.photos import Skipped
from eigenfaces.preparation import Preparation
from eigenfaces.recipes import Recipe
from eigenfaces.recognition import NOT_CALIBRATED, Match, Verdict
from eigenfaces.sighting import Sighting

SHARES = (0.90, 0.95, 0.99)
"""Shares of the variance for which the number of components is stated."""

RATIOS_SHOWN = 10

CSV_COLUMNS = (
    "photo",
    "face",
    "rank",
    "person",
    "distance_in",
    "votes",
    "nearest_photo",
    "distance_from",
    "in_gallery",
)


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


@dataclass(frozen=True)
class Candidate:
    """One line of a ranking: a person, the distance in face space, the nearest photograph."""

    rank: int
    person: str
    distance: float
    votes: int
    nearest_photo: str


@dataclass(frozen=True)
class Answer:
    """What ``recognise --json`` says of one face.

    ``face`` is its number among the ``faces`` of the photograph, from left to right; ``box`` where
    it lies (left, top, size; pixels), None if the whole photograph is the face; ``concerns`` is
    what about it needs attention. ``distance_in`` and ``distance_from`` are the distances in and
    from face space; ``in_gallery`` is true where the gallery holds this face of the very same file,
    and ``filed_as`` is then its person.
    """

    photo: str
    face: int
    faces: int
    box: tuple[float, float, float] | None
    concerns: tuple[Concern, ...]
    closest: str
    distance_in: float
    distance_from: float
    in_gallery: bool
    filed_as: str | None
    sentence: str
    ranking: tuple[Candidate, ...]


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


def answer(gallery: Gallery, probe: Sighting, verdict: Verdict, *, number: int, top: int) -> Answer:
    """Put one verdict into words and values, the ``top`` people in its ranking."""
    row = _row_of(gallery, probe)
    return Answer(
        photo=str(probe.photo.path),
        face=number,
        faces=max(1, len(probe.faces)),
        box=_box(probe),
        concerns=concerns(probe, gallery.preparation),
        closest=verdict.closest.person,
        distance_in=verdict.closest.distance,
        distance_from=verdict.distance_from,
        in_gallery=row is not None,
        filed_as=None if row is None else gallery.faces.photos[row].person,
        sentence=verdict.sentence(),
        ranking=tuple(
            _candidate(gallery, place + 1, match)
            for place, match in enumerate(verdict.ranking[:top])
        ),
    )


def _row_of(gallery: Gallery, probe: Sighting) -> int | None:
    """Return the row of the very same face; of its photograph, another face may be enrolled."""
    row = gallery.row_of(probe.key)
    if row is None or probe.photo.placement is None:
        return row
    enrolled, asked = gallery.faces.photos[row].placement.eyes, probe.photo.placement.eyes
    if enrolled is None or asked is None:
        return row
    return row if abs(enrolled.middle - asked.middle) < enrolled.distance else None


def _box(sighting: Sighting) -> tuple[float, float, float] | None:
    """Return left, top and size of a face in tenths of a pixel; None of a whole photograph."""
    placement = sighting.photo.placement
    if placement is None or placement.eyes is None:
        return None
    left, top, size = placement.eyes.box
    return round(left, 1), round(top, 1), round(size, 1)


def _candidate(gallery: Gallery, rank: int, match: Match) -> Candidate:
    nearest = str(gallery.faces.photos[match.row].path)
    return Candidate(rank, match.person, match.distance, match.votes, nearest)


def overview_json(summary: Overview) -> str:
    """Return the keys of `Overview`."""
    return _json(asdict(summary))


def answers_json(gallery: Gallery, answers: Sequence[Answer], skipped: Sequence[Skipped]) -> str:
    """Return ``calibrated``, ``note``, ``distance``, ``components``, ``answers``, ``skipped``."""
    return _json(
        {
            "calibrated": False,
            "note": NOT_CALIBRATED,
            "distance": gallery.recipe.distance,
            "components": gallery.k,
            "answers": [asdict(each) for each in answers],
            "skipped": [{"photo": str(each.path), "reason": each.reason} for each in skipped],
        }
    )


def answers_csv(answers: Sequence[Answer]) -> str:
    """Return a line for each candidate of each photograph, under a heading."""
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(CSV_COLUMNS)
    for each in answers:
        for one in each.ranking:
            in_space = (one.rank, one.person, one.distance, one.votes, one.nearest_photo)
            in_gallery = str(each.in_gallery).lower()
            table.writerow((each.photo, each.face, *in_space, each.distance_from, in_gallery))
    return page.getvalue()


def _json(content: dict[str, object]) -> str:
    try:
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)
    except ValueError:
        raise EigenfacesError(
            "Some distances are not finite numbers, so they cannot be written as JSON."
        ) from None
