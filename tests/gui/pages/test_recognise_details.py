"""What is said below the pictures and bars of a verdict."""

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.recognition.probes import Probe
from gui.pages.recognise.details import ComponentsCard, SeenCard
from gui.pages.recognise.findings import compare
from gui.style import theme
from gui.widgets.face_delegate import PICTURES
from gui.widgets.face_list import FaceRow
from gui.widgets.face_model import Face

GREY = np.full((112, 92), 0.5, np.float32)


def test_one_component_is_no_plural(qtbot: QtBot, small_gallery: Gallery) -> None:
    gallery = small_gallery.with_recipe(small_gallery.recipe.changed(components=1))
    probe = Probe(gallery.index.photos[9], gallery.faces.image(9))
    seen, components = SeenCard(), ComponentsCard()
    for card in (seen, components):
        qtbot.addWidget(card)
        card.show_finding(gallery, compare(gallery, [probe])[0])
    assert "what 1 component cannot" in seen.words.text()
    assert "components" not in components.words.text()


def test_marks_and_the_ring_of_what_is_selected_differ_in_shape(qtbot, qapp):
    """Without colour, too: one is a frame in the picture, the other goes round it."""
    theme.apply(qapp, "light")

    def drawn(mark: str, *, selected: bool) -> np.ndarray:
        row = FaceRow("Faces", QSize(70, 85))
        qtbot.addWidget(row)
        row.show_faces([Face("a", GREY, "A", mark=mark)])
        row.resize(120, 150)
        row.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its ring would come whenever the window does
        row.show()
        if selected:
            row.select("a")
        qtbot.waitUntil(lambda: not PICTURES.behind)
        image = row.viewport().grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        return np.array(image.constBits(), np.uint8).reshape(image.height(), -1).astype(int)

    plain, marked = drawn("", selected=False), drawn("accent", selected=False)
    ringed, both = drawn("", selected=True), drawn("accent", selected=True)
    bar, ring = np.abs(marked - plain) > 40, np.abs(ringed - plain) > 40
    assert bar.any()
    assert ring.any()
    assert not (bar & ring).any()
    inside, outside = (np.flatnonzero(each.any(axis=1)) for each in (bar, ring))
    assert 70 < np.ptp(inside) < np.ptp(outside)  # both all the way round
    together = np.abs(both - plain) > 40
    assert (together[bar]).mean() > 0.9
    assert (together[ring]).mean() > 0.9
