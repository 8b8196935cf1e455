"""Faces drawn around on the map, as a group on People."""

import pytest

from gui.pages.people.list_faces import PICKED
from gui.pages.people.page import PeoplePage
from tests.gui import seen


@pytest.fixture
def page(trained_session, qtbot):
    made = PeoplePage(trained_session)
    qtbot.addWidget(made.inspector)
    seen.show(qtbot, made, (1000, 800))
    seen.settle(qtbot, trained_session)
    yield made
    seen.settle(qtbot, trained_session)


def test_they_are_a_group_with_all_of_them_selected(page, qtbot, trained_session):
    keys = [photo.key for photo in trained_session.gallery.index.photos][3:9]
    trained_session.pick(keys)
    qtbot.waitUntil(lambda: page.group == PICKED)
    assert page.heading.title.full_text == "From the map"
    assert page.grid.selected_keys() == keys
    assert page.people.faces.faces()[0].caption == "From the map"
    page.edits.exclude(page.grid.selected_keys(), True)
    seen.settle(qtbot, trained_session)
    assert [photo.excluded for photo in trained_session.gallery.index.photos][2:10] == [
        False, *[True] * 6, False,
    ]  # fmt: skip
    assert page.group == PICKED


def test_another_choice_leaves_the_group_which_stays_in_the_list(page, qtbot, trained_session):
    keys = [photo.key for photo in trained_session.gallery.index.photos]
    trained_session.pick(keys[:2])
    qtbot.waitUntil(lambda: page.group == PICKED)
    trained_session.select_person("Mary")
    qtbot.waitUntil(lambda: page.group == "Mary")
    assert page.people.faces.row_of(PICKED) == 0
    trained_session.pick(())
    qtbot.waitUntil(lambda: page.people.faces.row_of(PICKED) < 0)
    assert page.group != PICKED


def test_photos_that_are_removed_leave_the_group(page, qtbot, trained_session):
    keys = [photo.key for photo in trained_session.gallery.index.photos]
    trained_session.pick(keys[:3])
    trained_session.apply("remove", lambda gallery: gallery.remove(keys[:1]))
    qtbot.waitUntil(lambda: page.group == PICKED and page.shown == [0, 1])
