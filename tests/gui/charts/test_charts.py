"""What the charts draw and describe, and how they react; arrays and texts, not pixels."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.charts import (
    BarChart,
    Chart,
    CurveChart,
    PairedBars,
    SpectrumChart,
    export_png,
    export_svg,
)
from gui.charts.axes import every, linear_ticks, log_ticks, nice_step, short_number
from tests.gui import seen

K = np.arange(1, 400)
KEPT = np.cumsum(1 / K) / np.sum(1 / K)
LABEL = f"k = 120 · {100 * KEPT[119]:.1f} %"


TITLES = "component", "singular value"
PLOTS = [*(partial(kind, *TITLES) for kind in (CurveChart, BarChart, PairedBars)), SpectrumChart]


def shown(qtbot: QtBot, chart: Chart) -> Chart:
    return seen.show(qtbot, chart, (420, 260))


@pytest.fixture
def curve(qtbot: QtBot) -> CurveChart:
    chart = CurveChart("number of components k", "variance kept")
    chart.show_curve(K, KEPT)
    chart.set_mark(120, LABEL)
    shown(qtbot, chart)
    return chart


def place(chart: Chart, value: float) -> QPoint:
    """Where a value of the horizontal axis is on the chart, in the middle of its height."""
    return QPoint(round(chart.frame.px(value)), round(chart.frame.plot.center().y()))


def listen(chart: CurveChart) -> list[tuple[str, int]]:
    """What the cursor reports, in order."""
    heard: list[tuple[str, int]] = []
    chart.mark_moved.connect(lambda k: heard.append(("moved", k)))
    chart.mark_released.connect(lambda k: heard.append(("released", k)))
    return heard


def test_charts_are_loaded_without_anything_heavy() -> None:
    code = (
        "import sys, gui.charts, gui.widgets.face_list; heavy = {'scipy', 'skimage', 'matplotlib',"
        " 'sklearn', 'OpenGL'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_curve_is_drawn_as_given(curve: CurveChart) -> None:
    (line,) = curve.lines()
    np.testing.assert_array_equal(line.x, K)
    np.testing.assert_allclose(line.y, KEPT)
    assert curve.painted[0].area
    assert curve.frame.y.texts == ["0%", "25%", "50%", "75%", "100%"]
    assert curve.frame.x.texts[0] == "0"


def test_the_mark_writes_its_label(curve: CurveChart) -> None:
    assert curve.tag.label == LABEL
    curve.set_mark(40, "k = 40")
    assert (curve.mark(), curve.tag.label) == (40, "k = 40")
    assert "k = 40" in curve.accessibleDescription()


def test_cursor_stays_on_the_curve(curve: CurveChart) -> None:
    curve.set_mark(9000, "k")
    assert curve.mark() == 399
    curve.set_mark(-3, "k")
    assert curve.mark() == 1
    curve.set_mark(300, "k")
    curve.show_curve(K[:50], KEPT[:50])
    assert curve.mark() == 50


def test_click_jumps_and_reports_once(qtbot: QtBot, curve: CurveChart) -> None:
    heard = listen(curve)
    qtbot.mouseClick(curve, Qt.MouseButton.LeftButton, pos=place(curve, 200))
    at = curve.mark()
    assert at is not None
    assert abs(at - 200) <= 1
    assert heard == [("moved", at), ("released", at)]


def test_dragging_follows_the_pointer(qtbot: QtBot, curve: CurveChart) -> None:
    moves: list[int] = []
    ends: list[int] = []
    curve.mark_moved.connect(moves.append)
    curve.mark_released.connect(ends.append)
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(curve, left, pos=place(curve, 120))
    moves.clear()
    for k in (150, 250, 900):
        curve.hover(QPointF(place(curve, k)), True)
    assert moves[0] == pytest.approx(150, abs=1)
    assert moves[1] == pytest.approx(250, abs=1)
    assert moves[2] == 399
    assert ends == []
    qtbot.mouseRelease(curve, left, pos=place(curve, 399))
    assert ends == [399]
    curve.hover(QPointF(place(curve, 10)), False)
    assert curve.mark() == 399


@pytest.mark.parametrize(
    ("key", "k"),
    [
        (Qt.Key.Key_Left, 119),
        (Qt.Key.Key_Right, 121),
        (Qt.Key.Key_PageUp, 130),
        (Qt.Key.Key_PageDown, 110),
        (Qt.Key.Key_Home, 1),
        (Qt.Key.Key_End, 399),
    ],
)
def test_keys_move_the_cursor(qtbot: QtBot, curve: CurveChart, key: Qt.Key, k: int) -> None:
    heard = listen(curve)
    qtbot.keyClick(curve, key)
    assert heard == [("moved", k), ("released", k)]


def test_a_curve_without_cursor_ignores_the_mouse(qtbot: QtBot) -> None:
    chart = CurveChart("k", "relative error")
    chart.show_curve(K, 1 - KEPT)
    shown(qtbot, chart)
    with qtbot.assertNotEmitted(chart.mark_moved):
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place(chart, 9))
    assert chart.mark() is None
    assert chart.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_wheel_belongs_to_the_page(curve: CurveChart) -> None:
    before = (curve.frame.x.lo, curve.frame.x.hi, curve.frame.y.lo, curve.frame.y.hi)
    nothing = QPoint()
    wheel = QWheelEvent(
        QPointF(200, 100),
        QPointF(200, 100),
        nothing,
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(curve, wheel)
    assert not wheel.isAccepted()
    assert (curve.frame.x.lo, curve.frame.x.hi, curve.frame.y.lo, curve.frame.y.hi) == before


def test_spectrum_shows_the_first_sixty(qtbot: QtBot) -> None:
    values = 30_000 / np.sqrt(np.arange(1.0, 200.0))
    chart = SpectrumChart()
    chart.show_spectrum(values, log=False)
    shown(qtbot, chart)
    x, y = chart.bars()
    np.testing.assert_array_equal(x, np.arange(1, 61))
    np.testing.assert_array_equal(y, values[:60])
    assert chart.frame.y.texts == ["0", "10k", "20k", "30k"]


def test_bars_stand_on_zero_and_a_logarithmic_axis_has_dots(qtbot: QtBot) -> None:
    chart = seen.show(qtbot, SpectrumChart(), (400, 300))
    chart.show_spectrum([100.0, 10.0, 1.0], log=False)
    frame, top = chart.frame, QPointF(chart.frame.px(1), chart.frame.py(40))
    bars = [*chart.bars_drawn()[0].paths(frame)]
    assert {bar.boundingRect().bottom() for bar in bars} == {frame.plot.bottom()}
    assert [bar.contains(top) for bar in bars] == [True, False, False]
    chart.show_spectrum([100.0, 10.0, 1.0], log=True)
    dots = [*chart.bars_drawn()[0].paths(frame)]
    lowest = max(dot.boundingRect().bottom() for dot in dots)
    assert lowest < frame.plot.bottom(), "the axis has no zero to stand on"
    assert not dots[0].contains(QPointF(frame.px(1), frame.py(1)))
    for at, dot in enumerate(dots, start=1):
        assert dot.contains(QPointF(frame.px(at), frame.py(3 - at)))


def test_logarithmic_axis_names_powers(qtbot: QtBot) -> None:
    chart = SpectrumChart()
    chart.show_spectrum(10.0 ** np.linspace(4, 0, 40), log=True)
    shown(qtbot, chart)
    assert chart.frame.y.texts == ["1", "10", "100", "1k", "10k"]
    heights = [height for height, _ in chart.frame.y.ticks]
    np.testing.assert_allclose(np.diff(heights), 1)


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [5.0], [3.0, 0.0]])
@pytest.mark.parametrize("log", [False, True])
def test_a_poor_spectrum_is_drawn_too(qtbot: QtBot, values: list[float], log: bool) -> None:
    chart = SpectrumChart()
    chart.show_spectrum(values, log)
    shown(qtbot, chart)
    assert chart.bars()[1].size == len(values)


def test_bars_that_stand_out_carry_a_sign(qtbot: QtBot) -> None:
    chart = BarChart("photo", "distance")
    chart.show_bars(["1", "2", "3"], [10.0, 12.0, 40.0], {2})
    shown(qtbot, chart)
    labels, values = chart.bars()
    assert labels == ("1", "2", "3")
    np.testing.assert_array_equal(values, [10, 12, 40])
    assert chart.highlighted() == {2}
    assert chart.frame.x.texts == ["1", "2", "3"]
    assert "Standing out: 3." in chart.accessibleDescription()
    chart.show_bars(["1", "2"], [10.0, 12.0], set())
    assert chart.highlighted() == set()


def test_a_bar_can_be_clicked_or_chosen_by_keys(qtbot: QtBot) -> None:
    chart = BarChart("photo", "distance")
    chart.show_bars(["1", "2", "3"], [30.0, 30.0, 40.0], set())
    shown(qtbot, chart)
    with qtbot.waitSignal(chart.clicked) as click:
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place(chart, 1))
    assert click.args == [1]
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    with qtbot.waitSignal(chart.clicked) as press:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert press.args == [2]


def test_many_bars_get_fewer_labels(qtbot: QtBot) -> None:
    chart = BarChart("photo", "distance")
    chart.show_bars([str(i) for i in range(1, 201)], np.ones(200), set())
    shown(qtbot, chart)
    assert 2 < len(chart.frame.x.texts) < 40


def test_pairs_are_drawn_side_by_side_with_names(qtbot: QtBot) -> None:
    chart = PairedBars("component", "squared distance")
    series = {"to Person 13": np.array([1.0, 2, 0]), "to runner-up": np.array([16.0, 10, 2])}
    chart.show_series(("1–8", "9–16", "17"), series)
    shown(qtbot, chart)
    first, second = chart.bars_drawn()
    np.testing.assert_array_equal(first.heights, [1, 2, 0])
    np.testing.assert_array_equal(second.heights, [16, 10, 2])
    assert (first.at < second.at).all()
    assert [name for name, _ in chart.legend.entries] == list(series)
    assert chart.frame.x.texts == ["1–8", "9–16", "17"]
    assert chart.frame.y.texts == ["0", "5", "10", "15"]
    assert "to runner-up: most at 1–8, 16." in chart.accessibleDescription()
    chart.hover(QPointF(chart.frame.px(0.2), chart.frame.plot.center().y()), False)
    assert chart.toolTip() == "component: 1–8\nto Person 13: 1\nto runner-up: 16"


def test_a_pair_is_chosen_by_click_and_keys(qtbot: QtBot) -> None:
    chart = PairedBars("component", "squared distance")
    chart.show_series(("1", "2"), {"to Ada": np.array([1.0, 2])})
    shown(qtbot, chart)
    at = QPointF(chart.frame.px(1.0), chart.frame.plot.center().y()).toPoint()
    with qtbot.waitSignal(chart.clicked) as clicked:
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at)
    assert clicked.args == [1]
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    with qtbot.waitSignal(chart.clicked) as clicked:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert clicked.args == [0]
    (only,) = chart.bars_drawn()
    assert chart.outline(0).contains(chart.frame.px(float(only.at[0])), chart.frame.py(0.5))


@pytest.mark.parametrize("made", PLOTS)
def test_every_plot_has_a_name_and_follows_the_theme(
    qtbot: QtBot, made: Callable[[], Chart]
) -> None:
    chart = made()
    shown(qtbot, chart)
    assert chart.accessibleName() == "Plot: singular value against component"
    assert chart.minimumHeight() >= 140
    coloured: list[str] = []
    chart.colour = lambda look: coloured.append(look.name)  # type: ignore[method-assign]
    QApplication.sendEvent(chart, QEvent(QEvent.Type.PaletteChange))
    assert len(coloured) == 1


def test_export_writes_lines_and_pixels(curve: CurveChart, tmp_path: Path) -> None:
    export_svg(curve, tmp_path / "plot.svg")
    text = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "100%" in text
    assert "k = 120" in text
    export_png(curve, tmp_path / "plot.png")
    assert QImage(str(tmp_path / "plot.png")).size() == curve.size() * 2


def test_export_says_when_it_cannot_write(curve: CurveChart, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="gone"):
        export_svg(curve, tmp_path / "gone" / "plot.svg")


@pytest.mark.parametrize(
    ("lo", "hi", "percent", "texts"),
    [
        (0, 1, True, ["0%", "25%", "50%", "75%", "100%"]),
        (0, 400, False, ["0", "100", "200", "300", "400"]),
        (0, 0.01, True, ["0.00%", "0.25%", "0.50%", "0.75%", "1.00%"]),
        (0, 33_000, False, ["0", "10k", "20k", "30k"]),
        (0, 2900, False, ["0", "1000", "2000"]),
    ],
)
def test_ticks_are_round(lo: float, hi: float, percent: bool, texts: list[str]) -> None:
    ticks = linear_ticks(lo, hi, 4, percent=percent, whole=False)
    assert [text for _, text in ticks] == texts


def test_ticks_of_narrow_and_wide_ranges() -> None:
    assert nice_step(0, 5) == 1
    assert nice_step(3, 5, whole=True) == 1
    assert [text for _, text in log_ticks(3.5, 4.6, 6)] == ["5k", "10k", "20k"]
    assert len(log_ticks(-300, 300, 6)) <= 8
    assert [text for _, text in every(("a", "b", "c"), 2)] == ["a", "c"]
    assert short_number(2_500_000) == "2.5M"


@pytest.mark.parametrize("made", PLOTS)
def test_only_the_chart_itself_takes_the_focus(qtbot: QtBot, made: Callable[[], Chart]) -> None:
    chart = made()
    qtbot.addWidget(chart)
    assert not chart.findChildren(QWidget)


def test_what_moves_over_a_curve_leaves_the_rest_as_it_is(
    curve: CurveChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []
    monkeypatch.setattr(curve, "paint_content", lambda *_: painted.append("content"))
    for k in (10, 200, 300):
        curve.set_mark(k, f"k = {k}")
        curve.repaint()
    assert painted == [], "the mark is dragged: only it is painted anew"
    curve.show_curve(K, KEPT)
    curve.repaint()
    assert painted == ["content"]


@pytest.mark.parametrize(("count", "texts"), [(1, ["1"]), (2, ["1", "2"]), (24, ["10", "20"])])
def test_bars_of_components_are_numbered_from_one(
    qtbot: QtBot, count: int, texts: list[str]
) -> None:
    spectrum = SpectrumChart()
    spectrum.show_spectrum([1.0] * count, log=False)
    shown(qtbot, spectrum)
    assert set(texts) <= set(spectrum.frame.x.texts)
    assert all(1 <= int(text) <= count for text in spectrum.frame.x.texts)


def test_small_distances_keep_their_digits(qtbot: QtBot) -> None:
    chart = BarChart("photo", "distance")
    chart.show_bars(["1", "2"], [1.2345, 0.4321], set())
    shown(qtbot, chart)
    assert "1: 1.234, 2: 0.4321" in chart.accessibleDescription()
    qtbot.mouseMove(chart, place(chart, 0))
    chart.hover(QPointF(place(chart, 0)), False)
    assert chart.toolTip() == "photo 1: 1.234"
