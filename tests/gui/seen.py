"""What a person sees and presses: visible texts, and buttons found by their names."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl, SignalInstance
from PySide6.QtGui import QAccessible, QAction, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

from eigenfaces import FaceSet, Gallery
from eigenfaces.faces.identity import Photograph
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition.probes import Probe
from gui.plots.plot import PlotView
from gui.state.by_itself import ByItself
from gui.state.jobs import Jobs
from gui.state.session import Session
from gui.widgets.bars import ShareBar
from gui.widgets.labels import ElidedLabel, IconLabel
from tests.synthetic import on_file

Shown = TypeVar("Shown", bound=QWidget)
Result = TypeVar("Result")

PLAIN = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton

MIDDLES = (40 + 50j, 150 + 60j, 250 + 45j)
"""Between the eyes of each face of a group photograph."""


def words(widget: QWidget) -> list[str]:
    """Return the words of every label that is seen in a widget, whole where they are cut."""
    labels = (part for part in widget.findChildren(QLabel) if part.isVisible())
    return [part.full_text if isinstance(part, ElidedLabel) else part.text() for part in labels]


def says(widget: QWidget, wanted: str) -> bool:
    """Whether these words are seen in a widget, in a label of their own or inside of one."""
    return any(wanted in text for text in words(widget))


def button_names(widget: QWidget) -> list[str]:
    """Return the names of all buttons that are seen in a widget."""
    buttons = widget.findChildren(QAbstractButton)
    return [part.text() or part.accessibleName() for part in buttons if part.isVisible()]


def button(widget: QWidget, name: str) -> QAbstractButton:
    """Return the one button of this name that is seen in a widget."""
    buttons = (part for part in widget.findChildren(QAbstractButton) if part.isVisible())
    (named,) = (part for part in buttons if name in (part.text(), part.accessibleName()))
    return named


def spoken(widget: QWidget) -> str:
    """Return all that a screen reader gets of a widget: name, value, text and description."""
    part, kind = QAccessible.queryAccessibleInterface(widget), QAccessible.Text
    texts = [part.text(about) for about in (kind.Name, kind.Value, kind.Description)]
    if (inside := part.textInterface()) is not None:
        texts.append(inside.text(0, inside.characterCount()))
    if (number := part.valueInterface()) is not None:
        texts.append(str(number.currentValue()))
    return "\n".join(filter(None, texts))


def unread(*pages: QWidget) -> list[str]:
    """Return what is seen in these widgets, or takes the focus, and is not read aloud as it is."""
    parts = [part for page in pages for part in page.findChildren(QWidget) if part.isVisible()]
    return [
        f"{type(part).__name__} “{words}”: “{spoken(part)}”"
        for part in parts
        for words in _to_be_read(part)
        if not _contains(spoken(part), words)
    ]


def _contains(text: str, words: str) -> bool:
    """Whether a text says something, and these words in it, however they are set and divided."""
    plain, wanted = (" ".join(re.findall(r"[^\s.:;]+", said)).casefold() for said in (text, words))
    return bool(plain) and wanted in plain


def _to_be_read(part: QWidget) -> list[str]:
    """Return what a screen reader has to say of a widget; an empty text for anything at all."""
    if isinstance(part, ElidedLabel):
        return [part.full_text, part.accessibleName()] if part.full_text else []
    if isinstance(part, QLabel) and part.property("role") == "code":
        return [part.accessibleName()]  # drawn in letters
    if isinstance(part, QLabel):
        rich = part.textFormat() == Qt.TextFormat.RichText
        words = QTextDocumentFragment.fromHtml(part.text()).toPlainText() if rich else part.text()
        return [words] if words else []
    if isinstance(part, QAbstractButton):
        return [part.text(), part.accessibleName()]
    if isinstance(part, QComboBox):
        return [part.accessibleName() or "no name", part.currentText()]
    if isinstance(part, QAbstractSpinBox):
        return [part.accessibleName() or "no name", part.text()]
    if isinstance(part, PlotView) and part.marks:
        x, y = part.axes.x, part.axes.y
        return [x.title, y.title, *(name for name, _ in part.legend())]
    if isinstance(part, ShareBar | IconLabel):
        return []  # their words stand beside them
    focus = part.focusPolicy() != Qt.FocusPolicy.NoFocus and part.focusProxy() is None
    ours = [kind for kind in type(part).__mro__ if kind.__module__.startswith("gui.")]
    painted = any("paintEvent" in vars(kind) for kind in ours)
    return [part.accessibleName()] if focus or painted else []


def rows(table: QAbstractItemView) -> list[list[str]]:
    """Return the texts of a table, a list for each row."""
    model = table.model()
    columns = range(model.columnCount())
    return [
        [model.index(at, column).data() for column in columns] for at in range(model.rowCount())
    ]


def choose(box: QComboBox, choice: object) -> None:
    """Choose a line of a list, as a person does: by its words, what it stands for, or its place."""
    at = choice if isinstance(choice, int) else box.findText(str(choice))
    at = box.findData(choice) if at < 0 else at
    assert 0 <= at < box.count()
    box.setCurrentIndex(at)
    box.activated.emit(at)


def click(
    qtbot: QtBot,
    view: QAbstractItemView,
    row: int | str,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Click on a row of a list; in one of faces, it may be given by its key."""
    index = view.faces.index_of(row) if isinstance(row, str) else view.model().index(row, 0)
    place = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifiers, pos=place)


def menu_at(page: QWidget, view: QWidget, place: QPoint) -> dict[str, QAction]:
    """Return what the menu of a part of the page offers, opened at a place."""
    view.customContextMenuRequested.emit(place)
    menu = page.findChildren(QMenu)[-1]
    menu.close()
    return {action.text(): action for action in menu.actions()}


def keyed(**after: Result) -> list[tuple[Qt.Key, Result]]:
    """Return keys, by their names, each with what it leads to."""
    return [(Qt.Key[f"Key_{name}"], value) for name, value in after.items()]


def told(*signals: SignalInstance) -> list[Any]:
    """Return what signals tell from now on, in turn: a value, or a tuple of several."""
    heard: list[Any] = []
    for signal in signals:
        signal.connect(lambda *values: heard.append(values[0] if len(values) == 1 else values))
    return heard


def files(*places: Path | str) -> QMimeData:
    """Return files, and web addresses, as they are dragged and copied."""
    mime = QMimeData()
    mime.setUrls(
        [QUrl.fromLocalFile(str(at)) if isinstance(at, Path) else QUrl(at) for at in places]
    )
    return mime


def stranger() -> Probe:
    """Return a face of noise, of nobody, as large as those of the small gallery."""
    faces = FaceSet.from_arrays(np.random.default_rng(9).random((1, 24, 20)), [None])
    photo = on_file(faces.index.photos[0], Path("stranger.png"), "not in the gallery")
    return Probe(photo, faces.image(0))


def probe_of(gallery: Gallery, row: int, name: str = "probe") -> Probe:
    """Return a photograph like one of the gallery, but not the same."""
    noise = np.random.default_rng(row).normal(0, 0.02, gallery.faces.shape)
    image = np.clip(gallery.faces.image(row) + noise, 0, 1).astype(np.float32)
    photo = gallery.index.photos[row]
    path, sha = Path(f"/photos/{name}{row}.png"), f"sha {name} {row}"
    return Probe(replace(on_file(photo, path, sha), person=None), image)


def group_probes(gallery: Gallery, path: Path, *rows: int) -> list[Probe]:
    """Return the faces of one photograph, 300 × 120 pixels, like those of these rows."""
    probes = []
    for number, (row, middle) in enumerate(zip(rows, MIDDLES, strict=True), 1):
        probe, placement = probe_of(gallery, row), Placement(Eyes.at(middle, 24 + 0j))
        photograph = Photograph(path, "c0ffee", (120, 300))
        photo = replace(probe.photo, photograph=photograph, number=number, placement=placement)
        probes.append(Probe(photo, probe.image, number, len(rows)))
    return probes


def keep_photos(session: Session, number: int) -> None:
    """Remove all photographs but the first few, and train again."""
    keys = [photo.id for photo in session.gallery.index.photos[number:]]
    session.apply("removing", lambda gallery: gallery.remove(keys).train())


def is_idle(session: Session) -> bool:
    """Return whether no job runs, those of views included, and none is about to begin by itself."""
    views = (jobs for top in QApplication.topLevelWidgets() for jobs in top.findChildren(Jobs))
    return not any(jobs.current for jobs in (session.jobs, *views)) and not any(
        starter.waits for starter in session.findChildren(ByItself)
    )


def settle(qtbot: QtBot, session: Session, timeout: int = 120_000) -> None:
    """Wait until no job runs and the pages show what there is.

    Pages put off what they show to the next turn of the event loop, some of it to the one after,
    and may then start a job.
    """
    turned: list[bool] = []
    while not (turned and is_idle(session)):
        qtbot.waitUntil(lambda: is_idle(session), timeout=timeout)
        turned.clear()
        QTimer.singleShot(0, lambda: QTimer.singleShot(0, lambda: turned.append(True)))
        qtbot.waitUntil(lambda: bool(turned))


def show(qtbot: QtBot, widget: Shown, size: tuple[int, int] | None = None) -> Shown:
    """Show a widget, perhaps in a size of its own, and wait until it is on the screen."""
    qtbot.addWidget(widget)
    if size is not None:
        widget.resize(*size)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget
