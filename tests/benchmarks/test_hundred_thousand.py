"""Many photographs in the window, from the import to the map: time, longest hold, peak of memory.

How many: EIGENFACES_PHOTOS, 10 000 if nothing is said. Each step is a process of its own, so that
its memory is known; a hold is the longest time between two turns of the event loop, and what of it
the window's own thread has worked (the rest is other threads and other programs). A project is open
where the People page is painted and has answered a key: another person is chosen.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

PHOTOS = int(os.environ.get("EIGENFACES_PHOTOS", "10000"))
EACH = 20  # photographs of a person
STEPS = ("import", "train", "people", "recognise", "map", "pages", "Discriminant", "Texture")

SCRIPT = """
import resource, sys, time
from pathlib import Path

import main
import numpy as np
import scipy.ndimage  # as the program does beside its window
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from eigenfaces import Preparation, find_photos
from eigenfaces.recognition.recipe import RECIPES
from gui.state import actions, jobs
from gui.state.collector import Collector
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from gui.window.main_window import MainWindow

# What gives way goes on in the background, for many minutes with many photographs.
ALL = [kind for kind in vars(jobs).values() if isinstance(kind, jobs.JobKind)]
WAITED_FOR = [kind for kind in ALL if not kind.gives_way and kind != jobs.CHECK_PHOTOS]
step, folder, file = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
app = QApplication([])
Collector(app)
theme.apply(app, "light")
session = Session(Settings(file.parent / f"{step}.ini"))
window = MainWindow(session)
window.resize(1467, 943)
window.show()
window.make_pages_ahead()
turns = []
now = lambda: (time.perf_counter(), time.thread_time())
timer = QTimer(interval=5)
timer.timeout.connect(lambda: turns.append(now()))
timer.start()


def settle(kinds):
    quiet = 0
    while quiet < 100:
        app.processEvents()
        time.sleep(0.001)
        lanes = session.jobs._lanes
        busy = {job.kind for lane in lanes for job in lane.jobs} & {*kinds}
        quiet = 0 if busy else quiet + 1


def stage(name, act, kinds=WAITED_FOR, wait=settle):
    turns[:] = [now()]
    act()
    wait(kinds)
    turns.append(now())
    gone, worked = (1000 * np.diff(np.array(turns), axis=0).max(axis=0)).tolist()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:28} {turns[-1][0] - turns[0][0]:8.2f} s   longest hold {gone:6.0f} ms "
          f"({worked:5.0f} ms of work)   peak {peak:6.0f} MB", flush=True)


def frames(name, bar, view):
    taken = []
    for place in np.linspace(0, bar.maximum(), 200).astype(int).tolist():
        begin = time.thread_time()
        bar.setValue(place)
        view.repaint()
        taken.append(1000 * (time.thread_time() - begin))
        app.processEvents()
    print(f"{name:28} frames: median {np.median(taken):.1f} ms, 99 % within "
          f"{np.quantile(taken, 0.99):.1f} ms, longest {max(taken):.1f} ms of work", flush=True)


class Painted(QObject):
    seen = False

    def eventFilter(self, watched, event):
        self.seen |= event.type() == QEvent.Type.Paint
        return False


def until(done):
    while not done():  # as the program waits: asleep until there is something to do
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def answer_a_key(_):
    until(lambda: session.project is not None)
    people, painted = page().people, Painted()
    people.viewport().installEventFilter(painted)
    until(lambda: painted.seen)
    person = session.person
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        key = QKeyEvent(kind, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier)
        QApplication.postEvent(people, key)
    until(lambda: session.person != person)
    people.viewport().removeEventFilter(painted)


def opened():
    stage("open, until a key answers", lambda: actions.open_project(session, file),
          wait=answer_a_key)
    stage("  and all pages are made", lambda: until(lambda: not window._ahead._wanted))


photos = lambda: session.gallery.index.photos
page = lambda: window.page
if step == "import":
    found = find_photos(folder)
    whole = Preparation(already_cropped=True)
    until(lambda: "people" in window._pages)  # before a folder is chosen
    stage("import", lambda: actions.import_photos(session, found, whole))
    assert len(session.gallery.faces) == len(found.photos), session.message.text
    stage("save as", lambda: actions.save_as(session, file))
elif step == "train":
    opened()
    stage("train, and calibrate", lambda: actions.train(session), ALL)
    print(session.message.text, flush=True)
elif step in RECIPES:
    opened()
    stage(f"{step}, and calibrate", lambda: actions.train(session, RECIPES[step]), ALL)
    print(session.message.text, flush=True)
elif step == "people":
    opened()
    stage("checks of all photos", lambda: session.show_page("people"), ALL)
    people = page()
    frames("scroll people", people.people.verticalScrollBar(), people.people.viewport())
    stage("choose a person", lambda: session.select_person(photos()[-1].person))
    stage("filter", lambda: people.card.filter.setText("9"))
    stage("filter no more", lambda: people.card.filter.setText(""))
    stage("rename", lambda: people.edits.rename(photos()[-1].person, "Somebody else"))
    stage("undo", session.undo)
    stage("exclude a photo", lambda: people.edits.exclude([photos()[-1].key], True))
    keys = [photo.key for photo in photos()]
    stage("nobody is named", lambda: people.edits.move(keys, None, None))
    stage("all of them", lambda: people._choose("\\0unknown"))
    frames("scroll all of them", people.grid.verticalScrollBar(), people.grid.viewport())
    stage("undo", session.undo)
elif step == "recognise":
    opened()
    session.show_page("recognise")
    some = sorted(folder.glob("*/0.jpg"))[:20]
    stage("recognise 20 photos", lambda: actions.add_probes(session, some))
    stage("choose another of them", lambda: session.select(session.probes[-1].photo.key))
elif step == "map":
    opened()
    stage("map", lambda: session.show_page("map"))
    chart = page().chart
    stage("zoom", lambda: chart.zoom(1.2))
    stage("drag", lambda: chart._drag(QPointF(9, 5), turn=False))
    stage("point at somebody", lambda: chart.point_at(len(photos()) // 2))
    stage("choose somebody", lambda: session.select(photos()[7].key))
elif step == "pages":
    opened()
    for name in ("people", "eigenfaces", "reconstruct", "synthesise", "map", "recognise",
                 "evaluate", "lessons", "settings", "help"):
        stage(f"page {name}", lambda: session.show_page(name))
        stage("  once more", lambda: (session.show_page("help"), session.show_page(name)))
window.close()
"""


def make_photos(folder: Path) -> None:
    """Write people × 20 photographs, 92 × 112: smooth random faces with some noise."""
    rng = np.random.default_rng(0)
    for person in range(PHOTOS // EACH):
        where = folder / f"Person {person:05}"
        where.mkdir(parents=True)
        coarse = rng.integers(40, 220, (14, 12), np.uint8)
        face = Image.fromarray(coarse).resize((92, 112), Image.Resampling.BICUBIC)
        for number in range(EACH):
            noise = rng.normal(0, 12, (112, 92))
            pixels = np.clip(np.asarray(face, float) + noise, 0, 255).astype(np.uint8)
            Image.fromarray(pixels).save(where / f"{number}.jpg", quality=90)


def test_many_photos(tmp_path, benchmark):
    make_photos(tmp_path / "faces")
    file, trained = tmp_path / "many.eigenfaces", tmp_path / "trained.eigenfaces"
    # A program that was started before has its bytecode.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> None:
        for step in STEPS:
            if trained.exists():  # each step begins with the face space, whatever was done before
                shutil.copy(trained, file)
            command = [sys.executable, "-c", SCRIPT, step, str(tmp_path / "faces"), str(file)]
            ended = subprocess.run(command, text=True, capture_output=True, check=False, env=kept)
            print(f"\n{step}, {PHOTOS:,} photos\n{ended.stdout}")
            assert ended.returncode == 0, ended.stderr
            if step == "train":
                shutil.copy(file, trained)

    benchmark.pedantic(run, rounds=1)
