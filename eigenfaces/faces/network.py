"""Descriptors: 128 numbers that describe a face, from dlib's residual network (D. King, 2017).

The network was trained on three million photographs of 7,485 people, so that descriptors of the
same person are less than 0.6 apart, and those of different people are farther apart (dlib.net,
“High Quality Face Recognition with Deep Metric Learning”). The network is not trained any further
here, and its output cannot be drawn as faces. `faces.convolutional` computes the descriptors.
"""

from __future__ import annotations

from base64 import b85decode
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from eigenfaces.faces.convolutional import DESCRIPTOR_SIZE as DESCRIPTOR_SIZE
from eigenfaces.faces.convolutional import describe as describe
from eigenfaces.faces.model_files import HOW_TO_GET_IT as HOW_TO_GET_IT
from eigenfaces.faces.model_files import LANDMARKS, has_dlib, read_model
from eigenfaces.faces.model_files import is_installed as is_installed
from eigenfaces.photographs.placement import Box, Eyes
from eigenfaces.space.arrays import Bytes, Floats

EYES_APART = 60  # the largest eye distance, in pixels, in the picture that a chip is cut from

_CHIP = 150
_CHIP_EYES = Eyes((47.7, 47.1), (100.3, 47.1))  # the eyes in a chip cut using five landmarks

NO_FACE_DISTANCE = 0.5  # a descriptor closer than this to `_NOTHING` is not that of a face

_NOTHING = np.frombuffer(
    b85decode(
        "?j08U;`8$MBKAM}y7&Db+3MNe0}KKK;j!xB8rB60(Dwle`{pwE()<caI|Bmn8MOy56CV`N2qe)C4(RdXIu_#9"
        "D9`pE;L^7kZ#2&d;`jpx==$XlH|+^M{Q><2;{oje9o7gP%Par-2L|x>Ke$FZ2P6zB@%P;81NQp}"
    ),
    np.int8,
) / np.float32(300)
"""The mean descriptor of patches without a face, which all look alike to the network."""


def is_no_face(numbers: Floats) -> bool:
    """Return whether a descriptor (`DESCRIPTOR_SIZE`,) describes something other than a face."""
    return bool(np.linalg.norm(numbers - _NOTHING) < NO_FACE_DISTANCE)


_READING = Lock()
"""Lock that ensures that only one thread reads the landmark model."""


@cache
def _landmark_model() -> Any:
    """Return dlib's five-landmark predictor, loaded once per process."""
    import dlib

    path, _ = read_model(LANDMARKS)
    return dlib.shape_predictor(str(path))


def chip(colours: Bytes, eyes: Eyes, *, exact: bool = False) -> Bytes:
    """Return the upright picture (150, 150, 3) of a face, as input to the network.

    Parameters
    ----------
    colours
        The colour photograph (h, w, 3), with the eyes at most `EYES_APART` pixels apart.
    eyes
        The positions of the pupils in the photograph.
    exact
        Whether to use exactly these eyes, because the user has set them. Otherwise, dlib looks for
        five landmarks in a square of 2.6 eye distances around the eyes, and uses them instead.
    """
    if exact or not has_dlib():
        from skimage.transform import warp

        # A point z of the chip is at a + b z in the picture, as complex numbers.
        b = eyes.across / _CHIP_EYES.across
        a = eyes.middle - b * _CHIP_EYES.middle
        back = np.array([[b.real, -b.imag, a.real], [b.imag, b.real, a.imag], [0, 0, 1]])
        cut = warp(colours, back, output_shape=(_CHIP, _CHIP), mode="edge", preserve_range=True)
        return np.rint(cut).astype(np.uint8)
    import dlib

    colours = np.ascontiguousarray(colours)
    return dlib.get_face_chip(colours, _landmarks(colours, landmarks_box(eyes)), _CHIP, 0.25)


def landmarks_box(eyes: Eyes) -> Box:
    """Return the box, 2.6 eye distances wide, in which dlib looks for the five landmarks."""
    side = 2.6 * eyes.distance
    return eyes.middle.real - side / 2, eyes.middle.imag - 0.35 * side, side


def _landmarks(colours: Bytes, box: Box) -> Any:
    """Return dlib's five landmarks of a face, given its box in a picture (h, w, 3)."""
    import dlib

    left, top, size = box
    square = dlib.rectangle(*(round(at) for at in (left, top, left + size, top + size)))
    with _READING:
        model = _landmark_model()
    return model(np.ascontiguousarray(colours), square)


def eyes_by_landmarks(colours: Bytes, box: Box) -> Eyes:
    """Return the midpoints of the eye corners of a face, given its box in a picture (h, w, 3)."""
    corners = [complex(point.x, point.y) for point in _landmarks(colours, box).parts()[:4]]
    right, left = (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2
    return Eyes.at((left + right) / 2, right - left)


class FaceDescriptorCache:
    """In-memory cache of face descriptors, keyed by the hash of the crop.

    A face is described when it is cropped, because the crop itself has no colour or fine detail.
    """

    def __init__(self) -> None:
        self._known: dict[str, Floats] = {}
        self._lock = Lock()

    def of(self, crops: Sequence[str], chip_of: Callable[[int], Bytes]) -> Floats:
        """Return the descriptors (n, `DESCRIPTOR_SIZE`) of faces, given the hashes of their crops.

        ``chip_of`` returns the chip for an index in ``crops``. It is called only if needed.
        """
        new = {crop: at for at, crop in enumerate(crops) if crop not in self._known}
        if new:
            numbers = describe([chip_of(at) for at in new.values()])
            self.add(dict(zip(new, numbers, strict=True)))
        return np.array([self._known[crop] for crop in crops]).reshape(len(crops), DESCRIPTOR_SIZE)

    def add(self, known: Mapping[str, Floats]) -> None:
        """Store descriptors, of shape (`DESCRIPTOR_SIZE`,), keyed by the hashes of their crops."""
        with self._lock:
            self._known |= known

    def forget(self, crops: Iterable[str]) -> None:
        """Remove the descriptors of these crops from the cache."""
        with self._lock:
            for crop in crops:
                self._known.pop(crop, None)

    def known(self, crops: Iterable[str]) -> dict[str, Floats]:
        """Return {hash: descriptor} for all given crops that have a descriptor."""
        return {crop: self._known[crop] for crop in crops if crop in self._known}


DESCRIPTORS = FaceDescriptorCache()
"""The descriptor cache of this process."""
