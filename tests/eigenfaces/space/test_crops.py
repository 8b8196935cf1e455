"""Crops held as bytes and read as float32, in pieces."""

from hashlib import sha256

import numpy as np
import pytest

from eigenfaces.space.arrays import Floats
from eigenfaces.space.arrays import crops as module
from eigenfaces.space.arrays.crops import Crops, as_grey, as_levels, crop_hash

EVERY = np.arange(256, dtype=np.uint8)


@pytest.fixture
def levels(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 256, (7, 12), np.uint8)


def test_every_grey_level_is_the_float32_nearest_to_its_share() -> None:
    grey = as_grey(EVERY)
    assert grey.dtype == np.float32
    np.testing.assert_array_equal(grey, (EVERY / np.float64(255)).astype(np.float32))
    np.testing.assert_array_equal(as_levels(grey), EVERY)
    assert crop_hash(grey) == sha256(EVERY.tobytes()).hexdigest()


@pytest.mark.parametrize(
    "which",
    [3, slice(2, 5), [4, 0, 4], (slice(None), slice(2, 9)), ([1, 2], slice(3)), slice(None)],
)
def test_any_piece_is_read_as_from_the_whole(levels: np.ndarray, which: object) -> None:
    whole = levels / np.float32(255)
    for crops in (Crops(levels), Crops(whole)):
        piece = crops[which]  # type: ignore[index]
        assert piece.dtype == np.float32
        np.testing.assert_array_equal(piece, whole[which])  # type: ignore[index]
        assert (len(crops), crops.shape) == (7, (7, 12))


def test_levels_are_whole_whatever_is_held(levels: np.ndarray) -> None:
    for crops in (Crops(levels), Crops(levels / np.float32(255))):
        np.testing.assert_array_equal(crops.levels, levels.astype(np.float64))


def test_nothing_can_be_written_to(levels: np.ndarray) -> None:
    crops = Crops(levels)
    crops[2][:] = 0  # a piece is its own array
    assert crops[2].any()
    with pytest.raises(ValueError, match="read-only"):
        crops.held[2] = 0


def test_a_view_has_the_rows_and_copies_none(levels: np.ndarray) -> None:
    rows, there = [4, 0, 4], np.array([2, 1])
    for crops in (Crops(levels), Crops(levels / np.float32(255)), Crops(levels).view(range(7))):
        view = crops.view(rows)
        assert view.shape == (3, 12)
        (held,) = view.in_memory
        assert held is crops.in_memory[0]
        np.testing.assert_array_equal(view[:], crops.select(rows)[:])
        np.testing.assert_array_equal(view.view(there)[:], crops.select([4, 0])[:])


def test_rows_are_turned_some_at_a_time(
    levels: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 3)
    seen: list[int] = []

    def halved(rows: Floats) -> Floats:
        seen.append(len(rows))
        return rows[:, :5] / 2

    crops = Crops(levels)
    np.testing.assert_array_equal(crops.each(halved, at_once=3), crops[:, :5] / 2)
    assert max(seen) == 3
    np.testing.assert_array_equal(np.concatenate([*crops.blocks()]), crops[:])
    assert crops.select([]).each(halved).shape == (0, 5)


def test_joining_replaces_and_appends(levels: np.ndarray) -> None:
    joined = Crops(levels[:3]).join(Crops(levels[3:]), [2, 0], {1: 3})
    np.testing.assert_array_equal(joined.held, levels[[0, 6, 2, 5, 3]])
    with pytest.raises(ValueError, match="cannot be mixed"):
        Crops(levels).join(Crops(levels / np.float32(255)), [0], {})


def test_faces_are_joined_as_often_as_one_likes(levels: np.ndarray) -> None:
    joined = Crops(levels)
    for row in range(1000):
        joined = joined.join(Crops(levels[[row % 7]]), [0], {row: 0} if row % 3 == 0 else {})
    expected = [*range(7)]
    for row in range(1000):
        expected.append(row % 7)
        if row % 3 == 0:
            expected[row] = row % 7
    np.testing.assert_array_equal(joined[-50:], as_grey(levels[expected])[-50:])
    np.testing.assert_array_equal(joined.held, levels[expected])


def test_only_computed_faces_can_hold_what_is_no_number(levels: np.ndarray) -> None:
    assert Crops(levels).are_finite()
    computed = levels / np.float32(255)
    computed[2, 3] = np.inf
    assert not Crops(computed).are_finite()
