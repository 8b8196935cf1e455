"""What the scatter chart draws, says, and how its marks are moved; no pixels."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from gui.plots import Points, ScatterChart, save_plot
from tests.gui import seen

MEMBERS = np.array([[2.0, 0.3], [4.0, 0.4], [9.0, 0.7]])
STRANGERS = np.array([[11.0, 0.4], [14.0, 0.5]])
OTHERS = np.array([[19.0, 0.9]])
QUADRANTS = (
    ("enrolled", "ok"),
    ("a face, nobody enrolled", "warn"),
    ("no face, yet near", "bad"),
    ("not a face", "bad"),
)


@pytest.fixture
def chart(qtbot: QtBot) -> ScatterChart:
    chart = ScatterChart("distance", "no face")
    classes = (("enrolled", MEMBERS), ("strangers", STRANGERS), ("other pictures", OTHERS))
    chart.show_points([Points(name, at) for name, at in classes], QUADRANTS)
    chart.set_marks((10.0, 0.6))
    chart.set_probe((4.59, 0.5), ("this photo", "ok"))
    return seen.show(qtbot, chart, (450, 300))


def at(chart: ScatterChart, x: float, y: float) -> QPoint:
    return QPointF(chart.frame.px(x), chart.frame.py(y)).toPoint()


def test_classes_differ_in_shape(chart: ScatterChart) -> None:
    kinds = [dot for _, dot in chart.legend.entries]
    assert [name for name, _ in chart.legend.entries] == ["enrolled", "strangers", "other pictures"]
    assert len({kind.shape for kind in kinds}) == 3
    assert len({kind.colour.name() for kind in kinds}) == 3


def test_everything_is_inside_the_plot(chart: ScatterChart) -> None:
    plot = chart.frame.plot
    assert chart.frame.x.texts[0] == "0"
    for x, y in np.concatenate([MEMBERS, STRANGERS, OTHERS]).tolist():
        assert plot.contains(QPointF(chart.frame.px(x), chart.frame.py(y)))
    assert plot.contains(chart.probe_place())
    assert all(plot.contains(ring) for ring in chart.rings())
    chart.set_probe((45.0, 0.05), ("this photo", "bad"))
    assert chart.frame.plot.contains(chart.probe_place())


def test_quadrants_meet_at_the_marks_and_fill_the_plot(chart: ScatterChart) -> None:
    places, plot = chart.quadrant_places(), chart.frame.plot
    assert sum(place.width() * place.height() for place in places) == pytest.approx(
        plot.width() * plot.height()
    )
    lower_left, lower_right, upper_left, upper_right = places
    crossing = QPointF(chart.frame.px(10.0), chart.frame.py(0.6))
    assert lower_left.topRight() == crossing
    assert lower_right.topLeft() == crossing
    assert upper_left.bottomRight() == crossing
    assert upper_right.bottomLeft() == crossing


@pytest.mark.parametrize("ring", [0, 1])
def test_a_ring_is_dragged_and_the_other_mark_stays(
    qtbot: QtBot, chart: ScatterChart, ring: int
) -> None:
    start, target = chart.rings()[ring].toPoint(), at(chart, 7.0, 0.4)
    qtbot.mousePress(chart, Qt.MouseButton.LeftButton, pos=start)
    with qtbot.waitSignal(chart.marks_moved) as moved:
        chart.hover(QPointF(target), True)
    qtbot.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=target)
    assert moved.args[ring] == pytest.approx((7.0, 0.4)[ring], abs=0.1)
    assert moved.args[1 - ring] == (10.0, 0.6)[1 - ring]
    assert chart.marks() == tuple(moved.args)
    chart.hover(QPointF(at(chart, 3.0, 0.3)), False)
    assert chart.marks() == tuple(moved.args)  # let go


def test_a_line_is_dragged_too_and_stays_inside(qtbot: QtBot, chart: ScatterChart) -> None:
    qtbot.mousePress(chart, Qt.MouseButton.LeftButton, pos=at(chart, 10.0, 0.3))
    chart.hover(QPointF(10_000, 10_000), True)
    assert chart.marks() == (chart.frame.x.hi, 0.6)


def test_a_press_beside_the_marks_moves_nothing(qtbot: QtBot, chart: ScatterChart) -> None:
    with qtbot.assertNotEmitted(chart.marks_moved):
        qtbot.mousePress(chart, Qt.MouseButton.LeftButton, pos=at(chart, 5.0, 0.3))
        chart.hover(QPointF(at(chart, 8.0, 0.3)), True)


@pytest.mark.parametrize(
    ("key", "moved"), seen.keyed(Left=(0, -1), Right=(0, 1), Down=(1, -1), Up=(1, 1))
)
def test_keys_move_the_marks(
    qtbot: QtBot, chart: ScatterChart, key: Qt.Key, moved: tuple[int, int]
) -> None:
    steps, (mark, way) = [], moved
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        before = chart.marks()
        qtbot.keyClick(chart, key, modifier)
        after = chart.marks()
        assert before is not None
        assert after is not None
        assert after[1 - mark] == before[1 - mark]
        steps.append((after[mark] - before[mark]) * way)
    assert steps[1] == pytest.approx(10 * steps[0])
    assert steps[0] > 0


def test_without_marks_nothing_can_be_moved(qtbot: QtBot, chart: ScatterChart) -> None:
    chart.set_marks(None)
    assert chart.quadrant_places() == chart.rings() == []
    assert chart.focusPolicy() == Qt.FocusPolicy.NoFocus
    with qtbot.assertNotEmitted(chart.marks_moved):
        qtbot.mousePress(chart, Qt.MouseButton.LeftButton, pos=at(chart, 10.0, 0.6))
        qtbot.keyClick(chart, Qt.Key.Key_Left)


def test_a_point_is_named_under_the_pointer(chart: ScatterChart) -> None:
    chart.hover(QPointF(at(chart, 14.0, 0.5)), False)
    assert chart.toolTip() == "strangers\ndistance: 14\nno face: 50.0 %"
    chart.hover(QPointF(at(chart, 17.0, 0.2)), False)
    assert chart.toolTip() == ""


def test_it_says_what_it_shows_and_how_marks_move(chart: ScatterChart, tmp_path: Path) -> None:
    said = chart.accessibleDescription()
    assert said.startswith(
        "No face against distance. enrolled: 3 points. strangers: 2 points. other pictures: 1 "
    )
    assert "this photo: distance: 4.59, no face: 50.0 %." in said
    assert "The marks stand at distance: 10, no face: 60.0 %." in said
    assert "Left, right, up and down move them" in said
    assert chart.accessibleName() == "Plot: no face against distance"
    save_plot(chart, "svg", tmp_path / "it.svg")
    text = (tmp_path / "it.svg").read_text("utf-8")
    for words, _ in (*QUADRANTS, ("this photo", "")):
        assert words in text


def test_without_points_it_says_so(qtbot: QtBot) -> None:
    chart = ScatterChart("distance", "no face")
    qtbot.addWidget(chart)
    chart.show_points([Points("enrolled", np.zeros((0, 2)))], QUADRANTS)
    chart.set_marks((1.0, 0.5))
    assert chart.accessibleDescription().startswith("No face against distance. 0 points.")
    assert ScatterChart("a", "b").accessibleDescription() == "Nothing is drawn yet."
