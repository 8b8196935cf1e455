"""Cameras and films by Qt Multimedia.

Played is a film that Pillow writes, and frames are put on the sink by hand. No test has a real
device: that one is looked for, allowed and let go of is covered, that it delivers frames is not.
All are skipped where Qt Multimedia lacks a library of the system.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QLoggingCategory, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from gui.photos import camera as dialog
from gui.photos.camera import make_camera, use_film
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


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A film of three pictures, each a tenth of a second."""
    first, *rest = (Image.new("RGB", (64, 48), (level,) * 3) for level in LEVELS)
    first.save(tmp_path / "film.gif", save_all=True, append_images=rest, duration=100)
    return tmp_path / "film.gif"


@pytest.fixture
def stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what stands in for the camera be forgotten when the test ends."""
    monkeypatch.setattr(dialog, "_films", [])


def grey_of(image: QImage) -> int:
    return int(rgb_array(image)[24, 32, 0])


@pytest.mark.qt_log_ignore("No RHI backend", extend=True)  # there is no screen
def test_a_film_stands_in_and_starts_over(qtbot, qapp, film, stands_in):
    use_film(film)
    camera = make_camera(qapp)
    seen: list[int] = []
    camera.arrived.connect(lambda image: seen.append(grey_of(image)))
    camera.failed.connect(pytest.fail)
    camera.start()
    qtbot.waitUntil(lambda: len(seen) >= 2 * len(LEVELS), timeout=30_000)
    camera.stop()
    assert {min(LEVELS, key=lambda level: abs(level - grey)) for grey in seen} == set(LEVELS)
    assert max(min(abs(grey - level) for level in LEVELS) for grey in seen) <= 3
    camera.deleteLater()


@pytest.mark.parametrize("content", [None, b"no film"], ids=["missing", "no film"])
def test_a_film_that_cannot_be_played(qtbot, qapp, tmp_path, content):
    path = tmp_path / "film.mp4"
    if content is not None:
        path.write_bytes(content)
    camera = multimedia.Film(path, qapp)
    with qtbot.waitSignal(camera.failed, timeout=30_000) as caught:
        camera.start()
    camera.stop()
    assert "“film.mp4”" in caught.args[0]
    assert "another file" in caught.args[0]
    camera.deleteLater()


@pytest.fixture
def device(qapp: QApplication, stands_in: None) -> Iterator[Any]:
    camera = make_camera(qapp)
    yield camera
    camera.stop()
    camera.deleteLater()


def reasons(camera: Any) -> list[str]:
    told: list[str] = []
    camera.failed.connect(told.append)
    return told


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
    device._fail(multimedia.QCamera.Error.CameraError, "Device or resource busy")
    device._fail(multimedia.QCamera.Error.NoError, "")
    (sentence,) = told
    assert "Device or resource busy" in sentence
    assert "Close other programs" in sentence
