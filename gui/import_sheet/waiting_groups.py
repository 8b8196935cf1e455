"""What waits, at the left of the sheet: in groups, with what can be done about each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QSizePolicy

from eigenfaces.project.save import Waiting
from eigenfaces.text import count, when
from gui.import_sheet.filters import Groups
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.words import label


class WaitingGroups(Card):
    """The groups of photographs that wait, where they lie, and the way to be rid of them."""

    def __init__(self, source: Waiting) -> None:
        super().__init__()
        self.list = Groups()
        self.advice = label("", "secondary", wrap=True)
        folders = {photo.path.parent for photo in source.photos}
        one = next(iter(folders), None)
        where = f"“{one.name}”" if one and len(folders) == 1 else count(len(folders), "folder")
        self.found = label(
            f"Found in {where}{_when(source.read)}, and kept with the project: nothing is searched "
            "twice.",
            "caption",
            wrap=True,
        )
        self.leave_out = Button("Leave all out")
        self.leave_out.setAutoDefault(False)
        self.leave_out.setEnabled(False)
        self.leave_out.setToolTip(
            "They no longer wait, and guesses leave the gallery. The files are not touched."
        )
        self.list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.body.addWidget(self.list, 1)
        for part in (self.advice, self.found, self.leave_out):
            self.body.addWidget(part)
        self.list.changed.connect(self._show_advice)
        self._show_advice()

    def show_waiting(self, number: int, *, ready: bool) -> None:
        """Show how many would be left out."""
        self.leave_out.setText(f"Leave all {number:,} out" if number > 1 else "Leave it out")
        self.leave_out.setEnabled(ready and number > 0)

    def _show_advice(self) -> None:
        self.advice.setText(self.list.advice)


def _when(read: Sequence[str]) -> str:
    """Return when the photographs were read, in words; "" if it is not known."""
    times = tuple(dict.fromkeys(map(when, read)))
    if not times:
        return ""
    return f" on {times[0]}" if len(times) == 1 else f" from {times[0]} to {times[-1]}"
