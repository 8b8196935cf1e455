"""Tab order of the window: the widgets that take the focus, in reading order within groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QScrollArea, QWidget


class _Group(NamedTuple):
    """Part of a window: its geometry within the parent widget, and its Tab stops in order."""

    place: QRect
    stops: list[QWidget]


def go_by_tab(window: QWidget, *, forward: bool) -> bool:
    """Move the focus to the next or previous Tab stop, and return whether there is one.

    Qt would use the order of creation, but pages may create or replace widgets at any time.
    """
    now = window.focusWidget()
    order = _stops(window, now)
    if now is not None and now not in order:  # it is disappearing, so look nearby
        near = (_stops(around, None) for around in _ancestors(now) if around.isVisible())
        order = next(filter(None, near), [])
    order = order if forward else order[::-1]
    after = order.index(now) + 1 if now in order else 0
    following = [stop for stop in order[after:] + order[:after] if stop is not now]
    if not following:
        return False
    stop, reason = following[0], Qt.FocusReason
    stop.setFocus(reason.TabFocusReason if forward else reason.BacktabFocusReason)
    for around in _ancestors(stop):
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(stop)
    return True


def _ancestors(widget: QWidget) -> Iterator[QWidget]:
    """Yield the ancestors of a widget up to its window, nearest first."""
    around = widget.parentWidget()
    while around is not None:
        yield around
        around = None if around.isWindow() else around.parentWidget()


def _stops(part: QWidget, now: QWidget | None) -> list[QWidget]:
    """Return the Tab stops in ``part`` in reading order, including the focused widget, ``now``."""
    groups = []
    for child in part.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            here = [child] if child is now or _takes_focus(child) else []
            if stops := here + _stops(child, now):
                groups.append(_Group(child.geometry(), stops))
    return [stop for group in _in_reading_order(groups) for stop in group.stops]


def _takes_focus(widget: QWidget) -> bool:
    by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(by_tab) and widget.isEnabled() and widget.focusProxy() is None


def _in_reading_order(groups: list[_Group]) -> list[_Group]:
    """Sort groups row by row if they can be separated into rows, otherwise column by column."""
    for begin, end in ((QRect.top, QRect.bottom), (QRect.left, QRect.right)):
        bands = _bands(groups, begin, end)
        if len(bands) > 1:
            return [group for band in bands for group in _in_reading_order(band)]
    return sorted(groups, key=lambda group: (group.place.top(), group.place.left()))


def _bands(
    groups: list[_Group], begin: Callable[[QRect], int], end: Callable[[QRect], int]
) -> list[list[_Group]]:
    """Divide groups into non-overlapping bands, and return them in order."""
    bands: list[list[_Group]] = []
    reached = 0
    for group in sorted(groups, key=lambda group: begin(group.place)):
        if bands and begin(group.place) <= reached:
            bands[-1].append(group)
        else:
            bands.append([group])
        reached = max(reached, end(group.place))
    return bands
