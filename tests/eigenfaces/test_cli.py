"""The command line: what it says, its exit codes, and that nothing is left half-written."""

import contextlib
import csv
import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import synthetic
from PIL import Image
from typer.testing import CliRunner, Result

from eigenfaces.cli import app
from eigenfaces.exports import grey_levels
from eigenfaces.gallery import Gallery
from eigenfaces.project import Project
from eigenfaces.samples import sample_folder


def eigenfaces(*said: object) -> Result:
    result = CliRunner().invoke(app, [str(each) for each in said])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


def opened(file: Path) -> Gallery:
    with contextlib.closing(Project.open(file)) as project:
        return project.gallery


def failure(*said: object) -> str:
    """Run what fails in an expected way; return its one sentence."""
    result = eigenfaces(*said)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.strip().endswith(".")
    return result.stderr


@pytest.fixture
def people(tmp_path: Path, rng: np.random.Generator) -> Path:
    """A folder of four people × five photographs, with a space and letters of many kinds."""
    folder = tmp_path / "Photos of Zoë"
    faces = synthetic.people(rng, shape=(32, 24))
    for row, photo in enumerate(faces.photos):
        home = folder / str(photo.person).replace("Person 4", "[bold]Ångström, “=1+1”")
        home.mkdir(parents=True, exist_ok=True)
        Image.fromarray(grey_levels(faces.image(row))).save(home / f"{row % 5 + 1}.png")
    return folder


@pytest.fixture
def project(people: Path, tmp_path: Path) -> Path:
    file = tmp_path / "people.eigenfaces"
    built = eigenfaces("build", people, "-o", file, "--height", 32, "--width", 24)
    assert built.exit_code == 0
    return file


@pytest.fixture
def stranger(tmp_path: Path, rng: np.random.Generator) -> Path:
    file = tmp_path / "stranger.png"
    Image.fromarray(grey_levels(rng.random((32, 24), np.float32))).save(file)
    return file


def test_help_tells_the_exit_codes_and_shows_examples() -> None:
    assert eigenfaces().exit_code == 2
    said = " ".join(eigenfaces("--help").stdout.split())
    for each in ("eigenfaces build --sample", "no authentication", "130", "half-written"):
        assert each in said
    for command in ("build", "info", "recognise", "components", "reconstruct"):
        assert command in said
        assert eigenfaces(command, "--help").exit_code == 0
    assert eigenfaces("--version").stdout.startswith("eigenfaces 0")


def test_build_says_what_it_made(project: Path, people: Path) -> None:
    assert sorted(file.name for file in project.parent.iterdir()) == sorted(
        [project.name, people.name]
    )
    said = failure("build", people, "-o", project)
    assert "--overwrite" in said
    again = eigenfaces("build", people, "-o", project, "--overwrite", "-k", "3")
    assert again.exit_code == 0
    assert again.stdout.endswith(
        "people.eigenfaces: 20 photographs of 4 people, 19 components, "
        "the first 3 compared by L2.\n"
    )


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


def test_every_skipped_photograph_is_listed_with_its_reason(people: Path, tmp_path: Path) -> None:
    (people / "Person 1" / "notes.png").write_text("no picture")
    (people / "Person 1" / "empty.png").touch()
    (people / "Person 2" / "again.png").write_bytes((people / "Person 2" / "1.png").read_bytes())
    result = eigenfaces("build", people, "-o", tmp_path / "p.eigenfaces")
    assert result.exit_code == 3
    assert "3 photographs not used:" in result.stdout
    for line in ("notes.png", "empty.png", "The file is empty.", "1.png", "which is kept"):
        assert line in result.stdout
    assert len(opened(tmp_path / "p.eigenfaces").faces) == 20


def test_a_flat_folder_needs_a_pattern_and_one_is_proposed(people: Path, tmp_path: Path) -> None:
    flat = tmp_path / "flat"
    flat.mkdir()
    for file in people.glob("Person */*.png"):
        file.rename(flat / f"{file.parent.name[-1]}_{file.name}")
    first = eigenfaces("build", flat, "-o", tmp_path / "a.eigenfaces")
    assert first.exit_code == 0
    assert "of 0 people" in first.stdout
    assert "--pattern '{person}_*'" in first.stderr
    then = eigenfaces("build", flat, "-o", tmp_path / "b.eigenfaces", "--pattern", "{person}_*")
    assert then.stderr == ""
    assert "15 photographs of 3 people" in then.stdout
    assert "Nobody is enrolled" in failure("recognise", tmp_path / "a.eigenfaces", flat / "1_1.png")


def test_options_become_the_recipe_and_the_preparation(people: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.eigenfaces"
    said = ["--whitening", "zca", "--smoothing", 0.5, "--correlation", "--remove-photo-mean"]
    said += ["--class-mean", "--neighbours", 3, "-k", "90%", "--distance", "linf", "--fit", "fit"]
    assert eigenfaces("build", people, "-o", file, *said).exit_code == 0
    gallery = opened(file)
    recipe = gallery.recipe
    assert (recipe.whitening, recipe.smoothing, recipe.scaling) == ("zca", 0.5, "correlation")
    assert (recipe.remove_photo_mean, recipe.rule, recipe.neighbours) == (True, "class mean", 3)
    assert (recipe.components, recipe.distance) == (0.9, "L∞")
    assert gallery.preparation.fit == "fit"
    assert "ZCA whitening, ε = 0.5" in eigenfaces("info", file).stdout


@pytest.mark.parametrize(
    "said",
    [
        ("build", "-o", "x"),
        ("build", "folder", "--sample", "-o", "x"),
        ("build", "--sample", "-o", "x", "--height", "64"),
        ("build", "--sample", "-o", "x", "-k", "0"),
        ("build", "--sample", "-o", "x", "-k", "101%"),
        ("build", "--sample", "-o", "x", "-k", "nan."),
        ("build", "--sample", "-o", "x", "-k", "many"),
        ("build", "--sample", "-o", "x", "--distance", "far"),
        ("build", "folder", "-o", "x", "--width", "15"),
        ("recognise", "file"),
        ("recognise", "file", "photo", "--json", "--csv"),
        ("recognise", "file", "photo", "--top", "0"),
        ("components", "file", "-o", "x", "-k", "0"),
        ("reconstruct", "file", "photo", "-k", "3", "-o", "x.jpg"),
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
    assert "cannot be written" in failure(*rebuild, tmp_path / "no" / "x.png", "-k", 2)
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


def test_info_for_people(project: Path, people: Path) -> None:
    (people / "Person 1" / "1.png").rename(people / "Person 1" / "elsewhere.png")
    said = eigenfaces("info", project).stdout
    assert "20, of 4 people" in said
    assert "19, of which" in said
    assert "90%: " in said
    assert "1 photograph" in said.split("Not on disk")[1]
    assert str(people / "Person 1" / "1.png") in said


def test_recognise_says_who_is_closest_and_that_it_is_not_calibrated(
    project: Path, people: Path, stranger: Path
) -> None:
    known = eigenfaces("recognise", project, people / "Person 2" / "3.png")
    assert known.exit_code == 0
    assert "Closest: Person 2" in known.stdout
    assert "in the gallery (as “Person 2”)" in known.stdout
    said = eigenfaces("recognise", project, stranger, "--top", 4).stdout
    assert "not calibrated" in said
    assert "Distance from face space: " in said
    assert "in the gallery" not in said
    assert "[bold]Ångström, “=1+1”" in said  # a name is not markup


def test_recognise_in_json_and_csv(project: Path, people: Path, stranger: Path) -> None:
    told = json.loads(eigenfaces("recognise", project, stranger, people, "--json").stdout)
    assert list(told) == ["calibrated", "note", "distance", "components", "answers", "skipped"]
    assert (told["calibrated"], told["distance"], len(told["answers"])) == (False, "L2", 21)
    first = told["answers"][0]
    assert not first["in_gallery"]
    assert first["filed_as"] is None
    assert first["distance_in"] == first["ranking"][0]["distance"]
    assert [each["rank"] for each in first["ranking"]] == [1, 2, 3]
    assert all(answer["closest"] == answer["filed_as"] for answer in told["answers"][1:])
    table = eigenfaces("recognise", project, stranger, people, "--csv", "--top", 9).stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == 21 * 4
    assert float(rows[0]["distance_in"]) == first["distance_in"]
    assert float(rows[0]["distance_from"]) == first["distance_from"]
    assert {row["person"] for row in rows} == {
        "Person 1",
        "Person 2",
        "Person 3",
        "[bold]Ångström, “=1+1”",
    }


def test_photographs_that_cannot_be_used_do_not_stop_the_others(
    project: Path, stranger: Path, tmp_path: Path
) -> None:
    gone = tmp_path / "gone.png"
    some = eigenfaces("recognise", project, gone, stranger, "--json")
    assert some.exit_code == 3
    told = json.loads(some.stdout)
    assert [len(told["answers"]), len(told["skipped"])] == [1, 1]
    assert told["skipped"][0]["photo"] == str(gone)
    assert "gone.png: The file is not there" in some.stderr
    none = eigenfaces("recognise", project, gone)
    assert none.exit_code == 1
    assert none.stdout == ""


def test_components_as_pictures_and_numbers(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert eigenfaces("components", project, "-o", folder, "-k", 4).exit_code == 0
    names = [f"component_00{i}.png" for i in (1, 2, 3, 4)]
    assert sorted(file.name for file in folder.iterdir()) == sorted(
        [*names, "components.csv", "components.npy", "mean.png"]
    )
    space = opened(project).trained.space
    values = np.load(folder / "components.npy", allow_pickle=False)
    assert np.array_equal(values, space.components[:4].reshape(4, 32, 24))
    rows = list(csv.DictReader((folder / "components.csv").read_text("utf-8").splitlines()))
    assert [float(row["variance"]) for row in rows] == list(space.variances[:4])
    for row, image in zip(rows, values, strict=True):
        levels = np.asarray(Image.open(folder / row["file"]), float)
        assert float(row["limit"]) == pytest.approx(np.abs(image).max())
        assert np.allclose((levels - 128) / 127 * float(row["limit"]), image, atol=1e-3)
    mean = np.asarray(Image.open(folder / "mean.png"), float) / 255
    assert np.abs(mean - space.mean.reshape(32, 24)).max() < 0.6 / 255


@pytest.mark.parametrize("more", [(), ("--remove-photo-mean",), ("--correlation",)])
def test_reconstruct_with_all_components_gives_the_photograph_back(
    people: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    file, rebuilt = tmp_path / "p.eigenfaces", tmp_path / "rebuilt.png"
    eigenfaces("build", people, "-o", file, "--height", 32, "--width", 24, *more)
    photo = people / "Person 3" / "2.png"
    said = eigenfaces("reconstruct", file, photo, "-k", 19, "-o", rebuilt)
    assert "19 of 19 components, which keep 100.0%" in said.stdout
    wanted = np.asarray(Image.open(photo), int)
    assert np.abs(np.asarray(Image.open(rebuilt), int) - wanted).max() <= 1
    assert eigenfaces("reconstruct", file, photo, "-k", 0, "-o", rebuilt, "--overwrite")
    assert np.abs(np.asarray(Image.open(rebuilt), int) - wanted).max() > 1


WAITING = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
import {module} as place
def wait(*given, **named):
    print("here", flush=True)
    time.sleep(60)
{place} = wait
from eigenfaces.cli import app
app(sys.argv[1:])
"""


@pytest.fixture
def before(tmp_path: Path) -> Iterator[set[Path]]:
    """Everything in the folder; after the test, nothing may have come or gone."""
    there = set(tmp_path.rglob("*"))
    yield there
    assert set(tmp_path.rglob("*")) == there


BUILD = ("build", "--sample", "-o", "new.eigenfaces")
REPLACE = ("build", "--sample", "-o", "people.eigenfaces", "--overwrite")
COMPONENTS = ("components", "people.eigenfaces", "-o", "out")
REBUILD = ("reconstruct", "people.eigenfaces", "stranger.png", "-k", "2", "-o", "x.png")


@pytest.mark.parametrize(
    ("said", "module", "place"),
    [
        (BUILD, "eigenfaces.faces", "place.load_face"),
        (BUILD, "eigenfaces.facespace", "place.leading_svd"),
        (BUILD, "pathlib", "place.Path.replace"),
        (REPLACE, "pathlib", "place.Path.replace"),
        (COMPONENTS, "PIL.Image", "place.Image.save"),
        (COMPONENTS, "pathlib", "place.Path.replace"),
        (REBUILD, "pathlib", "place.Path.replace"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_ctrl_c_leaves_nothing_behind(
    project: Path, stranger: Path, before: set[Path], said: tuple[str, ...], module: str, place: str
) -> None:
    whole = project.read_bytes()
    program = WAITING.format(module=module, place=place)
    with subprocess.Popen(
        [sys.executable, "-c", program, *said],
        cwd=project.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert err == "Stopped. Nothing is left half-written.\n"
    assert project.read_bytes() == whole


def test_a_reader_that_has_seen_enough(project: Path, people: Path) -> None:
    said = [sys.executable, "-m", "eigenfaces", "recognise", str(project)]
    with subprocess.Popen(
        [*said, *[str(people)] * 20, "--csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait(timeout=60)
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0
