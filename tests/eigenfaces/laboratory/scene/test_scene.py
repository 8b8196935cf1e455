"""A photograph as map and detector see it: agreement, words, and the table."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eigenfaces import EigenfacesError, Gallery, Preparation
from eigenfaces.arrays import Floats
from eigenfaces.errors import PhotoError
from eigenfaces.faces.alignment import crop_at
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.laboratory.scene.scene import (
    Scene,
    facts,
    scene_of,
    scene_table,
    summary,
    why,
    window_space,
)
from eigenfaces.photographs.placement import Eyes
from tests.eigenfaces import astronaut
from tests.synthetic import small_gallery

SHAPE = (56, 46)


def like_her(rng: np.random.Generator, count: int) -> Floats:
    """Return the astronaut's face, cut a little otherwise each time, on one half mirrored."""
    grey, eyes = astronaut.grey(), astronaut.EYES
    crops = []
    for number in range(count):
        across = eyes.across * complex(rng.normal(1, 0.04), rng.normal(0, 0.05))
        middle = eyes.middle + eyes.distance * complex(*rng.normal(0, 0.04, 2))
        crop = crop_at(grey, Eyes.at(middle, across), SHAPE)
        crops.append(crop[:, ::-1] if number % 2 else crop)
    return np.clip(np.stack(crops) + rng.normal(0, 0.02, (count, *SHAPE)), 0, 1).astype(np.float32)


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    images = like_her(np.random.default_rng(0), 24)
    faces = FaceSet.from_arrays(images, [f"Person {number // 4}" for number in range(24)])
    return Gallery.new(Preparation(*SHAPE)).enrol(faces)


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scene") / "astronaut.png"
    path.write_bytes(astronaut.encoded(astronaut.PICTURE, "PNG"))
    return path


@pytest.fixture(scope="module")
def scene(gallery: Gallery, photograph: Path) -> Scene:
    return scene_of(photograph, 0, window_space(gallery, "edges"))


def test_map_and_detector_agree_on_a_face_that_the_gallery_knows(scene: Scene) -> None:
    assert len(scene.faces) == 1
    assert scene.agreed == (0,)
    assert astronaut.off(scene.nearest[0].eyes) < 0.35
    assert scene.is_found(scene.nearest[0])
    other = scene.map.at(400 + 400j, 0)
    assert other is not None
    assert not scene.is_found(other)
    assert "finds 1 face; 1 of them is among the" in summary(scene)
    others = len(scene.nearest) - 1
    assert (f" {others} other place" if others else " No other place is as near") in summary(scene)
    assert why(scene, scene.nearest[0]).endswith("the detector finds a face here, too.")


def test_turning_the_photograph_turns_the_map(gallery: Gallery, tmp_path: Path) -> None:
    path = tmp_path / "lying.png"
    path.write_bytes(astronaut.encoded(astronaut.PICTURE.rotate(90, expand=True), "PNG"))
    upright = scene_of(path, 1, window_space(gallery, "edges"))
    assert astronaut.off(upright.nearest[0].eyes) < 0.35


def test_the_reason_fits_the_window(scene: Scene) -> None:
    space = scene.map.space
    near = scene.nearest[0]
    far = replace(near, distance=space.limit + 0.01, middle=near.middle + 200)
    assert why(scene, far).startswith("Unlike a face")
    elsewhere = replace(near, eyes=near.eyes.scaled(2))
    assert "The detector finds none here" in why(scene, elsewhere)
    flat = replace(near, distance=float("nan"), contrast=0.001)
    assert why(scene, flat).startswith("Flat: its contrast of 0.3 grey levels")
    assert dict(facts(scene, flat))["Distance from face space"] == "no contrast"
    assert why(scene, None).startswith("Too near the border")


def test_without_a_detected_face_the_summary_says_so(scene: Scene) -> None:
    alone = replace(scene, faces=(), agreed=())
    assert summary(alone).startswith("The detector finds no face.")
    assert len(alone.marked) == min(5, len(alone.nearest))
    nothing = replace(alone, nearest=())
    assert "No other place is as near" in summary(nothing)


def test_the_table_has_a_line_for_each_place(scene: Scene) -> None:
    rows = list(csv.DictReader(io.StringIO(scene_table(scene))))
    assert len(rows) == len(scene.nearest)
    assert [row["detector"] for row in rows] == ["face"] + [""] * (len(rows) - 1)
    first = scene.nearest[0]
    assert float(rows[0]["x"]) == pytest.approx(first.middle.real, abs=0.06)
    assert float(rows[0]["distance"]) == pytest.approx(first.distance, abs=1e-4)


def test_excluded_faces_are_no_part_of_the_space(gallery: Gallery) -> None:
    keys = [photo.key for photo in gallery.index.photos[4:]]
    few = window_space(gallery.exclude(keys), "edges")
    assert (
        len(few) < len(window_space(gallery, "edges"))
        or few.limit != window_space(gallery, "edges").limit
    )
    assert len(few) <= 3


def test_eyes_of_aligned_crops_lie_at_their_standard_place(gallery: Gallery) -> None:
    space = window_space(gallery, "grey")
    wanted = gallery.preparation.aligned_eyes.scaled(space.shape[0] / SHAPE[0])
    assert space.eyes == wanted


def test_crops_that_are_no_faces_still_have_a_map() -> None:
    """Where the eyes of ready crops lie cannot be measured: they are taken to be aligned."""
    gallery = small_gallery()
    space = window_space(gallery, "grey")
    assert space.eyes == gallery.preparation.aligned_eyes.scaled(1.0)


def test_a_file_that_is_gone_or_too_small_is_a_sentence(gallery: Gallery, tmp_path: Path) -> None:
    space = window_space(gallery, "edges")
    with pytest.raises(PhotoError):
        scene_of(tmp_path / "gone.png", 0, space)
    path = tmp_path / "small.png"
    path.write_bytes(astronaut.encoded(astronaut.PICTURE.resize((20, 20)), "PNG"))
    with pytest.raises(EigenfacesError, match="smaller than the 23 × 28 pixels"):
        scene_of(path, 0, space)
