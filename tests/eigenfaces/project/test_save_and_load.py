"""Trainings, calibration, answers and faces to recognise: they come back to the bit."""

import contextlib
import sqlite3
import zlib
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np
import pytest
from project_states import asked_of, digest, reopened
from synthetic import people

from eigenfaces import Gallery, Preparation, Project
from eigenfaces.errors import ProjectError
from eigenfaces.faces.face_set import FacePhoto, PhotoIndex
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.photos import Eyes, Placement
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.gallery import Answered
from eigenfaces.recognition.probes import NO_PROBES, Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import identify_all

SHAPE = (32, 32)

hints = get_type_hints(Placement)


@pytest.fixture
def gallery() -> Gallery:
    return Gallery(
        people(np.random.default_rng(3), 4, 3),
        Preparation(16, 16, already_cropped=True),
        RECIPES["Eigenfaces"],
    ).train()


def again(project: Project) -> Project:
    project.close()
    opened = Project.open(project.path)
    opened.close()
    return opened


@pytest.mark.parametrize("name", ["Fisherfaces", "Texture"])
def test_every_change_of_what_is_compared_is_saved(path: Path, name: str) -> None:
    faces = people(np.random.default_rng(0), 8, 3, shape=SHAPE)
    preparation = Preparation(*SHAPE, already_cropped=True)
    gallery = Gallery(faces.select(range(21)), preparation, RECIPES[name]).train()
    Project.create(path, gallery).close()
    keys = [photo.key for photo in gallery.index.photos]
    for changed in (
        gallery,
        gallery := gallery.enrol(faces.select(range(21, 24))),
        gallery := gallery.remove(keys[3:6]),
        gallery := gallery.rename("Person 1", "Zoë"),
        gallery := gallery.train(),
        gallery.with_recipe(RECIPES["Texture"]).train(),
        gallery := gallery.with_recipe(RECIPES["Eigenfaces"]),
        gallery := gallery.train(),
        gallery.remove([photo.key for photo in gallery.index.photos]),
    ):
        with contextlib.closing(Project.open(path)) as project:
            project.save(changed)
        assert digest(reopened(path)) == digest(changed)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        left = connection.execute("SELECT name FROM array WHERE name GLOB 'discriminant*'")
        assert left.fetchall() == []


def test_fisherfaces_had_another_name_in_older_files(path: Path) -> None:
    faces = people(np.random.default_rng(0), 8, 3, shape=SHAPE)
    preparation, recipe = Preparation(*SHAPE, already_cropped=True), RECIPES["Fisherfaces"]
    older = replace(recipe, name="Discriminant")
    gallery = Gallery(faces, preparation, older).train(recipe=older)
    chosen = RecipeChoice("Discriminant", {"Eigenfaces": 0.5, "Discriminant": 1.0})
    opened = again(Project.create(path, replace(gallery, automatic=chosen))).gallery
    assert (opened.recipe, opened.compared_by, opened.changes) == (recipe, recipe, 0)
    assert opened.automatic == RecipeChoice("Fisherfaces", {"Eigenfaces": 0.5, "Fisherfaces": 1.0})


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("DELETE FROM array", "discriminant.*"),
        ("DELETE FROM array", "discriminant.axes"),
        ("UPDATE array SET value = zeroblob(length(value))", "discriminant.scale"),
        ("UPDATE array SET value = zeroblob(length(value))", "discriminant.variances"),
        ("UPDATE array SET value = x'00000000', shape = '[1]'", "discriminant.mean"),
        ("DELETE FROM array", "compared"),
        ("UPDATE array SET value = x'00000000', shape = '[1, 1]'", "compared"),
    ],
)
def test_damage_of_what_is_compared_is_refused(path: Path, damage: str, name: str) -> None:
    faces = people(np.random.default_rng(0), 8, 3)
    preparation = Preparation(16, 16, already_cropped=True)
    Project.create(path, Gallery(faces, preparation, RECIPES["Fisherfaces"]).train()).close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        changed = connection.execute(f"{damage} WHERE name GLOB '{name}'").rowcount
        assert changed
        connection.create_function("crc", 1, zlib.crc32)
        connection.execute("UPDATE array SET crc = crc(value)")
    with pytest.raises(ProjectError, match="damaged"):
        Project.open(path)


def probe(key: str, level: int = 3) -> Probe:
    """Return a probe with something in every field."""
    photo = FacePhoto(
        Path("/gone/photo.jpg"),
        "Whoever it is filed as",
        key,
        (480, 640),
        placement=Placement(Eyes((3.25, 4.5), (9.0, 1 / 3)), "by hand", 3),
    )
    image = np.full((16, 16), level / 255, np.float32)
    concern = Concern("blurred", "It is blurred.", "Take another.")
    return Probe(photo, image, 2, 5, (concern, concern), "Cut somehow.")


def facts(asked: ProbeList) -> list[object]:
    """Return what is known of faces to recognise, but for the names of their crops."""
    plain = [replace(each, photo=replace(each.photo, crop="")) for each in asked.probes]
    probes = [vars(each) | {"image": each.image.tobytes()} for each in plain]
    return [probes, asked.without_face]


@pytest.mark.parametrize("recipe", [*RECIPES.values(), RECIPES["Eigenfaces"].changed(neighbours=7)])
def test_a_calibration_comes_back_to_the_bit(path: Path, recipe: Recipe) -> None:
    """Votes may put a farther person first."""
    faces = people(np.random.default_rng(3), 7, 4, shape=SHAPE)
    calibrated = (
        Gallery(faces, Preparation(*SHAPE, already_cropped=True), recipe).train().calibrate()
    )
    opened = again(Project.create(path, calibrated)).gallery
    assert opened.calibrated is not None
    assert digest(opened) == digest(calibrated)
    both = (identify_all(each, faces.pixels[:]) for each in (calibrated, opened))
    for one, other in zip(*both, strict=True):
        assert one.decision.probability == other.decision.probability
        assert one.decision.kind == other.decision.kind
        assert one.decision.left_over == other.decision.left_over


def test_one_of_an_earlier_state_is_not_opened(project: Project) -> None:
    calibrated = project.gallery.calibrate()
    key = calibrated.index.photos[0].key
    project.save(calibrated)
    project.save(calibrated.exclude([key]))
    assert again(project).gallery.calibration is None


def test_probes_come_back_in_their_order(project: Project) -> None:
    first = [probe(f"key {number}", number) for number in range(5)]
    without_face = frozenset({Path("/a.jpg"), Path("/b.jpg"), Path("/odd\udcff.jpg")})
    asked = ProbeList(tuple(first), without_face)
    project.save_probes(asked)
    before = project.path.read_bytes()
    project.save_probes(ProbeList(tuple(first), without_face))
    assert project.path.read_bytes() == before  # nothing changed
    changed = replace(first[1], image=first[4].image, cut="")
    new = ProbeList(
        (first[0], changed, *first[3:], probe("key 9", 9)), without_face - {Path("/a.jpg")}
    )
    for each in (asked, new, NO_PROBES, asked):
        project.save_probes(each)
        assert facts(again(project).probe_list) == facts(each)
        project = Project.open(project.path)
    project.close()


def test_what_was_cut_otherwise_is_dropped_with_the_change(
    project: Project, tmp_path: Path
) -> None:
    project.save_probes(asked_of(project.gallery))
    stranger = Answered("nobody", crop=bytes(256))
    project.save(project.gallery.calibrate().answered("x", stranger))
    before = project.gallery
    keys = [photo.key for photo in before.index.photos]
    cut = people(np.random.default_rng(0), 4, 3, shape=(20, 20))
    named = zip(cut.index.photos, keys, strict=True)
    cut = replace(cut, index=replace(cut.index, photos=tuple(replace(p, key=k) for p, k in named)))
    gallery = before.prepared(cut, Preparation(20, 20, already_cropped=True))
    with contextlib.closing(
        Project.create(tmp_path / "other.eigenfaces", gallery, project)
    ) as other:
        assert other.probe_list == NO_PROBES
    project.save(gallery)
    opened = again(project)
    assert opened.probe_list == NO_PROBES
    assert opened.gallery.calibration is None
    assert opened.gallery.answers == {"x": Answered("nobody")}


def test_a_file_that_cannot_be_written_holds_a_calibration_until_it_is_closed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration = project.gallery.calibrate().calibration
    assert calibration is not None
    monkeypatch.setattr(project, "read_only", True)
    project.save_calibration(calibration)
    assert project.gallery.calibrated is calibration
    assert again(project).gallery.calibrated is None


def test_where_faces_lie_comes_back_and_is_kept_by_other_edits(project: Project) -> None:
    """Every source, with eyes and whole, upright and turned."""
    eyes = Eyes((10.125, -20.5), (30.0, 1 / 3))
    whole = [Placement(None, "by hand"), Placement(None, "found", 1)]
    placements = [*whole, *(Placement(eyes, s, 3) for s in get_args(hints["source"]))]
    described = zip(project.gallery.index.photos, placements, strict=False)
    changed = {photo.key: replace(photo, placement=where) for photo, where in described}
    faces = project.gallery.faces.with_photos(changed)
    project.save(replace(project.gallery, faces=faces))
    project.save(project.gallery.rename(project.gallery.people[0], "Ada"))
    project.save(project.gallery.remove([project.gallery.index.photos[1].key]))
    photos = again(project).gallery.index.photos
    assert [photo.placement for photo in photos[:4]] == [placements[0], *placements[2:5]]


def keys(gallery: Gallery, *rows: int) -> list[str]:
    return [gallery.index.photos[row].key for row in rows]


def test_the_same_picture_twice_is_stored_once(project: Project) -> None:
    first = project.gallery.faces.select([0])
    same = replace(first.index.photos[0], key="another file")
    count = project._file.connection.execute
    for change in (
        lambda gallery: gallery.enrol(replace(first, index=PhotoIndex((same,)))),
        lambda gallery: gallery.remove(keys(gallery, 0)),
    ):
        project.save(change(project.gallery))
        assert count("SELECT count(*) FROM face").fetchone() == (12,)
    photos = project.gallery.index.photos
    assert again(project).gallery.index.photos == photos
    assert photos[-1] == same


def test_another_project_takes_over(project: Project, tmp_path: Path) -> None:
    """Saved elsewhere, undo still works; and what is held stays when its project is closed."""
    before, expected = project.gallery, digest(project.gallery)
    project.save_probes(asked_of(before))
    project.save(before.remove(keys(before, 2, 3)))
    new = Project.create(tmp_path / "new.eigenfaces", project.gallery, project)
    assert new.probe_list is project.probe_list
    project.close()
    with contextlib.closing(new):
        assert digest(before) == expected
        new.save(before)
        assert digest(new.gallery) == expected
        opened = again(new)
    assert digest(opened.gallery) == expected
    assert facts(opened.probe_list) == facts(project.probe_list)
