"""Import sheets that have looked at everything, closed when the test ends."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gui.photos.sheet import ImportSheet
from gui.state.session import Session

Settle = Callable[[ImportSheet], None]
OpenSheet = Callable[[Path | list[Path]], ImportSheet]


@pytest.fixture
def settle(qtbot: QtBot) -> Settle:
    """Wait until a sheet looks at nothing any more."""

    def wait(sheet: ImportSheet) -> None:
        both = (sheet.session.jobs, sheet.panel.editor.jobs)
        qtbot.waitUntil(lambda: not any(jobs.current for jobs in both), timeout=60_000)

    return wait


@pytest.fixture
def open_sheet(session: Session, settle: Settle) -> Iterator[OpenSheet]:
    """Open a sheet on a folder or on files, and wait until it has looked at all of them."""
    sheets: list[ImportSheet] = []

    def opened(source: Path | list[Path]) -> ImportSheet:
        sheet = ImportSheet(session, source)
        sheets.append(sheet)
        sheet.resize(1400, 900)
        sheet.show()
        settle(sheet)
        return sheet

    yield opened
    for sheet in sheets:
        if isValid(sheet):
            sheet.done(0)
