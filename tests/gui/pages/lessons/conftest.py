"""The Lessons page, without a gallery."""

import pytest

from gui.pages.lessons.page import LessonsPage
from tests.gui import seen


@pytest.fixture
def page(qtbot, session) -> LessonsPage:
    """Open the page at a lesson on points, which is there at once."""
    page = LessonsPage(session)
    page.show_lesson("variance")
    seen.show(qtbot, page, (1279, 861))
    seen.settle(qtbot, session)
    return page
