"""A plot: what is drawn of its marks, where, what it says, and what pointer and keys do."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from gui.plots.axes import Axis
from gui.plots.canvas import PLOT_FILES, install_context_menu, save_plot
from gui.plots.marks import Bars, Line, PlotMark, ReferenceLine
from gui.plots.plot import PlotView
from gui.style import theme
from tests.gui import seen

K = np.arange(1.0, 320.0)
ACCURACY = 0.975 - 0.85 / K**1.2
FAR = np.concatenate([[0.0], np.geomspace(1e-4, 1, 5000)])
LEFT = Qt.MouseButton.LeftButton


def diagonal() -> Line:
    return Line("chance", np.array([0.0, 1.0]), np.array([0.0, 1.0]), faint=True)


def several(count: int) -> list[Line]:
    return [Line(f"distance {i}", K, ACCURACY - 0.02 * i) for i in range(count)]


def drawn(
    qtbot: QtBot,
    *marks: PlotMark,
    x: Axis | None = None,
    y: Axis | None = None,
    size: tuple[int, int] = (520, 320),
) -> PlotView:
    plot = PlotView(x or Axis("k"), y or Axis("accuracy", percent=True))
    assert plot.accessibleDescription() == "Nothing has been drawn yet."
    plot.show_marks(marks)
    return seen.show(qtbot, plot, size)


def place(plot: PlotView, item: int, mark: int = 0) -> QPoint:
    return QPointF(*plot.marks[mark].item_pixels(plot.axes)[item].tolist()).toPoint()


def stands_at(plot: PlotView, item: int, mark: int = 0) -> bool:
    reading = ", ".join(plot.item_text(mark, item).splitlines())
    return plot.accessibleDescription().endswith(f"Chosen: {reading}.")


@pytest.fixture
def accuracy(qtbot: QtBot) -> PlotView:
    line = Line("L2", K, ACCURACY, ACCURACY - 0.03, ACCURACY + 0.02, dotted=True)
    return drawn(qtbot, line, x=Axis("number of components", "log scale", log=True))


@pytest.fixture
def roc(qtbot: QtBot) -> PlotView:
    x, y = Axis("false accepts", percent=True), Axis("true accepts", percent=True)
    return drawn(qtbot, Line("L2", FAR, FAR**0.05, filled=True), diagonal(), x=x, y=y)


# What is drawn


def test_a_line_is_drawn_on_its_axes_in_the_colours_of_the_theme(accuracy, qapp, light_again):
    axes, (line,) = accuracy.axes, accuracy.marks_of(Line)
    light = line.stroke
    theme.apply(qapp, "dark")
    assert line.stroke != light
    assert line.y is ACCURACY
    assert axes.x.texts == ["1", "2", "5", "10", "20", "50", "100", "200"]
    assert axes.y.texts == ["0%", "20%", "40%", "60%", "80%", "100%"]
    across, up = line.item_pixels(axes).T
    np.testing.assert_allclose(across[9] - across[0], across[99] - across[9])
    np.testing.assert_allclose(up, [axes.py(value) for value in ACCURACY])
    value = axes.value_at(QPointF(across[9], up[9]))
    np.testing.assert_allclose(value, [1.0, ACCURACY[9]])


def test_areas_and_bands_end_at_their_limits_and_with_the_plot(roc: PlotView) -> None:
    line, _ = roc.marks_of(Line)
    (area,) = line.band_polygons(roc.axes, None, line.y)
    assert area.boundingRect().bottom() == roc.axes.plot.bottom()
    roc.show_marks([*several(2), diagonal()])
    assert not any(line.alone for line in roc.marks_of(Line)), "areas would hide each other"
    line = Line("L2", K, ACCURACY, ACCURACY - 0.03, ACCURACY + 0.02)
    y = Axis("accuracy", percent=True, span=(0.9, 1.0))
    roc.show_marks([line], Axis("k", log=True, span=(10, 100)), y)
    below = QPointF(roc.axes.plot.bottomLeft() + QPointF(4, 6)).toPoint()
    image = roc.grab().toImage()
    assert image.pixelColor(below) == image.pixelColor(1, 1), "bands end with the plot"
    roc.show_marks([line], Axis("k", log=True), Axis("accuracy", percent=True))
    (band,) = line.band_polygons(roc.axes, line.low, line.high)
    ends = band.boundingRect()
    assert ends.bottom() == pytest.approx(roc.axes.py(ACCURACY[0] - 0.03))
    assert ends.top() == pytest.approx(roc.axes.py(ACCURACY[-1] + 0.02))


def test_a_line_breaks_where_it_has_no_value(qtbot: QtBot) -> None:
    y = ACCURACY[:9].copy()
    y[4] = np.nan
    plot = drawn(qtbot, Line("", K[:9], y))
    assert [run.size() for run in plot.marks_of(Line)[0].line_polygons(plot.axes)] == [4, 4]


def test_logarithmic_axes_leave_out_zero(qtbot: QtBot) -> None:
    x, y = (Axis(name, log=True, percent=True) for name in ("FMR", "FNMR"))
    line = Line("L2", FAR, np.append(1 - FAR[:-1] ** 0.1, 0.0))
    plot = drawn(qtbot, line, x=x, y=y)
    spots = line.item_pixels(plot.axes)
    assert np.isnan(spots[0, 0])
    assert np.isnan(spots[-1, 1])
    assert plot.axes.x.texts == ["0.01%", "0.1%", "1%", "10%", "100%"]
    assert plot.axes.y.hi <= 0
    plot.show_marks([line], Axis("FMR"), Axis("FNMR"))
    assert not np.isnan(line.item_pixels(plot.axes)).any()


def test_the_range_is_given_or_fitted(qtbot: QtBot) -> None:
    line = Line("", K[:20], 1 - 0.02 / K[:20])
    plot = drawn(qtbot, line)
    assert plot.axes.y.hi == 1
    assert 0.9 < plot.axes.y.lo < 0.98
    assert plot.axes.x.texts == ["1", "5", "10", "15", "20"]
    plot.show_marks([line], Axis("rank", span=(0, 40)), Axis("found", span=(0, 1)))
    assert (plot.axes.x.lo, plot.axes.x.hi, plot.axes.y.lo) == (0, 40, 0)
    plot.show_marks([line], Axis("rank", span=(10, 20)), Axis("found", percent=True))
    assert plot.axes.y.lo > 0.99 - 0.05, "what lies outside needs no room"
    plot.show_marks([Line("", K[:8], ACCURACY[:8])], Axis("rank"))
    assert (plot.axes.x.lo, plot.axes.x.hi) == (1, 8)
    assert plot.axes.x.texts == list("12345678"), "few whole numbers are all named"


def test_several_lines_have_a_legend_that_covers_nothing(qtbot: QtBot) -> None:
    plot = drawn(qtbot, *several(6), diagonal())
    for width in (520, 260, 180):
        plot.resize(width, 320)
        QApplication.processEvents()
        box = plot.legend_rect()
        assert not box.intersects(plot.axes.plot)
        assert QRectF(0, 0, width, 320).contains(box)
        names = [name for _, (name, _) in plot.legend_layout()]
        assert names == [f"distance {i}" for i in range(6)]
    assert len({box.top() for box, _ in plot.legend_layout()}) > 3
    plot.show_marks([Line("a name that goes on and on " * 5, K, ACCURACY), *several(1)])
    assert "…" in plot.legend_layout()[0][1][0]
    assert plot.legend_rect().right() <= plot.width()
    plot.show_marks(several(1))
    assert plot.legend() == []


@pytest.mark.parametrize("lines", [1, 5])
def test_words_of_a_line_cover_nothing(qtbot: QtBot, lines: int) -> None:
    for at in (1, 100, 319):
        line = ReferenceLine(at, f"k = {at}")
        plot = drawn(qtbot, *several(lines), line, x=Axis("k", log=True))
        assert float(plot.axes.x.transform(np.array(at))) == pytest.approx(np.log10(at))
        assert f"The line is at k = {at}." in plot.accessibleDescription()
        box = line.label_rect(plot.axes)
        assert not box.intersects(plot.axes.plot)
        assert not box.intersects(plot.legend_rect())
        assert QRectF(plot.rect()).contains(box)
    plot.show_marks([*several(1), ReferenceLine(9000, "k = 9000")])
    assert "line is at" not in plot.accessibleDescription(), "it would stand beside the plot"


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize(
    "marks",
    [
        [],
        [diagonal()],
        [Line("", np.zeros(0), np.zeros(0))],
        [Line("", K[:3], np.full(3, np.nan))],
        [Line("", np.zeros(1), np.zeros(1))],
        [Line("", K[:4], np.ones(4), np.ones(4), np.ones(4))],
        [Bars({"": np.zeros(0)})],
        [Bars({"": np.zeros(2)})],
        [Bars({"": np.array([3.0, 0.0])})],
    ],
)
def test_poor_marks_are_drawn_too(qtbot: QtBot, marks: list, scale: str) -> None:
    log, bars = scale == "log", isinstance(next(iter(marks), None), Bars)
    x, y = Axis("x", log=log and not bars), Axis("y", log=log)
    plot = drawn(qtbot, *marks, ReferenceLine(2, "here"), x=x, y=y)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(plot, key)
    plot.press(QPointF(200, 200))
    assert not plot.grab().isNull()
    keys = any(isinstance(mark, Line) and mark.x.size and not mark.faint for mark in marks)
    assert (plot.focusPolicy() != Qt.FocusPolicy.NoFocus) == keys


# The pointer and the keys


def test_a_point_can_be_clicked(qtbot: QtBot, accuracy: PlotView) -> None:
    with qtbot.waitSignal(accuracy.picked) as click:
        qtbot.mouseClick(accuracy, LEFT, pos=place(accuracy, 4))
    assert click.args == [0, 4]
    assert stands_at(accuracy, 4)
    below = QPoint(round(accuracy.axes.plot.right()) - 5, round(accuracy.axes.plot.bottom()) - 5)
    with qtbot.assertNotEmitted(accuracy.picked):
        qtbot.mouseClick(accuracy, LEFT, pos=below)
    accuracy.show_marks([Line("L2", K[:3], ACCURACY[:3])])
    assert "Chosen" not in accuracy.accessibleDescription(), "the line has grown shorter"


def test_keys_choose_a_point_of_a_line_and_enter_clicks_it(qtbot, accuracy):
    short = Line("short", K[:5], ACCURACY[:5])
    marks = [*accuracy.marks_of(Line), diagonal(), ReferenceLine(120, "k = 120"), short]
    accuracy.show_marks(marks)
    accuracy.clearFocus()
    accuracy.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(accuracy.hasFocus)
    assert stands_at(accuracy, 119)
    steps = seen.keyed(Right=120, Left=119, PageDown=109, End=318)
    for key, point in steps + seen.keyed(Right=318, Home=0, Left=0):
        qtbot.keyClick(accuracy, key)
        assert stands_at(accuracy, point)
    for mark in (3, 0):  # what is faint, and a line, is none to go to
        qtbot.keyClick(accuracy, Qt.Key.Key_Down)
        assert stands_at(accuracy, 0, mark)
    with qtbot.waitSignal(accuracy.picked) as press:
        qtbot.keyClick(accuracy, Qt.Key.Key_Return)
    assert press.args == [0, 0]


def test_the_pointer_is_told_value_and_interval(accuracy: PlotView) -> None:
    hand = Qt.CursorShape.PointingHandCursor
    accuracy.track_pointer(QPointF(place(accuracy, 0)), False)
    tip = accuracy.toolTip()
    assert tip == "number of components: 1\naccuracy: 12.5 % (9.5 % to 14.5 %)"
    assert accuracy.cursor().shape() != hand
    accuracy.picked.connect(lambda *_: None)
    accuracy.track_pointer(QPointF(place(accuracy, 0)), False)
    assert accuracy.cursor().shape() == hand, "a click does something now"
    accuracy.show_marks(several(2))
    accuracy.track_pointer(QPointF(place(accuracy, 0, 1)), False)
    assert accuracy.toolTip().startswith("distance 1\n")
    accuracy.track_pointer(QPointF(0, 0), False)
    assert accuracy.toolTip() == ""


def test_it_says_in_words_what_is_drawn(roc: PlotView) -> None:
    assert roc.accessibleName() == "Plot: true accepts against false accepts"
    words = roc.accessibleDescription()
    assert words == "True accepts against false accepts. From 0.0 % at 0.0 % to 100.0 % at 100.0 %."
    roc.show_marks([*several(2), diagonal()])
    assert "distance 1: from" in roc.accessibleDescription()
    assert "chance" not in roc.accessibleDescription()
    roc.show_marks([], Axis("FMR"), Axis("FNMR"))
    assert roc.accessibleName() == "Plot: FNMR against FMR"
    assert roc.accessibleDescription() == "Nothing has been drawn yet."


def test_it_says_what_the_curves_are_at_the_line_that_is_moved(qtbot: QtBot) -> None:
    k, line = np.arange(5.0), ReferenceLine(1, "k = 1", movable=True)
    curves = [Line(name, k, share * k) for name, share in (("L1", 0.1), ("L2", 0.2))]
    plot = drawn(qtbot, line, *curves, x=Axis("k"))
    assert "At the line: L1 10.0 %, L2 20.0 %." in plot.accessibleDescription()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert "At the line: L1 20.0 %, L2 40.0 %." in plot.accessibleDescription()
    plot.show_marks([ReferenceLine(4, "k = 4 · 40.0 %"), curves[0]])
    assert "At the line" not in plot.accessibleDescription(), "its own words say it"


def test_a_context_menu_copies_and_saves(accuracy, session, tmp_path, monkeypatch):
    install_context_menu(accuracy, session, "accuracy")
    path = tmp_path / "it.svg"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    accuracy.customContextMenuRequested.emit(QPoint(9, 9))
    (menu,) = accuracy.findChildren(QMenu)
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Save as a drawing…", "Save as a picture…", "Save as PDF…", "Copy"]
    menu.actions()[0].trigger()
    assert path.read_text("utf-8").startswith("<?xml")
    menu.actions()[-1].trigger()
    assert QGuiApplication.clipboard().image().size() == accuracy.size()
    menu.close()


def test_it_is_saved_as_lines_and_as_pixels(accuracy: PlotView, tmp_path: Path) -> None:
    accuracy.show_marks([*accuracy.marks_of(Line), ReferenceLine(120, "k = 120")])
    for _, suffix in PLOT_FILES:
        save_plot(accuracy, suffix, tmp_path / f"plot.{suffix}")
    text = (tmp_path / "plot.svg").read_text("utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "k = 120" in text
    assert "<polyline" in text
    assert "<image" not in text
    assert QImage(str(tmp_path / "plot.png")).size() == accuracy.size() * 2
    assert (tmp_path / "plot.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(OSError, match="gone"):
        save_plot(accuracy, "svg", tmp_path / "gone" / "plot.svg")
