"""Arrays mapped from temporary files: the same numbers, and only what is looked at takes memory."""

import sys
import weakref
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from eigenfaces.space.arrays import Floats, filed_rows
from eigenfaces.space.arrays.filed_rows import MAPPED, in_file

Disk = namedtuple("Disk", "free")


@pytest.fixture
def numbers(rng: np.random.Generator) -> Floats:
    return rng.standard_normal((MAPPED // 400 + 1, 100), np.float32)


def test_they_are_the_same_numbers_and_cannot_be_written_to(numbers: Floats) -> None:
    found = in_file(numbers)
    assert not found.flags.owndata
    assert not np.shares_memory(found, numbers)
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 0
    np.testing.assert_array_equal(found, numbers)
    assert in_file(found) is found


def test_what_is_small_or_a_part_of_another_stays_where_it_is(numbers: Floats) -> None:
    for array in (numbers[1:].copy(), numbers[1:]):
        assert in_file(array) is array


@pytest.mark.parametrize("full", [False, True])
def test_without_room_they_stay_in_memory(
    numbers: Floats, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    def refuse() -> None:
        raise OSError("no room")

    if full:
        free = 2 * numbers.nbytes - 1
        monkeypatch.setattr(filed_rows.shutil, "disk_usage", lambda _: Disk(free))
    else:
        monkeypatch.setattr(filed_rows, "temporary_file", refuse)
    assert in_file(numbers) is numbers


def test_a_file_is_gone_with_its_numbers(
    numbers: Floats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filed_rows, "folder_on_disk", lambda: str(tmp_path))
    found = in_file(numbers)
    mapped = weakref.ref(found.base.base)
    assert mapped() is not None
    del found
    assert mapped() is None
    assert [*tmp_path.iterdir()] == []


@pytest.mark.skipif(sys.platform != "linux", reason="it is the kernel of Linux that says it")
def test_they_take_memory_only_as_far_as_they_are_looked_at(
    numbers: Floats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filed_rows, "folder_on_disk", lambda: str(tmp_path))

    def resident() -> int:
        mapped = Path("/proc/self/smaps").read_text().partition(str(tmp_path))[2]
        return int(mapped.partition("\nRss:")[2].split()[0]) * 1024

    found = in_file(numbers)
    assert resident() == 0
    assert np.isfinite(found).all()
    assert resident() >= numbers.nbytes
