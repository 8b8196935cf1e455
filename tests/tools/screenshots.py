"""Render every page of the window as PNG files, for the README, the manual and reviews.

::

    uv run --group dev python tests/tools/screenshots.py DIR --theme dark --size 1280x720

The pages show the sample. With ``--people FOLDER``, some also show people in colour, from
sub-folders with two photographs of a person each. The README shows people of the Face Research Lab
London Set.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QSlider, QWidget
from skimage import data

from eigenfaces import (
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
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.lessons.catalogue import LESSONS
from eigenfaces.project.exports import save_grey
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION
from eigenfaces.threads import threads_on_free_cores
from gui.pages.people.entries import ALL
from gui.pages.people.people_list import PeopleList
from gui.photos.sheet import ImportSheet
from gui.state import actions
from gui.state.jobs import Jobs
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS

_PROBES = (8, 24, 1, 18, 33)
"""Rows of the probes, among the 80 images that are not trained on, two of each person."""

_GROUP = (1, 4, 9, 12)
"""Rows, among the same 80, of the people in the group photograph."""

_KNOWN, _NEW = 35, 7
"""Numbers of people: enrolled where the others are strangers, and in the import sheet."""

_SHOWN = {"sure": 3, "ask": 1, "unknown": 1}
"""The number of probes with each kind of verdict."""

_FRIENDS = (
    *("Alex", "Charlie", "Jo", "Kim", "Lou", "Max"),
    *("Mika", "Nico", "Robin", "Sam", "Toni", "Val"),
)
"""Invented names of the people in colour."""

_TOGETHER = slice(3, 9)
"""The people among them who are in the group photograph."""

Part = TypeVar("Part", bound=QWidget)
Scenes = Iterator[tuple[str, QWidget]]
Colours = NDArray[np.float32]


def main() -> None:
    """Render the pages into a folder, as files like ``people-light.png``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--size", type=_size, default=QSize(1467, 943), help="WIDTHxHEIGHT")
    parser.add_argument("--people", type=Path, help="folders of two photographs of a person each")
    arguments = parser.parse_args()
    folder = arguments.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    gc.disable()  # otherwise a job's thread might collect closed widgets, which Qt forbids
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    sys.setswitchinterval(0.0005)  # as in the program: a job does not hold the window
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        threads_on_free_cores(),
    ):
        os.environ["HOME"] = os.environ["USERPROFILE"] = (
            home  # so that no picture shows private paths
        )
        app = QApplication(sys.argv[:1])
        app.setApplicationName("Eigenfaces")
        theme.apply(app, arguments.theme)
        session = Session(Settings(Path(home, "settings.ini")))
        session.settings.theme = arguments.theme
        window = MainWindow(session)
        window.resize(arguments.size)
        window.show()
        for name, widget in _scenes(window, Path(home), arguments.people):
            _settle(widget, session)
            path = folder / f"{name}-{arguments.theme}.png"
            if not widget.grab().save(str(path)):
                sys.exit(f"“{path}” cannot be written: choose another folder.")
            print(path, flush=True)
        window.close()


def _size(words: str) -> QSize:
    width, height = map(int, words.split("x"))
    return QSize(width, height)


def _scenes(window: MainWindow, home: Path, friends: Path | None) -> Scenes:
    """Yield the name and the widget of each picture while the window is in the right state."""
    session = window.session
    yield "welcome", window
    faces = load_sample()
    (fold,) = FirstPhotos(8).folds(faces)
    enrolled, others = faces.select(fold.gallery), faces.select(fold.probes)
    people = _write_people(enrolled, home / "Photos")
    yield from _sheet("import", window, people)
    group = _write_group(others, home / "Reunion")
    yield from _sheet("photo-editor", window, [group.parent, people[0]])
    gallery = replace(Gallery.new(PREPARATION), faces=enrolled).train().calibrate()
    session.open(Project.create(home / "AT&T sample.eigenfaces", gallery))
    session.put_probes([Probe(others.index.photos[row], others.image(row)) for row in _PROBES])
    session.select_person("Person 13")
    for place in NAVIGATION_ITEMS:
        session.show_page(place.key)
        if place.key == "evaluate":
            yield from _evaluate(window)
        elif place.key == "lessons":
            for number, lesson in enumerate(LESSONS):
                _choose(window, "Lesson", number)
                yield f"lessons-{lesson.name}", window
        else:
            if place.key == "synthesise":
                _named(window, QSlider, "Share of B, in per cent").setValue(40)
            yield place.key, window
    yield from _verdicts(window, home, enrolled, others)
    yield from _ordinary(window, home, group)
    if friends is not None:
        yield from _in_colour(window, home, friends)


def _whole(name: str, window: MainWindow) -> Scenes:
    """Yield a scrolling page twice: as the window shows it, and in a window as high as the page."""
    yield name, window
    size = window.size()
    window.resize(size.width(), 3 * size.height())
    yield f"{name}-whole", window
    window.resize(size)


def _sheet(name: str, window: MainWindow, sources: list[Path]) -> Scenes:
    focused = window.focusWidget()
    sheet = ImportSheet(window.session, sources, window)
    sheet.setWindowFlags(Qt.WindowType.Widget)  # a dialog would cause platform warnings
    sheet.show()
    sheet.resize(window.size() - QSize(24, 24))  # the offscreen screen is smaller
    yield name, sheet
    sheet.close()
    if focused is not None:  # as when a dialog closes, so that no button gets the focus ring
        focused.setFocus()


def _evaluate(window: MainWindow) -> Scenes:
    """Run an evaluation, run a second one with another distance, and compare the two."""
    _choose(window, "Protocol", 1)
    _named(window, QPushButton, "Run").click()
    yield from _whole("evaluate", window)
    box = _choose(window, "Distance in face space", 0)
    _choose(window, "Distance in face space", box.findText("Mahalanobis cosine"))
    _named(window, QPushButton, "Run again").click()
    _settle(window, window.session)
    _choose(window, "Compare with", 1)
    yield from _whole("evaluate-comparing", window)
    _choose(window, "Compare with", 0)


def _verdicts(window: MainWindow, home: Path, enrolled: FaceSet, others: FaceSet) -> Scenes:
    """Yield a verdict of each kind: some people are strangers, and one picture is no face."""
    session, known = window.session, enrolled.index.people[:_KNOWN]
    rows = [row for person in known for row in enrolled.index.rows_of(person)]
    gallery = replace(Gallery.new(PREPARATION), faces=enrolled.select(rows)).train().calibrate()
    photos, probes = others.index.photos, []
    kinds = [verdict.decision.kind for verdict in identify_all(gallery, others.pixels[:])]
    for wanted, number in _SHOWN.items():
        rows = [
            row
            for row, kind in enumerate(kinds)
            if kind == wanted and (photos[row].person not in known) == (kind == "unknown")
        ]
        probes += [Probe(photos[row], others.image(row)) for row in rows[:number]]
    height, width = others.shape
    coins = data.coins()[:, : data.coins().shape[0] * width // height]
    picture = Image.fromarray(coins).resize((width, height), Image.Resampling.LANCZOS)
    no_face = (np.asarray(picture) / 255).astype(np.float32)
    probes.append(
        Probe(FacePhoto(Photograph(Path("coins.png"), "coins", others.shape), None), no_face)
    )
    session.open(Project.create(home / "35 of the sample.eigenfaces", gallery))
    session.put_probes(probes)
    session.show_page("recognise")
    for name, at in (("ask", _SHOWN["sure"]), ("unknown", -2), ("no-face", -1), ("sure", 0)):
        session.select(probes[at].photo.id)
        yield f"recognise-{name}", window
    _named(window, QPushButton, "Why?").click()
    yield from _whole("recognise-why", window)


def _ordinary(window: MainWindow, home: Path, group: Path) -> Scenes:
    """Yield pages of a project in which faces are found: a group photograph, and settings."""
    session, preparation = window.session, Preparation()
    faces = load_faces(find_photos(home / "Photos"), preparation)
    gallery = Gallery(faces, preparation, Recipe()).train().calibrate()
    session.open(Project.create(home / "Ordinary photos.eigenfaces", gallery))
    actions.add_probes(session, [group])
    session.show_page("recognise")
    yield "group", window
    session.show_page("settings")
    _named(window, QPushButton, "Advanced: faces, lighting, recipe…").click()
    yield "settings-advanced", window


def _in_colour(window: MainWindow, home: Path, folder: Path) -> Scenes:
    """Yield People and Recognise with photographs in colour. The astronaut is a stranger."""
    session, preparation = window.session, Preparation()
    seconds = []
    for name, person in zip(_FRIENDS, sorted(folder.iterdir()), strict=False):
        first, second = sorted(person.iterdir())[:2]
        (home / "Friends" / name).mkdir(parents=True)
        (home / "Friends" / name / "portrait.jpg").write_bytes(first.read_bytes())
        seconds.append(Image.open(second))
    (home / "Party").mkdir()
    _together(seconds[_TOGETHER]).save(home / "Party" / "together.jpg", quality=95)
    Image.fromarray(data.astronaut()).save(home / "Party" / "astronaut.png")
    faces = load_faces(find_photos(home / "Friends"), preparation)
    gallery = Gallery(faces, preparation, Recipe.of("network")).train().calibrate()
    session.open(Project.create(home / "Friends.eigenfaces", gallery))
    session.show_page("people")
    window.page.findChildren(PeopleList)[0].chosen.emit(ALL)
    yield "people-colour", window
    actions.add_probes(session, sorted((home / "Party").iterdir(), reverse=True))
    session.show_page("recognise")
    yield "recognise-colour", window


def _together(portraits: Sequence[Image.Image]) -> Image.Image:
    """Return six portraits as one photograph, in two rows, each blending into the next."""
    parts = [np.asarray(portrait.convert("RGB"), np.float32) for portrait in portraits]
    height, width, _ = parts[0].shape
    rows = [_blend(parts[row : row + 3], 5 * width // 9, width // 4) for row in (0, 3)]
    both = _blend([row.swapaxes(0, 1) for row in rows], 3 * height // 4, height // 8)
    return Image.fromarray(both.swapaxes(0, 1).astype(np.uint8))


def _blend(parts: list[Colours], step: int, seam: int) -> Colours:
    """Return pictures (h, w, 3) side by side, each ``step`` pixels right of the one before."""
    height, width, _ = parts[0].shape
    whole = np.zeros((height, width + (len(parts) - 1) * step, 3), np.float32)
    for number, part in enumerate(parts):
        place = whole[:, number * step :][:, :width]
        opaque = np.clip(np.arange(width)[:, None] / seam, 0, 1) if number else 1
        place += opaque * (part - place)
    return whole


def _write_people(faces: FaceSet, folder: Path) -> list[Path]:
    """Write some people of the sample as photographs in folders, and return the folders."""
    for person in faces.index.people[:_NEW]:
        (folder / person).mkdir(parents=True)
        for row in faces.index.rows_of(person):
            name = f"{faces.index.photos[row].path.stem}.png"
            save_grey(folder / person / name, faces.image(row))
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


def _named(window: MainWindow, kind: type[Part], name: str) -> Part:
    """Return the widget with an accessible name on the page, a visible one if there is one."""
    parts = [part for part in window.page.findChildren(kind) if part.accessibleName() == name]
    return max(parts, key=QWidget.isVisible)


def _choose(window: MainWindow, name: str, index: int) -> QComboBox:
    """Choose from a list on the page, as a user does."""
    box = _named(window, QComboBox, name)
    box.setCurrentIndex(index)
    box.activated.emit(index)
    return box


def _settle(widget: QWidget, session: Session) -> None:
    """Wait until no work is running and everything is painted, including pictures."""
    before, still = None, 0
    while still < 3:  # finished work, or painting, may start more work
        QTest.qWait(20)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        now = None if _waits(widget, session) else widget.grab().toImage()
        still = still + 1 if now is not None and now == before else 0
        before = now


def _waits(widget: QWidget, session: Session) -> bool:
    """Return whether work is running, or will start after a pause."""
    timers = (timer for timer in widget.findChildren(QTimer) if timer.isSingleShot())
    return any(timer.isActive() for timer in timers) or any(
        jobs.current for jobs in (session.jobs, *widget.findChildren(Jobs))
    )


if __name__ == "__main__":  # in child processes the name is “__mp_main__”
    main()
