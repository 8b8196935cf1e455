"""Where the eyes are found, against an independent finder of 68 landmarks.

``EIGENFACES_SCENES=… EIGENFACES_YALE=… uv run --group dev --with face_recognition_models pytest
tests/benchmarks/test_landmarks.py -o addopts="" -s``

The faces are those that the program finds, none of them doubtful, whose eyes lie 20 pixels apart or
more; of the scenes, in photographs whose names do not say that mouths are masked.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from folders import different_photos, folder
from splits import counted

from eigenfaces import load_sample
from eigenfaces.faces.detect import align, detect_faces
from eigenfaces.faces.general_model import general_faces
from eigenfaces.photographs.decode import decode, read_bytes
from eigenfaces.space.arrays import Doubles, Floats

LEAST = 20
"""Pixels between the eyes of the faces measured."""

SETS = ("scenes", "yale", "AT&T")


@pytest.fixture(scope="module")
def landmarks() -> "Landmarks":
    package = find_spec("face_recognition_models")
    if package is None or not package.submodule_search_locations:
        pytest.skip("Run it “--with face_recognition_models”, which holds the landmark finder.")
    where = Path(package.submodule_search_locations[0], "models")
    return Landmarks(where / "shape_predictor_68_face_landmarks.dat")


class Landmarks:
    """dlib's finder of 68 landmarks (V. Kazemi and J. Sullivan, 2014), which we do not use."""

    def __init__(self, model: Path) -> None:
        import dlib

        self._rectangle, self._find = dlib.rectangle, dlib.shape_predictor(str(model))

    def eyes(self, grey: Floats, box: tuple[float, float, float]) -> Doubles:
        """Return the means of the six landmarks of each eye, left and right, (2, 2) as (x, y)."""
        left, top, size = box
        sides = (round(left), round(top), round(left + size), round(top + size))
        levels = np.rint(np.clip(grey, 0, 1) * 255).astype(np.uint8)
        parts = self._find(levels, self._rectangle(*sides)).parts()
        points = np.array([(part.x + 0.5, part.y + 0.5) for part in parts[36:48]])
        return points.reshape(2, 6, 2).mean(axis=1)


def pictures(name: str) -> Iterator[Floats]:
    if name == "AT&T":
        sample = load_sample()
        yield from (sample.image(row) for row in range(len(sample)))
        return
    for photo in different_photos(folder(name)):
        if "masked" not in photo.path.name:
            yield decode(read_bytes(photo.path)).grey


@pytest.mark.parametrize("name", SETS)
def test_eyes_lie_where_an_independent_finder_sees_them(name: str, landmarks: Landmarks) -> None:
    errors, beyond, where = [], [], 0
    known = general_faces()
    for grey in pictures(name):
        faces = [face for face in detect_faces(grey) if not face.doubtful]
        before = len(errors)
        for face in faces:
            theirs = landmarks.eyes(grey, face.box)
            apart = float(np.hypot(*(theirs[1] - theirs[0])))
            if apart < LEAST:
                continue
            eyes = align(grey, face.eyes, known.regressors)
            off = np.subtract((eyes.left, eyes.right), theirs)
            errors.append(float(np.hypot(*off.T).max()) / apart)
            beyond.append(known.distance_of(grey, eyes) > known.limit)
        where += len(errors) > before
    median, high = np.quantile(errors, (0.5, 0.95))
    print(f"\n{name}: {len(errors)} faces in {where} photographs; the worse eye, in eye distances:")
    print(f"  median {median:.3f}, 95th percentile {high:.3f};", end=" ")
    print(f"above 0.15: {counted(int((np.array(errors) > 0.15).sum()), len(errors))}")
    print(f"  beyond the limit of faces in general: {counted(sum(beyond), len(beyond))}")
    assert median <= 0.05
    assert high <= 0.11
    assert np.mean(np.array(errors) > 0.15) <= 0.02
