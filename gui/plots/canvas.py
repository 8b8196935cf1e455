"""Base widget for plots, which caches its fixed part, and functions for saving a plot."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QEvent,
    QIODevice,
    QMarginsF,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QMouseEvent,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPaintEvent,
    QPdfWriter,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from ..state.session import Session
from ..style.painting import pixels_per_unit
from ..style.theme import Tokens, tokens
from ..widgets.controls import open_at
from ..widgets.saving import add_exports
from .axes import Axes, Axis

ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
"""The step of each arrow key, to the right and upwards."""

_BY_KEYS = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}
"""Focus reasons from the keyboard, after which a plot shows what the keys will move."""

PLOT_FILES = (("as a drawing", "svg"), ("as a picture", "png"), ("as PDF", "pdf"))
"""The formats in which a plot can be saved: text for a menu, and file suffix."""

_SCALE = 2  # pixels in a saved picture per pixel on the screen


class Canvas(QWidget):
    """Base class for widgets that paint a plot and react to the left mouse button.

    `paint_static` paints the fixed part, which is cached, and `paint_overlay` paints the moving
    part above it, so that movement is cheap. Both methods are also used to save a plot to a file.
    """

    def __init__(self, x: Axis, y: Axis) -> None:
        super().__init__()
        self.axes = Axes(x, y)
        self.focused_by_keys = False
        self._static: QPixmap | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    # For subclasses

    def update_layout(self) -> None:
        """Lay out everything for the current size and theme, and repaint."""
        raise NotImplementedError

    def paint_static(self, painter: QPainter) -> None:
        """Paint the fixed part, which stays the same while the pointer moves."""
        raise NotImplementedError

    def paint_overlay(self, painter: QPainter, look: Tokens) -> None:
        """Paint the moving part, which changes with the pointer and the keys."""
        raise NotImplementedError

    def press(self, pos: QPointF) -> None:
        """Handle a press of the left mouse button."""

    def track_pointer(self, pos: QPointF, pressed: bool) -> None:
        """Handle a movement of the pointer, whether or not the left mouse button is pressed."""

    def release(self) -> None:
        """Handle the release of the left mouse button."""

    # Painting

    def invalidate(self) -> None:
        """Repaint everything, not only the moving part."""
        self._static = None
        self.update()

    def paint(self, painter: QPainter) -> None:
        """Paint the fixed and moving parts, for example to save them to a file."""
        self.paint_static(painter)
        self.paint_overlay(painter, tokens())

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            ratio = pixels_per_unit(painter)
            if self._static is None or self._static.devicePixelRatio() != ratio:
                self._static = QPixmap(self.size() * ratio)
                self._static.setDevicePixelRatio(ratio)
                self._static.fill(Qt.GlobalColor.transparent)
                with QPainter(self._static) as inner:
                    self.paint_static(inner)
            painter.drawPixmap(0, 0, self._static)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint_overlay(painter, tokens())

    # Events

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused_by_keys = event.reason() in _BY_KEYS
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused_by_keys = False
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update_layout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update_layout()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.track_pointer(event.position(), bool(event.buttons() & Qt.MouseButton.LeftButton))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.release()


def pixels_of_pictures(painter: QPainter) -> float:
    """Return the number of picture pixels per painter unit, which is always 2 in saved files."""
    if isinstance(painter.device(), QPixmap | QWidget):
        return pixels_per_unit(painter)
    return float(_SCALE)


def save_plot(plot: Canvas, suffix: str, path: Path) -> None:
    """Save a plot in one of the formats in `PLOT_FILES`; raise `OSError` if writing fails."""
    buffer, size = QBuffer(), plot.size()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image = QImage(size * _SCALE, QImage.Format.Format_RGB32)
    device: QPaintDevice = image
    if suffix == "svg":
        device = drawing = QSvgGenerator()
        drawing.setOutputDevice(buffer)
        drawing.setSize(size)
        drawing.setViewBox(QRectF(plot.rect()))
        drawing.setTitle(plot.accessibleName())
        drawing.setDescription(plot.accessibleDescription())
    elif suffix == "pdf":
        device = page = QPdfWriter(buffer)
        page.setTitle(plot.accessibleName())
        page.setResolution(96)
        page.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize.Unit.Point))
        page.setPageMargins(QMarginsF())
    else:
        image.setDevicePixelRatio(_SCALE)
    with QPainter(device) as painter:
        painter.fillRect(plot.rect(), QColor(tokens().surface))
        plot.paint(painter)
    if device is image:
        image.save(buffer, "PNG")  # type: ignore[call-overload]
    path.write_bytes(bytes(buffer.data().data()))


def add_plot_files(
    menu: QMenu, plot: Canvas, session: Session, name: str, words: str = "Save"
) -> None:
    """Add menu commands that save a plot under this name, such as “Save as a drawing…”."""
    files = [
        (f"{words} {kind}…", f"{name}.{suffix}", partial(save_plot, plot, suffix))
        for kind, suffix in PLOT_FILES
    ]
    add_exports(menu, session, plot, files, now=True)


def install_context_menu(plot: Canvas, session: Session, name: str) -> None:
    """Add a context menu to a plot, with commands that save it under this name or copy it."""

    def open_menu(place: QPoint) -> None:
        menu = QMenu(plot)
        add_plot_files(menu, plot, session, name)
        menu.addAction("Copy").triggered.connect(
            lambda: QGuiApplication.clipboard().setImage(plot.grab().toImage())
        )
        open_at(menu, plot.mapToGlobal(place))

    plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    plot.customContextMenuRequested.connect(open_menu)
