"""Names of people and files are shown unchanged, even if Qt could read them as markup."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QTextEdit,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.photographs.find import Skipped
from gui.pages.lessons.panels import TableView
from gui.pages.lessons.words import WordsColumn
from gui.photos.camera import CameraDialog
from gui.photos.sheet import ImportSheet
from gui.state.session import Session
from gui.widgets.messages import CrashDialog
from gui.widgets.skipped_list import SkippedList
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests.gui import seen
from tests.synthetic import on_file

PEOPLE = ("<img src=/some/pipe>", "<b>x</b>", "AT&T & Co", "&amp;", "<h1>y", "<a href='x'>z</a>")
FILE = "<b>x & <i>y&amp;[*].png"


@pytest.fixture
def hostile(open_gallery, small_gallery: Gallery, tmp_path: Path) -> Session:
    """A session in which everything that has a name is called like a piece of a web page."""
    faces = small_gallery.faces
    renamed = {
        photo.id: on_file(photo, tmp_path / "<h1>a &b" / f"{row}{FILE}")
        for row, photo in enumerate(faces.index.photos)
    }
    gallery = replace(small_gallery, faces=faces.with_photos(renamed))
    for old, new in zip(faces.index.people, PEOPLE, strict=True):
        gallery = gallery.rename(old, new)
    session = open_gallery(gallery, "<b>x & AT&T[*]")
    session.put_probes([seen.probe_of(gallery, 5, FILE)])
    session.select_person(PEOPLE[2])
    session.apply(f"renaming {PEOPLE[0]}", lambda now: now.rename(PEOPLE[0], f"{PEOPLE[0]}!"))
    return session


@pytest.fixture
def window(qtbot: QtBot, hostile: Session) -> Iterator[MainWindow]:
    yield seen.show(qtbot, MainWindow(hostile), (1000, 700))  # names are cut: tooltips say them
    QToolTip.hideText()


def tips(view: QWidget) -> Iterator[str]:
    """Yield what is said of a widget, or of the items in it, when the mouse rests there."""
    if view.toolTip():
        yield view.toolTip()
    model = view.model() if isinstance(view, QAbstractItemView) else None
    for row in range(model.rowCount() if model else 0):
        for column in range(9):
            if tip := model.index(row, column).data(Qt.ItemDataRole.ToolTipRole):
                yield str(tip)


def marked_up(root: QWidget) -> list[str]:
    """List every text under a widget that Qt would take for mark-up, or lose or double a letter of.

    Sentences of lessons have mark-up, and are tested there.
    """
    wrong = list[str]()
    rich = {*root.findChildren(TableView)}
    for column in root.findChildren(WordsColumn):
        rich |= {*column.findChildren(QLabel)}
    for part in [root, *root.findChildren(QWidget)]:
        part.ensurePolished()
        if isinstance(part, QLabel) and part.text() and part not in rich:
            if part.textFormat() != Qt.TextFormat.PlainText:
                wrong.append(f"label {part.text()}")
            if part.buddy() is not None and not QKeySequence.mnemonic(part.text()).isEmpty():
                wrong.append(f"label with a key {part.text()}")
        if isinstance(part, QAbstractButton):
            whole = QAbstractButton.text(part)
            if not QKeySequence.mnemonic(whole).isEmpty() or "&&" in whole.replace("&&", "&"):
                wrong.append(f"button {whole}")
        if isinstance(part, QTextEdit) and "<b>" in part.toHtml():
            wrong.append(f"text {part.objectName()}")
        if part.windowTitle().replace("[*][*]", "").count("[*]"):
            wrong.append(f"title {part.windowTitle()}")
        for tip in tips(part):
            QToolTip.hideText()
            QToolTip.showText(QPoint(5, 5), tip, part)
            for label in QApplication.topLevelWidgets():
                is_tip = isinstance(label, QLabel) and label.isVisible()
                if is_tip and label.textFormat() != Qt.TextFormat.PlainText:
                    wrong.append(f"tooltip {tip}")
    for text in (action.text() for action in root.findChildren(QAction)):
        if not QKeySequence.mnemonic(text).isEmpty() or "&&" in text.replace("&&", "&"):
            wrong.append(f"menu {text}")
    return wrong


@pytest.mark.parametrize("place", NAVIGATION_ITEMS, ids=lambda place: place.key)
def test_no_name_is_taken_for_mark_up_on_any_page(window, hostile, do, place):
    hostile.show_page(place.key)
    do(hostile.show_message, f"Nothing here is called “{PEOPLE[0]}”.", "warn")
    assert marked_up(window) == []
    assert window.windowTitle().replace("[*][*]", "[*]") == "<b>x & AT&T[*] · Eigenfaces"


def test_no_name_is_taken_for_mark_up_in_dialogs(qtbot, window, hostile, tmp_path):
    skipped = Skipped(Path("/a <b>") / FILE, "<img src=/some/pipe> & so on")
    assert marked_up(seen.show(qtbot, SkippedList((skipped,), window))) == []
    for number, person in enumerate(("<b>x", "AT&T & Co")):
        (tmp_path / "in" / person).mkdir(parents=True)
        Image.new("L", (40, 50), 90 + number).save(tmp_path / "in" / person / FILE)
        (tmp_path / "in" / person / "broken.png").write_bytes(b"")
    sheet = seen.show(qtbot, ImportSheet(hostile, tmp_path / "in", window))
    qtbot.waitUntil(sheet.start.isEnabled, timeout=5000)
    camera, crash = CameraDialog(hostile, window), CrashDialog(tmp_path / "<b>x" / "crash.log")
    qtbot.addWidget(crash)
    crash.add("KeyError: '<b>x</b>'")
    assert crash.detailedText() == "KeyError: '<b>x</b>'"
    for dialog in (sheet, camera, crash):
        assert marked_up(dialog) == []
        dialog.close()
    hostile.new()
    assert window.page.key == "welcome"
    seen.settle(qtbot, hostile)
    assert seen.button(window.page, "<b>x & AT&T[*]").isVisible()  # a recent project
    window.commands.project_menu.aboutToShow.emit()  # recent projects
    assert marked_up(window) == []
