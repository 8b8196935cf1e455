"""Line icons on a 24 × 24 grid, which can be drawn in any colour."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from eigenfaces.files import asset
from . import theme

FOLDER = asset("icons")
ICON = 16
"""The size of an icon beside text, in pixels before text scaling."""


def pixmap(name: str, size: int, colour: str | None = None, dpr: float = 1.0) -> QPixmap:
    """Return an icon as a pixmap, ``size`` logical pixels wide, for a given device pixel ratio."""
    return QPixmap.fromImage(_image(name, size, colour or theme.tokens().text, dpr))


def icon(name: str, colour: str | None = None, gap: int = 0) -> QIcon:
    """Return an icon for a button or an action, with ``gap`` empty pixels on the right.

    The icon does not follow the theme: call this function again on ``QEvent.PaletteChange``.
    """
    t = theme.tokens()
    result = QIcon()
    for mode, tint in (
        (QIcon.Mode.Normal, colour or t.text),
        (QIcon.Mode.Disabled, theme.disabled_text(t)),
    ):
        for size in sorted({theme.pixels(ICON), 20, 24}):
            for dpr in (1.0, 2.0):
                image = _image(name, size, tint, dpr, gap)
                result.addPixmap(QPixmap.fromImage(image), mode)
    return result


def application_icon() -> QIcon:
    """Return the icon of the program."""
    result = QIcon()
    svg = asset("application.svg").read_bytes()
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(QPixmap.fromImage(_render(svg, size, 1.0, 0)))
    return result


@lru_cache(maxsize=4096)  # all pages together need about a thousand
def _image(name: str, size: int, colour: str, dpr: float, gap: int = 0) -> QImage:
    # The cache keeps images, not pixmaps: it may outlive the application object.
    svg = (FOLDER / f"{name}.svg").read_text("utf-8").replace("currentColor", colour)
    return _render(svg.encode(), size, dpr, gap)


def _render(svg: bytes, size: int, dpr: float, gap: int) -> QImage:
    side = round(size * dpr)
    image = QImage(side + round(gap * dpr), side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg)).render(painter, QRectF(0, 0, side, side))
    painter.end()
    image.setDevicePixelRatio(dpr)
    return image
