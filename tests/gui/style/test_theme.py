"""Colours that can be read, and a theme that can be changed while the program runs."""

import re

import pytest
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QPushButton

from eigenfaces.files import asset
from gui.style import theme
from gui.style.theme import DARK, LIGHT
from tests.gui import seen

THEMES = pytest.mark.parametrize("t", [LIGHT, DARK], ids=lambda t: t.name)


pytestmark = pytest.mark.usefixtures("light_again")


@THEMES
def test_words_and_edges_can_be_read(t):
    pairs = [
        (getattr(t, words), getattr(t, ground))
        for ground in ("window", "surface")
        for words in ("text", "secondary", "tertiary", "accent", "ok", "warn", "bad")
    ]
    tones: list[theme.Tone] = ["neutral", "accent", "ok", "warn", "bad"]
    for colour, soft in map(t.tone, tones):
        pairs += [(words, soft) for words in (colour, t.text, t.secondary)]
    for share in (0, 0.14, 0.28):  # a button as it is, hovered, pressed
        pairs.append((t.on_accent, theme.mix(t.accent, t.text, share)))
    pairs += [(words, t.hover) for words in (t.text, t.secondary, t.accent)]
    # A link stands on banners of every tone.
    grounds = (t.ok_soft, t.warn_soft, t.bad_soft, t.soft)
    pairs += [(t.accent, ground) for ground in grounds]
    assert theme.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01), "as is known"
    assert [pair for pair in pairs if theme.contrast(*pair) < 4.5] == []
    assert theme.contrast(t.tertiary, t.surface) >= 3, "edges of check boxes"


@THEMES
def test_palette_sets_every_role_in_every_group(t):
    made = theme.palette(t)
    groups = (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive)
    for group in (*groups, QPalette.ColorGroup.Disabled):
        for role in QPalette.ColorRole:
            if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles):
                assert made.isBrushSet(group, role), f"{role} of {group}"


def test_dark_and_light_are_switched_while_it_runs(qapp, qtbot):
    button = seen.show(qtbot, QPushButton("Train"))
    light = button.grab().toImage().pixelColor(5, 5).lightness()
    theme.apply(qapp, "dark")
    assert theme.tokens() is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == DARK.window
    assert button.grab().toImage().pixelColor(5, 5).lightness() < light - 100


@pytest.mark.parametrize(
    ("size", "scale"), [(9, 1), (13, 1), (16, 16 / 13), (40, theme.LARGEST_SCALE)]
)
def test_text_is_as_large_as_that_of_the_system(size, scale):
    system = QFont()
    system.setPixelSize(size)
    assert theme.text_scale(system) == scale
    sheet = theme.style_sheet(LIGHT, scale)
    assert f'QLabel[role="title"] {{ font-size: {round(19 * scale)}px' in sheet


def test_every_name_in_the_style_sheet_is_known():
    sheet = theme.style_sheet(LIGHT, 1.0)
    assert "$" not in sheet
    files = re.findall(r'url\("([^"]+)"\)', sheet + theme.style_sheet(DARK, 1.0))
    assert files
    assert all((asset("icons") / file.rsplit("/", 1)[1]).is_file() for file in files)
