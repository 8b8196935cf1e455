"""Photographs and a project to run commands on."""

from pathlib import Path

import numpy as np
import pytest
import synthetic
from PIL import Image

from cli.command_line import CROPPED, printed
from eigenfaces.project.exports import grey_levels


@pytest.fixture
def people(tmp_path: Path, rng: np.random.Generator) -> Path:
    """A folder of four people × five photographs, with a space and letters of many kinds."""
    folder, faces = tmp_path / "Photos of Zoë", synthetic.people(rng, shape=(32, 24))
    for row, photo in enumerate(faces.index.photos):
        home = folder / str(photo.person).replace("Person 4", "[bold]Ångström, “=1+1”")
        home.mkdir(parents=True, exist_ok=True)
        Image.fromarray(grey_levels(faces.image(row))).save(home / f"{row % 5 + 1}.png")
    return folder


@pytest.fixture
def project(people: Path, tmp_path: Path) -> Path:
    file = tmp_path / "people.eigenfaces"
    printed("build", people, "-o", file, *CROPPED)
    return file


@pytest.fixture
def stranger(tmp_path: Path, rng: np.random.Generator) -> Path:
    file = tmp_path / "stranger.png"
    Image.fromarray(grey_levels(rng.random((32, 24), np.float32))).save(file)
    return file
