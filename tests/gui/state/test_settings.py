"""Preferences come back, and what is broken or gone does no harm."""

import threading
from pathlib import Path
from threading import Event

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


def test_what_is_broken_or_forgotten_is_not_offered(path, tmp_path):
    path.write_text("[General]\ntheme=pink\nrecent_projects=[1\n", encoding="utf-8")
    settings, stick = Settings(path), tmp_path / "stick"
    assert (settings.theme, settings.recent_projects) == ("system", [])
    there, forgotten = (tmp_path / name for name in ("there", "forgotten"))
    for file in (there, forgotten):
        settings.add_recent(file)
    settings.forget_recent(forgotten)
    assert settings.recent_projects == [there]
    stick.mkdir()
    settings.last_folder = stick
    stick.rmdir()
    assert settings.last_folder == Path.home()


def test_a_project_on_a_stick_is_remembered_while_it_is_away(path, qtbot, tmp_path):
    settings, file = Settings(path), tmp_path / "stick" / "a.eigenfaces"
    settings.add_recent(file)
    settings.add_recent(tmp_path / "b.eigenfaces")
    settings.add_recent(tmp_path / "c.eigenfaces")
    assert file in settings.recent_projects
    for is_there in (False, True):
        assert settings.reach.is_missing(file) is is_there, "as it was"
        with qtbot.waitSignal(settings.reach.changed):
            settings.reach.ask([file])
        assert settings.reach.is_missing(file) is not is_there
        file.parent.mkdir(exist_ok=True)
        file.touch()


def test_nothing_waits_for_a_disk_that_does_not_answer(path, qtbot, tmp_path, monkeypatch):
    settings, answers = Settings(path), Event()
    near, far = tmp_path / "near.eigenfaces", tmp_path / "far.eigenfaces"
    monkeypatch.setattr(Path, "is_file", lambda file: file == far and answers.wait(20))
    before = threading.active_count()
    for file in (near, far):
        settings.add_recent(file)
    for _ in range(3):
        settings.reach.ask(settings.recent_projects)
        assert settings.recent_projects == [far, near]
    qtbot.waitUntil(lambda: settings.reach.is_missing(near))
    assert not settings.reach.is_missing(far), "it is not known"
    assert threading.active_count() == before + 1, "it is asked once at a time"
    answers.set()
    qtbot.waitUntil(lambda: threading.active_count() == before)
