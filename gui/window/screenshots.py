"""Every page with the sample, as PNG files: for the README, for review, and for a test."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSize, Qt, QTimer
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QSlider, QWidget
from skimage import data

from eigenfaces import (
    EigenfacesError,
    FaceSet,
    Gallery,
    Preparation,
    Project,
    Recipe,
    find_photos,
    load_faces,
    load_sample,
)
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.laboratory.lessons.catalogue import LESSONS
from eigenfaces.project.exports import save_grey
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.samples import PREPARATION
from gui.import_sheet.sheet import ImportSheet
from gui.state import actions
from gui.state.jobs import EVALUATE, Jobs
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from gui.widgets.face_delegate import PICTURES
from gui.window.main_window import MainWindow
from gui.window.navigation import PLACES

_TURNS, _STILL = 100, 4
_PAUSE = 400
"""By then (ms) the curves of an evaluation under way are on the screen."""

_PROBES = (8, 24, 1, 18, 33)
"""Rows among the 80 images, two of each person, that do not train; they are shown as probes."""

_GROUP = (1, 4, 9, 12)
"""Rows among the same 80 who are together on one photograph."""

_KNOWN = 35
"""People enrolled where others are strangers."""

_SHOWN = {"sure": 3, "ask": 1, "unknown": 1}
"""How many probes of each kind of verdict are shown."""

_NEW = 7
"""People of the sample whose photographs the import sheet finds."""

_UNDER_WAY = ("evaluate-running",)
"""Scenes that do not wait for what is going on."""

_FOLDS = 5
"""Of an evaluation under way: enough to see the curves grow."""

_HOMES = ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")


def render_pages(folder: Path, theme_name: str, size: tuple[int, int]) -> Iterator[Path]:
    """Render the welcome page, the import sheet, every page, and the rarer states of some.

    Yields each file after it is written, with names like ``people-light.png``. Nothing of the
    person's own (settings, projects) is read, changed or shown.
    """
    app = cast(QApplication, QApplication.instance()) or _application()
    theme.apply(app, cast(theme.Theme, theme_name), 1.0)
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with _home_of_its_own() as home:
        session = Session(Settings(home / "settings.ini"))
        session.settings.theme = cast(theme.Theme, theme_name)
        window = MainWindow(session)
        gc.disable()  # else the thread of a job may collect closed widgets, which Qt does not allow
        window.resize(*size)
        window.show()
        try:
            for name, widget in _scenes(window, home):
                path = folder / f"{name}-{theme_name}.png"
                yield _grab(widget, session, path, settle=name not in _UNDER_WAY)
        finally:
            _settle(window, session)
            window.close()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            gc.enable()


def _application() -> QApplication:
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Eigenfaces")
    return app


@contextlib.contextmanager
def _home_of_its_own() -> Iterator[Path]:
    """Use an empty folder as the person's home, so that no picture shows a path of this machine."""
    kept = {name: os.environ.pop(name, None) for name in _HOMES}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ["HOME"] = os.environ["USERPROFILE"] = home
        try:
            yield Path(home)
        finally:
            for name, value in kept.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def _scenes(window: MainWindow, home: Path) -> Iterator[tuple[str, QWidget]]:
    """Yield each widget to render with its name, while the window is in that state."""
    session = window.session
    yield "welcome", window
    faces = load_sample()
    (fold,) = FirstPhotos(8).folds(faces)
    enrolled, others = faces.select(fold.gallery), faces.select(fold.probes)
    people = _write_people(enrolled, home / "Photos")
    yield from _sheet("import", window, people)
    group = _write_group(others, home / "Reunion")
    yield from _sheet("photo-editor", window, [home / "Reunion", people[0]])
    gallery = replace(Gallery.new(PREPARATION), faces=enrolled)
    session.switch(Project.create(home / "Untrained.eigenfaces", gallery))
    session.show_page("eigenfaces")
    yield "untrained", window
    session.switch(Project.create(home / "AT&T sample.eigenfaces", gallery.train()))
    session.put_probes([Probe(others.index.photos[row], others.image(row)) for row in _PROBES])
    session.select_person("Person 13")
    for place in PLACES:
        session.show_page(place.key)
        if place.key == "evaluate":
            yield from _evaluate(window)
        elif place.key == "lessons":
            yield from _lessons(window)
        else:
            if place.key == "synthesise":
                _slide(window, "Share of B, in per cent", 40)
            yield place.key, window
    yield from _verdicts(window, home, enrolled, others)
    yield from _ordinary(window, home, group)


def _verdicts(
    window: MainWindow, home: Path, enrolled: FaceSet, others: FaceSet
) -> Iterator[tuple[str, QWidget]]:
    """Yield a verdict of each kind: some people are strangers, and one picture is no face."""
    session, known = window.session, enrolled.index.people[:_KNOWN]
    rows = [row for person in known for row in enrolled.index.rows_of(person)]
    gallery = replace(Gallery.new(PREPARATION), faces=enrolled.select(rows)).train().calibrate()
    photos = others.index.photos
    kinds = [each.decision.kind for each in identify_all(gallery, others.pixels[:])]
    strangers = [photo.person not in known for photo in photos]
    probes = [
        Probe(photos[row], others.image(row))
        for kind, number in _SHOWN.items()
        for row in [
            row
            for row, each in enumerate(kinds)
            if each == kind and strangers[row] == (kind == "unknown")
        ][:number]
    ]
    probes.append(_coins(others.shape))
    session.switch(Project.create(home / "35 of the sample.eigenfaces", gallery))
    session.put_probes(probes)
    session.show_page("recognise")
    for name, at in (("ask", _SHOWN["sure"]), ("unknown", -2), ("no-face", -1), ("sure", 0)):
        session.select(probes[at].photo.key)
        yield f"recognise-{name}", window
    _press(window, "Why?")
    yield "recognise-why", window


def _coins(shape: tuple[int, int]) -> Probe:
    """Return a picture that is no face."""
    picture = data.coins()[:, : data.coins().shape[0] * shape[1] // shape[0]]
    image = Image.fromarray(picture).resize(shape[::-1], Image.Resampling.LANCZOS)
    photo = FacePhoto(Path("coins.png"), None, "coins", shape)
    return Probe(photo, (np.asarray(image) / 255).astype(np.float32))


def _evaluate(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Run an evaluation, another one by another distance, and show the two side by side."""
    _choose(window, "Protocol", 1)
    _press(window, "Run")
    yield "evaluate", window
    box = _choose(window, "Distance in face space", 0)
    _choose(window, "Distance in face space", box.findText("Mahalanobis cosine"))
    _press(window, "Run again")
    jobs = window.session.jobs
    while (now := jobs.current) is not None and (now.kind != EVALUATE or now.done < _FOLDS):
        _pass(20)
    _pass(_PAUSE)
    yield "evaluate-running", window
    _settle(window, window.session)
    _choose(window, "Compare with", 1)
    yield "evaluate-comparing", window
    _choose(window, "Compare with", 0)


def _lessons(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Show every lesson on what it begins with."""
    for number, lesson in enumerate(LESSONS):
        _choose(window, "Lesson", number)
        yield f"lessons-{lesson.name}", window


def _choose(window: MainWindow, name: str, index: int) -> QComboBox:
    """Choose from a list of the page, as a person does."""
    boxes = window.page.findChildren(QComboBox)
    box = next(box for box in boxes if box.accessibleName() == name)
    box.setCurrentIndex(index)
    box.activated.emit(index)
    return box


def _slide(window: MainWindow, name: str, value: int) -> None:
    """Move a slider of the page."""
    sliders = window.page.findChildren(QSlider)
    next(slider for slider in sliders if slider.accessibleName() == name).setValue(value)


def _press(window: MainWindow, name: str) -> None:
    """Press a button that is seen."""
    shown = (each for each in window.page.findChildren(QPushButton) if each.isVisible())
    next(button for button in shown if button.accessibleName() == name).click()


def _sheet(name: str, window: MainWindow, sources: list[Path]) -> Iterator[tuple[str, QWidget]]:
    focused = window.focusWidget()
    sheet = ImportSheet(window.session, sources, window)
    sheet.setWindowFlags(Qt.WindowType.Widget)  # a dialog would cause platform warnings
    sheet.show()
    sheet.resize(window.size() - QSize(24, 24))  # the offscreen screen is smaller
    yield name, sheet
    sheet.close()
    if focused is not None:  # as where a dialog closes: no button of the window gets the ring
        focused.setFocus()


def _ordinary(window: MainWindow, home: Path, group: Path) -> Iterator[tuple[str, QWidget]]:
    """Yield what is shown only where faces are searched for: a group photograph, and lighting."""
    session, preparation = window.session, Preparation()
    faces = load_faces(find_photos(home / "Photos"), preparation)
    gallery = Gallery(faces, preparation, Recipe()).train()
    session.switch(Project.create(home / "Ordinary photos.eigenfaces", gallery))
    actions.add_probes(session, [group])
    session.show_page("recognise")
    yield "group", window
    recipe = Recipe.of(lighting="Tan–Triggs", window="oval")
    session.apply("training", lambda now: now.with_recipe(recipe).train())
    session.select_person("Person 03")
    for page in ("settings", "reconstruct"):
        session.show_page(page)
        yield f"{page}-lit", window


def _write_people(faces: FaceSet, folder: Path) -> list[Path]:
    """Write some of the sample as photographs of a person's own; return their folders."""
    index = faces.index
    for row in (row for person in index.people[:_NEW] for row in index.rows_of(person)):
        photo = index.photos[row]
        where = folder / (photo.person or "")
        where.mkdir(parents=True, exist_ok=True)
        save_grey(where / f"{photo.path.stem}.png", faces.image(row))
    return sorted(folder.iterdir())


def _write_group(faces: FaceSet, folder: Path) -> Path:
    """Write a photograph of some people of the sample, side by side at different heights."""
    height, width = (2 * side for side in faces.shape)
    photo = np.full((height + 60, len(_GROUP) * (width + 30) + 30), 0.42, np.float32)
    for number, row in enumerate(_GROUP):
        face = Image.fromarray(faces.image(row)).resize((width, height), Image.Resampling.LANCZOS)
        top, left = 15 + 30 * (number % 2), 30 + number * (width + 30)
        photo[top : top + height, left : left + width] = np.asarray(face)
    folder.mkdir()
    save_grey(folder / "reunion.png", photo)
    return folder / "reunion.png"


def _grab(widget: QWidget, session: Session, path: Path, *, settle: bool) -> Path:
    if settle:
        _settle(widget, session)
    if not widget.grab().save(str(path)):
        raise EigenfacesError(f"“{path}” cannot be written: choose another folder.")
    return path


def _settle(widget: QWidget, session: Session) -> None:
    """Wait until everything is laid out and painted, pictures included."""
    _pass(0)
    while _waits(widget, session):
        _pass(20)
    before, still = None, 0
    for _ in range(_TURNS):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        now = widget.grab().toImage()
        # A list paints a few pictures at a time; on a busy machine, none.
        still = still + 1 if now == before and not PICTURES.behind else 0
        if still == _STILL:
            break
        before = now
    QCoreApplication.processEvents()


def _waits(widget: QWidget, session: Session) -> bool:
    """Return whether something is under way, or starts after a pause."""
    timers = (timer for timer in widget.findChildren(QTimer) if timer.isSingleShot())
    return any(timer.isActive() for timer in timers) or any(
        jobs.current for jobs in (session.jobs, *widget.findChildren(Jobs))
    )


def _pass(milliseconds: int) -> None:
    """Process the events of the window for a while."""
    pause = QEventLoop()
    QTimer.singleShot(milliseconds, pause.quit)
    pause.exec()
