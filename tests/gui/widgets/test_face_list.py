"""Rows, grids and lists of faces: what they hold, select, say and drag."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QFontMetrics, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from eigenfaces.faces.identity import FaceId
from gui.style import theme
from gui.widgets.face_list import (
    FACE_ROLE,
    FaceGrid,
    FaceItem,
    FaceListView,
    FaceModel,
    FaceRow,
    ThumbnailList,
    lines_of,
)
from tests.gui import seen

GREY = np.full((112, 92), 0.5)


def faces(keys: Sequence[str | FaceId]) -> list[FaceItem]:
    return [FaceItem(key, GREY, f"photo {key}", "10 photos") for key in keys]


@pytest.fixture
def grid(qtbot: QtBot) -> FaceGrid:
    view = seen.show(qtbot, FaceGrid("Photos"), (460, 320))
    view.allow_many()
    view.show_faces(faces("abcdef"))
    return view


@pytest.fixture
def people(qtbot: QtBot) -> ThumbnailList:
    view = seen.show(qtbot, ThumbnailList("People"), (460, 320))
    view.show_faces(faces(["ann", "bob", "cem"]))
    return view


def middle(view: FaceListView, key: str) -> QPoint:
    return view.visualRect(view.faces.index_of(key)).center()


def test_what_is_too_long_for_a_line_goes_on_in_the_next(qapp):
    metrics = QFontMetrics(theme.font(theme.CAPTION))
    room = metrics.horizontalAdvance("Anna Berg, 1 to")
    for words, most, lines in (
        ("Anna Berg, 1 to answer", 2, ["Anna Berg, 1 to", "answer"]),
        ("Anna Berg", 2, ["Anna Berg"]),
        ("Anna Berg, Bo, Cem, Di, Eve, Fay", 2, ["Anna Berg, Bo,", "Cem, Di, Eve, Fay"]),
        ("Anna Berg, 1 to answer", 1, ["Anna Berg, 1 to answer"]),
        ("", 2, []),
    ):
        assert lines_of(words, metrics, room, most) == lines


def test_two_lines_below_a_name_have_room(qtbot):
    view = seen.show(qtbot, ThumbnailList("Photos", headings=True), (160, 200))

    def painted(words: str) -> QImage:
        view.show_faces([FaceItem("one", GREY, "IMG_2041", words)])
        return view.grab().toImage()

    one, other = (f"Anna Berg, Bo, {last}" for last in ("1 to answer", "2 to answer"))
    assert painted(one) != painted(other), "the end is seen"
    fonts = (theme.font(theme.BASE), theme.font(theme.CAPTION), theme.font(theme.CAPTION))
    tall = sum(QFontMetrics(font).height() for font in fonts)
    assert view.cells.cell_size().height() >= tall


@pytest.mark.parametrize("kind", [FaceGrid, ThumbnailList])
def test_a_long_name_keeps_its_beginning_and_a_file_its_end(qtbot, kind):
    view = seen.show(qtbot, kind("Faces"), (150, 200))

    def painted(caption: str, file: str = "") -> QImage:
        view.show_faces([FaceItem("one", GREY, caption, file=file)])
        return view.grab().toImage()

    one, other = (f"{'Maximiliana von ' * 3}{last}" for last in ("Aue", "Zell"))
    assert painted(one) == painted(other)
    assert painted(one, one) != painted(other, other)


def test_a_face_gives_its_texts_a_tip_and_what_is_spoken(grid: FaceGrid) -> None:
    face = FaceItem("k", GREY, "photo 4", "blurred", warning="Slightly blurred")
    grid.show_faces([face])
    index, role = grid.faces.index_of("k"), Qt.ItemDataRole
    assert index.data() == "photo 4"
    assert index.data(role.ToolTipRole) == "photo 4\nblurred\nSlightly blurred"
    assert index.data(role.AccessibleTextRole) == "photo 4, blurred, Slightly blurred"
    assert index.data(FACE_ROLE) is face


def test_a_click_chooses_and_a_second_one_chooses_again(qtbot: QtBot, grid: FaceGrid) -> None:
    heard = seen.told(grid.chosen)
    for wanted in (["b"], ["b", "b"]):
        seen.click(qtbot, grid, "b")
        assert heard == wanted
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    assert heard[2:] == ["c"]
    seen.click(qtbot, grid, "e", Qt.KeyboardModifier.ControlModifier)
    assert len(heard) == 3  # several are chosen by nobody
    assert grid.selected_keys() == ["c", "e"]


def test_enter_and_double_click_activate(qtbot: QtBot, grid: FaceGrid) -> None:
    grid.select("c")
    heard = seen.told(grid.activated_face)
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    seen.click(qtbot, grid, "d")
    qtbot.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=middle(grid, "d"))
    assert heard == ["c", "d"]


@pytest.mark.parametrize(
    ("after", "left"),
    [("abcdef", "be"), ("fedcba", "be"), ("abxcdef", "be"), ("acde", "e"), ("", "")],
)
def test_what_is_selected_stays_so_by_its_key_and_quietly(qtbot, grid, after, left):
    with qtbot.assertNotEmitted(grid.chosen):
        grid.select("b", "e")
        assert grid.selected_keys() == ["b", "e"]
        grid.show_faces(faces(after))
    assert set(grid.selected_keys()) == set(left)
    assert grid.faces.keys == list(after)
    grid.select()
    assert grid.selected_keys() == []


def test_a_drag_carries_the_selected_keys(grid: FaceGrid, monkeypatch: pytest.MonkeyPatch) -> None:
    carried: list[QMimeData] = []
    keep = lambda drag, _action: carried.append(drag.mimeData())  # noqa: E731
    monkeypatch.setattr("gui.widgets.face_list.QDrag.exec", keep)
    first, last = FaceId("a\nb"), FaceId("ünï/ço dé.jpg", 2)
    grid.show_faces(faces([first, "c", last]))
    grid.select(last, first)
    grid.startDrag(Qt.DropAction.MoveAction)
    heard = seen.told(grid.faces.dropped)
    grid.faces.dropMimeData(carried[0], Qt.DropAction.MoveAction, -1, -1, grid.faces.index(1))
    assert [keys for keys, _ in heard] == [[first, last]]


@pytest.mark.parametrize(
    ("on", "ours", "heard"),
    [("bob", True, [([FaceId("ann")], "bob")]), ("bob", False, []), ("", True, [])],
    ids=["photos on a person", "something else", "beside everybody"],
)
def test_photos_are_dropped_on_a_person(qtbot, people, on, ours, heard):
    dragged = FaceModel()
    dragged.show([replace(people.faces.faces()[0], key=FaceId("ann"))])
    mime = dragged.mimeData([dragged.index(0)]) if ours else QMimeData()
    told = seen.told(people.photos_dropped)
    at = middle(people, on) if on else QPoint(20, 310)
    move, left = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    no_keys = Qt.KeyboardModifier.NoModifier
    people.dragEnterEvent(QDragEnterEvent(at, move, mime, left, no_keys))
    over = QDragMoveEvent(at, move, mime, left, no_keys)
    people.dragMoveEvent(over)
    drop = QDropEvent(QPointF(at), move, mime, left, no_keys, QEvent.Type.Drop)
    people.dropEvent(drop)
    assert told == heard
    assert over.isAccepted() == bool(heard)


@pytest.mark.parametrize(("number", "width"), [(2, 53), (8, 37)])
def test_the_faces_of_a_row_share_its_width(qtbot: QtBot, number: int, width: int) -> None:
    page, row = QWidget(), FaceRow("Milestones", tallest=64)
    row.setParent(seen.show(qtbot, page, (400, 300)))  # as a window it has a least width
    row.resize(400, 100)
    row.show_faces(faces("abcdefgh"[:number]))
    assert row.cells.picture == QSize(width, round(width * 112 / 92))
    assert row.height() == row.cells.cell_size().height() + 2
    row.set_shape((50, 50))
    assert row.cells.picture.width() == row.cells.picture.height()


def test_a_grid_spreads_over_its_width(qtbot: QtBot, grid: FaceGrid) -> None:
    for width, lines in ((900, {1}), (240, {3, 4, 5, 6})):
        grid.resize(width, 320)
        QApplication.processEvents()
        assert len({grid.visualRect(grid.faces.index(row)).top() for row in range(6)}) in lines
        assert grid.horizontalScrollBar().maximum() == 0


def test_pictures_are_made_once_and_only_for_what_is_seen(qtbot: QtBot) -> None:
    made: list[int] = []

    def picture(number: int) -> QImage:
        made.append(number)
        return QImage(92, 112, QImage.Format.Format_Grayscale8)

    view = FaceGrid("Many")
    view.show_faces([FaceItem(str(n), lambda n=n: picture(n), str(n)) for n in range(5000)])  # type: ignore[misc]
    seen.show(qtbot, view, (460, 320))
    qtbot.waitUntil(lambda: 7 in made)
    view.viewport().repaint()
    assert max(made) < 40
    assert len(made) == len(set(made))
