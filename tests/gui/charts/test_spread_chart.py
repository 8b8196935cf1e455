"""The histogram of one kind of value: what is drawn, the band, and a mark that never gets lost."""

import numpy as np
import pytest
from PySide6.QtGui import QColor

from gui.charts import SpreadChart
from gui.style import theme


@pytest.fixture
def chart(qapp, qtbot) -> SpreadChart:
    theme.apply(qapp, "light")
    made = SpreadChart("radius", "faces")
    made.resize(300, 200)
    qtbot.addWidget(made)
    return made


VALUES = np.random.default_rng(3).normal(1.0, 0.1, 200)


def test_all_values_are_drawn(chart):
    chart.show_spread(VALUES, (0.8, 1.2))
    (line,) = chart.lines()
    heights, widths = line.y[1:-1:2], np.diff(line.x)[::2]
    assert heights.sum() == 200
    assert widths.max() == 0, "steps go straight up"
    assert (line.x[0], line.x[-1]) == (VALUES.min(), VALUES.max())
    assert chart.frame.x.lo == 0
    assert chart.frame.y.hi > heights.max()


def test_a_mark_beyond_the_axis_stands_at_its_end(chart):
    chart.show_spread(VALUES, None)
    chart.set_mark(1.0, "1.00")
    assert chart.mark() == 1.0
    chart.set_mark(50.0, "50.00")
    assert chart.mark() == chart.frame.x.hi
    assert chart.tag.label == "50.00"
    assert "Marked: 50.00" in chart.accessibleDescription()


def test_the_band_is_behind_the_histogram(chart):
    chart.show_spread(VALUES, (0.8, 1.2))
    image = chart.grab().toImage()
    top = round(chart.frame.plot.top()) + 2
    inside = image.pixelColor(round(chart.frame.px(0.82)), top)
    outside = image.pixelColor(round(chart.frame.px(0.5)), top)
    assert inside == QColor(theme.LIGHT.ok_soft) != outside
    assert "between 0.80 and 1.20" in chart.accessibleDescription()


def test_equal_values_are_one_bar(chart):
    chart.show_spread(np.full(12, 0.998), None)
    assert chart.lines()[0].y.max() == 12
    assert not chart.takes_focus()
