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
from eigenfaces import Gallery
from eigenfaces.cli import learning
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.maps import FaceMap, map_of_components
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


def test_of_pictures(tmp_path: Path) -> None:
    """The digits of scikit-learn, and a folder in which one picture is grey."""
    result = eigenfaces("components", "--pictures", "digits", "-k", 6, "-o", tmp_path / "digits")
    x = load_digits().data / 16
    oracle = PCA(svd_solver="full").fit(x)
    share = f"keep {oracle.explained_variance_ratio_[:6].sum():.1%} of the variance."
    assert (
        "digits: the mean and 6 components.\n1,797 digits, 8 × 8 pixels: 6 of 61" in result.stdout
    )
    assert (result.exit_code, share in result.stdout) == (0, True)
    rows, values, mean = written(tmp_path / "digits")
    variances = [float(row["variance"]) for row in rows]
    np.testing.assert_allclose(variances, oracle.explained_variance_[:6], rtol=1e-6)
    along = np.abs(np.sum(values.reshape(6, -1) * oracle.components_[:6], axis=1))
    np.testing.assert_allclose(along, 1, atol=5e-3)  # a picture has 255 levels
    np.testing.assert_allclose(mean.ravel() / 255, x.mean(axis=0), atol=0.6 / 255)
    pictures = RNG.integers(0, 256, (7, 6, 5, 3), np.uint8)
    place = save(tmp_path / "all", pictures)
    Image.fromarray(pictures[0, ..., 0]).save(place / "grey.png")
    result = eigenfaces("components", "--pictures", place, "-o", tmp_path / "x")
    assert "7 pictures of 8 are in colour, so all are read in colour" in result.stderr
    assert "8 pictures of all, 5 × 6 pixels in colour: 7 of 7" in result.stdout
    _, values, mean = written(tmp_path / "x")
    grey = np.repeat(pictures[:1, ..., :1], 3, axis=3)
    x = np.concatenate([pictures, grey]).reshape(8, -1)
    np.testing.assert_allclose(mean.ravel(), x.mean(axis=0), atol=0.6)
    components = PCA(svd_solver="full").fit(x / 255).components_[:7]
    along = np.abs(np.sum(values.reshape(7, -1) * components, axis=1))
    np.testing.assert_allclose(along, 1, atol=5e-3)


def test_what_cannot_be_made_is_a_sentence(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, png, pictures = tmp_path / "x", tmp_path / "x.png", ("components", "--pictures")
    (tmp_path / "empty").mkdir()
    for words, *command in (
        ("choose digits, patches, a folder", *pictures, "nowhere", "-o", out),
        ("no pictures in", *pictures, tmp_path / "empty", "-o", out),
        ("has 61 components, not 62", *pictures, "digits", "-k", 62, "-o", out),
        ("leave --size out", *pictures, "digits", "--size", "4x4", "-o", out),
        ("not an empty folder", *pictures, "digits", "-o", tmp_path),
        ("no component 200", "synthesise", project, "--score", "200=1", "-o", png),
        ("has 19 components, not 20", "synthesise", project, "-k", 20, "-o", png),
        ("has 19 axes, and none of number 20", "map", project, "--axes", "1,20", "-o", png),
    ):
        assert words in failure(*command)
    assert not out.exists()
    assert not png.exists()
    png.touch()
    for name in ("synthesise", "map"):
        assert "--overwrite" in failure(name, project, "-o", png)
    monkeypatch.chdir(tmp_path / "empty")
    assert "is the folder that you are in" in failure(*pictures, "digits", "-o", ".")


def test_scores_make_the_face_at_them(project: Path, tmp_path: Path) -> None:
    png = tmp_path / "face.png"
    result = eigenfaces("synthesise", project, "--score", "1=-1.5", "--score", "3=2", "-o", png)
    assert result.exit_code == 0
    real = RealFaces.of(opened(project))
    face = SyntheticFace.mean(real.space).moved(0, -1.5).moved(2, 2)
    np.testing.assert_array_equal(read(png), grey_levels(face.pixels))
    (closest,) = real.nearest(face, 1)
    assert f"radius {face.radius:.2f} σ a component" in result.stdout
    assert str(closest.photo.path) in result.stdout


def places(path: Path) -> np.ndarray:
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    return np.array([[float(cell) for cell in row[2:]] for row in rows[1:]])


def test_the_table_of_a_map_has_the_place_of_every_face(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "map.csv"
    command = ("-o", table, "--overwrite")
    result = eigenfaces("map", project, "--axes", "3,1", *command)
    gallery = opened(project)
    components = map_of_components(gallery)
    np.testing.assert_allclose(places(table), components.view([2, 0]), rtol=1e-5, atol=1e-6)
    faithful = components.faithfulness([2, 0])
    assert faithful is not None
    words = " ".join(result.stdout.split())
    assert f"trustworthiness {faithful.trustworthiness:.2f} " in words
    assert words.count("component 1 (") == 1
    usual, settings = TsneSettings.usual(*gallery.trained.coordinates.shape), list[TsneSettings]()

    def quickly(gallery: Gallery, wanted: TsneSettings, tick: object) -> FaceMap:
        settings.append(wanted)
        return map_of_components(gallery)

    monkeypatch.setattr(learning, "map_by_tsne", quickly)
    for seed in ((), ("--seed", 3)):
        assert eigenfaces("map", project, "--kind", "t-sne", *seed, *command).exit_code == 0
    assert settings == [usual, replace(usual, seed=3, start="random")]


ROOT = Path(__file__).resolve().parents[3]


CLOUD = SUBJECTS["cloud"]


def flat(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def test_all_lessons_are_listed_by_group() -> None:
    text = eigenfaces("lesson").stdout
    for member in LESSONS:
        (line,) = (line for line in text.splitlines() if line.startswith(f"  {member.name} "))
        assert flat(line) == f"{member.name} {member.title} {member.line}"
        assert text.index(member.group) < text.index(line)


def test_the_words_of_a_lesson_its_numbers_and_its_program() -> None:
    text = flat(eigenfaces("lesson", "variance", "--set", "angle=39", "--seed", 3).stdout)
    theme = lesson("variance")
    picture = theme.show(CLOUD.make(3), angle=39)
    for words in (theme.title, *theme.see, theme.formula, theme.why, *theme.tries):
        assert flat(plain(words.format_map(picture.words))) in text
    assert f"kept {picture.numbers['kept']:.4g} error {picture.numbers['error']:.4g}" in text
    assert "angle=39 the angle" in text
    assert "centred=yes the mean is subtracted from every point yes, no" in text
    settings = ("--set", "angle=39", "--set", "centred=no", "--set", "offset=1.5")
    program = eigenfaces("lesson", "variance", *settings, "--seed", 4, "--code").stdout
    values = {**theme.settings, "angle": 39.0, "centred": False, "offset": 1.5}
    assert program == theme.code(CLOUD.make(4), values)


def test_the_picture_is_that_of_the_settings(tmp_path: Path) -> None:
    first, second, other = (tmp_path / f"{name}.svg" for name in "abc")
    for path, angle in ((first, 39), (second, "39.0"), (other, 40)):
        command = ("lesson", "variance", "--set", f"angle={angle}", "-o")
        result = eigenfaces(*command, path)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"{path}: Most variance, least error.\n")
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()
    assert "--overwrite" in failure(*command, first)
    assert eigenfaces(*command, first, "--overwrite").exit_code == 0
    assert first.read_bytes() == other.read_bytes()
    assert ".svg, .png or .pdf" in failure(*command, tmp_path / "figure.bmp")
    wide = tmp_path / "wide.png"
    assert eigenfaces("lesson", "table", "--wide", "-o", wide).exit_code == 0
    with Image.open(wide) as picture:
        assert picture.size == (1920, 1080)


def test_pictures_are_shown_by_their_folder_with_settings_as_they_take_them(people: Path) -> None:
    """Of its people the first, as there is no group C; and no more components than it has."""
    first = min(folder.name for folder in people.iterdir())
    text = flat(eigenfaces("lesson", "who-is-in-the-data", "--on", people).stdout)
    assert f"group={typed(first)} which" in text
    pictures = read_pictures(people.resolve())
    most = len(pictures.space().components)
    text = eigenfaces("lesson", "rotation", "--on", people, "--set", f"k={most}").stdout
    assert f"k={most} how" in flat(text)
    share = lesson("rotation").show(pictures, k=most).numbers["kept"]
    assert re.findall(r"(?m)^kept +(\S+)$", text) == [f"{share:.4g}"]


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


@pytest.mark.parametrize("more", [(), ("--lighting", "photo-mean")])
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
