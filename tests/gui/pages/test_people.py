"""The People page: who is shown, what is marked, and every edit a person can make there."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery, Recipe
from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.identity import FaceId
from eigenfaces.recognition import gallery_quality
from eigenfaces.recognition.gallery_quality import FaceCluster, PhotoChecks, check_photos
from gui.pages.people import findings
from gui.pages.people.edits import PeopleEdits
from gui.pages.people.entries import ATTENTION, LATER, UNKNOWN, WHO
from gui.pages.people.page import PeoplePage
from gui.pages.people.person import ConsistencyCard
from gui.plots.marks import Bars
from gui.state.session import Session
from gui.style.images import grey_image
from tests.gui import seen
from tests.gui.state.gate import Gate
from tests.synthetic import on_file

EVERYBODY = ["Ada", "Grace", "Hedy", "Katherine", "Mary", "Sofia"]
Key = Qt.Key


@pytest.fixture
def page(open_page, open_gallery, small_gallery: Gallery, tmp_path: Path) -> PeoplePage:
    """The page of the small gallery, with a file behind every photograph."""
    on_disk = {}
    for number, photo in enumerate(small_gallery.index.photos):
        path = tmp_path / "photos" / f"{photo.person}" / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"only looked for, never read")
        on_disk[photo.id] = on_file(photo, path)
    faces = small_gallery.faces.with_photos(on_disk)
    # With all components nobody stands out: by 10 of them, one photo of Mary would.
    open_gallery(replace(small_gallery, faces=faces, recipe=Recipe.of(components=1.0)))
    made = open_page(PeoplePage, (1000, 760))
    made.parts.set_current(1)
    return made


def keys_of(page: PeoplePage, person: str | None) -> list[str]:
    index = page.session.gallery.index
    return [index.photos[row].id for row in index.rows_of(person)]


def listed(page: PeoplePage) -> list[str]:
    """Return what is listed, without the first row: all photos."""
    return [face.caption for face in page.people.faces.faces() if face.caption != "All photos"]


def warned(page: PeoplePage, person: str) -> str:
    return page.people.faces.face(page.people.faces.index_of(person)).warning


def activate(qtbot: QtBot, page: PeoplePage) -> None:
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)


def press(qtbot: QtBot, page: PeoplePage, key: Key, *, ctrl: bool = False) -> None:
    """Press a key on the page, whose window has to be the active one for shortcuts."""
    activate(qtbot, page)
    modifier = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    if QApplication.focusWidget() is None:
        page.people.setFocus()
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def answer(qtbot: QtBot, page: PeoplePage, name: str) -> None:
    """Type a name into the field that asks for it, and press Enter."""
    assert page.heading.field.isVisible()
    page.heading.field.clear()
    qtbot.keyClicks(page.heading.field, name)
    qtbot.keyClick(QApplication.activePopupWidget() or page.heading.field, Key.Key_Return)


def test_who_is_listed_chosen_here_or_elsewhere_is_shown(page, do):
    assert listed(page) == EVERYBODY
    assert page.grid.faces.keys == keys_of(page, "Ada")
    assert page.heading.chip.text() == "4 photos"
    assert "6 people, 24 photos" in seen.words(page.header)
    do(page.people.chosen.emit, "Hedy")
    assert page.session.person == page.heading.title.full_text == "Hedy"
    assert page.grid.selected_keys() == [page.session.photo] == keys_of(page, "Hedy")[:1]
    do(page.session.select, keys_of(page, "Mary")[2])
    assert page.shown == "Mary"
    assert page.grid.selected_keys() == keys_of(page, "Mary")[2:3]
    assert page.photo_inspector.title.full_text == "Photo 3"


def test_the_filter_finds_people_and_files(page):
    for words, names in (
        ("a", ["Ada", "Grace", "Katherine", "Mary", "Sofia"]),
        ("9.png", ["Hedy", "Mary"]),  # 9.png is Hedy's, 19.png Mary's
        ("nobody at all", []),
    ):
        page.filter.setText(words)
        assert listed(page) == names
    assert not page.people.isVisible()
    assert seen.says(page.content, "nobody at all")


@pytest.mark.parametrize(
    ("key", "done"), [(Key.Key_Return, "rename Ada to Lovelace"), (Key.Key_Escape, None)]
)
def test_rename_in_place_by_key_and_the_keys_go_on_where_they_were(qtbot, page, do, key, done):
    page.people.setFocus()
    for _ in range(2):  # once too often does no harm
        press(qtbot, page, Key.Key_F2)
    field = page.heading.field
    assert field.hasFocus()
    assert field.text() == "Ada"
    field.setText("Lovelace")
    do(qtbot.keyClick, field, key)
    assert page.session.history.undo_title == done
    assert page.shown == page.session.person == ("Lovelace" if done else "Ada")
    assert page.people.hasFocus()
    assert not field.isVisible()


def test_the_name_of_somebody_else_is_refused(qtbot, page):
    seen.button(page, "Rename").click()
    answer(qtbot, page, "gRACE")
    assert page.session.history.undo_title is None
    assert (
        page.session.message.text
        == "“Grace” is already in the gallery. Merge the two if they are the same person."
    )


def test_merge_by_key_and_by_typing(qtbot, page, do):
    press(qtbot, page, Key.Key_M, ctrl=True)
    assert page.heading.field.suggestions() == EVERYBODY[1:]
    answer(qtbot, page, "zzz")
    assert page.session.history.undo_title is None  # nobody is called that
    do(answer, qtbot, page, "kath")
    assert page.session.history.undo_title == "merge Ada into Katherine"
    assert page.shown == "Katherine"
    assert page.session.message.text == "Ada and Katherine are now one person. Ctrl+Z undoes it."


@pytest.mark.parametrize("photos", [0, 2])
def test_del_removes_the_person_or_in_the_grid_the_selected_photos(qtbot, page, do, photos):
    do(page.session.select_person, "Grace")
    keys = keys_of(page, "Grace")
    page.grid.select(*keys[:photos])
    (page.grid if photos else page.people).setFocus()
    do(press, qtbot, page, Key.Key_Delete)
    assert keys_of(page, "Grace") == (keys[photos:] if photos else [])
    assert page.shown == page.session.person == ("Grace" if photos else "Hedy")
    assert page.session.photo == (keys[2] if photos else keys_of(page, "Hedy")[0])
    assert page.session.history.undo_title == ("remove 2 photos" if photos else "remove Grace")
    assert "removed from the gallery. The photos on disk" in page.session.message.text
    do(page.session.undo)
    assert "Grace" in listed(page)


def test_del_after_a_click_on_a_bar_removes_that_photo_and_elsewhere_nothing(qtbot, page, do):
    do(page.session.select_person, "Grace")
    keys, chart = keys_of(page, "Grace"), page.consistency.chart
    (bars,) = chart.marks
    place = bars.item_pixels(chart.axes)[2]
    do(qtbot.mouseClick, chart, Qt.MouseButton.LeftButton, seen.PLAIN, QPoint(*map(round, place)))
    assert page.session.photo in keys[1:]
    chosen = page.session.photo
    do(press, qtbot, page, Key.Key_Delete)
    assert keys_of(page, "Grace") == [key for key in keys if key != chosen]
    page.heading.rename.setFocus()
    do(press, qtbot, page, Key.Key_Delete)
    assert len(keys_of(page, "Grace")) == 3


def test_photos_dragged_to_somebody_are_theirs(page, do):
    keys = keys_of(page, "Ada")
    page.grid.select(*keys[:2])
    page.people.photos_dropped.emit(keys[:2], "Ada")
    assert page.session.history.undo_title is None  # they are there
    do(page.people.photos_dropped.emit, keys[:2], "Mary")
    assert len(keys_of(page, "Mary")) == 6
    assert page.session.history.undo_title == "move 2 photos to Mary"
    assert page.shown == "Ada"  # one stays where one works
    assert page.session.photo == keys[2]
    assert listed(page) == ["Mary", *EVERYBODY[1:4], "Sofia", "Ada"]


def test_several_selected_are_counted_excluded_and_included_again(page, do):
    inspector = page.photo_inspector
    page.grid.select(*keys_of(page, "Ada")[:3])
    assert inspector.title.full_text == "Photo 1, one of 3 selected"
    assert inspector.move_button.text() == "Move 3 photos to person…"
    do(inspector.exclude.click)
    assert page.session.history.undo_title == "leaving out 3 photos"
    assert page.heading.chip.text() == "1 of 4 photos used"
    assert page.grid.faces.faces()[0].caption == "1 · left out"
    assert seen.says(inspector, "Nothing is compared with it.")
    assert inspector.exclude.text() == "Include 3 photos in comparison again"
    do(inspector.exclude.click)
    assert page.heading.chip.text() == "4 photos"


def test_the_inspector_tells_of_the_photo(page):
    gallery, inspector = page.session.gallery, page.photo_inspector
    assert inspector.facts.values()["File"] == "0.png"
    seen.button(inspector, "Details").click()
    training, k = gallery.trained, gallery.face_space_k
    rebuilt = training.space.first(k).reconstruct(training.coordinates[0, :k]).reshape(24, 20)
    assert inspector.rebuilt.image == grey_image(rebuilt)
    assert inspector.details.values()["Face"] == "the whole photo"
    seen.button(inspector, "Reconstruct").click()
    assert page.session.page == "reconstruct"


def test_what_needs_attention_is_listed_until_it_is_right(page, do):
    page.session.gallery.index.photos[5].path.unlink()
    page.hide()
    do(page.show)
    assert listed(page) == [*EVERYBODY, "Needs attention"]
    assert warned(page, "Grace") == "1 photo needs attention: file missing."
    do(page.people.chosen.emit, ATTENTION)
    inspector = page.photo_inspector
    assert (page.shown, inspector.concern.text()) == (ATTENTION, "File missing")
    for part in (inspector.right, page.heading.remove, page.consistency):
        assert not part.isVisible()
    alone = keys_of(page, "Ada")[0]
    do(page.edits.move, [alone], "Eve", alone)
    assert seen.says(page.header, "2 photos need attention")
    assert warned(page, "Eve")
    do(inspector.right.click)
    assert seen.says(page.header, "1 photo needs attention")
    assert not inspector.right.isVisible()


def test_photos_of_nobody_are_unknown_and_can_be_named(qtbot, page, do):
    keys = keys_of(page, "Ada")[:1]  # alone, it is in no group
    do(page.people.photos_dropped.emit, keys, UNKNOWN)
    do(page.people.chosen.emit, UNKNOWN)
    assert page.grid.faces.keys == page.grid.selected_keys() == keys
    activate(qtbot, page)
    page.photo_inspector.move_button.click()
    assert seen.says(page.heading, "Move 1 photo to")
    QApplication.activePopupWidget().close()
    page.people.setFocus()
    assert not page.heading.field.isVisible()  # left without a name
    page.photo_inspector.move_button.click()
    do(answer, qtbot, page, "Eve")
    assert keys_of(page, "Eve") == keys
    assert page.session.history.undo_title == "move 1 photo to Eve"
    assert "Unknown" not in listed(page)


# How consistent the photographs are


def test_the_bars_are_the_distances_of_the_core(qtbot, small_gallery):
    card = seen.show(qtbot, ConsistencyCard(), (700, 300))

    def show(gallery: Gallery, person: str) -> PhotoChecks:
        checks = check_photos(gallery, PhotoChecks(), no_tick)
        card.show_person(gallery, person, checks)
        return checks

    checks, keys = show(small_gallery, "Ada"), [photo.id for photo in small_gallery.index.photos]
    drawn = card.chart.marks_of(Bars)[0].series[""]
    np.testing.assert_allclose(drawn, [checks.apart[key][0] for key in keys[:4]])
    with qtbot.waitSignal(card.chosen) as chosen:
        card.chart.picked.emit(0, 3)
    assert chosen.args == keys[3:4]
    # The only photo and the only person get no plot of nothing.
    gallery = small_gallery.remove(keys[1:4])
    for person, alone in (("Ada", True), ("Hedy", False)):
        show(gallery, person)
        assert card.caption.text().startswith("At least three") == alone
        assert card.chart.isHidden() == alone
    show(small_gallery.remove(keys[4:]).train(), "Ada")
    assert card.mean.image is not None


def test_without_training_the_card_gets_ready(page, settled, do):
    trained = page.session.gallery
    bare = Gallery(trained.faces, trained.preparation, trained.recipe)
    for gallery in (bare, trained):
        do(page.session.apply, "the recipe", lambda _, gallery=gallery: gallery)
        assert page.consistency.untrained.isVisible() == (gallery is bare)
        assert seen.says(page.consistency, "Getting ready…") == (gallery is bare)


# Groups of faces without a name: one at a time is shown, corrected and named


@pytest.fixture
def asking(open_page, trained_session: Session, monkeypatch: pytest.MonkeyPatch) -> PeoplePage:
    """The page, with three faces of Ada's and two of Grace's without a name; Ada is known."""
    photos = trained_session.gallery.index.photos
    ada, grace = ([photos[row].id for row in rows] for rows in ((0, 1, 2), (4, 5)))
    trained_session.apply("forget", lambda now: now.move([*ada, *grace], None))

    def group(now: Gallery, _: Tick) -> tuple[FaceCluster, ...]:
        nameless = {now.index.photos[row].id for row in now.index.rows_of(None)}
        groups = (FaceCluster(tuple(grace), None), FaceCluster(tuple(ada), "Ada"))
        return tuple(group for group in groups if nameless.issuperset(group.faces))

    monkeypatch.setattr(findings, "cluster_faces", group)
    made = open_page(PeoplePage, (1000, 760))
    made.list.open_fold()
    return made


def names_of(page: PeoplePage, *rows: int) -> list[str | None]:
    return [page.session.gallery.index.photos[row].person for row in rows]


def choose(page: PeoplePage, place: int) -> None:
    groups = [key for key in page.people.faces.keys if isinstance(key, FaceId)]
    page.people.chosen.emit(groups[place])


def test_a_face_that_is_left_out_keeps_no_name_and_the_next_group_follows(qtbot, asking, do):
    do(asking.session.select_person, "Mary")
    rows = [at for at, key in enumerate(asking.people.faces.keys) if isinstance(key, FaceId)]
    seen.click(qtbot, asking.people, rows[0])
    assert asking.naming.field.hasFocus(), "also after a quick click"
    faces = [asking.people.faces.faces()[row] for row in rows]
    titles = [(face.caption, face.subcaption) for face in faces]
    assert titles == [("Who is this?", "2 photos"), ("Perhaps Ada", "3 photos")]
    assert names_of(asking, 0, 1, 2, 4, 5) == [None] * 5
    do(choose, asking, 0)
    assert asking.grid.selected_keys() == asking.grid.faces.keys
    asking.grid.select()
    asking.naming.named.emit("Eve")
    assert "click the faces" in asking.session.message.text
    asking.grid.select(*asking.grid.faces.keys)
    seen.click(qtbot, asking.grid, 1)
    qtbot.keyClicks(asking.naming.field, "eve ")
    do(qtbot.keyClick, asking.naming.field, Key.Key_Return)
    assert names_of(asking, 4, 5) == ["eve", None]
    assert asking.heading.title.full_text == "Perhaps Ada"
    QShortcut(QKeySequence("Ctrl+Z"), asking, asking.session.undo)
    asking.naming.field.setFocus()
    press(qtbot, asking, Key.Key_Z, ctrl=True)  # takes no typing back
    assert asking.naming.field.text() == ""
    assert names_of(asking, 4, 5) == [None, None]


def test_the_groups_stay_open_while_one_after_another_is_named(asking, do):
    page, session = asking, asking.session
    do(session.apply, "forget", lambda now: now.move([p.id for p in now.index.photos[6:]], None))
    assert page.list.is_open, "a person has opened it"
    page.list._open = None  # as where it is open since nobody has a name
    page.list._opens = True
    do(choose, page, 0)
    do(page.naming.named.emit, "Eve")
    assert page.list.is_open
    do(session.select_person, "Eve")
    do(session.apply, "naming Zoe", lambda now: now.rename("Eve", "Zoe"))
    assert not page.list.is_open


def test_until_faces_are_grouped_nobody_is_said_to_be_seen_once(
    qtbot, trained_session, monkeypatch
):
    gate = Gate()
    monkeypatch.setattr(findings, "cluster_faces", lambda _, tick: (gate.work(tick), ())[1])
    photos = trained_session.gallery.index.photos
    trained_session.apply("forget", lambda now: now.move([photos[0].id, photos[9].id], None))
    page = seen.show(qtbot, PeoplePage(trained_session), (1000, 760))
    qtbot.waitUntil(gate.entered.is_set)
    assert page.entries[LATER].title == "Not grouped yet"
    assert UNKNOWN not in page.entries
    gate.open.set()
    qtbot.waitUntil(lambda: UNKNOWN in page.entries)
    assert page.entries[UNKNOWN].title == "Seen once"
    assert LATER not in page.entries


def test_of_more_faces_than_are_grouped_the_rest_is_not_said_to_be_seen_once(
    qtbot, trained_session, monkeypatch
):
    monkeypatch.setattr(gallery_quality, "MOST_GROUPED", 4)
    monkeypatch.setattr(findings, "cluster_faces", lambda *_: ())
    photos = trained_session.gallery.index.photos
    trained_session.apply("forget", lambda now: now.move([p.id for p in photos[:6]], None))
    page = seen.show(qtbot, PeoplePage(trained_session), (1000, 760))
    qtbot.waitUntil(lambda: UNKNOWN in page.entries)
    assert page.entries[UNKNOWN].rows == [0, 1, 2, 3]
    assert page.entries[LATER].rows == [4, 5]
    eve = [photo.id for photo in photos[:3]]
    trained_session.apply("Eve", lambda now: now.move(eve, "Eve").train().calibrate())
    qtbot.waitUntil(lambda: LATER not in page.entries)  # grouped in their turn
    assert page.entries[UNKNOWN].rows == [3, 4, 5]


def test_after_an_import_the_groups_are_open_below_everybody_with_a_name(asking: PeoplePage, do):
    session = asking.session
    photos = session.gallery.index.photos
    asking.list.view.activated_face.emit(WHO)
    assert not asking.list.is_open
    session.arrived = frozenset(photos[row].id for row in (0, 1, 2, 4, 5))
    do(session.apply, "the recipe", lambda now: replace(now, settled=frozenset({("A", "B")})))
    keys = asking.people.faces.keys
    assert keys.index(WHO) > max(map(keys.index, session.gallery.people))
    assert [key for key in keys if isinstance(key, FaceId)] == keys[keys.index(WHO) + 1 :][:2]
    (chosen,) = asking.people.selectedIndexes()
    assert isinstance(asking.people.faces.face(chosen).key, FaceId), (
        "the first group is asked about"
    )
    assert asking.people.viewport().rect().contains(asking.people.visualRect(chosen))


@pytest.mark.parametrize(
    ("place", "button", "typed", "rows", "named"),
    [(1, "It is Ada", "", (0, 1, 2), "Ada"), (0, "Name them", "gRACE", (4, 5), "Grace")],
)
def test_enter_agrees_or_names_whom_it_means(qtbot, asking, do, place, button, typed, rows, named):
    do(choose, asking, place)
    assert asking.naming.button.text() == button
    asking.naming.field.setText(typed)
    do(qtbot.keyClick, asking.naming.field, Key.Key_Return)
    assert names_of(asking, *rows) == [named] * len(rows)


def test_what_is_asked_follows_the_groups_while_the_faces_stay(asking, monkeypatch, do):
    session, photos = asking.session, asking.session.gallery.index.photos
    do(choose, asking, 1)
    for rows, forgotten in (([], 8), ([0, 1, 2, 4, 5, 8, 9], 9)):
        groups = (FaceCluster(tuple(photos[row].id for row in rows), "Grace"),) if rows else ()
        monkeypatch.setattr(findings, "cluster_faces", lambda *_, made=groups: made)
        do(session.apply, "forget", lambda now, row=forgotten: now.move([photos[row].id], None))
        if not rows:
            do(asking.people.chosen.emit, UNKNOWN)
    assert asking.heading.title.full_text == "Perhaps Grace"
    assert asking.naming.button.text() == "It is Grace"
    assert asking.grid.selected_keys() == asking.grid.faces.keys


@pytest.mark.parametrize(
    "edit",
    [
        lambda edits, face: edits.remove([face]),
        lambda edits, face: edits.hide([face], hidden=True),
        lambda edits, face: edits.confirm([face]),
        lambda edits, face: edits.exclude([face]),
        lambda edits, face: edits.move([face], "Eve"),
        lambda edits, face: edits.take_name_away([face], None),
        lambda edits, face: edits.use_as_key(face),
    ],
    ids=["remove", "hide", "confirm", "exclude", "move", "take the name", "key"],
)
def test_nothing_is_done_to_a_face_that_is_gone(edit, trained_session, do):
    face = trained_session.gallery.index.photos[0].id
    do(trained_session.apply, "removing", lambda gallery: gallery.remove([face]))
    said = seen.told(trained_session.message_changed)
    edit(PeopleEdits(trained_session), face)
    assert trained_session.history.undo_title == "removing"
    assert said == [], "nor is it said that something was done"
