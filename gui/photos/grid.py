"""Grid of the photographs in an import, each with its face."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QAbstractItemView, QWidget

from eigenfaces.faces.face_choice import EVERY_FACE
from eigenfaces.faces.face_set import crop_hash
from eigenfaces.importing.correct import ReviewReading
from eigenfaces.importing.entries import Entry
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from ..style.images import face_image, rounded
from ..style.painting import paint_no_picture
from ..widgets.box_layouts import in_column
from ..widgets.cards import Banner, Shrinkable
from ..widgets.controls import Fold, Segmented
from ..widgets.face_list import FaceGrid, FaceItem
from ..widgets.flow import FlowLayout
from ..widgets.labels import label
from ..widgets.photo_view import BRIGHT_COLOUR, face_box_path, paint_haloed

ALL, TO_LOOK_AT = range(2)
_WORDS = ("All", "To review")
_EMPTY = ("All photos have been left out.", "There is nothing to review.")
_STATES = {
    "waiting": "Not checked yet",
    "replaced": "Replaces an earlier version",
    "known": "Already in the gallery",
    "left out": "Left out",
}

TILE = QSize(172, 88)
_SHARP = 2  # drawn at this multiple of its size, for high-density screens
_PHOTO, _FACE = QRectF(0, 0, 96, 88), QRectF(100, 0, 72, 88)
_FAINT, _WHITE = 0.35, QColor("#FFFFFF")


def draw_tile(entry: Entry) -> QImage:
    """Draw the tile of an entry: its photograph with face boxes, and the chosen face."""
    image = QImage(TILE * _SHARP, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.scale(_SHARP, _SHARP)
    painter.setOpacity(_FAINT if entry.state == "left out" else 1.0)
    reading, thumbnail, crop = entry.reading, None, None
    if reading is not None:
        thumbnail = QImage.fromData(reading.thumbnail) if reading.thumbnail else None
        crop = as_grey(reading.crops[0]) if reading.choice is EVERY_FACE else reading.crop
    face = None if crop is None else face_image(crop_hash(crop), crop)
    place = _draw_picture(painter, thumbnail, _PHOTO)
    if reading is not None and thumbnail is not None:
        _draw_faces(painter, reading, place, unsure=entry.state == "choice")
    _draw_picture(painter, face, _FACE)
    painter.end()
    return image


def _draw_faces(painter: QPainter, reading: ReviewReading, place: QRectF, *, unsure: bool) -> None:
    """Draw a square around each face, as a light line on top of a dark one."""
    target, several = reading.eyes, reading.several
    scale = place.width() / max(reading.size[1], 1)
    painter.save()
    painter.setClipRect(place)
    painter.translate(place.topLeft())
    width = 1.4 * _SHARP  # in pixels of the picture, not the screen
    for face in reading.faces if several or target is None else ():
        if face.eyes != target:
            paint_haloed(painter, face_box_path(face.eyes.scaled(scale)), width, _WHITE, (3, 2))
    if target is not None:
        colour, dashes = BRIGHT_COLOUR if several else _WHITE, (3, 2) if unsure else ()
        paint_haloed(painter, face_box_path(target.scaled(scale)), width, colour, dashes)
    painter.restore()


def _draw_picture(painter: QPainter, image: QImage | None, room: QRectF) -> QRectF:
    """Draw a picture with rounded corners at the centre of ``room``, and return its rectangle."""
    if image is None:
        paint_no_picture(painter, room, 5, icon="")
        return room
    image = rounded(image, room.size().toSize(), _SHARP, 5, fill=False)
    place = QRectF(QPointF(), image.size().toSizeF() / _SHARP)
    place.moveCenter(room.center())
    painter.drawImage(place, image)
    return place


class PhotoBrowser(Shrinkable):
    """Browser that shows all photographs in an import, or only those that need attention.

    Photographs left out are folded away. ``guessed`` is a banner that `ReviewPanel` fills in.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.filter = Segmented(_WORDS, name="Show")
        self.left_out = Fold("Left out")
        self.photos = FaceGrid("Photos", TILE, subcaption=True, widest=1)
        # Nothing is dragged from here, so that a drag can select several photographs.
        self.photos.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.guessed = Banner(tone="accent", dismissible=False)
        self.empty = label("", "secondary", wrap=True)
        self._entries: Sequence[Entry] = []
        self._faces: dict[str, tuple[Entry, FaceItem]] = {}
        filters, line = QWidget(), FlowLayout()
        line.add(self.filter, self.left_out)
        filters.setLayout(line)
        in_column(self.guessed, filters, self.empty, (self.photos, 1), inside=self, spacing=8)
        self.guessed.hide()
        self.filter.changed.connect(self._filter)
        self.left_out.toggled.connect(self._unfold)
        self.photos.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show the current state of the photographs, and how many of them pass each filter."""
        self._entries = entries
        left_out = sum(entry.state == "left out" for entry in entries)
        needing = sum(entry.urgency > 0 for entry in entries if entry.state != "left out")
        for at, number in enumerate((len(entries) - left_out, needing)):
            self.filter.buttons[at].setText(f"{_WORDS[at]} {number:,}")
        self.left_out.setText(f"Left out {left_out:,}")
        self.left_out.setVisible(left_out > 0)
        # A photograph being corrected stays under its filter until another one is selected.
        self._refresh(self.photos.selected_keys())

    def selected(self) -> list[str]:
        """Return the keys of the selected photographs, with the current photograph first."""
        keys = self.photos.selected_keys()
        current = self.photos.currentIndex()
        if current.isValid() and (key := self.photos.faces.keys[current.row()]) in keys:
            return [key, *(other for other in keys if other != key)]
        return keys

    def select(self, key: str) -> None:
        """Select one photograph and show it, even if the current filter hides it."""
        if not self.photos.faces.index_of(key).isValid():
            self.filter.set_current(ALL)
        if not self.photos.faces.index_of(key).isValid():
            self.left_out.setChecked(True)
        self.photos.select(key)

    def select_next(self) -> None:
        """Select the photograph after the current one."""
        keys = self.photos.faces.keys
        self.photos.select(keys[min(self.photos.currentIndex().row() + 1, len(keys) - 1)])

    def visible_keys(self) -> list[str]:
        """Return the keys of the photographs that are shown."""
        return self.photos.faces.keys

    def _filter(self) -> None:
        self._refresh(())
        self.photos.setFocus()  # for Enter and the letters
        self.chosen.emit()  # Qt emits nothing when the filter leaves nothing

    def _unfold(self, unfolded: bool) -> None:
        self._filter()
        first = next((entry.key for entry in self._entries if entry.state == "left out"), "")
        if unfolded:  # may be below thousands of others
            self.photos.scrollTo(self.photos.faces.index_of(first))

    def _refresh(self, also: Collection[str]) -> None:
        needs_you, unfolded = self.filter.current == TO_LOOK_AT, self.left_out.isChecked()

        def is_shown(entry: Entry) -> bool:
            listed = unfolded if entry.state == "left out" else not needs_you or entry.urgency > 0
            return listed or entry.key in also

        rows = list(filter(is_shown, self._entries))
        rows.sort(key=lambda e: (e.state == "left out", e.urgency if needs_you else 0))
        row = self.photos.currentIndex().row()
        for entry in rows:  # keep the picture of an entry that has not changed
            if self._faces.get(entry.key, (None, None))[0] != entry:
                self._faces[entry.key] = entry, _face_of(entry)
        self.photos.show_faces([self._faces[entry.key][1] for entry in rows])
        self.empty.setText(_EMPTY[self.filter.current])
        self.empty.setVisible(not rows and bool(self._entries))
        self.photos.setVisible(bool(rows))
        if rows and not self.photos.selected_keys():  # the selected one is under another filter
            self.photos.select(rows[min(max(row, 0), len(rows) - 1)].key)


def _face_of(entry: Entry) -> FaceItem:
    concern = entry.concerns[0] if entry.needs_attention else None
    person = entry.photo.person
    words = _STATES.get(entry.state, person or "Nobody is named")
    if entry.guessed:
        words = f"{person}?"
    elif concern is not None:
        words = concern.title
    elif entry.reading is not None and entry.reading.choice is EVERY_FACE:
        words = f"{count(len(entry.reading.faces), 'face')}, nobody named"
    file, warning = entry.photo.path.name, concern.reason if concern else ""
    return FaceItem(entry.key, partial(draw_tile, entry), file, words, warning=warning, file=file)
