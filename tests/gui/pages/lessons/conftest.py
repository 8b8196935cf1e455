"""The Lessons page, without a gallery."""

import pytest

from gui.pages.lessons.page import LessonsPage
from gui.style import theme
from tests.gui import seen


@pytest.fixture
def page(session, qtbot, qapp) -> LessonsPage:
    """The page on its first lesson."""
    theme.apply(qapp, "light")
    return seen.show(qtbot, LessonsPage(session), (1279, 861))
