"""What a gallery's verdicts are worth by its own photographs, until distances are calibrated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.baselines import guessing
from eigenfaces.evaluation.evaluate import make_split, search_folds
from eigenfaces.evaluation.figures import Figure, identification
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.results import Setting
from eigenfaces.recognition.gallery import Gallery

MOST = 600
"""Faces up to which a gallery is measured in passing: about two seconds."""

_PARTS = 10
_STRANGERS = "Of strangers that says nothing."


@dataclass(frozen=True, eq=False)
class GalleryAccuracy:
    """How often a gallery names its own photographs rightly while they are held out.

    Parameters
    ----------
    figure
        Rank-1 accuracy with its interval; None where it could not be measured.
    chance
        What guessing would give.
    distances
        (m,) of each photograph held out, how far it was from the person who came first; sorted.
    reason
        Why there is no figure, or what makes it too good; mostly empty.
    """

    figure: Figure | None
    chance: float
    distances: NDArray[np.float64]
    reason: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether guessing may be as good."""
        return self.figure is not None and self.figure.low <= self.chance

    def sentence(self) -> str:
        """Say how far names can be believed here, and how near chance that is."""
        if self.figure is None:
            return self.reason
        value, chance = self.figure.value, 100 * self.chance
        low, high = 100 * self.figure.low, 100 * self.figure.high
        if self.doubtful:
            worth = f": no better than guessing ({chance:.1f} %), so a name here means nothing"
        elif value < 0.5:
            worth = f": more often wrong than right; guessing gives {chance:.1f} %"
        else:
            worth = f"; guessing gives {chance:.1f} %"
        said = (
            f"Held out, {100 * value:.1f} % of this gallery’s own photos were named rightly "
            f"({low:.1f} to {high:.1f} %, ten-fold){worth}. {_STRANGERS}"
        )
        return f"{said} {self.reason}".rstrip()

    def beyond(self, distance: float) -> str:
        """Say how a distance compares with those of the photographs held out; no threshold."""
        count = len(self.distances)
        if not count:
            return ""
        nearer = int(np.searchsorted(self.distances, distance))
        if nearer == count:
            return f"Farther from the closest person than any of {count:,} held-out photos was."
        return (
            f"Of {count:,} held-out photos, {nearer:,} were nearer to their closest person, and "
            f"{count - nearer:,} as far or farther."
        )


def gallery_accuracy(gallery: Gallery, tick: Tick = no_tick) -> GalleryAccuracy:
    """Measure a gallery by its own photographs, each held out of face space and gallery once.

    Everything is fitted to the others; so that it is quick, they are held out in ten parts, and
    nobody with a single photograph is searched for.
    """
    setting = Setting(gallery.recipe, KFold(_PARTS), curves=False, allow_leaks=True)
    if len(gallery.enrolled) > MOST:
        return not_measured(
            "How often this gallery names its own photos rightly is not known: with more than "
            f"{MOST} it takes a while. Evaluate measures it."
        )
    try:
        split = make_split(gallery.faces, setting)
        found = search_folds(split, setting, tick)
    except EigenfacesError as error:
        return not_measured(
            f"How often this gallery names its own photos rightly cannot be measured. {error}"
        )
    mated = found.some(found.mated)
    figure = next(iter(identification(found, split.count)), None)
    leaks = "Some of them are nearly the same picture, so it is too good." if split.leaks else ""
    distances = mated.distances[np.arange(len(mated)), mated.answers]
    chance = guessing(split.folds, split.people).chance
    return GalleryAccuracy(figure, chance, np.sort(distances), leaks)


def not_measured(reason: str) -> GalleryAccuracy:
    """Return that nothing is known, and why."""
    return GalleryAccuracy(None, float("nan"), np.empty(0), reason)
