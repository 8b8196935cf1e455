"""What was chosen to be imported: what it holds, who is on it, and how faces might be cut."""

import os
from pathlib import Path

import pytest

from eigenfaces import Preparation, find_photos
from eigenfaces.errors import no_tick
from eigenfaces.importing.scan import named_as, people_found, scan
from eigenfaces.photographs.photos import FoundPhotos, Photo
from tests.picture_files import picture, two_people


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return two_people(tmp_path / "faces")


def test_equal_small_photos_keep_their_size(folder: Path) -> None:
    assert scan(folder, no_tick).suggested == Preparation(24, 20, already_cropped=True)
    picture(folder / "Ada" / "other.png", 50, (30, 24))
    assert scan(folder, no_tick).suggested == Preparation()


def test_in_large_photos_a_face_is_searched_for(tmp_path: Path) -> None:
    for seed in range(2):
        picture(tmp_path / "large" / "Ada" / f"{seed}.png", seed, (640, 480))
    looked = scan(tmp_path / "large", no_tick)
    assert looked.suggested == Preparation(112, 92)


def test_a_file_that_is_listed_twice_is_found_once(folder: Path) -> None:
    twice = folder / "Ada" / "0.png"
    looked = scan([twice, folder / "Ada"], no_tick)
    assert len(looked.found.photos) == 3
    assert [(file.path, file.reason) for file in looked.found.skipped] == [
        (twice, "It is listed twice.")
    ]


def test_one_name_for_all_whom_nothing_else_names(folder: Path) -> None:
    picture(folder / "loose.png", 30)
    found = named_as(find_photos(folder), " Eve ")
    assert people_found(found) == [("Ada", 3), ("Grace", 3), ("Eve", 1)]
    nobody = FoundPhotos((Photo(Path("0.png")), *found.photos, Photo(Path("1.png"))))
    assert people_found(nobody)[-1] == (None, 2), "nobody comes last"


@pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there")
def test_pipes_and_links_that_lead_nowhere_are_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "Ada" / "pipe.png")
    (folder / "Ada" / "endless.png").symlink_to("/dev/zero")
    (folder / "Ada" / "loop.png").symlink_to(folder / "Ada" / "loop.png")
    found = scan(folder, no_tick)
    assert len(found.found.photos) == 6 + 3  # reading them says why not
    assert found.suggested.shape == (24, 20)
