"""Detection in whole, turned and tightly cut photographs: found, right, upright, false.

``EIGENFACES_LONDON=… uv run --group dev pytest -o addopts="" -s
tests/benchmarks/test_detection.py``
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from folders import folder
from learn_faces import read_marked
from PIL import Image
from skimage import data

from eigenfaces import load_sample
from eigenfaces.faces.detect import FoundFace, find_faces, main_face
from eigenfaces.faces.prepare import crop_at
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.arrays import Floats

NEAR, SIZE = 0.5, 0.35
"""A face is right if the middle of its eyes lies within half an eye distance of where it is, and
the eye distance within 35 % (as a logarithm)."""

UPRIGHT = 5.0
"""Degrees within which an aligned face stands upright."""

TURNS = (-40, -25, -15, 15, 25, 40)

SMALL = 250
"""Pixels of a side of the photographs that are turned."""

NO_FACES = (
    *("brick", "camera", "cat", "clock", "coffee", "coins", "colorwheel", "grass", "gravel"),
    *("horse", "logo", "moon", "page", "rocket", "text"),
)
"""Pictures of `skimage.data` without a face in front of the camera."""


@dataclass(frozen=True, eq=False)
class Marked:
    """A photograph and the eyes on it, where they are known."""

    grey: Floats
    eyes: Eyes | None = None


def london() -> list[Marked]:
    return [Marked(face.grey, face.eyes) for face in read_marked(folder("london"))[0]]


def turned(photo: Marked, degrees: float) -> Marked:
    """Return a photograph in 250 × 250 pixels, turned clockwise about the middle of the eyes."""
    assert photo.eyes is not None
    image = Image.fromarray(photo.grey).resize((SMALL, SMALL), Image.Resampling.LANCZOS)
    eyes = photo.eyes.scaled(SMALL / max(photo.grey.shape))
    wide = Image.fromarray(np.pad(np.asarray(image), SMALL, mode="edge"))
    middle = eyes.middle + SMALL * (1 + 1j)
    wide = wide.rotate(-degrees, Image.Resampling.BICUBIC, center=(middle.real, middle.imag))
    cut = wide.crop((SMALL, SMALL, 2 * SMALL, 2 * SMALL))
    turn = complex(np.exp(1j * math.radians(degrees)))
    return Marked(np.asarray(cut), Eyes.at(eyes.middle, eyes.across * turn))


def tight(photo: Marked) -> Marked:
    """Cut a photograph down to the face, from the forehead to the chin, 110 pixels wide."""
    assert photo.eyes is not None
    left, top, size = photo.eyes.box
    height, width = photo.grey.shape
    x, y = max(left, 0), max(top, 0)
    right, bottom = min(left + size, width), min(top + size, height)
    scale = 110 / (right - x)
    image = Image.fromarray(np.ascontiguousarray(photo.grey)).resize(
        (110, round(scale * (bottom - y))), Image.Resampling.BICUBIC, (x, y, right, bottom)
    )
    eyes = Eyes.at((photo.eyes.middle - complex(x, y)) * scale, photo.eyes.across * scale)
    return Marked(np.asarray(image), eyes)


def att() -> list[Marked]:
    sample = load_sample()
    return [Marked(sample.image(row)) for row in range(len(sample))]


def tight_att() -> list[Marked]:
    """Return the AT&T faces cut where the program finds them in the whole pictures."""
    faces = [(photo.grey, find_faces(photo.grey)) for photo in att()]
    return [tight(Marked(grey, here[0].eyes)) for grey, here in faces if here]


def crops() -> list[Marked]:
    """Return London as the program crops faces, 92 × 112 pixels."""
    eyes = Eyes.at(46 + 42j, complex(92 * 40 / 96))
    return [Marked(crop_at(p.grey, p.eyes, (112, 92)), eyes) for p in london() if p.eyes]


def nobody() -> list[Marked]:
    pictures = (Image.fromarray(getattr(data, name)()).convert("L") for name in NO_FACES)
    return [Marked(np.asarray(picture, np.float32) / np.float32(255)) for picture in pictures]


SETS: dict[str, tuple[Callable[[], list[Marked]], float]] = {
    "London": (london, 1),
    **{
        f"London turned by {by:+}°": (lambda by=by: [turned(p, by) for p in london()], 0.98)
        for by in TURNS
    },
    "London, tight": (lambda: [tight(photo) for photo in london()], 0.98),
    "London, cropped": (crops, 0.98),
    "AT&T": (att, 1),
    "AT&T, tight": (tight_att, 0.98),
    "no face": (nobody, 0),
}
"""The photographs, and the share of faces that the program finds at least."""


def in_place(face: FoundFace, eyes: Eyes | None) -> bool:
    if eyes is None:
        return True
    near = abs(face.eyes.middle - eyes.middle) <= NEAR * eyes.distance
    return near and abs(math.log(face.eyes.distance / eyes.distance)) <= SIZE


@pytest.mark.parametrize("name", SETS)
def test_faces_found(name: str) -> None:
    make, least = SETS[name]
    photos = make()
    find_faces(photos[0].grey)  # loaded
    begun = time.process_time()
    faces = [find_faces(photo.grey) for photo in photos]
    took = 1000 * (time.process_time() - begun) / len(photos)
    pairs = [(here, photo.eyes) for here, photo in zip(faces, photos, strict=True)]
    right = sum(any(in_place(face, eyes) for face in here) for here, eyes in pairs)
    upright = sum(
        in_place(here[0], eyes)
        and (eyes is None or abs(here[0].eyes.angle - eyes.angle) <= UPRIGHT)
        for here, eyes in pairs
        if here
    )
    mains = [(main_face(here), eyes) for here, eyes in pairs]
    alone = sum(face is not None and in_place(face, eyes) for face, eyes in mains)
    print(
        f"\n{name}, {len(photos)} photographs: {right} found, {upright} upright as the most "
        f"certain, {alone} taken without asking, {sum(map(len, faces)) - right} false, "
        f"{sum(face.doubtful for here in faces for face in here)} doubtful; {took:.1f} ms of "
        "processor time each"
    )
    assert right >= least * len(photos) if least else right == 0
