"""Faces without a name on the People page: a group at a time is shown, corrected and named."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.errors import Tick
from eigenfaces.recognition.gallery_quality import FaceGroup
from gui.pages.people import page as people
from gui.pages.people.page import PeoplePage
from gui.pages.people.people_list import UNKNOWN
from gui.state.session import Session
from tests.gui import seen


@pytest.fixture
def page(
    qtbot: QtBot, trained_session: Session, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PeoplePage]:
    """The page, with four faces of Ada's and four of Grace's that have no name; Ada is known."""
    session, gallery = trained_session, trained_session.gallery
    ada, grace = ([gallery.index.photos[row].key for row in rows] for rows in ((0, 1, 2), (4, 5)))
    session.apply("forget", lambda now: now.move([*ada, *grace], None))

    def group(now: Gallery, _: Tick) -> tuple[FaceGroup, ...]:
        nameless = {now.index.photos[row].key for row in now.index.rows_of(None)}
        groups = [(key for key in keys if key in nameless) for keys in (grace, ada)]
        found = (
            FaceGroup(tuple(keys), who) for keys, who in zip(groups, (None, "Ada"), strict=True)
        )
        return tuple(each for each in found if each.keys)

    monkeypatch.setattr(people, "group_faces", group)
    made = PeoplePage(session)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    seen.settle(qtbot, session)
    yield made
    made.hide()


def names_of(page: PeoplePage, *rows: int) -> list[str | None]:
    return [page.session.gallery.index.photos[row].person for row in rows]


def choose(qtbot: QtBot, page: PeoplePage, place: int) -> None:
    page.people.chosen.emit(page.people.faces.keys[place])
    seen.settle(qtbot, page.session)


def test_groups_are_on_top_and_nobody_is_named_by_itself(page: PeoplePage) -> None:
    said = [(face.caption, face.subcaption) for face in page.people.faces.faces()]
    assert said[:2] == [("Who is this?", "2 photos"), ("Perhaps Ada", "3 photos")]
    assert names_of(page, 0, 1, 2, 4, 5) == [None] * 5


def test_a_face_that_is_left_out_keeps_no_name_and_the_next_group_follows(
    qtbot: QtBot, page: PeoplePage
) -> None:
    choose(qtbot, page, 0)
    assert page.grid.selected_keys() == page.grid.faces.keys
    cell = page.grid.visualRect(page.grid.faces.index(1)).center()
    qtbot.mouseClick(page.grid.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    page.naming.field.setText("eve ")
    qtbot.keyClick(page.naming.field, Qt.Key.Key_Return)
    seen.settle(qtbot, page.session)
    assert names_of(page, 4, 5) == ["eve", None]
    assert page.heading.title.full_text == "Perhaps Ada"
    assert page.naming.field.text() == ""
    page.session.undo()
    assert names_of(page, 4, 5) == [None, None]


def test_enter_agrees_to_who_is_near(qtbot: QtBot, page: PeoplePage) -> None:
    choose(qtbot, page, 1)
    assert page.naming.button.text() == "It is Ada"
    qtbot.keyClick(page.naming.field, Qt.Key.Key_Return)
    seen.settle(qtbot, page.session)
    assert names_of(page, 0, 1, 2) == ["Ada"] * 3


def test_a_name_that_is_known_is_that_person(qtbot: QtBot, page: PeoplePage) -> None:
    choose(qtbot, page, 0)
    page.naming.field.setText("gRACE")
    page.naming.button.click()
    seen.settle(qtbot, page.session)
    assert names_of(page, 4, 5) == ["Grace"] * 2


def test_with_no_face_selected_nobody_is_named(qtbot: QtBot, page: PeoplePage) -> None:
    choose(qtbot, page, 0)
    page.grid.select()
    page.naming.named.emit("Eve")
    assert names_of(page, 4, 5) == [None, None]
    assert page.session.message is not None
    assert "Click the faces" in page.session.message.text


@pytest.mark.parametrize("before", [1, -1], ids=["of another guess", "listed as unknown"])
def test_what_is_asked_follows_the_groups_while_the_faces_stay(
    qtbot: QtBot, page: PeoplePage, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    session, photos = page.session, page.session.gallery.index.photos

    def regroup(rows: list[int], forgotten: int) -> None:
        groups = (FaceGroup(tuple(photos[row].key for row in rows), "Grace"),) if rows else ()
        monkeypatch.setattr(people, "group_faces", lambda *_: groups)
        session.apply("forget", lambda now: now.move([photos[forgotten].key], None))
        seen.settle(qtbot, session)

    choose(qtbot, page, 1)
    if before == -1:
        regroup([], 8)
        choose(qtbot, page, page.people.faces.row_of(UNKNOWN))
        regroup([0, 1, 2, 4, 5, 8, 9], 9)
    else:
        regroup([0, 1, 2], 8)
    assert page.heading.title.full_text == "Perhaps Grace"
    assert page.naming.button.text() == "It is Grace"
    assert page.grid.selected_keys() == page.grid.faces.keys
