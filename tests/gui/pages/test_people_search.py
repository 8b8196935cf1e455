"""Photos of everybody that are searched for: what the People page shows of them."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from eigenfaces.photographs.known import KnownFile
from eigenfaces.project.album import album
from gui.album import thumbnails
from gui.album.thumbnails import Thumbnail
from gui.pages.people.page import PeoplePage
from gui.state import actions
from tests.gui import seen
from tests.synthetic import on_file


@pytest.fixture
def page(open_page, trained_session, monkeypatch) -> PeoplePage:
    """Four photos of Ada, of which one is of 2022 and one is gone; all thumbnails are kept."""
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    monkeypatch.setattr(thumbnails, "thumbnail", lambda *_: Thumbnail(picture))
    days = ["2022-12-24T12:00:00", "2021-12-24T12:00:00", "", ""]
    photos = trained_session.gallery.index.photos[:4]
    made = {photo.id: on_file(photo, Path(f"/photos/{at}.jpg")) for at, photo in enumerate(photos)}
    files = tuple(
        KnownFile(photo.path, photo.photograph.sha, 9, 9, (30, 40), day, gone=day == days[1])
        for photo, day in zip(made.values(), days, strict=True)
    )
    trained_session.apply("", lambda now: replace(now, faces=now.faces.with_photos(made)))
    trained_session.change("", lambda now: replace(now, files=files))
    return open_page(PeoplePage, (1000, 760))


def shown(page: PeoplePage) -> list[str]:
    return [photo.photograph.path.name for photo in page.photos.photos()]


def test_they_are_shown_with_the_words_and_all_again_without(page, trained_session, do) -> None:
    do(page.parts.set_current, 1)
    do(trained_session.search, "december")
    assert page.shows_photos
    assert shown(page) == ["0.jpg", "1.jpg"]
    do(trained_session.search, "december 2022")
    assert shown(page) == ["0.jpg"]
    do(seen.button(page, "“december 2022”: 1 photo").click)
    assert trained_session.searched == ""
    assert len(shown(page)) == len(trained_session.gallery.faces)


def test_another_person_or_all_photos_end_it(page, trained_session, do) -> None:
    for key in ("Mary", "\0all"):
        do(trained_session.search, "2022")
        assert shown(page) == ["0.jpg"]
        do(page._choose, key)
        assert trained_session.searched == ""
        assert len(shown(page)) == (4 if key == "Mary" else 24)


def test_what_a_search_has_found_is_not_looked_for_again(page, trained_session, do, monkeypatch):
    made = []
    count = lambda content, *about: made.append(about) or album(content, *about)  # noqa: E731
    monkeypatch.setattr("gui.state.session.album", count)
    assert len(trained_session.album(words="december")) == 2
    do(trained_session.search, "december")
    assert shown(page) == ["0.jpg", "1.jpg"]
    assert made == [((), "december")]
    do(actions.toggle_favourite, trained_session, [page.photos.photos()[0].photograph.sha])
    assert len(made) == 2, "something has changed"


def test_what_is_gone_is_said_and_can_be_found(qtbot, page, trained_session, do) -> None:
    do(trained_session.search, "2021")
    index = page.photos.grid.album.index(0)
    assert "The file was no longer in its folder." in index.data(Qt.ItemDataRole.ToolTipRole)
    do(seen.click, qtbot, page.photos.grid, 0)
    assert page.photo_details.find_folder.isVisible()


def test_a_photo_whose_folder_cannot_be_reached_can_be_found_too(qtbot, page, do) -> None:
    """Its thumbnail is kept, and it does not count as gone."""
    (at,) = (n for n, one in enumerate(page.photos.photos()) if one.taken.startswith("2022"))
    do(seen.click, qtbot, page.photos.grid, at)
    assert page.photo_details.find_folder.isVisible()


def test_a_favourite_and_a_lost_file_are_shown_at_once(page, trained_session, do) -> None:
    do(trained_session.search, "2022")
    (photo,) = page.photos.photos()
    do(actions.toggle_favourite, trained_session, [photo.photograph.sha])
    assert page.photos.photos()[0].favourite
    lost = lambda now: replace(now, files=tuple(replace(f, gone=True) for f in now.files))  # noqa: E731
    do(trained_session.change, "", lost)
    assert page.photos.photos()[0].gone
