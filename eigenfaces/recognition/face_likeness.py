"""Is it a face at all? How much of a crop's contrast cannot be made of faces.

M. Turk and A. Pentland, *Eigenfaces for recognition* (1991): the distance *from* a face space, here
of faces in general and the gallery's own, after `eigenfaces.faces.tan_triggs`. It explains a
verdict; what protects from naming strangers is the threshold for them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Floats, Numbers
from eigenfaces.faces.general_faces import general_faces

KEPT = 0.98
"""Share of the gallery's own faces, held out, that pass for faces."""


@dataclass(frozen=True, eq=False)
class FaceLikeness:
    """The limit of what is a face in a gallery.

    Parameters
    ----------
    limit
        The share of a crop's contrast, 0…1, that is left over of few faces.
    """

    limit: float

    @classmethod
    def fit(cls, crops: Floats, people: Numbers) -> tuple[FaceLikeness, Doubles]:
        """Return it for the crops (n, h, w) of people, and the share left of each, held out."""
        known = general_faces()
        left = np.array([known.distance_of(crop) for crop in crops])
        return cls(float(np.quantile(left, KEPT, method="higher"))), left

    def left_over(self, crops: Floats) -> Doubles:
        """Return the share (n,) of the contrast of crops (n, h, w) that no face can express."""
        return np.array([general_faces().distance_of(crop) for crop in crops])
