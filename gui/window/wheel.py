"""The wheel scrolls the page, whatever control happens to pass below the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QSlider, QWidget

_CONTROLS = (QComboBox, QAbstractSpinBox, QSlider)


class WheelFilter(QObject):
    """Lets the wheel scroll the page below lists, number boxes and sliders without the focus.

    It filters the events of the windows, not those of the widgets in them: Qt gives a number box
    the focus before the box gets the wheel, and a filter of the whole application would run each
    of its events through Python.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusWindowChanged.connect(self._watch_windows)

    def _watch_windows(self) -> None:
        """Watch the windows there are now: a filter is installed once, however often."""
        for window in QGuiApplication.allWindows():
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QWheelEvent):
            return False
        tops = QApplication.topLevelWidgets()
        top = next((widget for widget in tops if widget.windowHandle() is watched), None)
        part = None if top is None else top.childAt(event.position().toPoint())
        # As from the field of a number box to the box; but an open list is a window of its own.
        while part is not None and not part.isWindow() and not isinstance(part, _CONTROLS):
            part = part.parentWidget()
        if not isinstance(part, _CONTROLS) or part.hasFocus():
            return False
        _pass_up(part, event)
        return True


def _pass_up(control: QWidget, event: QWheelEvent) -> None:
    """Offer the wheel to what a control lies in, from inside outwards, until it scrolls."""
    part = control.parentWidget()
    while part is not None and not part.isWindow():
        passed = QWheelEvent(
            part.mapFromGlobal(event.globalPosition()),
            event.globalPosition(),
            event.pixelDelta(),
            event.angleDelta(),
            event.buttons(),
            event.modifiers(),
            event.phase(),
            event.inverted(),
        )
        QApplication.sendEvent(part, passed)
        if passed.isAccepted():
            return
        part = part.parentWidget()
