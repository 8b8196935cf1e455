"""Design tokens (colours and sizes), and the palette, font and style sheet made from them.

Widgets that paint by themselves ask `tokens()` in their ``paintEvent``; widgets that keep
something made from a colour (an icon, a chart) rebuild it on ``QEvent.PaletteChange``.
"""

from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QToolTip

Theme = Literal["light", "dark", "system"]
Tone = Literal["neutral", "accent", "ok", "warn", "bad", "doubt"]

BASE, CAPTION, SMALL, HEADING, TITLE, FIGURE = 13, 12, 11, 14, 19, 26
"""Text sizes in pixels, where the system's own text is not larger."""

LARGEST = 1.25
"""How much larger all text and what holds it can be: more has no room in the smallest window."""

_INDICATOR = 16  # the side of a check box
CARD_PADDING = 14
ASSETS = Path(__file__).resolve().parents[2] / "assets"

PEOPLE = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB")
"""Paul Tol's "bright" colours; never the only sign of who somebody is."""


@dataclass(frozen=True)
class Tokens:
    """Every colour of the program, as ``#RRGGBB``; a ``…_soft`` is the background of its tone."""

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
    doubt: str
    doubt_soft: str
    neutral_soft: str
    hover: str
    track: str
    people: tuple[str, ...] = PEOPLE

    @property
    def dark(self) -> bool:
        """Whether light text stands on a dark window."""
        return self.name == "dark"

    def tone(self, tone: Tone) -> tuple[str, str]:
        """Return the text colour and the background of a tone."""
        return {
            "neutral": (self.secondary, self.neutral_soft),
            "accent": (self.accent, self.soft),
            "ok": (self.ok, self.ok_soft),
            "warn": (self.warn, self.warn_soft),
            "bad": (self.bad, self.bad_soft),
            "doubt": (self.doubt, self.doubt_soft),
        }[tone]


LIGHT = Tokens(
    name="light",
    window="#F4F5F7",
    surface="#FFFFFF",
    border="#DDE1E7",
    text="#1A1E24",
    secondary="#59626E",
    tertiary="#667080",
    accent="#0F62AC",
    on_accent="#FFFFFF",
    soft="#E4EFFA",
    ok="#0B7A4B",
    ok_soft="#E3F4EB",
    warn="#8F5200",
    warn_soft="#FBF0DC",
    bad="#B3261E",
    bad_soft="#FBE9E7",
    doubt="#6B3FA0",
    doubt_soft="#F1EAFA",
    neutral_soft="#ECEEF2",
    hover="#F3F6F9",
    track="#E2E5EB",
)

DARK = Tokens(
    name="dark",
    window="#14171B",
    surface="#1C2026",
    border="#323942",
    text="#E9EBEE",
    secondary="#A3ACB7",
    tertiary="#7F8A96",
    accent="#62AEEF",
    on_accent="#0B1520",
    soft="#1D3145",
    ok="#4FC78E",
    ok_soft="#17342A",
    warn="#E8B057",
    warn_soft="#3A2D17",
    bad="#F58A80",
    bad_soft="#3D2220",
    doubt="#BFA0EE",
    doubt_soft="#2D2440",
    neutral_soft="#282E36",
    hover="#252B33",
    track="#323942",
)


@dataclass
class _Applied:
    """The theme in use now."""

    theme: Theme = "light"
    scale: float = 1.0
    zoom: float = 1.0
    tokens: Tokens = LIGHT
    follows_system: bool = False


_applied = _Applied()


def tokens() -> Tokens:
    """Return the colours in use now."""
    return _applied.tokens


def pixels(size: float) -> int:
    """Return a length in pixels, scaled with the system's text and the zoom."""
    return round(size * _applied.scale * _applied.zoom)


def zoomed(width: float) -> float:
    """Return the width of a line or a dot, scaled with the zoom."""
    return width * _applied.zoom


def zoom(app: QApplication, by: float) -> None:
    """Show text and lines so many times as large, as for a lecture hall."""
    _applied.zoom = by
    _set_style(app)


def font(size: int = BASE, weight: int = QFont.Weight.Normal) -> QFont:
    """Return the system's font in one of the sizes above, for widgets that paint themselves."""
    return QFont(_font(pixels(size), int(weight)))


def apply(app: QApplication, theme: Theme = "system") -> None:
    """Set the theme of the whole application; call again to change it while it runs."""
    if app.property("dressed") is None:
        _applied.scale = text_scale(app.font())
        app.setStyle("Fusion")
        app.setProperty("dressed", True)
    _applied.theme = theme
    _follow_system(app)
    _ask_for_window_frames(theme)
    _set_style(app)


def text_scale(system: QFont) -> float:
    """Return how much larger than `BASE` the text of the system is, from 1 to `LARGEST`."""
    return min(max(QFontInfo(system).pixelSize() / BASE, 1.0), LARGEST)


def mix(one: str, other: str, share: float) -> str:
    """Return a mix of two colours; ``share`` 0 is the first and 1 the second."""
    red, green, blue = (
        round(a + (b - a) * share) for a, b in zip(_parts(one), _parts(other), strict=True)
    )
    return f"#{red:02X}{green:02X}{blue:02X}"


def contrast(text: str, background: str) -> float:
    """Return the WCAG 2 contrast ratio of two colours, 1 to 21."""
    brighter, darker = sorted((_luminance(text), _luminance(background)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def palette(t: Tokens) -> QPalette:
    """Return a palette with every role of every group set, so no system colour remains."""
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
    made = QPalette()
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
        for key, value in enabled.items():
            made.setColor(group, key, QColor(value))
    faint = {role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.Link}
    for key, value in enabled.items():
        shown = disabled_text(t) if key in faint else value
        made.setColor(QPalette.ColorGroup.Disabled, key, QColor(shown))
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(t.track))
    made.setColor(QPalette.ColorGroup.Disabled, role.HighlightedText, QColor(t.secondary))
    return made


def disabled_text(t: Tokens) -> str:
    """Return the colour of words on a disabled control."""
    return mix(t.tertiary, t.surface, 0.35)


def style_sheet(t: Tokens, scale: float) -> str:
    """Return the style sheet with these tokens, its text sizes multiplied by ``scale``."""
    words = {key: value for key, value in asdict(t).items() if isinstance(value, str)}
    sizes = {"caption": CAPTION, "small": SMALL}
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
        "assets": ASSETS.as_posix(),
    }
    return _template().substitute(words)


@lru_cache(maxsize=1)
def _template() -> Template:
    return Template((ASSETS / "style.qss").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _system_font() -> QFont:
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)


@lru_cache(maxsize=64)
def _font(size: int, weight: int) -> QFont:
    """Return the font of a size in pixels; lists ask for one at each line that they paint."""
    made = QFont(_system_font())
    made.setPixelSize(size)
    made.setWeight(QFont.Weight(weight))
    return made


def _set_style(app: QApplication) -> None:
    dark = _applied.theme == "dark" or (_applied.theme == "system" and _system_is_dark())
    _applied.tokens = DARK if dark else LIGHT
    colours = palette(_applied.tokens)
    app.setFont(font())
    app.setPalette(colours)
    QToolTip.setPalette(colours)
    QToolTip.setFont(font(CAPTION))
    sheet = style_sheet(_applied.tokens, _applied.scale * _applied.zoom)
    if sheet != app.styleSheet():
        # From one sheet to another, Qt styles each widget as often as it lies deep (a second for
        # all pages); from none to one, once (a fifth of that).
        app.setStyleSheet("")
        app.setStyleSheet(sheet)


def _system_is_dark() -> bool:
    hints = QGuiApplication.styleHints()
    return hints is not None and hints.colorScheme() == Qt.ColorScheme.Dark


def _follow_system(app: QApplication) -> None:
    hints = QGuiApplication.styleHints()
    if _applied.follows_system or not hasattr(hints, "colorSchemeChanged"):
        return
    hints.colorSchemeChanged.connect(lambda: _system_changed(app))
    _applied.follows_system = True


def _system_changed(app: QApplication) -> None:
    if _applied.theme == "system":
        _set_style(app)


def _ask_for_window_frames(theme: Theme) -> None:
    """Ask the system to draw title bars and native dialogs in the same theme (Qt 6.8)."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "setColorScheme"):
        return
    scheme = Qt.ColorScheme
    wish = {"light": scheme.Light, "dark": scheme.Dark, "system": scheme.Unknown}
    hints.setColorScheme(wish[theme])


def _parts(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of ``#RRGGBB``."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(part / 255) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
