"""A verdict in words and values, as the terminal prints it and tables have it.

The fields of `Answer` are the keys of ``recognise --json``, in this order. Scripts rely on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from eigenfaces.faces.quality import Concern
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe, removed_after_training, row_of
from eigenfaces.recognition.verdict import Kind, Verdict
from eigenfaces.text import as_table

TOP = 3
"""How many people an answer ranks, if nothing else is said."""

COLUMNS = (
    "photo",
    "face",
    "rank",
    "person",
    "distance_in",
    "votes",
    "nearest_photo",
    "distance_from",
    "in_gallery",
    "verdict",
    "named",
    "probability",
    "threshold",
    "left_over",
    "left_over_limit",
    "recipe",
)
"""Of the table of answers, a line a candidate."""


@dataclass(frozen=True)
class Caution:
    """A reason why a verdict is less reliable than it seems.

    The probe is one of the faces that it is compared with (``itself``), is in the gallery without
    being compared (``not compared``), or took part in the training (``fitted``).
    """

    kind: Literal["itself", "not compared", "fitted"]
    sentence: str


@dataclass(frozen=True)
class RankedPerson:
    """One line of a ranking: a person, the distance in face space, the nearest photograph."""

    rank: int
    person: str
    distance: float
    votes: int
    nearest_photo: str


@dataclass(frozen=True)
class Answer:
    """The answer for a probe, in words and values.

    ``face`` is its number among the ``faces`` of the photograph, from left to right; ``box`` its
    position (left, top, size; pixels), None if the whole photograph is the face; ``concerns`` what
    needs attention in the photograph, ``cautions`` in the verdict. ``distance_in`` and
    ``distance_from`` are the distances in and from face space, rounded to meaningful digits;
    ``in_gallery`` is true if the gallery has this face of the same file, and ``filed_as`` is then
    its person. ``cut`` says if the face was cut as the crops of the gallery are.

    ``verdict`` is what is decided, ``headline`` and ``certainty`` the same in a few words, and
    ``person`` who is named, or None. ``probability`` is that the closest person is the right one;
    somebody is named only nearer than ``threshold``; ``left_over`` is the share of the contrast
    that is no face, and faces stay under ``left_over_limit``. Without a calibration these are None;
    so is ``probability`` of what is no face, and where nobody has two photographs.
    """

    photo: str
    face: int
    faces: int
    box: tuple[float, float, float] | None
    concerns: tuple[Concern, ...]
    cautions: tuple[Caution, ...]
    closest: str
    distance_in: float
    distance_from: float
    in_gallery: bool
    filed_as: str | None
    sentence: str
    ranking: tuple[RankedPerson, ...]
    cut: str
    verdict: Kind
    headline: str
    certainty: str
    person: str | None
    probability: float | None
    threshold: float | None
    left_over: float | None
    left_over_limit: float | None
    recipe: str
    calibrated: bool

    @property
    def compared_with_itself(self) -> bool:
        """Whether the probe is one of the enrolled faces."""
        return any(each.kind == "itself" for each in self.cautions)


def answer(gallery: Gallery, probe: Probe, verdict: Verdict, top: int = TOP) -> Answer:
    """Return one verdict in words and values, with the ``top`` people of its ranking."""
    row = row_of(gallery, probe.photo)
    closest = verdict.closest.distance
    farthest = verdict.farthest
    (person, nearest), next_one = verdict.decision.nearest, verdict.decision.runner_up
    limit = verdict.decision.limit
    decision = replace(  # its words have the distances of the ranking, as they are rounded
        verdict.decision,
        nearest=(person, rounded(nearest, farthest)),
        runner_up=next_one and (next_one[0], rounded(next_one[1], farthest)),
        limit=None if limit is None else rounded(limit, farthest),
    )
    whole = math.hypot(verdict.distance_from, float(np.linalg.norm(verdict.coordinates)))
    return Answer(
        photo=str(probe.photo.path),
        face=probe.number,
        faces=probe.faces,
        box=probe.box,
        concerns=probe.concerns,
        cautions=cautions(gallery, probe, verdict),
        closest=verdict.closest.person,
        distance_in=rounded(closest, farthest),
        distance_from=rounded(verdict.distance_from, whole),
        in_gallery=row is not None,
        filed_as=None if row is None else gallery.index.photos[row].person,
        sentence=decision.sentence + _votes(gallery, verdict),
        ranking=tuple(
            RankedPerson(
                place,
                match.person,
                rounded(match.distance, farthest),
                match.votes,
                str(gallery.index.photos[match.row].path),
            )
            for place, match in enumerate(verdict.top(top), start=1)
        ),
        cut=probe.cut,
        verdict=decision.kind,
        headline=decision.headline,
        certainty=decision.chip,
        person=decision.person,
        probability=_share(decision.probability),
        threshold=decision.limit,
        left_over=_share(decision.left_over),
        left_over_limit=_share(decision.face_limit),
        recipe=gallery.recipe.name,
        calibrated=decision.calibrated,
    )


def rounded(distance: float, scale: float) -> float:
    """Return a distance rounded to some hundred-thousandths of a scale, as far as it is precise.

    >>> rounded(5.62179342, 24.0), rounded(0.000031, 24.0), rounded(1234.5678, 2400.0)
    (5.6218, 0.0, 1234.57)
    """
    if scale <= 0:
        return distance
    return round(distance, 5 - math.floor(math.log10(scale))) + 0.0


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def answers_csv(answers: Sequence[Answer]) -> str:
    """Return a line for each candidate of each probe, under `COLUMNS`."""
    rows = []
    for each in answers:
        decided = [
            "" if value is None else value
            for value in (
                *(each.verdict, each.person, each.probability, each.threshold),
                *(each.left_over, each.left_over_limit, each.recipe),
            )
        ]
        for one in each.ranking:
            in_space = (one.rank, one.person, one.distance, one.votes, one.nearest_photo)
            in_gallery = str(each.in_gallery).lower()
            line = (each.photo, each.face, *in_space, each.distance_from, in_gallery)
            rows.append([*line, *decided])
    return as_table(COLUMNS, rows)


def _votes(gallery: Gallery, verdict: Verdict) -> str:
    """Return how many of the k nearest photographs agree, if several vote."""
    recipe = gallery.recipe
    if recipe.matcher.rule != "nearest" or recipe.matcher.neighbours == 1:
        return ""
    count = min(recipe.matcher.neighbours, len(gallery.enrolled))
    votes, person = verdict.closest.votes, verdict.closest.person
    return f" {votes} of the {count} nearest photos {'shows' if votes == 1 else 'show'} {person}."


def cautions(gallery: Gallery, probe: Probe, verdict: Verdict) -> tuple[Caution, ...]:
    """Return the reasons why a verdict is less reliable than it seems."""
    row, what = row_of(gallery, probe.photo), "photograph" if probe.faces == 1 else "face"
    if row is None:
        if not removed_after_training(gallery, probe.photo):
            return ()
        of = "a face of this photograph" if probe.faces > 1 else "this photograph"
        return (Caution("fitted", f"The face space was fitted to {of}."),)
    photo = gallery.index.photos[row]
    fitted = photo.key in gallery.trained.keys
    if photo.person is None:
        sentence = f"This {what} is in the gallery without a name, so it is not compared."
        found = Caution("not compared", sentence)
    elif photo.excluded:
        trained = "." if fitted else " and not trained on."
        sentence = f"This {what} is {photo.person} in the gallery, but excluded: not compared"
        found = Caution("not compared", f"{sentence} with itself{trained}")
    else:
        rounding = abs(verdict.closest.distance) <= 1e-4 * verdict.farthest
        zero = " is 0 and" if rounding else ""
        sentence = f"This {what} is in the gallery as “{photo.person}”, so its distance{zero}"
        found = Caution("itself", f"{sentence} proves nothing.")
    if not fitted:
        return (found,)
    return found, Caution("fitted", "The face space was fitted to it, too.")
