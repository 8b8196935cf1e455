"""What the Lessons page writes to files: the picture, and the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from PySide6.QtWidgets import QMenu

from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread

Suffix = Literal["svg", "png", "pdf"]
_SUFFIXES: tuple[Suffix, ...] = ("svg", "png", "pdf")


def export_menu(page: Page, picture: LessonPicture, lesson: Lesson[Any], code: str) -> QMenu:
    """Return a menu of all files that can be written."""
    menu = QMenu("Export", page)

    def add(title: str, suffix: str, write: Callable[[Path], None]) -> None:
        name = f"{lesson.name}{suffix}"
        action = menu.addAction(title)
        action.triggered.connect(lambda: save_in_thread(page.session, page, name, write))

    for suffix in _SUFFIXES:
        add(f"Picture ({suffix.upper()})…", f".{suffix}", _drawing(picture, suffix))
    add("NumPy listing (.py)…", ".py", lambda path: _write(path, code))
    return menu


def _drawing(picture: LessonPicture, suffix: Suffix) -> Callable[[Path], None]:
    """Return what writes a picture to a file, in a job."""

    def write(path: Path) -> None:
        from eigenfaces.report.lesson_figure import drawn

        path.write_bytes(drawn(picture, suffix))

    return write


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
