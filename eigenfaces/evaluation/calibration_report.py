"""What a calibration promises, and what held on the gallery's own photographs.

For what is promised about new faces, people are held out: in turn a tenth of them are strangers to
all that is learnt from the others (thresholds, certainty).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.recognition.calibration import (
    ENOUGH_PEOPLE,
    LIKELY,
    SHARES,
    SURE,
    Calibration,
    Certainty,
    Rate,
    scores,
)
from eigenfaces.recognition.calibration import limit as limit_of
from eigenfaces.space.arrays import Doubles, Flags

_PARTS, _BINS = 10, 10


@dataclass(frozen=True)
class Mark:
    """A threshold for strangers, of whom a share may be named at most (``asked``).

    Within the distance ``limit`` somebody is named. ``refused`` are held-out photographs of
    enrolled people beyond it; ``named``, photographs of people left out that are named, by the
    threshold of the other people; ``promised`` is the share of strangers that is not exceeded, with
    95 % confidence.
    """

    asked: float
    limit: float
    refused: Rate
    named: Rate
    promised: float


@dataclass(frozen=True)
class Word:
    """How often a word for certainty (sure, likely or ask) was used, and was right.

    ``right`` are names that are right, of photographs of enrolled people that got this word;
    ``strangers``, photographs of people left out that got it.
    """

    word: str
    right: Rate
    strangers: Rate


@dataclass(frozen=True)
class CalibrationReport:
    """What was promised, and what held.

    Parameters
    ----------
    people, photos
        Numbers of both that it was measured on.
    named_rightly
        Held-out photographs whose nearest person is the right one, of those with another photograph
        of the same person.
    reason
        Why there is no threshold; then what follows is empty.
    asked
        The share of strangers that may be named at most, of the project.
    near_duplicates
        Photographs that are nearly the same picture as another one: what is counted is then too
        good.
    least
        The smallest share that so many people can promise.
    marks
        The thresholds for the share asked and some others, by share.
    words, error
        The words for certainty, by the threshold asked, and the expected calibration error of the
        probabilities, with half of the faces strangers; neither where nobody has two photographs.
    rough
        Whether there are too few people, or photographs of each, for exact words.
    face_limit, faces
        The share of contrast under which a crop is a face, and the enrolled faces that pass.
    """

    people: int
    photos: int
    named_rightly: Rate
    reason: str
    asked: float
    near_duplicates: int
    least: float | None = None
    marks: tuple[Mark, ...] = ()
    words: tuple[Word, ...] = ()
    error: float | None = None
    rough: bool = True
    face_limit: float | None = None
    faces: Rate | None = None


def calibration_report(
    calibration: Calibration, asked: float, duplicates: int = 0
) -> CalibrationReport:
    """Return what a calibration promises, and what held; quick, nothing is fitted to pictures.

    ``asked`` is the share of strangers that may be named at most, ``duplicates`` the number of
    `near_duplicates`.
    """
    held, mated = calibration.held, calibration.held.mated
    named_rightly = Rate.among(held.right[mated], held.people[mated])
    reason, likeness = calibration.reason, calibration.likeness.limit
    promise = calibration.guarantee
    if promise is None:
        reason = (
            f"The limit for strangers was learnt from other people’s photos. With {ENOUGH_PEOPLE} "
            "people or more it is checked on your own."
        )
    report = CalibrationReport(
        held.count, len(held.people), named_rightly, reason, asked, duplicates
    )
    if reason or promise is None:
        return report
    words, error = _certainty(calibration, asked) if mated.any() else ((), None)
    return replace(
        report,
        least=promise.minimum,
        marks=tuple(_mark(calibration, share) for share in sorted({asked, *SHARES})),
        words=words,
        error=error,
        rough=calibration.certainty.rough,
        face_limit=likeness,
        faces=Rate.among(calibration.left_over <= likeness, held.people),
    )


def _mark(calibration: Calibration, share: float) -> Mark:
    held, limit, promise = calibration.held, calibration.limit(share), calibration.guarantee
    assert limit is not None
    assert promise is not None
    named, drawn = held.stranger.distance < _limits(calibration, share), held.stranger.drawn
    return Mark(
        asked=share,
        limit=limit,
        refused=Rate.among(held.member.distance[held.mated] >= limit, held.people[held.mated]),
        named=Rate.among(named[drawn], held.people[drawn]),
        promised=promise.upper_bound(share),
    )


def _by_others(calibration: Calibration, learnt: Callable[[Flags, Flags], Doubles]) -> Doubles:
    """Return for each photograph (m,) what is learnt from the people of the other tenths.

    ``learnt``: from the photographs to learn from and those to use it on.
    """
    people = calibration.held.people
    tenths = np.searchsorted(np.unique(people), people) % min(_PARTS, calibration.held.count)
    found = np.empty(len(people))
    for tenth in np.unique(tenths):
        found[tenths == tenth] = learnt(tenths != tenth, tenths == tenth)
    return found


def _limits(calibration: Calibration, share: float) -> Doubles:
    """Return for each photograph (m,) the limit that follows from people of other tenths."""
    away = calibration.held.stranger

    def learnt(some: Flags, use: Flags) -> Doubles:
        return np.full(use.sum(), limit_of(away.distance[some & away.drawn], share))

    return _by_others(calibration, learnt)


def _certainty(calibration: Calibration, share: float) -> tuple[tuple[Word, ...], float]:
    """Return the words by a share of strangers, and the calibration error of probabilities.

    That is Σ over bins of | Σ weight · (probability − truth) |: M. P. Naeini and others, *Obtaining
    well calibrated probabilities using Bayesian binning*, 2015.
    """
    held, limits = calibration.held, _limits(calibration, share)
    mated, drawn = held.mated, held.stranger.drawn
    seen, strange = (scores(each.distance, each.margin) for each in (held.member, held.stranger))

    def probability_of(points: Doubles) -> Doubles:
        def learnt(some: Flags, use: Flags) -> Doubles:
            by = some & mated
            fitted = Certainty.fit(seen[by], held.right[by], strange[some & drawn], rough=True)
            return fitted.probability(*points[use].T)

        return _by_others(calibration, learnt)

    of_members, of_strangers, words = probability_of(seen), probability_of(strange), []
    for word, least, below in (("sure", SURE, 2.0), ("likely", LIKELY, SURE), ("ask", 0.0, LIKELY)):
        said, strangers = (
            (least <= sure) & (sure < below) & (each.distance < limits)
            for sure, each in ((of_members, held.member), (of_strangers, held.stranger))
        )
        said &= mated
        right = Rate.among(held.right[said], held.people[said])
        words.append(Word(word, right, Rate.among(strangers[drawn], held.people[drawn])))
    probability = np.concatenate([of_members[mated], of_strangers[drawn]])
    truth = np.concatenate([held.right[mated], np.zeros(drawn.sum(), bool)])
    weights = np.repeat([0.5 / mated.sum(), 0.5 / drawn.sum()], [mated.sum(), drawn.sum()])
    bins = np.minimum((probability * _BINS).astype(int), _BINS - 1)
    return tuple(words), float(np.abs(np.bincount(bins, weights * (probability - truth))).sum())
