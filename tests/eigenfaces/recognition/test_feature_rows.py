"""Features of many crops: made again, in memory, or in a temporary file."""

import gc
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from eigenfaces.recognition import feature_rows
from eigenfaces.recognition.feature_rows import Described, made_once
from eigenfaces.space.arrays import Floats
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.arrays.filed_rows import Filed

FACES = np.random.default_rng(0).random((150, 7), np.float32)


def squares(faces: Floats) -> Floats:
    return np.concatenate([faces, faces**2], axis=1)


def described() -> Described:
    return Described(Crops(FACES), squares)


@pytest.mark.parametrize("kept", [described, lambda: described().filed()])
def test_rows_are_read_in_any_order(kept: object) -> None:
    assert callable(kept)
    crops = Crops(kept())
    assert crops.shape == (150, 14)
    rows = np.array([149, 3, 3, 70, 0])
    assert np.array_equal(crops[rows], squares(FACES[rows]))
    assert np.array_equal(crops[:], squares(FACES))
    assert np.array_equal(crops.select(rows).select([1, 4])[:], squares(FACES[[3, 0]]))
    assert np.array_equal(crops[5:100, 3:9], squares(FACES)[5:100, 3:9])
    assert crops.select([])[:].shape == (0, 14)


def test_a_file_is_read_from_several_threads() -> None:
    crops, order = Crops(described().filed()), np.random.default_rng(1).permutation(150)
    with ThreadPoolExecutor(4) as threads:
        read = [*threads.map(lambda row: crops[int(row)], order.tolist() * 20)]
    assert np.array_equal(read, np.tile(squares(FACES[order]), (20, 1)))


def test_what_is_appended_is_behind_what_was_read() -> None:
    rows = described().filed()
    assert np.array_equal(rows.read(np.array([0])), squares(FACES[:1]))
    rows.file.append(squares(FACES[:2]))
    assert np.array_equal(rows.file.read(np.array([1, 150, 151])), squares(FACES[[1, 0, 1]]))


def test_a_file_is_gone_once_nobody_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rows = described().filed()
    some, file = rows.select(np.array([1])), rows.file._file
    del rows
    gc.collect()
    assert not file.closed
    assert np.array_equal(some.read(np.array([0])), squares(FACES[[1]]))
    del some
    gc.collect()
    assert file.closed
    assert not [*tmp_path.iterdir()]


def test_few_are_in_memory_and_many_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(described().kept(), np.ndarray)
    monkeypatch.setattr(feature_rows, "IN_MEMORY", 150 * 14 * 4 - 1)
    assert isinstance(described().kept(), Filed)


def test_without_room_for_a_file_they_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError("No space left on device")

    monkeypatch.setattr(feature_rows, "IN_MEMORY", 0)
    monkeypatch.setattr(feature_rows.RowsFile, "append", full)
    kept = described().kept()
    assert isinstance(kept, Described)
    assert np.array_equal(Crops(kept)[:], squares(FACES))


def test_what_is_read_many_times_is_made_once() -> None:
    again, filed = Crops(described()), Crops(described().filed())
    assert np.array_equal(made_once(again).source, squares(FACES))
    assert made_once(filed) is filed


def test_making_them_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def tick(done: float, _: float) -> None:
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr(feature_rows, "IN_MEMORY", 0)
    with pytest.raises(KeyboardInterrupt):
        described().kept(tick)


def test_what_a_file_does_not_hold_is_not_invented() -> None:
    rows = described().filed()
    rows.file._file.truncate(10 * 14 * 4 + 3)
    assert np.array_equal(rows.read(np.arange(10)), squares(FACES[:10]))
    with pytest.raises(OSError, match="too early"):
        rows.read(np.array([10]))
