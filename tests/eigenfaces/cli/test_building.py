"""``build``, ``info``, ``train``: what they say and make, what fails in a sentence."""

import contextlib
import csv
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import typer
from synthetic import people as made_people

from cli.command_line import CROPPED, answer, eigenfaces, failure, opened, printed
from eigenfaces.cli import app
from eigenfaces.faces.prepare import Preparation
from eigenfaces.project.exports import FaceOnPhoto, write_sidecars
from eigenfaces.project.project import Project
from eigenfaces.recognition.recipe import Recipe


def test_help_tells_the_exit_codes_and_lists_the_commands_as_they_are_wanted() -> None:
    page = printed("--help")
    assert eigenfaces().exit_code == 2
    for words in ("eigenfaces build people/", "authentication", "4: ", "130", "half-written"):
        assert words in " ".join(page.split())
    listed = re.findall(r"^│ (\w+)  +[A-Z]", page.partition("A project")[2], re.MULTILINE)
    assert len(listed) == len(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    assert listed[:2] == ["build", "info"]
    wanted = ["build", "recognise", "evaluate", "repeat", "components"]
    assert [name for name in listed if name in wanted] == wanted
    for command in listed:
        assert printed(command, "--help") == printed(command, "-h")
    assert printed("-h") == page


@pytest.mark.parametrize("recipe", ["fisherfaces", "texture"])
def test_what_people_differ_in_needs_seven_and_nothing_is_lost(
    project: Path, people: Path, tmp_path: Path, recipe: str
) -> None:
    before, files = project.read_bytes(), sorted(tmp_path.iterdir())
    for command in (
        ("build", people, "-o", tmp_path / "other.eigenfaces", *CROPPED),
        ("build", people, "-o", project, "--overwrite", *CROPPED),
        ("evaluate", people, *CROPPED, "-o", tmp_path / "report.html"),
    ):
        sentence = " ".join(failure(*command, "--recipe", recipe).split())
        assert "needs 7 people or more, and there are 4" in sentence
        assert (project.read_bytes(), sorted(tmp_path.iterdir())) == (before, files)


def test_nobody_is_named_is_said_after_marks_were_read_and_what_is_odd_in_them(
    people: Path, tmp_path: Path
) -> None:
    flat, file = tmp_path / "flat", tmp_path / "flat.eigenfaces"
    flat.mkdir()
    for number, photo in enumerate(sorted(people.glob("Person [12]/*.png"))):
        copy = Path(shutil.copy(photo, flat / f"{number}.png"))
        name = "Ann Lee" if number < 5 else "Ann\u00a0Lee"
        face = FaceOnPhoto(copy, (32, 24), None, name, "answered", None)
        assert write_sidecars([face]) == (1, [])
    result = eigenfaces("build", flat, "-o", file, *CROPPED)
    assert result.exit_code == 0
    assert "nobody is named" not in result.stderr
    assert "2 people are called “Ann Lee”" in result.stderr
    assert set(opened(file).people) == {"Ann Lee", "Ann\u00a0Lee"}
    for number in range(2):
        (flat / f"{number}.png.xmp").write_text("mine", "utf-8")
    result = eigenfaces("build", flat, "-o", file, *CROPPED, "--overwrite")
    assert "2 photos directly in the folder" in result.stderr
    assert "“0.png.xmp”, “1.png.xmp”: It is not an XMP file" in result.stderr


def test_every_photograph_that_is_not_used_has_its_reason(people: Path, tmp_path: Path) -> None:
    """Where nothing can be built, too."""
    (people / "Person 1" / "notes.png").write_text("no picture")
    (people / "Person 2" / "again.png").write_bytes((people / "Person 2" / "1.png").read_bytes())
    listed, file = tmp_path / "unused.csv", tmp_path / "p.eigenfaces"
    text = printed("build", people, "-o", file, *CROPPED, "--unused", listed, code=3)
    rows = csv.DictReader(listed.read_text("utf-8-sig").splitlines())
    assert sorted((Path(row["photo"]).name, row["person"], row["kind"]) for row in rows) == [
        *(("again.png", "Person 2", "duplicate"), ("notes.png", "Person 1", "unreadable"))
    ]
    assert "2 photos were not used: 1 cannot be used, 1 duplicate." in text
    assert re.search(r"notes\.png +.*not a picture", text)
    assert re.search(r"again\.png +It is the same file as “1.png”", text)
    assert len(opened(file).faces) == 20
    (tmp_path / "only" / "Ada").mkdir(parents=True)
    (tmp_path / "only" / "Ada" / "empty.png").touch()
    refused = eigenfaces("build", tmp_path / "only", "-o", tmp_path / "q.eigenfaces", *CROPPED)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "The file is empty." in refused.stderr


def test_a_second_build_replaces_nothing_unasked(people: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.eigenfaces"
    command = ("build", people, "-o", file, *CROPPED)
    printed(*command)
    assert {path.name for path in tmp_path.iterdir()} == {people.name, file.name}
    assert "p.eigenfaces” already exists. Add --overwrite" in failure(*command)
    (people / "Person 1" / "1.png").unlink()
    assert printed(*command, "--overwrite", "-k", 3).endswith(
        "p.eigenfaces: 19 photos of 4 people, 18 components, the first 3 compared by L2.\n"
    )
    assert opened(file).calibrated is not None  # what distances mean is stored with it


def test_a_flat_folder_needs_a_pattern_and_one_is_proposed(people: Path, tmp_path: Path) -> None:
    flat, nameless = tmp_path / "flat", tmp_path / "a.eigenfaces"
    flat.mkdir()
    for file in people.glob("Person */*.png"):
        file.rename(flat / f"{file.parent.name[-1]}_{file.name}")
    first = eigenfaces("build", flat, "-o", nameless, *CROPPED)
    assert (first.exit_code, "of 0 people" in first.stdout) == (0, True)
    assert "--pattern '{person}_*'" in first.stderr
    assert "Nobody has been named yet" in failure("recognise", nameless, flat / "1_1.png")
    assert "Nobody has been named yet" in failure("calibrate", nameless)
    assert "nobody is named" in failure("evaluate", nameless)
    pattern = ("--pattern", "{person}_*", *CROPPED)
    named = eigenfaces("build", flat, "-o", tmp_path / "b.eigenfaces", *pattern)
    assert (named.stderr, "15 photos of 3 people" in named.stdout) == ("", True)


def test_options_become_the_recipe_and_the_preparation(people: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.eigenfaces"
    options = ("--drop-first", 3, "--lighting", "Tan–Triggs", "--window", "oval", "-k", "95%")
    printed("build", people, "-o", file, *options, "--rule=class-mean", "--distance=l1", *CROPPED)
    gallery = opened(file)
    settings = {"lighting": "Tan–Triggs", "window": "oval", "components": 0.95, "dropped": 3}
    assert gallery.recipe == Recipe.of(**settings, distance="L1", rule="class mean")
    assert gallery.preparation == Preparation(32, 24, already_cropped=True)
    text = printed("info", file)
    for words in (
        "24 × 32 pixels, already cropped",
        "evened out: Tan–Triggs; oval window",
        "components for 95 % of the variance, the first 3 dropped",
    ):
        assert words in text


@pytest.mark.parametrize(
    "usual",
    [
        "--distance=l2",
        "--components=0.95",
        "--lighting=none",
        "--drop-first=0",
        "--recipe=eigenfaces",
    ],
)
def test_a_setting_that_is_given_counts_though_it_is_the_usual_one(
    people: Path, tmp_path: Path, usual: str
) -> None:
    """Only without any of them, Automatic chooses."""
    chosen, given = tmp_path / "chosen.eigenfaces", tmp_path / "given.eigenfaces"
    printed("build", people, "-o", chosen, *CROPPED)
    printed("build", people, "-o", given, *CROPPED, usual)
    assert opened(chosen).automatic is not None
    assert opened(given).automatic is None
    assert opened(given).recipe == Recipe()


def test_expected_failures_are_a_sentence_each(
    project: Path, stranger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of an evaluation before anything is measured."""
    monkeypatch.delattr("eigenfaces.evaluation.run.evaluate")
    for name in ("empty", "folder.html"):
        (tmp_path / name).mkdir()
    (tmp_path / "empty.eigenfaces").touch()
    out, png = tmp_path / "x", ("-o", tmp_path / "x.png")
    for words, *command in (
        ("no photos", "build", tmp_path / "empty", "-o", out),
        ("does not exist", "build", tmp_path / "nowhere", "-o", out),
        ("is a folder", "build", "--sample", "-o", tmp_path),
        ("another folder", "build", "--sample", "-o", tmp_path / "no" / "x"),
        ("not a project", "build", "--sample", "-o", stranger, "--overwrite"),
        ("has 19 components, not 20", "components", project, "-o", out, "-k", 20),
        ("not an empty folder", "components", project, "-o", stranger),
        ("has 19 components, not 20", "reconstruct", project, stranger, *png, "-k", 20),
        ("not there", "reconstruct", project, tmp_path / "nowhere.png", *png, "-k", 2),
        ("no photos", "evaluate", tmp_path / "empty"),
        ("does not exist", "evaluate", tmp_path / "nowhere"),
        ("another folder", "evaluate", project, "-o", tmp_path / "no" / "report.html"),
        ("is a folder", "evaluate", project, "-o", tmp_path / "folder.html"),
    ):
        assert words in failure(*command)
    for command in (
        *(["info"], ["recognise", stranger], ["calibrate"], ["components", "-o", out]),
        ["reconstruct", stranger, "-k", 3, *png],
    ):
        for wrong in (stranger, tmp_path, tmp_path / "nowhere", tmp_path / "empty.eigenfaces"):
            failure(command[0], wrong, *command[1:])
    assert not out.exists()
    assert not png[1].exists()
    monkeypatch.chdir(tmp_path / "empty")
    assert "is the current folder" in failure("components", project, "-o", ".")


def test_an_open_project_is_neither_read_nor_replaced(project: Path, people: Path) -> None:
    with contextlib.closing(Project.open(project)):
        for command in (("info", project), ("build", people, "-o", project, "--overwrite")):
            assert "open in another window" in failure(*command)


def test_training_anew_is_fitted_to_what_was_added(project: Path) -> None:
    with contextlib.closing(Project.open(project)) as file:
        new = made_people(np.random.default_rng(8), 1, 3, shape=(32, 24))
        file.save(file.gallery.enrol(new))
    assert answer("info", project)["changed_since_training"] == 3
    assert "23 photos of 4 people, 22 components" in printed("train", project)
    assert opened(project).calibrated is not None
    assert answer("info", project)["changed_since_training"] == 0


def test_a_read_only_file_is_not_trained(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eigenfaces.project.file.os.access", lambda _, mode: mode == 4)
    assert "cannot be written: copy it" in failure("train", project)
