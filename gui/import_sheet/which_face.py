"""Which of several faces is meant: all faces of one photograph, numbered, to choose by click."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal

from eigenfaces.faces.choose import EVERY
from eigenfaces.importing.entries import Entry
from eigenfaces.space.pca import as_grey
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Shrinkable
from gui.widgets.controls import Button
from gui.widgets.face_list import FaceRow
from gui.widgets.face_model import Face
from gui.widgets.words import ElidedLabel, label

_FACE = QSize(48, 58)
_LIKE = "The share of the person’s other photos on which this face is seen again."


class WhichFace(Shrinkable):
    """Shows the faces of a photograph that may be meant; the one taken is selected."""

    taken = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.question = ElidedLabel("", "heading")
        self.confirm = Button("Confirm", "check")
        self.faces = FaceRow("Faces that may be meant", _FACE, subcaption=True)
        self._likely: int | None = None
        self._entry: Entry | None = None
        self.like = label(_LIKE, "caption", wrap=True)
        head = in_row((self.question, 1), self.confirm, spacing=8)
        in_column(head, self.faces, self.like, inside=self, spacing=4)
        self.faces.chosen.connect(lambda key: self.taken.emit(int(key)))
        self.confirm.clicked.connect(self._confirm)

    def show_entry(self, entry: Entry | None) -> bool:
        """Show the faces of a photograph; return whether a person is asked about them."""
        reading = None if entry is None or entry.passed_over else entry.reading
        several = reading is not None and reading.crops is not None
        likely = None if entry is None else entry.likely
        shown = several or likely is not None
        self.setVisible(shown)
        if entry is self._entry or entry is None or reading is None or not shown:
            return shown
        self._entry, self._likely = entry, likely
        chosen = [at for at, face in enumerate(reading.faces) if face.eyes == reading.eyes]
        person = entry.photo.person
        who = f"Which face is {person}?" if person else "All are taken. Only one?"
        keys = f"{who} Keys 1–{min(len(reading.faces), 9)}"
        self.question.set_full_text(keys if several else f"Is this {person or 'a face'}?")
        self.confirm.setVisible(likely is not None)
        if likely is not None:
            verb = "Confirm" if entry.guessed else "Take"
            self.confirm.setText(f"{verb} face {likely + 1}" if several else "It is right")
            self.confirm.setToolTip(f"It is {person}: the face with the solid box (Enter)")
        pictures = _pictures(entry)
        self.faces.show_faces(pictures)
        self.like.setVisible(any(face.subcaption for face in pictures))
        self.faces.select(*(f"{at}" for at in chosen))
        return shown

    def _confirm(self) -> None:
        if self._likely is not None:
            self.taken.emit(self._likely)


def _pictures(entry: Entry) -> list[Face]:
    reading, choice = entry.reading, entry.choice
    likeness = () if choice is None or choice is EVERY else choice.likeness
    assert reading is not None
    return [
        Face(
            f"{at}",
            as_grey(levels),
            f"{at + 1}",
            f"like {likeness[at]:.2f}" if any(likeness) else "",
            accessible=f"Face {at + 1} from the left",
        )
        for at, levels in enumerate(reading.every_crop)
    ]
