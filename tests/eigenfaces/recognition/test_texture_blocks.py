"""The blocks of texture: what each is made of, and that each face is described for itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import FaceSet
from eigenfaces.faces import texture
from eigenfaces.faces.prepare import tan_triggs
from eigenfaces.recognition.features import TextureFeatures, block_maps
from eigenfaces.recognition.lighting import even_light
from eigenfaces.space.arrays import Floats

BLOCKS = TextureFeatures.BLOCKS
texture_blocks = TextureFeatures().sides


@pytest.fixture(scope="module")
def faces(att: FaceSet) -> Floats:
    return att.pixels[::10].reshape(-1, *att.shape)


@pytest.mark.parametrize("side", [0, 1])
def test_each_block_is_of_its_picture(faces: Floats, side: int) -> None:
    grey, lit, waves = np.split(texture_blocks(faces)[side], np.cumsum(BLOCKS)[:-1], axis=1)
    faces = faces[:, :, :: 1 - 2 * side]
    levels = np.rint(faces * 255).astype(np.uint8)
    shown = np.rint((tan_triggs(faces) + 10) * 12.7).astype(np.uint8)
    np.testing.assert_allclose(grey, texture.texture(levels), atol=1e-7)
    # Sums over a mirror image are rounded in another order: a few levels are others.
    assert (np.abs(lit - texture.texture(shown)) > 1e-7).mean() <= side * 1e-4
    np.testing.assert_allclose(waves, texture.gabor(tan_triggs(faces)), atol=1e-6)


def test_tan_triggs_is_the_same_in_the_light_correction(faces: Floats) -> None:
    lit = tan_triggs(faces)
    assert -10 <= lit.min() < -3 < 3 < lit.max() <= 10
    np.testing.assert_allclose(even_light(faces, "Tan–Triggs"), 0.5 + lit / 20, atol=1e-6)


def test_faces_are_described_each_for_itself(faces: Floats) -> None:
    together = texture_blocks(faces)
    assert together.shape == (2, len(faces), sum(BLOCKS))
    assert together.dtype == np.float32
    np.testing.assert_allclose(together[:, 35:36], texture_blocks(faces[35:36]), atol=1e-6)
    assert texture_blocks(faces[:0]).shape == (2, 0, sum(BLOCKS))


def test_a_plain_picture_is_described_too() -> None:
    for grey in (0, 0.5, 1):
        assert np.isfinite(texture_blocks(np.full((1, 112, 92), grey, np.float32))).all()


SIDES = st.integers(20, 130)


@given(SIDES, SIDES, st.integers(0, 2**32 - 1))
def test_blocks_add_up_at_any_size(height: int, width: int, seed: int) -> None:
    parts = np.random.default_rng(seed).normal(size=sum(BLOCKS))
    maps = block_maps(parts, (height, width))
    ends = np.cumsum([0, *BLOCKS])
    for each, start, stop in zip(maps.values(), ends[:-1], ends[1:], strict=True):
        assert each.shape == (height, width)
        assert each.sum() == pytest.approx(parts[start:stop].sum(), abs=1e-9)


def test_a_pattern_lies_in_its_cell_and_a_wave_at_its_place() -> None:
    shape, parts = (112, 92), np.zeros(sum(BLOCKS))
    parts[(2 * texture.CELLS + 5) * texture.BINS + 7] = 1
    parts[
        BLOCKS[0]
        + BLOCKS[1]
        + 3 * texture.PLACES[0] * texture.PLACES[1]
        + 4 * texture.PLACES[1]
        + 6
    ] = 1
    patterns, _, waves = block_maps(parts, shape).values()
    rows, columns = np.arange(108) * 8 // 108, np.arange(88) * 8 // 88
    inside = np.zeros(shape, bool)
    inside[2:-2, 2:-2] = (rows[:, None] == 2) & (columns == 5)
    assert ((patterns > 0) == inside).all()
    middle = np.array(np.unravel_index(waves.argmax(), shape)) / 2  # pixels of 56 × 46
    assert np.abs(middle - [4 * texture.EVERY, 6 * texture.EVERY]).max() < texture.EVERY / 2


def test_cells_of_patterns_are_those_that_are_counted() -> None:
    """A pixel changed in a crop changes the histogram of the cell it is said to be in."""
    for side in (60, 92, 112, 97):
        edges = texture.cell_edges(side)
        inner = side - 2 * texture.RADIUS
        counted = np.arange(inner) * texture.CELLS // inner
        said = np.searchsorted(edges, np.arange(inner) + texture.RADIUS, "right") - 1
        assert (said == counted).all()
