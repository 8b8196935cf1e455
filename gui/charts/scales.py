"""An axis of values or of their powers of ten: positions, ranges and ticks; no drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from eigenfaces.arrays import Doubles
from gui.charts.ticks import Ticks, linear_ticks, log_ticks

Scale = Literal["linear", "log"]

_ROOM = 0.06  # of the range, beyond the outermost value
_LEAST_SHARE, _LEAST_POWER = 0.05, 0.3  # of a range that is one value only


def positions(values: Doubles, scale: Scale) -> Doubles:
    """Give where values stand on an axis; NaN where a logarithmic one has no place for them."""
    values = np.asarray(values, dtype=float)
    if scale == "linear":
        return np.where(np.isfinite(values), values, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = np.log10(values)
    return np.where(np.isfinite(at), at, np.nan)


def exact_range(at: Doubles, scale: Scale) -> tuple[float, float]:
    """Give the range from the first to the last position, or some room round a single one."""
    at = at[np.isfinite(at)]
    if not at.size:
        return 0.0, 1.0
    lo, hi = float(at.min()), float(at.max())
    half = 0.5 if scale == "linear" else _LEAST_POWER / 2
    return (lo, hi) if hi > lo else (lo - half, hi + half)


def fitted_range(at: Doubles, scale: Scale, percent: bool) -> tuple[float, float]:
    """Give a range with a little room round the positions; shares stay within 0 and 100 %."""
    at = at[np.isfinite(at)]
    if not at.size:
        return (0.0, 1.0) if scale == "linear" else (-3.0, 0.0)
    lo, hi = float(at.min()), float(at.max())
    if scale == "linear" and percent:
        return _share_range(lo, hi)
    least = _LEAST_POWER if scale == "log" else max(abs(hi), abs(lo)) * 0.1 or 1.0
    room = max(_ROOM * (hi - lo), (least - (hi - lo)) / 2)
    top = min(hi + room, 0.0) if percent and hi <= 0 else hi + room
    return lo - room if scale == "log" or lo < 0 else max(lo - room, 0.0), top


def _share_range(lo: float, hi: float) -> tuple[float, float]:
    if hi > 1 or lo < 0:  # no share at all, but drawn all the same
        room = _ROOM * (hi - lo)
        return min(lo, 0.0) - room, hi + room
    span = max(hi - lo, _LEAST_SHARE)
    top = 1.0 if hi + span / 2 > 1 else hi + _ROOM * span
    if lo <= 0.5:
        return 0.0, top
    return max(0.0, min(lo - 2 * _ROOM * span, top - _LEAST_SHARE)), top


def ticks_of(lo: float, hi: float, most: int, *, scale: Scale, percent: bool, whole: bool) -> Ticks:
    """Give the ticks of either kind of axis; one of whole numbers names its first as well."""
    if scale == "log":
        return log_ticks(lo, hi, most, percent=percent, whole=whole)
    ticks = linear_ticks(lo, hi, most, percent=percent, whole=whole)
    if whole and not percent and len(ticks) > 1 and lo == round(lo):
        step = ticks[1][0] - ticks[0][0]
        if ticks[0][0] - lo > step / 2:
            ticks = ((lo, f"{lo:.0f}"), *ticks)
    return ticks


def all_whole(many: Sequence[Doubles]) -> bool:
    """Say whether there are only whole numbers among these."""
    return all(bool((np.round(values) == values)[np.isfinite(values)].all()) for values in many)


def read_out(value: float, percent: bool) -> str:
    """Write a value for people: "97.5 %", "0.013 %", "120"."""
    if not np.isfinite(value):
        return "no value"
    if not percent:
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    share = 100 * value
    return f"{share:.1f} %" if share == 0 or abs(share) >= 1 else f"{share:.2g} %"
