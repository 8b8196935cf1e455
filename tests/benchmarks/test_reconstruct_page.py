"""A step of the slider on Reconstruct, everything that it changes painted: under 8 ms (median)."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from gui.pages.reconstruct import ReconstructPage
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme

COMPONENTS, SIDE = 200, 128
MOST_MS = 8


@pytest.fixture
def page(qapp: QApplication, tmp_path: Path) -> Iterator[ReconstructPage]:
    """The page with 201 faces of 128 × 128 pixels: 200 components."""
    theme.apply(qapp, "light")
    rng = np.random.default_rng(1)
    images = rng.random((COMPONENTS + 1, SIDE, SIDE), dtype=np.float32)
    faces = FaceSet.from_arrays(images, [f"Person {i % 20}" for i in range(len(images))])
    gallery = Gallery(faces, Preparation(SIDE, SIDE, already_cropped=True), Recipe()).train()
    session = Session(Settings(tmp_path / "settings.ini"))
    session.switch(Project.create(tmp_path / "large.eigenfaces", gallery))
    made = ReconstructPage(session)
    made.resize(1279, 855)
    made.show()
    qapp.processEvents()
    yield made
    made.close()
    made.deleteLater()
    session.close()


@pytest.mark.parametrize("near", [COMPONENTS, 20])
def test_a_step_of_the_slider(
    benchmark: BenchmarkFixture, qapp: QApplication, page: ReconstructPage, near: int
) -> None:
    """From the slider's value to the last pixel: event loop and painting included."""
    ks = cycle([near - 1, near])

    def step() -> None:
        page.slider.setValue(next(ks))
        while page._step.isActive():
            qapp.processEvents()
        qapp.processEvents()

    benchmark.pedantic(step, rounds=200, warmup_rounds=10)
    rebuilt = page.reconstruction.rebuilt(page.slider.value())  # type: ignore[union-attr]
    assert page.tiles["RMSE (of 255)"].value.text() == f"{page.reconstruction.rmse(rebuilt):.1f}"  # type: ignore[union-attr]
    assert benchmark.stats.stats.median * 1000 < MOST_MS
