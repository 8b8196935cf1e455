"""Every page with the sample, as PNG files: for the README, for review, and for a test."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from eigenfaces import Gallery, Project, load_sample
from gui import theme
from gui.main_window import MainWindow
from gui.navigation import PLACES
from gui.no_display import split_sample
from gui.session import Probe, Session
from gui.settings import Settings
from gui.widgets.face_delegate import PICTURES

_TURNS = 100
_PAUSE = 400
"""What is looked up after a pause (ms), the nearest other person for one, is there by then."""

_PROBES = (24, 8, 1, 18, 33)
"""Rows among the 80 images that do not train; they are shown as probes."""


def render_pages(folder: Path, theme_name: str, size: tuple[int, int]) -> Iterator[Path]:
    """Render the welcome page, every page and the import sheet; yield each file as it is written.

    Nothing of the person's own (settings, projects) is read or changed.
    """
    app = cast(QApplication, QApplication.instance()) or QApplication(sys.argv[:1])
    theme.apply(app, cast(theme.Theme, theme_name), 1.0)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        session = Session(Settings(Path(temporary) / "settings.ini"))
        window = MainWindow(session)
        try:
            window.resize(*size)
            window.show()
            yield _grab(window, folder / f"{theme_name}-welcome.png")
            _open_sample(session, Path(temporary))
            for place in PLACES:
                session.show_page(place.key)
                yield _grab(window, folder / f"{theme_name}-{place.key}.png")
        finally:
            _settle(window)
            window.close()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _open_sample(session: Session, folder: Path) -> None:
    """Train on images 1–8 of each person; some of the others are the probes."""
    enrolled, others = split_sample(load_sample())
    gallery = replace(Gallery.new(), faces=enrolled).train()
    session.switch(Project.create(folder / "AT&T sample.eigenfaces", gallery))
    probes = [Probe(others.photos[row], others.image(row)) for row in _PROBES]
    session.put_probes(probes)
    session.select_person("Person 13")
    session.select_component(2)


def _grab(widget: QWidget, path: Path) -> Path:
    _settle(widget)
    widget.grab().save(str(path))
    return path


def _settle(widget: QWidget) -> None:
    """Let everything be laid out, painted and filled in that waits for it, pictures included."""
    pause = QEventLoop()
    QTimer.singleShot(_PAUSE, pause.quit)
    pause.exec()
    for turn in range(_TURNS):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        widget.grab()
        if turn > 4 and not PICTURES.behind:
            break
    QCoreApplication.processEvents()
