"""The photographs of an import, each with its face: all, or those that need a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout

from eigenfaces.faces.choose import EVERY
from eigenfaces.importing.correct import IncomingPhoto
from eigenfaces.importing.entries import Entry
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import in_column
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.controls import Segmented
from gui.widgets.face_list import Face, FaceGrid
from gui.widgets.photo_view import draw_badge
from gui.widgets.text_table import TextTable
from gui.widgets.words import label

ALL, GUESSES, ATTENTION, LEFT_OUT, SEVERAL, NO_FACE, OTHERS, DECIDED, NO_MORE = range(9)

EMPTY = {
    ALL: "",
    GUESSES: "Nothing is a guess any more.",
    ATTENTION: "Nothing needs your attention.",
    LEFT_OUT: "Nothing is left out.",
    SEVERAL: "No photo needs the choice of a face any more.",
    NO_FACE: "No photo is without a face any more.",
    OTHERS: "Nothing else needs your attention.",
    DECIDED: "Nothing is decided yet.",
    NO_MORE: "Nothing is left out.",
}
_GROUPS = {
    ALL: ("All", "What waits is kept with the project, until you choose or leave it out."),
    GUESSES: ("Guesses", "Look, and confirm all that are ticked. Space unticks one."),
    SEVERAL: ("Several faces", "It is not sure who is meant: choose one, by click or by 1–9."),
    NO_FACE: ("No face found", "Mark the face by a box or its eyes, or leave the photo out."),
    OTHERS: ("Needs attention", "Use it all the same, put the file back, or leave it out."),
    DECIDED: ("Decided", "Your choices: they are taken when you press the blue button."),
    NO_MORE: ("Left out", "These no longer wait, and are not in the gallery."),
}


def _waits(entry: Entry) -> bool:
    return entry.state == "choice" or entry.to_compare


def _is_faceless(entry: Entry) -> bool:
    return entry.state == "choice" and entry.reading is not None and not entry.reading.faces


def _is_left_out(entry: Entry) -> bool:
    return entry.state == "left out" and (entry.by_hand or entry.first is not None)


PASSES: Mapping[int, Callable[[Entry], bool]] = {
    ALL: lambda _: True,
    GUESSES: lambda entry: entry.guessed,
    ATTENTION: lambda entry: entry.needs_attention and not entry.guessed,
    LEFT_OUT: lambda entry: entry.state == "left out",
    SEVERAL: lambda entry: _waits(entry) and not _is_faceless(entry),
    NO_FACE: _is_faceless,
    OTHERS: lambda entry: (
        not any(
            (
                entry.guessed,
                _waits(entry),
                entry.decided,
                _is_left_out(entry),
                entry.reading is None,
            )
        )
    ),
    DECIDED: lambda entry: entry.decided,
    NO_MORE: _is_left_out,
}


class Filter(Segmented):
    """A choice of filter for an import, with the number of photographs under each."""

    kinds = (ALL, GUESSES, ATTENTION, LEFT_OUT)
    _WORDS = ("All", "Guesses", "Needs attention", "Left out")

    def __init__(self) -> None:
        super().__init__(self._WORDS, name="Show")
        self._buttons[GUESSES].hide()

    def show_counts(self, counts: Mapping[int, int]) -> None:
        """Show how many photographs there are under each filter."""
        for kind, button, words in zip(self.kinds, self._buttons, self._WORDS, strict=True):
            # Beside the guesses there is no room for all the words.
            short = words.removeprefix("Needs ").capitalize() if counts[GUESSES] else words
            button.setText(f"{short} {counts[kind]:,}")
            button.setAccessibleName(f"Show: {words}, {counts[kind]:,}")
        self.set_option_enabled(GUESSES, counts[GUESSES] > 0)  # nor reached by the arrow keys
        self._buttons[GUESSES].setVisible(counts[GUESSES] > 0)


class Groups(TextTable):
    """The groups of photographs that wait, with the number in each; one is chosen."""

    changed = Signal()
    kinds = tuple(_GROUPS)

    def __init__(self) -> None:
        super().__init__("Groups", ("Waiting", ""), 0, frozenset({1}))
        self.current = ALL
        self._shown: Sequence[int] = ()
        self._quiet = False
        self.set_width(1, 56)
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.selectionModel().selectionChanged.connect(self._choose)

    @property
    def advice(self) -> str:
        """What to do with the photographs of the group shown."""
        return _GROUPS[self.current][1]

    def set_current(self, kind: int) -> None:
        """Choose a group."""
        if kind != self.current:
            self.current = kind
            self._select_current()
            self.changed.emit()

    def show_counts(self, counts: Mapping[int, int]) -> None:
        """Show the groups that are not empty, and the one that is chosen."""
        shown = [each for each in self.kinds if counts[each] or each in (ALL, self.current)]
        self._shown, self._quiet = shown, True
        self.show_rows([(_GROUPS[each][0], f"{counts[each]:,}") for each in shown])
        self._select_current()

    def _select_current(self) -> None:
        self._quiet = True
        if self.current in self._shown:
            self.select_row(self._shown.index(self.current))
        self._quiet = False

    def _choose(self) -> None:
        rows = [] if self._quiet else self.selected_rows()
        if rows and self._shown[rows[0]] != self.current:
            self.current = self._shown[rows[0]]
            self.changed.emit()


TILE = QSize(172, 88)
_SHARP = 2  # drawn at this multiple of its size, for high-density screens
_PHOTO = QRectF(0, 0, 96, 88)
_FACE = QRectF(100, 0, 72, 88)
TICK = QRect(152, 2, 18, 18)
"""Where the tick of a guess is, in the picture."""
_FAINT = 0.35
_BADGE = 12.0
_NUMBERED = 9  # by keys


@dataclass(frozen=True, eq=False)
class Tile:
    """A picture for the list, drawn when it is first shown."""

    reading: IncomingPhoto | None
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
            _draw_nothing(painter, _PHOTO)
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
            _draw_nothing(painter, _FACE)
        else:
            _draw_picture(painter, grey_image(crop), _FACE)


def _draw_picture(painter: QPainter, image: QImage, room: QRectF) -> QRectF:
    """Draw a picture with round corners in the middle of a rectangle; return its place."""
    size = image.size().toSizeF().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
    place = QRectF(QPointF(), size)
    place.moveCenter(room.center())
    painter.save()
    outline = QPainterPath()
    outline.addRoundedRect(place, 5, 5)
    painter.setClipPath(outline)
    painter.drawImage(place, image)
    painter.restore()
    return place


def _draw_nothing(painter: QPainter, room: QRectF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.tokens().neutral_soft))
    painter.drawRoundedRect(room, 5, 5)


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
    _, _, size = eyes.box
    painter.save()
    painter.setClipRect(place)
    painter.translate(place.topLeft() + QPointF(eyes.middle.real, eyes.middle.imag))
    painter.rotate(eyes.angle)
    middle = Eyes.in_box(0, 0, size).middle
    box = QRectF(-middle.real, -middle.imag, size, size)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    style = Qt.PenStyle.SolidLine if sure else Qt.PenStyle.DashLine
    for ink, width in (("#99000000", 3.0), (colour, 1.4)):
        painter.setPen(QPen(QColor(ink), width, style))
        painter.drawRoundedRect(box, 2, 2)
    painter.restore()


def _draw_number(painter: QPainter, number: int, eyes: Eyes, place: QRectF, *, meant: bool) -> None:
    """Draw the number of a face at the corner of its box, as the keys 1–9 choose it."""
    left, top, _ = eyes.box
    badge = QRectF(0, 0, _BADGE, _BADGE)
    badge.moveCenter(place.topLeft() + QPointF(left, top))
    badge.moveLeft(min(max(badge.left(), place.left()), place.right() - _BADGE))
    badge.moveTop(min(max(badge.top(), place.top()), place.bottom() - _BADGE))
    draw_badge(painter, badge, number, meant=meant)


_SAID = {
    "waiting": "Not looked at yet",
    "replaced": "Replaces an earlier version",
    "known": "In the gallery already",
    "left out": "Left out",
}


class PhotoGrid(Shrinkable):
    """The photographs under a filter with counts; one or several of them are selected.

    ``groups``: those of what waits, in place of the filters of an import; guesses then have ticks.
    ``guessed``: what the panel says of guesses.
    """

    chosen = Signal()
    ticked = Signal(str)

    def __init__(self, groups: Groups | None = None) -> None:
        super().__init__()
        self.ticks = groups is not None
        self.filter = groups or Filter()
        self.photos = _Tiles(self.ticked.emit if self.ticks else None)
        # Nothing is dragged from here: several are selected by drawing a frame around them.
        self.photos.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.guessed = Banner(tone="accent", dismissible=False)
        self.empty = label("", "secondary", wrap=True)
        self._entries: Sequence[Entry] = []
        self._faces: dict[str, tuple[Entry, Face]] = {}
        line = QHBoxLayout()
        if groups is None:
            line.addWidget(self.filter)
            line.addStretch(1)
        in_column(self.guessed, line, self.empty, (self.photos, 1), inside=self, spacing=8)
        self.guessed.hide()
        self.filter.changed.connect(self._filter)
        self.photos.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    def show_entries(self, entries: Sequence[Entry], counts: Mapping[int, int]) -> None:
        """Show the photographs as they are now, with the number of them under each filter."""
        self._entries = entries
        if not counts[GUESSES] and self.filter.current == GUESSES:
            self.filter.set_current(ALL)
        self.filter.show_counts(counts)
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
        """Select one photograph and show it, under any filter."""
        if self.photos.faces.index_of(key).isValid() or self.filter.current == ALL:
            self.photos.select(key)
        else:
            self.filter.set_current(ALL)
            self.photos.select(key)

    def step(self, by: int) -> None:
        """Select the next photograph, or the one before."""
        keys = self.photos.faces.keys
        row = min(max(self.photos.currentIndex().row() + by, 0), len(keys) - 1)
        if keys:
            self.photos.select(keys[row])

    def shown(self) -> list[str]:
        """Return the keys of the photographs under the filter."""
        return self.photos.faces.keys

    def _filter(self) -> None:
        self._refresh(())
        self.chosen.emit()  # Qt emits nothing when the filter leaves nothing

    def _refresh(self, kept: Sequence[str]) -> None:
        passes = PASSES[self.filter.current]
        keep = frozenset(kept)
        shown = [entry for entry in self._entries if passes(entry) or entry.key in keep]
        row = self.photos.currentIndex().row()
        self.photos.show_faces([self._face(entry) for entry in shown])
        self.empty.setText(EMPTY[self.filter.current])
        self.empty.setVisible(not shown)
        self.photos.setVisible(bool(shown))
        if shown and not self.photos.selected_keys():  # the selected one is under another filter
            self.photos.select(shown[min(max(row, 0), len(shown) - 1)].key)

    def _face(self, entry: Entry) -> Face:
        """Return the face for the list; the same object again while nothing has changed."""
        last, face = self._faces.get(entry.key, (None, None))
        if last is not entry or face is None:
            face = _face_of(entry, last, face, ticks=self.ticks)
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


def _face_of(entry: Entry, last: Entry | None, before: Face | None, *, ticks: bool) -> Face:
    faint, unsure = entry.state == "left out", entry.state == "choice"
    drawn = (entry.reading, entry.state, entry.guessed, entry.left_open)
    same = last is not None and drawn == (last.reading, last.state, last.guessed, last.left_open)
    concern = entry.concerns[0] if entry.needs_attention else None
    words = _SAID.get(entry.state, entry.photo.person or "Nobody is named on it")
    warned, tick = concern is not None, None
    if entry.guessed:
        words = f"{entry.photo.person}?"
        if ticks:
            words, warned, tick = _likeness(entry), False, not entry.left_open
    elif ticks and entry.decided:
        words = entry.photo.person or "Nobody is named on it"
    elif concern is not None:
        words = concern.title
    elif entry.reading is not None and entry.reading.choice is EVERY:
        words = f"{count(len(entry.reading.faces), 'face')}, nobody named"
    return Face(
        entry.key,
        before.image if same and before is not None else Tile(entry.reading, faint, unsure, tick),
        entry.photo.path.name,
        words,
        warning=concern.reason if concern is not None and warned else "",
        file=entry.photo.path.name,
    )


def _likeness(entry: Entry) -> str:
    """Return who is guessed to be on a photograph, and how like the others this and the next is."""
    assert entry.choice is not None
    like = entry.choice.likeness
    others = [each for at, each in enumerate(like) if at != entry.choice.face]
    if not any(like) or not others:
        return f"{entry.photo.person}?"
    figures = f"{like[entry.choice.face]:.2f} against {max(others):.2f}"
    return f"{entry.photo.person}? {figures}"
