"""The grid of whole photographs: where they stand, what is selected, what is dragged."""

import io
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage

from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.photographs.decode import content_hash
from eigenfaces.project.album import AlbumPhoto
from gui.album import thumbnails
from gui.album.photo_grid import PhotoGrid
from gui.album.rows import lay_out, shape_of
from gui.album.thumbnails import Thumbnail, Thumbnails, forget, make_room, thumbnail
from gui.widgets.face_list import FaceItem, ThumbnailList
from tests.gui import seen


def photos(number: int, size: tuple[int, int] = (30, 40)) -> list[AlbumPhoto]:
    """Return photographs that are nowhere, two of each month, the newest first."""
    found = []
    for at in range(number):
        photograph = Photograph(Path(f"/nowhere/{at}.jpg"), f"sha {at}", size)
        face = FacePhoto(photograph, "Ada" if at % 2 else None)
        month = 12 - at // 6 % 12
        found.append(AlbumPhoto(photograph, f"{2024 - at // 72}-{month:02}-15T12:00:00", (face,)))
    return found


@pytest.fixture
def grid(qtbot):
    made = seen.show(qtbot, PhotoGrid(), (700, 500))
    yield made
    made.thumbnails.close()


@pytest.mark.parametrize("seed", range(20))
def test_every_photo_has_its_place_in_order_inside_and_over_no_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    number, width = int(rng.integers(1, 300)), int(rng.integers(60, 1500))
    shapes = [shape_of((int(h), int(w))) for h, w in rng.integers(1, 5000, (number, 2))]
    first = int(rng.integers(0, number + 1))
    groups = [group for group in (("June", first), ("May", number - first)) if group[1]]
    made = lay_out(shapes, groups, width=width, wanted=170, gap=8, heading=30)
    rects = [made.rect(place) for place in range(number)]
    assert [made.place_at(rect.center()) for rect in rects] == [*range(number)]
    assert all(rect.left() >= 0 and rect.right() <= width for rect in rects)
    for one, other in pairwise(rects):
        assert not one.intersects(other)
        assert (one.top(), one.left()) < (other.top(), other.left())
    assert made.height >= rects[-1].bottom()


def test_the_keys_move_as_photos_are_seen(qtbot, grid):
    grid.show_photos(photos(40))
    grid.select("sha 0")
    grid.setFocus()

    def press(key, modifier=Qt.KeyboardModifier.NoModifier):
        qtbot.keyClick(grid, key, modifier)
        return grid.selected()

    assert press(Qt.Key.Key_Right) == ["sha 1"]
    (below,) = press(Qt.Key.Key_Down)
    here, there = (grid.visualRect(grid.album.index(grid.album.rows[s])) for s in ("sha 1", below))
    assert there.top() > here.bottom()
    assert abs(there.center().x() - here.center().x()) <= there.width()
    assert press(Qt.Key.Key_Home) == ["sha 0"]
    assert press(Qt.Key.Key_End) == ["sha 39"]
    shift = Qt.KeyboardModifier.ShiftModifier
    assert press(Qt.Key.Key_Left, shift) == ["sha 38", "sha 39"]
    with qtbot.waitSignal(grid.opened) as opened:
        press(Qt.Key.Key_Return)
    assert opened.args == ["sha 38"]


def test_what_is_selected_stays_so_and_years_are_gone_to(grid):
    grid.show_photos(photos(150))
    grid.select("sha 3", "sha 5")
    grid.show_photos(photos(150)[1:])
    assert grid.selected() == ["sha 3", "sha 5"]
    assert grid.years() == [2024, 2023, 2022]
    grid.go_to_year(2023)
    assert grid.selected() == ["sha 72"]


def test_dropped_on_somebody_they_are_theirs(qtbot, grid):
    """They are dragged as copies, or a file manager would move the files."""
    grid.show_photos(photos(4), ["Ada"])
    people = ThumbnailList("People")
    qtbot.addWidget(people)
    people.show_faces([FaceItem("Grace", np.zeros((4, 4)), "Grace")])
    mime, copy = grid.album.mime_of([0, 1]), Qt.DropAction.CopyAction
    on = people.faces.index(0)
    assert people.faces.canDropMimeData(mime, copy, -1, -1, on)
    with qtbot.waitSignal(people.photos_dropped) as dropped:
        people.faces.dropMimeData(mime, copy, -1, -1, on)
    assert dropped.args == [[FaceId("sha 1")], "Grace"], "of the person who is shown"
    assert not people.faces.dropMimeData(mime, copy, -1, -1, QModelIndex())


class TestThumbnails:
    """Small copies in the cache folder."""

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        place = tmp_path / "cache" / "thumbnails"
        monkeypatch.setattr(thumbnails, "cache_folder", lambda: place)
        return place

    @pytest.fixture
    def photo(self, tmp_path):
        path = tmp_path / "a.jpg"
        exif = Image.Exif()
        exif[0x0112] = 6
        Image.new("RGB", (60, 40), "red").save(path, exif=exif)
        return AlbumPhoto(Photograph(path, content_hash(path.read_bytes()), (60, 40)), "", ())

    def test_it_is_upright_and_made_once(self, photo, folder, monkeypatch):
        first = thumbnail(photo, 256)
        assert (first.image.width(), first.image.height()) == (40, 60)
        (kept,) = folder.iterdir()
        photo.photograph.path.unlink()
        again = thumbnail(photo, 256)
        assert (again.image.width(), again.reason) == (40, "")
        kept.write_bytes(b"damaged")
        assert thumbnail(photo, 256).reason

    def test_a_damaged_one_is_made_anew(self, photo, folder):
        thumbnail(photo, 256)
        (kept,) = folder.iterdir()
        kept.write_bytes(b"damaged")
        assert thumbnail(photo, 256).reason == ""
        assert kept.stat().st_size > 100

    def test_what_is_forgotten_while_it_is_made_is_not_kept(self, photo, folder, monkeypatch):
        read = thumbnails.read_bytes

        def forget_first(path):
            forget([photo.photograph.sha])
            return read(path)

        monkeypatch.setattr(thumbnails, "read_bytes", forget_first)
        assert thumbnail(photo, 256).image is not None
        assert not folder.exists() or not [*folder.iterdir()]

    def test_a_photo_saved_again_is_no_face(self, photo):
        Image.new("RGB", (50, 50), "green").save(photo.photograph.path)
        made = thumbnail(photo, 256)
        assert (made.is_face, bool(made.reason)) == (False, True)

    def test_forgotten_it_is_not_there(self, photo, folder):
        thumbnail(photo, 256)
        thumbnail(photo, 512)
        assert len([*folder.iterdir()]) == 2
        forget([photo.photograph.sha])
        assert not [*folder.iterdir()]

    def test_of_a_photo_that_is_gone_a_face_stands_for_it(self, photo, monkeypatch):
        file = io.BytesIO()
        Image.new("RGB", (160, 160), "blue").save(file, "JPEG")
        monkeypatch.setattr(PORTRAITS, "get", lambda crop: file.getvalue() if crop else None)
        photo.photograph.path.unlink()
        face = FacePhoto(photo.photograph, "Ada", crop="x")
        made = thumbnail(replace(photo, faces=(face,)), 256)
        assert made.image.width() == 160
        assert made.reason

    def test_a_cache_that_takes_nothing_is_no_error(self, photo, folder):
        folder.parent.mkdir(parents=True)
        folder.write_text("a file where the folder should be")
        assert thumbnail(photo, 256).reason == ""

    def test_what_was_not_used_for_longest_goes_first(self, tmp_path):
        for at in range(6):
            path = tmp_path / f"{at}.jpg"
            path.write_bytes(bytes(100))
            os.utime(path, (1000 + at, 1000 + at))
        os.utime(tmp_path / "0.jpg", (2000, 2000))
        make_room(tmp_path, 400)
        assert sorted(path.name for path in tmp_path.glob("*.jpg")) == ["0.jpg", "4.jpg", "5.jpg"]
        make_room(tmp_path, 400)
        assert len([*tmp_path.glob("*.jpg")]) == 3


class TestMaking:
    """Thumbnails of a grid are made in threads, the first that is wanted first."""

    @pytest.fixture
    def made(self, monkeypatch):
        """The SHA-256 of all that was made, in turn."""
        order = []

        def make(photo, side):
            order.append(photo.photograph.sha)
            return Thumbnail(QImage(side, side, QImage.Format.Format_RGB888), "" if side else "?")

        monkeypatch.setattr(thumbnails, "thumbnail", make)
        monkeypatch.setattr(thumbnails, "_WORKERS", 1)
        return order

    @pytest.fixture
    def thumbs(self, qapp):
        kept = Thumbnails()
        yield kept
        kept.close()

    @staticmethod
    def join(thumbs):
        for thread in [*thumbs._threads]:
            thread.join()

    def test_what_is_on_its_way_is_not_made_again(self, qtbot, thumbs, made):
        wanted = photos(3)
        thumbs.want(wanted, 8)
        self.join(thumbs)
        thumbs.want(wanted, 8)  # before the window has heard of them
        self.join(thumbs)
        assert made == ["sha 0", "sha 1", "sha 2"]
        qtbot.waitUntil(lambda: all(thumbs.get(photo, 8) for photo in wanted))
        thumbs.want(wanted, 8)
        self.join(thumbs)
        assert len(made) == 3

    def test_the_last_used_stay_in_memory(self, qtbot, thumbs, made, monkeypatch):
        wanted = photos(4)
        monkeypatch.setattr(thumbnails, "MOST_IN_MEMORY", 3 * 8 * 8 * 3)
        thumbs.want(wanted[:3], 8)
        qtbot.waitUntil(lambda: all(thumbs.get(photo, 8) for photo in wanted[:3]))
        thumbs.get(wanted[0], 8)
        thumbs.want(wanted[3:], 8)
        qtbot.waitUntil(lambda: thumbs.get(wanted[3], 8) is not None)
        there = [thumbs.get(photo, 8) is not None for photo in wanted]
        assert there == [True, False, True, True]

    def test_what_could_not_be_read_is_tried_again(self, qtbot, thumbs, made):
        thumbs.want(photos(1), 0)
        qtbot.waitUntil(lambda: thumbs.get(photos(1)[0], 0) is not None)
        thumbs.try_again()
        thumbs.want(photos(1), 0)
        self.join(thumbs)
        assert len(made) == 2

    def test_once_closed_nothing_is_made(self, thumbs, made):
        thumbs.close()
        thumbs.want(photos(2), 8)
        assert (made, thumbs._threads) == ([], set())
