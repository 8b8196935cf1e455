"""A small trained gallery and a session of its own for every test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from tests import synthetic
from tests.gui import seen
from tests.quick_network import quick_network  # noqa: F401 - a fixture


@pytest.fixture
def small_gallery() -> Gallery:
    """Six people × four photographs of 24 × 20 pixels, trained."""
    return synthetic.small_gallery()


@pytest.fixture
def session(qapp: QApplication, tmp_path: Path) -> Iterator[Session]:
    """A session without a project, closed when the test ends."""
    made = Session(Settings(tmp_path / "settings.ini"))
    yield made
    made.close()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Function) -> Iterator[None]:
    """Let no job tell a page that pytest-qt deletes: the program ends its jobs before its pages."""
    session = item.funcargs.get("session")
    if isinstance(session, Session):
        for job in (*session.jobs.running, *session.jobs.waiting):
            job.dropped = True
    return (yield)


@pytest.fixture
def trained_session(session: Session, small_gallery: Gallery, tmp_path: Path) -> Session:
    """A session with the small gallery in a project file."""
    session.open(Project.create(tmp_path / "small.eigenfaces", small_gallery))
    return session


@pytest.fixture
def hard_session(session: Session, tmp_path: Path) -> Session:
    """A session with six people who are easily mistaken for one another, not trained."""
    rng = np.random.default_rng(4)
    centres = 0.5 + 0.1 * rng.uniform(-1, 1, (6, 1, 20, 16))
    images = centres + 0.3 * rng.uniform(-1, 1, (6, 4, 20, 16))
    names = [f"Person {number}" for number in range(1, 7) for _ in range(4)]
    faces = FaceSet.from_arrays(images.reshape(24, 20, 16), names)
    gallery = Gallery(faces, Preparation(20, 16, already_cropped=True), Recipe.of(components=8))
    session.open(Project.create(tmp_path / "hard.eigenfaces", gallery))
    return session


@pytest.fixture
def finish(qtbot: QtBot, session: Session) -> Callable[[], None]:
    """Wait until no job runs."""
    return lambda: qtbot.waitUntil(lambda: session.jobs.current is None, timeout=60_000)


@pytest.fixture
def settled(qtbot: QtBot, session: Session) -> Callable[[], None]:
    """Wait until no job runs and the pages show what there is."""
    return lambda: seen.settle(qtbot, session)


@pytest.fixture
def light_again(qapp: QApplication) -> Iterator[None]:
    """The light theme, before the test and after it."""
    theme.apply(qapp, "light")
    yield
    theme.apply(qapp, "light")


class _Windows(QObject):
    """Notes every window that belongs to no other: main windows, and what nobody has placed."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            tip = watched.metaObject().className() == "QTipLabel"
            if watched.isWindow() and watched.parentWidget() is None and not tip:
                self.shown.append(type(watched).__name__)
        return False


@pytest.fixture
def lone_windows(qapp: QApplication) -> Iterator[list[str]]:
    """The kinds of all windows without a parent that are shown during the test."""
    windows = _Windows()
    qapp.installEventFilter(windows)
    yield windows.shown
    qapp.removeEventFilter(windows)


@pytest.fixture
def nameless() -> Callable[[QWidget], list[QWidget]]:
    """Find what can take the focus on a page but has no name to be read aloud."""
    return lambda page: [
        widget
        for widget in page.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not widget.accessibleName()
        and not widget.isHidden()
        and widget.focusProxy() is None
    ]
