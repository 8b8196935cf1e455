"""Marks: a line to drag, histograms, bars, points between lines, and cells."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from eigenfaces.recognition.statistics import Histogram, bin_edges
from gui.plots.axes import Axis
from gui.plots.marks import (
    Bars,
    Heatmap,
    HistogramMark,
    Points,
    ReferenceLine,
    ShadedRegion,
    cell_colour,
    curve_over_k,
    histogram_marks,
)
from gui.plots.plot import PlotView
from gui.style import theme
from tests.gui import seen
from tests.gui.plots.test_plot import LEFT, drawn, place, stands_at

KEPT = np.cumsum(1 / np.arange(1, 401)) / np.sum(1 / np.arange(1, 401))
NEAR, FAR = np.array([2.2, 4.1, 4.4, 5.0, 7.3]), np.array([7.1, 9.0, 9.2, 9.4])
SPREAD = Histogram.of(bin_edges(np.concatenate([NEAR, FAR])), NEAR, FAR)
SMALL = np.array([[9, 1, 0], [0, 10, 0], [3, 0, 7]])
NAMES = ("Ada", "Grace", "Hedy")
MEMBERS = np.array([[2.0, 0.3], [4.0, 0.4], [9.0, 0.7]])
STRANGERS = np.array([[11.0, 0.4], [14.0, 0.5]])


# A curve with a line that can be dragged


@pytest.fixture
def curve(qtbot: QtBot) -> PlotView:
    marks, x, y = curve_over_k("variance kept", KEPT)
    plot = drawn(qtbot, *marks, x=x, y=y)
    plot.move_line(120, "k = 120")
    return plot


def test_a_press_jumps_and_a_drag_follows(qtbot: QtBot, curve: PlotView) -> None:
    assert curve.axes.y.texts[-1] == "100%"
    signals = seen.told(curve.line_moved, curve.released)
    qtbot.mousePress(curve, LEFT, pos=place(curve, 200))
    for k in (150, 9000):
        curve.track_pointer(QPointF(curve.axes.px(k), 99), True)
    qtbot.mouseRelease(curve, LEFT)
    assert signals == [pytest.approx(200, abs=1), 150, 399, ()]
    qtbot.mousePress(curve, LEFT, pos=place(curve, 200))
    curve.show_marks(curve.marks[:1])
    curve.track_pointer(QPointF(place(curve, 10)), True)
    qtbot.mouseRelease(curve, LEFT)
    curve.show_marks(*curve_over_k("variance kept", KEPT))
    curve.move_line(399, "k = 399")
    curve.track_pointer(QPointF(place(curve, 10)), False)
    assert curve.marks_of(ReferenceLine)[0].value == 399


def test_keys_move_the_line(qtbot: QtBot, curve: PlotView) -> None:
    signals, before = seen.told(curve.line_moved, curve.released), curve.grab().toImage()
    curve.clearFocus()
    curve.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(curve.hasFocus)
    assert curve.grab().toImage() != before, "the keys are seen to be here"
    for key, k in seen.keyed(Left=119, Right=120, PageUp=130, PageDown=120, Home=0, End=399):
        qtbot.keyClick(curve, key)
        assert signals[-2:] == [k, ()]


# Histograms


@pytest.fixture
def close(qtbot: QtBot) -> PlotView:
    histograms = histogram_marks(SPREAD, "5 enrolled", "4 others")
    lines = [ReferenceLine(9.48, "limit 9.48", solid=True), ReferenceLine(1.0, "this photo")]
    return drawn(qtbot, *lines, *histograms, x=Axis("distance"), y=Axis("photos", percent=True))


def test_both_histograms_are_filled_from_zero_up(close: PlotView) -> None:
    histograms = close.marks_of(HistogramMark)
    for line, shares in zip(histograms, (SPREAD.mated, SPREAD.non_mated), strict=True):
        assert line.y[1:-1:2] == pytest.approx(shares)
        assert line.y[0] == line.y[-1] == 0
        assert close.axes.y.hi > shares.max() >= close.axes.y.lo == 0
    assert [name for name, _ in close.legend()] == ["5 enrolled", "4 others"]
    assert len({line.stroke.dashes for line in histograms}) == 2, "not by colour alone"
    assert len(histogram_marks(SPREAD, "5 enrolled", "")) == 1


def test_a_bin_is_read_under_the_pointer(close: PlotView) -> None:
    middle = close.axes.plot.center().y()
    close.track_pointer(QPointF(close.axes.px(9.1), middle), False)
    assert close.toolTip() == "5 enrolled, 9 to 10: 0.0 %\n4 others, 9 to 10: 75.0 %"
    close.track_pointer(QPointF(1, 1), False)
    assert close.toolTip() == ""
    assert close.focusPolicy() == Qt.FocusPolicy.NoFocus
    words = close.accessibleDescription()
    assert "5 enrolled: highest at 4 to 5: 40.0 %." in words
    assert "Marked: limit 9.48. The line is at this photo." in words


# Bars


@pytest.fixture
def bars(qtbot: QtBot) -> PlotView:
    mark = Bars({"": np.array([10.0, 12.0, 40.0])}, ("1", "2", "3"), frozenset({2}))
    return drawn(qtbot, mark, x=Axis("photo"), y=Axis("distance"))


def test_bars_stand_on_zero_and_what_stands_out_is_said(bars: PlotView) -> None:
    axes, (mark,) = bars.axes, bars.marks_of(Bars)
    places = [place for item in range(3) for place in mark.bar_rects(axes, item)]
    assert {place.bottom() for place in places} == {axes.plot.bottom()}
    assert [place.top() for place in places] == pytest.approx([axes.py(v) for v in (10, 12, 40)])
    assert axes.x.texts == ["1", "2", "3"]
    assert bars.accessibleDescription().endswith("1: 10, 2: 12, 3: 40. Standing out: 3.")
    bars.track_pointer(QPointF(place(bars, 2)), False)
    assert bars.toolTip() == "photo 3: 40 — stands out"
    bars.show_marks([Bars({"": np.ones(200)}, tuple(str(i) for i in range(1, 201)))])
    assert 2 < len(bars.axes.x.texts) < 40


def test_bars_below_zero_hang_from_it(bars: PlotView) -> None:
    bars.show_marks([Bars({"": np.array([2.0, -1.0, np.nan])}, ("a", "b", "c"))])
    up, down = (bars.marks_of(Bars)[0].bar_rects(bars.axes, item)[0] for item in (0, 1))
    assert up.bottom() == down.top() == pytest.approx(bars.axes.py(0.0))
    assert bars.axes.plot.contains(down)
    assert not bars.grab().isNull()


def test_pairs_are_drawn_side_by_side_with_names(bars: PlotView) -> None:
    series = {"to Person 13": np.array([1.0, 2, 0]), "to runner-up": np.array([16.0, 10, 2])}
    bars.show_marks([Bars(series, ("1–8", "9–16", "17"))])
    for item in range(3):
        left, right = bars.marks_of(Bars)[0].bar_rects(bars.axes, item)
        assert left.right() <= right.left()
    assert [name for name, _ in bars.legend()] == list(series)
    assert bars.axes.x.texts == ["1–8", "9–16", "17"]
    assert "to runner-up: highest at 1–8, 16." in bars.accessibleDescription()
    bars.track_pointer(QPointF(bars.axes.px(0.2), bars.axes.plot.center().y()), False)
    assert bars.toolTip() == "photo: 1–8\nto Person 13: 1\nto runner-up: 16"


@pytest.mark.parametrize(("count", "texts"), [(1, ["1"]), (2, ["1", "2"]), (24, ["10", "20"])])
def test_bars_without_labels_are_numbered_from_one(qtbot, count, texts):
    plot = drawn(qtbot, Bars({"": np.ones(count)}), x=Axis("component"))
    assert set(texts) <= set(plot.axes.x.texts)
    assert all(1 <= int(text) <= count for text in plot.axes.x.texts)


# Points between two lines


@pytest.fixture
def questions(qtbot: QtBot) -> PlotView:
    marks = [
        ReferenceLine(10.0, solid=True),
        ReferenceLine(0.6, solid=True, across=True),
        Points("", np.array([[4.59, 0.5]]), "ok", ("this photo",)),
        Points("enrolled", MEMBERS),
        Points("strangers", STRANGERS),
        ShadedRegion(None, 10.0, None, 0.6, "ok", "enrolled"),
        ShadedRegion(10.0, None, 0.6, None, "bad", "not a face"),
    ]
    x, y = Axis("distance", span=(0, 20)), Axis("no face", percent=True, span=(0, 0.9))
    return drawn(qtbot, *marks, x=x, y=y)


def test_classes_differ_in_shape_and_regions_reach_the_edges(questions: PlotView) -> None:
    names, kinds = zip(*questions.legend(), strict=True)
    assert names == ("enrolled", "strangers")
    assert len({kind.shape for kind in kinds}) == len({kind.colour.name() for kind in kinds}) == 2
    axes = questions.axes
    lower_left, upper_right = (region.rect(axes) for region in questions.marks_of(ShadedRegion))
    crossing = QPointF(axes.px(10.0), axes.py(0.6))
    assert lower_left.topRight() == upper_right.bottomLeft() == crossing
    assert lower_left.bottomLeft() == questions.axes.plot.bottomLeft()
    questions.track_pointer(QPointF(axes.px(14.0), axes.py(0.5)), False)
    assert questions.toolTip() == "strangers\ndistance: 14\nno face: 50.0 %"
    described = questions.accessibleDescription()
    for words in (
        "The line is at distance: 10. The line is at no face: 60.0 %.",
        "This photo: distance: 4.59, no face: 50.0 %. enrolled: 3 points. strangers: 2 points.",
    ):
        assert words in described


# Cells


def matrix(
    qtbot: QtBot, counts: np.ndarray, names: tuple[str, ...], size: tuple[int, int] = (520, 320)
) -> PlotView:
    cells = Heatmap(counts / 10, names, counts.astype(str))
    return drawn(qtbot, cells, x=Axis("recognised as"), y=Axis("person"), size=size)


def numbered(people: int) -> tuple[str, ...]:
    return tuple(f"Person {i:02d}" for i in range(1, people + 1))


@pytest.fixture
def small(qtbot: QtBot) -> PlotView:
    return matrix(qtbot, SMALL, NAMES)


@pytest.mark.parametrize("size", [(520, 320), (360, 220), (160, 140)])
@pytest.mark.parametrize("people", [2, 60])
def test_cells_are_square_inside_and_found(qtbot, people, size):
    plot = matrix(qtbot, 9 * np.eye(people), numbered(people), size)
    room, (cells,) = plot.axes.plot, plot.marks_of(Heatmap)
    assert room.width() == pytest.approx(room.height())
    assert QRectF(0, 0, *size).contains(room)
    first, last = cells.cell_rect(plot.axes, 0), cells.cell_rect(plot.axes, people**2 - 1)
    assert first.topLeft() == room.topLeft()
    assert (last.bottomRight() - room.bottomRight()).manhattanLength() < 1e-6
    for item in (0, people - 1, people**2 - 2, people * (people // 2) + people // 3):
        middle = cells.cell_rect(plot.axes, item).center()
        assert cells.item_at(plot.axes, middle) == (0.0, item)
        assert QPointF(*cells.item_pixels(plot.axes)[item].tolist()) == middle
    assert cells.item_at(plot.axes, QPointF(room.left() - 2, 50)) is None
    assert cells.has_bar == (size[0] - room.width() > 200) or size == (360, 220)


def test_a_single_mistake_is_seen_in_both_themes() -> None:
    for look in (theme.LIGHT, theme.DARK):
        for size in (2.0, 30.0):
            colours = [cell_colour(look, share, size) for share in (1 / 200, 0.1, 0.5, 1.0)]
            contrasts = [theme.contrast(colour, look.surface) for colour in colours]
            assert contrasts == sorted(contrasts)
            assert contrasts[0] > 1.3
            assert contrasts[-1] > 7


def test_names_are_on_the_axes_where_there_is_room(qtbot: QtBot, small: PlotView) -> None:
    assert small.axes.x.texts == small.axes.y.texts == [*NAMES]
    axes = matrix(qtbot, np.eye(12), numbered(12)).axes
    assert axes.x.texts == [str(i) for i in range(1, 13)]
    assert axes.y.texts[1] == "2 Person 02"
    axes = matrix(qtbot, np.eye(60), numbered(60)).axes
    assert axes.x.texts == axes.y.texts == [str(i) for i in range(1, 61, 5)]
    axes = matrix(qtbot, np.eye(3), ("Ada " * 40, "Grace", "Hedy")).axes
    assert "…" in axes.y.texts[0]
    assert axes.plot.width() > 120


def test_only_a_cell_with_something_answers_the_pointer_and_the_keys(qtbot, small):
    clicks = seen.told(small.picked)
    for item in (6, 2):
        small.track_pointer(QPointF(place(small, item)), False)
        hand = small.cursor().shape() == Qt.CursorShape.PointingHandCursor
        assert hand == bool(SMALL.ravel()[item])
        qtbot.mouseClick(small, LEFT, pos=place(small, item))
    assert clicks == [(0, 6)]
    small.show_marks([Heatmap(SMALL / 10, NAMES, SMALL.astype(str))])
    keys = seen.keyed(Up=2, Left=1, Down=4) + seen.keyed(Down=7) + seen.keyed(Down=7, Left=6)
    for key, item in keys:
        qtbot.keyClick(small, key)
        assert stands_at(small, item)
    qtbot.keyClick(small, Qt.Key.Key_Return)
    assert clicks == [(0, 6)] * 2
    small.show_marks([Heatmap(SMALL[:2, :2] / 10, NAMES[:2], SMALL.astype(str))])
    assert "Chosen" not in small.accessibleDescription()
