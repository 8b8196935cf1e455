"""The Settings page: how the program looks, photos are cut, and faces are compared."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QSignalBlocker, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from gui.pages.settings.faces import FacesCard
from gui.pages.settings.light import LightCard
from gui.pages.settings.recipe import RecipeCard
from gui.state.session import Session
from gui.state.settings import drafts_folder
from gui.style import theme
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader, SettingRow
from gui.widgets.controls import LinkButton, Segmented
from gui.widgets.page import Page
from gui.widgets.words import Facts, label

_THEMES: tuple[theme.Theme, ...] = ("system", "light", "dark")
_ADVANCED = "Advanced: faces, light, recipe…"
_LOCAL = (
    "Everything stays on this computer. The program never goes online, and your photographs are "
    "read, but never changed or deleted."
)


class SettingsPage(Page):
    """Appearance and project; how faces are cut and compared under Advanced."""

    key, title, icon = "settings", "Settings", "settings"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.appearance = AppearanceCard(session)
        self.faces = FacesCard(session)
        self.light = LightCard(session)
        self.recipe = RecipeCard(session)
        self.project = ProjectCard(session)
        self.more = LinkButton(_ADVANCED)
        self.more.clicked.connect(self._toggle)
        self._advanced = QWidget()
        right = _column(self.light, self.recipe)
        in_row((_column(self.faces), 1), (right, 1), inside=self._advanced, spacing=12)
        self._advanced.hide()
        pair = in_row((self.appearance, 1), (self.project, 1), spacing=12)
        more = in_row(self.more, STRETCH)
        header = PageHeader("Settings")
        in_column(header, pair, more, self._advanced, STRETCH, inside=self.content, spacing=12)

    def _toggle(self) -> None:
        shown = not self._advanced.isVisibleTo(self)
        self._advanced.setVisible(shown)
        self.more.setText("Less" if shown else _ADVANCED)
        self._refresh()

    def _refresh(self) -> None:
        self.appearance.show_preferences()
        self.project.show_project()
        if self._advanced.isVisibleTo(self):
            for card in (self.faces, self.light, self.recipe):
                card.show_gallery(self.session.gallery)


class AppearanceCard(Card):
    """The theme, for all projects of this person."""

    def __init__(self, session: Session) -> None:
        super().__init__("Appearance")
        self._session = session
        self.theme = Segmented(("System", "Light", "Dark"), name="Theme")
        self.theme.changed.connect(self._apply)
        said = "“System” follows the setting of this computer."
        add_parts(self.body, SettingRow("Theme", said, self.theme), STRETCH)

    def show_preferences(self) -> None:
        """Show the preferences."""
        blocked = QSignalBlocker(self.theme)
        self.theme.set_current(_THEMES.index(self._session.settings.theme))
        del blocked

    def _apply(self) -> None:
        self._session.settings.theme = _THEMES[self.theme.current]
        app = cast(QApplication, QApplication.instance())
        theme.apply(app, self._session.settings.theme)


class ProjectCard(Card):
    """Shows where the project file is and its size; nothing leaves this computer."""

    def __init__(self, session: Session) -> None:
        super().__init__("This project")
        self._session = session
        self.facts = Facts()
        self.open = LinkButton("Show the folder", "folder")
        self.open.clicked.connect(self._show_folder)
        self.add_to_heading(self.open)
        add_parts(self.body, self.facts, label(_LOCAL, "caption", wrap=True), STRETCH)

    def show_project(self) -> None:
        """Show which file is open."""
        project = self._session.project
        self.open.setVisible(project is not None)
        rows: list[tuple[str, str | Path]] = [
            ("File", "none yet: it is made with the first change")
        ]
        if project is not None:
            rows = [
                ("Name", self._session.name),
                ("File", project.path),
                ("Size", size_words(project.path)),
            ]
            if self._session.is_draft:
                rows.append(("A draft", "“Save project as…” gives it a place"))
        rows.append(("Drafts are kept in", drafts_folder()))
        rows.append(("Pasted photos are kept in", drafts_folder().parent / "pasted"))
        self.facts.set_rows(rows)

    def _show_folder(self) -> None:
        if self._session.project is not None:
            folder = self._session.project.path.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def size_words(path: Path) -> str:
    """Return the size of a file in words."""
    try:
        size = path.stat().st_size
    except OSError:
        return "the file is not there any more"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def _column(*cards: Card) -> QWidget:
    column = QWidget()
    in_column(*cards, STRETCH, inside=column, spacing=12)
    return column
