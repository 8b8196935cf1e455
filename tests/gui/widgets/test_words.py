"""Texts in several lines."""

import pytest
from PySide6.QtWidgets import QLabel

from gui.widgets.words import label


@pytest.mark.parametrize("word", ["W" * 90, "a_folder_of_" * 8, "Grüße" * 20])
def test_a_word_longer_than_a_line_breaks_instead_of_widening_the_page(qtbot, word: str) -> None:
    text = f"This is {word} and nobody else."
    made = label(wrap=True)
    qtbot.addWidget(made)
    made.setText("This is somebody else.")
    usual = made.minimumSizeHint().width()
    made.setText(text)
    assert made.text() == text
    assert made.minimumSizeHint().width() <= usual
    assert made.heightForWidth(300) > 2 * made.fontMetrics().height()


def test_no_line_begins_with_a_percent_sign(qtbot):
    made = label("The first 16 components keep 84.9 % of the variance.", "", wrap=True)
    qtbot.addWidget(made)
    assert "84.9\N{NO-BREAK SPACE}%" in QLabel.text(made)  # what is on the screen
    assert "84.9 %" in made.text()
