"""The window as a whole: pages, keys, what is dropped, sizes, closing."""

from pathlib import Path
from time import sleep

import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QFileDialog,
    QPushButton,
    QWidget,
)

from eigenfaces import Project
from gui.photos.sheet import ImportSheet
from gui.widgets.words import ElidedLabel
from gui.window.main_window import MainWindow
from gui.window.menus import PLACES
from tests.gui import seen
from tests.gui.state.gate import Gate


@pytest.fixture
def window(qtbot, session):
    return seen.show(qtbot, MainWindow(session), (1467, 943))


@pytest.fixture
def full(window, trained_session):
    """The window with the small gallery open."""
    return window


def drop(window: MainWindow, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)


def test_an_empty_project_begins_with_the_welcome_page(window):
    assert window.page.key == "welcome"
    window.session.show_page("eigenfaces")
    assert window.page.key == "welcome"


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_every_page_opens_and_can_be_read_aloud(qtbot, full, trained_session, place):
    trained_session.show_page(place.key)
    assert full.page.key == place.key
    assert full.page.isVisible()
    nameless = [
        part
        for part in full.findChildren(QWidget)
        if part.focusPolicy() & Qt.FocusPolicy.TabFocus
        and part.isVisible()
        and not part.accessibleName()
        and not isinstance(part.parent(), QAbstractSpinBox)  # its field speaks for it
    ]
    assert not nameless


def test_no_page_shows_a_window_of_its_own(qtbot, lone_windows, full, trained_session):
    for place in PLACES:
        trained_session.show_page(place.key)
        qtbot.waitUntil(lambda: trained_session.jobs.current is None)
    assert lone_windows == ["MainWindow"]


def test_the_first_window_has_room_on_the_screen_with_its_title_bar(qtbot, session):
    made = MainWindow(session)
    qtbot.addWidget(made)
    assert made.screen().availableSize().height() - made.height() >= 48


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
@pytest.mark.parametrize("width", [1467, 1280, 1100])
def test_no_page_makes_the_window_wider_than_it_is(qtbot, full, trained_session, place, width):
    trained_session.show_page(place.key)
    full.resize(width, 720)
    assert full.width() == width
    assert full.centralWidget().width() == width


def test_keys_go_to_the_pages(qtbot, full, trained_session):
    full.activateWindow()
    keys = [place for place in PLACES if place.section]
    assert [place.key for place in keys][:2] == ["people", "recognise"]
    for number, place in enumerate(keys, 1):
        full.commands._go(place)  # what Ctrl+1 … Ctrl+8 call: offscreen has no active window
        assert full.page.key == place.key, number


def test_what_is_searched_is_the_help_where_it_is_read(qtbot, full, trained_session):
    full.activateWindow()
    for page, field in (("people", full.top_bar.search), ("help", full._page_of("help").finder)):
        trained_session.show_page(page)
        qtbot.keyClick(full, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert QApplication.focusWidget() is field


def test_keys_go_only_where_something_is_to_be_seen(window):
    for place in PLACES:
        window.commands._go(place)
        wanted = "welcome" if place.needs_faces or place.key == "people" else place.key
        assert window.page.key == wanted
        window.session.show_page("people")


def test_a_narrow_window_gives_up_words_and_inspector(full, trained_session):
    trained_session.show_page("people")
    full.resize(1200, 800)
    assert full.page.inspector.isVisible()
    assert full.navigation.width() == 188
    full.resize(900, 600)
    assert (full.width(), full.height()) == (1100, 700)
    assert not full.page.inspector.isVisible()
    assert full.navigation.width() == 64


def test_the_inspector_can_be_hidden_and_stays_so(full, trained_session):
    trained_session.show_page("people")
    full.commands.inspector_asked.emit()
    assert not full.page.inspector.isVisible()
    assert not trained_session.settings.inspector_visible


def test_a_dropped_project_is_opened(qtbot, window, small_gallery, tmp_path):
    Project.create(tmp_path / "other.eigenfaces", small_gallery).close()
    drop(window, tmp_path / "other.eigenfaces")
    qtbot.waitUntil(lambda: window.session.name == "other", timeout=5000)


def test_a_dropped_folder_opens_the_import_sheet(qtbot, window, tmp_path):
    (tmp_path / "faces" / "Ada").mkdir(parents=True)
    Image.new("L", (40, 50), 90).save(tmp_path / "faces" / "Ada" / "1.png")
    drop(window, tmp_path / "faces")
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportSheet)), timeout=5000)
    qtbot.waitUntil(lambda: window.session.jobs.current is None)
    window.findChildren(ImportSheet)[0].close()


def test_a_photo_dropped_on_recognise_becomes_a_probe(qtbot, full, trained_session, tmp_path):
    Image.new("L", (40, 50), 90).save(tmp_path / "who.png")
    trained_session.show_page("recognise")
    drop(full, tmp_path / "who.png")
    qtbot.waitUntil(lambda: len(trained_session.probes) == 1, timeout=5000)


def test_a_message_is_shown_and_escape_takes_it_away(qtbot, full, trained_session):
    trained_session.show_message("Something happened.", "error")
    assert full.messages.text == "Something happened."
    qtbot.keyClick(full, Qt.Key.Key_Escape)
    assert full.messages.text == ""


def test_escape_elsewhere_ends_no_evaluation(qtbot, full, trained_session):
    gate = Gate()
    trained_session.run("evaluate", "Evaluating", gate.work, lambda _: None)
    qtbot.waitUntil(gate.entered.is_set)
    for place in PLACES:
        trained_session.show_page(place.key)
        for _ in range(2):
            qtbot.keyClick(full.focusWidget() or full, Qt.Key.Key_Escape)
    assert not trained_session.jobs.current.stop.is_set()
    gate.open.set()
    qtbot.waitUntil(lambda: not trained_session.jobs.is_busy("evaluate"))


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_a_message_moves_nothing_and_stays_on_its_page(qapp, qtbot, full, trained_session, place):
    trained_session.show_page(place.key)
    qtbot.waitUntil(lambda: trained_session.jobs.current is None)
    qapp.processEvents()  # laid out
    before = full.page.mapTo(full, QPoint(0, 0)), full.page.size()
    trained_session.show_message("Something happened. " * 20, "error")
    qapp.processEvents()
    assert (full.page.mapTo(full, QPoint(0, 0)), full.page.size()) == before
    trained_session.show_page("help" if place.key == "people" else "people")
    assert full.messages.text == ""


@pytest.mark.parametrize("key", ["lessons", "map"])
def test_the_words_of_a_page_are_not_cut_on_a_small_screen(qtbot, full, key):
    full.resize(1280, 720)
    full.session.show_page(key)
    seen.settle(qtbot, full.session)
    words = [each for each in full.page.findChildren(ElidedLabel) if each.isVisible()]
    assert words
    assert [each.full_text for each in words if each.text() != each.full_text] == []


def test_closing_while_something_runs_cancels_it(qtbot, full, trained_session):
    told = []

    def endless(tick):
        while True:
            tick(0, 1)

    trained_session.run("train", "Endless", endless, told.append)
    path = trained_session.project.path
    full.close()
    assert told == []
    Project.open(path).close()  # the file is free again


def test_the_window_opens_where_it_was_closed(qtbot, window, session):
    window.resize(1100, 755)
    window.close()
    again = MainWindow(session)
    qtbot.addWidget(again)
    assert (again.width(), again.height()) == (1100, 755)


def test_a_theme_change_reaches_every_page(qtbot, qapp, full, trained_session):
    from gui.style import theme

    for place in PLACES:
        trained_session.show_page(place.key)
    theme.apply(qapp, "dark")
    try:
        for place in PLACES:
            trained_session.show_page(place.key)
            assert not full.grab().isNull()
        assert full.palette().window().color().name().upper() == theme.DARK.window
    finally:
        theme.apply(qapp, "light")
        qapp.sendPostedEvents(None, QEvent.Type.PaletteChange)


def test_a_project_that_nobody_agreed_to_replace_is_asked_about(
    full, trained_session, tmp_path, monkeypatch
):
    (tmp_path / "old.eigenfaces").write_text("somebody's work")
    answers, proposed = ["old", ""], []

    def ask(parent, title, start, kinds):
        proposed.append(Path(start).name)
        answer = answers.pop(0)
        return (str(tmp_path / answer) if answer else ""), kinds

    monkeypatch.setattr("gui.window.menus.QFileDialog.getSaveFileName", ask)
    full.commands.save_as()
    assert proposed == ["small.eigenfaces", "old.eigenfaces"]
    assert not trained_session.jobs.is_busy("save as")
    assert (tmp_path / "old.eigenfaces").read_text() == "somebody's work"


def test_projects_are_looked_for_where_projects_are_saved(
    full, trained_session, tmp_path, monkeypatch
):
    (tmp_path / "photos").mkdir()
    trained_session.settings.last_folder = tmp_path / "photos"
    begun = []

    def ask(parent, title, start, kinds):
        begun.append(Path(start))
        return "", kinds

    monkeypatch.setattr("gui.window.menus.QFileDialog.getSaveFileName", ask)
    monkeypatch.setattr("gui.window.menus.QFileDialog.getOpenFileName", ask)
    full.commands.save_as()
    full.commands._open()
    trained_session.new()
    full.commands._open()  # where the last one was saved
    assert begun == [tmp_path / "small.eigenfaces", tmp_path, tmp_path]


def test_a_message_goes_with_its_project(qtbot, window, small_gallery, tmp_path):
    drop(window, tmp_path / "gone.eigenfaces")
    qtbot.waitUntil(lambda: "There is no project file" in window.messages.text)
    Project.create(tmp_path / "dropped.eigenfaces", small_gallery).close()
    drop(window, tmp_path / "dropped.eigenfaces")
    qtbot.waitUntil(lambda: window.page.key == "people")
    assert window.messages.text == ""


def test_a_read_only_project_says_so_and_is_saved_elsewhere(full, trained_session, monkeypatch):
    monkeypatch.setattr(trained_session.project, "read_only", True)
    full.top_bar.refresh()
    assert seen.says(full.top_bar, "Read-only")
    trained_session.show_message("It is read-only, so nothing was changed.", "error")
    assert "Save it elsewhere…" in seen.button_names(full)


def test_what_ends_late_is_waited_for_out_of_sight(qtbot, full, trained_session):
    """A decomposition does not stop midway: the window would stand there, and not respond."""
    shown, begun = [], []

    def work(tick):
        begun.append(True)
        for _ in range(5000):
            if not full.isVisible():
                break
            sleep(0.001)
        shown.append(full.isVisible())

    trained_session.run("train", "Decomposing", work, lambda _: None)
    qtbot.waitUntil(lambda: bool(begun))
    full.close()
    assert shown == [False]


def test_a_project_whose_file_is_gone_is_saved_elsewhere_from_the_message(
    qtbot, full, trained_session, tmp_path, monkeypatch
):
    trained_session.project.path.unlink()
    assert not trained_session.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
    assert "moved, deleted or replaced" in full.messages.text
    (button,) = (b for b in full.findChildren(QPushButton) if b.text() == "Save it elsewhere…")
    place = str(tmp_path / "elsewhere.eigenfaces")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (place, ""))
    button.click()
    qtbot.waitUntil(lambda: trained_session.jobs.current is None)
    assert trained_session.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
    assert trained_session.project.path == Path(place)
