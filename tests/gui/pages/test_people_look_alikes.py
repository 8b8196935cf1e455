"""Who look alike, said first on the People page: each answer, and what brings a question back."""

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.recognition.look_alikes import Finding
from gui.pages.people import look_alikes
from gui.pages.people.page import PeoplePage
from gui.state.session import Session
from tests.gui import seen

ADA, MARY = ("Ada", "Grace"), ("Mary", "Mary")
OF_MARY = (16, 17)  # rows

Ask = Callable[..., PeoplePage]


def measure(session: Session) -> None:
    """Measure what distances mean, as the window does in the background."""
    calibrated = session.gallery.calibrate().calibrated
    assert calibrated is not None
    session.set_calibration(calibrated)


@pytest.fixture
def ask(open_page, trained_session: Session, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Open the page with these found in its gallery, where Ada has one photograph less."""
    session, photos = trained_session, trained_session.gallery.index.photos

    def show(*found: tuple[str, tuple[str, str], Sequence[int]]) -> PeoplePage:
        alike = tuple(
            Finding(kind, pair, tuple(photos[row].id for row in rows)) for kind, pair, rows in found
        )
        monkeypatch.setattr(look_alikes, "find_look_alikes", lambda _: alike)
        session.apply("remove", lambda now: now.remove([photos[3].id]))
        measure(session)
        return open_page(PeoplePage, (1000, 760))

    return show


@pytest.mark.parametrize(
    ("kind", "pair", "rows", "faces", "button", "done"),
    [
        ("one person", ADA, (), 2, "One person", "merge Ada into Grace"),
        ("one person", ADA, (), 2, "Two people", "Ada and Grace are two people"),
        ("photo", ADA, (1,), 3, "It is Grace", "move 1 photo to Grace"),
        ("photo", ADA, (1,), 3, "It is Ada", "Ada and Grace are two people"),
        ("two people", MARY, OF_MARY, 2, "One person", "Mary is one person"),
        ("near", ADA, (), 2, "OK", "Ada and Grace are two people"),
    ],
)
def test_an_answer_ends_the_question_and_undo_brings_it_back(
    ask: Ask, do, kind, pair, rows, faces, button, done
):
    page = ask((kind, pair, rows))
    session, card = page.session, page.alike
    (before,) = page.questions.alike
    assert seen.says(card, before.sentence)
    assert sum(view.isVisible() for view in card.faces) == faces
    (pressed,) = (one for one in card.buttons if one.isVisible() and one.text() == button)
    do(pressed.click)
    assert session.history.undo_title == done
    assert not card.isVisible()
    merged, moved = done.startswith("merge"), done.startswith("move")
    assert ("Ada" in session.gallery.people) != merged
    assert session.gallery.index.photos[1].person == ("Grace" if merged or moved else "Ada")
    assert session.gallery.settled == (set() if merged or moved else {pair})
    do(session.undo)
    assert seen.says(card, before.sentence)


def test_those_who_differ_get_a_name_and_others_wait(qtbot: QtBot, ask: Ask, do):
    page = ask(("one person", ADA, ()), ("two people", MARY, OF_MARY))
    card, photos = page.alike, page.session.gallery.index.photos
    assert card.place.text() == "1 of 2"
    do(card.next.click)
    do(card.buttons[0].click)
    those = [photo.id for photo in photos if photo.person == "Mary"][:2]
    assert page.grid.selected_keys() == [*page.questions.alike[1].faces] == those
    assert page.shown == "Mary"
    qtbot.keyClicks(page.heading.field, "Eve")
    do(qtbot.keyClick, page.heading.field, Qt.Key.Key_Return)
    assert len(page.session.gallery.index.rows_of("Eve")) == 2
    assert seen.says(card, "look like one person")
    assert not card.next.isVisible()
    do(card.faces[1].clicked.emit, photos[4].id)
    assert page.shown == "Grace"


def test_nothing_is_said_before_it_is_measured_nor_of_another_project(
    open_page, open_gallery, small_gallery: Gallery, do
):
    ids = [photo.id for photo in small_gallery.index.photos]
    twice = small_gallery.move(ids[2:4], "Ann").train()
    session = open_gallery(twice)
    page = open_page(PeoplePage, (1000, 760))
    assert not page.alike.isVisible()
    do(measure, session)
    assert seen.says(page.alike, "“Ada” and “Ann” look like one person.")
    do(page.alike.buttons[1].click)
    do(measure, session)
    assert not page.alike.isVisible()
    do(session.undo)
    do(measure, session)
    assert page.alike.isVisible()
    do(open_gallery, twice)
    assert not page.alike.isVisible()
