"""Recognised faces: each probe with its verdict, any cautions, and its rows in tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from eigenfaces.recognition.decision import round_distance
from eigenfaces.recognition.gallery import NO_ANSWER, Gallery
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.verdict import Verdict, identify_all
from eigenfaces.text import csv_text

TOP = 3  # people listed in a record by default


@dataclass(frozen=True)
class Caution:
    """A reason why a verdict is less reliable than it seems, with its kind and a sentence."""

    kind: Literal["itself", "not compared", "fitted", "twice"]
    sentence: str


@dataclass(frozen=True, eq=False)
class Recognition:
    """A face that was compared with a gallery, and the verdict on it."""

    gallery: Gallery
    probe: Probe
    verdict: Verdict
    twice: bool = False  # whether another face in the photograph is surely the same person
    without: int | None = None  # a row of the gallery that the face was not compared with

    @cached_property
    def cautions(self) -> tuple[Caution, ...]:
        """The reasons why the verdict is less reliable than it seems."""
        if not self.twice:
            return self._cautions_of_gallery
        sentence = (
            f"Two faces in this photo are both surely “{self.verdict.decision.person}”: one of "
            "the answers is wrong, unless the photo shows a picture or a mirror."
        )
        return (Caution("twice", sentence), *self._cautions_of_gallery)

    @property
    def _cautions_of_gallery(self) -> tuple[Caution, ...]:
        """The cautions about a face that is in the gallery or was used to fit the face space."""
        gallery, row = self.gallery, self.row
        if row is None:
            gone = gallery.trained.faces - gallery.index.row_by_id.keys()
            fitted = self.probe.photo.photograph.sha in {face.sha for face in gone}
            return (Caution("fitted", "The face space was fitted to this photo."),) * fitted
        photo = gallery.index.photos[row]
        if photo.person is None or photo.excluded:
            why = "without a name" if photo.person is None else f"as “{photo.person}”, but excluded"
            sentence = f"This face is in the gallery {why}, so it is not compared."
            caution = Caution("not compared", sentence)
        else:
            sentence = f"This face is in the gallery as “{photo.person}”"
            proof = "so its distance proves nothing"
            if self.without is not None:
                proof = "so it is compared with the other photos"
            caution = Caution("itself", f"{sentence}, {proof}.")
        fitted = photo.id in gallery.trained.faces
        return (caution, Caution("fitted", "The face space was also fitted to it."))[: 1 + fitted]

    @property
    def is_self_match(self) -> bool:
        """Whether the face was compared with itself, so that the verdict proves nothing."""
        return any(caution.kind == "itself" for caution in self.cautions)

    @cached_property
    def among_others(self) -> Recognition:
        """The recognition of the face, ignoring its own gallery entry unless no other exists."""
        if not self.is_self_match or not {*self.gallery.enrolled} - {self.row}:
            return self
        never = [self.gallery.answers.get(self.probe.photo.id, NO_ANSWER).never]
        (verdict,) = identify_all(self.gallery, self.probe.image[None], never, without=self.row)
        return replace(self, verdict=verdict, without=self.row)

    @cached_property
    def row(self) -> int | None:
        """The row of this face in the gallery, if it is there."""
        return self.gallery.index.row_of_face(self.probe.photo)

    @property
    def filed_as(self) -> str | None:
        """The name under which this face is filed in the gallery, if any."""
        return None if self.row is None else self.gallery.index.photos[self.row].person

    def record(self, top: int = TOP) -> dict[str, Any]:
        """Return the record for ``recognise --json``: texts, values and the ``top`` nearest people.

        Distances are rounded to their significant digits.
        """
        probe = self.probe
        verdict = self.verdict
        decision = self.verdict.decision
        photos = self.gallery.index.photos
        ranking = [
            {
                "rank": rank,
                "person": match.person,
                "distance": round_distance(match.distance, verdict.farthest),
                "nearest_photo": str(photos[match.row].path),
            }
            for rank, match in enumerate(verdict.ranking[:top], start=1)
        ]
        outside = self.gallery.trained.recipe.features.PRETRAINED  # no residual
        length = math.hypot(verdict.distance_from, float(np.linalg.norm(verdict.coordinates)))
        probability, face_residual, face_residual_limit = (
            None if value is None else round(value, 4)
            for value in (decision.probability, decision.face_residual, decision.face_limit)
        )
        limit = decision.limit
        return {
            "photo": str(probe.photo.path),
            "face": probe.number,
            "faces": probe.faces,
            "box": probe.box,
            "concerns": [asdict(concern) for concern in probe.concerns],
            "cautions": [asdict(caution) for caution in self.cautions],
            "closest": verdict.closest.person,
            "distance_in": round_distance(decision.nearest[1], verdict.farthest),
            "distance_from": None if outside else round_distance(verdict.distance_from, length),
            "in_gallery": self.row is not None,
            "filed_as": self.filed_as,
            "sentence": decision.sentence,
            "ranking": ranking,
            "verdict": decision.kind,
            "headline": decision.headline,
            "certainty": decision.badge,
            "person": decision.person,
            "probability": probability,
            "threshold": None if limit is None else round_distance(limit, verdict.farthest),
            "face_residual": face_residual,
            "face_residual_limit": face_residual_limit,
            "recipe": self.gallery.recipe.name,
            "calibrated": not decision.reason,
        }


def recognise_probes(gallery: Gallery, probes: Sequence[Probe]) -> list[Recognition]:
    """Return the recognition of each probe, ignoring people whom the user has rejected for it."""
    if not probes:
        return []
    pixels = np.stack([probe.image.ravel() for probe in probes])
    never = [gallery.answers.get(probe.photo.id, NO_ANSWER).never for probe in probes]
    verdicts = identify_all(gallery, pixels, never)
    pairs = zip(probes, verdicts, strict=True)
    return with_repeated_people([Recognition(gallery, probe, verdict) for probe, verdict in pairs])


def with_repeated_people(recognitions: Sequence[Recognition]) -> list[Recognition]:
    """Return the recognitions, marking “sure” names that recur within the same photograph."""
    places = [
        (one.probe.photo.id.sha, one.verdict.decision.person)
        if one.verdict.decision.kind == "sure"
        else None
        for one in recognitions
    ]
    times = Counter(places)
    twice = [place is not None and times[place] > 1 for place in places]
    return [
        one if one.twice == is_twice else replace(one, twice=is_twice)
        for one, is_twice in zip(recognitions, twice, strict=True)
    ]


VERDICT_COLUMNS = (
    "photo",
    "face",
    "rank",
    "person",
    "distance_in",
    "nearest_photo",
    "distance_from",
    "in_gallery",
    "verdict",
    "named",
    "probability",
    "threshold",
    "face_residual",
    "face_residual_limit",
    "recipe",
    "left",
    "top",
    "size",
)
"""The columns of the table of verdicts, which has one row per candidate."""


def records_csv(records: Iterable[dict[str, Any]]) -> str:
    """Return a CSV table with `VERDICT_COLUMNS` and one row for each candidate of each probe."""
    rows = []
    for record in records:
        values = dict(zip(("left", "top", "size"), record["box"] or (None,) * 3, strict=True))
        values |= record | {
            "named": record["person"],
            "in_gallery": f"{record['in_gallery']}".lower(),
        }
        for match in record["ranking"]:
            line = values | match | {"distance_in": match["distance"]}
            rows.append(["" if line[name] is None else line[name] for name in VERDICT_COLUMNS])
    return csv_text(VERDICT_COLUMNS, rows)
