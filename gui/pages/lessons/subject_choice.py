"""The list of what a lesson can be shown on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel

from eigenfaces.laboratory.lessons.subjects import SUBJECTS
from gui.style import theme
from gui.widgets.popups import Choice

GALLERY, OPENED = "gallery", "opened"
_TITLES = {GALLERY: "The open gallery", OPENED: "Open pictures…"}


class SubjectChoice(Choice):
    """Points, tables, pictures or the gallery; ``chosen``: a person chose this key."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Data")
        self.view().setAccessibleName("Data")
        self.setMinimumWidth(theme.pixels(150))
        self.activated.connect(lambda _at: self.chosen.emit(str(self.currentData())))

    def show_subjects(self, keys: Sequence[str], now: str, title: str, no_gallery: str) -> None:
        """List what a lesson can be shown on.

        ``title`` is what is shown now; ``no_gallery`` says why the gallery cannot be chosen.
        """
        with QSignalBlocker(self):
            self.clear()
            for at, key in enumerate(keys):
                known = SUBJECTS.get(key)
                own = title if key == now and title else ""
                self.addItem(own or (known.title if known else _TITLES[key]), key)
                if key == GALLERY and no_gallery:
                    self._disable(at, no_gallery)
            self.setCurrentIndex(self.findData(now))

    def _disable(self, at: int, why: str) -> None:
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(at).setEnabled(False)
        self.setItemData(at, why, Qt.ItemDataRole.ToolTipRole)
