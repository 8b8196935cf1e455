"""The faces in the lists of the People page: people, photographs, and their pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtGui import QColor, QImage, QPainter

from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import Attention, PeopleOverview
from gui.style.images import grey_image
from gui.widgets.face_model import Face, FacesOnDemand

ATTENTION, UNKNOWN = "\0attention", "\0unknown"
"""Keys of the rows above the people; no name can begin like this."""

GROUPS = {ATTENTION: "Needs attention", UNKNOWN: "Unknown"}
"""What they are called."""

Groups = Mapping[str, list[int]]
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
    gallery: Gallery, seen: PeopleOverview, pictures: Pictures, words: str, special: Groups
) -> FacesOnDemand:
    """Return the rows of the list of people, filtered by words.

    ``special``: the rows of the gallery in each group above the people.
    """
    photos, groups = gallery.index.photos, {key: rows for key, rows in special.items() if rows}
    fitting = gallery.index.people_like(words) if words else gallery.index.people
    keys = [*(groups if not words else ()), *fitting]

    def face(at: int) -> Face:
        key = keys[at]
        rows, concerns = groups.get(key), list[Attention]()
        if rows is None:
            rows = gallery.index.rows_by_person[key]
            concerns = seen.of_rows(rows)
        first = next((row for row in rows if not photos[row].excluded), rows[0])
        return Face(
            key,
            pictures.of(photos[first]),
            GROUPS.get(key, key),
            gallery.index.words_of(rows),
            warning="" if not concerns else _in_short(concerns),
        )

    return FacesOnDemand(keys, face)


def _in_short(concerns: list[Attention]) -> str:
    if len(concerns) == 1:
        return f"1 photo needs attention: {concerns[0].title[0].lower()}{concerns[0].title[1:]}."
    return f"{len(concerns)} photos need attention."


def photo_faces(
    gallery: Gallery, seen: PeopleOverview, pictures: Pictures, rows: list[int], named: bool
) -> FacesOnDemand:
    """Return the numbered faces of the grid; ``named``: with the person in the caption."""
    photos = gallery.index.photos

    def face(at: int) -> Face:
        photo = photos[rows[at]]
        concern = seen.concerns.get(photo.key)
        caption = f"{photo.person or photo.path.name}" if named else f"photo {at + 1}"
        return Face(
            photo.key,
            pictures.of(photo),
            f"{at + 1} · excluded" if photo.excluded else caption,
            warning="" if concern is None else concern.sentence,
            accessible=_spoken(photo, caption, concern),
        )

    return FacesOnDemand([photos[row].key for row in rows], face)


def _spoken(photo: FacePhoto, caption: str, concern: Attention | None) -> str:
    parts = [caption, photo.path.name, "excluded from training" if photo.excluded else ""]
    parts.append("" if concern is None else f"{concern.title}. {concern.sentence}")
    return ", ".join(part for part in parts if part)
