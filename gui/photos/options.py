"""How new photographs get names, and how they are cut to faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.prepare import FIT, HEIGHT, WIDTH, Fit, Preparation
from eigenfaces.importing.scan import Scan, named_as
from eigenfaces.photographs.photos import FoundPhotos, named_by_pattern, person_from_name
from eigenfaces.recognition.gallery import Gallery
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.controls import LinkButton, Segmented
from gui.widgets.fields import PersonField, SegmentEditor, whole_box
from gui.widgets.words import ElidedLabel, label

FOLDERS, FILE_NAMES, MANIFEST = range(3)
_NOBODY = "Nobody yet"
_GROUPED = "Alike faces are grouped next, and you say who they are."
_SENTENCES = {
    FOLDERS: "Each sub-folder is a person.",
    MANIFEST: "Each line of the manifest names a photo and its person.",
}


class NameOptions(QWidget):
    """Asks how names are found, and only questions that have a choice."""

    changed = Signal()

    def __init__(self, people: Sequence[str]) -> None:
        super().__init__()
        self.heading = label("Who is on them?", "heading")
        self.ways = Segmented(["Sub-folders", "File names"], name="Names")
        self.pattern = QLineEdit("{person}.*")
        self.pattern.setAccessibleName("Pattern of the file names")
        self.pattern.setToolTip(
            "{person} stands for the name, {number} for digits, * for anything."
        )
        self.example = ElidedLabel("", "caption")
        self.sentence = label("", "caption", wrap=True)
        self.trouble = label("", "caption", wrap=True, tone="bad")
        self.person = PersonField("These photos show", _NOBODY, marks=False)
        self.person.offer(people)
        self._scan: Scan | None = None
        self._pattern_line, self._person_line = QWidget(), QWidget()
        words, show = label("Pattern"), label("These photos show")
        words.setBuddy(self.pattern)
        show.setBuddy(self.person)
        in_row(words, (self.pattern, 1), inside=self._pattern_line, spacing=9)
        in_column(show, self.person, inside=self._person_line, spacing=4)
        ways = (self.ways, 0, Qt.AlignmentFlag.AlignLeft)
        questions = (self.heading, ways, self._pattern_line, self._person_line)
        words_below = (self.example, self.sentence, self.trouble)
        in_column(*questions, *words_below, inside=self, spacing=7)
        self.trouble.hide()
        self.ways.changed.connect(self._report_change)
        self.pattern.textChanged.connect(self._report_change)
        self.person.textChanged.connect(self._report_change)

    def show_scan(self, scan: Scan, people: Sequence[str]) -> None:
        """Offer the ways that fit the photos found, and the people of the gallery."""
        self._scan = scan
        self.person.offer(people)
        unnamed = len(scan.unnamed)
        if scan.pattern is not None:
            self.pattern.setText(scan.pattern)
            self.pattern.setCursorPosition(0)
        by_files = scan.pattern is not None and unnamed == len(scan.found.photos)
        self.ways.set_current(FILE_NAMES if by_files else FOLDERS)
        self.ways.setVisible(scan.kind == "folder" and unnamed > 0)
        self._person_line.setVisible(scan.kind == "files" and unnamed > 0)
        self._report_change()

    @property
    def way(self) -> int:
        """How names are found: from the manifest if there is one; otherwise as chosen."""
        manifest = self._scan is not None and self._scan.kind == "manifest"
        return MANIFEST if manifest else self.ways.current

    def plan(self, scan: Scan) -> FoundPhotos:
        """Name all people as chosen; raise `EigenfacesError` if the pattern is not valid."""
        if scan.kind == "files":
            name = self.person.name()
            return named_as(scan.found, name) if name else scan.found
        if self.way != FILE_NAMES:
            return scan.found
        return named_by_pattern(scan.found, self.pattern.text().strip())

    def show_trouble(self, sentence: str) -> None:
        """Show below the pattern what is wrong with it."""
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))

    def _report_change(self) -> None:
        by_files = self.ways.isVisibleTo(self) and self.way == FILE_NAMES
        self._pattern_line.setVisible(by_files)
        example = self._example() if by_files else ""
        self.example.set_full_text(example)
        self.example.setVisible(bool(example))
        self.sentence.setText("" if by_files else self._sentence())
        self.sentence.setVisible(bool(self.sentence.text()))
        self.changed.emit()

    def _sentence(self) -> str:
        if self._scan is None:
            return ""
        unnamed = len(self._scan.unnamed)
        if self._scan.kind == "files":
            folders = unnamed < len(self._scan.found.photos)
            return "Each folder is a person." if folders else "Choose somebody, or type a name."
        sentence = _SENTENCES[self.way]
        if self.way == FOLDERS and unnamed == len(self._scan.found.photos):
            these = f"these {unnamed:,} photos" if unnamed > 1 else "this photo"
            return f"Nobody is named on {these}. {_GROUPED}"
        if self.way == FOLDERS and unnamed:
            lie = "1 photo lies" if unnamed == 1 else f"{unnamed:,} photos lie"
            sentence += f" {lie} in no sub-folder: nobody is named on them yet."
        return sentence

    def _example(self) -> str:
        """Return what the pattern finds in the name of the first file."""
        if self._scan is None or not self._scan.unnamed:
            return ""
        name = self._scan.unnamed[0].path.name
        try:
            person = person_from_name(name, self.pattern.text().strip())
        except EigenfacesError:
            return ""
        return f"{name}  →  {person or 'does not fit'}"


PHOTOGRAPHS, CROPPED = range(2)
_KINDS = ("Faces are found and aligned.", "Each photo is a face already.")
_MEANINGS = (
    "A face is searched for in each of them, and turned upright.",
    "Each is taken whole.",
)


class FaceOptions(QWidget):
    """Says how photographs are cut to faces; unfolded, asks for it and for the size of faces."""

    changed = Signal()

    def __init__(self, gallery: Gallery) -> None:
        super().__init__()
        self._fixed: Preparation | None = None
        self.line = label("", wrap=True)
        self.fold = LinkButton("Change…")
        self.fold.setCheckable(True)
        self.kind = Segmented(["Photographs", "Cut faces"], name="These photos are")
        self.width_box, self.height_box = whole_box(WIDTH), whole_box(HEIGHT)
        self.fit = SegmentEditor(FIT)
        self.sentence = label("", "caption", wrap=True)
        self._unfolded, self._size = QWidget(self), QWidget(self)
        by, unit = label("×", "secondary"), label("pixels", "secondary")
        boxes = (self.width_box, by, self.height_box, unit, STRETCH)
        in_row(*boxes, inside=self._size, spacing=8)
        parts = (self.kind, self._size, self.fit, self.sentence)
        in_column(*parts, inside=self._unfolded, spacing=8)
        head = in_row((self.line, 1), self.fold, spacing=6)
        in_column(head, self._unfolded, inside=self, spacing=8)
        self._unfolded.hide()
        self.show_suggested(gallery.preparation, gallery)
        self.fold.toggled.connect(self._unfolded.setVisible)
        for changed in (
            self.kind.changed,
            self.width_box.valueChanged,
            self.height_box.valueChanged,
            self.fit.changed,
        ):
            changed.connect(self._report_change)

    @property
    def preparation(self) -> Preparation:
        """The preparation of these photographs: as chosen; size and policy as in the gallery."""
        cropped = self.kind.current == CROPPED
        if self._fixed is not None:
            return replace(self._fixed, already_cropped=cropped)
        fit = cast(Fit, self.fit.value())
        return Preparation(self.height_box.value(), self.width_box.value(), fit, cropped)

    def show_suggested(self, suggested: Preparation, gallery: Gallery) -> None:
        """Start with choices that suit the photographs found, and the size of the gallery."""
        self._fixed = gallery.preparation if len(gallery.faces) else None
        first = self._fixed or suggested
        cropped = first.already_cropped and suggested.already_cropped  # a photograph is no crop
        with QSignalBlocker(self):  # one change, reported by the caller
            self.kind.set_current(CROPPED if cropped else PHOTOGRAPHS)
            self.width_box.setValue(first.width)
            self.height_box.setValue(first.height)
            self.fit.show_value(first.fit)
            self._report_change()

    def _report_change(self) -> None:
        cropped = self.kind.current == CROPPED
        self.line.setText(_KINDS[self.kind.current])
        self._size.setVisible(self._fixed is None)
        self.fit.setVisible(self._fixed is None and cropped)
        words = [_MEANINGS[self.kind.current]]
        if self._fixed is not None:
            words.append(f"{self._fixed.width} × {self._fixed.height} pixels, as in the gallery.")
        elif cropped:
            words.append(self.fit.meaning())
        self.sentence.setText(" ".join(words))
        self.changed.emit()
