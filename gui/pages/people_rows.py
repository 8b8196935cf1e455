"""What the People page lists: who is there, how many photographs, and what needs attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter

from eigenfaces.faces import FacePhoto
from eigenfaces.gallery import Gallery
from gui.face_list import Face
from gui.images import grey_image

ATTENTION, UNKNOWN = "\0attention", "\0unknown"
"""Keys of the two rows above the people; no name can begin like this."""

STANDS_OUT = 1.5
"""A photograph this many times the person's median distance from their mean stands out."""

_FADED = 90  # of 255: how much is left of the picture of an excluded photograph
_SHAKY = 3  # among fewer photographs every distance is as good as the other

Kind = Literal["gone", "outlier", "single"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Concern:
    """Why a photograph needs attention: in two or three words, and as a sentence."""

    kind: Kind
    title: str
    sentence: str


@dataclass(frozen=True, eq=False)
class Overview:
    """A gallery sorted for this page.

    ``rows`` holds the rows of everybody in order of first appearance (None: of nobody named),
    ``places`` the row of every photograph by key, ``concerns`` what needs attention by key.
    """

    rows: dict[str | None, list[int]]
    places: dict[str, int]
    concerns: dict[str, Concern]

    @property
    def people(self) -> list[str]:
        """Everybody with a name."""
        return [person for person in self.rows if person is not None]

    @property
    def concerned(self) -> list[int]:
        """The rows that need attention: files that are gone, then outliers, then single ones."""
        order: list[Kind] = ["gone", "outlier", "single"]
        ranked = sorted(self.concerns, key=lambda key: order.index(self.concerns[key].kind))
        return [self.places[key] for key in ranked]


def overview(gallery: Gallery, gone: frozenset[str]) -> Overview:
    """Sort a gallery; ``gone`` are the keys of photographs whose file is not where it was."""
    rows: dict[str | None, list[int]] = {}
    for row, photo in enumerate(gallery.faces.photos):
        rows.setdefault(photo.person, []).append(row)
    places = {photo.key: row for row, photo in enumerate(gallery.faces.photos)}
    concerns = _inconsistent(gallery, rows)
    concerns |= {
        key: _gone_from_disk(gallery.faces.photos[places[key]]) for key in gone if key in places
    }
    return Overview(rows, places, concerns)


def stands_out(distances: Floats) -> set[int]:
    """Give the places of those more than 1.5 times the median distance away."""
    if len(distances) < _SHAKY:
        return set()
    return set(np.flatnonzero(distances > STANDS_OUT * np.median(distances)).tolist())


def _inconsistent(gallery: Gallery, rows: dict[str | None, list[int]]) -> dict[str, Concern]:
    photos = gallery.faces.photos
    found: dict[str, Concern] = {}
    for person, own in rows.items():
        if person is None:
            continue
        if len(own) == 1:
            found[photos[own[0]].key] = Concern(
                "single",
                "The only photo",
                f"It is the only photo of {person}: a second one shows whether the two agree.",
            )
        elif gallery.training is not None and len(own) >= _SHAKY:
            distances = _to_mean(gallery.training.coordinates[own, : gallery.k])
            for place in stands_out(distances):
                photo = photos[own[place]]
                if not photo.excluded:
                    found[photo.key] = _outlier(person, distances, place)
    return found


def _to_mean(coordinates: NDArray[np.float32]) -> Floats:
    # The same as recognition.consistency, which looks for the person's rows each time.
    exact = coordinates.astype(np.float64)
    return np.linalg.norm(exact - exact.mean(axis=0), axis=1)


def _outlier(person: str, distances: Floats, place: int) -> Concern:
    times = distances[place] / np.median(distances)
    return Concern(
        "outlier",
        "Stands out",
        f"It is {times:.1f} times as far from the mean of {person} as the middle one of their "
        "photos. Is it somebody else?",
    )


def _gone_from_disk(photo: FacePhoto) -> Concern:
    return Concern(
        "gone",
        "Gone from disk",
        f"“{photo.path.name}” is no longer in its folder. Its face is kept in the gallery; put "
        "the file back to be able to cut it anew.",
    )


def gone_from_disk(photos: Sequence[FacePhoto], tick: Callable[[int, int], None]) -> frozenset[str]:
    """Look for every photograph's file; return the keys of those that are not there."""
    gone = set()
    for done, photo in enumerate(photos):
        tick(done, len(photos))
        if not _is_there(photo.path):
            gone.add(photo.key)
    return frozenset(gone)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder that may not be entered
        return False


class Pictures:
    """Pictures of faces by key: the same key gives the same object, so lists draw it once."""

    def __init__(self) -> None:
        self._gallery = Gallery.new()
        self._places: dict[str, int] = {}
        self._made: dict[tuple[str, bool], Callable[[], QImage]] = {}

    def show(self, gallery: Gallery, places: dict[str, int]) -> None:
        """Go over to another state of the gallery."""
        if gallery.preparation != self._gallery.preparation:
            self._made.clear()
        self._gallery, self._places = gallery, places

    def of(self, photo: FacePhoto) -> Callable[[], QImage]:
        """Give what draws a photograph's face once it is seen."""
        wanted = (photo.key, photo.excluded)
        if wanted not in self._made:
            self._made[wanted] = partial(self._draw, *wanted)
        return self._made[wanted]

    def _draw(self, key: str, faded: bool) -> QImage:
        row = self._places.get(key)
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
    made.convertTo(QImage.Format.Format_ARGB32_Premultiplied, Qt.ImageConversionFlag.AutoColor)
    return made


def count(number: int, noun: str = "photo") -> str:
    """Say how many: “1 photo”, “2 photos”, “1 person”, “2 people”."""
    plural = "people" if noun == "person" else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def person_faces(gallery: Gallery, seen: Overview, pictures: Pictures, words: str) -> list[Face]:
    """Make the rows of the list at the left, filtered by words."""
    photos = gallery.faces.photos
    faces = []
    for person in seen.people:
        rows = seen.rows[person]
        if not _fits(words, person, [photos[row] for row in rows]):
            continue
        concerns = [seen.concerns[photos[row].key] for row in rows if photos[row].key in seen.concerns]
        face = Face(
            person,
            pictures.of(photos[rows[0]]),
            person,
            count(len(rows)),
            warning="" if not concerns else _in_short(concerns),
        )
        faces.append(face)
    return _special_faces(gallery, seen, pictures) * (not words) + faces


def _in_short(concerns: list[Concern]) -> str:
    if len(concerns) == 1:
        return f"1 photo needs attention: {concerns[0].title[0].lower()}{concerns[0].title[1:]}."
    return f"{len(concerns)} photos need attention."


def _special_faces(gallery: Gallery, seen: Overview, pictures: Pictures) -> list[Face]:
    rows = [
        (ATTENTION, "Needs attention", seen.concerned),
        (UNKNOWN, "Unknown", seen.rows.get(None, [])),
    ]
    photos = gallery.faces.photos
    return [
        Face(key, pictures.of(photos[own[0]]), title, count(len(own)))
        for key, title, own in rows
        if own
    ]


def _fits(words: str, person: str, photos: list[FacePhoto]) -> bool:
    wanted = words.strip().casefold()
    in_name = wanted in person.casefold()
    return in_name or any(wanted in photo.path.name.casefold() for photo in photos)


def photo_faces(
    gallery: Gallery, seen: Overview, pictures: Pictures, rows: list[int], named: bool
) -> list[Face]:
    """Make the grid of photographs, numbered; ``named``: with the person in the caption."""
    faces = []
    for number, row in enumerate(rows, 1):
        photo = gallery.faces.photos[row]
        concern = seen.concerns.get(photo.key)
        caption = f"{photo.person or photo.path.name}" if named else f"photo {number}"
        face = Face(
            photo.key,
            pictures.of(photo),
            f"{caption} · excluded" if photo.excluded else caption,
            warning="" if concern is None else concern.sentence,
            accessible=_spoken(photo, caption, concern),
        )
        faces.append(face)
    return faces


def _spoken(photo: FacePhoto, caption: str, concern: Concern | None) -> str:
    parts = [caption, photo.path.name, "excluded from training" if photo.excluded else ""]
    parts.append("" if concern is None else f"{concern.title}. {concern.sentence}")
    return ", ".join(part for part in parts if part)
