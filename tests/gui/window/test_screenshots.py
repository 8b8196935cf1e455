"""Rendering the pages: nothing of the person's own is touched or shown; failures are said."""

import gc
import os
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from eigenfaces import EigenfacesError
from gui.state.drafts import drafts_folder
from gui.style import theme
from gui.window.screenshots import render_pages

SIZE = (1280, 720)


@pytest.fixture
def light(qapp: QApplication):
    """Leave the theme as the other tests want it."""
    yield
    theme.apply(qapp, "light", 1.0)


def test_a_home_of_its_own(light: None, tmp_path: Path) -> None:
    before = {name: value for name, value in os.environ.items() if "HOME" in name}
    drafts = drafts_folder()
    pages = render_pages(tmp_path / "new" / "folder", "light", SIZE)
    assert next(pages) == tmp_path / "new" / "folder" / "welcome-light.png"
    inside = drafts_folder()
    assert inside != drafts
    assert inside.is_relative_to(Path(os.environ["HOME"]))
    pages.close()
    assert {name: value for name, value in os.environ.items() if "HOME" in name} == before
    assert drafts_folder() == drafts
    assert not Path(inside).parents[2].exists()


def test_a_picture_that_cannot_be_written(light: None, tmp_path: Path) -> None:
    (tmp_path / "welcome-light.png").mkdir()
    with pytest.raises(EigenfacesError, match=r"welcome-light\.png” cannot be written"):
        list(render_pages(tmp_path, "light", SIZE))


def test_a_relative_folder(light: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pages = render_pages(Path("shown"), "dark", SIZE)
    assert next(pages) == tmp_path / "shown" / "welcome-dark.png"
    pages.close()


def test_no_thread_of_a_job_collects_garbage(light: None, tmp_path: Path) -> None:
    """It would delete what is left of closed widgets, and sometimes end the process."""
    gc.enable()
    with closing(render_pages(tmp_path, "light", SIZE)) as pages:
        next(pages)
        enabled = gc.isenabled()
    assert not enabled
    assert gc.isenabled()
