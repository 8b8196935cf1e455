"""The photographs of an import, each with its face: all, or those that need a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractItemView

from eigenfaces.faces.face_choice import EVERY
from eigenfaces.importing.correct import ReviewReading
from eigenfaces.importing.entries import Entry
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from gui.style import theme
from gui.style.images import grey_image, rounded
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.controls import LinkButton, Segmented
from gui.widgets.face_list import Face, FaceGrid
from gui.widgets.painted import clamped, paint_no_picture
from gui.widgets.photo_view import BRIGHT, draw_badge, outline, stroke
from gui.widgets.words import label

ALL, NEEDS_YOU = range(2)
_WORDS = ("All", "Needs you")
_EMPTY = ("", "Nothing needs you now.")
_STATES = {
    "waiting": "Not looked at yet",
    "replaced": "Replaces an earlier version",
    "known": "In the gallery already",
    "left out": "Left out",
}

TILE = QSize(172, 88)
TICK = QRect(152, 2, 18, 18)
"""Where the tick of a guess is, in the picture."""
_SHARP = 2  # drawn at this multiple of its size, for high-density screens
_PHOTO, _FACE = QRectF(0, 0, 96, 88), QRectF(100, 0, 72, 88)
_FAINT, _WHITE = 0.35, QColor("#FFFFFF")
_BADGE = 12.0
_NUMBERED = 9  # by keys


@dataclass(frozen=True)
class Tile:
    """A picture for the list: the photograph with its faces, and the face; drawn when called."""

    reading: ReviewReading | None
    faint: bool = False
    unsure: bool = False
    tick: bool | None = None

    def __call__(self) -> QImage:
        image = QImage(TILE * _SHARP, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.scale(_SHARP, _SHARP)
        painter.setOpacity(_FAINT if self.faint else 1.0)
        reading, thumbnail, crop = self.reading, None, None
        if reading is not None:
            thumbnail = QImage.fromData(reading.thumbnail) if reading.thumbnail else None
            every = reading.choice is EVERY
            crop = as_grey(reading.every_crop[0]) if every else reading.crop
        place = _draw_picture(painter, thumbnail, _PHOTO)
        if reading is not None and thumbnail is not None:
            self._draw_faces(painter, reading, place)
        _draw_picture(painter, None if crop is None else grey_image(crop), _FACE)
        if self.tick is not None:
            _draw_tick(painter, ticked=self.tick)
        painter.end()
        return image

    def _draw_faces(self, painter: QPainter, reading: ReviewReading, place: QRectF) -> None:
        """Draw a square around each face, light on dark; several with the numbers of their keys."""
        target, several = reading.eyes, reading.crops is not None
        faces = [face.eyes for face in reading.faces]
        scale = place.width() / max(reading.size[1], 1)
        painter.save()
        painter.setClipRect(place)
        painter.translate(place.topLeft())
        width = 1.4 * _SHARP  # of the picture, not of the screen
        for eyes in faces if several or target is None else ():
            if eyes != target:
                stroke(painter, outline(eyes.scaled(scale)), width, _WHITE, (3, 2))
        if target is not None:
            colour, dashes = BRIGHT if several else _WHITE, (3, 2) if self.unsure else ()
            stroke(painter, outline(target.scaled(scale)), width, colour, dashes)
        painter.restore()
        for number, eyes in enumerate(faces[:_NUMBERED] if several else (), start=1):
            left, top, _ = eyes.scaled(scale).box
            badge = QRectF(0, 0, _BADGE, _BADGE)
            badge.moveCenter(place.topLeft() + QPointF(left, top))
            draw_badge(painter, clamped(badge, place), number, chosen=eyes == target)


def _draw_picture(painter: QPainter, image: QImage | None, room: QRectF) -> QRectF:
    """Draw a picture with round corners in the middle of a rectangle; return its place."""
    if image is None:
        paint_no_picture(painter, room, 5, icon="")
        return room
    image = rounded(image, room.size().toSize(), _SHARP, 5, fill=False)
    place = QRectF(QPointF(), image.size().toSizeF() / _SHARP)
    place.moveCenter(room.center())
    painter.drawImage(place, image)
    return place


def _draw_tick(painter: QPainter, *, ticked: bool) -> None:
    """Draw the box of a guess that is to be confirmed, or that is left open."""
    look = theme.tokens()
    painter.setPen(QPen(QColor(look.accent if ticked else look.secondary), 1.4))
    painter.setBrush(QColor(look.accent if ticked else look.surface))
    painter.drawRoundedRect(QRectF(TICK).adjusted(1, 1, -1, -1), 4, 4)
    if ticked:
        painter.setPen(QPen(QColor(look.surface), 2))
        corner = QPointF(TICK.topLeft())
        painter.drawPolyline([corner + QPointF(x, y) for x, y in ((5, 9.5), (8, 12.5), (13, 6))])


class PhotoGrid(Shrinkable):
    """All photographs, or those that need a person; below, what is left out can be unfolded.

    ``waiting``: they have waited since an earlier import: guesses have ticks, and all that is not
    decided needs a person. ``guessed``: what the panel says of guesses.
    """

    chosen = Signal()
    ticked = Signal(str)

    def __init__(self, *, waiting: bool) -> None:
        super().__init__()
        self.waiting = waiting
        self.filter = Segmented(_WORDS, name="Show")
        self.photos = _Tiles(self.ticked.emit if waiting else None)
        # Nothing is dragged from here: several are selected by drawing a frame around them.
        self.photos.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.guessed = Banner(tone="accent", dismissible=False)
        self.empty = label("", "secondary", wrap=True)
        self.fold = LinkButton("")
        self.fold.setCheckable(True)
        self._entries: Sequence[Entry] = []
        self._faces: dict[str, tuple[Entry, Face]] = {}
        line, below = in_row(self.filter, STRETCH), in_row(self.fold, STRETCH)
        parts = (self.guessed, line, self.empty, (self.photos, 1), below)
        in_column(*parts, inside=self, spacing=8)
        self.guessed.hide()
        self.filter.changed.connect(self._filter)
        self.fold.toggled.connect(self._unfold)
        self.photos.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show the photographs as they are now, with the number of them under each filter."""
        self._entries = entries
        out = sum(map(self._is_left_out, entries))
        numbers = len(entries) - out, sum(self._order(entry) > 0 for entry in entries)
        for at, number in enumerate(numbers):
            self.filter.buttons[at].setText(f"{_WORDS[at]} {number:,}")
        self.fold.setVisible(out > 0)
        self.fold.setText(f"{'▾' if self.fold.isChecked() else '▸'} {out:,} left out")
        # A photograph being corrected stays under its filter until another one is selected.
        self._refresh(self.photos.selected_keys())

    def selected(self) -> list[str]:
        """Return the keys of the selected photographs; the current one is the first of them."""
        keys = self.photos.selected_keys()
        current = self.photos.currentIndex()
        if current.isValid() and (key := self.photos.faces.keys[current.row()]) in keys:
            return [key, *(other for other in keys if other != key)]
        return keys

    def select(self, key: str) -> None:
        """Select one photograph and show it, wherever it is."""
        if not self.photos.faces.index_of(key).isValid():
            self.filter.set_current(ALL)
        if not self.photos.faces.index_of(key).isValid():
            self.fold.setChecked(True)
        self.photos.select(key)

    def step(self, by: int) -> None:
        """Select the next photograph, or the one before."""
        keys = self.photos.faces.keys
        row = min(max(self.photos.currentIndex().row() + by, 0), len(keys) - 1)
        if keys:
            self.photos.select(keys[row])

    def visible_keys(self) -> list[str]:
        """Return the keys of the photographs shown."""
        return self.photos.faces.keys

    def _is_left_out(self, entry: Entry) -> bool:
        decided = not self.waiting or entry.by_hand or entry.first is not None
        return entry.state == "left out" and decided

    def _order(self, entry: Entry) -> int:
        if self._is_left_out(entry) or (self.waiting and entry.decided):
            return 0
        return entry.order or 5 * self.waiting

    def _filter(self) -> None:
        self._refresh(())
        self.photos.setFocus()  # for Enter and the letters
        self.chosen.emit()  # Qt emits nothing when the filter leaves nothing

    def _unfold(self, unfolded: bool) -> None:
        self.show_entries(self._entries)
        first = next(filter(self._is_left_out, self._entries), None)
        if unfolded and first is not None:
            self.photos.select(first.key)  # they come after the others: this shows them

    def _refresh(self, also: Collection[str]) -> None:
        rows, needs_you = list[tuple[int, Entry]](), self.filter.current == NEEDS_YOU
        for entry in self._entries:
            order, out = self._order(entry), self._is_left_out(entry)
            unfolded = out and self.fold.isChecked()
            if unfolded or entry.key in also or (order > 0 if needs_you else not out):
                rows.append((6 * unfolded + order * needs_you, entry))
        rows.sort(key=lambda row: row[0])
        row = self.photos.currentIndex().row()
        keys = [entry.key for _, entry in rows]
        for _, entry in rows:  # the same picture again while nothing has changed
            if self._faces.get(entry.key, (None, None))[0] is not entry:
                self._faces[entry.key] = entry, _face_of(entry, ticks=self.waiting)
        self.photos.show_faces([self._faces[key][1] for key in keys])
        self.empty.setText(_EMPTY[self.filter.current])
        self.empty.setVisible(not rows)
        self.photos.setVisible(bool(rows))
        if rows and not self.photos.selected_keys():  # the selected one is under another filter
            self.photos.select(keys[min(max(row, 0), len(keys) - 1)])

    def _face(self, entry: Entry) -> Face:
        """Return the face for the list; the same picture again while nothing has changed."""
        last, face = self._faces.get(entry.key, (None, None))
        if last != entry or face is None:
            face = _face_of(entry, ticks=self.waiting)
            self._faces[entry.key] = entry, face
        return face


class _Tiles(FaceGrid):
    """Tiles of one width, however long the names are; a click on a tick toggles it."""

    def __init__(self, toggle: Callable[[str], object] | None) -> None:
        super().__init__("Photographs", TILE, subcaption=True, widest=1)
        self._toggle = toggle
        if toggle is not None:
            space = QShortcut(QKeySequence(Qt.Key.Key_Space), self)
            space.setContext(Qt.ShortcutContext.WidgetShortcut)
            space.activated.connect(lambda: toggle(self.faces.face(self.currentIndex()).key))

    def tick_at(self, key: str) -> QRect:
        """Return where the tick of a photograph is, in pixels of the list."""
        cell = self.visualRect(self.faces.index_of(key))
        return TICK.translated(self.cells.picture_rect(cell).topLeft())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        face = self.faces.face(index) if index.isValid() else None
        has_tick = face and isinstance(face.image, Tile) and face.image.tick is not None
        if self._toggle and face and has_tick and self.tick_at(face.key).contains(place):
            self._toggle(face.key)
        else:
            super().mousePressEvent(event)


def _face_of(entry: Entry, *, ticks: bool) -> Face:
    concern = entry.concerns[0] if entry.needs_attention else None
    person = entry.photo.person
    words, tick = _STATES.get(entry.state, person or "Nobody is named on it"), None
    warning = concern.reason if concern is not None else ""
    if entry.guessed:
        words = f"{person}?"
        if ticks:
            words, warning, tick = entry.guess_words, "", not entry.left_open
    elif ticks and entry.decided:
        words = person or "Nobody is named on it"
    elif concern is not None:
        words = concern.title
    elif entry.reading is not None and entry.reading.choice is EVERY:
        words = f"{count(len(entry.reading.faces), 'face')}, nobody named"
    file = entry.photo.path.name
    picture = Tile(entry.reading, entry.state == "left out", entry.state == "choice", tick)
    return Face(entry.key, picture, file, words, warning=warning, file=file)
