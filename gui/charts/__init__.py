"""Every plot of the program, each a widget that paints axes, lines, bars or squares.

The core returns the arrays; a chart says in words what it shows, and is saved as PNG or SVG.
"""

from gui.charts.axes import Scale
from gui.charts.bars import SpectrumChart
from gui.charts.chart import Chart
from gui.charts.confusion import ConfusionChart
from gui.charts.curve_chart import CurveChart
from gui.charts.export import export_png, export_svg
from gui.charts.histogram import HistogramChart, outlines
from gui.charts.labelled_bars import BarChart, PairedBars
from gui.charts.line_chart import LineChart
from gui.charts.line_plot import Line
from gui.charts.scatter import Points, ScatterChart
from gui.charts.spread_chart import SpreadChart

__all__ = [
    "BarChart",
    "Chart",
    "ConfusionChart",
    "CurveChart",
    "HistogramChart",
    "Line",
    "LineChart",
    "PairedBars",
    "Points",
    "Scale",
    "ScatterChart",
    "SpectrumChart",
    "SpreadChart",
    "export_png",
    "export_svg",
    "outlines",
]
