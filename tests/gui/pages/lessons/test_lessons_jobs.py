"""What takes long on the Lessons page, what it is shown on, and what is written to files."""

from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from eigenfaces.lessons import catalogue
from eigenfaces.lessons.catalogue import lesson
from gui.pages.lessons import page as page_module
from gui.pages.lessons import state as state_module
from gui.pages.lessons.page import LessonsPage
from gui.state.jobs import JobKind
from gui.widgets.fields import DropDown
from tests.gui import seen

LESSONS = page_module.LESSONS


@pytest.fixture
def released(monkeypatch):
    """Prepare the first lesson in a job, which waits until this event is set."""
    usual, event = lesson("variance"), Event()

    def prepare(subject, tick, offset):
        while not event.wait(0.01):
            tick(1, 2)
        return usual.prepare(subject, tick)

    slow = replace(usual, prepare=prepare, slow_settings=("offset",))
    others = [other for other in LESSONS if other is not usual]
    for module in (catalogue, page_module, state_module):
        monkeypatch.setattr(module, "LESSONS", (slow, *others))
    yield event
    event.set()


@pytest.fixture
def slow_page(released, session, qtbot) -> LessonsPage:
    return seen.show(qtbot, LessonsPage(session), (1279, 861))


def test_what_takes_long_is_prepared_in_a_job(slow_page, released, qtbot, session, do):
    page = slow_page
    assert session.jobs.current.title == "Preparing “Most variance, least error”"
    assert not page.controls.isEnabled()
    assert page.pictured.first.panels == []
    do(released.set)
    assert page.controls.isEnabled()
    panels = page.pictured.first.panels
    released.clear()
    seen.button(page, "New points").click()
    assert not page.controls.isEnabled()
    assert page.pictured.first.panels is panels  # the old picture stays meanwhile
    assert page.words.code
    do(released.set)
    assert "default_rng(1)" in page.words.code
    released.clear()
    page.controls.edited.emit("offset", 2.0)  # such a setting is prepared by, once it is left
    qtbot.waitUntil(lambda: session.jobs.current is not None)
    do(released.set)
    assert page.words.code.count("offset = 2.0") == 1


def test_a_result_for_a_lesson_that_was_left_is_thrown_away(slow_page, released, do):
    slow_page.show_lesson("table")
    do(released.set)
    assert slow_page.states.current.lesson.name == "table"
    released.clear()
    slow_page.show_lesson("variance")
    assert not slow_page.states.current.is_ready
    do(released.set)
    assert slow_page.states.current.is_ready


def test_what_is_cancelled_says_so_and_can_be_had_again(slow_page, released, qtbot, session, do):
    session.jobs.cancel(JobKind.LESSON)
    qtbot.waitUntil(slow_page.pictured.error.isVisible)
    assert seen.says(slow_page, "Cancelled before there was a picture. Click Reset to start again.")
    released.set()
    do(seen.button(slow_page, "Reset").click)
    assert slow_page.picture is not None
    assert not slow_page.pictured.error.isVisible()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_lesson_is_shown_on_all_it_names(lesson, trained_session, open_page, do):
    """With all settings at their ends, without an error, and all of it read aloud."""
    page = open_page(LessonsPage, (1279, 861))
    do(page.show_lesson, lesson.name)
    for key in (lesson.subjects[0], *({"gallery"} & {*lesson.subjects})):
        do(seen.choose, page.subjects, key)
        assert page.states.current.error == ""
        assert page.picture is not None
        for row in page.controls.sliders:
            for end in (row.slider.maximum(), row.slider.minimum()):
                do(row.slider.setValue, end)
                assert not page.pictured.error.isVisible(), (key, row.slider.accessibleName(), end)
    assert seen.unread(page) == []


def test_controls_that_do_nothing_are_hidden_and_the_focus_stays(page, do):
    page.activateWindow()
    do(page.show_lesson, "any-pictures")
    page.controls.findChildren(DropDown)[-1].setFocus()
    for view, names in (("Map", []), ("Reconstruction", ["k", "Picture"]), ("Components", ["k"])):
        do(QApplication.focusWidget().setCurrentText, view)
        assert [row.slider.accessibleName() for row in page.controls.sliders] == names


def test_a_gallery_can_be_chosen_where_there_is_one(page, session, small_gallery, open_gallery, do):
    page.show_lesson("rotation")
    at = page.subjects.findData("gallery")
    assert not page.subjects.model().item(at).isEnabled()
    assert page.subjects.itemData(at, Qt.ItemDataRole.ToolTipRole).startswith("There is no gallery")
    do(open_gallery, small_gallery, "small")
    assert page.subjects.model().item(at).isEnabled()
    do(seen.choose, page.subjects, "gallery")
    assert page.states.current.subject.title == "24 faces of the gallery"
    assert "small.eigenfaces" in page.words.code
    do(open_gallery, small_gallery.remove([small_gallery.index.photos[0].id]))
    assert page.states.current.subject.title == "23 faces of the gallery"
    page.show_lesson("variance")
    session.close_project()
    do(page.show_lesson, "rotation")
    assert seen.says(page, "There is no gallery yet: add photos, or choose other data.")
    assert page.controls.sliders[0].slider.accessibleName() == "Components k"


def test_pictures_are_opened(page, tmp_path, monkeypatch, do):
    folder = tmp_path / "Shells"
    folder.mkdir()
    for number, pixels in enumerate(np.random.default_rng(3).integers(0, 256, (12, 10, 12))):
        Image.fromarray(pixels.astype(np.uint8)).save(folder / f"{number}.png")
    page.show_lesson("rotation")
    entries = [page.subjects.itemText(at) for at in range(page.subjects.count())]
    assert entries[-2:] == ["Open a folder of pictures…", "Open a file of pictures…"]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    do(seen.choose, page.subjects, "folder")
    assert len(page.states.current.subject) == 12
    assert page.subjects.currentText() == page.states.current.subject.title
    missing = str(tmp_path / "missing.npz")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (missing, ""))
    do(seen.choose, page.subjects, "file")
    assert seen.says(page, "does not exist. Check the path and try again.")
    do(seen.choose, page.subjects, "cloud")
    assert page.picture is not None


def test_a_table_is_opened_or_dropped_and_its_rows_are_chosen(
    page, session, tmp_path, monkeypatch, do
):
    path = tmp_path / "trees.csv"
    path.write_text("tree;height;girth;age\noak;20,5;3;9\nash;18;1,5;7\nelm;?;2;2\nyew;9;4;1\n")
    page.show_lesson("variance")
    entries = [page.subjects.itemText(at) for at in range(page.subjects.count())]
    assert entries == ["70 points", "Open a table (CSV)…"] or entries[-1] == "Open a table (CSV)…"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    do(seen.choose, page.subjects, "csv")
    assert page.subjects.currentText() == "3 rows of trees.csv"
    assert session.message.text.startswith("Left out: 1 of 4 rows, as a number is missing")
    page._set("up", "age")
    do(page._draw)
    assert "x = x[:, [0, 2]]  # height, age" in page.words.code
    do(page.show_lesson, "own-table")
    assert page.accept_paths([path])
    do(page.states.changed.emit)
    plane, table = page.pictured.first.panels[0], page.pictured.second.panels[0]
    do(table.setCurrentIndex, table.model().index(2, 0))
    assert page.states.current.settings["which"] == 3
    assert plane.panel.layers[0].chosen == 2
    do(plane.item_chosen.emit, "which", 2)
    assert table.selected_rows() == [1]
    page.show_lesson("line")
    assert not page.accept_paths([path])  # it has points of its own: the list may be of photos
    page.show_lesson("variance")
    assert not page.accept_paths([tmp_path / "photo.png"])


def test_files(page, session, tmp_path, monkeypatch, do):
    beginnings = {
        "Picture (SVG)…": b"<?xml",
        "Picture (PNG)…": b"\x89PNG",
        "Picture (PDF)…": b"%PDF",
        "Picture, 16:9 (PNG, 1920 × 1080)…": b"\x89PNG",
        "NumPy listing (.py)…": b"import numpy as np",
    }
    paths: list[Path] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(paths[-1]), ""))
    now = page.states.current
    menu = page.export_menu(page.picture, now.lesson.code(now.subject, now.settings))
    for title, beginning in beginnings.items():
        suffix = title.partition("(")[2][:3].lower().strip(".)")
        paths.append(tmp_path / f"lesson{len(paths)}.{suffix}")
        do(next(action for action in menu.actions() if action.text() == title).trigger)
        assert paths[-1].read_bytes().startswith(beginning)
        assert session.message.text == f"Saved as “{paths[-1].name}”."
