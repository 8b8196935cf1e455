"""A small trained gallery and a session of its own for every test."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery, Project
from gui.state.jobs import Jobs
from gui.state.session import Session
from gui.state.settings import Settings
from gui.style import theme
from tests import synthetic
from tests.gui import seen
from tests.quick_network import quick_network  # noqa: F401 - a fixture


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application in the light theme; a test that changes it takes ``light_again``."""
    theme.apply(qapp, "light")
    return qapp


@pytest.fixture
def qtbot(qtbot: QtBot) -> QtBot:
    """A robot with patience: on a busy machine its five seconds are over before a job is."""
    for name in ("waitUntil", "waitSignal", "waitExposed"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=60_000))
    return qtbot


@pytest.fixture
def light_again(qapp: QApplication) -> Iterator[None]:
    yield
    theme.apply(qapp, "light")


@pytest.fixture(autouse=True)
def what_happens_by_itself_happens_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui.state.by_itself.PAUSE", 0)


@pytest.fixture(autouse=True)
def jobs_of_closed_dialogs_end(nothing_left_running: None, qapp: QApplication) -> Iterator[None]:
    """Wait for what a dialog has left to end by itself as it closed: see `Jobs.abandon`."""
    yield
    directly = Qt.FindChildOption.FindDirectChildrenOnly
    for abandoned in qapp.findChildren(Jobs, options=directly):
        for thread in abandoned._threads.values():
            thread.join(5)


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
def open_gallery(session: Session, tmp_path: Path) -> Callable[[Gallery, str], Session]:
    """Open a gallery in a project file of its own."""

    def create(gallery: Gallery, name: str = "") -> Session:
        name = name or f"project {len([*tmp_path.iterdir()])}"
        session.open(Project.create(tmp_path / f"{name}.eigenfaces", gallery))
        return session

    return create


@pytest.fixture
def trained_session(
    open_gallery: Callable[[Gallery, str], Session], small_gallery: Gallery
) -> Session:
    """A session with the small gallery in a project file."""
    return open_gallery(small_gallery, "small")


@pytest.fixture
def finish(qtbot: QtBot, session: Session) -> Callable[[], None]:
    return lambda: qtbot.waitUntil(lambda: seen.is_idle(session), timeout=60_000)


@pytest.fixture
def settled(qtbot: QtBot, session: Session) -> Callable[[], None]:
    """Wait until no job runs and the pages show what there is."""
    return lambda: seen.settle(qtbot, session)


@pytest.fixture
def do(settled: Callable[[], None]) -> Callable[..., None]:
    """Do something as a person does, and wait until no job runs and the pages show it."""

    def act(action: Callable[..., object], *about: object) -> None:
        action(*about)
        settled()

    return act
