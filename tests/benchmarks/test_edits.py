"""How long one answer holds the window: Enter on Recognise, by the size of the gallery."""

import cProfile
import os
import pstats
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from eigenfaces import Gallery, Preparation, Project, Recipe
from eigenfaces.recognition.probes import Probe
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
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
    window.close()
