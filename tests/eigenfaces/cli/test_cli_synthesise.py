"""``synthesise``: the picture of the scores that were asked for, and what is said about it."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace
from eigenfaces.project.exports import grey_levels


def picture(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


def test_scores_make_the_face_at_them(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "face.png"
    said = eigenfaces("synthesise", project, "--score", "1=-1.5", "--score", "3=2", "-o", made)
    assert said.exit_code == 0
    real = RealFaces.of(opened(project))
    face = SyntheticFace.mean(real.space).moved(0, -1.5).moved(2, 2)
    np.testing.assert_array_equal(picture(made), grey_levels(face.pixels))
    (closest,) = real.nearest(face, 1)
    assert f"radius {real.radius(face):.2f} σ a component" in said.stdout
    assert real.plausibility(face) in said.stdout
    assert str(closest.photo.path) in said.stdout
    assert real.likeness(closest)[1] in said.stdout


def test_chance_follows_the_seed_and_stated_scores_stay(project: Path, tmp_path: Path) -> None:
    pictures = []
    for number, seed in enumerate((5, 5, 6)):
        made = tmp_path / f"{number}.png"
        chance = ("--random", "--seed", seed, "-k", 4, "--score", "2=0")
        assert eigenfaces("synthesise", project, *chance, "-o", made).exit_code == 0
        pictures.append(picture(made))
    np.testing.assert_array_equal(pictures[0], pictures[1])
    assert (pictures[0] != pictures[2]).any()
    space = RealFaces.of(opened(project), 4).space
    drawn = SyntheticFace.random(space, np.random.default_rng(5)).moved(1, 0)
    np.testing.assert_array_equal(pictures[0], grey_levels(drawn.pixels))


def test_without_scores_it_is_the_mean(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "mean.png"
    assert eigenfaces("synthesise", project, "-o", made).exit_code == 0
    space = opened(project).trained.space
    np.testing.assert_array_equal(picture(made).ravel(), grey_levels(space.mean))


def test_a_recipe_without_pictures_says_whose_faces_they_are(seven: Path, tmp_path: Path) -> None:
    file, made = tmp_path / "texture.eigenfaces", tmp_path / "face.png"
    built = eigenfaces("build", seven, "--recipe", "texture", "-o", file, *CROPPED)
    assert built.exit_code == 0
    said = eigenfaces("synthesise", file, "--random", "-o", made)
    assert "face space of the pixels" in " ".join(said.stderr.split())
    assert picture(made).shape == (32, 24)


@pytest.mark.parametrize(
    "score", ["1", "=2", "0=1", "-1=1", "1=", "1=nan", "1=inf", "one=1", "1=1e300"]
)
def test_what_is_no_score_is_refused(project: Path, tmp_path: Path, score: str) -> None:
    made = tmp_path / "x.png"
    refused = eigenfaces("synthesise", project, f"--score={score}", "-o", made)
    assert refused.exit_code == 2
    assert not made.exists()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (("--seed", "3"), "no effect without --random"),
        (("--score", "1=1", "--score", "1=1"), "two scores"),
        (("--score", ""), "One argument is empty"),
    ],
)
def test_what_would_have_no_effect_is_refused(
    project: Path, tmp_path: Path, said: tuple[str, ...], why: str
) -> None:
    made = tmp_path / "x.png"
    refused = eigenfaces("synthesise", project, *said, "-o", made)
    assert refused.exit_code == 2
    assert why in " ".join(refused.stderr.replace("│", " ").split())
    assert not made.exists()


def test_a_component_that_is_not_there_is_a_sentence(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "x.png"
    said = failure("synthesise", project, "--score", "200=1", "-o", made)
    assert "no component 200" in said
    assert "has 19 components, not 20" in failure("synthesise", project, "-k", 20, "-o", made)
    assert not made.exists()
    made.touch()
    assert "--overwrite" in failure("synthesise", project, "-o", made)
