"""``build`` and ``info``: what they say, what becomes of options, what fails in a sentence."""

import csv
import json
import os
import re
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from decodes import counted_decodes, write_afar, write_photographs

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces.cli import app
from eigenfaces.cli.sources import list_skipped, unused_text
from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.photos import Skipped
from eigenfaces.project.project import Project
from eigenfaces.sample import sample_folder


def test_help_tells_the_exit_codes_and_shows_examples() -> None:
    assert eigenfaces().exit_code == 2
    said = " ".join(eigenfaces("--help").stdout.split())
    for each in ("eigenfaces build people/", "no authentication", "4: ", "130", "half-written"):
        assert each in said
    for command in app.registered_commands:
        assert eigenfaces(command.callback.__name__, "--help").exit_code == 0  # type: ignore[union-attr]


def test_help_lists_the_commands_as_they_are_wanted() -> None:
    said = eigenfaces("--help").stdout
    listed = re.findall(r"^│ (\w+)  +[A-Z]", said.partition("A project")[2], re.MULTILINE)
    assert len(listed) == len(app.registered_commands)
    assert listed[:2] == ["build", "info"]
    wanted = ["build", "recognise", "evaluate", "repeat", "components"]
    assert [name for name in listed if name in wanted] == wanted


def test_both_programs_say_the_same_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["main.py", "--version"])
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # which it would set for good
    assert import_module("main").main() == 0
    assert capsys.readouterr().out == eigenfaces("--version").stdout
    assert eigenfaces("--version").stdout == f"eigenfaces {version('eigenfaces')}\n"


def test_build_says_what_it_made(project: Path, people: Path) -> None:
    assert sorted(file.name for file in project.parent.iterdir()) == sorted(
        [project.name, people.name]
    )
    said = failure("build", people, "-o", project)
    assert "--overwrite" in said
    again = eigenfaces("build", people, "-o", project, "--overwrite", "-k", "3", *CROPPED)
    assert again.exit_code == 0
    assert again.stdout.endswith(
        "people.eigenfaces: 20 photographs of 4 people, 19 components, "
        "the first 3 compared by L2.\n"
    )
    assert opened(project).calibrated is not None  # what distances mean is stored with it


@pytest.mark.parametrize("recipe", ["discriminant", "texture"])
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


def test_the_sample_is_built_with_its_published_figures(tmp_path: Path) -> None:
    file = tmp_path / "att.eigenfaces"
    built = eigenfaces("build", "--sample", "-o", file, "-k", "100", "--distance", "cosine")
    assert built.exit_code == 0
    said = json.loads(eigenfaces("info", file, "--json").stdout)
    assert (said["photos"], len(said["people"]), said["compared"]) == (400, 40, 100)
    assert round(100 * sum(said["explained_variance_ratio"]), 2) == 59.95
    assert said["components_for"] == {"0.90": 111, "0.95": 190, "0.99": 325}
    assert said["recipe"]["distance"] == "cosine"
    damaged = sample_folder() / "s8" / "10.pgm"
    answered = json.loads(eigenfaces("recognise", file, damaged, "--json").stdout)
    assert answered["answers"][0]["in_gallery"] is True
    assert answered["answers"][0]["filed_as"] == "Person 08"


@pytest.mark.parametrize("name", ["Discriminant", "Texture"])
def test_another_recipe_is_chosen_by_name_and_kept(seven: Path, tmp_path: Path, name: str) -> None:
    file, said = tmp_path / "p.eigenfaces", ("--recipe", name.lower(), *CROPPED)
    assert eigenfaces("build", seven, "-o", file, *said).exit_code == 0
    kept = json.loads(eigenfaces("info", file, "--json").stdout)["recipe"]
    assert (kept["name"], kept["distance"]) == (name, "cosine")
    photo = seven / "Person 3" / "2.png"
    answered = json.loads(eigenfaces("recognise", file, photo, "--json").stdout)
    assert answered["answers"][0]["closest"] == "Person 3"
    measured = eigenfaces("evaluate", file, "--protocol", "first-3", "--no-curves", "--json")
    assert json.loads(measured.stdout)["setting"]["recipe"]["name"] == name
    refused = failure("build", seven, "-o", tmp_path / "q", *said, "--lighting", "clahe")
    assert "has no setting “lighting”" in refused


def test_every_skipped_photograph_is_listed_with_its_reason(people: Path, tmp_path: Path) -> None:
    (people / "Person 1" / "notes.png").write_text("no picture")
    (people / "Person 1" / "empty.png").touch()
    (people / "Person 2" / "again.png").write_bytes((people / "Person 2" / "1.png").read_bytes())
    result = eigenfaces("build", people, "-o", tmp_path / "p.eigenfaces", *CROPPED)
    assert result.exit_code == 3
    assert "3 photographs were not used: 2 cannot be used, 1 duplicate." in result.stdout
    for line in ("notes.png", "empty.png", "The file is empty.", "1.png", "which is kept"):
        assert line in result.stdout
    assert len(opened(tmp_path / "p.eigenfaces").faces) == 20


def test_a_list_of_what_is_not_used_is_written_when_asked_for(people: Path, tmp_path: Path) -> None:
    file, listed = tmp_path / "p.eigenfaces", tmp_path / "unused.csv"
    (people / "Person 1" / "empty.png").touch()
    said = ("build", people, "-o", file, *CROPPED)
    plain = eigenfaces(*said)
    assert plain.stdout.endswith("Add --unused FILE for a list of them all.\n")
    assert {each.name for each in tmp_path.iterdir()} == {people.name, file.name}
    built = eigenfaces(*said, "--overwrite", "--unused", listed)
    assert built.exit_code == 3
    assert "“unused.csv” lists them all." in built.stdout.replace(f"{tmp_path}{os.sep}", "")
    with listed.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    assert [(Path(row["photo"]).name, row["person"], row["kind"]) for row in rows] == [
        ("empty.png", "Person 1", "unreadable")
    ]
    assert rows[0]["reason"] == "The file is empty."


def test_a_second_build_replaces_nothing_unasked(people: Path, tmp_path: Path) -> None:
    file, listed = tmp_path / "p.eigenfaces", tmp_path / "diary.csv"
    listed.write_text("a diary")
    said = ("build", people, "-o", file, *CROPPED)
    refused = failure(*said, "--unused", listed)
    assert "diary.csv” exists already. Add --overwrite to replace it, or choose another" in refused
    assert not file.exists()
    assert eigenfaces(*said, "--unused", file).exit_code == 2
    assert eigenfaces(*said).exit_code == 0
    refused = failure(*said)
    assert "p.eigenfaces” exists already. Add --overwrite to replace it, or choose an" in refused
    (people / "Person 1" / "1.png").unlink()
    assert eigenfaces(*said, "--overwrite").exit_code == 0
    assert len(opened(file).faces) == 19
    assert listed.read_text() == "a diary"


def test_what_is_not_used_is_told_where_the_list_cannot_be_written(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise EigenfacesError("The disk is full.")

    monkeypatch.setattr("eigenfaces.cli.building.write_table", full)
    (people / "Person 1" / "empty.png").touch()
    said = ("-o", tmp_path / "p.eigenfaces", "--unused", tmp_path / "unused.csv", *CROPPED)
    built = eigenfaces("build", people, *said)
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


def test_the_reason_stays_in_sight_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path("/home/ada/holidays with the whole family/2024/summer/Person 12/IMG_2024_edit.jpg")
    skipped = [Skipped(path, "No face was found in it.")]
    list_skipped(skipped)
    assert str(path) in capsys.readouterr().out  # into a file: all of it
    for place in ("running", "sources"):
        monkeypatch.setattr(f"eigenfaces.cli.{place}.terminal_width", lambda: 80)
    list_skipped(skipped)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[2].endswith("IMG_2024_edit.jpg  No face was found in it.")
    assert "…" in lines[2]


def test_where_nothing_is_built_the_reasons_are_no_result(tmp_path: Path) -> None:
    (tmp_path / "Ada").mkdir()
    (tmp_path / "Ada" / "empty.png").touch()
    refused = eigenfaces("build", tmp_path, "-o", tmp_path / "p.eigenfaces", *CROPPED)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "The file is empty." in refused.stderr


def test_a_person_without_a_photograph_is_told(people: Path, tmp_path: Path) -> None:
    (people / "Person 9").mkdir()
    built = eigenfaces("build", people, "-o", tmp_path / "p.eigenfaces", *CROPPED)
    assert built.exit_code == 0
    assert built.stderr == "There is no photograph in the folder “Person 9”.\n"


def test_a_flat_folder_needs_a_pattern_and_one_is_proposed(people: Path, tmp_path: Path) -> None:
    flat = tmp_path / "flat"
    flat.mkdir()
    for file in people.glob("Person */*.png"):
        file.rename(flat / f"{file.parent.name[-1]}_{file.name}")
    first = eigenfaces("build", flat, "-o", tmp_path / "a.eigenfaces", *CROPPED)
    assert first.exit_code == 0
    assert "of 0 people" in first.stdout
    assert "--pattern '{person}_*'" in first.stderr
    said = ("-o", tmp_path / "b.eigenfaces", "--pattern", "{person}_*")
    then = eigenfaces("build", flat, *said, *CROPPED)
    assert then.stderr == ""
    idle = eigenfaces("build", people, "-o", tmp_path / "c.eigenfaces", *said[2:], *CROPPED)
    assert idle.stderr.startswith("--pattern has no effect")
    assert "15 photographs of 3 people" in then.stdout
    assert "Nobody is enrolled" in failure("recognise", tmp_path / "a.eigenfaces", flat / "1_1.png")


def test_options_become_the_recipe_and_the_preparation(people: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.eigenfaces"
    said = ["--whitening", "pca", "--smoothing", 0.5, "--correlation", "--lighting", "Tan–Triggs"]
    said += [
        "--rule",
        "class-mean",
        "--neighbours",
        3,
        "-k",
        "90%",
        "--distance",
        "linf",
        "--fit",
        "fit",
    ]
    said += ["--window", "oval", *CROPPED]
    built = eigenfaces("build", people, "-o", file, *said)
    assert built.exit_code == 0
    assert built.stderr == (
        "The number of neighbours has no effect: by the rule “class mean” none votes.\n"
    )
    gallery = opened(file)
    recipe = gallery.recipe
    assert (recipe.matcher.whitening, recipe.matcher.smoothing, recipe.pixels.scaling) == (
        "pca",
        0.5,
        "correlation",
    )
    assert (recipe.pixels.lighting, recipe.pixels.window) == ("Tan–Triggs", "oval")
    assert (recipe.matcher.rule, recipe.matcher.neighbours) == ("class mean", 3)
    assert (recipe.matcher.components, recipe.matcher.distance) == (0.9, "L∞")
    assert gallery.preparation == Preparation(32, 24, "fit", already_cropped=True)
    told = eigenfaces("info", file).stdout
    for each in (
        "PCA whitening, ε = 0.5",
        "24 × 32 pixels, cropped already, fit",
        "evened out: Tan–Triggs; oval window",
    ):
        assert each in told


def test_smoothing_as_a_share_is_kept_and_said_so(people: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.eigenfaces"
    said = ["--whitening", "pca", "--smoothing", "12.5 %", *CROPPED]
    assert eigenfaces("build", people, "-o", file, *said).exit_code == 0
    assert opened(file).recipe.matcher.smoothing == "12.5%"
    assert eigenfaces("build", people, "-o", tmp_path / "q.eigenfaces", *said[2:]).stderr == (
        "Smoothing has no effect without whitening.\n"
    )
    assert "PCA whitening, ε = 12.5 % of the mean variance kept" in eigenfaces("info", file).stdout
    (answer,) = json.loads(
        eigenfaces("recognise", file, people / "Person 1" / "1.png", "--json").stdout
    )["answers"]
    assert answer["ranking"][0]["person"] == "Person 1"


@pytest.mark.parametrize(
    "said",
    [
        *(
            ("build", "--sample", "-o", "x", "--whitening", "pca", "--smoothing", wrong)
            for wrong in ("1e300", "-1", "nan", "inf", "-5%", "1001%", "%", "much")
        ),
        ("build", "--sample", "-o", "x", "--whitening", "lda"),
        ("build", "-o", "x"),
        ("build", "folder", "--sample", "-o", "x"),
        ("build", "--sample", "-o", "x", "--height", "64"),
        ("build", "--sample", "-o", "x", "-k", "0"),
        ("build", "--sample", "-o", "x", "-k", "101%"),
        ("build", "--sample", "-o", "x", "-k", "nan."),
        ("build", "--sample", "-o", "x", "-k", "many"),
        ("build", "--sample", "-o", "x", "--distance", "far"),
        ("build", "--sample", "-o", "x", "--lighting", "candle"),
        ("build", "--sample", "-o", "x", "--window", "round"),
        ("build", "--sample", "-o", "x", "--already-cropped"),
        ("build", "--sample", "-o", "x", "--eyes", "eyes.csv"),
        ("build", "folder", "-o", "x", "--width", "15"),
        ("recognise", "file"),
        ("recognise", "file", "photo", "--json", "--csv"),
        ("recognise", "file", "photo", "--top", "0"),
        ("recognise", "file", "photo", "--strangers", "5"),
        ("recognise", "file", "photo", "--strangers", "few"),
        ("recognise", "file", "photo", "--strangers", "1"),
        ("calibrate", "file", "--strangers", "nan%"),
        ("components", "file", "-o", "x", "-k", "0"),
        ("reconstruct", "file", "photo", "-k", "3", "-o", "x.jpg"),
        ("faces", "folder"),
        ("faces", "folder", "-o", "x", "--height", "513"),
        ("dance",),
    ],
)
def test_wrong_usage(
    said: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert eigenfaces(*said).exit_code == 2
    assert list(tmp_path.iterdir()) == []


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
    assert "not an empty folder" in failure("components", project, "-o", tmp_path)
    rebuild = ("reconstruct", project, stranger, "-o")
    assert "has 19 components, not 20" in failure(*rebuild, out.with_suffix(".png"), "-k", 20)
    assert "exists already" in failure(*rebuild, stranger, "-k", 2)
    assert "another place" in failure(*rebuild, tmp_path / "no" / "x.png", "-k", 2)
    rebuild = ("reconstruct", project, tmp_path / "nowhere.png", "-o", tmp_path / "x.png")
    assert "not there" in failure(*rebuild, "-k", 2)
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


@pytest.mark.parametrize("said", ["build|{}|-o|x.eigenfaces", "build|--sample|--output=", "info|"])
def test_an_empty_argument_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = eigenfaces(*said.format("").split("|"))
    assert refused.exit_code == 2
    assert "One argument is empty" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_info_for_people(project: Path, people: Path) -> None:
    (people / "Person 1" / "1.png").rename(people / "Person 1" / "elsewhere.png")
    said = eigenfaces("info", project).stdout
    assert "20, of 4 people" in said
    assert "19, of which" in said
    assert "90%: " in said
    assert "1 photograph" in said.split("Not on disk")[1]
    assert str(people / "Person 1" / "1.png") in said


def test_info_does_not_take_coordinates_of_a_recipe_for_components(
    seven: Path, tmp_path: Path
) -> None:
    file = tmp_path / "texture.eigenfaces"
    eigenfaces("build", seven, "--already-cropped", "--recipe", "texture", "-o", file)
    gallery = opened(file)
    shown = f"{len(gallery.trained.space)} to look at; Texture compares {gallery.k} coordinates"
    assert shown in eigenfaces("info", file).stdout
    told = json.loads(eigenfaces("info", file, "--json").stdout)
    assert (told["compared"], told["compared_in"]) == (gallery.k, "Texture")
    assert list(told)[-2:] == ["calibrated", "compared_in"]


def test_each_photograph_is_decoded_once(tmp_path: Path) -> None:
    """One from afar twice: reduced to find the small face, and then as finely as it is cut."""
    folder = write_afar(write_photographs(tmp_path / "people"))
    with counted_decodes(folder) as decodes:
        built = eigenfaces("build", folder, "-o", tmp_path / "p.eigenfaces")
    assert built.exit_code == 3
    photos = {photo.path.name for photo in opened(tmp_path / "p.eigenfaces").faces.index.photos}
    assert photos == {"face.png", "large.jpg", "mirrored.jpg", "afar.jpg"}
    others = {"sideways.png", "two.png", "none.png"}
    assert decodes == {name: 1 + (name == "afar.jpg") for name in photos | others}
