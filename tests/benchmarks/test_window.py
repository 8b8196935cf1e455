"""How fast the window answers: its start, while it trains, lists and sliders."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from measuring import timed
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPixmapCache
from PySide6.QtWidgets import QApplication

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from gui.pages.reconstruct import ReconstructPage
from gui.state import actions
from gui.state.session import Session
from gui.widgets.face_list import FaceGrid, FaceItem
from gui.window.main_window import MainWindow
from tests.gui import seen
from tests.gui.conftest import session
from tests.gui.window.test_main_window import SHOW_THE_WINDOW

__all__ = ["session"]

CROPS = Preparation(128, 128, already_cropped=True)


def median_ms(what: str, step: Callable[[int], object], times: int) -> float:
    """Print and return the median time of a step, after three that do not count."""

    def painted(number: int) -> None:
        step(number)
        QApplication.processEvents()

    spent = [1000 * timed(partial(painted, number))[0] for number in range(times)][3:]
    print(f"\n{what}: median {np.median(spent):.2f} ms, slowest {max(spent):.0f} ms")
    return float(np.median(spent))


def test_first_painted_window() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command, times = [sys.executable, "-c", SHOW_THE_WINDOW], []
    for _ in range(10):  # the first run writes the byte code
        started = time.time()
        painted = subprocess.check_output(command, env=environment, text=True)
        times.append(float(painted) - started)
    print(f"\nfirst painted window: median {np.median(times[1:]) * 1000:.0f} ms")
    assert np.median(times[1:]) < 0.6


def test_the_window_answers_while_2000_faces_train(qtbot, session: Session, tmp_path: Path) -> None:
    """The longest time between two turns of the event loop while 2000 × 16384 trains."""
    pixels = np.random.default_rng(0).integers(0, 256, (2000, 128, 128)).astype(np.float32) / 255
    faces = FaceSet.from_arrays(pixels, [f"Person {row // 10}" for row in range(2000)])
    del pixels
    session.open(Project.create(tmp_path / "a.eigenfaces", Gallery(faces, CROPS, Recipe())))
    window = seen.show(qtbot, MainWindow(session))
    sys.setswitchinterval(0.0005)  # as in the program
    turns: list[float] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: turns.append(time.perf_counter()))
    timer.start()
    actions.train(session)
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=120_000)
    timer.stop()
    gaps = np.diff(turns) * 1000
    print(f"\nevent loop gaps: median {np.median(gaps):.0f} ms, longest {gaps.max():.0f} ms")
    window.close()
    assert gaps.max() < 100


def test_scrolling_through_10_000_faces(qtbot) -> None:
    crops = np.random.default_rng(0).random((2000, 112, 92), np.float32)
    faces = [FaceItem(str(row), crops[row % 2000], f"photo {row}") for row in range(10_000)]
    QPixmapCache.clear()
    start, view = time.perf_counter(), FaceGrid("Faces")
    view.show_faces(faces)
    seen.show(qtbot, view, (900, 700))
    print(f"\n10 000 faces: first painted after {1000 * (time.perf_counter() - start):.0f} ms")
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 10_000)

    def frame(number: int) -> None:
        bar.setValue(97 * number % bar.maximum())
        view.viewport().repaint()

    median_ms("a frame while scrolling", frame, 403)


def test_a_step_of_the_slider_on_reconstruct(qtbot, session: Session, tmp_path: Path) -> None:
    """From the slider's value to the last pixel: 200 components of 128 × 128."""
    images = np.random.default_rng(1).random((201, 128, 128), dtype=np.float32)
    faces = FaceSet.from_arrays(images, [f"Person {row % 20}" for row in range(201)])
    gallery = Gallery(faces, CROPS, Recipe()).train()
    session.open(Project.create(tmp_path / "a.eigenfaces", gallery))
    page = seen.show(qtbot, ReconstructPage(session), (1279, 855))
    step = median_ms("Reconstruct", lambda number: page.slider.setValue(199 + number % 2), 203)
    rebuilt = page.reconstruction.rebuilt(page.slider.value())
    assert page.figures["RMSE (of 255)"].text() == f"{page.reconstruction.rmse(rebuilt):.1f}"
    assert step < 8
