"""Dialogs that ask before saving, sharing or closing, and functions that write files safely."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QCheckBox, QFileDialog, QMenu, QMessageBox, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.files import atomic_write
from eigenfaces.project.project import SUFFIX
from ..state import actions
from ..state.jobs import JobKind
from ..state.session import Session
from .commands import bind
from .controls import literal

Write = Callable[[Path], None]
Export = tuple[str, str, Write]
"""An export: its menu text, a proposed file name with suffix, and the function that writes it."""

PROJECTS = f"Projects (*{SUFFIX})"
"""The file dialog filter for projects."""

_STILL_READING = (
    "Photos are still being read. If you close now, none of them will be added. The next time you "
    "open the project, you can add those that have been read so far."
)
_KINDS = {
    ".csv": "CSV tables (*.csv)",
    ".json": "JSON files (*.json)",
    ".pdf": "PDF documents (*.pdf)",
    ".png": "PNG pictures (*.png)",
    ".py": "Python programs (*.py)",
    ".svg": "SVG drawings (*.svg)",
}


def ask_path(parent: QWidget, title: str, path: Path, kinds: Mapping[str, str]) -> Path | None:
    """Ask where to save, and return the path, or None if the user cancels.

    A name without a known suffix is given the suffix of the chosen format. If that file already
    exists, ask again, because the user has not agreed to replace it.
    """
    suffixes = {words: suffix for suffix, words in kinds.items()}
    while True:
        chosen, kind = QFileDialog.getSaveFileName(parent, title, str(path), ";;".join(suffixes))
        path = Path(chosen)
        if not chosen or path.suffix.lower() in kinds:
            return path if chosen else None
        path = path.with_name(path.name + suffixes.get(kind, next(iter(kinds))))
        if not os.access(path, os.F_OK):  # a name that is too long fails later, when written
            return path


def save_project_as(session: Session, parent: QWidget) -> None:
    """Ask where to save the project, and save it there."""
    start = session.settings.projects_folder / f"{session.name}{SUFFIX}"
    if path := ask_path(parent, "Save the project as", start, {SUFFIX: PROJECTS}):
        session.settings.projects_folder = path.parent
        actions.save_as(session, path)


def share_project(session: Session, parent: QWidget, *, pictures: bool) -> None:
    """Ask where to save a project for sharing, and write the file; see `actions.share`."""
    start = session.settings.projects_folder / f"{session.name} to share{SUFFIX}"
    what = "faces and names, without photos" if pictures else "for recognising, without pictures"
    if path := ask_path(parent, f"Share: {what}", start, {SUFFIX: PROJECTS}):
        actions.share(session, path, pictures=pictures)


def confirm_forgetting(parent: QWidget, person: str) -> bool | None:
    """Ask whether to forget a person; return True if their faces must not be asked about again.

    Return None if the user cancels.
    """
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Forget for good?")
    box.setText(literal(f"Forget {person}?"))
    box.setInformativeText(
        "The name, the faces and everything computed from them will be deleted. This cannot be "
        "undone. The photos, the files beside them and any copies stay where they are. If a folder "
        "with this name has photos of other people, its name is kept."
    )
    remember = QCheckBox("Do not ask about these faces again (their positions in photos are kept)")
    box.setCheckBox(remember)
    yes = box.addButton("Forget", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    return remember.isChecked() if box.clickedButton() is yes else None


def confirm_overwrite(parent: QWidget, beside: Iterable[Path]) -> bool:
    """Return whether files ``beside`` the chosen one may be overwritten; ask if any exist."""
    if not (names := [f"“{path.name}”" for path in beside if os.access(path, os.F_OK)]):
        return True
    there = "already exists" if len(names) == 1 else "already exist"
    words = f"{' and '.join(names)} {there} and will also be replaced."
    yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel
    return QMessageBox.question(parent, "Replace existing files?", words, yes | no, no) == yes


def confirm_close(
    parent: QWidget, words: str, *, can_save: bool = False
) -> QMessageBox.StandardButton:
    """Ask what to do with an unsaved correction; return Save (if possible), Discard or Cancel."""
    buttons = QMessageBox.StandardButton
    offered = buttons.Discard | buttons.Cancel
    if can_save:
        offered |= buttons.Save
    usual = buttons.Save if can_save else buttons.Cancel
    return QMessageBox.question(parent, "Close?", words, offered, usual)


def confirm_ending_import(parent: QWidget) -> bool:
    """Ask whether to close the program while photos are still being read."""
    buttons = QMessageBox.StandardButton
    offered = buttons.Close | buttons.Cancel
    answer = QMessageBox.question(parent, "Close?", _STILL_READING, offered, buttons.Cancel)
    return answer == buttons.Close


def add_exports(
    menu: QMenu, session: Session, parent: QWidget, exports: Sequence[Export], *, now: bool = False
) -> None:
    """Add menu entries that ask where to save a file and then write it; see `save` for ``now``."""
    for words, name, write in exports:
        menu.addAction(words).triggered.connect(partial(save, session, parent, name, write, now))


def copy_by_key(
    name: str, page: QWidget, session: Session, image: Callable[[], QImage | None]
) -> None:
    """Bind the key of a command so that it copies the picture on a page, if the page has one."""

    def copy() -> None:
        if (picture := image()) is not None:
            QGuiApplication.clipboard().setImage(picture)
            session.show_message("The picture has been copied.")

    bind(name, page, copy)


def save(session: Session, parent: QWidget, name: str, write: Write, now: bool = False) -> None:
    """Ask where to save, starting in the last folder used, and write the file in a background job.

    If ``now``, write it immediately; use this for files that must be drawn in the GUI thread.
    """
    suffix = Path(name).suffix
    path = _ask(session, parent, name, (suffix,))
    if path is None:
        return
    if not now:
        _write_in_job(session, path, write)
        return
    try:
        _write(path, write)
    except EigenfacesError as error:
        session.show_error(error)
    else:
        _say_saved(session, path)


def save_as_kind(
    session: Session,
    parent: QWidget,
    stem: str,
    suffixes: Sequence[str],
    write: Callable[[Path, str], None],
) -> None:
    """Ask where and in which format to save, then call ``write`` with the suffix in a job."""
    path = _ask(session, parent, stem + suffixes[0], suffixes)
    if path is not None:
        kind = path.suffix.lower()
        _write_in_job(session, path, lambda part: write(part, kind))


def _ask(session: Session, parent: QWidget, name: str, suffixes: Sequence[str]) -> Path | None:
    kinds = {suffix: _KINDS[suffix] for suffix in suffixes}
    path = ask_path(parent, "Save as", session.settings.last_folder / name, kinds)
    if path is not None:
        session.settings.last_folder = path.parent
    return path


def _write_in_job(session: Session, path: Path, write: Write) -> None:
    session.run(
        JobKind.EXPORT,
        f"Saving {path.name}",
        lambda _: _write(path, write),
        lambda _: _say_saved(session, path),
        key=path,
        cancelled=f"“{path.name}” was not saved.",
    )


def _say_saved(session: Session, path: Path) -> None:
    session.show_message(f"Saved as “{path.name}”.", "ok")


def _write(path: Path, write: Write) -> None:
    with atomic_write(path) as part:
        write(part)
