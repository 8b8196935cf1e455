"""The list of people on the left, with a filter and a collapsible section of unnamed groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.faces.identity import FaceId
from ...style import theme
from ...widgets.box_layouts import add_parts
from ...widgets.cards import Card
from ...widgets.controls import SearchField
from ...widgets.face_list import FaceItem, FoldItem, Key, ThumbnailList
from ...widgets.labels import label
from .entries import WHO, PeopleEntry, arranged


class PeopleList(Card):
    """List of people. The user can select an entry, name it, or drop faces onto it."""

    chosen = Signal(object)
    """The user chose the entry with this key."""
    clicked = Signal()
    photos_dropped = Signal(object, object)
    menu_wanted = Signal(object, QPoint)
    """The user asked for the context menu of an entry: its key, and the position on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.filter = SearchField("Filter people")
        self.view = ThumbnailList("People", headings=True)
        self.nobody = label("", "secondary", wrap=True)
        self._opens = True  # whether the fold is open by default
        self._open: bool | None = None  # the user's choice; None before there is one
        self._entries: Mapping[Key, PeopleEntry] = {}
        self._item: Callable[[Key], FaceItem] | None = None
        self._shown: Key = ""
        self.set_padding(10, 10)
        self.setMinimumWidth(96 + theme.pixels(64))
        self.setMaximumWidth(128 + theme.pixels(96))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        add_parts(self.body, self.filter, self.nobody, (self.view, 1))
        self.filter.textChanged.connect(lambda: self._fill())
        self.view.chosen.connect(self._choose)
        self.view.clicked.connect(lambda index: self._click(self.view.faces.face(index).key))
        self.view.activated_face.connect(self._toggle)
        self.view.photos_dropped.connect(self._drop)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._ask_for_menu)
        self.names_like: Callable[[str], Sequence[str]] = lambda _: ()

    @property
    def is_open(self) -> bool:
        """Whether the groups of unnamed faces are listed."""
        return self._opens if self._open is None else self._open

    def show_entries(
        self,
        entries: Mapping[Key, PeopleEntry],
        item: Callable[[Key], FaceItem],
        *,
        opens: bool,
    ) -> None:
        """List the entries as items from ``item``; if ``opens``, the section starts open."""
        if opens != self._opens:
            self._open = None
        self._entries, self._item, self._opens = entries, item, opens
        self._fill()

    def select(self, key: Key) -> None:
        """Select an entry, or the collapsed section that hides it."""
        self._shown = key
        nameless = key in self._entries and self._entries[key].is_nameless
        self.view.select(WHO if nameless and not self.is_open else key)

    def open_fold(self) -> None:
        """Expand the section that contains the groups of unnamed faces."""
        if not self.is_open:
            self._open = True
            self._fill()

    def _fill(self) -> None:
        item = self._item
        if item is None:
            return
        keys = arranged(self._entries, is_open=self.is_open)
        words = self.filter.text().strip()
        if words:
            names = {*self.names_like(words)}
            keys = [key for key in keys if key in names]
        nameless = sum(entry.is_nameless for entry in self._entries.values())
        fold = FoldItem.folding(WHO, "Who is this?", nameless, is_open=self.is_open)
        self.view.show_faces([fold if key == WHO else item(key) for key in keys])
        self.select(self._shown)
        self.nobody.setText(f"No person or photo is called “{words}”.")
        self.nobody.setVisible(bool(words) and not keys)
        self.view.setVisible(not words or bool(keys))

    def _choose(self, key: Key) -> None:
        if key != WHO:
            self.chosen.emit(key)

    def _click(self, key: Key) -> None:
        if key == WHO:
            self._toggle(key)
        else:
            self.clicked.emit()

    def _toggle(self, key: Key) -> None:
        if key == WHO:
            self._open = not self.is_open
            self._fill()

    def _drop(self, faces: list[FaceId], on: Key) -> None:
        if on != WHO:
            self.photos_dropped.emit(faces, on)

    def _ask_for_menu(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        if index.isValid() and self.view.faces.face(index).key != WHO:
            at = self.view.viewport().mapToGlobal(place)
            self.menu_wanted.emit(self.view.faces.face(index).key, at)
