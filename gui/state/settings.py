"""Settings kept between two starts: preferences, the state of the window, the place of drafts."""

import json
from datetime import date
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from eigenfaces.errors import ProjectError
from eigenfaces.project.project import SUFFIX

Theme = Literal["light", "dark", "system"]
_THEMES = ("light", "dark", "system")
_RECENT = 8


def drafts_folder() -> Path:
    """Return the folder of projects that the person has not saved yet."""
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(where) / "drafts"


def draft_path(title: str) -> Path:
    """Return an unused path among the drafts."""
    folder = drafts_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectError(
            f"There is no place for a new project: the folder “{folder}” cannot be made "
            f"({error.strerror})."
        ) from error
    today = date.today()
    stem, number = f"{title} {today.day} {today:%b}", 1
    while (path := folder / f"{stem}{f' ({number})' if number > 1 else ''}{SUFFIX}").exists():
        number += 1
    return path


class Settings:
    """The person's preferences; an entry that cannot be read counts as not set."""

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            self._stored = QSettings("Eigenfaces", "Eigenfaces")
        else:
            self._stored = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def theme(self) -> Theme:
        """Which colours to use."""
        stored = self._text("theme", "system")
        return cast(Theme, stored) if stored in _THEMES else "system"

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._stored.setValue("theme", theme)

    @property
    def last_folder(self) -> Path:
        """The folder of the file chosen last; the home folder if it is gone."""
        folder = Path(self._text("last_folder", ""))
        return folder if folder.is_absolute() and folder.is_dir() else Path.home()

    @last_folder.setter
    def last_folder(self, folder: Path) -> None:
        self._stored.setValue("last_folder", str(folder))

    @property
    def inspector_visible(self) -> bool:
        """Whether the inspector is shown when there is room for it."""
        return self._text("inspector_visible", "true") != "false"

    @inspector_visible.setter
    def inspector_visible(self, visible: bool) -> None:
        self._stored.setValue("inspector_visible", "true" if visible else "false")

    @property
    def recent_projects(self) -> list[Path]:
        """Return the projects opened last, newest first, without those whose file is gone."""
        return [path for path in map(Path, self._texts("recent_projects")) if path.is_file()]

    def add_recent(self, path: Path) -> None:
        """Put a project at the top of the recent ones."""
        others = [known for known in self.recent_projects if known != path.absolute()]
        self._keep("recent_projects", [str(p) for p in (path.absolute(), *others)][:_RECENT])

    def forget_recent(self, path: Path) -> None:
        """Remove a project from the list; its file stays."""
        kept = [str(p) for p in self.recent_projects if p != path.absolute()]
        self._keep("recent_projects", kept)

    @property
    def window_geometry(self) -> QByteArray:
        """Place and size of the window, as Qt saved them; empty at the first start."""
        stored = self._stored.value("window_geometry")
        return stored if isinstance(stored, QByteArray) else QByteArray()

    @window_geometry.setter
    def window_geometry(self, geometry: QByteArray) -> None:
        self._stored.setValue("window_geometry", geometry)

    @property
    def seen_lessons(self) -> list[str]:
        """The names of the lessons that were opened."""
        return self._texts("seen_lessons")

    def see_lesson(self, name: str) -> None:
        """Remember that a lesson was opened."""
        self._keep("seen_lessons", sorted({*self.seen_lessons, name}))

    def save(self) -> None:
        """Write everything to disk now; otherwise Qt does it soon."""
        self._stored.sync()

    def _text(self, key: str, default: str) -> str:
        stored = self._stored.value(key, default)
        return stored if isinstance(stored, str) else default

    def _texts(self, key: str) -> list[str]:
        # As JSON: Qt would return a list of one text as a text.
        try:
            stored = json.loads(self._text(key, "[]"))
        except json.JSONDecodeError:
            return []
        return [text for text in stored if isinstance(text, str)] if type(stored) is list else []

    def _keep(self, key: str, texts: list[str]) -> None:
        self._stored.setValue(key, json.dumps(texts))
