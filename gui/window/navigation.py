"""Navigation on the left of the window, with the pages grouped by section."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QButtonGroup, QFrame, QWidget

from ..state.session import Session
from ..style import icons, theme
from ..widgets.box_layouts import in_column, in_row
from ..widgets.controls import Button
from ..widgets.labels import IconLabel, label

WIDE, NARROW = 188, 64


@dataclass(frozen=True)
class NavigationItem:
    """Page listed in the navigation, at the bottom if ``section`` is ""."""

    key: str  # also the name of its icon
    section: str
    needs_faces: bool = True

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.key.title()


NAVIGATION_ITEMS = (
    NavigationItem("people", "GALLERY", needs_faces=False),
    NavigationItem("recognise", "GALLERY"),
    NavigationItem("eigenfaces", "FACE SPACE"),
    NavigationItem("reconstruct", "FACE SPACE"),
    NavigationItem("synthesise", "FACE SPACE"),
    NavigationItem("map", "FACE SPACE"),
    NavigationItem("evaluate", "MEASURE AND LEARN"),
    NavigationItem("lessons", "MEASURE AND LEARN", needs_faces=False),
    NavigationItem("settings", "", needs_faces=False),
    NavigationItem("help", "", needs_faces=False),
)


class Navigation(QFrame):
    """Buttons for the pages, grouped by section. A narrow window shows only their icons."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("role", "side")
        self.setAccessibleName("Pages")
        self._buttons: dict[NavigationItem, Button] = {}
        self._group = QButtonGroup(self)
        logo, self._name = IconLabel(22, "logo"), label("Eigenfaces", "heading")
        logo.setFixedWidth(24)
        self._words = [self._name]  # hidden if the window is narrow
        brand = QWidget()
        in_row(logo, (self._name, 1), inside=brand, spacing=10, margins=(4, 0, 0, 6))
        column = in_column(brand, inside=self, spacing=3, margins=(10, 12, 10, 12))
        section = ""
        for item in NAVIGATION_ITEMS:
            if item.section != section:
                section = item.section
                if section:
                    self._words.append(label(section, "section"))
                    self._words[-1].setContentsMargins(13, 9, 0, 2)
                    column.addWidget(self._words[-1])
                else:
                    column.addStretch(1)
            button = self._buttons[item] = Button(item.title, name=item.title, role="nav")
            button.setCheckable(True)
            button.clicked.connect(partial(self._go, session, item))
            button.toggled.connect(partial(self._draw_icon, item))
            self._group.addButton(button)
            column.addWidget(button)
        self._draw_icons()
        self.set_narrow(False)

    def set_current(self, key: str, *, faces: bool) -> None:
        """Mark the open page. If there are no ``faces``, disable the pages that need them."""
        for item, button in self._buttons.items():
            button.setEnabled(faces or not item.needs_faces)
            if item.key == key:
                button.setChecked(True)

    def set_narrow(self, narrow: bool) -> None:
        """Show only icons if ``narrow``, otherwise icons with titles."""
        self.setFixedWidth(NARROW if narrow else theme.pixels(WIDE))
        for words in self._words:
            words.setVisible(not narrow)
        for item, button in self._buttons.items():
            button.setText("" if narrow else item.title)
            button.setToolTip(item.title if narrow else "")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icons()

    def _go(self, session: Session, item: NavigationItem, _checked: bool = True) -> None:
        session.show_page(item.key)

    def _draw_icons(self) -> None:
        for item in self._buttons:
            self._draw_icon(item)

    def _draw_icon(self, item: NavigationItem, _checked: bool = False) -> None:
        t, button = theme.tokens(), self._buttons[item]
        button.setIcon(icons.icon(item.key, t.accent if button.isChecked() else t.secondary, 6))
        button.setIconSize(QSize(24, 18))
