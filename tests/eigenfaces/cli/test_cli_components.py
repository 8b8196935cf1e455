"""``components`` of pictures that are no faces: what is written, what is said, what is refused."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from cli.command_line import eigenfaces, failure

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


def test_of_patches(tmp_path: Path) -> None:
    said = eigenfaces("components", "--pictures", "patches", "-k", 2, "-o", tmp_path / "x")
    assert said.exit_code == 0
    assert written(tmp_path / "x")[1].shape == (2, 12, 12)


def test_of_a_folder_in_colour(tmp_path: Path) -> None:
    pictures = RNG.integers(0, 256, (7, 6, 5, 3), np.uint8)
    place = save(tmp_path / "all", pictures)
    Image.fromarray(pictures[0, ..., 0]).save(place / "grey.png")
    said = eigenfaces("components", "--pictures", place, "-o", tmp_path / "x")
    assert said.exit_code == 0
    assert "7 pictures of 8 are in colour, so all are read in colour" in said.stderr
    assert "8 pictures of all, 5 × 6 pixels in colour: 7 of 7" in said.stdout
    _, values, mean = written(tmp_path / "x")
    assert values.shape == (7, 6, 5, 3)
    assert mean.shape == (6, 5, 3)
    grey = np.repeat(pictures[:1, ..., :1], 3, axis=3)
    oracle = PCA(svd_solver="full").fit(np.concatenate([pictures, grey]).reshape(8, -1) / 255)
    along = np.abs(np.sum(values.reshape(7, -1) * oracle.components_[:7], axis=1))
    np.testing.assert_allclose(along, 1, atol=5e-3)


def test_of_pictures_cut_to_one_size(tmp_path: Path) -> None:
    place = save(tmp_path / "all", RNG.integers(0, 256, (4, 9, 8), np.uint8))
    Image.fromarray(RNG.integers(0, 256, (20, 20), np.uint8)).save(place / "large.png")
    refused = failure("components", "--pictures", place, "-o", tmp_path / "x")
    assert "2 different sizes (4 of 8 × 9, 1 of 20 × 20 pixels)" in refused
    said = eigenfaces("components", "--pictures", place, "--size", "6x4", "-o", tmp_path / "x")
    assert said.exit_code == 0
    assert "All are cut in the middle and resized to 6 × 4 pixels." in said.stderr
    assert written(tmp_path / "x")[1].shape == (4, 4, 6)


def test_what_cannot_be_decomposed_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "x"
    (tmp_path / "empty").mkdir()
    (tmp_path / "note.txt").write_text("hello", "utf-8")
    (tmp_path / "empty.npz").touch()
    for place, sentence in (
        ("nowhere", "choose digits, patches, a folder"),
        (tmp_path / "empty", "no pictures in"),
        (tmp_path / "note.txt", "holds no pictures"),
        (tmp_path / "empty.npz", "holds no pictures"),
        (save(tmp_path / "one", RNG.integers(0, 256, (1, 4, 4), np.uint8)), "one picture"),
        (save(tmp_path / "same", np.zeros((3, 4, 4), np.uint8)), "All 3 pictures are the same"),
    ):
        assert sentence in failure("components", "--pictures", place, "-o", out)
    digits = ("components", "--pictures", "digits", "-o")
    assert "has 61 components, not 62" in failure(*digits, out, "-k", 62)
    assert "leave --size out" in failure(*digits, out, "--size", "4x4")
    assert "not an empty folder" in failure(*digits, tmp_path)
    monkeypatch.chdir(tmp_path / "empty")
    assert "is the folder that you are in" in failure(*digits, ".")
    assert not out.exists()


@pytest.mark.parametrize(
    "said",
    [
        ("--pictures", "digits", "--size", "4"),
        ("--pictures", "digits", "--size", "0x4"),
        ("--pictures", "digits", "some.eigenfaces"),
        ("some.eigenfaces", "--size", "4x4"),
        (),
    ],
)
def test_wrong_usage_of_components(said: tuple[str, ...], tmp_path: Path) -> None:
    assert eigenfaces("components", *said, "-o", tmp_path / "x").exit_code == 2
    assert list(tmp_path.iterdir()) == []
