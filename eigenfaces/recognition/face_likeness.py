"""Is it a face at all? How much of a crop's contrast cannot be made of faces.

M. Turk and A. Pentland, *Eigenfaces for recognition* (1991): the distance *from* a face space, here
of faces in general and the gallery's own, after `eigenfaces.faces.tan_triggs`. It explains a
verdict; what protects from naming strangers is the threshold for them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.general_faces import FacesSpace, face_vectors, general_faces
from eigenfaces.recognition.strangers import threshold
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.arrays.crops import Crops

KEPT = 0.98
"""Share of the gallery's own faces, held out, that pass for faces."""

MOST_FITTED = 3000
"""Of more faces so many are drawn to fit the space to; all of them are held out of it and measured.

A share of 98 % is known to 0.3 % from as many, and the space has 40 components.
"""

_GROUPS = 5
_SEED = 0
_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class FaceLikeness(FacesSpace):
    """The space of faces in general and of a gallery's own, and the limit of what is a face in it.

    Parameters
    ----------
    limit
        The share of a crop's contrast, 0…1, that the space cannot show of few faces.
    """

    limit: float

    @classmethod
    def fit(
        cls, crops: Crops, shape: tuple[int, int], people: Numbers, tick: Tick = no_tick
    ) -> tuple[FaceLikeness, Doubles]:
        """Return it for crops of (h, w), and the share (n,) left over of each, held out.

        People are held out in five groups. What is like faces in general is always a face: of a
        few photographs, or photographs all alike, the farthest one is no limit.

        Parameters
        ----------
        people
            (n,) who is on each.
        """
        known, left = general_faces(), np.empty(len(crops))
        fitted = _drawn(len(crops))

        def seen(some: Floats) -> Floats:
            return face_vectors(some.reshape(-1, *shape))

        vectors = crops.view(fitted).each(seen, part_of(tick, 0, 2))
        group = np.unique(people, return_inverse=True)[1] % _GROUPS
        others = np.setdiff1d(np.arange(len(crops)), fitted)
        for number in np.unique(group).tolist():
            step = part_of(part_of(tick, 1, 2), number, _GROUPS)
            step(0, 1)
            away = group[fitted] == number
            space = known.space_with(vectors, np.flatnonzero(~away))
            left[fitted[away]] = space.residuals(vectors[away])
            measured = others[group[others] == number]
            for start in range(0, len(measured), _AT_ONCE):
                step(start, len(measured))
                rows = measured[start : start + _AT_ONCE]
                left[rows] = space.residuals(seen(crops[rows]))
        space = known.space_with(vectors, np.arange(len(vectors)))
        tick(1, 1)
        limit = max(threshold(left, 1 - KEPT), float(known.limit))
        return cls(space.mean, space.symmetric, space.antisymmetric, limit), left

    def left_over(self, crops: Floats) -> Doubles:
        """Return the share (n,) of the contrast of crops (n, h, w) that no face can express."""
        return self.residuals(face_vectors(crops))


def _drawn(count: int) -> Numbers:
    """Return the rows fitted to, in order: all of a count, or `MOST_FITTED` of them."""
    if count <= MOST_FITTED:
        return np.arange(count)
    return np.sort(np.random.default_rng(_SEED).choice(count, MOST_FITTED, replace=False))
