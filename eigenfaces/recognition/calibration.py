"""What distances mean in a gallery: measured on its own photographs, each of them held out.

A calibration is the result of that; from it follow the threshold for strangers, the promise, and
how certain a name is. It holds for the gallery it was made from, and for no other state of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.certainty import Certainty, is_rough
from eigenfaces.recognition.comparison import Nearest
from eigenfaces.recognition.face_likeness import FaceLikeness
from eigenfaces.recognition.held_out import HeldOut, held_out
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.strangers import FEWEST_PEOPLE, Promise, limit
from eigenfaces.recognition.training import Training
from eigenfaces.space.arrays import Doubles

USUAL_SHARE = 0.01
"""Of strangers, who may be named at most, if nothing else is said."""

SHARES = (0.001, 0.01, 0.02, 0.05, 0.1)
"""Those that are offered, and shown side by side."""

METHOD = 5
"""Raised where the same gallery is measured otherwise: what was stored before is measured anew."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """The held-out photographs of a gallery, and what follows from them.

    Parameters
    ----------
    basis
        What it was made from: `eigenfaces.recognition.gallery.Gallery.basis`.
    held
        The distances of the enrolled photographs, each held out.
    likeness
        Whether a crop is a face at all.
    left_over
        (m,) share of the contrast of each enrolled face, held out, that is no face.
    met
        The nearest people of strangers whom a person has named as such, if there are any.
    """

    basis: str
    held: HeldOut
    likeness: FaceLikeness
    left_over: Doubles
    met: Nearest | None = None

    @classmethod
    def of(
        cls,
        faces: FaceSet,
        rows: Sequence[int],
        recipe: Recipe,
        basis: str,
        tick: Tick = no_tick,
        *,
        training: Training | None = None,
    ) -> Calibration:
        """Return the calibration by a recipe of rows of faces; the named ones are enrolled.

        ``training``: the gallery's; see `eigenfaces.recognition.held_out.held_out`.
        """
        held = held_out(faces, rows, recipe, part_of(tick, 0, 2), training=training)
        enrolled = [row for row in rows if faces.index.photos[row].person is not None]
        crops = faces.pixels.view(enrolled)
        step = part_of(tick, 1, 2)
        likeness, left_over = FaceLikeness.fit(crops, faces.shape, held.people, step)
        return cls(basis, held, likeness, left_over)

    @property
    def reason(self) -> str:
        """Why there is no threshold for strangers; empty where there is one."""
        if self.held.count >= FEWEST_PEOPLE:
            return ""
        return (
            f"There is no threshold for strangers with fewer than {FEWEST_PEOPLE} people: nobody "
            "can be left out and still be told from two others. Enrol more people."
        )

    def limit(self, share: float) -> float | None:
        """Return the distance within which at most a share of strangers lies; None: too few people.

        Somebody is named only nearer than that.
        """
        if self.reason:
            return None
        return limit(self._strangers[0], share)

    @property
    def promise(self) -> Promise:
        """What so many people can promise about strangers."""
        away = self.held.people[self.held.stranger.drawn]
        people = len(np.unique(away))
        return Promise(people, len(away) / people, 0 if self.met is None else len(self.met.person))

    @property
    def _strangers(self) -> tuple[Doubles, Doubles]:
        """Distances and margins of all strangers: people left out, and those who were met.

        A person rather names a stranger who came near: so they make the limit stricter, not laxer.
        """
        left, drawn = self.held.stranger, self.held.stranger.drawn
        distance, margin = left.distance[drawn], left.margin[drawn]
        if self.met is None:
            return distance, margin
        joined = (distance, self.met.distance), (margin, self.met.margin)
        return np.concatenate(joined[0]), np.concatenate(joined[1])

    @cached_property
    def certainty(self) -> Certainty:
        """The probability that the nearest person is the right one."""
        held, mated = self.held, self.held.mated
        seen = scores(held.member.distance, held.member.margin)
        strangers = scores(*self._strangers)
        rough = is_rough(held.count, len(held.people))
        return Certainty.fit(seen[mated], held.right[mated], strangers, rough=rough)

    def probability(self, distance: float, runner_up: float) -> float:
        """Return the probability that a face at this distance shows the nearest person."""
        score, margin = scores(np.array([distance]), np.array([runner_up - distance])).T
        return float(self.certainty.probability(score, margin)[0])


def scores(distance: Doubles, margin: Doubles) -> Doubles:
    """Return (m, 2) the larger, the more certain; where nobody is next, the margin is 0."""
    return np.stack([-distance, np.where(np.isfinite(margin), margin, 0)], axis=1)
