"""The row of nearest faces: as many as there is room for, whatever becomes of their project."""

from pathlib import Path

import numpy as np
from PySide6.QtGui import QResizeEvent
from pytestqt.qtbot import QtBot

from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.recognition.probes import Probe
from gui.pages.recognise.page import RecognisePage
from gui.state.session import Session
from tests.gui import seen


def test_a_row_of_a_project_that_is_closed_may_be_resized(
    qtbot: QtBot, trained_session: Session
) -> None:
    """A page that is shown again is resized before it is read again."""
    session = trained_session
    page = RecognisePage(session)
    seen.show(qtbot, page, (900, 850))
    image = np.clip(session.gallery.faces.image(1) + 0.01, 0, 1).astype(np.float32)
    session.put_probes([Probe(FacePhoto(Path("/a.png"), None, "a", image.shape), image)])
    seen.settle(qtbot, session)
    row = page.nearest.row

    def resize(width: int) -> int:
        row.resize(width, row.height())
        row.resizeEvent(QResizeEvent(row.size(), row.size()))
        return row.faces.rowCount()

    few, more = resize(200), resize(500)
    assert 3 <= few < more
    page.hide()
    session.project.close()
    assert resize(200) == few  # made already
    assert (
        resize(3000) > more
    )  # faces are read where the project put them for as long as it is shown
