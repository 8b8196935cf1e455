"""``build``, ``info``, ``train``: what they say and make, what fails in a sentence."""

import contextlib
import csv
import json
import os
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from synthetic import people as made_people

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces.cli import app
from eigenfaces.cli.options import SETTINGS, RecipeOptions
from eigenfaces.cli.sources import unused_text
from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.photos import Skipped
from eigenfaces.project.project import Project
from eigenfaces.recognition.recipe import Recipe


def test_help_tells_the_exit_codes_and_lists_the_commands_as_they_are_wanted() -> None:
    assert eigenfaces().exit_code == 2
    said = eigenfaces("--help").stdout
    for each in ("eigenfaces build people/", "no authentication", "4: ", "130", "half-written"):
        assert each in " ".join(said.split())
    listed = re.findall(r"^│ (\w+)  +[A-Z]", said.partition("A project")[2], re.MULTILINE)
    assert len(listed) == len(app.registered_commands)
    assert listed[:2] == ["build", "info"]
    wanted = ["build", "recognise", "evaluate", "repeat", "components"]
    assert [name for name in listed if name in wanted] == wanted
    for command in listed:
        assert eigenfaces(command, "--help").exit_code == 0


@pytest.mark.parametrize("recipe", ["fisherfaces", "texture"])
def test_what_people_differ_in_needs_seven_and_nothing_is_lost(
    project: Path, people: Path, tmp_path: Path, recipe: str
) -> None:
    before, there = project.read_bytes(), sorted(tmp_path.iterdir())
    for command in (
        ("build", people, "-o", tmp_path / "other.eigenfaces", *CROPPED),
        ("build", people, "-o", project, "--overwrite", *CROPPED),
        ("evaluate", people, *CROPPED, "-o", tmp_path / "report.html"),
    ):
        said = " ".join(failure(*command, "--recipe", recipe).split())
        assert "from 7 people or more, and there are 4" in said
        assert project.read_bytes() == before
        assert sorted(tmp_path.iterdir()) == there


def test_every_skipped_photograph_is_listed_with_its_reason(people: Path, tmp_path: Path) -> None:
    file, listed = tmp_path / "p.eigenfaces", tmp_path / "unused.csv"
    (people / "Person 1" / "notes.png").write_text("no picture")
    (people / "Person 1" / "empty.png").touch()
    (people / "Person 2" / "again.png").write_bytes((people / "Person 2" / "1.png").read_bytes())
    said = ("build", people, "-o", file, *CROPPED)
    result = eigenfaces(*said)
    assert result.exit_code == 3
    assert "3 photographs were not used: 2 cannot be used, 1 duplicate." in result.stdout
    assert result.stdout.endswith("Add --unused FILE for a list of them all.\n")
    assert len(opened(file).faces) == 20
    built = eigenfaces(*said, "--overwrite", "--unused", listed)
    assert "“unused.csv” lists them all." in built.stdout.replace(f"{tmp_path}{os.sep}", "")
    lines = csv.DictReader(listed.read_text("utf-8").splitlines())
    rows = {Path(row["photo"]).name: row for row in lines}
    assert [(name, rows[name]["kind"]) for name in sorted(rows)] == [
        *(("again.png", "duplicate"), ("empty.png", "unreadable"), ("notes.png", "unreadable"))
    ]
    assert {(row["person"], row["person"] == "Person 2") for row in rows.values()} == {
        *(("Person 1", False), ("Person 2", True))
    }
    for name, row in rows.items():
        assert name in result.stdout
        assert row["reason"] in result.stdout


def test_a_second_build_replaces_nothing_unasked(people: Path, tmp_path: Path) -> None:
    file, listed = tmp_path / "p.eigenfaces", tmp_path / "diary.csv"
    listed.write_text("a diary")
    said = ("build", people, "-o", file, *CROPPED)
    refused = failure(*said, "--unused", listed)
    assert "diary.csv” exists already. Add --overwrite to replace it, or choose another" in refused
    assert not file.exists()
    assert eigenfaces(*said, "--unused", file).exit_code == 2
    assert eigenfaces(*said).exit_code == 0
    assert {each.name for each in tmp_path.iterdir()} == {people.name, file.name, listed.name}
    refused = failure(*said)
    assert "p.eigenfaces” exists already. Add --overwrite to replace it, or choose an" in refused
    (people / "Person 1" / "1.png").unlink()
    again = eigenfaces(*said, "--overwrite", "-k", 3)
    assert again.stdout.endswith(
        "p.eigenfaces: 19 photographs of 4 people, 18 components, the first 3 compared by L2.\n"
    )
    assert opened(file).calibrated is not None  # what distances mean is stored with it
    assert listed.read_text() == "a diary"


def test_what_is_not_used_is_told_where_all_else_fails(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be built; or the list of them cannot be written."""

    def full(*_: object) -> None:
        raise EigenfacesError("The disk is full.")

    (tmp_path / "only" / "Ada").mkdir(parents=True)
    (tmp_path / "only" / "Ada" / "empty.png").touch()
    said = ("-o", tmp_path / "p.eigenfaces", *CROPPED)
    refused = eigenfaces("build", tmp_path / "only", *said)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "The file is empty." in refused.stderr
    monkeypatch.setattr("eigenfaces.cli.building.write_table", full)
    (people / "Person 1" / "empty.png").touch()
    built = eigenfaces("build", people, *said, "--unused", tmp_path / "unused.csv")
    assert (built.exit_code, built.stderr.endswith("The disk is full.\n")) == (1, True)
    assert "The file is empty." in built.stderr


def test_a_thousand_unused_photographs_are_nine_lines() -> None:
    skipped = [Skipped(Path(f"{n}.jpg"), "None.", kind="no face") for n in range(1128)]
    skipped[7] = Skipped(Path("7.jpg"), "It is empty.")
    text = unused_text(skipped, "All are in a file.")
    assert text.startswith(
        "1,128 photographs were not used: 1,127 no face found, 1 cannot be used."
    )
    assert len(text.splitlines()) == 9
    assert "and 1,123 more." in text


def test_a_flat_folder_needs_a_pattern_and_one_is_proposed(people: Path, tmp_path: Path) -> None:
    flat = tmp_path / "flat"
    flat.mkdir()
    for file in people.glob("Person */*.png"):
        file.rename(flat / f"{file.parent.name[-1]}_{file.name}")
    first = eigenfaces("build", flat, "-o", tmp_path / "a.eigenfaces", *CROPPED)
    assert first.exit_code == 0
    assert "of 0 people" in first.stdout
    assert "--pattern '{person}_*'" in first.stderr
    for command in (("recognise",), ("calibrate",)):
        photo = (flat / "1_1.png",) * (command == ("recognise",))
        assert "Nobody is known yet" in failure(*command, tmp_path / "a.eigenfaces", *photo)
    assert "nobody is named" in failure("evaluate", tmp_path / "a.eigenfaces")
    said = ("-o", tmp_path / "b.eigenfaces", "--pattern", "{person}_*")
    then = eigenfaces("build", flat, *said, *CROPPED)
    assert (then.stderr, "15 photographs of 3 people" in then.stdout) == ("", True)
    idle = eigenfaces("build", people, "-o", tmp_path / "c.eigenfaces", *said[2:], *CROPPED)
    assert idle.stderr.startswith("--pattern has no effect")
    assert "There is no photograph in the folders “Person" in idle.stderr


def test_options_become_the_recipe_and_the_preparation(people: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.eigenfaces"
    said = ["--rule", "class-mean", "--neighbours", 3, "--fit", "fit", "--lighting", "Tan–Triggs"]
    said += ["--whitening", "pca", "--smoothing", "12.5 %", "--window", "oval", "--drop-first", 3]
    said += ["--correlation", "-k", "90%", "--distance", "linf", "--recipe", "eigenFACES"]
    built = eigenfaces("build", people, "-o", file, *said, *CROPPED)
    assert built.exit_code == 0
    assert built.stderr == (
        "The number of neighbours has no effect: by the rule “class mean” none votes.\n"
    )
    assert opened(file).recipe == Recipe.of(
        rule="class mean",
        neighbours=3,
        lighting="Tan–Triggs",
        whitening="pca",
        smoothing="12.5%",
        window="oval",
        dropped=3,
        scaling="correlation",
        components=0.9,
        distance="L∞",
    )
    assert opened(file).preparation == Preparation(32, 24, "fit", already_cropped=True)
    told = eigenfaces("info", file).stdout
    for each in (
        "PCA whitening, ε = 12.5 % of the mean variance kept",
        "24 × 32 pixels, cropped already, fit",
        "evened out: Tan–Triggs; oval window",
        "compared, the first 3 dropped",
    ):
        assert each in told
    assert {each.name for each in fields(RecipeOptions)} == {"recipe_name", *SETTINGS}
    idle = eigenfaces("build", people, "-o", tmp_path / "q", "--smoothing", "5%", *CROPPED)
    assert idle.stderr == "Smoothing has no effect without whitening.\n"


def test_expected_failures_are_a_sentence_each(
    project: Path, stranger: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.eigenfaces").touch()
    out = tmp_path / "x"
    assert "no photographs" in failure("build", tmp_path / "empty", "-o", out)
    assert "does not exist" in failure("build", tmp_path / "nowhere", "-o", out)
    assert "is a folder" in failure("build", "--sample", "-o", tmp_path)
    assert "another place" in failure("build", "--sample", "-o", tmp_path / "no" / "x")
    assert "not a project" in failure("build", "--sample", "-o", stranger, "--overwrite")
    for command in (
        ("info",),
        ("recognise", stranger),
        ("calibrate",),
        ("components", "-o", out),
        ("reconstruct", stranger, "-k", 3, "-o", tmp_path / "x.png"),
    ):
        name, *rest = command
        for wrong in (stranger, tmp_path, tmp_path / "nowhere", tmp_path / "empty.eigenfaces"):
            failure(name, wrong, *rest)
    assert "has 19 components, not 20" in failure("components", project, "-o", out, "-k", 20)
    assert "not an empty folder" in failure("components", project, "-o", stranger)
    rebuild = ("-o", tmp_path / "x.png", "-k")
    assert "has 19 components, not 20" in failure("reconstruct", project, stranger, *rebuild, 20)
    gone = tmp_path / "nowhere.png"
    assert "not there" in failure("reconstruct", project, gone, *rebuild, 2)
    assert not out.exists()
    assert not (tmp_path / "x.png").exists()


def test_an_open_project_is_neither_read_nor_replaced(project: Path, people: Path) -> None:
    window = Project.open(project)
    try:
        for said in (("info", project), ("build", people, "-o", project, "--overwrite")):
            result = eigenfaces(*said)
            assert result.exit_code == 1
            assert "open in another window" in result.stderr
    finally:
        window.close()


@pytest.fixture
def grown(project: Path) -> Path:
    """The project with three photographs more, enrolled since it was built."""
    with contextlib.closing(Project.open(project)) as opened_project:
        new = made_people(np.random.default_rng(8), 1, 3, shape=(32, 24))
        opened_project.save(opened_project.gallery.enrol(new))
    return project


def test_training_anew_is_fitted_to_what_came_too(grown: Path) -> None:
    def changes() -> object:
        return json.loads(eigenfaces("info", grown, "--json").stdout)["changed_since_training"]

    assert changes() == 3
    trained = eigenfaces("train", grown)
    assert trained.exit_code == 0
    assert "23 photographs of 4 people, 22 components" in trained.stdout
    assert opened(grown).calibrated is not None
    assert changes() == 0


def test_a_file_that_cannot_be_written_is_not_trained(grown: Path) -> None:
    grown.chmod(0o400)
    with contextlib.closing(Project.open(grown)) as opened_project:
        if not opened_project.read_only:
            pytest.skip("this user may write every file")
    assert "cannot be written" in failure("train", grown)
