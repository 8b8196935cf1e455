"""Colours that can be read, and a theme that can be changed while the program runs."""

import re
from dataclasses import asdict

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
@pytest.mark.parametrize("ground", ["window", "surface"])
@pytest.mark.parametrize(
    "words", ["text", "secondary", "tertiary", "accent", "ok", "warn", "bad", "doubt"]
)
def test_words_can_be_read(t: Tokens, words: str, ground: str) -> None:
    assert theme.contrast(getattr(t, words), getattr(t, ground)) >= 4.5


@THEMES
@pytest.mark.parametrize("tone", ["neutral", "accent", "ok", "warn", "bad", "doubt"])
def test_tones_can_be_read_on_their_backgrounds(t: Tokens, tone: theme.Tone) -> None:
    colour, soft = t.tone(tone)
    for words in (colour, t.text, t.secondary):
        assert theme.contrast(words, soft) >= 4.5


@THEMES
def test_words_on_buttons_can_be_read(t: Tokens) -> None:
    assert theme.contrast(t.on_accent, t.accent) >= 4.5
    for share in (0.14, 0.28):  # hovered, pressed
        assert theme.contrast(t.on_accent, theme.mix(t.accent, t.text, share)) >= 4.5
    for words in (t.text, t.secondary, t.accent):
        assert theme.contrast(words, t.hover) >= 4.5
    # A link stands on banners of every tone.
    for tone in (t.ok_soft, t.warn_soft, t.bad_soft, t.doubt_soft, t.soft):
        assert theme.contrast(t.accent, tone) >= 4.5


@THEMES
def test_edges_of_check_boxes_can_be_seen(t: Tokens) -> None:
    assert theme.contrast(t.tertiary, t.surface) >= 3


@THEMES
def test_every_colour_is_a_plain_hex_colour(t: Tokens) -> None:
    colours = [value for value in asdict(t).values() if isinstance(value, str)][1:]
    assert all(re.fullmatch("#[0-9A-F]{6}", colour) for colour in (*colours, *t.people))


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


class _Watcher(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[QEvent.Type] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        self.seen.append(event.type())
        return False


def test_widgets_are_told_by_a_change_of_palette(qapp: QApplication, qtbot: QtBot) -> None:
    label, watcher = QLabel("x"), _Watcher()
    qtbot.addWidget(label)
    label.show()
    label.installEventFilter(watcher)
    theme.apply(qapp, "dark")
    qapp.processEvents()
    assert QEvent.Type.PaletteChange in watcher.seen


def test_a_widget_deep_inside_is_styled_no_more_often(qapp: QApplication, qtbot: QtBot) -> None:
    """With all pages that was a second, in which the window did not answer."""
    theme.apply(qapp, "light")
    outermost = inside = QWidget()
    qtbot.addWidget(outermost)
    for _ in range(12):
        inside = QWidget(inside)
    outermost.show()
    watcher = _Watcher()
    inside.installEventFilter(watcher)
    theme.apply(qapp, "dark")
    assert 1 <= watcher.seen.count(QEvent.Type.StyleChange) <= 3


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
