"""The tables of a project file: damage of any kind is noticed and said, never shown as a face."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from project_states import digest
from synthetic import gallery as trained_gallery

from eigenfaces import Gallery, Project
from eigenfaces.errors import ProjectError


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


class TestDamage:
    def opened(self, path: Path) -> str:
        """Digest of what is opened, or nothing where that is refused with a sentence."""
        try:
            with contextlib.closing(Project.open(path)) as project:
                return digest(project.gallery)
        except ProjectError:
            return ""

    @pytest.mark.parametrize(
        "statement",
        [
            "DROP TABLE setting",
            "DELETE FROM setting",
            "UPDATE setting SET value = '[' WHERE name = 'recipe'",
            "UPDATE setting SET value = replace(value, '16', '17')",
            "UPDATE face SET crop = x'00' WHERE rowid = 1",
            "DELETE FROM face WHERE rowid = 3",
            "UPDATE photo SET height = 1e300",
            "UPDATE photo SET person = 77 WHERE rowid = 2",
            "UPDATE photo SET path = NULL OR 5",
            "UPDATE space SET height = 9223372036854775807, width = 9223372036854775807",
            "UPDATE space SET mean = 'text'",
            "UPDATE coordinate SET value = x'0000803f'",
            "DELETE FROM coordinate WHERE rowid = 4",
            "DELETE FROM component WHERE number = 2",
            "DELETE FROM fitted WHERE rowid = 1",
            "UPDATE person SET name = 'somebody else' WHERE id = 1",
            "UPDATE photo SET seal = NULL",
        ],
    )
    def test_tampered_with(self, project: Project, path: Path, statement: str) -> None:
        project.close()
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
        with pytest.raises(ProjectError, match=r"^The project file is damaged .*copy of it\.$"):
            Project.open(path)

    def test_flipped_bytes(self, project: Project, path: Path, gallery: Gallery) -> None:
        """It opens as it was, or not at all: a face or a number changed would not be noticed."""
        project.close()
        whole, expected = path.read_bytes(), digest(gallery)
        rng = np.random.default_rng(1)
        places = [*range(100), *rng.integers(100, len(whole), 400).tolist()]
        refused = 0
        for number, place in enumerate(places):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << int(rng.integers(8)) if number % 2 else 0xFF
            path.write_bytes(damaged)
            found = self.opened(path)
            assert found in ("", expected), place
            refused += found == ""
        assert refused > 150  # the rest is unused room

    def test_truncated(self, project: Project, path: Path) -> None:
        project.close()
        whole = path.read_bytes()
        rng = np.random.default_rng(1)
        for length in [1, 15, 16, 99, 100, 4096, len(whole) - 1, *rng.integers(0, len(whole), 40)]:
            path.write_bytes(whole[:length])
            assert self.opened(path) == ""

    def test_a_hole(self, project: Project, path: Path) -> None:
        project.close()
        whole = path.read_bytes()
        for page in range(0, len(whole), 4096):
            path.write_bytes(whole[:page] + bytes(4096) + whole[page + 4096 :])
            assert self.opened(path) in ("", digest(project.gallery))
