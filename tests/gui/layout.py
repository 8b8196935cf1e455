"""What is wrong with how a window is laid out: cut words, parts over each other, a bar sideways."""

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QLabel,
    QScrollArea,
    QScrollBar,
    QToolButton,
    QWidget,
)

from gui.widgets.labels import ElidedLabel

_SLACK = 2  # px: rounding


def wrong(root: QWidget) -> list[str]:
    """Return all that is wrong in a window as it is now."""
    return [*_sideways(root), *_cut(root), *_outside(root), *_overlapping(root)]


def _shown(root: QWidget) -> list[QWidget]:
    return [part for part in root.findChildren(QWidget) if part.isVisibleTo(root)]


def _told(part: QWidget) -> str:
    words = part.text() if isinstance(part, QLabel | QAbstractButton) else part.accessibleName()
    return f"{type(part).__name__} “{words}” {part.width()} × {part.height()}"


def _sideways(root: QWidget) -> Iterator[str]:
    for area in root.findChildren(QAbstractScrollArea):
        bar = area.horizontalScrollBar()
        if area.isVisible() and bar.maximum() > 0 and not isinstance(area, QAbstractItemView):
            yield f"scrolls sideways by {bar.maximum()}: {_told(area)}"


def _cut(root: QWidget) -> Iterator[str]:
    """Yield words for which there is no room, and that do not end in an ellipsis."""
    for part in _shown(root):
        if isinstance(part, QLabel) and not isinstance(part, ElidedLabel) and part.text():
            wish = part.sizeHint()
            if part.wordWrap():
                wish = QSize(0, part.heightForWidth(part.width()))
            if wish.width() > part.width() + _SLACK or wish.height() > part.height() + _SLACK:
                yield f"cut, {wish.width()} × {wish.height()} wanted: {_told(part)}"
        elif isinstance(part, QAbstractButton) and not isinstance(part, QToolButton):
            lines = part.text().split("\n")
            room = max(map(part.fontMetrics().horizontalAdvance, lines))
            if part.text() and room > part.width():
                yield f"cut, {room} wanted: {_told(part)}"


def _outside(root: QWidget) -> Iterator[str]:
    """Yield what reaches beyond the part that it is in, so that it cannot be seen."""
    for part in _shown(root):
        around = part.parentWidget()
        if around is None or part.isWindow() or isinstance(part, QScrollBar):
            continue
        area = around.parentWidget()
        if isinstance(area, QScrollArea) and area.widget() is part:
            continue  # it scrolls
        inside = around.rect().adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK)
        if not inside.contains(part.geometry()) and part.width() and part.height():
            place = part.geometry().getRect()
            yield f"at {place} in {around.width()} × {around.height()}: {_told(part)}"


def _overlapping(root: QWidget) -> Iterator[str]:
    """Yield words and controls that lie over each other, though neither is in the other."""
    kinds = (QLabel, QAbstractButton)
    parts = [part for part in _shown(root) if isinstance(part, kinds) and not _floats(part, root)]
    places = {part: _place(part, root) for part in parts}
    for one, other in combinations(parts, 2):
        if one.isAncestorOf(other) or other.isAncestorOf(one):
            continue
        both = places[one] & places[other]
        if both.width() > _SLACK and both.height() > _SLACK:
            yield f"over each other: {_told(one)}, {_told(other)}"


def _floats(part: QWidget, root: QWidget) -> bool:
    """Whether a part is on a message or a sheet, which lie over a page on purpose."""
    around: QWidget | None = part
    while around is not None and around is not root:
        if around.property("floats") or around.property("role") == "inspector":
            return True
        around = around.parentWidget()
    return False


def _place(part: QWidget, root: QWidget) -> QRect:
    """Return where a part is seen in a window, as far as what is around it shows it."""
    place = QRect(part.mapTo(root, QPoint(0, 0)), part.size())
    around = part.parentWidget()
    while around is not None and around is not root:
        place &= QRect(around.mapTo(root, QPoint(0, 0)), around.size())
        around = around.parentWidget()
    return place
