"""The card in which the number of components is chosen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QSpinBox

from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count
from gui.plots import CurveChart
from gui.widgets.boxes import add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button
from gui.widgets.words import ElidedLabel

PRESETS = (0.80, 0.90, 0.95, 0.99)
_PATIENCE = 600  # ms after the last step of the spin box before k is saved


class ComponentChoice(Card):
    """Chooses k: by a line in the curve of cumulative variance, presets, or a spin box.

    ``moved``: k is being tried; ``settled``: k is chosen; ``share_chosen``: a preset was pressed.
    """

    moved = Signal()
    settled = Signal()
    share_chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__("How many components?", "drag the line")
        self.k = 0
        self.chart = CurveChart("number of components k", "variance kept")
        self.chart.setMinimumHeight(120)
        self.chart.mark_moved.connect(self._try)
        self.chart.mark_released.connect(lambda _k: self.settled.emit())
        self._space: FaceSpace | None = None
        self._kept = np.zeros(0)
        self._rule = ElidedLabel("", "caption", Qt.TextElideMode.ElideRight)
        self.spin = QSpinBox()
        self.spin.setAccessibleName("Number of components k")
        self.spin.setKeyboardTracking(False)
        self.spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.spin.valueChanged.connect(self._stepped)
        self.spin.editingFinished.connect(self._settle_now)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self.settled)
        self.presets = {share: self._preset(share) for share in PRESETS}
        add_parts(self.body, (self.chart, 1), self._controls(), self._rule)

    def show_space(self, space: FaceSpace) -> None:
        """Draw the curve of another face space."""
        self._space = space
        self._kept = np.concatenate([[0.0], space.kept])
        self._kept = np.minimum(self._kept, 1.0)
        self.chart.show_curve(np.arange(len(space) + 1), self._kept)
        self.spin.blockSignals(True)
        self.spin.setRange(1, len(space))
        self.spin.blockSignals(False)
        for share, button in self.presets.items():
            fewest = space.fewest_for(share)
            button.setEnabled(fewest is not None)
            button.setToolTip(
                f"{count(fewest, 'component')} for at least {100 * share:.0f} % of the variance."
                if fewest is not None
                else "The components that were computed hold less of the variance than this."
            )

    def show_rule(self, recipe: Recipe, k: int) -> None:
        """Show the saved rule, and the k that follows from it."""
        self._patience.stop()
        wanted = recipe.shown_components
        for share, button in self.presets.items():
            button.setChecked(isinstance(wanted, float) and abs(wanted - share) < 1e-9)
        self._put(k)
        if isinstance(wanted, float):
            self._rule.set_full_text(
                f"{100 * wanted:.4g} % of the variance: {count(k, 'component')}."
            )
        elif wanted > k:
            self._rule.set_full_text(f"{wanted} components are wanted; this face space has {k}.")
        else:
            self._rule.set_full_text(self._fixed())

    def hideEvent(self, event: QHideEvent) -> None:
        self._settle_now()
        super().hideEvent(event)

    def _put(self, k: int) -> None:
        self.k = k
        self.spin.blockSignals(True)
        self.spin.setValue(k)
        self.spin.blockSignals(False)
        if self._kept.size:
            self.chart.set_mark(k, f"k = {k} · {self._share(k)}")

    def _try(self, k: int) -> None:
        """Show a k that is not saved yet."""
        self._put(max(1, k))
        for button in self.presets.values():
            button.setChecked(False)
        self._rule.set_full_text(self._fixed())
        self.moved.emit()

    def _stepped(self, k: int) -> None:
        self._try(k)
        self._patience.start()

    def _settle_now(self) -> None:
        if self._patience.isActive():
            self._patience.stop()
            self.settled.emit()

    def _fixed(self) -> str:
        verb = "keeps" if self.k == 1 else "keep"
        return f"Fixed: {count(self.k, 'component')} {verb} {self._share(self.k)}."

    def _share(self, k: int) -> str:
        return f"{100 * self._kept[k]:.1f} %"

    def _preset(self, share: float) -> Button:
        words = f"{100 * share:.0f} %"
        button = Button(words, name=f"Keep {words} of the variance", role="preset")
        button.setCheckable(True)
        button.clicked.connect(lambda: self.share_chosen.emit(share))
        return button

    def _controls(self) -> QHBoxLayout:
        group = QFrame()
        group.setProperty("role", "segments")
        group.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        in_row(*self.presets.values(), inside=group, spacing=0, margins=(1, 1, 1, 1))
        return in_row(group, (self.spin, 1), spacing=8)
