"""The Lessons page: what it says and shows, settings, dragging, keys, sizes."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPlainTextEdit

from eigenfaces.errors import EigenfacesError
from eigenfaces.lessons.catalogue import LESSONS
from eigenfaces.lessons.lesson import Step
from eigenfaces.lessons.most_variance import LESSON as MOST_VARIANCE
from gui.pages.lessons.panels import SharesView
from gui.pages.lessons.planes import CurvesView, InkedLine, PlaneView
from gui.pages.lessons.words import StepLink
from gui.plots.marks import ReferenceLine
from gui.window.main_window import MainWindow
from tests.gui import layout, seen

ROUNDED = 6e-4
FIRST = LESSONS.index(MOST_VARIANCE)  # where the page is opened here
LEFT = Qt.MouseButton.LeftButton


def plane(page) -> PlaneView:
    return next(panel for panel in page.pictured.first.panels if isinstance(panel, PlaneView))


def settings(page):
    return page.states.current.settings


def drag(chart: PlaneView, start: QPointF, end: QPointF) -> None:
    chart.press(start)
    for place in ((start + end) / 2, end):
        chart.track_pointer(place, pressed=True)
    chart.release()


def place(chart: PlaneView, number: int) -> QPointF:
    return QPointF(*chart.on_screen(chart.movable_points.at)[number].tolist())


def test_a_student_without_a_gallery_is_there_with_one_click(qtbot, session, qapp):
    window = seen.show(qtbot, MainWindow(session))
    assert window.page.key == "welcome"
    qtbot.mouseClick(seen.button(window.page, "Lessons"), LEFT)
    assert window.page.key == "lessons"
    assert seen.says(window.page, "A face in a few numbers")
    seen.settle(qtbot, session)
    assert window.page.picture is not None


def test_what_is_shown_is_the_picture_of_the_lesson(page):
    expected = MOST_VARIANCE.show(page.states.current.subject)
    assert np.allclose(plane(page).movable_points.at, expected.upper.rows[0][0].layers[-1].at)
    bar, (curves,) = page.pictured.first.panels[1], page.pictured.second.panels
    assert isinstance(bar, SharesView)
    assert isinstance(curves, CurvesView)
    assert bar.panel.parts == expected.upper.rows[1][0].parts
    share = bar.panel.mark[0] / expected.numbers["total"]
    assert bar.places()[1] == pytest.approx(share * bar.width())
    assert [line.name for line in curves.marks_of(InkedLine)] == ["variance kept", "squared error"]
    assert curves.marks_of(ReferenceLine)[0].value == 39


def test_names_in_sentences_are_no_mark_up(page):
    page.words.show_words(MOST_VARIANCE, {"best": "<img src=x>"})
    shown = [text for text in page.findChildren(QLabel) if "the blue bar is longest" in text.text()]
    assert "&lt;img src=x&gt;" in shown[0].text()


def test_a_slider_turns_the_line_in_the_same_widgets(page, do):
    before = page.pictured.first.panels, page.pictured.second.panels
    slider = page.controls.sliders[0]
    do(slider.slider.setValue, 45)
    assert settings(page)["angle"] == 45
    assert slider.box.value() == 45
    w = page.picture.numbers["w"]
    assert w == pytest.approx([np.sqrt(0.5), np.sqrt(0.5)])
    assert page.pictured.second.panels[0].marks_of(ReferenceLine)[0].value == 45
    assert before == (page.pictured.first.panels, page.pictured.second.panels)
    do(slider.box.setValue, 90)
    assert slider.slider.value() == 90
    assert page.picture.numbers["w"] == pytest.approx([0, 1], abs=1e-12)


def test_check_boxes_and_suggestions_change_settings(page, qtbot, settled):
    box = next(flag for flag in page.findChildren(QCheckBox) if flag.text() == "w has length 1")
    qtbot.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
    settled()
    assert not settings(page)["unit_length"]
    qtbot.mouseClick(seen.button(page, "Best"), LEFT)
    assert f"{settings(page)['angle']:.0f}°" == page.picture.words["best"]
    assert page.controls.sliders[0].slider.value() == settings(page)["angle"]
    qtbot.mouseClick(seen.button(page, "Reset"), LEFT)
    assert settings(page) == MOST_VARIANCE.default_settings
    assert box.isChecked()


def test_the_ring_is_dragged(page):
    chart = plane(page)
    centre = QPointF(*chart.on_screen(np.zeros((1, 2)))[0].tolist())
    drag(chart, chart.ring, centre + QPointF(60, -60))
    assert settings(page)["angle"] == 45
    assert page.controls.sliders[0].box.value() == 45
    drag(chart, chart.ring, centre + QPointF(60, 60))  # below: the same line as at 135°
    assert settings(page)["angle"] == 135
    assert chart.ring.y() > centre.y()  # and the ring stays where it was dragged to


def test_a_point_is_dragged_and_moved_by_the_arrow_keys(page, qtbot):
    chart = plane(page)
    before, half = page.states.current.subject.values, chart.axes.x.hi
    drag(chart, place(chart, 3), place(chart, 3) + QPointF(30, -40))
    after = page.states.current.subject.values
    changed = np.flatnonzero((np.abs(before - after) > ROUNDED).any(axis=1))
    assert changed.tolist() == [3]
    unit = 2 * half / chart.axes.plot.width()
    assert after[3] - before[3] == pytest.approx([30 * unit, 40 * unit], abs=3 * unit)
    assert page.states.current.subject.title == "70 points of your own"
    qtbot.keyClick(chart, Qt.Key.Key_Return)  # the next point
    qtbot.keyClick(chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    moved = page.states.current.subject.values - after
    assert np.flatnonzero((np.abs(moved) > ROUNDED).any(axis=1)).tolist() == [4]
    assert moved[4, 0] > 0
    assert moved[4, 1] == pytest.approx(0, abs=2e-3)


def test_what_cannot_be_shown_is_said_until_reset_brings_the_points_back(page, qtbot, monkeypatch):
    def refuse(*_, **_settings):
        raise EigenfacesError("There is no direction. Move one.")

    same = "All of them are the same, so there are no components. Choose other data."
    page.states.change_points(lambda points: replace(points, values=np.ones((3, 2))))
    page.states.changed.emit()
    assert seen.says(page, same)
    assert not seen.button(page, "Export picture…").isEnabled()
    with monkeypatch.context() as patched:
        patched.setattr(page.states.current, "lesson", replace(MOST_VARIANCE, picture=refuse))
        qtbot.mouseClick(seen.button(page, "New points"), LEFT)
        assert seen.says(page, "There is no direction. Move one.")
    qtbot.mouseClick(seen.button(page, "Reset"), LEFT)
    assert len(page.states.current.subject) == 70
    assert page.picture is not None
    assert not page.pictured.error.isVisible()
    assert seen.button(page, "Export picture…").isEnabled()


def test_the_focus_stays_in_the_controls_of_another_lesson(page):
    page.activateWindow()
    page.controls.sliders[0].slider.setFocus()
    page.go(1)
    assert page.controls.sliders[0].slider.hasFocus()


def test_the_program_is_shown_and_copied(page, qtbot, do):
    do(page.controls.sliders[0].slider.setValue, 30)
    assert "angle = 30.0" in page.words.code
    qtbot.mouseClick(seen.button(page, "Copy"), LEFT)
    assert QGuiApplication.clipboard().text() == page.words.code


def test_space_plays_in_the_next_lesson_although_the_figure_with_the_focus_is_gone(
    page, qtbot, settled
):
    """The focus went to the navigation: Space opened another page."""
    plane(page).setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown)
    assert page.states.current.lesson is LESSONS[FIRST + 1]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert any(slider.play.playing for slider in page.controls.sliders if slider.play)
    settled()
    page.hide()  # what is hidden does not play
    assert not any(slider.play.playing for slider in page.controls.sliders if slider.play)


def test_page_keys_scroll_the_listing_and_elsewhere_go_to_another_lesson(page, qtbot):
    listing = page.words.findChild(QPlainTextEdit)
    listing.setPlainText("\n".join(map(str, range(500))))
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    listing.setFocus()
    for key, moves in (("PageDown", True), ("PageUp", False)):
        qtbot.keyClick(listing, Qt.Key[f"Key_{key}"])
        assert (listing.verticalScrollBar().value() > 0) == moves
        assert page.states.current.lesson is LESSONS[FIRST]
    for place in (page.list, page.controls.sliders[0].slider, page.content):
        place.setFocus()
        qtbot.keyClick(place, Qt.Key.Key_PageDown)
        assert page.states.current.lesson is LESSONS[FIRST + 1]
        page.show_lesson(LESSONS[FIRST].name)


def test_a_narrow_window_has_a_list_to_choose_from_and_a_low_one_scrolls(page, qtbot):
    scroll = page.pictured.verticalScrollBar()
    assert page.lessons.isVisible()
    assert not page.choice.isVisible()
    assert scroll.maximum() == 0
    page.resize(1048, 607)
    assert not page.lessons.isVisible()
    assert page.choice.currentText() == "2 · Most variance, least error"
    qtbot.waitUntil(lambda: scroll.maximum() > 0)
    page.choice.setCurrentIndex(3)
    assert page.states.current.lesson is LESSONS[3]
    page.list.setCurrentRow(1)
    assert page.states.current.lesson is LESSONS[0]


@pytest.mark.parametrize("name", ["variance", "rotation", "whitening", "auto-encoder", "own-table"])
def test_at_1366_by_768_the_list_and_both_figures_are_in_view(name, session, qtbot, do):
    session.show_page("lessons")
    window = seen.show(qtbot, MainWindow(session), (1366, 768))
    page = window.page
    do(page.show_lesson, name)
    assert page.lessons.isVisible()
    qtbot.waitUntil(lambda: page.pictured.verticalScrollBar().maximum() == 0)
    for view in (page.pictured.first, page.pictured.second):
        assert view.isVisible()
        assert view.height() >= max(view.least_height(), 120)
    assert layout.wrong(page.pictured) == []


def test_every_slider_plays_and_every_lesson_has_back_and_next(page, qtbot):
    page.show_lesson(LESSONS[0].name)
    assert not page.back.isEnabled()
    for lesson in LESSONS[1:]:
        qtbot.mouseClick(page.next, LEFT)
        assert page.states.current.lesson is lesson
    assert not page.next.isEnabled()
    qtbot.mouseClick(page.back, LEFT)
    assert page.states.current.lesson is LESSONS[-2]
    page.show_lesson("variance")
    offset = page.controls.sliders[1]
    qtbot.mouseClick(offset.play, LEFT)
    qtbot.waitUntil(lambda: offset.slider.value() > 0)
    assert settings(page)["offset"] == offset.box.value()


def test_a_step_sets_the_lesson_by_a_click_or_by_enter(page, qtbot, settled, monkeypatch):
    steps = (Step("Look."), Step("Turn & look.", {"angle": 90.0}))
    monkeypatch.setattr(page.states.current, "lesson", replace(MOST_VARIANCE, steps=steps))
    page.states.changed.emit()
    look, turn, *others = page.words.findChildren(StepLink)
    assert not any(other.isVisible() for other in others)
    assert look.focusPolicy() == Qt.FocusPolicy.NoFocus
    page.activateWindow()
    turn.setFocus(Qt.FocusReason.TabFocusReason)
    for follow in (
        lambda: qtbot.mouseClick(turn, LEFT),
        lambda: qtbot.keyClick(turn, Qt.Key.Key_Return),
    ):
        page.states.current.set("offset", 2.0)
        page.states.current.set("angle", 7.0)
        follow()
        settled()
        assert settings(page) == {**MOST_VARIANCE.default_settings, "angle": 90.0}
        assert page.controls.sliders[0].box.value() == 90
        assert turn.hasFocus()
    page.states.current.set("angle", 7.0)
    qtbot.mouseClick(look, LEFT)
    settled()
    assert settings(page)["angle"] == 7


def test_the_step_with_the_focus_has_a_ring(page):
    (step, *_) = page.words.findChildren(StepLink)
    page.activateWindow()
    before = step.grab().toImage()
    step.setFocus(Qt.FocusReason.TabFocusReason)
    assert step.grab().toImage() != before


def test_no_line_begins_within_a_norm(page):
    page.words.show_words(replace(MOST_VARIANCE, formula="a b + ‖<i>x</i> − <i>y</i>‖² = 1"), {})
    assert any(
        "‖<i>x</i>\xa0−\xa0<i>y</i>‖² = 1" in part.text() for part in page.findChildren(QLabel)
    )


def test_a_control_of_another_lesson_changes_nothing(page):
    """As a box in which a number was typed, and which is left by going to the next lesson."""
    left = page.controls.sliders[0]
    page.show_lesson("whitening")
    before = settings(page)
    left.box.setValue(left.box.value() + 3)
    assert settings(page) == before


def test_a_question_is_answered_in_a_sentence_and_all_can_be_hidden(page, qtbot, session):
    card, asked = page.words.question, MOST_VARIANCE.question
    assert seen.says(page, asked.words)
    wrong = (asked.right + 1) % 3
    qtbot.mouseClick(card.answers[wrong], LEFT)
    assert seen.says(page, asked.reply(wrong))
    qtbot.mouseClick(card.answers[asked.right], LEFT)
    assert seen.says(page, asked.reply(asked.right))
    page.show_lesson("scale")
    assert not seen.says(page, asked.reply(asked.right))
    qtbot.mouseClick(seen.button(page, "Hide questions"), LEFT)
    assert not session.settings.asks_questions
    page.show_lesson("variance")
    assert not seen.says(page, asked.words)
    qtbot.mouseClick(seen.button(page, "Ask questions first"), LEFT)
    assert seen.says(page, asked.words)
