"""What the page says about runs, recipes and figures: plain sentences, made of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from eigenfaces.evaluation.figures import Figure
from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.results import Evaluation, Setting
from eigenfaces.evaluation.sweep import recipe_words
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.wording import count

_SHOWN = 4


def percent(share: float, digits: int = 1) -> str:
    """Return a share as “97.5 %”."""
    return f"{100 * share:.{digits}f} %"


def interval(figure: Figure) -> str:
    """Return the 95 % interval as “94.6 to 98.9 %, by person”."""
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f} %, {figure.by}"


def components(recipe: Recipe) -> str:
    """Say how many components are compared."""
    wanted = recipe.components
    words = f"k = {wanted}" if isinstance(wanted, int) else f"{100 * wanted:g} % of the variance"
    if recipe.dropped:
        words += f", the first {recipe.dropped} dropped"
    return words


def recipe_line(recipe: Recipe) -> str:
    """Say a recipe in a line: distance, components, and what else is not as usual."""
    parts = [recipe.distance, components(recipe)]
    if recipe.lighting != "none":
        parts.append(recipe.lighting)
    others = recipe_words(recipe).partition(", ")[2]
    return ", ".join([*parts, *([others] if others else [])])


def setting_line(setting: Setting) -> str:
    """Say protocol and recipe in a line."""
    return f"{setting.protocol.words()} · {recipe_line(setting.recipe)}"


def run_name(evaluation: Evaluation) -> str:
    """Return what a run is called among those that are kept."""
    first = evaluation.headline
    result = "" if first is None else f"{first.name} {percent(first.value)} · "
    return f"{result}{setting_line(evaluation.setting)}"


def run_line(made: str, name: str) -> str:
    """Return a run as the list of runs shows it, the time in the person's own zone."""
    return f"{name} · {when(made)}"


def when(made: str) -> str:
    """Return a time as “21 Nov 2026, 12:55”; as it was written where it is none."""
    try:
        time = datetime.fromisoformat(made).astimezone()
    except (ValueError, OverflowError):  # year 1, a day east
        return made
    return f"{time.day} {time:%b %Y, %H:%M}"


def counted_on(figure: Figure) -> str:
    """Return in a few words what a figure was counted on."""
    note = figure.note.partition(" among ")[0].partition(";")[0]
    return note.replace(" and ", ", ").removesuffix(" comparisons")


def mistakes_made(evaluation: Evaluation) -> tuple[int, int] | None:
    """Return how many mated searches (or pairs) went wrong, and of how many; None unknown."""
    searches, pairs = evaluation.searches, evaluation.pairs
    if searches is not None:
        of = int(searches.mated.sum())
        return (of - int(searches.right.sum()), of) if of else None
    if pairs is None or evaluation.figure("pair accuracy") is None:
        return None
    right = (pairs.distances <= evaluation.thresholds[pairs.fold]) == pairs.mated
    return int((~right).sum()), len(right)


def missing_words(name: str, evaluation: Evaluation) -> str:
    """Say why a figure is not there."""
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


# Who takes part, and what has changed


def photos_each(gallery: Gallery) -> dict[str, int]:
    """Return how many photos of each person would take part."""
    return dict(
        Counter(
            photo.person
            for photo in gallery.faces.photos
            if photo.person is not None and not photo.excluded
        )
    )


def lacking(photos: Mapping[str, int]) -> str:
    """Say why nothing can be evaluated with so many photos each; nothing where it can."""
    if not photos:
        return "Nobody in the gallery has a name. Give the photos names on People first."
    if len(photos) < 2:
        return f"An evaluation needs at least two people, and there is only “{next(iter(photos))}”."
    if max(photos.values()) < 2:
        return (
            "To search for a photo, another one of the same person must be enrolled, and nobody "
            f"has two: {named([f'{name} (1)' for name in photos])}."
        )
    return ""


def named(names: Sequence[str], shown: int = _SHOWN) -> str:
    """Name some, and say how many more there are."""
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more:,} more" if more > 0 else "")


def changed_since(record: Record, gallery: Gallery) -> str:
    """Say how the gallery differs from what a kept run was made with; nothing where it does not."""
    then = {photo.key: photo.person for photo in record.evaluation.photos}
    now = {
        photo.key: photo.person
        for photo in gallery.faces.photos
        if photo.person is not None and not photo.excluded
    }
    renamed = sum(then[key] != now[key] for key in then.keys() & now.keys())
    parts = [
        f"{count(number)} {verb}"
        for number, verb in (
            (len(now.keys() - then.keys()), "came"),
            (len(then.keys() - now.keys()), "went"),
            (renamed, "got another name"),
        )
        if number
    ]
    if record.preparation != gallery.preparation:
        parts.append("the faces were cut anew")
    if not parts:
        return ""
    return f"Since this run the gallery has changed: {', '.join(parts)}. Run again to measure it."
