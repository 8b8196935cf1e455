"""What a person sees and presses: visible texts, and buttons found by their names."""

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFileDialog,
    QLabel,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

from eigenfaces import FaceSet
from eigenfaces.recognition.probes import Probe
from gui.state.session import Session
from gui.widgets.words import ElidedLabel

Shown = TypeVar("Shown", bound=QWidget)
Result = TypeVar("Result")


def words(widget: QWidget) -> list[str]:
    """Return the words of every label that is seen in a widget, whole where they are cut."""
    labels = (part for part in widget.findChildren(QLabel) if part.isVisible())
    return [part.full_text if isinstance(part, ElidedLabel) else part.text() for part in labels]


def says(widget: QWidget, wanted: str) -> bool:
    """Whether these words are seen in a widget, in a label of their own or inside of one."""
    return any(wanted in each for each in words(widget))


def button_names(widget: QWidget) -> list[str]:
    """Return the names of all buttons that are seen in a widget."""
    buttons = widget.findChildren(QAbstractButton)
    return [each.text() or each.accessibleName() for each in buttons if each.isVisible()]


def button(widget: QWidget, name: str) -> QAbstractButton:
    """Return the one button of this name that is seen in a widget."""
    buttons = (each for each in widget.findChildren(QAbstractButton) if each.isVisible())
    (found,) = (each for each in buttons if name in (each.text(), each.accessibleName()))
    return found


def rows(table: QAbstractItemView) -> list[list[str]]:
    """Return the texts of a table, a list for each row."""
    model = table.model()
    columns = range(model.columnCount())
    return [
        [model.index(at, column).data() for column in columns] for at in range(model.rowCount())
    ]


def keyed(**after: Result) -> list[tuple[Qt.Key, Result]]:
    """Return keys, by their names, each with what it leads to."""
    return [(Qt.Key[f"Key_{name}"], value) for name, value in after.items()]


def stranger() -> Probe:
    """Return a face of noise, of nobody, as large as those of the small gallery."""
    faces = FaceSet.from_arrays(np.random.default_rng(9).random((1, 24, 20)), [None])
    photo = replace(faces.index.photos[0], key="not in the gallery", path=Path("stranger.png"))
    return Probe(photo, faces.image(0))


def exported(
    page: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> dict[str, Path]:
    """Trigger all entries of a page's export menu; return what was written, by proposed name."""
    made: dict[str, Path] = {}

    def ask(_parent: object, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        made[Path(start).name] = folder / f"{len(made)}{Path(start).suffix}"
        return str(made[Path(start).name]), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    page.export()
    (menu,) = (menu for menu in page.findChildren(QMenu) if menu.title() == "Export")
    for action in (action for action in menu.actions() if action.text()):
        with qtbot.waitSignal(page.session.message_changed):
            action.trigger()
        assert page.session.message.text.startswith("Saved as “")
        qtbot.waitUntil(lambda: page.session.jobs.current is None)
    menu.close()
    assert all(path.stat().st_size for path in made.values())
    return made


def settle(qtbot: QtBot, session: Session, timeout: int = 20_000) -> None:
    """Wait until no job runs and the pages show what there is.

    Pages put off what they show to the next turn of the event loop, and may then start a job.
    """
    turned: list[bool] = []
    while not (turned and session.jobs.current is None):
        qtbot.waitUntil(lambda: session.jobs.current is None, timeout=timeout)
        turned.clear()
        QTimer.singleShot(0, lambda: turned.append(True))
        qtbot.waitUntil(lambda: bool(turned))


def show(qtbot: QtBot, widget: Shown, size: tuple[int, int] | None = None) -> Shown:
    """Show a widget, perhaps in a size of its own, and wait until it is on the screen."""
    qtbot.addWidget(widget)
    if size is not None:
        widget.resize(*size)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget
