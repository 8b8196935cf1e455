"""Files that never end, never begin or lead nowhere: each is a sentence, and none is waited for."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hostile import BAD, folder, loop, nowhere
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eigenfaces import EigenfacesError, Preparation, find_photos, load_faces
from eigenfaces.errors import PhotoError
from eigenfaces.evaluation.records import read_report
from eigenfaces.evaluation.split_files import read_list, read_pairs
from eigenfaces.photographs.decode import MOST_TEXT, is_regular, read_bytes, read_text, resolved
from eigenfaces.photographs.photos import person_from_name, read_eyes

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there"),
    pytest.mark.usefixtures("no_waiting"),
]


READERS: dict[str, Callable[[Path], object]] = {
    "manifest": find_photos,
    "eyes": read_eyes,
    "list": read_list,
    "pairs": read_pairs,
    "report": read_report,
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("kind", READERS)
def test_every_text_file_that_is_read(
    kind: str, bad: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "file.txt"
    bad(path)
    with pytest.raises(EigenfacesError, match=r"\.$"):
        READERS[kind](path)


@pytest.mark.parametrize("bad", BAD)
def test_a_photograph(bad: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "Ada").mkdir()
    Image.fromarray(np.eye(20, dtype=np.uint8) * 200).save(tmp_path / "Ada" / "good.png")
    bad(tmp_path / "Ada" / "bad.png")
    found = find_photos(tmp_path)
    faces = load_faces(found, Preparation(16, 16, already_cropped=True))
    assert [photo.path.name for photo in faces.index.photos] == ["good.png"]
    assert len(faces.skipped) == (bad is not folder)
    assert all(each.reason.endswith(".") for each in faces.skipped)


@pytest.mark.parametrize("bad", [each for each in BAD if each is not nowhere])
def test_eyes_that_are_found_beside_the_photographs(
    bad: Callable[[Path], None], tmp_path: Path
) -> None:
    Image.fromarray(np.eye(20, dtype=np.uint8)).save(tmp_path / "good.png")
    bad(tmp_path / "eyes.csv")
    if bad is loop:  # as good as not there
        assert len(find_photos(tmp_path).photos) == 1
        return
    with pytest.raises(EigenfacesError, match=r"eyes\.csv.* cannot be read: .*\.$"):
        find_photos(tmp_path)


def test_paths_that_are_none(tmp_path: Path) -> None:
    """A zero byte, a link to itself and a name that is too long, in a list and in its eyes."""
    Image.fromarray(np.eye(20, dtype=np.uint8)).save(tmp_path / "good.png")
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    names = ("good.png", "a\0b.png", "loop.png", "x" * 5000, "good.png/inside", "loop.png/in")
    (tmp_path / "list.csv").write_text("".join(f"{name};Ada\n" for name in names))
    heading = "file,left_x,left_y,right_x,right_y\n"
    lines = "".join(f"{name},5,5,9,5\n" for name in names)
    (tmp_path / "eyes.csv").write_text(heading + lines)
    found = find_photos(tmp_path / "list.csv")
    assert found.photos[0].placement is not None
    faces = load_faces(found, Preparation(16, 16, already_cropped=True))
    assert len(faces.skipped) == 5
    assert all(each.reason.endswith(".") for each in faces.skipped)


@pytest.mark.parametrize("name", ["a\0b", "loop", "x" * 5000, "loop/in"])
def test_no_path_is_too_odd_to_be_asked_about(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert resolved(tmp_path / name).is_absolute()
    assert not is_regular(tmp_path / name)
    with pytest.raises(PhotoError, match=r"\.$"):
        read_bytes(tmp_path / name)


def test_folders_deeper_than_calls_may_be_nested(tmp_path: Path) -> None:
    place = tmp_path / "Ada"
    place.mkdir()
    for _ in range(sys.getrecursionlimit() + 200):
        place = place / "d"
        place.mkdir()
    Image.fromarray(np.eye(20, dtype=np.uint8)).save(place / "a.png")
    (photo,) = find_photos(tmp_path).photos
    assert photo.person == "Ada"
    photo.path.unlink()
    while place != tmp_path:  # what clears up after tests calls itself for every folder
        place.rmdir()
        place = place.parent


def test_text_of_a_kernel_that_claims_to_be_empty(tmp_path: Path) -> None:
    assert read_text(Path("/proc/self/environ")) == ""
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MOST_TEXT + 1)
    with pytest.raises(EigenfacesError, match="too large: over 100 megabytes"):
        read_text(large)


class TestPatterns:
    @pytest.mark.parametrize(
        "pattern",
        [
            "{person}" + "*" * 900 + "x",
            "*" * 900 + "{person}" + "*" * 50 + "x",
            "{person}" + "*a" * 400 + "x",
            "*a" * 200 + "{person}" + "*a" * 200 + "x",
            "*a*b" * 100 + "{person}*?",
        ],
    )
    def test_none_takes_long_on_any_name(self, pattern: str) -> None:
        """A matcher that goes back would need longer than there is time for the first of them."""
        for name in ("a" * 255, "ab" * 127, "a" * 254 + "y", "a" * 254 + "x"):
            person_from_name(name, pattern)

    def test_one_that_is_no_pattern_is_refused(self) -> None:
        with pytest.raises(EigenfacesError, match=r"at most 1000\.$"):
            person_from_name("a", "{person}" + "*a" * 1000)

    @given(
        st.text("ab.", max_size=9),
        st.lists(st.sampled_from(["*", "**", "a", "b", ".", "ab"]), max_size=5),
        st.integers(0, 5),
    )
    def test_it_is_what_a_regular_expression_gives(
        self, name: str, parts: list[str], place: int
    ) -> None:
        """`{person}` takes as little as it can, `*` as much, the first of them first."""
        pattern = "".join([*parts[:place], "{person}", *parts[place:]])
        words = {"*": ".*", "**": ".*.*", ".": r"\."}
        regex = [words.get(part, part) for part in parts]
        found = re.fullmatch("".join([*regex[:place], "(.+?)", *regex[place:]]), name)
        assert person_from_name(name, pattern) == (found[1] if found else None)
