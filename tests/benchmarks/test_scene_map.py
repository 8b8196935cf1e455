"""The face map of a scene: how long it takes, and how well it finds faces beside the detector.

``EIGENFACES_SCENES=… EIGENFACES_YALE=… uv run --group dev pytest tests/benchmarks/test_scene_map.py
-o addopts="" -s``
"""

import csv
from collections.abc import Callable

import numpy as np
import pytest
from folders import folder
from pytest_benchmark.fixture import BenchmarkFixture
from skimage import data
from splits import counted

from eigenfaces import FaceSet, Preparation, find_photos, load_faces
from eigenfaces.arrays import Floats
from eigenfaces.faces.crop_frame import frame_of
from eigenfaces.faces.face_reading import Picture
from eigenfaces.laboratory.scene.scene_map import agreement, reduced_scene, scene_map
from eigenfaces.laboratory.scene.window_space import COMPONENTS, Light, WindowSpace
from eigenfaces.photographs.decoding import decode, read_bytes
from eigenfaces.photographs.placement import Eyes
from eigenfaces.samples import load_sample

MOST_S = 5
Scene = tuple[Floats, list[Eyes]]


def sample() -> tuple[FaceSet, Eyes]:
    faces = load_sample()
    frame = frame_of(faces)
    assert frame is not None
    return faces, frame.eyes


def yale() -> tuple[FaceSet, Eyes]:
    preparation = Preparation()
    return load_faces(find_photos(folder("yale")), preparation), preparation.aligned_eyes


def test_a_photograph_of_800_pixels(benchmark: BenchmarkFixture) -> None:
    faces, eyes = sample()
    space = WindowSpace.fit(faces, eyes)
    scene = np.kron(data.camera()[:300, :400] / 255, np.ones((2, 2))).astype(np.float32)
    assert scene.shape == (600, 800)
    found = benchmark.pedantic(lambda: scene_map(scene, space), rounds=3, warmup_rounds=1)
    print(f"\n{len(space)} components, {len(found.sizes)} sizes")
    assert benchmark.stats.stats.median < MOST_S


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """The counted photographs, and the detector's faces that a window is small enough for."""
    place, found = folder("scenes"), []
    with (place / "counts.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            content = read_bytes(place / row["file"])
            picture = Picture(content)
            grey = reduced_scene(decode(content))
            share = max(grey.shape) / max(picture.size)
            faces = [face.eyes.scaled(share) for face in picture.faces() if not face.doubtful]
            found.append((grey, faces))
    return found


@pytest.mark.parametrize("light", ["edges", "grey"])
@pytest.mark.parametrize("components", [COMPONENTS, 15, 40])
@pytest.mark.parametrize("gallery", [sample, yale])
def test_beside_the_detector(
    scenes: list[Scene],
    gallery: Callable[[], tuple[FaceSet, Eyes]],
    components: int,
    light: Light,
) -> None:
    """Of n faces that the detector finds in a photograph, how many are among the n nearest places.

    Only faces that a window is small enough for count.
    """
    faces, eyes = gallery()
    space = WindowSpace.fit(faces, eyes, light=light, components=components)
    total = first = more = reached = others = photos = best = 0
    for grey, found in scenes:
        large = [face for face in found if face.distance >= 0.9 * space.eyes.distance]
        places = scene_map(grey, space).nearest()
        ranks = [rank for rank in agreement(places, large) if rank is not None]
        total += len(large)
        first += sum(rank < len(large) for rank in ranks)
        more += sum(rank < 10 * len(large) for rank in ranks)
        reached += len(ranks)
        others += len(places) - len(set(ranks))
        photos += bool(large)
        best += 0 in ranks
    print(f"\n{gallery.__name__}, {light}, {components} components, limit {space.limit:.3f}:")
    print(f"  among the n nearest places {counted(first, total)}, among 10 n {more};")
    print(f"  up to the limit {reached}, with {others} other places in {len(scenes)} photographs;")
    print(f"  the nearest place is a face in {best} of {photos} photographs with one")
    assert first <= more <= reached <= total
