"""The welcome page: recent projects, the sample, keys, dropped files."""

import pytest
from PySide6.QtCore import Qt

from eigenfaces import Project
from gui.pages.welcome import WelcomePage
from gui.state import actions
from gui.state.jobs import JobKind
from gui.widgets.labels import ElidedLabel
from tests.gui import seen
from tests.gui.seen import button, says
from tests.gui.state.gate import Gate


def test_recent_projects_are_opened(session, open_page, small_gallery, tmp_path, do):
    Project.create(tmp_path / "class 7b.eigenfaces", small_gallery).close()
    session.settings.add_recent(tmp_path / "class 7b.eigenfaces")
    page = open_page(WelcomePage)
    assert seen.unread(page) == []
    do(button(page, "class 7b").click)
    assert session.name == "class 7b"


def test_what_is_open_is_not_among_the_recent(session, open_page, small_gallery, tmp_path, do):
    Project.create(tmp_path / "class 7b.eigenfaces", small_gallery).close()
    session.settings.add_recent(tmp_path / "class 7b.eigenfaces")
    page = open_page(WelcomePage)
    draft = session.own_project()
    assert draft.path in session.settings.recent_projects
    do(session.gallery_changed.emit)
    names = seen.button_names(page)
    assert "class 7b" in names
    assert draft.path.stem not in names


def test_a_long_name_is_cut_and_stands_first(session, open_page, tmp_path):
    name = "Our holidays with the grandparents, 2019 to 2024"
    folder = tmp_path / "a folder with a name of its own"
    folder.mkdir()
    (folder / f"{name}.eigenfaces").touch()
    session.settings.add_recent(folder / f"{name}.eigenfaces")
    page = open_page(WelcomePage, (1100, 700))
    page.grab()  # lays it out
    link = button(page, name)
    assert "…" in link.text()
    assert link.fontMetrics().horizontalAdvance(link.text()) <= link.width()
    where = page.findChildren(ElidedLabel)[-1]
    assert where.full_text == str(folder)
    assert where.pos().y() > link.pos().y()


def test_a_project_that_is_not_reachable_is_listed_until_a_person_forgets_it(
    qtbot, session, open_page, tmp_path, do
):
    stick = tmp_path / "stick"
    session.settings.add_recent(stick / "class 7b.eigenfaces")
    page = open_page(WelcomePage)
    qtbot.waitUntil(lambda: says(page, f"{stick} · not reachable"))
    do(button(page, "class 7b").click)
    assert "There is no project file" in session.message.text
    assert session.settings.recent_projects == [stick / "class 7b.eigenfaces"]
    do(button(page, "Forget class 7b").click)
    assert session.settings.recent_projects == []
    assert says(page, "Projects that you open will appear here.")


def test_while_photos_are_read_nothing_is_offered_but_to_wait(qtbot, session, open_page, do):
    page, gate = open_page(WelcomePage), Gate()
    choose = button(page, "Open folder…")
    session.run(JobKind.IMPORT, "Reading 9 photos", gate.work, print)
    qtbot.waitUntil(lambda: says(page, "Your photos are being read"))
    assert not choose.isVisible()
    gate.open.set()
    qtbot.waitUntil(choose.isVisible)
    assert not says(page, "Your photos are being read")


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_keys_press_the_button_that_has_the_focus(qtbot, open_page, tmp_path, monkeypatch, key):
    page, wanted = open_page(WelcomePage), []
    monkeypatch.setattr(actions, "open_sample", lambda _: wanted.append("sample"))
    page.photos_wanted.connect(wanted.append)
    qtbot.keyClick(button(page, "Try the sample gallery"), key)
    qtbot.keyClick(button(page, "Open folder…"), key)
    assert page.accept_paths([tmp_path])  # as what is dropped
    assert wanted == ["sample", [], [tmp_path]]
