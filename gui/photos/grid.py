"""The photographs of an import, each with its face: all, or those that need a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
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
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from gui.style import theme
from gui.style.images import grey_image, rounded
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.controls import LinkButton, Segmented
from gui.widgets.face_list import Face, FaceGrid
from gui.widgets.painted import clamped, paint_no_picture
from gui.widgets.photo_view import draw_badge, outline, stroke
from gui.widgets.words import label

ALL, NEEDS_YOU = range(2)
_WORDS = ("All", "Needs you")
_NOTHING = ("", "Nothing needs you any more.")
_SAID = {
    "waiting": "Not looked at yet",
    "replaced": "Replaces an earlier version",
    "known": "In the gallery already",
    "left out": "Left out",
}

TILE = QSize(172, 88)
_SHARP = 2  # drawn at this multiple of its size, for high-density screens
_PHOTO = QRectF(0, 0, 96, 88)
_FACE = QRectF(100, 0, 72, 88)
TICK = QRect(152, 2, 18, 18)
"""Where the tick of a guess is, in the picture."""
_FAINT = 0.35
_BADGE = 12.0
_NUMBERED = 9  # by keys


@dataclass(frozen=True)
class Tile:
    """A picture for the list, drawn when it is first shown."""

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
        self._draw_photo(painter)
        self._draw_face(painter)
        if self.tick is not None:
            _draw_tick(painter, ticked=self.tick)
        painter.end()
        return image

    def _draw_photo(self, painter: QPainter) -> None:
        if self.reading is None or not self.reading.thumbnail:
            paint_no_picture(painter, _PHOTO, 5, icon="")
            return
        place = _draw_picture(painter, QImage.fromData(self.reading.thumbnail), _PHOTO)
        scale = place.width() / max(self.reading.size[1], 1)
        meant, faces = self.reading.eyes, [face.eyes for face in self.reading.faces]
        several = self.reading.crops is not None
        for eyes in faces if several or meant is None else ():
            if eyes != meant:
                _draw_box(painter, eyes.scaled(scale), place, sure=False)
        if meant is not None:
            colour = theme.DARK.accent if several else "#FFFFFF"
            _draw_box(painter, meant.scaled(scale), place, sure=not self.unsure, colour=colour)
        for number, eyes in enumerate(faces[:_NUMBERED] if several else (), start=1):
            _draw_number(painter, number, eyes.scaled(scale), place, meant=eyes == meant)

    def _draw_face(self, painter: QPainter) -> None:
        crop = self.reading.crop if self.reading else None
        if self.reading and self.reading.choice is EVERY:
            crop = as_grey(self.reading.every_crop[0])
        if crop is None:
            paint_no_picture(painter, _FACE, 5, icon="")
        else:
            _draw_picture(painter, grey_image(crop), _FACE)


def _draw_picture(painter: QPainter, image: QImage, room: QRectF) -> QRectF:
    """Draw a picture with round corners in the middle of a rectangle; return its place."""
    drawn = rounded(image, room.size().toSize(), _SHARP, 5, fill=False)
    place = QRectF(QPointF(), drawn.size().toSizeF() / _SHARP)
    place.moveCenter(room.center())
    painter.drawImage(place, drawn)
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


def _draw_box(
    painter: QPainter, eyes: Eyes, place: QRectF, *, sure: bool, colour: str = "#FFFFFF"
) -> None:
    """Draw the tilted square of a face, light on dark: visible on any photograph."""
    painter.save()
    painter.setClipRect(place)
    painter.translate(place.topLeft())
    width = 1.4 * _SHARP  # of the picture, not of the screen
    stroke(painter, outline(eyes), width, QColor(colour), () if sure else (3, 2))
    painter.restore()


def _draw_number(painter: QPainter, number: int, eyes: Eyes, place: QRectF, *, meant: bool) -> None:
    """Draw the number of a face at the corner of its box, as the keys 1–9 choose it."""
    left, top, _ = eyes.box
    badge = QRectF(0, 0, _BADGE, _BADGE)
    badge.moveCenter(place.topLeft() + QPointF(left, top))
    draw_badge(painter, clamped(badge, place), number, chosen=meant)


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
            self.filter.set_text(at, f"{_WORDS[at]} {number:,}")
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

    def shown(self) -> list[str]:
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
        out = [entry.key for entry in self._entries if self._is_left_out(entry)]
        if unfolded and out:
            self.photos.select(out[0])  # they come after the others: this shows them

    def _refresh(self, kept: Sequence[str]) -> None:
        rows = list[tuple[int, Entry]]()
        for entry in self._entries:
            order, out = self._order(entry), self._is_left_out(entry)
            shown = order > 0 if self.filter.current == NEEDS_YOU else not out
            unfolded = out and self.fold.isChecked()
            if shown or entry.key in kept or unfolded:
                rows.append((6 * unfolded + order * (self.filter.current == NEEDS_YOU), entry))
        rows.sort(key=lambda each: each[0])
        row = self.photos.currentIndex().row()
        keys = [entry.key for _, entry in rows]
        self.photos.show_faces([self._face(entry) for _, entry in rows])
        self.empty.setText(_NOTHING[self.filter.current])
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
            space.activated.connect(lambda: self._toggle_at(self.currentIndex()))

    def tick_at(self, key: str) -> QRect:
        """Return where the tick of a photograph is, in pixels of the list."""
        cell = self.visualRect(self.faces.index_of(key))
        return TICK.translated(self.cells.picture_rect(cell).topLeft())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        index = self.indexAt(at)
        if self._toggle and index.isValid():
            face = self.faces.face(index)
            has_tick = isinstance(face.image, Tile) and face.image.tick is not None
            if has_tick and self.tick_at(face.key).contains(at):
                self._toggle_at(index)
                return
        super().mousePressEvent(event)

    def _toggle_at(self, index: QModelIndex) -> None:
        if self._toggle and index.isValid():
            self._toggle(self.faces.keys[index.row()])


def _face_of(entry: Entry, *, ticks: bool) -> Face:
    concern = entry.concerns[0] if entry.needs_attention else None
    words = _SAID.get(entry.state, entry.photo.person or "Nobody is named on it")
    warned, tick = concern is not None, None
    if entry.guessed:
        words = f"{entry.photo.person}?"
        if ticks:
            words, warned, tick = entry.guess_words, False, not entry.left_open
    elif ticks and entry.decided:
        words = entry.photo.person or "Nobody is named on it"
    elif concern is not None:
        words = concern.title
    elif entry.reading is not None and entry.reading.choice is EVERY:
        words = f"{count(len(entry.reading.faces), 'face')}, nobody named"
    file = entry.photo.path.name
    return Face(
        entry.key,
        Tile(entry.reading, entry.state == "left out", entry.state == "choice", tick),
        file,
        words,
        warning=concern.reason if concern is not None and warned else "",
        file=file,
    )
