"""Texture: what it does not see, against scikit-image, and that it tells people apart."""

import numpy as np
import pytest
from skimage.feature import local_binary_pattern

from eigenfaces import FaceSet
from eigenfaces.faces.texture import BINS, CELLS, RADIUS, TEXTURE_LENGTH, patterns, texture
from eigenfaces.space.arrays import Bytes


@pytest.fixture(scope="module")
def faces(att: FaceSet) -> Bytes:
    levels = att.pixels.levels[:100].astype(np.uint8)
    return levels.reshape(-1, *att.shape)


def test_each_pattern_is_one_of_an_independent_implementation(faces: Bytes) -> None:
    """Up to its number, and where a neighbour lies within rounding of the pixel."""
    inside = slice(RADIUS, -RADIUS)
    ours = patterns(faces[:5])
    theirs = [local_binary_pattern(f, 8, RADIUS, "nri_uniform")[inside, inside] for f in faces[:5]]
    table = np.zeros((BINS, BINS), int)
    np.add.at(table, (ours, np.array(theirs, int)), 1)
    assert table.max(axis=1).sum() > 0.995 * table.sum()
    assert len(set(table.argmax(axis=1))) == BINS


def test_a_cell_counts_its_own_patterns(faces: Bytes) -> None:
    whole = texture(faces[:1]).reshape(CELLS, CELLS, BINS)
    other = faces[:1].copy()
    other[:, :50] = 128
    changed = texture(other).reshape(CELLS, CELLS, BINS)
    assert np.array_equal(whole[4:], changed[4:])
    assert not np.allclose(whole[:3], changed[:3])
    counts = (whole**2).sum(axis=2)
    assert counts == pytest.approx(np.full((CELLS, CELLS), 1 / CELLS**2), rel=0.2)


def test_faces_are_described_each_for_itself(faces: Bytes) -> None:
    together = texture(faces)
    assert together.shape == (len(faces), TEXTURE_LENGTH)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(faces)), abs=1e-5)
    assert np.array_equal(together[37:38], texture(faces[37:38]))
    assert texture(faces[:0]).shape == (0, TEXTURE_LENGTH)


def test_light_does_not_matter_and_people_do(faces: Bytes) -> None:
    dimmed = texture(faces // 2)
    assert ((dimmed * texture(faces // 2 + 60)).sum(axis=1) > 0.9999).all()
    described = texture(faces) - texture(faces).mean(axis=0)
    described /= np.linalg.norm(described, axis=1, keepdims=True)
    cosines = described @ described.T
    people = np.arange(100) // 10
    same = people[:, None] == people
    assert cosines[same].mean() > 0.2 > 0 > cosines[~same].mean()
    np.fill_diagonal(cosines, -1)
    assert (people[cosines.argmax(axis=1)] == people).mean() > 0.97


@pytest.mark.parametrize("size", [(16, 16), (31, 57)])
def test_any_size_of_face_is_described(size: tuple[int, int]) -> None:
    levels = np.random.default_rng(1).integers(0, 256, (2, *size), np.uint8)
    assert np.isfinite(texture(levels)).all()


def test_a_plain_picture_is_described_too() -> None:
    assert np.isfinite(texture(np.full((1, 112, 92), 7, np.uint8))).all()
