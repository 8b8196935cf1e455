"""Options for new photographs: how people are named, and whether faces are already cropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from eigenfaces.faces.prepare import Preparation
from eigenfaces.importing.scan import Scan, is_named_by_folder, named_as
from eigenfaces.photographs.find import FoundPhotos, named_by_pattern
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.text import count
from ..widgets.box_layouts import in_column, in_row
from ..widgets.controls import Segmented
from ..widgets.fields import PersonField
from ..widgets.labels import label

FOLDERS, FILE_NAMES, MANIFEST = range(3)
_NOBODY = "Nobody yet"
_SENTENCES = {
    FOLDERS: "Each sub-folder is a person.",
    MANIFEST: "Each line of the list names a photo and its person.",
}


class NameOptions(QWidget):
    """Form that asks how people are named, showing only the questions that apply."""

    changed = Signal()

    def __init__(self, people: Sequence[str]) -> None:
        super().__init__()
        self.heading = label("Who is in them?", "heading")
        self.ways = Segmented(["Sub-folders", "File names"], name="Names")
        self.pattern = QLineEdit("{person}.*")
        self.pattern.setAccessibleName("File name pattern")
        self.pattern.setToolTip(
            "{person} stands for the name, {number} for digits, * for anything."
        )
        self.sentence = label("", "caption", wrap=True)
        self.trouble = label("", "caption", wrap=True, tone="bad")
        self.person = PersonField("The person in all of these photos", _NOBODY)
        self.person.set_suggestions(people)
        self._scan: Scan | None = None
        self._pattern_line, self._person_line = QWidget(), QWidget()
        words = label("Pattern")
        show = label("Person in all photos")
        words.setBuddy(self.pattern)
        show.setBuddy(self.person)
        in_row(words, (self.pattern, 1), inside=self._pattern_line, spacing=9)
        in_column(show, self.person, inside=self._person_line, spacing=4)
        ways = (self.ways, 0, Qt.AlignmentFlag.AlignLeft)
        questions = (self.heading, ways, self._pattern_line, self._person_line)
        in_column(*questions, self.sentence, self.trouble, inside=self, spacing=7)
        self.trouble.hide()
        self.ways.changed.connect(self._report_change)
        self.pattern.textChanged.connect(self._report_change)
        self.person.textChanged.connect(self._report_change)

    def show_scan(self, scan: Scan, people: Sequence[str]) -> None:
        """Offer the people in the gallery, and the ways of naming that suit the photographs."""
        self._scan = scan
        self.person.set_suggestions(people)
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
        """The source of names: the manifest if there is one, otherwise the user's choice."""
        manifest = self._scan is not None and self._scan.kind == "manifest"
        return MANIFEST if manifest else self.ways.current

    def plan(self, scan: Scan) -> FoundPhotos:
        """Return the photographs with names. Raise `EigenfacesError` for an invalid pattern."""
        if scan.kind == "files":
            name = self.person.name()
            return named_as(scan.found, name) if name else scan.found
        if self.way != FILE_NAMES:
            return scan.found
        return named_by_pattern(scan.found, self.pattern.text().strip())

    def show_trouble(self, sentence: str) -> None:
        """Show a message about an error in the pattern, or hide the message if it is ""."""
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))

    def _report_change(self) -> None:
        by_files = self.ways.isVisibleTo(self) and self.way == FILE_NAMES
        self._pattern_line.setVisible(by_files)
        self.sentence.setText("" if by_files else self._sentence())
        self.sentence.setVisible(bool(self.sentence.text()))
        self.changed.emit()

    def _sentence(self) -> str:
        if self._scan is None:
            return ""
        photos, unnamed = self._scan.found.photos, len(self._scan.unnamed)
        if self._scan.kind == "files" and unnamed:
            return "Choose a person or type a name."
        grouped = "Next, similar faces will be grouped so that you can say who they are."
        if self.way == FOLDERS and unnamed == len(photos):
            return grouped
        if self.way == FOLDERS and not any(map(is_named_by_folder, photos)):
            number = len(photos) - unnamed  # other programs have named these
            named = f"{count(number)} already {'has a name' if number == 1 else 'have names'}."
            return f"{named} {grouped}" if unnamed else named
        if self._scan.kind == "files":
            return "Each folder is a person."
        sentence = _SENTENCES[self.way]
        if self.way == FOLDERS and unnamed:
            are = "is" if unnamed == 1 else "are"
            sentence += f" {count(unnamed)} {are} not in a sub-folder. {grouped}"
        return sentence


PHOTOGRAPHS, CROPPED = range(2)
_MEANINGS = (
    "The program will find the faces in them.",
    "The pictures are already cropped faces.",
)
_SIZE = "Every face is saved at {} × {} pixels."


class FaceOptions(QWidget):
    """Form that asks whether photographs are already cropped or their faces must still be found."""

    changed = Signal()

    def __init__(self, gallery: Gallery) -> None:
        super().__init__()
        self.kind = Segmented(["Photos", "Only faces"], name="These are")
        self.sentence = label("", "caption", wrap=True)
        in_column(self.kind, self.sentence, inside=self, spacing=8)
        self.show_suggested(gallery.preparation, gallery)
        self.kind.changed.connect(self._report_change)

    @property
    def preparation(self) -> Preparation:
        """The preparation for these photographs, with the size and policy of the gallery."""
        return replace(self._base, already_cropped=self.kind.current == CROPPED)

    def show_suggested(self, suggested: Preparation, gallery: Gallery) -> None:
        """Select the option that suits the photographs, and use the face size of the gallery."""
        self._base = gallery.preparation if len(gallery.faces) else suggested
        cropped = self._base.already_cropped and suggested.already_cropped  # never for photographs
        with QSignalBlocker(self):  # one change, reported by the caller
            self.kind.set_current(CROPPED if cropped else PHOTOGRAPHS)
            self._report_change()

    def _report_change(self) -> None:
        self.sentence.setText(_MEANINGS[self.kind.current])
        self.sentence.setToolTip(_SIZE.format(self._base.width, self._base.height))
        self.changed.emit()
