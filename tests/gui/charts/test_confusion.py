"""What the confusion matrix draws and describes, and how it reacts; counts, not pixels."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.charts import ConfusionChart, export_png, export_svg
from gui.charts.confusion_cells import Counts, shade
from gui.style import theme
from tests.gui import seen

SMALL = np.array([[9, 1, 0], [0, 10, 0], [3, 0, 7]])
NAMES = ("Ada", "Grace", "Hedy")


def confused(people: int, mistakes: int = 1) -> np.ndarray:
    """Ten searches for everybody, some of them answered by the next person."""
    wrong = np.roll(np.eye(people, dtype=np.intp), 1, axis=1) * mistakes
    return np.eye(people, dtype=np.intp) * (10 - mistakes) + wrong


def shown(
    qtbot: QtBot, counts: np.ndarray, names: tuple[str, ...], size: tuple[int, int] = (520, 320)
) -> ConfusionChart:
    chart = ConfusionChart()
    chart.show_matrix(counts, names)
    return seen.show(qtbot, chart, size)


def numbered(people: int) -> tuple[str, ...]:
    return tuple(f"Person {i:02d}" for i in range(1, people + 1))


def place(chart: ConfusionChart, person: int, answer: int) -> QPoint:
    return QPoint(round(chart.frame.px(answer)), round(chart.frame.py(person)))


@pytest.fixture
def small(qtbot: QtBot) -> ConfusionChart:
    return shown(qtbot, SMALL, NAMES)


def test_counts_are_kept_as_given(small: ConfusionChart) -> None:
    np.testing.assert_array_equal(small.counts(), SMALL)
    changed = SMALL.copy()
    small.show_matrix(changed, NAMES)
    changed[:] = 0
    np.testing.assert_array_equal(small.counts(), SMALL)


@pytest.mark.parametrize("size", [(520, 320), (360, 220), (200, 400), (160, 140)])
@pytest.mark.parametrize("people", [2, 3, 40, 60])
def test_cells_are_square_and_inside(qtbot: QtBot, people: int, size: tuple[int, int]) -> None:
    chart = shown(qtbot, confused(people), numbered(people), size)
    plot = chart.frame.plot
    assert plot.width() == pytest.approx(plot.height())
    assert QRectF(0, 0, *size).contains(plot)
    first, last = chart.cells.place((0, 0)), chart.cells.place((people - 1, people - 1))
    assert (first.left(), first.top()) == (plot.left(), plot.top())
    assert abs(last.right() - plot.right()) + abs(last.bottom() - plot.bottom()) < 2
    assert first.center().y() < last.center().y()  # the first person is on top


@pytest.mark.parametrize("people", [2, 40, 60])
def test_every_pair_is_found_where_it_is_drawn(qtbot: QtBot, people: int) -> None:
    chart = shown(qtbot, confused(people), numbered(people), (360, 220))
    for cell in ((0, 0), (people - 1, 0), (0, people - 1), (people // 2, people // 3)):
        at = place(chart, *cell)
        assert chart.cells.cell_at(at.x(), at.y()) == cell
    assert chart.cells.cell_at(chart.frame.plot.left() - 2, 50) is None


def test_a_single_mistake_is_seen_in_both_themes() -> None:
    for look in (theme.LIGHT, theme.DARK):
        for size in (2.0, 30.0):
            colours = [shade(look, share, size) for share in (1 / 200, 0.1, 0.5, 1.0)]
            contrasts = [theme.contrast(colour, look.surface) for colour in colours]
            assert contrasts == sorted(contrasts)
            assert contrasts[0] > 1.3
            assert contrasts[-1] > 7


def test_depth_is_the_share_of_the_searches_for_a_person() -> None:
    counts = Counts(np.array([[199, 1, 0], [0, 0, 0], [5, 0, 5]]))
    np.testing.assert_array_equal(counts.searches, [200, 0, 10])
    levels = counts.levels
    assert levels[0, 1] == 1
    assert levels[0, 2] == levels[1].sum() == 0
    assert levels[2, 0] == levels[2, 2]
    assert levels[0, 0] > levels[2, 0] > levels[0, 1]


def test_one_path_holds_all_cells_of_a_depth(qtbot: QtBot) -> None:
    chart = shown(qtbot, confused(60, 3), numbered(60))
    assert len(list(chart.cells.paths())) == 2


def test_names_are_on_the_axes_where_there_is_room(small: ConfusionChart) -> None:
    assert small.frame.x.texts == list(NAMES)
    assert small.frame.y.texts == list(NAMES)
    small.show_matrix(confused(12), numbered(12))
    assert small.frame.x.texts == [str(i) for i in range(1, 13)]
    assert small.frame.y.texts[1] == "2 Person 02"
    small.show_matrix(confused(60), numbered(60))
    assert (
        small.frame.x.texts
        == small.frame.y.texts
        == ["1", "6", "11", "16", "21", "26", "31", "36", "41", "46", "51", "56"]
    )


def test_a_long_name_leaves_room_for_the_cells(qtbot: QtBot) -> None:
    chart = shown(qtbot, confused(3), ("Ada " * 40, "Grace", "Hedy"), (360, 220))
    assert "…" in chart.frame.y.texts[0]
    assert chart.frame.plot.width() > 120


def test_the_pointer_is_told_what_a_cell_means(small: ConfusionChart) -> None:
    for cell, words in (
        ((2, 0), "Hedy taken for Ada: 3 of 10"),
        ((1, 1), "Grace recognised: 10 of 10"),
        ((1, 2), "Grace taken for Hedy: 0 of 10"),
    ):
        small.hover(QPointF(place(small, *cell)), False)
        assert small.toolTip() == words
        hand = small.cursor().shape() == Qt.CursorShape.PointingHandCursor
        assert hand == bool(SMALL[cell])
    small.hover(QPointF(1, 1), False)
    assert small.toolTip() == ""


def test_only_a_cell_with_searches_answers_a_click(qtbot: QtBot, small: ConfusionChart) -> None:
    left = Qt.MouseButton.LeftButton
    with qtbot.waitSignal(small.cell_clicked) as click:
        qtbot.mouseClick(small, left, pos=place(small, 2, 0))
    assert click.args == [2, 0]
    assert small.accessibleDescription().endswith(" stand at: Hedy taken for Ada: 3 of 10.")
    with qtbot.assertNotEmitted(small.cell_clicked):
        qtbot.mouseClick(small, left, pos=place(small, 0, 2))


def stands_at(chart: ConfusionChart, cell: tuple[int, int]) -> bool:
    return f"The keys stand at: {chart.reading(*cell)}." in chart.accessibleDescription()


def test_keys_go_from_cell_to_cell_and_enter_clicks(qtbot: QtBot, small: ConfusionChart) -> None:
    small.clearFocus()
    small.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(small.hasFocus)
    assert stands_at(small, (0, 0))
    for key, cell in (
        (Qt.Key.Key_Up, (0, 0)),
        (Qt.Key.Key_Right, (0, 1)),
        (Qt.Key.Key_Down, (1, 1)),
        (Qt.Key.Key_Down, (2, 1)),
        (Qt.Key.Key_Down, (2, 1)),
        (Qt.Key.Key_Left, (2, 0)),
    ):
        qtbot.keyClick(small, key)
        assert stands_at(small, cell)
    with qtbot.waitSignal(small.cell_clicked) as press:
        qtbot.keyClick(small, Qt.Key.Key_Return)
    assert press.args == [2, 0]
    qtbot.keyClick(small, Qt.Key.Key_Right)
    with qtbot.assertNotEmitted(small.cell_clicked):
        qtbot.keyClick(small, Qt.Key.Key_Return)


def test_fewer_people_take_the_focus_cell_away(qtbot: QtBot, small: ConfusionChart) -> None:
    qtbot.mouseClick(small, Qt.MouseButton.LeftButton, pos=place(small, 2, 2))
    small.show_matrix(SMALL[:2, :2], NAMES[:2])
    assert "The keys stand" not in small.accessibleDescription()


def test_it_says_in_words_who_is_confused(small: ConfusionChart) -> None:
    assert small.accessibleName() == "Plot: person against recognised as"
    said = small.accessibleDescription()
    assert said.startswith("26 of 30 searches named the right person. Hedy taken for Ada: 3 of 10.")
    assert "Ada taken for Grace: 1 of 10." in said
    assert "Grace taken" not in said


def test_an_empty_one_says_so_and_takes_no_focus(qtbot: QtBot, small: ConfusionChart) -> None:
    empty = shown(qtbot, np.zeros((0, 0), np.intp), ())
    assert empty.accessibleDescription() == "Nothing is drawn yet."
    assert empty.focusPolicy() == Qt.FocusPolicy.NoFocus
    empty.press(QPointF(200, 100))
    qtbot.keyClick(empty, Qt.Key.Key_Down)
    assert empty.accessibleDescription() == "Nothing is drawn yet."
    assert not empty.grab().isNull()
    assert small.focusPolicy() == Qt.FocusPolicy.StrongFocus


def test_the_bar_of_depths_is_there_where_there_is_room(qtbot: QtBot) -> None:
    chart = shown(qtbot, confused(40), numbered(40))
    assert chart.cells.has_bar
    chart.resize(260, 320)
    QApplication.processEvents()
    assert not chart.cells.has_bar


def test_it_is_exported_as_shapes_and_pixels(small: ConfusionChart, tmp_path: Path) -> None:
    export_svg(small, tmp_path / "matrix.svg")
    text = (tmp_path / "matrix.svg").read_text("utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "recognised as" in text
    assert "Grace" in text
    assert "<image" not in text
    export_png(small, tmp_path / "matrix.png")
    assert QImage(str(tmp_path / "matrix.png")).size() == small.size() * 2
