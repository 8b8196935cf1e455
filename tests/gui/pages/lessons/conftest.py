"""The Lessons page, without a gallery."""

import pytest

from gui.pages.lessons.page import LessonsPage


@pytest.fixture
def page(open_page) -> LessonsPage:
    """The page on its first lesson."""
    return open_page(LessonsPage, (1279, 861))
