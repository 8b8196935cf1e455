"""Who it is, how sure, or nobody: a verdict's distances against the marks of a calibration.

Two questions are asked (M. Turk and A. Pentland, *Eigenfaces for recognition*, 1991): is it near
face space, and is it near somebody in it? They have four answers. All words about them are here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from eigenfaces.recognition.calibration import USUAL_SHARE, Calibration
from eigenfaces.recognition.certainty import ENOUGH_PEOPLE, LIKELY, SURE
from eigenfaces.recognition.strangers import Promise
from eigenfaces.wording import apart, count, number, percent

Kind = Literal["sure", "likely", "ask", "unknown", "near but no face", "no face", "not calibrated"]
"""What is decided: somebody is named (sure, likely), one of two (ask), or nobody is, and why."""

KINDS: dict[Kind, str] = {
    "sure": "over 99 in 100 such names are right",
    "likely": "over 90 in 100 such names are right",
    "ask": "not sure enough for a name",
    "unknown": "a face, but too far from everybody",
    "near but no face": "no name is given",
    "no face": "no name is given",
    "not calibrated": "not calibrated",
}
"""Every kind, and what it means in a few words."""

GROUPS: dict[Kind, str] = {
    "sure": "Sure",
    "likely": "Likely",
    "ask": "Ask me",
    "unknown": "Unknown",
    "near but no face": "Not a face",
    "no face": "Not a face",
    "not calibrated": "Not calibrated",
}
"""The group of answers that each kind belongs to, in the order in which groups are listed."""

NOT_CALIBRATED = (
    "What distances mean in this gallery is not measured yet: this is the nearest enrolled person, "
    "not a claim that it is them. A stranger has a nearest person too."
)

_CLOSE = 1.1  # times the distance: nearer to each other than that, two are too close to call
_FAR = 10.0  # times the distance, and farther: the distances say more than their ratio
_FEW = 0.2  # of the photographs of enrolled people, that are as far as one that is nobody’s


@dataclass(frozen=True)
class Decision:
    """What is decided about a face, and the words for it.

    Parameters
    ----------
    kind
        The decision.
    person
        The person it names; None unless sure or likely.
    nearest, runner_up
        The two nearest people and their distances; the second may be None.
    probability
        That the nearest person is the right one; None where that is not known, or it is no face.
    limit
        The distance within which somebody is named; None where there is none.
    left_over, face_limit
        The share of the crop's contrast that is no face, and the limit of faces; None if unknown.
    share
        Of strangers that may be named at most.
    calibration
        What it was decided by; None where there is none that holds.
    """

    kind: Kind
    person: str | None
    nearest: tuple[str, float]
    runner_up: tuple[str, float] | None
    probability: float | None = None
    limit: float | None = None
    left_over: float | None = None
    face_limit: float | None = None
    share: float = USUAL_SHARE
    calibration: Calibration | None = None

    @property
    def headline(self) -> str:
        """Who it is, in as few words as possible."""
        name = self.nearest[0]
        match self.kind:
            case "sure" | "likely":
                return name
            case "ask":
                other = self.runner_up
                return f"{name} or {apart(name, other[0])}?" if other else f"{name}?"
            case "unknown":
                return "Nobody enrolled"
            case "near but no face":
                return f"Near {name}, but perhaps no face"
            case "no face":
                return "Not a face"
            case "not calibrated":
                return f"Closest: {name}"

    @property
    def chip(self) -> str:
        """How sure that is, in a few words; where these are rough, it says so."""
        if self.kind == "ask" and self._too_close:
            return "too close to call"
        if self.kind not in ("sure", "likely"):
            return KINDS[self.kind]
        return f"{self.kind}{self._roughly or f': {KINDS[self.kind]}'}"

    @property
    def sentence(self) -> str:
        """The decision in plain English, with its figures and the runner-up."""
        name = self.nearest[0]
        match self.kind:
            case "sure":
                return f"This is {name}. {self._next}"
            case "likely":
                return f"This is probably {name}. {self._next}"
            case "ask":
                return self._question
            case "unknown":
                return (
                    "This is a face, but farther from everybody than the mark. "
                    f"Nearest is {name}{self._as_far}."
                )
            case "near but no face":
                return f"It is nearest to {name}, and within the mark; but {self._not_a_face}."
            case "no face":
                return f"{self._not_a_face}."
            case "not calibrated":
                return f"{name} is nearest, at a distance of {self._distance}. {self._next}"

    @property
    def marks(self) -> str:
        """What the two marks mean; why there are none, where that is so."""
        if self.calibration is None or self.limit is None or self.face_limit is None:
            return self.reason
        face = percent(self.face_limit, 0)
        held = self._passing
        if self.kind == "no face":
            return f"The mark at {face} is where {held} stay left of it. Who it is, is not asked."
        return (
            f"Left of the marks passes. {face}: {held}. {number(self.limit)}: "
            f"{promised(self.calibration.promise, self.share)}."
        )

    @property
    def reason(self) -> str:
        """Why there is no threshold for strangers; empty where there is one."""
        if self.calibrated:
            return ""
        return self.calibration.reason if self.calibration else NOT_CALIBRATED

    @property
    def calibrated(self) -> bool:
        """Whether somebody could have been named."""
        return self.kind != "not calibrated"

    @property
    def group(self) -> str:
        """The group of answers it belongs to: one of `GROUPS`."""
        return GROUPS[self.kind]

    @property
    def _roughly(self) -> str:
        """Return why the words for certainty are rough; empty where they are not."""
        if self.calibration is None or not self.calibration.certainty.rough:
            return ""
        held = self.calibration.held
        if held.count < ENOUGH_PEOPLE:
            return f", but roughly: only {count(held.count, 'person')} to learn from"
        return f", but roughly: only {len(held.people) / held.count:.1f} photos of each person"

    @property
    def _ratio(self) -> float | None:
        """Return how many times the nearest distance the runner-up's is; None if that says nothing.

        A distance may be next to nothing, as that of two angles often is, or, as a negated product,
        have no zero; and where several neighbours vote, the first need not be the nearest.
        """
        if self.runner_up is None:
            return None
        nearest, following = self.nearest[1], self.runner_up[1]
        return following / nearest if following >= nearest > following / _FAR > 0 else None

    @property
    def _distance(self) -> str:
        """Return the nearest distance; 0 where a photograph is compared with itself."""
        scale = 1.0 if self.runner_up is None else abs(self.runner_up[1])
        return "0" if abs(self.nearest[1]) < 1e-5 * scale else number(self.nearest[1])

    @property
    def _too_close(self) -> bool:
        return self._ratio is not None and self._ratio < _CLOSE

    @property
    def _next(self) -> str:
        """Return who is next, as a sentence that is true of every distance."""
        if self.runner_up is None:
            return "There is nobody else to compare with."
        if self._ratio is None:
            at = f"at {number(self.runner_up[1])} instead of {self._distance}"
        else:
            at = f"at {self._ratio:.{2 if self._ratio < 2 else 1}f} × the distance"
        return f"Next is {self.runner_up[0]}, {at}."

    @property
    def _question(self) -> str:
        name, decide = self.nearest[0], "You decide."
        if self._ratio is not None and self.runner_up and self._too_close:
            more = percent(self._ratio - 1)
            following = f"the distance to {self.runner_up[0]} is only {more} more"
            return f"{name} is nearest, but {following}. {decide}"
        such = f"{int(100 * (self.probability or 0))} in 100 such names are right"
        return f"{name} comes first, but only {such}. {self._next} {decide}"

    @property
    def _as_far(self) -> str:
        """Return how many photographs of enrolled people, held out, are as far, as a clause."""
        held = self.calibration.held if self.calibration else None
        if held is None or not held.mated.any():
            return ""
        as_far = float(np.mean(held.member.distance[held.mated] >= self.nearest[1]))
        of = "photos of enrolled people, held out,"
        if not as_far:
            photos = f"{held.mated.sum():,} {of}"
            return f"; none of {photos} is this far from everybody"
        if as_far < 0.01:
            return f"; fewer than 1 in 100 {of} are this far from everybody"
        often = f"{100 * as_far:.0f} in 100 {of} are this far from everybody"
        return f"; only {often}" if as_far < _FEW else f"; but {often}, too"

    @property
    def _not_a_face(self) -> str:
        left, limit = self.left_over or 0.0, self.face_limit or 0.0
        digits = 0 if round(100 * left) != round(100 * limit) else 2
        return (
            f"{percent(left, digits)} of its contrast cannot be made of faces; {self._passing} "
            f"stay under {percent(limit, digits)}"
        )

    @property
    def _passing(self) -> str:
        """Return how many of the gallery's own faces, held out, pass for faces."""
        if self.calibration is None:
            return ""
        left, of = self.calibration.left_over, len(self.calibration.left_over)
        passing = int(np.count_nonzero(left <= (self.face_limit or 0.0)))
        if of > 100:
            passing, of = 100 * passing // of, 100
        return f"{passing} of {of} held-out faces"


def decide(
    calibration: Calibration | None,
    share: float,
    nearest: tuple[str, float],
    runner_up: tuple[str, float] | None,
    left_over: float | None,
) -> Decision:
    """Return the decision about a face.

    Parameters
    ----------
    calibration
        Of the gallery; None where it has none that holds.
    share
        Of strangers that may be named at most.
    nearest, runner_up
        The two nearest people with their distances.
    left_over
        The share of the crop's contrast that is no face.
    """
    limit = calibration.limit(share) if calibration else None
    if calibration is None or limit is None or left_over is None:
        return Decision(
            "not calibrated", None, nearest, runner_up, share=share, calibration=calibration
        )
    next_distance = runner_up[1] if runner_up else float("inf")
    probability = calibration.probability(nearest[1], next_distance)
    near, face = nearest[1] < limit, left_over <= calibration.likeness.limit
    kind = _kind(near, face, probability)
    return Decision(
        kind=kind,
        person=nearest[0] if kind in ("sure", "likely") else None,
        nearest=nearest,
        runner_up=runner_up,
        probability=probability if face else None,
        limit=limit,
        left_over=left_over,
        face_limit=calibration.likeness.limit,
        share=share,
        calibration=calibration,
    )


def _kind(near: bool, face: bool, probability: float) -> Kind:
    if not face:
        return "near but no face" if near else "no face"
    if not near:
        return "unknown"
    if probability >= SURE:
        return "sure"
    return "likely" if probability >= LIKELY else "ask"


def promised(promise: Promise, share: float) -> str:
    """Return what a share of strangers asked for means with so many people, as a clause.

    >>> promised(Promise(35, 8), 0.01)
    'at most 1 % of strangers; with 35 people no less than 4.0 % can be promised'
    >>> promised(Promise(35, 8, 2), 0.1)
    'at most 10 % of strangers; with 35 people and 2 strangers met 17.6 % can be promised'
    """
    asked, people = f"at most {100 * share:g} % of strangers", count(promise.people, "person")
    people += f" and {count(promise.met, 'stranger')} met" if promise.met else ""
    if share < promise.least:
        return f"{asked}; with {people} no less than {percent(promise.least)} can be promised"
    return f"{asked}; with {people} {percent(promise.at_most(share))} can be promised"
