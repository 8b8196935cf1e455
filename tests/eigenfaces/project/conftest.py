"""A project of a small trained gallery, open."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from synthetic import gallery as trained_gallery

from eigenfaces import Gallery, Project


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    return trained_gallery(rng)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.eigenfaces"


@pytest.fixture
def project(path: Path, gallery: Gallery) -> Iterator[Project]:
    project = Project.create(path, gallery)
    yield project
    project.close()
