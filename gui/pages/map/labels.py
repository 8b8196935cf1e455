"""Names on the map, none over another."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gui.style.theme import SMALL, font

_LONGEST = 220.0


class Labels:
    """Places names around marks: where one would cover another, on another side or not at all."""

    def __init__(self, plot: QRectF) -> None:
        self._plot = plot
        self._taken: list[QRectF] = []

    def keep_free(self, box: QRectF) -> None:
        """Let no name cover this."""
        self._taken.append(box)

    def draw(
        self,
        painter: QPainter,
        at: QPointF,
        away: float,
        words: str,
        colours: tuple[str, str],
        *,
        must: bool = True,
    ) -> None:
        """Draw a name ``away`` from a place, if there is room or it must be.

        ``colours`` of its ground and of its words.
        """
        painter.setFont(font(SMALL, QFont.Weight.DemiBold))
        metrics = QFontMetricsF(painter.font())
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, _LONGEST)
        box = self._free(metrics.horizontalAdvance(shown) + 16, metrics.height() + 5, at, away)
        if box is None and not must:
            return
        if box is None:
            box = self._around(
                metrics.horizontalAdvance(shown) + 16, metrics.height() + 5, at, away
            )[0]
        self._taken.append(box)
        painter.setPen(QPen(QColor(colours[1]), 1))
        painter.setBrush(QColor(colours[0]))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)

    def _free(self, width: float, height: float, at: QPointF, away: float) -> QRectF | None:
        for box in self._around(width, height, at, away):
            if not any(box.intersects(other) for other in self._taken):
                return box
        return None

    def _around(self, width: float, height: float, at: QPointF, away: float) -> list[QRectF]:
        """Return the boxes above, below, right and left of a place, inside the plot."""
        x, y = at.x(), at.y()
        corners = (
            (x - width / 2, y - away - height),
            (x - width / 2, y + away),
            (x + away, y - height / 2),
            (x - away - width, y - height / 2),
        )
        plot = self._plot
        return [
            QRectF(
                min(max(left, plot.left()), max(plot.right() - width, plot.left())),
                min(max(top, plot.top()), max(plot.bottom() - height, plot.top())),
                width,
                height,
            )
            for left, top in corners
        ]
