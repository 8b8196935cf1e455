"""The controls of the map, and what stands in the place of one that is not there yet."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QSpinBox, QVBoxLayout, QWidget

from eigenfaces.laboratory.maps import FaceMap, MapKind, share_words
from eigenfaces.laboratory.tsne import COMPONENTS, TsneSettings, most_perplexity
from eigenfaces.space.arrays import Doubles
from gui.style import theme
from gui.widgets.boxes import STRETCH, add_parts, centre, in_row
from gui.widgets.controls import Button, Segmented
from gui.widgets.fields import DropDown
from gui.widgets.flow import Flow
from gui.widgets.words import captioned, label

KINDS: tuple[MapKind, ...] = ("components", "fisherfaces", "t-SNE")
_LETTERS = 4
_WORDS = ("Across", "Up", "Depth")


class MapBar(QWidget):
    """Which map, along which axes, in which colours."""

    kind_changed = Signal()
    axes_changed = Signal()
    colour_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Segmented(["Components", "Fisherfaces", "t-SNE"], name="Map")
        self.kinds.changed.connect(self.kind_changed)
        self.axes = [DropDown() for _ in _WORDS]
        self._parts = [self._named(word, box) for word, box in zip(_WORDS, self.axes, strict=True)]
        for box in self.axes:
            box.activated.connect(self.axes_changed)
        self.colour = DropDown()
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


DIRECTIONS = (
    "Fisherfaces",
    "The directions in which people differ, rather than their photos: those of the recipe "
    "Fisherfaces. They are fitted with the names, so groups on this map are what they were "
    "fitted to find, not a discovery.",
)
TSNE = (
    "t-SNE of the first components",
    "Draws every face to its neighbours and pushes all others away. It keeps who is near whom, "
    "and loses the rest: distances between groups, their size and the axes mean nothing. A new "
    "face has no place on it, while the components have one for every face.\n\n"
    "It runs in the background and can be cancelled. It cannot pause and go on: "
    "scikit-learn’s t-SNE does not give out what that would need. With the same seed it gives the "
    "same map.",
)


class StartPanel(QWidget):
    """Says what a map is, and starts it."""

    started = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = label("", "heading", wrap=True)
        self.words = label("", "secondary", wrap=True)
        self.state = label("", "secondary", wrap=True)
        self.start = Button("Start", "play", primary=True)
        self.start.clicked.connect(self.started)
        self.components = _spin("Components that t-SNE is given", *COMPONENTS)
        self.perplexity = _spin("Perplexity", 1, 50)
        self.seed = _spin("Seed", 0, 9999)
        self.form = QWidget()
        form = QFormLayout(self.form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for words, field, tip in (
            ("Components", self.components, "How many components of the face space it is given."),
            ("Perplexity", self.perplexity, "About how many neighbours each face is drawn to."),
            ("Seed", self.seed, "Of its random numbers."),
        ):
            field.setToolTip(tip)
            form.addRow(label(words, "caption"), field)
        self._n = 0
        self._lay_out()

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setMaximumWidth(theme.pixels(560))
        column = QVBoxLayout(inner)
        column.setSpacing(14)
        line = in_row(self.start, STRETCH)
        add_parts(column, self.title, self.words, self.form, self.state, line)
        centre(inner, self)

    def settings(self, dimensions: int) -> TsneSettings:
        """Return what is set for t-SNE."""
        components, perplexity = self.components.value(), self.perplexity.value()
        return TsneSettings(components, perplexity, self.seed.value(), dimensions)

    def show_gallery(self, n: int, k: int) -> None:
        """Set what is usual for n faces with k components, if n has changed."""
        if n == self._n:
            return
        self._n = n
        usual = TsneSettings.usual(n, k)
        self.components.setRange(min(COMPONENTS[0], k), min(COMPONENTS[1], k))
        self.perplexity.setRange(min(5, usual.perplexity), most_perplexity(n))
        self.components.setValue(usual.components)
        self.perplexity.setValue(usual.perplexity)

    def show_state(self, about: tuple[str, str], *, tsne: bool, busy: bool, stopped: str) -> None:
        """Say what the map is, and whether it is being made or was stopped."""
        self.title.setText(about[0])
        self.words.setText(about[1])
        self.form.setVisible(tsne)
        self.form.setEnabled(not busy)
        self.start.setEnabled(not busy)
        self.state.setText(
            "It is being made: progress, and Cancel, are below." if busy else stopped
        )
        self.state.setVisible(busy or bool(stopped))


def _spin(name: str, least: int, most: int) -> QSpinBox:
    made = QSpinBox()
    made.setAccessibleName(name)
    made.setRange(least, most)
    made.setFixedWidth(theme.pixels(96))
    return made
