"""The result of an evaluation in a sentence, and the numbers and settings that it is made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from eigenfaces.evaluation.by_components import ByComponents
from eigenfaces.evaluation.metrics import FigureKind
from eigenfaces.evaluation.protocols import NShot, OpenSet
from eigenfaces.evaluation.records import Record, Source
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.manual.sections import glossary
from eigenfaces.recognition.recipe import Recipe, components_words
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count

SEVERAL = (NShot, OpenSet)
"""Protocols whose folds are repetitions."""

_TERMS = (
    *("probe", "mated, non-mated comparison", "closed set, open set", "rank-1, rank-5", "CMC"),
    *("balanced accuracy", "FMR", "FNMR", "FAR, TAR", "EER", "HTER", "FPIR", "DIR, FNIR"),
    *("ROC", "DET", "95 % interval"),
)
"""Words of the glossary that a report explains."""


def terms() -> tuple[tuple[str, str], ...]:
    """Return the words that a report explains, with what they mean."""
    return tuple((term, glossary()[term]) for term in _TERMS)


def source_text(source: Source) -> str:
    """Return the source of the photographs, without the folders of this machine."""
    if source.kind == "sample":
        return "the AT&T faces"
    name = Path(source.place).name or source.place
    return f"the photos in “{name}”" if source.kind == "folder" else f"the project “{name}”"


def heading(record: Record) -> str:
    """Return what the report is about."""
    return f"Evaluation of {record.evaluation.setting.recipe.name} on {source_text(record.source)}"


def recipe_in_short(recipe: Recipe) -> str:
    """Return the name of a recipe, and what most decides its figures."""
    return f"{recipe.name} ({recipe.matcher.distance}, {components_words(recipe.matcher)})"


def in_use(recipe: Recipe, by: ByComponents) -> tuple[int, str]:
    """Return how many components are compared, and words for it; for a share, over all folds."""
    k = fewest_components(by.kept, recipe.matcher.components)
    if isinstance(recipe.matcher.components, float):
        return k, f"k ≈ {k} ({100 * recipe.matcher.components:g} % of the variance)"
    return k, f"k = {k}"


def protocol_in_short(evaluation: Evaluation) -> str:
    """Return the protocol and the seeds."""
    protocol, seed = evaluation.setting.protocol, evaluation.setting.seed
    own = getattr(protocol, "seed", seed)
    seeds = f"seed {seed}" if own == seed else f"seed {own} of the protocol, {seed} of resampling"
    return f"“{protocol.words()}”, {seeds}"


_BEFORE: dict[FigureKind, str] = {
    "rank-1": "The right person came first in",
    "pair accuracy": "Whether two photos show one person was said rightly in",
}
"""What stands before the number of searches or pairs that were answered rightly."""


def result_sentence(evaluation: Evaluation) -> str:
    """Return the result with interval, recipe, protocol and seed."""
    return "".join(result_parts(evaluation))


def result_parts(evaluation: Evaluation) -> tuple[str, str, str]:
    """Return `result_sentence` before its number, the number, and what comes after it."""
    by = f"{recipe_in_short(evaluation.setting.recipe)}, protocol {protocol_in_short(evaluation)}"
    figure = next(iter(evaluation.figures), None)
    if figure is None:
        return f"No figure could be had, as nobody enrolled was searched for: {by}.", "", ""
    before = _BEFORE.get(figure.kind, figure.kind)
    what = f" of {figure.note}" if figure.kind in _BEFORE else f", {figure.note}"
    after = f"{what}: {by}; in brackets the 95 % interval, {figure.by}."
    return f"{before} ", figure.words(), after


def left_out_words(evaluation: Evaluation) -> str:
    """Return how many people had too few photos, and what was done with them; no names."""
    many = len(evaluation.left_out)
    if not many:
        return "Nobody was left out for having too few photos"
    who, was = count(many, "person"), "was" if many == 1 else "were"
    kind = evaluation.setting.protocol.kind
    if kind == "open set":
        strangers = "a stranger" if many == 1 else "strangers"
        return f"{who} had too few photos to be members, and {was} searched for as {strangers}"
    if kind in ("n-shot", "first photos"):
        return f"{who} had too few photos for this protocol, and took no part"
    return f"{who} had too few photos to be searched for, and {was} only enrolled"


def threshold_words(evaluation: Evaluation) -> str:
    """Return the thresholds of the folds, “6.21” or “6.10 to 6.52”; without any, a dash."""
    known = evaluation.thresholds[np.isfinite(evaluation.thresholds)]
    if not len(known):
        return "–"
    low, high = f"{known.min():.4g}", f"{known.max():.4g}"
    return low if low == high else f"{low} to {high}"
