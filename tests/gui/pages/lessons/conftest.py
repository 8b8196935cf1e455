"""The Lessons page, without a gallery."""

import pytest

from gui.pages.lessons.page import LessonsPage


@pytest.fixture
def page(open_page) -> LessonsPage:
    return open_page(LessonsPage, (1279, 861))
