"""``learn``: the file it writes, what it measures, and what it refuses."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from skimage import data

from cli.command_line import eigenfaces, failure
from eigenfaces import learning
from eigenfaces.cli import learn as command
from eigenfaces.faces.detection import general_faces

SHIPPED = Path(__file__).resolve().parents[3] / "assets" / "faces.npz"


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """Ten people who look alike, a photograph with its eyes and one without, each."""
    lines = ["file,left_x,left_y,right_x,right_y"]
    face = Image.fromarray(data.astronaut()).crop((120, 0, 320, 200))
    for number in range(10):
        home = tmp_path / "london" / f"{number}"
        home.mkdir(parents=True)
        face.save(home / "neutral.png")
        face.save(home / "smiling.png")
        lines.append(f"{number}/neutral.png,83.9,100.2,126.1,102.2")
    (tmp_path / "london" / "eyes.csv").write_text("\n".join(lines))
    return tmp_path / "london"


def test_it_writes_and_measures(
    marked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int, float]] = []

    def shipped(
        photos: list[learning.Marked],
        beside: list[learning.Marked],
        rng: np.random.Generator,
        tick: object,
    ) -> object:
        seen.append((len(photos), len(beside), rng.random()))
        return general_faces()

    monkeypatch.setattr(command, "learn_faces", shipped)
    monkeypatch.setattr(learning, "VIEWS", 1)
    out = tmp_path / "new"
    result = eigenfaces("learn", marked, "-o", out, "--seed", 7, "--held-out")
    assert result.exit_code == 0
    assert seen == [(10, 10, np.random.default_rng(7).random())]
    assert "learnt from 20 photographs and the sample, seed 7." in result.stdout
    assert "100 starts in 5 folds" in result.stdout
    assert out.read_bytes() == SHIPPED.read_bytes()
    assert "--overwrite" in failure("learn", marked, "-o", out)


def test_what_it_cannot_learn_from(marked: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.npz"
    assert "cannot be read" in failure("learn", tmp_path, "-o", out)
    (marked / "3" / "smiling.png").write_text("no picture")
    said = failure("learn", marked, "-o", out)
    assert "smiling.png" in said
    assert "not a picture" in said
    lines = (marked / "eyes.csv").read_text().splitlines()
    (marked / "eyes.csv").write_text("\n".join(lines[:4]))
    assert "fewer than ten" in failure("learn", marked, "-o", out)
    assert not out.exists()
