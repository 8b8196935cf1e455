"""The photographs of an import, each with its face: all, or those that need attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QVBoxLayout

from eigenfaces.faces.import_review import Entry
from gui.import_sheet.tile import TILE, Tile
from gui.widgets.cards import Banner, Shrinkable
from gui.widgets.controls import Segmented
from gui.widgets.face_list import Face, FaceDelegate, FaceGrid
from gui.widgets.words import label

ALL, GUESSES, ATTENTION, LEFT_OUT = range(4)
_FILTERS = ("All", "Guesses", "Needs attention", "Left out")
_EMPTY = {
    ALL: "",
    GUESSES: "Nothing is a guess any more.",
    ATTENTION: "Nothing needs your attention.",
    LEFT_OUT: "Nothing is left out.",
}
_SAID = {
    "waiting": "Not looked at yet",
    "replaced": "Replaces an earlier version",
    "known": "In the gallery already",
    "left out": "Left out",
}


def _is_left_out(entry: Entry) -> bool:
    return entry.state == "left out"


_PASSES: dict[int, Callable[[Entry], bool]] = {
    ALL: lambda _: True,
    GUESSES: lambda entry: entry.guessed,
    ATTENTION: lambda entry: entry.needs_attention and not entry.guessed,
    LEFT_OUT: _is_left_out,
}


class PhotoGrid(Shrinkable):
    """The photographs under a filter with counts; one or several of them are selected.

    ``guessed``: what the panel says of guesses.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.filter = _Filter()
        self.photos = _Tiles()
        # Nothing is dragged from here: several are selected by drawing a frame around them.
        self.photos.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.guessed = Banner(tone="accent", dismissible=False)
        self.empty = label("", "secondary", wrap=True)
        self._entries: list[Entry] = []
        self._faces: dict[str, tuple[Entry, Face]] = {}
        line = QHBoxLayout()
        line.addWidget(self.filter)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.guessed)
        column.addLayout(line)
        column.addWidget(self.empty)
        column.addWidget(self.photos, 1)
        self.guessed.hide()
        self.filter.changed.connect(self._filter)
        self.photos.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show the photographs as they are now."""
        self._entries = list(entries)
        counts = [sum(map(passes, entries)) for passes in _PASSES.values()]
        if not counts[GUESSES] and self.filter.current == GUESSES:
            self.filter.set_current(ALL)
        self.filter.show_counts(*counts)
        # A photograph being corrected stays under its filter until another one is selected.
        self._refresh(self.photos.selected_keys())

    def selected(self) -> list[str]:
        """Return the keys of the selected photographs; the current one is the first of them."""
        keys = self.photos.selected_keys()
        current = self.photos.currentIndex()
        if current.isValid() and (key := self.photos.faces.face(current).key) in keys:
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
        faces = self.photos.faces.faces()
        row = min(max(self.photos.currentIndex().row() + by, 0), len(faces) - 1)
        if faces:
            self.photos.select(faces[row].key)

    def shown(self) -> list[str]:
        """Return the keys of the photographs under the filter."""
        return [face.key for face in self.photos.faces.faces()]

    def _filter(self) -> None:
        self._refresh(())
        self.chosen.emit()  # Qt emits nothing when the filter leaves nothing

    def _refresh(self, kept: Sequence[str]) -> None:
        passes = _PASSES[self.filter.current]
        shown = [entry for entry in self._entries if passes(entry) or entry.key in kept]
        row = self.photos.currentIndex().row()
        self.photos.show_faces([self._face(entry) for entry in shown])
        self.empty.setText(_EMPTY[self.filter.current])
        self.empty.setVisible(not shown)
        self.photos.setVisible(bool(shown))
        if shown and not self.photos.selected_keys():  # the selected one is under another filter
            self.photos.select(shown[min(max(row, 0), len(shown) - 1)].key)

    def _face(self, entry: Entry) -> Face:
        """Return the face for the list; the same object again while nothing has changed."""
        last, face = self._faces.get(entry.key, (None, None))
        if last is not entry or face is None:
            face = _face_of(entry, last, face)
            self._faces[entry.key] = entry, face
        return face


class _Tiles(FaceGrid):
    """Tiles of one width, however long the names are."""

    def __init__(self) -> None:
        super().__init__("Photographs", TILE, subcaption=True)
        self.cells = _Cells(self.cells.style)
        self.setItemDelegate(self.cells)
        self.fit_cells()


class _Cells(FaceDelegate):
    """Paints cells as wide as the picture; a long name is cut in its middle."""

    def make_room_for(self, faces: Sequence[Face]) -> None:
        pass


class _Filter(Segmented):
    """A choice of filter, with the number of photographs under each."""

    def __init__(self) -> None:
        super().__init__(_FILTERS, name="Show")

    def show_counts(self, *counts: int) -> None:
        for button, words, number in zip(self._buttons, _FILTERS, counts, strict=True):
            # Beside the guesses there is no room for all the words.
            short = words.removeprefix("Needs ").capitalize() if counts[GUESSES] else words
            button.setText(f"{short} {number:,}")
            button.setAccessibleName(f"Show: {words}, {number:,}")
        self.set_option_enabled(GUESSES, counts[GUESSES] > 0)  # nor reached by the arrow keys
        self._buttons[GUESSES].setVisible(counts[GUESSES] > 0)


def _face_of(entry: Entry, last: Entry | None, before: Face | None) -> Face:
    faint, unsure = _is_left_out(entry), entry.state == "choice"
    same = last is not None and (last.reading, last.state) == (entry.reading, entry.state)
    concern = entry.concerns[0] if entry.concerns and not entry.by_hand else None
    words = _SAID.get(entry.state, entry.photo.person or "Nobody is named on it")
    if entry.guessed:
        words = f"{entry.photo.person}?"
    elif concern is not None and not entry.passed_over:
        words = concern.title
    return Face(
        entry.key,
        before.image if same and before is not None else Tile(entry.reading, faint, unsure),
        entry.photo.path.name,
        words,
        warning=concern.reason if concern is not None and entry.needs_attention else "",
    )
