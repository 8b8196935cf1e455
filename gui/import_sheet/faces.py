"""How new photographs are cut to faces: whether a face is searched for, and the size."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from eigenfaces.faces.prepare import FIT, HEIGHT, WIDTH, Fit, Preparation
from eigenfaces.importing.scan import Scan
from eigenfaces.recognition.gallery import Gallery
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.controls import Segmented
from gui.widgets.field_editors import SegmentEditor, whole_box
from gui.widgets.words import label

PHOTOGRAPHS, CROPPED = range(2)
_KINDS = {
    PHOTOGRAPHS: "A face is searched for in each of them, and turned upright.",
    CROPPED: "Each is a face already, and taken whole.",
}


class FaceOptions(QWidget):
    """Asks whether photographs are cut already; and for the face size of an empty gallery."""

    changed = Signal()

    def __init__(self, gallery: Gallery) -> None:
        super().__init__()
        self._fixed: Preparation | None = None
        self.kind = Segmented(["Photographs", "Cut faces"], name="These photos are")
        self.width_box, self.height_box = whole_box(WIDTH), whole_box(HEIGHT)
        self.fit = SegmentEditor(FIT)
        self.sentence = label("", "caption", wrap=True)
        self._lay_out()
        self._show(gallery.preparation, gallery)
        self.kind.changed.connect(self._report_change)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._report_change)
        self.fit.changed.connect(self._report_change)

    def _lay_out(self) -> None:
        self._size = QWidget(self)  # a widget shown before it is laid out would be a window
        in_row(
            self.width_box,
            label("×", "secondary"),
            self.height_box,
            label("pixels", "secondary"),
            STRETCH,
            inside=self._size,
            spacing=8,
        )
        in_column(self.kind, self._size, self.fit, self.sentence, inside=self, spacing=8)

    @property
    def preparation(self) -> Preparation:
        """The preparation of these photographs: as chosen; size and policy as in the gallery."""
        cropped = self.kind.current == CROPPED
        if self._fixed is not None:
            return replace(self._fixed, already_cropped=cropped)
        fit = cast(Fit, self.fit.value())
        return Preparation(self.height_box.value(), self.width_box.value(), fit, cropped)

    def show_scan(self, found: Scan, gallery: Gallery) -> None:
        """Start with choices that suit the photographs found, and the size of the gallery."""
        self._show(found.suggested, gallery)

    def _show(self, suggested: Preparation, gallery: Gallery) -> None:
        self._fixed = gallery.preparation if len(gallery.faces) else None
        shown = self._fixed or suggested
        cropped = shown.already_cropped and suggested.already_cropped  # a photograph is no crop
        with QSignalBlocker(self):  # one change, reported by the caller
            self.kind.set_current(CROPPED if cropped else PHOTOGRAPHS)
            self.width_box.setValue(shown.width)
            self.height_box.setValue(shown.height)
            self.fit.show_value(shown.fit)
            self._report_change()

    def _report_change(self) -> None:
        cropped = self.kind.current == CROPPED
        self._size.setVisible(self._fixed is None)
        self.fit.setVisible(self._fixed is None and cropped)
        words = [_KINDS[self.kind.current]]
        if self._fixed is not None:
            words.append(f"{self._fixed.width} × {self._fixed.height} pixels, as in the gallery.")
        elif cropped:
            words.append(self.fit.meaning())
        self.sentence.setText(" ".join(words))
        self.changed.emit()
