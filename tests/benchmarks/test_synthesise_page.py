"""A step of a slider on Synthesise, everything that it changes painted: under 8 ms (median).

A step of the morph, which moves all sliders, is drawn within one frame of a screen.
"""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from gui.pages.synthesise.page import SynthesisePage
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme

COMPONENTS, FACES, SIDE = 200, 400, 128
MOST_MS = {"a slider": 8, "the morph": 16}


@pytest.fixture
def page(qapp: QApplication, tmp_path: Path) -> Iterator[SynthesisePage]:
    """The page with 400 faces of 128 × 128 pixels, in 200 components."""
    theme.apply(qapp, "light")
    rng = np.random.default_rng(1)
    images = rng.random((FACES, SIDE, SIDE), dtype=np.float32)
    faces = FaceSet.from_arrays(images, [f"Person {i % 40}" for i in range(FACES)])
    recipe = Recipe.of(components=COMPONENTS)
    gallery = Gallery(faces, Preparation(SIDE, SIDE, already_cropped=True), recipe).train()
    session = Session(Settings(tmp_path / "settings.ini"))
    session.switch(Project.create(tmp_path / "large.eigenfaces", gallery))
    made = SynthesisePage(session, np.random.default_rng(2))
    made.resize(1279, 861)
    made.show()
    qapp.processEvents()
    yield made
    made.close()
    made.deleteLater()
    session.close()


@pytest.mark.parametrize("how", MOST_MS)
def test_a_step_of_a_slider(
    benchmark: BenchmarkFixture, qapp: QApplication, page: SynthesisePage, how: str
) -> None:
    """From the slider's value to the last pixel: event loop and painting included."""
    scores, shares = cycle(np.linspace(-2.5, 2.5, 51).tolist()), cycle(range(101))

    def step() -> None:
        if how == "a slider":
            page.sliders.sliders[0]._move(next(scores))
        else:
            page.morph.slider.setValue(next(shares))
        while page._step.isActive():
            qapp.processEvents()
        qapp.processEvents()

    benchmark.pedantic(step, rounds=200, warmup_rounds=20)
    assert page.face is not None
    assert page.real is not None
    shown = page.closest.row.faces.faces()[0]
    assert shown.subcaption == f"{page.real.nearest(page.face, 1)[0].distance:.1f}"
    assert benchmark.stats.stats.median * 1000 < MOST_MS[how]
