"""A photograph with its faces: what is drawn where, and how the chosen one stands out."""

import cmath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces.photographs.photos import Eyes
from gui.style.images import grey_image
from gui.widgets import photo_view as marked_photo
from gui.widgets.photo_view import BRIGHT, MarkedPhoto, corners

SIZE = (600, 800)
"""(h, w) of the photograph; the image that is shown is half as large."""

MEANT = Eyes((300, 250), (400, 250))
OTHER = Eyes((620, 200), (660, 200))


@pytest.fixture
def view(qtbot: QtBot) -> MarkedPhoto:
    made = MarkedPhoto()
    qtbot.addWidget(made)
    made.resize(660, 540)
    made.show_photo(grey_image(np.full((300, 400), 0.5)), SIZE)
    made.show_faces([MEANT, OTHER], MEANT)
    return made


@given(x=st.floats(0, 800), y=st.floats(0, 600))
def test_a_point_is_found_where_it_is_seen(qapp: QApplication, x: float, y: float) -> None:
    view = MarkedPhoto()
    view.resize(500, 333)
    view.show_photo(grey_image(np.zeros((30, 40))), SIZE)
    point = complex(x, y)
    assert abs(view.meant(view.seen(point)) - point) < 1e-6
    assert view.picture_rect().adjusted(-1, -1, 1, 1).contains(view.seen(point))


def test_the_box_of_level_eyes_is_their_box() -> None:
    left, top, size = MEANT.box
    first, second, third, last = corners(MEANT)
    assert first == pytest.approx(complex(left, top))
    assert third == pytest.approx(complex(left + size, top + size))
    assert second - first == pytest.approx(size)
    assert last - first == pytest.approx(1j * size)


@given(angle=st.floats(-1.5, 1.5))
def test_the_box_is_tilted_as_the_eyes_are(angle: float) -> None:
    tilt = cmath.rect(1, angle)
    tilted = Eyes.at(MEANT.middle, MEANT.across * tilt)
    for level, turned in zip(corners(MEANT), corners(tilted), strict=True):
        assert turned - MEANT.middle == pytest.approx((level - MEANT.middle) * tilt)


def test_the_chosen_face_stands_out(view: MarkedPhoto) -> None:
    drawn = view.grab().toImage()

    def colours_along(face: Eyes) -> set[str]:
        start, end = corners(face)[3], corners(face)[2]
        steps = (start + (end - start) * share for share in np.linspace(0.2, 0.8, 200))
        places = [view.seen(step).toPoint() + QPoint(0, up) for step in steps for up in (-1, 0)]
        return {drawn.pixelColor(place).name() for place in places}

    bright = QColor(BRIGHT).name()
    assert bright in colours_along(MEANT)
    others = colours_along(OTHER)
    assert bright not in others
    lightness = [QColor(colour).lightness() for colour in others]
    assert min(lightness) < 100 < 200 < max(lightness)  # white dashes on a dark line


def test_what_is_chosen_is_told_to_those_who_hear_it(view: MarkedPhoto) -> None:
    assert view.accessibleName()
    assert "2 faces found" in view.accessibleDescription()
    assert "270 pixels wide" in view.accessibleDescription()
    view.show_faces([], None)
    assert "No face found" in view.accessibleDescription()


@pytest.mark.parametrize(("width", "numbers"), [(660, [1, 2]), (90, [1])])
def test_numbers_do_not_hide_faces_smaller_than_themselves(view, monkeypatch, width, numbers):
    painted = []
    monkeypatch.setattr(marked_photo, "draw_badge", lambda *args, **_: painted.append(args[2]))
    view.resize(width, width * 3 // 4)
    view.grab()
    assert painted == numbers
