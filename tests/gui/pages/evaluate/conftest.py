"""The Evaluate page with people who are easily confused, before and after a run."""

import pytest

from gui.pages.evaluate.page import EvaluatePage
from tests.gui import seen


@pytest.fixture
def page(qtbot, hard_session):
    made = EvaluatePage(hard_session)
    qtbot.addWidget(made)
    made.resize(1240, 900)
    made.show()
    yield made
    made.hide()
    qtbot.waitUntil(lambda: hard_session.jobs.current is None, timeout=20_000)


@pytest.fixture
def settled(qtbot, session):
    """Wait until no job runs and the page has shown what there is."""

    return lambda _page: seen.settle(qtbot, session)


@pytest.fixture
def done(page, settled):
    """The page with a finished run."""
    page.run()
    settled(page)
    return page
