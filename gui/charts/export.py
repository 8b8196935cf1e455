"""A plot as a file: lines for print, or a picture at twice the size of the screen."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from gui.charts.frame import Chart
from gui.style.theme import tokens

_SCALE = 2


def export_svg(widget: Chart, path: Path) -> None:
    """Write the plot as SVG; an `OSError` when the file cannot be written."""
    # The plot library has an SVG exporter of its own, which fails on Qt 6.11.
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    size = widget.canvas.size()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle(widget.accessibleName())
    generator.setDescription(widget.accessibleDescription())
    painter = QPainter(generator)
    _paint(widget, painter, 1)
    painter.end()
    path.write_bytes(bytes(buffer.data().data()))


def export_png(widget: Chart, path: Path) -> None:
    """Write the plot as PNG; an `OSError` when the file cannot be written."""
    size = widget.canvas.size() * _SCALE
    image = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    _paint(widget, painter, _SCALE)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    path.write_bytes(bytes(buffer.data().data()))


def _paint(widget: Chart, painter: QPainter, scale: int) -> None:
    size = widget.canvas.size()
    source = QRectF(0, 0, size.width(), size.height())
    target = QRectF(0, 0, scale * size.width(), scale * size.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(target, QColor(tokens().surface))
    scene = widget.canvas.scene()
    scene.prepareForPaint()
    scene.render(painter, target, source)
