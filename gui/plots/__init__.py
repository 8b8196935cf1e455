"""The one painter of plots: axes, a list of marks over them, and a widget for both.

The core returns the arrays; a plot says in words what it shows, and is saved as PNG, SVG or PDF.
"""

from gui.plots.axes import Scale
from gui.plots.charts import (
    BarChart,
    ConfusionChart,
    CurveChart,
    HistogramChart,
    LineChart,
    Quadrant,
    ScatterChart,
    SpreadChart,
    outlines,
)
from gui.plots.marks import Bars, Line, Points
from gui.plots.plot import PLOT_FILES, PlotView, save_plot

__all__ = [
    "PLOT_FILES",
    "BarChart",
    "Bars",
    "ConfusionChart",
    "CurveChart",
    "HistogramChart",
    "Line",
    "LineChart",
    "PlotView",
    "Points",
    "Quadrant",
    "Scale",
    "ScatterChart",
    "SpreadChart",
    "outlines",
    "save_plot",
]
