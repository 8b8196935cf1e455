"""A plot as a file: lines for print, or a picture at twice the size of the screen."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from gui.charts.chart import Chart
from gui.style.theme import tokens

_SCALE = 2


def export_svg(chart: Chart, path: Path) -> None:
    """Write the plot as SVG; an `OSError` when the file cannot be written."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(chart.size())
    generator.setViewBox(QRectF(chart.rect()))
    generator.setTitle(chart.accessibleName())
    generator.setDescription(chart.accessibleDescription())
    with QPainter(generator) as painter:
        _paint(chart, painter)
    path.write_bytes(bytes(buffer.data().data()))


def export_png(chart: Chart, path: Path) -> None:
    """Write the plot as PNG; an `OSError` when the file cannot be written."""
    image = QImage(chart.size() * _SCALE, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        painter.scale(_SCALE, _SCALE)
        _paint(chart, painter)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    path.write_bytes(bytes(buffer.data().data()))


def _paint(chart: Chart, painter: QPainter) -> None:
    painter.fillRect(QRectF(chart.rect()), QColor(tokens().surface))
    chart.paint(painter)
