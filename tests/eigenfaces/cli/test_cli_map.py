"""``map``: the places are those of the map that was asked for, and the figure shows them all."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces.laboratory.maps import map_by_tsne, map_of_components, map_of_directions
from eigenfaces.laboratory.tsne import TsneSettings
from eigenfaces.report.plots import map_plot


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
    assert eigenfaces("map", project, "--kind", "discriminant", "-o", made).exit_code == 0
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


def test_a_seed_without_chance_is_refused(project: Path, tmp_path: Path) -> None:
    said = eigenfaces("map", project, "--seed", 3, "-o", tmp_path / "map.csv")
    assert said.exit_code == 2
    assert "leave out --seed" in " ".join(said.stderr.split())


@pytest.mark.parametrize("suffix", ["svg", "png", "SVG"])
def test_pictures(project: Path, tmp_path: Path, suffix: str) -> None:
    made, again = tmp_path / f"map.{suffix}", tmp_path / f"again.{suffix}"
    for path in (made, again):
        assert eigenfaces("map", project, "-o", path).exit_code == 0
    assert made.read_bytes() == again.read_bytes()
    if suffix == "png":
        with Image.open(made) as picture:
            assert picture.size == (1300, 1040)
    else:
        text = made.read_text("utf-8")
        assert "<title>Map of 20 faces</title>" in text
        assert "Ångström" in text
        assert "in σ" in text


def test_every_face_is_drawn_in_its_place_and_people_look_different(project: Path) -> None:
    gallery = opened(project)
    found = map_of_components(gallery)
    axes = Figure().add_subplot()
    map_plot(found, (0, 1), gallery, None).draw(axes)
    drawn = np.concatenate([np.asarray(each.get_offsets()) for each in axes.collections])
    wanted = found.view([0, 1])
    order, expected = (np.lexsort(points.T) for points in (drawn, wanted))
    np.testing.assert_allclose(drawn[order], wanted[expected])
    assert len({tuple(each.get_facecolor()[0]) for each in axes.collections}) == 4
    names = [text.get_text() for text in axes.texts]
    assert len(names) == len(set(names)) <= 4


def test_what_cannot_be_drawn_is_a_sentence(project: Path, tmp_path: Path) -> None:
    made = tmp_path / "x.svg"
    assert "has 19 axes, and none of number 20" in failure(
        "map", project, "--axes", "1,20", "-o", made
    )
    for wrong in ("1", "1,1", "0,1", "1,2,3", "a,b", "-1,2"):
        refused = eigenfaces("map", project, f"--axes={wrong}", "-o", made)
        assert refused.exit_code == 2
        assert "two axes" in refused.stderr
    assert eigenfaces("map", project, "--kind", "umap", "-o", made).exit_code == 2
    assert eigenfaces("map", project, "-o", tmp_path / "x.jpg").exit_code == 2
    assert not made.exists()
    made.touch()
    assert "--overwrite" in failure("map", project, "-o", made)
