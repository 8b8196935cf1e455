"""Where the focus is on the Recognise page: its keys answer, and none leads away unasked."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.pages.recognise.page import RecognisePage
from gui.state.session import Session
from tests.gui import seen
from tests.gui.pages.test_recognise import probe_of


@pytest.fixture
def page(qtbot: QtBot, trained_session: Session) -> Iterator[RecognisePage]:
    """The page beside a button of another one, as in the window."""
    around = QWidget()
    qtbot.addWidget(around)
    made = RecognisePage(trained_session)
    row = QHBoxLayout(around)
    row.addWidget(QPushButton("Another page"))
    row.addWidget(made)
    around.resize(1200, 600)
    around.show()
    around.activateWindow()
    yield made
    around.close()


def test_keys_answer_as_soon_as_photos_have_come(page, settled) -> None:
    """A hidden button that has the focus hands it on: at the end, to the navigation."""
    settled()
    opening = seen.button(page, "Open photos…")
    opening.setFocus()
    assert opening.hasFocus()
    page.session.put_probes([probe_of(page.session.gallery, 3)])
    settled()
    assert QApplication.focusWidget() is page.probes.list
    page.session.remove_probes([page.session.probes[0].photo.key])
    settled()
    assert QApplication.focusWidget() is page.zone


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_a_name_given_or_not_leaves_the_page_where_it_was(page, settled, qtbot, key) -> None:
    page.session.put_probes([probe_of(page.session.gallery, 3)])
    settled()
    page.probes.list.setFocus()
    qtbot.keyClick(page.probes.list, Qt.Key.Key_I)
    field = page.verdict.answers.name.name
    assert field.hasFocus()
    qtbot.keyClicks(field, "Nux")
    qtbot.keyClick(field, key)
    settled()
    assert page.scrolled.verticalScrollBar().maximum() > 0
    assert page.scrolled.verticalScrollBar().value() == 0
    assert QApplication.focusWidget() is page.probes.list  # the next answer is a key away
