"""Every plot of the program, and the only place that imports the plot library.

Pages import it when they first show a plot: that takes a third of a second, which nobody should
wait for at start.
"""

from gui.charts.bars import PairedBars, SpectrumChart
from gui.charts.curves import CurveChart
from gui.charts.export import export_png, export_svg
from gui.charts.frame import Chart
from gui.charts.line_plot import Line
from gui.charts.lines import LineChart
from gui.charts.matrix import ConfusionChart
from gui.charts.photos import BarChart
from gui.charts.scales import Scale

__all__ = [
    "BarChart",
    "Chart",
    "ConfusionChart",
    "CurveChart",
    "Line",
    "LineChart",
    "PairedBars",
    "Scale",
    "SpectrumChart",
    "export_png",
    "export_svg",
]
