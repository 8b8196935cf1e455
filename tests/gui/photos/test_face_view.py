"""A photograph on which faces are marked: what mouse and keys do and report."""

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QVBoxLayout
from pytestqt.qtbot import QtBot

from eigenfaces.photographs.photos import Eyes
from gui.photos.face_view import Mode, PhotoView
from gui.style.images import grey_image
from gui.widgets.photo_view import corners
from tests.gui import seen

SIZE = (600, 800)
"""(h, w) of the photograph; the image that is shown is half as large."""

MEANT = Eyes((300, 250), (400, 250))
TILTED = Eyes((310, 230), (390, 270))
OTHER = Eyes((620, 200), (660, 200))
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CLOSE = 1.5
"""Photo pixels that a press may lie off, since the pointer stands on whole ones."""

Told = list[tuple[object, ...]]


pytestmark = pytest.mark.usefixtures("light_again")


@pytest.fixture
def view(qtbot: QtBot) -> PhotoView:
    made = seen.show(qtbot, PhotoView(), (660, 540))
    made.show_photo(grey_image(np.full((300, 400), 0.5)), SIZE)
    made.show_faces([MEANT, OTHER], MEANT)
    return made


def heard(*signals: SignalInstance) -> Told:
    """Return what the signals tell from now on."""
    told: Told = []
    for signal in signals:
        signal.connect(lambda *values: told.append(values))
    return told


def press(view: PhotoView, point: complex) -> None:
    QTest.mousePress(view, LEFT, NONE, view.seen(point).toPoint())


def release(view: PhotoView, point: complex) -> None:
    QTest.mouseRelease(view, LEFT, NONE, view.seen(point).toPoint())


def move(view: PhotoView, point: complex, held: Qt.MouseButton = LEFT) -> None:
    place = QPointF(view.seen(point).toPoint())
    kind, none = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    event = QMouseEvent(kind, place, view.mapToGlobal(place), none, held, NONE)
    QApplication.sendEvent(view, event)


def drag(view: PhotoView, start: complex, end: complex) -> None:
    press(view, start)
    for share in (0.3, 1.0):
        move(view, start + share * (end - start))
    release(view, end)


def click(view: PhotoView, point: complex) -> None:
    press(view, point)
    release(view, point)


def chosen(view: PhotoView) -> Eyes:
    assert view._chosen is not None
    return view._chosen


def off(eyes: object, true: Eyes) -> float:
    assert isinstance(eyes, Eyes)
    wrong = np.subtract((eyes.left, eyes.right), (true.left, true.right))
    return float(np.hypot(*wrong.T).max())


# The mouse


def test_clicking_another_face_chooses_it(view: PhotoView) -> None:
    told = heard(view.face_chosen, view.box_drawn, view.eyes_set)
    click(view, OTHER.middle)
    assert told == [(1,)]


@pytest.mark.parametrize("point", [MEANT.middle + 60j, 700 + 550j], ids=["chosen", "free ground"])
def test_clicking_elsewhere_tells_nothing(view: PhotoView, point: complex) -> None:
    told = heard(view.face_chosen, view.box_drawn, view.eyes_set)
    click(view, point)
    assert told == []


def test_of_faces_that_overlap_the_nearer_is_chosen(view: PhotoView) -> None:
    view.show_faces([MEANT, Eyes((320, 250), (380, 250)), OTHER], None)
    told = heard(view.face_chosen)
    click(view, 350 + 320j)
    click(view, 250 + 400j)  # outside the smaller one
    assert told == [(0,), (0,)]


@pytest.mark.parametrize(
    ("start", "end"), [(30 + 40j, 130 + 120j), (130 + 120j, 30 + 20j)], ids=["down", "up"]
)
def test_dragging_on_free_ground_draws_a_square(
    view: PhotoView, start: complex, end: complex
) -> None:
    told = heard(view.box_drawn, view.eyes_set, view.face_chosen)
    drag(view, start, end)
    (box,) = told
    top = min(start.imag, end.imag)
    assert box == pytest.approx((30, top, 100), abs=2 * CLOSE)
    assert chosen(view).box == pytest.approx(box)


def test_dragging_the_box_moves_it(view: PhotoView) -> None:
    told = heard(view.box_drawn, view.eyes_set, view.face_chosen)
    drag(view, MEANT.middle + 80j, MEANT.middle + 40 + 50j)
    left, top, size = MEANT.box
    assert told == [pytest.approx((left + 40, top - 30, size), abs=2 * CLOSE)]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("face", [MEANT, TILTED], ids=["level", "tilted"])
def test_dragging_a_corner_keeps_the_one_across(view: PhotoView, number: int, face: Eyes) -> None:
    view.show_faces([], face)
    told = heard(view.box_drawn, view.eyes_set)
    before = corners(face)
    across = before[(number + 2) % 4]
    drag(view, before[number], across + (before[number] - across) * 0.7)
    after = chosen(view)
    assert abs(corners(after)[(number + 2) % 4] - across) < 1e-6
    assert after.distance == pytest.approx(0.7 * face.distance, abs=CLOSE)
    assert after.angle == pytest.approx(face.angle)
    assert told == ([pytest.approx(after.box)] if face is MEANT else [(after,)])


def test_the_handle_turns_the_box_around_its_middle(view: PhotoView) -> None:
    told = heard(view.eyes_set, view.box_drawn)
    middle, above = sum(corners(MEANT)) / 4, sum(corners(MEANT)[:2]) / 2
    handle = above + 0.24 * (above - middle)
    drag(view, handle, middle + (handle - middle) * np.exp(1j * np.radians(30)))
    ((eyes,),) = told
    assert eyes.angle == pytest.approx(30, abs=1.5)
    assert abs(sum(corners(eyes)) / 4 - middle) < CLOSE
    assert eyes.distance == pytest.approx(MEANT.distance)


def test_a_corner_dragged_past_the_other_side_leaves_a_face(view: PhotoView) -> None:
    drag(view, corners(MEANT)[2], corners(MEANT)[0] - (50 + 50j))
    assert 4 <= chosen(view).distance < MEANT.distance


@pytest.mark.parametrize("mode", get_args(Mode))
def test_dragging_an_eye_leaves_the_other(view: PhotoView, mode: Mode) -> None:
    view.set_mode(mode)
    told = heard(view.eyes_set, view.box_drawn, view.face_chosen)
    drag(view, complex(*MEANT.left), 320 + 240j)
    ((eyes,),) = told
    assert off(eyes, Eyes((320, 240), MEANT.right)) < CLOSE


def test_an_eye_dragged_past_the_other_changes_sides(view: PhotoView) -> None:
    told = heard(view.eyes_set)
    drag(view, complex(*MEANT.left), 460 + 260j)
    ((eyes,),) = told
    assert off(eyes, Eyes(MEANT.right, (460, 260))) < CLOSE


@pytest.mark.parametrize("first", ["left", "right"])
def test_two_clicks_set_the_eyes(view: PhotoView, first: str) -> None:
    view.show_faces([OTHER], None)
    view.set_mode("eyes")
    told = heard(view.eyes_set, view.face_chosen, view.box_drawn)
    eyes = [complex(*OTHER.left), complex(*OTHER.right)]
    for eye in eyes if first == "left" else eyes[::-1]:
        assert told == []
        click(view, eye)
    ((found,),) = told
    assert off(found, OTHER) < CLOSE


def test_eyes_are_not_set_both_at_one_place(view: PhotoView) -> None:
    view.show_faces([], None)
    view.set_mode("eyes")
    told = heard(view.eyes_set)
    click(view, 200 + 200j)
    click(view, 200 + 200j)
    assert told == []
    click(view, 260 + 200j)
    assert len(told) == 1


def test_nothing_can_be_done_without_a_photograph(view: PhotoView) -> None:
    view.show_photo(None, (1, 1))
    view.show_faces([], None)
    told = heard(view.face_chosen, view.box_drawn, view.eyes_set)
    where = view.rect().center()
    QTest.mousePress(view, LEFT, NONE, where)
    QTest.mouseRelease(view, LEFT, NONE, where)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert told == []
    assert not view.grab().isNull()


def test_the_pointer_shows_what_it_would_do(view: PhotoView) -> None:
    shape = Qt.CursorShape
    ends = corners(MEANT)
    expected = {
        complex(*MEANT.right): shape.OpenHandCursor,
        ends[0]: shape.SizeFDiagCursor,
        ends[1]: shape.SizeBDiagCursor,
        MEANT.middle + 70j: shape.SizeAllCursor,
        OTHER.middle: shape.PointingHandCursor,
        50 + 550j: shape.CrossCursor,
        -15 + 300j: shape.ArrowCursor,
    }
    for point, cursor in expected.items():
        move(view, point, Qt.MouseButton.NoButton)
        assert view.cursor().shape() == cursor, point
    view.set_mode("eyes")
    move(view, OTHER.middle, Qt.MouseButton.NoButton)
    assert view.cursor().shape() == shape.CrossCursor


# Taking back


def test_escape_takes_the_first_eye_back(view: PhotoView) -> None:
    view.set_mode("eyes")
    told = heard(view.eyes_set)
    click(view, 100 + 100j)
    assert "other eye" in view.caption
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert "one eye" in view.caption
    click(view, 200 + 100j)
    assert told == []


def test_escape_takes_a_drag_back(view: PhotoView) -> None:
    told = heard(view.box_drawn, view.eyes_set, view.face_chosen)
    press(view, MEANT.middle + 80j)
    move(view, MEANT.middle + 180j)
    assert chosen(view) != MEANT
    QTest.keyClick(view, Qt.Key.Key_Escape)
    move(view, MEANT.middle + 200j)
    release(view, MEANT.middle + 200j)
    assert chosen(view) == MEANT
    assert told == []


def test_escape_is_the_windows_where_nothing_is_half_done(qtbot: QtBot) -> None:
    around, view = QDialog(), PhotoView()
    qtbot.addWidget(around)
    QVBoxLayout(around).addWidget(view)
    around.show()
    view.show_photo(grey_image(np.zeros((300, 400))), SIZE)
    view.set_mode("eyes")
    click(view, 100 + 100j)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert around.isVisible()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not around.isVisible()


@pytest.mark.parametrize(
    "anew",
    [
        lambda view: view.show_photo(grey_image(np.zeros((30, 40))), SIZE),
        lambda view: view.set_mode("box"),
    ],
    ids=["another photograph", "another mode"],
)
def test_a_first_eye_does_not_outlast(view: PhotoView, anew: Callable[[PhotoView], None]) -> None:
    view.set_mode("eyes")
    click(view, 100 + 100j)
    anew(view)
    view.set_mode("eyes")
    told = heard(view.eyes_set)
    click(view, 200 + 100j)
    assert told == []


# The keys


@pytest.mark.parametrize(
    ("key", "shift", "step"),
    [
        (Qt.Key.Key_Left, False, -1),
        (Qt.Key.Key_Right, False, 1),
        (Qt.Key.Key_Up, True, -10j),
        (Qt.Key.Key_Down, True, 10j),
    ],
)
def test_arrows_move_the_face_exactly(
    view: PhotoView, key: Qt.Key, shift: bool, step: complex
) -> None:
    told = heard(view.eyes_set, view.box_drawn)
    QTest.keyClick(view, key, Qt.KeyboardModifier.ShiftModifier if shift else NONE)
    ((eyes,),) = told
    assert off(eyes, Eyes.at(MEANT.middle + step, MEANT.across)) < 1e-9


def test_plus_and_minus_resize_around_the_eyes(view: PhotoView) -> None:
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert chosen(view).distance > MEANT.distance
    assert chosen(view).middle == pytest.approx(MEANT.middle)
    QTest.keyClick(view, Qt.Key.Key_Minus)
    assert off(chosen(view), MEANT) < 1e-9
    for _ in range(300):
        QTest.keyClick(view, Qt.Key.Key_Minus)
    assert chosen(view).distance >= 4


def test_a_key_that_is_held_tells_once(view: PhotoView) -> None:
    told = heard(view.eyes_set)
    key = Qt.Key.Key_Right
    for repeated in (False, True, True):
        QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyPress, key, NONE, "", repeated))
    assert told == []
    QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyRelease, key, NONE))
    ((eyes,),) = told
    assert off(eyes, Eyes.at(MEANT.middle + 3, MEANT.across)) < 1e-9


def test_space_goes_from_face_to_face(view: PhotoView) -> None:
    told = heard(view.face_chosen)
    QTest.keyClick(view, Qt.Key.Key_Space)
    view.show_faces([MEANT, OTHER], OTHER)
    QTest.keyClick(view, Qt.Key.Key_Space)
    view.show_faces([MEANT, OTHER], None)
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert told == [(1,), (0,), (0,)]
