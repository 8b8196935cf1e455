"""Export of files: ask where, write the whole file beside it, replace, show a message."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.project.file import atomic_write
from gui.state.session import Session

Write = Callable[[Path], None]

_KINDS = {
    ".csv": "Tables (*.csv)",
    ".json": "Values (*.json)",
    ".pdf": "Documents (*.pdf)",
    ".png": "Pictures (*.png)",
    ".py": "Programs (*.py)",
    ".svg": "Drawings (*.svg)",
}


def ask_path(
    parent: QWidget, title: str, path: Path, kinds: Mapping[str, str], others: tuple[str, ...] = ()
) -> Path | None:
    """Ask for a path to save to; a name without a known suffix gets that of the kind chosen.

    ``others``: suffixes that are known too, but not proposed. If a file has that whole name, ask
    again with it: nobody agreed to replace it.
    """
    while True:
        words = ";;".join(kinds.values())
        chosen, kind = QFileDialog.getSaveFileName(parent, title, str(path), words)
        if not chosen:
            return None
        path = Path(chosen)
        if path.suffix.lower() in (*kinds, *others):
            return path
        suffix = next((end for end, words in kinds.items() if words == kind), next(iter(kinds)))
        path = path.with_name(path.name + suffix)
        if not os.access(path, os.F_OK):  # no error for a name that is too long: writing says so
            return path


def may_replace(parent: QWidget, beside: Iterable[Path]) -> bool:
    """Ask once about all files that are written too, where there are such files already."""
    names = [f"“{path.name}”" for path in beside if os.access(path, os.F_OK)]
    if not names:
        return True
    there = "It is" if len(names) == 1 else "They are"
    words = f"{' and '.join(names)} would be replaced too. {there} there already."
    yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel
    return QMessageBox.question(parent, "Replace what is there?", words, yes | no, no) == yes


def may_lose(parent: QWidget, words: str) -> bool:
    """Ask whether to close, although what was corrected would be lost."""
    discard, cancel = QMessageBox.StandardButton.Discard, QMessageBox.StandardButton.Cancel
    return QMessageBox.question(parent, "Close?", words, discard | cancel, cancel) == discard


def ask_where(session: Session, parent: QWidget, name: str) -> Path | None:
    """Ask for a path in the folder used last; the suffix of ``name`` is the kind of file."""
    suffix = Path(name).suffix
    start = session.settings.last_folder / name
    path = ask_path(parent, "Save as", start, {suffix: _KINDS[suffix]})
    if path is not None:
        session.settings.last_folder = path.parent
    return path


def save_in_thread(session: Session, parent: QWidget, name: str, write: Write) -> None:
    """Ask where, then write the file in a job."""
    path = ask_where(session, parent, name)
    if path is None:
        return

    def work(tick: Tick) -> None:
        with atomic_write(path) as part:
            write(part)

    session.jobs.start(
        "export",
        f"Saving {path.name}",
        work,
        lambda _: session.say(f"Saved as “{path.name}”.", "ok"),
        session.tell,
        cancelled=f"“{path.name}” was not saved.",
        about=path,
    )


def save_now(session: Session, parent: QWidget, name: str, write: Write) -> None:
    """Ask where and write the file at once: for what must be drawn in the window's own thread."""
    path = ask_where(session, parent, name)
    if path is None:
        return
    try:
        with atomic_write(path) as part:
            write(part)
    except EigenfacesError as error:
        session.say(str(error), "error")
    else:
        session.say(f"Saved as “{path.name}”.", "ok")
