"""The raw results of the folds of an evaluation: searches or pairs, thresholds, and curves.

Each fold is measured by itself, from values alone: here, or in another process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.by_components import FoldByComponents, curve_distances, of_fold
from eigenfaces.evaluation.leaks import Duplicate, Leak
from eigenfaces.evaluation.metrics import Comparisons, error_rates
from eigenfaces.evaluation.processes import Sharing, each_of
from eigenfaces.evaluation.protocols import Fold, development
from eigenfaces.evaluation.results import Partial, Setting, Watch
from eigenfaces.evaluation.searches import (
    Compared,
    InSpace,
    PairScores,
    Searches,
    Spaces,
    compare_pairs,
    joined,
    search,
)
from eigenfaces.evaluation.stranger_limits import limit_of
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.space.arrays import Doubles, Numbers


@dataclass(frozen=True, eq=False)
class Split:
    """The n faces that take part, their people, the folds, duplicates and leaks."""

    faces: FaceSet
    people: Numbers
    folds: Sequence[Fold]
    seed: int
    duplicates: Sequence[Duplicate]
    leaks: tuple[Leak, ...]

    @property
    def count(self) -> int:
        """The number of people that take part."""
        return len(self.faces.index.people)

    def without_folds(self) -> Split:
        """Return what all folds have in common: many folds are large."""
        return replace(self, folds=(), duplicates=(), leaks=())

    @property
    def in_pairs(self) -> bool:
        """Whether pairs of photographs are compared, instead of searches in a gallery."""
        return any(len(fold.pairs) for fold in self.folds)


@dataclass(frozen=True, eq=False)
class FoldResults:
    """The raw results of some folds of a split, (folds,) thresholds and limits among them."""

    searches: Searches | None
    pairs: PairScores | None
    thresholds: Doubles
    folds: Sequence[FoldByComponents] = ()
    limits: Doubles = field(default_factory=lambda: np.empty(0))

    @classmethod
    def joined(cls, folds: Sequence[FoldResults]) -> FoldResults:
        """Return the results of all folds."""
        searches = [each.searches for each in folds if each.searches is not None]
        pairs = [each.pairs for each in folds if each.pairs is not None]
        return cls(
            joined(searches) if searches else None,
            joined(pairs) if pairs else None,
            np.concatenate([each.thresholds for each in folds]),
            [curves for each in folds for curves in each.folds],
            np.concatenate([each.limits for each in folds]),
        )


@dataclass(frozen=True, eq=False)
class FoldTask:
    """What all folds are measured with; ``answers_only``: without distances and thresholds."""

    split: Split
    setting: Setting
    spaces: Spaces
    answers_only: bool = False

    def measured(self, numbered: tuple[int, Fold]) -> FoldResults:
        """Return the raw results of one fold, which has a number."""
        return self._pairs(*numbered) if len(numbered[1].pairs) else self._searches(*numbered)

    def _pairs(self, number: int, fold: Fold) -> FoldResults:
        people = self.split.people
        compared = InSpace(self.spaces.fit(fold.train, every_k=False), self.setting.recipe.matcher)
        pairs = compare_pairs(compared, fold.pairs, number, people)
        threshold = pair_threshold(compared, fold, people)
        return FoldResults(None, pairs, np.array([threshold]), (), np.array([np.nan]))

    def _searches(self, number: int, fold: Fold) -> FoldResults:
        setting, threshold, limit = self.setting, np.nan, np.nan
        found, curves = self._found(number, fold)  # its space is gone before others are fitted
        if self.answers_only:
            found = found.answers_only()
        else:
            threshold = _threshold(self.spaces, fold, self.split)
            if setting.share is not None and not found.mated.all():
                limit = limit_of(fold, self.spaces, self.split.faces, setting.share)
        return FoldResults(found, None, np.array([threshold]), curves, np.array([limit]))

    def _found(self, number: int, fold: Fold) -> tuple[Searches, list[FoldByComponents]]:
        people, matcher = self.split.people, self.setting.recipe.matcher
        distances = curve_distances(matcher) if self.setting.curves else ()
        space = self.spaces.fit(fold.train, every_k=bool(distances))
        found = search(InSpace(space, matcher), fold, number, people, matcher)
        return found, [of_fold(space, fold, people, matcher, distances)] if distances else []


def measure(
    split: Split,
    setting: Setting,
    tick: Tick = no_tick,
    watch: Watch | None = None,
    *,
    answers_only: bool = False,
    sharing: Sharing | None = None,
) -> FoldResults:
    """Return the raw results of all folds."""
    spaces = Spaces.of(split.faces, setting.recipe)
    spaces.prepare(split.folds)
    asked = FoldTask(split.without_folds(), setting, spaces, answers_only)
    total = len(split.folds)
    done = list[FoldResults]()
    results = each_of(FoldTask.measured, asked, enumerate(split.folds), tick, sharing)
    for number, result in enumerate(results, 1):
        done.append(result)
        if number == total:  # whoever watches keeps the whole, not its parts beside it
            done = [FoldResults.joined(done)]
        if watch is not None and result.searches is not None:
            searches = tuple(each.searches for each in done if each.searches is not None)
            curves = tuple(each for fold in done for each in fold.folds)
            watch(Partial(number, total, split.faces.index.people, searches, curves))
    (whole,) = done
    return whole


def _threshold(spaces: Spaces, fold: Fold, split: Split) -> float:
    """Return the distance at the EER on faces held out of a fold's gallery; NaN without any."""
    held = development(fold, split.people, split.seed)
    if held is None:
        return float("nan")
    matcher = spaces.recipe.matcher
    compared = InSpace(spaces.fit(held.train, every_k=False), matcher)
    found = Comparisons.of_searches(search(compared, held, 0, split.people, matcher))
    return error_rates(found.distances, found.mated).equal[1] if all(found.counts) else float("nan")


def pair_threshold(compared: Compared, fold: Fold, people: Numbers) -> float:
    """Return the distance at which most of the pairs for tuning are decided correctly.

    As in the protocol of LFW, these are the photographs that the face space is fitted to.
    """
    found = compare_pairs(compared, fold.tuning, 0, people)
    if not found.mated.any() or found.mated.all():
        return float("nan")
    return error_rates(found.distances, found.mated).least[1]
