"""Cameras and films by Qt Multimedia: the only file that imports it, and imported last."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCameraPermission, QCoreApplication, QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtMultimedia import (
    QCamera,
    QMediaCaptureSession,
    QMediaDevices,
    QMediaPlayer,
    QVideoFrame,
    QVideoSink,
)

NO_CAMERA = "No camera was found. Connect one, switch it on, and try again."
NOT_ALLOWED = (
    "This program is not allowed to use the camera. Allow it in the privacy settings of your "
    "system, then try again."
)
_Status = Qt.PermissionStatus


class Camera(QObject):
    """A source of live pictures, from `start` to `stop`; `failed` says why there are none."""

    arrived = Signal(QImage)
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.sink = QVideoSink(self)
        self.sink.videoFrameChanged.connect(self._take)
        self._last = QVideoFrame()

    def start(self) -> None:
        """Start; `failed` reports an error."""
        raise NotImplementedError

    def stop(self) -> None:
        """Release the device or the file."""
        raise NotImplementedError

    @Slot(QVideoFrame)
    def _take(self, frame: QVideoFrame) -> None:
        # Frames may come from another thread, faster than they are shown: only the newest is kept.
        frame = self.sink.videoFrame()
        if frame.isValid() and frame != self._last:
            self._last = frame
            image = frame.toImage()
            if not image.isNull():
                self.arrived.emit(image)


class Film(Camera):
    """A video file, played repeatedly in place of a camera."""

    def __init__(self, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._path = path
        self._player = QMediaPlayer(self)
        self._player.setVideoSink(self.sink)
        self._player.setLoops(QMediaPlayer.Loops.Infinite)
        self._player.errorOccurred.connect(self._fail)

    def start(self) -> None:
        self._player.setSource(QUrl.fromLocalFile(str(self._path.absolute())))
        self._player.play()

    def stop(self) -> None:
        self._player.stop()
        self._player.setSource(QUrl())

    def _fail(self, error: QMediaPlayer.Error, reason: str) -> None:
        del error
        self.failed.emit(
            f"“{self._path.name}”, which stands in for the camera, cannot be played: {reason}. "
            "Start the program with another file."
        )


class Device(Camera):
    """The camera that the system prefers."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._capture = QMediaCaptureSession(self)
        self._capture.setVideoSink(self.sink)
        self._camera: QCamera | None = None

    def start(self) -> None:
        app = QCoreApplication.instance()
        assert app is not None
        if app.checkPermission(QCameraPermission()) == _Status.Undetermined:
            app.requestPermission(QCameraPermission(), self, lambda _: self._begin())
        else:
            self._begin()

    def _begin(self) -> None:
        app = QCoreApplication.instance()
        assert app is not None
        device = QMediaDevices.defaultVideoInput()
        if app.checkPermission(QCameraPermission()) != _Status.Granted:
            self.failed.emit(NOT_ALLOWED)
        elif device.isNull():
            self.failed.emit(NO_CAMERA)
        else:
            self._camera = QCamera(device, self)
            self._camera.errorOccurred.connect(self._fail)
            self._capture.setCamera(self._camera)
            self._camera.start()

    def stop(self) -> None:
        if self._camera is not None:
            self._camera.stop()

    def _fail(self, error: QCamera.Error, reason: str) -> None:
        if error != QCamera.Error.NoError:
            self.failed.emit(
                f"The camera cannot be used: {reason}. Close other programs that may be using it, "
                "and try again."
            )
