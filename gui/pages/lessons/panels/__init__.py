"""A widget for each kind of panel of a drawing."""

from __future__ import annotations

from eigenfaces.lessons.drawing import (
    BarsPanel,
    CurvesPanel,
    MatrixPanel,
    Panel,
    PicturesPanel,
    PlanePanel,
    SharesPanel,
    SpacePanel,
    TablePanel,
)
from gui.pages.lessons.panels.charts import CurvesChart, SharesBar, SignedBars, TableView
from gui.pages.lessons.panels.coloured import MatrixView, PicturesView
from gui.pages.lessons.panels.plane import PlaneChart
from gui.pages.lessons.panels.space import SpaceView

Shown = (
    PlaneChart
    | SpaceView
    | CurvesChart
    | SignedBars
    | MatrixView
    | PicturesView
    | TableView
    | SharesBar
)
"""Each has `show_panel` for the panels of its kind."""

KINDS: dict[type[Panel], type[Shown]] = {
    PlanePanel: PlaneChart,
    SpacePanel: SpaceView,
    CurvesPanel: CurvesChart,
    BarsPanel: SignedBars,
    MatrixPanel: MatrixView,
    PicturesPanel: PicturesView,
    TablePanel: TableView,
    SharesPanel: SharesBar,
}
"""A widget for each kind of panel."""

CENTRED: frozenset[type[Panel]] = frozenset({PicturesPanel, MatrixPanel, SpacePanel})
"""Panels whose title stands in their middle."""
