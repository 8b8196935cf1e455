"""A file that states where the eyes are: read, or refused by a sentence that names the line."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import EigenfacesError, find_photos
from eigenfaces.photographs.photos import Eyes, Placement, photos_of, read_eyes


def save(path: Path, seed: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    levels = np.random.default_rng(seed).integers(0, 256, (20, 20), np.uint8)
    Image.fromarray(levels).save(path, "PNG")
    return path


HEADING = "file,left_x,left_y,right_x,right_y"


def write(folder: Path, *lines: str, name: str = "eyes.csv") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_paths_start_at_the_file(tmp_path: Path) -> None:
    away = tmp_path / "away" / "ü, b.png"
    lines = ("Ada/a.png,10,20.5,30,21", f'"{away}",-1,2,3,4e1', "../up.png,1,1,9,1")
    eyes = read_eyes(write(tmp_path / "in", HEADING, *lines))
    assert eyes == {
        tmp_path / "in" / "Ada" / "a.png": Eyes((10, 20.5), (30, 21)),
        away: Eyes((-1, 2), (3, 40)),
        tmp_path / "up.png": Eyes((1, 1), (9, 1)),
    }


def test_other_separators_columns_and_orders(tmp_path: Path) -> None:
    lines = ("right_x;right_y;note;file;left_x;left_y", "3;4;hello;a.png;1;2")
    eyes = read_eyes(write(tmp_path, "\ufeff" + lines[0], lines[1], ""))
    assert list(eyes.values()) == [Eyes((1, 2), (3, 4))]
    assert read_eyes(write(tmp_path, HEADING)) == {}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("b.png,7,2,1,2", "wrong order"),
        *(
            (line, r"does not state two eyes.*pixels\.$")
            for line in (
                *("b.png,7,2,7,2", "b.png,nan,2,7,2", "b.png,1,2,3", "b.png,1,2,3,", "b.png"),
                *("b.png,1,2,3,four", ",,,,x"),
            )
        ),
        ("a.png,1,2,7,3", "states other eyes for “a.png” than a line before it"),
        ("in/../a.png,1,2,7,3", "states other eyes for “a.png” than a line before it"),
    ],
)
def test_eyes_that_cannot_be_meant_are_refused(tmp_path: Path, line: str, why: str) -> None:
    twice = ("a.png,1,2,7,2", "", "a.png,1.0,2,7,2")  # the same once more contradicts nothing
    with pytest.raises(EigenfacesError, match=rf"^Line 5 of .*eyes\.csv.*{why}"):
        read_eyes(write(tmp_path, HEADING, *twice, line))


def test_of_a_face_on_its_side_neither_eye_is_the_left_one(tmp_path: Path) -> None:
    eyes = read_eyes(write(tmp_path, HEADING, "a.png,7,2,7,9", "b.png,7,9,7,2"))
    assert [each.angle for each in eyes.values()] == [90, -90]


def test_eyes_of_other_photographs_are_said(tmp_path: Path) -> None:
    save(tmp_path / "Ada" / "a.png")
    lines = [f"Ada/{name}.png,1,2,7,2" for name in "abcdef"]
    file = write(tmp_path, HEADING, *lines)
    words = "Eyes are also stated for the photographs “b.png”, “c.png”, “d.png” and 2 more"
    for found in (
        find_photos(tmp_path),
        photos_of([tmp_path]),
        find_photos(tmp_path, eyes=file),
    ):
        assert found.remarks == f"{words}, not found here."
    write(tmp_path, HEADING, lines[0])
    assert find_photos(tmp_path).remarks == ""


@pytest.mark.parametrize("heading", ["file,left_x,left_y,right_x", "1,2,3,4,5", "path;x", "hello"])
def test_missing_columns_are_named(tmp_path: Path, heading: str) -> None:
    file = write(tmp_path, heading, "a.png,1,2,3,4")
    with pytest.raises(EigenfacesError, match="file, left_x, left_y, right_x, right_y"):
        read_eyes(file)


def test_a_given_file_about_other_photographs_is_refused(tmp_path: Path) -> None:
    """Else the faces would be searched for, and nobody would notice."""
    save(tmp_path / "in" / "Ada" / "a.png")
    file = write(tmp_path, HEADING, "Ada/a.png,1,2,7,2")
    with pytest.raises(EigenfacesError, match=r"none of these photographs.*own folder"):
        find_photos(tmp_path / "in", eyes=file)


def test_what_is_no_such_file(tmp_path: Path) -> None:
    for wrong, why in (
        (tmp_path / "nowhere.csv", "The file is not there"),
        (tmp_path, "This is a folder"),
        (save(tmp_path / "a.png"), "It is no table in CSV"),
    ):
        with pytest.raises(EigenfacesError, match=rf"cannot be read: {why}.*\.$"):
            read_eyes(wrong)


def test_the_eyes_beside_the_photographs_are_read(tmp_path: Path) -> None:
    save(tmp_path / "Ada" / "a.png")
    save(tmp_path / "Ada" / "b.png", 1)
    write(tmp_path, HEADING, "./Ada/../Ada/b.png,1,2,7,2", "gone.png,1,1,2,2")
    manifest = write(tmp_path, "Ada/a.png;Ada", "Ada/b.png;Ada", name="list.csv")
    for source in (tmp_path, manifest):
        first, second = find_photos(source).photos
        assert first.placement is None
        assert second.placement == Placement(Eyes((1, 2), (7, 2)), "from a file")
    (tmp_path / "link").symlink_to(tmp_path)
    other = write(tmp_path, HEADING, "link/Ada/a.png,3,3,9,3", name="other.csv")
    first, second = find_photos(tmp_path, eyes=other).photos
    assert first.placement == Placement(Eyes((3, 3), (9, 3)), "from a file")
    assert second.placement is None
