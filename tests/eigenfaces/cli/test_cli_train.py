"""``train``: the face space of a project is fitted anew, or updated."""

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


def test_it_is_updated_with_what_came_and_says_the_error(grown: Path) -> None:
    assert info(grown)["changed_since_training"] == 3
    updated = eigenfaces("train", grown, "--update")
    assert updated.exit_code == 0
    said = "Fitted to 20 faces and updated with 3: the same, to rounding, as a fit to all 23."
    assert updated.stdout.splitlines()[-1] == said
    assert "23 photographs of 4 people, 22 components" in updated.stdout
    assert opened(grown).calibrated is not None
    assert (info(grown)["changed_since_training"], info(grown)["updated"]) == (0, said)
    assert "updated with 3" in " ".join(eigenfaces("info", grown).stdout.split())
    assert "nothing to update" in failure("train", grown, "--update")


def test_trained_anew_it_forgets_the_update(grown: Path) -> None:
    eigenfaces("train", grown, "--update")
    trained = eigenfaces("train", grown)
    assert trained.exit_code == 0
    assert "22 components" in trained.stdout
    assert "updated" not in trained.stdout
    assert info(grown)["updated"] == ""


def test_what_only_training_can_do_changes_nothing(grown: Path) -> None:
    with contextlib.closing(Project.open(grown)) as project:
        project.save(project.gallery.remove([project.gallery.index.photos[0].key]))
    before = grown.read_bytes()
    assert "takes nothing out" in failure("train", grown, "--update")
    assert grown.read_bytes() == before
    assert eigenfaces("train", grown).exit_code == 0


def test_a_file_that_cannot_be_written_is_not_trained(grown: Path) -> None:
    grown.chmod(0o400)
    if not _read_only(grown):
        pytest.skip("this user may write every file")
    assert "cannot be written" in failure("train", grown)


def _read_only(file: Path) -> bool:
    with contextlib.closing(Project.open(file)) as project:
        return project.read_only
