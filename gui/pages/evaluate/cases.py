"""Single searches with their photographs: probe, taken for, should have been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Numbers
from eigenfaces.evaluation.results import Evaluation
from gui.widgets.sorted_table import Line


@dataclass(frozen=True)
class Part:
    """One photograph of a case: its key, who is on it, how far it is from the probe."""

    key: str
    person: str
    file: str
    distance: float | None = None


@dataclass(frozen=True)
class Case:
    """One search (or one pair); ``should`` is None where the answer is right, or of pairs."""

    number: int
    probe: Part
    taken: Part
    should: Part | None
    verdict: str

    def spoken(self) -> str:
        """Say the case in a sentence."""
        words = f"{self.probe.person}, {self.verdict} {self.taken.person}"
        return words + (f", should have been {self.should.person}" if self.should else "")


def mistakes(evaluation: Evaluation) -> Numbers:
    """Return the mated searches, or the pairs, that went wrong."""
    searches, pairs = evaluation.searches, evaluation.pairs
    if searches is not None:
        return np.flatnonzero(searches.mated & ~searches.right)
    if pairs is None or not np.isfinite(evaluation.thresholds[np.unique(pairs.fold)]).all():
        return np.empty(0, np.intp)
    accepted = pairs.distances <= evaluation.thresholds[pairs.fold]
    return np.flatnonzero(accepted != pairs.mated)


def at_rank(evaluation: Evaluation, rank: int) -> Numbers:
    """Return the searches whose right person came exactly at a rank."""
    searches = evaluation.searches
    return np.empty(0, np.intp) if searches is None else np.flatnonzero(searches.ranks == rank)


def answered(evaluation: Evaluation, who: int, answer: int) -> Numbers:
    """Return the mated searches for one person that were answered by another, or the same."""
    searches = evaluation.searches
    if searches is None:
        return np.empty(0, np.intp)
    wanted = searches.mated & (searches.people == who) & (searches.answers == answer)
    return np.flatnonzero(wanted)


def of_person(evaluation: Evaluation, who: int) -> Numbers:
    """Return the mated searches for one person that went wrong."""
    searches = evaluation.searches
    if searches is None:
        return np.empty(0, np.intp)
    return np.flatnonzero(searches.mated & ~searches.right & (searches.people == who))


def cases(evaluation: Evaluation, numbers: Sequence[int] | Numbers) -> list[Case]:
    """Return some of the searches, or pairs, with their photographs."""
    make = _search if evaluation.searches is not None else _pair
    return [make(evaluation, int(number)) for number in numbers]


def _part(evaluation: Evaluation, row: int, distance: float | None = None) -> Part:
    photo = evaluation.photos[row]
    return Part(photo.key, photo.person or "", photo.path.name, distance)


def _search(evaluation: Evaluation, number: int) -> Case:
    searches = evaluation.searches
    assert searches is not None
    answer, own = int(searches.answers[number]), int(searches.people[number])
    distances = searches.distances[number]
    taken = _part(evaluation, int(searches.taken[number]), float(distances[answer]))
    right, place = bool(searches.right[number]), int(searches.should[number])
    should = None
    if not right and place >= 0:
        should = _part(evaluation, place, float(distances[own]))
    probe = _part(evaluation, int(searches.probes[number]))
    return Case(number, probe, taken, should, "found as" if right else "taken for")


def _pair(evaluation: Evaluation, number: int) -> Case:
    pairs = evaluation.pairs
    assert pairs is not None
    first, second = (int(row) for row in pairs.pairs[number])
    other = _part(evaluation, second, float(pairs.distances[number]))
    verdict = "taken for somebody else than" if pairs.mated[number] else "taken for"
    return Case(number, _part(evaluation, first), other, None, verdict)


def person_lines(evaluation: Evaluation) -> list[Line]:
    """Return a line for each person searched for: how often, how often right, taken for whom."""
    searches = evaluation.searches
    if searches is None:
        return []
    people, lines = evaluation.people, []
    mated = searches.mated
    of = np.bincount(searches.people[mated], minlength=len(people))
    right = np.bincount(searches.people[mated & searches.right], minlength=len(people))
    for who in np.flatnonzero(of).tolist():
        wrong = searches.answers[mated & ~searches.right & (searches.people == who)]
        counts = np.bincount(wrong, minlength=len(people))
        most = int(counts.argmax())
        others = f"{people[most]} ({counts[most]})" if counts[most] else "nobody else"
        share = right[who] / of[who]
        words = (people[who], f"{of[who]:,}", f"{100 * share:.0f} %", others)
        lines.append(Line(str(who), words, (people[who], float(of[who]), share, others)))
    return lines
