"""The menus of the window and its keyboard shortcuts, each command in one line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from eigenfaces.project.project import SUFFIX
from gui.state import actions
from gui.state.session import Session
from gui.state.settings import drafts_folder
from gui.style import icons
from gui.widgets.controls import literal, local_paths
from gui.widgets.saving import ask_path
from gui.window.navigation import PLACES, Place

_PROJECTS = f"Projects (*{SUFFIX})"


class Commands(QObject):
    """The project menu, the menu of “Add photos”, and shortcuts that are in no menu.

    ``photos_chosen``: a folder, a list of files, or files are to be imported; ``files_pasted``:
    they are to be taken as if they were dropped. The other signals ask for what their names say.
    """

    photos_chosen = Signal(object)
    files_pasted = Signal(list)
    export_asked = Signal()
    find_asked = Signal()
    help_asked = Signal()
    inspector_asked = Signal()
    alone_asked = Signal()

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self.session, self.window = session, window
        self._icons: list[tuple[QAction, str]] = []
        self.project_menu = QMenu("Project", window)
        self.add_menu = QMenu("Add photos", window)
        self._fill_project_menu()
        self._fill_add_menu()
        self._bind_keys()

    def refresh(self) -> None:
        """Show what undo and redo would do; enable what can be done."""
        session = self.session
        for action, word, title in (
            (self._undo, "Undo", session.history.can_undo),
            (self._redo, "Redo", session.history.can_redo),
        ):
            action.setText(literal(f"{word} {title}") if title else word)
            action.setEnabled(title is not None)
        self._save.setEnabled(session.project is not None)

    def draw_icons(self) -> None:
        """Draw the icons again, in the colours of the theme."""
        for action, name in self._icons:
            action.setIcon(icons.icon(name))

    def _fill_project_menu(self) -> None:
        menu, session = self.project_menu, self.session
        self._add(menu, "New project", "Ctrl+N", "add", lambda: actions.new_project(session))
        self._add(menu, "Open project…", "Ctrl+O", "open", self._open)
        self._recent = menu.addMenu("Recent projects")
        self._recent.aboutToShow.connect(self._fill_recent)
        self._add(menu, "Open the sample gallery", "", "play", lambda: actions.open_sample(session))
        self._save = self._add(menu, "Save project as…", "Ctrl+S", "save", self.save_as)
        menu.addSeparator()
        self._undo = self._add(menu, "Undo", "Ctrl+Z", "undo", session.undo)
        self._redo = self._add(menu, "Redo", "Ctrl+Shift+Z", "redo", session.redo)
        menu.addSeparator()
        self._add(menu, "Export from this page…", "Ctrl+E", "export", self.export_asked.emit)
        toggle = self.inspector_asked.emit
        self._add(menu, "Show or hide the inspector", "Ctrl+I", "info", toggle)
        self._add(menu, "Figure of a lesson alone", "F11", "lessons", self.alone_asked.emit)
        menu.addSeparator()
        self._add(menu, "Quit", "Ctrl+Q", "cross", self.window.close)

    def _fill_add_menu(self) -> None:
        menu = self.add_menu
        self._add(menu, "Folder…", "Ctrl+Shift+O", "folder", self.choose_folder)
        self._add(menu, "Files…", "", "image", self._choose_files)
        self._add(menu, "List of files (CSV)…", "", "copy", self._choose_list)
        self._add(menu, "Camera…", "", "camera", self._open_camera)

    def _bind_keys(self) -> None:
        session = self.session
        pages = [place for place in PLACES if place.section]
        for number, place in enumerate(pages, 1):
            self._bind(f"Ctrl+{number}", partial(self._go, place))
        self._bind("Ctrl+T", self._train)
        self._bind("Ctrl+F", self.find_asked.emit)
        self._bind("Ctrl+V", lambda: self.files_pasted.emit(pasted(session)))
        self._bind("F1", self.help_asked.emit)
        self._bind("Ctrl+Y", session.redo)

    def _add(
        self, menu: QMenu, text: str, keys: str, icon: str, act: Callable[[], object]
    ) -> QAction:
        action = QAction(icons.icon(icon), text, self.window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: act())
        menu.addAction(action)
        self.window.addAction(action)
        self._icons.append((action, icon))
        return action

    def _bind(self, keys: str, act: Callable[[], object]) -> None:
        QShortcut(QKeySequence(keys), self.window).activated.connect(lambda: act())

    def _go(self, place: Place) -> None:
        if len(self.session.gallery.faces) or not place.needs_faces:
            self.session.show_page(place.key)

    def _train(self) -> None:
        if len(self.session.gallery.faces):
            actions.train(self.session)

    def choose_folder(self) -> None:
        """Ask for a folder of photos and open the import sheet."""
        start = str(self.session.settings.last_folder)
        chosen = QFileDialog.getExistingDirectory(self.window, "Open a folder of photos", start)
        if chosen:
            self.session.settings.last_folder = Path(chosen)
            self.photos_chosen.emit(Path(chosen))

    def _choose_files(self) -> None:
        start = str(self.session.settings.last_folder)
        chosen, _ = QFileDialog.getOpenFileNames(self.window, "Add photos", start)
        if chosen:
            self.session.settings.last_folder = Path(chosen[0]).parent
            self.photos_chosen.emit([Path(path) for path in chosen])

    def _choose_list(self) -> None:
        start = str(self.session.settings.last_folder)
        kinds = "Lists of path;label (*.csv *.tsv *.txt)"
        chosen, _ = QFileDialog.getOpenFileName(self.window, "Open a list of photos", start, kinds)
        if chosen:
            self.session.settings.last_folder = Path(chosen).parent
            self.photos_chosen.emit(Path(chosen))

    def _open_camera(self) -> None:
        from gui.photos.camera import show_camera

        show_camera(self.session, self.window)

    def _projects_folder(self) -> Path:
        """Return where the open project or the last one was saved, else the last folder."""
        project, settings = self.session.project, self.session.settings
        recent = [path.parent for path in settings.recent_projects]
        folders = [project.path.parent, *recent] if project is not None else recent
        saved = (each for each in folders if each != drafts_folder() and each.is_dir())
        return next(saved, settings.last_folder)

    def _open(self) -> None:
        start = str(self._projects_folder())
        chosen, _ = QFileDialog.getOpenFileName(self.window, "Open a project", start, _PROJECTS)
        if chosen:
            actions.open_project(self.session, Path(chosen))

    def save_as(self) -> None:
        start = self._projects_folder() / f"{self.session.name}{SUFFIX}"
        if path := ask_path(self.window, "Save the project as", start, {SUFFIX: _PROJECTS}):
            actions.save_as(self.session, path)

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self.session.settings.recent_projects:
            draft = " (not saved elsewhere yet)" if path.parent == drafts_folder() else ""
            action = self._recent.addAction(literal(path.stem + draft))
            action.setToolTip(str(path))
            action.triggered.connect(
                lambda _=False, path=path: actions.open_project(self.session, path)
            )
        if self._recent.isEmpty():
            self._recent.addAction("None yet").setEnabled(False)


def pasted(session: Session) -> list[Path]:
    """Return the files on the clipboard; a picture is kept as one. Where there is none, say why."""
    clipboard = QGuiApplication.clipboard()
    paths, image = local_paths(clipboard.mimeData()), clipboard.image()
    if paths or image.isNull():
        if not paths:
            session.say("There is no picture on the clipboard. Copy a photo or a file first.")
        return paths
    folder, number = drafts_folder().parent / "pasted", 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        session.say(f"The pasted picture cannot be kept in “{folder}”: {error.strerror}.", "error")
        return []
    while (path := folder / f"Pasted {number}.png").exists():
        number += 1
    if not image.save(str(path)):
        session.say(f"The pasted picture cannot be written to “{path}”.", "error")
        return []
    return [path]
