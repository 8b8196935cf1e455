"""The tone and the icon of each verdict and each answer, and the order of their groups."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QPixmap

from eigenfaces.recognition.decision import GROUPS, Kind
from gui.style import icons, theme
from gui.style.theme import Tone


class Look(NamedTuple):
    """The tone and the icon of a verdict: never the one without the other."""

    tone: Tone
    icon: str

    def pixmap(self, side: int, dpr: float) -> QPixmap:
        """Return the icon in the colour of the tone."""
        return icons.pixmap(self.icon, side, theme.tokens().tone(self.tone)[0], dpr)


LOOKS: dict[Kind, Look] = {
    "sure": Look("ok", "ok"),
    "likely": Look("ok", "likely"),
    "ask": Look("accent", "question"),
    "unknown": Look("warn", "person"),
    "near but no face": Look("doubt", "perhaps-face"),
    "no face": Look("bad", "no-face"),
    "not calibrated": Look("neutral", "info"),
}

ANSWER_LOOKS: dict[str, Look] = {
    "right": Look("ok", "check"),
    "it is": Look("ok", "check"),
    "nobody": Look("warn", "person"),
    "no face": Look("bad", "no-face"),
}
"""Of what was answered."""

ITSELF = Look("neutral", "people")
"""Of a face that is compared with itself, which proves nothing."""

ENROLLED, NOT_COMPARED, WITHOUT_FACE = "In the gallery", "Not compared", "No face found"

GROUP_LOOKS: dict[str, Look] = {
    **dict.fromkeys(GROUPS.values(), LOOKS["no face"]),
    **{GROUPS[kind]: LOOKS[kind] for kind in LOOKS if kind != "near but no face"},
    ENROLLED: ITSELF,
    NOT_COMPARED: Look("neutral", "clock"),
    WITHOUT_FACE: Look("neutral", "image"),
}
"""Of the groups of probes, in the order in which they are listed."""
