"""What a result stands beside: baselines in the same folds, and the other recipes."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.controls import GUESSES
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import YEARS, Evaluation, RecipesCompared, Record, Setting
from eigenfaces.evaluation.result_words import Remark, remarks
from eigenfaces.evaluation.run import compare_recipes, participating_faces
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.automatic import BEHIND, RecipeChoice
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.text import capital, percent
from gui.state.jobs import Stopped
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import STRETCH, add_parts, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.flow import Columns
from gui.widgets.words import label, restyle

_MOST = 6
_ALL = "Measure all"
_HOW = "How often each recipe names the right person in ten folds of your photos, held out."


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


class ShareRow(QWidget):
    """One share: what it is of, its value with the interval, a bar, and one sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.value = label("", "strong"), label("", "strong")
        self.limits, self.sentence = label("", "small"), label("", "caption", wrap=True)
        self.bar = ShareBar()
        self.limits.hide()
        line = in_row(self.title, STRETCH, self.limits, self.value, spacing=6)
        in_column(line, self.bar, self.sentence, STRETCH, inside=self, spacing=3)

    def show_share(
        self,
        words: tuple[str, str],
        value: float | None,
        limits: tuple[float, float] | None,
        mark: float | None = None,
        *,
        warns: bool = False,
    ) -> None:
        """Show another title and sentence, and share; None where it is not known."""
        self.title.setText(words[0])
        self.value.setText("not measured" if value is None else percent(value))
        self.sentence.setText(words[1])
        self.sentence.setVisible(bool(words[1]))
        for each in (self.value, self.sentence):
            restyle(each, "warn" if warns else "")
        self.bar.show_share(value or 0.0, limits or (0.0, 0.0), mark, warns=warns)

    def show_remark(self, remark: Remark, result: Figure | None) -> None:
        """Show a baseline, compared with the result."""
        control = remark.control
        limits = None
        if control.low is not None and control.high is not None:
            limits = control.low, control.high
            self.limits.setText(_interval(*limits))
        self.limits.setVisible(limits is not None)
        mark = None if result is None or control.kind == "duplicates" else result.value
        value = control.value if control.value == control.value else None
        words = remark.title, _words(remark)
        self.show_share(words, value, limits, mark, warns=remark.warns)
        self.setToolTip(control.note)


def _words(remark: Remark) -> str:
    """Return what a baseline means; of a guess, also what it is."""
    if remark.control.kind not in GUESSES:
        return remark.sentence
    return f"{capital(remark.control.note)}. {remark.sentence}"


class BaselinesCard(Card):
    """All baselines of a run, shown with every result."""

    def __init__(self) -> None:
        super().__init__("What keeps it honest")
        self.rows = [ShareRow() for _ in range(_MOST)]
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


class RecipesCard(Card):
    """The recipes beside each other in ten folds: what Automatic has measured, or all of them."""

    def __init__(self, session: Session) -> None:
        super().__init__("Thirty years on your own photos")
        self._session = session
        self._found: tuple[FaceSet, RecipesCompared] | None = None
        self.running = False
        self.measure = Button(_ALL)
        self.measure.clicked.connect(self._start_or_cancel)
        self.add_to_heading(self.measure)
        self.rows = {name: ShareRow() for name in YEARS}
        self.sentence = label("", "caption", wrap=True)
        holder = QWidget()
        Columns((4, 2, 1), 190, holder, spacing=14).add(*self.rows.values())
        add_parts(self.body, holder, self.sentence)

    @property
    def compared(self) -> RecipesCompared | None:
        """What was measured of these faces; None before."""
        there = self._found is not None and self._found[0] is self._session.gallery.faces
        return self._found[1] if self._found is not None and there else None

    def beside(self, record: Record) -> Record:
        """Return a record with the recipes beside it, where they were measured in its folds."""
        evaluation, compared = record.evaluation, self.compared
        taking_part = {photo.key for photo in evaluation.photos}
        now = {photo.key for photo in participating_faces(self._session.gallery.faces).index.photos}
        if compared is None or evaluation.setting.protocol != KFold() or taking_part != now:
            return record
        return replace(record, evaluation=replace(evaluation, recipes=compared))

    def show_gallery(self, gallery: Gallery, lack: str) -> None:
        """Show what is known of a gallery, or why nothing can be."""
        compared, automatic = self.compared, gallery.automatic
        results = {each.recipe: each for each in compared.results} if compared else {}
        shares = automatic.shares if automatic else {}
        for name, row in self.rows.items():
            found, value, ends, more = results.get(name), shares.get(name), None, ""
            if found is not None:
                more = f" · {found.reason}"
                if found.figure is not None:
                    value, ends = found.figure.value, (found.figure.low, found.figure.high)
                    more = f" · 95 % interval {_interval(*ends)}"
            row.show_share((name, f"{YEARS[name]}{more}"), value, ends)
        self.measure.setText("Cancel" if self.running else "Measure again" if compared else _ALL)
        self.measure.setEnabled(self.running or not lack)
        told = _told(automatic)
        self.sentence.setText(lack or (compared.sentence if compared else told))

    def _start_or_cancel(self) -> None:
        session, gallery = self._session, self._session.gallery
        if self.running:
            session.jobs.cancel("recipes")
            return
        self.running, setting = True, Setting(gallery.recipe, KFold(), allow_leaks=True)

        def end() -> None:
            self.running = False
            self.show_gallery(session.gallery, "")

        crops = gallery.preparation.already_cropped

        def done(compared: RecipesCompared) -> None:
            self._found = gallery.faces, compared
            end()

        def failed(error: EigenfacesError) -> None:
            end()
            if not isinstance(error, Stopped):
                self.sentence.setText(str(error))

        session.jobs.start(
            "recipes",
            "Measuring the recipes",
            lambda tick: compare_recipes(gallery.faces, setting, tick=tick, crops=crops),
            done,
            failed,
        )
        self.show_gallery(gallery, "")


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _told(automatic: RecipeChoice | None) -> str:
    """Return what Automatic has found, and why it has not looked any farther."""
    if automatic is None or not automatic.shares:
        return _HOW
    enough = max(automatic.shares.values()) >= 1 - BEHIND
    ahead = f" No other can be more than {100 * BEHIND:g} points ahead." if enough else ""
    return f"{automatic.reason}{ahead}"
