"""A project file made by an earlier version opens with all that is in it, and can be changed.

``older.eigenfaces.xz`` was made by version 0.1.0 of November 2026: seven synthetic people × three
faces by Fisherfaces, calibrated, with answers, a face to recognise, photographs that wait, and an
evaluation. (Two arrays of its face model are zeros, so that it is small.)
"""

import contextlib
import lzma
import sqlite3
from pathlib import Path

from hostile_projects import json_set
from project_states import reopened

from eigenfaces import Project, identify
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.photographs.photos import Eyes, Placement, Skipped
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.recipe import RECIPES

OLDER = Path(__file__).with_name("older.eigenfaces.xz")


def test_all_of_it_is_there_and_can_be_changed(path: Path) -> None:
    path.write_bytes(lzma.decompress(OLDER.read_bytes()))
    with contextlib.closing(Project.open(path)) as project:
        gallery, photos = project.gallery, project.gallery.index.photos
        assert (gallery.recipe, gallery.share, gallery.changes) == (RECIPES["Fisherfaces"], 0.05, 1)
        shares = {"Eigenfaces": 0.5, "Fisherfaces": 1.0}
        assert gallery.automatic == RecipeChoice("Fisherfaces", shares)
        assert gallery.people == tuple(f"Person {number}" for number in range(1, 8))
        assert [photo.excluded for photo in photos] == [False] * 20 + [True]
        assert photos[0].placement == Placement(Eyes((3.0, 4.0), (9.0, 4.5)), "by hand", 1)
        assert gallery.answers == {
            "a": Answer("right", "Person 1", frozenset({"Person 2"})),
            "b": Answer("nobody"),
            "c": Answer("it is", "Person 3", held=True, before="Person 2"),
        }
        assert gallery.calibrated is None  # of a recipe with settings that there are no more
        assert gallery.calibrate().calibrated is not None
        assert identify(gallery, gallery.faces.image(4)).closest.person == "Person 2"
        (probe,) = project.probe_list.probes
        assert (probe.photo.path.name, probe.concerns[0].reason) == ("probe.png", "It is blurred.")
        assert project.probe_list.without_face == {Path("none.png")}
        read = "2026-02-03T10:11:12+00:00"
        assert project.unused == (
            Skipped(Path("none.png"), "There is no face.", "Person 9", "no face", 1, read),
        )
        ((number, _, name),) = project.runs()
        assert (name, project.run(number).evaluation.figures[0].kind) == ("A run", "rank-1")
        assert DESCRIPTORS.known({photos[-1].crop})
        project.save(gallery.rename("Person 1", "Ada"))
    assert reopened(path).people[0] == "Ada"


def test_settings_that_there_are_no_more_are_passed_over(project: Project, path: Path) -> None:
    """A face space of pixels divided by their deviation is fitted anew."""
    recipe = project.gallery.recipe
    project.close()
    for scaling in ("covariance", "correlation"):
        former = {"smoothing": "5%", "neighbours": 3, "scaling": scaling}
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            for part in ("recipe", "trained"):
                for name, value in former.items():
                    (statement,) = json_set("settings", f".{part}.{name}", value)
                    connection.execute(statement)
        gallery = reopened(path)
        assert gallery.recipe == recipe
        assert (gallery.training is None) == (scaling == "correlation")
