"""Who is on which photograph, and what has come since, by the command line."""

import os
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cli.command_line import answer, eigenfaces, failure, opened, printed
from eigenfaces.project.project import Project


def paths(text: str) -> list[Path]:
    return [Path(line) for line in text.splitlines()]


def test_the_photographs_of_a_person_are_found_newest_first(project: Path, people: Path) -> None:
    person = opened(project).people[0]
    found = paths(printed("find", project, person))
    assert len(found) == 5
    assert all(path.is_file() and path.is_relative_to(people) for path in found)
    other = opened(project).people[1]
    nobody = eigenfaces("find", project, person, other)
    assert (nobody.exit_code, nobody.stdout) == (3, "")


def test_of_two_people_those_on_which_both_are(project: Path) -> None:
    with closing(Project.open(project)) as file:
        first, *_ = file.gallery.index.photos
        second = next(p for p in file.gallery.index.photos if p.person != first.person)
        both = replace(second, photograph=first.photograph, number=2)
        faces = file.gallery.faces.with_photos({second.id: both})
        file.save(replace(file.gallery, faces=faces, training=None, calibration=None))
    said = printed("find", project, first.person, str(second.person).lower())
    assert paths(said) == [first.path]
    zero = eigenfaces("find", project, first.person, second.person, "-0").stdout_bytes
    assert zero == os.fsencode(first.path) + b"\0"


def test_who_is_not_there_is_said_with_names_that_are_near(project: Path) -> None:
    assert "“Person 1”" in failure("find", project, "Persn 1")
    assert "Nobody" in failure("find", project, "Somebody Quite Different")


def test_what_came_is_added_and_a_dry_run_changes_nothing(
    project: Path, people: Path, rng: np.random.Generator
) -> None:
    new = people / "Zora" / "1.png"
    new.parent.mkdir()
    picture = rng.integers(0, 255, (32, 24), np.uint8)
    Image.fromarray(picture).save(new)
    before = project.read_bytes()
    assert "1 new photo." in printed("update", project, "--dry-run")
    assert project.read_bytes() == before
    assert "1 new photo." in printed("update", project)
    assert "Zora" in opened(project).people
    assert "No new photos." in printed("update", project)


@pytest.mark.parametrize("away", [False, True])
def test_what_moved_is_found_and_what_is_away_is_left_alone(
    project: Path, people: Path, away: bool
) -> None:
    names = opened(project).people
    if away:
        people.rename(people.with_name("unplugged"))
        said = printed("update", project)
        assert "cannot be reached" in said
    else:
        place = people / "sorted"
        place.mkdir()
        shutil.move(people / "Person 1" / "1.png", place / "x.png")
        assert "1 photo was found in its new location." in printed("update", project)
        assert place / "x.png" in paths(printed("find", project, "Person 1"))
    assert opened(project).people == names


def test_a_collection_is_checked_and_nothing_is_changed(project: Path, people: Path) -> None:
    before = project.read_bytes()
    assert "0 things to review" in printed("check", project)
    home = people / "Person 1"
    with Image.open(home / "1.png") as image:
        image.point(lambda level: level + 3).save(home / "copy.png")
    assert project.read_bytes() == before
    printed("update", project)
    (found,) = answer("check", project)["findings"]
    assert (found["kind"], found["people"]) == ("same picture", ["Person 1"])
    assert {Path(path).name for path in found["photos"]} == {"1.png", "copy.png"}
    said = printed("check", project)
    assert f"1. {found['sentence']} {found['remedy']}" in said
    assert str(home / "copy.png") in said
