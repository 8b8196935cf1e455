"""Ranges, ticks and texts of axes, and strokes of lines; nothing is drawn."""

import numpy as np
import pytest

from gui.charts.axes import exact_range, fitted_range, linear_ticks, log_ticks, positions, read_out
from gui.charts.legend import MOST, strokes
from gui.style import theme


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
def test_shares_stay_within_a_hundred_per_cent(
    values: list[float], low: float, high: float
) -> None:
    lo, hi = fitted_range(np.array(values), "linear", percent=True)
    assert low <= lo < hi
    assert hi <= 1 if high == 1 else hi >= max(values)
    assert lo == 0 or lo <= min(values)


def test_ranges_of_one_value_and_of_none_have_some_room() -> None:
    for scale in ("linear", "log"):
        for values in ([], [np.nan], [3.0]):
            for range_of in (exact_range, lambda at, kind: fitted_range(at, kind, percent=False)):
                lo, hi = range_of(positions(np.array(values), scale), scale)
                assert hi - lo > 0.1


def test_ticks_within_less_than_a_decade_are_round() -> None:
    texts = [text for _, text in log_ticks(np.log10(0.022), np.log10(0.045), 5, percent=True)]
    assert texts == ["3%", "4%"]
    assert [text for _, text in log_ticks(-0.2, 0.2, 5, whole=True)] == ["1"]
    assert [text for _, text in log_ticks(-3, 0, 5, percent=True)] == ["0.1%", "1%", "10%", "100%"]


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
    assert read_out(value, percent) == text


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
@pytest.mark.parametrize("dots", [False, True])
def test_no_two_lines_are_told_apart_by_colour_alone(look: theme.Tokens, dots: bool) -> None:
    made = strokes(look, MOST, dots)
    assert made[0].colour.name().upper() == look.accent
    assert len({stroke.colour.name() for stroke in made}) == MOST
    assert len({(stroke.shape, stroke.dashes) for stroke in made}) == MOST
    for stroke in made:
        contrasts = theme.contrast(stroke.colour.name(), look.surface)
        assert contrasts >= 3 or stroke.outline is not None
        assert not (look.dark and stroke.outline)
    assert len(strokes(look, 9, dots)) == 9


def test_numbers_below_zero_have_a_minus_not_a_hyphen():
    ticks = linear_ticks(-40, 40, 4, percent=False, whole=False)
    assert [text for _, text in ticks] == ["−40", "−20", "0", "20", "40"]
    assert log_ticks(-6, -5, 2)[0][1] == "1e−06"
