"""The People page: who is shown, what is marked, and every edit a person can make there."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery, Project, Recipe, text
from eigenfaces.errors import no_tick
from eigenfaces.recognition.gallery_quality import PhotoChecks, check_photos
from eigenfaces.recognition.verdict import nearest_other
from gui.pages.people.page import PeoplePage
from gui.pages.people.people_list import ATTENTION, UNKNOWN
from gui.pages.people.person_picker import PersonPicker
from gui.pages.people.photo_inspector import in_face_space
from gui.plots.marks import Bars
from gui.state.session import Session
from gui.widgets.face_list import Face
from tests.gui import seen


@pytest.fixture
def on_disk(small_gallery: Gallery, tmp_path: Path) -> Gallery:
    """The small gallery with a file behind every photograph."""
    changed = {}
    for number, photo in enumerate(small_gallery.index.photos):
        path = tmp_path / "photos" / f"{photo.person}" / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"only looked for, never read")
        changed[photo.key] = replace(photo, path=path)
    faces = small_gallery.faces.with_photos(changed)
    # With all components nobody stands out: by 10 of them, one photo of Mary would.
    return replace(small_gallery, faces=faces, recipe=Recipe.of(components=1.0))


@pytest.fixture
def people_session(session: Session, on_disk: Gallery, tmp_path: Path) -> Session:
    session.switch(Project.create(tmp_path / "people.eigenfaces", on_disk))
    return session


@pytest.fixture
def page(qtbot: QtBot, people_session: Session) -> Iterator[PeoplePage]:
    made = PeoplePage(people_session)
    assert made.inspector is not None
    for widget in (made, made.inspector):
        qtbot.addWidget(widget)
        widget.resize(1000, 760)
        with qtbot.waitExposed(widget):
            widget.show()
    settle(qtbot, made)
    yield made
    made.inspector.hide()
    made.hide()


def settle(qtbot: QtBot, page: PeoplePage) -> None:
    """Wait until the page shows what the session holds."""
    seen.settle(qtbot, page.session)


def keys_of(page: PeoplePage, person: str | None) -> list[str]:
    faces = page.session.gallery.faces
    return [faces.index.photos[row].key for row in faces.index.rows_of(person)]


def listed(page: PeoplePage) -> list[str]:
    return [face.caption for face in page.people.faces.faces()]


def show(qtbot: QtBot, page: PeoplePage, person: str) -> None:
    page.session.select_person(person)
    qtbot.waitUntil(lambda: page.group == person)
    settle(qtbot, page)


def press(qtbot: QtBot, page: PeoplePage, key: Qt.Key, *, ctrl: bool = False) -> None:
    """Press a key on the page, whose window has to be the active one for shortcuts."""
    page.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is page)
    held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    if QApplication.focusWidget() is None:
        page.people.setFocus()
    focused = QApplication.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, key, held)


def test_everybody_is_listed_with_the_first_one_shown(page: PeoplePage) -> None:
    assert listed(page) == ["Ada", "Grace", "Hedy", "Katherine", "Mary", "Sofia"]
    assert page.group == "Ada"
    assert len(page.grid.faces.faces()) == 4
    assert [chip.text() for chip in page.heading.chips] == ["4 photos", "4 of 4 used"]
    assert "6 people, 24 photos" in seen.words(page.header)


def test_choosing_somebody_in_the_list_chooses_them_everywhere(
    qtbot: QtBot, page: PeoplePage
) -> None:
    page.people.chosen.emit("Hedy")
    settle(qtbot, page)
    assert page.session.person == "Hedy"
    assert page.session.photo == keys_of(page, "Hedy")[0]
    assert page.heading.title.full_text == "Hedy"
    assert page.grid.selected_keys() == keys_of(page, "Hedy")[:1]


def test_a_face_chosen_elsewhere_is_shown_here(qtbot: QtBot, page: PeoplePage) -> None:
    key = keys_of(page, "Mary")[2]
    page.session.select(key)
    qtbot.waitUntil(lambda: page.group == "Mary")
    assert page.grid.selected_keys() == [key]
    assert page.photo_inspector.title.full_text == "Photo 3"


def test_the_filter_finds_people_and_files(page: PeoplePage) -> None:
    page.card.filter.setText("a")
    assert listed(page) == ["Ada", "Grace", "Katherine", "Mary", "Sofia"]
    page.card.filter.setText("9.png")  # 9.png is Hedy's, 19.png Mary's
    assert listed(page) == ["Hedy", "Mary"]
    page.card.filter.setText("nobody at all")
    assert listed(page) == []
    assert not page.people.isVisible()
    assert "nobody at all" in page.card.sentence.text()
    page.card.filter.clear()
    assert page.people.isVisible()
    assert len(listed(page)) == 6


def test_rename_in_place_by_key(qtbot: QtBot, page: PeoplePage) -> None:
    press(qtbot, page, Qt.Key.Key_F2)
    assert page.heading.is_renaming
    page.heading.field.setText("Lovelace")
    qtbot.keyClick(page.heading.field, Qt.Key.Key_Return)
    settle(qtbot, page)
    assert page.session.gallery.people[0] == "Lovelace"
    assert page.session.person == page.group == "Lovelace"
    assert page.session.history.can_undo == "rename Ada to Lovelace"


@pytest.mark.parametrize(
    ("key", "done"),
    [(Qt.Key.Key_Return, "rename Ada to Lovelace"), (Qt.Key.Key_Escape, None)],
)
def test_after_a_new_name_or_the_old_one_the_keys_go_where_they_went(
    qtbot: QtBot, page: PeoplePage, key: Qt.Key, done: str | None
) -> None:
    page.activateWindow()
    page.people.setFocus()
    qtbot.waitUntil(page.people.hasFocus)
    page.heading.start_renaming()
    assert page.heading.field.hasFocus()
    page.heading.field.setText("Lovelace")
    qtbot.keyClick(page.heading.field, key)
    settle(qtbot, page)
    assert page.session.history.can_undo == done
    assert page.people.hasFocus()


def test_the_name_of_somebody_else_asks_to_merge(qtbot: QtBot, page: PeoplePage) -> None:
    page.heading.renamed.emit("Grace")
    assert page.heading.question.isVisible()
    assert page.session.history.can_undo is None  # asked, not done
    seen.button(page.heading.question, "Merge into Grace").click()
    settle(qtbot, page)
    assert "Ada" not in page.session.gallery.people
    assert len(keys_of(page, "Grace")) == 8
    assert page.session.history.can_undo == "merge Ada into Grace"
    assert not page.heading.question.isVisible()


def test_del_removes_the_person_and_shows_the_next(qtbot: QtBot, page: PeoplePage) -> None:
    show(qtbot, page, "Grace")
    page.people.setFocus()
    press(qtbot, page, Qt.Key.Key_Delete)
    settle(qtbot, page)
    assert "Grace" not in page.session.gallery.people
    assert page.group == page.session.person == "Hedy"
    page.session.undo()
    settle(qtbot, page)
    assert "Grace" in listed(page)


def test_del_in_the_grid_removes_only_the_selected_photos(qtbot: QtBot, page: PeoplePage) -> None:
    keys = keys_of(page, "Ada")
    page.grid.select(*keys[:2])
    page.grid.setFocus()
    press(qtbot, page, Qt.Key.Key_Delete)
    settle(qtbot, page)
    assert keys_of(page, "Ada") == keys[2:]
    assert page.session.history.can_undo == "remove 2 photos"
    assert page.session.photo == keys[2]
    assert all(Path(photo.path).exists() for photo in page.session.gallery.index.photos)


def test_photos_dragged_to_somebody_are_theirs(qtbot: QtBot, page: PeoplePage) -> None:
    keys = keys_of(page, "Ada")
    page.grid.select(*keys[:2])
    page.people.photos_dropped.emit(keys[:2], "Mary")
    settle(qtbot, page)
    assert len(keys_of(page, "Mary")) == 6
    assert page.session.history.can_undo == "move 2 photos to Mary"
    assert page.group == "Ada"  # one stays where one works
    assert page.session.photo == keys[2]


def test_moving_to_where_they_are_is_no_edit(page: PeoplePage) -> None:
    page.people.photos_dropped.emit(keys_of(page, "Ada"), "Ada")
    assert page.session.history.can_undo is None


def test_exclude_and_include_again(qtbot: QtBot, page: PeoplePage) -> None:
    keys = keys_of(page, "Ada")
    page.grid.select(*keys[:3])
    page.photo_inspector.exclude.click()
    settle(qtbot, page)
    assert page.session.history.can_undo == "exclude 3 photos from training"
    assert page.heading.chips[1].text() == "1 of 4 used"
    assert page.grid.faces.faces()[0].caption == "1 · excluded"
    assert page.photo_inspector.exclude.text() == "Include 3 photos again"
    page.photo_inspector.exclude.click()
    settle(qtbot, page)
    assert page.heading.chips[1].text() == "4 of 4 used"


def test_who_is_enrolled_is_not_shown_as_excluded(qtbot: QtBot, page: PeoplePage) -> None:
    """Whoever's best photo is excluded looked like somebody who is not compared at all."""
    (best, faded) = page.people.faces.faces()[0].image.args
    assert not faded
    page.edits.exclude([best], True)
    settle(qtbot, page)
    (now, faded) = page.people.faces.faces()[0].image.args
    assert now != best
    assert not faded
    page.edits.exclude(keys_of(page, "Ada"), True)
    settle(qtbot, page)
    assert page.people.faces.faces()[0].image.args[1]


def test_several_selected_are_counted_on_the_buttons(page: PeoplePage) -> None:
    page.grid.select(*keys_of(page, "Ada"))
    assert page.photo_inspector.move_button.text() == "Move 4 photos to person…"
    assert page.photo_inspector.title.full_text == "Photo 1, one of 4 selected"


def test_the_inspector_tells_the_distances_of_the_core(qtbot: QtBot, page: PeoplePage) -> None:
    gallery = page.session.gallery
    match = nearest_other(gallery, 0)
    assert match is not None
    qtbot.waitUntil(lambda: page.photo_inspector.facts.values()["Nearest other"] == match.person)
    away = gallery.trained.space.first(gallery.k).distance_from(gallery.faces.pixels[:1])[0]
    assert page.photo_inspector.distances.values() == {
        "From face space": text.number(away),
        "To nearest other": text.number(match.distance),
    }
    assert page.photo_inspector.facts.values()["File"] == "0.png"


def test_reconstruct_goes_there_with_the_photo(page: PeoplePage) -> None:
    page.photo_inspector.reconstruct.click()
    assert page.session.page == "reconstruct"
    assert page.session.photo == keys_of(page, "Ada")[0]


def test_a_photo_that_is_gone_needs_attention(qtbot: QtBot, page: PeoplePage) -> None:
    page.session.gallery.index.photos[5].path.unlink()
    page.hide()
    page.show()
    qtbot.waitUntil(lambda: listed(page)[0] == "Needs attention")
    assert page.people.faces.face(page.people.faces.index_of("Grace")).warning
    page.people.chosen.emit(ATTENTION)
    qtbot.waitUntil(lambda: page.group == ATTENTION)
    assert page.photo_inspector.chips[0].text() == "Gone from disk"
    assert not page.heading.remove_button.isVisible()
    assert not page.consistency.isVisible()


def test_the_only_photo_of_somebody_needs_attention(qtbot: QtBot, page: PeoplePage) -> None:
    page.session.apply("move 1 photo", lambda now: now.move([keys_of(page, "Ada")[0]], "Eve"))
    settle(qtbot, page)
    assert seen.says(page.header, "1 photo needs attention")
    assert page.people.faces.face(page.people.faces.index_of("Eve")).warning


def test_photos_of_nobody_are_unknown_and_can_be_named(qtbot: QtBot, page: PeoplePage) -> None:
    keys = keys_of(page, "Ada")[:1]  # alone, it is in no group
    page.people.photos_dropped.emit(keys, UNKNOWN)
    settle(qtbot, page)
    assert listed(page)[0] == "Unknown"
    page.people.chosen.emit(UNKNOWN)
    qtbot.waitUntil(lambda: page.group == UNKNOWN)
    assert [face.key for face in page.grid.faces.faces()] == keys
    page.grid.select(*keys)
    page.photo_inspector.move_button.click()
    picker = open_picker(page)
    picker.field.setText("Eve")
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    settle(qtbot, page)
    assert keys_of(page, "Eve") == keys
    assert page.session.history.can_undo == "move 1 photo to Eve"
    assert "Unknown" not in listed(page)


def open_picker(page: PeoplePage) -> PersonPicker:
    (picker,) = (found for found in page.findChildren(PersonPicker) if found.isVisible())
    return picker


def test_merge_by_key_and_by_typing(qtbot: QtBot, page: PeoplePage) -> None:
    press(qtbot, page, Qt.Key.Key_M, ctrl=True)
    picker = open_picker(page)
    assert [face.caption for face in picker.list.faces.faces()] == [
        "Grace", "Hedy", "Katherine", "Mary", "Sofia",
    ]  # fmt: skip
    picker.field.setText("zzz")
    assert picker.nobody.isVisible()
    assert not picker.new.isVisible()
    picker.field.setText("kath")
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    settle(qtbot, page)
    assert page.session.history.can_undo == "merge Ada into Katherine"
    assert page.group == "Katherine"


def test_the_bars_are_the_distances_of_the_core(qtbot: QtBot, page: PeoplePage) -> None:
    chart, gallery = page.consistency.chart, page.session.gallery
    qtbot.waitUntil(lambda: any(bars.series[""].size for bars in chart.of(Bars)))
    found = check_photos(gallery, PhotoChecks(), no_tick)
    distances = [found.apart[key][0] for key in keys_of(page, "Ada")]
    np.testing.assert_allclose(chart.of(Bars)[0].series[""], distances)
    chart.picked.emit(0, 2)
    assert page.session.photo == keys_of(page, "Ada")[2]


def test_without_training_the_card_says_train_first(qtbot: QtBot, page: PeoplePage) -> None:
    gallery = page.session.gallery
    page.session.apply(
        "the recipe", lambda now: Gallery(gallery.faces, gallery.preparation, gallery.recipe)
    )
    settle(qtbot, page)
    assert page.consistency.untrained.isVisible()
    assert not page.consistency.trained.isVisible()
    assert "Nearest other" not in page.photo_inspector.facts.values()
    page.consistency.train_button.click()
    qtbot.waitUntil(lambda: page.session.gallery.training is not None)
    settle(qtbot, page)
    assert page.consistency.trained.isVisible()


def test_the_inspector_shows_what_the_core_rebuilds(on_disk: Gallery) -> None:
    for recipe in (Recipe.of(components=7), Recipe.of(components=7, lighting="photo mean")):
        gallery = on_disk.with_recipe(recipe).train()
        space = gallery.trained.space.first(gallery.k)
        rebuilt = space.reconstruct(gallery.trained.coordinates[3, : gallery.k])
        np.testing.assert_allclose(in_face_space(gallery, 3).ravel(), rebuilt, atol=1e-5)


def test_the_name_of_somebody_else_in_other_letters_asks_to_merge(
    qtbot: QtBot, page: PeoplePage
) -> None:
    page.heading.renamed.emit("gRACE")
    assert page.session.history.can_undo is None  # asked, not done
    seen.button(page.heading.question, "Merge into Grace").click()
    settle(qtbot, page)
    assert page.session.history.can_undo == "merge Ada into Grace"


def test_ones_own_name_in_other_letters_is_no_question(qtbot: QtBot, page: PeoplePage) -> None:
    page.heading.renamed.emit("ADA")
    settle(qtbot, page)
    assert page.session.gallery.people[0] == "ADA"
    assert not page.heading.question.isVisible()


def test_of_two_who_differ_in_letters_only_the_one_typed_is_meant(
    qtbot: QtBot, page: PeoplePage
) -> None:
    gallery = page.session.gallery
    photos = [gallery.index.photos[row] for row in gallery.index.rows_of("Hedy")[:2]]
    two = gallery.faces.with_photos({each.key: replace(each, person="grace") for each in photos})
    page.session.apply("two of one name", lambda now: replace(now, faces=two))
    settle(qtbot, page)
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


def test_what_is_said_to_be_right_is_not_asked_about_again(qtbot: QtBot, page: PeoplePage) -> None:
    alone = keys_of(page, "Ada")[0]
    page.edits.move([alone], "Eve", None)
    settle(qtbot, page)
    page.session.select(alone)
    settle(qtbot, page)
    assert "Needs attention" in listed(page)
    page.photo_inspector.right.click()
    settle(qtbot, page)
    assert "Needs attention" not in listed(page)
    assert not page.photo_inspector.right.isVisible()
    page.session.undo()
    settle(qtbot, page)
    assert "Needs attention" in listed(page)
