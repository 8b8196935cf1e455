"""How one gets about: the navigation, the menus of the window, and its keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QFrame, QLabel, QMenu, QWidget

from eigenfaces.project.project import SUFFIX
from gui.state import actions
from gui.state.session import Session
from gui.state.settings import drafts_folder
from gui.style import icons, theme
from gui.widgets.boxes import in_column, in_row
from gui.widgets.controls import Button, literal, local_paths
from gui.widgets.saving import ask_path
from gui.widgets.words import label

WIDE, NARROW = 188, 64
_PROJECTS = f"Projects (*{SUFFIX})"
_LISTS = "Lists of path;label (*.csv *.tsv *.txt)"


@dataclass(frozen=True)
class Place:
    """A page in the navigation; with ``section`` "" it is at the bottom."""

    key: str  # also the name of its icon
    section: str
    needs_faces: bool = True

    @property
    def title(self) -> str:
        """What it is called."""
        return self.key.title()


PLACES = (
    Place("people", "GALLERY", needs_faces=False),
    Place("recognise", "GALLERY"),
    Place("eigenfaces", "FACE SPACE"),
    Place("reconstruct", "FACE SPACE"),
    Place("synthesise", "FACE SPACE"),
    Place("map", "FACE SPACE"),
    Place("evaluate", "MEASURE AND LEARN"),
    Place("lessons", "MEASURE AND LEARN", needs_faces=False),
    Place("settings", "", needs_faces=False),
    Place("help", "", needs_faces=False),
)


class Navigation(QFrame):
    """Buttons for the pages, by section; icons only where the window is narrow."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("role", "side")
        self.setAccessibleName("Pages")
        self._buttons: dict[Place, Button] = {}
        self._group = QButtonGroup(self)
        self._logo, self._name = QLabel(), label("Eigenfaces", "heading")
        self._logo.setFixedWidth(24)
        self._words = [self._name]  # hidden where there is no room
        brand = QWidget()
        in_row(self._logo, (self._name, 1), inside=brand, spacing=10, margins=(4, 0, 0, 6))
        column = in_column(brand, inside=self, spacing=3, margins=(10, 12, 10, 12))
        section = ""
        for place in PLACES:
            if place.section != section:
                section = place.section
                if section:
                    self._words.append(label(section, "section"))
                    self._words[-1].setContentsMargins(13, 9, 0, 2)
                    column.addWidget(self._words[-1])
                else:
                    column.addStretch(1)
            button = self._buttons[place] = Button(place.title, name=place.title, role="nav")
            button.setCheckable(True)
            button.clicked.connect(partial(self._go, session, place))
            button.toggled.connect(partial(self._draw_icon, place))
            self._group.addButton(button)
            column.addWidget(button)
        self._draw_icons()
        self.set_narrow(False)

    def show_place(self, key: str, *, faces: bool) -> None:
        """Show which page is open; without faces, those that need some are disabled."""
        for place, button in self._buttons.items():
            button.setEnabled(faces or not place.needs_faces)
            if place.key == key:
                button.setChecked(True)

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or icons and words."""
        self.setFixedWidth(NARROW if narrow else theme.pixels(WIDE))
        for words in self._words:
            words.setVisible(not narrow)
        for place, button in self._buttons.items():
            button.setText("" if narrow else place.title)
            button.setToolTip(place.title if narrow else "")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icons()

    def _go(self, session: Session, place: Place, _checked: bool = True) -> None:
        session.show_page(place.key)

    def _draw_icons(self) -> None:
        accent = theme.tokens().accent
        self._logo.setPixmap(icons.pixmap("logo", 22, accent, self.devicePixelRatioF()))
        for place in self._buttons:
            self._draw_icon(place)

    def _draw_icon(self, place: Place, _checked: bool = False) -> None:
        t, button = theme.tokens(), self._buttons[place]
        button.setIcon(icons.icon(place.key, t.accent if button.isChecked() else t.secondary, 6))
        button.setIconSize(QSize(24, 18))


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
        self._icons: dict[QAction, str] = {}
        self.project_menu = menu = QMenu("Project", window)
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
        self._add(menu, "Quit", "Ctrl+Q", "cross", window.close)
        self.add_menu = menu = QMenu("Add photos", window)
        self._add(menu, "Folder…", "Ctrl+Shift+O", "folder", self.choose_folder)
        self._add(menu, "Files…", "", "image", self._choose_files)
        self._add(menu, "List of files (CSV)…", "", "copy", self._choose_list)
        self._add(menu, "Camera…", "", "camera", self._open_camera)
        pages = [place for place in PLACES if place.section]
        keys: dict[str, Callable[[], object]] = {
            **{f"Ctrl+{at}": partial(self._go, place) for at, place in enumerate(pages, 1)},
            "Ctrl+T": self._train,
            "Ctrl+F": self.find_asked.emit,
            "Ctrl+V": lambda: self.files_pasted.emit(pasted(session)),
            "F1": self.help_asked.emit,
            "Ctrl+Y": session.redo,
        }
        for key, act in keys.items():
            QShortcut(QKeySequence(key), window).activated.connect(act)

    def refresh(self) -> None:
        """Show what undo and redo would do; enable what can be done."""
        history = self.session.history
        for action, word, title in (
            (self._undo, "Undo", history.can_undo),
            (self._redo, "Redo", history.can_redo),
        ):
            action.setText(literal(f"{word} {title}") if title else word)
            action.setEnabled(title is not None)
        self._save.setEnabled(self.session.project is not None)

    def draw_icons(self) -> None:
        """Draw the icons again, in the colours of the theme."""
        for action, name in self._icons.items():
            action.setIcon(icons.icon(name))

    def _add(
        self, menu: QMenu, text: str, keys: str, icon: str, act: Callable[[], object]
    ) -> QAction:
        action = QAction(icons.icon(icon), text, self.window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: act())
        menu.addAction(action)
        self.window.addAction(action)
        self._icons[action] = icon
        return action

    def _go(self, place: Place) -> None:
        if len(self.session.gallery.faces) or not place.needs_faces:
            self.session.show_page(place.key)

    def _train(self) -> None:
        if len(self.session.gallery.faces):
            actions.train(self.session)

    def choose_folder(self) -> None:
        """Ask for a folder of photos and open the import sheet."""
        start = str(self.session.settings.last_folder)
        folder = QFileDialog.getExistingDirectory(self.window, "Open a folder of photos", start)
        if folder:
            self.session.settings.last_folder = Path(folder)
            self.photos_chosen.emit(Path(folder))

    def _choose_files(self) -> None:
        start = str(self.session.settings.last_folder)
        if files := QFileDialog.getOpenFileNames(self.window, "Add photos", start)[0]:
            self.session.settings.last_folder = Path(files[0]).parent
            self.photos_chosen.emit([Path(path) for path in files])

    def _choose_list(self) -> None:
        start, title = str(self.session.settings.last_folder), "Open a list of photos"
        if file := QFileDialog.getOpenFileName(self.window, title, start, _LISTS)[0]:
            self.session.settings.last_folder = Path(file).parent
            self.photos_chosen.emit(Path(file))

    def _open_camera(self) -> None:
        from gui.photos.camera import show_camera

        show_camera(self.session, self.window)

    def _projects_folder(self) -> Path:
        """Return where the open project or the last one was saved, else the last folder."""
        project, settings = self.session.project, self.session.settings
        recent = [path.parent for path in settings.recent_projects]
        folders = [project.path.parent, *recent] if project is not None else recent
        saved = (folder for folder in folders if folder != drafts_folder() and folder.is_dir())
        return next(saved, settings.last_folder)

    def _open(self) -> None:
        start, title = str(self._projects_folder()), "Open a project"
        if file := QFileDialog.getOpenFileName(self.window, title, start, _PROJECTS)[0]:
            actions.open_project(self.session, Path(file))

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
            action.triggered.connect(partial(self._open_recent, path))
        if self._recent.isEmpty():
            self._recent.addAction("None yet").setEnabled(False)

    def _open_recent(self, path: Path, _checked: bool = False) -> None:
        actions.open_project(self.session, path)


def pasted(session: Session) -> list[Path]:
    """Return the files on the clipboard; a picture is kept as one. Where there is none, say why."""
    clipboard = QGuiApplication.clipboard()
    paths, image = local_paths(clipboard.mimeData()), clipboard.image()
    if paths or image.isNull():
        if not paths:
            session.show_message(
                "There is no picture on the clipboard. Copy a photo or a file first."
            )
        return paths
    folder, number = drafts_folder().parent / "pasted", 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        session.show_message(
            f"The pasted picture cannot be kept in “{folder}”: {error.strerror}.", "error"
        )
        return []
    while (path := folder / f"Pasted {number}.png").exists():
        number += 1
    if not image.save(str(path)):
        session.show_message(f"The pasted picture cannot be written to “{path}”.", "error")
        return []
    return [path]
