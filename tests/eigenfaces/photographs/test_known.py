"""What is known of files: whether they changed, and when a photograph was taken."""

import os
from pathlib import Path

import pytest
from PIL import Image

from eigenfaces.photographs.known import KnownFile, known_files, with_files


def picture(path: Path, taken: object = None, orientation: int = 1) -> Path:
    exif = Image.Exif()
    exif[0x0112] = orientation
    if taken is not None:
        exif.get_ifd(0x8769)[0x9003] = taken
    Image.new("RGB", (30, 20), "red").save(path, exif=exif)
    return path


def known(path: Path) -> KnownFile:
    file = KnownFile.read(path)
    assert file is not None
    return file


@pytest.mark.parametrize("ending", ["jpg", "png", "webp"])
def test_the_day_is_that_of_the_camera(tmp_path: Path, ending: str) -> None:
    path = picture(tmp_path / f"a.{ending}", "2024:06:15 16:42:07")
    assert known(path).taken == "2024-06-15T16:42:07"


@pytest.mark.parametrize("taken", [None, "0000:00:00 00:00:00", "    :  :     :  :  ", "yesterday"])
def test_else_it_is_that_of_the_file(tmp_path: Path, taken: object) -> None:
    path = picture(tmp_path / "a.jpg", taken)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert known(path).taken[:7] == "2023-11"


def test_a_photograph_has_its_shape_as_it_is_shown(tmp_path: Path) -> None:
    assert known(picture(tmp_path / "a.jpg")).shape == (20, 30)
    assert known(picture(tmp_path / "b.jpg", orientation=6)).shape == (30, 20)


def test_a_file_that_is_none_is_known_and_has_no_shape(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"no picture")
    assert (known(path).shape, known(path).size) == ((0, 0), 10)
    assert KnownFile.read(tmp_path / "b.jpg") is None


def test_it_is_unchanged_by_its_size_and_time(tmp_path: Path) -> None:
    path = picture(tmp_path / "a.jpg")
    file, state = known(path), path.stat()
    assert file.is_unchanged(state.st_size, state.st_mtime_ns)
    assert not file.is_unchanged(state.st_size + 1, state.st_mtime_ns)
    assert not file.is_unchanged(state.st_size, state.st_mtime_ns + 1)


def test_what_is_looked_at_again_takes_its_place_and_stays_a_favourite(tmp_path: Path) -> None:
    paths = [picture(tmp_path / f"{name}.jpg") for name in "abc"]
    first, second, third = known_files([*paths, paths[0]], {})
    liked = KnownFile(first.path, "old", 1, 1, favourite=True)
    files = with_files((liked, second), [first, second, third])
    assert [file.path.name for file in files] == ["a.jpg", "b.jpg", "c.jpg"]
    assert files[0].favourite
    assert files[0].sha == first.sha
    assert files[1] is second
