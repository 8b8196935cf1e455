"""Calibration: what distances mean in a gallery, measured on its own photographs.

Photographs are held out (`held_out`), and the results determine the limit for strangers, the
guarantee and the certainty of a name. All three are valid only for this state of the gallery.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.face_set import Crops
from eigenfaces.faces.general_model import SymmetricFaceSpace, face_vectors, general_faces
from eigenfaces.recognition.certainty import ENOUGH_PEOPLE, ENOUGH_PHOTOS, Certainty
from eigenfaces.recognition.held_out import CrossValidation, HeldOut
from eigenfaces.recognition.limits import (
    FEWEST_FOR_LIMIT,
    Guarantee,
    Strangers,
    conformal_limit,
)
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.statistics import Histogram, Rate, bin_edges
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.principal import MOST_FITTED, draw_rows
from eigenfaces.text import count, percent, short_repr

METHOD_VERSION = 6  # increase it when the method changes, so that galleries are measured again

_JUST_BEYOND = 0.02  # with Network, "perhaps" is possible up to this far beyond the limit
_GROUPS = 5  # people are held out of the faceness model in this many groups
_PASSING = 0.98  # share of the gallery's own held-out faces that must count as faces


@dataclass(frozen=True, eq=False)
class FacenessModel(SymmetricFaceSpace):
    """A joint space for faces in general and a gallery's faces, with a limit on the residual.

    The residual of a crop is its distance *from* that space (M. Turk and A. Pentland, 1991), as a
    share of its contrast after `prepare.tan_triggs`. Few faces exceed the ``limit`` (0…1).
    """

    limit: float

    __repr__ = short_repr

    @classmethod
    def fit(
        cls, crops: Crops, shape: tuple[int, int], people: Numbers, tick: Tick = no_tick
    ) -> tuple[FacenessModel, Doubles]:
        """Fit the model to crops (h, w), and return it with residuals (n,) of the held-out crops.

        The limit is never below that for faces in general, as one derived from only a few
        photographs would be too strict.
        """
        general = general_faces()
        residuals = np.empty(len(crops))
        vectors = crops.apply(
            lambda some: face_vectors(some.reshape(-1, *shape)), part_of(tick, 0, 2)
        )
        fitted = np.isin(np.arange(len(crops)), draw_rows(np.arange(len(crops)), MOST_FITTED))
        group = np.unique(people, return_inverse=True)[1] % _GROUPS
        for fifth in np.unique(group).tolist():
            part_of(tick, 1, 2)(fifth, _GROUPS)
            away = group == fifth
            space = general.joint_space(vectors, np.flatnonzero(fitted & ~away))
            residuals[away] = space.residuals(vectors[away])
        space = general.joint_space(vectors, np.flatnonzero(fitted))
        tick(1, 1)
        most = max(-conformal_limit(-residuals, 1 - _PASSING), float(general.limit))
        return cls(space.mean, space.symmetric, space.antisymmetric, most), residuals

    def face_residual(self, crops: Floats) -> Doubles:
        """Return the residuals (n,) of crops (n, h, w), as shares of their contrast."""
        return self.residuals(face_vectors(crops))


@dataclass(frozen=True, eq=False)
class Calibration:
    """The held-out photographs of a gallery, and the limits and probabilities derived from them."""

    state_key: str  # the state of the gallery, `Gallery.calibration_key`
    held_out: HeldOut
    likeness: FacenessModel  # decides whether a crop is a face at all
    face_residual: Doubles  # (m,) residual of each held-out face, 0…1
    general: bool = False  # whether limit and certainty apply to any gallery (Network)

    __repr__ = short_repr

    @classmethod
    def of(
        cls,
        refits: CrossValidation,
        crops: Crops,
        shape: tuple[int, int],
        state_key: str,
        tick: Tick = no_tick,
        *,
        settled: Collection[tuple[int, int]] = (),
    ) -> Calibration:
        """Return the calibration for a recipe, given the ``crops`` of the m enrolled faces.

        ``settled``: as for `CrossValidation.held_out`.
        """
        held = refits.held_out(part_of(tick, 0, 2), settled)
        likeness, face_residual = FacenessModel.fit(crops, shape, held.people, part_of(tick, 1, 2))
        return cls(state_key, held, likeness, face_residual, refits.recipe.has_general_limit)

    @property
    def reason(self) -> str:
        """The reason why there is no limit for strangers; empty if there is one."""
        if self.general:
            return ""
        if self.held_out.person_count >= FEWEST_FOR_LIMIT:
            if len(self.strangers.distances):
                return ""
            if len(self.held_out.alike):
                return (
                    "There is no limit for strangers until you say which look-alikes are two "
                    "people."
                )
            return (
                "There is no limit for strangers: without the photos of one person, no component "
                "is left to compare. Drop fewer of the leading components."
            )
        return (
            f"There is no limit for strangers with fewer than {FEWEST_FOR_LIMIT} people. When one "
            "is left out, two must remain to compare with. Add more people."
        )

    @cached_property
    def strangers(self) -> Strangers:
        """The photographs treated as those of strangers, which determine the limit."""
        return self.held_out.strangers(general=self.general)

    def limit(self, share: float) -> float | None:
        """Return the distance limit for this share of strangers, or None if there is no limit."""
        return None if self.reason else self.strangers.limit(share)

    def guarantee(self, share: float) -> Guarantee | None:
        """Return the guarantee the gallery supports, or None if the general law sets the limit."""
        return self.strangers.guarantee if self.strangers.speak(share) else None

    @cached_property
    def certainty(self) -> Certainty:
        """The model for the probability that the nearest person is the right one."""
        held = self.held_out
        if self.general:
            return Certainty.in_general(held.person_count)
        mated = held.mated & ~held.perhaps_right
        photos = len(held.people)
        rough = held.person_count < ENOUGH_PEOPLE or photos < ENOUGH_PHOTOS * held.person_count
        strangers = held.stranger.scores[held.stranger.held_out]
        return Certainty.fit(held.member.scores[mated], held.right[mated], strangers, rough=rough)

    def probability_beyond(self, share: float, distance: float) -> float:
        """Return the probability that a name just beyond Network's limit is right.

        Up to `_JUST_BEYOND` past the limit, the share of held-out photographs in this range (the
        lower end of an 80 % interval, as people's scatter varies) is compared with the share of
        strangers. Farther away, the probability is 0.
        """
        from scipy.special import betaincinv

        held = self.held_out
        limit = self.strangers.limit(share)
        end = limit + _JUST_BEYOND
        right = held.member.distance[held.mated & (held.right | held.perhaps_right)]
        beyond = int(np.count_nonzero((right >= limit) & (right < end)))
        if not limit <= distance < end or not beyond:
            return 0.0
        others = np.count_nonzero(held.mated) - beyond
        members = float(betaincinv(beyond, others + 1, 0.1))
        strangers = self.strangers.share_within(end) - self.strangers.share_within(limit)
        return members / (members + max(strangers, 0.0))

    def probability(self, distance: float, runner_up: float) -> float:
        """Return the probability that a face at this distance shows the nearest person."""
        nearest = Nearest(np.zeros(1, np.intp), np.array([distance]), np.array([runner_up]))
        return float(self.certainty.probability(nearest.scores)[0])


def naming_words(calibration: Calibration, duplicates: int = 0) -> str:
    """Return a sentence that compares the accuracy on held-out photographs with guessing."""
    held = calibration.held_out
    rate = Rate.among(held.right[held.mated], held.people[held.mated])
    guess = 1 / held.person_count
    if not rate.of:
        return "Nobody has two photos, so it is not known how often names are right."
    if held.person_count == 1:
        return "Only one person is known, so there is nobody else to mistake them for."
    worth = f"guessing gives {percent(guess)}"
    if rate.low <= guess:
        worth = f"no better than guessing ({percent(guess)}), so a name means nothing"
    copies = f" {duplicates:,} are nearly the same picture as another, which flatters this figure."
    return (
        f"Held out, {rate.count:,} of {count(rate.of, 'photo')} are nearest to the right person: "
        f"{rate.words()}; {worth}.{copies if duplicates else ''}"
    )


def held_out_histogram(held: HeldOut) -> Histogram | None:
    """Return histograms of the distances from held-out photographs to the nearest person.

    In mated comparisons, the person is still enrolled. In non-mated comparisons, the person is left
    out, so that every photograph is a stranger's. The result is None if either kind is missing.
    """
    mated = held.member.distance[held.mated]
    non_mated = held.stranger.distance
    mated, non_mated = mated[np.isfinite(mated)], non_mated[np.isfinite(non_mated)]
    if not mated.size or not non_mated.size:
        return None
    return Histogram.of(bin_edges(np.concatenate([mated, non_mated])), mated, non_mated)
