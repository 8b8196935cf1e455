"""The sliders of the first components."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal

from eigenfaces.arrays import Floats
from eigenfaces.laboratory.synthesis import SyntheticFace
from eigenfaces.space.facespace import FaceSpace
from eigenfaces.wording import percent
from gui.style.images import grey_image
from gui.widgets.bipolar_slider import BipolarSlider
from gui.widgets.cards import Card
from gui.widgets.words import ElidedLabel

SLIDERS, MOST = 12, 2.5
_HOW = f"Ends: the mean ∓ {MOST} σ. Bold: moved. Double-click: 0."


class Sliders(Card):
    """The first components; ``moved``: the component, counted from 0, and its score."""

    moved = Signal(int, float)

    def __init__(self) -> None:
        super().__init__("Components")
        self.body.setSpacing(2)
        self.sliders = [BipolarSlider(f"Component {at + 1}", MOST) for at in range(SLIDERS)]
        for at, slider in enumerate(self.sliders):
            slider.moved.connect(partial(self.moved.emit, at))
            self.body.addWidget(slider, 1)
        self.body.addWidget(ElidedLabel(_HOW, "caption", Qt.TextElideMode.ElideRight))

    def show_space(self, space: FaceSpace) -> None:
        """Show the components of another face space: their numbers, shares and ends."""
        shown = min(SLIDERS, len(space))
        self.set_title(f"Components 1–{shown}" if shown > 1 else "Component 1")
        for slider in self.sliders[shown:]:
            slider.hide()
        for at, (slider, ends) in enumerate(zip(self.sliders, _ends(space, shown), strict=False)):
            share = percent(float(space.variance_ratio[at]))
            name = f"Component {at + 1}, {share} of the variance, in standard deviations"
            slider.set_words(str(at + 1), share, name)
            slider.set_ends(*map(grey_image, ends))
            slider.show()

    def show_face(self, face: SyntheticFace, start: SyntheticFace) -> None:
        """Show where a face lies, and what differs from where it began."""
        scores = zip(face.scores.tolist(), start.scores.tolist(), strict=True)
        for slider, (score, begun) in zip(self.sliders, scores, strict=False):
            slider.show_value(score, strong=abs(score - begun) > 1e-9)


def _ends(space: FaceSpace, shown: int) -> Floats:
    """Return the mean face with the least and the most of each component: (s, 2, h, w)."""
    mean = SyntheticFace.mean(space)
    faces = [mean.moved(at, end).coordinates for at in range(shown) for end in (-MOST, MOST)]
    return space.reconstruct(np.stack(faces)).reshape(-1, 2, *space.shape)
