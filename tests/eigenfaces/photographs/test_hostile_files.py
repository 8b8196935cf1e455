"""Files that never end, never begin or lead nowhere: each is a sentence, and none is waited for."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from eigenfaces import EigenfacesError, Preparation, Project, find_photos, load_faces
from eigenfaces.errors import PhotoError
from eigenfaces.evaluation.protocols import read_list, read_pairs
from eigenfaces.evaluation.records import read_report
from eigenfaces.files import is_regular, resolved
from eigenfaces.photographs.decode import read_bytes
from eigenfaces.photographs.placement import read_eyes
from tests.picture_files import picture

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there"),
    pytest.mark.usefixtures("no_waiting"),
]

CROPPED = Preparation(16, 16, already_cropped=True)
BAD: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "a loop": lambda path: path.symlink_to(path),
    "leads nowhere": lambda path: path.symlink_to(path.with_name("nowhere")),
    "huge": lambda path: (path.touch(), os.truncate(path, 5_000_000_000)),  # it takes no room
    "a folder": Path.mkdir,
    "no text": lambda path: path.write_bytes(bytes(range(128, 256))),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    "read", [find_photos, read_eyes, read_list, read_pairs, read_report, Project.open]
)
def test_every_file_that_is_read(read: Callable[[Path], object], bad: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    BAD[bad](path)
    with pytest.raises(EigenfacesError, match=r"\.$"):
        read(path)


@pytest.mark.parametrize("bad", BAD)
def test_a_photograph(bad: str, tmp_path: Path) -> None:
    picture(tmp_path / "Ada" / "good.png")
    BAD[bad](tmp_path / "Ada" / "bad.png")
    faces = load_faces(find_photos(tmp_path), CROPPED)
    assert [photo.path.name for photo in faces.index.photos] == ["good.png"]
    assert len(faces.skipped) == (bad != "a folder")
    assert all(file.reason.endswith(".") for file in faces.skipped)


ODD = ("a\0b.png", "loop.png", "x" * 5000, "good.png/inside", "loop.png/in")


def test_paths_that_are_none(tmp_path: Path) -> None:
    """A zero byte, a link to itself and a name that is too long, in a list and in its eyes."""
    picture(tmp_path / "good.png")
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    (tmp_path / "list.csv").write_text("".join(f"{name};Ada\n" for name in ("good.png", *ODD)))
    lines = "".join(f"{name},5,5,9,5\n" for name in ("good.png", *ODD))
    (tmp_path / "eyes.csv").write_text("file,left_x,left_y,right_x,right_y\n" + lines)
    found = find_photos(tmp_path / "list.csv")
    assert found.photos[0].placement is not None
    faces = load_faces(found, CROPPED)
    assert len(faces.skipped) == 5
    assert all(file.reason.endswith(".") for file in faces.skipped)
    for name in ODD:
        assert resolved(tmp_path / name).is_absolute()
        assert not is_regular(tmp_path / name)
        with pytest.raises(PhotoError, match=r"\.$"):
            read_bytes(tmp_path / name)
