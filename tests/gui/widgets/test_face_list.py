"""Rows, grids and lists of faces: what they hold, select, say and drag."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.face_list import (
    FACE_ROLE,
    Face,
    FaceGrid,
    FaceListView,
    FaceModel,
    FacePictures,
    FaceRow,
    Index,
    PersonList,
    keys_as_mime,
    keys_in_mime,
)
from tests.gui import seen

GREY = np.full((112, 92), 0.5)


def faces(*keys: str) -> list[Face]:
    return [Face(key, GREY, f"photo {key}", "10 photos") for key in keys]


def shown(qtbot: QtBot, view: FaceListView, *keys: str) -> FaceListView:
    view.show_faces(faces(*keys))
    return seen.show(qtbot, view, (460, 320))


@pytest.fixture
def grid(qtbot: QtBot) -> FaceGrid:
    view = FaceGrid("Photos")
    view.allow_many()
    shown(qtbot, view, *"abcdef")
    return view


@pytest.fixture
def people(qtbot: QtBot) -> PersonList:
    view = PersonList("People")
    shown(qtbot, view, "ann", "bob", "cem")
    return view


def middle(view: FaceListView, key: str) -> QPoint:
    return view.visualRect(view.faces.index_of(key)).center()


def click(qtbot: QtBot, view: FaceListView, key: str, *, ctrl: bool = False) -> None:
    held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, held, middle(view, key))


@pytest.mark.parametrize("kind", [FaceGrid, PersonList])
def test_a_long_name_keeps_its_beginning_and_a_file_its_end(
    qtbot: QtBot, kind: type[FaceListView]
) -> None:
    view = seen.show(qtbot, kind("Faces"), (150, 200))

    def painted(caption: str, file: str = "") -> QImage:
        view.show_faces([Face("one", GREY, caption, file=file)])
        return view.grab().toImage()

    one, other = (f"{'Maximiliana von ' * 3}{last}" for last in ("Aue", "Zell"))
    assert painted(one) == painted(other)
    assert painted(one, one) != painted(other, other)


def test_model_gives_texts_tips_and_what_is_spoken() -> None:
    model = FaceModel()
    model.show([Face("k", GREY, "photo 4", "blurred", warning="Slightly blurred")])
    index = model.index(0)
    assert index.data() == "photo 4"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "photo 4\nblurred\nSlightly blurred"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "photo 4, blurred, Slightly blurred"
    assert index.data(FACE_ROLE) is model.faces()[0]
    assert index.data(Qt.ItemDataRole.DecorationRole) is None


@pytest.mark.parametrize(
    ("before", "after", "signal"),
    [
        ("abc", "abc", "dataChanged"),
        ("abc", "abcd", "modelReset"),
        ("aab", "ab", "modelReset"),
        ("abc", "cab", "modelReset"),
        ("abc", "", "modelReset"),
        ("", "abc", "modelReset"),
    ],
)
def test_model_changes_no_more_than_needed(
    qtbot: QtBot, before: str, after: str, signal: str
) -> None:
    model = FaceModel()
    model.show(faces(*before))
    others = {"dataChanged", "modelReset"} - {signal}
    quiet: list[str] = []
    for other in others:
        getattr(model, other).connect(lambda *_, name=other: quiet.append(name))
    with qtbot.waitSignal(getattr(model, signal)):
        model.show(faces(*after))
    assert quiet == []
    assert [face.key for face in model.faces()] == list(after)
    assert [model.row_of(key) for key in after] == sorted(model.row_of(key) for key in after)


def test_same_faces_repaint_nothing(qtbot: QtBot) -> None:
    model, same = FaceModel(), faces("a", "b")
    model.show(same)
    with qtbot.assertNotEmitted(model.dataChanged):
        model.show(list(same))


def test_one_face_of_many_is_painted_anew_and_the_others_stay_where_they_are(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [0]

    class Counted(FaceModel):
        def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802
            asked[0] += 1
            return super().rowCount(parent)

    monkeypatch.setattr("gui.widgets.face_list.FaceModel", Counted)
    people, many = PersonList("People"), faces(*(f"p{number}" for number in range(500)))
    shown(qtbot, people)
    people.show_faces(many)
    qtbot.waitUntil(lambda: people.verticalScrollBar().maximum() > 0)
    assert asked[0] > len(many), "Qt asks for each cell that it lays out"
    asked[0] = 0
    people.show_faces([Face("p0", GREY, "Somebody else"), *many[1:]])
    people.select("p499")  # scrolls there, for which Qt lays out what is to be laid out
    assert people.faces.index(0).data() == "Somebody else"
    assert asked[0] < len(many)


def test_a_click_chooses_and_a_second_one_chooses_again(qtbot: QtBot, grid: FaceGrid) -> None:
    heard: list[str] = []
    grid.chosen.connect(heard.append)
    click(qtbot, grid, "b")
    assert heard == ["b"]
    click(qtbot, grid, "b")
    assert heard == ["b", "b"]
    assert grid.selected_keys() == ["b"]


def test_keys_choose(qtbot: QtBot, grid: FaceGrid) -> None:
    grid.select("a")
    with qtbot.waitSignal(grid.chosen) as heard:
        qtbot.keyClick(grid, Qt.Key.Key_Right)
    assert heard.args == ["b"]


def test_enter_and_double_click_activate(qtbot: QtBot, grid: FaceGrid) -> None:
    grid.select("c")
    with qtbot.waitSignal(grid.activated_face) as enter:
        qtbot.keyClick(grid, Qt.Key.Key_Return)
    assert enter.args == ["c"]
    click(qtbot, grid, "d")
    with qtbot.waitSignal(grid.activated_face) as double:
        qtbot.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=middle(grid, "d"))
    assert double.args == ["d"]


def test_many_can_be_selected(qtbot: QtBot, grid: FaceGrid) -> None:
    click(qtbot, grid, "e")
    with qtbot.assertNotEmitted(grid.chosen):
        click(qtbot, grid, "b", ctrl=True)
    assert grid.selected_keys() == ["b", "e"]


def test_selecting_from_code_is_silent(qtbot: QtBot, grid: FaceGrid) -> None:
    with qtbot.assertNotEmitted(grid.chosen):
        grid.select("f")
        assert grid.selected_keys() == ["f"]
        grid.select()
    assert grid.selected_keys() == []


@pytest.mark.parametrize("after", ["abcdef", "fedcba", "be", "abxcdef", "eb"])
def test_selection_survives_by_key(qtbot: QtBot, grid: FaceGrid, after: str) -> None:
    grid.select("b", "e")
    with qtbot.assertNotEmitted(grid.chosen):
        grid.show_faces(faces(*after))
    assert set(grid.selected_keys()) == {"b", "e"}


def test_a_removed_face_passes_its_selection_to_nobody(qtbot: QtBot, people: PersonList) -> None:
    people.select("bob")
    with qtbot.assertNotEmitted(people.chosen):
        people.show_faces(faces("ann", "cem"))
    assert people.selected_keys() == []


def test_drag_carries_the_selected_keys(grid: FaceGrid, monkeypatch: pytest.MonkeyPatch) -> None:
    carried: list[list[str]] = []
    carry = lambda drag, _action: carried.append(keys_in_mime(drag.mimeData()))  # noqa: E731
    monkeypatch.setattr("gui.widgets.face_list.QDrag.exec", carry)
    grid.select("e", "b")
    grid.startDrag(Qt.DropAction.MoveAction)
    assert carried == [["b", "e"]]
    assert grid.dragEnabled()


def test_keys_of_any_letters_survive_a_drag() -> None:
    keys = ["a\nb", "ünï/ço dé.jpg", '"', ""]
    assert keys_in_mime(keys_as_mime(keys)) == keys
    assert keys_in_mime(QMimeData()) == []


def dropped(view: PersonList, mime: QMimeData, at: QPoint) -> QDropEvent:
    event = QDropEvent(
        QPointF(at),
        Qt.DropAction.MoveAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QEvent.Type.Drop,
    )
    view.dropEvent(event)
    return event


def test_photos_dropped_on_a_person(qtbot: QtBot, people: PersonList) -> None:
    with qtbot.waitSignal(people.photos_dropped) as heard:
        dropped(people, keys_as_mime(["s1/1", "s1/2"]), middle(people, "bob"))
    assert heard.args == [["s1/1", "s1/2"], "bob"]


def test_the_person_below_the_pointer_is_marked(people: PersonList) -> None:
    mime = keys_as_mime(["s1/1"])
    over = QDragMoveEvent(
        middle(people, "cem"),
        Qt.DropAction.MoveAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    people.dragMoveEvent(over)
    assert over.isAccepted()
    assert people.cells.drop_row == 2
    dropped(people, mime, middle(people, "cem"))
    assert people.cells.drop_row == -1


def test_what_is_not_a_photo_or_not_on_a_person_is_refused(
    qtbot: QtBot, people: PersonList
) -> None:
    other = QMimeData()
    other.setText("s1/1")
    with qtbot.assertNotEmitted(people.photos_dropped):
        assert not dropped(people, other, middle(people, "bob")).isAccepted()
        assert not dropped(people, keys_as_mime(["s1/1"]), QPoint(20, 310)).isAccepted()


def test_a_row_is_as_high_as_its_faces_and_scrolls_only_if_needed(qtbot: QtBot) -> None:
    page = QWidget()  # a window of its own could not be told its height
    row = FaceRow("Milestones")
    row.setParent(page)
    row.resize(460, 100)
    row.show_faces(faces("a", "b"))
    seen.show(qtbot, page, (460, 400))
    assert row.height() == row.cells.cell_size().height() + 2
    assert row.horizontalScrollBar().maximum() == 0
    assert row.verticalScrollBar().maximum() == 0
    row.show_faces(faces(*"abcdefghijklmnop"))
    qtbot.waitUntil(lambda: row.horizontalScrollBar().maximum() > 0)
    assert row.height() > row.cells.cell_size().height() + 2
    assert row.viewport().height() >= row.cells.cell_size().height()
    assert row.verticalScrollBar().maximum() == 0


def test_cells_grow_with_captions_but_not_without_end(qtbot: QtBot) -> None:
    row = FaceRow("Nearest", QSize(40, 50))
    qtbot.addWidget(row)
    row.show_faces([Face("a", GREY, "x")])
    narrow = row.cells.cell_size().width()
    row.show_faces([Face("a", GREY, "a very long name of a person indeed")])
    assert narrow < row.cells.cell_size().width() <= 60


def test_a_grid_spreads_over_its_width(qtbot: QtBot, grid: FaceGrid) -> None:
    grid.resize(900, 320)
    QApplication.processEvents()
    tops = {grid.visualRect(grid.faces.index(row)).top() for row in range(6)}
    assert len(tops) == 1
    grid.resize(240, 320)
    QApplication.processEvents()
    assert grid.horizontalScrollBar().maximum() == 0
    assert len({grid.visualRect(grid.faces.index(row)).top() for row in range(6)}) >= 3


def test_pictures_are_made_only_for_what_is_seen(qtbot: QtBot) -> None:
    asked: list[int] = []

    def picture(number: int) -> QImage:
        asked.append(number)
        return QImage(92, 112, QImage.Format.Format_Grayscale8)

    view = FaceGrid("Many")
    qtbot.addWidget(view)
    view.resize(460, 320)
    view.show_faces([Face(str(n), lambda n=n: picture(n), str(n)) for n in range(1000)])  # type: ignore[misc]
    with qtbot.waitExposed(view):
        view.show()
    qtbot.waitUntil(lambda: 7 in asked)
    assert max(asked) < 40
    assert len(asked) == len(set(asked))


def test_pictures_are_kept_within_the_budget() -> None:
    kept = FacePictures(limit=1_000_000)
    images = [GREY + 0 for _ in range(60)]
    for image in images:
        kept.start_frame()
        made = kept.picture(image, QSize(84, 102), 1.0, False)
        assert made is not None
        assert made.size() == QSize(84, 102)
    assert 1 < len(kept) <= 1_000_000 // (84 * 102 * made.depth() // 8)
    again = kept.picture(images[-1], QSize(84, 102), 1.0, False)
    assert again is not None
    assert again.cacheKey() == made.cacheKey()


def test_a_picture_goes_with_what_it_was_made_of() -> None:
    """What is called for a picture holds a face space: else each that was seen would stay."""
    kept, image = FacePictures(), GREY + 0
    kept.start_frame()
    assert kept.picture(image, QSize(84, 102), 1.0, False) is not None
    kept.start_frame()  # in one frame a slow machine makes only one
    assert kept.picture(
        lambda: QImage(8, 8, QImage.Format.Format_Grayscale8), QSize(8, 8), 1.0, False
    )
    assert len(kept) == 1
    del image
    assert len(kept) == 0


def test_a_frame_without_time_left_waits() -> None:
    kept = FacePictures()
    assert kept.picture(GREY, QSize(84, 102), 1.0, False) is None
    assert kept.behind
    kept.start_frame()
    assert kept.picture(GREY, QSize(84, 102), 2.0, False) is not None
    assert not kept.behind


def test_pictures_show_all_of_the_face_or_fill_their_room() -> None:
    kept = FacePictures()
    kept.start_frame()
    whole = kept.picture(GREY, QSize(100, 50), 1.0, False)
    filled = kept.picture(GREY, QSize(100, 50), 1.0, True)
    assert whole is not None
    assert filled is not None
    assert whole.height() == 50
    assert whole.width() == 41
    assert filled.size() == QSize(100, 50)


@pytest.mark.parametrize("kind", [FaceGrid, FaceRow, PersonList])
def test_every_list_has_a_name_and_paints_all_there_is(
    qtbot: QtBot, kind: type[FaceGrid] | type[FaceRow] | type[PersonList]
) -> None:
    view = kind("Faces of Ann")
    assert view.accessibleName() == "Faces of Ann"
    view.show_faces(
        [
            Face("a", GREY, "one", "1", mark="ok", warning="blurred"),
            Face("b", lambda: QImage(10, 10, QImage.Format.Format_RGB888), mark="warn"),
            Face("c", GREY, mark="accent"),
        ]
    )
    view.select("a")
    seen.show(qtbot, view, (300, 300))
    assert not view.grab().isNull()
