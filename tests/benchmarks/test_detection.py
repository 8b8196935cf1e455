"""Detection in whole, turned and tightly cut photographs: found, right, upright, false.

And how many photographs show no face, by the first detector alone and by both.
"""

import io
import math
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from learn_faces import read_marked
from measuring import folder
from PIL import Image
from skimage import data

from eigenfaces import load_sample
from eigenfaces.faces import network
from eigenfaces.faces.detect import FoundFace, find_faces, find_hidden_faces, main_face
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.find import find_photos
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Bytes, Floats

NEAR, SIZE = 0.5, 0.35
"""A face is right if the middle of its eyes lies within half an eye distance of where it is, and
the eye distance within 35 % (as a logarithm)."""

UPRIGHT = 5.0
"""Degrees within which an aligned face stands upright."""

QUARTER = 0.25
"""Eye distances by which an eye is wrong."""

SMALL = 250
"""Pixels of a side of the photographs that are turned."""

NO_FACES = "brick camera cat clock coffee coins colorwheel grass gravel horse logo moon page rocket"
"""Pictures of `skimage.data` without a face in front of the camera; and “text”."""

Marked = tuple[Floats, Eyes | None]
"""A photograph and the eyes on it, where they are known."""


@cache
def london() -> list[Marked]:
    return [(face.grey, face.eyes) for face in read_marked(folder("london"))[0]]


def turned(degrees: float) -> list[Marked]:
    """Return London in 250 × 250 pixels, turned clockwise about the middle of the eyes."""
    photos = list[Marked]()
    for grey, where in london():
        assert where is not None
        image = Image.fromarray(grey).resize((SMALL, SMALL), Image.Resampling.LANCZOS)
        eyes = where.scaled(SMALL / max(grey.shape))
        wide = Image.fromarray(np.pad(np.asarray(image), SMALL, mode="edge"))
        middle = eyes.middle + SMALL * (1 + 1j)
        wide = wide.rotate(-degrees, Image.Resampling.BICUBIC, center=(middle.real, middle.imag))
        cut = wide.crop((SMALL, SMALL, 2 * SMALL, 2 * SMALL))
        turn = complex(np.exp(1j * math.radians(degrees)))
        photos.append((np.asarray(cut), Eyes.at(eyes.middle, eyes.across * turn)))
    return photos


def tight(photos: list[Marked]) -> list[Marked]:
    """Cut photographs down to the face, from the forehead to the chin, 110 pixels wide."""
    faces = list[Marked]()
    for grey, eyes in photos:
        assert eyes is not None
        left, top, size = eyes.box
        height, width = grey.shape
        x, y = max(left, 0), max(top, 0)
        right, bottom = min(left + size, width), min(top + size, height)
        scale = 110 / (right - x)
        image = Image.fromarray(np.ascontiguousarray(grey)).resize(
            (110, round(scale * (bottom - y))), Image.Resampling.BICUBIC, (x, y, right, bottom)
        )
        placed = Eyes.at((eyes.middle - complex(x, y)) * scale, eyes.across * scale)
        faces.append((np.asarray(image), placed))
    return faces


def att() -> list[Marked]:
    sample = load_sample()
    return [(sample.image(row), None) for row in range(len(sample))]


def tight_att() -> list[Marked]:
    """Return the AT&T faces cut where the program finds them in the whole pictures."""
    faces = [(grey, find_faces(grey)) for grey, _ in att()]
    return tight([(grey, here[0].eyes) for grey, here in faces if here])


def nobody() -> list[Marked]:
    names = [*NO_FACES.split(), "text"]
    pictures = (Image.fromarray(getattr(data, name)()).convert("L") for name in names)
    return [(np.asarray(picture, np.float32) / np.float32(255), None) for picture in pictures]


SETS: dict[str, tuple[Callable[[], list[Marked]], float]] = {
    "London": (london, 1),
    **{
        f"London turned by {by:+}°": (partial(turned, by), 0.98)
        for by in (-40, -25, -15, 15, 25, 40)
    },
    "London, tight": (lambda: tight(london()), 0.98),
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
    find_faces(photos[0][0])  # loaded
    begun = time.process_time()
    detections = [(find_faces(grey), eyes) for grey, eyes in photos]
    took = 1000 * (time.process_time() - begun) / len(photos)
    right = sum(any(in_place(face, eyes) for face in faces) for faces, eyes in detections)
    upright = sum(
        in_place(faces[0], eyes)
        and (eyes is None or abs(faces[0].eyes.angle - eyes.angle) <= UPRIGHT)
        for faces, eyes in detections
        if faces
    )
    mains = [(main_face(faces), eyes) for faces, eyes in detections]
    alone = sum(face is not None and in_place(face, eyes) for face, eyes in mains)
    false = sum(len(faces) for faces, _ in detections) - right
    print(
        f"\n{name}, {len(photos)} photographs: {right} found, {upright} upright as the most "
        f"certain, {alone} taken without asking, {false} false; "
        f"{took:.1f} ms of processor time each"
    )
    assert right >= least * len(photos) if least else right == 0


TURNED = (90, -60, 60)
"""Degrees by which faces are tilted whose eyes no landmarks find."""


@pytest.mark.parametrize("name", [*(name for name in SETS if "London" in name), *TURNED])
def test_eyes_in_the_boxes_of_the_second_detector(name: str | int) -> None:
    """How many are found, how far off they are, and of how many they are said to be unknown."""
    if not network.is_installed():
        pytest.skip(network.HOW_TO_GET_IT)
    photos = turned(name) if isinstance(name, int) else SETS[name][0]()
    found = unknown = 0
    errors = list[float]()
    for grey, eyes in photos[::3]:
        levels = Image.fromarray(np.rint(255 * grey).astype(np.uint8)).convert("RGB")

        def colours(longest: int, image: Image.Image = levels) -> Bytes:
            image = image.copy()
            image.thumbnail((longest, longest))
            return np.asarray(image)

        faces = find_hidden_faces(grey, colours)
        found += bool(faces)
        if faces and eyes is not None:
            unknown += not faces[0].placed
            if faces[0].placed:
                ends = np.subtract(
                    (faces[0].eyes.left, faces[0].eyes.right), (eyes.left, eyes.right)
                )
                errors.append(float(np.hypot(*ends.T).max() / eyes.distance))
    middle, most = np.quantile(errors, (0.5, 0.95)) if errors else (np.nan, np.nan)
    wrong = sum(error > QUARTER for error in errors)
    print(
        f"\n{name}: {found} of {len(photos[::3])} found, the eyes of {unknown} unknown; the worse"
    )
    print(
        f"  eye off by {middle:.3f} eye distances, 95 % at most {most:.3f}; {wrong} over {QUARTER}"
    )


def files(name: str) -> list[bytes]:
    """Return the photographs of a set, or the pictures of `skimage.data` that come with it."""
    if name == "no face":
        here = Path(data.__file__).parent
        paths = [path for path in sorted(here.iterdir()) if path.suffix in (".png", ".jpg")]
    else:
        paths = [photo.path for photo in find_photos(folder(name)).photos]
    return [path.read_bytes() for path in paths]


def upside_down(content: bytes) -> bytes:
    stream = io.BytesIO()
    Image.open(io.BytesIO(content)).convert("RGB").rotate(180).save(stream, "PNG")
    return stream.getvalue()


def searched(contents: list[bytes]) -> str:
    """Return in words how many photographs have a face, and how long looking takes."""
    begun = time.process_time()
    faces = [Picture(content).upright_faces() for content in contents]
    took = 1000 * (time.process_time() - begun) / len(contents)
    sure = sum(any(face.likely for face in here) for here in faces)
    none = sum(not here for here in faces)
    return (
        f"{sure} with a face, {len(faces) - sure - none} with one that waits for a person, {none} "
        f"without; {sum(map(len, faces))} faces; {took:.0f} ms of processor time each"
    )


@pytest.mark.parametrize("name", ["press", "yale", "london", "scenes", "no face", "upside down"])
def test_photographs_without_a_face(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the first detector alone, and by both; of “no face”, two pictures show one."""
    if not network.is_installed():
        pytest.skip(network.HOW_TO_GET_IT)
    if name == "upside down":
        contents = [upside_down(content) for content in files("press")[:120]]
    else:
        contents = files(name)
    both = searched(contents)
    monkeypatch.setattr(network, "is_installed", lambda: False)
    print(f"\n{name}, {len(contents)} photographs")
    print(f"  one detector: {searched(contents)}\n  both: {both}")
