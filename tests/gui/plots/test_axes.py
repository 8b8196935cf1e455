"""Ranges, ticks and texts of axes, and strokes of lines; nothing is drawn."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from gui.plots.axes import Axis, linear_ticks, log_ticks
from gui.plots.strokes import MOST_STROKES, LabelPlacer, series_stroke
from gui.style import theme
from gui.style.painting import clamped


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([0.1, 0.97], 0, 1),
        ([0.975, 1.0], 0.9, 1),
        ([1.0, 1.0], 0.95, 1),
        ([0.02, 0.1], 0, 0.11),
        ([0.0, 0.0], 0, 0.01),
        ([], 0, 1),
    ],
)
def test_shares_stay_within_a_hundred_per_cent(values, low, high):
    axis = Axis("", percent=True)
    axis.fit(np.array(values), exact=False)
    assert low <= axis.lo < axis.hi
    assert axis.hi <= 1 if high == 1 else axis.hi >= max(values)
    assert axis.lo == 0 or axis.lo <= min(values)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("exact", [False, True])
def test_ranges_of_one_value_and_of_none_have_some_room(log: bool, exact: bool) -> None:
    for values in ([], [np.nan], [3.0]):
        axis = Axis("", log=log)
        axis.fit(axis.transform(np.array(values)), exact=exact)
        assert axis.hi - axis.lo > 0.1


@pytest.mark.parametrize(
    ("value", "percent", "text"),
    [
        (0.975, True, "97.5 %"),
        (0.0, True, "0.0 %"),
        (0.00013, True, "0.013 %"),
        (120.0, False, "120"),
        (12345.6, False, "12,346"),
        (float("nan"), True, "no value"),
    ],
)
def test_values_are_written_for_people(value: float, percent: bool, text: str) -> None:
    assert Axis("", percent=percent).format_value(value) == text


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
@pytest.mark.parametrize("dots", [False, True])
def test_no_two_lines_are_told_apart_by_colour_alone(look: theme.Tokens, dots: bool) -> None:
    strokes = [series_stroke(look, number, dots) for number in range(MOST_STROKES)]
    assert strokes[0].colour.name().upper() == look.accent
    assert len({line.colour.name() for line in strokes}) == MOST_STROKES
    assert len({(line.shape, line.dashes) for line in strokes}) == MOST_STROKES
    for line in strokes:
        contrasts = theme.contrast(line.colour.name(), look.surface)
        assert contrasts >= 3 or line.outline is not None
        assert not (look.dark and line.outline)
    assert series_stroke(look, MOST_STROKES + 1, dots) == strokes[1]


@pytest.mark.parametrize(
    ("lo", "hi", "percent", "texts"),
    [
        (0, 1, True, ["0%", "25%", "50%", "75%", "100%"]),
        (0, 400, False, ["0", "100", "200", "300", "400"]),
        (0, 0.01, True, ["0.00%", "0.25%", "0.50%", "0.75%", "1.00%"]),
        (0, 33_000, False, ["0", "10k", "20k", "30k"]),
        (0, 2900, False, ["0", "1000", "2000"]),
        (-40, 40, False, ["−40", "−20", "0", "20", "40"]),  # a minus, not a hyphen
    ],
)
def test_ticks_are_round(lo: float, hi: float, percent: bool, texts: list[str]) -> None:
    assert [text for _, text in linear_ticks(lo, hi, 4, percent=percent)] == texts


@pytest.mark.parametrize(
    ("lo", "hi", "most", "kind", "texts"),
    [
        (np.log10(0.022), np.log10(0.045), 5, {"percent": True}, ["3%", "4%"]),
        (-0.2, 0.2, 5, {"whole": True}, ["1"]),
        (-3, 0, 5, {"percent": True}, ["0.1%", "1%", "10%", "100%"]),
        (-6, -5, 1, {}, ["1e−06", "1e−05"]),
        (3.5, 4.6, 6, {}, ["5k", "10k", "20k"]),
    ],
)
def test_ticks_of_powers_are_round(lo, hi, most, kind, texts):
    assert [text for _, text in log_ticks(lo, hi, most, **kind)] == texts
    assert len(log_ticks(-300, 300, most)) <= most + 2


def test_a_box_is_moved_inside_and_begins_there_if_it_is_too_large() -> None:
    room = QRectF(10, 10, 100, 50)
    assert clamped(QRectF(20, 20, 30, 10), room) == QRectF(20, 20, 30, 10)
    assert clamped(QRectF(-5, 90, 30, 10), room) == QRectF(10, 50, 30, 10)
    assert clamped(QRectF(90, 0, 300, 10), room).topLeft() == room.topLeft()


def test_words_cover_no_others() -> None:
    labels, box = LabelPlacer(QRectF(0, 0, 100, 60)), QRectF(0, 0, 50, 20)
    assert labels.place([box]) == box
    assert labels.place([box, box.translated(0, 30)]) == box.translated(0, 30)
    assert labels.place([box], must=False) is None
    assert labels.place([box]) == box, "where it must be, it covers others"
