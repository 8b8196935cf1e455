"""The Settings page: how the program looks, photos are cut, and faces are compared."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QSignalBlocker, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QWidget

from gui.pages.settings.faces import FacesCard
from gui.pages.settings.light import LightCard
from gui.pages.settings.recipe import RecipeCard
from gui.pages.settings.rows import SettingRow
from gui.state.drafts import drafts_folder
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader
from gui.widgets.controls import Button, LinkButton, Segmented
from gui.widgets.page import Page
from gui.widgets.words import Facts, label

_THEMES: tuple[theme.Theme, ...] = ("system", "light", "dark")
_TWO_COLUMNS = 940  # px, before the text scale
_AROUND = 72  # px beside and between the columns, with the scroll bar
_LOCAL = (
    "Everything stays on this computer. The program never goes online, and your photographs are "
    "read, but never changed or deleted."
)


class SettingsPage(Page):
    """Preparation, appearance and project at the left; the recipe at the right."""

    key, title, icon = "settings", "Settings", "settings"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.appearance = AppearanceCard(session)
        self.faces = FacesCard(session)
        self.light = LightCard(session)
        self.recipe = RecipeCard(session)
        self.project = ProjectCard(session)
        self._columns = (
            _column(self.faces, self.appearance, self.project),
            _column(self.light, self.recipe),
        )
        self._pair = in_row(*((column, 1) for column in self._columns), spacing=12)
        header = PageHeader("Settings", "A changed recipe counts at once, and can be undone")
        in_column(header, (self._pair, 1), inside=self.content, spacing=12)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        needed = sum(column.minimumSizeHint().width() for column in self._columns)
        narrow = self.width() < max(theme.pixels(_TWO_COLUMNS), needed + _AROUND)
        self._pair.setDirection(way.TopToBottom if narrow else way.LeftToRight)

    def _refresh(self) -> None:
        gallery = self.session.gallery
        self.appearance.show_preferences()
        self.faces.show_gallery(gallery)
        self.light.show_gallery(gallery)
        self.recipe.show_gallery(gallery)
        self.project.show_project()


class AppearanceCard(Card):
    """Colours, text size and hints, for all projects of this person."""

    def __init__(self, session: Session) -> None:
        super().__init__("Appearance")
        self._session = session
        self.theme = Segmented(("System", "Light", "Dark"), name="Theme")
        sizes = [f"{scale:.0%}".replace("%", " %") for scale in theme.TEXT_SCALES]
        self.scale = Segmented(sizes, name="Text size")
        self.hints = Button("Show the hints again")
        self.theme.changed.connect(self._apply)
        self.scale.changed.connect(self._apply)
        self.hints.clicked.connect(self._bring_back_hints)
        self.body.setSpacing(14)
        for row in (
            SettingRow("Theme", "“System” follows the setting of this computer.", self.theme),
            SettingRow("Text size", "Everything that holds words grows with them.", self.scale),
            SettingRow("Hints", "Lines that tell beginners what to try, once closed.", self.hints),
        ):
            self.body.addWidget(row)

    def show_preferences(self) -> None:
        """Show the preferences."""
        settings = self._session.settings
        blocked = [QSignalBlocker(self.theme), QSignalBlocker(self.scale)]
        self.theme.set_current(_THEMES.index(settings.theme))
        self.scale.set_current(theme.TEXT_SCALES.index(settings.text_scale))
        del blocked

    def _apply(self) -> None:
        settings = self._session.settings
        settings.theme = _THEMES[self.theme.current]
        settings.text_scale = theme.TEXT_SCALES[self.scale.current]
        app = cast(QApplication, QApplication.instance())
        theme.apply(app, settings.theme, settings.text_scale)

    def _bring_back_hints(self) -> None:
        self._session.settings.bring_back_hints()
        self._session.say("The hints are shown again, each on its page.", "ok")


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
            draft = (
                " (a draft; “Save project as…” gives it a place)" if self._session.is_draft else ""
            )
            rows = [
                ("Name", f"{self._session.name}{draft}"),
                ("File", project.path),
                ("Size", size_words(project.path)),
            ]
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
