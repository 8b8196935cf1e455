"""The tables of a project file: damage of any kind is noticed and said, never shown as a face."""

import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from project_states import digest, reopened

from eigenfaces import Gallery, Project
from eigenfaces.errors import ProjectError
from eigenfaces.photographs.placement import WHOLE, Eyes, Placement


def test_a_fault_of_the_program_is_no_damage(
    path: Path, gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise AttributeError("a fault of the program")

    Project.create(path, gallery).close()
    monkeypatch.setattr("eigenfaces.project.storage.load_photos", fault)
    with pytest.raises(AttributeError):
        Project.open(path)


def test_what_was_fitted_to_comes_back_in_however_many_blocks(
    gallery: Gallery, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eigenfaces.project.training_tables._FITTED_AT_ONCE", 5)
    Project.create(path, gallery).close()
    assert digest(reopened(path)) == digest(gallery)


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
            "UPDATE photo SET crop = 'x' WHERE rowid = 1",
            "DELETE FROM face WHERE rowid = 3",
            "UPDATE photo SET height = 1e300",
            "UPDATE photo SET person = 77 WHERE rowid = 2",
            "UPDATE photo SET path = NULL OR 5",
            "UPDATE space SET height = 9223372036854775807, width = 9223372036854775807",
            "UPDATE space SET mean = 'text'",
            "UPDATE coordinate SET value = x'0000803f'",
            "DELETE FROM coordinate",
            "DELETE FROM component WHERE number = 2",
            "DELETE FROM fitted",
            "UPDATE person SET name = 'somebody else' WHERE id = 1",
            "UPDATE photo SET seal = NULL",
            "UPDATE photo SET eyes = zeroblob(32)",
            "UPDATE photo SET turned = 1",
            "UPDATE photo SET source = 'by hand'",
        ],
    )
    def test_tampered_with(self, project: Project, path: Path, statement: str) -> None:
        project.close()
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
        with pytest.raises(
            ProjectError, match=r"^“.*” is damaged \(.*\)\. Use a backup copy of it\.$"
        ):
            Project.open(path)

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE face SET levels = x'00' WHERE rowid = 5",
            "UPDATE face SET levels = printf('%256s', 'x') WHERE rowid = 5",
            "UPDATE face SET levels = zeroblob(256) WHERE rowid = 5",
            "UPDATE face SET crop = 'x' WHERE rowid = 5",
            "UPDATE face SET levels = (SELECT levels FROM face WHERE rowid = 4) WHERE rowid = 5",
        ],
    )
    def test_a_face_is_checked_when_it_is_read(
        self, project: Project, path: Path, statement: str
    ) -> None:
        """The others are shown as they are."""
        expected = project.gallery.faces.pixels[:]
        project.close()
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
        with contextlib.closing(Project.open(path)) as opened:
            crops = opened.gallery.faces.pixels
            for read in (lambda: crops[4], lambda: crops[:], lambda: list(crops.blocks())):
                with pytest.raises(ProjectError, match=r"damaged .*Use a backup copy of it\."):
                    read()
            others = [row for row in range(len(crops)) if row != 4]
            np.testing.assert_array_equal(crops[others], expected[others])

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

    def test_flipped_bytes_of_a_large_file(
        self, project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whose pages are not all looked at: what is used of it is checked all the same."""
        monkeypatch.setattr("eigenfaces.project.tables._FEW_PAGES", 0)
        expected = digest(project.gallery)
        project.close()
        whole = path.read_bytes()
        rng = np.random.default_rng(2)
        found = []
        for place in rng.integers(100, len(whole), 200).tolist():
            damaged = bytearray(whole)
            damaged[place] ^= 0xFF
            path.write_bytes(damaged)
            found.append(self.opened(path))
        assert {*found} == {"", expected}

    def test_truncated(self, project: Project, path: Path) -> None:
        """It is refused; or nothing was cut off but the empty end of its last page."""
        expected = digest(project.gallery)
        project.close()
        whole = path.read_bytes()
        rng = np.random.default_rng(1)
        for length in [1, 15, 16, 99, 100, 4096, len(whole) - 1, *rng.integers(0, len(whole), 40)]:
            path.write_bytes(whole[:length])
            assert self.opened(path) in ("", expected)

    def test_a_hole(self, project: Project, path: Path) -> None:
        expected = digest(project.gallery)
        project.close()
        whole = path.read_bytes()
        for page in range(0, len(whole), 4096):
            path.write_bytes(whole[:page] + bytes(4096) + whole[page + 4096 :])
            assert self.opened(path) in ("", expected)


EYES = Eyes((10.125, 20.5), (30.0, 1 / 3))
PLACEMENTS = [
    WHOLE,
    Placement(EYES),
    Placement(EYES, "by hand"),
    Placement(EYES, "from a file"),
    Placement(EYES, "found", 3),
    Placement(None, "by hand"),
    Placement(None, "found", 1),
    Placement(Eyes((-4.0, 7.0), (12.0, 9.0)), "by hand", 2),
]
"""Every source, with eyes and whole, upright and turned."""


def placed(gallery: Gallery, placements: list[Placement]) -> Gallery:
    """Say of the first faces of a gallery where they lie in their photographs."""
    described = zip(gallery.index.photos, placements, strict=False)
    changed = {photo.key: replace(photo, placement=where) for photo, where in described}
    return replace(gallery, faces=gallery.faces.with_photos(changed))


def where(gallery: Gallery) -> list[Placement]:
    return [photo.placement for photo in gallery.index.photos[: len(PLACEMENTS)]]


class TestPlacements:
    def reopened(self, project: Project) -> Project:
        project.close()
        return Project.open(project.path)

    def test_all_kinds_come_back_and_are_kept_by_other_edits(
        self, path: Path, gallery: Gallery
    ) -> None:
        project = Project.create(path, placed(gallery, PLACEMENTS))
        project = self.reopened(project)
        assert where(project.gallery) == PLACEMENTS
        project.save(project.gallery.rename("Person 1", "Ada"))
        project = self.reopened(project)
        assert where(project.gallery) == PLACEMENTS
        assert project.gallery.people[0] == "Ada"
        project.close()

    def test_others_keep_theirs_when_some_photos_go(self, project: Project) -> None:
        project.save(placed(project.gallery, PLACEMENTS))
        gone = [photo.key for photo in project.gallery.index.photos[1:4]]
        project.save(project.gallery.remove(gone))
        project = self.reopened(project)
        assert where(project.gallery)[1:5] == PLACEMENTS[4:]
        project.close()
