"""``calibrate``: what was promised, and what held."""

import json
import shutil
from pathlib import Path

import pytest

from cli.command_line import CROPPED, eigenfaces, failure, opened


@pytest.fixture
def new(people: Path) -> Path:
    """A photograph of Person 1 that is not enrolled."""
    return people.parent / "new.png"


@pytest.fixture
def project(people: Path, new: Path, tmp_path: Path) -> Path:
    shutil.move(people / "Person 1" / "5.png", new)
    file = tmp_path / "people.eigenfaces"
    assert eigenfaces("build", people, "-o", file, *CROPPED).exit_code == 0
    return file


def test_it_says_what_was_promised_and_what_held(project: Path) -> None:
    said = eigenfaces("calibrate", project)
    assert said.exit_code == 0
    assert "19 photographs of 4 people, each held out, by the recipe Eigenfaces." in said.stdout
    assert "At most 1 % of strangers; with 4 people no less than " in said.stdout
    assert [line.split()[0] for line in said.stdout.splitlines() if " %  " in line] == [
        *("0.1", "1", "2", "5", "10")
    ]
    assert "these words are rough" in said.stdout
    assert "of its contrast over: 19 of 19 enrolled ones do." in said.stdout


def test_in_json_with_another_share(project: Path) -> None:
    told = json.loads(eigenfaces("calibrate", project, "--strangers", "3%", "--json").stdout)
    assert (told["calibrated"], told["asked"], told["people"]) == (True, 0.03, 4)
    shares = [mark["asked"] for mark in told["marks"]]
    assert shares == [0.001, 0.01, 0.02, 0.03, 0.05, 0.1]
    limits = [mark["limit"] for mark in told["marks"]]
    assert limits == sorted(limits)
    assert [word["word"] for word in told["words"]] == ["sure", "likely", "ask"]
    assert told["named_rightly"]["of"] == 19
    kept = opened(project)
    assert (kept.share, kept.calibrated is not None) == (0.03, True)
    again = json.loads(eigenfaces("calibrate", project, "--json").stdout)
    assert again == told
    eigenfaces("recognise", project, project.parent / "new.png", "--strangers", "9%")
    assert opened(project).share == 0.03  # only calibrate keeps it


def test_too_few_people(people: Path, tmp_path: Path) -> None:
    for name in ("Person 3", "[bold]Ångström, “=1+1”"):
        shutil.rmtree(people / name)
    file = tmp_path / "two.eigenfaces"
    eigenfaces("build", people, "-o", file, *CROPPED)
    said = eigenfaces("calibrate", file)
    assert said.exit_code == 0
    assert "fewer than 3 people" in said.stdout
    told = json.loads(eigenfaces("calibrate", file, "--json").stdout)
    assert (told["calibrated"], told["marks"], told["words"]) == (False, [], [])


def test_nobody_enrolled(people: Path, tmp_path: Path) -> None:
    flat = tmp_path / "flat"
    flat.mkdir()
    for number, photo in enumerate(sorted(people.rglob("*.png"))):
        shutil.copy(photo, flat / f"{number}.png")
    file = tmp_path / "nobody.eigenfaces"
    eigenfaces("build", flat, "-o", file, *CROPPED)
    assert "Nobody is enrolled" in failure("calibrate", file)
