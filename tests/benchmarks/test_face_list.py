"""Ten thousand faces: time to the first picture, and of a frame while scrolling."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QPixmapCache
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from gui.widgets.face_list import Face, FaceGrid

COUNT = 10_000


@pytest.fixture(scope="module")
def crops() -> NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 256, (COUNT, 112, 92), dtype=np.uint8)


def faces(crops: NDArray[np.uint8]) -> list[Face]:
    one = np.asarray(crops[0], dtype=np.float32) / 255
    return [Face(str(row), one + np.float32(0), f"photo {row}") for row in range(200)] + [
        Face(str(row), one, f"photo {row}") for row in range(200, COUNT)
    ]


def test_first_paint(qtbot: QtBot, benchmark: BenchmarkFixture, crops: NDArray[np.uint8]) -> None:
    shown = faces(crops)

    def open_list() -> FaceGrid:
        QPixmapCache.clear()
        view = FaceGrid("Faces")
        qtbot.addWidget(view)
        view.resize(900, 700)
        view.show_faces(shown)
        view.show()
        QApplication.processEvents()
        return view

    benchmark.pedantic(open_list, rounds=10)


def test_scroll_frame(qtbot: QtBot, benchmark: BenchmarkFixture, crops: NDArray[np.uint8]) -> None:
    view = FaceGrid("Faces")
    qtbot.addWidget(view)
    view.resize(900, 700)
    scaled = crops[:2000].astype(np.float32) / 255
    view.show_faces([Face(str(row), scaled[row % 2000], f"photo {row}") for row in range(COUNT)])
    with qtbot.waitExposed(view):
        view.show()
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 10_000)

    def frame() -> None:
        bar.setValue((bar.value() + 97) % bar.maximum())
        view.viewport().repaint()

    benchmark.pedantic(frame, rounds=400, warmup_rounds=5)
