"""The project file: what is saved is what is opened; every failure a sentence, nothing lost."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from project_states import asked_of, digest, opened_elsewhere, reopened, reopened_copy, states
from synthetic import gallery as trained_gallery
from synthetic import on_file, people

from eigenfaces import Gallery, Preparation, Project, Recipe
from eigenfaces.errors import ProjectError
from eigenfaces.evaluation.protocols import KFold, LeaveOneOut
from eigenfaces.evaluation.records import (
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    to_json,
)
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project import file, rows
from eigenfaces.project import project as project_module
from eigenfaces.recognition.features import PixelFeatures
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.probes import NO_PROBES, Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES, Matcher

SHAPE = (32, 32)
CROPPED = Preparation(*SHAPE, already_cropped=True)


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    faces = people(np.random.default_rng(3), 4, 3)
    return Gallery(faces, Preparation(16, 16, already_cropped=True), Recipe()).train()


@pytest.mark.parametrize("closing", [False, True])
def test_every_state_comes_back(path: Path, closing: bool) -> None:
    """Undo and redo included, and any after any other: the rows are those of the value."""
    project, galleries = Project.create(path), list(states(2, 16))
    anywhere = np.random.default_rng(0).integers(len(galleries), size=0 if closing else 40)
    for number in [*range(len(galleries)), *anywhere]:
        gallery = galleries[number]
        project.save(gallery)
        assert digest(project.gallery) == digest(gallery), number
        if closing:
            project.close()
            project = Project.open(path)
        assert digest(project.gallery if closing else reopened_copy(project)) == digest(gallery)
    project.close()


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(PixelFeatures("CLAHE", "oval"), Matcher(7, 2, "L∞", "class mean")),
        Recipe.of(components=np.int64(5)),  # type: ignore[arg-type]  # as in ``np.arange``
    ],
)
def test_recipes_names_and_paths_of_any_kind(
    tmp_path: Path, gallery: Gallery, recipe: Recipe
) -> None:
    names = ["with space", "ünï", "a?b#c%20d", os.fsdecode(b"caf\xe9.png"), "q'\"\n"]
    photos = list(gallery.index.photos)
    for row, name in enumerate(names):
        photos[row] = replace(on_file(photos[row], tmp_path / name), person="Zoë 李 'x'")
    faces = replace(gallery.faces, index=PhotoIndex(tuple(photos)))
    odd = replace(gallery, faces=faces).with_recipe(recipe).train()
    path = tmp_path / "ü 50%20?#é.eigenfaces"
    Project.create(path, odd).close()
    back = reopened(path)
    assert (back.recipe, back.trained.recipe, back.changes_since_training) == (recipe, recipe, 0)
    assert digest(back) == digest(odd)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def refused(path: Path, words: str, *ways: Callable[[Path], object]) -> None:
    """Assert that a project is not opened, nor done with in other ways, with a sentence."""
    for way in (Project.open, *ways):
        with pytest.raises(ProjectError, match=words) as caught:
            way(path)
        assert (str(caught.value)[0] in "“TA", str(caught.value)[-1]) == (True, ".")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    refused(tmp_path / "no.eigenfaces", "There is no project file")
    refused(tmp_path / "no folder" / "no.eigenfaces", "There is no project file")
    refused(tmp_path, "is a folder. Choose the project file itself")


@pytest.mark.parametrize("content", [b"", b"hello\n" * 900])
def test_a_file_that_is_no_project(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, "not a project file of this program")
    assert path.read_bytes() == content


@pytest.mark.parametrize("version", [file.FILE_VERSION + 1, 11])
def test_a_project_of_another_version(project: Project, path: Path, version: int) -> None:
    project.close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("CREATE TABLE something_new (x)")
    content = path.read_bytes()
    refused(path, "made by another version of this program. Open it with that version, or")
    assert path.read_bytes() == content


def test_a_project_in_no_folder(tmp_path: Path, gallery: Gallery) -> None:
    (tmp_path / "file.txt").touch()
    for place in (tmp_path / "nowhere", tmp_path / "file.txt"):
        with pytest.raises(ProjectError, match="There is no folder"):
            Project.create(place / "a.eigenfaces", gallery)
    with pytest.raises(ProjectError, match=r"directory\."):
        Project.create(tmp_path, gallery)
    assert list(tmp_path.parent.glob(".*part*")) == []


def test_a_full_disk(project: Project, path: Path, rng: np.random.Generator) -> None:
    before = project.gallery
    bigger = before.enrol(trained_gallery(rng, count=40).faces)
    pages = project._file.connection.execute("PRAGMA page_count").fetchone()[0]
    project._file.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(ProjectError, match=r"disk is full, so “.*” was not changed"):
        project.save(bigger)
    assert project.gallery is before
    assert digest(reopened_copy(project)) == digest(before)
    project._file.connection.execute("PRAGMA max_page_count = 1000000")
    project.save(bigger)
    expected = digest(bigger)
    project.close()
    assert digest(reopened(path)) == expected


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError, ValueError])
def test_a_change_interrupted_in_the_middle(
    project: Project, gallery: Gallery, monkeypatch: pytest.MonkeyPatch, stop: type
) -> None:
    def interrupt(*_: object) -> None:
        raise stop

    monkeypatch.setattr(rows.RowChange, "write", interrupt)
    with pytest.raises((stop, ProjectError)):
        project.save(gallery.remove_person("Person 1"))
    assert digest(reopened_copy(project)) == digest(gallery) == digest(project.gallery)
    with pytest.raises((stop, ProjectError)):
        Project.create(project.path.with_name("b.eigenfaces"), gallery)
    names = {file.name for file in project.path.parent.iterdir()}
    assert names <= {project.path.name, f"{project.path.name}-journal"}


HOLD = """
import sys
from eigenfaces import Project
project = Project.open(sys.argv[1], shared=True)
print("open", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def read_elsewhere(path: Path) -> Iterator[None]:
    """Hold a project open for reading in another process, which is killed in the end."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        yield
        holder.kill()


def test_several_may_read_it_and_nobody_change_it_meanwhile(
    project: Project, path: Path, gallery: Gallery
) -> None:
    project.close()
    with read_elsewhere(path):
        also = Project.open(path, shared=True)
        assert digest(also.gallery) == digest(gallery)
        with pytest.raises(ProjectError, match="in use by another command"):
            also.save(gallery.rename("Person 1", "Ada"))
        also.close()
        refused(path, "in use by another command", Project.create)
    window = Project.open(path)
    with pytest.raises(ProjectError, match="open in another window"):
        Project.open(path, shared=True)
    assert digest(window.gallery) == digest(gallery)
    window.close()


def test_it_is_locked_by_this_process_and_still_for_others(project: Project, path: Path) -> None:
    """Looking at the open file must not let go of its lock (POSIX)."""
    # A new one would be pulled from under its feet.
    refused(path, "open in another window", Project.create)
    assert "open in another window" in opened_elsewhere(path)
    project.save(project.gallery.rename("Person 1", "Ada"))


def again(project: Project) -> Project:
    """Close a project, and return what it is when it is opened again."""
    project.close()
    opened = Project.open(project.path)
    opened.close()
    return opened


@pytest.mark.parametrize("name", RECIPES)
def test_every_change_of_what_is_compared_is_saved(path: Path, name: str) -> None:
    faces = people(np.random.default_rng(0), 8, 3, shape=SHAPE)
    gallery = Gallery(faces.select(range(21)), CROPPED, RECIPES[name]).train()
    Project.create(path, gallery).close()
    keys = [photo.id for photo in gallery.index.photos]
    for changed in (
        gallery := gallery.calibrate(),
        gallery := gallery.enrol(faces.select(range(21, 24))),
        gallery := gallery.remove(keys[3:6]),
        gallery := gallery.rename("Person 1", "Zoë"),
        gallery := gallery.train(),
        gallery.with_recipe(RECIPES["Texture"]).train(),
        gallery := gallery.with_recipe(RECIPES["Eigenfaces"]),
        gallery := gallery.train(),
        gallery.remove([photo.id for photo in gallery.index.photos]),
    ):
        with contextlib.closing(Project.open(path)) as project:
            project.save(changed)
        assert digest(reopened(path)) == digest(changed)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table, left in (("coordinate", 0), ("face", 0), ("photo", 0)):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (left,)


def test_a_calibration_of_another_state_or_that_cannot_be_written_is_not_kept(
    project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibrated = project.gallery.calibrate()
    project.save(calibrated)
    project.save(calibrated.exclude([calibrated.index.photos[0].id]))
    assert again(project).gallery.calibrated is None
    with contextlib.closing(Project.open(path)) as reader:
        calibration = reader.gallery.calibrate().calibration
        assert calibration is not None
        monkeypatch.setattr(reader, "read_only", True)
        reader.save(reader.gallery.with_calibration(calibration))
        assert reader.gallery.calibrated is calibration
    assert reopened(path).calibrated is None


def probe(sha: str, level: int = 3) -> Probe:
    """Return a probe with something in every field."""
    where = Placement(Eyes((3.25, 4.5), (9.0, 1 / 3)), "by hand")
    photograph = Photograph(Path("/gone/photo.jpg"), sha, (480, 640), turned=3)
    photo = FacePhoto(photograph, "Whoever it is filed as", 2, placement=where)
    image = np.full((16, 16), level / 255, np.float32)
    concern = Concern("blurred", "It is blurred.", "Take another.")
    return Probe(photo, image, 2, 5, (concern, concern))


def facts(listed: ProbeList) -> list[object]:
    """Return what is known of faces to recognise, but for the names of their crops."""
    plain = (replace(probe, photo=replace(probe.photo, crop="")) for probe in listed.probes)
    probes = [vars(probe) | {"image": probe.image.tobytes()} for probe in plain]
    return [probes, listed.without_face]


def test_probes_come_back_in_their_order(project: Project) -> None:
    probes = tuple(probe(f"sha {number}", number) for number in range(5))
    without_face = frozenset({Path("/a.jpg"), Path("/b.jpg"), Path("/odd\udcff.jpg")})
    listed = ProbeList(probes, without_face)
    project.save(project.gallery, probe_list=listed)
    before = project.path.read_bytes()
    project.save(project.gallery, probe_list=ProbeList(probes, without_face))
    assert project.path.read_bytes() == before  # nothing changed
    changed = probes[0], replace(probes[1], image=probes[4].image), *probes[3:], probe("sha 9", 9)
    new = ProbeList(changed, without_face - {Path("/a.jpg")})
    for saved in (listed, new, NO_PROBES, listed):
        project.save(project.gallery, probe_list=saved)
        assert facts(again(project).probe_list) == facts(saved)
        project = Project.open(project.path)
    project.close()


def test_what_was_cut_otherwise_is_dropped_with_the_change(
    project: Project, tmp_path: Path
) -> None:
    project.save(project.gallery, probe_list=asked_of(project.gallery))
    one, other, *_ = sorted(project.gallery.people)
    settled = project.gallery.settle(other, one)
    project.save(settled.calibrate().with_answer(FaceId("x", 2), Answer("nobody")))
    before = project.gallery
    cut = people(np.random.default_rng(0), 4, 3, shape=(20, 20))
    named = zip(cut.index.photos, before.index.photos, strict=True)
    photos = tuple(on_file(new, sha=old.id.sha) for new, old in named)
    cut = replace(cut, index=PhotoIndex(photos))
    gallery = before.with_crops(cut, Preparation(20, 20, already_cropped=True))
    elsewhere = Project.create(tmp_path / "other.eigenfaces", gallery, project)
    assert again(elsewhere).probe_list == NO_PROBES
    project.save(gallery)
    opened = again(project)
    assert opened.probe_list == NO_PROBES
    assert opened.gallery.calibration is None
    assert opened.gallery.answers == {FaceId("x", 2): Answer("nobody")}
    assert opened.gallery.settled == {(one, other)}


def test_the_same_picture_twice_is_stored_once(project: Project) -> None:
    photos = project.gallery.index.photos
    same = on_file(photos[0], sha="another file")
    double = replace(project.gallery.faces.select([0]), index=PhotoIndex((same,)))
    project.save(project.gallery.enrol(double))
    project.save(project.gallery.remove([photos[0].id]))
    assert again(project).gallery.index.photos == (*photos[1:], same)
    with contextlib.closing(sqlite3.connect(project.path)) as connection:
        assert connection.execute("SELECT count(*) FROM face").fetchone() == (len(photos),)


def test_another_project_takes_over(project: Project, tmp_path: Path) -> None:
    """Saved elsewhere, undo still works; and what it has stays when its project is closed."""
    before, expected = project.gallery, digest(project.gallery)
    project.save(project.gallery, probe_list=asked_of(before))
    project.save(before.remove([photo.id for photo in before.index.photos[2:4]]))
    new = Project.create(tmp_path / "new.eigenfaces", project.gallery, project)
    assert new.probe_list is project.probe_list
    project.close()
    new.save(before)
    assert digest(before) == digest(new.gallery) == expected
    opened = again(new)
    assert digest(opened.gallery) == expected
    assert facts(opened.probe_list) == facts(project.probe_list)


FIRST, SECOND = "2026-02-03T10:11:12+00:00", "2026-02-04T01:02:03+00:00"


@pytest.fixture(scope="module")
def records(gallery: Gallery) -> tuple[EvaluationRecord, EvaluationRecord]:
    """Two evaluations, one with curves."""
    settings = (
        EvaluationSetting(Recipe.of(components=3), KFold(3, seed=1)),
        EvaluationSetting(Recipe(), LeaveOneOut(), curves=False),
    )
    results = (evaluate(gallery.faces, setting) for setting in settings)
    source = EvaluationSource("project", "people.eigenfaces")
    one, two = (EvaluationRecord(result, gallery.preparation, source) for result in results)
    return one, two


def test_evaluations_are_kept_listed_read_copied_and_deleted(
    project: Project, path: Path, tmp_path: Path, records: tuple[EvaluationRecord, EvaluationRecord]
) -> None:
    assert project.runs == ()
    one = project.add_run(FIRST, "Ten folds “of” it", records[0])
    two = project.add_run(SECOND, "", records[1])
    listed = (one, two)
    assert [(run.made, run.name) for run in listed] == [(FIRST, "Ten folds “of” it"), (SECOND, "")]
    copy = Project.create(tmp_path / "copy.eigenfaces", project.gallery, runs_of=project)
    plain = Project.create(tmp_path / "plain.eigenfaces", project.gallery)
    assert (copy.runs, plain.runs) == (listed, ())
    copy.write(replace(copy.content, runs=(two,)))
    assert project.runs == listed
    for closed in (plain, copy, project):
        closed.close()
    with contextlib.closing(Project.open(path)) as opened:
        assert opened.runs == listed
        assert [to_json(opened.record(n)) for n in (one, two)] == [to_json(r) for r in records]
        opened.write(replace(opened.content, runs=listed[1:]))
        with pytest.raises(ProjectError, match="no longer in the project"):
            opened.record(one)
        opened.write(replace(opened.content, runs=listed))  # undone
        assert to_json(opened.record(one)) == to_json(records[0])
        opened.write(replace(opened.content, runs=listed[1:]))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        stored = connection.execute("SELECT DISTINCT hash FROM large").fetchall()
    assert one.record not in {name for (name,) in stored}
    assert two.record in {name for (name,) in stored}


def test_an_evaluation_that_is_too_large_is_refused(
    project: Project,
    records: tuple[EvaluationRecord, EvaluationRecord],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(project_module, "MOST_TEXT", len(to_json(records[0]).encode()) - 1)
    with pytest.raises(ProjectError, match="too many scores"):
        project.add_run(FIRST, "x", records[0])
    assert project.runs == ()


def test_a_file_that_is_read_only(
    project: Project,
    path: Path,
    records: tuple[EvaluationRecord, EvaluationRecord],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = project.add_run(FIRST, "x", records[1])
    project.close()
    content = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda place, mode: mode == os.R_OK)
    with contextlib.closing(Project.open(path)) as opened:
        before = opened.gallery
        for change in (
            lambda: opened.save(before.rename("Person 1", "Ada")),
            lambda: opened.add_run(SECOND, "y", records[1]),
            lambda: opened.write(replace(opened.content, runs=())),
        ):
            with pytest.raises(ProjectError, match=r"is read-only, so (nothing|this)"):
                change()
        assert (opened.read_only, opened.gallery) == (True, before)
        assert to_json(opened.record(run)) == to_json(records[1])
        Project.create(path.with_name("copy.eigenfaces"), before).close()
        assert digest(reopened(path.with_name("copy.eigenfaces"))) == digest(before)
    assert path.read_bytes() == content
    with pytest.raises(ProjectError, match="could not be used because it is closed"):
        opened.record(run)
