"""The jobs of a test, closed after it."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from gui.state.jobs import Jobs


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()
