"""Crops made by other programs: find their eye positions, and crop other faces to match.

If the crops of a gallery were made elsewhere, their eyes are at different positions. A face in an
ordinary photograph can be compared with them only if its eyes are moved to the same positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.detect import find_faces
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.faces.prepare import EYE_DISTANCE, EYE_ROW, Preparation
from eigenfaces.photographs.placement import Eyes

_MEASURED = 100  # the maximum number of crops that are searched for a face


@dataclass(frozen=True)
class FramedPreparation(Preparation):
    """Preparation that puts the eyes at given positions in the crop (``eyes``, in pixels).

    A framed preparation never belongs to a gallery and is never saved.
    """

    eyes: Eyes | None = None
    sizes: frozenset[tuple[int, int]] = frozenset()  # (h, w) of pictures that are already crops

    @property
    def aligned_eyes(self) -> Eyes:
        """The eye positions in every crop."""
        return self.eyes or super().aligned_eyes

    def to_standard_eyes(self, eyes: Eyes) -> Eyes:
        """Return the eyes for which the standard crop shows the same area as this preparation's."""
        if self.eyes is None:
            return eyes
        step = eyes.across / self.eyes.across  # one pixel of the crop, in the photograph
        middle = complex(self.width / 2, EYE_ROW * self.height)
        return Eyes.at(
            eyes.middle + step * (middle - self.eyes.middle), step * EYE_DISTANCE * self.width
        )

    def takes_whole(self, size: tuple[int, int]) -> bool:
        """Return whether a photograph of size (h, w) is already a crop like those in a gallery."""
        return self.already_cropped or size in self.sizes


def eyes_in_crops(faces: FaceSet, tick: Tick = no_tick) -> Eyes | None:
    """Return the median eye positions in crops, or None if fewer than half of them show a face.

    The positions are measured once for each set of crops, using the largest face in each crop of an
    evenly spaced sample.
    """
    crops = faces.pixels
    if crops not in _MEASURED_EYES:
        rows = range(0, len(crops), math.ceil(len(crops) / _MEASURED) or 1)
        largest = list[Eyes]()
        for done, row in enumerate(rows):
            tick(done, len(rows))
            if pairs := [face.eyes for face in find_faces(crops[row].reshape(faces.shape))]:
                largest.append(max(pairs, key=lambda eyes: eyes.distance))
        known = len(largest) > 0 and 2 * len(largest) >= len(rows)
        middle = np.median([(eyes.left, eyes.right) for eyes in largest], axis=0) if known else None
        _MEASURED_EYES[crops] = None if middle is None else Eyes(*map(tuple, middle.tolist()))
    return _MEASURED_EYES[crops]


_MEASURED_EYES: WeakKeyDictionary[Crops, Eyes | None] = WeakKeyDictionary()
