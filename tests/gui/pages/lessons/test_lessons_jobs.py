"""What takes long on the Lessons page, what it is shown on, and what is written to files."""

from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from eigenfaces import Project
from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.image_set import ImageSet
from gui.pages.lessons import page as page_module
from gui.pages.lessons import study as study_module
from gui.pages.lessons.page import LessonsPage
from tests.gui import seen

PATIENT = 120_000
"""Milliseconds: what some lessons prepare takes seconds."""

LEFT = Qt.MouseButton.LeftButton


class Slow:
    """A lesson whose preparation waits until it is let go, or is stopped."""

    def __init__(self, usual) -> None:
        self.goes_on, self.asked = Event(), []
        self.lesson = replace(usual, prepare=self.prepare, slow=True)
        self.usual = usual

    def prepare(self, subject, tick):
        self.asked.append(subject)
        while not self.goes_on.wait(0.01):
            tick(1, 2)
        return self.usual.prepare(subject, tick)


@pytest.fixture
def slow(page, monkeypatch):
    """The first lesson, prepared in a job; another lesson comes after it."""
    made = Slow(page.studies.now.lesson)
    lessons = (made.lesson, *page_module.LESSONS[1:])
    for module in (page_module, study_module):
        monkeypatch.setattr(module, "LESSONS", lessons)
    page.studies._studies.clear()
    yield made
    made.goes_on.set()


def test_what_takes_long_is_prepared_in_a_job(page, slow, qtbot, session):
    page.show_lesson("variance")
    assert session.jobs.current.title == "Preparing “Most variance, least error”"
    assert not page.controls.isEnabled()
    assert not page.pictured.veil.isVisible()
    qtbot.waitUntil(page.pictured.veil.isVisible)  # only after a moment
    assert page.pictured.first.panels == []  # what was shown belongs to another lesson
    slow.goes_on.set()
    seen.settle(qtbot, session)
    assert not page.pictured.veil.isVisible()
    assert page.picture is not None
    assert page.controls.isEnabled()


def test_the_old_picture_stays_while_other_points_are_prepared(page, slow, qtbot, session):
    slow.goes_on.set()
    page.show_lesson("variance")
    seen.settle(qtbot, session)
    panels = page.pictured.first.panels
    slow.goes_on.clear()
    page.controls.drawn_anew.emit()
    qtbot.waitUntil(page.pictured.veil.isVisible)
    assert page.pictured.first.panels is panels
    assert page.words.listing.code
    slow.goes_on.set()
    seen.settle(qtbot, session)
    assert "default_rng(1)" in page.words.listing.code


def test_a_result_for_a_lesson_that_was_left_is_thrown_away(page, slow, qtbot, session):
    page.show_lesson("variance")
    page.show_lesson("table")
    slow.goes_on.set()
    seen.settle(qtbot, session)
    assert page.studies.now.lesson.name == "table"
    assert not page.studies._studies["variance"].is_ready
    page.show_lesson("variance")
    seen.settle(qtbot, session)
    assert page.studies.now.is_ready


def test_what_is_cancelled_says_so_and_can_be_had_again(page, slow, qtbot, session):
    page.show_lesson("variance")
    session.jobs.cancel("lesson")
    qtbot.waitUntil(page.pictured.error.isVisible)
    assert seen.says(page, "Cancelled: there is no picture of this yet.")
    slow.goes_on.set()
    seen.button(page.pictured.error, "Try again").click()
    seen.settle(qtbot, session)
    assert page.picture is not None
    assert not page.pictured.error.isVisible()


def test_what_cannot_be_prepared_is_said(page, slow, qtbot, session, monkeypatch):
    def refuse(_subject, _tick):
        raise EigenfacesError("There is too little to see. Choose other data.")

    slow.usual = replace(slow.usual, prepare=refuse)
    slow.goes_on.set()
    page.show_lesson("variance")
    seen.settle(qtbot, session)
    assert seen.says(page, "There is too little to see. Choose other data.")
    assert session.message is None


def test_lessons_in_a_row(page, qtbot, session):
    names = [lesson.name for lesson in page_module.LESSONS]
    assert not page._back.isEnabled()
    for number, name in enumerate(names):
        assert page.studies.now.lesson.name == name
        assert page._number.text() == f"{number + 1} of {len(names)}"
        assert page.list.currentItem().text() == page.studies.now.lesson.title
        if number < len(names) - 1:
            following = page_module.LESSONS[number + 1].title
            qtbot.mouseClick(seen.button(page, following), LEFT)
    assert not page._forward.isEnabled()
    seen.settle(qtbot, session, PATIENT)
    assert session.settings.seen_lessons == sorted(names)
    page.list.setCurrentRow(1)
    assert page.studies.now.lesson.name == names[0]


@pytest.mark.parametrize("lesson", page_module.LESSONS, ids=lambda lesson: lesson.name)
def test_every_lesson_is_shown_on_all_that_it_names(lesson, qtbot, trained_session, nameless):
    """With all settings at their ends, without an error, and all of it named.

    Of a slow lesson on what it begins with, and a second: t-SNE of the digits takes its time.
    """
    page = seen.show(qtbot, LessonsPage(trained_session), (1279, 861))
    page.show_lesson(lesson.name)
    seen.settle(qtbot, trained_session, PATIENT)
    for key in lesson.subjects[:2] if lesson.slow else lesson.subjects:
        if key == "opened":
            continue
        page._change(lambda key=key: page.studies.show_on(key))
        seen.settle(qtbot, trained_session, PATIENT)
        assert page.studies.now.error == ""
        assert page.picture is not None
        for slider in page.controls.sliders:
            for end in (slider.slider.maximum(), slider.slider.minimum()):
                slider.slider.setValue(end)
                qtbot.waitUntil(lambda: not page._step.isActive())
                assert not page.pictured.error.isVisible(), (
                    key,
                    slider.slider.accessibleName(),
                    end,
                )
    assert not [each for each in nameless(page) if each.isVisible()]
    page.hide()


def on_pictures(page: LessonsPage) -> None:
    name = next(each.name for each in page_module.LESSONS if "opened" in each.subjects)
    page.show_lesson(name)


def entries(page: LessonsPage) -> list[str]:
    return [page.subjects.itemText(at) for at in range(page.subjects.count())]


def test_the_gallery_can_be_chosen_where_there_is_one(
    page, qtbot, session, small_gallery, tmp_path
):
    on_pictures(page)
    at = page.subjects.findData("gallery")
    assert not page.subjects.model().item(at).isEnabled()
    assert page.subjects.itemData(at, Qt.ItemDataRole.ToolTipRole).startswith("There is no gallery")
    seen.settle(qtbot, session)
    session.switch(Project.create(tmp_path / "small.eigenfaces", small_gallery))
    seen.settle(qtbot, session)
    assert page.subjects.model().item(at).isEnabled()
    page.subjects.setCurrentIndex(at)
    page.subjects.activated.emit(at)
    seen.settle(qtbot, session)
    assert page.studies.now.subject.title == "24 faces of the gallery"
    assert page.picture is not None
    assert "small.eigenfaces" in page.words.listing.code
    fewer = small_gallery.remove([small_gallery.index.photos[0].key])
    session.switch(Project.create(tmp_path / "fewer.eigenfaces", fewer))
    seen.settle(qtbot, session)
    assert page.studies.now.subject.title == "23 faces of the gallery"
    session.close_project()
    seen.settle(qtbot, session)
    assert seen.says(page, "There is no gallery yet: add photos, or choose other data.")


def test_pictures_are_opened(page, qtbot, session, tmp_path, monkeypatch):
    rng = np.random.default_rng(3)
    folder = tmp_path / "Shells"
    folder.mkdir()
    for number in range(12):
        pixels = rng.integers(0, 256, (10, 12), np.uint8)
        Image.fromarray(pixels).save(folder / f"{number}.png")
    on_pictures(page)
    seen.settle(qtbot, session)
    assert entries(page)[-2:] == ["Open a folder of pictures…", "Open an .npz or IDX file…"]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    page._take("folder")
    seen.settle(qtbot, session)
    subject = page.studies.now.subject
    assert isinstance(subject, ImageSet)
    assert len(subject) == 12
    assert page.subjects.currentText() == subject.title
    assert page.picture is not None
    assert page.take_paths([tmp_path / "missing.npz"])
    seen.settle(qtbot, session)
    assert seen.says(page, "does not exist. Check the path and try again.")
    page._change(lambda: page.studies.show_on(page.studies.now.lesson.subjects[0]))
    seen.settle(qtbot, session)
    assert page.picture is not None


@pytest.mark.parametrize(
    ("title", "beginning"),
    [
        ("Picture (SVG)…", b"<?xml"),
        ("Picture (PNG)…", b"\x89PNG"),
        ("Picture (PDF)…", b"%PDF"),
        ("Picture, 16:9 (PNG, 1920 × 1080)…", b"\x89PNG"),
        ("NumPy listing (.py)…", b"import numpy as np"),
    ],
)
def test_files(page, qtbot, session, tmp_path, monkeypatch, title, beginning):
    suffix = title.partition("(")[2][:3].lower().strip(".)")
    path = tmp_path / f"lesson.{suffix}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    now = page.studies.now
    menu = page.export_menu(page.picture, now.lesson.code(now.subject, now.settings))
    next(action for action in menu.actions() if action.text() == title).trigger()
    seen.settle(qtbot, session, PATIENT)
    assert path.read_bytes().startswith(beginning)
    assert session.message.text == f"Saved as “{path.name}”."
