"""The hall: a lesson alone on the whole screen, step by step, and everything as before after it."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from eigenfaces.lessons import catalogue
from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.lesson import Step
from gui.pages.lessons import hall as hall_module
from gui.pages.lessons import page as page_module
from gui.pages.lessons import state as state_module
from gui.pages.lessons.hall import LessonHall
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests.gui import layout, seen

LEFT = Qt.MouseButton.LeftButton
FIRST = lesson("variance")
COUNTED = sum(other.group != catalogue.LABORATORY for other in LESSONS)
OTHERS = tuple(other for other in LESSONS if other is not FIRST)
STEPS = (Step("Turn the line."), Step("Move the cloud.", {"offset": 2.0, "centred": False}))


@pytest.fixture
def lessons(monkeypatch):
    """The lessons, “Most variance” first of them, with two steps."""
    lessons = (replace(FIRST, steps=STEPS), *OTHERS)
    for module in (catalogue, hall_module, page_module, state_module):
        monkeypatch.setattr(module, "LESSONS", lessons)
    return lessons


@pytest.fixture
def window(lessons, qtbot, session) -> MainWindow:
    session.settings.asks_questions = False
    window = seen.show(qtbot, MainWindow(session), (1366, 768))
    session.show_page("lessons")
    window.activateWindow()
    seen.settle(qtbot, session)
    return window


@pytest.fixture
def hall(window, do) -> LessonHall:
    do(window.toggle_hall)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1366, 768)
    return window.centralWidget().currentWidget()


def settings(window):
    return window.page.states.current.settings


def press(qtbot, key: Qt.Key) -> None:
    qtbot.keyClick(QApplication.focusWidget(), key)


def click(qtbot, widget: QWidget, place: QPoint) -> None:
    qtbot.mouseClick(widget, LEFT, pos=place)


def test_f11_shows_title_number_sentence_and_a_large_figure(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F11)
    hall = window.centralWidget().currentWidget()
    assert isinstance(hall, LessonHall)
    assert window.isFullScreen()
    assert not window.navigation.isVisible()
    for words in (f"1 of {COUNTED}", "Most variance, least error", "Turn the line."):
        assert seen.says(hall, words)
    assert hall.figure.height() >= 0.74 * hall.height()
    assert "Exit (Esc)" in seen.button_names(hall)
    press(qtbot, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.page.isVisible()


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (910, 512)])
def test_nothing_is_cut_in_any_lesson(hall, window, do, size, settled):
    window.resize(*size)
    for row in range(len(LESSONS)):
        do(window.page.show_lesson, LESSONS[row].name)
        assert layout.wrong(hall) == [], LESSONS[row].name
        assert hall.figure.height() >= 0.74 * hall.height()


@pytest.fixture
def asking(session, window, do) -> LessonHall:
    """The hall, which asks its questions."""
    session.settings.asks_questions = True
    do(window.toggle_hall)
    window.setWindowState(Qt.WindowState.WindowNoState)
    return window.centralWidget().currentWidget()


def test_a_question_hides_the_figure_until_it_is_answered(asking, window, lessons, qtbot, do):
    question, right = asking.question, FIRST.question.right
    assert question.isVisible()
    assert seen.says(asking, FIRST.question.words)
    assert not asking.figure.isVisible()
    assert asking.slider is None
    do(question.answers[right].click)
    assert asking.figure.isVisible()
    assert asking.words.text() == f"<b>{FIRST.question.reply(right)}</b> Turn the line."
    assert asking.slider is not None
    do(press, qtbot, Qt.Key.Key_PageDown)
    assert asking.words.text() == "Move the cloud."
    do(press, qtbot, Qt.Key.Key_PageUp)
    assert not question.isVisible(), "it is asked once"
    window.page.show_lesson(lessons[1].name)
    assert question.isVisible()
    do(press, qtbot, Qt.Key.Key_PageDown)
    assert window.page.states.current.lesson is lessons[1], "a step on shows the figure first"
    assert asking.figure.isVisible()
    assert "<b>Yes" not in asking.words.text()


def test_questions_are_switched_off_for_all_lessons(asking, window, session, lessons, do):
    do(seen.button(asking, "Hide questions").click)
    assert not session.settings.asks_questions
    assert asking.figure.isVisible()
    do(window.page.show_lesson, lessons[1].name)
    assert asking.figure.isVisible()


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (910, 512)])
def test_no_question_is_cut(asking, window, settled, size):
    window.resize(*size)
    for asks in LESSONS:
        if asks.question is not None:
            asking.question.ask(asks.question)
            settled()
            assert layout.wrong(asking) == [], asks.name


def test_page_keys_go_from_step_to_step_and_to_the_next_lesson(hall, window, lessons, qtbot, do):
    state = window.page.states
    do(press, qtbot, Qt.Key.Key_PageDown)
    assert hall.words.text() == "Move the cloud."
    assert settings(window)["offset"] == 2.0
    assert (hall.dots.number, hall.dots.current) == (2, 1)
    assert hall.slider.slider.accessibleName() == "Off the middle"  # what the step has set
    assert hall.slider.value.text() == "2"
    do(press, qtbot, Qt.Key.Key_Right)
    assert state.current.lesson is lessons[1]
    assert seen.says(hall, f"2 of {COUNTED}")
    do(hall.back.click)
    assert (state.current.lesson, state.current.step) == (lessons[0], 1)
    do(press, qtbot, Qt.Key.Key_PageUp)
    assert settings(window) == FIRST.default_settings
    assert not hall.back.isEnabled()
    do(click, qtbot, hall.dots, QPoint(hall.dots.width() - 4, 9))
    assert state.current.step == 1
    window.page.show_lesson(lessons[-1].name)
    do(hall.step_chosen.emit, len(lessons[-1].steps) - 1)
    assert not hall.next.isEnabled()


def test_the_slider_is_large_and_all_of_its_track_takes_clicks(hall, window, qtbot, do):
    slider = hall.slider.slider
    assert slider.handle().width() == slider.handle().height() == 28
    for share, at in ((0.5, 2), (0.75, slider.height() - 3)):
        place = QPoint(round(share * slider.width()), at)
        do(click, qtbot, slider, place)
        assert settings(window)["angle"] == pytest.approx(180 * share, abs=3)
        assert hall.slider.value.text() == f"{settings(window)['angle']:g}°"
    slider.setFocus()
    before = settings(window)["angle"]
    do(press, qtbot, Qt.Key.Key_Left)
    assert settings(window)["angle"] == before - 1
    press(qtbot, Qt.Key.Key_PageDown)
    assert window.page.states.current.step == 1, "a presenter goes on wherever the focus is"


def test_space_plays(hall, window, qtbot):
    press(qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: settings(window)["angle"] > 12)


def test_the_ring_is_dragged_where_it_is_seen(hall, window, qtbot):
    """The figure is enlarged: what the pointer takes hold of is where it is drawn."""
    view, plane = hall.figure, hall.drawing.panels[0]
    assert view.transform().m11() > 1.2

    def at(place: QPointF) -> QPoint:
        return view.mapFromScene(QPointF(plane.mapTo(hall.drawing, place.toPoint())))

    start, zero = plane.ring, QPointF(*plane.on_screen(np.zeros((1, 2)))[0].tolist())
    across, up = at(start), at(zero + QPointF(60, -60))
    qtbot.mousePress(view.viewport(), LEFT, pos=across)
    kind, none = QMouseEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
    spot = QPointF(up)
    event = QMouseEvent(kind, spot, view.viewport().mapToGlobal(spot), LEFT, LEFT, none)
    QApplication.sendEvent(view.viewport(), event)
    qtbot.mouseRelease(view.viewport(), LEFT, pos=up)
    assert settings(window)["angle"] == pytest.approx(45, abs=1)


def test_the_second_figure_can_be_chosen(hall, window, do):
    first, second = window.page.states.current.lesson.show(
        window.page.states.current.subject
    ).drawings
    assert hall.drawing.drawing.heading == first.heading
    do(seen.button(hall, "Figure 2").click)
    assert hall.drawing.drawing.heading == second.heading


def test_what_a_teacher_has_set_is_shown_and_stays(window, qtbot, do):
    page = window.page
    do(page.controls.sliders[0].slider.setValue, 70)
    do(window.toggle_hall)
    assert settings(window)["angle"] == 70
    hall = window.centralWidget().currentWidget()
    do(hall.slider.slider.setValue, 80)
    do(press, qtbot, Qt.Key.Key_Escape)
    assert page.controls.sliders[0].box.value() == 80
    assert page.picture.numbers["w"] == pytest.approx([0.1736, 0.9848], abs=1e-3)


def places(window: MainWindow) -> list[object]:
    parts = window.centralWidget().findChildren(QWidget)
    return [
        (type(part).__name__, part.geometry().getRect(), part.font().pixelSize())
        for part in parts
        if part.isVisible()
    ]


def test_nothing_stays_larger_after_esc(window, trained_session, qtbot, settled):
    def all_places() -> dict[str, object]:
        found = {}
        for item in NAVIGATION_ITEMS:
            trained_session.show_page(item.key)
            settled()
            found[item.key] = places(window)
        trained_session.show_page("lessons")
        settled()
        return found

    before, size = all_places(), window.size()
    window.toggle_hall()
    settled()
    press(qtbot, Qt.Key.Key_Escape)
    window.resize(size)
    settled()
    assert all_places() == before


def test_another_page_leaves_the_hall(hall, window, session):
    session.show_page("settings")
    assert window.navigation.isVisible()
    assert window.page.key == "settings"
    session.show_page("lessons")
    assert window.page.controls.isVisible()


def test_closed_in_the_hall_the_next_window_is_no_full_screen(window, session, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F11)
    assert window.isFullScreen()
    window.close()
    assert not seen.show(qtbot, MainWindow(session)).isFullScreen()


def test_a_page_without_a_figure_says_so(window, session, qtbot):
    session.show_page("settings")
    qtbot.keyClick(window, Qt.Key.Key_F11)
    assert not window.isFullScreen()
    assert session.message.text.startswith("This page has no figure")
