"""The Synthesise page of a small gallery."""

import pytest
from synthesise_shown import shown

from gui.pages.synthesise.page import SynthesisePage
from gui.state.session import Session
from gui.style import theme


@pytest.fixture
def page(trained_session: Session, qtbot, qapp) -> SynthesisePage:
    """The page with six people and ten components; the first photo of Ada is selected."""
    theme.apply(qapp, "light")
    return shown(trained_session, qtbot)
