"""The components in banks of twelve, each with its slider."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QWidget

from eigenfaces.arrays import Floats
from eigenfaces.laboratory.synthesis import SyntheticFace
from eigenfaces.space.facespace import FaceSpace
from eigenfaces.wording import percent
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.bipolar_slider import BipolarSlider
from gui.widgets.boxes import in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button, Segmented
from gui.widgets.words import ElidedLabel

SLIDERS, MOST = 12, 2.5
_SHOWN = 4  # banks side by side; the arrows go on to the next
_BESIDE, _BANK = 190, 32  # px of the card for all but the banks; for each beside its numbers
_ARROW = 22  # px

_HOW = f"Ends: the mean ∓ {MOST} σ. Bold: moved. Double-click: 0."


class BankBar(QWidget):
    """The banks to choose from, four at a time, with arrows where there are more."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.current = 0
        self._k, self._first, self._shown = 0, -1, _SHOWN
        self.choice: Segmented | None = None
        self.before = Button("‹", name="Earlier components", role="bare")
        self.after = Button("›", name="Later components", role="bare")
        self.before.clicked.connect(lambda: self.go(self._first - self._shown))
        self.after.clicked.connect(lambda: self.go(self._first + self._shown))
        for arrow in (self.before, self.after):
            arrow.setFixedWidth(theme.pixels(_ARROW))
        self._row = in_row(self.before, self.after, inside=self, spacing=2)

    def show_banks(self, k: int) -> None:
        """Offer the banks of k components."""
        self._k, self._first = k, -1
        self.go(min(self.current, self._last))

    def set_shown(self, banks: int) -> None:
        """Set how many banks stand side by side."""
        if banks != self._shown:
            self._shown = banks
            self.show_banks(self._k)

    def go(self, bank: int) -> None:
        """Choose a bank, counted from 0."""
        bank = min(max(bank, 0), self._last)
        first = bank // self._shown * self._shown
        if first != self._first:
            self._first = first
            self._offer(first, bank)
        elif self.choice is not None:
            self.choice.set_current(bank - first)
        if bank != self.current:
            self.current = bank
            self.changed.emit()

    @property
    def _last(self) -> int:
        return max(0, (self._k - 1) // SLIDERS)

    def _offer(self, first: int, bank: int) -> None:
        """Replace the four banks that are offered."""
        if self.choice is not None:
            self.choice.hide()
            self.choice.deleteLater()
        banks = range(first, min(first + self._shown, self._last + 1))
        words = [range_words(each * SLIDERS, self._k) for each in banks]
        self.choice = choice = Segmented(words, bank - first, name="Components")
        choice.changed.connect(lambda: self.go(first + choice.current))
        self._row.insertWidget(1, choice)
        choice.show()  # so that its width counts at once
        more = self._last >= self._shown
        self.before.setVisible(more)
        self.after.setVisible(more)
        self.before.setEnabled(first > 0)
        self.after.setEnabled(first + self._shown <= self._last)


class Banks(Card):
    """Twelve components at a time; ``moved``: the component, counted from 0, and its score."""

    moved = Signal(int, float)

    def __init__(self) -> None:
        super().__init__("Components")
        self._space: FaceSpace | None = None
        self.bar = BankBar()
        self.bar.changed.connect(self._fill)
        self.add_to_heading(self.bar)
        self.body.setSpacing(2)
        self.sliders = [self._slider(place) for place in range(SLIDERS)]
        for slider in self.sliders:
            self.body.addWidget(slider, 1)
        self._rest = QWidget()  # a last bank with few sliders keeps them in their places
        self.body.addWidget(self._rest)
        self.body.addWidget(ElidedLabel(_HOW, "caption", Qt.TextElideMode.ElideRight))
        self._face: SyntheticFace | None = None
        self._start: SyntheticFace | None = None
        self._chosen = -1

    @property
    def first(self) -> int:
        """The first component shown, counted from 0."""
        return self.bar.current * SLIDERS

    def show_space(self, space: FaceSpace) -> None:
        """Show the components of another face space."""
        self._space = space
        self._face = None
        self._fit_banks()
        self.bar.show_banks(len(space))
        self._fill()

    def show_face(self, face: SyntheticFace, start: SyntheticFace) -> None:
        """Show where a face lies, and what differs from where it began."""
        self._face, self._start = face, start
        scores, begun = face.scores.tolist(), start.scores.tolist()
        for place, slider in enumerate(self.sliders):
            at = self.first + place
            if at < len(scores):
                slider.show_value(scores[at], strong=abs(scores[at] - begun[at]) > 1e-9)

    def show_component(self, component: int) -> None:
        """Show the bank of a component, and mark its slider."""
        self._chosen = component
        self.bar.go(component // SLIDERS)
        self._mark()

    def _slider(self, place: int) -> BipolarSlider:
        slider = BipolarSlider(f"Component {place + 1}", MOST)
        slider.moved.connect(lambda score: self.moved.emit(self.first + place, score))
        return slider

    def _fill(self) -> None:
        """Show the components of the bank: their numbers, shares and ends."""
        space = self._space
        if space is None:
            return
        self._show_title()
        missing, ends = 0, self._ends(space)
        for place, slider in enumerate(self.sliders):
            at = self.first + place
            slider.setVisible(at < len(space))
            missing += at >= len(space)
            if at < len(space):
                share = percent(float(space.variance_ratio[at]))
                name = f"Component {at + 1}, {share} of the variance, in standard deviations"
                slider.set_words(str(at + 1), share, name)
                slider.set_ends(*map(grey_image, ends[place]))
        self.body.setStretchFactor(self._rest, missing)
        self._mark()
        if self._face is not None and self._start is not None:
            self.show_face(self._face, self._start)

    def _ends(self, space: FaceSpace) -> Floats:
        """Return the mean face with the least and the most of each component: (s, 2, h, w)."""
        mean = SyntheticFace.mean(space)
        shown = range(self.first, min(self.first + SLIDERS, len(space)))
        faces = [mean.moved(at, end).coordinates for at in shown for end in (-MOST, MOST)]
        stacked = np.reshape(faces, (-1, len(space)))
        return space.reconstruct(stacked).reshape(-1, 2, *space.shape)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_banks()
        self._show_title()

    def _fit_banks(self) -> None:
        """Offer as many banks side by side as there is room for."""
        longest = f"{len(self._space)}–{len(self._space)}" if self._space is not None else ""
        numbers = QFontMetrics(theme.font(theme.BASE, 600)).horizontalAdvance(longest)
        room = (self.width() - theme.pixels(_BESIDE)) // (numbers + _BANK)
        self.bar.set_shown(min(max(room, 1), _SHOWN))

    def _show_title(self) -> None:
        """Show which components these are, where there is room beside the banks."""
        if self._space is not None:
            self.set_title(f"Components {range_words(self.first, len(self._space))}")
            if self._title.text() != self._title.full_text:  # it is cut
                self.set_title("Components")

    def _mark(self) -> None:
        for place, slider in enumerate(self.sliders):
            slider.set_chosen(self.first + place == self._chosen)


def range_words(first: int, k: int) -> str:
    """Return the numbers of a bank, counted from 1.

    >>> range_words(12, 30), range_words(24, 25)
    ('13–24', '25')
    """
    last = min(first + SLIDERS, k)
    return str(last) if last == first + 1 else f"{first + 1}–{last}"
