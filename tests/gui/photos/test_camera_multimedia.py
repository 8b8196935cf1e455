"""Cameras by Qt Multimedia.

Frames are put on the sink by hand. No test has a real device: that one is looked for, allowed and
let go of is covered, that it delivers frames is not. All are skipped where Qt Multimedia lacks a
library of the system.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QLoggingCategory, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from gui.photos.camera import make_camera
from gui.style.images import grey_image, rgb_array

# What drivers and codecs are missing is no matter of these tests.
QLoggingCategory.setFilterRules("qt.multimedia.*=false")
multimedia = pytest.importorskip("gui.photos.multimedia", exc_type=ImportError)
QLoggingCategory.setFilterRules("")

LEVELS = (40, 120, 200)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    QLoggingCategory.setFilterRules("qt.multimedia.*=false")
    yield
    QLoggingCategory.setFilterRules("")


def grey_of(image: QImage) -> int:
    return int(rgb_array(image)[24, 32, 0])


@pytest.fixture
def device(qapp: QApplication) -> Iterator[Any]:
    camera = make_camera(qapp)
    yield camera
    camera.stop()
    camera.deleteLater()


def reasons(camera: Any) -> list[str]:
    told: list[str] = []
    camera.failed.connect(told.append)
    return told


@pytest.mark.qt_log_ignore("No RHI backend", extend=True)  # there is no screen
def test_each_frame_arrives_once(device: Any) -> None:
    seen: list[int] = []
    device.arrived.connect(lambda image: seen.append(grey_of(image)))
    for level in LEVELS:
        image = grey_image(np.full((48, 64), level / 255))
        frame = multimedia.QVideoFrame(image.convertToFormat(QImage.Format.Format_RGB32))
        device.sink.setVideoFrame(frame)
        device.sink.videoFrameChanged.emit(frame)  # as if another thread had been late
    device.sink.setVideoFrame(multimedia.QVideoFrame())
    assert seen == list(LEVELS)


class _NoDevice:
    """A device that is not there."""

    def isNull(self) -> bool:  # noqa: N802
        return True


def test_no_camera(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multimedia.QMediaDevices, "defaultVideoInput", _NoDevice)
    told = reasons(device)
    device.start()
    assert told == [multimedia.NO_CAMERA]


class _System:
    """Stands in for the application where permissions are asked for."""

    answer = Qt.PermissionStatus.Undetermined

    @classmethod
    def instance(cls) -> type[_System]:
        return cls

    @classmethod
    def checkPermission(cls, permission: object) -> Qt.PermissionStatus:  # noqa: N802
        return cls.answer

    @classmethod
    def requestPermission(cls, permission: object, context: QObject, act: Any) -> None:  # noqa: N802
        cls.answer = Qt.PermissionStatus.Denied
        act(permission)


def test_no_permission(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multimedia, "QCoreApplication", _System)
    told = reasons(device)
    device.start()
    assert told == [multimedia.NOT_ALLOWED]


def test_a_camera_that_is_taken(device: Any) -> None:
    told = reasons(device)
    device.report(multimedia.QCamera.Error.CameraError, "Device or resource busy")
    device.report(multimedia.QCamera.Error.NoError, "")
    (sentence,) = told
    assert "Device or resource busy" in sentence
    assert "Close other programs" in sentence
