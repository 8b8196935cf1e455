"""The colours of what lessons draw, in both themes."""

from __future__ import annotations

from PySide6.QtGui import QColor

from eigenfaces.lessons.drawing import Ink
from gui.style.theme import PEOPLE, Tokens, contrast, mix

_MORE = ("#EE7733", "#009988", "#8877CC")
_GROUPS = (*PEOPLE[:6], *_MORE, PEOPLE[6])
_TO_BE_SEEN = 3.0


def ink_colour(ink: Ink, look: Tokens) -> QColor:
    """Return the colour of an ink."""
    colours: dict[Ink, str] = {
        "main": look.accent,
        "contrast": look.people[1],
        "good": look.people[2],
        "grey": look.tertiary,
        "faint": mix(look.border, look.text, 0.12),
    }
    colour = colours[ink]
    return QColor(colour if ink == "faint" else _seen(colour, look))


def group_colour(group: int, look: Tokens) -> QColor:
    """Return the colour of a group; the eleventh has that of the first."""
    return QColor(_seen(_GROUPS[group % len(_GROUPS)], look))


def rim(colour: QColor, look: Tokens) -> QColor:
    """Return the colour of the outline of a dot: light ones need it on white."""
    return QColor(look.surface if look.dark else mix(colour.name(), look.text, 0.45))


def _seen(colour: str, look: Tokens) -> str:
    """Return a colour that stands out from a dark surface; light surfaces have outlines."""
    low = look.dark and contrast(colour, look.surface) < _TO_BE_SEEN
    return mix(colour, look.text, 0.3) if low else colour
