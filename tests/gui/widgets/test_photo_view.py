"""A photograph on which faces are marked: what mouse and keys do and report."""

import numpy as np
import pytest
from astronaut import off
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces.photographs.placement import Eyes
from gui.style.images import grey_image
from gui.widgets import photo_view
from gui.widgets.photo_view import BRIGHT_COLOUR, FaceMarker, box_corners
from tests.gui import seen

MEANT = Eyes((300, 250), (400, 250))
TILTED = Eyes((310, 230), (390, 270))
OTHER = Eyes((620, 200), (660, 200))
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CLOSE = 1.5
"""Photo pixels that a press may lie off, since the pointer stands on whole ones."""


@pytest.fixture
def view(qtbot: QtBot) -> FaceMarker:
    made = seen.show(qtbot, FaceMarker(), (660, 540))
    made.show_photo(grey_image(np.full((300, 400), 0.5)), (600, 800))  # half as large
    made.show_faces([MEANT, OTHER], MEANT)
    return made


def press(view: FaceMarker, point: complex) -> None:
    QTest.mousePress(view.viewport(), LEFT, NONE, view.to_view(point).toPoint())


def release(view: FaceMarker, point: complex) -> None:
    QTest.mouseRelease(view.viewport(), LEFT, NONE, view.to_view(point).toPoint())


def move(view: FaceMarker, point: complex, buttons: Qt.MouseButton = LEFT) -> None:
    place = QPointF(view.to_view(point).toPoint())
    kind, none = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    event = QMouseEvent(kind, place, view.viewport().mapToGlobal(place), none, buttons, NONE)
    QApplication.sendEvent(view.viewport(), event)


def drag(view: FaceMarker, start: complex, end: complex) -> None:
    press(view, start)
    for share in (0.3, 1.0):
        move(view, start + share * (end - start))
    release(view, end)


def click(view: FaceMarker, point: complex) -> None:
    QTest.mouseClick(view.viewport(), LEFT, NONE, view.to_view(point).toPoint())


def wrong_by(eyes: Eyes, true: Eyes) -> float:
    """Return how many pixels the worse of two eyes lies off."""
    return off(eyes, true) * true.distance


def test_a_photograph_is_scaled_once_a_size_not_for_each_notch(view, monkeypatch) -> None:
    made, scaled = photo_view.rounded, []
    monkeypatch.setattr(
        photo_view, "rounded", lambda *about: scaled.append(about[1].width()) or made(*about)
    )
    view.show_photo(grey_image(np.full((3000, 4000), 0.5)), (3000, 4000))
    for _ in range(2):
        for notch in range(14):
            view.zoom_to(1.1**notch, QPointF(100, 80))  # up to 3.5 times
            assert view._picture.pixmap().width() >= 0.999 * view.photo_rect().width()
        view.show_all()
    whole = round(view.photo_rect().width())
    assert [round(width / whole) for width in scaled] == [1, 2, 4]
    view.resize(500, 400)  # of another size it is made anew
    assert view._picture.pixmap().width() < whole


# The mouse


def test_clicking_another_face_chooses_it(view: FaceMarker) -> None:
    told = seen.told(view.face_chosen, view.face_placed)
    click(view, OTHER.middle)
    view.show_faces([MEANT, Eyes((320, 250), (380, 250)), OTHER], None)  # two overlap
    click(view, 350 + 270j)
    click(view, 250 + 400j)  # outside the smaller one
    assert told == [1, 1, 0]


def test_escape_ends_a_drag_and_leaving_the_view_ends_a_nudge(view: FaceMarker) -> None:
    told = seen.told(view.face_placed)
    press(view, MEANT.middle + 80j)
    move(view, MEANT.middle + 180j)
    assert view.chosen != MEANT
    QTest.keyClick(view, Qt.Key.Key_Escape)
    release(view, MEANT.middle + 180j)
    assert (view.chosen, told) == (MEANT, [])
    view.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Up, NONE))
    QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusOut))
    assert told == [(Eyes.at(MEANT.middle - 1j, MEANT.across), True)]


LEFT_EYE, RIGHT_EYE = complex(*MEANT.left), complex(*MEANT.right)
DRAGS = {
    "free ground": (30 + 40j, 130 + 120j, Eyes.in_box(30, 40, 100)),
    "free ground, up": (130 + 120j, 30 + 20j, Eyes.in_box(30, 20, 100)),
    "the box": (MEANT.middle + 80j, MEANT.middle + 40 + 50j, Eyes.at(MEANT.middle + 40 - 30j, 100)),
    "an eye": (LEFT_EYE, 320 + 240j, Eyes((320, 240), MEANT.right)),
    "an eye past the other": (LEFT_EYE, 460 + 260j, Eyes(MEANT.right, (460, 260))),
}


@pytest.mark.parametrize("what", DRAGS)
def test_a_drag_draws_or_moves(view, what):
    start, end, expected = DRAGS[what]
    told = seen.told(view.face_placed)
    drag(view, start, end)
    assert wrong_by(view.chosen, expected) < 2 * CLOSE
    assert told == [(view.chosen, what.startswith("an eye"))]


def test_a_corner_that_is_dragged_past_the_other_side_leaves_a_face(view):
    corners = box_corners(MEANT)
    drag(view, corners[2], corners[0] - 50 - 50j)
    assert 4 <= view.chosen.distance < MEANT.distance


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("face", [MEANT, TILTED], ids=["level", "tilted"])
def test_dragging_a_corner_keeps_the_one_across(view, number, face):
    view.show_faces([], face)
    told = seen.told(view.face_placed)
    before = box_corners(face)
    across = before[(number + 2) % 4]
    drag(view, before[number], across + (before[number] - across) * 0.7)
    after = view.chosen
    assert abs(box_corners(after)[(number + 2) % 4] - across) < 1e-6
    assert after.distance == pytest.approx(0.7 * face.distance, abs=CLOSE)
    assert after.angle == pytest.approx(face.angle)
    assert told == [(after, face is TILTED)]


@pytest.mark.parametrize("up", [0, 200])
def test_dragging_the_ring_turns_the_box_around_its_middle(view: FaceMarker, up: int) -> None:
    """The ring is above the box, or below it where there is no room for it above."""
    view.show_faces([], Eyes((300, 250 - up), (400, 250 - up)))
    ends, told = box_corners(view.chosen), seen.told(view.face_placed)
    middle, ring = sum(ends) / 4, (ends[1] - ends[0]) * 0.62 * (1j if up else -1j)
    drag(view, middle + ring, middle + ring * np.exp(1j * np.radians(30)) * 0.7)
    assert sum(box_corners(view.chosen)) / 4 == pytest.approx(middle)
    assert view.chosen.angle == pytest.approx(30, abs=1)
    assert view.chosen.distance == pytest.approx(100)
    assert told == [(view.chosen, True)]


def test_nothing_can_be_done_without_a_photograph(view: FaceMarker) -> None:
    view.show_photo(None, (1, 1))
    view.show_faces([], None)
    calls = seen.told(view.face_chosen, view.face_placed)
    QTest.mouseClick(view.viewport(), LEFT, NONE, view.rect().center())
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert calls == []
    assert not view.grab().isNull()


def test_the_pointer_shows_what_it_would_do(view: FaceMarker) -> None:
    shape = Qt.CursorShape
    ends = box_corners(MEANT)
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
        assert view.viewport().cursor().shape() == cursor, point


# The keys


@pytest.mark.parametrize(("key", "step"), seen.keyed(Left=-1, Right=1, Up=-10j, Down=10j))
def test_arrows_move_the_face_exactly(view, key, step):
    told = seen.told(view.face_placed)
    QTest.keyClick(view, key, NONE if abs(step) == 1 else Qt.KeyboardModifier.ShiftModifier)
    ((eyes, exact),) = told
    assert exact
    assert wrong_by(eyes, Eyes.at(MEANT.middle + step, MEANT.across)) < 1e-9


def test_plus_and_minus_resize_around_the_eyes(view: FaceMarker) -> None:
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.chosen.distance > MEANT.distance
    assert view.chosen.middle == pytest.approx(MEANT.middle)
    QTest.keyClick(view, Qt.Key.Key_Minus)
    assert wrong_by(view.chosen, MEANT) < 1e-9
    for _ in range(300):
        QTest.keyClick(view, Qt.Key.Key_Minus)
    assert view.chosen.distance >= 4


def test_a_key_that_is_held_tells_once(view: FaceMarker) -> None:
    told = seen.told(view.face_placed)
    key, kind = Qt.Key.Key_Right, QEvent.Type
    for repeated in (False, True, True):
        QApplication.sendEvent(view, QKeyEvent(kind.KeyPress, key, NONE, "", repeated))
    assert told == []
    QApplication.sendEvent(view, QKeyEvent(kind.KeyRelease, key, NONE))
    ((eyes, _),) = told
    assert wrong_by(eyes, Eyes.at(MEANT.middle + 3, MEANT.across)) < 1e-9


def test_a_drag_beside_the_face_of_an_enlarged_photograph_moves_it(view: FaceMarker) -> None:
    view.zoom_to(2.0, view.to_view(MEANT.middle))
    told, place = seen.told(view.face_placed), view.to_view(0j)
    drag(view, MEANT.middle + 230j, MEANT.middle + 180j)
    assert told == []
    assert view.to_view(0j).y() < place.y()


# What is painted


def test_the_box_is_tilted_as_the_eyes_are() -> None:
    left, top, size = MEANT.box
    ends = [complex(left, top) + size * at for at in (0, 1, 1 + 1j, 1j)]
    assert box_corners(MEANT) == pytest.approx(ends)
    turned = np.exp(1j * np.radians(20))
    tilted = Eyes.at(MEANT.middle, MEANT.across * turned)
    around = [MEANT.middle + (end - MEANT.middle) * turned for end in ends]
    assert box_corners(tilted) == pytest.approx(around)


def test_a_point_is_found_where_it_is_seen(view: FaceMarker) -> None:
    for zoom in (1.0, 2.5):
        view.zoom_to(zoom, QPointF(100, 80))
        for point in (0j, 800 + 600j, 31 + 17j):
            assert view.to_photo(view.to_view(point)) == pytest.approx(point)
    place = view.to_view(200 + 200j)
    view.pan(QPointF(12, 9))
    assert view.to_view(200 + 200j) == place + QPointF(12, 9)
    view.show_all()
    assert view.zoom == 1
    assert view.photo_rect().width() / view.photo_rect().height() == pytest.approx(4 / 3)


def test_the_chosen_face_stands_out(view: FaceMarker) -> None:
    assert "2 faces found" in view.accessibleDescription()
    assert "270 pixels wide" in view.accessibleDescription()
    drawn = view.viewport().grab().toImage()

    def colours_along(face: Eyes) -> set[str]:
        start, end = box_corners(face)[3], box_corners(face)[2]
        steps = (start + (end - start) * share for share in np.linspace(0.2, 0.8, 200))
        places = [view.to_view(step).toPoint() + QPoint(0, up) for step in steps for up in (-1, 0)]
        return {drawn.pixelColor(place).name() for place in places}

    assert BRIGHT_COLOUR.name() in colours_along(MEANT)
    others = colours_along(OTHER)
    assert BRIGHT_COLOUR.name() not in others
    lightness = [QColor(colour).lightness() for colour in others]
    assert min(lightness) < 100 < 200 < max(lightness)  # white dashes on a dark line


@pytest.mark.parametrize(("width", "numbers"), [(660, [1, 2]), (90, [1])])
def test_numbers_do_not_hide_faces_smaller_than_themselves(view, monkeypatch, width, numbers):
    painted = []
    monkeypatch.setattr(
        photo_view, "draw_badge", lambda _p, _box, number, **_: painted.append(number)
    )
    view.resize(width, width * 3 // 4)
    view.grab()
    assert painted == numbers
