"""The look of each verdict and each answer: tone, icon, heading; and the order of their groups."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.recognition.verdict import GROUPS, Kind
from gui.style.theme import Tone
from gui.widgets.flow import Flow
from gui.widgets.words import ElidedLabel, IconLabel, restyle


class Look(NamedTuple):
    """The tone and the icon of a verdict: never the one without the other."""

    tone: Tone
    icon: str


LOOKS: dict[Kind, Look] = {
    "sure": Look("ok", "ok"),
    "likely": Look("ok", "likely"),
    "ask": Look("accent", "question"),
    "perhaps": Look("accent", "perhaps"),
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


_PILL = 24  # px of a pill beside its words


class CertaintyChip(ElidedLabel):
    """How sure that is, in a pill whose end is cut where there is no room."""

    def __init__(self) -> None:
        super().__init__("", "chip", Qt.TextElideMode.ElideRight)
        self.setProperty("lies", True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(_PILL, 8)

    def _fit(self) -> None:
        room = self.width() - _PILL
        shown = self.fontMetrics().elidedText(self.full_text, Qt.TextElideMode.ElideRight, room)
        self.setText(shown)
        self.setToolTip(self.full_text if shown != self.full_text else "")


class VerdictHeading(QWidget):
    """Words between the icon of a verdict and the chip that says how sure it is."""

    def __init__(self, words: ElidedLabel, side: int = 26) -> None:
        """``side`` of the icon: pixels, before the text scale."""
        super().__init__()
        self._icon, self.chip = IconLabel(side), CertaintyChip()
        Flow(self, 10).add(self._icon, words, self.chip)

    def show_look(self, look: Look) -> None:
        """Show another verdict."""
        self._icon.show_icon(look.icon, look.tone)
        restyle(self.chip, look.tone)
