"""How often a gallery recognises its own photographs: the reliability of its verdicts.

Used until distances are calibrated.
"""

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
"""The largest number of faces that are measured without being asked: about two seconds."""

_PARTS = 10
_STRANGERS = "Of strangers that says nothing."


@dataclass(frozen=True, eq=False)
class GalleryAccuracy:
    """How often a gallery names its own held-out photographs correctly.

    Parameters
    ----------
    figure
        Rank-1 accuracy with its interval; None if it could not be measured.
    chance
        The accuracy of guessing.
    distances
        (m,) distance of each held-out photograph to the closest person; sorted.
    reason
        Why there is no figure, or why it is too good; empty otherwise.
    """

    figure: Figure | None
    chance: float
    distances: NDArray[np.float64]
    reason: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether guessing may be equally good."""
        return self.figure is not None and self.figure.low <= self.chance

    def sentence(self) -> str:
        """Return how reliable names are in this gallery, compared with guessing."""
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

    def distance_sentence(self, distance: float) -> str:
        """Return how a distance compares with those of the held-out photographs; no threshold."""
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
    """Return the accuracy of a gallery on its own photographs, each held out once.

    Held-out photographs are neither in the face space nor in the gallery. To be fast, it is
    ten-fold. People with a single photograph are not searched for.
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
    """Return an unknown accuracy, with the reason."""
    return GalleryAccuracy(None, float("nan"), np.empty(0), reason)
