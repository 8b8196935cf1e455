"""Pasted pictures are files as long as a project uses them, and no longer."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage

from eigenfaces.photographs.find import Skipped
from gui.photos.sheet import ImportSheet
from gui.state import actions
from gui.state.settings import drafts_folder
from gui.window.main_window import MainWindow
from tests.gui import seen

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot, trained_session) -> MainWindow:
    shown = seen.show(qtbot, MainWindow(trained_session), (1280, 720))
    trained_session.show_page("recognise")
    seen.settle(qtbot, trained_session)
    return shown


@pytest.fixture
def paste(qtbot, window):
    """Paste a picture of one grey, and return the file that it became."""

    def act(grey: int) -> Path:
        picture = QImage(40, 48, QImage.Format.Format_RGB32)
        picture.fill(grey)
        QGuiApplication.clipboard().setImage(picture)
        before = {*folder().glob("*")}
        qtbot.keyClick(window, Qt.Key.Key_V, CONTROL)
        seen.settle(qtbot, window.session)
        (made,) = {*folder().glob("*")} - before
        return made

    return act


def folder() -> Path:
    return drafts_folder().parent / "pasted"


def test_a_picture_stays_that_is_on_the_list_and_goes_once_it_is_taken_off(window, paste):
    stays, goes = paste(90), paste(120)
    session = window.session
    taken = [probe.photo.id for probe in session.probes if probe.photo.path == goes]
    session.remove_probes(taken or [goes])
    assert goes.exists(), "Undo may bring it back"
    window.close()
    assert stays.exists()
    assert not goes.exists()


@pytest.mark.parametrize(
    "keep",
    [
        lambda session, path: session.put_probes((), [path]),
        lambda session, path: session.change(
            "", lambda now: replace(now, unused=(Skipped(path, "No face was found."),))
        ),
    ],
    ids=["to recognise", "of an import"],
)
def test_one_without_a_face_stays_that_the_project_lists(window, paste, keep):
    stays, session = paste(90), window.session
    session.remove_probes([probe.photo.id for probe in session.probes])
    assert keep(session, stays)
    window.close()
    assert stays.exists()


def test_one_that_is_offered_and_not_taken_goes(qtbot, window, paste):
    window.session.show_page("people")
    goes = paste(90)
    window.findChildren(ImportSheet)[-1].reject()
    seen.settle(qtbot, window.session)
    window.close()
    assert not goes.exists()


def test_one_stays_that_another_project_uses_by_now_closed(
    qtbot, window, paste, small_gallery, open_gallery, tmp_path
):
    session = window.session
    stays = paste(90)
    actions.save_as(session, tmp_path / "copy.eigenfaces")
    seen.settle(qtbot, session)
    session.remove_probes([probe.photo.id for probe in session.probes])
    assert not session.probes
    open_gallery(small_gallery)
    window.close()
    assert stays.exists(), "the project that was saved elsewhere has it still"


def test_older_ones_are_left_alone(window):
    folder().mkdir(parents=True, exist_ok=True)
    old = folder() / "Pasted 977.png"
    old.write_bytes(b"of another project")
    window.session.apply("excluding", lambda g: g.exclude([g.index.photos[0].id]))
    window.close()
    assert old.exists()
    old.unlink()
