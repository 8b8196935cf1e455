"""Detection side by side with a cascade: what is found, right, taken without asking, and false.

``EIGENFACES_LONDON=… uv run --group dev pytest -o addopts="" -s
tests/benchmarks/test_detection.py``
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from finders import FINDERS, Finder
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
"""A face is in its place if the middle of its eyes lies within half an eye distance of where it is,
and the eye distance within 35 % (as a logarithm)."""

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
class Shown:
    """A photograph and the eyes on it, where they are known."""

    grey: Floats
    eyes: Eyes | None = None


def london() -> list[Shown]:
    return [Shown(face.grey, face.eyes) for face in read_marked(folder("london"))[0]]


def turned(degrees: float) -> list[Shown]:
    """Return London in 250 × 250 pixels, turned clockwise about the middle of the eyes."""
    return [_turned(shown, degrees) for shown in london()]


def _turned(shown: Shown, degrees: float) -> Shown:
    assert shown.eyes is not None
    scale = SMALL / max(shown.grey.shape)
    image = Image.fromarray(shown.grey).resize((SMALL, SMALL), Image.Resampling.LANCZOS)
    eyes = shown.eyes.scaled(scale)
    wide = Image.fromarray(np.pad(np.asarray(image), SMALL, mode="edge"))
    middle = eyes.middle + SMALL * (1 + 1j)
    wide = wide.rotate(-degrees, Image.Resampling.BICUBIC, center=(middle.real, middle.imag)).crop(
        (SMALL, SMALL, 2 * SMALL, 2 * SMALL)
    )
    turn = complex(np.exp(1j * math.radians(degrees)))
    return Shown(np.asarray(wide), Eyes.at(eyes.middle, eyes.across * turn))


def tight(shown: Shown) -> Shown:
    """Cut a photograph down to the face, from the forehead to the chin, 110 pixels wide."""
    assert shown.eyes is not None
    left, top, size = shown.eyes.box
    height, width = shown.grey.shape
    x, y = max(left, 0), max(top, 0)
    right, bottom = min(left + size, width), min(top + size, height)
    scale = 110 / (right - x)
    image = Image.fromarray(np.ascontiguousarray(shown.grey)).resize(
        (110, round(scale * (bottom - y))), Image.Resampling.BICUBIC, (x, y, right, bottom)
    )
    eyes = Eyes.at((shown.eyes.middle - complex(x, y)) * scale, shown.eyes.across * scale)
    return Shown(np.asarray(image), eyes)


def att() -> list[Shown]:
    sample = load_sample()
    return [Shown(sample.image(row)) for row in range(len(sample))]


def tight_att() -> list[Shown]:
    """Return the AT&T faces cut where the program finds them in the whole pictures."""
    found = [(shown.grey, find_faces(shown.grey)) for shown in att()]
    return [tight(Shown(grey, faces[0].eyes)) for grey, faces in found if faces]


def crops() -> list[Shown]:
    """Return London as the program crops faces, 92 × 112 pixels."""
    eyes = Eyes.at(46 + 42j, complex(92 * 40 / 96))
    return [Shown(crop_at(each.grey, each.eyes, (112, 92)), eyes) for each in london() if each.eyes]


def nobody() -> list[Shown]:
    pictures = (Image.fromarray(getattr(data, name)()).convert("L") for name in NO_FACES)
    return [Shown(np.asarray(picture, np.float32) / np.float32(255)) for picture in pictures]


SETS: dict[str, tuple[Callable[[], list[Shown]], float]] = {
    "London": (london, 1),
    **{f"London turned by {each:+}°": (lambda each=each: turned(each), 0.98) for each in TURNS},
    "London, tight": (lambda: [tight(each) for each in london()], 0.98),
    "London, cropped": (crops, 0.98),
    "AT&T": (att, 1),
    "AT&T, tight": (tight_att, 0.98),
    "no face": (nobody, 0),
}
"""What is shown, and the share of faces that the program finds at least."""


def in_place(face: FoundFace, eyes: Eyes | None) -> bool:
    if eyes is None:
        return True
    near = abs(face.eyes.middle - eyes.middle) <= NEAR * eyes.distance
    return near and abs(math.log(face.eyes.distance / eyes.distance)) <= SIZE


def upright(face: FoundFace, eyes: Eyes | None) -> bool:
    return eyes is None or abs(face.eyes.angle - eyes.angle) <= UPRIGHT


def measured(finder: Finder, photographs: list[Shown]) -> tuple[str, int]:
    """Return a line of figures, and how many photographs have a face found in its place."""
    finder(photographs[0].grey)  # loaded
    begun = time.process_time()
    found = [finder(shown.grey) for shown in photographs]
    took = 1000 * (time.process_time() - begun) / len(photographs)
    places = [
        [in_place(face, shown.eyes) for face in faces]
        for faces, shown in zip(found, photographs, strict=True)
    ]
    right = sum(map(any, places))
    false = sum(map(len, found)) - right
    first = [
        (faces[0], shown.eyes)
        for faces, fine, shown in zip(found, places, photographs, strict=True)
        if faces and fine[0]
    ]
    level = sum(upright(*each) for each in first)
    taken = sum(
        (meant := main_face(faces)) is not None and in_place(meant, shown.eyes)
        for faces, shown in zip(found, photographs, strict=True)
    )
    doubtful = sum(face.doubtful for faces in found for face in faces)
    line = f"{right:4} {len(first):5} {level:7} {taken:5} {false:5} {doubtful:8} {took:6.1f}"
    return line, right


@pytest.mark.parametrize("name", SETS)
def test_side_by_side(name: str) -> None:
    shown, least = SETS[name]
    photographs = shown()
    print(f"\n{name}, {len(photographs)} photographs")
    print(f"  {'':12} found first upright taken false doubtful ms of CPU time")
    for finder, find in FINDERS.items():
        line, right = measured(find, photographs)
        print(f"  {finder:12}  {line}")
        if finder == "the program":
            assert right >= least * len(photographs) if least else right == 0
