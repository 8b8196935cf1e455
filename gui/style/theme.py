"""Design tokens (colours and sizes), and the palette, font and style sheet derived from them.

Widgets that paint themselves call `tokens()` in their ``paintEvent``. Widgets that store something
made from a colour, such as an icon or a chart, rebuild it on ``QEvent.PaletteChange``.
"""

from dataclasses import asdict, dataclass
from functools import lru_cache
from string import Template
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QToolTip

from eigenfaces.files import asset

Theme = Literal["light", "dark", "system"]
Tone = Literal["neutral", "accent", "ok", "warn", "bad"]

BASE, CAPTION, SMALL_FONT, HEADING, TITLE, FIGURE = 13, 12, 11, 14, 19, 26
"""Text sizes in pixels, which are scaled up if the system's text is larger."""

LARGEST_SCALE = 1.25
"""The largest scale at which text and its containers fit in the smallest window."""

_INDICATOR = 16  # px: the side of a check box
CARD_PADDING = 14

PERSON_COLOURS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB")
"""Paul Tol's "bright" colours. Colour alone never identifies a person."""


@dataclass(frozen=True)
class Tokens:
    """Colours of a theme as ``#RRGGBB``; a ``…_soft`` colour is the background of its tone."""

    name: str
    window: str
    surface: str
    border: str
    text: str
    secondary: str
    tertiary: str
    accent: str
    on_accent: str
    soft: str
    ok: str
    ok_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    neutral_soft: str
    hover: str
    track: str

    @property
    def people(self) -> tuple[str, ...]:
        """The colours that distinguish people."""
        return PERSON_COLOURS

    @property
    def dark(self) -> bool:
        """Whether the theme has light text on a dark background."""
        return self.name == "dark"

    def tone(self, tone: Tone) -> tuple[str, str]:
        """Return the text colour and the background colour of a tone."""
        if tone == "neutral":
            return self.secondary, self.neutral_soft
        soft = self.soft if tone == "accent" else getattr(self, f"{tone}_soft")
        return getattr(self, tone), soft


_COLOURS = """
name          light    dark
window        #F4F5F7  #14171B
surface       #FFFFFF  #1C2026
border        #DDE1E7  #323942
text          #1A1E24  #E9EBEE
secondary     #59626E  #A3ACB7
tertiary      #667080  #7F8A96
accent        #0F62AC  #62AEEF
on_accent     #FFFFFF  #0B1520
soft          #E4EFFA  #1D3145
ok            #0B7A4B  #4FC78E
ok_soft       #E3F4EB  #17342A
warn          #8F5200  #E8B057
warn_soft     #FBF0DC  #3A2D17
bad           #B3261E  #F58A80
bad_soft      #FBE9E7  #3D2220
neutral_soft  #ECEEF2  #282E36
hover         #F3F6F9  #252B33
track         #E2E5EB  #323942
"""
LIGHT, DARK = (
    Tokens(**{row.split()[0]: row.split()[at] for row in _COLOURS.strip().splitlines()})
    for at in (1, 2)
)


@dataclass
class _Applied:
    """The theme currently in use."""

    theme: Theme = "light"
    scale: float = 1.0
    tokens: Tokens = LIGHT


_applied = _Applied()


def tokens() -> Tokens:
    """Return the colours of the current theme."""
    return _applied.tokens


def pixels(size: float) -> int:
    """Return a length in whole pixels, scaled like the system's text."""
    return round(size * _applied.scale)


def font(size: int = BASE, weight: int = QFont.Weight.Normal) -> QFont:
    """Return the system font at a given size and weight, for widgets that paint themselves."""
    return QFont(_font(pixels(size), int(weight)))


def apply(app: QApplication, theme: Theme = "system") -> None:
    """Set the theme of the whole application; call it again to change the theme at run time."""
    _applied.theme = theme
    hints, scheme = QGuiApplication.styleHints(), Qt.ColorScheme
    if app.property("dressed") is None:
        _applied.scale = text_scale(app.font())
        app.setStyle("Fusion")
        app.setProperty("dressed", True)
        hints.colorSchemeChanged.connect(lambda: _set_style(app))
    # The system draws title bars and native dialogs in the same theme.
    wish = {"light": scheme.Light, "dark": scheme.Dark, "system": scheme.Unknown}
    hints.setColorScheme(wish[theme])
    _set_style(app)


def text_scale(system: QFont) -> float:
    """Return the ratio of the system's text size to `BASE`, from 1 to `LARGEST_SCALE`."""
    return min(max(QFontInfo(system).pixelSize() / BASE, 1.0), LARGEST_SCALE)


def mix(one: str, other: str, share: float) -> str:
    """Return a mix of two colours; a ``share`` of 0 gives the first and 1 the second."""
    ends = (bytes.fromhex(colour.removeprefix("#")) for colour in (one, other))
    mixed = bytes(round(a + (b - a) * share) for a, b in zip(*ends, strict=True))
    return f"#{mixed.hex().upper()}"


def contrast(text: str, background: str) -> float:
    """Return the WCAG 2 contrast ratio of two colours, from 1 to 21."""

    def luminance(colour: str) -> float:
        parts = [part / 255 for part in bytes.fromhex(colour.removeprefix("#"))]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])

    darker, brighter = sorted(map(luminance, (text, background)))
    return (brighter + 0.05) / (darker + 0.05)


def palette(t: Tokens) -> QPalette:
    """Return a palette that sets every role in every group, so that no system colour remains."""
    role = QPalette.ColorRole
    enabled = {
        role.Window: t.window,
        role.WindowText: t.text,
        role.Base: t.surface,
        role.AlternateBase: t.hover,
        role.Text: t.text,
        role.PlaceholderText: t.tertiary,
        role.Button: t.surface,
        role.ButtonText: t.text,
        role.BrightText: t.bad,
        role.Highlight: t.accent,
        role.HighlightedText: t.on_accent,
        role.Accent: t.accent,
        role.Link: t.accent,
        role.LinkVisited: t.accent,
        role.ToolTipBase: t.surface,
        role.ToolTipText: t.text,
        role.Light: mix(t.surface, "#FFFFFF", 0.1),
        role.Midlight: t.hover,
        role.Mid: t.border,
        role.Dark: mix(t.border, "#000000", 0.25),
        role.Shadow: "#000000",
    }
    faint = {role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.Link}
    disabled = enabled | dict.fromkeys(faint, disabled_text(t))
    disabled |= {role.Highlight: t.track, role.HighlightedText: t.secondary}
    made, group = QPalette(), QPalette.ColorGroup
    for which, colours in (
        (group.Active, enabled),
        (group.Inactive, enabled),
        (group.Disabled, disabled),
    ):
        for key, value in colours.items():
            made.setColor(which, key, QColor(value))
    return made


def disabled_text(t: Tokens) -> str:
    """Return the colour of text on a disabled control."""
    return mix(t.tertiary, t.surface, 0.35)


def style_sheet(t: Tokens, scale: float) -> str:
    """Return the style sheet for these tokens, with text sizes multiplied by ``scale``."""
    words = {key: value for key, value in asdict(t).items() if isinstance(value, str)}
    sizes = {"caption": CAPTION, "small": SMALL_FONT}
    sizes |= {"heading": HEADING, "title": TITLE, "figure": FIGURE, "formula": 17}
    sizes |= {"indicator": _INDICATOR, "arrow": 12, "spin": 20, "chip": 15, "bipolar": 30}
    scaled = {key: round(size * scale) for key, size in sizes.items()}
    scaled["pill"] = scaled["chip"] // 2 + 3
    words |= {f"px_{key}": f"{size}px" for key, size in scaled.items()}
    words |= {
        "disabled": disabled_text(t),
        "border_strong": mix(t.border, t.text, 0.18),
        "accent_hover": mix(t.accent, t.text, 0.14),
        "accent_pressed": mix(t.accent, t.text, 0.28),
        "pressed": mix(t.surface, t.text, 0.1),
        "assets": asset("").as_posix(),
    }
    return Template(asset("style.qss").read_text(encoding="utf-8")).substitute(words)


@lru_cache(maxsize=64)
def _font(size: int, weight: int) -> QFont:
    """Return the system font at a pixel size, cached because lists need one for every line."""
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    made.setPixelSize(size)
    made.setWeight(QFont.Weight(weight))
    return made


def _set_style(app: QApplication) -> None:
    dark = _applied.theme == "dark"
    if _applied.theme == "system":
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    _applied.tokens = DARK if dark else LIGHT
    colours = palette(_applied.tokens)
    app.setFont(font())
    app.setPalette(colours)
    QToolTip.setPalette(colours)
    QToolTip.setFont(font(CAPTION))
    app.setStyleSheet(style_sheet(_applied.tokens, _applied.scale))
