"""A photograph with a name on every face: where the names stand, and how a face is chosen."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from eigenfaces.photographs.placement import Eyes
from gui.style.images import grey_image
from gui.widgets.named_photo import VERDICT_STYLES, NamedFace, NamedFacesView
from tests.gui import seen


def faces(count: int, name: str = "Maria", size: float = 60.0) -> list[NamedFace]:
    """Return so many faces, side by side in rows."""
    places = [(20 + 90 * (at % 9), 20 + 100 * (at // 9)) for at in range(count)]
    styles = list(VERDICT_STYLES.values())
    return [
        NamedFace(Eyes.in_box(*place, size), f"{name} {at}", styles[at % len(styles)], f"told {at}")
        for at, place in enumerate(places)
    ]


@pytest.fixture
def shown(qtbot: QtBot) -> Callable[[list[NamedFace]], NamedFacesView]:
    def show(named: list[NamedFace]) -> NamedFacesView:
        photo = seen.show(qtbot, NamedFacesView(), (800, 560))
        photo.show_photo(grey_image(np.full((60, 90), 0.5)), (600, 900))
        photo.show_named(named, [0])
        photo.grab()
        return photo

    return show


@pytest.mark.parametrize("count", [1, 9, 50])
@pytest.mark.parametrize("name", ["Al", "Maximiliane von Hohenlohe-Langenburg"])
def test_names_lie_on_the_photograph_and_hide_no_other(shown, count: int, name: str) -> None:
    photo = shown(faces(count, name))
    names = photo.name_boxes()
    assert len(names) == count
    for one in names.values():
        assert photo.picture_rect().adjusted(-1, -1, 1, 1).contains(one)
    few = [box for box in names.values() if box.width() > 30]
    assert few
    assert not any(one.intersects(other) for one, other in combinations(few, 2))
    assert names[0] in few  # the chosen one has its name


def test_a_face_that_is_pointed_at_tells_its_whole_name(shown, qtbot: QtBot) -> None:
    photo = shown(faces(3))
    for at, face in enumerate(photo.named):
        place = photo.to_view(face.eyes.middle)
        assert photo.face_at(place) == at
        event = QHelpEvent(QHelpEvent.Type.ToolTip, place.toPoint(), place.toPoint())
        photo.viewportEvent(event)
        assert QToolTip.text() == f"told {at}"
    assert photo.face_at(QPointF(2, 2)) is None
    assert photo.accessibleDescription() == "Faces: 3. Chosen: told 0."


def test_a_drag_chooses_nobody_and_a_double_click_opens(shown, qtbot: QtBot) -> None:
    photo = shown(faces(3))
    chosen = seen.told(photo.chosen)
    at = [photo.to_view(face.eyes.middle).toPoint() for face in photo.named]
    button = Qt.MouseButton.LeftButton
    photo.zoom_to(3, QPointF(at[0]))
    before = photo.photo_rect()
    qtbot.mousePress(photo.viewport(), button, pos=at[0])
    qtbot.mouseMove(photo.viewport(), at[0])
    photo.pan(QPointF(-40, -30))
    qtbot.mouseRelease(photo.viewport(), button, pos=at[1])
    assert chosen == []
    assert photo.photo_rect() != before
    qtbot.keyClick(photo, Qt.Key.Key_0)
    assert photo.zoom == 1
    with qtbot.waitSignal(photo.opened):
        qtbot.mouseDClick(photo.viewport(), button, pos=at[0])


def test_a_face_that_is_the_whole_photograph_has_its_name_on_it(shown, qtbot: QtBot) -> None:
    photo = shown([NamedFace(None, "Ada", VERDICT_STYLES["sure"])])
    assert photo.picture_rect().contains(photo.name_boxes()[0])
    assert photo.face_at(photo.picture_rect().center()) == 0
