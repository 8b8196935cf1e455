"""Settings kept between runs: preferences, the window state, and the drafts folder."""

import itertools
import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from threading import Thread
from typing import Literal, NamedTuple, cast, get_args

from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, QStorageInfo, Signal

from eigenfaces.errors import ProjectError, reason_of
from eigenfaces.project.project import SUFFIX

Theme = Literal["light", "dark", "system"]
_RECENT = 8


def drafts_folder() -> Path:
    """Return the folder for projects that the user has not saved elsewhere yet."""
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(where) / "drafts"


def draft_path(title: str) -> Path:
    """Return an unused path in the drafts folder."""
    folder = drafts_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectError(
            f"A new project cannot be started because “{folder}” could not be created "
            f"({reason_of(error)})."
        ) from error
    today = date.today()
    numbers = itertools.chain([""], (f" ({number})" for number in itertools.count(2)))
    paths = (folder / f"{title} {today.day} {today:%b}{number}{SUFFIX}" for number in numbers)
    return next(path for path in paths if not path.exists())


class Reach(QObject):
    """Record of which files can be reached.

    Files are checked in threads that nothing waits for, because a disconnected network drive can
    take minutes to answer.
    """

    changed = Signal()
    _answered = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self._asked: set[Path] = set()
        self._missing: set[Path] = set()
        self._answered.connect(self._note)

    def ask(self, paths: Iterable[Path]) -> None:
        """Start checking files, each in its own thread. ``changed`` is emitted for new results."""
        for path in {*paths} - self._asked:
            self._asked.add(path)
            Thread(target=self._look, args=(path,), name=f"look at {path}", daemon=True).start()

    def is_missing(self, path: Path) -> bool:
        """Return whether a file was missing when it was last checked."""
        return path in self._missing

    def _look(self, path: Path) -> None:
        self._answered.emit(path, path.is_file())

    def _note(self, path: Path, is_there: bool) -> None:
        self._asked.discard(path)
        if is_there == (path in self._missing):
            self._missing ^= {path}
            self.changed.emit()


class LastView(NamedTuple):
    """Project, page and person that were last shown."""

    project: Path
    page: str
    person: str | None


class Settings:
    """User settings. An entry that cannot be read is treated as not set."""

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            self._stored = QSettings("Eigenfaces", "Eigenfaces")
        else:
            self._stored = QSettings(str(path), QSettings.Format.IniFormat)
        self.reach = Reach()

    @property
    def theme(self) -> Theme:
        """The theme: light, dark, or the system's."""
        theme = self._text("theme")
        return cast(Theme, theme) if theme in get_args(Theme) else "system"

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._stored.setValue("theme", theme)

    @property
    def last_folder(self) -> Path:
        """The folder of the most recently chosen file, or else the home folder."""
        folder = Path(self._text("last_folder"))
        return folder if folder.is_absolute() and folder.is_dir() else Path.home()

    @last_folder.setter
    def last_folder(self, folder: Path) -> None:
        self._stored.setValue("last_folder", str(folder))

    @property
    def projects_folder(self) -> Path:
        """The folder where a project was last opened or saved, initially the documents folder."""
        folder = Path(self._text("projects_folder"))
        if folder.is_absolute() and folder.is_dir():
            return folder
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        return Path(QStandardPaths.writableLocation(documents) or Path.home())

    @projects_folder.setter
    def projects_folder(self, folder: Path) -> None:
        self._stored.setValue("projects_folder", str(folder))

    @property
    def inspector_visible(self) -> bool:
        """Whether the inspector is shown when there is room for it."""
        return self._text("inspector_visible") != "false"

    @inspector_visible.setter
    def inspector_visible(self, visible: bool) -> None:
        self._stored.setValue("inspector_visible", "true" if visible else "false")

    @property
    def asks_questions(self) -> bool:
        """Whether lessons ask a question before they show the answer."""
        return self._text("asks_questions") != "false"

    @asks_questions.setter
    def asks_questions(self, asks: bool) -> None:
        self._stored.setValue("asks_questions", "true" if asks else "false")

    @property
    def window_geometry(self) -> QByteArray:
        """The position and size of the window, as saved by Qt. Empty on first launch."""
        geometry = self._stored.value("window_geometry")
        return geometry if isinstance(geometry, QByteArray) else QByteArray()

    @window_geometry.setter
    def window_geometry(self, geometry: QByteArray) -> None:
        self._stored.setValue("window_geometry", geometry)

    @property
    def last_view(self) -> LastView | None:
        """The view shown when the program was closed, or None if no project was open."""
        project, page, person = [*self._texts("last_view"), "", "", ""][:3]
        return LastView(Path(project), page, person or None) if project else None

    @last_view.setter
    def last_view(self, view: LastView | None) -> None:
        texts = [] if view is None else [str(view.project), view.page, view.person or ""]
        self._stored.setValue("last_view", json.dumps(texts))

    @property
    def recent_projects(self) -> list[Path]:
        """The most recent projects, latest first, including those whose files no longer exist."""
        return [*map(Path, self._texts("recent_projects"))]

    def add_recent(self, path: Path) -> None:
        """Put a project at the top of the list of recent projects."""
        self.forget_recent(path)
        paths = [path.absolute(), *self.recent_projects][:_RECENT]
        self._stored.setValue("recent_projects", json.dumps([*map(str, paths)]))

    def forget_recent(self, path: Path) -> None:
        """Remove a project from the list of recent projects. The file is kept."""
        paths = [str(recent) for recent in self.recent_projects if recent != path.absolute()]
        self._stored.setValue("recent_projects", json.dumps(paths))

    def save(self) -> None:
        """Write all settings to disk now, instead of waiting for Qt to do so."""
        self._stored.sync()

    def _text(self, key: str) -> str:
        text = self._stored.value(key)
        return text if isinstance(text, str) else ""

    def _texts(self, key: str) -> list[str]:
        # Stored as JSON, because Qt would return a list of one text as a text.
        try:
            texts = json.loads(self._text(key) or "[]")
        except json.JSONDecodeError:
            return []
        return [text for text in texts if isinstance(text, str)] if type(texts) is list else []


def is_on_network(path: Path) -> bool:
    """Return whether a file is on a network drive, according to the system."""
    storage = QStorageInfo(str(path.parent))
    kind, device = (
        bytes(part.data()).lower() for part in (storage.fileSystemType(), storage.device())
    )
    return kind.decode("ascii", "replace") in _NETWORKS or device.startswith((b"//", b"\\\\"))


_NETWORKS = frozenset(
    {
        "afpfs",
        "cifs",
        "fuse.gvfsd-fuse",
        "fuse.rclone",
        "fuse.sshfs",
        "nfs",
        "nfs4",
        "smb2",
        "smbfs",
    }
    | {"9p", "davfs", "webdav"}
)
"""Names of network file systems."""
