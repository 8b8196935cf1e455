"""Where an axis puts its ticks and what it writes beside them; no drawing."""

from __future__ import annotations

import math

Ticks = tuple[tuple[float, str], ...]

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def nice_step(span: float, most: int, whole: bool = False) -> float:
    """Smallest round step (1, 2, 2.5 or 5 times a power of ten) with at most `most` intervals."""
    if span <= 0:
        return 1.0
    raw = span / max(most, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in _STEPS:
        step = factor * power
        if step >= raw * (1 - 1e-9) and not (whole and step != round(step)):
            return step
    return max(1.0, 10 * power)


def linear_ticks(lo: float, hi: float, most: int, *, percent: bool, whole: bool) -> Ticks:
    """Round values between `lo` and `hi`, at most `most` intervals apart."""
    step = nice_step(100 * (hi - lo), most, hi - lo > 0.02) / 100 if percent else 0.0
    step = step or nice_step(hi - lo, most, whole)
    first, last = math.ceil(lo / step - 1e-9), math.floor(hi / step + 1e-9)
    values = [number * step for number in range(first, last + 1)]
    biggest = max((abs(value) for value in values), default=0.0)
    return tuple((value, tick_text(value, step, biggest, percent)) for value in values)


def log_ticks(
    lo: float, hi: float, most: int, *, percent: bool = False, whole: bool = False
) -> Ticks:
    """Ticks for an axis of powers of ten; positions are exponents, texts are the values.

    Decades alone when there are enough of them, else 2 and 5 in between, so that a spectrum
    within one decade is still readable; within less than that, round values.
    """
    decades = range(math.floor(lo), math.ceil(hi) + 1)
    for factors in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        at = [exponent + math.log10(factor) for exponent in decades for factor in factors]
        inside = [value for value in at if lo - 1e-9 <= value <= hi + 1e-9]
        if len(inside) <= most + 1:
            break
    if len(inside) < 2 and hi - lo < 1:
        even = linear_ticks(10.0**lo, 10.0**hi, most, percent=percent, whole=whole)
        return tuple((math.log10(value), text) for value, text in even if value > 0)
    thinned = inside[:: max(1, math.ceil(len(inside) / (most + 1)))]
    return tuple((value, _power_text(value, percent)) for value in thinned)


def _power_text(exponent: float, percent: bool) -> str:
    return f"{10.0 ** (exponent + 2):.3g}%" if percent else short_number(10.0**exponent)


def tick_text(value: float, step: float, biggest: float, percent: bool) -> str:
    """Write one tick: "75%", "20k", "2000" or "0.25"."""
    if percent:
        return f"{100 * value:.{_decimals(100 * step)}f}%"
    if biggest >= 10_000:
        return short_number(value)
    return f"{value:.{_decimals(step)}f}"


def short_number(value: float) -> str:
    """Write a large number briefly: 20000 is "20k"."""
    size = abs(value)
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= limit * (1 - 1e-9):
            return f"{value / limit:.3g}{unit}"
    return f"{value:.3g}"


def every(labels: tuple[str, ...], most: int) -> Ticks:
    """One tick a bar, at 0, 1, 2, …; every second, fifth, … when there is no room for all."""
    step = 1 if len(labels) <= most else int(nice_step(len(labels), most, whole=True))
    return tuple((float(at), labels[at]) for at in range(0, len(labels), step))


def _decimals(step: float) -> int:
    """Digits after the point that tell neighbouring multiples of `step` apart."""
    for digits in range(6):
        if abs(step * 10**digits - round(step * 10**digits)) < 1e-6:
            return digits
    return 6
