"""What the Lessons page writes to files: the picture, all lessons, and the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from PySide6.QtWidgets import QMenu

from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson
from eigenfaces.report.figure import Suffix
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread


def export_menu(page: Page, picture: LessonPicture, lesson: Lesson[Any], code: str) -> QMenu:
    """Return a menu of all files that can be written."""
    from eigenfaces.lessons.catalogue import every_picture
    from eigenfaces.report.lesson_figure import booklet, drawn

    menu = QMenu("Export", page)

    def add(title: str, name: str, content: Callable[[], bytes]) -> None:
        def write(path: Path) -> None:
            path.write_bytes(content())

        action = menu.addAction(title)
        action.triggered.connect(lambda: save_in_thread(page.session, page, name, write))

    def add_picture(suffix: Suffix) -> None:
        title, name = f"Picture ({suffix.upper()})…", f"{lesson.name}.{suffix}"
        add(title, name, lambda: drawn(picture, suffix))

    for suffix in get_args(Suffix):
        add_picture(suffix)
    wide = f"{lesson.name}-wide.png"
    add("Picture, 16:9 (PNG, 1920 × 1080)…", wide, lambda: drawn(picture, "png", wide=True))
    add("NumPy listing (.py)…", f"{lesson.name}.py", lambda: code.encode())
    menu.addSeparator()
    add("All lessons, 16:9 (PDF)…", "lessons.pdf", lambda: booklet(every_picture()))
    return menu
