"""The bench: a step of a slider within a frame of the screen, and the manual's table.

``uv run --group dev pytest tests/benchmarks/test_break_it.py -o addopts="" -s``
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from eigenfaces import FaceSet, Gallery, Project, load_sample
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.laboratory.breaking.disturbances import BLUR, DISTURBANCES, TURN
from eigenfaces.laboratory.breaking.withstanding import Trial
from eigenfaces.manual.sections import sections
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.samples import PREPARATION
from gui.pages.recognise.page import RecognisePage
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme

MOST_MS = 16
TABLE = ("turn", "across", "blur", "darken", "light", "cover")
"""The columns of the manual's table."""


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


@pytest.fixture(params=RECIPES)
def page(
    request: pytest.FixtureRequest, qapp: QApplication, att: FaceSet, tmp_path: Path
) -> Iterator[RecognisePage]:
    """The page with 320 photographs of the sample, calibrated, and one probe on the bench."""
    theme.apply(qapp, "light")
    (fold,) = FirstPhotos(8).folds(att)
    faces = att.select(fold.gallery)
    gallery = Gallery(faces, PREPARATION, RECIPES[request.param]).train().calibrate()
    session = Session(Settings(tmp_path / "settings.ini"))
    session.switch(Project.create(tmp_path / "sample.eigenfaces", gallery))
    row = int(fold.probes[24])
    photo = replace(att.index.photos[row], person=None)
    made = RecognisePage(session)
    made.resize(1279, 861)
    made.show()
    session.put_probes([Probe(photo, att.image(row))])
    settle(made)
    made.side.break_it()
    settle(made)
    yield made
    made.close()
    made.deleteLater()
    session.close()


def settle(page: RecognisePage) -> None:
    """Wait until the photograph is read and the curve is drawn."""
    waits, turns = QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 0
    while turns < 3:
        QApplication.processEvents()
        busy = page.session.jobs.current is not None
        if busy:
            QApplication.processEvents(waits, 50)
        turns = 0 if busy else turns + 1


@pytest.mark.parametrize("along", [TURN, BLUR], ids=lambda each: each.name)
def test_a_step_of_a_slider(
    benchmark: BenchmarkFixture, qapp: QApplication, page: RecognisePage, along: object
) -> None:
    """From the slider's value to the last pixel: the verdict, the event loop and painting."""
    bench = page.side.bench
    assert bench is not None
    chosen = TURN if along is TURN else BLUR
    strengths = cycle(chosen.rounded(each) for each in chosen.strengths(41))
    bench.sliders.set_strength(chosen, next(strengths))
    settle(page)

    def step() -> None:
        bench.sliders.set_strength(chosen, next(strengths))
        while bench._step.isActive():
            qapp.processEvents()
        qapp.processEvents()

    benchmark.pedantic(step, rounds=200, warmup_rounds=20)
    assert bench.photo.chart.mark() == bench.sliders.strengths.of(chosen)
    assert benchmark.stats.stats.median * 1000 < MOST_MS


def test_the_manuals_table(att: FaceSet) -> None:
    trial = Trial.of(Gallery(att, PREPARATION, RECIPES["Eigenfaces"]).train())
    assert trial.words == "80 held-out photos of 40 people, 320 enrolled"
    (section,) = (each for each in sections() if each.title == "Break it")
    rows = [line.strip("| ").split(" | ") for line in section.text.splitlines() if "|" in line]
    written = {row[0]: row[1:] for row in rows if re.match("Eigen|Disc|Text", row[0])}
    print(f"\nAT&T, {trial.words}, seed {trial.seed}: the right person first, per cent")
    found: dict[str, list[str]] = {name: [] for name in written}
    for along in DISTURBANCES.values():
        measured = trial.measure(along)
        print(f"{along.label} ({along.unit}) {along.tried}, not found {measured.lost.tolist()}")
        for line in measured.lines:
            said = measured.nine_in_ten_words(line.recipe, aligned=line.aligned)
            print(f"  {line.name:22} {(100 * line.shares).round(1).tolist()} {said}")
            if along.name in TABLE:
                found[line.name].append(said)
    assert found == written
