"""Preferences come back, and what is broken or gone does no harm."""

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from gui.state.settings import Settings


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings.ini"


def test_everything_is_remembered(path, tmp_path):
    settings = Settings(path)
    assert (settings.theme, settings.inspector_visible) == ("system", True)
    assert (settings.recent_projects, settings.last_folder) == ([], Path.home())
    assert settings.window_geometry.isEmpty()
    settings.theme = "dark"
    settings.inspector_visible = False
    settings.last_folder = tmp_path
    settings.window_geometry = QByteArray(b"\x00\x01geometry")
    settings.save()
    again = Settings(path)
    assert again.theme == "dark"
    assert not again.inspector_visible
    assert again.last_folder == tmp_path
    assert again.window_geometry == QByteArray(b"\x00\x01geometry")


def test_newest_project_comes_first_and_once(path, tmp_path):
    settings = Settings(path)
    files = [tmp_path / f"{name}.efp" for name in ("Ada, Grace", "b", "ü")]
    for file in files:
        file.touch()
        settings.add_recent(file)
    settings.add_recent(files[0])
    settings.save()
    assert Settings(path).recent_projects == [files[0], files[2], files[1]]


def test_what_is_broken_forgotten_or_gone_is_not_offered(path, tmp_path):
    path.write_text("[General]\ntheme=pink\nrecent_projects=[1\n", encoding="utf-8")
    settings, stick = Settings(path), tmp_path / "stick"
    assert (settings.theme, settings.recent_projects) == ("system", [])
    there, forgotten, gone = (tmp_path / name for name in ("there", "forgotten", "gone"))
    for file in (there, forgotten, gone):
        file.touch()
        settings.add_recent(file)
    settings.forget_recent(forgotten)
    gone.unlink()
    assert settings.recent_projects == [there]
    stick.mkdir()
    settings.last_folder = stick
    stick.rmdir()
    assert settings.last_folder == Path.home()
