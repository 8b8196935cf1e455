"""The lists of the People page: the card of all people, and the faces in both lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.quality import Concern
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import FaceGroup, PeopleOverview
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton, SearchField
from gui.widgets.face_list import Face, PersonList
from gui.widgets.words import label


class PeopleCard(Card):
    """The list of people, with a note if the filter leaves nobody."""

    filter_changed = Signal()
    choice_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.filter = SearchField("Filter people")
        self.list = PersonList("People")
        self.waits = Button("", "people")
        self.waits.clicked.connect(self.choice_wanted)
        self.waits.hide()
        self.sentence = label("", "secondary", wrap=True)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(10, 10, 4, 8)  # the scroll bar is at the edge
        field = in_row(self.filter, margins=(0, 0, 6, 0))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._nobody())
        line = in_row(self.waits, margins=(0, 0, 6, 0))
        add_parts(self.body, field, line, (self._stack, 1))
        self.setFixedWidth(128 + theme.pixels(90))
        self.filter.textChanged.connect(self.filter_changed)

    @property
    def words(self) -> str:
        """The words in the search field."""
        return self.filter.text().strip()

    def show_people(self, faces: Sequence[Face]) -> None:
        """Show the people that the filter leaves."""
        self.list.show_faces(faces)
        self.sentence.setText(f"Nobody, and no photo, is called “{self.words}”.")
        self._stack.setCurrentIndex(int(not faces and bool(self.words)))

    def show_waiting(self, words: str) -> None:
        """Show in words what waits for a person; "" for nothing."""
        self.waits.setText(words)
        self.waits.setToolTip("Look, choose and confirm: what was found is kept with the project.")
        self.waits.setVisible(bool(words))

    def _nobody(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(4, 10, 10, 0)
        clear = LinkButton("Show everybody")
        clear.setProperty("flush", True)
        clear.clicked.connect(self.filter.clear)
        add_parts(column, self.sentence, (clear, 0, Qt.AlignmentFlag.AlignLeft), STRETCH)
        return made


ATTENTION, UNKNOWN = "\0attention", "\0unknown"
"""Keys of rows above the people, as “\\0” and the key of its first face is that of a group of faces
without a name; no name of a person can begin like this."""


@dataclass(frozen=True)
class Special:
    """A row above the people: its title, and the rows of the gallery in it.

    ``group`` is what is asked about, where these are faces of probably one person without a name.
    """

    title: str
    rows: list[int]
    group: FaceGroup | None = None


_FADED = 90  # of 255: how much is left of the picture of an excluded photograph


class Pictures:
    """Pictures of faces by key: the same object for the same key, so lists draw it once."""

    def __init__(self) -> None:
        self._gallery = Gallery.new()
        self._made: dict[tuple[str, bool], Callable[[], QImage]] = {}

    def show(self, gallery: Gallery) -> None:
        """Change to another state of the gallery."""
        if gallery.preparation != self._gallery.preparation:
            self._made.clear()
        self._gallery = gallery

    def of(self, photo: FacePhoto) -> Callable[[], QImage]:
        """Return a function that draws a photograph's face."""
        wanted = (photo.key, photo.excluded)
        if wanted not in self._made:
            self._made[wanted] = partial(self._draw, *wanted)
        return self._made[wanted]

    def _draw(self, key: str, faded: bool) -> QImage:
        row = self._gallery.index.row_of(key)
        if row is None:
            return QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        image = grey_image(self._gallery.faces.image(row))
        return _faded(image) if faded else image


def _faded(image: QImage) -> QImage:
    made = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(made)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.fillRect(made.rect(), QColor(0, 0, 0, _FADED))
    painter.end()
    return made


def person_faces(
    gallery: Gallery,
    seen: PeopleOverview,
    pictures: Pictures,
    words: str,
    special: Mapping[str, Special],
) -> list[Face]:
    """Return the rows of the list of people, filtered by words."""
    photos, like = gallery.index.photos, gallery.index.people_like(words)
    fitting = [person for person in seen.people if person in like]
    keys = [*(special if not words else ()), *fitting]

    def face(at: int) -> Face:
        key = keys[at]
        above = special.get(key)
        rows = above.rows if above else gallery.index.rows_by_person[key]
        concerns = [] if above else seen.of_rows(rows)
        first = rows[0] if above else seen.best(rows)
        return Face(
            key,
            pictures.of(photos[first]),
            above.title if above else key,
            gallery.index.words_of(rows),
            warning="" if not concerns else _in_short(concerns),
        )

    return [face(at) for at in range(len(keys))]


def _in_short(concerns: list[Concern]) -> str:
    if len(concerns) == 1:
        return f"1 photo needs attention: {concerns[0].title[0].lower()}{concerns[0].title[1:]}."
    return f"{len(concerns)} photos need attention."


def photo_faces(
    gallery: Gallery, seen: PeopleOverview, pictures: Pictures, rows: list[int], named: bool
) -> list[Face]:
    """Return the numbered faces of the grid; ``named``: with the person in the caption."""
    photos = gallery.index.photos

    def face(at: int) -> Face:
        photo = photos[rows[at]]
        concern = seen.found.concerns.get(photo.key)
        caption = photo.person or photo.path.name if named else f"photo {at + 1}"
        return Face(
            photo.key,
            pictures.of(photo),
            f"{at + 1} · excluded" if photo.excluded else caption,
            warning="" if concern is None else concern.sentence,
            accessible=_spoken(photo, caption, concern),
            file=photo.path.name,
        )

    return [face(at) for at in range(len(rows))]


def _spoken(photo: FacePhoto, caption: str, concern: Concern | None) -> str:
    parts = [caption, photo.path.name, "excluded from training" if photo.excluded else ""]
    parts.append("" if concern is None else f"{concern.title}. {concern.sentence}")
    return ", ".join(part for part in parts if part)
