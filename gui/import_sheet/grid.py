"""The photographs of an import, each with its face: all, or those that need attention."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout

from eigenfaces.faces.choose import EVERY
from eigenfaces.importing.entries import Entry
from eigenfaces.text import count
from gui.import_sheet.filters import ALL, EMPTY, GUESSES, PASSES, Filter, Groups
from gui.import_sheet.tile import TICK, TILE, Tile
from gui.widgets.boxes import in_column
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.face_delegate import FaceDelegate
from gui.widgets.face_list import FaceGrid
from gui.widgets.face_model import Face, FacesOnDemand
from gui.widgets.words import label

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
        keys = [entry.key for entry in shown]
        self.photos.show_faces(FacesOnDemand(keys, lambda at: self._face(shown[at])))
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
        super().__init__("Photographs", TILE, subcaption=True)
        self._toggle = toggle
        self.cells = self._tile_cells = _Cells(self.cells.style)
        self.setItemDelegate(self.cells)
        self.fit_cells()
        if toggle is not None:
            space = QShortcut(QKeySequence(Qt.Key.Key_Space), self)
            space.setContext(Qt.ShortcutContext.WidgetShortcut)
            space.activated.connect(lambda: self._toggle_at(self.currentIndex()))

    def tick_at(self, key: str) -> QRect:
        """Return where the tick of a photograph is, in pixels of the list."""
        cell = self.visualRect(self.faces.index_of(key))
        return TICK.translated(self._tile_cells.picture_at(cell))

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


class _Cells(FaceDelegate):
    """Paints cells as wide as the picture; a long name is cut in its middle."""

    def make_room_for(self, faces: Sequence[Face]) -> None:
        pass

    def picture_at(self, cell: QRect) -> QPoint:
        """Return the corner of the picture in a cell."""
        return self._picture_rect(cell).topLeft()


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
