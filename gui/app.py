"""Start the window or, if there is no display, demonstrate the program on the command line."""

from __future__ import annotations

import argparse
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from eigenfaces import __version__
from eigenfaces.__main__ import ignore_picture_warnings, write_in_any_encoding
from eigenfaces.errors import log_to_file, reason_of
from eigenfaces.files import asset, clear_unfinished
from eigenfaces.threads import limit_blas_threads

_MISSING_LIBRARY = (
    "The window cannot be shown because a library is missing: {}. On Debian or "
    "Ubuntu, run: apt install libegl1 libgl1 libxkbcommon-x11-0 libfontconfig1 libdbus-1-3 "
    "libglib2.0-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
)


def main() -> int:
    """Parse the command line, show the window, and return the exit status."""
    limit_blas_threads()  # child processes inherit the limit
    parser = argparse.ArgumentParser(
        description="See the eigenfaces of your own photos, and find out who is in a new one.",
        epilog="For the command-line program, run “uv run eigenfaces --help”.",
    )
    about = "a project to open, or a folder or photos to add"
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE", help=about)
    parser.add_argument("--sample", action="store_true", help="open the AT&T sample gallery")
    menu = "add the program to the Linux desktop menu, so that a double click opens projects"
    parser.add_argument("--add-to-menu", action="store_true", help=menu)
    release = f"eigenfaces {__version__}"
    parser.add_argument("--version", action="version", version=release, help="show the version")
    write_in_any_encoding()
    arguments = parser.parse_args()
    ignore_picture_warnings()
    if arguments.add_to_menu:
        return _add_to_menu()
    try:
        if not _has_display():
            return _run_without_window(next(iter(arguments.paths), None))
        return show_window(arguments.paths, sample=arguments.sample)
    except ImportError as error:  # a system library that Qt needs is missing
        print(_MISSING_LIBRARY.format(error), file=sys.stderr)
        return 1


def _has_display() -> bool:
    """Return whether a window can be shown. Without a display, Qt would abort the process."""
    hidden = os.environ.get("QT_QPA_PLATFORM", "") in ("offscreen", "minimal")
    named = not hidden and any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return named or sys.platform in ("win32", "darwin")


def show_window(paths: Sequence[Path] = (), *, sample: bool = False) -> int:
    """Import Qt, show the window, and return the exit status of Qt."""
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from eigenfaces.project.project import SUFFIX
    from .state import actions
    from .state.jobs import collect_garbage_from
    from .state.one_window import Doorbell, ask_to_come_forward, hold_other_starts
    from .state.session import Session
    from .state.settings import Settings, drafts_folder
    from .style import theme
    from .widgets.messages import install_crash_handler
    from .window.main_window import MainWindow

    app = QApplication(sys.argv[:1])
    app.setApplicationName("Eigenfaces")
    app.setDesktopFileName("eigenfaces")
    app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # the program speaks only English
    collect_garbage_from(app)
    sys.setswitchinterval(0.0005)  # seconds that a job may keep the window waiting
    settings = Settings()
    theme.apply(app, settings.theme)
    handler = install_crash_handler(log_to_file())
    logging.getLogger("eigenfaces").info("Window version %s", __version__)
    last = settings.last_view
    wanted = paths[0] if len(paths) == 1 and paths[0].suffix == SUFFIX else None
    lock = hold_other_starts()
    if not sample and (wanted or not paths):
        others = (wanted,) if wanted else (None, last.project if last else None)
        if any(map(ask_to_come_forward, dict.fromkeys(others))):
            return 0
    session = Session(settings)
    handler.show_message = lambda sentence: session.show_message(
        sentence, "error"
    )  # a face that cannot be read
    session.page_changed.connect(handler.forget)  # a message is closed when the page changes
    window = MainWindow(session)
    window.show()
    QTimer.singleShot(0, window, lambda: clear_unfinished(drafts_folder()))
    if sample:
        QTimer.singleShot(0, window, lambda: actions.open_sample(session))
    elif paths:
        whole = [path.absolute() for path in paths]
        QTimer.singleShot(0, window, lambda: window.open_paths(whole))
    elif last is not None:
        QTimer.singleShot(0, window, lambda: window.reopen(last))
    opening = None if sample else wanted or (last.project if last and not paths else None)
    doorbell = Doorbell(window.come_forward, window, opening)
    session.gallery_changed.connect(
        lambda: doorbell.show_project(session.project.path if session.project else None)
    )
    QTimer.singleShot(0, window, lambda: lock.unlock())  # from now on the doorbell answers
    return app.exec()


_MENU_ENTRY = """[Desktop Entry]
Type=Application
Name=Eigenfaces
Comment=Name the people in your photos with eigenfaces
Exec={command} %F
Icon=eigenfaces
Categories=Graphics;Photography;Education;
MimeType=application/x-eigenfaces;inode/directory;image/jpeg;image/png;image/tiff;image/webp;image/heif;
"""

_FILE_TYPE = """<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-eigenfaces">
    <comment>Eigenfaces project</comment>
    <icon name="eigenfaces"/>
    <glob pattern="*.eigenfaces"/>
  </mime-type>
</mime-info>
"""


def _defaults() -> dict[str, str]:
    """Return the default program, if known, for each MIME type of folders and pictures."""
    _, _, kinds = _MENU_ENTRY.partition("MimeType=")
    others = [kind for kind in kinds.strip().strip(";").split(";") if "eigenfaces" not in kind]
    return {kind: _default_of(kind) for kind in others} if shutil.which("xdg-mime") else {}


def _default_of(kind: str) -> str:
    """Return the menu entry that opens this type of file by default, or "" if there is none."""
    asked = ["xdg-mime", "query", "default", kind]
    return subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip()


def _add_to_menu() -> int:
    """Write the menu entry, icon and file type to the folders that freedesktop.org specifies."""
    program = Path(sys.argv[0]).resolve()
    parts = [str(program)] if os.access(program, os.X_OK) else [sys.executable, str(program)]
    # Inside quotation marks, a percent sign starts a code. A backslash escapes four characters.
    quoted = (re.sub(r'(["`$\\])', r"\\\1", part).replace("%", "%%") for part in parts)
    command = " ".join(f'"{part}"' for part in quoted).replace("\\", "\\\\")
    share = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    icon = asset("application.svg")
    contents = {
        "applications/eigenfaces.desktop": _MENU_ENTRY.format(command=command),
        "mime/packages/eigenfaces.xml": _FILE_TYPE,
        "icons/hicolor/scalable/apps/eigenfaces.svg": icon.read_text("utf-8"),
    }
    before = _defaults()
    try:
        for name, text in contents.items():
            (share / name).parent.mkdir(parents=True, exist_ok=True)
            (share / name).write_text(text, "utf-8")
    except OSError as error:
        print(f"The folder “{share}” cannot be written to: {reason_of(error)}.", file=sys.stderr)
        return 1
    for tool, folder in (("mime", "mime"), ("desktop", "applications")):
        if found := shutil.which(
            f"update-{tool}-database"
        ):  # otherwise desktops notice at the next login
            subprocess.run([found, str(share / folder)], check=False, capture_output=True)
    for kind, other in before.items():
        if other and _default_of(kind) != other:  # pictures keep their default program
            subprocess.run(["xdg-mime", "default", other, kind], check=False, capture_output=True)
    print(f"Eigenfaces is now in the menu and opens its project files. The entry is in {share}")
    return 0


def _run_without_window(project: Path | None) -> int:
    """Train on part of the sample, recognise the rest, and explain how to open the window."""
    from eigenfaces.cli.recognising import recognise_sample

    print("There is no display, so the program is running without a window.\n")
    if project is not None:
        print(f"“{project}” was not opened. Describe it with “uv run eigenfaces info {project}”.\n")
    recognise_sample()
    print("\nThe window needs a desktop. Start the program on one, or connect with “ssh -X”.")
    return 0
