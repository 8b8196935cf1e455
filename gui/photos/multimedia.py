"""Camera access with Qt Multimedia, which is imported only here and only when needed."""

from __future__ import annotations

from PySide6.QtCore import QCameraPermission, QCoreApplication, QObject, Qt, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtMultimedia import (
    QCamera,
    QMediaCaptureSession,
    QMediaDevices,
    QVideoFrame,
    QVideoSink,
)

NO_CAMERA = "No camera was found. Connect one, switch it on, and try again."
NOT_ALLOWED = (
    "This program is not allowed to use the camera. Allow access in your system’s privacy "
    "settings, then try again."
)
_Status = Qt.PermissionStatus


class Camera(QObject):
    """Default camera of the system, in use from `start` to `stop`.

    If it cannot supply pictures, ``failed`` is emitted with the reason.
    """

    arrived = Signal(QImage)
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.sink = QVideoSink(self)
        self.sink.videoFrameChanged.connect(self._on_frame)
        self._last = QVideoFrame()
        self._capture = QMediaCaptureSession(self)
        self._capture.setVideoSink(self.sink)
        self._camera: QCamera | None = None

    def start(self) -> None:
        """Start the camera as soon as the system permits it."""
        app = QCoreApplication.instance()
        assert app is not None
        if app.checkPermission(QCameraPermission()) == _Status.Undetermined:
            app.requestPermission(QCameraPermission(), self, lambda _: self._start_camera())
        else:
            self._start_camera()

    def stop(self) -> None:
        """Release the camera."""
        if self._camera is not None:
            self._camera.stop()

    def _start_camera(self) -> None:
        app = QCoreApplication.instance()
        assert app is not None
        device = QMediaDevices.defaultVideoInput()
        if app.checkPermission(QCameraPermission()) != _Status.Granted:
            self.failed.emit(NOT_ALLOWED)
        elif device.isNull():
            self.failed.emit(NO_CAMERA)
        else:
            self._camera = QCamera(device, self)
            self._camera.errorOccurred.connect(self.report)
            self._capture.setCamera(self._camera)
            self._camera.start()

    def report(self, error: QCamera.Error, reason: str) -> None:
        """Report a camera error."""
        if error != QCamera.Error.NoError:
            self.failed.emit(
                f"The camera cannot be used: {reason}. Close other programs that may be using it, "
                "and try again."
            )

    @Slot(QVideoFrame)
    def _on_frame(self, frame: QVideoFrame) -> None:
        # Frames may come from another thread, faster than they are shown: use only the newest.
        frame = self.sink.videoFrame()
        if frame.isValid() and frame != self._last:
            self._last = frame
            image = frame.toImage()
            if not image.isNull():
                self.arrived.emit(image)
