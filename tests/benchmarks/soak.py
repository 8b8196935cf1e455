"""Random actions in the offscreen window, for ten minutes: what grows, and does anything break?

    uv run --group dev python tests/benchmarks/soak.py --minutes 10 --seed 0

Whatever can be clicked, chosen, dragged or typed into is, at random; between that galleries are
imported, trained, evaluated, edited, undone, saved elsewhere and opened again. Memory, threads,
open files and windows are printed once a minute, and in the end the median of the memory over the
first and over the last quarter. One write into the project in a hundred fails. The exit code is 1
where anything unexpected was raised, memory and file were not the same, or a thread or an open file
was left behind.
"""

import argparse
import contextlib
import faulthandler
import gc
import itertools
import random
import shutil
import sqlite3
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
from PIL import Image
from PySide6.QtCore import QPoint, Qt, QTimer, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
)

from eigenfaces import Project
from eigenfaces.project.content import Content
from eigenfaces.project.rows import RowChange
from gui.state import actions
from gui.state.jobs import JobKind, Rule, collect_garbage_from
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from gui.widgets.messages import install_crash_handler
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests import conftest  # offscreen, in a home of its own, without a network

HOME = Path.home()
PAGES = [place.key for place in NAVIGATION_ITEMS]
KEYS = [Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Left, Qt.Key.Key_Down]
KEYS += [Qt.Key.Key_Space, Qt.Key.Key_Home, Qt.Key.Key_Delete, Qt.Key.Key_A, Qt.Key.Key_1]
TEXTS = ("Ada", "", "  ", "<b>x</b>", "李", "x" * 300, "12", "-1", "=1+1")


def pictures(folder: Path, seed: int) -> Path:
    """Write four people × three crops, and a file that is no picture."""
    rng = np.random.default_rng(seed)
    for person in range(4):
        place = folder / f"Person {person}"
        place.mkdir(parents=True)
        centre = rng.integers(40, 200, (28, 23))
        for number in range(3):
            face = np.clip(centre + rng.normal(0, 12, centre.shape), 0, 255).astype(np.uint8)
            Image.fromarray(face).resize((92, 112)).save(place / f"{number}.png")
    (folder / "notes.png").write_text("no picture")
    return folder


def select_row(view: QAbstractItemView, rng: random.Random) -> None:
    if view.model() is not None and (rows := view.model().rowCount()):
        view.setCurrentIndex(view.model().index(rng.randrange(rows), 0))


def type_text(field: QLineEdit, rng: random.Random) -> None:
    field.setText(rng.choice(TEXTS))
    QTest.keyClick(field, Qt.Key.Key_Return)


def point(widget: QWidget, rng: random.Random) -> None:
    width, height = max(1, widget.width()), max(1, widget.height())
    place = QPoint(rng.randrange(width), rng.randrange(height))
    QTest.mouseMove(widget, place)
    with contextlib.suppress(RuntimeError):  # the press has deleted it, and no release comes
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


USES: list[tuple[type[QWidget], Callable[..., object]]] = [
    # a button may delete itself
    (QAbstractButton, lambda button, _: QTimer.singleShot(0, button, button.click)),
    (QAbstractItemView, select_row),
    (QComboBox, lambda box, rng: box.setCurrentIndex(rng.randrange(max(1, box.count())))),
    (QAbstractSlider, lambda bar, rng: bar.setValue(rng.randint(bar.minimum(), bar.maximum()))),
    (QLineEdit, type_text),
    (QWidget, lambda w, rng: QTest.keyClick(QApplication.focusWidget() or w, rng.choice(KEYS))),
    (QWidget, point),
]


def without_the_platform(_kind: object, _context: object, words: str) -> None:
    """Print what Qt says, but not of each window that the offscreen platform cannot do."""
    if not words.startswith("This plugin does not support"):
        print(words, flush=True)


def fail_now_and_then(rng: random.Random) -> Callable[[], int]:
    """Let one write in a hundred fail, as on a full disk; return how many have failed so far."""
    write, failed = RowChange.write, list[int]()

    def unsure(change: RowChange, connection: sqlite3.Connection) -> None:
        write(change, connection)
        if rng.random() < 0.01:
            failed.append(1)
            raise sqlite3.OperationalError("database or disk is full")

    RowChange.write = unsure
    return lambda: len(failed)


def facts(content: Content) -> list[object]:
    """Return all that a project holds, to be compared."""
    gallery, probes = content.gallery, content.probe_list.probes
    said = [gallery.recipe, gallery.share, gallery.automatic, gallery.settled, gallery.answers]
    said += [gallery.preparation, gallery.index.photos, content.unused, content.runs]
    said += [content.probe_list.without_face, gallery.faces.pixels.array.tobytes()]
    said += [(probe.photo, probe.image.tobytes(), probe.concerns) for probe in probes]
    if (training := gallery.training) is not None:
        said += [training.recipe, training.fitted, training.space.components.tobytes()]
        said += [training.coordinates.tobytes(), training.matching_coordinates.tobytes()]
    return said


class Soak:
    """One window, and what happens to it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        qInstallMessageHandler(without_the_platform)
        self.app = QApplication([])
        collect_garbage_from(self.app)  # as in the program
        theme.apply(self.app, "light")
        self.errors: list[str] = []
        install_crash_handler(HOME / "crash.log")
        sys.excepthook = lambda *error: self.errors.append(
            "".join(traceback.format_exception(*error))
        )
        self.folders = [pictures(HOME / f"folder {n}", n) for n in range(3)]
        self.failed_writes = fail_now_and_then(self.random)
        self.compared = 0
        self._answer_dialogs()
        choose = self.random.choice
        self.session = Session(Settings(HOME / "settings.ini"))
        self.window = MainWindow(self.session)
        self.window.show()
        self.slow: list[Callable[[], object]] = [
            lambda: actions.open_sample(self.session),
            lambda: actions.train(self.session),
            lambda: self.window.open_paths([choose(self.folders)]),
            lambda: actions.add_probes(self.session, [choose(self.folders)]),
            lambda: actions.new_project(self.session),
            lambda: actions.save_as(self.session, HOME / f"{self.random.randrange(4)}"),
            lambda: self.session.jobs.cancel(*JobKind.all_with(Rule.LONG)),
            self.session.undo,
            self.session.redo,
            lambda: self.window.resize(choose(range(760, 1500)), choose(range(480, 950))),
            lambda: theme.apply(self.app, choose(("light", "dark"))),
        ]
        self.popups = QTimer(interval=20)
        self.popups.timeout.connect(self._answer_popup)
        self.popups.start()

    def _answer_dialogs(self) -> None:
        choose, numbers = self.random.choice, itertools.cycle(range(8))

        def save(_parent: object, _title: str, start: str, *_: object) -> tuple[str, str]:
            return str(HOME / f"{next(numbers)}{Path(start).suffix}"), ""

        def files(*_: object) -> tuple[list[str], str]:
            return [str(path) for path in choose(self.folders).rglob("*.png")][:5], ""

        def one(*_: object) -> tuple[str, str]:
            return str(choose([*HOME.glob("*.eigenfaces"), *HOME.rglob("*.png")])), ""

        QFileDialog.getSaveFileName = save
        QFileDialog.getOpenFileNames = files
        QFileDialog.getOpenFileName = one
        QFileDialog.getExistingDirectory = lambda *_: str(choose(self.folders))
        QDesktopServices.openUrl = lambda *_: True

    def _answer_popup(self) -> None:
        """Choose something in an open menu or question, or leave it."""
        popup, question = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if isinstance(question, QMessageBox):
            self.random.choice(question.buttons()).click()
        if isinstance(popup, QMenu):
            entries = [a for a in popup.actions() if a.isEnabled() and not a.isSeparator()]
            entries = [a for a in entries if "uit" not in a.text() and not a.menu()]
            if entries and self.random.random() < 0.5:
                self.random.choice(entries).trigger()
            popup.close()
        elif popup is not None:
            popup.close()

    def act(self) -> None:
        """Do one thing to something that can be seen and used, in whatever lies on top."""
        kind, use = self.random.choice(USES)
        top = QApplication.activeModalWidget() or self.window
        widgets = [w for w in top.findChildren(kind) if w.isVisible() and w.isEnabled()]
        try:
            if self.random.random() < 0.05:
                self.random.choice(self.slow)()
            elif self.random.random() < 0.1:
                self.session.show_page(self.random.choice(PAGES))
            elif widgets:
                use(self.random.choice(widgets), self.random)
        except Exception:
            self.errors.append(traceback.format_exc())
        modal = QApplication.activeModalWidget()
        if modal is not None and self.random.random() < 0.2:
            modal.close()

    def settle(self) -> None:
        """Wait until nothing is left to do, with no project open."""
        while (dialog := QApplication.activeModalWidget()) is not None:
            dialog.close()
            QTest.qWait(50)
        while self.session.jobs.current is not None:
            self.session.jobs.cancel(*JobKind.all_with(Rule.LONG))
            QTest.qWait(50)
        self.compare_with_file()
        self.session.new()
        QTest.qWait(500)
        gc.collect()

    def compare_with_file(self) -> None:
        """Open a copy of the file, as after a killed process: it is what is in memory."""
        project = self.session.project
        if project is None or project.read_only or not project.is_in_place:
            return
        copy = HOME / "copy"
        shutil.copy(project.path, copy)
        with contextlib.closing(Project.open(copy)) as opened:
            pairs = zip(facts(project.content), facts(opened.content), strict=True)
            differ = [number for number, (here, there) in enumerate(pairs) if here != there]
        self.compared += 1
        if differ:
            self.errors.append(f"Memory and file differ in the facts {differ}.")


def measured() -> dict[str, int]:
    """Return what may grow: megabytes, threads, open files, windows."""
    process = psutil.Process()
    return {
        "MB": process.memory_info().rss // 1_000_000,
        "threads": process.num_threads(),
        "files": process.num_fds(),
        "windows": len(QApplication.topLevelWidgets()),
    }


def main() -> int:
    """Soak, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    faulthandler.enable()
    soak = Soak(arguments.seed)
    begin, done, states = time.monotonic(), 0, list[dict[str, int]]()
    while (spent := time.monotonic() - begin) < arguments.minutes * 60:
        soak.act()
        QTest.qWait(0)  # the window works
        done += 1
        if done % 200 == 0:
            soak.compare_with_file()
        if spent > 60 * len(states):
            soak.settle()
            states.append(measured())
            errors = f"{len(soak.errors)} errors"
            print(f"{spent / 60:4.1f} min, {done} actions: {states[-1]}, {errors}", flush=True)
    soak.settle()
    states.append(measured())
    for file in psutil.Process().open_files():
        print(file.path)
    states = states[1:] or states  # everything has been imported by then
    first, last, quarter = states[0], states[-1], max(1, len(states) // 4)
    memory = [state["MB"] for state in states]
    before, after = map(statistics.median, (memory[:quarter], memory[-quarter:]))
    print(f"after {done} actions: {last}; after the first minute: {first}")
    print(f"{soak.failed_writes()} writes failed; compared with the file {soak.compared} times")
    print(f"memory, median: {before:.0f} MB over the first quarter, {after:.0f} MB over the last")
    for error in sorted(set(soak.errors)):
        print(f"\n{soak.errors.count(error)} ×\n{error}")
    soak.window.close()
    conftest.pytest_unconfigure()
    left = any(last[name] > first[name] for name in ("threads", "files"))
    return int(bool(soak.errors or left))


if __name__ == "__main__":
    sys.exit(main())
