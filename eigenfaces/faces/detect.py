"""Detection: find the faces in a photograph, their exact eye positions, and the main face.

dlib's frontal detector (D. King, *Max-margin object detection*, 2015) compares histograms of
gradient directions (N. Dalal and B. Triggs, 2005) at every position and scale with five linear
sub-detectors, one for each pose. A photograph is searched twice: at full detail for faces of all
sizes, and reduced, with a border, for a face that fills the photograph.

If no certain face is found, a second detector is used (`convolutional`). It also finds faces seen
from the side, half covered, or in the dark. Five landmarks in the box of a face locate its eyes.

Alignment is cascaded linear regression (X. Xiong and F. De la Torre, *Supervised descent method and
its applications to face alignment*, 2013): three regressors, each trained on smaller errors than
the one before, map the features of a crop to its position error. For a face lit from the side, a
fourth regressor replaces the last one. ``assets/faces.npz`` contains all regressors.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.faces import network
from eigenfaces.faces.convolutional import find_boxes
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.model_files import has_dlib
from eigenfaces.faces.prepare import Preparation, crop_at
from eigenfaces.files import asset
from eigenfaces.photographs.placement import Box, Eyes
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.pca import as_levels

LONGEST_SIDE = 1600  # a larger photograph is reduced to this many pixels for the detailed search …
ENLARGED = 2  # … and a smaller one is enlarged by this factor at most
SMALLEST = 80  # size of the smallest face found, in pixels; half of this after enlarging
LIKELY_SCORE = 0.0  # a box with a higher score is considered a face …
DOUBTFUL = -0.2  # … and if there is none, the best box above this score is offered as doubtful
_OVERVIEW = 240  # longer side in the second search, in pixels …
_BORDER = 0.25  # … and the repeated border around it, as a share of the shorter side
_OVERLAP = 0.3  # two boxes show the same face if their intersection over union is at least this …
_INSIDE = 0.6  # … or if they share this part of the smaller box


class DetectorPose(NamedTuple):
    """Usual eye positions in the boxes of one sub-detector, as fractions of the box size."""

    middle: complex
    apart: float
    tilt: float


DETECTOR_POSES = (
    DetectorPose(0.500 + 0.270j, 0.420, 0.0),  # frontal
    DetectorPose(0.471 + 0.333j, 0.349, 0.0),  # turned to the left of the picture
    DetectorPose(0.529 + 0.333j, 0.349, 0.0),  # turned to the right
    DetectorPose(0.406 + 0.301j, 0.417, -25.0),  # tilted to the left
    DetectorPose(0.594 + 0.301j, 0.417, 25.0),  # tilted to the right
    DetectorPose(0.500 + 0.372j, 0.426, 0.0),  # found by the convolutional detector
)
"""Medians over the London photographs and their mirror images, tilted by up to 40° and turned
sideways by up to 42°. The tilt is in degrees."""

CONVOLUTIONAL = 5  # the index of the second detector among the poses


def expected_eyes(box: Box, detector: int) -> Eyes:
    """Return the usual eye positions in a box from one of the detectors."""
    left, top, size = box
    usual = DETECTOR_POSES[detector]
    across = size * usual.apart * np.exp(1j * np.radians(usual.tilt))
    return Eyes.at(complex(left, top) + size * usual.middle, complex(across))


@dataclass(frozen=True)
class FoundFace:
    """Face found in a photograph."""

    eyes: Eyes  # its eyes, aligned
    # how far the detector's output is above its limit; a clear face has 1 or more
    score: float
    box: Box  # left, top and size of the detector's box, from the brows to below the mouth
    detector: int = 0  # which detector found it, as an index of `DETECTOR_POSES`
    placed: bool = True  # whether its eyes were found; if not, they are at the usual positions

    @property
    def doubtful(self) -> bool:
        """Whether the face is only the best guess in a photograph without a likely face."""
        return self.score <= LIKELY_SCORE

    @property
    def likely(self) -> bool:
        """Whether the detection is probably a face, and its eyes were found."""
        return self.placed and not self.doubtful

    @property
    def certain(self) -> bool:
        """Whether the detection is almost certainly a face, and its eyes were found."""
        return self.placed and self.score > CERTAIN

    def scaled(self, factor: float) -> FoundFace:
        """Return the face with all coordinates multiplied by a factor."""
        left, top, size = self.box
        box = (left * factor, top * factor, size * factor)
        return replace(self, eyes=self.eyes.scaled(factor), box=box)


def find_faces(grey: Floats, finer: int = 1) -> tuple[FoundFace, ...]:
    """Return the aligned faces in a grey photograph (H, W), the most certain first.

    Faces may be tilted by up to about 40°. If no face is found, the best guess, if any, is
    returned; it is `FoundFace.doubtful`. ``finer`` is the factor by which faces may be smaller than
    usual. Without dlib, only the second detector is used.
    """
    if not has_dlib():
        return find_hidden_faces(grey, partial(_reduced, grey), _SIDES_ALONE)
    regressors = general_faces().regressors
    return tuple(
        replace(face, eyes=align(grey, face.eyes, regressors)) for face in detect_faces(grey, finer)
    )


def detect_faces(grey: Floats, finer: int = 1) -> tuple[FoundFace, ...]:
    """Return the faces in a grey photograph (H, W), with the eyes at their usual positions."""
    levels = Image.fromarray(as_levels(grey))
    longest = max(levels.size)
    boxes = [
        *_detect_at_scale(levels, finer * min(LONGEST_SIDE / longest, ENLARGED), border=0.0),
        *_detect_at_scale(levels, _OVERVIEW / longest, _BORDER),
    ]
    faces: list[FoundFace] = []
    for face in sorted(boxes, key=lambda face: -face.score):
        if not any(_same_face(face.box, better.box) for better in faces):
            faces.append(face)
    return tuple(face for face in faces if not face.doubtful) or tuple(faces[:1])


def _detect_at_scale(levels: Image.Image, scale: float, border: float) -> list[FoundFace]:
    """Return all faces found in a photograph at one scale, after padding it with border pixels."""
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


_OF_THREAD = local()


def _thread_detector() -> Any:
    """Return this thread's dlib detector, restored from a saved state (``assets/faces.md``).

    A search releases the GIL, but two threads must not share a detector, so each thread restores
    its own in 2 ms. Creating a detector with dlib itself would take about a second without
    releasing the GIL, which would freeze the window.
    """
    import dlib

    if not hasattr(_OF_THREAD, "detector"):
        detector = dlib.fhog_object_detector.__new__(dlib.fhog_object_detector)
        try:
            detector.__setstate__((asset("detector.bin").read_bytes(),))
        except (AttributeError, RuntimeError, TypeError):  # this version of dlib has another state
            detector = dlib.get_frontal_face_detector()
        _OF_THREAD.detector = detector
    return _OF_THREAD.detector


def _same_face(one: Box, other: Box) -> bool:
    """Return whether two boxes show the same face: they overlap, or one is inside the other."""
    (left, top, size), (x, y, side) = one, other
    wide = min(left + size, x + side) - max(left, x)
    high = min(top + size, y + side) - max(top, y)
    common = max(wide, 0) * max(high, 0)
    union = size**2 + side**2 - common
    return common >= _OVERLAP * union or common >= _INSIDE * min(size, side) ** 2


SIDES = (336, 640, 1000)
"""Longer sides, in pixels, that the second detector tries in turn until it finds a face."""

_SIDES_ALONE = (1000, 1600)  # the same without dlib, when there is no other detector

_AGREED = 0.1  # aligner and landmarks agree if their eyes are this close, in eye distances
_TILTS = -30, 0, 30  # tilts in degrees from which the aligner starts without landmarks
_ALIGNED = 1 / 3  # the aligner may move eyes this far, in eye distances: it is trained for no more


def find_hidden_faces(
    grey: Floats, picture: Callable[[int], Bytes], sides: Sequence[int] = SIDES
) -> tuple[FoundFace, ...]:
    """Return the faces found by the convolutional detector, the most certain first.

    Parameters
    ----------
    grey
        The photograph (H, W). The faces are returned in its pixel coordinates.
    picture
        A function that returns the colour photograph (h, w, 3) for a given maximum side length.
    sides
        The lengths of the longer side to try in turn until a likely face is found. The photograph
        is never enlarged by a factor of more than two.
    """
    faces = tuple[FoundFace, ...]()
    searched = 0
    for side in sides:
        colours = _enlarged(picture(side), side)
        if max(colours.shape) == searched:
            break  # the photograph cannot be enlarged any further
        searched = max(colours.shape)
        boxes = find_boxes(colours, LIKELY_SCORE)
        if boxes:
            faces = tuple(_face_in_box(grey, colours, score, box) for score, box in boxes)
        if any(face.likely for face in faces):
            break
    return faces


def _reduced(grey: Floats, longest: int) -> Bytes:
    """Return a grey photograph (H, W) as RGB (h, w, 3), at most ``longest`` pixels on each side."""
    levels = Image.fromarray(as_levels(grey)).convert("RGB")
    levels.thumbnail((longest, longest), Image.Resampling.BILINEAR)
    return np.asarray(levels)


def _enlarged(colours: Bytes, longest: int) -> Bytes:
    """Return a picture (h, w, 3) enlarged to ``longest`` pixels, but by no more than `ENLARGED`."""
    factor = min(longest / max(colours.shape), ENLARGED)
    if factor <= 1:
        return np.ascontiguousarray(colours)
    height, width = (round(side * factor) for side in colours.shape[:2])
    enlarged = Image.fromarray(colours).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(enlarged)


def _face_in_box(grey: Floats, colours: Bytes, score: float, box: Box) -> FoundFace:
    """Return the face in a box from the convolutional detector, in pixels of the grey photograph.

    Five landmarks in the box give a first estimate of the eyes, which the aligner improves. As an
    independent check, landmarks are then found again around these eyes. If the results disagree,
    the face is seen from the side, lies on its side or is cut off, and is not `FoundFace.placed`.
    Without dlib, there are no landmarks; see `_aligned_alone`.
    """
    scale = max(grey.shape) / max(colours.shape)
    left, top, size = (scale * value for value in box)
    usual = expected_eyes((left, top, size), CONVOLUTIONAL)
    if has_dlib():
        start = network.eyes_by_landmarks(colours, box).scaled(scale)
        eyes = align(grey, start, general_faces().regressors)
        around = network.landmarks_box(eyes.scaled(1 / scale))
        again = network.eyes_by_landmarks(colours, around).scaled(scale)
        placed = _apart(eyes, again) <= _AGREED and _apart(eyes, start) <= _ALIGNED
    else:
        eyes, placed = _aligned_alone(grey, usual)
    eyes = eyes if placed else usual
    return FoundFace(eyes, score, (left, top, size), CONVOLUTIONAL, placed)


def _aligned_alone(grey: Floats, usual: Eyes) -> tuple[Eyes, bool]:
    """Return the eyes, aligned from their usual positions, and whether they were found.

    The aligner starts from three tilts, and the result closest to the general face space is used.
    The eyes count as found if the distance of this result is within the limit of the model.
    """
    model, preparation = general_faces(), Preparation()
    tries = []
    for degrees in _TILTS:
        start = Eyes.at(usual.middle, usual.across * cmath.exp(1j * math.radians(degrees)))
        eyes = align(grey, start, model.regressors)
        crop = preparation.crop(grey, eyes)
        tries.append((model.distance_of(crop, preparation.aligned_eyes), eyes))
    distance, eyes = min(tries, key=lambda one: one[0])
    return eyes, bool(distance <= model.limit)


def _apart(one: Eyes, other: Eyes) -> float:
    """Return the distance between two pairs of eyes, in units of the first pair's eye distance."""
    farther = max(math.dist(one.left, other.left), math.dist(one.right, other.right))
    return farther / max(one.distance, 1)


def joined(faces: Sequence[FoundFace], more: Sequence[FoundFace]) -> tuple[FoundFace, ...]:
    """Return the faces found by two detectors, the most certain first.

    If both detectors have found the same face, the result whose eyes were located is kept, or else
    the more certain one.
    """
    likely = [face for face in (*faces, *more) if not face.doubtful]
    kept: list[FoundFace] = []
    for face in sorted(likely, key=lambda face: (not face.placed, -face.score)):
        if not any(_same_face(face.box, better.box) for better in kept):
            kept.append(face)
    return tuple(sorted(kept, key=lambda face: -face.score)) or tuple(faces)


RIVAL = 2  # the largest face is the main one if all others are this many times smaller
CERTAIN = 0.5  # with a higher score, a detection is almost certainly a face
WEAK = 0.1  # a face with no higher score, as on a badge, is no rival to a certain face …
NEARLY = 4 / 3  # … if it is this many times smaller


def main_face(faces: Sequence[FoundFace]) -> FoundFace | None:
    """Return the main face of a photograph, or None if the choice is unclear.

    The main face is the largest `CERTAIN` face or, if there is none, the face with the highest
    score. The choice is unclear if another face is more than half as large, or, for a `WEAK` face,
    more than three quarters as large.
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
FROM_THE_SIDE = 0.4  # light is from the side if the log of the halves' brightness ratio is larger
_ORDER = (0, 1, 2, 2, 2)  # the order in which the regressors are applied …
_LAST, _SIDE_LIT = 2, 3  # … and the one that replaces the last if light comes from the side


def hog_features(crop: Floats) -> Floats:
    """Return the gradient features (`FEATURES`,) of a crop (84, 72); the last one is always 1.

    The features are histograms of 8 gradient directions in 14 × 12 cells. A gradient is weighted by
    its length, which is shared between the two nearest directions and the four nearest cells. Each
    histogram is divided by its norm plus half the root mean square of all norms.
    """
    x, y = np.zeros((2, crop.size), np.float32).reshape(2, *crop.shape)
    y[1:-1] = crop[2:] - crop[:-2]
    x[:, 1:-1] = crop[:, 2:] - crop[:, :-2]
    lengths = np.sqrt(x * x + y * y).ravel()
    # In units of a bin: the whole part is the lower bin, the rest the share of the upper bin.
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
    """Return the weights (cells, size) of the pixels in each cell along one axis."""
    middles = (np.arange(cells) + 0.5) * size / cells
    away = np.abs(np.arange(size) + 0.5 - middles[:, None]) * cells / size
    return np.clip(1 - away, 0, None).astype(np.float32)


def root_features(seen: Floats) -> Floats:
    """Return the square roots of `hog_features`, which give dark parts more weight."""
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
    """Return the eyes after a step: right, down (in eye distances), log scale, angle (radians)."""
    right, down, growth, turn = step.tolist()
    b = eyes.across
    return Eyes.at(eyes.middle + b * complex(right, down), b * cmath.exp(complex(growth, turn)))


def align(grey: Floats, start: Eyes, regressors: Floats) -> Eyes:
    """Return the exact eye positions, starting from approximate ones.

    Parameters
    ----------
    grey
        The photograph (H, W).
    start
        The approximate eyes, off by at most a third of their distance, a quarter in size, and 23°.
    regressors
        (4, `FEATURES`, 4) matrices that map the features of a crop to the step for `apply_step`.
        The last one maps the `root_features` of a face that is `lit_from_the_side`.
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
