"""The bars of the window: at the left its pages; at the top the project, its counts, a search."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QMenu, QPushButton

from eigenfaces import FaceSet, Project
from eigenfaces.space.pca import as_levels
from gui.style import icons, theme
from gui.window.navigation import NARROW, NAVIGATION_ITEMS, Navigation
from gui.window.top_bar import TopBar
from tests.gui import seen
from tests.gui.seen import button, button_names, group_probes, words


@pytest.fixture
def navigation(qtbot, session):
    return seen.show(qtbot, Navigation(session))


def test_the_page_that_is_pressed_is_open_and_its_icon_has_the_accent(qtbot, session, navigation):
    def in_accent() -> set[str]:
        accented, size = set(), QSize(24, 18)
        for place in NAVIGATION_ITEMS:
            drawn = button(navigation, place.title).icon().pixmap(size).toImage()
            assert not drawn.isNull(), place.key
            wanted = icons.icon(place.key, theme.tokens().accent, 6).pixmap(size).toImage()
            accented |= {place.key} if drawn == wanted else set()
        return accented

    assert in_accent() == set()
    navigation.set_current("map", faces=True)
    assert in_accent() == {"map"}
    qtbot.mouseClick(button(navigation, "Reconstruct"), Qt.MouseButton.LeftButton)
    assert session.page == "reconstruct"
    assert in_accent() == {"reconstruct"}


def test_narrow_navigation_keeps_its_names_for_those_who_hover_or_listen(navigation):
    navigation.set_narrow(True)
    assert navigation.width() == NARROW
    people = button(navigation, "People")
    assert (people.text(), people.toolTip()) == ("", "People")


@pytest.fixture
def top_bar(qtbot, session):
    made = TopBar(session, QMenu(), QMenu())
    return seen.show(qtbot, made, (1092, made.sizeHint().height()))


def test_the_top_bar_counts_and_says_how_training_stands(top_bar, session, small_gallery, tmp_path):
    keys = [photo.id for photo in small_gallery.index.photos]
    trained = small_gallery.remove(keys[-3:]).train()
    session.show_page("eigenfaces")
    session.open(Project.create(tmp_path / "some.eigenfaces", trained))
    texts = {*words(top_bar), *button_names(top_bar)}
    assert {"some", "6 people · 21 photos", "Up to date"} <= texts
    for rows, change in (([21], "1 photo added"), ([22, 23], "3 photos added")):
        session.apply("enrol", lambda g, rows=rows: g.enrol(small_gallery.faces.select(rows)))
        assert f"{change} since training" in words(top_bar)
    session.apply("exclude", lambda gallery: gallery.exclude(keys[:1]))
    assert "4 changes since training" in words(top_bar), "one of those trained on went"
    assert button(top_bar, "Train").property("role") != "primary", "they are compared as they are"
    session.apply("CLAHE", lambda g: g.with_recipe(g.recipe.changed(lighting="CLAHE")))
    assert "Recipe changed" in words(top_bar)
    assert button(top_bar, "Train").property("role") == "primary"


@pytest.mark.parametrize("page", ["people", "recognise"])
def test_training_has_no_name_on_the_way_of_a_family(
    top_bar, session, small_gallery, page, tmp_path
):
    session.show_page(page)
    assert "Train" not in button_names(top_bar)
    keys = [photo.id for photo in small_gallery.index.photos]
    session.open(Project.create(tmp_path / "a.eigenfaces", small_gallery))
    assert "Up to date" in words(top_bar)
    session.apply("remove", lambda gallery: gallery.remove(keys[:1]))
    assert "Getting ready…" in words(top_bar)
    assert "Train" not in button_names(top_bar)


def test_a_long_name_is_cut_and_counts_give_way(top_bar, trained_session, small_gallery, tmp_path):
    name = "long" * 45
    trained_session.open(Project.create(tmp_path / f"{name}.eigenfaces", small_gallery))
    assert "6 people · 24 photos" in words(top_bar)
    top_bar.setMinimumSize(1, 1)  # in the window it is that, not the bar, which sets the width
    top_bar.resize(430, top_bar.height())
    assert "6 people · 24 photos" not in words(top_bar)
    (menu,) = (part for part in top_bar.findChildren(QPushButton) if part.toolTip() == name)
    assert "…" in menu.text()
    assert menu.accessibleName().startswith("Project menu: long")


def test_an_empty_project_offers_nothing_to_train_or_search(top_bar):
    assert "Empty project" in words(top_bar)
    assert "Train" not in button_names(top_bar)
    assert not top_bar.search.isVisible()


def test_a_search_goes_there_or_says_that_there_is_nothing(qtbot, top_bar, trained_session):
    for text, person in (("nobody", None), ("kathe", "Katherine")):
        trained_session.show_page("eigenfaces")
        qtbot.keyClick(top_bar.search, Qt.Key.Key_Escape)  # what was typed before goes
        qtbot.keyClicks(top_bar.search, text)
        qtbot.keyClick(top_bar.search, Qt.Key.Key_Return)
        if person is None:
            assert "No person or photo matches “nobody”." in trained_session.message.text
        else:
            assert (trained_session.page, trained_session.person) == ("people", person)


def test_words_find_photos_and_end_with_the_field_or_with_another_choice(
    qtbot, top_bar, trained_session
):
    def search() -> str:
        qtbot.keyClicks(top_bar.search, "ada and grace")
        qtbot.keyClick(top_bar.search, Qt.Key.Key_Return)
        return trained_session.searched

    both = group_probes(trained_session.gallery, Path("/photos/both.png"), 0, 4, 8)[:2]
    faces = {probe.photo.id: ["Ada", "Grace"][at] for at, probe in enumerate(both)}
    photos = tuple(replace(p.photo, person=faces[p.photo.id]) for p in both)
    cut = FaceSet.of(
        [(photo, as_levels(p.image)) for photo, p in zip(photos, both, strict=True)], (24, 20)
    )
    trained_session.show_page("eigenfaces")
    assert search() == ""
    assert "No person or photo matches “ada and grace”." in trained_session.message.text
    qtbot.keyClick(top_bar.search, Qt.Key.Key_Escape)
    trained_session.apply("adding", lambda now: now.enrol(cut))
    assert search() == "ada and grace"
    assert trained_session.page == "people"
    qtbot.keyClick(top_bar.search, Qt.Key.Key_Escape)
    assert trained_session.searched == ""
    assert search() == "ada and grace"
    trained_session.select_person("Mary")
    assert (trained_session.searched, top_bar.search.text()) == ("", "")


def test_everybody_is_found_once_and_rows_are_whole(qtbot, top_bar, trained_session):
    top_bar.search.setFocus()
    completer = top_bar.search.completer()
    qtbot.keyClicks(top_bar.search, "a")
    popup, model = completer.popup(), completer.completionModel()
    qtbot.waitUntil(popup.isVisible)
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert "Ada" in names
    assert len(names) == len(set(names))
    row = popup.sizeHintForRow(0)
    assert popup.viewport().height() == min(len(names), completer.maxVisibleItems()) * row
    assert row >= popup.fontMetrics().height() + 8
    popup.hide()
