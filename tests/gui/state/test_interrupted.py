"""An import that is killed: what it had read is there, and is not read again."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from eigenfaces import Preparation, Project, find_photos
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.importing.correct import Correction, read_for_review
from eigenfaces.importing.review import Review
from eigenfaces.photographs.find import FoundPhotos, Region
from eigenfaces.photographs.placement import Eyes
from eigenfaces.project.content import Reader, as_json
from eigenfaces.project.readings import load_readings
from gui.state import actions, importing
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.window.main_window import MainWindow
from tests.decodes import astronaut
from tests.gui import seen
from tests.gui.state.gate import Gate
from tests.picture_files import picture

ROOT = Path(__file__).resolve().parents[3]
PHOTOS = 16

IMPORT = """
import sys
import time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from eigenfaces import Preparation, Project, find_photos
from eigenfaces.faces import network
from gui.state import actions, importing
from gui.state.session import Session
from gui.state.settings import Settings
from tests.quick_network import describe

network.describe = describe
importing._KEPT_AT_ONCE = 2
project, folder, settings = map(Path, sys.argv[1:])
app = QApplication([])
session = Session(Settings(settings))
session.open(Project.create(project))
keep = Project.keep_readings

def tell(project, readings):
    keep(project, readings)
    print(len(project.readings), flush=True)
    if len(project.readings) > 12:
        time.sleep(60)  # until it is killed

Project.keep_readings = tell
importing.import_photos(session, find_photos(folder), Preparation())
app.exec()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photographs of two people with one face and with two, one without any, and no picture."""
    folder = tmp_path_factory.mktemp("photos")
    rng = np.random.default_rng(1)
    for number in range(PHOTOS):
        faces = [np.asarray(astronaut(mirrored=number % 2 == 1), np.float64)]
        if number % 4 == 3:
            faces.append(faces[0][:, ::-1])
        pixels = np.concatenate(faces, axis=1) + rng.normal(0, 4, (180, 180 * len(faces), 3))
        path = folder / ("Ada", "Grace")[number % 2] / f"{number:02}.png"
        path.parent.mkdir(exist_ok=True)
        Image.fromarray(np.uint8(pixels.clip(0, 255))).save(path)
    picture(folder / "Ada" / "00 noise.png")
    (folder / "Ada" / "00 broken.png").write_bytes(b"no picture")
    return folder


@pytest.fixture(scope="module")
def killed_file(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, int]:
    """A project whose process was killed in an import, and how many photographs it had stored."""
    path = tmp_path_factory.mktemp("killed") / "killed.eigenfaces"
    command = [sys.executable, "-c", IMPORT, *map(str, (path, folder, path.with_name("s.ini")))]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, text=True, cwd=ROOT, env=environment) as process:
        assert process.stdout is not None
        stored = 0
        for line in process.stdout:
            stored = int(line)
            if stored >= PHOTOS // 2:
                break
        os.kill(process.pid, signal.SIGKILL)
    with closing(Project.open(path)):
        pass  # undoes what was begun: the file alone holds all
    return path.read_bytes(), stored


@pytest.fixture
def path(killed_file: tuple[bytes, int], tmp_path: Path) -> Path:
    path = tmp_path / "killed.eigenfaces"
    path.write_bytes(killed_file[0])
    return path


@pytest.fixture
def stored(killed_file: tuple[bytes, int]) -> int:
    return killed_file[1]


@pytest.fixture
def files_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that an import reads from now on."""
    names = list[str]()
    read_bytes = importing.load_faces.__globals__["read_bytes"]

    def read(path: Path) -> bytes:
        names.append(path.name)
        return read_bytes(path)

    monkeypatch.setattr("eigenfaces.importing.load.read_bytes", read)
    return names


def opened(session: Session, path: Path, finish: Callable[[], None]) -> Project:
    actions.open_project(session, path)
    finish()
    assert session.project is not None
    return session.project


def crops_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM face").fetchone()[0])


def in_the_file(project: Project) -> int:
    """Return how many readings are in the file."""
    with project._file.reading() as connection:
        reader = Reader(connection)
        return len(load_readings(reader, reader.document("readings", list[str]) or ()))


def same_faces(one: FaceSet, other: FaceSet) -> bool:
    alike = one.index.photos == other.index.photos
    return alike and np.array_equal(one.pixels[:], other.pixels[:])


def test_what_was_stored_is_there_and_is_added_without_being_read(
    session, path, stored, folder, files_read, finish
):
    project = opened(session, path, finish)
    found = [one.photo for one in project.readings]
    assert len(found) >= stored
    assert session.message.text == (
        f"The last import was interrupted. It had read {len(found)} photos, which need not be read "
        "again. To add the rest as well, add the folder again."
    )
    assert len(session.gallery.faces) == 0
    assert session.history.undo_title is None
    importing.import_interrupted(session)
    finish()
    assert files_read == []
    assert len(session.gallery.faces) > 0
    assert {file.path for file in session.skipped} | {
        photo.path for photo in session.gallery.index.photos
    } == {photo.path for photo in found}
    added = session.gallery.faces, session.skipped
    assert (project.readings, in_the_file(project)) == ((), 0)
    importing.import_interrupted(session)  # as from the list of messages, where it stays
    assert session.message.text.startswith("All photos from that import have")
    session.close_project()
    assert crops_in(path) == len(added[0])

    session.open(Project.create(path.with_name("not killed.eigenfaces")))
    some = replace(find_photos(folder), photos=tuple(found))
    importing.import_photos(session, some, Preparation())
    finish()
    assert same_faces(session.gallery.faces, added[0])
    assert [replace(file, read="") for file in session.skipped] == [
        replace(file, read="") for file in added[1]
    ]


def test_the_same_folder_again_reads_only_the_rest(session, path, folder, files_read, finish):
    project = opened(session, path, finish)
    kept = {one.photo.path.name for one in project.readings}
    importing.import_photos(session, find_photos(folder), Preparation())
    finish()
    assert {*files_read} == {file.name for file in folder.rglob("*.png")} - kept
    gallery = session.gallery
    session.open(Project.create(path.with_name("not killed.eigenfaces")))
    importing.import_photos(session, find_photos(folder), Preparation())
    finish()
    assert same_faces(session.gallery.faces, gallery.faces)


def test_a_file_that_has_changed_since_is_read_again(session, path, files_read, finish):
    project = opened(session, path, finish)
    changed = project.readings[3].photo.path
    content = changed.read_bytes()
    try:
        picture(changed, 7)
        importing.import_interrupted(session)
        finish()
    finally:
        changed.write_bytes(content)
    assert files_read == [changed.name]
    assert project.readings == ()


def test_files_that_are_gone_are_added_as_they_were(session, path, folder, files_read, finish):
    away = folder.rename(folder.with_name("away"))
    try:
        project = opened(session, path, finish)
        importing.import_interrupted(session)
        finish()
    finally:
        away.rename(folder)
    assert files_read == []
    assert len(session.gallery.faces) > 0
    assert project.readings == ()


def test_what_a_person_had_corrected_and_what_other_programs_marked_is_there(
    session, folder, tmp_path, finish, monkeypatch
):
    """As far as *Add* was pressed while the photographs were still being looked at."""
    photos = find_photos(folder).photos
    boxes = (Region((40.0, 40.0, 100.0), "Ada"), Region((220.0, 40.0, 100.0), "Eve"))
    both = next(photo for photo in photos if photo.path.name == "03.png")
    marked = replace(both, person="Ada", regions=boxes)
    found = FoundPhotos((*(photo for photo in photos if photo is not both), marked))
    review = Review(found, FaceSet.empty(Preparation().shape), Preparation())
    by_hand = Correction(Eyes((60.0, 80.0), (110.0, 80.0)))
    review.correct("the eyes", {photos[2].path: by_hand})
    for task in review.tasks([photo.path for photo in photos[1:6]]):
        review.add_reading(read_for_review(task, review.preparation, review.enrolled))
    plan = review.plan(review.entries(found))
    killed = tmp_path / "killed.eigenfaces"
    of = importing.Enrolment.of

    def copy_then_arrive(*values: Any) -> importing.Enrolment:
        if not killed.exists():
            shutil.copy(session.project.path, killed)
        return of(*values)

    monkeypatch.setattr(importing, "_KEPT_AT_ONCE", 1)
    monkeypatch.setattr(importing.Enrolment, "of", copy_then_arrive)
    importing.import_photos(session, plan.found, Preparation(), already=plan.readings)
    finish()
    faces = session.gallery.faces
    assert "Eve" in faces.index.people
    assert "by hand" in [photo.placement.source for photo in faces.index.photos]
    opened(session, killed, finish)
    importing.import_interrupted(session)
    finish()
    assert same_faces(session.gallery.faces, faces)


def test_a_cancelled_import_leaves_nothing(session, folder, tmp_path, finish, qtbot, monkeypatch):
    monkeypatch.setattr(importing, "_KEPT_AT_ONCE", 2)
    path = tmp_path / "cancelled.eigenfaces"
    session.open(Project.create(path))
    project = session.project
    importing.import_photos(session, find_photos(folder), Preparation())
    qtbot.waitUntil(lambda: len(project.readings) >= 4, timeout=60_000)
    assert in_the_file(project) >= 4
    session.jobs.cancel(JobKind.IMPORT)
    finish()
    assert session.message.text == "Import cancelled. Nothing was changed."
    assert (project.readings, in_the_file(project)) == ((), 0)
    session.close_project()
    assert crops_in(path) == 0


def test_one_that_waits_takes_nothing_from_another_when_it_is_cancelled(
    session, path, folder, finish
):
    project = opened(session, path, finish)
    before = project.readings
    gate = Gate()
    session.run(JobKind.TRAIN, "Holding", gate.work, print)
    importing.import_interrupted(session)
    session.jobs.cancel(JobKind.IMPORT)
    gate.open.set()
    finish()
    assert project.readings == before
    assert in_the_file(project) == len(before)


def test_a_window_that_is_closed_meanwhile_keeps_it_too(session, folder, qtbot):
    """Also of the first few photographs, of which nothing is stored until then."""
    importing.import_photos(session, find_photos(folder), Preparation())
    project, (job,) = session.project, session.jobs.running
    qtbot.waitUntil(lambda: job.done >= 5, timeout=60_000)
    assert project.readings == ()
    session.close()
    assert project.path.exists()  # a draft without a face, but not without anything
    with closing(Project.open(project.path)) as again:
        assert len(again.readings) >= 4
    project.path.unlink()


def test_it_goes_on_in_the_file_where_the_project_is_saved(session, path, finish):
    project = opened(session, path, finish)
    kept = [one.photo for one in project.readings]
    actions.save_as(session, path.with_name("other.eigenfaces"))
    finish()
    session.close_project()
    with closing(Project.open(path)) as old:
        assert old.readings == ()
    with closing(Project.open(path.with_name("other.eigenfaces"))) as other:
        assert [one.photo for one in other.readings] == kept


def test_what_the_file_cannot_take_is_added_once_the_project_is_saved_elsewhere(
    session, path, finish
):
    opened(session, path, finish)
    path.rename(path.with_name("away.eigenfaces"))
    importing.import_interrupted(session)
    finish()
    assert len(session.gallery.faces) == 0
    assert session.project.readings
    actions.save_as(session, path.with_name("other.eigenfaces"))
    finish()
    assert len(session.gallery.faces) > 0
    assert (session.project.readings, in_the_file(session.project)) == ((), 0)


def test_a_network_drive_is_named_beside_it(session, path, finish, monkeypatch):
    monkeypatch.setattr(actions, "is_on_network", lambda _: True)
    opened(session, path, finish)
    assert "network drive" in session.message.text
    assert "The last import was interrupted." in session.message.text
    assert session.message.interrupted


def test_where_nothing_can_be_added_it_is_not_offered(session, path, finish, monkeypatch):
    monkeypatch.setattr(os, "access", lambda _, mode: mode == os.R_OK)
    assert opened(session, path, finish).read_only
    assert session.message is None


def test_memory_and_file_agree(path):
    with closing(Project.open(path)) as project:
        assert len(project.readings) == in_the_file(project)
        project.keep_readings(project.readings[:3])
        project.save(project.gallery.with_share(0.05))  # as the command line does: it adds none
        kept = project.readings
    with closing(Project.open(path)) as project:
        assert len(project.readings) == len(kept)
        for one, other in zip(project.readings, kept, strict=True):
            assert as_json(one.as_stored()) == as_json(other.as_stored())
            for mine, theirs in zip(one.readings, other.readings, strict=True):
                assert all(map(np.array_equal, mine.crops, theirs.crops))
        project.write(project.content, ends_import=True)
        assert in_the_file(project) == 0
        project.keep_readings(kept[:3])  # the next import has read these, and no others
        assert len(project.readings) == in_the_file(project) == 3
        project.write(project.content, ends_import=True)
    assert crops_in(path) == 0


class TestMessage:
    @pytest.fixture
    def window(self, qtbot, session, path, finish):
        window = seen.show(qtbot, MainWindow(session), (1467, 943))
        opened(session, path, finish)
        return window

    def test_it_adds_what_was_read(self, window, finish):
        session = window.session
        seen.button(window.messages, "Add them").click()
        assert "Add them" not in seen.button_names(window.messages)
        finish()
        assert len(session.gallery.faces) > 0
        assert "added" in window.messages.message

    def test_dismissed_it_forgets_it(self, window):
        assert window.session.project.readings
        seen.button(window.messages, "Dismiss").click()
        assert window.session.project.readings == ()
        assert in_the_file(window.session.project) == 0

    def test_another_page_forgets_nothing(self, window):
        window.session.show_page("settings")
        assert not window.messages.is_open
        assert window.session.project.readings
