"""Curves over one axis, in the colours of a lesson."""

from __future__ import annotations

from eigenfaces.lessons.drawing import CurvesPanel, DrawnCurve
from gui.pages.lessons.panels.inks import ink_colour
from gui.plots import Line, PlotView
from gui.plots.strokes import Stroke
from gui.style.theme import Tokens

_DASHES = (7.0, 4.0)
_LOG = "log scale"


class CurvesChart(PlotView):
    """A panel of curves."""

    def __init__(self) -> None:
        super().__init__("", "")
        self.setMinimumSize(110, 150)

    def show_panel(self, panel: CurvesPanel) -> None:
        """Show other curves."""
        x, y = self.frame.x, self.frame.y
        for axis, title, log in ((x, panel.x, panel.log_x), (y, panel.y, panel.log_y)):
            axis.title, axis.scale = title, "log" if log else "linear"
            axis.scaling = _LOG if log else ""
        x.grid, y.percent = panel.log_x and panel.log_y, panel.percent
        self._mark, self.tag.label = panel.mark or (None, "")
        self.setAccessibleName(panel.title or f"Plot: {y.words} against {x.words}")
        self.show_marks([_InkedLine(each) for each in panel.curves])


class _InkedLine(Line):
    def __init__(self, of: DrawnCurve) -> None:
        super().__init__(of.name, of.x, of.y, of.low, of.high)
        self._of = of

    def dress(self, look: Tokens, number: int) -> None:
        self.stroke = Stroke(ink_colour(self._of.ink, look), _DASHES if self._of.dashed else ())
