"""Where the eyes lie in crops that were made elsewhere, and how another face is cut as they are.

The crops of a gallery that were not cut by this program have a frame of their own. A face on an
ordinary photograph can only be compared with them if its eyes are moved to where theirs lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.detect import align, find_faces
from eigenfaces.faces.face_set import Crops, FaceSet
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.prepare import EYE_DISTANCE, EYE_ROW, Preparation
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.photos import Eyes

ALIGNED = 0.15  # eye distances: crops whose worse eye usually lies farther off are not aligned
_SEARCHED = 24  # crops in which a face is searched for, to learn where to begin …
_MEASURED = 200  # … and in which the eyes are then found
_SAME_ASPECT = 0.03  # share by which the aspect ratios of two crops of one kind may differ
_SAME_PLACE = 0.35  # eye distances between the eyes of a crop and their common place, at least


@dataclass(frozen=True)
class FramedPreparation(Preparation):
    """Cuts a face so that its eyes lie at given places of the crop, ``eyes`` in its pixels.

    It is never the preparation of a gallery, and is saved nowhere.
    """

    eyes: Eyes | None = None

    @property
    def aligned_eyes(self) -> Eyes:
        """Where the eyes lie in every face cut."""
        return self.eyes or super().aligned_eyes

    def standard(self, eyes: Eyes) -> Eyes:
        """Return the eyes of the standard crop that covers the same part of a photograph."""
        if self.eyes is None:
            return eyes
        step = eyes.across / self.eyes.across  # in the photograph, for a pixel of the crop
        middle = complex(self.width / 2, EYE_ROW * self.height)
        return Eyes.at(
            eyes.middle + step * (middle - self.eyes.middle), step * EYE_DISTANCE * self.width
        )


@dataclass(frozen=True)
class CropFrame:
    """Where the eyes lie in the crops of a gallery."""

    shape: tuple[int, int]  # (h, w) of the crops
    eyes: Eyes  # median position, distance and tilt, in pixels of a crop
    # the median over the crops of how far the worse eye lies from there, in eye distances
    spread: float
    # (h, w) of the photographs that were taken whole
    sizes: frozenset[tuple[int, int]] = frozenset()

    @property
    def aligned(self) -> bool:
        """Whether the crops have their eyes at one place, more or less."""
        return self.spread <= ALIGNED

    @classmethod
    def of(cls, crops: Crops, shape: tuple[int, int], tick: Tick = no_tick) -> CropFrame | None:
        """Return the frame of crops (n, d) of (h, w); None if fewer than half show a face.

        At most 200 of them are measured, spread over all; faces are searched for in the first few
        of these, so that the aligner knows where to begin.
        """
        rows = range(0, len(crops), max(1, math.ceil(len(crops) / _MEASURED)))
        some, largest = rows[:: max(1, math.ceil(len(rows) / _SEARCHED))], []
        for done, row in enumerate(some):
            tick(done, len(some))
            faces = find_faces(crops[row].reshape(shape))
            if faces:
                largest.append(max((face.eyes for face in faces), key=lambda eyes: eyes.distance))
        if not largest or 2 * len(largest) < len(some):
            return None
        aligned, begin, regressors = [], _median(largest), general_faces().regressors
        for done, row in enumerate(rows):
            tick(done, len(rows))
            aligned.append(align(crops[row].reshape(shape), begin, regressors))
        eyes = _median(aligned)
        away = np.abs(_places(aligned) - _places([eyes])).max(axis=1)
        return cls(shape, eyes, float(np.median(away)) / eyes.distance)

    def preparation(self, like: Preparation) -> FramedPreparation:
        """Return the preparation that searches for a face and cuts it to this frame."""
        return FramedPreparation(*like.shape, like.fit, eyes=self.eyes)

    def adding(self, like: Preparation) -> FramedPreparation:
        """Return the preparation for photographs that are added to these crops.

        Given eyes are cut to this frame; whether a face is searched for is as in ``like``.
        """
        return replace(self.preparation(like), already_cropped=like.already_cropped)

    def has(self, picture: Picture) -> bool:
        """Return whether a photograph is itself a crop of this kind.

        It is if it has their size, or that of a photograph that became one; or their aspect ratio
        and no face, or the largest one where theirs lies.
        """
        if picture.size in self.sizes | {self.shape}:
            return True
        height, width = picture.size
        aspect = (height / width) / (self.shape[0] / self.shape[1])
        if abs(np.log(aspect)) > _SAME_ASPECT:
            return False
        faces = [face.eyes.scaled(self.shape[0] / height) for face in picture.faces()]
        if not faces:
            return True
        largest = max(faces, key=lambda eyes: eyes.distance)
        apart = np.abs(_places([largest]) - _places([self.eyes])).max() / self.eyes.distance
        return float(apart) <= max(_SAME_PLACE, 3 * self.spread)


def frame_of(faces: FaceSet, tick: Tick = no_tick) -> CropFrame | None:
    """Return the frame of faces, cached by their crops; two threads may both measure it."""
    if faces.pixels not in _MEASURED_FRAMES:
        frame = CropFrame.of(faces.pixels, faces.shape, tick)
        if frame is not None:
            whole = (photo.size for photo in faces.index.photos if photo.placement.eyes is None)
            frame = replace(frame, sizes=frozenset(whole))
        _MEASURED_FRAMES.setdefault(faces.pixels, frame)
    return _MEASURED_FRAMES[faces.pixels]


_MEASURED_FRAMES: WeakKeyDictionary[Crops, CropFrame | None] = WeakKeyDictionary()


def _median(pairs: Sequence[Eyes]) -> Eyes:
    """Return the median of position, distance and tilt."""
    middles = np.array([eyes.middle for eyes in pairs])
    across = np.log(np.array([eyes.across for eyes in pairs]))  # its parts are size and tilt
    middle, size = (complex(np.median(x.real), np.median(x.imag)) for x in (middles, across))
    return Eyes.at(middle, complex(np.exp(size)))


def _places(pairs: Sequence[Eyes]) -> NDArray[np.complex128]:
    """Return both eyes of each, (n, 2)."""
    return np.array([(complex(*eyes.left), complex(*eyes.right)) for eyes in pairs])
