"""The baselines of a result: the same folds without PCA, without the face, and by guessing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.evaluation.controls import GUESSES
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import Remark, remarks
from eigenfaces.text import capital, percent
from gui.style import theme
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.flow import Columns
from gui.widgets.words import label, restyle

_MOST = 6


class ShareBar(QWidget):
    """A share as a bar, its interval as a line, and the result to compare with as a mark."""

    def __init__(self) -> None:
        super().__init__()
        self._value, self._low, self._high = 0.0, 0.0, 0.0
        self._mark: float | None = None
        self._warns = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(
        self, value: float, limits: tuple[float, float], mark: float | None, *, warns: bool
    ) -> None:
        """Show another share, 0 … 1."""
        self._value, (self._low, self._high) = value, limits
        self._mark, self._warns = mark, warns
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 12)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        t = theme.tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(0, 3, self.width(), 6)
        painter.setBrush(QColor(t.track))
        painter.drawRoundedRect(whole, 3, 3)
        painter.setBrush(QColor(t.warn if self._warns else theme.mix(t.secondary, t.surface, 0.2)))
        wide = whole.width() * min(max(self._value, 0.0), 1.0)
        if wide > 0:
            painter.drawRoundedRect(QRectF(0, 3, max(4.0, wide), 6), 3, 3)
        if self._high > self._low:
            painter.setPen(QPen(QColor(t.text), 1.4))
            low, high = (whole.width() * each for each in (self._low, self._high))
            painter.drawLine(round(low), 6, round(high), 6)
        if self._mark is not None:
            at = min(whole.width() - 1, max(1.0, whole.width() * self._mark))
            painter.setPen(QPen(QColor(t.accent), 2))
            painter.drawLine(round(at), 0, round(at), 12)


class ControlRow(QWidget):
    """One baseline: its figure with the interval, a bar, and one sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.value = label("", "strong"), label("", "strong")
        self.limits, self.sentence = label("", "small"), label("", "caption", wrap=True)
        self.bar = ShareBar()
        line = in_row(self.title, STRETCH, self.limits, self.value, spacing=6)
        in_column(line, self.bar, self.sentence, STRETCH, inside=self, spacing=3)

    def show_remark(self, remark: Remark, result: Figure | None) -> None:
        """Show another baseline, compared with the result."""
        control, warns = remark.control, remark.warns
        known = control.value == control.value
        self.title.setText(remark.title)
        self.value.setText(percent(control.value) if known else "not measured")
        self.sentence.setText(_words(remark))
        self.setToolTip(control.note)
        for words in (self.value, self.sentence):
            restyle(words, "warn" if warns else "")
        low, high = control.low, control.high
        interval = ""
        if low is not None and high is not None:
            interval = f"{100 * low:.1f} to {100 * high:.1f}"
        self.limits.setText(interval)
        self.limits.setVisible(bool(interval))
        mark = None if result is None or control.kind == "duplicates" else result.value
        ends = (low or 0.0, high or 0.0)
        self.bar.show_share(control.value if known else 0.0, ends, mark, warns=warns)


def _words(remark: Remark) -> str:
    """Return what a baseline means; of a guess, also what it is."""
    if remark.control.kind not in GUESSES:
        return remark.sentence
    return f"{capital(remark.control.note)}. {remark.sentence}"


class BaselinesCard(Card):
    """All baselines of a run, shown with every result."""

    def __init__(self) -> None:
        super().__init__("What keeps it honest")
        self.rows = [ControlRow() for _ in range(_MOST)]
        self.intro = label("", "caption", wrap=True)
        holder = QWidget()
        Columns((3, 2, 1), 190, holder, spacing=14).add(*self.rows)
        for row in self.rows:
            row.hide()
        self.body.addWidget(self.intro)
        self.body.addWidget(holder, 1)

    def show_run(self, evaluation: Evaluation | None) -> None:
        """Show the baselines of a run; a run under way has none yet."""
        found = () if evaluation is None else remarks(evaluation)[:_MOST]
        result = None if evaluation is None else evaluation.headline
        if evaluation is None:
            self.intro.setText("Pixels, chance and the covered face are measured at the end.")
        elif result is not None:
            self.intro.setText(f"The mark: {result.kind} of this run, {percent(result.value)}.")
        for at, row in enumerate(self.rows):
            row.setVisible(at < len(found))
            if at < len(found):
                row.show_remark(found[at], result)
