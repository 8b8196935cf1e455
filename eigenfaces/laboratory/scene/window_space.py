"""The face space that a window on a scene is compared with: a gallery's faces, small and even.

A window has any brightness and contrast, and so has each face of a gallery. Both are brought to
mean 0 and length 1 under an oval: what is left over of a window is then a share of its own
contrast, as in `eigenfaces.recognition.face_likeness`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PIL import Image

from eigenfaces.arrays import Doubles, Flags, Floats, Numbers
from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.tan_triggs import edges
from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.face_likeness import KEPT
from eigenfaces.recognition.strangers import threshold

Light = Literal["edges", "grey"]
"""What is looked at: the photograph without most of its light, or its grey values, as in 1991."""

COMPONENTS = 7
"""As many as Turk and Pentland used. With more, more of what is no face can be made of them too: of
the faces on 55 photographs, AT&T faces as gallery, 36 % are among the n nearest places of n faces;
with 15 components 28 %, with 40 23 % (``tests/benchmarks/test_scene_map.py``)."""

HEIGHT = 28
"""Pixels of a window."""

_GROUPS = 5
_NEGLIGIBLE = 1e-10  # of the largest variance: rounding errors
_FLAT = 1e-6


@dataclass(frozen=True, eq=False)
class WindowSpace:
    """A face space of faces of (h, w) that are brought to mean 0 and length 1 under an oval.

    Parameters
    ----------
    mean, components
        (d,) and (k, d), of the d pixels inside; each has mean 0.
    inside
        (h, w): which pixels those are.
    light
        What is looked at.
    limit
        The distance *from* it that few of the gallery's own faces exceed, their people held out.
    eyes
        Where the eyes lie in a window.
    """

    mean: Doubles
    components: Doubles
    inside: Flags
    light: Light
    limit: float
    eyes: Eyes

    @property
    def shape(self) -> tuple[int, int]:
        """(h, w) of a window."""
        height, width = self.inside.shape
        return height, width

    def __len__(self) -> int:
        return len(self.components)

    @classmethod
    def fit(
        cls,
        faces: FaceSet,
        eyes: Eyes,
        *,
        light: Light = "edges",
        components: int = COMPONENTS,
        tick: Tick = no_tick,
    ) -> WindowSpace:
        """Return the space of a gallery's faces, whose eyes lie there in a crop.

        Raises
        ------
        EigenfacesError
            There are fewer than two faces that show something, or all of them are the same.
        """
        shape = window_shape(faces.shape)
        inside = oval(shape)
        small = faces.pixels.each(
            lambda some: (
                np.stack([reduced(face, shape) for face in some.reshape(-1, *faces.shape)])
                if len(some)
                else np.empty((0, *shape), np.float32)
            ),
            tick,
        )
        vectors = _normalised(lit(small, light)[:, inside])
        shows = vectors.any(axis=1)
        if shows.sum() < 2 or np.ptp(vectors[shows], axis=0).max() < _FLAT:
            raise EigenfacesError(
                "A face map needs a gallery with two different faces: add photographs first."
            )
        people = np.array([photo.person or photo.key for photo in faces.index.photos])[shows]
        mean, found = _decomposed(vectors[shows], components)
        left = _held_out(vectors[shows], people, components)
        scaled = eyes.scaled(shape[0] / faces.shape[0])
        return cls(mean, found, inside, light, threshold(left, 1 - KEPT), scaled)

    def expand(self, vector: Doubles) -> Doubles:
        """Return the pixels inside, (d,), as a picture (h, w): 0 outside."""
        picture = np.zeros(self.shape)
        picture[self.inside] = vector
        return picture

    def vector(self, seen: Doubles) -> Doubles:
        """Return what is seen through a window (h, w), already `lit`, as a vector (d,)."""
        found: Doubles = _normalised(seen[self.inside][None])[0]
        return found

    def reconstruct(self, vector: Doubles) -> Doubles:
        """Return the face in the space that is nearest to a vector, (d,)."""
        nearest: Doubles = self.mean + ((vector - self.mean) @ self.components.T) @ self.components
        return nearest


def window_shape(shape: tuple[int, int]) -> tuple[int, int]:
    """Return (h, w) of the window for crops of (h, w); it is never enlarged.

    >>> window_shape((112, 92))
    (28, 23)
    """
    height = min(HEIGHT, shape[0])
    return height, max(1, round(shape[1] * height / shape[0]))


def oval(shape: tuple[int, int]) -> Flags:
    """Return the pixels (h, w) of a window that count: in an oval, without the corners."""
    rows, columns = np.mgrid[: shape[0], : shape[1]] + 0.5
    across, down = columns / shape[1] - 0.5, rows / shape[0] - 0.52
    inside: Flags = (across / 0.48) ** 2 + (down / 0.5) ** 2 <= 1
    return inside


def lit(pictures: Floats, light: Light) -> Doubles:
    """Return what is looked at of pictures (n, h, w), grey 0…1."""
    return pictures.astype(np.float64) if light == "grey" else edges(np.clip(pictures, 0, 1))


def reduced(grey: Floats, shape: tuple[int, int]) -> Floats:
    """Return a picture at a smaller size (h, w), by a Lanczos filter."""
    image = Image.fromarray(np.ascontiguousarray(grey, np.float32))
    return np.asarray(image.resize(shape[::-1], Image.Resampling.LANCZOS))


def _normalised(vectors: Doubles) -> Doubles:
    """Return vectors (n, d) of mean 0 and length 1; 0 where there is no contrast."""
    centred = vectors - vectors.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    return np.where(lengths > _FLAT, centred / np.maximum(lengths, _FLAT), 0.0)


def _decomposed(vectors: Doubles, components: int) -> tuple[Doubles, Doubles]:
    """Return the mean (d,) of vectors (n, d) and their first components, at most (k, d)."""
    mean = vectors.mean(axis=0)
    values, axes = np.linalg.eigh((vectors - mean).T @ (vectors - mean))
    some = values[::-1][:components] > _NEGLIGIBLE * max(values[-1], 1e-300)
    return mean, axes.T[::-1][:components][some]


def _held_out(vectors: Doubles, people: Numbers, components: int) -> Doubles:
    """Return the distances (n,) from the space of the others, their people held out in groups."""
    group = np.unique(people, return_inverse=True)[1] % _GROUPS
    if not group.any():  # one person alone
        group = np.arange(len(vectors)) % _GROUPS
    left = np.empty(len(vectors))
    for number in np.unique(group):
        away = group == number
        mean, axes = _decomposed(vectors[~away], components)
        rest = vectors[away] - mean
        left[away] = np.linalg.norm(rest - (rest @ axes.T) @ axes, axis=1)
    return left
