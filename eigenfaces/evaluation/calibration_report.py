"""Test of a calibration's promises on the gallery's own photographs.

To test promises about new faces, one tenth of the people is held out at a time. These people are
strangers to everything that is learnt from the remaining people (thresholds and certainty).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.certainty import LIKELY, SURE, Certainty
from eigenfaces.recognition.limits import SHARES, conformal_limit
from eigenfaces.recognition.statistics import Rate
from eigenfaces.space.arrays import Doubles, Flags, Numbers

_PARTS, _BINS = 10, 10


@dataclass(frozen=True)
class StrangerThreshold:
    """A threshold for strangers, with its effect on held-out photographs."""

    asked: float  # the largest share of strangers who may be named
    limit: float  # the distance within which a face is named
    refused: Rate  # photographs of enrolled people beyond the limit
    named: Rate  # photographs of held-out people within the limit of the others
    promised: float | None
    """Upper bound (95 % confidence) on the share of strangers named, or None with a fitted law."""


@dataclass(frozen=True)
class Word:
    """A certainty word (sure, likely or ask), how often it was used, and how often it was right."""

    word: str
    right: Rate  # share of right names among photographs of enrolled people with this word
    strangers: Rate  # share of the photographs of held-out people that got this word


@dataclass(frozen=True)
class CalibrationReport:
    """The promises of a calibration and their test results, as printed by ``calibrate --json``."""

    people: int
    photos: int
    named_rightly: Rate  # among held-out photographs whose person has another one
    reason: str  # why there is no threshold; optional fields then keep their defaults
    asked: float  # the project's setting: the largest share of strangers who may be named
    near_duplicates: int  # photographs nearly the same as another, which flatter the rates
    least: float | None = None  # smallest share this many people can promise; None with a law
    marks: tuple[StrangerThreshold, ...] = ()  # for the share asked and others, in order
    words: tuple[Word, ...] = ()  # for the share asked; empty if nobody has two photographs
    error: float | None = None  # expected calibration error if half of the faces are strangers
    rough: bool = True  # whether there are too few people or photographs for exact words
    face_limit: float | None = None  # largest unexplained contrast of a face; None with Network
    faces: Rate | None = None  # the share of enrolled faces within that limit


def calibration_report(
    calibration: Calibration, asked: float, duplicates: int = 0
) -> CalibrationReport:
    """Return a calibration's promises for the share ``asked``, and how well they were kept."""
    held = calibration.held_out
    mated = calibration.held_out.mated
    promise = calibration.guarantee(asked)
    named_rightly = Rate.among(held.right[mated], held.people[mated])
    likeness = calibration.likeness.limit
    report = CalibrationReport(
        held.person_count, len(held.people), named_rightly, calibration.reason, asked, duplicates
    )
    if report.reason:
        return report
    thresholds = []
    drawn = held.stranger.held_out
    for share in sorted({asked, *SHARES}):
        limit = calibration.limit(share)
        assert limit is not None
        refused = Rate.among(held.member.distance[mated] >= limit, held.people[mated])
        named = held.stranger.distance < _limits(calibration, share)
        rates = refused, Rate.among(named[drawn], held.people[drawn])
        by = calibration.guarantee(share)
        promised = None if by is None else by.upper_bound(share)
        thresholds.append(StrangerThreshold(share, limit, *rates, promised))
    words, error = _certainty(calibration, asked) if mated.any() else ((), None)
    passing = calibration.face_residual <= likeness
    return replace(
        report,
        least=None if promise is None else promise.minimum,
        marks=tuple(thresholds),
        words=words,
        error=error,
        rough=calibration.certainty.rough,
        face_limit=None if calibration.general else likeness,
        faces=None if calibration.general else Rate.among(passing, held.people),
    )


def _people_folds(people: Numbers) -> Iterator[tuple[Flags, Flags]]:
    """For each tenth of the people, yield masks (m,) of their photographs and of all others."""
    numbers, of = np.unique(people, return_inverse=True)
    for tenth in range(min(_PARTS, len(numbers))):
        own = of % _PARTS == tenth
        yield own, ~own


def _limits(calibration: Calibration, share: float) -> Doubles:
    """Return a limit (m,) for each photograph, learnt from the tenths without the person in it.

    A fitted law comes from other people, so the limit that it sets is the same for all photographs.
    """
    held = calibration.held_out
    away = held.stranger
    limits = np.full(len(held.people), calibration.strangers.law(share))
    if calibration.guarantee(share) is None:
        return limits
    for own, others in _people_folds(held.people):
        limit = conformal_limit(away.distance[others & away.held_out], share)
        limits[own] = np.minimum(limits[own], limit) if calibration.general else limit
    return limits


def _certainty(calibration: Calibration, share: float) -> tuple[tuple[Word, ...], float]:
    """Return the certainty words for an allowed share of strangers, and the calibration error.

    The error is Σ over bins of | Σ weight · (probability − truth) | (M. P. Naeini and others,
    *Obtaining well calibrated probabilities using Bayesian binning*, 2015).
    """
    held = calibration.held_out
    away = calibration.held_out.stranger
    mated = held.mated
    drawn = away.held_out
    limits = _limits(calibration, share)
    seen = held.member.scores
    strange = away.scores
    words = []
    of_members, of_strangers = np.empty((2, len(held.people)))
    for own, others in _people_folds(held.people):
        by = others & mated
        fitted = calibration.certainty
        if not calibration.general:
            fitted = Certainty.fit(seen[by], held.right[by], strange[others & drawn], rough=True)
        of_members[own], of_strangers[own] = map(fitted.probability, (seen[own], strange[own]))
    likely = 0.0 if calibration.general else LIKELY  # see `decision.decide`
    for word, least, below in (("sure", SURE, 2.0), ("likely", likely, SURE), ("ask", 0.0, likely)):
        members, strangers = (
            (least <= sure) & (sure < below) & (near.distance < limits)
            for sure, near in ((of_members, held.member), (of_strangers, away))
        )
        members &= mated
        right = Rate.among(held.right[members], held.people[members])
        words.append(Word(word, right, Rate.among(strangers[drawn], held.people[drawn])))
    # Members and strangers each have half of the weight.
    probability = np.concatenate([of_members[mated], of_strangers[drawn]])
    truth = np.concatenate([held.right[mated], np.zeros(drawn.sum(), bool)])
    weights = np.repeat([0.5 / mated.sum(), 0.5 / drawn.sum()], [mated.sum(), drawn.sum()])
    bins = np.minimum((probability * _BINS).astype(int), _BINS - 1)
    return tuple(words), float(np.abs(np.bincount(bins, weights * (probability - truth))).sum())
