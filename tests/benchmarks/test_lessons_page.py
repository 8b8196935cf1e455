"""A step of the slider of the first lesson, everything that it changes painted: under 16 ms."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from gui.pages.lessons.page import LessonsPage
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme

MOST_MS = 16


@pytest.fixture
def page(qapp: QApplication, tmp_path: Path) -> Iterator[LessonsPage]:
    """The page on “Most variance, least error”, with its program open."""
    theme.apply(qapp, "light")
    session = Session(Settings(tmp_path / "settings.ini"))
    made = LessonsPage(session)
    made.resize(1279, 855)
    made.show()
    made.show_lesson("variance")
    qapp.processEvents()
    yield made
    made.close()
    made.deleteLater()
    session.close()


def test_a_step_of_the_slider(
    benchmark: BenchmarkFixture, qapp: QApplication, page: LessonsPage
) -> None:
    """From the slider's value to the last pixel: event loop and painting included."""
    angles = cycle(range(181))

    def step() -> None:
        page.controls.sliders[0].slider.setValue(next(angles))
        while page._step.isActive():
            qapp.processEvents()
        qapp.processEvents()

    benchmark.pedantic(step, rounds=200, warmup_rounds=20)
    angle = page.controls.sliders[0].value()
    assert page.studies.now.settings.angle == angle
    assert page.pictured.second.panels[1].mark() == angle  # type: ignore[union-attr]
    assert benchmark.stats.stats.median * 1000 < MOST_MS
