"""10 000 photographs imported, scrolled and trained in the window; the peak of memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

SCRIPT = """
import resource, sys, time
from pathlib import Path

import main
import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QListView

from eigenfaces import find_photos
from gui.state import actions
from gui.style import theme
from gui.window.main_window import MainWindow
from gui.state.session import Session
from gui.state.settings import Settings

folder, place = Path(sys.argv[1]), Path(sys.argv[2])
app = QApplication([])
theme.apply(app, "light", 1.0)
session = Session(Settings(place / "settings.ini"))
window = MainWindow(session)
window.resize(1467, 943)
window.show()
turns = []
timer = QTimer(interval=5)
timer.timeout.connect(lambda: turns.append(time.perf_counter()))
timer.start()

def stage(name, start):
    turns.clear()
    begin = time.perf_counter()
    start()
    while session.jobs.current is not None or session.jobs.waiting:
        app.processEvents()
        time.sleep(0.0005)
    for _ in range(50):
        app.processEvents()
    longest = np.diff(turns).max() * 1000 if len(turns) > 1 else 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name}: {time.perf_counter() - begin:.1f} s, longest gap {longest:.0f} ms, "
          f"peak memory {peak:.0f} MB", flush=True)

found = find_photos(folder)
stage("import", lambda: actions.import_photos(session, found))
assert len(session.gallery.faces) == 10_000, session.message
session.show_page("people")
app.processEvents()
view = max(window.findChildren(QListView), key=lambda view: view.model().rowCount())
bar = view.verticalScrollBar()
frames = []
for position in np.linspace(0, bar.maximum(), 200).astype(int):
    begin = time.perf_counter()
    bar.setValue(int(position))
    view.viewport().repaint()
    frames.append(time.perf_counter() - begin)
    app.processEvents()
print(f"scroll {view.model().rowCount()} rows: median {np.median(frames) * 1000:.1f} ms, "
      f"longest {max(frames) * 1000:.1f} ms", flush=True)
stage("train", lambda: actions.train(session))
print(session.message.text, flush=True)
stage("eigenfaces page", lambda: session.show_page("eigenfaces"))
window.close()
"""


def make_photos(folder: Path) -> None:
    """Write 500 people × 20 photographs, 92 × 112: smooth random faces with some noise."""
    rng = np.random.default_rng(0)
    for person in range(500):
        where = folder / f"Person {person:03}"
        where.mkdir(parents=True)
        coarse = rng.integers(40, 220, (14, 12), np.uint8)
        face = Image.fromarray(coarse).resize((92, 112), Image.Resampling.BICUBIC)
        for number in range(20):
            noise = rng.normal(0, 12, (112, 92))
            pixels = np.clip(np.asarray(face, float) + noise, 0, 255).astype(np.uint8)
            Image.fromarray(pixels).save(where / f"{number}.jpg", quality=90)


def test_ten_thousand_photos(tmp_path, benchmark):
    make_photos(tmp_path / "faces")
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "faces"), str(tmp_path)]
    run = lambda: subprocess.run(command, text=True, capture_output=True, check=False)  # noqa: E731
    ended = benchmark.pedantic(run, rounds=1)
    print("\n" + ended.stdout)
    assert ended.returncode == 0, ended.stderr
