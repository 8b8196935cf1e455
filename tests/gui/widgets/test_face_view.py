"""The picture of a face: scaled when it has to be, and no more often."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from gui.style import images
from gui.widgets import face_view
from tests.gui import seen


def test_a_picture_is_scaled_once_for_each_size_and_not_in_each_paint(qtbot, monkeypatch):
    scaled: list[QSize] = []

    def rounded(image: QImage, size: QSize, *about: float) -> QImage:
        scaled.append(size)
        return images.rounded(image, size, *about)

    monkeypatch.setattr(face_view, "rounded", rounded)
    picture = QImage(92, 112, QImage.Format.Format_RGB32)
    view = seen.show(qtbot, face_view.FaceView(grows=True), (200, 240))
    for change, number in (
        (lambda: view.set_image(picture), 1),
        (lambda: view.set_caption(view.caption), 1),
        (lambda: view.resize(300, 360), 2),
        (lambda: view.set_image(picture.copy()), 3),
    ):
        change()
        for _ in range(3):
            view.grab()
        assert len(scaled) == number
