"""What keeps the result honest, a plain sentence for each control."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eigenfaces.evaluation.figures import Figure
from eigenfaces.evaluation.results import Control, Evaluation
from eigenfaces.report.words import headline, with_limits

FAR_ABOVE = 0.05
"""How far above guessing a covered face has to be recognised, beyond doubt, for a warning."""


@dataclass(frozen=True)
class Remark:
    """A control: what it is, its figure, and what that means; ``warns`` if it is a warning."""

    name: str
    value: str
    note: str
    sentence: str
    warns: bool = False


_TITLES = {
    "pixels L2": "Pixels (L2)",
    "pixels L1": "Pixels (L1)",
    "chance": "Chance",
    "majority": "Majority",
    "face covered": "Face covered",
    "duplicates": "Duplicates",
}


def remarks(evaluation: Evaluation) -> list[Remark]:
    """Return a remark on each control."""
    return [_remark(control, evaluation) for control in evaluation.controls]


def warnings(found: Sequence[Remark]) -> list[str]:
    """Return the warnings among some remarks, those that say the same in one."""
    names: dict[str, list[str]] = {}
    for remark in found:
        if remark.warns:
            names.setdefault(remark.sentence, []).append(remark.name)
    return [f"{' and '.join(who)}: {sentence}" for sentence, who in names.items()]


def in_table(remark: Remark) -> tuple[str, str, str, str]:
    """Return a remark as a line of a table that stands below the warnings."""
    says = "See the warning above." if remark.warns else remark.sentence
    return remark.name, remark.value, remark.note, says


def guessed(evaluation: Evaluation) -> float:
    """Return the best that guessing gives, 0…1."""
    values = [each.value for each in evaluation.controls if each.name in ("chance", "majority")]
    return max([value for value in values if math.isfinite(value)], default=0.0)


def _remark(control: Control, evaluation: Evaluation) -> Remark:
    sentence, warns = "It could not be measured.", False
    if math.isfinite(control.value):
        say = _SAYERS.get(control.name)
        sentence, warns = say(control, evaluation) if say else ("", False)
    return Remark(
        name=_TITLES.get(control.name, control.name),
        value=with_limits(control.value, control.low, control.high),
        note=control.note,
        sentence=sentence,
        warns=warns,
    )


def _pixels(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    ours = headline(evaluation)
    if ours is None:
        return "There is no result to hold it beside.", False
    if control.value >= ours.value:
        than = "better than" if control.value > ours.value else "as good as"
        return (
            f"Comparing grey levels directly is {than} face space here: PCA makes the comparison "
            "faster, not more accurate.",
            True,
        )
    if control.high is not None and control.high >= ours.value:
        return (
            "Comparing grey levels directly comes close: its interval reaches the result.",
            False,
        )
    return "Comparing grey levels directly is worse: face space helps here.", False


def _chance(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    what = "Naming an enrolled person at random is right as often as this."
    if evaluation.pairs is not None:
        what = "Tossing a coin is right as often as this."
    return _above(headline(evaluation), control, what)


def _majority(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    what = "Always naming the person with the most enrolled photos is right as often as this."
    return _above(headline(evaluation), control, what)


def _above(ours: Figure | None, control: Control, what: str) -> tuple[str, bool]:
    if ours is not None and ours.low <= control.value:
        return f"{what} The result is not clearly above it.", True
    return what, False


def _covered(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    guess = guessed(evaluation)
    beyond_doubt = control.low is not None and control.low > guess
    if beyond_doubt and control.low is not None and control.low > guess + FAR_ABOVE:
        return (
            "People are told apart with their faces covered, far above guessing: part of the "
            "result comes from hair, clothes, background or light, not from the face.",
            True,
        )
    if beyond_doubt:
        return "A little above guessing: the surroundings of the face give something away.", False
    return "Not clearly above guessing: the background does not give people away.", False


def _duplicates(control: Control, evaluation: Evaluation) -> tuple[str, bool]:
    if not control.value:
        return "No two photos are nearly the same.", False
    return "Nearly the same pictures make figures too good where they lie on both sides.", True


_SAYERS: dict[str, Callable[[Control, Evaluation], tuple[str, bool]]] = {
    "pixels L2": _pixels,
    "pixels L1": _pixels,
    "chance": _chance,
    "majority": _majority,
    "face covered": _covered,
    "duplicates": _duplicates,
}
