"""Where the eyes lie in crops that were made elsewhere, and how another face is cut as they are.

The crops of a gallery that were not cut by this program have a frame of their own. A face on an
ordinary photograph can only be compared with them if its eyes are moved to where theirs lie.
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

_MEASURED = 100  # crops in which a face is searched for, at most


@dataclass(frozen=True)
class FramedPreparation(Preparation):
    """Cuts a face so that its eyes lie at given places of the crop, ``eyes`` in its pixels.

    It is never the preparation of a gallery, and is saved nowhere.
    """

    eyes: Eyes | None = None
    sizes: frozenset[tuple[int, int]] = frozenset()  # (h, w) of photographs that are such crops

    @property
    def aligned_eyes(self) -> Eyes:
        """Where the eyes lie in every face cut."""
        return self.eyes or super().aligned_eyes

    def to_standard_eyes(self, eyes: Eyes) -> Eyes:
        """Return the eyes of the standard crop that covers the same part of a photograph."""
        if self.eyes is None:
            return eyes
        step = eyes.across / self.eyes.across  # in the photograph, for a pixel of the crop
        middle = complex(self.width / 2, EYE_ROW * self.height)
        return Eyes.at(
            eyes.middle + step * (middle - self.eyes.middle), step * EYE_DISTANCE * self.width
        )

    def takes_whole(self, size: tuple[int, int]) -> bool:
        """Return whether a photograph of (h, w) is a face already, as those of the gallery are."""
        return self.already_cropped or size in self.sizes


def eyes_in_crops(faces: FaceSet, tick: Tick = no_tick) -> Eyes | None:
    """Return the eyes that crops have in the median; None if fewer than half show a face.

    Of the crops, spread over all, the largest face of each. They are measured once.
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
