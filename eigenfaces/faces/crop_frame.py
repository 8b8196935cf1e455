"""The frame of crops made elsewhere: where their eyes lie, and how to cut other faces like them.

If the crops of a gallery were not made by this program, their eyes lie in other places. A face on
an ordinary photograph can only be compared with them if its eyes are moved to those places.
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

_MEASURED = 100  # the most crops that are searched for a face


@dataclass(frozen=True)
class FramedPreparation(Preparation):
    """A preparation that puts the eyes at given places in the crop: ``eyes``, in its pixels.

    It never belongs to a gallery and is never saved.
    """

    eyes: Eyes | None = None
    sizes: frozenset[tuple[int, int]] = frozenset()  # (h, w) of pictures that are crops already

    @property
    def aligned_eyes(self) -> Eyes:
        """The place of the eyes in every crop."""
        return self.eyes or super().aligned_eyes

    def to_standard_eyes(self, eyes: Eyes) -> Eyes:
        """Return the eyes of the standard crop that covers the same part of a photograph."""
        if self.eyes is None:
            return eyes
        step = eyes.across / self.eyes.across  # one pixel of the crop, in the photograph
        middle = complex(self.width / 2, EYE_ROW * self.height)
        return Eyes.at(
            eyes.middle + step * (middle - self.eyes.middle), step * EYE_DISTANCE * self.width
        )

    def takes_whole(self, size: tuple[int, int]) -> bool:
        """Return whether a photograph of (h, w) is a ready crop, like those of the gallery."""
        return self.already_cropped or size in self.sizes


def eyes_in_crops(faces: FaceSet, tick: Tick = no_tick) -> Eyes | None:
    """Return the median place of the eyes in crops; None if a face is found in fewer than half.

    It is measured once for each set of crops, on a sample spread over all of them, by the largest
    face in each.
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
