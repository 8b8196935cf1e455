"""Of a hundred thousand faces in a list, those that are seen are made."""

import numpy as np
from pytestqt.qtbot import QtBot

from gui.widgets.face_list import (
    _LOOKED_AT,
    Face,
    FaceGrid,
    FaceListView,
    FacesOnDemand,
    PersonList,
)
from tests.gui import seen

GREY, MANY = np.full((20, 16), 0.5), 100_000


def many(made: list[int], start: int = 0) -> FacesOnDemand:
    def face(at: int) -> Face:
        made.append(at)
        return Face(f"{start + at}", GREY, f"photo {at}")

    return FacesOnDemand([f"{start + at}" for at in range(MANY)], face)


def shown(qtbot: QtBot, view: FaceListView, faces: FacesOnDemand) -> FaceListView:
    view.show_faces(faces)
    seen.show(qtbot, view, (460, 320))
    view.viewport().repaint()
    return view


def test_a_list_makes_what_is_in_sight(qtbot: QtBot) -> None:
    made: list[int] = []
    view = shown(qtbot, PersonList("People"), many(made))
    assert 0 < len(made) < 20
    view.scrollToBottom()
    view.viewport().repaint()
    assert MANY - 1 in made
    assert len(made) == len(set(made)) < 40


def test_a_grid_measures_some_captions_and_makes_what_is_in_sight(qtbot: QtBot) -> None:
    made: list[int] = []
    shown(qtbot, FaceGrid("Photos"), many(made))
    assert len(made) == len(set(made)) < _LOOKED_AT + 40


def test_selecting_makes_none(qtbot: QtBot) -> None:
    made: list[int] = []
    view = FaceGrid("Photos")
    view.allow_many()
    shown(qtbot, view, many(made))
    before = len(made)
    view.selectAll()
    assert len(view.selected_keys()) == MANY
    view.select("7", "8", "99999", "9")
    assert view.selected_keys() == ["7", "8", "9", "99999"]
    assert len(view.selectionModel().selection().toList()) == 2
    assert len(made) < before + 100  # what the last one was scrolled to


def test_the_same_keys_again_show_the_new_faces(qtbot: QtBot) -> None:
    view = shown(qtbot, PersonList("People"), many([]))
    view.select("3")
    made: list[int] = []
    view.show_faces(many(made))
    view.viewport().repaint()
    assert 3 in made
    assert view.selected_keys() == ["3"]
    view.show_faces(many(made, 1))
    assert view.selected_keys() == ["3"]
    assert view.faces.row_of("3") == 2
