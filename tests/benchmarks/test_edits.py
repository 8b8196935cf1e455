"""How long the window is held: by Enter on Recognise, and while jobs end."""

import cProfile
import os
import pstats
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from eigenfaces import EvaluationSetting, Gallery, Preparation, Project, Recipe
from eigenfaces.errors import Tick
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.training import ProjectedFaces
from gui.state import actions, importing
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.window.main_window import MainWindow
from tests import synthetic
from tests.gui import seen
from tests.gui.conftest import session
from tests.synthetic import on_file

__all__ = ["session"]

ANSWERS = 33
SHAPE = (112, 92)


def trained_gallery(faces: int) -> Gallery:
    """Return people with twenty photographs each, trained, calibrated where that is quick."""
    rng = np.random.default_rng(0)
    made = synthetic.people(rng, faces // 20, 20, shape=SHAPE)
    return Gallery(made, Preparation(*SHAPE, already_cropped=True), Recipe()).train()


@pytest.mark.parametrize("faces", [400, 10_000])
def test_one_enter(qtbot, session: Session, tmp_path: Path, faces: int) -> None:
    """The time from the key to the next turn of the event loop."""
    gallery = trained_gallery(faces)
    session.open(Project.create(tmp_path / "a.eigenfaces", gallery))
    window = seen.show(qtbot, MainWindow(session))
    session.show_page("recognise")
    image = gallery.faces.image
    probes = [
        Probe(
            on_file(gallery.index.photos[row], Path(f"/p/{row}.png"), f"probe {row}"),
            (0.9 * image(row)).astype(np.float32),
        )
        for row in range(ANSWERS + 3)
    ]
    session.put_probes(probes)
    page = window.page
    sys.setswitchinterval(0.0005)  # as in the program
    qtbot.waitUntil(lambda: len(page.recogniser.by_face) >= len(probes), timeout=600_000)
    page.photos.list.setFocus()
    QApplication.processEvents()
    spent, sync = [], []
    profile = cProfile.Profile()
    for number in range(ANSWERS):
        session.select(probes[number].photo.id)
        qtbot.wait(300)
        before = len(session.gallery.answers)
        start = time.perf_counter()
        if os.environ.get("EIGENFACES_PROFILE"):
            profile.enable()
        QTest.keyClick(page.photos.list, Qt.Key.Key_Return)
        sync.append(1000 * (time.perf_counter() - start))
        QApplication.processEvents()
        profile.disable()
        spent.append(1000 * (time.perf_counter() - start))
        assert len(session.gallery.answers) == before + 1
    print(
        f"\n{faces} faces: an answer holds the window {np.median(sync):.1f} ms, "
        f"{np.median(spent):.1f} ms with what it paints, slowest {max(spent):.0f} ms"
    )
    if os.environ.get("EIGENFACES_PROFILE"):
        pstats.Stats(profile).sort_stats("tottime").print_stats(28)
    window.close()


class Holds(QObject):
    """The longest times between two turns of the event loop, by what goes on meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[float] = []
        self._timer = QTimer(interval=4)
        self._timer.timeout.connect(lambda: self.turns.append(time.perf_counter()))
        self._timer.start()

    def longest(self) -> float:
        """Return the longest since the last call, in milliseconds."""
        gaps = np.diff(self.turns) * 1000
        self.turns.clear()
        return float(max(gaps, default=0))


def test_longest_holds(qtbot, session: Session, tmp_path: Path) -> None:
    """While 10,000 faces are enrolled, trained on, undone and evaluated."""
    sys.setswitchinterval(0.0005)
    rng = np.random.default_rng(0)
    faces = synthetic.people(rng, 500, 20, shape=SHAPE)
    preparation = Preparation(*SHAPE, already_cropped=True)
    start = Gallery(faces.select(range(8000)), preparation, Recipe()).train()
    session.open(Project.create(tmp_path / "a.eigenfaces", start))
    window = seen.show(qtbot, MainWindow(session))
    holds = Holds()

    def idle() -> None:
        """Wait for all but what distances mean, which takes minutes and gives way."""
        jobs = session.jobs
        others = [kind for kind in JobKind if kind is not JobKind.CALIBRATE]
        qtbot.waitUntil(lambda: not jobs.is_busy(*others), timeout=1_200_000)

    idle()

    def enrol() -> None:
        project = session.project
        new = faces.select(range(8000, 10_000))

        def work(tick: Tick) -> importing.Enrolment:
            begun = session.gallery
            projected = ProjectedFaces.of(begun.trained, new, tick)
            arrived = importing.Arrived(
                new, projected, preparation, (), (), frozenset(), chosen=False
            )
            made = importing.Enrolment.of(arrived, project.content)
            project.store_ahead(made.after, tick)
            return made

        session.run(
            JobKind.IMPORT,
            "Adding",
            work,
            lambda made: session.change(made.title, lambda _: made.after),
        )
        idle()

    def evaluate() -> None:
        session.show_page("evaluate")
        window.page.evaluations.start(EvaluationSetting(Recipe(), KFold(2), curves=False))
        idle()

    steps = {
        "enrolling 2,000": enrol,
        "training": lambda: (actions.train(session), idle()),
        "undo of a training": session.undo,
        "redo of a training": session.redo,
        "an evaluation": evaluate,
    }
    holds.longest()
    for name, step in steps.items():
        step()
        qtbot.wait(300)
        print(f"\n{name}: longest hold {holds.longest():.0f} ms", flush=True)
    window.close()
