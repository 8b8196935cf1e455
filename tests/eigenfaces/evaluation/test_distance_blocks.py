"""Distances in blocks tell what a table of all of them tells, in memory and on disk."""

import errno
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from eigenfaces.evaluation import distance_blocks
from eigenfaces.evaluation.distance_blocks import Block, BlocksFile, DistanceBlocks, OnDisk
from eigenfaces.space.arrays import filed_rows

PEOPLE = 7


def drawn(rng: np.random.Generator, m: int, enrolled: int) -> DistanceBlocks:
    """Return m searches among some people; some are not enrolled in every search."""
    people = np.sort(rng.choice(PEOPLE, enrolled, replace=False)).astype(np.int32)
    distances = rng.random((m, enrolled))
    distances[rng.random(distances.shape) < 0.2] = np.inf
    return DistanceBlocks((Block(people, distances),), PEOPLE)


def table(blocks: DistanceBlocks) -> NDArray[np.float64]:
    """Write the distances to everybody down, by the plainest rule."""
    whole = np.full((len(blocks), PEOPLE), np.inf)
    line = 0
    for block in blocks.blocks:
        for distances in block.distances:
            for person, distance in zip(block.people, distances, strict=True):
                whole[line, person] = distance
            line += 1
    return whole


@pytest.fixture(autouse=True)
def every_block_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distance_blocks, "_FILED", 1)


@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_they_tell_what_a_table_tells(seed: int, filed: bool, halfway: bool) -> None:
    rng, file = np.random.default_rng(seed), BlocksFile()
    shapes = rng.integers(0, (5, PEOPLE + 1), (int(rng.integers(1, 6)), 2)).tolist()
    parts = [drawn(rng, *shape) for shape in shapes]
    whole = np.concatenate([table(part) for part in parts])
    if halfway:
        parts = [part.filed(file) if rng.random() < 0.5 else part for part in parts]
    blocks = DistanceBlocks.joined(parts)
    if filed:
        blocks = blocks.filed(file)
        assert all(isinstance(each.kept, OnDisk) for each in blocks.blocks if each.distances.size)
    assert len(blocks) == len(whole)
    np.testing.assert_array_equal(np.reshape([*blocks.rows()], whole.shape), whole)
    asked = rng.integers(0, PEOPLE, len(whole))
    np.testing.assert_array_equal(blocks.to(asked), whole[np.arange(len(whole)), asked])
    np.testing.assert_array_equal(blocks.enrolled, np.isfinite(whole).sum(axis=1))
    for number, line in enumerate(whole):
        np.testing.assert_array_equal(blocks.row(number), line)


def test_those_among_the_same_people_become_one(rng: np.random.Generator) -> None:
    same = drawn(rng, 3, 4)
    others = [DistanceBlocks(same.blocks, PEOPLE), drawn(rng, 2, 5), drawn(rng, 0, 5)]
    assert len(DistanceBlocks.joined([same, *others]).blocks[0]) == 6


def test_the_file_is_gone_with_the_last_block(
    rng: np.random.Generator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filed_rows, "folder_on_disk", lambda: str(tmp_path))
    blocks, file = drawn(rng, 4, 3), BlocksFile()
    kept, opened = blocks.filed(file), file._file
    assert kept.filed(BlocksFile()).blocks == kept.blocks  # it is there already
    np.testing.assert_array_equal([*kept.rows()], [*blocks.rows()])
    del file
    assert not opened.closed
    del kept
    assert opened.closed
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("known", [True, False])
def test_without_room_on_disk_they_stay_in_memory(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if known:
        monkeypatch.setattr(distance_blocks, "has_room", lambda _: False)
    else:
        monkeypatch.setattr(BlocksFile, "put", full)
    blocks = drawn(rng, 4, 3)
    assert blocks.filed(BlocksFile()).blocks == blocks.blocks
