"""Single searches (or pairs) with their photographs, and the results of each person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.metrics import confusion
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.space.arrays import Numbers


@dataclass(frozen=True)
class SearchPhoto:
    """One photograph of a search: its key, person, file, and distance from the probe."""

    key: str
    person: str
    file: str
    distance: float | None = None


@dataclass(frozen=True)
class SingleSearch:
    """One search, or one pair; ``should`` is None for correct answers and for pairs."""

    number: int
    probe: SearchPhoto
    taken: SearchPhoto
    should: SearchPhoto | None
    verdict: str

    def spoken(self) -> str:
        """Return the result as a sentence."""
        words = f"{self.probe.person}, {self.verdict} {self.taken.person}"
        return words + (f", should have been {self.should.person}" if self.should else "")


def mistakes(evaluation: Evaluation) -> Numbers:
    """Return the mated searches, or pairs, with a wrong answer."""
    searches, pairs = evaluation.searches, evaluation.pairs
    if searches is not None:
        return np.flatnonzero(searches.mated & ~searches.right)
    if pairs is None or not np.isfinite(evaluation.thresholds[np.unique(pairs.fold)]).all():
        return np.empty(0, np.intp)
    return np.flatnonzero(~pairs.right(evaluation.thresholds))


def mistakes_made(evaluation: Evaluation) -> tuple[int, int] | None:
    """Return the numbers of wrong and of all mated searches (or pairs); None if unknown."""
    searches, pairs = evaluation.searches, evaluation.pairs
    if searches is not None:
        of = int(searches.mated.sum())
    else:
        of = 0 if pairs is None or evaluation.figure("pair accuracy") is None else len(pairs.pairs)
    return (len(mistakes(evaluation)), of) if of else None


def searches_at_rank(evaluation: Evaluation, rank: int) -> Numbers:
    """Return the searches whose right person has exactly this rank; none of pairs."""
    searches = evaluation.searches
    return np.flatnonzero([] if searches is None else searches.ranks == rank)


def answered(evaluation: Evaluation, who: int, answer: int) -> Numbers:
    """Return the mated searches for one person with a certain answer; none of pairs."""
    searches = evaluation.searches
    if searches is None:
        return np.empty(0, np.intp)
    return np.flatnonzero(searches.mated & (searches.people == who) & (searches.answers == answer))


def mistakes_of_person(evaluation: Evaluation, who: int) -> Numbers:
    """Return the mated searches for one person with a wrong answer; none of pairs."""
    searches, wrong = evaluation.searches, mistakes(evaluation)
    return wrong[:0] if searches is None else wrong[searches.people[wrong] == who]


def single_searches(evaluation: Evaluation, numbers: Sequence[int] | Numbers) -> list[SingleSearch]:
    """Return some of the searches, or pairs, with their photographs."""
    make = _search if evaluation.searches is not None else _pair
    return [make(evaluation, int(number)) for number in numbers]


def _photo(evaluation: Evaluation, row: int, distance: float | None = None) -> SearchPhoto:
    photo = evaluation.photos[row]
    return SearchPhoto(photo.key, photo.person or "", photo.path.name, distance)


def _search(evaluation: Evaluation, number: int) -> SingleSearch:
    searches = evaluation.searches
    assert searches is not None
    right, place = bool(searches.right[number]), int(searches.should[number])
    to_answer, to_own = (
        float(searches.distances[number, people[number]])
        for people in (searches.answers, searches.people)
    )
    return SingleSearch(
        number,
        probe=_photo(evaluation, searches.probes[number]),
        taken=_photo(evaluation, searches.taken[number], to_answer),
        should=None if right or place < 0 else _photo(evaluation, place, to_own),
        verdict="found as" if right else "taken for",
    )


def _pair(evaluation: Evaluation, number: int) -> SingleSearch:
    pairs = evaluation.pairs
    assert pairs is not None
    first, second = pairs.pairs[number]
    other = _photo(evaluation, second, float(pairs.distances[number]))
    verdict = "taken for somebody else than" if pairs.mated[number] else "taken for"
    return SingleSearch(number, _photo(evaluation, first), other, None, verdict)


@dataclass(frozen=True)
class PersonResult:
    """The results of the mated searches for one person, and the most frequent wrong answer."""

    who: int
    person: str
    searches: int
    share_right: float
    taken_for: str


def results_by_person(evaluation: Evaluation) -> list[PersonResult]:
    """Return the results of every person who was searched for; none of pairs."""
    searches, people, results = evaluation.searches, evaluation.people, []
    if searches is None:
        return []
    for who, answers in enumerate(confusion(searches, len(people))):
        of, right = int(answers.sum()), int(answers[who])
        others = answers - right * (np.arange(len(people)) == who)
        most = int(others.argmax())
        taken_for = f"{people[most]} ({others[most]})" if others[most] else "nobody else"
        if of:
            results.append(PersonResult(who, people[who], of, right / of, taken_for))
    return results
