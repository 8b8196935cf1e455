"""The message bar for what can happen, the crash dialog for what must not."""

import logging
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from eigenfaces.errors import EigenfacesError, log_to_file
from gui.widgets import messages
from gui.widgets.messages import (
    CrashDialog,
    CrashHandler,
    MessageBar,
    MessageList,
    install_crash_handler,
)
from tests.gui import seen


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[MessageBar]:
    page = seen.show(qtbot, QWidget(), (700, 300))
    yield MessageBar(page)
    page.hide()


@pytest.mark.parametrize("width", [300, 700, 1400])
def test_all_of_its_words_lie_on_the_lower_edge(bar: MessageBar, width: int) -> None:
    page = bar.parentWidget()
    assert page is not None
    bar.show_message("One photo cannot be read. " * 6, "error")
    page.resize(width, 300)
    text = next(part for part in bar.findChildren(QLabel) if part.text() == bar.message)
    assert text.height() >= text.heightForWidth(text.width())
    assert page.rect().contains(bar.geometry())
    assert bar.geometry().bottom() > page.height() - 20


@pytest.mark.parametrize(
    ("tone", "words", "stays"),
    [
        ("error", "The disk is full.", 0),
        ("info", "40 photos read.", 6),
        ("ok", "Left out. " * 30, 18),
    ],
)
def test_errors_stay_and_others_go_once_they_can_be_read(bar, qtbot, tone, words, stays):
    bar.show_message("Training is done.", "info")
    bar.show_message(words, tone)
    assert bar.message == words
    (timer,) = bar.findChildren(QTimer)
    assert timer.isActive() == (stays > 0)
    if stays:
        assert timer.interval() == 1000 * stays
        timer.setInterval(1)
        qtbot.waitUntil(lambda: not bar.isVisible())
        assert bar.message == ""


@pytest.fixture
def listed(bar: MessageBar) -> Callable[[], MessageList]:
    """Open the list of messages."""

    def show() -> MessageList:
        bar.show_list()
        return bar.window().findChildren(MessageList)[-1]

    return show


def test_the_last_fifty_can_be_read_again_with_what_could_be_done(bar, listed):
    done: list[str] = []
    for number in range(60):
        action = ("Show it", lambda: done.append("shown")) if number == 58 else None
        bar.show_message(f"Message {number}. " * 9, "ok", action)
    bar.dismiss()
    shown = listed()
    rows = seen.rows(shown.table)
    assert [words.split(".")[0] for _, words in rows] == [
        f"Message {at}" for at in range(59, 9, -1)
    ]
    assert all(re.fullmatch(r"\d\d:\d\d", time) for time, _ in rows)
    assert seen.says(shown, "Message 59. " * 9), "of the selected one all words are seen"
    assert "Show it" not in seen.button_names(shown)
    QTest.keyClick(shown.table, Qt.Key.Key_Down)
    assert seen.unread(shown) == []
    seen.button(shown, "Show it").click()
    assert done == ["shown"]
    assert not shown.isVisible()


def test_of_another_project_only_the_words_stay(bar, listed):
    bar.show_message("Three were skipped.", "warn", ("Show it", print))
    bar.forget_actions()
    assert not bar.isVisible()
    shown = listed()
    assert seen.says(shown, "Three were skipped.")
    assert seen.button_names(shown) == ["Close"]
    shown.reject()


def test_before_the_first_there_is_none(listed):
    shown = listed()
    assert seen.says(shown, "There are no messages yet.")
    shown.reject()


@pytest.mark.parametrize(
    ("tone", "politeness"), [("ok", "Polite"), ("warn", "Assertive"), ("error", "Assertive")]
)
def test_each_is_announced_and_read_as_it_is(bar, monkeypatch, tone, politeness):
    said: list[QAccessibleAnnouncementEvent] = []
    monkeypatch.setattr(messages.QAccessible, "updateAccessibility", said.append)
    for words in ("Training is done.", "a" * 40 + " cannot be read."):
        bar.show_message(words, tone)
        assert said[-1].message() == words
        assert said[-1].politeness().name == politeness
        assert seen.unread(bar) == []
        assert words in map(seen.spoken, bar.findChildren(QLabel))
    assert len(said) == 2


@pytest.fixture
def state_folder(tmp_path, monkeypatch) -> Iterator[Path]:
    """Where the log is written; what writes to it there is gone after the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    log = logging.getLogger("eigenfaces")
    before = log.handlers[:]
    yield tmp_path
    for handler in set(log.handlers) - set(before):
        log.removeHandler(handler)
        handler.close()


@pytest.fixture
def handler(state_folder, qapp, monkeypatch) -> Iterator[CrashHandler]:
    for module in (sys, threading):
        monkeypatch.setattr(module, "excepthook", module.excepthook)
    made = install_crash_handler(log_to_file())
    yield made
    if made.dialog is not None:
        made.dialog.close()


@pytest.fixture
def crash(handler, qtbot) -> Callable[[str], CrashDialog]:
    """Let something unexpected happen; return the dialog that tells it."""

    def fail(words: str) -> CrashDialog:
        sys.excepthook(ValueError, ValueError(words), None)
        qtbot.waitUntil(lambda: handler.dialog is not None)
        return handler.dialog

    return fail


def test_a_crash_is_logged_and_shown(handler, crash, state_folder):
    dialog = crash("a bad face")
    (path,) = state_folder.rglob("eigenfaces.log")
    assert path.stat().st_mode & 0o077 == 0  # it may name people
    assert "ValueError: a bad face" in path.read_text(encoding="utf-8")
    assert "PySide6" in path.read_text(encoding="utf-8")
    assert "ValueError: a bad face" in dialog.detailedText()
    assert {"Open log folder", "Continue"} < set(seen.button_names(dialog))
    seen.button(dialog, "Copy details").click()
    assert dialog.isVisible()
    assert "ValueError: a bad face" in QGuiApplication.clipboard().text()
    seen.button(dialog, "Continue").click()
    assert not dialog.isVisible()
    assert handler.dialog is None


def test_what_is_expected_is_said_once_and_is_no_crash(handler, qtbot, state_folder):
    """A face that cannot be read is painted again and again."""
    sentences: list[str] = []
    handler.show_message = sentences.append

    def fail(sentence: str) -> None:
        sys.excepthook(EigenfacesError, EigenfacesError(sentence), None)

    for sentence in ("One face is damaged.", "One face is damaged.", "Another is."):
        fail(sentence)
    qtbot.waitUntil(lambda: len(sentences) == 2)
    assert sentences == ["One face is damaged.", "Another is."]
    handler.forget()  # somebody has gone to another page
    fail("Another is.")
    qtbot.waitUntil(lambda: len(sentences) == 3)
    assert handler.dialog is None
    assert all(path.stat().st_size == 0 for path in state_folder.rglob("eigenfaces.log"))


def test_crashes_in_threads_and_repeated_ones_share_one_dialog(handler, crash, qtbot):
    dialog = crash("first")
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: "ZeroDivisionError" in dialog.detailedText())
    assert handler.dialog is dialog
    assert "first" in dialog.detailedText()
    assert "2 times" in dialog.text()


def test_a_log_that_cannot_be_written_keeps_nobody_from_working(state_folder, monkeypatch):
    (state_folder / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(state_folder / "file"))
    assert not log_to_file().exists()


def test_the_log_does_not_grow_for_ever(state_folder):
    path = log_to_file()
    path.write_text("x" * 1_000_001)
    log_to_file()
    logging.getLogger("eigenfaces").warning("anew")
    assert path.read_text().endswith("WARNING anew\n")
    assert path.stat().st_size < 100


def test_interrupting_from_the_keyboard_is_no_crash(handler, capsys):
    handler.handle(KeyboardInterrupt, KeyboardInterrupt())
    assert handler.dialog is None
    assert "KeyboardInterrupt" in capsys.readouterr().err
