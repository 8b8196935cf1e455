"""The commands about the face space: what they write and say, and what they refuse."""

import csv
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces.cli import learning
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.maps import map_by_tsne, map_of_components, map_of_directions
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace
from eigenfaces.laboratory.tsne import TsneSettings
from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.lesson import plain
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.project.exports import grey_levels
from eigenfaces.text import typed

RNG = np.random.default_rng(0)


def written(folder: Path) -> tuple[list[dict[str, str]], np.ndarray, np.ndarray]:
    """Return the table, the components as they are drawn by it, and the mean."""
    with (folder / "components.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    limits = [float(row["limit"]) for row in rows]
    files = zip(rows, limits, strict=True)
    values = [(read(folder / row["file"]) - 128.0) / 127 * limit for row, limit in files]
    return rows, np.stack(values), read(folder / "mean.png")


def read(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


def save(folder: Path, pictures: np.ndarray) -> Path:
    folder.mkdir()
    for number, picture in enumerate(pictures):
        Image.fromarray(picture).save(folder / f"{number}.png")
    return folder


def test_of_the_digits(tmp_path: Path) -> None:
    said = eigenfaces("components", "--pictures", "digits", "-k", 6, "-o", tmp_path / "x")
    assert said.exit_code == 0
    x = load_digits().data / 16
    oracle = PCA(svd_solver="full").fit(x)
    rows, values, mean = written(tmp_path / "x")
    np.testing.assert_allclose(
        [float(row["variance"]) for row in rows], oracle.explained_variance_[:6], rtol=1e-6
    )
    along = np.abs(np.sum(values.reshape(6, -1) * oracle.components_[:6], axis=1))
    np.testing.assert_allclose(along, 1, atol=5e-3)  # a picture has 255 levels
    np.testing.assert_allclose(mean.ravel() / 255, x.mean(axis=0), atol=0.6 / 255)
    kept = oracle.explained_variance_ratio_[:6].sum()
    assert "x: the mean and 6 components.\n1,797 digits, 8 × 8 pixels: 6 of 61" in said.stdout
    assert f"keep {kept:.1%} of the variance." in said.stdout


def test_of_a_folder_in_colour(tmp_path: Path) -> None:
    pictures = RNG.integers(0, 256, (7, 6, 5, 3), np.uint8)
    place = save(tmp_path / "all", pictures)
    Image.fromarray(pictures[0, ..., 0]).save(place / "grey.png")
    said = eigenfaces("components", "--pictures", place, "-o", tmp_path / "x")
    assert said.exit_code == 0
    assert "7 pictures of 8 are in colour, so all are read in colour" in said.stderr
    assert "8 pictures of all, 5 × 6 pixels in colour: 7 of 7" in said.stdout
    _, values, mean = written(tmp_path / "x")
    grey = np.repeat(pictures[:1, ..., :1], 3, axis=3)
    x = np.concatenate([pictures, grey]).reshape(8, -1)
    np.testing.assert_allclose(mean.ravel(), x.mean(axis=0), atol=0.6)
    oracle = PCA(svd_solver="full").fit(x / 255)
    along = np.abs(np.sum(values.reshape(7, -1) * oracle.components_[:7], axis=1))
    np.testing.assert_allclose(along, 1, atol=5e-3)


def test_what_cannot_be_decomposed_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "x"
    (tmp_path / "empty").mkdir()
    wrong = ("nowhere", "choose digits, patches, a folder"), (tmp_path / "empty", "no pictures in")
    for place, sentence in wrong:
        assert sentence in failure("components", "--pictures", place, "-o", out)
    digits = ("components", "--pictures", "digits", "-o")
    assert "has 61 components, not 62" in failure(*digits, out, "-k", 62)
    assert "leave --size out" in failure(*digits, out, "--size", "4x4")
    assert "not an empty folder" in failure(*digits, tmp_path)
    monkeypatch.chdir(tmp_path / "empty")
    assert "is the folder that you are in" in failure(*digits, ".")
    assert not out.exists()


def test_scores_make_the_face_at_them(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "face.png"
    said = eigenfaces("synthesise", project, "--score", "1=-1.5", "--score", "3=2", "-o", made)
    assert said.exit_code == 0
    real = RealFaces.of(opened(project))
    face = SyntheticFace.mean(real.space).moved(0, -1.5).moved(2, 2)
    np.testing.assert_array_equal(read(made), grey_levels(face.pixels))
    (closest,) = real.nearest(face, 1)
    assert f"radius {face.radius:.2f} σ a component" in said.stdout
    assert real.plausibility(face) in said.stdout
    assert str(closest.photo.path) in said.stdout
    assert real.likeness(closest)[1] in said.stdout


def test_what_cannot_be_made_is_a_sentence(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "x.png"
    for sentence, command, *said in (
        ("no component 200", "synthesise", "--score", "200=1"),
        ("has 19 components, not 20", "synthesise", "-k", 20),
        ("has 19 axes, and none of number 20", "map", "--axes", "1,20"),
    ):
        assert sentence in failure(command, project, *said, "-o", made)
    assert not made.exists()
    made.touch()
    for command in ("synthesise", "map"):
        assert "--overwrite" in failure(command, project, "-o", made)


def places(path: Path) -> np.ndarray:
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    return np.array([[float(cell) for cell in row[2:]] for row in rows[1:]])


def test_the_table_has_the_place_of_every_face(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "map.csv"
    said = eigenfaces("map", project, "--axes", "3,1", "-o", made)
    assert said.exit_code == 0
    gallery = opened(project)
    found = map_of_components(gallery)
    np.testing.assert_allclose(places(made), found.view([2, 0]), rtol=1e-5, atol=1e-6)
    kept = found.faithfulness([2, 0])
    assert kept is not None
    words = " ".join(said.stdout.split())
    assert f"trustworthiness {kept.trustworthiness:.2f}, continuity {kept.continuity:.2f}" in words
    assert words.count("component 1 (") == 1


def test_discriminant_directions(seven: Path, tmp_path: Path) -> None:
    made, project = tmp_path / "map.csv", tmp_path / "seven.eigenfaces"
    assert eigenfaces("build", seven, "-o", project, *CROPPED).exit_code == 0
    assert eigenfaces("map", project, "--kind", "fisherfaces", "-o", made).exit_code == 0
    wanted = map_of_directions(opened(project)).view([0, 1])
    np.testing.assert_allclose(places(made), wanted, rtol=1e-4, atol=1e-5)


def test_tsne_is_that_of_the_usual_settings_and_the_seed(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "map.csv"
    said = eigenfaces("map", project, "--kind", "t-sne", "--seed", 3, "-o", made)
    assert said.exit_code == 0
    assert "axes mean nothing" in said.stdout
    gallery = opened(project)
    usual = TsneSettings.usual(*gallery.trained.coordinates.shape)
    wanted = map_by_tsne(gallery, replace(usual, seed=3, start="random")).coordinates
    np.testing.assert_allclose(places(made), wanted, rtol=1e-5)
    assert not np.allclose(wanted, map_by_tsne(gallery, usual).coordinates)


ROOT = Path(__file__).resolve().parents[3]


CLOUD = SUBJECTS["cloud"]


def flat(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def test_all_lessons_are_listed_by_group() -> None:
    said = eigenfaces("lesson").stdout
    for each in LESSONS:
        (line,) = (line for line in said.splitlines() if line.startswith(f"  {each.name} "))
        assert flat(line) == f"{each.name} {each.title} {each.line}"
        assert said.index(each.group) < said.index(line)


def test_the_words_of_a_lesson_and_its_numbers() -> None:
    said = flat(eigenfaces("lesson", "variance", "--set", "angle=39", "--seed", 3).stdout)
    chosen = lesson("variance")
    picture = chosen.show(CLOUD.make(3), angle=39)
    for text in (chosen.title, *chosen.see, chosen.formula, chosen.why, *chosen.tries):
        assert flat(plain(text.format_map(picture.words))) in said
    assert f"kept {picture.numbers['kept']:.4g} error {picture.numbers['error']:.4g}" in said
    assert "angle=39 the angle" in said
    assert "centred=yes the mean is subtracted from every point yes, no" in said


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_picture_is_that_of_the_settings(suffix: str, tmp_path: Path) -> None:
    first, second, other = (tmp_path / f"{name}.{suffix}" for name in "abc")
    for path, angle in ((first, 39), (second, "39.0"), (other, 40)):
        asked = ("lesson", "variance", "--set", f"angle={angle}", "-o")
        made = eigenfaces(*asked, path)
        assert made.exit_code == 0
        assert made.stdout.startswith(f"{path}: Most variance, least error.\n")
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()
    assert "--overwrite" in failure(*asked, first)
    assert eigenfaces(*asked, first, "--overwrite").exit_code == 0
    assert first.read_bytes() == other.read_bytes()
    assert ".svg, .png or .pdf" in failure(*asked, tmp_path / "figure.bmp")


def test_all_lessons_are_one_file_and_one_is_as_wide_as_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = tmp_path / "wide.png"
    assert eigenfaces("lesson", "table", "--wide", "-o", one).exit_code == 0
    with Image.open(one) as picture:
        assert picture.size == (1920, 1080)
    assert "one PDF" in failure("lesson", "--all", "-o", tmp_path / "all.svg")
    shown = [lesson(name).show(SUBJECTS[name].make(0)) for name in ("table", "line")]
    monkeypatch.setattr(learning, "every_picture", lambda _tick: iter(shown))
    assert eigenfaces("lesson", "--all", "-o", tmp_path / "all.pdf").exit_code == 0
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")


def test_the_program_is_that_of_the_settings() -> None:
    settings = ("--set", "angle=39", "--set", "centred=no", "--set", "offset=1.5")
    made = eigenfaces("lesson", "variance", *settings, "--seed", 4, "--code")
    chosen = lesson("variance")
    setting = {**chosen.settings, "angle": 39.0, "centred": False, "offset": 1.5}
    assert made.stdout == chosen.code(CLOUD.make(4), setting)


def test_pictures_are_shown_by_their_folder_with_settings_as_they_take_them(people: Path) -> None:
    """Of its people the first, as there is no group C; and no more components than it has."""
    first = min(each.name for each in people.iterdir() if each.is_dir())
    said = flat(eigenfaces("lesson", "who-is-in-the-data", "--on", people).stdout)
    assert f"group={typed(first)} which" in said
    read, chosen = read_pictures(people.resolve()), lesson("rotation")
    most = len(read.space().components)
    said = eigenfaces("lesson", "rotation", "--on", people, "--set", f"k={most}").stdout
    assert f"k={most} how" in flat(said)
    kept = chosen.show(read, k=most).numbers["kept"]
    assert re.findall(r"(?m)^kept +(\S+)$", said) == [f"{kept:.4g}"]


def test_what_is_not_there_is_a_sentence() -> None:
    for name, where, sentence in (
        ("variance", "moon", "There is no “moon” to show this on. Choose one of: cloud."),
        ("variance", "digits", "This lesson is not shown on “digits”. Choose one of: cloud."),
        ("rotation", "digits", "Nothing is drawn in “Digits"),
    ):
        seed = ("--seed", 1) * (name == "rotation")
        assert sentence in failure("lesson", name, "--on", where, *seed)


def test_a_gallery_is_shown_by_its_file(project: Path, tmp_path: Path) -> None:
    """And its program opens that file: it prints the share of the variance of the picture."""
    asked = ("lesson", "rotation", "--on", project, "--set", "k=3")
    code = eigenfaces(*asked, "--code").stdout
    (tmp_path / "elsewhere").mkdir()
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path / "elsewhere",
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    chosen = lesson("rotation")
    subject = ImageSet.of_gallery(opened(project))
    numbers = chosen.show(subject, k=3).numbers
    assert f"{numbers['kept']:.3f} kept" in run.stdout
    assert re.findall(r"(?m)^kept +(\S+)$", eigenfaces(*asked).stdout) == [f"{numbers['kept']:.4g}"]
    assert "not shown on" in failure("lesson", "variance", "--on", project)
    assert "--seed" in failure(*asked, "--seed", 1)


def test_components_as_pictures_and_numbers(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert eigenfaces("components", project, "-o", folder, "-k", 4).exit_code == 0
    space = opened(project).trained.space
    rows, _, mean = written(folder)  # the digits show that the pictures are right
    names = [f"component_00{i}.png" for i in (1, 2, 3, 4)]
    there = {file.name for file in folder.iterdir()}
    assert there == {*names, "components.csv", "mean.png"}
    assert [row["file"] for row in rows] == names
    assert [float(row["variance"]) for row in rows] == list(space.variances[:4])
    np.testing.assert_allclose(mean / 255, space.mean.reshape(32, 24), atol=0.6 / 255)


@pytest.mark.parametrize("more", [(), ("--lighting", "photo-mean"), ("--correlation",)])
def test_reconstruct_with_all_components_gives_the_face_back(
    people: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    file, rebuilt = tmp_path / "p.eigenfaces", tmp_path / "rebuilt.png"
    eigenfaces("build", people, "-o", file, *CROPPED, *more)
    photo = people / "Person 3" / "2.png"
    said = eigenfaces("reconstruct", file, photo, "-k", 19, "-o", rebuilt)
    assert "19 of 19 components, which keep 100.0%" in said.stdout
    wanted = np.asarray(Image.open(photo), float)
    if "photo-mean" in more:
        wanted = np.clip(wanted - wanted.mean() + 127.5, 0, 255)
    assert np.abs(np.asarray(Image.open(rebuilt), float) - wanted).max() <= 1
    again = eigenfaces("reconstruct", file, photo, "-k", 0, "-o", rebuilt, "--overwrite")
    assert again.exit_code == 0
    assert np.abs(np.asarray(Image.open(rebuilt), float) - wanted).max() > 1
