"""Cameras by Qt Multimedia.

Frames are put on the sink by hand. No test has a real device: that one is looked for, allowed and
let go of is covered, that it delivers frames is not. All are skipped where Qt Multimedia lacks a
library of the system.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QLoggingCategory, Qt
from PySide6.QtGui import QImage

from gui.photos.camera import make_camera
from gui.style.images import grey_image, rgb_array
from tests.gui import seen

# What drivers and codecs are missing is no matter of these tests.
QLoggingCategory.setFilterRules("qt.multimedia.*=false")
multimedia = pytest.importorskip("gui.photos.multimedia", exc_type=ImportError)
QLoggingCategory.setFilterRules("")


@pytest.fixture
def device(qapp) -> Iterator[Any]:
    QLoggingCategory.setFilterRules("qt.multimedia.*=false")
    camera = make_camera(qapp)
    yield camera
    camera.stop()
    camera.deleteLater()
    QLoggingCategory.setFilterRules("")


@pytest.fixture
def reasons(device) -> list[str]:
    """The sentences that the device gives for having no picture."""
    return seen.told(device.failed)


@pytest.mark.qt_log_ignore("No RHI backend", extend=True)  # there is no screen
def test_each_frame_arrives_once(device):
    levels: list[int] = []
    device.arrived.connect(lambda image: levels.append(int(rgb_array(image)[24, 32, 0])))
    for level in (40, 120, 200):
        image = grey_image(np.full((48, 64), level / 255))
        frame = multimedia.QVideoFrame(image.convertToFormat(QImage.Format.Format_RGB32))
        device.sink.setVideoFrame(frame)
        device.sink.videoFrameChanged.emit(frame)  # as if another thread had been late
    device.sink.setVideoFrame(multimedia.QVideoFrame())
    assert levels == [40, 120, 200]


def test_no_camera(device, reasons, monkeypatch):
    nothing = SimpleNamespace(isNull=lambda: True)
    monkeypatch.setattr(multimedia.QMediaDevices, "defaultVideoInput", lambda: nothing)
    device.start()
    assert reasons == [multimedia.NO_CAMERA]


def test_no_permission(device, reasons, monkeypatch):
    """It is asked for, and refused."""
    answers = [Qt.PermissionStatus.Undetermined, Qt.PermissionStatus.Denied]
    system = SimpleNamespace(
        checkPermission=lambda _permission: answers.pop(0),
        requestPermission=lambda permission, _context, act: act(permission),
    )
    application = SimpleNamespace(instance=lambda: system)
    monkeypatch.setattr(multimedia, "QCoreApplication", application)
    device.start()
    assert reasons == [multimedia.NOT_ALLOWED]


def test_a_camera_that_is_taken(device, reasons):
    device.report(multimedia.QCamera.Error.CameraError, "Device or resource busy")
    device.report(multimedia.QCamera.Error.NoError, "")
    (sentence,) = reasons
    assert "Device or resource busy" in sentence
    assert "Close other programs" in sentence
