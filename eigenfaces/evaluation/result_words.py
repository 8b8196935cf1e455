"""Sentences about evaluation runs, their figures and controls, and the people who take part."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.controls import GUESSES, Control, ControlKind
from eigenfaces.evaluation.metrics import FALSE_ACCEPTS, NO_THRESHOLD, STRANGERS_NAMED, MetricKind
from eigenfaces.evaluation.protocols import OpenSet
from eigenfaces.evaluation.records import Evaluation, EvaluationRecord, EvaluationSetting
from eigenfaces.evaluation.searches import PairScores
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import recipe_in_short
from eigenfaces.space.arrays import Numbers
from eigenfaces.space.principal import MOST_COORDINATES
from eigenfaces.text import capital, count, first_few, percent

CLEARLY_ABOVE = 0.05
"""How far the lower accuracy limit with covered faces must exceed guessing for a warning."""

_LEAKS_NAMED = 3

_TITLES: dict[ControlKind, str] = {
    "pixels L2": "Pixels, L2",
    "pixels L1": "Pixels, L1",
    "duplicates": "Near-duplicates",
    "not acquired": "Failures to acquire",
}


@dataclass(frozen=True)
class Remark:
    """A control with its title and meaning, and whether it casts doubt on the result."""

    control: Control
    title: str
    sentence: str
    warns: bool


def remarks(evaluation: Evaluation) -> tuple[Remark, ...]:
    """Return a remark on what each control says about the result of an evaluation."""
    return tuple(_remark(control, evaluation) for control in evaluation.controls)


def _remark(control: Control, evaluation: Evaluation) -> Remark:
    ours = evaluation.headline
    value = control.value
    warns = False
    if not math.isfinite(value):
        words = "It could not be measured."
    elif control.kind == "face covered":
        guesses = [other.value for other in evaluation.controls if other.kind in GUESSES]
        guess = max(guesses, default=0)
        low = value if control.low is None else control.low
        warns = low > guess + CLEARLY_ABOVE
        words = "Near guessing: the background gives nothing away."
        if warns:
            words = "Far above guessing: part of the result comes from hair, clothes, background "
            words += "or light, not from the face."
        elif low > guess:
            words = "A little above guessing: what surrounds the face gives something away."
    elif control.kind == "duplicates":
        warns = value > 0
        words = f"{control.note}: where both sides of a split have one, the figures are too good."
        words = words if warns else "No two photos are nearly the same."
    elif control.kind == "not acquired":
        warns = True
        failed = len(evaluation.failed)
        if not failed:
            words = (
                f"{control.note}: nobody enrolled was searched for in them, so no figure counts "
            )
            words += "them."
        elif evaluation.pairs is None:
            words = f"{control.note}: {count(failed, 'search', 'searches')} of somebody enrolled "
            words += "failed because of this, and the figures count them as wrong."
        else:
            words = (
                f"{control.note}: {count(failed, 'pair')} failed because of this, and the figures "
            )
            words += "count them as wrong."
    elif ours is None:
        words = "There is no result to compare it with."
    elif control.kind in GUESSES:
        warns = ours.low <= value
        words = f"The result is {'not ' if warns else ''}clearly above it."
    elif value >= ours.low:
        how = "Better than" if value > ours.high else "As good as"
        words = f"{how} the face space: here PCA makes comparisons faster, not more accurate."
    else:
        words = "Worse: here the face space helps."
    return Remark(control, _TITLES.get(control.kind, capital(control.kind)), words, warns)


def setting_words(setting: EvaluationSetting) -> str:
    """Return the protocol and the recipe as one line of text."""
    return f"{setting.protocol.words()} · {recipe_in_short(setting.recipe)}"


def run_name(evaluation: Evaluation) -> str:
    """Return a name for a saved run, short enough for a list."""
    first, setting = evaluation.headline, evaluation.setting
    protocol = setting.protocol.words().removesuffix(" cross-validation")
    parts = "" if first is None else percent(first.value), protocol, recipe_in_short(setting.recipe)
    return " · ".join(filter(None, parts))


def missing_figure_words(kind: MetricKind) -> str:
    """Return the reason why a figure is missing."""
    if kind == "rank-5":
        return "At most five people are enrolled, so the right one is always among the first five."
    if kind in STRANGERS_NAMED or kind in FALSE_ACCEPTS:
        what = "strangers’ searches" if kind in STRANGERS_NAMED else "non-mated comparisons"
        return f"Too few {what} for so small a rate: at least 100 are needed."
    return NO_THRESHOLD if kind == "pair accuracy" else "There is nothing to measure it on."


@dataclass(frozen=True)
class KeyFigure:
    """A main figure of an evaluation: its name, value and interval, and what was counted.

    If there is no figure, ``value`` is empty and ``interval`` gives the reason.
    """

    name: str
    value: str = ""
    interval: str = ""
    note: str = ""


def key_figures(ours: Evaluation, theirs: Evaluation | None = None) -> list[KeyFigure]:
    """Return the four main figures. If another run is given, the notes show its figures."""
    strangers = ours.searches is not None and not ours.searches.mated.all()
    kinds: tuple[MetricKind, ...] = "rank-1", "DIR at FPIR 1 %" if strangers else "rank-5", "EER"
    if ours.pairs is not None:
        kinds = "pair accuracy", "EER", "TAR at FAR 1 %"
    elif ours.metric("FPIR reached") is not None:
        kinds = "rank-1", "DIR reached", "FPIR reached"
    figures = []
    for kind in kinds:
        name = "equal error rate (EER)" if kind == "EER" else kind
        figure = ours.metric(kind)
        if figure is None:
            figures.append(KeyFigure(name, interval=missing_figure_words(kind)))
            continue
        interval = f"{100 * figure.low:.1f} to {100 * figure.high:.1f}"
        note = figure.note
        if theirs is not None:
            note = "other run: –"
            if (other := theirs.metric(kind)) is not None:
                note = f"other run: {percent(other.value)} "
                note += f"({100 * other.low:.1f} to {100 * other.high:.1f})"
        figures.append(KeyFigure(name, percent(figure.value), f"{interval} %, {figure.by}", note))
    judged, right = ours.judged()
    if not judged.any():
        return [*figures, KeyFigure("mistakes", interval=missing_figure_words("pair accuracy"))]
    what = "searches" if ours.pairs is None else "pairs"
    failed = len(ours.failed)
    wrong = f"{(judged & ~right).sum() + failed:,}"
    note = f"{failed:,} without a usable photo" if failed else ""
    if theirs is not None and (others := theirs.judged()[0].sum()):
        lost = len(theirs.failed)
        note = f"other run: {len(mistakes(theirs)) + lost:,} of {others + lost:,}"
    whole = judged.sum() + failed
    return [*figures, KeyFigure("mistakes", wrong, f"of {whole:,} {what}", note)]


def left_out_words(evaluation: Evaluation) -> str:
    """Return how many people had too few photographs for the protocol, without naming them."""
    if not (many := len(evaluation.too_few_photos)):
        return "Nobody was left out for having too few photos"
    return f"{count(many, 'person')} had too few photos to be searched for by name"


def strangers_words(evaluation: Evaluation) -> str:
    """Return a notice if an open set has more or fewer strangers than requested, else ""."""
    protocol = evaluation.setting.protocol
    searches = evaluation.searches
    if not isinstance(protocol, OpenSet) or searches is None:
        return ""
    people = len(evaluation.people)
    members = len(np.unique(searches.people[searches.mated & (searches.fold == 0)]))
    strangers = people - members
    if abs(strangers - protocol.strangers * people) < 1:
        return ""
    return (
        f"{strangers:,} of {count(people, 'person')} are strangers in each repetition: "
        f"{percent(strangers / people, 0)}; {percent(protocol.strangers, 0)} were asked for. To be "
        f"a member, a person needs {protocol.photos_needed} photos or more."
    )


def truncation_words(evaluation: Evaluation) -> str:
    """Return a notice if there were too many photographs to keep all coordinates, else ""."""
    pretrained = evaluation.setting.recipe.features.PRETRAINED
    if pretrained or len(evaluation.photos) <= MOST_COORDINATES:
        return ""
    return (
        f"With more than {MOST_COORDINATES:,} photos, only the first {MOST_COORDINATES:,} "
        "principal coordinates are used. They come from all photos, including the probes; "
        "everything else is fitted in each fold."
    )


def middle_words(evaluation: Evaluation) -> str:
    """Return a notice if, in any photograph, the face nearest the middle was used, else ""."""
    if not evaluation.by_middle:
        return ""
    return (
        f"In {count(evaluation.by_middle)} of the lists or pairs, none of several faces was "
        "chosen, so the face nearest the middle is used."
    )


def notices(evaluation: Evaluation) -> list[str]:
    """Return the notices to read before the figures, such as those on leaks and people left out."""
    texts = []
    leaks = [leak.sentence for leak in evaluation.leaks]
    if leaks:
        more = f" And {len(leaks) - _LEAKS_NAMED:,} more." if len(leaks) > _LEAKS_NAMED else ""
        texts.append(
            "This split leaks. You allowed it, but the figures are too good. "
            f"{' '.join(leaks[:_LEAKS_NAMED])}{more}"
        )
    words = strangers_words(evaluation), middle_words(evaluation), truncation_words(evaluation)
    texts += filter(None, words)
    if evaluation.too_few_photos:
        texts.append(f"{left_out_words(evaluation)}: {first_few(evaluation.too_few_photos)}.")
    return texts


def why_not_evaluable(gallery: Gallery) -> str:
    """Return the reason why a gallery cannot be evaluated, or "" if it can."""
    photos = Counter(gallery.index.photos[row].person or "" for row in gallery.enrolled)
    if not photos:
        return "Nobody in the gallery has a name. Name the photos on the People page first."
    if len(photos) < 2:
        return f"An evaluation needs at least two people, but there is only “{next(iter(photos))}”."
    if max(photos.values()) < 2:
        return (
            "To search for a photo, another one of the same person must be enrolled, but nobody "
            f"has two: {first_few([f'{name} (1)' for name in photos])}."
        )
    return ""


def changed_since(record: EvaluationRecord, gallery: Gallery) -> str:
    """Return a notice if the gallery has changed since a run, or "" if it has not."""
    then = {(photo.id, photo.person) for photo in record.evaluation.photos}
    enrolled = (gallery.index.photos[row] for row in gallery.enrolled)
    now = {(photo.id, photo.person) for photo in enrolled}
    if then == now and record.preparation == gallery.preparation:
        return ""
    return "The gallery has changed since this run. Run again to measure it as it is now."


@dataclass(frozen=True)
class SingleSearch:
    """The result of a single search, or of comparing a single pair."""

    photos: tuple[FacePhoto, ...]  # the probe, the answer, and, after a mistake, the right photo
    distances: tuple[float, ...]  # from the probe to the others
    verdict: str

    def accessible_text(self) -> str:
        """Return the result as a sentence for screen readers."""
        probe, answer, *right = [photo.person for photo in self.photos]
        words = f"{probe}, {self.verdict} {answer}"
        return words + (f", should have been {right[0]}" if right else "")


def mistakes(evaluation: Evaluation) -> Numbers:
    """Return the indices of the mated searches, or of the pairs, with wrong answers."""
    judged, right = evaluation.judged()
    return np.flatnonzero(judged & ~right)


def most_confused(counts: Numbers, most: int) -> Numbers:
    """Return up to ``most`` people: those most often confused in a confusion matrix (p, p)."""
    people = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1))
    times = (counts.sum(axis=0) + counts.sum(axis=1) - 2 * counts.diagonal())[people]
    return np.sort(people[np.argsort(-times, kind="stable")[:most]])


def single_searches(evaluation: Evaluation, numbers: Sequence[int] | Numbers) -> list[SingleSearch]:
    """Return the searches or pairs at the given indices, each with its photographs."""
    scores = evaluation.scores
    results = []
    for number in map(int, numbers):
        if isinstance(scores, PairScores):
            verdict = "taken for somebody other than" if scores.mated[number] else "taken for"
            rows = scores.pairs[number].tolist()
            distances = scores.distances[[number]]
        else:
            verdict = "found as" if scores.right[number] else "taken for"
            rows = [scores.probes[number], scores.taken[number]]
            people = [scores.answers[number]]
            if scores.ranks[number] > 1:
                rows.append(scores.should[number])
                people.append(scores.people[number])
            distances = scores.distances[number, people]
        photos = tuple(evaluation.photos[row] for row in rows)
        results.append(SingleSearch(photos, tuple(distances.tolist()), verdict))
    return results
