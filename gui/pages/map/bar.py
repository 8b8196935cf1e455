"""The controls above the map."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from eigenfaces.arrays import Doubles
from eigenfaces.laboratory.maps.face_map import FaceMap, MapKind, share_words
from gui.widgets.controls import Button, Segmented
from gui.widgets.flow import Flow
from gui.widgets.popups import Choice
from gui.widgets.words import captioned

KINDS: tuple[MapKind, ...] = ("components", "discriminant", "t-SNE")
_LETTERS = 4
_WORDS = ("Across", "Up", "Depth")


class MapBar(QWidget):
    """Which map, along which axes, in which colours."""

    kind_changed = Signal()
    axes_changed = Signal()
    colour_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Segmented(["Components", "Discriminant", "t-SNE"], name="Map")
        self.kinds.changed.connect(self.kind_changed)
        self.axes = [Choice() for _ in _WORDS]
        self._parts = [self._named(word, box) for word, box in zip(_WORDS, self.axes, strict=True)]
        for box in self.axes:
            box.activated.connect(self.axes_changed)
        self.colour = Choice()
        self.colour.addItems(["By person", "One colour"])
        self.colour.setAccessibleName("Colours")
        self.colour.activated.connect(self.colour_changed)
        self.again = Button("Settings…", name="Settings of t-SNE")
        self._kind: MapKind | None = None
        self._listed: Doubles | None = None
        row = Flow(self, 8)
        row.add(self.kinds, *self._parts, self.colour, self.again)

    @property
    def kind(self) -> MapKind:
        """Which map is wanted."""
        return KINDS[self.kinds.current]

    def chosen_axes(self, dimensions: int) -> tuple[int, ...]:
        """Return the axes that are chosen."""
        return tuple(max(box.currentIndex(), 0) for box in self.axes[:dimensions])

    def show_map(self, of: FaceMap | None, dimensions: int) -> None:
        """List the axes of a map."""
        shares = None if of is None else of.shares
        for part, number in zip(self._parts, range(3), strict=True):
            part.setVisible(shares is not None and number < dimensions)
        self.again.setVisible(of is not None and of.kind == "t-SNE")
        if shares is None or of is None or shares is self._listed:
            return
        same = of.kind == self._kind and len(shares) == self.axes[0].count()
        self._kind, self._listed = of.kind, shares
        words = [f"{at + 1} · {share_words(float(share))}" for at, share in enumerate(shares)]
        for number, box in enumerate(self.axes):
            chosen = box.currentIndex() if same else min(number, len(words) - 1)
            box.clear()
            box.addItems(words)
            box.setCurrentIndex(chosen)

    def _named(self, word: str, box: QComboBox) -> QWidget:
        box.setAccessibleName(f"{word}: axis of the map")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(_LETTERS)
        return captioned(word, box)
