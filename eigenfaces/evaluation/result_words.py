"""What is said about runs, their figures and controls, and who takes part: made of values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eigenfaces.evaluation.controls import GUESSES, Control, ControlKind
from eigenfaces.evaluation.metrics import (
    AT_LIMITS,
    FALSE_ACCEPTS,
    NO_THRESHOLD,
    STRANGERS_NAMED,
    Figure,
    FigureKind,
    confusion,
)
from eigenfaces.evaluation.records import Evaluation, Record, Setting
from eigenfaces.recognition.calibration import FEWEST_PEOPLE
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import recipe_in_short
from eigenfaces.space.arrays import Numbers
from eigenfaces.text import capital, count, percent, some_of, were

CLEARLY_ABOVE = 0.05
"""How far above guessing a covered face has to be recognised, beyond doubt, for a warning."""

_EER = "equal error rate (EER)"
_LEAKS_NAMED = 3

_TITLES: dict[ControlKind, str] = {
    "pixels L2": "Pixels, L2",
    "pixels L1": "Pixels, L1",
    "duplicates": "Near-duplicates",
    "not acquired": "Failures to acquire",
}


@dataclass(frozen=True)
class Remark:
    """A control, its title, what it means, and whether that is a warning about the result."""

    control: Control
    title: str
    sentence: str
    warns: bool


def remarks(evaluation: Evaluation) -> tuple[Remark, ...]:
    """Return what each control of an evaluation means for its result."""
    return tuple(remark(control, evaluation) for control in evaluation.controls)


def remark(control: Control, evaluation: Evaluation) -> Remark:
    """Return what a control means for the result of an evaluation."""
    ours, value, warns = evaluation.headline, control.value, False
    if not math.isfinite(value):
        words = "It could not be measured."
    elif control.kind == "face covered":
        guesses = [other.value for other in evaluation.controls if other.kind in GUESSES]
        guess, low = max(guesses, default=0), value if control.low is None else control.low
        warns = low > guess + CLEARLY_ABOVE
        if warns:
            words = "Far above guessing: part of the result comes from hair, clothes, background "
            words += "or light, not from the face."
        elif low > guess:
            words = "A little above guessing: what surrounds the face gives something away."
        elif value > guess + CLEARLY_ABOVE:
            words = "Above guessing, but by so few people that it may be luck."
        else:
            words = "Near guessing: the background tells nothing."
    elif control.kind == "duplicates":
        warns = value > 0
        words = f"{control.note}: where both sides of a split hold one, the figures are too good."
        words = words if warns else "No two photos are nearly the same."
    elif control.kind == "not acquired":
        warns, words = True, f"{control.note}: no other figure counts them."
    elif ours is None:
        words = "There is no result to compare it with."
    elif control.kind in GUESSES:
        warns = ours.low <= value
        words = f"The result is {'not ' if warns else ''}clearly above it."
    elif value >= ours.value:
        how = "Better than" if value > ours.high else "As good as"
        words = f"{how} face space: here PCA makes comparing faster, not more accurate."
    elif value >= ours.low:
        words = "Close to face space: within its interval."
    else:
        words = "Worse: here face space helps."
    return Remark(control, _TITLES.get(control.kind, capital(control.kind)), words, warns)


def interval_words(figure: Figure) -> str:
    """Return the 95 % interval as “94.6 to 98.9 %, by person”."""
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f} %, {figure.by}"


def setting_words(setting: Setting) -> str:
    """Return protocol and recipe in a line."""
    return f"{setting.protocol.words()} · {recipe_in_short(setting.recipe)}"


def run_name(evaluation: Evaluation) -> str:
    """Return what a run is called among those that are kept."""
    first, words = evaluation.headline, setting_words(evaluation.setting)
    return words if first is None else f"{first.kind} {percent(first.value)} · {words}"


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
        return NO_THRESHOLD
    return "There are no non-mated comparisons to hold the mated ones against."


@dataclass(frozen=True)
class KeyFigure:
    """One of the figures that come first: its name, value, interval, and what it was counted on.

    ``value`` is empty where there is no figure; ``interval`` then says why.
    """

    name: str
    value: str = ""
    interval: str = ""
    note: str = ""


def key_figures(ours: Evaluation, theirs: Evaluation | None = None) -> list[KeyFigure]:
    """Return the four figures that come first; beside those of another run, with differences."""
    strangers = ours.searches is not None and not ours.searches.mated.all()
    kinds: tuple[FigureKind, ...] = "rank-1", "DIR at FPIR 1 %" if strangers else "rank-5", "EER"
    if ours.pairs is not None:
        kinds = "pair accuracy", "EER", "TAR at FAR 1 %"
    elif ours.figure("FPIR reached") is not None:
        kinds = "rank-1", "DIR reached", "FPIR reached"
    figures = [_key_figure(kind, ours, theirs) for kind in kinds]
    made, figure, limits = mistakes_made(ours), ours.headline, ""
    if made is None:
        return [*figures, KeyFigure("mistakes", interval=missing_words("pair accuracy", ours))]
    wrong, total = made
    other = None if theirs is None else mistakes_made(theirs)
    if other is not None:
        name = f"mistakes: {wrong - other[0]:+d}".replace("-", "−")
        notes = f"this: of {total:,}", f"other: {other[0]:,} of {other[1]:,}"
        return [*figures, KeyFigure(name, f"{wrong:,}", *notes)]
    if figure is not None:
        ends = (1 - figure.high) * total, (1 - figure.low) * total
        limits = f"{ends[0]:.0f} to {ends[1]:.0f}, {figure.by}"
    what = "searches" if ours.pairs is None else "pairs"
    return [*figures, KeyFigure("mistakes", f"{wrong:,}", limits, f"of {total:,} {what}")]


def _key_figure(kind: FigureKind, ours: Evaluation, theirs: Evaluation | None) -> KeyFigure:
    """Return one figure, or why there is none; its difference from that of another run."""
    name, first = _EER if kind == "EER" else kind, ours.figure(kind)
    if theirs is None:
        if first is None:
            return KeyFigure(name, interval=missing_words(kind, ours))
        return KeyFigure(name, percent(first.value), interval_words(first), first.note)
    second = theirs.figure(kind)
    if first is None or second is None:
        run, evaluation = ("this run", ours) if first is None else ("the other", theirs)
        known = first or second
        value = "" if known is None else percent(known.value)
        return KeyFigure(name, value, f"Not in {run}: {missing_words(kind, evaluation)}")
    # Without the last bits, which would round 1.25 elsewhere than the sentence on the difference.
    points = f"{round(100 * (first.value - second.value), 9):+.1f}".replace("-", "−")
    if points[1:] == "0.0":
        points = "±0.0"
    return KeyFigure(
        f"{kind}: {points} points",
        percent(first.value),
        f"this: {interval_words(first)}",
        f"other: {percent(second.value)} ({100 * second.low:.1f} to {100 * second.high:.1f})",
    )


def left_out_words(evaluation: Evaluation) -> str:
    """Return how many people had too few photos, and what was done with them; no names."""
    many = len(evaluation.left_out)
    if not many:
        return "Nobody was left out for having too few photos"
    who, was = count(many, "person"), were(many)
    kind = evaluation.setting.protocol.kind
    if kind == "open set":
        strangers = "a stranger" if many == 1 else "strangers"
        return f"{who} had too few photos to be members, and {was} searched for as {strangers}"
    if kind in ("n-shot", "first photos"):
        return f"{who} had too few photos for this protocol, and took no part"
    return f"{who} had too few photos to be searched for, and {was} only enrolled"


def notices(evaluation: Evaluation) -> list[str]:
    """Return what is to be known before the figures are read: leaks, and who was left out."""
    texts, leaks = [], [leak.sentence for leak in evaluation.leaks]
    if leaks:
        more = f" And {len(leaks) - _LEAKS_NAMED:,} more." if len(leaks) > _LEAKS_NAMED else ""
        texts.append(
            "This split leaks, which you allowed, so the figures are too good. "
            f"{' '.join(leaks[:_LEAKS_NAMED])}{more}"
        )
    if evaluation.left_out:
        texts.append(f"{left_out_words(evaluation)}: {some_of(evaluation.left_out)}.")
    return texts


def why_not_evaluable(gallery: Gallery) -> str:
    """Return why a gallery cannot be evaluated; empty if it can."""
    photos = Counter(_participants(gallery).values())
    if not photos:
        return "Nobody in the gallery has a name. Give the photos names on People first."
    if len(photos) < 2:
        return f"An evaluation needs at least two people, and there is only “{next(iter(photos))}”."
    if max(photos.values()) < 2:
        return (
            "To search for a photo, another one of the same person must be enrolled, and nobody "
            f"has two: {some_of([f'{name} (1)' for name in photos])}."
        )
    return ""


def _participants(gallery: Gallery) -> dict[str, str]:
    """Return the person on each photo that would take part, by its key."""
    photos = gallery.index.photos
    return {p.key: p.person for p in photos if p.person is not None and not p.excluded}


def changed_since(record: Record, gallery: Gallery) -> str:
    """Return how the gallery has changed since a run; empty if it has not."""
    then = {photo.key: photo.person for photo in record.evaluation.photos}
    now = _participants(gallery)
    changes = {
        "added": len(now.keys() - then.keys()),
        "removed": len(then.keys() - now.keys()),
        "renamed": sum(then[key] != now[key] for key in then.keys() & now.keys()),
    }
    parts = [f"{count(number)} {verb}" for verb, number in changes.items() if number]
    if record.preparation != gallery.preparation:
        parts.append("the faces cut anew")
    if not parts:
        return ""
    return f"The gallery has changed since this run: {', '.join(parts)}. Run again to measure it."


@dataclass(frozen=True)
class SearchPhoto:
    """One photograph of a search: its key, person, path, and distance from the probe."""

    key: str
    person: str
    path: Path
    distance: float | None = None


@dataclass(frozen=True)
class SingleSearch:
    """One search, or one pair; ``should`` is None for correct answers and for pairs."""

    number: int
    probe: SearchPhoto
    taken: SearchPhoto
    should: SearchPhoto | None
    verdict: str

    @property
    def photos(self) -> tuple[SearchPhoto, SearchPhoto, SearchPhoto | None]:
        """Who was searched for, who was found, and who should have been."""
        return self.probe, self.taken, self.should

    def spoken(self) -> str:
        """Return the result as a sentence."""
        words = f"{self.probe.person}, {self.verdict} {self.taken.person}"
        return words + (f", should have been {self.should.person}" if self.should else "")


def mistakes(evaluation: Evaluation) -> Numbers:
    """Return the mated searches, or pairs, with a wrong answer."""
    searches, pairs = evaluation.searches, evaluation.pairs
    if searches is not None:
        return np.flatnonzero(searches.mated & ~searches.right)
    if pairs is None or evaluation.figure("pair accuracy") is None:
        return np.empty(0, np.intp)
    return np.flatnonzero(~pairs.right(evaluation.thresholds))


def mistakes_made(evaluation: Evaluation) -> tuple[int, int] | None:
    """Return the numbers of wrong and of all mated searches (or pairs); None if unknown."""
    searches, pairs, total = evaluation.searches, evaluation.pairs, 0
    if searches is not None:
        total = int(searches.mated.sum())
    elif pairs is not None and evaluation.figure("pair accuracy") is not None:
        total = len(pairs)
    return (len(mistakes(evaluation)), total) if total else None


def confused_pairs(counts: Numbers, most: int) -> list[tuple[int, int, int]]:
    """Return who was taken for whom and how often, from counts (p, p); the most frequent first."""
    wrong = counts.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:most]
    pairs = zip(*np.unravel_index(order[wrong.flat[order] > 0], wrong.shape), strict=True)
    return [(int(who), int(answer), int(wrong[who, answer])) for who, answer in pairs]


def most_confused(counts: Numbers, most: int) -> Numbers:
    """Return which people to show of counts (p, p): all involved, or those most often confused."""
    people = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1))
    times = (counts.sum(axis=0) + counts.sum(axis=1) - 2 * counts.diagonal())[people]
    return np.sort(people[np.argsort(-times, kind="stable")[:most]])


def single_searches(evaluation: Evaluation, numbers: Sequence[int] | Numbers) -> list[SingleSearch]:
    """Return some of the searches, or pairs, with their photographs."""

    def photo(row: int, distance: float | None = None) -> SearchPhoto:
        own = evaluation.photos[row]
        return SearchPhoto(own.key, own.person or "", own.path, distance)

    searches, pairs, results = evaluation.searches, evaluation.pairs, []
    for number in map(int, numbers):
        should = None
        if searches is not None:
            distances, row = searches.distances[number], int(searches.should[number])
            right = bool(searches.right[number])
            verdict = "found as" if right else "taken for"
            probe = photo(searches.probes[number])
            answer = photo(searches.taken[number], float(distances[searches.answers[number]]))
            if not right and row >= 0:
                should = photo(row, float(distances[searches.people[number]]))
        else:
            assert pairs is not None
            first, second = pairs.pairs[number]
            verdict = "taken for somebody else than" if pairs.mated[number] else "taken for"
            probe, answer = photo(first), photo(second, float(pairs.distances[number]))
        results.append(SingleSearch(number, probe, answer, should, verdict))
    return results


@dataclass(frozen=True)
class PersonResult:
    """The results of the mated searches for one person."""

    who: int
    person: str
    searches: int
    right: int
    taken_for: str  # the most frequent wrong answer, or ""
    times: int


def results_by_person(evaluation: Evaluation) -> list[PersonResult]:
    """Return the results of every person, searched for or not; none of pairs."""
    searches, people, results = evaluation.searches, evaluation.people, []
    if searches is None:
        return []
    for who, answers in enumerate(confusion(searches, len(people))):
        total, right = int(answers.sum()), int(answers[who])
        answers[who] = 0
        most = int(answers.argmax())
        taken_for, times = people[most] if answers[most] else "", int(answers[most])
        results.append(PersonResult(who, people[who], total, right, taken_for, times))
    return results
