"""What is said about runs and their figures: plain sentences, made of values."""

from __future__ import annotations

import numpy as np

from eigenfaces.evaluation.metrics import (
    AT_LIMITS,
    FALSE_ACCEPTS,
    STRANGERS_NAMED,
    Figure,
    FigureKind,
)
from eigenfaces.evaluation.results import Evaluation, Setting
from eigenfaces.recognition.recipe import recipe_in_short
from eigenfaces.recognition.strangers import FEWEST_PEOPLE
from eigenfaces.wording import count, percent


def interval_words(figure: Figure) -> str:
    """Return the 95 % interval as “94.6 to 98.9 %, by person”."""
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f} %, {figure.by}"


def setting_words(setting: Setting) -> str:
    """Return protocol and recipe in a line."""
    return f"{setting.protocol.words()} · {recipe_in_short(setting.recipe)}"


def run_name(evaluation: Evaluation) -> str:
    """Return what a run is called among those that are kept."""
    first = evaluation.headline
    result = "" if first is None else f"{first.kind} {percent(first.value)} · "
    return f"{result}{setting_words(evaluation.setting)}"


def counted_on(kind: FigureKind, evaluation: Evaluation) -> str:
    """Return in a few words what a figure of an evaluation was counted on."""
    searches, pairs = evaluation.searches, evaluation.pairs
    if pairs is not None and kind == "pair accuracy":
        return f"{count(len(pairs), 'pair')} in {count(len(np.unique(pairs.fold)), 'fold')}"
    strangers = evaluation.strangers
    if searches is not None and strangers is not None and kind in AT_LIMITS:
        limited = np.isfinite(strangers.limits[searches.fold])
        if kind == "FPIR reached":
            asked = f"{100 * strangers.share:g} % asked"
            return f"{asked}; {int((limited & ~searches.mated).sum()):,} searches"
        return f"{int((limited & searches.mated).sum()):,} mated searches, at that limit"
    if searches is not None and kind in STRANGERS_NAMED:
        known = int(searches.mated.sum())
        return f"{known:,} mated searches, {len(searches) - known:,} of strangers"
    if searches is not None and kind in ("rank-1", "rank-5", "balanced accuracy"):
        people = searches.people[searches.mated]
        who = count(len(np.unique(people)), "person")
        return f"{count(len(people), 'search', 'searches')} of {who}"
    mated, others = evaluation.compared
    return f"{mated:,} mated, {others:,} non-mated"


def missing_words(kind: FigureKind, evaluation: Evaluation) -> str:
    """Return why a figure is not there."""
    searches = evaluation.searches
    if searches is not None and not searches.mated.any():
        return "Nobody who is enrolled was searched for."
    if kind == "rank-5":
        return "At most five people are enrolled, so the right one is always among five."
    if kind in STRANGERS_NAMED or kind in FALSE_ACCEPTS:
        what = "strangers’ searches" if kind in STRANGERS_NAMED else "non-mated comparisons"
        return f"Too few {what} for so small a rate: at least 100 are needed."
    if kind in AT_LIMITS:
        if searches is None or searches.mated.all():
            return "No strangers were searched for."
        if evaluation.strangers is None:
            return "No limit for strangers was asked for."
        return (
            f"No fold has a limit for strangers: it takes {FEWEST_PEOPLE} people, and a space "
            "fitted to those who are enrolled."
        )
    if kind == "pair accuracy":
        return "No threshold could be chosen: the pairs to tune on are all alike."
    return "There are no non-mated comparisons to hold the mated ones against."
