"""Sums over the face: spreading cells over pixels changes no sum, and keeps them in place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.faces import gabor, texture
from eigenfaces.recognition.sum_over_face import SumOverFace
from eigenfaces.recognition.texture_blocks import BLOCKS, block_maps

SIDES = st.integers(20, 130)


@given(SIDES, SIDES, st.integers(0, 2**32 - 1))
def test_blocks_add_up_at_any_size(height: int, width: int, seed: int) -> None:
    parts = np.random.default_rng(seed).normal(size=sum(BLOCKS))
    maps = block_maps(parts, (height, width))
    ends = np.cumsum([0, *BLOCKS])
    for each, start, stop in zip(maps, ends[:-1], ends[1:], strict=True):
        assert each.over.shape == (height, width)
        assert each.total == pytest.approx(parts[start:stop].sum(), abs=1e-9)
        assert sum(each.thirds) == pytest.approx(each.total, abs=1e-9)


def test_a_pattern_lies_in_its_cell_and_a_wave_at_its_place() -> None:
    shape, parts = (112, 92), np.zeros(sum(BLOCKS))
    parts[(2 * texture.CELLS + 5) * texture.BINS + 7] = 1
    parts[
        BLOCKS[0] + BLOCKS[1] + 3 * gabor.PLACES[0] * gabor.PLACES[1] + 4 * gabor.PLACES[1] + 6
    ] = 1
    patterns, _, waves = block_maps(parts, shape)
    rows, columns = np.arange(108) * 8 // 108, np.arange(88) * 8 // 88
    inside = np.zeros(shape, bool)
    inside[2:-2, 2:-2] = (rows[:, None] == 2) & (columns == 5)
    assert ((patterns.over > 0) == inside).all()
    middle = np.array(np.unravel_index(waves.over.argmax(), shape)) / 2  # pixels of 56 × 46
    assert np.abs(middle - [4 * gabor.EVERY, 6 * gabor.EVERY]).max() < gabor.EVERY / 2


def test_cells_of_patterns_are_those_that_are_counted() -> None:
    """A pixel changed in a crop changes the histogram of the cell it is said to be in."""
    for side in (60, 92, 112, 97):
        edges = texture.cell_edges(side)
        inner = side - 2 * texture.RADIUS
        counted = np.arange(inner) * texture.CELLS // inner
        said = np.searchsorted(edges, np.arange(inner) + texture.RADIUS, "right") - 1
        assert (said == counted).all()


def test_thirds_go_from_top_to_bottom() -> None:
    over = np.zeros((9, 4))
    over[0], over[8] = 1, 2
    assert SumOverFace("pixels", over).thirds == (4, 0, 8)
