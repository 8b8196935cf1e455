"""What is said about runs and their figures: plain sentences, made of values."""

from __future__ import annotations

from eigenfaces.evaluation.figures import Figure
from eigenfaces.evaluation.results import Evaluation, Setting
from eigenfaces.recognition.recipe_words import recipe_in_short
from eigenfaces.wording import percent


def interval_words(figure: Figure) -> str:
    """Return the 95 % interval as “94.6 to 98.9 %, by person”."""
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f} %, {figure.by}"


def setting_words(setting: Setting) -> str:
    """Return protocol and recipe in a line."""
    return f"{setting.protocol.words()} · {recipe_in_short(setting.recipe)}"


def run_name(evaluation: Evaluation) -> str:
    """Return what a run is called among those that are kept."""
    first = evaluation.headline
    result = "" if first is None else f"{first.name} {percent(first.value)} · "
    return f"{result}{setting_words(evaluation.setting)}"


def counted_on(figure: Figure) -> str:
    """Return in a few words what a figure was counted on."""
    note = figure.note.partition(" among ")[0].partition(";")[0]
    return note.replace(" and ", ", ").removesuffix(" comparisons")


def missing_words(name: str, evaluation: Evaluation) -> str:
    """Return why a figure is not there."""
    searches = evaluation.searches
    if searches is not None and not searches.mated.any():
        return "Nobody who is enrolled was searched for."
    if name == "rank-5":
        return "At most five people are enrolled, so the right one is always among five."
    if name.startswith(("DIR", "TAR")):
        what = "strangers’ searches" if name.startswith("DIR") else "non-mated comparisons"
        return f"Too few {what} for so small a rate: at least 100 are needed."
    if name == "pair accuracy":
        return "No threshold could be chosen: the pairs to tune on are all alike."
    return "There are no non-mated comparisons to hold the mated ones against."
