"""A widget for each kind of panel of a drawing."""

from __future__ import annotations

from typing import Any

from eigenfaces.lessons import drawing as fig
from gui.pages.lessons.panels.charts import CurvesChart, SharesBar, SignedBars, TableView
from gui.pages.lessons.panels.coloured import MatrixView, PicturesView
from gui.pages.lessons.panels.points import PlaneChart, SpaceView

KINDS: dict[type[fig.Panel], type[Any]] = {
    fig.PlanePanel: PlaneChart,
    fig.SpacePanel: SpaceView,
    fig.CurvesPanel: CurvesChart,
    fig.BarsPanel: SignedBars,
    fig.MatrixPanel: MatrixView,
    fig.PicturesPanel: PicturesView,
    fig.TablePanel: TableView,
    fig.SharesPanel: SharesBar,
}
"""A widget for each kind of panel; each has `show_panel` for its kind."""

CENTRED = frozenset({fig.PicturesPanel, fig.MatrixPanel, fig.SpacePanel})
"""Panels whose title stands in their middle."""
