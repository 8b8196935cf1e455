"""Curves over one axis, in the colours of a lesson."""

from __future__ import annotations

from PySide6.QtGui import QColor

from eigenfaces.lessons.drawing import CurvesPanel
from gui.charts.axes import Scale
from gui.charts.legend import Stroke
from gui.charts.line_chart import LineChart
from gui.charts.line_plot import Line
from gui.pages.lessons.panels.inks import ink_colour
from gui.style.theme import Tokens

_DASHES = (7.0, 4.0)
_LOG = "log scale"


class CurvesChart(LineChart):
    """A panel of curves."""

    def __init__(self) -> None:
        super().__init__("", "")
        self.panel: CurvesPanel | None = None
        self.setMinimumSize(110, 150)

    def show_panel(self, panel: CurvesPanel) -> None:
        """Show other curves."""
        self.panel = panel
        scales: tuple[Scale, Scale] = (
            "log" if panel.log_x else "linear",
            "log" if panel.log_y else "linear",
        )
        self._scales, self._percent = scales, (False, panel.percent)
        x, y = self.frame.x, self.frame.y
        x.title, y.title = panel.x, panel.y
        x.scaling, y.scaling = (_LOG if each == "log" else "" for each in scales)
        self._mark = panel.mark[0] if panel.mark else None
        self.tag.label = panel.mark[1] if panel.mark else ""
        self.setAccessibleName(panel.title or f"Plot: {y.words} against {x.words}")
        self.show_lines(
            [Line(each.name, each.x, each.y, each.low, each.high) for each in panel.curves]
        )

    def colour(self, look: Tokens) -> None:
        curves = self.panel.curves if self.panel else ()
        self._strokes = [
            Stroke(
                ink_colour(each.ink, look),
                QColor(look.surface),
                None,
                _DASHES if each.dashed else (),
            )
            for each in curves
        ]
        names = (each.name for each in curves)
        entries = tuple(entry for entry in zip(names, self._strokes, strict=True) if entry[0])
        self.legend.entries = entries if len(entries) > 1 else ()
