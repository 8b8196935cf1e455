"""Thresholds for strangers fitted inside the folds, and what they did: FPIR reached, and DIR.

The limit of a fold comes from its own gallery alone, as that of any gallery does: each enrolled
person is left out in turn and is then a stranger (`eigenfaces.recognition.held_out`). So the
strangers among its probes, and the probes of members, are all new to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.evaluation.intervals import share_intervals
from eigenfaces.evaluation.metrics import Figure, FigureKind
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.searches import Searches, Spaces
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.calibration import FEWEST_PEOPLE, Refits, limit
from eigenfaces.space.arrays import Doubles, Flags, Numbers


@dataclass(frozen=True, eq=False)
class StrangerLimits:
    """The limit of every fold, chosen so that at most a share of strangers is named; what it did.

    Parameters
    ----------
    share
        Of strangers, asked.
    limits
        (folds,) the distance within which somebody is named; NaN where there is none.
    figures
        FPIR and DIR reached, of all searches of folds with a limit; none without any.
    """

    share: float
    limits: Doubles
    figures: tuple[Figure, ...]

    @classmethod
    def of(
        cls, searches: Searches, limits: Doubles, share: float | None, people: int
    ) -> StrangerLimits | None:
        """Return what the limits (folds,) did to the searches for ``people`` people.

        None where no share was asked, or there are no strangers.
        """
        if share is None or searches.mated.all():
            return None
        limited = np.isfinite(limits[searches.fold])
        strangers, members = limited & ~searches.mated, limited & searches.mated
        named = named_by(searches, limits)
        asked = f"{100 * share:g} % asked, each fold’s limit from its own gallery"
        by = searches.people, people
        figures = (
            _figure("FPIR reached", by, strangers, named, f"searches of strangers; {asked}"),
            _figure("DIR reached", by, members, named & searches.right, "mated searches, there"),
        )
        return cls(share, limits, tuple(each for each in figures if each is not None))


def named_by(searches: Searches, limits: Doubles) -> Flags:
    """Return which searches (m,) name somebody at the limits (folds,) of their folds."""
    return searches.answer_distances < limits[searches.fold]


def _figure(
    kind: FigureKind, by: tuple[Numbers, int], those: Flags, hits: Flags, note: str
) -> Figure | None:
    """Return the share of those searches that hit, by the person on each; None of none."""
    who, people = by
    of = np.bincount(who[those], minlength=people)
    if not of.any():
        return None
    right = np.bincount(who[those & hits], minlength=people)
    low, high = share_intervals(right, of)
    value = float(right.sum() / of.sum())
    return Figure(kind, value, float(low), float(high), f"{of.sum()} {note}")


def limit_of(fold: Fold, spaces: Spaces, faces: FaceSet, share: float) -> float:
    """Return the distance within which a fold names somebody, at most a share of strangers.

    NaN with too few people, and where the fold is fitted to other faces than are enrolled: how far
    strangers are in its space cannot be known from its gallery.

    Parameters
    ----------
    spaces, faces
        Of all folds.
    """
    rows = np.setdiff1d(fold.gallery, fold.probes)
    names = [faces.index.photos[row].person for row in rows.tolist()]
    if len(set(names)) < FEWEST_PEOPLE or not np.array_equal(rows, np.unique(fold.train)):
        return float("nan")
    refits = Refits.of_features(spaces.features.select(rows), names, spaces.recipe)
    away = refits.without_people()
    return limit(away.distance[away.drawn], share)
