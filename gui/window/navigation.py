"""The navigation at the left of the window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QWidget

from gui.style import icons, theme
from gui.widgets.boxes import in_column, in_row
from gui.widgets.controls import Button
from gui.widgets.words import label

WIDE, NARROW = 188, 64


@dataclass(frozen=True)
class Place:
    """A page in the navigation; with ``section`` "" it is at the bottom."""

    key: str
    title: str
    icon: str
    section: str
    needs_faces: bool = True


PLACES = (
    Place("people", "People", "people", "GALLERY", needs_faces=False),
    Place("recognise", "Recognise", "recognise", "GALLERY"),
    Place("eigenfaces", "Eigenfaces", "eigenfaces", "FACE SPACE"),
    Place("reconstruct", "Reconstruct", "reconstruct", "FACE SPACE"),
    Place("synthesise", "Synthesise", "synthesise", "FACE SPACE"),
    Place("map", "Map", "map", "FACE SPACE"),
    Place("evaluate", "Evaluate", "evaluate", "MEASURE AND LEARN"),
    Place("lessons", "Lessons", "lessons", "MEASURE AND LEARN", needs_faces=False),
    Place("settings", "Settings", "settings", "", needs_faces=False),
    Place("help", "Help", "help", "", needs_faces=False),
)


class Navigation(QFrame):
    """Buttons for the pages, by section; icons only where the window is narrow."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "side")
        self.setAccessibleName("Pages")
        self.current = PLACES[0].key
        self._sections: list[QLabel] = []
        self._buttons: dict[str, Button] = {}
        self._group = QButtonGroup(self)
        self._column = in_column(self._brand(), inside=self, spacing=3, margins=(10, 12, 10, 12))
        section = ""
        for place in PLACES:
            if place.section != section:
                if place.section:
                    self._add_section(place.section)
                else:
                    self._column.addStretch(1)
                section = place.section
            self._add(place)
        self._draw_icons()
        self.set_narrow(False)

    def go(self, key: str) -> None:
        """Show which page is open."""
        self.current = key
        self._buttons[key].setChecked(True)

    def set_faces(self, present: bool) -> None:
        """Enable or disable the pages that need faces."""
        for place in PLACES:
            self._buttons[place.key].setEnabled(present or not place.needs_faces)

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or icons and words."""
        self.setFixedWidth(NARROW if narrow else theme.pixels(WIDE))
        self._name.setVisible(not narrow)
        for section in self._sections:
            section.setVisible(not narrow)
        for place in PLACES:
            button = self._buttons[place.key]
            button.setText("" if narrow else place.title)
            button.setToolTip(place.title if narrow else "")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icons()

    def _brand(self) -> QWidget:
        brand = QWidget()
        self._logo = QLabel()
        self._logo.setFixedWidth(24)
        self._name = label("Eigenfaces", "heading")
        in_row(self._logo, (self._name, 1), inside=brand, spacing=10, margins=(4, 0, 0, 6))
        return brand

    def _add_section(self, title: str) -> None:
        words = label(title, "section")
        words.setContentsMargins(13, 9, 0, 2)
        self._sections.append(words)
        self._column.addWidget(words)

    def _add(self, place: Place) -> None:
        button = Button(place.title, name=place.title, role="nav")
        button.setCheckable(True)
        button.setIconSize(QSize(18, 18))
        button.clicked.connect(lambda: self._choose(place.key))
        button.toggled.connect(lambda: self._draw_icon(place))
        self._group.addButton(button)
        self._buttons[place.key] = button
        self._column.addWidget(button)

    def _choose(self, key: str) -> None:
        self.go(key)
        self.changed.emit()

    def _draw_icons(self) -> None:
        t = theme.tokens()
        self._logo.setPixmap(icons.pixmap("logo", 22, t.accent, self.devicePixelRatioF()))
        for place in PLACES:
            self._draw_icon(place)

    def _draw_icon(self, place: Place) -> None:
        t, button = theme.tokens(), self._buttons[place.key]
        button.setIcon(icons.icon(place.icon, t.accent if button.isChecked() else t.secondary, 6))
        button.setIconSize(QSize(24, 18))
