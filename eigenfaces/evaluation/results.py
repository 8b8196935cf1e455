"""What is asked of an evaluation, and what comes of it: values only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from eigenfaces.evaluation.by_components import ByComponents, FoldByComponents, summed_up
from eigenfaces.evaluation.leaks import Duplicate, Leak
from eigenfaces.evaluation.metrics import Comparisons, Figure, FigureKind
from eigenfaces.evaluation.protocols import check_seed
from eigenfaces.evaluation.published_protocols import Protocol
from eigenfaces.evaluation.searches import PairScores, Searches, joined
from eigenfaces.evaluation.stranger_limits import StrangerLimits
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.calibration import check_share
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles


@dataclass(frozen=True)
class Setting:
    """All that an evaluation depends on, besides the faces.

    Parameters
    ----------
    recipe
        How faces are compared.
    protocol
        How they are split.
    seed
        Of resampling, and of what is held out to choose thresholds; a protocol has its own.
    curves
        Whether accuracy is found for every number of components.
    allow_leaks
        Whether a split that leaks is measured all the same.
    share
        Of strangers, where there are some among the probes: how many may be named at most, by a
        limit from the gallery of each fold. None asks for no limits.
    """

    recipe: Recipe
    protocol: Protocol
    seed: int = 0
    curves: bool = True
    allow_leaks: bool = False
    share: float | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.share is not None:
            check_share(self.share)


ControlKind = Literal["pixels L2", "pixels L1", "chance", "majority", "face covered", "duplicates"]
"""Which control it is, in the words that tables and an evaluation's JSON have for it."""

IN_PIXELS: dict[ControlKind, str] = {"pixels L2": "L2", "pixels L1": "L1"}
"""The controls without a face space, each with its distance."""

GUESSES: tuple[ControlKind, ...] = ("chance", "majority")


@dataclass(frozen=True)
class Control:
    """A figure to hold beside the result. Without an interval where it is no measurement.

    ``note`` is for people: what it is, in words.
    """

    kind: ControlKind
    value: float
    low: float | None
    high: float | None
    note: str


_LOOKED_THROUGH = 500_000
"""Comparisons of a running evaluation that are looked through: more would hold up the window."""


@dataclass(frozen=True, eq=False)
class Partial:
    """How far an evaluation is: what some of the folds gave. Nothing is computed until asked."""

    done: int
    total: int
    people: tuple[str, ...]
    parts: tuple[Searches, ...]
    folds: tuple[FoldByComponents, ...]

    @cached_property
    def searches(self) -> Searches:
        """All searches so far."""
        return joined(self.parts)

    @property
    def by_components(self) -> ByComponents | None:
        """The evidence so far for every number of components."""
        return summed_up(self.folds, len(self.people)) if self.folds else None

    def comparisons(self) -> Comparisons:
        """Return the comparisons so far; of very many, those of every second, third … search."""
        every = 1 + self.searches.distances.size // _LOOKED_THROUGH
        return Comparisons.of_searches(self.searches.some(slice(None, None, every)))


Watch = Callable[[Partial], None]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What came of it.

    Parameters
    ----------
    setting
        What was asked.
    photos
        The n photographs that took part; rows elsewhere are places in this.
    people
        The p people on them; people elsewhere are places in this.
    searches
        Every search; None where single pairs were compared, and these are in ``pairs``.
    pairs
        Every pair; None where there were searches.
    thresholds
        (folds,) the threshold chosen in each fold; NaN where none could be.
    figures
        The figures, the most important first.
    by_components
        The evidence for every number of components; None where there is none.
    controls
        What to hold beside the figures.
    duplicates
        Photographs that are nearly the same.
    leaks
        What the split leaked, where that was allowed.
    left_out
        People whose photographs were too few to search for them.
    unused
        Photographs that could not be used, with the reasons.
    strangers
        What limits for strangers did; None without strangers, or where none were asked for.
    """

    setting: Setting
    photos: tuple[FacePhoto, ...]
    people: tuple[str, ...]
    searches: Searches | None
    pairs: PairScores | None
    thresholds: Doubles
    figures: tuple[Figure, ...]
    by_components: ByComponents | None
    controls: tuple[Control, ...]
    duplicates: tuple[Duplicate, ...]
    leaks: tuple[Leak, ...]
    left_out: tuple[str, ...]
    unused: tuple[Skipped, ...] = ()
    strangers: StrangerLimits | None = None

    @cached_property
    def compared(self) -> tuple[int, int]:
        """How many comparisons are mated, and how many are not."""
        return self.comparisons().counts

    def comparisons(self) -> Comparisons:
        """Return every single comparison, for ROC and DET."""
        if self.searches is not None:
            return Comparisons.of_searches(self.searches)
        assert self.pairs is not None
        places = {name: i for i, name in enumerate(self.people)}
        of = np.array([places[photo.person or ""] for photo in self.photos])
        return Comparisons.of_pairs(self.pairs, of)

    @property
    def headline(self) -> Figure | None:
        """The figure that comes first, and that controls are held beside; None without any."""
        return self.figure("rank-1") or self.figure("pair accuracy")

    def figure(self, kind: FigureKind) -> Figure | None:
        """Return the figure of this kind, or None where it could not be had."""
        return next((figure for figure in self.all_figures if figure.kind == kind), None)

    @property
    def all_figures(self) -> tuple[Figure, ...]:
        """The figures, and those at the limits for strangers."""
        return self.figures + (self.strangers.figures if self.strangers else ())
