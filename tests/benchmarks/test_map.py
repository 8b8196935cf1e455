"""The map with ten thousand faces: a frame of pan, zoom, orbit and hover, all within 16 ms.

Of the processor's time, so that other programs do not count. And whether the window answers while
t-SNE runs.
"""

import time
from itertools import cycle

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from eigenfaces.errors import Cancelled
from eigenfaces.laboratory.maps import MapView
from eigenfaces.laboratory.tsne import TsneSettings, tsne
from gui.pages.map.chart import MapChart
from gui.state.jobs import Jobs
from gui.style import theme

FACES, PEOPLE = 10_000, 500
MOST_MS = 16


def chart_of(qapp: QApplication, dimensions: int, as_faces: bool) -> MapChart:
    """A map of 900 × 650 px of ten thousand faces on it, its pictures baked."""
    theme.apply(qapp, "light")
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((PEOPLE, dimensions))
    groups = np.arange(FACES) % PEOPLE
    places = centres[groups] + 0.2 * rng.standard_normal((FACES, dimensions))
    keys, names = [f"{at}" for at in range(FACES)], [f"Person {of}" for of in groups]
    titles = ("one", "two", "three")[:dimensions]
    view = MapView(places, keys, names, groups, titles, True)
    levels = rng.integers(0, 256, (112, 92), dtype=np.uint8)
    picture = QImage(levels.tobytes(), 92, 112, 92, QImage.Format.Format_Grayscale8).copy()
    chart = MapChart()
    chart.as_faces = as_faces
    chart.resize(900, 650)
    chart.show_map(view, lambda _: picture, fit=True)
    chart.show()
    while chart._still is None:
        qapp.processEvents()
    return chart


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("as_faces", [True, False], ids=["faces", "dots"])
@pytest.mark.parametrize("move", ["pan", "zoom", "orbit", "hover"])
def test_a_frame(
    benchmark: BenchmarkFixture, qapp: QApplication, move: str, as_faces: bool
) -> None:
    """From the pointer's move to the last pixel."""
    chart = chart_of(qapp, 3 if move == "orbit" else 2, as_faces)
    steps = cycle([1, 1, 1, 1, -1, -1, -1, -1])
    middle = chart.frame.plot.center()

    def frame() -> None:
        step = next(steps)
        if move == "zoom":
            chart.zoom(1.03**step, middle)
        elif move == "hover":
            chart.point_at(40 + step)
        else:
            chart.drag(QPointF(7 * step, 4 * step), turn=move == "orbit")
        chart.repaint()

    for _ in range(16):  # what comes into sight is baked
        frame()
        qapp.processEvents()
    benchmark.pedantic(frame, rounds=120, warmup_rounds=8)
    chart.close()
    chart.deleteLater()
    assert benchmark.stats.stats.median * 1000 < MOST_MS


def test_the_window_answers_while_tsne_runs(qtbot, benchmark: BenchmarkFixture) -> None:
    """The longest time between two turns of the event loop, 2,000 faces, 20 s at most."""
    points = np.random.default_rng(0).standard_normal((2000, 50)).astype(np.float32)
    jobs, gaps, ended = Jobs(), [], []

    def work(tick):
        started = time.monotonic()

        def limited(done, total):
            tick(done, total)
            if time.monotonic() - started > 20:
                raise Cancelled

        return tsne(points, TsneSettings(), limited)

    beat = QTimer(interval=1)
    last = [time.perf_counter()]

    def turn() -> None:
        now = time.perf_counter()
        gaps.append(now - last[0])
        last[0] = now

    beat.timeout.connect(turn)

    def run() -> None:
        jobs.start("map", "t-SNE", work, ended.append, ended.append)
        last[0] = time.perf_counter()
        beat.start()
        qtbot.waitUntil(lambda: bool(ended), timeout=60_000)
        beat.stop()

    benchmark.pedantic(run, rounds=1)
    jobs.close()
    print(
        f"\nlongest {max(gaps) * 1000:.0f} ms, 99 % under {np.quantile(gaps, 0.99) * 1000:.1f} ms"
    )
    assert np.quantile(gaps, 0.99) < 0.05
