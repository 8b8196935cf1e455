"""How fast folders are looked through over all cores, and what holds everybody else up meanwhile.

``EIGENFACES_LONDON=… EIGENFACES_YALE=… uv run --group dev pytest -o addopts="" -s
tests/benchmarks/test_loading.py``
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from folders import folder
from numpy.typing import NDArray
from PIL import Image
from skimage import data

from eigenfaces import Preparation, find_photos, load_faces
from eigenfaces.faces.alignment import align, crop_at
from eigenfaces.faces.detection import LONGEST_SIDE, detect_faces
from eigenfaces.faces.face_reading import read_face
from eigenfaces.faces.general_faces import general_faces
from eigenfaces.photographs.decoding import decode, read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo
from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.lighting import even_light

PHOTOS = 16
"""Photographs of twelve megapixels that are made."""


@contextmanager
def another_thread() -> Iterator[list[float]]:
    """Let a thread wake up every millisecond, as a window would; yield when it did, in seconds."""
    woken: list[float] = []
    over = threading.Event()

    def wake() -> None:
        while not over.wait(0.001):
            woken.append(time.perf_counter())

    thread = threading.Thread(target=wake)
    thread.start()
    try:
        yield woken
    finally:
        over.set()
        thread.join()


def stops(work: Callable[[], object]) -> tuple[float, NDArray[np.float64]]:
    """Return the seconds that some work takes, and the milliseconds between waking up meanwhile."""
    with another_thread() as woken:
        begun = time.perf_counter()
        work()
        took = time.perf_counter() - begun
    return took, 1000 * np.diff(woken)


def repeated(work: Callable[[], object], times: int) -> None:
    for _ in range(times):
        work()


@pytest.fixture(scope="module")
def twelve_megapixels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The astronaut on different grounds, from near and from afar, in 4000 × 3000 pixels."""
    place = tmp_path_factory.mktemp("twelve")
    for number in range(PHOTOS):
        side = 3000 // (1 + number % 3)
        face = Image.fromarray(data.astronaut()).resize((side, side))
        picture = Image.new("RGB", (4000, 3000), (number * 9, 90, 120))
        picture.paste(face, (60 * number, 3000 - side))
        picture.save(place / f"{number}.jpg", quality=92)
    return place


@pytest.fixture
def photos(request: pytest.FixtureRequest) -> FoundPhotos:
    if request.param == "twelve megapixels":
        return find_photos(request.getfixturevalue("twelve_megapixels"))
    found = find_photos(folder(request.param))
    # Without what a file says of the eyes: all faces are to be searched for.
    return FoundPhotos(tuple(Photo(photo.path, photo.person) for photo in found.photos))


@pytest.mark.parametrize("photos", ["yale", "london", "twelve megapixels"], indirect=True)
def test_photographs_a_second(photos: FoundPhotos, request: pytest.FixtureRequest) -> None:
    took, gaps = stops(lambda: load_faces(photos, Preparation()))
    n, name = len(photos.photos), request.node.callspec.id
    print(f"\n{name}: {n} photographs in {took:.1f} s on {os.cpu_count()} cores, {n / took:.1f} a")
    print("  second; between two turns of another thread: 99 % under", end=" ")
    print(f"{np.quantile(gaps, 0.99):.0f} ms, longest {gaps.max():.0f} ms")


def test_small_photographs_and_a_large_one(twelve_megapixels: Path, tmp_path: Path) -> None:
    """CPU time of all steps, from the file to the face, one after the other."""
    for path in folder("london").glob("photos/*/*.jpg"):
        Image.open(path).resize((250, 250)).save(tmp_path / path.name, quality=92)
    sets = {"250 × 250": sorted(tmp_path.iterdir()), "12 MP": sorted(twelve_megapixels.iterdir())}
    for name, most in (("250 × 250", 40), ("12 MP", 400)):
        photos = [Photo(path) for path in sets[name]]
        read_face(photos[0], Preparation())
        begun = time.process_time()
        for photo in photos:
            assert read_face(photo, Preparation()).crop is not None
        took = 1000 * (time.process_time() - begun) / len(photos)
        print(f"\n{name}: {took:.0f} ms of CPU time a photograph, mean of {len(photos)}")
        assert took <= most


def test_what_holds_other_threads_up(twelve_megapixels: Path) -> None:
    """Each step alone, over and over for a second or so, beside a thread that wants to wake up."""
    content = read_bytes(twelve_megapixels / "0.jpg")
    whole = decode(content)
    grey = decode(content, LONGEST_SIDE)
    eyes, regressors = Eyes((800.0, 400.0), (960.0, 400.0)), general_faces().regressors
    faces = np.stack([Preparation().crop(grey, eyes)] * 8)
    steps: dict[str, Callable[[], object]] = {
        "decode whole": lambda: decode(content),
        f"decode to {LONGEST_SIDE} or more": lambda: decode(content, LONGEST_SIDE),
        "search that": lambda: detect_faces(grey),
        "search 12 megapixels": lambda: detect_faces(whole),
        "align": lambda: align(grey, eyes, regressors),
        "cut out": lambda: crop_at(grey, eyes, (112, 92)),
        "Tan–Triggs, 8 faces": lambda: even_light(faces, "Tan–Triggs"),
    }
    print("\nStep: milliseconds alone; longest stop of another thread:")
    for name, step in steps.items():
        step()
        begun = time.perf_counter()
        step()
        took = time.perf_counter() - begun
        times = max(3, round(1 / took))
        _, gaps = stops(partial(repeated, step, times))
        print(f"  {name:28} {1000 * took:7.1f}; {gaps.max():5.1f}")
