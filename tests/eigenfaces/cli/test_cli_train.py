"""``train``: the face space of a project is fitted anew."""

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
from synthetic import people as made_people

from cli.command_line import eigenfaces, failure, opened
from eigenfaces.project.project import Project


@pytest.fixture
def grown(project: Path) -> Path:
    """The project with three photographs more, enrolled since it was built."""
    with contextlib.closing(Project.open(project)) as opened_project:
        new = made_people(np.random.default_rng(8), 1, 3, shape=(32, 24))
        opened_project.save(opened_project.gallery.enrol(new))
    return project


def info(file: Path) -> dict[str, object]:
    said: dict[str, object] = json.loads(eigenfaces("info", file, "--json").stdout)
    return said


def test_it_is_fitted_to_what_came_too(grown: Path) -> None:
    assert info(grown)["changed_since_training"] == 3
    trained = eigenfaces("train", grown)
    assert trained.exit_code == 0
    assert "23 photographs of 4 people, 22 components" in trained.stdout
    assert opened(grown).calibrated is not None
    assert info(grown)["changed_since_training"] == 0


def test_a_file_that_cannot_be_written_is_not_trained(grown: Path) -> None:
    grown.chmod(0o400)
    if not _read_only(grown):
        pytest.skip("this user may write every file")
    assert "cannot be written" in failure("train", grown)


def _read_only(file: Path) -> bool:
    with contextlib.closing(Project.open(file)) as project:
        return project.read_only
