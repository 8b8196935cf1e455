"""A page as the window shows it, and all that it writes to files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from gui.state.session import Session
from gui.widgets.page import Page
from tests.gui import seen


@pytest.fixture
def open_page(qtbot: QtBot, session: Session) -> Callable[..., Page]:
    """Open a page of a kind, its inspector beside it, and wait until it shows what there is."""

    def show(kind: type[Page], size: tuple[int, int] = (1200, 800), *about: object) -> Page:
        page = kind(session, *about)
        if page.inspector is not None:
            seen.show(qtbot, page.inspector, (300, 900))
        seen.show(qtbot, page, size)
        seen.settle(qtbot, session)
        return page

    return show


@pytest.fixture
def exported(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Page], dict[str, Path]]:
    """Trigger all entries of a page's export menu; return what was written, by proposed name."""
    files: dict[str, Path] = {}

    def path_for(_parent: object, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        files[Path(start).name] = tmp_path / f"{len(files)}{Path(start).suffix}"
        return str(files[Path(start).name]), ""

    def export(page: Page) -> dict[str, Path]:
        session = page.session
        monkeypatch.setattr(QFileDialog, "getSaveFileName", path_for)
        page.export()
        (menu,) = (menu for menu in page.findChildren(QMenu) if menu.title() == "Export")
        for action in (action for action in menu.actions() if action.text()):
            with qtbot.waitSignal(session.message_changed):
                action.trigger()
            assert session.message.text.startswith("Saved as “")
            qtbot.waitUntil(lambda: session.jobs.current is None)
        menu.close()
        assert all(path.stat().st_size for path in files.values())
        assert session.settings.last_folder == tmp_path
        return files

    return export
