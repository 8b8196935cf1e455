"""What the line chart draws and describes, and how it reacts; arrays and texts, not pixels."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.charts import Line, LineChart, export_png, export_svg
from gui.charts.painted_lines import PaintedLine
from tests.gui import seen

K = np.arange(1.0, 320.0)
ACCURACY = 0.975 - 0.85 / K**1.2
FAR = np.concatenate([[0.0], np.geomspace(1e-4, 1, 5000)])
DIAGONAL = Line("chance", np.array([0.0, 1.0]), np.array([0.0, 1.0]), faint=True)


def shown(qtbot: QtBot, chart: LineChart, *lines: Line) -> LineChart:
    chart.show_lines(lines)
    return seen.show(qtbot, chart, (520, 320))


def several(count: int) -> list[Line]:
    return [Line(f"distance {i}", K, ACCURACY - 0.02 * i) for i in range(count)]


def drawn(chart: LineChart, line: int = 0) -> PaintedLine:
    return chart.painted[line]


def place(chart: LineChart, point: int, line: int = 0) -> QPoint:
    return QPoint(round(drawn(chart, line).across[point]), round(drawn(chart, line).up[point]))


@pytest.fixture
def accuracy(qtbot: QtBot) -> LineChart:
    chart = LineChart("number of components", "rank-1 accuracy", markers=True)
    chart.set_titles("number of components", "rank-1 accuracy", "log scale")
    chart.set_scales("log", "linear")
    band = Line("L2", K, ACCURACY, ACCURACY - 0.03, ACCURACY + 0.02)
    return shown(qtbot, chart, band)


@pytest.fixture
def roc(qtbot: QtBot) -> LineChart:
    chart = LineChart("false accepts", "true accepts", filled=True)
    chart.set_percent(True, True)
    return shown(qtbot, chart, Line("L2", FAR, FAR**0.05), DIAGONAL)


def test_it_is_drawn_on_its_axes(accuracy: LineChart) -> None:
    assert accuracy.lines()[0].y is ACCURACY
    assert accuracy.frame.x.texts == ["1", "2", "5", "10", "20", "50", "100", "200"]
    assert accuracy.frame.y.texts == ["0%", "20%", "40%", "60%", "80%", "100%"]
    across = drawn(accuracy).across
    np.testing.assert_allclose(across[9] - across[0], across[99] - across[9])
    at = [accuracy.frame.py(value) for value in ACCURACY]
    np.testing.assert_allclose(drawn(accuracy).up, at)


def test_dots_of_a_long_line_stand_apart(accuracy: LineChart) -> None:
    spots = drawn(accuracy).spots
    assert 8 < len(spots) < 40
    assert spots[0] == QPointF(drawn(accuracy).across[0], drawn(accuracy).up[0])
    steps = [(b - a).manhattanLength() for a, b in pairwise(spots)]
    assert min(steps) >= 15


def test_without_markers_only_a_single_point_has_a_dot(qtbot: QtBot) -> None:
    chart = shown(qtbot, LineChart("rank", "found"), Line("", K, ACCURACY))
    assert drawn(chart).spots == []
    chart.show_lines([Line("", K[:1], ACCURACY[:1], ACCURACY[:1] - 0.05, ACCURACY[:1] + 0.05)])
    assert len(drawn(chart).spots) == 1
    (interval,) = drawn(chart).band
    assert interval.boundingRect().width() > 4
    assert chart.frame.x.texts == ["1"]


def test_a_dense_line_is_painted_with_few_points(roc: LineChart) -> None:
    (run,) = drawn(roc).runs
    assert 100 < run.size() < 2500
    for point in (0, -1):
        end = run.toList()[point] - QPointF(drawn(roc).across[point], drawn(roc).up[point])
        assert end.manhattanLength() < 1e-9
    assert roc.frame.x.texts == ["0%", "25%", "50%", "75%", "100%"]


def test_a_line_is_filled_down_to_the_axis_and_the_diagonal_is_not(roc: LineChart) -> None:
    (area,) = drawn(roc).area
    assert area.boundingRect().bottom() == roc.frame.plot.bottom()
    assert drawn(roc, 1).area == []
    assert drawn(roc, 1).stroke.dashes
    roc.show_lines([*several(2), DIAGONAL])
    assert drawn(roc).area == []  # areas that lie on each other would say nothing


def test_without_a_band_the_interval_is_only_told(accuracy: LineChart) -> None:
    told = accuracy.reading(0, 3)
    accuracy.show_lines([replace(accuracy.lines()[0], band=False)])
    assert drawn(accuracy).band == []
    assert accuracy.reading(0, 3) == told
    assert " to " in told


def test_a_band_follows_its_limits(accuracy: LineChart) -> None:
    (band,) = drawn(accuracy).band
    ends = band.boundingRect()
    assert ends.bottom() == pytest.approx(accuracy.frame.py(ACCURACY[0] - 0.03))
    assert ends.top() == pytest.approx(accuracy.frame.py(ACCURACY[-1] + 0.02))
    accuracy.show_lines([Line("L2", K, ACCURACY)])
    assert drawn(accuracy).band == []


def test_a_line_breaks_where_it_has_no_value(qtbot: QtBot) -> None:
    y = ACCURACY[:9].copy()
    y[4] = np.nan
    chart = shown(qtbot, LineChart("k", "accuracy"), Line("", K[:9], y))
    assert [run.size() for run in drawn(chart).runs] == [4, 4]


def test_logarithmic_axes_leave_out_zero(qtbot: QtBot) -> None:
    chart = LineChart("FMR", "FNMR")
    chart.set_percent(True, True)
    chart.set_scales("log", "log")
    fnmr = np.append(1 - FAR[:-1] ** 0.1, 0.0)
    shown(qtbot, chart, Line("L2", FAR, fnmr))
    assert np.isnan(drawn(chart).across[0])
    assert np.isnan(drawn(chart).up[-1])
    assert chart.frame.x.texts == ["0.01%", "0.1%", "1%", "10%", "100%"]
    assert chart.frame.x.grid
    assert chart.frame.y.hi <= 0
    chart.set_scales("linear", "linear")
    assert not np.isnan(drawn(chart).across).any()


def test_the_range_is_given_or_fitted(qtbot: QtBot) -> None:
    chart = shown(qtbot, LineChart("rank", "found"), Line("", K[:20], 1 - 0.02 / K[:20]))
    assert chart.frame.y.hi == 1
    assert 0.9 < chart.frame.y.lo < 0.98
    assert chart.frame.x.texts == ["1", "5", "10", "15", "20"]
    chart.set_range((0, 40), (0, 1))
    assert (chart.frame.x.lo, chart.frame.x.hi, chart.frame.y.lo) == (0, 40, 0)
    chart.set_range((10, 20), None)
    assert chart.frame.y.lo > 0.99 - 0.05  # what lies outside needs no room
    chart.set_range(None, None)
    assert (chart.frame.x.lo, chart.frame.x.hi) == (1, 20)


def test_whole_numbers_are_all_named_where_they_are_few(qtbot: QtBot) -> None:
    chart = shown(qtbot, LineChart("photos", "accuracy"), Line("", K[:8], ACCURACY[:8]))
    assert chart.frame.x.texts == list("12345678")


def test_several_lines_have_a_legend_that_covers_nothing(qtbot: QtBot) -> None:
    chart = shown(qtbot, LineChart("k", "accuracy"), *several(6), DIAGONAL)
    assert [name for name, _ in chart.legend.entries] == [f"distance {i}" for i in range(6)]
    for width in (520, 260, 180):
        chart.resize(width, 320)
        QApplication.processEvents()
        box = chart.legend.box(chart.frame.size)
        assert not box.intersects(chart.frame.plot)
        assert QRectF(0, 0, width, 320).contains(box)
        names = [name for row in chart.legend.rows(chart.frame.size) for name, _ in row]
        assert names == [f"distance {i}" for i in range(6)]
    assert len(chart.legend.rows(chart.frame.size)) > 3
    chart.show_lines(several(1))
    assert chart.legend.entries == ()


def test_a_name_too_long_for_a_row_is_shortened(qtbot: QtBot) -> None:
    long = Line("a name that goes on and on " * 5, K, ACCURACY)
    chart = shown(qtbot, LineChart("k", "accuracy"), long, *several(1))
    assert "…" in chart.legend.rows(chart.frame.size)[0][0][0]
    assert chart.legend.box(chart.frame.size).right() <= chart.width()


def test_the_mark_stands_at_its_value(accuracy: LineChart) -> None:
    accuracy.set_mark(100, "k = 100")
    assert accuracy.tag.at == pytest.approx(2)
    assert (accuracy.mark(), accuracy.tag.label) == (100, "k = 100")
    assert "The line stands at k = 100." in accuracy.accessibleDescription()
    assert not accuracy.tag.pill(accuracy.frame).intersects(accuracy.frame.plot)
    accuracy.set_scales("linear", "linear")
    assert accuracy.tag.at == 100
    accuracy.set_mark(9000, "k = 9000")
    assert accuracy.tag.at is None  # it would stand beside the plot
    accuracy.set_mark(None)
    assert "line stands" not in accuracy.accessibleDescription()


def test_a_point_can_be_clicked(qtbot: QtBot, accuracy: LineChart) -> None:
    with qtbot.waitSignal(accuracy.point_clicked) as click:
        where = place(accuracy, 4)
        qtbot.mouseClick(accuracy, Qt.MouseButton.LeftButton, pos=where)
    assert click.args == [0, 4]
    assert accuracy.chosen() == (0, 4)
    below = QPoint(round(accuracy.frame.plot.right()) - 5, round(accuracy.frame.plot.bottom()) - 5)
    with qtbot.assertNotEmitted(accuracy.point_clicked):
        qtbot.mouseClick(accuracy, Qt.MouseButton.LeftButton, pos=below)


def test_a_faint_line_cannot_be_clicked(qtbot: QtBot, roc: LineChart) -> None:
    middle = QPoint(round(roc.frame.px(1.0)), round(roc.frame.py(1.0)))
    with qtbot.waitSignal(roc.point_clicked) as click:
        qtbot.mouseClick(roc, Qt.MouseButton.LeftButton, pos=middle)
    assert click.args == [0, FAR.size - 1]
    roc.choose(1, 0)
    assert roc.chosen() is None


def test_keys_choose_a_point_and_enter_clicks_it(qtbot: QtBot, accuracy: LineChart) -> None:
    accuracy.set_mark(120, "k = 120")
    accuracy.clearFocus()
    accuracy.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(accuracy.hasFocus)
    assert accuracy.chosen() == (0, 119)
    for key, point in (
        (Qt.Key.Key_Right, 120),
        (Qt.Key.Key_Left, 119),
        (Qt.Key.Key_PageDown, 109),
        (Qt.Key.Key_End, 318),
        (Qt.Key.Key_Right, 318),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Left, 0),
    ):
        qtbot.keyClick(accuracy, key)
        assert accuracy.chosen() == (0, point)
    assert "number of components: 1, rank-1 accuracy" in accuracy.accessibleDescription()
    with qtbot.waitSignal(accuracy.point_clicked) as press:
        qtbot.keyClick(accuracy, Qt.Key.Key_Return)
    assert press.args == [0, 0]


def test_keys_go_on_by_what_can_be_seen_on_a_dense_line(qtbot: QtBot, roc: LineChart) -> None:
    qtbot.keyClick(roc, Qt.Key.Key_Right)
    for _ in range(300):
        qtbot.keyClick(roc, Qt.Key.Key_PageUp)
    assert roc.chosen() is not None
    assert FAR[roc.chosen()[1]] > 0.99


def test_keys_go_from_line_to_line(qtbot: QtBot) -> None:
    short = Line("short", K[:5], ACCURACY[:5])
    chart = shown(qtbot, LineChart("k", "accuracy"), DIAGONAL, *several(2), short)
    chart.choose(1, 200)
    for key, chosen in ((Qt.Key.Key_Down, (2, 200)), (Qt.Key.Key_Down, (3, 4))):
        qtbot.keyClick(chart, key)
        assert chart.chosen() == chosen
    qtbot.keyClick(chart, Qt.Key.Key_Down)
    assert chart.chosen() == (1, 4)


def test_a_ring_is_put_round_the_chosen_point(accuracy: LineChart) -> None:
    accuracy.choose(0, 9)
    assert accuracy.ring() == QPointF(drawn(accuracy).across[9], drawn(accuracy).up[9])
    accuracy.show_lines([Line("L2", K[:5], ACCURACY[:5])])
    assert accuracy.chosen() is None  # the line has grown shorter
    assert accuracy.ring() is None
    accuracy.choose(0, 3)
    accuracy.choose(0, None)
    assert accuracy.ring() is None


def test_the_pointer_is_told_value_and_interval(accuracy: LineChart) -> None:
    accuracy.hover(QPointF(place(accuracy, 0)), False)
    tip = accuracy.toolTip()
    assert tip == "number of components: 1\nrank-1 accuracy: 12.5 % (9.5 % to 14.5 %)"
    accuracy.show_lines(several(2))
    accuracy.hover(QPointF(place(accuracy, 0, 1)), False)
    assert accuracy.toolTip().startswith("distance 1\n")
    accuracy.hover(QPointF(0, 0), False)
    assert accuracy.toolTip() == ""


def test_a_hand_is_shown_where_a_click_does_something(accuracy: LineChart) -> None:
    hand = Qt.CursorShape.PointingHandCursor
    accuracy.hover(QPointF(place(accuracy, 0)), False)
    assert accuracy.cursor().shape() != hand
    accuracy.point_clicked.connect(accuracy.choose)
    accuracy.hover(QPointF(place(accuracy, 0)), False)
    assert accuracy.cursor().shape() == hand


def test_it_says_in_words_what_is_drawn(roc: LineChart) -> None:
    assert roc.accessibleName() == "Plot: true accepts against false accepts"
    said = roc.accessibleDescription()
    assert said == "True accepts against false accepts. From 0.0 % at 0.0 % to 100.0 % at 100.0 %."
    roc.show_lines([*several(2), DIAGONAL])
    assert "distance 1: from" in roc.accessibleDescription()
    assert "chance" not in roc.accessibleDescription()
    roc.set_titles("FMR", "FNMR")
    assert roc.accessibleName() == "Plot: FNMR against FMR"
    roc.show_lines([])
    assert roc.accessibleDescription() == "Nothing is drawn yet."


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [DIAGONAL],
        [Line("", np.zeros(0), np.zeros(0))],
        [Line("", K[:3], np.full(3, np.nan))],
        [Line("", np.zeros(1), np.zeros(1))],
        [Line("", K[:4], np.ones(4), np.ones(4), np.ones(4))],
    ],
)
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_poor_lines_are_drawn_too(qtbot: QtBot, lines: list[Line], scale: str) -> None:
    chart = LineChart("x", "y", markers=True, filled=True)
    chart.set_scales(scale, scale)
    chart.set_mark(2, "here")
    shown(qtbot, chart, *lines)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(chart, key)
    chart.press(QPointF(200, 200))
    assert not chart.grab().isNull()
    focusable = chart.focusPolicy() != Qt.FocusPolicy.NoFocus
    assert focusable == any(line.x.size and not line.faint for line in lines)


def test_growing_lines_are_drawn_at_once(qtbot: QtBot, accuracy: LineChart) -> None:
    for share in (0.2, 0.5, 0.9):
        accuracy.show_lines([Line("L2", K, ACCURACY * share)])
        top = accuracy.frame.py(ACCURACY[-1] * share)
        assert drawn(accuracy).up[-1] == pytest.approx(top)


def test_it_is_exported_as_lines_and_pixels(accuracy: LineChart, tmp_path: Path) -> None:
    accuracy.set_mark(120, "k = 120")
    export_svg(accuracy, tmp_path / "plot.svg")
    text = (tmp_path / "plot.svg").read_text("utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "k = 120" in text
    assert "<polyline" in text
    assert "<image" not in text
    export_png(accuracy, tmp_path / "plot.png")
    assert QImage(str(tmp_path / "plot.png")).size() == accuracy.size() * 2
