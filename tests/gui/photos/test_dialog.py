"""The photo editor over People and over Recognise: faces are mended where they are shown."""

import sys
import threading
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from shiboken6 import isValid

from eigenfaces import EigenfacesError, Gallery, Preparation, Project, Recipe
from eigenfaces.importing.correct import EditableFace
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.photographs.placement import Eyes, Placement
from gui.pages.people.page import PeoplePage
from gui.pages.recognise.page import RecognisePage
from gui.photos.dialog import PhotoDialog
from gui.state import actions
from gui.state.session import Session
from gui.widgets.face_list import HeadingItem
from gui.widgets.page import Page
from tests.gui import seen
from tests.gui.photos.conftest import EYES, FACE, NOISE, write_pictures
from tests.gui.state.gate import LONG

WRONG = Eyes((40.0, 140.0), (70.0, 140.0))
"""The sleeve of the astronaut."""


@pytest.fixture
def folder(tmp_path):
    """Photographs of one face, of two, in other light, and of none."""
    both = np.concatenate([FACE, FACE[:, ::-1] // 2], axis=1)
    pictures = {"1": FACE, "2": both, "3": FACE // 2 + 60, "none": NOISE}
    return write_pictures(tmp_path / "photos", pictures)


@pytest.fixture
def opened(session, folder, tmp_path) -> Session:
    """A trained gallery of three photographs, the first with its face in the wrong place."""
    photos = tuple(
        Photo(folder / f"{name}.png", person, Placement(eyes))
        for name, person, eyes in (("1", "Ada", WRONG), ("2", "Ada", EYES), ("3", "Eve", EYES))
    )
    faces = load_faces(FoundPhotos(photos), Preparation())
    assert len(faces) == 3
    gallery = Gallery(faces, Preparation(), Recipe()).train()
    session.open(Project.create(tmp_path / "mend.eigenfaces", gallery))
    return session


@pytest.fixture
def show_page(qtbot, opened):
    """Show a page; close what is left open over it in the end."""
    pages: list[Page] = []

    def show(kind: type[Page]) -> Page:
        pages.append(seen.show(qtbot, kind(opened), (1200, 850)))
        if isinstance(pages[0], PeoplePage):
            pages[0].parts.set_current(1)
        return pages[0]

    yield show
    for dialog in filter(isValid, pages[0].findChildren(PhotoDialog)):
        dialog.corrected = None
        dialog.reject()


@pytest.fixture
def editor_on(qtbot, settle) -> Callable[[Page], PhotoDialog]:
    """Return the editor over a page, when it has read its photograph and found the faces."""

    def wait(page: Page) -> PhotoDialog:
        qtbot.waitUntil(lambda: bool(page.findChildren(PhotoDialog)), timeout=20_000)
        (dialog,) = page.findChildren(PhotoDialog)
        settle(dialog)
        return dialog

    return wait


@pytest.fixture
def people(qtbot, opened, show_page) -> PeoplePage:
    page = show_page(PeoplePage)
    opened.select(opened.gallery.index.photos[0].id)
    seen.settle(qtbot, opened)
    return page


@pytest.fixture
def recognise(show_page) -> RecognisePage:
    return show_page(RecognisePage)


@pytest.fixture
def dialog(people, editor_on) -> PhotoDialog:
    """The editor on the first photograph of People."""
    people.photo_inspector.photograph.click()
    return editor_on(people)


def test_it_closes_at_once_while_a_photograph_is_looked_at(qtbot, dialog, monkeypatch):
    reading, gate, ended = threading.Event(), threading.Event(), threading.Event()

    def look(*about: object) -> None:
        reading.set()
        gate.wait(LONG)
        ended.set()
        raise EigenfacesError("Nobody is to hear of it.")

    monkeypatch.setattr("gui.photos.editor.read_for_review", look)
    dialog.editor.place_face(EYES, exact=True)
    assert reading.wait(LONG)
    assert seen.unread(dialog) == []
    jobs, said = dialog.editor.jobs, seen.told(dialog.session.message_changed)
    dialog.done(0)
    assert not dialog.isVisible()
    assert not ended.is_set(), "it was not waited for"
    qtbot.waitUntil(lambda: not isValid(dialog))
    gate.set()
    qtbot.waitUntil(lambda: not isValid(jobs))
    assert ended.is_set()
    assert said == []


@pytest.mark.parametrize("error", [EigenfacesError("The coordinates are damaged."), ValueError()])
def test_where_a_look_fails_nothing_waits_for_it(dialog, settle, monkeypatch, error):
    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr("gui.photos.editor.read_for_review", fail)
        patched.setattr(sys, "excepthook", lambda *_: None)
        dialog.editor.place_face(EYES, exact=True)
        assert dialog.editor.status.text.text() == "It is being read…"
        settle(dialog)
    sentence = str(error) or "The photo could not be read."
    assert dialog.editor.status.text.text() == sentence
    assert dialog.editor.review.all_corrections_applied
    dialog.editor.undo()
    settle(dialog)
    assert sentence not in dialog.editor.status.text.text()


def test_a_face_in_the_gallery_is_mended_and_that_can_be_undone(qtbot, dialog, settle, opened):
    before = opened.gallery
    assert dialog.editor.heading.full_text == "1.png"
    assert not dialog.save.isEnabled(), "nothing was mended yet"
    faces = dialog.editor.review.detected_eyes(dialog.face.photo.path)
    assert len(faces) == 1, "they are searched though the placement was given"
    QTest.keyClick(dialog.editor.view, Qt.Key.Key_1)
    settle(dialog)
    assert dialog.save.isEnabled()
    QTest.keyClick(dialog.editor.view, Qt.Key.Key_Return)
    seen.settle(qtbot, opened)
    mended = opened.gallery.index.photos[0]
    assert mended.id == before.index.photos[0].id
    assert mended.person == "Ada"
    assert mended.placement.source == "by hand"
    assert mended.placement.eyes is not None
    assert abs(mended.placement.eyes.middle - EYES.middle) < 6
    assert not np.array_equal(opened.gallery.faces.image(0), before.faces.image(0))
    for row in (1, 2):
        assert np.array_equal(opened.gallery.faces.image(row), before.faces.image(row))
    assert opened.gallery.changes_since_training == 1, "the training is out of date"
    opened.undo()
    seen.settle(qtbot, opened)
    assert opened.gallery.index.photos[0].placement.eyes == WRONG
    assert np.array_equal(opened.gallery.faces.image(0), before.faces.image(0))


@pytest.mark.parametrize("settled", [True, False], ids=["cut", "still being cut"])
def test_closing_asks_where_something_would_be_lost(dialog, settle, opened, monkeypatch, settled):
    standard, before = QMessageBox.StandardButton, opened.gallery
    answers = [standard.Discard, standard.Cancel]
    monkeypatch.setattr(QMessageBox, "question", lambda *_: answers.pop())
    dialog.editor.place_face(EYES, exact=True)
    if settled:
        settle(dialog)
    QTest.keyClick(dialog.cancel, Qt.Key.Key_Return)  # saves nothing: Close has the focus
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not answers
    assert not isValid(dialog) or not dialog.isVisible()
    assert opened.gallery is before


def test_the_question_at_closing_offers_to_save(dialog, settle, opened, monkeypatch):
    buttons, asked = QMessageBox.StandardButton, []
    before = opened.gallery

    def ask(parent, title, words, offered, usual):
        asked.append((title, bool(offered & buttons.Save), usual))
        return buttons.Save

    monkeypatch.setattr(QMessageBox, "question", ask)
    dialog.editor.place_face(EYES, exact=True)
    settle(dialog)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert asked == [("Close?", True, buttons.Save)]
    assert not isValid(dialog) or not dialog.isVisible()
    assert opened.gallery is not before


def test_of_a_turned_photograph_nothing_is_saved_before_it_is_corrected(session, tmp_path, settle):
    folder = write_pictures(tmp_path / "lying", {"1": np.rot90(FACE)})
    eyes = Eyes((70.0, 78.0), (112.0, 86.0))  # where no detector would place them
    lying = EditableFace(Photo(folder / "1.png", "Ada", Placement(eyes, "by hand"), turned=1))
    dialog = PhotoDialog(session, lying, Preparation(), save=lambda _: True)
    dialog.show()
    settle(dialog)
    assert dialog.editor.view.chosen == eyes
    assert not dialog.save.isEnabled()
    dialog.editor.place_face(EYES, exact=True)
    settle(dialog)
    assert dialog.save.isEnabled()
    dialog.editor.undo()
    settle(dialog)
    assert not dialog.save.isEnabled()
    dialog.reject()


@pytest.mark.parametrize("what", ["gone", "changed"])
def test_a_photograph_that_is_gone_or_changed_is_said_and_nothing_is_lost(
    people, editor_on, settle, opened, folder, what
):
    before = opened.gallery
    if what == "gone":
        (folder / "1.png").unlink()
    else:
        (folder / "1.png").write_bytes((folder / "3.png").read_bytes())
    people.photo_inspector.photograph.click()
    dialog = editor_on(people)
    dialog.editor.place_face(EYES, exact=True)
    settle(dialog)
    assert not dialog.save.isEnabled()
    words = dialog.editor.status.text.text() + dialog.note.text()
    assert ("not there" in words or "no longer" in words) if what == "gone" else "changed" in words
    dialog.reject()
    assert opened.gallery is before


def test_another_face_of_a_probe_is_judged_anew(
    qtbot, recognise, editor_on, settle, opened, folder
):
    actions.add_probes(opened, [folder / "2.png"])
    seen.settle(qtbot, opened)
    key, before = opened.probes[0].photo.id, opened.probes[0]
    opened.select(key)
    recognise.open_editor()
    dialog = editor_on(recognise)
    view = dialog.editor.view
    qtbot.waitUntil(lambda: view.chosen in view.faces[:1])
    QTest.keyClick(view, Qt.Key.Key_2)
    settle(dialog)
    assert view.chosen == view.faces[1]
    dialog.editor.place_face(WRONG, exact=True)
    settle(dialog)
    assert view.chosen not in view.faces, "none of those found"
    dialog.accept()
    seen.settle(qtbot, opened)
    now = opened.probes[0]
    assert (now.photo.id, now.photo.placement.eyes) == (key, WRONG)
    assert len(opened.probes) == 2
    assert recognise.recogniser.by_face[key].probe is now
    assert not np.array_equal(now.image, before.image)


def test_a_photograph_without_a_face_is_listed_and_can_be_shown_one(
    qtbot, recognise, editor_on, settle, opened, folder
):
    actions.add_probes(opened, [folder / "none.png"])
    seen.settle(qtbot, opened)
    assert not opened.probes
    lines = recognise.photos.list.faces.faces()
    captions = [line.subcaption for line in lines if not isinstance(line, HeadingItem)]
    assert captions == ["Show the face…"]
    assert recognise.face.title.text() == "No face found"
    qtbot.waitUntil(lambda: recognise.photo.image is not None)
    recognise.face.show_face.click()
    dialog = editor_on(recognise)
    assert not dialog.save.isEnabled()
    dialog.editor.place_face(Eyes((50.0, 50.0), (90.0, 50.0)), exact=True)
    settle(dialog)
    dialog.accept()
    seen.settle(qtbot, opened)
    assert not opened.probe_list.without_face
    (probe,) = opened.probes
    assert recognise.recogniser.by_face.get(probe.photo.id) is not None


SECOND = Eyes((180 + 63.0, 83.2), (180 + 106.4, 80.8))
"""Her eyes in the mirror image at the right of the second photograph."""


@pytest.fixture
def second(qtbot, opened, show_page, editor_on) -> PhotoDialog:
    """The editor on the photograph of two faces, of which one is in the gallery."""
    page = show_page(PeoplePage)
    opened.select(opened.gallery.index.photos[1].id)
    seen.settle(qtbot, opened)
    page.photo_inspector.photograph.click()
    return editor_on(page)


def test_a_face_that_was_missed_is_shown_named_and_added_beside_the_other(
    qtbot, second, settle, opened
):
    before = opened.gallery
    assert not second.who.isVisible()
    seen.button(second, "Add another face").click()
    settle(second)
    view = second.editor.view
    assert view.chosen is None, "none until it is shown"
    assert "face that was missed" in second.editor.status.text.text()
    assert not second.save.isEnabled()
    assert seen.unread(second) == []
    QTest.keyClick(view, Qt.Key.Key_C)  # the whole photo is no second face
    settle(second)
    assert not second.save.isEnabled()
    view.face_placed.emit(SECOND, True)
    settle(second)
    assert second.who.hasFocus(), "it is named at once"
    assert not second.another.isEnabled(), "or what was shown would be lost"
    QTest.keyClicks(second.who, "Bob")
    QTest.keyClick(second.who, Qt.Key.Key_Return)
    seen.settle(qtbot, opened)
    added = opened.gallery.index.photos[-1]
    assert (added.person, added.number, added.placement.eyes) == ("Bob", 2, SECOND)
    assert opened.gallery.index.photos[:3] == before.index.photos
    assert opened.message.text == "1 more face was added to the photo: Bob."
    opened.undo()
    seen.settle(qtbot, opened)
    assert opened.gallery.index.photos == before.index.photos


def test_a_face_that_is_there_is_not_added_again_and_that_is_said(second, settle, opened):
    before = opened.gallery
    second.another.click()
    settle(second)
    QTest.keyClick(second.editor.view, Qt.Key.Key_1)
    settle(second)
    second.save.click()
    assert second.isVisible()
    assert "already in the gallery. It is Ada." in second.note.text()
    assert opened.gallery is before
    second.editor.undo()
    settle(second)
    second.another.click()
    settle(second)
    assert second.editor.view.chosen is not None, "the face of before"
    assert not second.who.isVisible()
