"""Photographs of one person, or of several people together, in a grid ordered by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from eigenfaces.project.album import AlbumPhoto
from eigenfaces.project.content import Content
from eigenfaces.text import count
from ...album.photo_grid import PhotoGrid
from ...state.session import Session
from ...widgets.box_layouts import in_column
from ...widgets.controls import Button, literal
from ...widgets.flow import FlowLayout
from ...widgets.labels import label

_CHIPS = 5  # other people with a button each; a menu lists the rest
_NONE = "No photos to show."


class PhotosPart(QWidget):
    """Grid of photographs, with buttons above it for the other people in these photographs."""

    chosen = Signal(str)
    """A single photograph was selected, identified by its SHA-256."""
    opened = Signal(str)
    menu_wanted = Signal(QPoint)
    changed = Signal()
    """The displayed or selected photographs have changed."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.person: str | None = None  # None: everybody's photographs
        self.together: tuple[str, ...] = ()  # the people who must be in them as well
        self.searched = ""  # the search words, for everybody's photographs
        self.grid = PhotoGrid()
        self.chips = QWidget()
        self._flow = FlowLayout(self.chips, 6)
        self.years = Button("Year")
        self._years_menu = QMenu("Year", self.years)
        self.years.setMenu(self._years_menu)
        self._nothing = label(_NONE, "secondary", wrap=True)
        self._buttons: list[Button] = []
        self._made_from: tuple[object, ...] = ()
        self._content: Content | None = None
        in_column(self.chips, self._nothing, (self.grid, 1), inside=self, spacing=6)
        self.grid.chosen.connect(self.chosen)
        self.grid.opened.connect(self.opened)
        self.grid.menu_wanted.connect(self.menu_wanted)
        self.grid.selection_changed.connect(self.changed)

    @property
    def people(self) -> tuple[str, ...]:
        """The people who must be in every photograph; empty if all photographs are shown."""
        return () if self.person is None else (self.person, *self.together)

    def show_person(self, person: str | None) -> None:
        """Show the current photographs of a person, or of everybody (None)."""
        if person != self.person:
            self.person = person
            self.together = ()
        self.refresh()

    @property
    def is_current(self) -> bool:
        """Whether the grid is up to date, including dates, favourites and missing files."""
        return self._state() == self._made_from  # mostly identical objects, so this is quick

    def _state(self) -> tuple[object, ...]:
        project = self.session.project
        if project is None:
            return ()
        content = project.content
        return content.gallery.index, content.files, content.unused, self.people, self.searched

    def refresh(self) -> None:
        """Update the grid with the current photographs."""
        project = self.session.project
        if project is None:
            self.grid.show_photos(())
            return
        content = project.content
        there = {*content.gallery.people}
        self.together = tuple(name for name in self.together if name in there)
        self.searched = self.session.searched if self.person is None else ""
        if self.is_current:
            return
        self._made_from = self._state()
        photos = self.session.album(self.people, self.searched)
        self.grid.show_photos(photos, self.people)
        self._show_chips(photos)
        self._fill_years()
        self._nothing.setVisible(not photos)
        self.changed.emit()

    def photos(self) -> Sequence[AlbumPhoto]:
        """Return the photographs that are shown."""
        return self.grid.photos

    # Other people in the photographs

    def _show_chips(self, photos: Sequence[AlbumPhoto]) -> None:
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        if self.searched:
            chip = self._chip(literal(f"“{self.searched}”: {count(len(photos))}"))
            chip.set_icon("cross")
            chip.setToolTip("Show all photos again")
            chip.clicked.connect(lambda: self.session.search(""))
        for name in self.together:
            chip = self._chip(f"{self.person} and {name}" if not self._buttons else f"and {name}")
            chip.set_icon("cross")
            chip.setToolTip(f"Include photos without {name}")
            chip.clicked.connect(lambda _=False, name=name: self._leave(name))
        others = Counter[str]()
        if self.person is not None:
            others.update(name for photo in photos for name in photo.people)
        for name in self.people:
            del others[name]
        ranked = others.most_common()
        for name, number in ranked[:_CHIPS]:
            chip = self._chip(f"+ {name} {number:,}")
            chip.setToolTip(f"Show only the {count(number)} with {name} as well")
            chip.clicked.connect(lambda _=False, name=name: self._join(name))
        if len(ranked) > _CHIPS:
            more = self._chip("More")
            menu = QMenu("More people", more)
            for name, number in ranked[_CHIPS:]:
                action = menu.addAction(literal(f"{name} ({number:,})"))
                action.triggered.connect(lambda _=False, name=name: self._join(name))
            more.setMenu(menu)
        self.chips.setVisible(bool(self._buttons))

    def _chip(self, words: str) -> Button:
        chip = Button(words, role="chip")
        self._flow.add(chip)
        self._buttons.append(chip)
        chip.show()
        return chip

    def _join(self, name: str) -> None:
        self.together = (*self.together, name)
        self.refresh()

    def _leave(self, name: str) -> None:
        self.together = tuple(other for other in self.together if other != name)
        self.refresh()

    # Years

    def _fill_years(self) -> None:
        years = self.grid.years()
        self.years.setVisible(len(years) > 1)
        self._years_menu.clear()
        for year in years:
            action = QAction(f"{year}", self._years_menu)
            action.triggered.connect(lambda _=False, year=year: self.grid.go_to_year(year))
            self._years_menu.addAction(action)


class Overlay(QWidget):
    """Widget with the content of a page and a second widget that can cover it."""

    def __init__(self, content: QWidget, over: QWidget) -> None:
        super().__init__()
        self._stack = QStackedWidget()
        self._over = QWidget()
        room = QVBoxLayout(self._over)
        room.setContentsMargins(0, 0, 0, 0)
        room.addWidget(over)
        self._stack.addWidget(content)
        self._stack.addWidget(self._over)
        in_column((self._stack, 1), inside=self)

    @property
    def is_over(self) -> bool:
        """Whether the second widget covers the content."""
        return self._stack.currentWidget() is self._over

    def show_over(self, over: bool) -> None:
        """Cover the content or, if not ``over``, show it again."""
        self._stack.setCurrentIndex(1 if over else 0)
