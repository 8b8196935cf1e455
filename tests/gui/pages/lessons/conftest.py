"""The Lessons page, without a gallery."""

import pytest

from gui.pages.lessons.page import LessonsPage
from gui.style import theme


@pytest.fixture
def page(session, qtbot, qapp) -> LessonsPage:
    """The page on its first lesson."""
    theme.apply(qapp, "light")
    made = LessonsPage(session)
    qtbot.addWidget(made)
    made.resize(1279, 861)
    with qtbot.waitExposed(made):
        made.show()
    return made
