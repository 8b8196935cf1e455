"""Face detection: where the faces are in a photograph.

A cascade of local binary patterns (S. Liao et al., *Learning multi-scale block local binary
patterns for face recognition*, 2007; trained by OpenCV, run by scikit-image) marks every window
that may be a face. Overlapping windows are grouped to candidates, which are aligned. Those far
*from* the face space of faces in general, or marked by few windows, are dropped (M. Turk and
A. Pentland, *Eigenfaces for recognition*, 1991, on locating faces).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.arrays import Floats
from eigenfaces.faces.alignment import align, crop_at
from eigenfaces.faces.general_faces import SIGHT, GeneralFaces, face_vector, general_faces
from eigenfaces.photographs.placement import Eyes

LONGEST_SIDE = 1024
"""Pixels; of a larger photograph a reduced copy is searched."""

SMALLEST = 24
"""Pixels of the smallest window; of a smaller face there is too little to see."""

SMALLER = 4
"""Faces this many times smaller than the largest one are not looked for."""

LIKELY = -math.log(3)
"""Log-odds from which a candidate is taken for a face: one missed is worse than two too many."""

DOUBTFUL = -math.log(8)
"""Log-odds from which the only candidate of a photograph is offered as a doubtful face."""

PROMINENT = 4
"""A doubtful face takes at least this part (a quarter) of the photograph's shorter side."""

_GROWTH = 1.1  # from one size of window to the next
_STEP = 1.25  # between neighbouring windows, in pixels of the smallest of them
_BORDER = 0.2  # of the window: repeated border around the photograph, for faces that fill it
_AGREE = 0.45  # the intersection over union at which two windows are the same


@dataclass(frozen=True)
class Candidate:
    """A square that may be a face, in photo pixels, and the number of windows that marked it."""

    left: float
    top: float
    size: float
    windows: float = 1

    @property
    def eyes(self) -> Eyes:
        """The positions of the eyes, if it is an upright face."""
        return Eyes.in_box(self.left, self.top, self.size)

    def mirrored(self, width: int) -> Candidate:
        """Return the same square in the mirror image of a photograph."""
        return replace(self, left=width - self.left - self.size)


@dataclass(frozen=True)
class FoundFace:
    """A face found in a photograph.

    ``score`` is the log-odds that it is one, ``distance`` its distance *from* the general face
    space, ``windows`` the number of windows that marked it.
    """

    eyes: Eyes
    score: float
    distance: float
    windows: float

    @property
    def doubtful(self) -> bool:
        """Whether it is only the best guess in a photograph without a likely face."""
        return self.score <= LIKELY


def find_faces(grey: Floats, known: GeneralFaces | None = None) -> tuple[FoundFace, ...]:
    """Return the upright faces of a grey photograph (H, W), the most certain first.

    If the longer side of a photograph is over `LONGEST_SIDE`, a reduced copy is searched. Faces
    tilted by up to about 10° are found, but none that is `SMALLER` times smaller than another.
    If there is none, a second pass searches for a large one, also in the mirror image and with even
    contrast, because light from one side hides half a face: the best one, if it is not unlikely.
    """
    known = known or general_faces()
    searched = reduced(grey, LONGEST_SIDE / max(grey.shape))
    found = _first_pass(searched, known) or _second_pass(searched, known)
    scale = max(grey.shape) / max(searched.shape)
    return tuple(replace(face, eyes=face.eyes.scaled(scale)) for face in found)


def _first_pass(grey: Floats, known: GeneralFaces) -> list[FoundFace]:
    windows: list[Candidate] = []
    scored: dict[Candidate, FoundFace] = {}
    found: list[FoundFace] = []
    for octave in _octaves(grey.shape):
        least = max((face.eyes.box[2] for face in found), default=0.0) / SMALLER
        if least > 2 * SMALLEST * 2**octave:
            break
        windows += _marked(grey, octave, least)
        joined = group_windows(windows)
        scored |= {
            each: score_candidate(grey, each, known) for each in joined if each not in scored
        }
        found = _once(scored[each] for each in joined)
    return found


def _second_pass(grey: Floats, known: GeneralFaces) -> list[FoundFace]:
    from skimage.exposure import equalize_adapthist

    even = equalize_adapthist(np.clip(grey, 0, 1), clip_limit=0.02).astype(np.float32)
    smallest = min(grey.shape) / PROMINENT
    windows: list[Candidate] = []
    for octave in _octaves(grey.shape):
        if 2 * SMALLEST * 2**octave > smallest:
            windows += _marked(grey, octave) + _marked(even, octave)
            windows += [each.mirrored(grey.shape[1]) for each in _marked(grey[:, ::-1], octave)]
    joined = [replace(each, windows=each.windows / 3) for each in group_windows(windows)]
    faces = [score_candidate(grey, each, known) for each in joined if each.size >= smallest]
    best = max(faces, key=lambda face: face.score, default=None)
    return [best] if best is not None and best.score > DOUBTFUL else []


def reduced(grey: Floats, factor: float) -> Floats:
    """Return a photograph made smaller; with a factor of 1 or more, as it is."""
    if factor >= 1:
        return grey
    size = max(1, round(grey.shape[1] * factor)), max(1, round(grey.shape[0] * factor))
    image = Image.fromarray(np.ascontiguousarray(grey, np.float32))
    return np.asarray(image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0))


def candidates(grey: Floats) -> list[Candidate]:
    """Return everything that may be a face in a photograph, of any size, also weak candidates."""
    return group_windows(
        [each for octave in _octaves(grey.shape) for each in _marked(grey, octave)]
    )


def _octaves(shape: tuple[int, ...]) -> range:
    """Return the octaves of window sizes, from the largest: octave o begins at 24 · 2^o pixels."""
    return range(max(0, math.floor(math.log2(min(shape) / SMALLEST))), -1, -1)


def _marked(grey: Floats, octave: int, least: float = 0.0) -> list[Candidate]:
    """Return the windows of one octave, of a minimum size, that may be a face.

    They are found in a reduced photograph, so that each octave takes a quarter of the time of
    the next smaller one.
    """
    level = reduced(grey, 0.5**octave)
    largest = 2 * SMALLEST if octave < _octaves(grey.shape)[0] else max(level.shape)
    border = round(_BORDER * min(largest, *level.shape))
    smallest = max(SMALLEST, int(least / 2**octave))
    levels = np.rint(np.clip(np.pad(level, border, mode="edge"), 0, 1) * 255).astype(np.uint8)
    marked = _cascade().detect_multi_scale(
        levels,
        scale_factor=_GROWTH,
        step_ratio=_STEP,
        min_size=(smallest, smallest),
        max_size=(largest, largest),
        min_neighbor_number=1,
        intersection_score_threshold=2.0,  # of 1 at most: no windows are joined
    )
    scale = grey.shape[1] / level.shape[1]
    places = sorted((each["c"] - border, each["r"] - border, each["width"]) for each in marked)
    return [Candidate(left * scale, top * scale, size * scale) for left, top, size in places]


@cache
def _cascade() -> Any:
    from skimage import data
    from skimage.feature import Cascade

    return Cascade(data.lbp_frontal_face_cascade_filename())


def group_windows(windows: Sequence[Candidate]) -> list[Candidate]:
    """Return overlapping windows as one candidate, the window with most overlaps first."""
    if not windows:
        return []
    squares = np.array([(each.left, each.top, each.size) for each in windows])
    agree = _overlap(squares) > _AGREE
    left = np.ones(len(windows), bool)
    joined = []
    while left.any():
        counts = (agree & left).sum(axis=1) * left
        chosen = agree[int(np.argmax(counts))] & left
        x, y, size = squares[chosen].mean(axis=0).tolist()
        joined.append(Candidate(x, y, size, int(chosen.sum())))
        left &= ~chosen
    return joined


def _overlap(squares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the intersection over union (n, n) of n squares (left, top, size)."""
    left, top, size = squares.T
    right, bottom = left + size, top + size
    wide = np.minimum.outer(right, right) - np.maximum.outer(left, left)
    high = np.minimum.outer(bottom, bottom) - np.maximum.outer(top, top)
    common = np.clip(wide, 0, None) * np.clip(high, 0, None)
    return common / (np.add.outer(size**2, size**2) - common)


def score_candidate(grey: Floats, candidate: Candidate, known: GeneralFaces) -> FoundFace:
    """Return a candidate, aligned in its photograph, with the log-odds that it is a face."""
    eyes = align(grey, candidate.eyes, known.regressors)
    distance = float(known.distance_from(face_vector(crop_at(grey, eyes, SIGHT))))
    seen = known.weights @ (1.0, distance, math.log(candidate.windows))
    return FoundFace(eyes, float(seen) + log_size(candidate), distance, candidate.windows)


def log_size(candidate: Candidate) -> float:
    """Return the logarithm of a candidate's size, in units of the smallest window."""
    return math.log(candidate.size / SMALLEST)


def _once(faces: Iterable[FoundFace]) -> list[FoundFace]:
    """Return the likely faces, the most certain first, each once."""
    kept: list[FoundFace] = []
    for face in sorted(faces, key=lambda face: -face.score):
        if face.score > LIKELY and not any(_same(face.eyes, other.eyes) for other in kept):
            kept.append(face)
    return kept


def _same(first: Eyes, second: Eyes) -> bool:
    return abs(first.middle - second.middle) < max(first.distance, second.distance)
