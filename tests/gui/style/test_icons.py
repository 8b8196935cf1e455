"""Icons exist, are drawn in the asked colour, and are sharp on dense screens."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QIcon, QImage

from gui.style import icons
from gui.style.images import rgb_array

FILES = (file.stem for file in icons.FOLDER.glob("*.svg"))
NAMES = sorted(name for name in FILES if not name.startswith("control-"))  # parts of check boxes


def _alpha(image: QImage) -> np.ndarray:
    plain = image.convertToFormat(QImage.Format.Format_Alpha8)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width()].copy()


@pytest.mark.parametrize("name", NAMES)
def test_icon_is_drawn_inside_its_grid_in_the_given_colour(qapp, name):
    drawn = icons.pixmap(name, 48, "#C01020").toImage()
    alpha = _alpha(drawn)
    edge = np.concatenate([alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1]])
    assert edge.max() == 0, "the stroke is cut off at the edge"
    assert 0.02 < (alpha > 128).mean() < 0.6
    at = np.unravel_index(alpha.argmax(), alpha.shape)
    assert drawn.pixelColor(int(at[1]), int(at[0])) == QColor("#C01020")


def test_icons_differ_and_are_as_dense_as_the_screen(qapp):
    images = [icons.pixmap(name, 16, "#FFFFFF", 2.0) for name in NAMES]
    assert len({rgb_array(image.toImage()).tobytes() for image in images}) == len(images)
    assert {image.width() for image in images} == {32}
    assert {image.deviceIndependentSize().width() for image in images} == {16}


def test_disabled_icon_is_fainter(qapp):
    made = icons.icon("cross", "#000000")
    normal = made.pixmap(16, 16).toImage().pixelColor(8, 8)
    disabled = made.pixmap(16, 16, QIcon.Mode.Disabled).toImage().pixelColor(8, 8)
    assert normal.lightness() < 40
    assert disabled.lightness() > normal.lightness() + 60
