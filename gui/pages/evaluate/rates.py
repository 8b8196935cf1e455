"""The card of errors: ROC, DET, DIR where there are strangers, and a histogram of distances."""

from __future__ import annotations

import numpy as np

from eigenfaces.evaluation.curves import Curves
from gui.pages.evaluate.cards import ChartCard
from gui.plots import Line, LineChart, Scale, outlines
from gui.widgets.controls import Segmented

_ROC, _DET, _DIR, _DISTANCES = range(4)
_AXES = (
    ("FMR: others accepted", "TAR: the right one accepted"),
    ("FMR", "FNMR", "log scale", "log scale"),
    ("FPIR: strangers named", "DIR"),
    ("distance in face space", "share of its kind"),
)
_LEAST_RATE = 1e-4


class RatesCard(ChartCard):
    """ROC, DET and distances of verification; with strangers, DIR against FPIR as well."""

    def __init__(self) -> None:
        chart = LineChart("FMR", "TAR", filled=True)
        super().__init__("Errors", chart)  # short: beside it stands which curve
        self.chart = chart
        self._shown: tuple[Curves, Curves | None] | None = None
        self._drawn: int | None = None  # the kind of curve for which the axes are set
        self.kind = Segmented(("ROC", "DET", "DIR", "Distances"), name="Curve of errors")
        self.kind.changed.connect(self._draw)
        self.add_to_heading(self.kind)

    def show_curves(self, curves: Curves, other: Curves | None = None) -> None:
        """Show a run, and a second run to compare."""
        self._shown = curves, other
        strangers = curves.detection is not None
        self.kind.set_option_enabled(_DIR, strangers)
        if not strangers and self.kind.current == _DIR:
            self.kind.set_current(_ROC)
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        kind = self.kind.current
        lines = self._lines(kind)
        self.say("" if lines else "There are no non-mated comparisons to draw a curve from.")
        chart = self.chart
        chart.setVisible(bool(lines))
        if not lines:
            return
        if kind != self._drawn:
            self._drawn = kind
            scale: Scale = "log" if kind == _DET else "linear"
            chart.set_titles(*_AXES[kind])
            chart.set_scales(scale, scale)
            chart.set_percent(kind != _DISTANCES, True)
            chart.set_range((0.0, 1.0), (0.0, 1.0))
        spread = self._shown[0].distances
        if kind == _DISTANCES and spread is not None:
            chart.set_mark(spread.equal, f"EER at {spread.equal:.4g}")
        elif chart.mark() is not None:
            chart.set_mark(None)
        if kind in (_DET, _DISTANCES):
            chart.set_range(*(_logarithmic(lines) if kind == _DET else _whole(lines)))
        chart.show_lines(lines)

    def _lines(self, kind: int) -> list[Line]:
        if self._shown is None:
            return []
        if kind == _DISTANCES:
            spread = self._shown[0].distances
            if spread is None:
                return []
            mated, others = spread.counts
            return [*outlines(spread, f"the right person ({mated:,})", f"others ({others:,})")]
        lines = []
        for words, each in zip(("this run", "the other"), self._shown, strict=True):
            curve = None if each is None else each.detection if kind == _DIR else each.rates
            if curve is None:
                continue
            keep = (curve.x > 0) & (curve.y > 0) if kind == _DET else np.ones(len(curve.x), bool)
            if keep.any():
                y = curve.y[keep] if kind == _DET else 1 - curve.y
                lines.append(Line(words, curve.x[keep], y))
        if lines and kind == _ROC:
            ends = np.array([0.0, 1.0])
            lines.append(Line("guessing", ends, ends, faint=True))
        return lines


def _logarithmic(lines: list[Line]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of a DET: whole powers of ten that include every point."""
    limits = []
    for values in ([line.x for line in lines], [line.y for line in lines]):
        least = min(float(each.min()) for each in values)
        limits.append((max(_LEAST_RATE, 10 ** np.floor(np.log10(least))), 1.0))
    return limits[0], limits[1]


def _whole(lines: list[Line]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of a histogram: all of it, from zero up."""
    x, top = lines[0].x, max(float(line.y.max()) for line in lines)
    return (float(x[0]), float(x[-1])), (0.0, min(1.0, 1.08 * top))
