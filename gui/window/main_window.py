"""Main window of the program: its parts, its menus and shortcuts, and files dropped onto it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QWidget,
)

from eigenfaces.importing.correct import EditableFace, ReviewReading
from eigenfaces.manual.keys import command
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.project.project import SUFFIX
from eigenfaces.project.unused import pending_photos
from ..state import actions, importing
from ..state.by_itself import ByItself
from ..state.jobs import JobKind
from ..state.session import Session
from ..state.settings import LastView, drafts_folder
from ..style import icons, theme
from ..widgets.box_layouts import in_column, in_row
from ..widgets.commands import bind, bind_each
from ..widgets.controls import PHOTOS_MIME, LinkButton, accept_as_copy, literal, local_paths
from ..widgets.hall import Hall
from ..widgets.messages import MessageBar
from ..widgets.page import NOTHING_YET, Page
from ..widgets.saving import PROJECTS, confirm_ending_import, save_project_as
from ..widgets.skipped_list import SkippedList
from ..widgets.status_bar import StatusBar
from .inspector import InspectorColumn
from .navigation import NAVIGATION_ITEMS, Navigation, NavigationItem
from .pasting import Pasting
from .tab_order import go_by_tab
from .top_bar import TopBar
from .wheel import WheelFilter

_WIDE = 1200
_FRAME = QSize(24, 56)
"""Space for the title bar and frame, whose sizes are known only once the window is shown."""

_NO_FIGURE = (
    "This page has no figure to show full screen. Lessons, Eigenfaces, Reconstruct, Map and "
    "Evaluate have figures."
)
_NO_FILE = (
    "The item you dropped is not a file on this computer. Save the picture first and drop the "
    "file, or copy the picture and paste it here."
)


def make_page(key: str, session: Session) -> Page:
    """Create the page with this key. Its module is not imported until then."""
    module = import_module(f"..pages.{key}", __package__)
    if hasattr(module, "__path__"):  # a folder
        module = import_module(f"..pages.{key}.page", __package__)
    page: Page = getattr(module, f"{key.title()}Page")(session)
    return page


class MainWindow(QMainWindow):
    """Main window, which shows one project. ``page`` is the current page."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setWindowIcon(icons.application_icon())
        self.setAcceptDrops(True)
        self.setMinimumSize(900, 500)
        self._pages: dict[str, Page] = {}
        self._hall: tuple[Page, Hall] | None = None  # the page shown full screen, and its hall
        self._state_before = self.windowState()  # the window's state before the hall
        self._message_project = session.project
        self.pasting = Pasting(session, self)
        self.commands = Commands(session, self)
        self.navigation = Navigation(session)
        self.top_bar = TopBar(session, self.commands.project_menu, self.commands.add_menu)
        self._stack = QStackedWidget()
        self._stack.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._stack.setAccessibleName("Page")
        middle, area, whole, again = QWidget(), QWidget(), QWidget(), LinkButton("Messages")
        foot = StatusBar(session, again)
        in_column((self._stack, 1), inside=middle, spacing=0)
        self.inspector = InspectorColumn(session.settings, area, middle)
        self.messages = MessageBar(middle)
        self.messages.kept_free = lambda: self.page.kept_free().translated(
            self.page.mapTo(middle, QPoint(0, 0))
        )
        again.clicked.connect(self.messages.show_list)
        self.messages.dismissed.connect(self._decline)
        right = in_column(self.top_bar, (area, 1), foot, spacing=0)
        in_row(self.navigation, (right, 1), inside=whole, spacing=0)
        self._views = QStackedWidget()
        self._views.addWidget(whole)  # the hall is stacked on top, and leaves it unchanged
        self.setCentralWidget(self._views)
        session.gallery_changed.connect(self._refresh)
        session.probes_changed.connect(self.commands.refresh)
        session.page_changed.connect(self.messages.dismiss)  # the message was about the last page
        session.page_changed.connect(self._refresh)
        session.message_changed.connect(self._show_message)
        self.page = self._page_of(self._page_key())
        self.resize(QSize(1467, 943).boundedTo(self.screen().availableSize() - _FRAME))
        if not session.settings.window_geometry.isEmpty():
            self.restoreGeometry(session.settings.window_geometry)
        self._refresh()
        ByItself(session)
        WheelFilter(self)
        self._stack.setFocus()  # otherwise the first navigation button gets the focus ring

    def _page_key(self) -> str:
        """Return the key of the page to show, which is usually “welcome” if there are no faces."""
        key, skipped = self.session.page, self.session.skipped
        needs = key == "people" or any(p.key == key and p.needs_faces for p in NAVIGATION_ITEMS)
        waits = key == "people" and any(file.needs_choice for file in skipped)
        empty = needs and not len(self.session.gallery.faces)
        return "welcome" if empty and not waits else key

    def _page_of(self, key: str) -> Page:
        """Return the page with this key, creating the page when it is first shown."""
        if key not in self._pages:
            page = self._pages[key] = make_page(key, self.session)
            page.photos_wanted.connect(self._add_photos)
            page.skipped_wanted.connect(self._show_left_out)
            page.choice_wanted.connect(self._show_waiting)
            page.hall_wanted.connect(self.toggle_hall)
            page.details.clicked.connect(self.toggle_inspector)
            self._stack.addWidget(page)
            # No page starts with the focus on the Train button in its first line.
            (page.content.home or page.content).setFocus()
            if page.inspector is not None:
                self.inspector.add(page.inspector)
        return self._pages[key]

    def choose_photos(self, source: list[Path] | FoundPhotos) -> None:
        """Open the import sheet for files, a folder, a file list or photographs already found."""
        from ..photos.sheet import ImportSheet

        lone = source[0] if isinstance(source, list) and len(source) == 1 else None
        whole = lone and (lone.is_dir() or lone.suffix in (".csv", ".tsv", ".txt"))
        sheet = ImportSheet(self.session, lone if lone and whole else source, self)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.show()

    def _add_photos(self, paths: list[Path]) -> None:
        if paths:
            self.open_paths(paths)
        else:
            self.commands.choose_folder()

    def open_paths(self, paths: list[Path]) -> None:
        """Open or import any files that were dropped or pasted."""
        if not paths:
            return
        if len(paths) == 1 and paths[0].suffix == SUFFIX:
            actions.open_project(self.session, paths[0])
        elif not self._page_accepts(paths):
            self.choose_photos(paths)

    def reopen(self, view: LastView) -> None:
        """Reopen the project and page shown when the program was closed, if they still exist."""
        known = [item.key for item in NAVIGATION_ITEMS]
        page = view.page if view.page in known else "people"
        actions.open_project(self.session, view.project, view._replace(page=page))

    def come_forward(self) -> None:
        """Raise the window above all others or, if the desktop forbids that, request attention."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        QApplication.alert(self)

    def _page_accepts(self, paths: list[Path]) -> bool:
        return self.page.key != "welcome" and self.page.accept_paths(paths)

    def export(self) -> None:
        """Show the page's export options (Ctrl+E), unless the page is waiting for a face space."""
        if self.page.needs_training and self.session.gallery.training is None:
            self.session.show_message(NOTHING_YET)
        else:
            self.page.export()

    def check_collection(self) -> None:
        """Open the sheet on the People page that lists doubtful names and photographs."""
        from ..pages.people.page import PeoplePage

        self.session.show_page("people")
        if isinstance(self.page, PeoplePage):
            self.page.check_sheet.open_sheet()

    def focus_search(self) -> None:
        """Focus the page's search field or, if there is none, the one in the top bar (Ctrl+F)."""
        (self.page.finder or self.top_bar.search).setFocus()

    def help(self) -> None:
        """Open the help for the current page (F1)."""
        from ..pages.help import HelpPage

        topic = self.page.key
        self.session.show_page("help")
        if isinstance(self.page, HelpPage):
            self.page.show_topic(topic)

    def toggle_inspector(self) -> None:
        """Show or hide the details of the selection (Ctrl+I)."""
        if not self.inspector.toggle():
            self.session.show_message("This page has no details to show.")

    def _refresh(self) -> None:
        page = self.page = self._page_of(self._page_key())
        if self.session.project is not self._message_project:
            self.messages.forget_actions()
        name = self.session.name.replace("[*]", "[*][*]")  # Qt replaces a single [*]
        self.setWindowTitle(f"{name} · Eigenfaces")
        self.navigation.set_current(self.session.page, faces=len(self.session.gallery.faces) > 0)
        if self._hall is not None and self._hall[0] is not page:
            self.leave_hall()
        self._stack.setCurrentWidget(page)
        self._fit()
        self.commands.refresh()

    def toggle_hall(self) -> None:
        """Show only this page's figure, in a full-screen view, or leave that view (F11)."""
        if self._hall is not None:
            self.leave_hall()
            return
        hall = self.page.open_hall() if self.page.is_ready else None
        if hall is None:
            self.session.show_message(_NO_FIGURE)
            return
        self._hall = self.page, hall
        hall.left.connect(self.leave_hall)
        self._views.addWidget(hall)
        self._views.setCurrentWidget(hall)
        self._state_before = self.windowState()
        self.setWindowState(self._state_before | Qt.WindowState.WindowFullScreen)
        hall.setFocus()

    def leave_hall(self) -> None:
        """Leave the full-screen view, and restore the previous state of the window (Esc)."""
        if self._hall is None:
            return
        (page, hall), self._hall = self._hall, None
        self._views.removeWidget(hall)
        hall.hide()
        hall.deleteLater()
        self.setWindowState(self._state_before)
        page.close_hall()
        page.content.setFocus()

    def _fit(self) -> None:
        """Show only icons for the pages, and the details on a sheet, if the window is narrow."""
        wide = self.width() >= theme.pixels(_WIDE)
        self.navigation.set_narrow(not wide)
        self.inspector.show_page(self.page, wide=wide)

    def _show_message(self) -> None:
        session, message = self.session, self.session.message
        if message is None:
            return
        self._message_project = session.project
        action: tuple[str, Callable[[], object]] | None = None
        if message.look is not None:
            words = "Add them" if message.look.found.photos else "Update the project"
            action = words, partial(actions.take_over, session, message.look)
        elif message.undoable and session.history.undo_title:
            action = "Undo", session.undo
        elif any(file.needs_choice for file in message.skipped if file in session.skipped):
            action = "Show these photos", self._show_waiting
        elif message.skipped:
            action = "Show skipped files", partial(self._show_skipped, message.skipped)
        elif message.interrupted:
            action = "Add them", partial(importing.import_interrupted, session)
        elif message.severity == "error" and session.takes_no_changes:
            action = "Save it elsewhere…", self.commands.save_as
        stays = message.look is not None  # an offer waits for an answer
        self.messages.show_message(message.text, message.severity, action, stays=stays)

    def _decline(self) -> None:
        """Discard an interrupted import if the user dismissed the offer to add its photographs."""
        if self.session.message is not None and self.session.message.interrupted:
            self.session.forget_readings()

    def _show_waiting(self) -> None:
        self.choose_photos(pending_photos(self.session.skipped, self.session.gallery.index))

    def _show_left_out(self) -> None:
        self._show_skipped(tuple(file for file in self.session.skipped if not file.needs_choice))

    def _show_skipped(self, skipped: tuple[Skipped, ...]) -> None:
        sheet = SkippedList(skipped, self)
        sheet.retry_wanted.connect(self._reopen)
        sheet.face_wanted.connect(partial(self._show_face, sheet))
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.show()

    def _show_face(self, listed: SkippedList, file: Skipped) -> None:
        """Let the user mark the face in a skipped photograph, and then add the photograph."""
        from ..photos.dialog import correct_photo

        def add(reading: ReviewReading, name: str) -> bool:
            begun = importing.add_shown_face(self.session, reading, name)
            if begun:
                listed.take_out(file)
            return begun

        face = EditableFace(Photo(file.path, file.person, turned=file.turned))
        correct_photo(listed, self.session, face, add=add)

    def _reopen(self, photos: FoundPhotos) -> None:
        """Try skipped files again on the current page or, if refused there, import them."""
        if not self._page_accepts([photo.path for photo in photos.photos]):
            self.choose_photos(photos)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return go_by_tab(self, forward=forward)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        own = event.mimeData().hasFormat(PHOTOS_MIME)
        if event.mimeData().hasUrls() and not own:
            accept_as_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        paths = local_paths(event.mimeData())
        if paths:
            accept_as_copy(event)
            self.open_paths(paths)
        else:
            self.session.show_message(_NO_FILE, "warn")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.inspector.close_sheet():
                self.messages.dismiss()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "commands"):
            self.commands.draw_icons()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel all jobs except exports, wait until all have ended, and save the window geometry.

        Only an unfinished import would be lost, so the user is asked first if there is one.
        """
        jobs = (*self.session.jobs.running, *self.session.jobs.waiting)
        imports = [job for job in jobs if job.kind is JobKind.IMPORT and not job.dropped]
        if imports and not confirm_ending_import(self):
            event.ignore()
            return
        self.leave_hall()  # otherwise the next start would be full screen
        self.session.settings.window_geometry = self.saveGeometry()
        self.hide()  # a decomposition cannot be stopped, and may take seconds
        self.session.close()
        self.pasting.delete_unused()
        self.session.settings.save()
        event.accept()


class Commands(QObject):
    """Commands of the “Project” and “Add photos” menus, and shortcuts that work on every page."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self.session, self.window = session, window
        self.by_name: dict[str, QAction] = {}
        self._icons: dict[QAction, str] = {}
        self.project_menu, self.add_menu = QMenu("Project", window), QMenu("Add photos", window)
        self._recent = QMenu("Recent projects", self.project_menu)
        self._recent.aboutToShow.connect(self._open_recent)
        session.settings.reach.changed.connect(self._fill_recent)
        self._fill(
            self.project_menu,
            {
                "new": lambda: actions.new_project(session),
                "open": self._open,
                "sample": lambda: actions.open_sample(session),
                "save as": self.save_as,
            },
            {"undo": session.undo, "redo": session.redo},
            {
                "check": window.check_collection,
                "export": window.export,
                "inspector": window.toggle_inspector,
                "hall": window.toggle_hall,
            },
            {"quit": window.close},
        )
        self.project_menu.insertMenu(self.by_name["sample"], self._recent)
        self._fill(
            self.add_menu,
            {
                "folder": self.choose_folder,
                "files": self._choose_files,
                "camera": self._open_camera,
            },
            {"look": lambda: actions.look_for_new(session)},
        )
        pages = [item for item in NAVIGATION_ITEMS if item.section]
        bind_each("page", window, lambda index: self._go(pages[index]))
        bind("find", window, window.focus_search)
        bind("paste", window, lambda: window.open_paths(window.pasting.paths()))
        bind("help", window, window.help)

    def refresh(self) -> None:
        """Name the changes that undo and redo would affect, and enable the available commands."""
        history = self.session.history
        for action, word, title in (
            (self.by_name["undo"], "Undo", history.undo_title),
            (self.by_name["redo"], "Redo", history.redo_title),
        ):
            action.setText(literal(f"{word} {title}") if title else word)
            action.setEnabled(title is not None)
        nothing_done = history.undo_title is None and history.redo_title is None
        if nothing_done and self.session.project is not None:
            self.by_name["undo"].setText("Nothing to undo since this project was opened")
        self.by_name["save as"].setEnabled(self.session.project is not None)
        self.by_name["check"].setEnabled(len(self.session.gallery.faces) > 0)

    def draw_icons(self) -> None:
        """Redraw the icons in the colours of the theme."""
        for action, name in self._icons.items():
            action.setIcon(icons.icon(name))

    def _fill(self, menu: QMenu, *groups: dict[str, Callable[[], object]]) -> None:
        """Add groups of commands to a menu, with a separator between groups."""
        for number, group in enumerate(groups):
            if number:
                menu.addSeparator()
            for name, act in group.items():
                action = self.by_name[name] = bind(name, self.window, act)
                menu.addAction(action)
                self._icons[action] = command(name).icon
        self.draw_icons()

    def _go(self, item: NavigationItem) -> None:
        if len(self.session.gallery.faces) or not item.needs_faces:
            self.session.show_page(item.key)

    def choose_folder(self) -> None:
        """Ask for a folder of photographs, and open the import sheet for it."""
        settings, title = self.session.settings, "Open a folder of photos"
        if path := QFileDialog.getExistingDirectory(self.window, title, str(settings.last_folder)):
            settings.last_folder = Path(path)
            self.window.choose_photos([Path(path)])

    def _choose_files(self) -> None:
        settings, title = self.session.settings, "Add photos"
        paths, _ = QFileDialog.getOpenFileNames(self.window, title, str(settings.last_folder))
        if paths:
            settings.last_folder = Path(paths[0]).parent
            self.window.choose_photos([*map(Path, paths)])

    def _open_camera(self) -> None:
        from ..photos.camera import show_camera

        show_camera(self.session, self.window)

    def _open(self) -> None:
        start, title = str(self.session.settings.projects_folder), "Open a project"
        if path := QFileDialog.getOpenFileName(self.window, title, start, PROJECTS)[0]:
            self.session.settings.projects_folder = Path(path).parent
            actions.open_project(self.session, Path(path))

    def save_as(self) -> None:
        """Ask where to save the project, and save it there."""
        save_project_as(self.session, self.window)

    def _open_recent(self) -> None:
        """List the recent projects, and start checking again which of their files exist."""
        settings = self.session.settings
        settings.reach.ask(settings.recent_projects)
        self._fill_recent()

    def _fill_recent(self) -> None:
        settings = self.session.settings
        self._recent.clear()
        others = self.session.other_recent_projects()
        missing = [path for path in others if settings.reach.is_missing(path)]
        for path in others:
            draft = " (not saved elsewhere yet)" if path.parent == drafts_folder() else ""
            note = " (not reachable)" if path in missing else draft
            action = self._recent.addAction(literal(path.stem + note))
            action.setToolTip(str(path))
            action.triggered.connect(
                lambda _=False, path=path: actions.open_project(self.session, path)
            )
        if self._recent.isEmpty():
            self._recent.addAction("None yet").setEnabled(False)
        if missing:
            self._recent.addSeparator()
            forget = self._recent.addAction("Forget unreachable projects")
            forget.triggered.connect(lambda: [*map(settings.forget_recent, missing)])
