"""Which widget shows which kind of panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Panel,
    PlanePanel,
    SharesPanel,
)
from gui.pages.lessons.panels.curves import CurvesChart
from gui.pages.lessons.panels.plane import PlaneChart
from gui.pages.lessons.panels.shares import SharesBar

Made = tuple[QWidget, Callable[[Any], None]]


def _plane() -> Made:
    made = PlaneChart()
    return made, made.show_panel


def _curves() -> Made:
    made = CurvesChart()
    return made, made.show_panel


def _shares() -> Made:
    made = SharesBar()
    return made, made.show_panel


KINDS: dict[type[Panel], Callable[[], Made]] = {
    PlanePanel: _plane,
    CurvesPanel: _curves,
    SharesPanel: _shares,
}
"""A widget for each kind of panel, and what shows another panel of the kind in it."""

CENTRED: frozenset[type[Panel]] = frozenset()
"""Panels whose title stands in their middle."""
