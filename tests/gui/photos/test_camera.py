"""The window of the camera, fed with pictures: marks, photos to enrol and to ask about."""

import sys
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage
from shiboken6 import isValid

from eigenfaces import EigenfacesError, Project
from gui.photos import camera as camera_dialog
from gui.photos.camera import CameraDialog, make_camera, photos_folder, save_photo
from gui.state.settings import drafts_folder
from gui.style.images import grey_image, rgb_array, rgb_image
from gui.window.main_window import MainWindow
from tests.eigenfaces.astronaut import EYES, PICTURE, off
from tests.gui import seen

ASTRONAUT = rgb_image(np.asarray(PICTURE.convert("RGB")))
TWO = rgb_image(np.tile(rgb_array(ASTRONAUT)[:256, 100:356], (1, 2, 1)))
NOBODY = grey_image(np.full((240, 320), 0.5))


class Fed(QObject):
    """A camera that sees what it is shown."""

    arrived = Signal(QImage)
    failed = Signal(str)

    running = False

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False


@pytest.fixture
def cameras(monkeypatch) -> list[Fed]:
    """The cameras that were opened, the newest last."""
    opened: list[Fed] = []

    def make(parent: QObject) -> Fed:
        opened.append(Fed(parent))
        return opened[-1]

    monkeypatch.setattr(camera_dialog, "make_camera", make)
    return opened


@pytest.fixture
def dialog(cameras, session, qtbot):
    made = CameraDialog(session)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    yield seen.show(qtbot, made)
    made.close()


@pytest.fixture
def see(dialog, cameras, qtbot, monkeypatch) -> Callable[[QImage], None]:
    """Hold a picture before the camera, and wait until faces have been looked for on it."""
    monkeypatch.setattr(camera_dialog, "PAUSE", 0.0)

    def hold(picture: QImage) -> None:
        cameras[-1].arrived.emit(picture)
        qtbot.waitUntil(lambda: dialog.jobs.current is None, timeout=60_000)

    return hold


# What is seen


def test_the_newest_picture_is_shown_with_its_faces(dialog, see):
    assert "Waiting" in dialog.view.caption
    dialog.person.setText("Mae")
    for picture, words in ((NOBODY, "No face"), (TWO, "2 faces"), (ASTRONAUT, "1 face found")):
        see(picture)
        assert dialog.view.image == picture
        assert words in dialog.view.caption
        assert dialog.take.isEnabled() == (picture is ASTRONAUT), "a photo needs one face …"
    dialog.person.setText("  ")
    assert not dialog.take.isEnabled(), "… and a name"
    (at,) = dialog.view.selected
    assert off(dialog.view.named[at].eyes, EYES) < 0.15
    assert dialog.view.named[at].name == "", "nobody is known"


def test_pictures_are_shown_while_faces_are_looked_for(dialog, cameras, qtbot):
    cameras[-1].arrived.emit(ASTRONAUT)
    for _ in range(5):
        cameras[-1].arrived.emit(NOBODY)
    assert dialog.view.image == NOBODY
    assert dialog.jobs.waiting == []  # only one picture is searched at a time
    qtbot.waitUntil(lambda: dialog.jobs.current is None, timeout=60_000)


# What is done with it


def test_a_photo_is_kept_and_enrolled(dialog, see, session, finish):
    folder = photos_folder(session)
    dialog.person.setText(" Mae ")
    see(ASTRONAUT)
    dialog.take.click()
    assert not dialog.take.isEnabled()  # while the photo is read
    finish()
    (photo,) = session.gallery.index.photos
    assert photo.person == "Mae"
    assert photo.path == folder / "Mae" / "Mae 1.jpg"
    assert photo.placement.eyes is not None
    assert off(photo.placement.eyes, EYES) < 0.1
    assert session.message.text == "1 photo was added."
    assert photos_folder(session) == folder  # beside the draft that has begun
    with Image.open(photo.path) as photograph:
        wrong = np.abs(np.asarray(photograph, float) - rgb_array(ASTRONAUT))
    assert wrong.mean() < 2


def test_among_faces_cropped_already_a_photo_of_somebody_known_is_still_searched(
    dialog, see, session, finish, small_gallery, tmp_path
):
    session.open(Project.create(tmp_path / "small.eigenfaces", small_gallery))
    assert dialog.person.suggestions() == list(small_gallery.people)
    dialog.person.setText("Ada")
    see(ASTRONAUT)
    dialog.take.click()
    finish()
    photo = session.gallery.index.photos[-1]
    assert photo.path.parent == tmp_path / "small photos" / "Ada"
    assert photo.placement.eyes is not None
    assert session.gallery.preparation == small_gallery.preparation


def test_who_is_this(dialog, see, session, finish):
    see(ASTRONAUT)
    assert not dialog.ask.isEnabled()
    dialog.person.setText("Mae")
    dialog.take.click()
    finish()
    assert dialog.ask.isEnabled()
    dialog.ask.click()
    finish()
    assert session.page == "recognise"
    assert "was saved" in session.message.text
    dialog.person.setText("Sally")
    see(rgb_image(np.ascontiguousarray(rgb_array(ASTRONAUT)[:, ::-1])))
    dialog.take.click()
    finish()
    session.apply("training", lambda gallery: gallery.train())
    see(ASTRONAUT)
    (at,) = dialog.view.selected
    assert dialog.view.named[at].name.endswith("Mae")
    assert photos_folder(session) / "Who is this 1.jpg" in [p.photo.path for p in session.probes]


def test_where_nothing_can_be_kept(dialog, see, session):
    drafts_folder().mkdir(parents=True, exist_ok=True)
    photos_folder(session).write_text("in the way")
    dialog.person.setText("Mae")
    see(ASTRONAUT)
    dialog.take.click()
    photos_folder(session).unlink()
    assert seen.says(dialog, "cannot be saved")
    assert session.jobs.current is None


def test_nothing_is_overwritten(tmp_path):
    first = save_photo(ASTRONAUT, tmp_path, "Mae")
    content = first.read_bytes()
    assert save_photo(NOBODY, tmp_path, "Mae") != first
    assert first.read_bytes() == content
    assert len(list((tmp_path / "Mae").iterdir())) == 2  # and nothing beside them is left


# When there is no picture


@pytest.mark.parametrize("what", ["pulled out", "search fails", "silent", "library missing"])
def test_where_there_is_no_picture_it_is_said_and_can_be_tried_again(
    dialog, cameras, see, monkeypatch, what
):
    def fail(_: object) -> None:
        raise EigenfacesError(f"It cannot be: {what}.")

    (patience,) = dialog.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert patience.isActive()
    with monkeypatch.context() as patched:
        if what == "pulled out":
            cameras[-1].failed.emit(f"It cannot be: {what}.")
        elif what == "search fails":
            patched.setattr(camera_dialog, "detect_in_frame", fail)
            see(NOBODY)
        elif what == "silent":
            patience.timeout.emit()
        else:
            patched.setattr(camera_dialog, "make_camera", fail)
            dialog.start()
    assert seen.says(
        dialog, "no picture from the camera" if what == "silent" else f"It cannot be: {what}."
    )
    assert not cameras[-1].running
    assert not dialog.take.isEnabled()
    seen.button(dialog, "Try again").click()
    assert cameras[-1].running
    see(NOBODY)
    assert "No face" in dialog.view.caption
    assert not patience.isActive()


def test_a_missing_library_is_named(monkeypatch, qapp):
    monkeypatch.delitem(sys.modules, "gui.photos.multimedia", raising=False)
    monkeypatch.setitem(sys.modules, "PySide6.QtMultimedia", None)
    with pytest.raises(EigenfacesError, match="apt install libpulse0"):
        make_camera(qapp)


# Closing, and where it is opened


def test_closing_lets_the_camera_go(qtbot, dialog, cameras, see):
    see(NOBODY)
    assert cameras[-1].running
    cameras[-1].arrived.emit(ASTRONAUT)  # and closed while faces are looked for
    dialog.close()
    assert not cameras[-1].running
    looking = dialog.jobs.running
    assert all(job.dropped for job in looking), "nobody hears of what they find"
    cameras[-1].arrived.emit(ASTRONAUT)
    assert dialog.jobs.running == looking
    qtbot.waitUntil(lambda: not isValid(dialog.jobs))


def test_it_closes_with_the_window(cameras, session, qtbot, qapp):
    window = seen.show(qtbot, MainWindow(session))
    (open_camera,) = (a for a in window.commands.add_menu.actions() if a.text() == "Camera…")
    open_camera.trigger()
    open_camera.trigger()
    assert len(cameras) == 1  # the second time, the first is shown again
    assert cameras[0].running
    window.close()
    assert not cameras[0].running


def test_all_of_it_is_read_aloud(dialog):
    assert seen.unread(dialog) == []
