"""Colours that can be read, and a theme that can be changed while the program runs."""

import re

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.style import theme
from gui.style.theme import DARK, LIGHT, Tokens
from tests.gui import seen

THEMES = pytest.mark.parametrize("t", [LIGHT, DARK], ids=lambda t: t.name)


pytestmark = pytest.mark.usefixtures("light_again")


def test_contrast_agrees_with_the_known_extremes() -> None:
    assert theme.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert theme.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@THEMES
def test_words_and_edges_can_be_read(t: Tokens) -> None:
    pairs = [
        (getattr(t, words), getattr(t, ground))
        for ground in ("window", "surface")
        for words in ("text", "secondary", "tertiary", "accent", "ok", "warn", "bad", "doubt")
    ]
    tones: list[theme.Tone] = ["neutral", "accent", "ok", "warn", "bad", "doubt"]
    for colour, soft in map(t.tone, tones):
        pairs += [(words, soft) for words in (colour, t.text, t.secondary)]
    for share in (0, 0.14, 0.28):  # a button as it is, hovered, pressed
        pairs.append((t.on_accent, theme.mix(t.accent, t.text, share)))
    pairs += [(words, t.hover) for words in (t.text, t.secondary, t.accent)]
    # A link stands on banners of every tone.
    grounds = (t.ok_soft, t.warn_soft, t.bad_soft, t.doubt_soft, t.soft)
    pairs += [(t.accent, ground) for ground in grounds]
    assert [pair for pair in pairs if theme.contrast(*pair) < 4.5] == []
    assert theme.contrast(t.tertiary, t.surface) >= 3, "edges of check boxes"


def test_mixing_ends_at_both_colours() -> None:
    assert theme.mix("#102030", "#F0E0D0", 0) == "#102030"
    assert theme.mix("#102030", "#F0E0D0", 1) == "#F0E0D0"
    assert theme.mix("#000000", "#FFFFFF", 0.5) == "#808080"


@THEMES
def test_palette_sets_every_role_in_every_group(t: Tokens) -> None:
    made = theme.palette(t)
    groups = (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive)
    for group in (*groups, QPalette.ColorGroup.Disabled):
        for role in QPalette.ColorRole:
            if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles):
                assert made.isBrushSet(group, role), f"{role} of {group}"


def test_dark_and_light_are_switched_while_it_runs(qapp: QApplication, qtbot: QtBot) -> None:
    button = seen.show(qtbot, QPushButton("Train"))
    light = button.grab().toImage().pixelColor(5, 5).lightness()
    theme.apply(qapp, "dark")
    assert theme.tokens() is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == DARK.window
    assert button.grab().toImage().pixelColor(5, 5).lightness() < light - 100


class Watcher(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.events: list[QEvent.Type] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        self.events.append(event.type())
        return False


def test_a_widget_deep_inside_is_styled_no_more_often(qapp: QApplication, qtbot: QtBot) -> None:
    """With all pages that was a second, in which the window did not answer."""
    theme.apply(qapp, "light")
    outermost = inside = QWidget()
    qtbot.addWidget(outermost)
    for _ in range(12):
        inside = QWidget(inside)
    outermost.show()
    watcher = Watcher()
    inside.installEventFilter(watcher)
    theme.apply(qapp, "dark")
    assert 1 <= watcher.events.count(QEvent.Type.StyleChange) <= 3
    assert QEvent.Type.PaletteChange in watcher.events


def test_text_sizes(qapp: QApplication, qtbot: QtBot) -> None:
    plain, title = QLabel("Reconstruct"), QLabel("Reconstruct")
    title.setProperty("role", "title")
    for label in (plain, title):
        qtbot.addWidget(label)
        label.ensurePolished()
    assert plain.fontInfo().pixelSize() == 13
    assert title.fontInfo().pixelSize() == 19
    assert theme.font(theme.FIGURE).pixelSize() == 26


@pytest.mark.parametrize(("size", "scale"), [(9, 1), (13, 1), (16, 16 / 13), (40, theme.LARGEST)])
def test_text_is_as_large_as_that_of_the_system(size: int, scale: float) -> None:
    system = QFont()
    system.setPixelSize(size)
    assert theme.text_scale(system) == scale
    sheet = theme.style_sheet(LIGHT, scale)
    assert f'QLabel[role="title"] {{ font-size: {round(19 * scale)}px' in sheet


def test_every_name_in_the_style_sheet_is_known() -> None:
    sheet = theme.style_sheet(LIGHT, 1.0)
    assert "$" not in sheet
    files = re.findall(r'url\("([^"]+)"\)', sheet + theme.style_sheet(DARK, 1.0))
    assert files
    assert all((theme.ASSETS / "icons" / file.rsplit("/", 1)[1]).is_file() for file in files)
