"""The list of what a lesson can be shown on."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel

from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.text import shortened
from gui.pages.lessons.study import GALLERY, OPENED, Study
from gui.style import theme
from gui.widgets.fields import DropDown

_LONGEST = 32
_FOLDER, _FILE = "folder", "file"
_TITLES = {
    GALLERY: "The open gallery",
    _FOLDER: "Open a folder of pictures…",
    _FILE: "Open an .npz or IDX file…",
}


class SubjectChoice(DropDown):
    """Points, tables, pictures or the gallery.

    ``chosen``: a person chose this key; ``folder_wanted`` and ``file_wanted``: pictures are to be
    opened.
    """

    chosen = Signal(str)
    folder_wanted = Signal()
    file_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Data")
        self.view().setAccessibleName("Data")
        self.setMinimumWidth(theme.pixels(150))
        self.setMaximumWidth(theme.pixels(270))
        self.setSizeAdjustPolicy(DropDown.SizeAdjustPolicy.AdjustToContents)
        self._now = ""
        self.activated.connect(lambda _at: self._take(str(self.currentData())))

    def show_study(self, study: Study, opened: Path | None, no_gallery: str) -> None:
        """List what a lesson can be shown on; ``no_gallery``: why it cannot be the gallery."""
        self._now, keys = study.key, list(study.lesson.subjects)
        if OPENED in keys:
            keys.remove(OPENED)
            keys += [*([OPENED] if opened else []), _FOLDER, _FILE]
        name = opened.name if opened else ""
        with QSignalBlocker(self):
            self.clear()
            for at, key in enumerate(keys):
                known = SUBJECTS.get(key)
                title = known.title if known else _TITLES.get(key, name)
                now = key == study.key and study.subject is not None
                whole = study.subject.title if now and study.subject else title
                self.addItem(shortened(whole, _LONGEST), key)
                self.setItemData(at, whole, Qt.ItemDataRole.ToolTipRole)
                if key == GALLERY and no_gallery:
                    self._disable(at, no_gallery)
            self.setCurrentIndex(self.findData(self._now))
        self.setEnabled(len(keys) > 1)
        self.setToolTip(self.itemData(self.currentIndex(), Qt.ItemDataRole.ToolTipRole) or "")

    def _take(self, key: str) -> None:
        if key in (_FOLDER, _FILE):
            self.setCurrentIndex(self.findData(self._now))  # until there are pictures
            (self.folder_wanted if key == _FOLDER else self.file_wanted).emit()
        elif key != self._now:
            self.chosen.emit(key)

    def _disable(self, at: int, why: str) -> None:
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(at).setEnabled(False)
        self.setItemData(at, why, Qt.ItemDataRole.ToolTipRole)
