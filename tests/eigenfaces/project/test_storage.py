"""The tables of a project file: damage of any kind is noticed and said, never shown as a face."""

import contextlib
import os
import sqlite3
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from older_versions import version_of, write_version, write_version_1, write_version_7
from project_states import digest, reopened

from eigenfaces import Gallery, Project, Recipe
from eigenfaces.errors import Cancelled, ProjectError
from eigenfaces.photographs.photos import Skipped
from eigenfaces.photographs.placement import WHOLE, Eyes, Placement
from eigenfaces.project.stored_places import packed as columns_of
from eigenfaces.project.tables import VERSION


def test_a_fault_of_the_program_is_no_damage(
    path: Path, gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise AttributeError("a fault of the program")

    Project.create(path, gallery).close()
    monkeypatch.setattr("eigenfaces.project.storage.load_photos", fault)
    with pytest.raises(AttributeError):
        Project.open(path)


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

    def test_pages_of_a_large_file_that_nothing_reads(
        self, project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A free page that is in use, too, is found by a look at all of them, not by opening."""
        monkeypatch.setattr("eigenfaces.project.tables._FEW_PAGES", 0)
        project.close()
        whole = bytearray(path.read_bytes())
        whole[32:40] = (5).to_bytes(4) + (1).to_bytes(4)  # the list of free pages, and how many
        path.write_bytes(whole)
        with contextlib.closing(Project.open(path)) as opened:
            with pytest.raises(ProjectError, match="pages do not fit together"):
                opened.check_pages()
            with pytest.raises(ProjectError, match="open in another window"):
                Project.open(path)

    def test_a_change_during_a_look_at_all_pages_is_no_damage(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("eigenfaces.project.tables._FEW_PAGES", 0)
        project.check_pages()
        said = iter([False, True])
        monkeypatch.setattr("eigenfaces.project.page_check._fit_together", lambda *_: next(said))
        project.check_pages()
        assert next(said, None) is None
        project.save(project.gallery.rename("Person 1", "Ada"))

    def test_a_look_at_all_pages_can_be_cancelled(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        started, cancelled = Event(), Event()

        def endless(connection: sqlite3.Connection, _: str) -> object:
            started.set()
            ask = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n FROM more) "
            return connection.execute(ask + "SELECT count(*) FROM more").fetchone()[0]

        def tick(done: int, total: int) -> None:
            assert started.wait(10)
            cancelled.set()
            raise Cancelled

        monkeypatch.setattr("eigenfaces.project.tables._FEW_PAGES", 0)
        monkeypatch.setattr("eigenfaces.project.page_check._first", endless)
        with pytest.raises(Cancelled):
            project.check_pages(tick)
        assert cancelled.is_set()

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

    @pytest.mark.parametrize("version", [2, 3, 4, 5, 6, 7, 8, 9])
    def test_all_kinds_come_out_of_older_files(
        self, path: Path, gallery: Gallery, version: int
    ) -> None:
        write_version(version, path, placed(gallery, PLACEMENTS))
        project = self.reopened(Project.open(path))
        assert project._file.version == VERSION
        assert where(project.gallery) == PLACEMENTS
        assert [photo.placement for photo in project.gallery.index.photos[8:]] == [WHOLE] * (
            len(gallery.faces) - 8
        )
        project.close()

    def test_any_kind_after_any_other(self, project: Project) -> None:
        """Corrections, one after another, and undone."""
        for before, after in permutations(PLACEMENTS, 2):
            project.save(placed(project.gallery, [before]))
            project.save(placed(project.gallery, [after]))
            ask = "SELECT turned, source, eyes FROM photo WHERE position = 0"
            assert project._file.connection.execute(ask).fetchone() == columns_of(after)
        project = self.reopened(project)
        assert where(project.gallery)[0] == PLACEMENTS[-2]
        project.close()

    def test_others_keep_theirs_when_some_photos_go(self, project: Project) -> None:
        project.save(placed(project.gallery, PLACEMENTS))
        gone = [photo.key for photo in project.gallery.index.photos[1:4]]
        project.save(project.gallery.remove(gone))
        project = self.reopened(project)
        assert where(project.gallery)[1:5] == PLACEMENTS[4:]
        project.close()

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE photo SET eyes = zeroblob(32)",
            "UPDATE photo SET turned = 1",
            "UPDATE photo SET source = 'found'",
        ],
    )
    def test_a_moved_eye_is_noticed(
        self, project: Project, gallery: Gallery, statement: str
    ) -> None:
        project.save(placed(gallery, [Placement(EYES, "by hand")]))
        project.close()
        with contextlib.closing(sqlite3.connect(project.path)) as connection, connection:
            connection.execute(statement)
        with pytest.raises(ProjectError, match="damaged"):
            Project.open(project.path)


class TestVersionSeven:
    def test_what_waits_is_kept_and_gets_turns_and_times(
        self, path: Path, gallery: Gallery
    ) -> None:
        waits = (
            Skipped(Path("/a/b.png"), "There is no face.", "Ada", "no face"),
            Skipped(Path("/a/c.png"), "It is empty."),
        )
        write_version_7(path, gallery, waits)
        with contextlib.closing(Project.open(path)) as project:
            assert project.unused == waits
            assert digest(project.gallery) == digest(gallery)
            turned = (replace(waits[0], turned=3, read="2026-11-22T18:00:00+00:00"), waits[1])
            project.save(project.gallery.rename("Person 1", "Ida"), turned)
        assert version_of(path) == VERSION
        with contextlib.closing(Project.open(path)) as project:
            assert project.unused == turned
            assert digest(project.gallery) == digest(gallery.rename("Person 1", "Ida"))


class TestVersionOne:
    @pytest.mark.parametrize("remove", [False, True])
    def test_it_opens_and_is_upgraded(self, path: Path, gallery: Gallery, remove: bool) -> None:
        write_version_1(path, replace(gallery, training=None), remove_photo_mean=remove)
        opened = reopened(path)
        assert version_of(path) == VERSION
        assert opened.preparation == replace(gallery.preparation, fit="fit", already_cropped=True)
        lighting = "photo mean" if remove else "none"
        assert opened.recipe == Recipe.of(components=0.9, distance="cosine", lighting=lighting)
        assert opened.faces.index.photos == gallery.index.photos
        assert {photo.placement for photo in opened.faces.index.photos} == {WHOLE}
        np.testing.assert_array_equal(opened.faces.pixels.held, gallery.faces.pixels.held)
        with contextlib.closing(Project.open(path)) as again:
            assert digest(again.gallery) == digest(opened)
            again.save(placed(again.gallery, PLACEMENTS))
        with contextlib.closing(Project.open(path)) as at_last:
            assert where(at_last.gallery) == PLACEMENTS

    def test_read_only_it_opens_and_stays_as_it_is(
        self, path: Path, gallery: Gallery, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_version_1(path, gallery, remove_photo_mean=False)
        content = path.read_bytes()
        monkeypatch.setattr(os, "access", lambda place, mode: mode == os.R_OK)
        with contextlib.closing(Project.open(path)) as project:
            assert project.read_only
            assert project.gallery.index.photos == gallery.index.photos
            assert project.gallery.preparation.already_cropped
            assert project.gallery.changes == 0
        assert path.read_bytes() == content

    def test_who_only_reads_it_does_not_write_it_anew(self, path: Path, gallery: Gallery) -> None:
        """Else two who read it at the same time would be in each other's way."""
        write_version_1(path, gallery.train(), remove_photo_mean=False)
        content = path.read_bytes()
        one = Project.open(path, shared=True)
        with contextlib.closing(one), contextlib.closing(Project.open(path, shared=True)) as other:
            assert digest(one.gallery) == digest(other.gallery)
            np.testing.assert_array_equal(other.gallery.faces.pixels[:], gallery.faces.pixels[:])
        assert path.read_bytes() == content

    @pytest.mark.parametrize("remove", [False, True])
    def test_its_face_space_fits_still(self, path: Path, gallery: Gallery, remove: bool) -> None:
        lit = gallery.recipe.changed(lighting="photo mean" if remove else "none")
        trained = gallery.with_recipe(lit).train()
        write_version_1(path, trained, remove_photo_mean=remove)
        Project.open(path).close()
        opened = reopened(path)
        assert opened.changes == 0
        space, expected = opened.trained.space, trained.trained.space
        np.testing.assert_allclose(space.mean, expected.mean, atol=1e-6)
        features = opened.trained.features(opened.faces.pixels[:])
        np.testing.assert_allclose(
            space.distance_from(features), expected.distance_from(features), atol=1e-4
        )
        np.testing.assert_allclose(
            opened.trained.project(opened.faces.pixels[:]), opened.trained.coordinates, atol=1e-4
        )
