"""What leaves a project by its menu: stopped halfway, and without pictures."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from eigenfaces import Gallery, Project
from eigenfaces.project import exports
from eigenfaces.project.exports import outgoing
from gui.state import actions
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.style.images import grey_image
from gui.widgets.export_menu import export_menu
from tests.gui import seen
from tests.synthetic import on_file


@pytest.fixture
def session(open_gallery, small_gallery: Gallery, tmp_path: Path) -> Session:
    """A project of which three photographs of Ada are in files."""
    placed = {}
    for row in range(3):
        path = tmp_path / f"{row}.png"
        grey_image(small_gallery.faces.image(row)).save(str(path))
        placed[small_gallery.index.photos[row].id] = on_file(small_gallery.index.photos[row], path)
    return open_gallery(
        replace(small_gallery, faces=small_gallery.faces.with_photos(placed)), "family"
    )


@pytest.fixture
def entries(qtbot, session: Session) -> Callable[[], dict[str, QAction]]:
    parent = seen.show(qtbot, QWidget())

    def act() -> dict[str, QAction]:
        menu = export_menu(session, parent, partial(outgoing, session.project.content))
        return {action.text(): action for action in menu.actions()}

    return act


def test_copies_that_are_stopped_say_what_stays(
    session: Session, tmp_path: Path, finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, made = exports.shutil.copy2, []

    def stop_after_one(one: Path, other: Path) -> None:
        copy(one, other)
        made.append(one)
        session.jobs.cancel(JobKind.EXPORT)

    monkeypatch.setattr(exports.shutil, "copy2", stop_after_one)
    find = partial(outgoing, session.project.content)
    actions.export_copies(session, tmp_path / "out", find)
    finish()
    assert session.message.text == ("Stopped. The copies made so far have been kept in “out”.")
    assert [path.name for path in (tmp_path / "out" / "Ada").iterdir()] == [made[0].name]


def test_copies_go_on_where_a_photo_is_gone(session: Session, tmp_path: Path, finish) -> None:
    (tmp_path / "1.png").unlink()
    actions.export_copies(session, tmp_path / "out", partial(outgoing, session.project.content))
    finish()
    assert session.message.severity == "warn"
    assert session.message.text.startswith("2 copies made in “out”. “1.png” cannot be read")


def test_two_exports_wait_for_each_other_and_none_is_lost(
    session: Session, tmp_path: Path, finish
) -> None:
    find = partial(outgoing, session.project.content)
    actions.export_names(session, find)
    actions.export_copies(session, tmp_path / "out", find)
    actions.share(session, tmp_path / "shared")
    finish()
    assert (tmp_path / "0.png.xmp").exists()
    assert (tmp_path / "out" / "Ada" / "0.png").exists()
    assert (tmp_path / "shared.eigenfaces").exists()


def test_it_can_be_shared_without_pictures(
    session: Session, entries, tmp_path: Path, finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shared.eigenfaces"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    entries()["Share without pictures…"].trigger()
    finish()
    assert session.message.text.endswith("no pictures.")
    shared = Project.open(path)
    assert shared.gallery.people == session.gallery.people
    assert not shared.gallery.index.is_pictured
    shared.close()


def test_where_nobody_has_a_name_it_is_said(session: Session, finish) -> None:
    everybody = [photo.id for photo in session.gallery.index.photos]
    session.apply("", lambda now: now.move(everybody, None))
    actions.export_names(session, partial(outgoing, session.project.content))
    finish()
    assert "Nobody here has been named yet" in session.message.text
