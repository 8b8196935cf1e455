"""The Evaluate page with people who are easily confused, before and after a run."""

import pytest

from gui.pages.evaluate.page import EvaluatePage
from tests.gui import seen


@pytest.fixture
def page(qtbot, hard_session):
    made = seen.show(qtbot, EvaluatePage(hard_session), (1240, 900))
    yield made
    made.hide()
    qtbot.waitUntil(lambda: hard_session.jobs.current is None, timeout=20_000)


@pytest.fixture
def done(page, settled):
    """The page with a finished run."""
    page.run()
    settled()
    return page
