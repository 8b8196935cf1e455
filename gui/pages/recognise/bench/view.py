"""The bench in place of the verdict: sliders, the live verdict, and curves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.proposal import recipes_beside
from eigenfaces.laboratory.breaking.bench import Bench, Broken, PhotoCurve
from eigenfaces.laboratory.breaking.disturbances import NEUTRAL, TURN, Disturbance, Strengths
from eigenfaces.recognition.gallery import Gallery
from gui.pages.recognise.bench.curves import NineInTenCard, PhotoCard, WholeCard
from gui.pages.recognise.bench.exports import export_menu
from gui.pages.recognise.bench.running import Newest, Withstanding
from gui.pages.recognise.bench.sliders import SlidersCard
from gui.pages.recognise.bench.verdict import BrokenCard
from gui.pages.recognise.findings import Finding, operations
from gui.state.jobs import DISTURB, DISTURB_MORE, LOOK_AROUND
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import in_column, in_row
from gui.widgets.controls import Button, Segmented, open_below
from gui.widgets.page import Page

_SIDE = 250  # px of the sliders
_LOW, _NARROW = 700, 1000
"""Height and width of the page (px) below which one of three cards has to do."""

_TABLE, _ALL, _HALF = 620, 9, 5
"""Room (px) from which all columns of the table stand side by side; else half of them."""

_LIVE = 2_000_000
"""Operations for a probe, up to which a step of a slider is compared at once."""

_NOT_ALIGNED = "the gallery stays as it is"

Curve = tuple[Disturbance, Strengths, bool]


class BenchView(QWidget):
    """Disturb a probe: what the verdict stands. ``closed``: back to the verdict."""

    closed = Signal()

    def __init__(self, session: Session, seen: QWidget) -> None:
        """``seen``: what it is seen through, whose size decides how much is shown at once."""
        super().__init__()
        self._session, self._seen = session, seen
        seen.installEventFilter(self)
        self.bench: Bench | None = None
        self._finding: Finding | None = None
        self._along: Disturbance = TURN
        self._curve_of: Curve | None = None
        self._is_alone = False
        self.withstanding = Withstanding(session)
        self._around: Newest[Bench] = Newest(session, LOOK_AROUND, "Reading the photograph")
        self._broken: Newest[Broken] = Newest(session, DISTURB, "Disturbing the photo")
        self._curves: Newest[PhotoCurve] = Newest(
            session, DISTURB_MORE, "Disturbing the photo, step by step"
        )
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self.sliders = SlidersCard()
        self.card, self.photo = BrokenCard(), PhotoCard()
        self.whole, self.nine = WholeCard(self.withstanding), NineInTenCard(self.withstanding)
        self.tabs = Segmented(["This photo", "The whole gallery", "Nine in ten"], name="Curves")
        self.back = Button("Verdict", "back", name="Back to the verdict")
        self.export = Button("Export…", "export", name="Export curves…")
        self.actions_in_head = (self.back, self.export)
        self._connect()
        self._lay_out()

    def show_finding(self, gallery: Gallery, finding: Finding) -> None:
        """Put another probe on the bench, or the same one before another gallery."""
        self.withstanding.look()
        before = self.bench
        same = before is not None and before.probe is finding.probe
        self._finding = finding
        if not (same and before is not None and before.gallery is gallery):
            self.bench = Bench.alone(gallery, finding.probe)
            self._curve_of, self._is_alone = None, True
            self.sliders.allow_aligning(False, known=False)
        self.sliders.set_note("/".join(finding.probe.photo.path.parts[-2:]))
        self._refresh_whole()
        self._step.start()

    def begin_anew(self) -> None:
        """Disturb nothing, as when the bench is opened."""
        self.sliders.align.setChecked(False)
        self.sliders.show_strengths(NEUTRAL)

    def leave(self) -> None:
        """Drop what is under way for the photo; what is measured on the gallery goes on."""
        for each in (self._around, self._broken, self._curves):
            each.forget()

    def show_exports(self, page: Page) -> None:
        """Show what can be written to a file."""
        menu = export_menu(page, self.photo, self.whole, self.withstanding)
        open_below(self.export, menu)

    # What is shown

    def _look_around(self, alone: Bench) -> None:
        """Read the photograph again, for what lies around the face and to find it anew."""
        self._is_alone = False

        def done(found: Bench) -> None:
            if alone is self.bench:
                self.bench = found
                if any(found.picture.margins):
                    self._curve_of = None
                self.sliders.allow_aligning(found.can_align, known=True)
                self._step.start()

        self._around.want(lambda tick: Bench.of(alone.gallery, alone.probe, tick=tick), done)

    def _moved(self, along: Disturbance | None) -> None:
        if along is not None:
            self._along = along
            self.whole.follow(along)
        self._step.start()

    def _draw(self) -> None:
        """Show the verdict on the photo as it is disturbed now, and where that is on the curves."""
        self._step.stop()
        bench, strengths = self.bench, self.sliders.strengths
        if bench is None:
            return
        align = self.sliders.align.isChecked()
        if align or operations(bench.gallery) > _LIVE:
            self._broken.want(
                lambda _: bench.broken(strengths, align=align), partial(self._show_broken, bench)
            )
        else:
            self._broken.forget()  # an aligned one may be under way
            try:
                self._show_broken(bench, bench.broken(strengths, align=False))
            except EigenfacesError as error:
                self._session.say(str(error), "error")
        along = self._along
        others = strengths.but(along, along.neutral)
        if (along, others, align) != self._curve_of:
            self._curve_of = along, others, align
            self._curves.want(
                lambda tick: bench.curve(along, others, align=align, tick=tick),
                partial(self._show_curve, bench),
            )
        if self._is_alone:  # behind the first curve, which takes a moment only
            self._look_around(bench)
        self._mark()

    def _show_broken(self, of: Bench, now: Broken) -> None:
        if of is self.bench and self._finding is not None:
            self.card.show_broken(of, self._finding, now)

    def _show_curve(self, of: Bench, curve: PhotoCurve) -> None:
        now = self.bench
        same = now is not None and (of.probe, of.gallery) == (now.probe, now.gallery)
        if same and curve.along is self._along:
            crops = of.gallery.preparation.already_cropped
            self.photo.show_curve(curve, _NOT_ALIGNED if curve.aligned and crops else "")
            self._mark()

    def _mark(self) -> None:
        strength = self.sliders.strengths.of(self._along)
        self.photo.mark(self._along, strength)
        self.whole.mark(self._along, strength)

    def _refresh_whole(self) -> None:
        gallery = self._session.gallery
        if gallery.training is None:
            return
        in_use = gallery.compared_by
        self.whole.show_recipe(in_use.name, aligned=self.sliders.align.isChecked())
        self.nine.show_recipes(tuple(recipes_beside(in_use)), in_use.name)
        self._mark()

    def _align(self) -> None:
        self._refresh_whole()
        self._step.start()

    # Layout and keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        acts: dict[int, Callable[[], None]] = {
            Qt.Key.Key_R: self.sliders.random.click,
            Qt.Key.Key_0: self.sliders.reset.click,
            Qt.Key.Key_A: self.sliders.align.click,
        }
        act = acts.get(event.key())
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._seen:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Show all three cards below the verdict, or where there is little room one of them."""
        room = self._seen.size()
        one = room.height() < theme.pixels(_LOW) or room.width() < theme.pixels(_NARROW)
        self.tabs.setVisible(one)
        for at, card in enumerate((self.photo, self.whole, self.nine)):
            card.setVisible(not one or self.tabs.current == at)
        self._right.setStretch(self._right.indexOf(self.nine), int(one and self.tabs.current == 2))
        self._right.setStretch(2, int(not one or self.tabs.current != 2))
        self.sliders.setFixedWidth(theme.pixels(_SIDE))
        beside = room.width() - self.sliders.width()
        self.nine.set_columns(_ALL if beside >= theme.pixels(_TABLE) else _HALF)

    def _connect(self) -> None:
        self.sliders.moved.connect(self._moved)
        self.sliders.aligned.connect(self._align)
        self.photo.strength_chosen.connect(self.sliders.set_strength)
        self.withstanding.changed.connect(self._refresh_whole)
        for asks in (self.nine.all, self.whole.measure):  # greyed, they would pass on the focus
            asks.clicked.connect(self.sliders.sliders["turn"].setFocus)
        self.tabs.changed.connect(self._fit)
        self.back.clicked.connect(self.closed)

    def _lay_out(self) -> None:
        curves = in_row((self.photo, 1), (self.whole, 1), spacing=12)
        self._right = right = in_column(self.card, self.tabs, (curves, 1), self.nine, spacing=12)
        in_row(self.sliders, (right, 1), inside=self, spacing=12)
        self._fit()
