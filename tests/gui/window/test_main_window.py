"""The window as a whole: its start, pages, keys, what is dropped or pasted, sizes, closing."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from threading import Event
from time import sleep

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox, QWidget

from eigenfaces import Project
from eigenfaces.photographs.find import Skipped
from gui.pages.people.checking import CheckSheet
from gui.photos.sheet import ImportSheet
from gui.state.jobs import JobKind
from gui.widgets.controls import DropArea
from gui.widgets.messages import MessageList
from gui.widgets.page import NOTHING_YET
from gui.widgets.skipped_list import SkippedList
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests.gui import seen
from tests.gui.state.gate import Gate, never

EVERY_PAGE = pytest.mark.parametrize("place", NAVIGATION_ITEMS, ids=lambda place: place.key)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot, session):
    return seen.show(qtbot, MainWindow(session), (1467, 943))


@pytest.fixture
def full(window, trained_session):
    return window


@pytest.fixture
def photo(tmp_path, trained_session) -> Path:
    path = tmp_path / "photo.png"
    Image.fromarray(np.uint8(trained_session.gallery.faces.image(0) * 255)).save(path)
    return path


def drop(widget: QWidget, mime: QMimeData) -> QDropEvent:
    """Drag on a widget and drop there, from a program that would rather move than copy."""
    both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    buttons = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier)
    enter = QDragEnterEvent(QPoint(5, 5), both, mime, *buttons)
    dropped = QDropEvent(QPointF(5, 5), both, mime, *buttons)
    for event in (enter, dropped):
        event.setDropAction(Qt.DropAction.MoveAction)
    widget.dragEnterEvent(enter)
    assert enter.isAccepted()
    assert enter.dropAction() == Qt.DropAction.CopyAction
    widget.dropEvent(dropped)
    return dropped


def paths(window: MainWindow) -> list[Path]:
    return [probe.photo.path for probe in window.session.probes]


class TestPages:
    def test_without_faces_keys_go_only_where_something_is_to_be_seen(self, qtbot, window):
        assert window.page.key == "welcome"
        window.session.show_page("eigenfaces")
        assert window.page.key == "welcome"
        window.session.show_page("people")
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        for number, place in enumerate((place for place in NAVIGATION_ITEMS if place.section), 1):
            qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), CONTROL)
            assert window.page.key == ("lessons" if place.key == "lessons" else "welcome")

    def test_to_ask_which_page_is_shown_makes_none(self, full, monkeypatch):
        made = []
        monkeypatch.setattr("gui.window.main_window.make_page", lambda key, _: made.append(key))
        shown = full.page
        full.session.page = "synthesise"  # and the window has not heard of it yet
        assert full.page is shown
        assert made == []

    @EVERY_PAGE
    def test_every_one_opens_by_its_key_is_read_aloud_and_has_room(self, qapp, qtbot, full, place):
        keys = [place.key for place in NAVIGATION_ITEMS if place.section]
        full.activateWindow()
        qtbot.waitUntil(full.isActiveWindow)
        if place.section:
            qtbot.keyClick(full, Qt.Key(Qt.Key.Key_1 + keys.index(place.key)), CONTROL)
        else:
            full.session.show_page(place.key)
        assert full.page.key == place.key
        assert full.page.isVisible()
        seen.settle(qtbot, full.session)
        assert seen.unread(full) == []
        qapp.processEvents()  # laid out
        before = full.page.mapTo(full, QPoint(0, 0)), full.page.size()
        full.session.show_message("Something happened. " * 20, "error")
        qapp.processEvents()
        assert (full.page.mapTo(full, QPoint(0, 0)), full.page.size()) == before, "nothing moves"
        assert seen.unread(full) == []
        for width in (1467, 1280, 1100):
            full.resize(width, 720)
            assert full.width() == full.centralWidget().width() == width
        assert full.messages.message
        full.session.show_page("help" if place.key == "people" else "people")
        assert full.messages.message == ""

    @EVERY_PAGE
    def test_every_stop_of_tab_is_seen(self, qtbot, qapp, trained_session, place):
        window = seen.show(qtbot, MainWindow(trained_session), (1280, 800))
        window.activateWindow()
        trained_session.show_page(place.key)
        seen.settle(qtbot, trained_session)

        def next_stop() -> QWidget:
            QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
            return QApplication.focusWidget()

        stops = list[QWidget]()
        while (part := next_stop()) not in stops:
            stops.append(part)
            if window.page.isAncestorOf(part):
                seen.settle(qtbot, trained_session)
                focused = window.page.grab().toImage()
                part.clearFocus()
                seen.settle(qtbot, trained_session)
                assert window.page.grab().toImage() != focused, f"{part} {part.accessibleName()}"
                part.setFocus(Qt.FocusReason.TabFocusReason)
        assert any(map(window.page.isAncestorOf, stops))

    def test_one_that_is_not_ready_exports_nothing(self, qtbot, full):
        full.session.show_page("reconstruct")
        seen.settle(qtbot, full.session)
        full.session.apply("one photo", lambda g: g.remove([p.id for p in g.index.photos[1:]]))
        full.session.apply("other photos", lambda g: g.with_crops(g.faces, g.preparation))
        assert full.session.gallery.training is None
        seen.settle(qtbot, full.session)
        qtbot.keyClick(full, Qt.Key.Key_E, CONTROL)
        assert full.messages.message == NOTHING_YET

    def test_no_message_lies_over_what_an_answer_has_changed(self, qtbot, full):
        session = full.session
        session.put_probes([seen.probe_of(session.gallery, row) for row in (0, 9)])
        session.show_page("recognise")
        seen.settle(qtbot, session)
        photo, message = full.page.photo, full.messages
        middle = message.parentWidget()
        place = photo.viewport().mapTo(full, QPoint(0, 0)) - middle.mapTo(full, QPoint(0, 0))
        line = photo.caption_rect().translated(place)
        for words in ("Something happened.", "Something happened. " * 9):
            session.show_message(words)
            assert not message.geometry().intersects(line)
            assert middle.rect().contains(message.geometry())
            session.show_page("people")
            session.show_message(words)
            assert message.geometry().bottom() > line.top(), "else it is at the lower edge"
            session.show_page("recognise")


class TestKeys:
    def test_search_is_the_help_s_where_it_is_read(self, qtbot, full):
        full.activateWindow()
        for page in ("people", "help"):
            full.session.show_page(page)
            qtbot.keyClick(full, Qt.Key.Key_F, CONTROL)
            assert QApplication.focusWidget() is (full.page.finder or full.top_bar.search)

    def test_escape_takes_a_message_away_and_ends_no_evaluation(self, qtbot, full):
        gate, session = Gate(), full.session
        session.run(JobKind.EVALUATE, "Evaluating", gate.work, lambda _: None)
        qtbot.waitUntil(gate.entered.is_set)
        session.show_message("Something happened.", "error")
        for _ in range(2):
            qtbot.keyClick(full.focusWidget() or full, Qt.Key.Key_Escape)
        assert full.messages.message == ""
        by_key = partial(qtbot.keyClick, full.messages, Qt.Key.Key_Escape)
        for dismiss in (by_key, lambda: seen.button(full, "Dismiss").click()):
            session.show_message("It happened again.", "error")
            dismiss()
            assert full.messages.message == ""
        assert not session.jobs.current.stop.is_set()
        gate.open.set()
        qtbot.waitUntil(lambda: not session.jobs.is_busy(JobKind.EVALUATE))

    def test_keys_of_a_page_count_as_soon_as_it_is_open(self, qtbot, full):
        session = full.session
        session.put_probes([seen.probe_of(session.gallery, row) for row in (0, 9)])
        full.activateWindow()
        qtbot.waitUntil(full.isActiveWindow)
        for key in (Qt.Key.Key_2, Qt.Key.Key_6, Qt.Key.Key_4, Qt.Key.Key_2):
            qtbot.keyClick(full, key, CONTROL)
            seen.settle(qtbot, session)
            assert QApplication.focusWidget() is full.page.content.home

    def test_what_was_undone_is_redone_by_its_key_and_the_menu_names_both(self, qtbot, full):
        session, commands = full.session, full.commands.by_name
        name = session.gallery.people[0]
        session.apply("naming Zoe", lambda now: now.rename(name, "Zoe"))
        shift = CONTROL | Qt.KeyboardModifier.ShiftModifier
        for modifier, undo, redo in (
            (CONTROL, "Undo", "Redo naming Zoe"),
            (shift, "Undo naming Zoe", "Redo"),
        ):
            qtbot.keyClick(full, Qt.Key.Key_Z, modifier)
            assert ("Zoe" in session.gallery.people) == (modifier == shift)
            assert (commands["undo"].text(), commands["redo"].text()) == (undo, redo)

    def test_ctrl_t_leaves_a_training_alone(self, qtbot, full):
        gate, session = Gate(), full.session
        session.show_page("eigenfaces")
        full.activateWindow()
        qtbot.waitUntil(full.isActiveWindow)
        session.run(JobKind.TRAIN, "Training", gate.work, lambda _: None)
        qtbot.waitUntil(gate.entered.is_set)
        job = session.jobs.current
        qtbot.keyClick(full, Qt.Key.Key_T, CONTROL)
        assert session.jobs.running == [job]
        assert not job.stop.is_set()
        assert not session.jobs.waiting
        gate.open.set()
        qtbot.waitUntil(lambda: not session.jobs.is_busy(JobKind.TRAIN))
        qtbot.keyClick(full, Qt.Key.Key_T, CONTROL)
        assert session.jobs.is_busy(JobKind.TRAIN)
        seen.settle(qtbot, session)


class TestSize:
    def test_a_figure_alone_gives_the_full_screen_back_as_it_was(self, qtbot, full):
        full.session.show_page("lessons")
        for state in (
            Qt.WindowState.WindowFullScreen,
            Qt.WindowState.WindowMaximized,
            Qt.WindowState.WindowNoState,
        ):
            full.setWindowState(state)
            for alone in (True, False):
                qtbot.keyClick(full, Qt.Key.Key_F11)
                assert full.isFullScreen() == (alone or state == Qt.WindowState.WindowFullScreen)
                assert full.navigation.isVisible() == (not alone)
            assert full.windowState() & ~Qt.WindowState.WindowActive == state

    def test_a_narrow_window_gives_up_words_and_its_inspector_is_a_sheet(self, qtbot, full):
        full.session.show_page("people")
        full.resize(1200, 800)
        inspector, button = full.page.inspector, full.page.details
        assert inspector.isVisible()
        assert full.navigation.width() == 188
        full.resize(800, 400)
        assert (full.width(), full.height()) == (900, 500)
        assert not inspector.isVisible()
        assert full.navigation.width() == 64
        assert button.isVisible()
        button.click()
        assert inspector.isVisible()
        assert full.inspector.is_sheet
        assert full.page.width() > 800, "it lies over the page, which keeps its width"
        qtbot.keyClick(full, Qt.Key.Key_Escape)
        assert not inspector.isVisible()
        for close in (full.inspector.close_sheet_button.click, button.click):
            button.click()
            assert inspector.isVisible()
            close()
            assert not inspector.isVisible()

    def test_ctrl_i_always_does_something_and_no_narrow_window_changes_a_wide_one(
        self, qtbot, full
    ):
        full.session.show_page("people")
        for wide, hidden in ((1467, False), (1467, True)):
            full.resize(900, 500)
            for shown in (True, False, True):  # and what is left open does not count
                qtbot.keyClick(full, Qt.Key.Key_I, CONTROL)
                assert full.page.inspector.isVisible() == shown
            full.session.show_page("map")
            assert not full.inspector.is_sheet, "a sheet is of the page that it was opened on"
            full.session.show_page("people")
            full.resize(wide, 943)
            assert full.page.inspector.isVisible() != hidden
            qtbot.keyClick(full, Qt.Key.Key_I, CONTROL)
            assert full.page.inspector.isVisible() == hidden
            assert full.session.settings.inspector_visible == hidden
            assert full.page.details.isChecked() == hidden
        full.session.show_page("lessons")
        qtbot.keyClick(full, Qt.Key.Key_I, CONTROL)
        assert full.messages.message == "This page has no details to show."

    @EVERY_PAGE
    def test_a_page_with_an_inspector_has_a_button_for_it(self, qtbot, full, place):
        full.session.show_page(place.key)
        seen.settle(qtbot, full.session)
        assert full.page.details.isVisible() == (full.page.inspector is not None)

    def test_it_opens_where_it_was_closed(self, qtbot, window, session):
        window.resize(900, 555)
        window.close()
        again = MainWindow(session)
        qtbot.addWidget(again)
        assert (again.width(), again.height()) == (900, 555)


class TestWhatComes:
    """What is dropped on the window, or pasted: a copy, or a sentence why not."""

    def test_a_project_is_opened_and_a_message_about_another_goes(
        self, qtbot, window, small_gallery, tmp_path
    ):
        drop(window, seen.files(tmp_path / "gone.eigenfaces"))
        qtbot.waitUntil(lambda: "There is no project file" in window.messages.message)
        Project.create(tmp_path / "other.eigenfaces", small_gallery).close()
        drop(window, seen.files(tmp_path / "other.eigenfaces"))
        qtbot.waitUntil(lambda: window.session.name == "other", timeout=5000)
        assert window.messages.message == ""

    def test_a_project_is_opened_where_photos_are_dropped_too(
        self, qtbot, full, small_gallery, tmp_path
    ):
        """It was “not a picture” there."""
        full.session.show_page("recognise")
        Project.create(tmp_path / "other.eigenfaces", small_gallery).close()
        area = next(area for area in full.page.findChildren(DropArea) if area.isVisible())
        drop(area, seen.files(tmp_path / "other.eigenfaces"))
        qtbot.waitUntil(lambda: full.session.name == "other", timeout=5000)
        assert not full.session.probes

    def test_what_is_pasted_on_people_is_offered_for_the_gallery(self, qtbot, full, photo):
        full.session.show_page("people")
        QGuiApplication.clipboard().setMimeData(seen.files(photo))
        qtbot.keyClick(full, Qt.Key.Key_V, CONTROL)
        sheet = full.findChildren(ImportSheet)[-1]
        qtbot.waitUntil(lambda: full.session.jobs.current is None)
        assert not full.session.probes
        sheet.reject()

    def test_a_photo_on_recognise_is_a_probe_and_a_copy(self, qtbot, full, photo):
        """Its program may delete the photographs that it believes to be moved."""
        full.session.show_page("recognise")
        area = DropArea("Drop photos here")
        qtbot.addWidget(area)
        for widget in (full, area):
            event = drop(widget, seen.files(photo))
            assert event.isAccepted()
            assert event.dropAction() == Qt.DropAction.CopyAction
        seen.settle(qtbot, full.session)
        assert paths(full) == [photo]

    def test_a_web_address_is_answered_by_a_sentence(self, full):
        drop(full, seen.files("https://example.org/cat.jpg"))
        assert "not a file on this computer" in full.session.message.text

    def test_files_and_pictures_are_pasted_as_probes(self, full, photo, qtbot):
        full.session.show_page("reconstruct")
        clipboard, picture = QGuiApplication.clipboard(), QImage(40, 48, QImage.Format.Format_RGB32)
        picture.fill(90)
        for put in (
            lambda: clipboard.setMimeData(seen.files(photo)),
            lambda: clipboard.setImage(picture),
            lambda: clipboard.setText("only words"),
        ):
            put()
            qtbot.keyClick(full, Qt.Key.Key_V, CONTROL)
            seen.settle(qtbot, full.session)
        assert paths(full)[0] == photo
        assert paths(full)[1].name.startswith("Pasted")
        assert "no picture on the clipboard" in full.session.message.text
        assert len(full.session.probes) == 2

    def test_a_skipped_probe_tried_again_is_a_probe(self, full, photo, qtbot):
        full.session.show_page("recognise")
        skipped = Skipped(photo, "Its folder was away.", kind="unreadable")
        full.session.show_message("It was skipped.", "warn", (skipped,))
        seen.button(full, "Show skipped files").click()
        sheet = full.findChild(SkippedList)
        sheet.table.selectAll()
        seen.button(sheet, "Try again").click()
        seen.settle(qtbot, full.session)
        assert paths(full) == [photo]
        assert full.findChild(ImportSheet) is None


def test_the_menu_says_that_the_history_begins_when_a_project_is_opened(full):
    """The words are in the entry itself: a menu shows no tool tips."""
    undo = full.commands.by_name["undo"]
    assert undo.text() == "Nothing to undo since this project was opened"
    assert not undo.isEnabled()


def test_the_menu_leads_to_the_check_of_the_collection(qtbot, full):
    full.session.show_page("lessons")
    full.commands.by_name["check"].trigger()
    sheet = full.findChild(CheckSheet)
    assert sheet.isVisible()
    seen.settle(qtbot, full.session)
    assert "to review" in sheet.words.text() or "Nothing" in sheet.words.text()


def test_a_draft_has_its_name_in_the_title_before_anything_is_in_it(window):
    assert window.windowTitle() == "Untitled project · Eigenfaces"
    assert not window.commands.by_name["save as"].isEnabled()
    assert not window.commands.by_name["check"].isEnabled()
    project = window.session.own_project()
    assert window.windowTitle() == f"{project.path.stem} · Eigenfaces"
    assert window.commands.by_name["save as"].isEnabled()


def test_skipped_files_stay_reachable_once_their_message_has_gone(qtbot, full, tmp_path):
    skipped = Skipped(tmp_path / "a.png", "The file is empty.")
    full.session.show_message("It was skipped.", "warn", (skipped,))
    full.session.show_page("help")
    assert full.messages.message == ""
    messages = seen.button(full, "Messages")
    messages.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(messages, Qt.Key.Key_Return)
    shown = full.findChild(MessageList)
    qtbot.waitUntil(shown.table.hasFocus)
    seen.button(shown, "Show skipped files").click()
    sheet = full.findChild(SkippedList)
    assert seen.rows(sheet.table)[0][:2] == ["a.png", "The file is empty."]


def test_a_read_only_project_is_saved_elsewhere_by_the_message(qtbot, full, tmp_path, monkeypatch):
    session, place = full.session, tmp_path / "elsewhere.eigenfaces"
    monkeypatch.setattr(session.project, "read_only", True)
    full.top_bar.refresh()
    assert seen.says(full.top_bar, "Read-only")
    session.show_message("It is read-only, so nothing was changed.", "error")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(place), ""))
    seen.button(full, "Save it elsewhere…").click()
    qtbot.waitUntil(lambda: session.jobs.current is None)
    assert session.project.path == place
    assert session.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))


def test_closing_cancels_what_runs_and_waits_for_it_out_of_sight(qtbot, full):
    """A decomposition does not stop midway: the window would stand there, and not respond."""
    begun, visible, path = Event(), [], full.session.project.path

    def work(tick):
        begun.set()
        for _ in range(5000):
            if not full.isVisible():
                break
            sleep(0.001)
        visible.append(full.isVisible())
        tick(0, 1)

    full.session.run(JobKind.TRAIN, "Decomposing", work, visible.append)
    qtbot.waitUntil(begun.is_set)
    full.close()
    assert visible == [False]
    Project.open(path).close()  # the file is free again


def test_where_projects_are_saved_and_looked_for(qtbot, full, small_gallery, tmp_path, monkeypatch):
    """One that nobody agreed to replace is asked about."""
    Project.create(tmp_path / "other.eigenfaces", small_gallery).close()
    (tmp_path / "old.eigenfaces").write_text("somebody's work")
    full.session.settings.projects_folder = tmp_path
    answers, proposed = ["old", "", "other.eigenfaces", "old", "old.eigenfaces"], []

    def ask(parent, title, start, kinds):
        proposed.append(Path(start))
        answer = answers.pop(0)
        return (str(tmp_path / answer) if answer else ""), kinds

    monkeypatch.setattr("gui.window.main_window.QFileDialog.getSaveFileName", ask)
    monkeypatch.setattr("gui.window.main_window.QFileDialog.getOpenFileName", ask)
    full.activateWindow()
    qtbot.waitUntil(full.isActiveWindow)
    qtbot.keyClick(full, Qt.Key.Key_S, CONTROL)
    assert not full.session.jobs.is_busy(JobKind.SAVE_AS)
    assert (tmp_path / "old.eigenfaces").read_text() == "somebody's work"
    qtbot.keyClick(full, Qt.Key.Key_O, CONTROL)
    names = ["small.eigenfaces", "old.eigenfaces"]
    assert proposed == [*(tmp_path / name for name in names), tmp_path]
    qtbot.waitUntil(lambda: full.session.name == "other", timeout=5000)
    qtbot.keyClick(full, Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: full.session.name == "old", timeout=5000)


def test_photos_and_recent_projects_are_chosen_from_the_menus(
    qtbot, full, photo, small_gallery, tmp_path, monkeypatch
):
    manifest = tmp_path / "list.csv"
    manifest.write_text(f"{photo};Ada\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    folder, files, *_ = full.commands.add_menu.actions()
    for action, path in ((folder, tmp_path), (files, photo), (files, manifest)):
        monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_, p=path: ([str(p)], ""))
        full.session.settings.last_folder = Path.home()
        action.trigger()
        sheet = full.findChildren(ImportSheet)[-1]
        qtbot.waitUntil(lambda: full.session.jobs.current is None)
        assert full.session.settings.last_folder == tmp_path
        sheet.reject()
    Project.create(tmp_path / "other.eigenfaces", small_gallery).close()
    full.session.settings.add_recent(tmp_path / "other.eigenfaces")
    (recent,) = full.commands.project_menu.findChildren(QMenu)
    recent.aboutToShow.emit()
    recent.actions()[0].trigger()
    qtbot.waitUntil(lambda: full.session.name == "other", timeout=5000)


def test_a_recent_project_that_is_not_reachable_is_forgotten_by_a_person_only(
    qtbot, full, tmp_path
):
    settings = full.session.settings
    settings.add_recent(tmp_path / "stick" / "away.eigenfaces")
    (recent,) = full.commands.project_menu.findChildren(QMenu)
    with qtbot.waitSignal(settings.reach.changed):
        recent.aboutToShow.emit()
    away, _, forget = recent.actions()  # the one that is open is none of them
    assert away.text() == "away (not reachable)"
    forget.trigger()
    assert [path.stem for path in settings.recent_projects] == ["small"]


HEAVY = (
    *("sklearn", "scipy", "skimage", "PySide6.QtMultimedia", "typer", "matplotlib"),
    *("eigenfaces.laboratory", "eigenfaces.lessons", "gui.pages.lessons", "gui.pages.map"),
    "gui.pages.synthesise",
)

SHOW_THE_WINDOW = """
import sys, time
from gui.app import show_window
from gui.window.main_window import MainWindow
from PySide6.QtWidgets import QApplication

paint = MainWindow.paintEvent

def painted(window, event):
    paint(window, event)
    print(time.time(), *[name for name in sys.argv[1:] if name in sys.modules], flush=True)
    QApplication.quit()

MainWindow.paintEvent = painted
show_window()
"""


def test_the_first_window_needs_nothing_heavy():
    command = [sys.executable, "-c", SHOW_THE_WINDOW, *HEAVY]
    painted, *heavy = subprocess.check_output(command, text=True, timeout=60).split()
    assert float(painted) > 0
    assert heavy == []


FROM_RIGHT_TO_LEFT = """
from gui.app import show_window
from gui.window import main_window
from PySide6.QtCore import QCoreApplication, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

class RightToLeft(QTranslator):
    def isEmpty(self):
        return False

    def translate(self, context, text, *about):
        return "RTL" if text == "QT_LAYOUT_DIRECTION" else ""

class Window(main_window.MainWindow):
    def __init__(self, session):
        self.language = RightToLeft()
        QCoreApplication.installTranslator(self.language)
        super().__init__(session)
        QTimer.singleShot(0, self.tell)

    def tell(self):
        print(self.layoutDirection().name)
        QApplication.quit()

main_window.MainWindow = Window
show_window()
"""


def test_it_is_laid_out_from_left_to_right_whatever_the_language_of_the_system():
    command = [sys.executable, "-c", FROM_RIGHT_TO_LEFT]
    assert subprocess.check_output(command, text=True, timeout=60).split() == ["LeftToRight"]


def test_closing_during_an_import_is_asked_about_once(qtbot, trained_session, monkeypatch):
    reading, buttons, asked = Gate(), QMessageBox.StandardButton, []
    answers = [buttons.Close, buttons.Cancel]

    def ask(parent, title, words, *_):
        asked.append(words)
        return answers.pop()

    monkeypatch.setattr(QMessageBox, "question", ask)
    window = seen.show(qtbot, MainWindow(trained_session), (900, 500))
    trained_session.run(JobKind.IMPORT, "Reading 9 photos", reading.work, never)
    qtbot.waitUntil(reading.entered.is_set, timeout=60_000)
    assert not window.close()
    assert window.isVisible()
    assert not reading.cancelled, "it goes on"
    assert window.close()
    assert reading.cancelled
    assert len(asked) == 2
    assert "Photos are still being read." in asked[0]
