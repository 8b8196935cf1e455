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
        vectors = crops.each(
            lambda some: face_vectors(some.reshape(-1, *shape)), part_of(tick, 0, 2)
        )
        fits = np.random.default_rng(_SEED).permutation(len(crops)) < MOST_FITTED
        group = np.unique(people, return_inverse=True)[1] % _GROUPS
        for number in np.unique(group).tolist():
            part_of(tick, 1, 2)(number, _GROUPS)
            away = group == number
            space = known.space_with(vectors, np.flatnonzero(fits & ~away))
            left[away] = space.residuals(vectors[away])
        space = known.space_with(vectors, np.flatnonzero(fits))
        tick(1, 1)
        limit = max(threshold(left, 1 - KEPT), float(known.limit))
        return cls(space.mean, space.symmetric, space.antisymmetric, limit), left

    def left_over(self, crops: Floats) -> Doubles:
        """Return the share (n,) of the contrast of crops (n, h, w) that no face can express."""
        return self.residuals(face_vectors(crops))
