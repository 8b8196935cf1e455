"""The plots of several pages: a mark to drag, histograms, bars, and who is confused."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from eigenfaces.recognition.calibration import Histogram, round_edges
from gui.plots import (
    BarChart,
    Bars,
    ConfusionChart,
    CurveChart,
    HistogramChart,
    PlotView,
    SpreadChart,
)
from gui.plots.marks import Cells, Line, Rule, shade
from gui.style import theme
from tests.gui import seen
from tests.gui.plots.test_plot import LEFT, place, stands_at

K = np.arange(1, 400)
KEPT = np.cumsum(1 / K) / np.sum(1 / K)
NEAR, FAR = np.array([2.2, 4.1, 4.4, 5.0, 7.3]), np.array([7.1, 9.0, 9.2, 9.4])
SPREAD = Histogram.of(round_edges(np.concatenate([NEAR, FAR])), NEAR, FAR)
RADII = np.random.default_rng(3).normal(1.0, 0.1, 200)
SMALL = np.array([[9, 1, 0], [0, 10, 0], [3, 0, 7]])
NAMES = ("Ada", "Grace", "Hedy")


# A curve with a mark that can be dragged


@pytest.fixture
def curve(qtbot: QtBot) -> CurveChart:
    chart = CurveChart("number of components k", "variance kept")
    chart.show_curve(K, KEPT)
    chart.set_mark(120, "k = 120")
    return seen.show(qtbot, chart, (420, 260))


def test_the_mark_stays_on_the_curve(curve: CurveChart) -> None:
    assert curve.frame.y.texts == ["0%", "25%", "50%", "75%", "100%"]
    for wanted, k in ((9000, 399), (-3, 1), (300, 300)):
        curve.set_mark(wanted, "k")
        assert curve.mark() == k
    curve.show_curve(K[:50], KEPT[:50])
    assert curve.mark() == 50


def heard(chart: CurveChart) -> list[tuple[str, int]]:
    said: list[tuple[str, int]] = []
    chart.mark_moved.connect(lambda k: said.append(("moved", k)))
    chart.mark_released.connect(lambda k: said.append(("released", k)))
    return said


def test_a_press_jumps_and_a_drag_follows(qtbot: QtBot, curve: CurveChart) -> None:
    said = heard(curve)
    qtbot.mousePress(curve, LEFT, pos=place(curve, 199))
    for k in (150, 9000):
        curve.hover(QPointF(curve.frame.px(k), 99), True)
    qtbot.mouseRelease(curve, LEFT)
    assert [word for word, _ in said] == ["moved", "moved", "moved", "released"]
    assert [k for _, k in said] == [pytest.approx(200, abs=1), 150, 399, 399]
    curve.hover(QPointF(place(curve, 10)), False)
    assert curve.mark() == 399


@pytest.mark.parametrize(
    ("key", "k"), seen.keyed(Left=119, Right=121, PageUp=130, PageDown=110, Home=1, End=399)
)
def test_keys_move_the_mark(qtbot: QtBot, curve: CurveChart, key: Qt.Key, k: int) -> None:
    said = heard(curve)
    qtbot.keyClick(curve, key)
    assert said == [("moved", k), ("released", k)]


def test_a_curve_without_a_mark_ignores_the_mouse(qtbot: QtBot, curve: CurveChart) -> None:
    curve.set_mark(None)
    with qtbot.assertNotEmitted(curve.mark_moved):
        qtbot.mouseClick(curve, LEFT, pos=place(curve, 9))
    assert curve.mark() is None
    assert curve.focusPolicy() == Qt.FocusPolicy.NoFocus


# Histograms


@pytest.fixture
def close(qtbot: QtBot) -> HistogramChart:
    chart = HistogramChart("distance", "photos")
    assert chart.accessibleDescription() == "Nothing is drawn yet."
    chart.set_mark(1.0, "this photo")
    chart.show_histogram(SPREAD, "5 enrolled", "4 others")
    return seen.show(qtbot, chart, (450, 260))


def lines(chart: PlotView) -> list[Line]:
    return [mark for mark in chart.marks_drawn() if isinstance(mark, Line)]


def test_both_histograms_are_filled_from_zero_up(close: HistogramChart) -> None:
    for line, shares in zip(lines(close), (SPREAD.mated, SPREAD.non_mated), strict=True):
        assert line.filled
        assert line.y[1:-1:2] == pytest.approx(shares)
        assert line.y[2:-1:2] == pytest.approx(shares)
        assert line.y[0] == line.y[-1] == 0
        assert close.frame.y.hi > shares.max() >= close.frame.y.lo == 0
    assert [name for name, _ in close.legend.entries] == ["5 enrolled", "4 others"]
    assert len({line.stroke.dashes for line in lines(close)}) == 2, "not by colour alone"


@pytest.mark.parametrize("at", [-3.0, 4.59, 40.0])
def test_a_photo_and_the_limit_are_within_the_axis(close: HistogramChart, at: float) -> None:
    close.set_mark(at, "this photo")
    close.set_limit(9.48, "limit 9.48")
    plot = close.frame.plot
    for value in (at, 9.48):
        assert plot.left() <= close.frame.px(value) <= plot.right()
    assert close.mark() == at
    assert close.limit() == (9.48, "limit 9.48")
    assert "Marked: limit 9.48." in close.accessibleDescription()
    close.set_mark(None)
    close.set_limit(None)
    assert close.frame.x.hi < 12


def test_it_begins_where_the_values_are_unless_that_is_near_zero(close: HistogramChart) -> None:
    assert close.frame.x.lo == 0
    far = Histogram.of(np.arange(0.0, 13), np.array([8.5, 9.5]), np.array([11.2]))
    close.set_mark(9.0, "this photo")
    close.show_histogram(far, "2 enrolled", "1 other")
    assert close.frame.x.lo == 8


def test_words_of_the_limit_stand_where_there_is_room(close: HistogramChart) -> None:
    for at, right in ((0.1, True), (9.9, False)):
        place = Rule(at, "a limit with many words").place(close.frame)
        assert close.frame.plot.contains(place)
        assert (place.left() > close.frame.px(at)) == right


def test_a_bin_is_read_under_the_pointer(close: HistogramChart) -> None:
    middle = close.frame.plot.center().y()
    close.hover(QPointF(close.frame.px(9.1), middle), False)
    assert close.toolTip() == "5 enrolled, 9 to 10: 0.0 %\n4 others, 9 to 10: 75.0 %"
    close.hover(QPointF(1, 1), False)
    assert close.toolTip() == ""
    assert close.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert "5 enrolled: most at 4 to 5: 40.0 %." in close.accessibleDescription()


@pytest.fixture
def spread(qapp: QApplication, qtbot: QtBot) -> SpreadChart:
    theme.apply(qapp, "light")
    chart = SpreadChart("radius", "faces")
    chart.resize(300, 200)
    qtbot.addWidget(chart)
    return chart


def test_all_values_are_drawn_before_the_band_of_most(spread: SpreadChart) -> None:
    spread.show_spread(RADII, (0.8, 1.2))
    (line,) = lines(spread)
    assert line.y[1:-1:2].sum() == 200
    assert (line.x[0], line.x[-1]) == (RADII.min(), RADII.max())
    image, top = spread.grab().toImage(), round(spread.frame.plot.top()) + 2
    inside, outside = (image.pixelColor(round(spread.frame.px(x)), top) for x in (0.82, 0.5))
    assert inside == QColor(theme.LIGHT.ok_soft) != outside
    assert "Most lie between 0.80 and 1.20." in spread.accessibleDescription()
    spread.show_spread(np.full(12, 0.998), None)
    assert lines(spread)[0].y.max() == 12
    assert not spread.takes_focus()


def test_a_mark_beyond_the_axis_stands_at_its_end(spread: SpreadChart) -> None:
    spread.show_spread(RADII, None)
    spread.set_mark(1.0, "1.00")
    assert spread.mark() == 1.0
    spread.set_mark(50.0, "50.00")
    assert spread.mark() == spread.frame.x.hi
    assert "50.00" in spread.accessibleDescription()


# Bars


@pytest.fixture
def bars(qtbot: QtBot) -> BarChart:
    chart = BarChart("photo", "distance")
    chart.show_series("123", {"": np.array([10.0, 12.0, 40.0])}, frozenset({2}))
    return seen.show(qtbot, chart, (420, 260))


def test_bars_stand_on_zero_and_what_stands_out_is_said(bars: BarChart) -> None:
    frame, (mark,) = bars.frame, bars.marks_drawn()
    assert isinstance(mark, Bars)
    places = [place for item in range(3) for place in mark.places(frame, item)]
    assert {place.bottom() for place in places} == {frame.plot.bottom()}
    assert [place.top() for place in places] == pytest.approx([frame.py(v) for v in (10, 12, 40)])
    assert frame.x.texts == ["1", "2", "3"]
    assert bars.accessibleDescription().endswith("1: 10, 2: 12, 3: 40. Standing out: 3.")
    bars.hover(QPointF(place(bars, 2)), False)
    assert bars.toolTip() == "photo 3: 40 — stands out"
    bars.show_series([str(i) for i in range(1, 201)], {"": np.ones(200)})
    assert 2 < len(bars.frame.x.texts) < 40


def test_a_bar_can_be_clicked_or_chosen_by_keys(qtbot: QtBot, bars: BarChart) -> None:
    with qtbot.waitSignal(bars.clicked) as click:
        qtbot.mouseClick(bars, LEFT, pos=place(bars, 1))
    assert click.args == [1]
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    with qtbot.waitSignal(bars.clicked) as press:
        qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert press.args == [2]


def test_pairs_are_drawn_side_by_side_with_names(bars: BarChart) -> None:
    series = {"to Person 13": np.array([1.0, 2, 0]), "to runner-up": np.array([16.0, 10, 2])}
    bars.show_series(("1–8", "9–16", "17"), series)
    (mark,) = bars.marks_drawn()
    assert isinstance(mark, Bars)
    for item in range(3):
        left, right = mark.places(bars.frame, item)
        assert left.right() <= right.left()
    assert [name for name, _ in bars.legend.entries] == list(series)
    assert bars.frame.x.texts == ["1–8", "9–16", "17"]
    assert "to runner-up: most at 1–8, 16." in bars.accessibleDescription()
    bars.hover(QPointF(bars.frame.px(0.2), bars.frame.plot.center().y()), False)
    assert bars.toolTip() == "photo: 1–8\nto Person 13: 1\nto runner-up: 16"


@pytest.mark.parametrize(("count", "texts"), [(1, ["1"]), (2, ["1", "2"]), (24, ["10", "20"])])
def test_bars_without_labels_are_numbered_from_one(
    qtbot: QtBot, count: int, texts: list[str]
) -> None:
    plot = seen.show(qtbot, PlotView("component", "singular value"), (420, 260))
    plot.show_marks([Bars({"": np.ones(count)})])
    assert set(texts) <= set(plot.frame.x.texts)
    assert all(1 <= int(text) <= count for text in plot.frame.x.texts)
    plot.set_scales("linear", "log")
    plot.show_marks([Bars({"": 10.0 ** np.linspace(4, 0, 40)})])
    assert plot.frame.y.texts == ["1", "10", "100", "1k", "10k"]


# Who is confused


def confused(people: int, mistakes: int = 1) -> np.ndarray:
    """Ten searches for everybody, some of them answered by the next person."""
    wrong = np.roll(np.eye(people, dtype=np.intp), 1, axis=1) * mistakes
    return np.eye(people, dtype=np.intp) * (10 - mistakes) + wrong


def matrix(
    qtbot: QtBot, counts: np.ndarray, names: tuple[str, ...], size: tuple[int, int] = (520, 320)
) -> ConfusionChart:
    chart = ConfusionChart()
    chart.show_matrix(counts, names)
    return seen.show(qtbot, chart, size)


def numbered(people: int) -> tuple[str, ...]:
    return tuple(f"Person {i:02d}" for i in range(1, people + 1))


@pytest.fixture
def small(qtbot: QtBot) -> ConfusionChart:
    return matrix(qtbot, SMALL, NAMES)


@pytest.mark.parametrize("size", [(520, 320), (360, 220), (200, 400), (160, 140)])
@pytest.mark.parametrize("people", [2, 3, 40, 60])
def test_cells_are_square_inside_and_found(
    qtbot: QtBot, people: int, size: tuple[int, int]
) -> None:
    chart = matrix(qtbot, confused(people), numbered(people), size)
    plot, (cells,) = chart.frame.plot, chart.marks_drawn()
    assert isinstance(cells, Cells)
    assert plot.width() == pytest.approx(plot.height())
    assert QRectF(0, 0, *size).contains(plot)
    first, last = cells.place(chart.frame, 0), cells.place(chart.frame, people**2 - 1)
    assert (first.left(), first.top()) == (plot.left(), plot.top())
    assert abs(last.right() - plot.right()) + abs(last.bottom() - plot.bottom()) < 2
    for item in (0, people - 1, people**2 - 2, people * (people // 2) + people // 3):
        assert cells.item_at(chart.frame, QPointF(place(chart, item))) == (0.0, item)
    assert cells.item_at(chart.frame, QPointF(plot.left() - 2, 50)) is None


def test_a_single_mistake_is_seen_in_both_themes() -> None:
    for look in (theme.LIGHT, theme.DARK):
        for size in (2.0, 30.0):
            colours = [shade(look, share, size) for share in (1 / 200, 0.1, 0.5, 1.0)]
            contrasts = [theme.contrast(colour, look.surface) for colour in colours]
            assert contrasts == sorted(contrasts)
            assert contrasts[0] > 1.3
            assert contrasts[-1] > 7


def test_depth_is_the_share_of_the_searches_for_a_person() -> None:
    levels = Cells(np.array([[199, 1, 0], [0, 0, 0], [5, 0, 5]]), NAMES).levels
    assert levels[0, 1] == 1
    assert levels[0, 2] == levels[1].sum() == 0
    assert levels[0, 0] > levels[2, 0] == levels[2, 2] > levels[0, 1]


def test_names_are_on_the_axes_where_there_is_room(small: ConfusionChart) -> None:
    assert small.frame.x.texts == small.frame.y.texts == list(NAMES)
    small.show_matrix(confused(12), numbered(12))
    assert small.frame.x.texts == [str(i) for i in range(1, 13)]
    assert small.frame.y.texts[1] == "2 Person 02"
    small.show_matrix(confused(60), numbered(60))
    assert small.frame.x.texts == small.frame.y.texts == [str(i) for i in range(1, 61, 5)]
    small.show_matrix(confused(3), ("Ada " * 40, "Grace", "Hedy"))
    assert "…" in small.frame.y.texts[0]
    assert small.frame.plot.width() > 120


def test_only_a_cell_with_searches_answers_a_click(qtbot: QtBot, small: ConfusionChart) -> None:
    for item, words in (
        (6, "Hedy taken for Ada: 3 of 10"),
        (4, "Grace recognised: 10 of 10"),
        (5, "Grace taken for Hedy: 0 of 10"),
    ):
        small.hover(QPointF(place(small, item)), False)
        assert small.toolTip() == words
        hand = small.cursor().shape() == Qt.CursorShape.PointingHandCursor
        assert hand == bool(SMALL.ravel()[item])
    with qtbot.waitSignal(small.cell_clicked) as click:
        qtbot.mouseClick(small, LEFT, pos=place(small, 6))
    assert click.args == [2, 0]
    with qtbot.assertNotEmitted(small.cell_clicked):
        qtbot.mouseClick(small, LEFT, pos=place(small, 2))


def test_keys_go_from_cell_to_cell_and_enter_clicks(qtbot: QtBot, small: ConfusionChart) -> None:
    small.clearFocus()
    small.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(small.hasFocus)
    key = Qt.Key
    for press, item in zip(
        (key.Key_Up, key.Key_Right, key.Key_Down, key.Key_Down, key.Key_Down, key.Key_Left),
        (0, 1, 4, 7, 7, 6),
        strict=True,
    ):
        qtbot.keyClick(small, press)
        assert stands_at(small, item)
    with qtbot.waitSignal(small.cell_clicked) as pressed:
        qtbot.keyClick(small, key.Key_Return)
    assert pressed.args == [2, 0]
    small.show_matrix(SMALL[:2, :2], NAMES[:2])
    assert "Chosen" not in small.accessibleDescription()


def test_it_says_in_words_who_is_confused(qtbot: QtBot, small: ConfusionChart) -> None:
    said = small.accessibleDescription()
    assert "26 of 30 searches named the right person. Hedy taken for Ada: 3 of 10." in said
    assert "Ada taken for Grace: 1 of 10." in said
    assert "Grace taken" not in said
    empty = matrix(qtbot, np.zeros((0, 0), np.intp), ())
    assert empty.accessibleDescription() == "Nothing is drawn yet."
    assert empty.focusPolicy() == Qt.FocusPolicy.NoFocus
    empty.press(QPointF(200, 100))
    assert not empty.grab().isNull()


def test_the_bar_of_depths_is_there_where_there_is_room(qtbot: QtBot) -> None:
    chart = matrix(qtbot, confused(40), numbered(40))
    assert chart.marks_drawn()[0].bar
    chart.resize(260, 320)
    QApplication.processEvents()
    assert not chart.marks_drawn()[0].bar
