"""The parts of a page: they keep their shape, say what they should, and nothing is clipped."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.style import theme
from gui.widgets.bars import Gauge
from gui.widgets.box_layouts import in_column, in_row
from gui.widgets.cards import Card, PageScroll
from gui.widgets.labels import Chip, ElidedLabel, Facts, label
from tests.gui import seen

LONG = "/home/somebody/pictures/faces/s4/a very long name of a file indeed 4.pgm"


def test_chip_changes_its_colours_with_its_tone(qtbot: QtBot) -> None:
    page, chip = QWidget(), Chip("x", "ok")
    in_row(chip, inside=page)
    seen.show(qtbot, page, (300, 60))
    for tone, ground in (("bad", theme.LIGHT.bad_soft), ("warn", theme.LIGHT.warn_soft)):
        chip.set_tone(tone)
        assert chip.grab().toImage().pixelColor(chip.width() // 2, 1) == QColor(ground)


def test_a_heading_keeps_its_note_at_the_right_which_gives_way_first(qtbot: QtBot) -> None:
    card = Card("Mistakes with Wolfgang Amadeus Maximilian von Habsburg", "click for the photos")
    chip, button = Chip("10 photos"), QPushButton("Rename")
    card.add_to_heading(chip, beside_title=True)
    card.add_to_heading(button)
    seen.show(qtbot, card, (1200, 200))
    title, note = card.findChildren(ElidedLabel)
    words_at = note.geometry().right() - note.fontMetrics().horizontalAdvance(note.text())
    assert title.x() < chip.x() < card.width() / 2 < words_at < note.geometry().right() < button.x()
    beside = chip.width() + button.width() + 30
    card.resize(title.sizeHint().width() + beside + 90, 200)
    assert title.text() == title.full_text
    assert note.text() != note.full_text
    card.set_note("")
    assert note.isHidden()


def test_elided_words_are_whole_in_the_tooltip_and_in_the_copy(qtbot: QtBot) -> None:
    words = ElidedLabel(LONG, name="File")
    seen.show(qtbot, words, (160, 30))
    assert "…" in words.text()
    assert words.text().startswith("/h")
    assert words.text().endswith("m")
    assert words.toolTip() == words.full_text == LONG
    words.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == LONG
    words.resize(2000, 30)
    assert words.text() == LONG
    assert words.toolTip() == ""


def test_words_that_are_cut_or_broken_are_read_whole_and_facts_with_their_names(
    qtbot: QtBot,
) -> None:
    page, facts, wrapped = QWidget(), Facts(), label("x" * 60 + " and more", wrap=True)
    in_column(facts, wrapped, inside=page)
    facts.set_rows([("File", "4.pgm"), ("Folder", Path(LONG))])
    seen.show(qtbot, page, (160, 120))
    assert seen.unread(page) == []
    values = [seen.spoken(part) for part in facts.findChildren(ElidedLabel)]
    assert values[0] == "File: 4.pgm"
    assert values[1].startswith(f"Folder: {LONG}")
    assert seen.spoken(wrapped) == "x" * 60 + " and more"
    facts.set_rows([("File", "5.pgm"), ("Folder", Path(LONG))])
    assert seen.spoken(facts.findChildren(ElidedLabel)[0]) == "File: 5.pgm"


def test_a_gauge_is_as_long_as_its_value_and_marks_its_threshold(qtbot: QtBot) -> None:
    gauge = Gauge("Distance in face space")
    seen.show(qtbot, gauge, (700, 30))
    for value, threshold, maximum, share, mark in (
        (25.0, None, 100.0, 0.25, -1.0),
        (400.0, 60.0, 100.0, 1.0, 0.6),
        (1.0, 0.0, 0.0, 1.0, 0.0),
    ):
        gauge.set_value(value, threshold=threshold, maximum=maximum, text="1,340")
        assert (gauge.bar.share, gauge.bar.mark) == (share, mark)
        row = gauge.bar.grab().toImage()
        wide = [row.pixelColor(x, row.height() // 2) for x in range(row.width())]
        filled = wide.count(QColor(theme.LIGHT.ok)) / row.width()
        assert filled == pytest.approx(share, abs=0.04)
    assert gauge.accessibleName() == "Distance in face space"
    assert gauge.accessibleDescription() == "1,340"


def test_wrapped_words_on_a_scrolled_page_are_not_clipped(qtbot: QtBot) -> None:
    page, cards = QWidget(), [Card("Heading") for _ in range(6)]
    for card in cards:
        card.body.addWidget(label("A face, close to the gallery, and closer. " * 9, wrap=True))
    in_column(*cards, inside=page)
    area = PageScroll(page)
    seen.show(qtbot, area, (360, 240))
    for words in page.findChildren(QLabel):
        if words.wordWrap():
            assert words.height() >= words.heightForWidth(words.width())
    assert area.verticalScrollBar().maximum() > 0


def test_a_page_grows_after_its_wrapped_words_are_gone(qtbot: QtBot) -> None:
    """The height that the words needed is not kept: parts that need more would overlap."""
    words, tall = label("A face, close to the gallery, and closer. " * 9, wrap=True), QWidget()
    page = QWidget()
    in_column(words, tall, inside=page)
    area = PageScroll(page)
    seen.show(qtbot, area, (360, 240))
    words.hide()
    tall.setMinimumHeight(600)
    qtbot.waitUntil(lambda: page.height() >= 600, timeout=1000)


@pytest.mark.parametrize("word", ["W" * 90, "a_folder_of_" * 8, "Grüße" * 20])
def test_a_word_longer_than_a_line_breaks_instead_of_widening_the_page(qtbot, word):
    words = label("This is somebody else.", wrap=True)
    qtbot.addWidget(words)
    usual = words.minimumSizeHint().width()
    words.setText(f"This is {word} and nobody else.")
    assert words.text() == f"This is {word} and nobody else."
    assert words.minimumSizeHint().width() <= usual
    assert words.heightForWidth(300) > 2 * words.fontMetrics().height()


def test_no_line_begins_with_a_percent_sign(qtbot):
    words = label("The first 16 components keep 84.9 % of the variance.", "", wrap=True)
    qtbot.addWidget(words)
    assert "84.9\N{NO-BREAK SPACE}%" in QLabel.text(words)  # what is on the screen
    assert "84.9 %" in words.text()


def test_a_page_takes_the_focus_only_where_it_scrolls_and_its_bar_shows_it(qtbot):
    page = QWidget()
    page.setMinimumHeight(1000)
    area = PageScroll(page)
    with qtbot.waitActive(area):
        seen.show(qtbot, area, (300, 400))

    def shown() -> str:
        bar = area.verticalScrollBar().grab().toImage()
        return bar.pixelColor(bar.width() // 2, 10).name()

    area.clearFocus()
    before = shown()
    area.setFocus(Qt.FocusReason.TabFocusReason)
    assert shown() == theme.tokens().accent.lower() != before
    area.clearFocus()
    assert shown() == before
    area.resize(300, 1200)
    qtbot.waitUntil(lambda: area.focusPolicy() == Qt.FocusPolicy.NoFocus)
