"""Is it a face at all? How much of a crop's contrast cannot be made of faces.

M. Turk and A. Pentland, *Eigenfaces for recognition* (1991): the distance *from* a face space, here
of faces in general and the gallery's own, after `eigenfaces.faces.tan_triggs`. It explains a
verdict; what protects from naming strangers is the threshold for them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Floats, Numbers
from eigenfaces.faces.crops import Crops
from eigenfaces.faces.general_faces import FacesSpace, face_vectors, general_faces
from eigenfaces.recognition.strangers import threshold

KEPT = 0.98
"""Share of the gallery's own faces, held out, that pass for faces."""

_GROUPS = 5


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
        cls, crops: Crops, shape: tuple[int, int], people: Numbers
    ) -> tuple[FaceLikeness, Doubles]:
        """Return it for crops of (h, w), and the share (n,) left over of each, held out.

        People are held out in five groups. What is like faces in general is always a face: of a
        few photographs, or photographs all alike, the farthest one is no limit.

        Parameters
        ----------
        people
            (n,) who is on each.
        """
        known = general_faces()
        vectors = crops.each(lambda some: face_vectors(some.reshape(-1, *shape)))
        left = np.empty(len(vectors))
        group = np.unique(people, return_inverse=True)[1] % _GROUPS
        for number in np.unique(group):
            away = group == number
            left[away] = known.space_with(vectors[~away]).residuals(vectors[away])
        space = known.space_with(vectors)
        limit = max(threshold(left, 1 - KEPT), float(known.limit))
        return cls(space.mean, space.symmetric, space.antisymmetric, limit), left

    def left_over(self, crops: Floats) -> Doubles:
        """Return the share (n,) of the contrast of crops (n, h, w) that no face can express."""
        return self.residuals(face_vectors(crops))
