"""What the pages that need a face space do alike."""

import pytest

from gui.pages.eigenfaces import EigenfacesPage
from gui.pages.map.page import MapPage
from gui.pages.reconstruct import ReconstructPage
from gui.pages.synthesise import SynthesisePage
from tests.gui import seen


@pytest.mark.parametrize("kind", [EigenfacesPage, ReconstructPage, SynthesisePage, MapPage])
def test_of_a_project_that_is_closed_nothing_can_be_exported(
    kind, open_page, trained_session, settled
):
    page = open_page(kind)
    trained_session.close_project()
    settled()
    assert seen.says(page, "Train first")
    page.export()
    assert "nothing to export" in trained_session.message.text
