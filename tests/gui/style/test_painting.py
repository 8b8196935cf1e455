"""What several widgets paint in the same way."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.style import theme
from gui.style.painting import paint_line


def painted(text: str, width: float, side: Qt.AlignmentFlag) -> QImage:
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.setFont(theme.font(theme.BASE))
        paint_line(painter, QRectF(0, 0, width, 40), text, side)
    return image


def test_a_line_is_whole_where_it_fits_and_cut_where_it_does_not(qtbot: QtBot) -> None:
    left = Qt.AlignmentFlag.AlignLeft
    whole, longer = "two people", "two people more"
    width = QFontMetricsF(theme.font(theme.BASE)).horizontalAdvance(whole)
    assert painted(whole, width, left) == painted(whole, 200, left)
    assert painted(longer, width, left) != painted(longer, 200, left)
    assert painted(whole, 200, left) != painted(whole, 200, Qt.AlignmentFlag.AlignRight)
