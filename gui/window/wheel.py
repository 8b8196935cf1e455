"""Mouse wheel handling: a page keeps scrolling even when a control passes under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QSlider, QWidget

_CONTROLS = (QComboBox, QAbstractSpinBox, QSlider)


class WheelFilter(QObject):
    """Event filter that lets the wheel scroll the page over controls that do not have focus.

    The controls are drop-downs, number boxes and sliders. The filter is installed on windows,
    because Qt gives a number box the focus before it receives the wheel event. A filter on the
    whole application would run every event through Python.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusWindowChanged.connect(self._watch_windows)

    def _watch_windows(self) -> None:
        """Install the filter on all open windows. Installing it again has no effect."""
        for window in QGuiApplication.allWindows():
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QWheelEvent):
            return False
        tops = QApplication.topLevelWidgets()
        top = next((widget for widget in tops if widget.windowHandle() is watched), None)
        part = None if top is None else top.childAt(event.position().toPoint())
        # For example, go from the text field of a number box to the box. An open list is a window.
        while part is not None and not part.isWindow() and not isinstance(part, _CONTROLS):
            part = part.parentWidget()
        if not isinstance(part, _CONTROLS) or part.hasFocus():
            return False
        _pass_up(part, event)
        return True


def _pass_up(control: QWidget, event: QWheelEvent) -> None:
    """Send the wheel event to the ancestors of a control, nearest first, until one scrolls."""
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
