"""What the histogram chart draws, says and shows under the pointer; no pixels."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from eigenfaces.recognition.calibration import Histogram, round_edges
from gui.charts import HistogramChart, export_png, export_svg
from tests.gui import seen

NEAR = np.array([2.2, 4.1, 4.4, 5.0, 7.3])
FAR = np.array([7.1, 9.0, 9.2, 9.4])
NAMES = ("5 photos of enrolled", "4 of left-out people")


@pytest.fixture
def spread() -> Histogram:
    edges = round_edges(np.concatenate([NEAR, FAR]))
    return Histogram.of(edges, NEAR, FAR)


@pytest.fixture
def chart(qtbot: QtBot, spread: Histogram) -> HistogramChart:
    chart = HistogramChart("distance to the nearest enrolled person", "photos")
    chart.show_histogram(spread, *NAMES)
    return seen.show(qtbot, chart, (450, 260))


def test_it_draws_both_histograms_filled_from_zero_up(
    chart: HistogramChart, spread: Histogram
) -> None:
    first, second = chart.lines()
    assert (first.name, second.name) == NAMES
    for line, shares in ((first, spread.mated), (second, spread.non_mated)):
        assert line.y[1:-1:2] == pytest.approx(shares)
        assert line.y[2:-1:2] == pytest.approx(shares)
        assert line.y[0] == line.y[-1] == 0
    assert all(painted.area for painted in chart.painted)
    assert chart.frame.y.lo == 0
    assert chart.frame.y.hi > max(spread.mated.max(), spread.non_mated.max())
    assert [entry[0] for entry in chart.legend.entries] == list(NAMES)


def test_the_two_are_told_apart_without_colour(chart: HistogramChart) -> None:
    first, second = (painted.stroke for painted in chart.painted)
    assert first.dashes != second.dashes


@pytest.mark.parametrize("at", [-3.0, 4.59, 40.0])
def test_a_photo_and_the_limit_are_within_the_axis(chart: HistogramChart, at: float) -> None:
    chart.set_mark(at, "this photo")
    chart.set_limit(9.48, "mark 9.48")
    plot = chart.frame.plot
    for value in (at, 9.48):
        assert plot.left() <= chart.frame.px(value) <= plot.right()
    assert chart.mark() == at
    assert chart.limit() == (9.48, "mark 9.48")
    assert plot.contains(chart.limit_place())
    chart.set_mark(None)
    chart.set_limit(None)
    assert chart.limit_place().isEmpty()
    assert chart.frame.x.hi < 12


def test_words_of_the_limit_stand_where_there_is_room(chart: HistogramChart) -> None:
    chart.set_limit(0.1, "mark")
    assert chart.limit_place().left() > chart.frame.px(0.1)
    chart.set_limit(9.9, "a mark with many words to read")
    assert chart.limit_place().right() < chart.frame.px(9.9)


def test_a_bin_is_read_under_the_pointer(chart: HistogramChart) -> None:
    assert (
        chart.reading_at(9.1)
        == "9 to 10\n5 photos of enrolled: 0.0 %\n4 of left-out people: 75.0 %"
    )
    assert chart.reading_at(10.0) == chart.reading_at(9.1)
    assert chart.reading_at(-1) == ""
    at = QPointF(chart.frame.px(9.1), chart.frame.plot.center().y())
    chart.hover(at, False)
    assert chart.toolTip() == chart.reading_at(9.1)
    assert chart.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_it_says_what_it_shows(chart: HistogramChart, tmp_path: Path) -> None:
    chart.set_mark(4.59, "this photo 4.59")
    chart.set_limit(9.48, "mark 9.48")
    assert chart.accessibleDescription() == (
        "Photos by distance to the nearest enrolled person. "
        "5 photos of enrolled: most between 4 and 5, 40.0 % of them. "
        "4 of left-out people: most between 9 and 10, 75.0 % of them. "
        "Marked: this photo 4.59 and mark 9.48."
    )
    export_svg(chart, tmp_path / "it.svg")
    export_png(chart, tmp_path / "it.png")
    text = (tmp_path / "it.svg").read_text("utf-8")
    assert "this photo 4.59" in text
    assert "mark 9.48" in text


def test_before_anything_is_shown_it_says_so(qtbot: QtBot) -> None:
    chart = HistogramChart("distance", "photos")
    qtbot.addWidget(chart)
    chart.set_mark(1.0, "this photo")
    assert chart.reading_at(1.0) == ""
    assert chart.accessibleDescription() == "Nothing is drawn yet."
