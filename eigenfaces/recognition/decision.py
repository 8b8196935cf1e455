"""Who it is, how sure, or nobody: a verdict's distances against the marks of a calibration.

Two questions are asked (M. Turk and A. Pentland, *Eigenfaces for recognition*, 1991): is it near
face space, and is it near somebody in it? They have four answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.certainty import LIKELY, SURE

Kind = Literal["sure", "likely", "ask", "unknown", "near but no face", "no face", "not calibrated"]
"""What is decided: somebody is named (sure, likely), one of two (ask), or nobody is, and why."""

KINDS = {
    "sure": "over 99 in 100 such names are right",
    "likely": "over 90 in 100 such names are right",
    "ask": "too close to call",
    "unknown": "a face, a stranger",
    "near but no face": "near, but perhaps no face",
    "no face": "no name is given",
    "not calibrated": "not calibrated",
}
"""Every kind, and what it means in a few words."""


@dataclass(frozen=True)
class Decision:
    """What is decided about a face.

    Parameters
    ----------
    kind
        The decision.
    person
        The person it names; None unless sure or likely.
    nearest, runner_up
        The two nearest people and their distances; the second may be None.
    probability
        That the nearest person is the right one; None where that is not known.
    limit
        The distance within which somebody is named; None where there is none.
    left_over, face_limit
        The share of the crop's contrast that is no face, and the limit of faces; None if unknown.
    """

    kind: Kind
    person: str | None
    nearest: tuple[str, float]
    runner_up: tuple[str, float] | None
    probability: float | None = None
    limit: float | None = None
    left_over: float | None = None
    face_limit: float | None = None


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
        return Decision("not calibrated", None, nearest, runner_up)
    next_distance = runner_up[1] if runner_up else float("inf")
    probability = calibration.probability(nearest[1], next_distance)
    near, face = nearest[1] < limit, left_over <= calibration.likeness.limit
    kind = _kind(near, face, probability, alone=runner_up is None)
    return Decision(
        kind=kind,
        person=nearest[0] if kind in ("sure", "likely") else None,
        nearest=nearest,
        runner_up=runner_up,
        probability=probability,
        limit=limit,
        left_over=left_over,
        face_limit=calibration.likeness.limit,
    )


def _kind(near: bool, face: bool, probability: float, *, alone: bool) -> Kind:
    if not face:
        return "near but no face" if near else "no face"
    if not near:
        return "unknown"
    if probability >= SURE:
        return "sure"
    return "likely" if probability >= LIKELY else "ask"
