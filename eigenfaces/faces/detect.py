"""Where the faces are in a photograph, where their eyes are exactly, and which face stands out.

dlib's frontal detector (D. King, *Max-margin object detection*, 2015) compares histograms of
gradient directions (N. Dalal and B. Triggs, 2005) at every place, in every size, with five linear
sub-detectors, each for one pose. A photograph is searched twice: in detail for faces of all sizes,
and small, with a border, for a face that fills it.

Alignment is cascaded linear regression (X. Xiong and F. De la Torre, *Supervised descent
method and its applications to face alignment*, 2013): three regressors from the features of a crop
to its position error, each trained on smaller errors. Where a face is lit from the side, a fourth
takes the place of the last. ``assets/faces.npz`` holds them.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.faces.convolutional import find_boxes
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.model_files import has_dlib
from eigenfaces.faces.prepare import crop_at
from eigenfaces.photographs.placement import Box, Eyes
from eigenfaces.space.arrays import Floats
from eigenfaces.space.pca import as_levels

LONGEST_SIDE = 1600  # pixels: a larger photograph is reduced to be searched in detail …
ENLARGED = 2  # … and a smaller one enlarged, by this factor at most
SMALLEST = 80  # pixels of the smallest face found: half of that in an enlarged photograph
LIKELY_SCORE = 0.0  # score above which a box is taken for a face …
DOUBTFUL = -0.2  # … and above which the best box is offered as doubtful if there is none
_OVERVIEW = 240  # pixels of the longer side in the second search …
_BORDER = 0.25  # … and the repeated border around it, in shares of the shorter side
_OVERLAP = 0.3  # intersection over union from which two boxes are the same face …
_INSIDE = 0.6  # … as they are if one covers so much of the smaller one


class DetectorPose(NamedTuple):
    """Where the eyes usually lie in the boxes of one sub-detector, in shares of the box's size."""

    middle: complex
    apart: float
    tilt: float


DETECTOR_POSES = (
    DetectorPose(0.500 + 0.270j, 0.420, 0.0),  # frontal
    DetectorPose(0.471 + 0.333j, 0.349, 0.0),  # turned to the left of the picture
    DetectorPose(0.529 + 0.333j, 0.349, 0.0),  # turned to the right
    DetectorPose(0.406 + 0.301j, 0.417, -25.0),  # tilted to the left
    DetectorPose(0.594 + 0.301j, 0.417, 25.0),  # tilted to the right
    DetectorPose(0.500 + 0.350j, 0.430, 0.0),  # found by the convolutional detector
)
"""Medians over the London photographs and their mirror images, tilted by up to 40° and turned in
depth by up to 42°; the tilt in degrees."""

CONVOLUTIONAL = 5  # the number of the second detector among the poses


def expected_eyes(box: Box, detector: int) -> Eyes:
    """Return where the eyes of a face usually lie in a box of one of the five sub-detectors."""
    left, top, size = box
    usual = DETECTOR_POSES[detector]
    across = size * usual.apart * np.exp(1j * np.radians(usual.tilt))
    return Eyes.at(complex(left, top) + size * usual.middle, complex(across))


@dataclass(frozen=True)
class FoundFace:
    """A face found in a photograph."""

    eyes: Eyes  # its eyes, aligned
    # how far the detector saw it beyond its limit; a face that is certain has 1 or more
    score: float
    box: Box  # left, top and size of the detector's box: from the brows to below the mouth
    detector: int = 0  # which of the five sub-detectors found it: its pose, see `DETECTOR_POSES`

    @property
    def doubtful(self) -> bool:
        """Whether it is only the best guess in a photograph without a likely face."""
        return self.score <= LIKELY_SCORE

    def scaled(self, factor: float) -> FoundFace:
        """Return the same face in the photograph at another size."""
        left, top, size = self.box
        box = (left * factor, top * factor, size * factor)
        return replace(self, eyes=self.eyes.scaled(factor), box=box)


def find_faces(grey: Floats) -> tuple[FoundFace, ...]:
    """Return the faces of a grey photograph (H, W), aligned, the most certain first.

    Faces tilted by up to about 40° are found. If there is none, the best guess is returned, which
    is `FoundFace.doubtful`.
    """
    regressors = general_faces().regressors
    return tuple(
        replace(face, eyes=align(grey, face.eyes, regressors)) for face in detect_faces(grey)
    )


def detect_faces(grey: Floats) -> tuple[FoundFace, ...]:
    """Return the faces of a grey photograph (H, W), their eyes where they usually lie in a box."""
    levels = Image.fromarray(as_levels(grey))
    if not has_dlib():
        return _detect_by_network(levels)
    longest = max(levels.size)
    boxes = [
        *_detect_at_scale(levels, min(LONGEST_SIDE / longest, ENLARGED), border=0.0),
        *_detect_at_scale(levels, _OVERVIEW / longest, _BORDER),
    ]
    faces: list[FoundFace] = []
    for face in sorted(boxes, key=lambda face: -face.score):
        if not any(_same_face(face.box, better.box) for better in faces):
            faces.append(face)
    return tuple(face for face in faces if not face.doubtful) or tuple(faces[:1])


def _detect_at_scale(levels: Image.Image, scale: float, border: float) -> list[FoundFace]:
    """Return all boxes found in a photograph at a scale, with a repeated border around it."""
    if scale != 1:
        width, height = (max(1, round(side * scale)) for side in levels.size)
        levels = levels.resize((width, height), Image.Resampling.BILINEAR)
    margin = round(border * min(levels.size))
    padded = np.pad(np.asarray(levels), margin, mode="edge")
    faces = []
    for box, score, detector in zip(*_thread_detector().run(padded, 0, DOUBTFUL), strict=True):
        place = (box.left() - margin) / scale, (box.top() - margin) / scale, box.width() / scale
        faces.append(FoundFace(expected_eyes(place, detector), score, place, detector))
    return faces


_SIDES_WITHOUT_DLIB = 640, 1000  # pixels of the longer side; the larger if nothing is found


def _detect_by_network(levels: Image.Image) -> tuple[FoundFace, ...]:
    """Return the faces that the convolutional detector finds, if it is the only one."""
    for side in _SIDES_WITHOUT_DLIB:
        scale = min(side / max(levels.size), ENLARGED)
        width, height = (max(1, round(length * scale)) for length in levels.size)
        resized = levels.resize((width, height), Image.Resampling.BILINEAR).convert("RGB")
        if boxes := find_boxes(np.asarray(resized), LIKELY_SCORE):
            break
    faces = []
    for score, (left, top, size) in boxes:
        box = left / scale, top / scale, size / scale
        faces.append(FoundFace(expected_eyes(box, CONVOLUTIONAL), score, box, CONVOLUTIONAL))
    return tuple(faces)


_OF_THREAD = local()


def _thread_detector() -> Any:
    """Return dlib's detector for this thread, from its state: see ``assets/faces.md``.

    A search releases Python's lock, but no two threads may share a detector: each makes its own,
    in 2 ms. dlib itself takes about a second for one, in which Python's lock, and so a window, is
    held.
    """
    import dlib

    if not hasattr(_OF_THREAD, "detector"):
        detector = dlib.fhog_object_detector.__new__(dlib.fhog_object_detector)
        try:
            detector.__setstate__(((files("assets") / "detector.bin").read_bytes(),))
        except (AttributeError, RuntimeError, TypeError):  # this dlib has another state
            detector = dlib.get_frontal_face_detector()
        _OF_THREAD.detector = detector
    return _OF_THREAD.detector


def _same_face(one: Box, other: Box) -> bool:
    """Return whether two boxes are of one face: they overlap, or one lies in the other."""
    (left, top, size), (x, y, side) = one, other
    wide = min(left + size, x + side) - max(left, x)
    high = min(top + size, y + side) - max(top, y)
    common = max(wide, 0) * max(high, 0)
    union = size**2 + side**2 - common
    return common >= _OVERLAP * union or common >= _INSIDE * min(size, side) ** 2


RIVAL = 2  # the largest face is meant if all others are this many times smaller …
CERTAIN = 0.5  # score above which what is found is hardly ever no face
WEAK = 0.1  # what scores no more, a badge for example, is no rival of a certain face …
NEARLY = 4 / 3  # … if it is this many times smaller


def main_face(faces: Sequence[FoundFace]) -> FoundFace | None:
    """Return the face that is meant, or None if another may be.

    It is the largest of those that are `CERTAIN`, or, if none is, the most certain one; another is
    a rival if it is half as large, or, if it is `WEAK`, three quarters.
    """
    certain = [face for face in faces if face.score > CERTAIN]
    first = sorted(faces, key=lambda face: -face.score)[:1]
    largest = max((face.eyes.distance for face in certain or first), default=0.0)
    times = [NEARLY if certain and face.score <= WEAK else RIVAL for face in faces]
    large = [f for f, t in zip(faces, times, strict=True) if f.eyes.distance > largest / t]
    return large[0] if len(large) == 1 else None


ALIGN_SHAPE = (84, 72)  # (h, w) of the crop that the regressors use
GRADIENT_CELLS = (14, 12)  # rows and columns of the histograms in it …
GRADIENT_BINS = 8  # … and the directions in each, the first to the right, then clockwise
FEATURES = GRADIENT_CELLS[0] * GRADIENT_CELLS[1] * GRADIENT_BINS + 1
FROM_THE_SIDE = 0.4  # log of the ratio of brightness of the halves of a face lit from the side
_ORDER = (0, 1, 2, 2, 2)  # which regressor is applied when …
_LAST, _SIDE_LIT = 2, 3  # … and which one instead of the last if light comes from the side


def hog_features(crop: Floats) -> Floats:
    """Return the gradient features (`FEATURES`,) of a crop (84, 72), the last always 1.

    Histograms of 8 gradient directions over 14 × 12 cells. A gradient counts by its length, shared
    between the two nearest directions and the four nearest cells. Each histogram is divided by its
    own norm plus half the root mean square norm of all.
    """
    x, y = np.zeros((2, crop.size), np.float32).reshape(2, *crop.shape)
    y[1:-1] = crop[2:] - crop[:-2]
    x[:, 1:-1] = crop[:, 2:] - crop[:, :-2]
    lengths = np.sqrt(x * x + y * y).ravel()
    # In units of a bin: its whole part is the lower direction, the rest the share of the upper one.
    directions = (np.arctan2(y, x) * np.float32(GRADIENT_BINS / math.tau)).ravel()
    lower = np.floor(directions)
    upper_share = (directions - lower) * lengths
    place = lower.astype(np.intp) % GRADIENT_BINS
    shares = np.zeros((GRADIENT_BINS, crop.size), np.float32)
    pixels = np.arange(crop.size)
    shares[place, pixels] = lengths - upper_share
    shares[(place + 1) % GRADIENT_BINS, pixels] = upper_share
    rows, columns = map(_cell_weights, GRADIENT_CELLS, ALIGN_SHAPE)
    histograms = rows @ (shares.reshape(GRADIENT_BINS, *crop.shape) @ columns.T)
    histograms = histograms.transpose(1, 2, 0)
    norms = np.linalg.norm(histograms, axis=2, keepdims=True)
    histograms = histograms / (norms + 0.5 * math.sqrt((norms**2).mean()) + 1e-6)
    return np.append(histograms.ravel(), 1).astype(np.float32)


@cache
def _cell_weights(cells: int, size: int) -> Floats:
    """Return how much each of the pixels counts in each of the cells, (cells, size)."""
    middles = (np.arange(cells) + 0.5) * size / cells
    away = np.abs(np.arange(size) + 0.5 - middles[:, None]) * cells / size
    return np.clip(1 - away, 0, None).astype(np.float32)


def root_features(seen: Floats) -> Floats:
    """Return the square roots of `hog_features`, in which those in dark parts count for more."""
    return np.sqrt(np.maximum(seen, 0))


def lit_from_the_side(crop: Floats) -> bool:
    """Return whether one half of the face in a crop (84, 72) is far brighter than the other."""
    halves = crop[25:65, 18:54].reshape(40, 2, 18).mean(axis=(0, 2))
    left, right = (np.maximum(halves, 0) + 0.005).tolist()
    return abs(math.log(right / left)) > FROM_THE_SIDE


def alignment_crop(grey: Floats, eyes: Eyes) -> Floats:
    """Return the crop (84, 72) of the face with these eyes, for `hog_features`."""
    return crop_at(grey, eyes, ALIGN_SHAPE, Image.Resampling.BILINEAR)


def apply_step(eyes: Eyes, step: NDArray[np.floating]) -> Eyes:
    """Return eyes after a step: right and down in eye distances, growth (log), turn (radians)."""
    right, down, growth, turn = step.tolist()
    b = eyes.across
    return Eyes.at(eyes.middle + b * complex(right, down), b * cmath.exp(complex(growth, turn)))


def align(grey: Floats, start: Eyes, regressors: Floats) -> Eyes:
    """Return the exact positions of eyes that a detector has found.

    Parameters
    ----------
    grey
        (H, W) photograph.
    start
        Approximate eyes: within a third of their distance, a quarter in size, and 23°.
    regressors
        (4, `FEATURES`, 4): from the features of a crop to the step for `apply_step`; the last of
        them from the `root_features`, of a face that is `lit_from_the_side`.
    """
    eyes = start
    for stage in _ORDER:
        crop = alignment_crop(grey, eyes)
        if stage == _LAST and lit_from_the_side(crop):
            step = root_features(hog_features(crop)) @ regressors[_SIDE_LIT]
        else:
            step = hog_features(crop) @ regressors[stage]
        eyes = apply_step(eyes, step)
    return eyes
