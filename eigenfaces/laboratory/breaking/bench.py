"""Break it: a face is disturbed, and compared as it then is with a gallery that stays as it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.arrays import Doubles, Floats
from eigenfaces.csv_files import as_table
from eigenfaces.errors import Tick, no_tick
from eigenfaces.laboratory.breaking.disturbances import Disturbance, FacePicture, Strengths
from eigenfaces.laboratory.breaking.surroundings import Cutting
from eigenfaces.recognition.answering import answer_to
from eigenfaces.recognition.decision import Decision, Kind
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe, row_of
from eigenfaces.recognition.verdict import Verdict, identify, identify_all, without
from eigenfaces.wording import capital, number

_POINTS, _POINTS_ALIGNED = 33, 17
"""Strengths of a curve; fewer where each picture is searched anew."""


@dataclass(frozen=True, eq=False)
class Broken:
    """A disturbed face and the verdict on it; both None if it was searched for and not found."""

    strengths: Strengths
    aligned: bool
    face: Floats | None
    verdict: Verdict | None


@dataclass(frozen=True, eq=False)
class Bench:
    """A probe that can be disturbed, and the gallery that it is compared with.

    Parameters
    ----------
    gallery
        Trained, with somebody enrolled.
    probe
        The probe; people whom it is answered not to show are out of the question.
    picture
        Its face, with what is known of its surroundings.
    cutting
        How a face is found anew; None: that is not known (yet).
    """

    gallery: Gallery
    probe: Probe
    picture: FacePicture
    cutting: Cutting | None = None

    @classmethod
    def alone(cls, gallery: Gallery, probe: Probe) -> Bench:
        """Return the bench for the face alone: made at once, and never aligned anew."""
        return cls(gallery, probe, FacePicture(probe.image, gallery.faces.shape))

    @classmethod
    def of(cls, gallery: Gallery, probe: Probe, tick: Tick = no_tick) -> Bench:
        """Return the bench for the face in its photograph: this reads it again."""
        cutting = Cutting.of(gallery, tick)
        picture = cutting.picture(probe.photo, probe.image, framed=bool(probe.cut))
        return cls(gallery, probe, picture, cutting)

    @property
    def can_align(self) -> bool:
        """Whether a face can be found anew and cut as the gallery's faces are."""
        return self.cutting is not None and self.cutting.anew is not None

    @cached_property
    def is_enrolled(self) -> bool:
        """Whether the same photograph is enrolled: undisturbed, it is compared with itself."""
        row = row_of(self.gallery, self.probe.photo)
        return row is not None and row in self.gallery.enrolled

    @cached_property
    def before(self) -> Verdict:
        """The verdict on the face as it is."""
        return self._without(identify(self.gallery, self.probe.image))

    @cached_property
    def person(self) -> str:
        """Whom the curves follow: who is on the photograph, if known; else who comes first."""
        known = self.probe.photo.person
        return known if known in self.gallery.people else self.before.closest.person

    def face(self, strengths: Strengths, *, align: bool) -> Floats | None:
        """Return the disturbed face (h, w); None if it is to be found anew, and is not found."""
        picture = self.picture.disturbed(strengths, lambda: np.random.default_rng(0))
        if not align:
            return picture.face
        return None if self.cutting is None else self.cutting.found_in(picture)

    def broken(self, strengths: Strengths, *, align: bool) -> Broken:
        """Return the disturbed face and the verdict on it."""
        face = self.face(strengths, align=align)
        verdict = None if face is None else self._without(identify(self.gallery, face))
        return Broken(strengths, align, face, verdict)

    def curve(
        self, along: Disturbance, others: Strengths, *, align: bool, tick: Tick = no_tick
    ) -> PhotoCurve:
        """Return the distances over the strength of one disturbance, with the others as set."""
        strengths = along.strengths(_POINTS_ALIGNED if align else _POINTS)
        own, other = np.full((2, len(strengths)), np.nan)
        for at, strength in enumerate(strengths):
            tick(at, len(strengths))
            face = self.face(others.but(along, strength), align=align)
            if face is not None:
                own[at], other[at] = self._distances(face)
        limit = self.before.decision.limit
        return PhotoCurve(along, np.array(strengths), own, other, self.person, limit, align)

    def _distances(self, face: Floats) -> tuple[float, float]:
        """Return the distances to the person followed, and to the nearest other."""
        (verdict,) = identify_all(self.gallery, face.reshape(1, -1))
        verdict = self._without(verdict)
        own = verdict.distance_to(self.person)
        others = (match.distance for match in verdict.first if match.person != self.person)
        return own if own < math.inf else math.nan, next(others, math.nan)

    def _without(self, verdict: Verdict) -> Verdict:
        return without(self.gallery, verdict, answer_to(self.gallery, self.probe).never)


@dataclass(frozen=True, eq=False)
class PhotoCurve:
    """How the distances of one photograph change with the strength of one disturbance.

    Parameters
    ----------
    along
        The disturbance.
    strengths
        (m,) ascending.
    own, other
        (m,) distances to the person and to the nearest other; NaN where no face was found.
    person
        Whom it follows.
    limit
        The mark; None where there is none.
    aligned
        Whether the face was found anew each time.
    """

    along: Disturbance
    strengths: Doubles
    own: Doubles
    other: Doubles
    person: str
    limit: float | None
    aligned: bool

    def __post_init__(self) -> None:
        for values in (self.strengths, self.own, self.other):
            values.setflags(write=False)

    @property
    def sentence(self) -> str:
        """Where it passes the mark, where somebody else comes nearer, where no face is found."""
        parts = []
        if self.limit is not None:
            parts.append(self._said(_MARK, self.own - self.limit))
        if np.isfinite(self.other).any():
            parts.append(self._said(_OTHERS, self.own - self.other))
        if np.isnan(self.own).any():
            parts.append(self._said(_LOST, np.where(np.isnan(self.own), 1.0, -1.0)))
        text = "; ".join(parts) or f"there is no mark, and nobody but {self.person}"
        return f"{capital(text)}."

    def passes(self, beyond: Doubles) -> tuple[float, ...]:
        """Return where values (m,) first exceed 0 on the way from neutral up, and down.

        It is read off the line between two strengths; at neutral itself, that is the only one.
        """
        neutral = int(np.abs(self.strengths - self.along.neutral).argmin())
        if beyond[neutral] > 0:
            return (float(self.strengths[neutral]),)
        found = []
        for way in (1, -1):
            at = np.arange(neutral, len(beyond) if way > 0 else -1, way)
            after = np.flatnonzero(beyond[at] > 0)
            if after.size:
                found.append(self._between(at[after[0] - 1], at[after[0]], beyond))
        return tuple(found)

    def _between(self, before: int, after: int, beyond: Doubles) -> float:
        low, high = beyond[before], beyond[after]
        share = -low / (high - low) if np.isfinite(low) else 1.0
        start, end = self.strengths[before], self.strengths[after]
        return float(start + share * (end - start))

    def _said(self, words: tuple[str, str, str], beyond: Doubles) -> str:
        at, never, already = words
        places = self.passes(beyond)
        if not places:
            return never
        said = " and ".join(self.along.words(self.along.rounded(each)) for each in places)
        return (already if self.along.neutral in places else at).format(said)


_MARK = (
    "it passes the mark at about {}",
    "it stays within the mark",
    "it is beyond the mark already at {}",
)
_OTHERS = (
    "somebody else is nearer from about {} on",
    "nobody else comes nearer",
    "somebody else is nearer already at {}",
)
_LOST = ("no face is found from {} on", "", "no face is found even at {}")


def curve_table(curve: PhotoCurve) -> str:
    """Return a line for each strength as CSV; where no face was found, without distances."""
    heading = (
        f"{curve.along.label} ({curve.along.unit})",
        f"to {curve.person}",
        "to the nearest other",
    )
    values = zip(curve.strengths, curve.own, curve.other, strict=True)
    return as_table(
        heading, (tuple("" if np.isnan(v) else float(v) for v in row) for row in values)
    )


def change_words(before: Verdict, now: Broken) -> tuple[str, str, str]:
    """Return a headline, a chip and a sentence: in what a verdict differs from that before."""
    if now.verdict is None:
        return (
            "No face found",
            "no longer named" if before.decision.person else "not named",
            "The disturbed picture was searched for a face, as any photograph is, and none was "
            "found. So nobody is named.",
        )
    then, decision = before.decision, now.verdict.decision
    if not now.strengths.acting and not now.aligned:
        return decision.headline, decision.chip, f"Nothing is disturbed. {decision.sentence}"
    return decision.headline, _chip(before, now.verdict), " ".join(_compared(then, decision))


def _chip(before: Verdict, now: Verdict) -> str:
    then, person = before.decision.person, now.decision.person
    if not now.decision.calibrated:
        same = before.closest.person == now.closest.person
        return "still nearest" if same else "somebody else is nearest"
    if then == person:
        return "still named" if person else "still nobody"
    if then is None:
        return "now named"
    return "no longer named" if person is None else "another name"


def _compared(then: Decision, now: Decision) -> Iterator[str]:
    """Yield whom it is nearest to and how far, what follows, and how probable that is."""
    (first, was), (nearest, away) = then.nearest, now.nearest
    if nearest == first:
        said = f"Nearest is still {nearest}, at {number(away)} instead of {number(was)}"
    else:
        said = (
            f"Nearest is now {nearest}, at {number(away)}, and no longer {first}, at {number(was)}"
        )
    yield f"{said}{_CONSEQUENCES[now.kind]}."
    if now.probability is not None and now.kind != "unknown":
        before = "" if then.probability is None else f", undisturbed {_percent(then.probability)}"
        yield f"Probability {_percent(now.probability)}{before}."


def _percent(probability: float) -> str:
    return f"{int(100 * probability)} %"


_CONSEQUENCES: dict[Kind, str] = {
    "sure": "",
    "likely": "",
    "ask": ": within the mark, but not sure enough for a name",
    "unknown": ": beyond the mark, so nobody is named",
    "near but no face": ", but it hardly looks like a face: so nobody is named",
    "no face": ", and it does not look like a face: so nobody is named",
    "not calibrated": "",
}
"""What follows from the decision, after whom it is nearest to."""
