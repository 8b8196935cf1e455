"""The Settings page of a small gallery, and when nothing more happens on it."""

import pytest

from gui.pages.settings.page import SettingsPage
from tests.gui import seen


@pytest.fixture
def page(qtbot, trained_session):
    made = seen.show(qtbot, SettingsPage(trained_session), (1100, 900))
    assert not made.recipe.isVisible()
    made.more.click()
    yield made
    qtbot.waitUntil(lambda: trained_session.jobs.current is None, timeout=10_000)


@pytest.fixture
def settled(qtbot, trained_session, page):
    """Wait until nothing runs and every change has been made."""

    def wait():
        def idle():
            waits = page._soon.isActive() or page.recipe._soon.isActive()
            return trained_session.jobs.current is None and not waits

        qtbot.waitUntil(idle, timeout=10_000)

    return wait
