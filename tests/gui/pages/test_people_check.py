"""Checking the collection from People: what is listed, each answer, and what is never held up."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Gallery
from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.look_alikes import Finding
from gui.pages.people import checking
from gui.pages.people.page import PeoplePage
from gui.state.jobs import JobKind
from gui.state.session import Session
from tests.gui import seen

ADA, GRACE = ("Ada", "Ada"), ("Ada", "Grace")


@pytest.fixture
def page(open_page, trained_session: Session) -> PeoplePage:
    return open_page(PeoplePage, (1000, 760))


@pytest.fixture
def check(page: PeoplePage, monkeypatch: pytest.MonkeyPatch, do) -> Callable[..., PeoplePage]:
    """Open the sheet with these findings, each a kind, its people and the rows of its faces."""

    def act(*found: tuple[str, tuple[str, str], tuple[int, ...]]) -> PeoplePage:
        photos = page.session.gallery.index.photos
        made = tuple(
            Finding(kind, people, tuple(photos[row].id for row in rows), "0.png")
            for kind, people, rows in found
        )
        monkeypatch.setattr(checking, "check_collection", lambda *_: made)
        do(page.check_button.click)
        return page

    return act


@pytest.mark.parametrize(
    ("kind", "people", "rows", "answer", "done"),
    [
        ("one person", GRACE, (), "One person", "merge Ada into Grace"),
        ("one person", GRACE, (), "Two people", "Ada and Grace are two people"),
        ("photo", GRACE, (1,), "It is Grace", "move 1 photo to Grace"),
        ("nearer", GRACE, (1,), "It is Grace", "move 1 photo to Grace"),
        ("nearer", GRACE, (1,), "It is Ada", "confirm 1 photo"),
        ("two people", ADA, (1, 2), "One person", "Ada is one person"),
        ("same picture", ADA, (0, 1, 2), "Keep one", "remove 2 photos"),
        ("same picture", ADA, (0, 1), "Keep all", "confirm 2 photos"),
        ("same picture", GRACE, (0, 4), "Keep all", "confirm 2 photos"),
    ],
)
def test_an_answer_ends_it_and_undo_brings_it_back(check, do, kind, people, rows, answer, done):
    page = check((kind, people, rows))
    session, sheet = page.session, page.check_sheet
    if kind == "one person" and answer == "One person":  # who has fewer photos gets the other name
        first = session.gallery.index.photos[0].id
        do(session.apply, "", lambda now: now.remove([first]))
    (finding,) = sheet.found
    assert seen.says(sheet, finding.sentence)
    assert seen.says(sheet, "1 thing to review")
    do(seen.button(sheet, answer).click)
    assert session.history.undo_title == done
    assert not sheet.cards
    assert seen.says(sheet, "All done.")
    do(sheet.undo.click)
    assert seen.says(sheet, finding.sentence)


def test_of_two_names_for_one_picture_none_is_removed_by_a_click(check) -> None:
    sheet = check(("same picture", GRACE, (0, 4))).check_sheet
    assert "Keep one" not in seen.button_names(sheet)


def test_who_has_one_photo_gets_others_or_is_left(check, trained_session, do) -> None:
    mine = [photo.id for photo in trained_session.gallery.index.photos[1:4]]
    do(trained_session.apply, "", lambda now: now.remove(mine))
    page = check(("single", ADA, (0,)))
    asked = seen.told(page.photos_wanted)
    do(seen.button(page.check_sheet, "Add photos…").click)
    assert asked == [[]]
    do(seen.button(page.check_sheet, "Leave it").click)
    assert not page.check_sheet.cards


def test_who_differs_is_named_on_the_page(check, do) -> None:
    page = check(("two people", ADA, (2, 3)))
    do(seen.button(page.check_sheet, "Two people…").click)
    assert not page.check_sheet.isVisible()
    assert page.heading.field.isVisible()
    assert len(page.grid.selected_keys()) == 2
    do(page.check_sheet.open_sheet)
    assert len(page.check_sheet.cards) == 1, "it is not looked for again"


def test_many_are_shown_a_part_at_a_time_and_a_face_leads_to_the_page(check, do) -> None:
    kinds = ("photo", "nearer", "same picture")
    page = check(*((kind, GRACE, (at,)) for kind in kinds for at in range(4) for _ in range(1)))
    sheet = page.check_sheet
    assert len(sheet.cards) == 12
    sheet._most = 5
    do(sheet._refresh)
    assert seen.button(sheet, "Show 7 more").isVisible()
    do(next(iter(sheet.cards.values())).faces[1].clicked.emit, sheet.found[2].faces[0])
    assert page.session.photo == sheet.found[2].faces[0]


def test_what_is_found_is_what_the_core_finds_and_nothing_is_said_in_plain_words(
    page: PeoplePage, do
) -> None:
    do(page.check_button.click)
    sheet = page.check_sheet
    assert seen.says(sheet, "Nothing to review") == (sheet.found == ())
    twice = FaceSet.from_arrays(page.session.gallery.faces.pixels[:1].reshape(1, 24, 20), ["Ada"])

    def add(now: Gallery) -> Gallery:
        return now.enrol(
            twice.with_photos({p.id: replace(p, person="Ada") for p in twice.index.photos})
        )

    bright = np.clip(page.session.gallery.faces.image(0) * 0.98, 0, 1)
    twice = FaceSet.from_arrays(bright[None], ["Ada"])
    do(page.session.apply, "add", add)
    do(sheet.again.click)
    assert seen.says(sheet, "2 photos of “Ada” are nearly the same picture.")


def test_a_stop_and_a_failure_are_said_and_it_can_be_looked_for_again(
    page: PeoplePage, monkeypatch: pytest.MonkeyPatch, do
) -> None:
    def stop(*_: object) -> tuple[Finding, ...]:
        page.session.jobs.cancel(JobKind.CHECK_COLLECTION)
        raise EigenfacesError("The disk is full.")

    monkeypatch.setattr(checking, "check_collection", stop)
    do(page.check_button.click)
    assert seen.says(page.check_sheet, "The check was stopped.")

    def fail(*_: object) -> tuple[Finding, ...]:
        raise EigenfacesError("The disk is full.")

    monkeypatch.setattr(checking, "check_collection", fail)
    do(page.check_sheet.again.click)
    assert seen.says(page.check_sheet, "The disk is full.")
    monkeypatch.setattr(checking, "check_collection", lambda *_: ())
    do(page.check_sheet.again.click)
    assert seen.says(page.check_sheet, "Nothing to review")


def test_another_project_closes_it(check, open_gallery, small_gallery: Gallery, do) -> None:
    sheet = check(("one person", GRACE, ())).check_sheet
    do(open_gallery, small_gallery)
    assert not sheet.isVisible()
    assert sheet.found == ()
