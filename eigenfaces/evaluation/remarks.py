"""What each control means for the result, in one plain sentence."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from eigenfaces.evaluation.results import GUESSES, Control, ControlKind, Evaluation

CLEARLY_ABOVE = 0.05
"""How far above guessing a covered face has to be recognised, beyond doubt, for a warning."""

_TITLES: dict[ControlKind, str] = {
    "pixels L2": "Pixels, L2",
    "pixels L1": "Pixels, L1",
    "chance": "Chance",
    "majority": "Majority",
    "face covered": "Face covered",
    "duplicates": "Near-duplicates",
}


@dataclass(frozen=True)
class Remark:
    """A control, its title, what it means, and whether that is a warning about the result."""

    control: Control
    title: str
    sentence: str
    warns: bool


def remark(control: Control, evaluation: Evaluation) -> Remark:
    """Return what a control means for the result of an evaluation."""
    sentence, warns = "It could not be measured.", False
    if math.isfinite(control.value):
        sentence, warns = _SAYERS[control.kind](control, evaluation)
    return Remark(control, _TITLES[control.kind], sentence, warns)


def remarks(evaluation: Evaluation) -> tuple[Remark, ...]:
    """Return what each control of an evaluation means for its result."""
    return tuple(remark(control, evaluation) for control in evaluation.controls)


def _pixels(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    ours = evaluation.headline
    if ours is None:
        return "There is no result to hold it beside.", False
    if control.value > ours.high:
        words = "Better than face space: here PCA makes comparing faster, not more accurate."
    elif control.value >= ours.value:
        words = "As good as face space: here PCA makes comparing faster, not more accurate."
    elif control.value >= ours.low:
        words = "Close to face space: within its interval."
    else:
        words = "Worse: here face space helps."
    return words, False


def _guess(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    ours = evaluation.headline
    if ours is None:
        return "There is no result to hold it beside.", False
    if ours.low <= control.value:
        return "The result is not clearly above it.", True
    return "The result is clearly above it.", False


def _covered(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    guesses = [each.value for each in evaluation.controls if each.kind in GUESSES]
    guess = max(guesses, default=0.0)
    low = control.value if control.low is None else control.low
    if low > guess + CLEARLY_ABOVE:
        return (
            "Far above guessing: part of the result is hair, clothes, background or light, not "
            "the face.",
            True,
        )
    if low > guess:
        return "A little above guessing: what surrounds the face gives something away.", False
    if control.value > guess + CLEARLY_ABOVE:
        return "Above guessing, but by so few people that it may be luck.", False
    return "Near guessing: the background tells nothing.", False


def _duplicates(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    if not control.value:
        return "No two photos are nearly the same.", False
    return f"{control.note}: too good a figure, where they lie on both sides.", True


_SAYERS: dict[ControlKind, Callable[[Control, Evaluation], tuple[str, bool]]] = {
    "pixels L2": _pixels,
    "pixels L1": _pixels,
    "chance": _guess,
    "majority": _guess,
    "face covered": _covered,
    "duplicates": _duplicates,
}
