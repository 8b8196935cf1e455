"""The commands about the face space: what they write and say, and what they refuse."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from cli.command_line import CROPPED, eigenfaces, failure, opened, printed
from eigenfaces.cli import learning
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.maps import map_of_components
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.laboratory.synthesis import SyntheticFace, TrainingFaces
from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.lesson import without_markup
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.project.exports import grey_levels
from eigenfaces.text import cli_name


def read(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


@pytest.mark.parametrize("of", ["a project", "digits"])
def test_components_are_pictures_and_numbers(of: str, project: Path, tmp_path: Path) -> None:
    out, subject = tmp_path / "out", [project] if of == "a project" else ["--pictures", of]
    text = printed("components", *subject, "-k", 6, "-o", out)
    assert text == f"{out}: the mean and 6 components.\n"
    x = opened(project).faces.pixels[:] if of == "a project" else load_digits().data / 16
    oracle = PCA(svd_solver="full").fit(x)
    with (out / "components.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    variances = [float(row["variance"]) for row in rows]
    np.testing.assert_allclose(variances, oracle.explained_variance_[:6], rtol=1e-5)
    drawn = [(read(out / r["file"]) - 128.0) / 127 * float(r["limit"]) for r in rows]
    along = np.abs(np.sum(np.reshape(drawn, (6, -1)) * oracle.components_[:6], axis=1))
    np.testing.assert_allclose(along, 1, atol=5e-3)  # a picture has 255 levels
    np.testing.assert_allclose(read(out / "mean.png").ravel() / 255, x.mean(axis=0), atol=0.6 / 255)


def test_components_of_a_classic_set_are_scaled_where_that_is_wanted(tmp_path: Path) -> None:
    x = np.random.default_rng(0).integers(0, 256, (40, 3, 4), np.uint8) // [[[1], [9], [1]]]
    place, out = tmp_path / "some-images-idx3-ubyte", tmp_path / "out"
    head = b"\0\0\x08\3" + np.array(x.shape, ">u4").tobytes()
    place.write_bytes(head + x.astype(np.uint8).tobytes())
    printed("components", "--pictures", place, "--scaled", "-o", out)
    with (out / "components.csv").open(encoding="utf-8-sig", newline="") as file:
        variances = [float(row["variance"]) for row in csv.DictReader(file)]
    correlations = np.corrcoef(x.reshape(40, -1).T)
    expected = np.linalg.eigvalsh(correlations)[::-1] * 40 / 39  # spreads are divided by n
    np.testing.assert_allclose(variances, expected, rtol=1e-4)
    np.testing.assert_allclose(read(out / "mean.png"), x.mean(axis=0), atol=0.6)


def test_a_lesson_is_shown_on_a_table(tmp_path: Path) -> None:
    file = tmp_path / "trees.csv"
    file.write_text("height;girth\n20,5;3\n18;1,5\n;2\n9;4\n")
    done = eigenfaces("lesson", "own-table", "--on", file, "--set", "which=2")
    assert "3 rows of trees.csv" in done.stdout
    assert "Left out: 1 of 4 rows" in done.stderr
    assert "a table of numbers (CSV)" in done.stdout
    assert "x = points.values" in printed("lesson", "scale", "--on", file, "--code")
    for name, reason in (
        ("line", "This lesson cannot be shown on"),
        ("copies", "cannot be shown on"),
    ):
        assert reason in failure("lesson", name, "--on", file)
    text = tmp_path / "trees.txt"
    text.write_bytes(b"\0\1\2")
    assert "it is not text" in failure("lesson", "own-table", "--on", text)


def test_scores_make_the_face_at_them(project: Path, tmp_path: Path) -> None:
    png = tmp_path / "face.png"
    scores = ("--score", "1=-1.5", "--score", "3=2")
    real = TrainingFaces.of(opened(project))
    for more, start in (
        ((), SyntheticFace.mean(real.space)),
        (("--random", 4), SyntheticFace.random(real.space, np.random.default_rng(4))),
    ):
        text = printed("synthesise", project, *scores, *more, "-o", png, "--overwrite")
        face = start.moved(0, -1.5).moved(2, 2)
        np.testing.assert_array_equal(read(png), grey_levels(face.pixels))
        assert f"radius {face.radius:.2f} σ per component" in text
        assert str(real.nearest(face, 1)[0].photo.path) in text
    assert "no component 200" in failure("synthesise", project, "--score", "200=1", "-o", "x.png")


def test_a_map_is_a_table_or_a_picture(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, picture = tmp_path / "map.csv", tmp_path / "map.svg"
    printed("map", project, "--axes", "3,1", "-o", table)
    components = map_of_components(opened(project))
    with table.open(encoding="utf-8-sig") as lines:
        places = [[float(cell) for cell in row[2:]] for row in list(csv.reader(lines))[1:]]
    np.testing.assert_allclose(places, components.view_coordinates([2, 0]), rtol=1e-5, atol=1e-6)
    monkeypatch.setattr(learning, "map_by_tsne", lambda gallery, tick: components)
    text = printed("map", project, "--kind", "t-sne", "-o", picture)
    assert "20 faces along component 1" in text
    assert "Person 2" in picture.read_text("utf-8")
    assert "has 19 axes, but no axis 20" in failure(
        "map", project, "--axes", "1,20", "-o", tmp_path / "x.png"
    )


CLOUD = SUBJECTS["cloud"]


def flat(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def test_a_lesson_is_written_as_a_notebook(tmp_path: Path) -> None:
    file = tmp_path / "variance.ipynb"
    assert "Most variance" in printed("lesson", "variance", "--notebook", "-o", file)
    assert json.loads(file.read_text("utf-8"))["nbformat"] == 4
    assert ".ipynb" in failure("lesson", "variance", "--notebook", "-o", tmp_path / "a.json")
    for more in ((), ("-o", file, "--set", "angle=3")):
        result = eigenfaces("lesson", "variance", "--notebook", *more)
        assert result.exit_code == 2
        assert "--notebook takes" in result.stderr


def test_all_lessons_are_listed_by_group() -> None:
    text = printed("lesson")
    for member in LESSONS:
        (line,) = (line for line in text.splitlines() if line.startswith(f"  {member.name} "))
        assert flat(line) == f"{member.name} {member.title} {member.line}"
        assert text.index(member.group) < text.index(line)


def test_the_words_of_a_lesson_its_numbers_and_its_program() -> None:
    text = flat(printed("lesson", "variance", "--set", "angle=39", "--seed", 3))
    theme = lesson("variance")
    picture = theme.show(CLOUD.make(3), angle=39)
    for words in (
        theme.title,
        *theme.see,
        theme.formula,
        theme.why,
        *(step.words for step in theme.steps),
    ):
        assert flat(without_markup(words.format_map(picture.words))) in text
    assert f"kept {picture.numbers['kept']:.4g} error {picture.numbers['error']:.4g}" in text
    assert "angle=39 the angle" in text
    assert "centred=yes the mean is subtracted from every point yes, no" in text
    settings = ("--set", "angle=39", "--set", "centred=no", "--set", "offset=1.5")
    program = printed("lesson", "variance", *settings, "--seed", 4, "--code")
    values = {**theme.default_settings, "angle": 39.0, "centred": False, "offset": 1.5}
    assert program == theme.code(CLOUD.make(4), values)


def test_pictures_are_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, other = (tmp_path / f"{name}.svg" for name in "abc")
    for path, angle in ((first, 39), (second, "39.0"), (other, 40)):
        command = ("lesson", "variance", "--set", f"angle={angle}", "-o")
        assert printed(*command, path).startswith(f"{path}: Most variance, least error.\n")
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()
    assert "--overwrite" in failure(*command, first)
    printed(*command, first, "--overwrite")
    assert first.read_bytes() == other.read_bytes()
    assert ".svg, .png or .pdf" in failure(*command, tmp_path / "figure.bmp")
    wide, pages = tmp_path / "wide.png", tmp_path / "all.pdf"
    printed("lesson", "table", "--wide", "-o", wide)
    with Image.open(wide) as picture:
        assert picture.size == (1920, 1080)
    assert "one PDF" in failure("lesson", "--all", "-o", tmp_path / "all.svg")
    shown = [(lesson("table"), lesson("table").show(SUBJECTS["table"].make(0)))]
    monkeypatch.setattr(learning, "every_picture", lambda _tick: iter(shown))
    contents = set()
    for words in (("--all",), ("--sheet", "questions"), ("--sheet", "answers")):
        printed("lesson", *words, "-o", pages, "--overwrite")
        contents.add(pages.read_bytes())
        assert pages.read_bytes().startswith(b"%PDF")
    assert len(contents) == 3


def test_pictures_are_shown_by_their_folder_with_settings_as_they_take_them(people: Path) -> None:
    """Of its people the first, as there is no group C; and no more components than it has."""
    first = min(folder.name for folder in people.iterdir())
    text = flat(printed("lesson", "who-is-in-the-data", "--on", people))
    assert f"group={cli_name(first)} the group" in text
    pictures = read_pictures(people.resolve())
    most = len(pictures.fit_space().components)
    text = printed("lesson", "rotation", "--on", people, "--set", f"k={most}")
    assert f"k={most} how" in flat(text)
    share = lesson("rotation").show(pictures, k=most).numbers["kept"]
    assert re.findall(r"(?m)^kept +(\S+)$", text) == [f"{share:.4g}"]


def test_what_is_not_there_is_a_sentence() -> None:
    for name, where, sentence in (
        ("variance", "moon", "There is no “moon” to show this on. Choose one of: cloud, a table"),
        (
            "variance",
            "digits",
            "This lesson cannot be shown on “digits”. Choose one of: cloud, a table",
        ),
        ("rotation", "digits", "Nothing in “Digits"),
    ):
        seed = ("--seed", 1) * (name == "rotation")
        assert sentence in failure("lesson", name, "--on", where, *seed)


def test_a_gallery_is_shown_by_its_file(project: Path, tmp_path: Path) -> None:
    """And its program opens that file: it prints the share of the variance of the picture."""
    command = ("lesson", "rotation", "--on", project, "--set", "k=3")
    root, elsewhere = str(Path(__file__).resolve().parents[3]), tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = [sys.executable, "-c", printed(*command, "--code")]
    place = {"cwd": elsewhere, "env": os.environ | {"PYTHONPATH": root}}
    output = subprocess.check_output(program, text=True, **place)
    kept = lesson("rotation").show(ImageSet.of_gallery(opened(project)), k=3).numbers["kept"]
    assert f"{kept:.3f} kept" in output
    assert re.findall(r"(?m)^kept +(\S+)$", printed(*command)) == [f"{kept:.4g}"]
    assert "cannot be shown on" in failure("lesson", "variance", "--on", project)
    assert "--seed" in failure(*command, "--seed", 1)


@pytest.mark.parametrize("more", [(), ("--lighting", "photo-mean")])
def test_reconstruct_with_all_components_gives_the_face_back(
    people: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    file, rebuilt = tmp_path / "p.eigenfaces", tmp_path / "rebuilt.png"
    printed("build", people, "-o", file, *CROPPED, *more)
    photo = people / "Person 3" / "2.png"
    text = printed("reconstruct", file, photo, "-k", 19, "-o", rebuilt)
    assert "19 of 19 components, which keep 100.0%" in text
    wanted = np.asarray(Image.open(photo), float)
    if "photo-mean" in more:
        wanted = np.clip(wanted - wanted.mean() + 127.5, 0, 255)
    assert np.abs(np.asarray(Image.open(rebuilt), float) - wanted).max() <= 1
    printed("reconstruct", file, photo, "-k", 0, "-o", rebuilt, "--overwrite")
    assert np.abs(np.asarray(Image.open(rebuilt), float) - wanted).max() > 1
