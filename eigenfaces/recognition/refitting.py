"""Would training again pay? Who came since, and how much of them the face space cannot express.

Enrolling needs no new fit: a newcomer is projected into the space there is. It serves while
newcomers are few, and are expressed as well as faces that it was not fitted to. Those that it was
updated with count, too, if components were left out: they were not fitted to either.

Newcomers make the mark for strangers stricter, as these look rather like them. So the more people
came, the fewer of the others are named; and by Texture, fewer of the newcomers. Of 20 people of
whom two came later, and of 8 of whom one did, training again names more of those who had been
there, or about as many (`tests/benchmarks/test_newcomers.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Numbers
from eigenfaces.errors import Tick, no_tick
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.people_features import PeopleFeatures, numbered
from eigenfaces.recognition.training import Training
from eigenfaces.recognition.updating import updated_words
from eigenfaces.space.folds import FoldSpace, PixelFolds
from eigenfaces.space.people_axes import nobody_alone
from eigenfaces.space.svd import LARGEST_EXACT
from eigenfaces.space.updating import leaves_nothing_out
from eigenfaces.wording import count, percent

MANY, MANY_PEOPLE = 0.2, 0.05
"""Shares of the photographs and of the people not seen in training, above which it would pay."""

_FITS = 5
_MOST = 600  # fitted photographs whose share left over is measured
_FEWEST = 5  # newcomers whose middle share says anything
_SEED = 0


@dataclass(frozen=True, eq=False)
class Refit:
    """What came into a gallery since training, and how well the face space expresses it.

    Parameters
    ----------
    new_people, people
        How many people were not seen in training, of how many.
    new_photos, photos
        The same of enrolled photographs.
    left_over
        Share of each new photograph's squared deviation that the face space leaves over.
    held_out
        The same of photographs that were fitted to, their people held out; empty if nobody came.
    updated
        How the face space was updated since the last fit, in a sentence; "" if it was not.
    by_update
        The share of the faces of the space that came into it so, if that cost anything.
    by_people
        Whether people are compared along the means of those fitted to, and others are named less.
    """

    new_people: int
    people: int
    new_photos: int
    photos: int
    left_over: Doubles
    held_out: Doubles
    updated: str = ""
    by_update: float = 0.0
    by_people: bool = False

    @property
    def grown(self) -> bool:
        """Whether the middle newcomer has more left over than three in four held out."""
        if len(self.left_over) < _FEWEST or len(self.held_out) < _FEWEST:
            return False
        return bool(np.median(self.left_over) > np.quantile(self.held_out, 0.75))

    @property
    def many(self) -> bool:
        """Whether many photographs were not seen in training."""
        return self.new_photos > MANY * self.photos or self.by_update > MANY

    @property
    def costs_names(self) -> bool:
        """Whether so many people are new that some, of them or others, are named less often."""
        return self.new_people > (0 if self.by_people else MANY_PEOPLE * self.people)

    @property
    def pays(self) -> bool:
        """Whether training again would pay."""
        return self.many or self.grown or self.costs_names

    def sentence(self) -> str:
        """Return whether training again would pay, and why; empty if nobody came."""
        told = [each for each in (self.updated, self._came()) if each]
        pays = (
            "Train again: it would pay." if self.pays else "It need not be trained again for them."
        )
        return " ".join([*told, pays]) if told else ""

    def _came(self) -> str:
        if not self.new_photos:
            return ""
        came = f"{self.new_photos:,} of {count(self.photos)}"
        if self.new_people:
            came += f" and {self.new_people:,} of {count(self.people, 'person')}"
        came += " were not there at the last training."
        if self.costs_names:
            return f"{came} Until it is trained on them, some people are named less often."
        over = percent(float(np.median(self.left_over)), 0)
        told = f"{came} The face space leaves {over} of them over"
        if len(self.held_out):
            told += f", and {percent(float(np.median(self.held_out)), 0)} of those it was fitted to"
            told += " while they are held out"
        return f"{told}."


def would_refit_pay(gallery: Gallery, tick: Tick = no_tick) -> Refit:
    """Return what came into a trained gallery since training, and how well it is expressed."""
    training, photos = gallery.trained, gallery.index.photos
    fitted = [row for row in gallery.included if training.is_fitted_to(photos[row])]
    known = frozenset(fitted)
    new = [row for row in gallery.enrolled if row not in known]
    names = {photos[row].person for row in gallery.enrolled}
    seen = {photos[row].person for row in fitted}
    left_over, held = np.empty(0), np.empty(0)
    if new:
        k = gallery.shown_k
        features = training.features(gallery.faces.pixels[new])
        along, outside = training.space.in_and_from(features, k)
        inside = (along.astype(np.float64) ** 2).sum(axis=1)
        left_over = outside**2 / np.maximum(inside + outside**2, 1e-300)
        held = _held_out(gallery, fitted, tick)
    return Refit(
        *(len(names - seen), len(names), len(new), len(gallery.enrolled)),
        left_over,
        held,
        updated_words(training),
        _by_update(training),
        _is_by_people(training),
    )


def _by_update(training: Training) -> float:
    known, count = training.updated, training.space.count
    if known is None or leaves_nothing_out(training.space):
        return 0.0
    return 1 - known.fitted / count


def _is_by_people(training: Training) -> bool:
    features = training.recipe.features
    whitened_alike = isinstance(features, PeopleFeatures) and features.SCATTER == "total"
    return whitened_alike and len(training.fitted) <= LARGEST_EXACT  # of more, some are drawn


def _held_out(gallery: Gallery, rows: list[int], tick: Tick) -> Doubles:
    """Return the shares left over of faces (…), those of some people away from each fit."""
    training, shape = gallery.trained, gallery.faces.shape
    if len(rows) > _MOST:
        rows = sorted(np.random.default_rng(_SEED).choice(rows, _MOST, replace=False).tolist())
    who = nobody_alone(numbered([gallery.index.photos[row].person for row in rows]))
    pixels = training.recipe.pixels
    features = pixels.of_all(gallery.faces.pixels.select(rows), shape)
    folds = PixelFolds(features, shape, pixels.scaling == "correlation", components=False)
    fits, left = min(_FITS, int(who.max(initial=-1)) + 1), []
    for number in range(fits):
        tick(number, fits)
        away = who % fits == number
        if (~away).sum() >= 2 and away.any():
            space = folds.fit(np.flatnonzero(~away))
            left.append(_left_over(space, np.flatnonzero(away), gallery.shown_k))
    tick(fits, fits)
    return np.concatenate(left) if left else np.empty(0)


def _left_over(space: FoldSpace, rows: Numbers, k: int) -> Doubles:
    whole = np.maximum(space.squared_deviations[rows], 1e-300)
    inside = (space.coordinates[rows][:, :k] ** 2).sum(axis=1)
    return np.clip(1 - inside / whole, 0, 1)
