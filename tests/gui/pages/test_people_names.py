"""Names on the People page: big and small letters make no other person."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.pages.people.page import PeoplePage
from gui.pages.people.person_picker import PersonPicker
from gui.state.session import Session
from gui.widgets.face_model import Face
from tests.gui import seen


@pytest.fixture
def page(qtbot: QtBot, trained_session: Session) -> Iterator[PeoplePage]:
    made = PeoplePage(trained_session)
    seen.show(qtbot, made, (1000, 760))
    seen.settle(qtbot, trained_session)
    yield made
    made.hide()


def test_the_name_of_somebody_else_in_other_letters_asks_to_merge(
    qtbot: QtBot, page: PeoplePage
) -> None:
    page.heading.renamed.emit("gRACE")
    assert page.session.history.can_undo is None  # asked, not done
    seen.button(page.heading.question, "Merge into Grace").click()
    seen.settle(qtbot, page.session)
    assert page.session.history.can_undo == "merge Ada into Grace"


def test_ones_own_name_in_other_letters_is_no_question(qtbot: QtBot, page: PeoplePage) -> None:
    page.heading.renamed.emit("ADA")
    seen.settle(qtbot, page.session)
    assert page.session.gallery.people[0] == "ADA"
    assert not page.heading.question.isVisible()


def test_of_two_who_differ_in_letters_only_the_one_typed_is_meant(
    qtbot: QtBot, page: PeoplePage
) -> None:
    gallery = page.session.gallery
    keys = [gallery.index.photos[row].key for row in gallery.index.rows_of("Hedy")]
    page.session.apply("two of one name", lambda now: now.move(keys[:2], "grace"))
    seen.settle(qtbot, page.session)
    page.heading.renamed.emit("grace")
    assert seen.button(page.heading.question, "Merge into grace")


@pytest.mark.parametrize(("typed", "given"), [("MARY", ["Mary"]), ("Mary Ann", [])])
def test_typing_a_name_in_other_letters_means_who_is_there(
    qtbot: QtBot, page: PeoplePage, typed: str, given: list[str]
) -> None:
    people = [Face(name, np.zeros((2, 2)), name) for name in ("Rosemary", "Mary")]
    picker = PersonPicker("Who?", people, page, allow_new=True)
    picked, named = [], []
    picker.picked.connect(picked.append)
    picker.named.connect(named.append)
    picker.field.setText(typed)
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert picked == given
    assert named == ([] if given else [typed])
